/** The problems that a member has completed: those whose status shows so, and since when. */
import { sql } from 'kysely';
import { runCompiled } from './bulk.ts';
import { reachedAt } from './own-history.ts';
import { shownStatus } from './statuses.ts';
import type { Db } from './tables.ts';

export interface Completion {
  problem_id: bigint;
  /** When the first of the words that say so said it. */
  completed_at: string;
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
export function listCompleted(db: Db, userId: bigint): Promise<Completion[]> {
  return runCompiled<Completion>(db, 'listCompleted', [userId], () =>
    completedBy(db, userId).select('problem_id').select(reachedAt.as('completed_at')),
  );
}

/** The last ones, the newest first. */
export function latestCompleted(db: Db, userId: bigint, limit: number) {
  return completedBy(db, userId)
    .select('problem_id')
    .orderBy(reachedAt, 'desc')
    .orderBy('problem_id', 'desc')
    .limit(limit);
}
