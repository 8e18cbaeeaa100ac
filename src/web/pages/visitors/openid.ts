/**
 * OpenID Connect, to sign in, to join an account or to prove a handle. Each provider answers to an address of its own,
 * so that the answer of another provider is recognized (RFC 9700 §4.4, mix-up attacks).
 */

import { expiredLinkError, readInvitation } from '../../../auth/entry.ts';
import { readSession, type SessionCookies } from '../../../auth/sessions.ts';
import { AppError, localizedError } from '../../../errors.ts';
import { handleFault, judgeName, openIdJudges } from '../../../judges/judges.ts';
import { joinGroup } from '../../../practice/groups.ts';
import { proveByOpenId } from '../../../practice/handles.ts';
import {
  enterByOpenId,
  isAuthorizationExpired,
  linkAccount,
  saveAuthorizationRequest,
  takeAuthorizationRequest,
  textClaim,
} from '../../../practice/openid.ts';
import { listProvedHandles } from '../../../store/handles.ts';
import { findProvider, listAccounts, type OpenIdProvidersTable } from '../../../store/openid.ts';
import type { Store } from '../../../store/store.ts';
import type { Purpose } from '../../kit/openid-buttons.ts';
import { notice } from '../../kit/panel.ts';
import { bdi, type Html, html } from '../../markup.ts';
import { accountPath, groupPath, handlesPath, openIdPath, signInPath } from '../../paths.ts';
import { localPath } from '../../request/fields.ts';
import { openIdClientOf } from '../../request/openid-client.ts';
import { type PageResult, type PageRoute, pageNotFound, type Visit } from '../../request/visits.ts';
import { localizeText, richWords, words } from '../../words/words.ts';
import { cardPage } from './entry.ts';

export const openIdPage: PageRoute = {
  path: `${openIdPath}:key/`,
  isUncached: true,
  usesUpItsLink: true,
  get: finishSignIn,
  post: beginSignIn,
};

async function providerAt({ store, params, path }: Visit): Promise<OpenIdProvidersTable> {
  const { key = '' } = params;
  // PostgreSQL refuses texts with NUL.
  const provider = /^[a-z0-9-]{1,40}$/.test(key) ? await findProvider(store.reader, key) : undefined;
  if (!provider) throw pageNotFound(path);
  return provider;
}

function purposeIn({ form }: Visit): Purpose {
  const purpose = form.get('purpose');
  return purpose === 'join' || purpose === 'proof' ? purpose : 'sign-in';
}

/**
 * Shows a page with a link to the provider, because the Content-Security-Policy (form-action) allows no form to lead to
 * another site, and because people shall see where they go.
 */
async function beginSignIn(visit: Visit): Promise<PageResult> {
  const { store, site, website, member, form, browserHashes, path, client } = visit;
  const provider = await providerAt(visit);
  const purpose = purposeIn(visit);
  const isOffered = purpose === 'proof' ? openIdJudges.has(provider.key) : provider.admits !== 'nobody';
  if (!isOffered) throw pageNotFound(path);
  if (purpose !== 'sign-in' && !member) return { to: signInPath };
  return withFaultPage(visit, purpose, async () => {
    await website.throttle.beginOpenId(client.network);
    const invitation_id = purpose === 'sign-in' ? await invitationIn(visit) : null;
    const { beginAuthorization } = await import('../../../jobs/openid.ts');
    const { url, visit: request } = await beginAuthorization(
      openIdClientOf(visit, provider, purpose),
      visit.leftProvider !== undefined,
    );
    const [browser = ''] = browserHashes(request.state);
    await saveAuthorizationRequest(store, {
      browser,
      user_id: purpose === 'sign-in' ? null : (member?.user_id ?? null),
      provider: provider.key,
      purpose,
      ...request,
      goes_to: localPath(site, form.get('then')),
      invitation_id,
      joins_group: form.get('joins_group') === 'true' ? 1n : 0n,
    });
    const text = html`<p>${richWords('openid.goText', { name: bdi(provider.name), host: new URL(url).host })}</p>`;
    return {
      html: awayCard(visit, purpose, provider.name, url, text),
      // A member who proves a handle reads the page before going to the judge.
      ...(purpose !== 'proof' && { goesTo: url }),
    };
  });
}

function awayCard(visit: Visit, purpose: Purpose, name: string, url: string, text: Html | ''): Html {
  const providerLink = html`
    ${text}
    <div class="actions">
      <a class="button primary wide place" href="${url}" rel="noreferrer" data-away>
        ${richWords('openid.go', { name: bdi(name) })}
      </a>
    </div>`;
  return openIdCard(visit, words('openid.goTitle'), purpose, providerLink);
}

async function signOutThere(visit: Visit, provider: OpenIdProvidersTable): Promise<PageResult> {
  return withFaultPage(visit, 'sign-in', async () => {
    await visit.website.throttle.beginOpenId(visit.client.network);
    const { signOutAddress } = await import('../../../jobs/openid.ts');
    const url = await signOutAddress(openIdClientOf(visit, provider, 'sign-in'));
    return { html: awayCard(visit, 'sign-in', provider.name, url, ''), goesTo: url };
  });
}

/** The provider sends the browser back to this page with its parameters in the query. */
async function finishSignIn(visit: Visit): Promise<PageResult> {
  const { store, website, member, query, path, browserHashes, client } = visit;
  const provider = await providerAt(visit);
  if (query.has('sign-out') && visit.leftProvider === provider.key) return signOutThere(visit, provider);
  if (!['code', 'error', 'state'].some((name) => query.has(name))) throw pageNotFound(path);
  const browsers = browserHashes(query.get('state') ?? '');
  const request = await takeAuthorizationRequest(store, browsers);
  const finished = request || !member ? undefined : await finishedPath(store, member.user_id, provider.key);
  if (finished !== undefined) return { to: finished };
  const purpose = request?.purpose ?? (member ? 'join' : 'sign-in');
  return withFaultPage(visit, purpose, async () => {
    const { finishAuthorization, noPendingAuthorization } = await import('../../../jobs/openid.ts');
    const openIdClient = openIdClientOf(visit, provider, purpose);
    // An answer at the address of another provider can be a mix-up attack.
    if (!request || isAuthorizationExpired(request) || request.provider !== provider.key)
      throw noPendingAuthorization(openIdClient);
    const { user_id: userId, goes_to: then } = request;
    if (userId !== null && userId !== member?.user_id) throw noPendingAuthorization(openIdClient);
    const { subject, claims } = await finishAuthorization(openIdClient, query, request);
    const { handle, fault } = handleIn(provider.key, claims);
    const person = { subject, claims, handle };
    if (purpose === 'sign-in') {
      const { throttle } = website;
      // A sign-in that began before another tab signed in keeps the session of that tab for the same member.
      const isInOtherTab = request.browser !== browsers[0];
      const entry = { client, before: member, isInOtherTab, invitationId: request.invitation_id };
      const session = await enterByOpenId(store, throttle, provider, person, entry);
      const to = request.joins_group === 1n ? await joinLinkedGroup(visit, then, session) : then;
      return session ? { to, session, leftProvider: '' } : { to };
    }
    if (userId === null) throw noPendingAuthorization(openIdClient);
    if (purpose === 'join') {
      await linkAccount(store, provider, person, userId);
      return { to: `${accountPath}ways/?done=joined` };
    }
    if (handle === undefined) throw fault;
    await proveByOpenId(store, userId, provider.key, { handle, subject });
    return { to: `${handlesPath}?done=proved` };
  });
}

/** The Back button repeats an answer that has been used; whatever it was for, the member has it. */
async function finishedPath({ reader }: Store, userId: bigint, key: string): Promise<string | undefined> {
  if ((await listAccounts(reader, userId)).some(({ provider }) => provider === key)) return '/';
  const handles = await listProvedHandles(reader, userId);
  return handles.some(({ source, method }) => source === key && method === 'openid') ? handlesPath : undefined;
}

const longestAddress = 1000;

/** The form has an invitation as its whole address or the key at its end. Throws unknownItem. */
async function invitationIn({ store, form }: Visit): Promise<bigint | null> {
  const text = form.get('invitation');
  if (text === null) return null;
  const link = await readInvitation(store.reader, text.slice(0, longestAddress));
  if (!link) throw expiredLinkError('invitation');
  return link.id;
}

/** Joins the group of this address and returns the next path: the same address after an error, which it shows. */
async function joinLinkedGroup(visit: Visit, path: string, opened: SessionCookies | undefined): Promise<string> {
  const { store } = visit;
  const [, secret = ''] = /^\/authentication\/join\/([\w-]+)\/$/.exec(path) ?? [];
  const { member } = opened ? await readSession(store, opened.session) : visit;
  try {
    const id = member && (await joinGroup(store, member.user_id, secret));
    return id === undefined ? path : `${groupPath(id)}?done=joined`;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalidValue') throw error;
    return path;
  }
}

function handleIn(source: string, claims: Readonly<Record<string, unknown>>) {
  const judge = openIdJudges.get(source);
  const handle = judge && textClaim(claims, judge.openId.claim);
  if (!judge || handle === undefined)
    return { fault: localizedError('invalidValue.openidNoHandle', { judge: judgeName(source) }) };
  const fault = handleFault(judge, handle);
  return fault === undefined ? { handle } : { fault };
}

async function withFaultPage(visit: Visit, purpose: Purpose, action: () => Promise<PageResult>): Promise<PageResult> {
  try {
    return await action();
  } catch (error) {
    const shownCodes = ['invalidValue', 'alreadyExists', 'judgeFailed', 'tooManyRequests', 'unknownItem'];
    if (!(error instanceof AppError) || !shownCodes.includes(error.code)) throw error;
    const status = ['invalidValue', 'alreadyExists'].includes(error.code) ? 422 : error.status;
    const page = openIdCard(visit, words(`openid.failed.${purpose}`), purpose, notice('bad', localizeText(error)));
    // A provider may refuse to let people choose an account; the next try does not ask it to.
    const asked = visit.query.get('error') ?? 'access_denied';
    return asked === 'access_denied' ? { html: page, status } : { html: page, status, leftProvider: '' };
  }
}

const returnPaths = {
  'sign-in': signInPath,
  join: `${accountPath}ways/`,
  proof: `${accountPath}handles/`,
} as const satisfies Record<Purpose, string>;

function openIdCard(visit: Visit, title: string, purpose: Purpose, content: Html): Html {
  const back = html`<a href="${visit.site.basePath}${returnPaths[purpose]}">${words(`openid.back.${purpose}`)}</a>`;
  return cardPage(visit, title, title, html`<div class="form">${content}</div><p class="small">${back}</p>`);
}
