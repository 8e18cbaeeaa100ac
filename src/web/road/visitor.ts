/** The visitor of a page: the member of the browser's session, or the one whom a trusted proxy names. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Client, endSession, isByProxy, readSession } from '../../auth/sessions.ts';
import { enterByProxy, nameByProxy, type ProxyRefusal } from '../../practice/proxy-sign-in.ts';
import { fold } from '../../store/case-folding.ts';
import type { SignedInRow } from '../../store/sessions.ts';
import type { cookiesOf } from './cookies.ts';
import type { Website } from './site.ts';

/** The name by which a proxy signs the visitor in, and why it could not. */
export interface ByProxy {
  name: string;
  stranger: ProxyRefusal | undefined;
}

interface Visitor {
  /** The value of the session's cookie, which may have ended. */
  session: string | undefined;
  member: SignedInRow | undefined;
  byProxy: ByProxy | undefined;
}

/** A request that had to wait is looked at twice, and opens one session. */
const opened = new WeakMap<FastifyRequest, string>();

/**
 * Reads the visitor's session. What a proxy says goes before: a session of somebody else ends, and so does one that the
 * proxy opened where it names nobody. A request that shows a page then opens another one; a form never does, because
 * its page was another's, nor does what is embedded in a page of another site.
 */
export async function visitorOf(
  website: Website,
  cookies: ReturnType<typeof cookiesOf>,
  request: FastifyRequest,
  reply: FastifyReply,
  client: Client,
): Promise<Visitor> {
  const { store, throttle } = website;
  const session = opened.get(request) ?? cookies.read(request, 'session');
  const lines = website.saidByProxy(request.raw);
  const name = lines && nameByProxy(lines, website.trustHeader ?? '');
  const ofProxy = lines ? await readSession(store, session, true) : undefined;
  const { member, isRenewed } = ofProxy?.member ? ofProxy : await readSession(store, session);
  const byProxy = name === undefined ? undefined : { name, stranger: undefined };
  const isOwn = member && (name === undefined ? !isByProxy(member) : fold(member.username) === fold(name));
  if (member && isOwn) {
    if (session !== undefined && isRenewed) cookies.set(reply, 'session', session);
    return { session, member, byProxy };
  }
  if (member) await endSession(store, member.user_id, member.id);
  if (name === undefined || request.method === 'POST' || isEmbedded(request))
    return { session, member: undefined, byProxy };
  const entered = await enterByProxy(store, throttle, name, client);
  if (typeof entered === 'string') return { session, member: undefined, byProxy: { name, stranger: entered } };
  opened.set(request, entered.session);
  cookies.set(reply, 'session', entered.session);
  const { member: now } = await readSession(store, entered.session, true);
  return { session: entered.session, member: now, byProxy };
}

/**
 * Browsers send no cookie of ours with it, so each picture would open a session, and push out the one that is in use.
 */
const isEmbedded = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-dest'] !== 'document';
