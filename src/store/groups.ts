/**
 * Groups and who is in them, which says who sees the lists that are given there. The addresses by which people join are in
 * `group-links.ts`.
 */
import { type SqlBool, sql } from 'kysely';
import type { GroupMembersTable, GroupRole, GroupsTable } from './group-tables.ts';
import { giveIds } from './ids.ts';
import { countRows } from './keyset.ts';
import { hasPageFor } from './public-pages.ts';
import type { Db, MembersTable } from './tables.ts';

/** A group, with what one member is in it. */
export type OwnGroup = GroupsTable & Pick<GroupMembersTable, 'role' | 'joined_at' | 'on_board'>;

/** Whether the maker of a row of a group still coaches the group. */
export const makerCoaches = (table: 'group_links' | 'webhooks') => sql<SqlBool>`EXISTS (
  SELECT 1 FROM group_members INNER JOIN members ON members.id = group_members.user_id
  WHERE members.id = ${sql.ref(`${table}.made_by`)} AND group_members.group_id = ${sql.ref(`${table}.group_id`)}
    AND group_members.role = 'coach' AND members.is_disabled = 0)`;

/** Somebody in a group, with the names that they have. */
export type GroupPerson = Pick<GroupMembersTable, 'user_id' | 'role' | 'joined_at'> &
  Pick<MembersTable, 'username' | 'first_name' | 'last_name'> & {
    /** 1 where members may see their public page. */
    has_page: bigint;
  };

/** Of `group_members` with `members`. */
export const personColumns = [
  'group_members.user_id',
  'group_members.role',
  'group_members.joined_at',
  'members.username',
  'members.first_name',
  'members.last_name',
  hasPageFor('members'),
] as const;

export const ownColumns = [
  'groups.id',
  'groups.name',
  'groups.zone',
  'groups.has_board',
  'groups.created_at',
  'group_members.role',
  'group_members.joined_at',
  'group_members.on_board',
] as const;

/** The group, if this member is in it. */
export async function findOwnGroup(db: Db, id: bigint, userId: bigint): Promise<OwnGroup | undefined> {
  return ownGroups(db, userId).where('groups.id', '=', id).executeTakeFirst();
}

/** The groups that a member is in, by name, with how many people are in each. */
export async function listOwnGroups(db: Db, userId: bigint): Promise<(OwnGroup & { people: bigint })[]> {
  return ownGroups(db, userId)
    .select(({ selectFrom, fn }) =>
      selectFrom('group_members as all')
        .select(fn.countAll<bigint>().as('people'))
        .whereRef('all.group_id', '=', 'groups.id')
        .$asScalar()
        .$notNull()
        .as('people'),
    )
    .orderBy('groups.name')
    .orderBy('groups.id')
    .execute();
}

function ownGroups(db: Db, userId: bigint) {
  return db
    .selectFrom('group_members')
    .innerJoin('groups', 'groups.id', 'group_members.group_id')
    .select(ownColumns)
    .where('group_members.user_id', '=', userId);
}

export async function findGroup(db: Db, id: bigint): Promise<GroupsTable | undefined> {
  return db.selectFrom('groups').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Everybody in a group: coaches first, then by username. */
export async function listGroupPeople(
  db: Db,
  groupId: bigint,
): Promise<(GroupPerson & Pick<GroupMembersTable, 'on_board'>)[]> {
  return db
    .selectFrom('group_members')
    .innerJoin('members', 'members.id', 'group_members.user_id')
    .select([...personColumns, 'group_members.on_board'])
    .where('group_id', '=', groupId)
    .orderBy('group_members.role')
    .orderBy('members.username_key')
    .execute();
}

export async function countGroupPeople(db: Db, groupId: bigint, role?: GroupRole): Promise<bigint> {
  const people = db.selectFrom('group_members').where('group_id', '=', groupId);
  return countRows(role === undefined ? people : people.where('role', '=', role));
}

export async function insertGroup(tx: Db, row: Omit<GroupsTable, 'id'>): Promise<bigint> {
  const [id = 0n] = await giveIds(tx, 'groups', 1);
  await tx
    .insertInto('groups')
    .values({ ...row, id })
    .execute();
  return id;
}

export async function updateGroup(
  tx: Db,
  id: bigint,
  values: Pick<GroupsTable, 'name' | 'zone'>,
): Promise<void> {
  await tx.updateTable('groups').set(values).where('id', '=', id).execute();
}

/** Switches the board of a group on, or off; then nobody stands on it any more, also when it is switched on again. */
export async function setBoard(tx: Db, id: bigint, isOn: boolean): Promise<void> {
  const has_board = isOn ? 1n : 0n;
  await tx.updateTable('groups').set({ has_board }).where('id', '=', id).execute();
  if (isOn) return;
  await tx.updateTable('group_members').set({ on_board: 0n }).where('group_id', '=', id).execute();
}

export async function deleteGroup(tx: Db, id: bigint): Promise<void> {
  await tx.deleteFrom('groups').where('id', '=', id).execute();
}

export async function insertGroupMember(tx: Db, row: GroupMembersTable): Promise<void> {
  await tx.insertInto('group_members').values(row).execute();
}

/** Changes what somebody is in a group; returns whether they are in it. */
export async function updateGroupMember(
  tx: Db,
  groupId: bigint,
  userId: bigint,
  values: Partial<Pick<GroupMembersTable, 'role' | 'on_board'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('group_members')
    .set(values)
    .where('group_id', '=', groupId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Takes somebody out of a group; returns whether they were in it. A group without anybody goes. */
export async function deleteGroupMember(tx: Db, groupId: bigint, userId: bigint): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('group_members')
    .where('group_id', '=', groupId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  await deleteIfEmpty(tx, [groupId]);
  return numDeletedRows > 0n;
}

/** Takes a member out of all groups. */
export async function leaveAllGroups(tx: Db, userId: bigint): Promise<void> {
  const left = await tx
    .deleteFrom('group_members')
    .where('user_id', '=', userId)
    .returning('group_id')
    .execute();
  await deleteIfEmpty(
    tx,
    left.map((row) => row.group_id),
  );
}

async function deleteIfEmpty(tx: Db, ids: readonly bigint[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .deleteFrom('groups')
    .where('id', 'in', ids)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('group_members')
            .select('group_members.user_id')
            .whereRef('group_members.group_id', '=', 'groups.id'),
        ),
      ),
    )
    .execute();
}
