/**
 * The page by which people join a group: signed in, or in the same step as signing in or making an account. And the tab
 * of a group that lists who sees what.
 */

import { expiredLinkError, readInvitation } from '../../../auth/entry.ts';
import { readSession, type SessionCookies } from '../../../auth/sessions.ts';
import { signIn } from '../../../auth/sign-in.ts';
import { AppError } from '../../../errors.ts';
import {
  accountOfSlip,
  canBeTicked,
  findOwnSlipGroup,
  joinGroup,
  longestStudentNumber,
  readGroupLink,
  setOwnStudentNumber,
} from '../../../practice/groups.ts';
import {
  acceptEntryLink,
  acceptGroupLink,
  acceptSignUp,
  canCreateAccounts,
  isSignUpOpen,
} from '../../../practice/joining.ts';
import { setInSeason } from '../../../practice/seasons.ts';
import type { GroupWithLists } from '../../../store/assignments.ts';
import {
  findExpectedPerson,
  findGroup,
  findJoinedGroup,
  type GroupLinksTable,
  type GroupsTable,
} from '../../../store/groups.ts';
import { findMembersByIds, type MemberRow } from '../../../store/members.ts';
import { findSeason } from '../../../store/seasons.ts';
import { withUsedLinkPage } from '../../kit/error-page.ts';
import { actions, button, type Faults, form, formActions, textField } from '../../kit/form.ts';
import { frame } from '../../kit/frame.ts';
import { icon } from '../../kit/icons.ts';
import { linkButton } from '../../kit/links.ts';
import { invitedButtons, providerButtons } from '../../kit/openid-buttons.ts';
import { notice, panel } from '../../kit/panel.ts';
import { readSignUp, signUpFields, usernameIn } from '../../kit/sign-up.ts';
import { bdi, type Html, html } from '../../markup.ts';
import { groupPath } from '../../paths.ts';
import { fieldText } from '../../request/fields.ts';
import type { MemberVisit, PageResult, PageRoute, Visit } from '../../request/visits.ts';
import { linkTo, localizeText, type MessageKey, richWords, words } from '../../words/words.ts';
import { addressWithNotice, groupFrame, groupOf, seasonDisclosures } from './frame.ts';

/* Who sees what: shown to people before they join, and to everybody in the group. */

const coachSees: readonly MessageKey[] = [
  'groups.sees.name',
  'groups.sees.marks',
  'groups.sees.how',
  'groups.sees.active',
  'groups.sees.number',
  'groups.sees.module',
];
const chatSees: readonly MessageKey[] = ['groups.chat.counts', 'groups.chat.assignments', 'groups.chat.names'];
const othersSee: readonly MessageKey[] = [
  'groups.others.name',
  'groups.others.board',
  'groups.others.team',
  'groups.others.page',
];
const nobodySees: readonly MessageKey[] = ['groups.never.notes', 'groups.never.outside', 'groups.never.rest'];

function visibilityLists(
  basePath: string,
  { isInSeason, isCollapsible }: { isInSeason: boolean; isCollapsible: boolean },
): Html {
  const list = (head: string, items: readonly MessageKey[]) =>
    html`<h3>${head}</h3><ul class="seen">${items.map((item) => html`<li>${words(item)}</li>`)}</ul>`;
  const details = html`
    ${list(words('groups.told'), ['groups.sees.pick', 'groups.sees.course'])}
    ${list(words('groups.chat'), chatSees)}
    ${list(words('groups.others'), isInSeason ? [...othersSee, 'groups.others.season'] : othersSee)}
    <p class="soft">${richWords('groups.staffSee', { way: linkTo(`${basePath}/docs/privacy/`) })}</p>`;
  return html`
    ${list(words('groups.sees'), isInSeason ? [...coachSees, ...seasonDisclosures] : coachSees)}
    ${list(words('groups.never'), nobodySees)}
    ${
      isCollapsible
        ? html`
          <details class="seen-line"><summary>${icon('down')}${words('groups.seenMore')}</summary>${details}</details>`
        : details
    }`;
}

export async function showVisibility(visit: MemberVisit): Promise<PageResult> {
  const group = await groupOf(visit);
  const isInSeason = group.has_season === 1n && (group.in_season === 1n || group.role === 'coach');
  const content = html`
    ${visibilityLists(visit.site.basePath, { isInSeason, isCollapsible: false })}
    <p class="soft">${words('groups.seenEnds')}</p>`;
  const visibility = panel({ id: 'seen', heading: words('groups.seen') }, content);
  const panels = html`${visibility}${numberPanel(visit, group)}${seasonPanel(visit, group)}`;
  return { html: groupFrame(visit, group, { tab: 'seen/', title: words('groups.seen') }, panels) };
}

function numberPanel(visit: MemberVisit, { id, role, student_number }: GroupWithLists): Html | '' {
  if (role === 'coach') return '';
  const field = textField(
    words('groups.number'),
    'number',
    {},
    {
      value: student_number ?? '',
      hint: words('groups.numberHint'),
      longest: longestStudentNumber,
      isOptional: true,
    },
  );
  const content = html`${field}${formActions(words('groups.save'))}`;
  return panel(
    { id: 'number', heading: words('groups.number') },
    form(visit, { to: `${groupPath(id)}seen/`, className: 'form' }, content),
  );
}

function seasonPanel(visit: MemberVisit, { id, has_season, in_season }: GroupWithLists): Html | '' {
  if (has_season === 0n) return '';
  const isShown = in_season === 1n;
  const change = button(words(isShown ? 'season.hide' : 'season.yes'), '', ['season', String(!isShown)]);
  return panel(
    { id: 'in-season', heading: words('season.own') },
    html`
      <p class="soft">${words(isShown ? 'season.isShown' : 'season.isHidden')}</p>
      ${form(visit, { to: `${groupPath(id)}seen/` }, actions(change))}`,
  );
}

export async function submitVisibility(visit: MemberVisit): Promise<PageResult> {
  const { id } = await groupOf(visit);
  const { store, member, form } = visit;
  const number = form.get('number');
  if (number !== null) {
    await setOwnStudentNumber(store, id, member.user_id, number);
    return { to: addressWithNotice(`${groupPath(id)}seen/`, 'saved') };
  }
  const isShown = form.get('season') === 'true';
  await setInSeason(store, id, member.user_id, isShown);
  return { to: addressWithNotice(`${groupPath(id)}seen/`, isShown ? 'inSeason' : 'notInSeason') };
}

const longestField = 1000;

export const groupJoinPage: PageRoute = {
  path: '/authentication/join/:secret/',
  isUncached: true,
  get: (visit) =>
    withUsedLinkPage(visit, async () => {
      const { member, store } = visit;
      const joined = member && (await findOwnSlipGroup(store.reader, member.user_id, secretOf(visit)));
      return joined ? { to: groupPath(joined) } : { html: await joiningPage(visit, await joinTargetOf(visit)) };
    }),
  post: (visit) =>
    withUsedLinkPage(visit, async () => {
      const target = await joinTargetOf(visit);
      if (visit.member) return join(visit, target, visit.member.user_id);
      return visit.form.get('how') === 'new' && !target.account
        ? joinAsNew(visit, target)
        : joinBySignIn(visit, target);
    }),
};

const secretOf = ({ params }: Visit) => params['secret'] ?? '';

interface JoinTarget {
  link: GroupLinksTable;
  group: GroupsTable;
  /** The only one that can use the slip. */
  account: MemberRow | undefined;
}

/** Throws unknownItem. */
async function joinTargetOf(visit: Visit): Promise<JoinTarget> {
  const { reader } = visit.store;
  const link = await readGroupLink(reader, secretOf(visit));
  const group = link && (await findGroup(reader, link.group_id));
  const accountId = accountOfSlip(secretOf(visit));
  const [account] = accountId === undefined ? [] : await findMembersByIds(reader, [accountId]);
  if (!link || !group || account?.id !== accountId) throw expiredLinkError('invitation');
  return { link, group, account };
}

async function join(visit: Visit, target: JoinTarget, memberId: bigint, session?: SessionCookies): Promise<PageResult> {
  try {
    const wasIn = await findJoinedGroup(visit.store.reader, target.group.id, memberId);
    const id = await joinGroup(visit.store, memberId, secretOf(visit));
    if (id === undefined && session === undefined) throw expiredLinkError('invitation');
    const to = id === undefined ? visit.path : addressWithNotice(groupPath(id), wasIn ? 'saved' : 'joined');
    return { to, ...(session && { session }) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalidValue') throw error;
    // A member who has just signed in reads the error after they press the button of the page that follows.
    if (session) return { to: visit.path, session };
    return { html: await joiningPage(visit, target, { form: localizeText(error) }), status: 422 };
  }
}

async function joinWith(visit: Visit, target: JoinTarget, session: SessionCookies): Promise<PageResult> {
  const { member } = await readSession(visit.store, session.session);
  return member ? join(visit, target, member.user_id, session) : { to: visit.path, session };
}

async function joinBySignIn(visit: Visit, target: JoinTarget): Promise<PageResult> {
  const { store, website, form, client } = visit;
  const username = usernameIn(form);
  const password = (form.get('password') ?? '').slice(0, longestField);
  try {
    const session = await signIn(store, website.throttle, { username, password }, client, undefined);
    if (session) return await joinWith(visit, target, session);
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 429) throw error;
    return { html: await joiningPage(visit, target, { form: localizeText(error) }), status: 429 };
  }
  return { html: await joiningPage(visit, target, { form: words('signIn.wrong') }), status: 422 };
}

/** How somebody without an account gets one: from the group's link, the open sign-up, or an invitation. */
async function signUpMethod({ store }: Visit, link: GroupLinksTable): Promise<'link' | 'open' | 'invitation'> {
  if (await canCreateAccounts(store.reader, link)) return 'link';
  return (await isSignUpOpen(store.reader)) ? 'open' : 'invitation';
}

async function joinAsNew(visit: Visit, target: JoinTarget): Promise<PageResult> {
  const { store, website, form, client } = visit;
  const { person, faults } = readSignUp(form);
  const method = await signUpMethod(visit, target.link);
  const invitation =
    method === 'invitation'
      ? await readInvitation(store.reader, fieldText(form, 'invitation', longestField))
      : undefined;
  if (method === 'invitation' && !invitation) faults['invitation'] = words('groups.badInvitation');
  if (Object.keys(faults).length === 0) {
    try {
      if (method === 'link') {
        const session = await acceptGroupLink(store, secretOf(visit), person, client);
        return { to: addressWithNotice(groupPath(target.group.id), 'joined'), session };
      }
      if (!invitation) await website.throttle.beginSignUp(client.network);
      const session = invitation
        ? await acceptEntryLink(store, invitation, person, client)
        : await acceptSignUp(store, person, client);
      return await joinWith(visit, target, session);
    } catch (error) {
      if (!(error instanceof AppError) || !['invalidValue', 'alreadyExists'].includes(error.code)) throw error;
      faults[error.code === 'alreadyExists' ? 'username' : 'form'] = localizeText(error);
    }
  }
  return { html: await joiningPage(visit, target, faults), status: 422 };
}

/** Ends the session of whoever is signed in, and comes back to the link. */
function switchForm(visit: Visit, text: string, kind = ''): Html | false {
  if (visit.proxyIdentity) return false;
  const then = visit.site.basePath + visit.path;
  return form(visit, { to: '/authentication/sign-out/', hidden: { then } }, button(text, `wide ${kind}`.trim()));
}

async function joiningPage(visit: Visit, target: JoinTarget, faults: Faults = {}): Promise<Html> {
  const { site, member, store, path } = visit;
  const { group, link, account } = target;
  const { reader } = store;
  const name = html`<bdi>${group.name}</bdi>`;
  const [maker] = link.made_by === null ? [] : await findMembersByIds(reader, [link.made_by]);
  const membership = member && (await findJoinedGroup(reader, group.id, member.user_id));
  const expected = link.expected_id === null ? undefined : await findExpectedPerson(reader, link.expected_id);
  const isInSeason = (await findSeason(reader, group.id)) !== undefined;
  const visibility = html`
    <h2>${words('groups.seen')}</h2>
    ${visibilityLists(site.basePath, { isInSeason, isCollapsible: true })}
    <p class="soft">${words('groups.leaveAny')}</p>`;
  const joinButton = html`
    <button class="button primary wide">
      <span>${richWords('groups.joinAs', { name: html`<bdi>${member?.username ?? ''}</bdi>` })}</span>
    </button>`;
  const isMe = html`<button class="button">${richWords('class.isMe', { name: expected?.name ?? '' })}</button>`;
  const isForAnother = member && account && account.id !== member.user_id;
  const username = account?.username ?? '';
  const fault = isForAnother ? words('invalidValue.slipAccount', { username }) : faults['form'];
  const content = isForAnother
    ? switchForm(visit, words('class.signInAs', { name: username }), 'primary')
    : membership
      ? html`
      <p>${words('groups.isIn')}</p>
      ${expected && canBeTicked(membership) && form(visit, { to: path }, isMe)}
      <p class="actions">
        ${linkButton(`${site.basePath}${groupPath(group.id)}`, words('groups.open'), { kind: 'primary' })}
      </p>`
      : group.archived_at !== null
        ? notice('warn', words('invalidValue.groupArchived'))
        : member
          ? html`${visibility}${form(visit, { to: path }, joinButton)}`
          : await visitorForm(visit, target, faults, visibility);
  return frame(
    visit,
    {
      title: words('groups.joinTitle'),
      kind: 'p-entry p-join',
      styles: ['groups.css', 'sign-in.css'],
      scripts: ['zone.js'],
      isPlain: true,
    },
    html`
      <div class="card broad">
        ${
          maker &&
          html`<p class="soft">${richWords('groups.invitedBy', { name: html`<bdi>${maker.username}</bdi>` })}</p>`
        }
        <h1>${richWords('groups.joinHead', { name })}</h1>
        ${fault && notice('bad', fault)}
        ${
          expected &&
          html`
            ${notice(
              'plain',
              html`
                ${richWords('class.for', { name: bdi(expected.name) })}${' '}
                ${expected.student_number !== null && words('class.number', { number: expected.student_number })}`,
            )}`
        }
        ${content}
        ${member && !isForAnother && switchForm(visit, words('class.notYou'))}
      </div>`,
  );
}

/** The form for somebody who is not signed in: for a new account if they can get one, else to sign in. */
async function visitorForm(
  visit: Visit,
  { link, account }: JoinTarget,
  faults: Faults,
  visibility: Html,
): Promise<Html> {
  const { site, path, form: input, query } = visit;
  const needsInvitation = (await signUpMethod(visit, link)) === 'invitation';
  const how = account ? 'account' : (input.get('how') ?? query.get('how'));
  const mode = how ?? (needsInvitation ? 'sign-in' : 'new');
  const isNew = mode === 'new';
  // The slip of somebody who has an account offers no other one.
  const isOwned = mode === 'account';
  const other = linkTo(`${site.basePath}${path}?how=${isNew ? 'sign-in' : 'new'}`);
  const password = { type: 'password', autocomplete: 'current-password' } as const;
  const value = usernameIn(input) || (account?.username ?? '');
  const invitationOptions = {
    value: fieldText(input, 'invitation', longestField),
    hint: words('groups.invitationHint'),
  };
  const fields = isNew
    ? html`
      ${needsInvitation && textField(words('door.invitation.title'), 'invitation', faults, invitationOptions)}
      ${signUpFields(visit, faults, input.has('username'))}`
    : html`
      ${textField(words('door.name'), 'username', {}, { autocomplete: 'username', value })}
      ${textField(words('door.password'), 'password', {}, password)}`;
  const providers = needsInvitation && isNew ? await invitedButtons(visit, path) : '';
  return html`
    ${!isOwned && html`<p class="soft">${richWords(isNew ? 'groups.notNew' : 'groups.newHere', { other })}</p>`}
    ${form(
      visit,
      { to: path, className: 'form', hidden: { how: isNew || isOwned ? mode : 'sign-in' } },
      html`
        ${fields}
        <div>${visibility}</div>
        <button class="button primary wide">${words(isNew ? 'groups.makeAndJoin' : 'groups.signInAndJoin')}</button>
        ${providers}`,
    )}
    ${isNew || account ? '' : await providerButtons(visit, path, { joinsGroup: true })}`;
}
