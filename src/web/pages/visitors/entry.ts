/**
 * Signing in with a password or a passkey, and signing out; the sign-up; the one-time links that make the first member,
 * an invited member or a new password; and the page that leads from the demo to a garden of one's own.
 */

import { expiredLinkError, readEntryLink, redeemDemo } from '../../../auth/entry.ts';
import { optionsToSignIn, relyingPartyOf, signInByPasskey } from '../../../auth/passkeys.ts';
import { endSession, isByProxy, type SessionCookies } from '../../../auth/sessions.ts';
import { signIn } from '../../../auth/sign-in.ts';
import { AppError, localizedError } from '../../../errors.ts';
import { fullNameOf } from '../../../importing/member-list.ts';
import { defaultDayRule } from '../../../practice/days.ts';
import { isJoinSecret, readGroupLink } from '../../../practice/groups.ts';
import { acceptEntryLink, acceptResetLink, acceptSignUp, isSignUpOpen } from '../../../practice/joining.ts';
import { makeSetupKey } from '../../../practice/members.ts';
import { readDayRule } from '../../../practice/preferences.ts';
import type { EntryLinksTable } from '../../../store/entry.ts';
import { findGroup } from '../../../store/groups.ts';
import { findMembersByIds, findPasswordHash, hasMembers } from '../../../store/members.ts';
import { findProvider, listAccounts } from '../../../store/openid.ts';
import type { AssetName } from '../../kit/assets.ts';
import { withUsedLinkPage } from '../../kit/error-page.ts';
import { button, type Faults, form, hasFaults, textField } from '../../kit/form.ts';
import { frame } from '../../kit/frame.ts';
import { icon } from '../../kit/icons.ts';
import { providerButtons } from '../../kit/openid-buttons.ts';
import { notice } from '../../kit/panel.ts';
import { challengeIn, longestAnswer, passkeyStep } from '../../kit/passkeys.ts';
import {
  newPassword,
  ownZoneField,
  readPassword,
  readSignUp,
  readZone,
  revokeTokensField,
  signUpFields,
  tokensField,
  usernameIn,
} from '../../kit/sign-up.ts';
import { bdi, type Html, html } from '../../markup.ts';
import { openIdProviderPath, ownGardenPath, passkeyPath, signInPath, signUpPath } from '../../paths.ts';
import { localPath, refusalText } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, type PageRoute, pageNotFound, type Visit } from '../../request/visits.ts';
import { linkTo, localizeText, richWords, words } from '../../words/words.ts';
import { demoSignInForm } from './demo.ts';

const longestPassword = 1000;

export const entryPages: readonly PageRoute[] = [
  {
    path: signInPath,
    isUncached: true,
    get: async (visit) => proxySignInAnswer(visit) ?? { html: signInPage(visit) },
    post: submitSignIn,
  },
  { path: '/authentication/sign-out/', isInDemo: true, post: submitSignOut },
  { path: signUpPath, isUncached: true, get: showSignUp, post: submitSignUp },
  // The theme and language forms on the passkey page redirect to its address with GET.
  { path: passkeyPath, isUncached: true, get: async () => ({ to: signInPath }), post: submitPasskey },
  linkRoute('setup', '/authentication/setup/'),
  linkRoute('invitation', '/authentication/invitation/:key/'),
  {
    path: '/authentication/reset/:key/',
    isUncached: true,
    get: (visit) =>
      withUsedLinkPage(visit, async () => {
        const joinPath = joinPathIn(visit);
        // Whoever has chosen a password and not joined signs in to join.
        if (joinPath && !(await readEntryLink(visit.store.reader, 'reset', keyOf(visit))))
          return { to: `${joinPath}?how=account` };
        return { html: await resetPage(visit, await linkOf(visit, 'reset')) };
      }),
    post: (visit) => withUsedLinkPage(visit, async () => submitReset(visit, await linkOf(visit, 'reset'))),
  },
  {
    path: '/authentication/demo/',
    isUncached: true,
    usesUpItsLink: true,
    get: (visit) => withUsedLinkPage(visit, openDemo),
  },
];

export function cardPage(
  visit: Visit,
  title: string,
  heading: string,
  content: Html,
  scripts: readonly AssetName[] = [],
): Html {
  return frame(
    visit,
    { title, kind: 'p-entry', isPlain: true, styles: ['sign-in.css'], scripts },
    html`<div class="card"><h1>${heading}</h1>${content}</div>`,
  );
}

function signInPage(visit: Visit, faults: Faults = {}, username = ''): Html {
  const then = localPath(visit.site, visit.form.get('then') ?? visit.query.get('then'));
  const name = { autocomplete: 'username', value: username, hasFocus: true };
  const password = { type: 'password', autocomplete: 'current-password' } as const;
  const title = words('signIn.title');
  if (visit.website.isDemo) return cardPage(visit, title, words('page.name'), demoSignInForm(visit, then));
  const fields = html`
    ${textField(words('door.name'), 'username', faults, name)}
    ${textField(words('door.password'), 'password', faults, password)}
    ${button(title, 'primary wide')}`;
  return cardPage(
    visit,
    title,
    title,
    html`
      ${faults['form'] && notice('bad', faults['form'])}
      ${form(visit, { to: signInPath, className: 'form', hidden: { then } }, fields)}
      ${passkeyButton(visit, then)}
      ${providerButtons(visit, then)}
      ${leftLine(visit)}
      <p class="faint small">${accountLine(visit)}</p>`,
    ['passkey.js', 'zone.js'],
  );
}

/** A script shows the button in browsers that have passkeys. */
function passkeyButton(visit: Visit, then: string): Html | false {
  const signInButton = html`
    <button class="button wide place">${icon('key')}<span>${words('passkeys.signIn')}</span></button>`;
  return (
    relyingPartyOf(visit.site.baseUrl) !== undefined &&
    html`
      <div data-with-passkeys hidden>
        <p class="or">${words('openid.or')}</p>
        ${form(visit, { to: passkeyPath, hidden: { then } }, signInButton)}
      </div>`
  );
}

/** Members whom a proxy has signed in are redirected. Others get a page that says whom to ask for an account. */
function proxySignInAnswer(visit: Visit): PageResult | undefined {
  const { proxyIdentity, member, site, query } = visit;
  if (!proxyIdentity) return undefined;
  if (member) return { to: localPath(site, query.get('then')) };
  const isDisabled = proxyIdentity.refusal === 'disabled';
  const title = words(isDisabled ? 'byProxy.disabledTitle' : 'byProxy.unknownTitle');
  const text = isDisabled
    ? localizeText(localizedError('invalidValue.disabled'))
    : richWords('byProxy.unknown', { name: bdi(proxyIdentity.name) });
  return { html: cardPage(visit, title, title, html`<p class="soft">${text}</p>`), status: 403 };
}

async function leftLine({ store, site, leftProvider = '' }: Visit): Promise<Html | ''> {
  const provider = /^[a-z0-9-]{2,40}$/.test(leftProvider) && (await findProvider(store.reader, leftProvider));
  if (!provider) return '';
  const out = linkTo(`${site.basePath}${openIdProviderPath(provider.key)}?sign-out`);
  return html`<p class="small">${richWords('signIn.atProvider', { name: bdi(provider.name), out })}</p>`;
}

async function accountLine({ store, site }: Visit): Promise<Html | string> {
  const isOpen = await isSignUpOpen(store.reader);
  if (!isOpen && !(await hasMembers(store.reader))) return words('welcome.nobody');
  const join = linkTo(site.basePath + signUpPath);
  return html`
    ${isOpen ? richWords('signIn.makeOne', { join }) : words('signIn.askStaff')} ${words('signIn.forgotten')}`;
}

async function submitSignIn(visit: Visit): Promise<PageResult> {
  const { website, store, form: input, client, member } = visit;
  // A name or password above these limits cannot be valid.
  const username = usernameIn(input);
  const password = (input.get('password') ?? '').slice(0, longestPassword);
  try {
    const session = await signIn(store, website.throttle, { username, password }, client, member);
    if (session !== undefined) return { to: localPath(visit.site, input.get('then')), session };
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 429) throw error;
    return { html: signInPage(visit, { form: localizeText(error) }, username), status: 429 };
  }
  const faults = { form: words('signIn.wrong') };
  return { html: signInPage(visit, faults, username), status: 422 };
}

async function submitSignOut(visit: Visit): Promise<PageResult> {
  const { store, member, proxyIdentity, site, form: input } = visit;
  if (member) await endSession(store, member.user_id, member.id);
  if (proxyIdentity || (member && isByProxy(member))) {
    const title = words('byProxy.signedOutTitle');
    const text = html`<p class="soft">${words('byProxy.signedOut')}</p>`;
    return { html: cardPage({ ...visit, member: undefined }, title, title, text) };
  }
  const accounts = member ? await listAccounts(store.reader, member.user_id) : [];
  const [last] = accounts.toSorted((a, b) => b.used_at.localeCompare(a.used_at));
  const to = input.has('then') ? localPath(site, input.get('then')) : signInPath;
  return { to, session: null, leftProvider: last?.provider ?? '-' };
}

async function openDemo({ store, query, client, isLocal }: Visit): Promise<PageResult> {
  if (!isLocal) throw localizedError('unknownItem.demoElsewhere');
  const link = await readEntryLink(store.reader, 'demo', query.get('key') ?? '');
  if (!link) throw expiredLinkError('demo');
  return { to: '/', session: await redeemDemo(store, link, client) };
}

type LinkKind = 'setup' | 'invitation';

/** The page does not exist while the sign-up is closed. */
async function showSignUp(visit: Visit): Promise<PageResult> {
  if (!(await isSignUpOpen(visit.store.reader))) throw pageNotFound(visit.path);
  return { html: linkPage(visit, 'join', '') };
}

async function submitSignUp(visit: Visit): Promise<PageResult> {
  const { store, client, website, path } = visit;
  if (!(await isSignUpOpen(store.reader))) throw pageNotFound(path);
  const { person, faults } = readSignUp(visit.form);
  return submitForm(visit, 'join', '', faults, async () => {
    await website.throttle.beginSignUp(client.network);
    return acceptSignUp(store, person, client);
  });
}

/** The key of a setup link is in the query of its address, that of other links in the path. */
const keyOf = ({ params, query, form }: Visit) => params['key'] ?? form.get('key') ?? query.get('key') ?? '';

async function linkOf(visit: Visit, kind: LinkKind | 'reset'): Promise<EntryLinksTable> {
  const link = await readEntryLink(visit.store.reader, kind, keyOf(visit));
  if (!link) throw expiredLinkError(kind);
  return link;
}

function linkRoute(kind: LinkKind, path: string): PageRoute {
  return {
    path,
    isUncached: true,
    get: (visit) =>
      withUsedLinkPage(visit, async () => {
        await linkOf(visit, kind);
        return { html: linkPage(visit, kind, keyOf(visit)) };
      }),
    post: (visit) =>
      withUsedLinkPage(visit, async () => {
        const link = await linkOf(visit, kind);
        const { person, faults } = readSignUp(visit.form);
        const accept = () => acceptEntryLink(visit.store, link, person, visit.client);
        return submitForm(visit, kind, keyOf(visit), faults, accept);
      }),
  };
}

/** Nobody can have known a first password, and whoever added its owner did not say their time zone. */
async function ownerOf({ store: { reader } }: Visit, { user_id }: EntryLinksTable) {
  const id = user_id ?? 0n;
  const [member] = await findMembersByIds(reader, [id]);
  const { zone } = await readDayRule(reader, id);
  const canSignIn = (await findPasswordHash(reader, id)) !== null || (await listAccounts(reader, id)).length > 0;
  return { member, isFirst: !canSignIn, zone };
}

/** The address on a slip also has the secret of a link to the group. */
function joinLinkIn({ query, form }: Visit): string {
  const secret = form.get('group') ?? query.get('group') ?? '';
  return isJoinSecret(secret) ? secret : '';
}

function joinPathIn(visit: Visit): string {
  const secret = joinLinkIn(visit);
  return secret && `/authentication/join/${secret}/`;
}

/** Says before somebody chooses a password that their slip does not let them into the group yet. */
async function archivedNotice(visit: Visit): Promise<Html | false> {
  const { reader } = visit.store;
  const link = await readGroupLink(reader, joinLinkIn(visit));
  const group = link && (await findGroup(reader, link.group_id));
  return (group?.archived_at ?? null) !== null && notice('warn', words('invalidValue.groupArchived'));
}

async function resetPage(visit: Visit, link: EntryLinksTable, faults: Faults = {}): Promise<Html> {
  const { form: input, path } = visit;
  const { member, isFirst, zone } = await ownerOf(visit, link);
  // Password managers save the new password under this name.
  const name = { autocomplete: 'username', value: member?.username ?? '', more: { readonly: 'readonly' } };
  const stored = zone === defaultDayRule.zone ? undefined : zone;
  const fields = html`
    ${textField(words('door.name'), 'account', {}, { ...name, hint: member && fullNameOf(member) })}
    ${newPassword(faults, true)}
    ${isFirst ? ownZoneField(visit, faults, stored) : revokeTokensField(input.size === 0 || input.has(tokensField))}
    ${button(words('door.reset.button'), 'primary wide')}`;
  const hidden = { key: keyOf(visit), group: joinLinkIn(visit) };
  return cardPage(
    visit,
    words('door.reset.title'),
    words(isFirst ? 'door.first.heading' : 'door.reset.heading'),
    html`
      ${await archivedNotice(visit)}
      <p class="soft">${words(isFirst ? 'door.first.text' : 'door.reset.text')}</p>
      ${form(visit, { to: path, className: 'form', hidden }, fields)}`,
    ['zone.js'],
  );
}

async function submitReset(visit: Visit, link: EntryLinksTable): Promise<PageResult> {
  const { store, client, form: input } = visit;
  const { member, isFirst } = await ownerOf(visit, link);
  const { password, faults } = readPassword(input, member?.username ?? '', true);
  const zone = isFirst ? readZone(input, faults) : undefined;
  if (hasFaults(faults)) return { html: await resetPage(visit, link, faults), status: 422 };
  const reset = { password: { password, endsTokens: isFirst || input.has(tokensField) }, zone };
  const session = await acceptResetLink(store, link, reset, client);
  return { to: joinPathIn(visit) || '/', session };
}

function linkPage(visit: Visit, kind: LinkKind | 'join', key: string, faults: Faults = {}): Html {
  const { form: input, path } = visit;
  const fields = signUpFields(visit, faults, input.has('username'), true);
  const content = html`${fields}${button(words(`door.${kind}.button`), 'primary wide')}`;
  return cardPage(
    visit,
    words(`door.${kind}.title`),
    words(`door.${kind}.heading`),
    html`
      <p class="soft">${words(`door.${kind}.text`)}</p>
      ${form(visit, { to: path, className: 'form', hidden: { key } }, content)}
      ${kind === 'invitation' && providerButtons(visit, '/', { invitation: key })}`,
    ['zone.js'],
  );
}

async function submitForm(
  visit: Visit,
  kind: LinkKind | 'join',
  key: string,
  faults: Record<string, string>,
  accept: () => Promise<SessionCookies>,
): Promise<PageResult> {
  if (!hasFaults(faults)) {
    try {
      return { to: '/', session: await accept() };
    } catch (error) {
      faults['username'] = refusalText(error);
    }
  }
  return { html: linkPage(visit, kind, key, faults), status: 422 };
}

/** The first form asks for a page that reads the passkey; the second one has the answer of the device. */
async function submitPasskey(visit: Visit): Promise<PageResult> {
  const { website, store, form: input, client, browserHashes, member: before, site } = visit;
  const relyingParty = relyingPartyOf(site.baseUrl);
  if (!relyingParty) throw pageNotFound(visit.path);
  const then = localPath(site, input.get('then'));
  const answer = (input.get('answer') ?? '').slice(0, longestAnswer);
  try {
    if (answer === '') {
      await website.throttle.beginOpenId(client.network);
      const options = await optionsToSignIn(store, relyingParty, browserHashes);
      const title = words('passkeys.signIn');
      const content = html`
        ${passkeyStep(visit, { to: passkeyPath, operation: 'use', options, hidden: { then } })}
        <p class="small"><a href="${site.basePath}${signInPath}">${words('openid.back.sign-in')}</a></p>`;
      return { html: cardPage(visit, title, title, content, ['passkey.js']) };
    }
    const session = await signInByPasskey(store, website.throttle, relyingParty, answer, {
      client,
      challenge: challengeIn(input),
      browsers: browserHashes,
      before,
    });
    if (session !== undefined) return { to: then, session };
  } catch (error) {
    if (!(error instanceof AppError) || !['invalidValue', 'tooManyRequests'].includes(error.code)) throw error;
    const status = error.code === 'invalidValue' ? 422 : error.status;
    return { html: signInPage(visit, { form: localizeText(error) }), status };
  }
  return { html: signInPage(visit, { form: words('passkeys.wrong') }), status: 422 };
}

export const ownGardenPage: PageRoute<MemberVisit> = {
  path: ownGardenPath,
  isUncached: true,
  get: showOwnGarden,
  post: submitOwnGarden,
};

/** The demo member can make the first account on the computer that runs the server, or signs out if there is one. */
async function showOwnGarden(visit: MemberVisit): Promise<PageResult> {
  assertDemo(visit);
  if (!(await hasMembers(visit.store.reader))) return { html: linkPage(visit, 'setup', '') };
  const signOut = button(words('frame.signOut'), 'primary wide');
  const content = html`
    <p class="soft">${words('ownGarden.hasMembers')}</p>
    ${form(visit, { to: '/authentication/sign-out/' }, signOut)}`;
  return { html: cardPage(visit, words('door.setup.title'), words('door.setup.heading'), content) };
}

async function submitOwnGarden(visit: MemberVisit): Promise<PageResult> {
  const { store, client } = visit;
  assertDemo(visit);
  if (await hasMembers(store.reader)) return { to: ownGardenPath };
  const { person, faults } = readSignUp(visit.form);
  return submitForm(visit, 'setup', '', faults, async () => {
    const key = await makeSetupKey(store);
    const link = key === undefined ? undefined : await readEntryLink(store.reader, 'setup', key);
    if (!link) throw expiredLinkError('setup');
    return acceptEntryLink(store, link, person, client);
  });
}

function assertDemo({ member, isLocal, path }: MemberVisit): void {
  if (member.is_sample !== 1n || !isLocal) throw pageNotFound(path);
}
