/** Many members at once: the check of a list of people, where its rows can be corrected, and the links to hand out. */

import { linkLifetimesMs } from '../../../auth/entry.ts';
import { parseInt64 } from '../../../contract/common.ts';
import { dayMs } from '../../../durations.ts';
import { AppError, localizedError } from '../../../errors.ts';
import {
  checkPeople,
  createPeople,
  decodePeople,
  fullNameOf,
  type ListedPerson,
  peopleAtMost,
  peopleCsv,
  personFields,
  readPeople,
  signUpAddress,
  signUpCsv,
} from '../../../importing/member-list.ts';
import { makeGroupLink } from '../../../practice/groups.ts';
import type { NewMember } from '../../../practice/joining.ts';
import { isEmail } from '../../../practice/members.ts';
import { asStaff } from '../../../practice/staff.ts';
import { listJoinedGroups } from '../../../store/groups.ts';
import type { Db } from '../../../store/tables.ts';
import { actions, button, type Faults, fileField, form, formActions, selectField, textArea } from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { linkButton, printButton } from '../../kit/links.ts';
import { copyable, notice, noticeOf, panel, unheadedPanel } from '../../kit/panel.ts';
import { qrCode } from '../../kit/qr-code.ts';
import { stackedTable } from '../../kit/table.ts';
import { bdi, type Html, html } from '../../markup.ts';
import { staffMembersPath } from '../../paths.ts';
import { bytesOfFile, textBytesAtMost, type UploadedFile } from '../../request/fields.ts';
import type { MemberVisit, PageResult } from '../../request/visits.ts';
import { currentViewer } from '../../words/viewer.ts';
import { localizeText, words } from '../../words/words.ts';
import { staffPage } from './frame.ts';

export function listUploadPanel(visit: MemberVisit, faults: Faults): Html {
  const listField = textArea(words('members.list'), 'people', {
    faults,
    rows: 6,
    value: visit.form.get('people') ?? '',
    hint: words('members.listHint'),
    placeholder: words('members.listExample'),
  });
  const file = fileField(words('members.file'), { faults, accepts: '.csv,.tsv,.txt,text/csv' });
  const post = { to: staffMembersPath, className: 'form' };
  return panel(
    { id: 'several', heading: words('members.several') },
    html`
      ${form(visit, post, html`${listField}${formActions(words('members.check'))}`)}
      ${form(visit, { ...post, hasFile: true }, html`${file}${actions(button(words('members.check')))}`)}`,
  );
}

/** The answer is a message if the list cannot be read. */
export async function submitList(visit: MemberVisit, file?: UploadedFile): Promise<PageResult | string> {
  const { store, form: input, member, site } = visit;
  try {
    const bytes = file && (await bytesOfFile(file, textBytesAtMost));
    if (file && !bytes) throw localizedError('badFile.people', { most: peopleAtMost });
    const text = bytes ? decodePeople(bytes, currentViewer().language.tag) : (input.get('people') ?? '');
    const { people: all, hasHeader, ignoredColumns } = readPeople(text, correctedRows(input));
    const leftOut = input.getAll('leave_out');
    const people = all.filter(({ line }) => !leftOut.includes(String(line)));
    if (!input.has('add')) {
      const columns = ignoredColumns.join(', ').slice(0, longestNote);
      const notes = [
        !hasHeader && words('members.noHeader'),
        columns !== '' && words('members.ignoredColumns', { columns }),
      ];
      const content = await checkedList(visit, await checkPeople(store.reader, people), notes);
      return staffPage(visit, { title: words('members.check'), section: 'members/' }, content);
    }
    const { members, refused, joinSecret } = await asStaff(
      visit,
      async (tx) => {
        const checked = await checkPeople(tx, people);
        const made = await createPeople(tx, checked, { role: 'member', madeBy: member.user_id });
        const refused = checked.filter(({ fault }) => fault);
        return { members: made, refused, joinSecret: await makeJoinLink(tx, visit, made.length) };
      },
      ({ members: made }) => ['member-made', ...made.map((one) => one.member.id)],
    );
    const rest = refused.length > 0 && (await checkedList(visit, refused, []));
    const links = members.length > 0 && (await linksPanel(members, site.baseUrl, joinSecret));
    return staffPage(visit, { title: words('members.links'), section: 'members/' }, html`${links}${rest}`);
  } catch (error) {
    if (error instanceof AppError && ['badFile', 'invalidValue'].includes(error.code)) return localizeText(error);
    throw error;
  }
}

/** Returns the secret of a link to the chosen group, or nothing. */
async function makeJoinLink(tx: Db, { form: input, member }: MemberVisit, uses: number): Promise<string> {
  const groupId = parseInt64(input.get('group') ?? '');
  if (groupId === undefined || uses === 0) return '';
  const coach = { groupId, coachId: member.user_id };
  return makeGroupLink(tx, coach, { uses, lifetimeMs: linkLifetimesMs.reset, madeBy: member.user_id });
}

/** The groups that the administrator coaches. */
async function groupField({ store, member, form: input }: MemberVisit): Promise<Html | ''> {
  const joined = await listJoinedGroups(store.reader, member.user_id);
  const groups = joined.filter(({ role, archived_at }) => role === 'coach' && archived_at === null);
  if (groups.length === 0) return '';
  const choices: [string, string][] = [['', words('members.noGroup')]];
  for (const { id, name } of groups) choices.push([String(id), name]);
  const hint = words('members.groupHint');
  return selectField(words('members.group'), 'group', choices, input.get('group') ?? '', { hint });
}

const longestNote = 300;

/** A row that was emptied is left out. */
function correctedRows(input: URLSearchParams): ListedPerson[] {
  return input.getAll('line').flatMap((line, at) => {
    const text = (field: (typeof personFields)[number]) => input.getAll(field)[at]?.trim().normalize('NFC') || null;
    if (!personFields.some(text)) return [];
    const names = { first_name: text('first_name'), last_name: text('last_name') };
    return {
      line: Number.parseInt(line, 10) || 0,
      value: { username: text('username') ?? '', ...names, email: text('email') },
    };
  });
}

const fieldLabel = (field: (typeof personFields)[number]) =>
  words(field === 'username' ? 'door.name' : `profile.field.${field}`);

const correctionsAtMost = 100;

/** The hidden list has everybody whose row is in no field. */
async function checkedList(
  visit: MemberVisit,
  people: readonly ListedPerson[],
  notes: readonly (string | false)[],
): Promise<Html> {
  const wrong = people.filter(({ fault }) => fault).slice(0, correctionsAtMost);
  const ready = people.filter(({ fault }) => !fault);
  const rest = people.filter((one) => !wrong.includes(one));
  const heads = [words('lists.line'), ...personFields.map(fieldLabel), words('members.leaveOut')];
  const add = button(words('members.addReady', { count: ready.length }), 'primary', ['add', 'true']);
  const check = button(words('members.check'), ready.length > 0 ? '' : 'primary');
  return form(
    visit,
    { to: staffMembersPath, className: 'stack checked-list', hidden: { people: peopleCsv(rest) } },
    html`
      ${notes.map((text) => text && notice('plain', text))}
      ${
        wrong.length > 0 &&
        panel(
          { id: 'wrong', heading: words('members.toMend', { count: people.length - ready.length }) },
          html`<div class="corrections">${wrong.map(correctionFields)}</div>`,
        )
      }
      ${
        ready.length > 0 &&
        panel(
          { id: 'ready', heading: words('members.ready', { count: ready.length }), total: ready.length },
          stackedTable(words('members.several'), heads, ready.map(readyRow)),
        )
      }
      ${await groupField(visit)}
      <div class="actions">
        ${ready.length > 0 && add}${wrong.length > 0 && check}
        ${linkButton(visit.site.basePath + staffMembersPath, words('add.cancel'), { kind: 'quiet' })}
      </div>`,
  );
}

function correctionFields({ line, value, fault }: ListedPerson): Html {
  const wrongField = isEmail(value.email) ? 'username' : 'email';
  return html`
    <fieldset class="correction">
      <legend>${words('lists.line')} ${line}</legend>
      <p class="fault" id="fault-${line}">${fault && localizeText(fault)}</p>
      <input type="hidden" name="line" value="${line}">
      ${personFields.map(
        (field) =>
          html`
            <label class="field">
              ${fieldLabel(field)}
              <input
                name="${field}" value="${value[field] ?? ''}" autocomplete="off" autocapitalize="off" spellcheck="false"
                ${field === wrongField && html`aria-describedby="fault-${line}" aria-invalid="true"`}
              >
            </label>`,
      )}
      <label class="tick">
        <input type="checkbox" name="leave_out" value="${line}">
        <span>${words('members.leaveOut')}</span>
      </label>
    </fieldset>`;
}

const readyRow = ({ line, value }: ListedPerson) => ({
  about: html` data-line="${line}"`,
  cells: [
    String(line),
    ...personFields.map((field) => bdi(value[field] ?? '')),
    html`
      <input
        type="checkbox" name="leave_out" value="${line}" aria-label="${words('members.leaveOut')}: ${value.username}"
      >`,
  ],
});

/** The links, which no other page can show: only their digests are stored. */
async function linksPanel(members: readonly NewMember[], baseUrl: string, joinSecret: string): Promise<Html> {
  const file = `data:text/csv;charset=utf-8,${encodeURIComponent(signUpCsv(members, baseUrl, joinSecret))}`;
  const title = words('members.added', { count: members.length });
  const days = linkLifetimesMs.reset / dayMs;
  const slips: Html[] = [];
  for (const one of members) {
    slips.push(slip(one, signUpAddress(one, baseUrl, joinSecret)));
    // A code takes a millisecond or two, and a list may have hundreds.
    await new Promise(setImmediate);
  }
  return unheadedPanel(
    { labelledBy: 'made', className: 'new-token links' },
    html`
      <div class="stack">
        ${noticeOf('good', html`<h2 id="made">${title}</h2><p>${words('members.handOutText', { days })}</p>`)}
        <div class="actions">
          ${printButton()}
          <a class="button" href="${file}" download="members.csv">
            ${icon('download')}
            <span>${words('members.csv')}</span>
          </a>
        </div>
        <ul class="slips">${slips}</ul>
      </div>`,
  );
}

function slip({ member }: NewMember, address: string): Html {
  const name = fullNameOf(member);
  return html`
    <li class="slip" data-made="${member.id}">
      ${qrCode(address)}
      <div>
        ${name !== '' && html`<p><bdi>${name}</bdi></p>`}
        <p>${words('door.name')}: <b>${member.username}</b></p>
        <p class="small">${copyable(address, html` data-secret`)}</p>
      </div>
    </li>`;
}
