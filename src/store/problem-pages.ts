/** Numbered pages of problems, as the website shows them; the interface's collections walk by cursors instead. */
import { sql } from 'kysely';
import { countRows, paged, type SortKey } from './keyset.ts';
import { type ProblemFilter, problemsMatching } from './problem-lists.ts';
import { type ProblemRow, problemColumns } from './problems.ts';
import type { Db } from './tables.ts';

/** How many problems match. */
export function countProblems(db: Db, filter: ProblemFilter): Promise<bigint> {
  return countRows(problemsMatching(db, filter));
}

/** The problems at these places of the whole list, in this order. */
export async function listProblemPage(
  db: Db,
  filter: ProblemFilter,
  keys: readonly SortKey[],
  { offset, limit }: { offset: number; limit: number },
): Promise<ProblemRow[]> {
  const query = problemsMatching(db, filter).select(problemColumns);
  return paged(query, { keys, after: undefined, limit }).offset(offset).execute() as Promise<ProblemRow[]>;
}

/** The ids of all problems that match, in no order. */
export async function listProblemIds(db: Db, filter: ProblemFilter): Promise<bigint[]> {
  const rows = await problemsMatching(db, filter).select('problems.id').execute();
  return rows.map(({ id }) => id);
}

/** The judges of which there are problems, in their order. */
export async function listSources(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('problem_keys').select('source').distinct().orderBy('source').execute();
  return rows.map(({ source }) => source);
}

/** The topics, with the number of problems of each, the most frequent first. */
export async function listTopics(db: Db): Promise<{ tag: string; count: bigint }[]> {
  return db
    .selectFrom('problem_tags')
    .select(['tag', sql<bigint>`count(*)`.as('count')])
    .groupBy('tag')
    .orderBy('count', 'desc')
    .orderBy('tag')
    .limit(200)
    .execute();
}
