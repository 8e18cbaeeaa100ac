/** The page of one member for staff, with everything that staff can do with the account. */

import { parseInt64 } from '../../../contract/common.ts';
import { localizedError } from '../../../errors.ts';
import { renewSlipOf } from '../../../importing/class-list.ts';
import { fullNameOf } from '../../../importing/member-list.ts';
import { judgeName, judgeOf } from '../../../judges/judges.ts';
import { deleteResetLinks, makeResetLink } from '../../../practice/joining.ts';
import { disableMember, removeMember, renameMember, setRole } from '../../../practice/members.ts';
import { asStaff } from '../../../practice/staff.ts';
import { listOpenLinks, type OpenLink } from '../../../store/entry.ts';
import { listOthersWithProof, listProvedHandles } from '../../../store/handles.ts';
import { countBelongings, findMemberSummary, hasMembers, type MemberSummary } from '../../../store/members.ts';
import type { StaffAction } from '../../../store/staff-log.ts';
import type { Db } from '../../../store/tables.ts';
import { actions, button, type Faults, form, selectField, textField } from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { webLink } from '../../kit/marks.ts';
import { faultNotice, notice, panel } from '../../kit/panel.ts';
import { bdi, type Html, html } from '../../markup.ts';
import { staffMembersPath } from '../../paths.ts';
import { choiceIn, fieldText, idIn, refusalText } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, type PageRoute, pageNotFound } from '../../request/visits.ts';
import { thousands } from '../../words/formats.ts';
import { richWords, words } from '../../words/words.ts';
import { donePath, roleOptions, staffDate, staffPage, staffTime } from './frame.ts';
import { creatorText } from './invitations.ts';
import { memberTags, resetLinkNotice } from './members.ts';

/* The handles of the member: which are proved, and who else proved the same handle. */

async function memberHandles({ store }: MemberVisit, userId: bigint): Promise<Html> {
  const handles = await listProvedHandles(store.reader, userId);
  if (handles.length === 0) return html`<p class="soft">${words('member.noHandles')}</p>`;
  const lines = handles.map(async (handle) => {
    const { source, name, proved_at } = handle;
    const judge = judgeOf(source);
    const title = bdi(name);
    const proofTag =
      proved_at === null
        ? html`<span class="faint">${words('member.handleUnproved')}</span>`
        : html`
          <span class="tag good">
            ${icon('check')}${richWords('member.handleProved', { day: staffDate(proved_at) })}
          </span>`;
    const others = (await listOthersWithProof(store.reader, userId, handle)).map(
      (other) =>
        html` <span class="small" data-also>${richWords('member.alsoProved', {
          name: bdi(other.username),
          day: staffDate(other.proved_at),
        })}</span>`,
    );
    return html`
      <li data-handle="${handle.id}">
        ${judgeName(source)} ${webLink(judge?.handle?.pageOf?.(name) ?? null, title) ?? title} ${proofTag}
        ${others}
      </li>`;
  });
  return html`<ul class="files">${await Promise.all(lines)}</ul>`;
}

export const memberPage: PageRoute<MemberVisit> = {
  path: `${staffMembersPath}:id/`,
  isUncached: true,
  get: async (visit) => memberDetails(visit, await memberOf(visit)),
  post: submit,
};

async function memberOf({ store, params, path }: MemberVisit, db: Db = store.reader): Promise<MemberSummary> {
  const member = await findMemberSummary(db, idIn(params['id'], parseInt64));
  if (!member) throw pageNotFound(path);
  return member;
}

async function memberDetails(
  visit: MemberVisit,
  member: MemberSummary,
  faults: Faults = {},
  secret: Html | '' = '',
): Promise<{ html: Html }> {
  const { store } = visit;
  const { id, username, created_at, seen_at } = member;
  const { statuses, bookmarks, plants, handles, submissions, tokens } = await countBelongings(store.reader, id);
  const isAlone = !(await hasMembers(store.reader, id));
  const fact = (name: string, value: Html | string) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  const facts = html`
    <p class="scopes">${memberTags(member)}</p>
    <dl class="facts-line">
      ${fact(words('member.number'), String(id))}
      ${fact(words('members.since'), staffTime(created_at))}
      ${fact(words('members.seen'), seen_at === null ? words('members.neverSeen') : staffTime(seen_at))}
      ${fact(words('member.statuses'), thousands.format(statuses))}
      ${fact(words('member.bookmarks'), thousands.format(bookmarks))}
      ${fact(words('staff.plants'), thousands.format(plants))}
      ${fact(words('data.handles'), thousands.format(handles))}
      ${fact(words('data.submissions'), thousands.format(submissions))}
      ${fact(words('frame.tokens'), thousands.format(tokens))}
    </dl>`;
  return staffPage(
    visit,
    { title: username, section: 'members/', sub: fullNameOf(member) },
    html`
      ${secret}
      ${faultNotice(faults['act'])}
      ${panel({ id: 'facts', heading: words('frame.account') }, facts)}
      ${panel({ id: 'handles', heading: words('member.handles') }, await memberHandles(visit, id))}
      ${formPanels(visit, member, faults, await listOpenLinks(store.reader, new Date().toISOString(), id))}
      ${isAlone && notice('warn', words('deletion.lastAccount'))}`,
  );
}

function formPanels(visit: MemberVisit, member: MemberSummary, faults: Faults, links: readonly OpenLink[]): Html {
  const { username, role, is_disabled } = member;
  const isDisabled = is_disabled === 1n;
  const formPanel = (id: string, heading: string, content: Html) =>
    panel({ id, heading }, form(visit, { to: visit.path, className: 'form' }, content));
  const submitButton = (act: string, text: string, kind = '') => actions(button(text, kind, ['act', act]));
  const fieldValue = (name: string, fallback: string) =>
    faults[name] === undefined ? fallback : (visit.form.get(name) ?? '');
  const open = links.map(
    (link) =>
      html`
        <p data-reset="${link.id}">
          ${words('member.resetOpen')} ${richWords('message.sentence', { text: creatorText(link) })}${' '}
          ${richWords('member.resetEnds', { when: staffTime(link.expires_at) })}
        </p>`,
  );
  const reset = html`
    ${open}
    <p class="soft">${words('member.resetText', { name: username })}</p>
    <div class="actions">
      ${button(words('member.reset'), '', ['act', 'reset'])}
      ${links.length > 0 && button(words('member.resetRevoke'), 'danger', ['act', 'unreset'])}
    </div>`;
  return html`
    ${formPanel('password', words('door.password'), reset)}
    ${formPanel(
      'name',
      words('door.name'),
      html`
        ${textField(words('door.name'), 'username', faults, {
          value: fieldValue('username', username),
          hint: words('member.nameHint'),
        })}
        ${submitButton('rename', words('member.rename'))}`,
    )}
    ${formPanel(
      'role',
      words('members.rights'),
      html`
        ${selectField(words('member.role'), 'role', roleOptions(), role)}
        <p class="faint hint">${words('member.roleHint')}</p>
        ${submitButton('role', words('member.change'))}`,
    )}
    ${formPanel(
      'access',
      words('member.access'),
      html`
        <p class="soft">${words(isDisabled ? 'member.isDisabled' : 'member.disableText')}</p>
        ${
          isDisabled
            ? submitButton('enable', words('member.enable'))
            : submitButton('disable', words('member.disable'), 'danger')
        }`,
    )}
    ${formPanel(
      'delete',
      words('member.delete'),
      html`
        <p class="soft">${words('member.deleteText', { name: username })}</p>
        ${textField(words('member.typeName', { name: username }), 'confirm', faults, {
          value: fieldValue('confirm', ''),
        })}
        ${submitButton('delete', words('member.deleteForGood'), 'danger')}`,
    )}`;
}

type AccountAction = (tx: Db, member: MemberSummary, form: URLSearchParams) => Promise<readonly [StaffAction, string]>;

/** By the value of a button. Each returns the entry for the staff log, and the `done` parameter of the next page. */
const accountActions: Readonly<Record<string, AccountAction>> = {
  rename: async (tx, { username }, form) => {
    await renameMember(tx, username, fieldText(form, 'username', 100).trim());
    return ['member-renamed', 'renamed'];
  },
  unreset: async (tx, { id }) => {
    await deleteResetLinks(tx, id);
    return ['reset-ended', 'reset-ended'];
  },
  role: async (tx, { username }, form) => {
    const { role } = await setRole(tx, username, choiceIn(form, 'role', roleOptions()));
    return [role === 'staff' ? 'staff-made' : 'staff-ended', 'role'];
  },
  disable: async (tx, { username }) => {
    await disableMember(tx, username, true);
    return ['member-disabled', 'disabled'];
  },
  enable: async (tx, { username }) => {
    await disableMember(tx, username, false);
    return ['member-enabled', 'enabled'];
  },
  delete: async (tx, { username }, form) => {
    if (fieldText(form, 'confirm', 100).trim() !== username)
      throw localizedError('invalidValue.notDeleted', { name: username });
    await removeMember(tx, username);
    return ['member-deleted', 'deleted'];
  },
};

const fieldOfAction: Readonly<Record<string, string>> = { rename: 'username', delete: 'confirm' };

async function submit(visit: MemberVisit): Promise<PageResult> {
  const { form, site, member: self } = visit;
  const name = fieldText(form, 'act', 20);
  if (name === 'reset') {
    const { member, ...link } = await asStaff(
      visit,
      async (tx) => {
        const member = await memberOf(visit, tx);
        const key = await makeResetLink(tx, member, self.user_id);
        return { member, key, joinSecret: await renewSlipOf(tx, self.user_id, member) };
      },
      (reset) => ['reset-made', reset.member.id],
    );
    return memberDetails(visit, member, {}, resetLinkNotice(site.baseUrl, member.username, link));
  }
  const action = Object.hasOwn(accountActions, name) ? accountActions[name] : undefined;
  if (!action) return { ...(await memberDetails(visit, await memberOf(visit))), status: 422 };
  try {
    const { id, result } = await asStaff(
      visit,
      async (tx) => {
        const member = await memberOf(visit, tx);
        const [deed, result] = await action(tx, member, form);
        return { id: member.id, deed, result };
      },
      (outcome) => [outcome.deed, outcome.id],
    );
    // Staff who end their own rights may not see this page any more.
    if (id === self.user_id && result !== 'renamed' && result !== 'reset-ended') return { to: '/' };
    return { to: donePath(result === 'deleted' ? staffMembersPath : `${staffMembersPath}${id}/`, result) };
  } catch (error) {
    const faults = { [fieldOfAction[name] ?? 'act']: refusalText(error) };
    return { ...(await memberDetails(visit, await memberOf(visit), faults)), status: 422 };
  }
}
