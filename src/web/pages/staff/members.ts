/** The list of members with its search, and the form that creates one member. */

import { linkLifetimesMs } from '../../../auth/entry.ts';
import { dayMs } from '../../../durations.ts';
import { fullNameOf, signUpAddress } from '../../../importing/member-list.ts';
import { createMemberWithResetLink, type NewMember } from '../../../practice/joining.ts';
import { asStaff } from '../../../practice/staff.ts';
import { countMembersMatching, listMemberSummaries, type MemberSummary } from '../../../store/members.ts';
import { listUploadPanel } from '../../kit/class-list.ts';
import { type Faults, form, formActions, selectField, textField } from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { linkButton } from '../../kit/links.ts';
import { pageOf, pageSteps } from '../../kit/pager.ts';
import { emptyPanel, listPanel, localLinksNotice, panel, secretNotice } from '../../kit/panel.ts';
import { type Html, html } from '../../markup.ts';
import { staffMembersPath, staffPath } from '../../paths.ts';
import { choiceIn, fieldText, refusalText, type UploadedFile } from '../../request/fields.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { thousands } from '../../words/formats.ts';
import { linkTo, richWords, words } from '../../words/words.ts';
import { roleOptions, rowsPerPage, staffDate, staffPage } from './frame.ts';
import { submitList } from './member-list.ts';

const longestSearch = 100;

export const membersPage: PageRoute<MemberVisit> = {
  path: staffMembersPath,
  isUncached: true,
  dropsEmptyFields: true,
  takesFile: true,
  get: (visit) => listPage(visit),
  post: submit,
};

const listTexts = () => ({
  heading: words('members.several'),
  hint: words('members.listHint'),
  example: words('members.listExample'),
});

async function listPage(visit: MemberVisit, faults: Faults = {}, secret: Html | '' = ''): Promise<{ html: Html }> {
  const { store, site, query } = visit;
  const q = fieldText(query, 'q', longestSearch).trim();
  const total = await countMembersMatching(store.reader, q);
  const { page, pages } = pageOf(query, total, rowsPerPage);
  const offset = (page - 1) * rowsPerPage;
  const members = await listMemberSummaries(store.reader, { q, offset, limit: rowsPerPage });
  const action = site.basePath + staffMembersPath;
  const list =
    members.length === 0
      ? emptyPanel({
          heading: words('members.nobody'),
          text: words('members.nobodyText', { text: q }),
          actions: linkButton(action, words('members.all')),
        })
      : listPanel(
          { className: 'tokens', total },
          members.map((one) => memberItem(one, action)),
        );
  return staffPage(
    visit,
    { section: 'members/', sub: words(q === '' ? 'members.inAll' : 'members.found', { count: total }) },
    html`
      ${secret}
      <form class="inline-form" method="get" action="${action}">
        <label class="grow">
          ${words('members.find')}
          <input type="search" name="q" value="${q}" maxlength="${longestSearch}" autocomplete="off">
        </label>
        <button class="button">${icon('search')}<span>${words('refusal.find')}</span></button>
      </form>
      ${list}
      ${pageSteps({ path: action, page, pages, restOfQuery: q === '' ? undefined : { q } })}
      ${newMemberPanel(visit, faults)}
      ${listUploadPanel(visit, { to: staffMembersPath, ...listTexts() }, faults)}`,
  );
}

function memberItem(one: MemberSummary, action: string): Html {
  const { id, username, seen_at, plants } = one;
  const name = fullNameOf(one);
  return html`
    <li class="token" data-member="${id}">
      <div>
        <h2><a href="${action}${id}/">${username}</a></h2>
        <p class="scopes">${name ? html`<span class="soft">${name}</span>` : ''}${memberTags(one)}</p>
      </div>
      <dl>
        <div><dt>${words('members.since')}</dt><dd>${staffDate(one.created_at)}</dd></div>
        <div>
          <dt>${words('members.seen')}</dt>
          <dd>
            ${seen_at === null ? html`<span class="faint">${words('members.neverSeen')}</span>` : staffDate(seen_at)}
          </dd>
        </div>
        <div><dt>${words('staff.plants')}</dt><dd>${thousands.format(plants)}</dd></div>
      </dl>
      ${linkButton(`${action}${id}/`, richWords('members.open', { name: username }), { kind: 'small' })}
    </li>`;
}

export function memberTags({ role, is_disabled, is_sample, has_password }: MemberSummary): Html {
  return html`
    ${role === 'staff' && html`<span class="tag good">${icon('shield')}${words('staff.admin')}</span>`}
    ${is_disabled === 1n && html`<span class="tag">${icon('lock')}${words('members.disabled')}</span>`}
    ${is_sample === 1n && html`<span class="tag">${words('sample.title')}</span>`}
    ${has_password === 0n && html`<span class="tag">${words('members.noPassword')}</span>`}`;
}

function newMemberPanel(visit: MemberVisit, faults: Faults): Html {
  const { site, form: values } = visit;
  const options = { value: values.get('username') ?? '', hint: words('door.nameHint') };
  return panel(
    { id: 'new', heading: words('members.new') },
    form(
      visit,
      { to: staffMembersPath, className: 'form' },
      html`
        ${textField(words('door.name'), 'username', faults, options)}
        ${selectField(words('members.rights'), 'role', roleOptions(), choiceIn(values, 'role', roleOptions()))}
        <p class="faint hint">
          ${richWords('members.newHint', { invite: linkTo(`${site.basePath}${staffPath}invitations/`) })}
        </p>
        ${formActions(words('members.make'))}`,
    ),
  );
}

async function submit(visit: MemberVisit, file?: UploadedFile): Promise<PageResult> {
  const { form, site, member } = visit;
  if (file || form.has('people')) {
    const answer = await submitList(visit, file);
    if (typeof answer !== 'string') return answer;
    return { ...(await listPage(visit, { [file ? 'file' : 'people']: answer })), status: 422 };
  }
  const username = fieldText(form, 'username', 100).trim().normalize('NFC');
  const role = choiceIn(form, 'role', roleOptions());
  try {
    const { key } = await asStaff(
      visit,
      (tx) => createMemberWithResetLink(tx, { username, role }, { madeBy: member.user_id }),
      (members) => ['member-made', members.member.id],
    );
    form.delete('username');
    return listPage(visit, {}, resetLinkNotice(site.baseUrl, username, { key }));
  } catch (error) {
    return { ...(await listPage(visit, { username: refusalText(error) })), status: 422 };
  }
}

export function resetLinkNotice(baseUrl: string, username: string, link: Pick<NewMember, 'key' | 'joinSecret'>): Html {
  const shown = secretNotice(
    words('members.handOn', { name: username }),
    words('members.handOnText', { days: linkLifetimesMs.reset / dayMs }),
    signUpAddress(link, baseUrl),
  );
  return html`${shown}${localLinksNotice(baseUrl, { role: 'staff' })}`;
}
