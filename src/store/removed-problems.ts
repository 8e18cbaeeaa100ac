/** Problems that staff removed or merged, and the rows that went with them, so that they can come back. */
import { insertMany, insertMissing, preparedForMany, upsertInto } from './bulk.ts';
import { findProblemsByIds, findProblemsByKeys, type KeyedProblem, touchProblem } from './problems.ts';
import { deleteRows, findRow, listRows, updateRows } from './rows.ts';
import type { Db, Tables } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    removed_problems: RemovedProblemsTable;
  }
}

export interface RemovedProblemsTable {
  id: bigint;
  source: string;
  source_key: string;
  title: string;
  merged_into: bigint | null;
  /** A `Snapshot` as JSON; empty where it cannot come back any more. */
  before: string;
  removed_at: string;
}

/** A table comes after those that it references. */
const tables = [
  'statuses',
  'bookmarks',
  'shared_notes',
  'changes',
  'reviews',
  'timers',
  'solutions',
  'list_items',
  'followed_items',
  'round_problems',
  'solved_counts',
  'added_problems',
] as const;
type SnapshotTable = (typeof tables)[number];
type Rows = { [T in SnapshotTable]: Tables[T][] };

export interface Snapshot {
  problem: Tables['problems'];
  rows: Rows;
  submissions: Pick<Tables['solves'], 'handle_id' | 'submission_id'>[];
  /** The problems that were merged into it. A snapshot of an earlier version has none. */
  merged?: RemovedProblemsTable[];
}

export async function readSnapshot(db: Db, problem: Tables['problems']): Promise<Snapshot> {
  const rows: Partial<Record<SnapshotTable, unknown>> = {};
  for (const table of tables)
    rows[table] = await listRows(db, table as 'statuses', { problem_id: problem.id });
  const submissions = await db
    .selectFrom('solves')
    .select(['handle_id', 'submission_id'])
    .where('problem_id', '=', problem.id)
    .execute();
  const merged = await listRows(db, 'removed_problems', { merged_into: problem.id });
  return { problem, rows: rows as Rows, submissions, merged };
}

/** Integers of rows are bigints, which JSON does not have. */
export const snapshotToJson = (value: object) =>
  JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? { int: String(one) } : one));
export const snapshotFromJson = (text: string): unknown =>
  JSON.parse(text, (_, one) => (typeof one?.int === 'string' ? BigInt(one.int) : one));

const overwriteRemoved = upsertInto('removed_problems', (insert) =>
  insert.onConflict((conflict) =>
    conflict.column('id').doUpdateSet(({ ref }) => ({ merged_into: ref('excluded.merged_into') })),
  ),
);

/** Leaves out rows whose member, list or problem is deleted, and rows that exist again. */
export async function insertSnapshot(tx: Db, snapshot: Snapshot): Promise<void> {
  const { rows, submissions, problem, merged = [] } = snapshot;
  const members = new Set((await tx.selectFrom('members').select('id').execute()).map(({ id }) => id));
  const lists = [...new Set(rows.list_items.map(({ list_id }) => list_id))];
  const sections =
    lists.length === 0
      ? []
      : await tx
          .selectFrom('list_sections')
          .select(['list_id', 'position'])
          .where('list_id', 'in', lists)
          .execute();
  const followers = await tx.selectFrom('list_follows').select('list_id').execute();
  const listsWithFollow = new Set(followers.map(({ list_id }) => list_id));
  const sectionKeys = new Set(sections.map(({ list_id, position }) => `${list_id} ${position}`));
  const restored: Rows = {
    ...rows,
    list_items: rows.list_items.filter(({ list_id, section }) => sectionKeys.has(`${list_id} ${section}`)),
    followed_items: (rows.followed_items ?? []).filter(({ list_id }) => listsWithFollow.has(list_id)),
    round_problems: await roundProblemsToRestore(tx, rows.round_problems ?? []),
    shared_notes: [],
    added_problems: rows.added_problems.map((row) => ({
      ...row,
      member_id: row.member_id !== null && members.has(row.member_id) ? row.member_id : null,
    })),
  };
  for (const table of ['statuses', 'bookmarks', 'changes', 'reviews', 'timers', 'solutions'] as const)
    Object.assign(restored, { [table]: (rows[table] ?? []).filter(({ user_id }) => members.has(user_id)) });
  for (const table of tables)
    await insertMissing(tx, table as 'statuses', restored[table] as Rows['statuses']);
  await restoreShares(tx, rows.shared_notes ?? []);
  for (const { handle_id, submission_id } of submissions)
    await tx
      .updateTable('solves')
      .set({ problem_id: problem.id })
      .where('handle_id', '=', handle_id)
      .where('submission_id', '=', submission_id)
      .execute();
  await overwriteRemoved(tx, merged);
  await touchProblem(tx, problem.id);
}

/** A member who left the group and joined it again must share a note anew. */
export async function restoreShares(tx: Db, rows: Rows['shared_notes']): Promise<void> {
  for (const row of rows) {
    const { group_id, user_id } = row;
    const person = await findRow(tx, 'group_members', { group_id, user_id });
    if (person && person.joined_at <= row.shared_at) await insertMissing(tx, 'shared_notes', [row]);
  }
}

/** A problem whose position in the round is used by now comes last. */
async function roundProblemsToRestore(tx: Db, rows: Rows['round_problems']): Promise<Rows['round_problems']> {
  if (rows.length === 0) return [];
  const existing = await tx
    .selectFrom('rounds')
    .leftJoin('round_problems', 'round_problems.round_id', 'rounds.id')
    .select(['rounds.id', 'position'])
    .where(
      'rounds.id',
      'in',
      rows.map(({ round_id }) => round_id),
    )
    .execute();
  const byRound = Map.groupBy(existing, ({ id }) => id);
  return rows.flatMap((row) => {
    const used = byRound.get(row.round_id)?.map(({ position }) => position ?? 0n);
    if (!used?.includes(row.position)) return used ? [row] : [];
    const last = used.reduce((most, one) => (one > most ? one : most));
    return [{ ...row, position: last + 1n }];
  });
}

const containerTables = [
  ['list_items', 'list_id'],
  ['followed_items', 'list_id'],
  ['round_problems', 'round_id'],
] as const;

/** A list or a round that has both problems keeps its other row. */
export async function moveRows(tx: Db, from: bigint, to: bigint): Promise<void> {
  for (const table of ['solves', 'reviews', 'timers', 'changes', 'solutions'] as const)
    await updateRows(tx, table, { problem_id: from }, { problem_id: to });
  for (const [table, containerColumn] of containerTables) {
    const withBoth = tx
      .selectFrom(table as 'list_items')
      .select(containerColumn as 'list_id')
      .where('problem_id', '=', to);
    await tx
      .updateTable(table as 'list_items')
      .set({ problem_id: to })
      .where('problem_id', '=', from)
      .where(containerColumn as 'list_id', 'not in', withBoth)
      .execute();
  }
  await updateRows(tx, 'removed_problems', { merged_into: from }, { merged_into: to });
}

export async function listOwnersOf(db: Db, problemId: bigint): Promise<bigint[]> {
  const rowsOf = (table: 'reviews' | 'timers') =>
    db.selectFrom(table).select('user_id').where('problem_id', '=', problemId);
  const submitters = db
    .selectFrom('solves')
    .innerJoin('handles', 'handles.id', 'solves.handle_id')
    .select('handles.user_id')
    .where('problem_id', '=', problemId);
  const rows = await rowsOf('reviews').union(rowsOf('timers')).union(submitters).execute();
  return rows.map(({ user_id }) => user_id);
}

/** Deletes the rows that a merge moved to another problem, because the snapshot brings them back. */
export async function deleteMovedRows(
  tx: Db,
  { problem, rows }: Snapshot,
  { problem: { id: targetId }, rows: targetRows }: Snapshot,
) {
  // Code that its member removed since the merge does not come back.
  const ids = new Set(rows.solutions?.map(({ id }) => id));
  rows.solutions = (await listRows(tx, 'solutions', { problem_id: targetId }))
    .filter(({ id }) => ids.has(id))
    .map((row) => ({ ...row, problem_id: problem.id }));
  for (const table of ['changes', 'reviews', 'timers', 'solutions'] as const)
    for (const { id } of rows[table]) await deleteRows(tx, table, { id });
  for (const [table, containerColumn] of containerTables) {
    const idsIn = (snapshotRows: Partial<Rows>) =>
      ((snapshotRows[table] ?? []) as unknown as Record<string, bigint>[]).map(
        (row) => row[containerColumn] as bigint,
      );
    const formerIds = new Set(idsIn(targetRows));
    for (const id of idsIn(rows).filter((one) => !formerIds.has(one)))
      await tx
        .deleteFrom(table as 'list_items')
        .where(containerColumn as 'list_id', '=', id)
        .where('problem_id', '=', targetId)
        .execute();
  }
}

export const insertRemovedProblem = (tx: Db, row: RemovedProblemsTable) =>
  insertMany(tx, 'removed_problems', [row]);

export const findRemovedProblem = (db: Db, id: bigint) => findRow(db, 'removed_problems', { id });

export async function listRemovedProblems(db: Db, since: string) {
  return db
    .selectFrom('removed_problems')
    .leftJoin('problems', 'problems.id', 'removed_problems.merged_into')
    .select(['removed_problems.id', 'removed_problems.source', 'removed_problems.source_key'])
    .select(['removed_problems.title', 'merged_into', 'removed_at', 'problems.title as into_title'])
    .where('removed_at', '>=', since)
    .orderBy('removed_at', 'desc')
    .orderBy('removed_problems.id', 'desc')
    .limit(100)
    .execute();
}

const mergedProblems = (db: Db, source: string) =>
  db
    .selectFrom('removed_problems')
    .select(['source_key', 'merged_into'])
    .where('source', '=', source)
    .where('merged_into', 'is not', null)
    .$narrowType<{ merged_into: bigint }>();

export const listMergedInto = preparedForMany((db, ids: readonly bigint[]) =>
  db
    .selectFrom('removed_problems')
    .select(['id', 'merged_into'])
    .where('id', 'in', ids)
    .where('merged_into', 'is not', null),
);

const mergedByKeys = preparedForMany((db, keys: readonly string[], { source }: { source: string }) =>
  mergedProblems(db, source).where('source_key', 'in', keys),
);

/** Finds a problem also by the key of a merged one. */
export async function findProblemsByAnyKey(
  db: Db,
  source: string,
  keys: readonly string[],
): Promise<KeyedProblem[]> {
  const matches = await findProblemsByKeys(db, source, keys);
  const knownKeys = new Set(matches.map(({ key }) => key));
  const otherKeys = keys.filter((key) => !knownKeys.has(key));
  if (otherKeys.length === 0) return matches;
  const merged = await mergedByKeys(db, otherKeys, { source });
  if (merged.length === 0) return matches;
  const ids = merged.map(({ merged_into }) => merged_into);
  const byId = new Map((await findProblemsByIds(db, ids)).map((row) => [row.id, row]));
  const others = merged.flatMap(({ source_key: key, merged_into }) => {
    const row = byId.get(merged_into);
    return row ? { ...row, key } : [];
  });
  return [...matches, ...others];
}

export async function hasProblemsOf(db: Db, source: string): Promise<boolean> {
  const keys = db.selectFrom('problem_keys').select('key').where('source', '=', source).limit(1);
  const merged = mergedProblems(db, source).limit(1);
  return ((await keys.executeTakeFirst()) ?? (await merged.executeTakeFirst())) !== undefined;
}

export async function mapKeysToProblems(db: Db, source: string): Promise<Map<string, bigint>> {
  const merged = await mergedProblems(db, source).execute();
  const current = await db
    .selectFrom('problem_keys')
    .select(['key', 'problem_id'])
    .where('source', '=', source)
    .execute();
  return new Map([
    ...merged.map(({ source_key, merged_into }) => [source_key, merged_into] as const),
    ...current.map(({ key, problem_id }) => [key, problem_id] as const),
  ]);
}

export const deleteRemovedProblem = (tx: Db, id: bigint) => deleteRows(tx, 'removed_problems', { id });

export const listSnapshots = (db: Db) =>
  db.selectFrom('removed_problems').select(['id', 'before']).where('before', '<>', '').execute();

export const updateSnapshot = (tx: Db, id: bigint, before: string) =>
  updateRows(tx, 'removed_problems', { id }, { before });

/** A merged problem keeps its row, because its key still leads to the other problem. */
export async function expireSnapshots(tx: Db, before: string): Promise<void> {
  const old = tx.selectFrom('removed_problems').select('id').where('removed_at', '<', before);
  await tx.updateTable('removed_problems').set({ before: '' }).where('id', 'in', old).execute();
  await tx
    .deleteFrom('removed_problems')
    .where('merged_into', 'is', null)
    .where('removed_at', '<', before)
    .execute();
}
