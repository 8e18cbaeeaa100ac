/** Problems by id and by key, and every change to them. Their collections are in `problem-lists.ts`. */
import { randomInt } from 'node:crypto';
import { insertMany, runCompiled, runForMany, updateRow } from './bulk.ts';
import { searchColumn } from './case-folding.ts';
import { type ItemQuery, itemQuery, type ShownColumn } from './json-rows.ts';
import { insertKeys, insertTags, listOf, replaceNames } from './problem-names.ts';
import { type Db, type ProblemsTable, problemKinds } from './tables.ts';

export type ProblemRow = Omit<ProblemsTable, 'search_text' | 'is_sample'>;

export const problemColumns = Object.keys(problemKinds) as (keyof typeof problemKinds)[];

export async function findProblem(db: Db, id: bigint): Promise<ProblemRow | undefined> {
  const [row] = await runCompiled<ProblemRow>(db, 'findProblem', [id], () =>
    db.selectFrom('problems').select(problemColumns).where('id', '=', id),
  );
  return row;
}

/** A problem by its id, as JSON of these columns. */
export function problemItem(columns: readonly ShownColumn[]): ItemQuery {
  return itemQuery(columns, [], (db) => db.selectFrom('problems').where('id', '=', 0n));
}

export async function problemExists(db: Db, id: bigint): Promise<boolean> {
  const rows = await runCompiled(db, 'problemExists', [id], () =>
    db.selectFrom('problems').select('id').where('id', '=', id),
  );
  return rows.length > 0;
}

export async function hasProblemsOf(db: Db, source: string): Promise<boolean> {
  const keys = db.selectFrom('problem_keys').select('key').where('source', '=', source);
  return (await keys.limit(1).executeTakeFirst()) !== undefined;
}

type StoredProblem = ProblemRow & { is_sample: bigint };
export type KeyedProblem = StoredProblem & { key: string };

/** The problems of one judge that these keys or aliases name: one row for each key that was found. */
export function findProblemsByKeys(db: Db, source: string, keys: readonly string[]): Promise<KeyedProblem[]> {
  return runForMany(db, 'findProblemsByKeys', [source], keys, (some) =>
    db
      .selectFrom('problem_keys')
      .innerJoin('problems', 'problems.id', 'problem_keys.problem_id')
      .select(problemColumns.map((column) => `problems.${column}` as const))
      .select(['problem_keys.key', 'problems.is_sample'])
      .where('problem_keys.source', '=', source)
      .where('problem_keys.key', 'in', some),
  );
}

/** At most two of the problems of these judges that one of the keys or aliases names. */
export async function findIdsByKeys(
  db: Db,
  sources: readonly string[],
  keys: readonly string[],
): Promise<bigint[]> {
  const named = db.selectFrom('problem_keys').select('problem_id').distinct();
  const found = named.where('source', 'in', sources).where('key', 'in', keys).limit(2);
  return (await found.execute()).map(({ problem_id }) => problem_id);
}

export async function findProblemsByIds(db: Db, ids: readonly bigint[]): Promise<StoredProblem[]> {
  const columns = [...problemColumns, 'is_sample'] as const;
  return runForMany(db, 'findProblemsByIds', [], ids, (some) =>
    db.selectFrom('problems').select(columns).where('id', 'in', some),
  );
}

export async function insertProblems(tx: Db, rows: readonly ProblemRow[], isSample: boolean): Promise<void> {
  const is_sample = isSample ? 1n : 0n;
  const stored = rows.map((row) => ({ ...row, search_text: searchText(row), is_sample }));
  await insertMany(tx, 'problems', stored);
  const ids = rows.map(({ id }) => id);
  await insertKeys(tx, ids);
  await insertTags(tx, ids);
}

/** Writes the new row. Afterwards the problem no longer counts as part of the sample. */
export async function updateProblem(tx: Db, before: ProblemRow, after: ProblemRow): Promise<void> {
  // An import's row has other properties as well.
  const shown = Object.fromEntries(problemColumns.map((column) => [column, after[column]])) as ProblemRow;
  await updateRow(tx, 'problems', ['id'], { ...shown, search_text: searchText(after), is_sample: 0n });
  await replaceNames(tx, before, after);
}

/** Keeps those of the problems that came with the sample when the sample is removed. */
export async function adoptProblems(
  tx: Db,
  rows: readonly Pick<ProblemsTable, 'id' | 'is_sample'>[],
): Promise<void> {
  const ids = [...new Set(rows.filter((row) => row.is_sample === 1n).map((row) => row.id))];
  await runForMany(tx, 'adoptProblems', [0n], ids, (some) =>
    tx.updateTable('problems').set({ is_sample: 0n }).where('id', 'in', some),
  );
}

export async function deleteProblem(tx: Db, row: ProblemRow): Promise<void> {
  await replaceNames(tx, row);
  await tx.deleteFrom('problems').where('id', '=', row.id).execute();
}

/** The problems of the sample on which no member has a status or bookmark, and which are in no list. */
export async function listUnusedSampleProblems(db: Db): Promise<ProblemRow[]> {
  let query = db.selectFrom('problems').select(problemColumns).where('is_sample', '=', 1n);
  for (const table of ['statuses', 'bookmarks', 'list_items'] as const) {
    query = query.where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom(table).select('problem_id').whereRef('problem_id', '=', 'problems.id'))),
    );
  }
  return query.execute();
}

function searchText(row: ProblemRow): string {
  return searchColumn([row.title, row.source_key, ...listOf(row.aliases)]);
}

/** Any problem of a judge that has a page there; one with a rating where `isRated`. Undefined where there is none. */
export async function findAnyProblem(
  db: Db,
  source: string,
  isRated: boolean,
): Promise<ProblemRow | undefined> {
  let problems = db.selectFrom('problems').where('source', '=', source).where('url', 'is not', null);
  if (isRated) problems = problems.where('rating', 'is not', null);
  const { count } = await problems
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow();
  if (count === 0n) return undefined;
  const place = randomInt(Number(count));
  return problems.select(problemColumns).orderBy('id').limit(1).offset(place).executeTakeFirst();
}
