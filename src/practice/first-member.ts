/** The first member of a garden: made from the settings, or by people through an address that the server prints. */

import { makeEntryLink } from '../auth/entry.ts';
import { hashPassword, passwordFault } from '../auth/passwords.ts';
import { badSetting } from '../errors.ts';
import { deleteEntryLinks } from '../store/entry-links.ts';
import { findMemberByName, hasMembers, setPasswordHash } from '../store/members.ts';
import type { Store } from '../store/store.ts';
import { createMember, isUsername, usernameAdvice } from './members.ts';

const setupMs = 24 * 3_600_000;
const demoMs = 3_600_000;
/** A browser may ask for an address more than once: a reload, or a look ahead. */
const demoUses = 10;

/** Makes the address that makes the first staff; the ones before it end. Undefined where the garden has members. */
export async function makeSetupKey(store: Store): Promise<string | undefined> {
  if (await hasMembers(store.reader)) return undefined;
  return store.write(async (tx) => {
    if (await hasMembers(tx)) return undefined;
    await deleteEntryLinks(tx, 'setup');
    return makeEntryLink(tx, { kind: 'setup', role: 'staff', uses: 1, lifetimeMs: setupMs });
  });
}

/** Makes the address that signs the demo member in; the ones before it end. Undefined where there is none, or somebody else. */
export async function makeDemoKey(store: Store, username: string): Promise<string | undefined> {
  return store.write(async (tx) => {
    const demo = await findMemberByName(tx, username);
    if (demo?.is_sample !== 1n || (await hasMembers(tx))) return undefined;
    await deleteEntryLinks(tx, 'demo');
    const { id: userId } = demo;
    return makeEntryLink(tx, { kind: 'demo', userId, role: 'member', uses: demoUses, lifetimeMs: demoMs });
  });
}

/** Makes the first member as the settings name them; answers whether the garden had none. Throws badSetting. */
export async function makeFirstStaff(
  store: Store,
  { username, readPassword }: { username: string; readPassword(): Promise<string> },
): Promise<boolean> {
  if (await hasMembers(store.reader)) return false;
  if (!isUsername(username)) {
    throw badSetting(`ADMIN_USERNAME cannot be a username; ${usernameAdvice}.`);
  }
  const password = await readPassword();
  const fault = passwordFault(password, username);
  if (fault) throw badSetting(`The password of ADMIN_USERNAME cannot be used. ${fault}`);
  const hash = await hashPassword(password);
  return store.write(async (tx) => {
    // Of several servers that start at once, one makes the member.
    if (await hasMembers(tx)) return false;
    const member = await createMember(tx, { username, role: 'staff' });
    await setPasswordHash(tx, member.id, hash);
    await deleteEntryLinks(tx, 'setup');
    return true;
  });
}
