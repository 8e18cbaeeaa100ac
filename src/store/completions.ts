/** The problems that a member has completed: those whose status shows so, and since when. */
import { sql } from 'kysely';
import { runCompiled } from './bulk.ts';
import { reachedAt } from './own-history.ts';
import { listOf } from './problem-names.ts';
import { shownStatus } from './statuses.ts';
import type { Db, ProblemsTable } from './tables.ts';

export interface Completion {
  problem_id: bigint;
  /** When the first of the words that say so said it. */
  completed_at: string;
}

/** A completed problem with all by which it counts for goals, levels and topics. */
export interface CompletedProblem extends Completion, Pick<ProblemsTable, 'source' | 'rating'> {
  /** Each once. */
  tags: ReadonlySet<string>;
}

/** A row for each problem that a member has completed. */
export function completedBy(db: Db, userId: bigint) {
  // As a literal, so that the compiled statements have no parameter for it.
  return db
    .selectFrom('statuses')
    .where('statuses.user_id', '=', userId)
    .where(shownStatus, '=', sql.lit('complete'));
}

/** All of them, in no order. */
export async function listCompleted(db: Db, userId: bigint): Promise<CompletedProblem[]> {
  type Row = Completion & Pick<ProblemsTable, 'source' | 'rating' | 'tags'>;
  const rows = await runCompiled<Row>(db, 'listCompleted', [userId], () =>
    completedBy(db, userId)
      .innerJoin('problems', 'problems.id', 'statuses.problem_id')
      .select(['statuses.problem_id', 'problems.source', 'problems.rating', 'problems.tags'])
      .select(reachedAt.as('completed_at')),
  );
  // Many problems have the same topics.
  const lists = new Map<string, ReadonlySet<string>>();
  return rows.map(({ problem_id, completed_at, source, rating, tags: text }) => {
    const tags = lists.get(text) ?? new Set(listOf(text));
    lists.set(text, tags);
    return { problem_id, completed_at, source, rating, tags };
  });
}

/** The topics of the last ones, one text of topics for each. */
export function listLatestTopics(db: Db, userId: bigint, limit: number) {
  return completedBy(db, userId)
    .innerJoin('problems', 'problems.id', 'statuses.problem_id')
    .select('problems.tags')
    .orderBy(reachedAt, 'desc')
    .orderBy('statuses.problem_id', 'desc')
    .limit(limit)
    .execute();
}

/** The last ones, the newest first. */
export function latestCompleted(db: Db, userId: bigint, limit: number) {
  return completedBy(db, userId)
    .select('problem_id')
    .orderBy(reachedAt, 'desc')
    .orderBy('problem_id', 'desc')
    .limit(limit);
}
