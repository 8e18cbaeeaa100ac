/**
 * Signing in by the header of a proxy, which is believed because of its address
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

export type ProxyRefusal = 'unknown' | 'disabled';

/** A client without cookies gets a session with each request. */
const sessionsAtMost = 20;
const createsMembersSetting = 'proxy_members';

export async function createsMembersByProxy(db: Db): Promise<boolean> {
  return (await getSetting(db, createsMembersSetting)) === 'on';
}

export async function setCreatesMembersByProxy(tx: Db, isOn: boolean): Promise<void> {
  await setSetting(tx, createsMembersSetting, isOn ? 'on' : 'off');
}

/** Throws malformedRequest. */
export function usernameFromProxy([value, ...others]: readonly string[], header: string): string | undefined {
  if (value === undefined) return undefined;
  const bytes = Buffer.from(value, 'latin1');
  const name = bytes.toString().normalize('NFC');
  // A proxy may join its header to that of the client with a comma.
  if (others.length > 0 || !isUtf8(bytes) || name.includes(',') || !isUsername(name))
    throw localizedError('malformedRequest.proxyName', { header });
  return name;
}

/**
 * Unknown people become members if staff allow it, but never the first one. Throws tooManyRequests, invalidValue and
 * alreadyExists.
 */
export async function enterByProxy(
  store: Store,
  throttle: EntryThrottle,
  name: string,
  client: Client,
): Promise<SessionCookies | ProxyRefusal> {
  const mayCreate = async (db: Db) => (await createsMembersByProxy(db)) && (await hasMembers(db));
  const existing = await findMemberByName(store.reader, name);
  if (existing && existing.is_disabled !== 0n) return 'disabled';
  if (!existing) {
    if (!(await mayCreate(store.reader))) return 'unknown';
    await throttle.beginSignUp(client.network);
  }
  return store.write(async (tx) => {
    const row = await findMemberByName(tx, name);
    if (!row && !(await mayCreate(tx))) return 'unknown';
    const member = row ?? (await createMember(tx, { username: name, role: 'member' }));
    if (member.is_disabled !== 0n) return 'disabled';
    return openSession(tx, member.id, client, { isByProxy: true, sessionsAtMost });
  });
}
