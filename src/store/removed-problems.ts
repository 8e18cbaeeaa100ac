/**
 * Problems that staff removed, or merged into another: the name under which each was, and the rows that went with it, so that it can
 * come back.
 */
import { insertMany, insertNew, preparedForMany, upsertInto } from './bulk.ts';
import { findProblemsByIds, findProblemsByKeys, type KeyedProblem } from './problems.ts';
import { deleteRows, findRow, listRows, updateRows } from './rows.ts';
import type { Db, Tables } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    removed_problems: RemovedProblemsTable;
  }
}

export interface RemovedProblemsTable {
  /** As the problem had it. */
  id: bigint;
  source: string;
  source_key: string;
  title: string;
  /** The problem that has its name now; null where it was removed. */
  merged_into: bigint | null;
  /** A `Snapshot` as JSON. */
  before: string;
  removed_at: string;
}

/** The tables with rows of a problem that come back with it; a table comes after those that it references. */
const tables = [
  'statuses',
  'bookmarks',
  'shared_notes',
  'changes',
  'reviews',
  'timers',
  'list_items',
  'followed_items',
  'round_problems',
  'solved_counts',
  'added_problems',
] as const;
type SnapshotTable = (typeof tables)[number];
type Rows = { [T in SnapshotTable]: Tables[T][] };

/** All that belongs to a problem. */
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

/** Numbers of rows are bigints, which JSON has not. */
export const toJson = (value: object) =>
  JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? { int: String(one) } : one));
export const fromJson = (text: string): unknown =>
  JSON.parse(text, (_, one) => (typeof one?.int === 'string' ? BigInt(one.int) : one));

const overwriteRemoved = upsertInto('removed_problems', (insert) =>
  insert.onConflict((conflict) =>
    conflict.column('id').doUpdateSet(({ ref }) => ({ merged_into: ref('excluded.merged_into') })),
  ),
);

/** Inserts those of the rows whose member, list and problem are still there, and that nobody made anew. */
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
  const following = new Set(followers.map(({ list_id }) => list_id));
  const isPlace = new Set(sections.map(({ list_id, position }) => `${list_id} ${position}`));
  const kept: Rows = {
    ...rows,
    list_items: rows.list_items.filter(({ list_id, section }) => isPlace.has(`${list_id} ${section}`)),
    // A snapshot of an earlier version has none of these.
    followed_items: (rows.followed_items ?? []).filter(({ list_id }) => following.has(list_id)),
    round_problems: await placedInRounds(tx, rows.round_problems ?? []),
    shared_notes: await stillShared(tx, rows.shared_notes ?? []),
    added_problems: rows.added_problems.map((row) => ({
      ...row,
      member_id: row.member_id !== null && members.has(row.member_id) ? row.member_id : null,
    })),
  };
  for (const table of ['statuses', 'bookmarks', 'changes', 'reviews', 'timers'] as const)
    Object.assign(kept, { [table]: (rows[table] ?? []).filter(({ user_id }) => members.has(user_id)) });
  for (const table of tables) await insertNew(tx, table as 'statuses', kept[table] as Rows['statuses']);
  for (const { handle_id, submission_id } of submissions)
    await tx
      .updateTable('solves')
      .set({ problem_id: problem.id })
      .where('handle_id', '=', handle_id)
      .where('submission_id', '=', submission_id)
      .execute();
  await overwriteRemoved(tx, merged);
}

/** The choices to share a note whose member has been in the group since. */
async function stillShared(tx: Db, rows: Rows['shared_notes']): Promise<Rows['shared_notes']> {
  const kept: Rows['shared_notes'] = [];
  for (const row of rows) {
    const { group_id, user_id } = row;
    const person = await findRow(tx, 'group_members', { group_id, user_id });
    if (person && person.joined_at <= row.shared_at) kept.push(row);
  }
  return kept;
}

/** The rows of rounds that are still there; at the end of a round that has another problem at that place by now. */
async function placedInRounds(tx: Db, rows: Rows['round_problems']): Promise<Rows['round_problems']> {
  if (rows.length === 0) return [];
  const held = await tx
    .selectFrom('rounds')
    .leftJoin('round_problems', 'round_problems.round_id', 'rounds.id')
    .select(['rounds.id', 'position'])
    .where(
      'rounds.id',
      'in',
      rows.map(({ round_id }) => round_id),
    )
    .execute();
  const places = Map.groupBy(held, ({ id }) => id);
  return rows.flatMap((row) => {
    const taken = places.get(row.round_id)?.map(({ position }) => position ?? 0n);
    if (!taken?.includes(row.position)) return taken ? [row] : [];
    const last = taken.reduce((most, one) => (one > most ? one : most));
    return [{ ...row, position: last + 1n }];
  });
}

/** The tables in which a list or a round has a problem once. */
const holders = [
  ['list_items', 'list_id'],
  ['followed_items', 'list_id'],
  ['round_problems', 'round_id'],
] as const;

/** Moves what everybody has on one problem to another, its former names as well. A list or a round that has both keeps the other. */
export async function moveRows(tx: Db, from: bigint, to: bigint): Promise<void> {
  for (const table of ['solves', 'reviews', 'timers', 'changes'] as const)
    await updateRows(tx, table, { problem_id: from }, { problem_id: to });
  for (const [table, holder] of holders) {
    const holding = tx
      .selectFrom(table as 'list_items')
      .select(holder as 'list_id')
      .where('problem_id', '=', to);
    await tx
      .updateTable(table as 'list_items')
      .set({ problem_id: to })
      .where('problem_id', '=', from)
      .where(holder as 'list_id', 'not in', holding)
      .execute();
  }
  await updateRows(tx, 'removed_problems', { merged_into: from }, { merged_into: to });
}

/** The members who sent anything to a problem, or reviewed or timed it. */
export async function listOwnersOf(db: Db, problemId: bigint): Promise<bigint[]> {
  const rowsOf = (table: 'reviews' | 'timers') =>
    db.selectFrom(table).select('user_id').where('problem_id', '=', problemId);
  const sent = db
    .selectFrom('solves')
    .innerJoin('handles', 'handles.id', 'solves.handle_id')
    .select('handles.user_id')
    .where('problem_id', '=', problemId);
  const rows = await rowsOf('reviews').union(rowsOf('timers')).union(sent).execute();
  return rows.map(({ user_id }) => user_id);
}

/** Takes rows of a merged problem away from the one that has them now: they come back under their own. */
export async function deleteMoved(
  tx: Db,
  { rows }: Snapshot,
  { problem: { id: into }, rows: before }: Snapshot,
) {
  for (const table of ['changes', 'reviews', 'timers'] as const)
    for (const { id } of rows[table]) await deleteRows(tx, table, { id });
  for (const [table, holder] of holders) {
    const idsIn = (of: Partial<Rows>) =>
      ((of[table] ?? []) as unknown as Record<string, bigint>[]).map((row) => row[holder] as bigint);
    const kept = new Set(idsIn(before));
    for (const id of idsIn(rows).filter((one) => !kept.has(one)))
      await tx
        .deleteFrom(table as 'list_items')
        .where(holder as 'list_id', '=', id)
        .where('problem_id', '=', into)
        .execute();
  }
}

export const insertRemoved = (tx: Db, row: RemovedProblemsTable) => insertMany(tx, 'removed_problems', [row]);

export const findRemoved = (db: Db, id: bigint) => findRow(db, 'removed_problems', { id });

/** Those since a time, the newest first, without what went with them. */
export async function listRemoved(db: Db, since: string) {
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

const mergedNames = (db: Db, source: string) =>
  db
    .selectFrom('removed_problems')
    .select(['source_key', 'merged_into'])
    .where('source', '=', source)
    .where('merged_into', 'is not', null)
    .$narrowType<{ merged_into: bigint }>();

const mergedByKeys = preparedForMany((db, keys: readonly string[], { source }: { source: string }) =>
  mergedNames(db, source).where('source_key', 'in', keys),
);

/** The problems that these keys name: by their own, or because one of that name was merged into them. */
export async function findNamed(db: Db, source: string, keys: readonly string[]): Promise<KeyedProblem[]> {
  const found = await findProblemsByKeys(db, source, keys);
  const names = new Set(found.map(({ key }) => key));
  const rest = keys.filter((key) => !names.has(key));
  if (rest.length === 0) return found;
  const merged = await mergedByKeys(db, rest, { source });
  if (merged.length === 0) return found;
  const ids = merged.map(({ merged_into }) => merged_into);
  const byId = new Map((await findProblemsByIds(db, ids)).map((row) => [row.id, row]));
  const others = merged.flatMap(({ source_key: key, merged_into }) => {
    const row = byId.get(merged_into);
    return row ? { ...row, key } : [];
  });
  return [...found, ...others];
}

/** Whether any problem is here, or was merged into another, under a name of this judge. */
export async function hasNamed(db: Db, source: string): Promise<boolean> {
  const keys = db.selectFrom('problem_keys').select('key').where('source', '=', source).limit(1);
  const merged = mergedNames(db, source).limit(1);
  return ((await keys.executeTakeFirst()) ?? (await merged.executeTakeFirst())) !== undefined;
}

/** The problems of all names of a judge: of its own keys, and of problems that were merged into others. */
export async function listNamed(db: Db, source: string): Promise<Map<string, bigint>> {
  const merged = await mergedNames(db, source).execute();
  const own = await db
    .selectFrom('problem_keys')
    .select(['key', 'problem_id'])
    .where('source', '=', source)
    .execute();
  return new Map([
    ...merged.map(({ source_key, merged_into }) => [source_key, merged_into] as const),
    ...own.map(({ key, problem_id }) => [key, problem_id] as const),
  ]);
}

export const deleteRemoved = (tx: Db, id: bigint) => deleteRows(tx, 'removed_problems', { id });

/** The texts of JSON by which removals can be undone. */
export const listBefore = (db: Db) =>
  db.selectFrom('removed_problems').select(['id', 'before']).where('before', '<>', '').execute();

export const updateBefore = (tx: Db, id: bigint, before: string) =>
  updateRows(tx, 'removed_problems', { id }, { before });

/** Forgets what could be undone before this time. The name of a merged problem stays. */
export async function forgetRemoved(tx: Db, before: string): Promise<void> {
  const old = tx.selectFrom('removed_problems').select('id').where('removed_at', '<', before);
  await tx.updateTable('removed_problems').set({ before: '' }).where('id', 'in', old).execute();
  await tx
    .deleteFrom('removed_problems')
    .where('merged_into', 'is', null)
    .where('removed_at', '<', before)
    .execute();
}
