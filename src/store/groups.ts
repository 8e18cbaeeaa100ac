/** Groups, their people, and the addresses by which people join. */
import { type Insertable, type SqlBool, sql } from 'kysely';
import { countRows } from './listings.ts';
import { deleteRows, findRow, insertRow, updateRows, upsertRow } from './rows.ts';
import { daySettingNames, hasPageFor, settingOf } from './settings.ts';
import { type State, shownStatus } from './statuses.ts';
import type { Db, Tables } from './tables.ts';

export interface GroupsTable {
  id: bigint;
  name: string;
  zone: string;
  language: string | null;
  has_board: bigint;
  created_at: string;
  /** While it is set, the group sends nothing and nothing new is made in it. */
  archived_at: string | null;
}

export type GroupRole = 'member' | 'coach';

export interface GroupMembersTable {
  group_id: bigint;
  user_id: bigint;
  role: GroupRole;
  joined_at: string;
  on_board: bigint;
  /** 1 where they agreed to be shown in seasons, 0 where they declined, null before they answered. */
  in_season: bigint | null;
  /** Its coaches and the person alone see it. */
  student_number: string | null;
  /** Whom of the class list they joined as. */
  expected_id: bigint | null;
}

/** A person on the class list of the group's coaches, who alone see it. */
export interface ExpectedPeopleTable {
  id: bigint;
  group_id: bigint;
  name: string;
  student_number: string | null;
}

/** Links that were made before a coach removed somebody do not let that person in again. */
export interface GroupRemovalsTable {
  group_id: bigint;
  user_id: bigint;
  removed_at: string;
}

export interface GroupLinksTable {
  id: bigint;
  group_id: bigint;
  digest: string;
  /** The coach who made it; null in rows that are older than this column. */
  made_by: bigint | null;
  uses_left: bigint;
  created_at: string;
  expires_at: string;
  /** The one person for whom it is. */
  expected_id: bigint | null;
}

/** The people of the group see the list while it is visible to everybody, or its owner coaches the group. */
export interface GroupListsTable {
  group_id: bigint;
  list_id: bigint;
  due_at: string | null;
  given_at: string;
  /** When the due date was set again. */
  changed_at: string | null;
}

declare module './tables.ts' {
  interface Tables {
    groups: GroupsTable;
    group_members: GroupMembersTable;
    expected_people: ExpectedPeopleTable;
    group_links: GroupLinksTable;
    group_removals: GroupRemovalsTable;
    group_lists: GroupListsTable;
  }
}

export type JoinedGroup = GroupsTable &
  Pick<
    GroupMembersTable,
    'role' | 'joined_at' | 'on_board' | 'in_season' | 'student_number' | 'expected_id'
  > & {
    has_season: bigint;
  };

export const isMakerCoach = (table: 'group_links' | 'webhooks') => sql<SqlBool>`EXISTS (
  SELECT 1 FROM group_members INNER JOIN members ON members.id = group_members.user_id
  WHERE members.id = ${sql.ref(`${table}.made_by`)} AND group_members.group_id = ${sql.ref(`${table}.group_id`)}
    AND group_members.role = 'coach' AND members.is_disabled = 0)`;

export type GroupPerson = Pick<GroupMembersTable, 'user_id' | 'role' | 'joined_at'> &
  Pick<Tables['members'], 'username' | 'first_name' | 'last_name'> & {
    has_page: bigint;
    /** The name of the class list, which its coaches alone see. */
    expected_name: string | null;
  };

export const personColumns = [
  'group_members.user_id',
  'group_members.role',
  'group_members.joined_at',
  'members.username',
  'members.first_name',
  'members.last_name',
  hasPageFor('members'),
  sql<string | null>`(SELECT expected_people.name FROM expected_people
    WHERE expected_people.id = group_members.expected_id)`.as('expected_name'),
] as const;

export const joinedGroupColumns = [
  'groups.id',
  'groups.name',
  'groups.zone',
  'groups.language',
  'groups.has_board',
  'groups.created_at',
  'groups.archived_at',
  'group_members.role',
  'group_members.joined_at',
  'group_members.on_board',
  'group_members.in_season',
  'group_members.student_number',
  'group_members.expected_id',
  sql<bigint>`CAST(CASE WHEN EXISTS (
    SELECT 1 FROM seasons WHERE seasons.group_id = groups.id) THEN 1 ELSE 0 END AS BIGINT)`.as('has_season'),
] as const;

export async function findJoinedGroup(db: Db, id: bigint, userId: bigint): Promise<JoinedGroup | undefined> {
  return ownGroups(db, userId).where('groups.id', '=', id).executeTakeFirst();
}

export async function listJoinedGroups(
  db: Db,
  userId: bigint,
): Promise<(JoinedGroup & { people: bigint })[]> {
  return ownGroups(db, userId)
    .select(({ selectFrom, fn }) =>
      selectFrom('group_members as all')
        .select(fn.countAll<bigint>().as('people'))
        .whereRef('all.group_id', '=', 'groups.id')
        .$asScalar()
        .$notNull()
        .as('people'),
    )
    .orderBy(sql`CASE WHEN archived_at IS NULL THEN 0 ELSE 1 END`)
    .orderBy('groups.name')
    .orderBy('groups.id')
    .execute();
}

function ownGroups(db: Db, userId: bigint) {
  return db
    .selectFrom('group_members')
    .innerJoin('groups', 'groups.id', 'group_members.group_id')
    .select(joinedGroupColumns)
    .where('group_members.user_id', '=', userId);
}

export const findGroup = (db: Db, id: bigint) => findRow(db, 'groups', { id });

export type ListedPerson = GroupPerson &
  Pick<GroupMembersTable, 'group_id' | 'student_number'> &
  Pick<Tables['members'], 'is_disabled'>;

export async function listGroupPeople(db: Db, ...groupIds: readonly bigint[]): Promise<ListedPerson[]> {
  return db
    .selectFrom('group_members')
    .innerJoin('members', 'members.id', 'group_members.user_id')
    .select([...personColumns, 'group_id', 'is_disabled', 'student_number'])
    .where('group_id', 'in', groupIds)
    .orderBy('group_members.role')
    .orderBy('members.username_key')
    .execute();
}

export async function countGroupPeople(db: Db, groupId: bigint): Promise<bigint> {
  return countRows(db.selectFrom('group_members').where('group_id', '=', groupId));
}

export const insertGroup = (tx: Db, row: Omit<GroupsTable, 'id'>) => insertRow(tx, 'groups', row);

export const updateGroup = (tx: Db, id: bigint, values: Pick<GroupsTable, 'name' | 'zone' | 'language'>) =>
  updateRows(tx, 'groups', { id }, values);

/** Switching the board off takes everybody off it, for good. */
export async function setBoard(tx: Db, id: bigint, isOn: boolean): Promise<void> {
  await updateRows(tx, 'groups', { id }, { has_board: isOn ? 1n : 0n });
  if (!isOn) await updateRows(tx, 'group_members', { group_id: id }, { on_board: 0n });
}

export const setArchivedAt = (tx: Db, id: bigint, archived_at: string | null) =>
  updateRows(tx, 'groups', { id }, { archived_at });

export const deleteGroup = (tx: Db, id: bigint) => deleteRows(tx, 'groups', { id });

export async function insertGroupMember(tx: Db, row: Insertable<GroupMembersTable>): Promise<void> {
  await tx.insertInto('group_members').values(row).execute();
}

export const updateGroupMember = (
  tx: Db,
  groupId: bigint,
  userId: bigint,
  values: Partial<Pick<GroupMembersTable, 'role' | 'on_board' | 'in_season' | 'student_number'>>,
) => updateRows(tx, 'group_members', { group_id: groupId, user_id: userId }, values);

/** Deletes the group too if nobody is left in it. */
export async function deleteGroupMember(tx: Db, groupId: bigint, userId: bigint): Promise<boolean> {
  const wasMember = await deleteRows(tx, 'group_members', { group_id: groupId, user_id: userId });
  const rounds = tx.selectFrom('rounds').select('id').where('group_id', '=', groupId);
  await tx.deleteFrom('round_people').where('user_id', '=', userId).where('round_id', 'in', rounds).execute();
  await deleteEmptyGroups(tx, [groupId]);
  return wasMember;
}

export async function leaveAllGroups(tx: Db, userId: bigint): Promise<void> {
  const memberships = await tx
    .deleteFrom('group_members')
    .where('user_id', '=', userId)
    .returning('group_id')
    .execute();
  await deleteEmptyGroups(
    tx,
    memberships.map((row) => row.group_id),
  );
}

async function deleteEmptyGroups(tx: Db, ids: readonly bigint[]): Promise<void> {
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

export const insertGroupLink = (tx: Db, row: Omit<GroupLinksTable, 'id'>) =>
  insertRow(tx, 'group_links', row);

export async function findGroupLink(
  db: Db,
  digest: string,
  now: string,
): Promise<GroupLinksTable | undefined> {
  return usableLinks(db, now).selectAll().where('digest', '=', digest).executeTakeFirst();
}

/** The group that the member joined with this link of their own. */
export async function findGroupJoinedBy(db: Db, digest: string, userId: bigint): Promise<bigint | undefined> {
  const row = await db
    .selectFrom('group_links')
    .innerJoin('group_members', 'group_members.expected_id', 'group_links.expected_id')
    .select('group_members.group_id')
    .where('digest', '=', digest)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.group_id;
}

export type OpenGroupLink = GroupLinksTable & { maker: string | null };

export async function listGroupLinks(db: Db, groupId: bigint, now: string): Promise<OpenGroupLink[]> {
  return usableLinks(db, now)
    .leftJoin('members as makers', 'makers.id', 'group_links.made_by')
    .selectAll('group_links')
    .select('makers.username as maker')
    .where('group_id', '=', groupId)
    .where('expected_id', 'is', null)
    .orderBy('group_links.id', 'desc')
    .execute();
}

/** A link is usable while its maker coaches the group. */
function usableLinks(db: Db, now: string) {
  return db
    .selectFrom('group_links')
    .where('expires_at', '>', now)
    .where('uses_left', '>', 0n)
    .where(({ eb, or }) => or([eb('made_by', 'is', null), isMakerCoach('group_links')]));
}

/** False if no use was left: of several callers at once only as many succeed. */
export async function useGroupLink(tx: Db, id: bigint): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('group_links')
    .set((eb) => ({ uses_left: eb('uses_left', '-', 1n) }))
    .where('id', '=', id)
    .where('uses_left', '>', 0n)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export const deleteLinksOfExpected = (tx: Db, expected_id: bigint) =>
  deleteRows(tx, 'group_links', { expected_id });

export const insertExpectedPerson = (tx: Db, row: Omit<ExpectedPeopleTable, 'id'>) =>
  insertRow(tx, 'expected_people', row);

export const findExpectedPerson = (db: Db, id: bigint) => findRow(db, 'expected_people', { id });

export const deleteExpectedPerson = (tx: Db, groupId: bigint, id: bigint) =>
  deleteRows(tx, 'expected_people', { id, group_id: groupId });

/** For coaches alone: each with the member who joined as this person, or until when their link works. */
export async function listExpectedPeople(db: Db, groupId: bigint, now: string) {
  return db
    .selectFrom('expected_people')
    .leftJoin('group_members', 'group_members.expected_id', 'expected_people.id')
    .leftJoin('members', 'members.id', 'group_members.user_id')
    .leftJoin(
      usableLinks(db, now).select(['expected_id', 'expires_at']).where('group_id', '=', groupId).as('links'),
      (join) => join.onRef('links.expected_id', '=', 'expected_people.id'),
    )
    .select(['expected_people.id', 'expected_people.name', 'expected_people.student_number'])
    .select(['members.id as user_id', 'username', hasPageFor('members'), 'links.expires_at'])
    .where('expected_people.group_id', '=', groupId)
    .orderBy('expected_people.id')
    .execute();
}

/** Who has not joined, in all groups that are not archived. */
export const listWaitingPeople = (db: Db) =>
  db
    .selectFrom('expected_people')
    .innerJoin('groups', 'groups.id', 'expected_people.group_id')
    .leftJoin('group_members', 'group_members.expected_id', 'expected_people.id')
    .select(['expected_people.name', 'expected_people.student_number'])
    .where('groups.archived_at', 'is', null)
    .where('group_members.user_id', 'is', null)
    .execute();

export type ExpectedPerson = Awaited<ReturnType<typeof listExpectedPeople>>[number];

export const numberExpectedPerson = (tx: Db, id: bigint, student_number: string) =>
  updateRows(tx, 'expected_people', { id }, { student_number });

/** A number that the member has entered stays. Whoever had entered this person's number is not ticked any more. */
export async function tickExpected(
  tx: Db,
  { id, group_id, student_number }: Omit<ExpectedPeopleTable, 'name'>,
  userId: bigint,
): Promise<void> {
  await updateRows(tx, 'group_members', { expected_id: id }, { expected_id: null });
  await tx
    .updateTable('group_members')
    .set(({ fn, val }) => ({
      expected_id: id,
      student_number: fn.coalesce('student_number', val(student_number)),
    }))
    .where('group_id', '=', group_id)
    .where('user_id', '=', userId)
    .execute();
}

export const deleteGroupLink = (tx: Db, groupId: bigint, id: bigint) =>
  deleteRows(tx, 'group_links', { id, group_id: groupId });

export const findRemoval = (db: Db, person: Pick<GroupRemovalsTable, 'group_id' | 'user_id'>) =>
  findRow(db, 'group_removals', person);

export const saveRemoval = (tx: Db, row: GroupRemovalsTable) =>
  upsertRow(tx, 'group_removals', ['group_id', 'user_id'], row);

export async function deleteUnusableGroupLinks(tx: Db, groupId: bigint, now: string): Promise<void> {
  await tx
    .deleteFrom('group_links')
    .where('group_id', '=', groupId)
    .where('expected_id', 'is', null)
    .where((eb) => eb.or([eb('expires_at', '<=', now), eb('uses_left', '=', 0n)]))
    .execute();
}

export type BoardPerson = GroupPerson &
  Pick<GroupMembersTable, 'on_board'> & { time_zone: string | null; day_start: string | null };

export async function listBoardPeople(db: Db, groupId: bigint): Promise<BoardPerson[]> {
  return db
    .selectFrom('group_members')
    .innerJoin('members', 'members.id', 'group_members.user_id')
    .select(personColumns)
    .select('on_board')
    .select([
      settingOf('members.id', daySettingNames.zone).as('time_zone'),
      settingOf('members.id', daySettingNames.startHour).as('day_start'),
    ])
    .where('group_id', '=', groupId)
    .where('is_disabled', '=', 0n)
    .orderBy('username')
    .execute();
}

/** False if the group has no board, or they are not in it. */
export async function setOnBoard(tx: Db, groupId: bigint, userId: bigint, isOn: boolean): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('group_members')
    .set({ on_board: isOn ? 1n : 0n })
    .where('group_id', '=', groupId)
    .where('user_id', '=', userId)
    .where('group_id', 'in', tx.selectFrom('groups').select('groups.id').where('has_board', '=', 1n))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function countListFinishers(
  db: Db,
  groupId: bigint,
  listId: bigint,
): Promise<{ people: number; done: number }> {
  const items = db.selectFrom('list_items').select('list_items.problem_id').where('list_id', '=', listId);
  const { people, done } = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('group_members')
        .innerJoin('members', 'members.id', 'group_members.user_id')
        .leftJoin('statuses', (join) =>
          join
            .onRef('statuses.user_id', '=', 'group_members.user_id')
            .on('statuses.problem_id', 'in', items)
            .on(sql<boolean>`${shownStatus} = 'complete'`),
        )
        .select((one) => ['group_members.user_id', one.fn.count<bigint>('statuses.problem_id').as('solved')])
        .where('group_members.group_id', '=', groupId)
        .where('group_members.role', '=', 'member')
        .where('is_disabled', '=', 0n)
        .groupBy('group_members.user_id')
        .as('per_person'),
    )
    .select((eb) => [
      eb.fn.countAll<bigint>().as('people'),
      sql<bigint>`count(CASE WHEN solved >= (SELECT count(*) FROM (${items}) AS items) THEN 1 END)`.as(
        'done',
      ),
    ])
    .executeTakeFirstOrThrow();
  return { people: Number(people), done: Number(done) };
}

/** A state counts whether a person marked it or a judge reported it. */
export async function listProblemsTriedBy(
  db: Db,
  groupId: bigint,
  problemIds: readonly bigint[],
  states: readonly State[],
): Promise<bigint[]> {
  const people = db.selectFrom('group_members').select('user_id').where('group_id', '=', groupId);
  const rows = await db
    .selectFrom('statuses')
    .select('problem_id')
    .distinct()
    .where('problem_id', 'in', problemIds)
    .where('user_id', 'in', people)
    .where((eb) => eb.or([eb(shownStatus, 'in', states), eb('judge_status', 'in', states)]))
    .execute();
  return rows.map(({ problem_id }) => problem_id);
}
