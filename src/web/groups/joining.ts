/** The address by which people join a group: signed in, or in the same step as signing in or making an account. */
import { html } from 'hono/html';
import { readInvitation, signIn, spent } from '../../auth/entry.ts';
import { passwordFault } from '../../auth/passwords.ts';
import { type Opened, readSession } from '../../auth/sessions.ts';
import { AppError } from '../../errors.ts';
import { joinGroup, readGroupLink } from '../../practice/groups.ts';
import { acceptEntry, acceptSignUp, isSignUpOpen } from '../../practice/joining.ts';
import { isUsername } from '../../practice/members.ts';
import type { GroupsTable } from '../../store/group-tables.ts';
import { findGroup, findOwnGroup } from '../../store/groups.ts';
import { field } from '../fields.ts';
import { type Faults, textField } from '../forms.ts';
import { frame } from '../frame.ts';
import { icon } from '../icons.ts';
import type { Html } from '../layout.ts';
import { invitedButtons, providerButtons } from '../openid-buttons.ts';
import { orSpent } from '../spent-page.ts';
import type { Answer, PageRoute, Visit } from '../visits.ts';
import { richWords, words } from '../words.ts';
import { groupDone } from './parts.ts';
import { groupPath } from './paths.ts';
import { whatIsSeen } from './seen.ts';

const longest = 1000;

export const groupJoinPage: PageRoute = {
  path: '/authentication/join/:secret/',
  isSecret: true,
  show: (asked) =>
    orSpent(asked, async (visit) => ({ html: await joiningPage(visit, await linkedGroup(visit)) })),
  change: (asked) =>
    orSpent(asked, async (visit) => {
      const group = await linkedGroup(visit);
      if (visit.member) return join(visit, group, visit.member.user_id);
      return visit.form.get('how') === 'new' ? joinAsNew(visit, group) : joinBySignIn(visit, group);
    }),
};

const secretOf = ({ params }: Visit) => params['secret'] ?? '';

/** The group to which the address leads. Throws unknownItem. */
async function linkedGroup(visit: Visit): Promise<GroupsTable> {
  const { reader } = visit.store;
  const link = await readGroupLink(reader, secretOf(visit));
  const group = link && (await findGroup(reader, link.group_id));
  if (!group) throw spent('invitation');
  return group;
}

async function join(visit: Visit, group: GroupsTable, memberId: bigint, session?: Opened): Promise<Answer> {
  try {
    const id = await visit.store.write((tx) => joinGroup(tx, memberId, secretOf(visit)));
    if (id === undefined && session === undefined) throw spent('invitation');
    const to = id === undefined ? visit.path : groupDone(groupPath(id), 'joined');
    return { to, ...(session && { session }) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'badSetting') throw error;
    // Who has just signed in reads it on this page, when they press the button there.
    if (session) return { to: visit.path, session };
    return { html: await joiningPage(visit, group, { form: error.message }), status: 422 };
  }
}

async function joinWith(visit: Visit, group: GroupsTable, session: Opened): Promise<Answer> {
  const { member } = await readSession(visit.store, session.session);
  return member ? join(visit, group, member.user_id, session) : { to: visit.path, session };
}

async function joinBySignIn(visit: Visit, group: GroupsTable): Promise<Answer> {
  const { store, website, form, opening } = visit;
  const username = (form.get('username') ?? '').trim().slice(0, longest);
  const password = (form.get('password') ?? '').slice(0, longest);
  try {
    const session = await signIn(store, website.throttle, { username, password }, opening, undefined);
    if (session) return await joinWith(visit, group, session);
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 429) throw error;
    return { html: await joiningPage(visit, group, { form: error.message }), status: 429 };
  }
  return { html: await joiningPage(visit, group, { form: words('signIn.wrong') }), status: 422 };
}

/** Makes an account where the sign-up is open, or by an invitation, and joins. */
async function joinAsNew(visit: Visit, group: GroupsTable): Promise<Answer> {
  const { store, website, form, opening } = visit;
  const username = (form.get('username') ?? '').trim().slice(0, longest);
  const password = form.get('password') ?? '';
  const isOpen = await isSignUpOpen(store.reader);
  const faults: Record<string, string> = {};
  const weak = passwordFault(password, username);
  if (!isUsername(username)) faults['username'] = words('door.nameAdvice');
  if (weak) faults['password'] = weak;
  else if (password !== form.get('password_again')) faults['password_again'] = words('door.passwordsDiffer');
  const invitation = isOpen
    ? undefined
    : await readInvitation(store.reader, field(form, 'invitation', longest));
  if (!isOpen && !invitation) faults['invitation'] = words('groups.badInvitation');
  if (Object.keys(faults).length === 0) {
    const given = { username, password };
    try {
      if (!invitation) await website.throttle.beginSignUp(opening.network);
      const session = invitation
        ? await acceptEntry(store, invitation, given, opening)
        : await acceptSignUp(store, given, opening);
      return await joinWith(visit, group, session);
    } catch (error) {
      if (!(error instanceof AppError) || !['badSetting', 'alreadyExists'].includes(error.code)) throw error;
      faults['username'] = error.message;
    }
  }
  return { html: await joiningPage(visit, group, faults), status: 422 };
}

async function joiningPage(visit: Visit, group: GroupsTable, faults: Faults = {}): Promise<Html> {
  const { site, member, store, path, antiForgery } = visit;
  const action = site.basePath + path;
  const name = html`<bdi>${group.name}</bdi>`;
  const isIn = member && (await findOwnGroup(store.reader, group.id, member.user_id));
  const content = isIn
    ? html`<p>${words('groups.isIn')}</p><p class="actions"><a class="button primary" href="${site.basePath}${groupPath(group.id)}">${words('groups.open')}</a></p>`
    : html`<h2>${words('groups.seen')}</h2>${whatIsSeen(site.basePath)}<p class="soft">${words('groups.leaveAny')}</p>
${member ? html`<form method="post" action="${action}">${antiForgery}<button class="button primary wide">${richWords('groups.joinAs', { name: html`<bdi>${member.username}</bdi>` })}</button></form>` : await doors(visit, faults)}`;
  return frame(
    visit,
    {
      title: words('groups.joinTitle'),
      kind: 'p-entry p-join',
      styles: ['groups.css', 'sign-in.css'],
      isPlain: true,
    },
    html`<div class="card broad"><h1>${richWords('groups.joinHead', { name })}</h1>
${faults['form'] ? html`<p class="notice fault" role="alert" data-kind="bad">${faults['form']}</p>` : ''}
${content}</div>`,
  );
}

/** The ways in for somebody who is not signed in. */
async function doors(visit: Visit, faults: Faults): Promise<Html> {
  const { site, path, form, store, antiForgery } = visit;
  const isOpen = await isSignUpOpen(store.reader);
  const isNew = form.get('how') === 'new';
  const typed = (form.get('username') ?? '').slice(0, longest);
  const action = site.basePath + path;
  return html`<h2>${words('groups.haveAccount')}</h2>
<form class="form" method="post" action="${action}">${antiForgery}<input type="hidden" name="how" value="sign-in">
${textField(words('door.name'), 'username', {}, { autocomplete: 'username', value: isNew ? '' : typed })}
${textField(words('door.password'), 'password', {}, { type: 'password', autocomplete: 'current-password' })}
<button class="button primary wide">${words('groups.signInAndJoin')}</button></form>
${await providerButtons(visit, path, { joinsGroup: true })}
<details class="new-here"${isNew ? html` open` : ''}><summary>${icon('down')}<span>${words('groups.newHere')}</span></summary>
<form class="form" method="post" action="${action}">${antiForgery}<input type="hidden" name="how" value="new">
${isOpen ? '' : textField(words('door.invitation.title'), 'invitation', faults, { value: (form.get('invitation') ?? '').slice(0, longest), hint: words('groups.invitationHint') })}
${textField(words('door.name'), 'username', faults, { autocomplete: 'username', value: isNew ? typed : '', hint: words('door.nameHint') })}
${textField(words('door.password'), 'password', faults, { type: 'password', autocomplete: 'new-password', hint: words('door.passwordHint') })}
${textField(words('door.passwordAgain'), 'password_again', faults, { type: 'password', autocomplete: 'new-password' })}
<button class="button wide">${words('groups.makeAndJoin')}</button>${isOpen ? '' : await invitedButtons(visit, path)}</form></details>`;
}
