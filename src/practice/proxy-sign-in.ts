/**
 * Signing in by the header of a proxy: it names a member, and is believed because of the address that it comes from
 * (docs/decisions/0040-sign-in-by-a-proxy.md).
 */

import { isUtf8 } from 'node:buffer';
import type { EntryThrottle } from '../auth/entry-throttle.ts';
import { type Client, openSession, type SessionCookies } from '../auth/sessions.ts';
import { localizedError } from '../errors.ts';
import { findMemberByName, hasMembers } from '../store/members.ts';
import { getSetting, setSetting } from '../store/settings.ts';
import type { Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { createMember, isUsername } from './members.ts';

/** Why somebody whom the proxy names is not signed in. */
export type ProxyRefusal = 'unknown' | 'disabled';

/** A client that keeps no cookies gets a session with each request. */
const sessionsAtMost = 20;
const makesSetting = 'proxy_members';

export async function makesMembersByProxy(db: Db): Promise<boolean> {
  return (await getSetting(db, makesSetting)) === 'on';
}

export async function makeMembersByProxy(tx: Db, isWanted: boolean): Promise<void> {
  await setSetting(tx, makesSetting, isWanted ? 'on' : 'off');
}

/**
 * The username in the lines of a proxy's header; undefined where there are none. Throws malformedRequest for several, and for a
 * name that no member can have.
 */
export function nameByProxy([value, ...more]: readonly string[], header: string): string | undefined {
  if (value === undefined) return undefined;
  const bytes = Buffer.from(value, 'latin1');
  const name = bytes.toString();
  // A proxy that adds its header to that of the client may join the two with a comma.
  if (more.length > 0 || !isUtf8(bytes) || name.includes(',') || !isUsername(name))
    throw localizedError('malformedRequest.proxyName', { header });
  return name;
}

/**
 * Signs the member of this name in; answers their cookie. Somebody unknown becomes a member if staff want that, but never the first
 * one. Throws tooManyRequests where a network makes too many members, badSetting and alreadyExists for a name that is not free.
 */
export async function enterByProxy(
  store: Store,
  throttle: EntryThrottle,
  name: string,
  client: Client,
): Promise<SessionCookies | ProxyRefusal> {
  const isMade = async (db: Db) => (await makesMembersByProxy(db)) && (await hasMembers(db));
  const known = await findMemberByName(store.reader, name);
  if (known && known.is_disabled !== 0n) return 'disabled';
  if (!known) {
    if (!(await isMade(store.reader))) return 'unknown';
    await throttle.beginSignUp(client.network);
  }
  return store.write(async (tx) => {
    const found = await findMemberByName(tx, name);
    if (!found && !(await isMade(tx))) return 'unknown';
    const member = found ?? (await createMember(tx, { username: name, role: 'member' }));
    if (member.is_disabled !== 0n) return 'disabled';
    return openSession(tx, member.id, client, { isByProxy: true, atMost: sessionsAtMost });
  });
}
