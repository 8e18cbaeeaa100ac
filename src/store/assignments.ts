/** Assignments: the lists of groups, and the marks of their people. */
import { setImmediate } from 'node:timers/promises';
import { type SqlBool, sql } from 'kysely';
import {
  type GroupListsTable,
  type GroupPerson,
  type GroupRole,
  type JoinedGroup,
  joinedGroupColumns,
  personColumns,
} from './groups.ts';
import { type ListsTable, problemCounts } from './lists.ts';
import { prepared } from './prepared.ts';
import { deleteRows } from './rows.ts';
import type { StatusesTable } from './statuses.ts';
import type { Db } from './tables.ts';

export type AssignedList = Pick<GroupListsTable, 'list_id' | 'due_at' | 'given_at'> &
  Pick<ListsTable, 'name' | 'updated_at'>;

export type GroupWithLists = JoinedGroup & { lists: readonly (AssignedList & { is_course: bigint })[] };

export type MarkRow = Pick<StatusesTable, 'self_status' | 'self_at' | 'judge_status' | 'judge_at' | 'how'> & {
  /** When the person last sent a submission to the problem. */
  sent_at: string | null;
  /** When the person first marked it or sent a submission, where that is known. */
  begun_at: string | null;
};

const isListShown = sql<SqlBool>`(lists.visibility = 'garden' OR EXISTS (
  SELECT 1 FROM group_members AS coaches
  WHERE coaches.group_id = group_lists.group_id AND coaches.user_id = lists.owner_id AND coaches.role = 'coach'))`;

/** Whether a section of the list is a module, which has an id. */
const isCourse = sql<bigint>`CAST(CASE WHEN EXISTS (
  SELECT 1 FROM list_sections WHERE list_sections.list_id = lists.id AND extras LIKE '%"id"%')
  THEN 1 ELSE 0 END AS BIGINT)`;

/** One statement reads all of this, because every page of a group begins with it. */
export async function findGroupWithLists(
  db: Db,
  id: bigint,
  userId: bigint,
): Promise<GroupWithLists | undefined> {
  const rows = await db
    .selectFrom('group_members')
    .innerJoin('groups', 'groups.id', 'group_members.group_id')
    .leftJoin(
      (eb) =>
        eb
          .selectFrom('group_lists')
          .innerJoin('lists', 'lists.id', 'group_lists.list_id')
          .select([
            'list_id',
            'due_at',
            'given_at',
            'lists.name as list_name',
            'updated_at',
            isCourse.as('is_course'),
          ])
          .where('group_id', '=', id)
          .where(isListShown)
          .as('assigned'),
      (join) => join.onTrue(),
    )
    .select(joinedGroupColumns)
    .select([
      'assigned.list_id',
      'assigned.due_at',
      'assigned.given_at',
      'assigned.list_name',
      'assigned.updated_at',
      'assigned.is_course',
    ])
    .where('group_members.user_id', '=', userId)
    .where('groups.id', '=', id)
    .orderBy('assigned.given_at', 'desc')
    .orderBy('assigned.list_id', 'desc')
    .execute();
  const [first] = rows;
  if (!first) return undefined;
  const { name, zone, language, has_board, created_at, archived_at } = first;
  const { role, joined_at, on_board, in_season, student_number, expected_id, has_season } = first;
  const lists = rows.flatMap(({ list_id, due_at, given_at, list_name, updated_at, is_course }) =>
    list_id === null || given_at === null
      ? []
      : [
          {
            list_id,
            due_at,
            given_at,
            name: list_name ?? '',
            updated_at: updated_at ?? '',
            is_course: is_course ?? 0n,
          },
        ],
  );
  const membership = { role, joined_at, on_board, in_season, student_number, expected_id, has_season };
  return { id: first.id, name, zone, language, has_board, created_at, archived_at, ...membership, lists };
}

const ownSolves = sql`solves WHERE solves.problem_id = statuses.problem_id AND solves.handle_id IN (
  SELECT handles.id FROM handles WHERE handles.user_id = statuses.user_id)`;

/** A row for each person, because many short rows take longer to read than the marks in them. */
const marksOfPerson = sql<string>`string_agg(concat(problem_id, ' ', self_status, ' ', self_at, ' ', judge_status, ' ',
  judge_at, ' ', how, ' ', (SELECT min(made_at) FROM changes WHERE changes.problem_id = statuses.problem_id
    AND changes.user_id = statuses.user_id AND kind = 'status' AND undone_at IS NULL), ' ',
  (SELECT concat(min(submitted_at), ' ', max(submitted_at)) FROM ${ownSolves})), ',')`;

function markIn(text: string): [problem: bigint, mark: MarkRow] {
  const [id = '', self_status, self_at, judge_status, judge_at, how, marked = '', sent = '', sent_at] =
    text.split(' ');
  const begun_at = (marked && sent && (marked < sent ? marked : sent)) || marked || sent || null;
  const texts = {
    self_status: self_status || null,
    self_at: self_at || null,
    judge_status: judge_status || null,
    judge_at: judge_at || null,
    how: how || null,
    sent_at: sent_at || null,
    begun_at,
  };
  return [BigInt(id), texts as MarkRow];
}

const marksOnLists = (db: Db, listIds: readonly bigint[]) =>
  db
    .selectFrom('statuses')
    .select(marksOfPerson.as('marks'))
    .where(
      'problem_id',
      'in',
      db.selectFrom('list_items').select('list_items.problem_id').where('list_id', 'in', listIds),
    );

export type Marks = ReadonlyMap<bigint, MarkRow>;

async function parseMarks<Row extends { marks: string | null }>(
  rows: readonly Row[],
): Promise<(Row & { byProblem: Marks })[]> {
  const parsed: (Row & { byProblem: Marks })[] = [];
  for (const row of rows) {
    parsed.push({ ...row, byProblem: new Map(row.marks?.split(',').map(markIn)) });
    // Other requests run between the people, of whom each may have thousands of marks.
    await setImmediate();
  }
  return parsed;
}

/** Disabled members are left out. */
export async function listPeopleWithMarks(
  db: Db,
  groupId: bigint,
  listId: bigint,
  userId?: bigint,
): Promise<(GroupPerson & { byProblem: Marks })[]> {
  let query = db
    .selectFrom('group_members')
    .innerJoin('members', 'members.id', 'group_members.user_id')
    .select(personColumns)
    .select(
      marksOnLists(db, [listId])
        .where('statuses.user_id', '=', sql.ref<bigint>('group_members.user_id'))
        .as('marks'),
    )
    .where('group_members.group_id', '=', groupId)
    .where('is_disabled', '=', 0n);
  if (userId !== undefined) query = query.where('group_members.user_id', '=', userId);
  return parseMarks(await query.execute());
}

/** What these people marked or sent of these lists. Whether a list is assigned to a person is for the caller to know. */
export async function listMarks(
  db: Db,
  listIds: readonly bigint[],
  userIds: readonly bigint[],
): Promise<Map<bigint, Marks>> {
  if (listIds.length === 0 || userIds.length === 0) return new Map();
  const rows = await marksOnLists(db, listIds)
    .select('user_id')
    .where('user_id', 'in', userIds)
    .groupBy('user_id')
    .execute();
  return new Map((await parseMarks(rows)).map(({ user_id, byProblem }) => [user_id, byProblem]));
}

export type MemberAssignment = AssignedList & {
  group_id: bigint;
  group: string;
  changed_at: string | null;
  zone: string;
  role: GroupRole;
  problems: bigint;
  solved: bigint;
};

export interface DueSpan {
  from: string;
  until: string;
}

export async function listDueInGroup(
  db: Db,
  groupId: bigint,
  { from, until }: DueSpan,
  limit: number,
): Promise<{ list_id: bigint; due_at: string; name: string }[]> {
  return db
    .selectFrom('group_lists')
    .innerJoin('lists', 'lists.id', 'group_lists.list_id')
    .select(['list_id', 'name'])
    .select((eb) => eb.ref('due_at').$notNull().as('due_at'))
    .where('group_id', '=', groupId)
    .where('due_at', '>=', from)
    .where('due_at', '<', until)
    .where(isListShown)
    .orderBy('due_at')
    .orderBy('list_id')
    .limit(limit)
    .execute();
}

/** Ordered by due date; those without one come last. */
export async function listMemberAssignments(
  db: Db,
  userId: bigint,
  range?: DueSpan,
): Promise<MemberAssignment[]> {
  if (!range) return assignmentsOf(db, { userId });
  return assignmentsQuery(db, userId)
    .where('due_at', '>=', range.from)
    .where('due_at', '<', range.until)
    .execute();
}

function assignmentsQuery(db: Db, userId: bigint) {
  return db
    .selectFrom('group_members')
    .innerJoin('groups', 'groups.id', 'group_members.group_id')
    .innerJoin('group_lists', 'group_lists.group_id', 'groups.id')
    .innerJoin('lists', 'lists.id', 'group_lists.list_id')
    .select([
      'groups.id as group_id',
      'groups.name as group',
      'zone',
      'role',
      'list_id',
      'due_at',
      'given_at',
      'changed_at',
    ])
    .select(['lists.name', 'lists.updated_at'])
    .select(problemCounts(db, userId))
    .where('group_members.user_id', '=', userId)
    .where('archived_at', 'is', null)
    .where(isListShown)
    .orderBy(sql`case when due_at is null then 1 else 0 end`)
    .orderBy('due_at')
    .orderBy('given_at', 'desc');
}

const assignmentsOf = prepared((db, { userId }: { userId: bigint }) => assignmentsQuery(db, userId));

export async function putGroupList(tx: Db, row: Omit<GroupListsTable, 'changed_at'>): Promise<void> {
  const { due_at, given_at: changed_at } = row;
  await tx
    .insertInto('group_lists')
    .values(row)
    .onConflict((conflict) => conflict.columns(['group_id', 'list_id']).doUpdateSet({ due_at, changed_at }))
    .execute();
}

export const deleteGroupList = (tx: Db, groupId: bigint, listId: bigint) =>
  deleteRows(tx, 'group_lists', { group_id: groupId, list_id: listId });
