/** Members: how they are made, renamed, disabled and deleted. */

import { makeEntryLink } from '../auth/entry.ts';
import { hashPassword, passwordFault } from '../auth/passwords.ts';
import { AppError, invalidValue, localizedError, message } from '../errors.ts';
import { fold } from '../store/case-folding.ts';
import { deleteEntryLinks } from '../store/entry.ts';
import { listHandlesWithoutCounts } from '../store/handles.ts';
import { reserveIds } from '../store/ids.ts';
import {
  canSignIn,
  countBelongings,
  countStaff,
  deleteMember,
  findMemberByName,
  findMembersByIds,
  findMembersByNames,
  findMemberWithSetting,
  hasMembers,
  insertMembers,
  type MemberRow,
  recordColumnKinds,
  setPasswordHash,
  updateMember,
} from '../store/members.ts';
import { bumpRevisions } from '../store/revisions.ts';
import { getSetting, setSetting } from '../store/settings.ts';
import { listProblemsOfHandle } from '../store/solves.ts';
import { inTransaction, type Store } from '../store/store.ts';
import { type Db, emptyRow } from '../store/tables.ts';
import { deleteUnusedGymProblems } from './gym-problems.ts';
import { forgetMember } from './merging.ts';

/** Fillers such as U+3164 and U+034F (Unicode §5.21) and the empty Braille pattern are not visible. */
const visibleName = /^[^\s\p{C}\p{Default_Ignorable_Code_Point}\u2800/?#]{1,64}$/u;
/** Letters of these alphabets look alike, so that no two stand in one name (UTS #39 §5.2). */
const alphabets = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu'].map(
  (name) => new RegExp(`\\p{Script=${name}}`, 'u'),
);

export const usernameAdvice = message('invalidValue.usernameAdvice');

/** A username stands on command lines and in URLs, and must look like no other. */
export function isUsername(text: string): boolean {
  const isPlain =
    visibleName.test(text) && !/^(?:\.{1,2}$|\p{M})/u.test(text) && text === text.normalize('NFKC');
  return isPlain && alphabets.filter((letters) => letters.test(text)).length <= 1;
}

/** An account may have none. */
export const isEmail = (text: string | null) => text === null || /^[^\s@]+@[^\s@]+$/.test(text);

/** Letters at the same place look alike; a gap where an alphabet has none. */
const lookalikes = [
  'ABEKMHOPCTYXSIJZNaeopcyxsijhdqwvk',
  'АВЕКМНОРСТУХЅІЈ  аеорсухѕіјһԁԛԝѵк',
  'ΑΒΕΚΜΗΟΡ ΤΥΧ Ι ΖΝα ορ υχ ιϳ    νκ',
];

function lookalikesOf(name: string): string[] {
  const letters = [...name].filter((character) => /\p{L}/u.test(character));
  const ownAlphabet = lookalikes.find((alphabet) => letters.every((letter) => alphabet.includes(letter)));
  if (ownAlphabet === undefined || letters.length === 0) return [];
  return lookalikes
    .filter((alphabet) => alphabet !== ownAlphabet)
    .map((alphabet) =>
      [...name].map((character) => alphabet[ownAlphabet.indexOf(character)] ?? character).join(''),
    )
    .filter((one) => !one.includes(' '));
}

export const lookalikeNames = (name: string) => [name, ...lookalikesOf(name)];

/** Throws invalidValue and alreadyExists. */
export async function createMember(
  tx: Db,
  values: Partial<MemberRow> & { username: string },
): Promise<MemberRow> {
  const { username, email = null } = values;
  if (!isEmail(email)) throw localizedError('invalidValue.email');
  await assertUsernameFree(tx, username, undefined);
  const [id = 0n] = await reserveIds(tx, 'members', 1);
  const row = { ...emptyMember(id, username, new Date().toISOString()), ...values };
  await insertMembers(tx, [row]);
  await bumpRevisions(tx, ['records', `records:${id}`]);
  return row;
}

/** Throws unknownMember, invalidValue and alreadyExists. */
export async function renameMember(tx: Db, username: string, newName: string): Promise<MemberRow> {
  const member = await getMemberByName(tx, username);
  if (member.username === newName) return member;
  await assertUsernameFree(tx, newName, member.id);
  // A renamed demo member is in use, so that removing the sample leaves it.
  const row = { ...member, username: newName, is_sample: 0n, updated_at: new Date().toISOString() };
  return saveMember(tx, row);
}

async function saveMember(tx: Db, row: MemberRow): Promise<MemberRow> {
  await updateMember(tx, row);
  await bumpRevisions(tx, ['records', `records:${row.id}`]);
  return row;
}

export const recordFields = [
  'username',
  'first_name',
  'last_name',
  'email',
  'phone',
  'address',
  'city',
  'state',
  'zipcode',
] as const;
/** Members are asked for these only if staff switched that on. */
export const addressFields: readonly string[] = ['phone', 'address', 'city', 'state', 'zipcode'];
const addressSetting = 'profile_address';

export async function asksForAddress(db: Db): Promise<boolean> {
  return (await getSetting(db, addressSetting)) === 'on';
}

export async function readOwnRecord(db: Db, id: bigint) {
  const record = await findMemberWithSetting(db, id, addressSetting);
  if (!record) return undefined;
  const { setting, ...row } = record;
  return { row, asksForAddress: setting === 'on' };
}

export async function setAddressFields(tx: Db, isOn: boolean): Promise<void> {
  await setSetting(tx, addressSetting, isOn ? 'on' : 'off');
}

export const longestRecordText = 200;
export type RecordFields = Pick<MemberRow, (typeof recordFields)[number]>;

/** Changes nothing if `updated_at` is not `version`. Throws unknownMember, invalidValue and alreadyExists. */
export const changeRecord = inTransaction(
  async (tx: Db, id: bigint, values: RecordFields, version: string) => {
    const [member] = await findMembersByIds(tx, [id]);
    if (!member) throw localizedError('unknownMember.deleted');
    if (recordFields.every((name) => member[name] === values[name])) return { row: member, isStale: false };
    if (member.updated_at !== version) return { row: member, isStale: true };
    if (values.username !== member.username) await assertUsernameFree(tx, values.username, id);
    const row = { ...member, ...values, is_sample: 0n, updated_at: new Date().toISOString() };
    return { row: await saveMember(tx, row), isStale: false };
  },
);

/** Throws unknownMember and invalidValue. */
export async function disableMember(tx: Db, username: string, isDisabled: boolean): Promise<MemberRow> {
  const before = await getMemberByName(tx, username);
  if (isDisabled) await assertStaffRemain(tx, before);
  return saveMember(tx, { ...before, is_disabled: isDisabled ? 1n : 0n });
}

/** Throws unknownMember and invalidValue. */
export const removeOwnAccount = inTransaction(async (tx: Db, id: bigint): Promise<void> => {
  const [member] = await findMembersByIds(tx, [id]);
  if (!member) throw localizedError('unknownMember.deletedAlready');
  await removeMember(tx, member.username);
});

/** Throws unknownMember and invalidValue. */
export async function setRole(tx: Db, username: string, role: MemberRow['role']): Promise<MemberRow> {
  const before = await getMemberByName(tx, username);
  if (role !== 'staff') await assertStaffRemain(tx, before);
  return saveMember(tx, { ...before, role, updated_at: new Date().toISOString() });
}

/** Throws invalidValue if nobody could administer the garden without this member, who still has what was set to sign in. */
export async function assertStaffRemain(tx: Db, member: MemberRow): Promise<void> {
  if (await isLastAdministrator(tx, member)) throw localizedError('invalidValue.lastAdministrator');
}

/** A proxy may sign in people who have set no way themselves, so without such a way everybody counts. */
export async function isLastAdministrator(
  db: Db,
  { id, role, is_disabled }: Pick<MemberRow, 'id' | 'role' | 'is_disabled'>,
): Promise<boolean> {
  if (role !== 'staff' || is_disabled !== 0n) return false;
  const others = await countStaff(db, id);
  return others.withSignIn === 0n && (others.all === 0n || (await canSignIn(db, id)));
}

/** Throws unknownMember and invalidValue. */
export async function removeMember(tx: Db, username: string) {
  const member = await getMemberByName(tx, username);
  const { id } = member;
  if (await hasMembers(tx, id)) await assertStaffRemain(tx, member);
  const belongings = await countBelongings(tx, id);
  const problemIds: bigint[] = [];
  for (const handle of await listHandlesWithoutCounts(tx, id))
    problemIds.push(...(await listProblemsOfHandle(tx, handle.id)));
  await forgetMember(tx, id);
  await deleteMember(tx, id);
  await deleteUnusedGymProblems(tx, [...new Set(problemIds)]);
  const own = [`records:${id}`, `statuses:${id}`, `bookmarks:${id}`] as const;
  await bumpRevisions(tx, ['records', 'statuses', 'bookmarks', ...own]);
  return { member, belongings };
}

/** Throws unknownMember. */
export async function getMemberByName(db: Db, username: string): Promise<MemberRow> {
  const member = await findMemberByName(db, username);
  if (member) return member;
  throw new AppError(
    'unknownMember',
    `There is no member called ${username}; garden member list shows all members, garden member create adds one.`,
  );
}

/** Throws invalidValue and alreadyExists. */
export async function assertUsernameFree(tx: Db, username: string, owner: bigint | undefined): Promise<void> {
  if (!isUsername(username)) {
    const shortened = JSON.stringify(username.slice(0, 70));
    throw localizedError('invalidValue.username', { username: shortened, advice: usernameAdvice });
  }
  const match = (await findMembersByNames(tx, lookalikeNames(username))).find(({ id }) => id !== owner);
  if (!match) return;
  const isSame = fold(match.username) === fold(username);
  throw localizedError(isSame ? 'alreadyExists.username' : 'alreadyExists.usernameLike', { username });
}

export function emptyMember(id: bigint, username: string, now: string): MemberRow {
  const unset = { ...emptyRow(recordColumnKinds), is_disabled: 0n, is_sample: 0n };
  return { ...unset, id, username, role: 'member', created_at: now, updated_at: now };
}

/** Reloading or prefetching requests an address again. */
const demoLinkUses = 10;

/** Former links of this kind end. */
export async function makeSetupKey(store: Store): Promise<string | undefined> {
  if (await hasMembers(store.reader)) return undefined;
  return store.write(async (tx) => {
    if (await hasMembers(tx)) return undefined;
    await deleteEntryLinks(tx, 'setup');
    return makeEntryLink(tx, { kind: 'setup', role: 'staff', uses: 1 });
  });
}

/** Former links of this kind end. */
export async function makeDemoKey(store: Store, username: string): Promise<string | undefined> {
  return store.write(async (tx) => {
    const demo = await findMemberByName(tx, username);
    if (demo?.is_sample !== 1n || (await hasMembers(tx))) return undefined;
    await deleteEntryLinks(tx, 'demo');
    const { id: userId } = demo;
    return makeEntryLink(tx, { kind: 'demo', userId, role: 'member', uses: demoLinkUses });
  });
}

/** Throws invalidValue. */
export async function makeFirstStaff(
  store: Store,
  { username, readPassword }: { username: string | undefined; readPassword(): Promise<string> },
): Promise<boolean> {
  if (await hasMembers(store.reader)) return false;
  if (username === undefined)
    throw invalidValue('ADMIN_PASSWORD needs ADMIN_USERNAME; set both, or neither.');
  if (!isUsername(username)) {
    throw localizedError('invalidValue.username', { username: 'ADMIN_USERNAME', advice: usernameAdvice });
  }
  const password = await readPassword();
  const fault = passwordFault(password, username);
  if (fault) throw invalidValue(`The password of ADMIN_USERNAME cannot be used. ${fault.message}`);
  const hash = await hashPassword(password);
  return store.write(async (tx) => {
    // Several servers may start at once.
    if (await hasMembers(tx)) return false;
    const member = await createMember(tx, { username, role: 'staff' });
    await setPasswordHash(tx, member.id, hash);
    await deleteEntryLinks(tx, 'setup');
    return true;
  });
}
