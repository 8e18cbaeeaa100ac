/** Assignments, which are lists given to groups, and the table of who solved what and when. */

import { dayMs } from '../durations.ts';
import { localizedError } from '../errors.ts';
import {
  type AssignedList,
  deleteGroupList,
  findGroupWithLists,
  type GroupWithLists,
  listPeopleWithMarks,
  type MarkRow,
  type Marks,
  putGroupList,
} from '../store/assignments.ts';
import type { GroupPerson } from '../store/groups.ts';
import { findVisibleList, listProblemsOfList, listSections, type ProblemInList } from '../store/lists.ts';
import type { How, State } from '../store/statuses.ts';
import { shownStateOf } from '../store/statuses.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { type AddLimits, longestTitle, type ProblemToAdd, plainLine } from './added-problems.ts';
import { courseOf } from './courses.ts';
import { asCoach, assertCoach, type CoachOfGroup } from './groups.ts';
import { makeList } from './lists.ts';

const inactiveMs = 7 * dayMs;
const listsAtMost = 100;
const problemsAtMost = 100;

export interface AssignmentCell {
  state: State;
  isSelfReported: boolean;
  how: How | null;
  isLate: boolean;
  /** Whether the day of the solve is unknown; then it is not late. */
  isUndated: boolean;
}

export interface AssignmentRow {
  person: GroupPerson;
  cells: readonly AssignmentCell[];
  solved: number;
  late: number;
  activeAt: string | undefined;
  isInactive: boolean;
  /** Always false for a coach, who does not have to solve an assigned list. */
  isBehind: boolean;
}

export interface AssignmentTable {
  problems: readonly ProblemInList[];
  rows: readonly AssignmentRow[];
  /** A coach's table has at most 100 problems; this is the number of the others. */
  omittedCount: number;
  /** The number of problems that joined the list after it was assigned. */
  addedCount: number;
  isListChanged: boolean;
}

/** Throws invalidValue. */
export const assignList = inTransaction(
  async (tx: Db, target: CoachOfGroup & { listId: bigint }, dueAt: string | null) => {
    const { groupId, coachId, listId } = target;
    await assertCoach(tx, target);
    const group = await findGroupWithLists(tx, groupId, coachId);
    if (group && !group.lists.some(({ list_id }) => list_id === listId))
      await assertAssignable(tx, group, target);
    const row = { group_id: groupId, list_id: listId, due_at: dueAt, given_at: new Date().toISOString() };
    await putGroupList(tx, row);
  },
);

async function assertAssignable(
  tx: Db,
  group: GroupWithLists,
  { coachId, listId }: { coachId: bigint; listId: bigint },
): Promise<void> {
  const list = await findVisibleList(tx, listId, coachId);
  // A coach may not pass on a list of somebody else that they see only through another group.
  if (!list || (list.owner_id !== coachId && list.visibility !== 'garden'))
    throw localizedError('invalidValue.noSuchList');
  if (list.problems > BigInt(problemsAtMost) && !courseOf(await listSections(tx, listId, { limit: 0 })))
    throw localizedError('invalidValue.assignedProblems', { most: problemsAtMost });
  if (group.lists.length >= listsAtMost)
    throw localizedError('invalidValue.assignments', { most: listsAtMost });
}

/** Returns the id of the new list. Throws invalidValue. */
export const assignContest = inTransaction(
  async (
    tx: Db,
    coach: CoachOfGroup,
    contest: { title: string; problems: readonly ProblemToAdd[] },
    dueAt: string | null,
    limits: AddLimits,
  ): Promise<bigint> => {
    await assertCoach(tx, coach);
    if (contest.problems.length === 0) throw localizedError('invalidValue.contestEmpty');
    if (contest.problems.length > problemsAtMost)
      throw localizedError('invalidValue.assignedProblems', { most: problemsAtMost });
    const content = [{ name: '', items: contest.problems.map((problem) => ({ problem })) }];
    const name = plainLine(contest.title, longestTitle);
    const listId = await makeList(tx, { ownerId: coach.coachId, name, content }, limits);
    await assignList(tx, { ...coach, listId }, dueAt);
    return listId;
  },
);

export const unassignList = asCoach(deleteGroupList);

export function currentAssignment<One extends AssignedList>(
  lists: readonly One[],
  now: number,
): One | undefined {
  const at = new Date(now).toISOString();
  const notYetDue = lists.filter(({ due_at }) => due_at !== null && due_at >= at);
  const [next] = notYetDue.toSorted((a, b) => Date.parse(a.due_at ?? '') - Date.parse(b.due_at ?? ''));
  return next ?? lists[0];
}

const untouchedCell: AssignmentCell = {
  state: 'not_started',
  isSelfReported: false,
  how: null,
  isLate: false,
  isUndated: false,
};

export async function readAssignmentTable(
  db: Db,
  group: GroupWithLists,
  assignment: AssignedList,
  viewerId: bigint,
  now: number,
): Promise<AssignmentTable> {
  const allProblems = await listProblemsOfList(db, assignment.list_id);
  const onlyMemberId = group.role === 'coach' ? undefined : viewerId;
  const problems = onlyMemberId === undefined ? allProblems.slice(0, problemsAtMost) : allProblems;
  const people = await listPeopleWithMarks(db, group.id, assignment.list_id, onlyMemberId);
  const tableRows = people.map((person) => tableRowOf(person, problems, assignment, now));
  return {
    problems,
    rows: tableRows.toSorted((a, b) => (a.person.username < b.person.username ? -1 : 1)),
    omittedCount: allProblems.length - problems.length,
    addedCount: allProblems.filter(({ added_at }) => added_at > assignment.given_at).length,
    isListChanged: assignment.updated_at > assignment.given_at,
  };
}

function tableRowOf(
  {
    user_id,
    role,
    joined_at,
    username,
    first_name,
    last_name,
    has_page,
    expected_name,
    byProblem,
  }: GroupPerson & { byProblem: Marks },
  problems: readonly ProblemInList[],
  assignment: AssignedList,
  now: number,
): AssignmentRow {
  const { due_at, given_at } = assignment;
  const work = workOn(problems, byProblem, due_at);
  return {
    person: { user_id, role, joined_at, username, first_name, last_name, has_page, expected_name },
    ...work,
    isInactive:
      work.solved < problems.length && isInactiveSince([work.activeAt ?? '', given_at, joined_at], now),
    isBehind: role === 'member' && work.solved < expectedSolved(assignment, problems.length, now),
  };
}

/** The share of the time that is over, in whole problems; none without a due date. */
export function expectedSolved(
  { given_at, due_at }: Pick<AssignedList, 'given_at' | 'due_at'>,
  problems: number,
  now: number,
): number {
  if (due_at === null) return 0;
  const [givenAt, dueAt] = [Date.parse(given_at), Date.parse(due_at)];
  return Math.floor(problems * Math.min(1, (now - givenAt) / Math.max(1, dueAt - givenAt)));
}

export const isInactiveSince = (moments: readonly string[], now: number) =>
  now - Date.parse(moments.toSorted().at(-1) ?? '') >= inactiveMs;

export function workOn(
  problems: readonly Pick<ProblemInList, 'id' | 'added_at'>[],
  marks: Marks,
  dueAt: string | null,
): Pick<AssignmentRow, 'cells' | 'solved' | 'late' | 'activeAt'> {
  let [solved, late, activeAt] = [0, 0, ''];
  const cells = problems.map(({ id, added_at }) => {
    const row = marks.get(id);
    if (!row) return untouchedCell;
    for (const at of [row.self_at, row.judge_at, row.sent_at])
      if (at !== null && at > activeAt) activeAt = at;
    const cell = cellOf(row, dueAt, added_at);
    if (cell.state === 'complete') solved += 1;
    if (cell.isLate) late += 1;
    return cell;
  });
  return { cells, solved, late, activeAt: activeAt || undefined };
}

/** A problem that joined the list after it was due is not late. */
function cellOf(row: MarkRow, dueAt: string | null, addedAt: string): AssignmentCell {
  const state = shownStateOf(row);
  if (state !== 'complete') return { ...untouchedCell, state };
  const moments = [
    row.self_status === 'complete' ? row.self_at : null,
    row.judge_status === 'complete' ? row.judge_at : null,
  ];
  const [solvedAt = ''] = moments.filter((at) => at !== null).toSorted();
  return {
    state,
    isSelfReported: row.judge_status !== 'complete',
    how: row.how,
    isLate: dueAt !== null && solvedAt > dueAt && addedAt <= dueAt,
    isUndated: solvedAt === '',
  };
}

export const rowOrders = ['name', 'family', 'solved', 'quiet', 'behind'] as const;
export type RowOrder = (typeof rowOrders)[number];

export function sortRows(
  rows: readonly AssignmentRow[],
  order: RowOrder,
  byName: (one: GroupPerson, other: GroupPerson) => number,
): AssignmentRow[] {
  const compareByOrder = (a: AssignmentRow, b: AssignmentRow) => {
    if (order === 'solved') return b.solved - a.solved;
    if (order === 'behind')
      return Number(b.isBehind) - Number(a.isBehind) || (a.isBehind ? a.solved - b.solved : 0);
    if (order !== 'quiet') return 0;
    if (a.isInactive !== b.isInactive) return a.isInactive ? -1 : 1;
    return (a.activeAt ?? '') < (b.activeAt ?? '') ? -1 : (a.activeAt ?? '') > (b.activeAt ?? '') ? 1 : 0;
  };
  return rows.toSorted((a, b) => compareByOrder(a, b) || byName(a.person, b.person));
}
