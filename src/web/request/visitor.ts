/** The visitor of a page. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Client, endSession, isByProxy, readSession } from '../../auth/sessions.ts';
import { enterByProxy, type ProxyRefusal, usernameFromProxy } from '../../practice/proxy-sign-in.ts';
import { fold } from '../../store/case-folding.ts';
import type { SignedInRow } from '../../store/sessions.ts';
import type { cookiesOf } from './cookies.ts';
import type { Website } from './site.ts';

export interface ProxyIdentity {
  name: string;
  refusal: ProxyRefusal | undefined;
}

interface Visitor {
  /** The secret of a session, which may have ended. */
  session: string | undefined;
  member: SignedInRow | undefined;
  byProxy: ProxyIdentity | undefined;
}

/** A request that waited in the queue is processed twice, but must open one session. */
const newSessions = new WeakMap<FastifyRequest, string>();

/** The name from a proxy takes precedence over the session. A form opens no session: its page was another member's. */
export async function visitorOf(
  website: Website,
  cookies: ReturnType<typeof cookiesOf>,
  request: FastifyRequest,
  reply: FastifyReply,
  client: Client,
): Promise<Visitor> {
  const { store, throttle } = website;
  const session = newSessions.get(request) ?? cookies.read(request, 'session');
  const headerValues = website.proxyHeaderValues(request.raw);
  const name = headerValues && usernameFromProxy(headerValues, website.trustHeader ?? '');
  const proxySession = headerValues ? await readSession(store, session, true) : undefined;
  const { member, isRenewed } = proxySession?.member ? proxySession : await readSession(store, session);
  const byProxy: ProxyIdentity | undefined = name === undefined ? undefined : { name, refusal: undefined };
  const isSessionValid = member && (name === undefined ? !isByProxy(member) : fold(member.username) === fold(name));
  if (member && isSessionValid) {
    if (session !== undefined && isRenewed) cookies.set(reply, 'session', session);
    return { session, member, byProxy };
  }
  if (member) await endSession(store, member.user_id, member.id);
  if (name === undefined || request.method === 'POST' || isEmbedded(request))
    return { session, member: undefined, byProxy };
  const signIn = await enterByProxy(store, throttle, name, client);
  if (typeof signIn === 'string') return { session, member: undefined, byProxy: { name, refusal: signIn } };
  newSessions.set(request, signIn.session);
  cookies.set(reply, 'session', signIn.session);
  const { member: signedIn } = await readSession(store, signIn.session, true);
  return { session: signIn.session, member: signedIn, byProxy };
}

/** Browsers send no SameSite cookie with embedded requests, which would open a session each. */
const isEmbedded = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-dest'] !== 'document';
