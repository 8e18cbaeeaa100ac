/** Numbered pages of problems, as the website shows them; the interface's collections walk by cursors instead. */
import { sql } from 'kysely';
import { countRows, paged, type SortKey } from './keyset.ts';
import { type ProblemFilter, problemsMatching } from './problem-lists.ts';
import { type ProblemRow, problemColumns } from './problems.ts';
import { shownStatus } from './statuses.ts';
import type { Db, State } from './tables.ts';

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

/** The ids of all problems that match, in their order. */
export async function listProblemIds(db: Db, filter: ProblemFilter): Promise<bigint[]> {
  const rows = await problemsMatching(db, filter).select('problems.id').orderBy('problems.id').execute();
  return rows.map(({ id }) => id);
}

/** The problem at this place among all that match. */
export async function findProblemAt(
  db: Db,
  filter: ProblemFilter,
  offset: number,
): Promise<bigint | undefined> {
  const matching = problemsMatching(db, filter).select('problems.id').orderBy('problems.id');
  const row = await matching.limit(1).offset(offset).executeTakeFirst();
  return row?.id;
}

/** Of how many of the problems that match the filter's member says what; null where they say nothing. */
export async function countOwnWords(db: Db, filter: ProblemFilter): Promise<Map<State | null, number>> {
  const own = db.selectFrom('statuses').where('user_id', '=', filter.memberId);
  const rows = await problemsMatching(db, filter)
    .leftJoin(own.select(['problem_id', 'self_status']).as('own'), 'own.problem_id', 'problems.id')
    .select(['own.self_status', sql<bigint>`count(*)`.as('count')])
    .groupBy('own.self_status')
    .execute();
  return new Map(rows.map(({ self_status, count }) => [self_status, Number(count)]));
}

/** How many problems a member has with this status. */
export async function countStatuses(db: Db, userId: bigint, status: State): Promise<bigint> {
  return countRows(db.selectFrom('statuses').where('user_id', '=', userId).where(shownStatus, '=', status));
}

/** What all members see of the catalogue: judges and topics with their numbers of problems, the most frequent first. */
export interface CatalogueFacts {
  total: bigint;
  sources: { source: string; count: bigint }[];
  topics: { tag: string; count: bigint }[];
}

export async function readCatalogueFacts(db: Db): Promise<CatalogueFacts> {
  const count = sql<bigint>`count(*)`.as('count');
  const sources = await db
    .selectFrom('problems')
    .select(['source', count])
    .groupBy('source')
    .orderBy('count', 'desc')
    .orderBy('source')
    .execute();
  const topics = await db
    .selectFrom('problem_tags')
    .select(['tag', count])
    .groupBy('tag')
    .orderBy('count', 'desc')
    .orderBy('tag')
    .limit(100)
    .execute();
  return { total: sources.reduce((sum, one) => sum + one.count, 0n), sources, topics };
}
