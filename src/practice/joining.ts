/** How people become members: by the set-up address, by an invitation, or by the open sign-up. */
import { spent } from '../auth/entry.ts';
import { hashPassword } from '../auth/passwords.ts';
import { type Opened, type Opening, openSession } from '../auth/sessions.ts';
import { useEntryLink } from '../store/entry-links.ts';
import { hasMembers, setPasswordHash } from '../store/members.ts';
import { getSetting, setSetting } from '../store/settings.ts';
import type { Store } from '../store/store.ts';
import type { Db, EntryLinksTable } from '../store/tables.ts';
import { createMember } from './members.ts';

/** Makes the member that a set-up address or an invitation is for; answers their cookies. Throws unknownItem, badSetting, alreadyExists. */
export async function acceptEntry(
  store: Store,
  link: EntryLinksTable,
  { username, password }: { username: string; password: string },
  opening: Opening,
): Promise<Opened> {
  const hash = await hashPassword(password);
  return store.write(async (tx) => {
    if (link.kind === 'setup' && (await hasMembers(tx))) throw spent(link.kind);
    if (!(await useEntryLink(tx, link.id))) throw spent(link.kind);
    return join(tx, { username, role: link.role, hash }, opening);
  });
}

/** Makes a member of the open sign-up; answers their cookies. Throws unknownItem where it is closed, badSetting, alreadyExists. */
export async function acceptSignUp(
  store: Store,
  { username, password }: { username: string; password: string },
  opening: Opening,
): Promise<Opened> {
  const hash = await hashPassword(password);
  return store.write(async (tx) => {
    if (!(await isSignUpOpen(tx))) throw spent('invitation');
    return join(tx, { username, role: 'member', hash }, opening);
  });
}

/** Whether people may make an account without an invitation. */
export async function isSignUpOpen(db: Db): Promise<boolean> {
  return (await getSetting(db, signUpSetting)) === 'open';
}

export async function openSignUp(tx: Db, isOpen: boolean): Promise<void> {
  await setSetting(tx, signUpSetting, isOpen ? 'open' : 'closed');
}

const signUpSetting = 'sign_up';

async function join(
  tx: Db,
  { username, role, hash }: { username: string; role: 'member' | 'staff'; hash: string },
  opening: Opening,
): Promise<Opened> {
  const member = await createMember(tx, { username, role });
  await setPasswordHash(tx, member.id, hash);
  return openSession(tx, member.id, opening);
}
