/** How people become members: by the set-up link, an invitation, the link of a group, or the open sign-up. */
import {
  expiredLinkError,
  makeEntryLink,
  type NewLink,
  redeemEntryLink,
  redeemReset,
} from '../auth/entry.ts';
import { hashPassword } from '../auth/passwords.ts';
import { type Client, openSession, type SessionCookies } from '../auth/sessions.ts';
import type { NewPassword } from '../auth/sign-in.ts';
import { deleteEntryLinks, type EntryLinksTable } from '../store/entry.ts';
import type { GroupLinksTable } from '../store/groups.ts';
import { findMembersByIds, hasMembers, type MemberRow, setPasswordHash } from '../store/members.ts';
import { getSetting, setSetting } from '../store/settings.ts';
import type { Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { defaultDayRule } from './days.ts';
import { joinGroup, readGroupLink } from './groups.ts';
import { createMember } from './members.ts';
import { readDayRule, writeDayRule } from './preferences.ts';

export interface NewPerson {
  username: string;
  password: string;
  zone: string;
}

export interface NewMember {
  member: MemberRow;
  key: string;
  /** Of a slip: after the password, it leads to the group. */
  joinSecret?: string | undefined;
}

/** Throws invalidValue and alreadyExists. */
export async function createMemberWithResetLink(
  tx: Db,
  values: Partial<MemberRow> & Pick<MemberRow, 'username' | 'role'>,
  link: Pick<NewLink, 'madeBy' | 'lifetimeMs'>,
): Promise<NewMember> {
  const member = await createMember(tx, values);
  const { id: userId, role } = member;
  return { member, key: await makeEntryLink(tx, { kind: 'reset', userId, role, uses: 1, ...link }) };
}

export const deleteResetLinks = (tx: Db, memberId: bigint) => deleteEntryLinks(tx, 'reset', memberId);

export async function makeResetLink(
  tx: Db,
  { id: userId, role }: Pick<MemberRow, 'id' | 'role'>,
  madeBy: bigint,
  lifetimeMs?: number,
): Promise<string> {
  await deleteResetLinks(tx, userId);
  return makeEntryLink(tx, {
    kind: 'reset',
    userId,
    role,
    uses: 1,
    madeBy,
    ...(lifetimeMs && { lifetimeMs }),
  });
}

/** Throws unknownItem, invalidValue and alreadyExists. */
export function acceptEntryLink(store: Store, link: EntryLinksTable, person: NewPerson, client: Client) {
  return createAndSignIn(store, person, client, async (tx) => {
    if (link.kind === 'setup' && (await hasMembers(tx))) throw expiredLinkError(link.kind);
    await redeemEntryLink(tx, link);
    return createPerson(tx, person, link.role);
  });
}

/** Throws unknownItem, invalidValue and alreadyExists. */
export function acceptSignUp(store: Store, person: NewPerson, client: Client) {
  return createAndSignIn(store, person, client, async (tx) => {
    if (!(await isSignUpOpen(tx))) throw expiredLinkError('invitation');
    return createPerson(tx, person);
  });
}

/** Throws unknownItem, invalidValue and alreadyExists. */
export function acceptGroupLink(store: Store, secret: string, person: NewPerson, client: Client) {
  return createAndSignIn(store, person, client, async (tx) => {
    const link = await readGroupLink(tx, secret);
    if (!link || !(await canCreateAccounts(tx, link))) throw expiredLinkError('invitation');
    const id = await createPerson(tx, person);
    if ((await joinGroup(tx, id, secret)) === undefined) throw expiredLinkError('invitation');
    return id;
  });
}

/** The time zone comes with a first password. Throws unknownItem. */
export function acceptResetLink(
  store: Store,
  link: EntryLinksTable,
  { password, zone }: { password: NewPassword; zone: string | undefined },
  client: Client,
) {
  return redeemReset(store, link, password, client, async (tx, userId) => {
    if (zone === undefined) return;
    const { startHour } = await readDayRule(tx, userId);
    await writeDayRule(tx, userId, { zone, startHour });
  });
}

async function createAndSignIn(
  store: Store,
  { password }: NewPerson,
  client: Client,
  create: (tx: Db) => Promise<bigint>,
): Promise<SessionCookies> {
  const hash = await hashPassword(password);
  return store.write(async (tx) => {
    const id = await create(tx);
    await setPasswordHash(tx, id, hash);
    return openSession(tx, id, client);
  });
}

const accountCreators = ['administrators', 'coaches', 'nobody'] as const;
export type AccountCreators = (typeof accountCreators)[number];
const accountCreatorsSetting = 'group_link_accounts';

export async function readAccountCreators(db: Db): Promise<AccountCreators> {
  const value = await getSetting(db, accountCreatorsSetting);
  return accountCreators.find((one) => one === value) ?? 'administrators';
}

export async function setAccountCreators(tx: Db, who: AccountCreators): Promise<void> {
  await setSetting(tx, accountCreatorsSetting, who);
}

export async function canCreateAccounts(
  db: Db,
  { made_by }: Pick<GroupLinksTable, 'made_by'>,
): Promise<boolean> {
  const who = await readAccountCreators(db);
  if (made_by === null || who === 'nobody') return false;
  const [linkMaker] = await findMembersByIds(db, [made_by]);
  return linkMaker?.is_disabled === 0n && (who === 'coaches' || linkMaker.role === 'staff');
}

export async function isSignUpOpen(db: Db): Promise<boolean> {
  return (await getSetting(db, signUpSetting)) === 'open';
}

export async function setSignUpOpen(tx: Db, isOpen: boolean): Promise<void> {
  await setSetting(tx, signUpSetting, isOpen ? 'open' : 'closed');
}

const signUpSetting = 'sign_up';

async function createPerson(
  tx: Db,
  { username, zone }: NewPerson,
  role: 'member' | 'staff' = 'member',
): Promise<bigint> {
  const { id } = await createMember(tx, { username, role });
  if (zone !== defaultDayRule.zone) await writeDayRule(tx, id, { ...defaultDayRule, zone });
  return id;
}
