/**
 * Signing in by the header of a proxy: it names a member, and is believed because of the address that it comes from
 * (docs/decisions/0040-sign-in-by-a-proxy.md).
 */

import { type Opened, type Opening, openSession } from '../auth/sessions.ts';
import type { SignInThrottle } from '../auth/sign-in-throttle.ts';
import { findMemberByName, hasMembers } from '../store/members.ts';
import { getSetting, setSetting } from '../store/settings.ts';
import type { Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { createMember } from './members.ts';

/** The username that a trusted proxy sent with a request; undefined where it sent none. */
export interface Introduced {
  name: string | undefined;
}

/** Why somebody whom the proxy names is not signed in. */
export type Stranger = 'unknown' | 'disabled';

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
 * Signs the member of this name in; answers their cookie. Somebody unknown becomes a member if staff want that, but never the first
 * one. Throws tooManyRequests where a network makes too many members, badSetting and alreadyExists for a name that is not free.
 */
export async function enterByProxy(
  store: Store,
  throttle: SignInThrottle,
  name: string,
  opening: Opening,
): Promise<Opened | Stranger> {
  const isMade = async (db: Db) => (await makesMembersByProxy(db)) && (await hasMembers(db));
  const known = await findMemberByName(store.reader, name);
  if (known && known.is_disabled !== 0n) return 'disabled';
  if (!known) {
    if (!(await isMade(store.reader))) return 'unknown';
    await throttle.beginSignUp(opening.network);
  }
  return store.write(async (tx) => {
    const found = await findMemberByName(tx, name);
    if (!found && !(await isMade(tx))) return 'unknown';
    const member = found ?? (await createMember(tx, { username: name, role: 'member' }));
    if (member.is_disabled !== 0n) return 'disabled';
    return openSession(tx, member.id, opening, { isByProxy: true, atMost: sessionsAtMost });
  });
}
