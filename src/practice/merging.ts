/**
 * Merging two problems that turn out to be one: all that members have on the one goes to the other. Staff can undo a
 * merge or a removal for a day.
 */
import { dayMs } from '../durations.ts';
import { localizedError } from '../errors.ts';
import type { BookmarksTable } from '../store/bookmarks.ts';
import { bookmarkRepository } from '../store/bookmarks.ts';
import { moveContestProblems, restoreContestProblems } from '../store/contests.ts';
import { listHandlesWithoutCounts } from '../store/handles.ts';
import { listOwnLists } from '../store/lists.ts';
import type { MemberProblemRepository } from '../store/member-problems.ts';
import {
  deleteProblem,
  type FlaggedProblem,
  findProblemsByIds,
  findProblemsByKeys,
  insertProblems,
  listFromJson,
  type ProblemRow,
  updateProblem,
} from '../store/problems.ts';
import {
  deleteMovedRows,
  deleteRemovedProblem,
  expireSnapshots,
  findRemovedProblem,
  insertRemovedProblem,
  insertSnapshot,
  listOwnersOf,
  listSnapshots,
  moveRows,
  readSnapshot,
  restoreShares,
  type Snapshot,
  snapshotFromJson,
  snapshotToJson,
  updateSnapshot,
} from '../store/removed-problems.ts';
import { bumpRevisions } from '../store/revisions.ts';
import { deleteRowsOfProblems, listRows, updateRows } from '../store/rows.ts';
import { deleteShares, insertShares, listShares, type SharedNotesTable } from '../store/shared-notes.ts';
import { listRenamedKeys } from '../store/solves.ts';
import type { StatusesTable } from '../store/statuses.ts';
import { statusRepository } from '../store/statuses.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import {
  type DatedStatus,
  derive,
  deriveStatuses,
  furtherStatus,
  mergeWith,
  verdictStatuses,
} from './derivation.ts';
import { labelLimits, labelsIn, uniqueLabels } from './labels.ts';

const statusIn = (row: StatusesTable, whose: 'self' | 'judge' | 'earlier') =>
  [row[`${whose}_status`], row[`${whose}_at`]] as const;

function mergedStatus(target: StatusesTable, dropped: StatusesTable) {
  const further = (whose: 'self' | 'judge' | 'earlier') => {
    const [status, at] = furtherStatus(statusIn(target, whose), statusIn(dropped, whose));
    return { [`${whose}_status`]: status, [`${whose}_at`]: at };
  };
  return {
    ...further('self'),
    ...further('judge'),
    ...further('earlier'),
    solved_list_source: target.solved_list_source ?? dropped.solved_list_source,
    how: target.how ?? dropped.how,
  };
}

/** A bookmark is starred since the first star of the two. */
function mergedBookmark(target: BookmarksTable, dropped: BookmarksTable) {
  const both = [target, dropped];
  const starred = both.filter(({ is_starred }) => is_starred === 1n);
  const [created_at = ''] = (starred.length > 0 ? starred : both).map((one) => one.created_at).toSorted();
  const labels = uniqueLabels(both.flatMap(labelsIn)).slice(0, labelLimits.ofProblem);
  const [editorial_at = null] = both.flatMap((one) => one.editorial_at ?? []).toSorted();
  return {
    note: joinNotes(target.note, dropped.note),
    created_at,
    updated_at: target.updated_at > dropped.updated_at ? target.updated_at : dropped.updated_at,
    is_starred: starred.length > 0 ? 1n : 0n,
    editorial_at,
    labels: labels.length > 0 ? JSON.stringify(labels) : null,
  };
}

function joinNotes(one: string | null, other: string | null): string | null {
  if (!one || !other) return one || other;
  return `\n${one}\n`.includes(`\n${other}\n`) ? one : `${one}\n${other}`;
}

const isSharedIn = (shares: readonly SharedNotesTable[], { user_id, group_id }: SharedNotesTable) =>
  shares.some((one) => one.user_id === user_id && one.group_id === group_id);

/** A snapshot of an earlier version has no shared notes. */
interface Notes {
  bookmarks: readonly BookmarksTable[];
  shared_notes?: SharedNotesTable[];
}

const notesOn = async (tx: Db, problem_id: bigint): Promise<Notes> => ({
  bookmarks: await bookmarkRepository.listOfProblem(tx, problem_id),
  shared_notes: await listShares(tx, { problem_id }),
});

/** A group reads the joined note only if it could read both. */
function sharesOfBoth(problem_id: bigint, target: Notes, dropped: Notes): SharedNotesTable[] {
  const canRead = ({ bookmarks, shared_notes = [] }: Notes, share: SharedNotesTable) =>
    isSharedIn(shared_notes, share) ||
    !bookmarks.some(({ user_id, note }) => user_id === share.user_id && note);
  const own = target.shared_notes ?? [];
  const others = (dropped.shared_notes ?? []).filter((one) => !isSharedIn(own, one));
  return [...own, ...others]
    .filter((one) => canRead(target, one) && canRead(dropped, one))
    .map((one) => ({ ...one, problem_id }));
}

type MemberRow = { user_id: bigint; problem_id: bigint };

async function moveRowsOfMembers<Row extends MemberRow>(
  tx: Db,
  { listOfProblem, save }: MemberProblemRepository<Row>,
  merge: (existing: Row, dropped: Row) => Partial<Row>,
  [problem_id, droppedId]: readonly [bigint, bigint],
): Promise<bigint[]> {
  const existing = new Map((await listOfProblem(tx, problem_id)).map((row) => [row.user_id, row]));
  const dropped = await listOfProblem(tx, droppedId);
  await save(
    tx,
    dropped.map((row) => {
      const target = existing.get(row.user_id);
      return { ...row, ...(target && merge(target, row)), problem_id };
    }),
  );
  return dropped.map(({ user_id }) => user_id);
}

/** Members get back what they had before the merge, unless they have changed it since. */
async function separateRows<Row extends MemberRow>(
  tx: Db,
  { table, listOfProblem, save }: MemberProblemRepository<Row>,
  { dropped, before }: Record<'dropped' | 'before', readonly Row[]>,
  isChanged: (row: Row) => boolean,
  id: bigint,
): Promise<bigint[]> {
  const present = new Map((await listOfProblem(tx, id)).map((row) => [row.user_id, row]));
  const unchanged = dropped.filter(({ user_id }) => {
    const row = present.get(user_id);
    return row && !isChanged(row);
  });
  const members = new Set(unchanged.map(({ user_id }) => user_id));
  const own = before.filter(({ user_id }) => members.delete(user_id));
  await save(tx, own);
  for (const userId of members) await deleteRowsOfProblems(tx, table, userId, [id]);
  return own.map(({ user_id }) => user_id);
}

/** Undoing the further mark of the two must leave the other one, as if that had come before. */
async function chainChanges(tx: Db, ids: readonly [bigint, bigint]): Promise<void> {
  const [targets, dropped] = [
    await statusRepository.listOfProblem(tx, ids[0]),
    await statusRepository.listOfProblem(tx, ids[1]),
  ];
  for (const one of dropped) {
    const { user_id } = one;
    const target = targets.find((row) => row.user_id === user_id);
    if (!target) continue;
    const own = statusIn(one, 'self');
    const [further, other] =
      furtherStatus(statusIn(target, 'self'), own) === own ? [one, target] : [target, one];
    const otherChanges = await listRows(tx, 'changes', { user_id, problem_id: other.problem_id });
    const batches = new Set(otherChanges.map(({ batch_id }) => batch_id));
    const changes = await listRows(tx, 'changes', { user_id, problem_id: further.problem_id });
    // What was marked together is undone together.
    if (changes.some(({ batch_id }) => batches.has(batch_id))) continue;
    for (const change of changes) {
      const { judge, ...before } = JSON.parse(change.before) ?? {};
      const left = statusIn(other, 'self');
      const isOfStatus = change.kind === 'status' || change.kind === 'how';
      if (!isOfStatus) continue;
      if (furtherStatus([before.status, before.at], left) !== left) continue;
      const [status, at] = left;
      const text = JSON.stringify({ status, at, how: other.how, judge });
      await updateRows(tx, 'changes', { id: change.id }, { before: text });
    }
  }
}

type MergedMembers = Record<'statuses' | 'bookmarks' | 'solves', readonly bigint[]>;

/**
 * Keys become aliases if both problems are of one judge. The caller derives what depends on the rows of these members,
 * and bumps the revisions.
 */
export async function mergeProblemRows(
  tx: Db,
  target: ProblemRow,
  dropped: ProblemRow,
  now: string,
): Promise<{ row: ProblemRow; members: MergedMembers }> {
  const ids = [target.id, dropped.id] as const;
  const shares = sharesOfBoth(target.id, await notesOn(tx, target.id), await notesOn(tx, dropped.id));
  await chainChanges(tx, ids);
  const members = {
    statuses: await moveRowsOfMembers(tx, statusRepository, mergedStatus, ids),
    bookmarks: await moveRowsOfMembers(tx, bookmarkRepository, mergedBookmark, ids),
    solves: await listOwnersOf(tx, dropped.id),
  };
  await deleteShares(tx, { problem_id: target.id });
  await insertShares(tx, shares);
  await moveRows(tx, dropped.id, target.id);
  await moveContestProblems(tx, dropped.id, target.id);
  await deleteProblem(tx, dropped);
  const row = {
    ...(target.source === dropped.source
      ? withAliases(target, [dropped.source_key, ...listFromJson(dropped.aliases)], now)
      : { ...target, updated_at: now }),
    editorial_url: target.editorial_url ?? dropped.editorial_url,
    video_url: target.video_url ?? dropped.video_url,
  };
  await updateProblem(tx, target, row);
  return { row, members };
}

export function withAliases(row: ProblemRow, keys: readonly string[], now: string): ProblemRow {
  const aliases = new Set([...listFromJson(row.aliases), ...keys]);
  aliases.delete(row.source_key);
  return { ...row, aliases: JSON.stringify([...aliases].toSorted()), updated_at: now };
}

/* Merging and removing by staff, and undoing both. */

/** The column `before` stores this as JSON, so that its names stay. `kept` is the target of a merge. */
interface Before {
  dropped: Snapshot;
  kept?: Snapshot;
  /** What submissions showed; earlier versions did not store it. */
  said?: { user_id: bigint; problem_id: bigint; word: DatedStatus }[];
}

export const restorableSince = () => new Date(Date.now() - dayMs).toISOString();

async function saveSnapshots(tx: Db, problem: FlaggedProblem, target?: FlaggedProblem): Promise<Before> {
  const before: Before = {
    dropped: await readSnapshot(tx, withHiddenColumns(problem)),
    ...(target && { kept: await readSnapshot(tx, withHiddenColumns(target)) }),
    said: [],
  };
  const ids = [problem.id, ...(target ? [target.id] : [])];
  for (const { user_id } of before.dropped.rows.statuses)
    for (const [problem_id, word] of await verdictStatuses(tx, user_id, ids))
      before.said?.push({ user_id, problem_id, word });
  const { id, source, source_key, title } = problem;
  await expireSnapshots(tx, restorableSince());
  await insertRemovedProblem(tx, {
    id,
    source,
    source_key,
    title,
    merged_into: target?.id ?? null,
    before: snapshotToJson(before),
    removed_at: new Date().toISOString(),
  });
  return before;
}

const withHiddenColumns = (problem: FlaggedProblem) => ({ ...problem, search_text: '', is_sample: 0n });

async function membersOf(tx: Db, { problem, rows }: Snapshot): Promise<Set<bigint>> {
  const marked = [...rows.statuses, ...rows.bookmarks, ...rows.changes].map(({ user_id }) => user_id);
  return new Set([...marked, ...(await listOwnersOf(tx, problem.id))]);
}

async function deriveAll(
  tx: Db,
  members: Iterable<bigint>,
  problemIds: readonly bigint[],
  verdicts?: Before['said'],
): Promise<void> {
  for (const userId of members) {
    const own = verdicts?.filter(({ user_id }) => user_id === userId);
    const before = own && new Map(own.map(({ problem_id, word }) => [problem_id, word]));
    if (before) await deriveStatuses(tx, userId, problemIds, mergeWith(before));
    else await derive(tx, userId, problemIds);
    await bumpRevisions(tx, ['statuses', 'bookmarks', `statuses:${userId}`, `bookmarks:${userId}`]);
  }
  await bumpRevisions(tx, ['problems']);
}

async function getProblem(tx: Db, id: bigint): Promise<FlaggedProblem> {
  const [problem] = await findProblemsByIds(tx, [id]);
  if (!problem) throw localizedError('unknownItem.problem');
  return problem;
}

/** Throws unknownItem. */
export const removeProblem = inTransaction(async (tx: Db, id: bigint): Promise<void> => {
  const problem = await getProblem(tx, id);
  const before = await saveSnapshots(tx, problem);
  const members = await membersOf(tx, before.dropped);
  await deleteProblem(tx, problem);
  await deriveAll(tx, members, []);
});

/** Throws unknownItem and invalidValue. */
export const mergeProblem = inTransaction(async (tx: Db, id: bigint, intoId: bigint): Promise<void> => {
  if (id === intoId) throw localizedError('invalidValue.sameProblem');
  const [problem, into] = [await getProblem(tx, id), await getProblem(tx, intoId)];
  const before = await saveSnapshots(tx, problem, into);
  const members = await membersOf(tx, before.dropped);
  await mergeProblemRows(tx, into, problem, new Date().toISOString());
  await deriveAll(tx, members, [intoId]);
});

export interface RenamedProblem {
  before: ProblemRow;
  after: ProblemRow;
}

/** Two problems are one if the judge listed the same submission first under the key of the one, then of the other. */
export async function listRenamedProblems(db: Db, sources: readonly string[]): Promise<RenamedProblem[]> {
  const pairs = new Map<string, RenamedProblem>();
  for (const source of sources) {
    const renamed = await listRenamedKeys(db, source);
    const keyPairs = renamed.map(
      ({ submission_id: id, key }) => [id.slice(id.indexOf('-') + 1), key] as const,
    );
    const found = await findProblemsByKeys(db, source, [...new Set(keyPairs.flat())]);
    const problems = new Map(found.map((row) => [row.key, row]));
    for (const [oldKey, key] of keyPairs) {
      const [before, after] = [problems.get(oldKey), problems.get(key)];
      if (before && after && before.id !== after.id) pairs.set(`${before.id} ${after.id}`, { before, after });
    }
  }
  return [...pairs.values()];
}

/**
 * What a member has changed since on the other problem stays there. A problem that has the key by now is merged into
 * the restored one. Throws unknownItem.
 */
export const restoreProblem = inTransaction(async (tx: Db, id: bigint): Promise<void> => {
  const removed = await findRemovedProblem(tx, id);
  if (!removed || removed.before === '' || removed.removed_at < restorableSince())
    throw localizedError('unknownItem.removedProblem');
  const { dropped, kept, said: verdicts } = snapshotFromJson(removed.before) as Before;
  const { search_text: _, is_sample: __, is_gym, ...problem } = dropped.problem;
  if (kept) {
    // A note that its member stopped sharing since stays unshared. The merge itself ends some shares.
    const present = await listShares(tx, { problem_id: kept.problem.id });
    const merged = sharesOfBoth(kept.problem.id, kept.rows, dropped.rows);
    for (const { rows } of [dropped, kept])
      rows.shared_notes = (rows.shared_notes ?? []).filter(
        (one) => !isSharedIn(merged, one) || isSharedIn(present, one),
      );
    await separateProblems(tx, dropped, kept, removed.removed_at);
  }
  const keys = [problem.source_key, ...listFromJson(problem.aliases)];
  const takenBy = await findProblemsByKeys(tx, problem.source, keys);
  const others = [...new Map(takenBy.map((one) => [one.id, one])).values()];
  for (const other of others) await updateProblem(tx, other, withoutKeys(other));
  await insertProblems(tx, [problem], () => is_gym === 1n);
  await restoreContestProblems(tx, problem, keys);
  await insertSnapshot(tx, dropped);
  await deleteRemovedProblem(tx, id);
  const members = await membersOf(tx, dropped);
  for (const userId of await mergeInto(tx, problem, others)) members.add(userId);
  await deriveAll(tx, members, [id, ...(kept ? [kept.problem.id] : [])], verdicts);
});

/** Two problems never have the same key. */
const withoutKeys = (row: ProblemRow): ProblemRow => ({
  ...row,
  source_key: `merged ${row.id}`,
  aliases: '[]',
});

/** The target gets the keys that the others had. Returns the members concerned. */
async function mergeInto(tx: Db, target: ProblemRow, others: readonly ProblemRow[]): Promise<bigint[]> {
  const now = new Date().toISOString();
  const members: bigint[] = [];
  let row = target;
  for (const other of others) {
    const merged = await mergeProblemRows(tx, row, withoutKeys(other), now);
    row = merged.row;
    members.push(...Object.values(merged.members).flat());
  }
  const keys = others.flatMap(({ source_key, aliases }) => [source_key, ...listFromJson(aliases)]);
  if (keys.length > 0)
    await updateProblem(tx, row, withAliases({ ...row, aliases: target.aliases }, keys, now));
  return members;
}

/** Removes a member's data from what can be undone. It runs while their lists and handles are still known. */
export async function forgetMember(tx: Db, userId: bigint): Promise<void> {
  const lists = new Set((await listOwnLists(tx, userId)).map(({ id }) => id));
  const handles = new Set((await listHandlesWithoutCounts(tx, userId)).map(({ id }) => id));
  const isOfOthers = (row: { user_id?: bigint; list_id?: bigint; handle_id?: bigint }) =>
    row.user_id !== userId &&
    !(row.list_id !== undefined && lists.has(row.list_id)) &&
    !(row.handle_id !== undefined && handles.has(row.handle_id));
  const rowsOfOthers = (snapshot: Snapshot): Snapshot => {
    const tables = Object.entries<object[]>(snapshot.rows);
    const rows = Object.fromEntries(tables.map(([table, all]) => [table, all.filter(isOfOthers)]));
    return {
      ...snapshot,
      rows: rows as Snapshot['rows'],
      submissions: snapshot.submissions.filter(isOfOthers),
      ...(snapshot.merged && {
        merged: snapshot.merged.map((one) => ({ ...one, before: textOfOthers(one.before) })),
      }),
    };
  };
  const textOfOthers = (text: string): string => {
    if (text === '') return text;
    const { dropped, kept, said } = snapshotFromJson(text) as Before;
    return snapshotToJson({
      dropped: rowsOfOthers(dropped),
      ...(kept && { kept: rowsOfOthers(kept) }),
      ...(said && { said: said.filter(isOfOthers) }),
    });
  };
  for (const { id, before } of await listSnapshots(tx)) await updateSnapshot(tx, id, textOfOthers(before));
}

async function separateProblems(
  tx: Db,
  dropped: Snapshot,
  before: Snapshot,
  mergedAt: string,
): Promise<void> {
  const { id } = before.problem;
  const present = await getProblem(tx, id);
  const droppedKeys = new Set([dropped.problem.source_key, ...listFromJson(dropped.problem.aliases)]);
  const aliases = listFromJson(present.aliases).filter((key) => !droppedKeys.has(key));
  if (present.source === dropped.problem.source)
    await updateProblem(tx, present, { ...present, aliases: JSON.stringify(aliases) });
  await deleteMovedRows(tx, dropped, before);
  for (const change of before.rows.changes)
    await updateRows(tx, 'changes', { id: change.id }, { before: change.before });
  const isAfterMerge = (at: string | null) => (at ?? '') > mergedAt;
  const statuses = { dropped: dropped.rows.statuses, before: before.rows.statuses };
  await separateRows(tx, statusRepository, statuses, ({ self_at }) => isAfterMerge(self_at), id);
  const bookmarks = { dropped: dropped.rows.bookmarks, before: before.rows.bookmarks };
  const isChanged = ({ updated_at }: BookmarksTable) => isAfterMerge(updated_at);
  const unchanged = await separateRows(tx, bookmarkRepository, bookmarks, isChanged, id);
  await restoreShares(
    tx,
    before.rows.shared_notes.filter(({ user_id }) => unchanged.includes(user_id)),
  );
}
