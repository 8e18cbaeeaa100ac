/** Problems by id and by key, and every change to them. Their collections are in `problem-lists.ts`. */
import { insertMany, lookUpMany, runCompiled } from './bulk.ts';
import { searchColumn } from './case-folding.ts';
import { deleteNames, insertKeys, insertTags, listOf, updateNames } from './problem-names.ts';
import { type Db, type ProblemsTable, problemKinds } from './tables.ts';

/** The columns of a problem that the contract shows; tags and aliases are JSON text. */
export type ProblemRow = Omit<ProblemsTable, 'search_text' | 'is_sample'>;

export const problemColumns = Object.keys(problemKinds) as (keyof typeof problemKinds)[];

export async function findProblem(db: Db, id: bigint): Promise<ProblemRow | undefined> {
  const [row] = await runCompiled<ProblemRow>(db, 'findProblem', [id], () =>
    db.selectFrom('problems').select(problemColumns).where('id', '=', id),
  );
  return row;
}

export async function problemExists(db: Db, id: bigint): Promise<boolean> {
  const rows = await runCompiled(db, 'problemExists', [id], () =>
    db.selectFrom('problems').select('id').where('id', '=', id),
  );
  return rows.length > 0;
}

/** Whether the garden has any problem of this judge. */
export async function hasProblemsOf(db: Db, source: string): Promise<boolean> {
  const row = await db
    .selectFrom('problem_keys')
    .select('key')
    .where('source', '=', source)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export type KeyedProblem = ProblemRow & { key: string; is_sample: bigint };

/** The problems of one judge that these keys or aliases name: one row for each key that was found. */
export async function findProblemsByKeys(
  db: Db,
  source: string,
  keys: readonly string[],
): Promise<KeyedProblem[]> {
  return lookUpMany(keys, (some) =>
    runCompiled<KeyedProblem>(db, 'findProblemsByKeys', [source, ...some], () =>
      db
        .selectFrom('problem_keys')
        .innerJoin('problems', 'problems.id', 'problem_keys.problem_id')
        .select(problemColumns.map((column) => `problems.${column}` as const))
        .select(['problem_keys.key', 'problems.is_sample'])
        .where('problem_keys.source', '=', source)
        .where('problem_keys.key', 'in', some),
    ),
  );
}

export async function findProblemsByIds(
  db: Db,
  ids: readonly bigint[],
): Promise<(ProblemRow & { is_sample: bigint })[]> {
  return lookUpMany(ids, (some) =>
    runCompiled(db, 'findProblemsByIds', some, () =>
      db
        .selectFrom('problems')
        .select([...problemColumns, 'is_sample'])
        .where('id', 'in', some),
    ),
  );
}

export async function insertProblems(tx: Db, rows: readonly ProblemRow[], isSample: boolean): Promise<void> {
  await insertUntagged(tx, rows, isSample);
  await insertTags(tx, rows);
}

/** Like insertProblems, but without the rows of `problem_tags`; the caller writes these with insertTagsOfRange. */
export async function insertUntagged(tx: Db, rows: readonly ProblemRow[], isSample: boolean): Promise<void> {
  await insertMany(
    tx,
    'problems',
    rows.map((row) => ({ ...row, search_text: searchText(row), is_sample: isSample ? 1n : 0n })),
  );
  await insertKeys(tx, rows);
}

/** Writes the new row. Afterwards the problem no longer counts as part of the sample. */
export async function updateProblem(tx: Db, before: ProblemRow, after: ProblemRow): Promise<void> {
  const { id } = after;
  // The statement is compiled once, so its parameters need one order, whatever the order of the row's columns.
  const shown = Object.fromEntries(problemColumns.slice(1).map((column) => [column, after[column]]));
  const columns = { ...shown, search_text: searchText(after), is_sample: 0n };
  await runCompiled(tx, 'updateProblem', [...Object.values(columns), id], () =>
    tx.updateTable('problems').set(columns).where('id', '=', id),
  );
  await updateNames(tx, before, after);
}

/** Keeps those of the problems that came with the sample when the sample is removed. */
export async function adoptProblems(
  tx: Db,
  rows: readonly Pick<ProblemsTable, 'id' | 'is_sample'>[],
): Promise<void> {
  const ids = new Set(rows.filter((row) => row.is_sample === 1n).map((row) => row.id));
  for (const id of ids) {
    await tx.updateTable('problems').set({ is_sample: 0n }).where('id', '=', id).execute();
  }
}

/** Deletes a problem with its statuses and bookmarks. */
export async function deleteProblem(tx: Db, row: ProblemRow): Promise<void> {
  await deleteNames(tx, row);
  await tx.deleteFrom('problems').where('id', '=', row.id).execute();
}

/** The problems of the sample on which no member has a status or bookmark. */
export async function listUnusedSampleProblems(db: Db): Promise<ProblemRow[]> {
  return db
    .selectFrom('problems')
    .select(problemColumns)
    .where('is_sample', '=', 1n)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('statuses').select('user_id').whereRef('problem_id', '=', 'problems.id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('bookmarks').select('user_id').whereRef('problem_id', '=', 'problems.id'))),
    )
    .execute();
}

function searchText(row: ProblemRow): string {
  return searchColumn([row.title, row.source_key, ...listOf(row.aliases)]);
}
