/** Members: how they are made, renamed, disabled and deleted. */
import { AppError } from '../errors.ts';
import { giveIds } from '../store/ids.ts';
import {
  countBelongings,
  countStaff,
  deleteMember,
  findMemberByName,
  findMembersByIds,
  hasMembers,
  insertMembers,
  type MemberRow,
  updateMember,
} from '../store/members.ts';
import { bumpRevisions } from '../store/revisions.ts';
import { type Db, emptyRow, recordKinds } from '../store/tables.ts';

/** Whether the text can be a username, which stands on command lines and in URLs. */
export function isUsername(text: string): boolean {
  return /^[^\s\p{C}/?#]{1,64}$/u.test(text);
}

/** Throws badSetting and alreadyExists. */
export async function createMember(
  tx: Db,
  values: Partial<MemberRow> & { username: string },
): Promise<MemberRow> {
  const { username } = values;
  await assertFree(tx, username, undefined);
  const [id = 0n] = await giveIds(tx, 'members', 1);
  const row = { ...emptyMember(id, username, new Date().toISOString()), ...values };
  await insertMembers(tx, [row]);
  await bumpRevisions(tx, ['records', `records:${id}`]);
  return row;
}

/** Throws unknownMember, badSetting and alreadyExists. */
export async function renameMember(tx: Db, username: string, newName: string): Promise<MemberRow> {
  const member = await getMemberByName(tx, username);
  await assertFree(tx, newName, member.id);
  if (member.username === newName) return member;
  // A renamed demo member is in use, so the removal of the sample leaves it.
  const row = { ...member, username: newName, is_sample: 0n, updated_at: new Date().toISOString() };
  await updateMember(tx, row);
  await bumpRevisions(tx, ['records', `records:${row.id}`]);
  return row;
}

/** The fields of their record that members change themselves. */
export const ownFields = [
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
/** The longest text that members give themselves in one of them; what staff import may be longer, and stays until it changes. */
export const longestOwnText = 200;
export type OwnFields = Pick<MemberRow, (typeof ownFields)[number]>;

/**
 * Changes a member's own record, unless it changed since its `updated_at` was `seen`; answers the row as it is then, and whether
 * it was overtaken. Throws unknownMember, badSetting and alreadyExists.
 */
export async function changeRecord(
  tx: Db,
  id: bigint,
  values: OwnFields,
  seen: string,
): Promise<{ row: MemberRow; isOvertaken: boolean }> {
  const [member] = await findMembersByIds(tx, [id]);
  if (!member) throw new AppError('unknownMember', 'This member was deleted meanwhile.');
  if (ownFields.every((name) => member[name] === values[name])) return { row: member, isOvertaken: false };
  if (member.updated_at !== seen) return { row: member, isOvertaken: true };
  await assertFree(tx, values.username, id);
  // A demo member with a record of somebody's own is in use, so the removal of the sample leaves it.
  const row = { ...member, ...values, is_sample: 0n, updated_at: new Date().toISOString() };
  await updateMember(tx, row);
  await bumpRevisions(tx, ['records', `records:${id}`]);
  return { row, isOvertaken: false };
}

/** Disables a member with all their tokens, or enables them again. Throws unknownMember. */
export async function disableMember(tx: Db, username: string, isDisabled: boolean): Promise<MemberRow> {
  const member = { ...(await getMemberByName(tx, username)), is_disabled: isDisabled ? 1n : 0n };
  await updateMember(tx, member);
  await bumpRevisions(tx, ['records', `records:${member.id}`]);
  return member;
}

/** Deletes the account of a member who asked for it. Throws unknownMember, and badSetting where the others would be without staff. */
export async function removeOwnAccount(tx: Db, id: bigint): Promise<void> {
  const [member] = await findMembersByIds(tx, [id]);
  if (!member) throw new AppError('unknownMember', 'This account was deleted already.');
  await removeMember(tx, member.username);
  if (member.role === 'staff' && (await hasMembers(tx))) await assertStaffRemain(tx);
}

/** Makes a member staff, or takes that from them. Throws unknownMember. */
export async function setRole(tx: Db, username: string, role: MemberRow['role']): Promise<MemberRow> {
  const found = await getMemberByName(tx, username);
  const member = { ...found, role, updated_at: new Date().toISOString() };
  await updateMember(tx, member);
  await bumpRevisions(tx, ['records', `records:${member.id}`]);
  return member;
}

/** Throws badSetting where a change has left nobody who looks after the garden. */
export async function assertStaffRemain(tx: Db): Promise<void> {
  if ((await countStaff(tx)) > 0n) return;
  throw new AppError(
    'badSetting',
    'Nothing was changed: this is the only staff. Make another member staff first.',
  );
}

/** Deletes a member and all that is theirs, and returns how much that was. Throws unknownMember. */
export async function removeMember(tx: Db, username: string) {
  const member = await getMemberByName(tx, username);
  const { id } = member;
  const belongings = await countBelongings(tx, id);
  await deleteMember(tx, id);
  const own = [`records:${id}`, `statuses:${id}`, `bookmarks:${id}`] as const;
  await bumpRevisions(tx, ['records', 'statuses', 'bookmarks', 'lists', ...own]);
  return { member, belongings };
}

/** The member of this name, in any case. Throws unknownMember. */
export async function getMemberByName(db: Db, username: string): Promise<MemberRow> {
  const member = await findMemberByName(db, username);
  if (member) return member;
  throw new AppError(
    'unknownMember',
    `There is no member called ${username}; garden member list shows who there is, garden member create makes one.`,
  );
}

/** Throws badSetting for an impossible name, and alreadyExists for one that another member has, in any case. */
async function assertFree(tx: Db, username: string, owner: bigint | undefined): Promise<void> {
  if (!isUsername(username)) {
    throw new AppError(
      'badSetting',
      `${JSON.stringify(username.slice(0, 70))} cannot be a username; use 1 to 64 visible characters without spaces, "/", "?" or "#".`,
    );
  }
  const found = await findMemberByName(tx, username);
  if (found && found.id !== owner) {
    throw new AppError('alreadyExists', `There is a member called ${username} already; choose another name.`);
  }
}

export function emptyMember(id: bigint, username: string, now: string): MemberRow {
  const unset = { ...emptyRow(recordKinds), is_disabled: 0n, is_sample: 0n };
  return { ...unset, id, username, role: 'member', created_at: now, updated_at: now };
}
