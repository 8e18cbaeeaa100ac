/** A member's kept submissions by their time, as the website lists them. */
import { type SqlBool, sql } from 'kysely';
import type { Between } from './activity.ts';
import { handlesOf } from './handles.ts';
import { countRows } from './keyset.ts';
import type { ShownSolve } from './problem-solves.ts';
import type { Db } from './tables.ts';

/** A submission with its problem, if that is known here. */
export type ListedSolve = ShownSolve & { problem_id: bigint | null; title: string | null };

/** The place after a submission in the list. */
export interface SubmissionPlace {
  at: string;
  id: string;
}

export async function countSubmissions(db: Db, userId: bigint, { from, until }: Between): Promise<number> {
  const rows = db
    .selectFrom('solves')
    .where('handle_id', 'in', handlesOf(db, userId))
    .where('submitted_at', '>=', from)
    .where('submitted_at', '<', until);
  return Number(await countRows(rows));
}

/** The newest first. Each handle is read along its index, so a page costs the same in a long history. */
export async function listSubmissions(
  db: Db,
  userId: bigint,
  { from, until }: Between,
  after: SubmissionPlace | undefined,
  limit: number,
): Promise<ListedSolve[]> {
  const found: ListedSolve[] = [];
  for (const { id } of await handlesOf(db, userId).execute()) {
    let query = db
      .selectFrom('solves')
      .innerJoin('handles', 'handles.id', 'solves.handle_id')
      .leftJoin('problems', 'problems.id', 'solves.problem_id')
      .select(['handles.source', 'handles.name', 'handle_id', 'submission_id', 'key', 'verdict_class'])
      .select([
        'verdict',
        'submitted_at',
        'contest',
        'participation',
        'language',
        'way',
        'problem_id',
        'title',
      ])
      .where('handle_id', '=', id)
      .where('submitted_at', '>=', from)
      .where('submitted_at', '<', until);
    if (after)
      query = query
        .where('submitted_at', '<=', after.at)
        .where(sql<SqlBool>`(submitted_at, submission_id) < (${after.at}, ${after.id})`);
    found.push(
      ...(await query
        .orderBy('submitted_at', 'desc')
        .orderBy('submission_id', 'desc')
        .limit(limit)
        .execute()),
    );
  }
  const textOf = ({ submitted_at, submission_id }: ListedSolve) => `${submitted_at}\0${submission_id}`;
  return found.toSorted((one, other) => (textOf(one) < textOf(other) ? 1 : -1)).slice(0, limit);
}
