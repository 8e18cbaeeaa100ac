/** A list of people who are added together: where it is pasted, the check of its rows, and the links to hand out. */

import { localizedError } from '../../errors.ts';
import {
  decodePeople,
  type ListedPerson,
  type ListField,
  peopleAtMost,
  peopleCsv,
  readList,
} from '../../importing/member-list.ts';
import { bdi, type Html, html, inTurns } from '../markup.ts';
import { bytesOfFile, textBytesAtMost, type UploadedFile } from '../request/fields.ts';
import type { MemberVisit } from '../request/visits.ts';
import { currentViewer } from '../words/viewer.ts';
import { localizeText, richWords, words } from '../words/words.ts';
import { actions, button, type Faults, fileField, form, formActions, textArea } from './form.ts';
import { linkButton, printButton } from './links.ts';
import { copyable, localLinksNotice, notice, noticeOf, panel, unheadedPanel } from './panel.ts';
import { qrCode } from './qr-code.ts';
import { stackedTable } from './table.ts';

const fieldLabel = (field: ListField) => {
  if (field === 'username') return words('door.name');
  if (field === 'name') return words('groups.member');
  return field === 'student_number' ? words('groups.number') : words(`profile.field.${field}`);
};

export function listUploadPanel(
  visit: MemberVisit,
  { to, heading, hint, example }: Record<'to' | 'heading' | 'hint' | 'example', string>,
  faults: Faults,
): Html {
  const listField = textArea(words('members.list'), 'people', {
    faults,
    rows: 6,
    value: visit.form.get('people') ?? '',
    hint,
    placeholder: example,
  });
  const file = fileField(words('members.file'), { faults, accepts: '.csv,.tsv,.txt,text/csv' });
  const post = { to, className: 'form' };
  return panel(
    { id: 'several', heading },
    html`
      <div class="stack">
        ${form(visit, post, html`${listField}${formActions(words('members.check'))}`)}
        ${form(visit, { ...post, hasFile: true }, html`${file}${actions(button(words('members.check')))}`)}
      </div>`,
  );
}

/** Without those who were left out, and with notes about the columns. Throws badFile. */
export async function peopleInForm<Field extends ListField>(
  { form: input }: MemberVisit,
  fields: readonly Field[],
  file?: UploadedFile,
): Promise<{ people: ListedPerson<Field>[]; notes: Html[] }> {
  const bytes = file && (await bytesOfFile(file, textBytesAtMost));
  if (file && !bytes) throw localizedError('badFile.people', { most: peopleAtMost });
  const text = bytes ? decodePeople(bytes, currentViewer().language.tag) : (input.get('people') ?? '');
  const { people, columns, hasHeader, ignoredColumns } = readList(text, correctedRows(input, fields), fields);
  const leftOut = input.getAll('leave_out');
  const found = columns.map(
    ({ heading, column }) => html`<b><bdi>${heading.slice(0, longestNote)}</bdi></b> (${fieldLabel(column)})`,
  );
  const ignored = ignoredColumns.join(', ').slice(0, longestNote);
  const isFresh = file !== undefined || !input.has('checked');
  const columnNames = html`${found.map((one, at) => html`${at > 0 && ', '}${one}`)}`;
  const notes = [
    !hasHeader && html`${words('members.noHeader')}`,
    ignored !== '' && html`${words('members.ignoredColumns', { columns: ignored })}`,
    found.length > 0 && richWords('members.foundColumns', { columns: columnNames }),
  ];
  return {
    people: people.filter(({ line }) => !leftOut.includes(String(line))),
    notes: isFresh ? notes.filter((one) => one !== false) : [],
  };
}

const longestNote = 300;

/** A row that was emptied is left out. */
function correctedRows<Field extends ListField>(
  input: URLSearchParams,
  fields: readonly Field[],
): ListedPerson<Field>[] {
  const rows = fields.map((field) => input.getAll(field));
  return input.getAll('line').flatMap((line, at) => {
    const texts = rows.map((row) => row[at]?.trim().normalize('NFC') || null);
    if (!texts.some(Boolean)) return [];
    // Nobody is without the first field.
    const value = Object.fromEntries(fields.map((field, column) => [field, texts[column] ?? (column > 0 ? null : '')]));
    return { line: Number.parseInt(line, 10) || 0, value: value as ListedPerson<Field>['value'] };
  });
}

const correctionsAtMost = 100;

interface CheckedList<Field extends ListField> {
  to: string;
  fields: readonly Field[];
  people: readonly ListedPerson<Field>[];
  notes: readonly Html[];
  /** What the button that adds says. */
  add: (count: number) => string;
  /** Below the people, such as the group that they join. */
  more?: Html | '';
}

/** The hidden list has everybody whose row is in no field. */
export function checkedList<Field extends ListField>(
  visit: MemberVisit,
  { to, fields, people, notes, add, more }: CheckedList<Field>,
): Html {
  const wrong = people.filter(({ wrongField }) => wrongField).slice(0, correctionsAtMost);
  const ready = people.filter(({ fault }) => !fault);
  const known = people.filter(({ fault, wrongField }) => fault && !wrongField);
  const rest = people.filter((one) => !wrong.includes(one));
  const heads = [words('lists.line'), ...fields.map(fieldLabel), words('members.leaveOut')];
  const check = button(words('members.check'), ready.length > 0 ? '' : 'primary');
  return form(
    visit,
    { to, className: 'stack checked-list', hidden: { people: peopleCsv(rest, fields), checked: 'true' } },
    html`
      ${notes.map((text) => notice('plain', text))}
      ${localLinksNotice(visit.site.baseUrl, visit.member)}
      ${
        wrong.length > 0 &&
        panel(
          { id: 'wrong', heading: words('members.toMend', { count: people.length - ready.length - known.length }) },
          html`<div class="corrections">${wrong.map((one) => correctionFields(fields, one))}</div>`,
        )
      }
      ${
        ready.length > 0 &&
        panel(
          { id: 'ready', heading: words('members.ready', { count: ready.length }), total: ready.length },
          stackedTable(
            words('members.several'),
            heads,
            ready.map((one) => readyRow(fields, one)),
          ),
        )
      }
      ${
        known.length > 0 &&
        panel(
          { id: 'known', heading: words('members.known', { count: known.length }), total: known.length },
          stackedTable(
            words('members.list'),
            heads.slice(0, -1),
            known.map((one) => ({ about: html``, cells: cellsOf(fields, one) })),
          ),
        )
      }
      ${more}
      <div class="actions">
        ${ready.length > 0 && button(add(ready.length), 'primary', ['add', 'true'])}${wrong.length > 0 && check}
        ${linkButton(visit.site.basePath + to, words('add.cancel'), { kind: 'quiet' })}
      </div>`,
  );
}

function correctionFields<Field extends ListField>(
  fields: readonly Field[],
  { line, value, fault, wrongField }: ListedPerson<Field>,
): Html {
  const inputs = fields.map(
    (field) =>
      html`
        <label class="field">
          ${fieldLabel(field)}
          <input
            name="${field}" value="${value[field] ?? ''}" autocomplete="off" autocapitalize="off" spellcheck="false"
            ${field === wrongField && html`aria-describedby="fault-${line}" aria-invalid="true"`}
          >
        </label>`,
  );
  return html`
    <fieldset class="correction">
      <legend>${words('lists.line')} ${line}</legend>
      <p class="fault" id="fault-${line}">${fault && localizeText(fault)}</p>
      <input type="hidden" name="line" value="${line}">
      ${inputs}
      <label class="tick">
        <input type="checkbox" name="leave_out" value="${line}">
        <span>${words('members.leaveOut')}</span>
      </label>
    </fieldset>`;
}

/** The first of the fields says who the person is already. */
function cellsOf<Field extends ListField>(fields: readonly Field[], one: ListedPerson<Field>): (Html | string)[] {
  const sentence = one.note ?? one.fault;
  const note = sentence && html` <span class="soft">${localizeText(sentence)}</span>`;
  return [String(one.line), ...fields.map((field, at) => html`${bdi(one.value[field] ?? '')}${at === 0 && note}`)];
}

function readyRow<Field extends ListField>(fields: readonly Field[], one: ListedPerson<Field>) {
  const { line, value } = one;
  const first = fields[0] && value[fields[0]];
  const label = words('contests.stateOf', { title: words('members.leaveOut'), state: first ?? '' });
  return {
    about: html` data-line="${line}"`,
    cells: [
      ...cellsOf(fields, one),
      html`<input type="checkbox" name="leave_out" value="${line}" aria-label="${label}">`,
    ],
  };
}

export interface HandOut {
  id: bigint;
  /** What the slip says above the address. */
  lines: Html;
  address: string;
}

/** The links, which no other page can show: only their digests are stored. */
export async function slipsPanel(
  reader: Pick<MemberVisit['member'], 'role'>,
  people: readonly HandOut[],
  { title, text, more = '', kind = '' }: { title: string; text: string; more?: Html | ''; kind?: string },
): Promise<Html> {
  const slips = await inTurns(
    people,
    ({ id, lines, address }) => html`
      <li class="slip" data-made="${id}">
        ${qrCode(address)}
        <div>${lines}<p class="small">${copyable(address, html` data-secret`)}</p></div>
      </li>`,
  );
  return unheadedPanel(
    { labelledBy: 'made', className: 'new-token links' },
    html`
      <div class="stack">
        ${noticeOf('good', html`<h2 id="made">${title}</h2><p>${text}</p>`)}
        ${localLinksNotice(people[0]?.address ?? '', reader)}
        <div class="actions">${printButton()}${more}</div>
        <ul class="slips ${kind}">${slips}</ul>
      </div>`,
  );
}
