/**
 * The address by which people join a group: signed in, or in the same step as signing in or making an account; and the
 * tab that says what coaches see, as that address does.
 */

import { readInvitation, spent } from '../../../auth/entry.ts';
import { readSession, type SessionCookies } from '../../../auth/sessions.ts';
import { signIn } from '../../../auth/sign-in.ts';
import { AppError } from '../../../errors.ts';
import { joinGroup, readGroupLink } from '../../../practice/groups.ts';
import {
  acceptEntry,
  acceptGroupLink,
  acceptSignUp,
  canCreateAccounts,
  isSignUpOpen,
} from '../../../practice/joining.ts';
import { answerSeason } from '../../../practice/seasons.ts';
import type { GroupWithLists } from '../../../store/assignments.ts';
import { findGroup, findOwnGroup, type GroupLinksTable, type GroupsTable } from '../../../store/groups.ts';
import { findMembersByIds } from '../../../store/members.ts';
import { findSeason } from '../../../store/seasons.ts';
import { actions, button, type Faults, form, textField } from '../../kit/form.ts';
import { frame } from '../../kit/frame.ts';
import { icon } from '../../kit/icons.ts';
import { linkButton } from '../../kit/links.ts';
import { invitedButtons, providerButtons } from '../../kit/openid-buttons.ts';
import { notice, panel } from '../../kit/panel.ts';
import { orSpent } from '../../kit/refusal-page.ts';
import { nameIn, readSignUp, signUpFields } from '../../kit/sign-up.ts';
import { type Html, html } from '../../markup.ts';
import { groupPath } from '../../paths.ts';
import { field } from '../../road/fields.ts';
import type { Answer, MemberVisit, PageRoute, Visit } from '../../road/visits.ts';
import { linkTo, localizeText, type MessageKey, richWords, words } from '../../words/words.ts';
import { groupDone, groupFrame, groupOf, seasonSees } from './frame.ts';

/* The things that a coach sees of the people in a group: shown before one joins, and to everybody in the group. */

const coachSees: readonly MessageKey[] = [
  'groups.sees.name',
  'groups.sees.marks',
  'groups.sees.how',
  'groups.sees.active',
];
const chatTells: readonly MessageKey[] = ['groups.chat.counts', 'groups.chat.assignments', 'groups.chat.names'];
const othersSee: readonly MessageKey[] = ['groups.others.name', 'groups.others.board', 'groups.others.page'];
const nobodySees: readonly MessageKey[] = ['groups.never.notes', 'groups.never.outside', 'groups.never.rest'];

/**
 * The lists of who sees what, with the season where the member is or will be shown in one. The lists about others, and
 * about facts without names, are folded away if `isFolded`.
 */
function whatIsSeen(basePath: string, isInSeason: boolean, isFolded = false): Html {
  const list = (head: string, items: readonly MessageKey[]) =>
    html`<h3>${head}</h3><ul class="seen">${items.map((item) => html`<li>${words(item)}</li>`)}</ul>`;
  const more = html`
    ${list(words('groups.told'), ['groups.sees.pick'])}
    ${list(words('groups.chat'), chatTells)}
    ${list(words('groups.others'), isInSeason ? [...othersSee, 'groups.others.season'] : othersSee)}
    <p class="soft">${richWords('groups.staffSee', { way: linkTo(`${basePath}/docs/privacy/`) })}</p>`;
  return html`
    ${list(words('groups.sees'), isInSeason ? [...coachSees, ...seasonSees] : coachSees)}
    ${list(words('groups.never'), nobodySees)}
    ${
      isFolded
        ? html`
          <details class="seen-line"><summary>${icon('down')}${words('groups.seenMore')}</summary>${more}</details>`
        : more
    }`;
}

export async function showSeen(visit: MemberVisit): Promise<Answer> {
  const group = await groupOf(visit);
  const isInSeason = group.has_season === 1n && (group.in_season === 1n || group.role === 'coach');
  const content = html`${whatIsSeen(visit.site.basePath, isInSeason)}<p class="soft">${words('groups.seenEnds')}</p>`;
  const seen = panel({ id: 'seen', heading: words('groups.seen') }, content);
  return { html: groupFrame(visit, group, { tab: 'seen/' }, html`${seen}${inSeason(visit, group)}`) };
}

/** Whether the member is shown in seasons, which they can change. */
function inSeason(visit: MemberVisit, { id, has_season, in_season }: GroupWithLists): Html | '' {
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

export async function takeSeen(visit: MemberVisit): Promise<Answer> {
  const { id } = await groupOf(visit);
  const isShown = visit.form.get('season') === 'true';
  await answerSeason(visit.store, id, visit.member.user_id, isShown);
  return { to: groupDone(`${groupPath(id)}seen/`, isShown ? 'inSeason' : 'notInSeason') };
}

const longest = 1000;

export const groupJoinPage: PageRoute = {
  path: '/authentication/join/:secret/',
  isSecret: true,
  show: (asked) => orSpent(asked, async (visit) => ({ html: await joiningPage(visit, await linkedGroup(visit)) })),
  change: (asked) =>
    orSpent(asked, async (visit) => {
      const to = await linkedGroup(visit);
      if (visit.member) return join(visit, to, visit.member.user_id);
      return visit.form.get('how') === 'new' ? joinAsNew(visit, to) : joinBySignIn(visit, to);
    }),
};

const secretOf = ({ params }: Visit) => params['secret'] ?? '';

/** A link, and the group that people join by it. */
interface Linked {
  link: GroupLinksTable;
  group: GroupsTable;
}

/** The group to which the address leads. Throws unknownItem. */
async function linkedGroup(visit: Visit): Promise<Linked> {
  const { reader } = visit.store;
  const link = await readGroupLink(reader, secretOf(visit));
  const group = link && (await findGroup(reader, link.group_id));
  if (!link || !group) throw spent('invitation');
  return { link, group };
}

async function join(visit: Visit, linked: Linked, memberId: bigint, session?: SessionCookies): Promise<Answer> {
  try {
    const id = await joinGroup(visit.store, memberId, secretOf(visit));
    if (id === undefined && session === undefined) throw spent('invitation');
    const to = id === undefined ? visit.path : groupDone(groupPath(id), 'joined');
    return { to, ...(session && { session }) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'badSetting') throw error;
    // A member who has just signed in reads it on this page, when they press the button there.
    if (session) return { to: visit.path, session };
    return { html: await joiningPage(visit, linked, { form: localizeText(error) }), status: 422 };
  }
}

async function joinWith(visit: Visit, to: Linked, session: SessionCookies): Promise<Answer> {
  const { member } = await readSession(visit.store, session.session);
  return member ? join(visit, to, member.user_id, session) : { to: visit.path, session };
}

async function joinBySignIn(visit: Visit, to: Linked): Promise<Answer> {
  const { store, website, form, client } = visit;
  const username = nameIn(form);
  const password = (form.get('password') ?? '').slice(0, longest);
  try {
    const session = await signIn(store, website.throttle, { username, password }, client, undefined);
    if (session) return await joinWith(visit, to, session);
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 429) throw error;
    return { html: await joiningPage(visit, to, { form: localizeText(error) }), status: 429 };
  }
  return { html: await joiningPage(visit, to, { form: words('signIn.wrong') }), status: 422 };
}

/** How somebody without an account gets one here. */
async function signUpWay({ store }: Visit, link: GroupLinksTable): Promise<'link' | 'open' | 'invitation'> {
  if (await canCreateAccounts(store.reader, link)) return 'link';
  return (await isSignUpOpen(store.reader)) ? 'open' : 'invitation';
}

/** Makes an account by the link itself, where the sign-up is open, or by an invitation, and joins. */
async function joinAsNew(visit: Visit, to: Linked): Promise<Answer> {
  const { store, website, form, client } = visit;
  const { person, faults } = readSignUp(form);
  const way = await signUpWay(visit, to.link);
  const invitation =
    way === 'invitation' ? await readInvitation(store.reader, field(form, 'invitation', longest)) : undefined;
  if (way === 'invitation' && !invitation) faults['invitation'] = words('groups.badInvitation');
  if (Object.keys(faults).length === 0) {
    try {
      if (way === 'link') {
        const session = await acceptGroupLink(store, secretOf(visit), person, client);
        return { to: groupDone(groupPath(to.group.id), 'joined'), session };
      }
      if (!invitation) await website.throttle.beginSignUp(client.network);
      const session = invitation
        ? await acceptEntry(store, invitation, person, client)
        : await acceptSignUp(store, person, client);
      return await joinWith(visit, to, session);
    } catch (error) {
      if (!(error instanceof AppError) || !['badSetting', 'alreadyExists'].includes(error.code)) throw error;
      faults[error.code === 'alreadyExists' ? 'username' : 'form'] = localizeText(error);
    }
  }
  return { html: await joiningPage(visit, to, faults), status: 422 };
}

async function joiningPage(visit: Visit, { group, link }: Linked, faults: Faults = {}): Promise<Html> {
  const { site, member, store, path } = visit;
  const { reader } = store;
  const name = html`<bdi>${group.name}</bdi>`;
  const [maker] = link.made_by === null ? [] : await findMembersByIds(reader, [link.made_by]);
  const isIn = member && (await findOwnGroup(reader, group.id, member.user_id));
  const seen = html`
    <h2>${words('groups.seen')}</h2>
    ${whatIsSeen(site.basePath, (await findSeason(reader, group.id)) !== undefined, true)}
    <p class="soft">${words('groups.leaveAny')}</p>`;
  const button = html`
    <button class="button primary wide">
      ${richWords('groups.joinAs', { name: html`<bdi>${member?.username ?? ''}</bdi>` })}
    </button>`;
  const content = isIn
    ? html`
      <p>${words('groups.isIn')}</p>
      <p class="actions">
        ${linkButton(`${site.basePath}${groupPath(group.id)}`, words('groups.open'), { kind: 'primary' })}
      </p>`
    : member
      ? html`${seen}${form(visit, { to: path }, button)}`
      : await doors(visit, faults, seen, await signUpWay(visit, link));
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
        ${faults['form'] && notice('bad', faults['form'])}
        ${content}
      </div>`,
  );
}

/**
 * The form for somebody who is not signed in: a new account if they can have one, unless they say that they have one
 * already.
 */
async function doors(visit: Visit, faults: Faults, seen: Html, way: 'link' | 'open' | 'invitation'): Promise<Html> {
  const { site, path, form: sent, query } = visit;
  const needsInvitation = way === 'invitation';
  const how = sent.get('how') ?? query.get('how') ?? (needsInvitation ? 'sign-in' : 'new');
  const isNew = how === 'new';
  const other = linkTo(`${site.basePath}${path}?how=${isNew ? 'sign-in' : 'new'}`);
  const password = { type: 'password', autocomplete: 'current-password' } as const;
  const pasted = { value: field(sent, 'invitation', longest), hint: words('groups.invitationHint') };
  const fields = isNew
    ? html`
      ${needsInvitation && textField(words('door.invitation.title'), 'invitation', faults, pasted)}
      ${signUpFields(visit, faults, sent.has('username'))}`
    : html`
      ${textField(words('door.name'), 'username', {}, { autocomplete: 'username', value: nameIn(sent) })}
      ${textField(words('door.password'), 'password', {}, password)}`;
  const elsewhere = needsInvitation && isNew ? await invitedButtons(visit, path) : '';
  return html`
    <p class="soft">${richWords(isNew ? 'groups.notNew' : 'groups.newHere', { other })}</p>
    ${form(
      visit,
      { to: path, className: 'form', hidden: { how: isNew ? 'new' : 'sign-in' } },
      html`
        ${fields}
        <div>${seen}</div>
        <button class="button primary wide">${words(isNew ? 'groups.makeAndJoin' : 'groups.signInAndJoin')}</button>
        ${elsewhere}`,
    )}
    ${isNew ? '' : await providerButtons(visit, path, { joinsGroup: true })}`;
}
