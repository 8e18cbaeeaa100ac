/**
 * Solves and submissions of members, each with its moment: first solves, all solves, and all submissions. `practice/activity.ts`
 * puts them into days.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type SqlBool, sql } from 'kysely';
import { insertMany, runCompiled, runForMany } from './bulk.ts';
import { handlesOf } from './handles.ts';
import type { Db } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    first_solves: FirstSolvesTable;
  }
}

/** The first moment at which a member solved a problem: by a submission that was accepted, or by a word. */
export interface FirstSolvesTable {
  user_id: bigint;
  problem_id: bigint;
  at: string;
}

/** Moments from one to another, the second one not included. */
export interface Between {
  from: string;
  until: string;
}

export const always: Between = { from: '', until: '~' };

/** Writes when a member first solved these problems. */
export async function keepFirstSolves(tx: Db, rows: readonly FirstSolvesTable[]): Promise<void> {
  await insertMany(tx, 'first_solves', rows, (insert) =>
    insert.onConflict((conflict) =>
      conflict
        .columns(['user_id', 'problem_id'])
        .doUpdateSet(({ ref }) => ({ at: ref('excluded.at') }))
        .whereRef('first_solves.at', '<>', 'excluded.at' as 'at'),
    ),
  );
}

export async function deleteFirstSolves(
  tx: Db,
  userId: bigint,
  problemIds: readonly bigint[],
): Promise<void> {
  await runForMany(tx, 'deleteFirstSolves', [userId], problemIds, (some) =>
    tx.deleteFrom('first_solves').where('user_id', '=', userId).where('problem_id', 'in', some),
  );
}

/** The problems that a member solved first in this time. */
export function firstSolvedIn(db: Db, userId: bigint, { from, until }: Between) {
  return db
    .selectFrom('first_solves')
    .where('first_solves.user_id', '=', userId)
    .where('at', '>=', from)
    .where('at', '<', until);
}

/** The problems that a member solved last for the first time, the newest first. */
export function latestFirstSolved(db: Db, userId: bigint, limit: number) {
  return firstSolvedIn(db, userId, always)
    .select('first_solves.problem_id')
    .orderBy('at', 'desc')
    .orderBy('first_solves.problem_id', 'desc')
    .limit(limit);
}

/** The topics of these problems, one text of topics for each. */
export function listLatestTopics(db: Db, userId: bigint, limit: number) {
  return latestFirstSolved(db, userId, limit)
    .innerJoin('problems', 'problems.id', 'first_solves.problem_id')
    .select('problems.tags')
    .execute();
}

/** First solves with what says how hard they were, in their order. */
export function listFirstSolves(
  db: Db,
  userId: bigint,
  between: Between,
): Promise<{ at: string; source: string; rating: bigint | null }[]> {
  return runCompiled(db, 'listFirstSolves', [userId, between.from, between.until], () =>
    firstSolvedIn(db, userId, between)
      .innerJoin('problems', 'problems.id', 'first_solves.problem_id')
      .select(['at', 'source', 'rating'])
      .orderBy('at'),
  );
}

/** When a member solved something for the first time, in order. */
export function listOwnFirstSolves(db: Db, userId: bigint, between: Between): Promise<{ at: string }[]> {
  return runCompiled(db, 'listOwnFirstSolves', [userId, between.from, between.until], () =>
    firstSolvedIn(db, userId, between).select('at').orderBy('at'),
  );
}

/** The same of several members. */
export function listFirstSolvedAt(
  db: Db,
  userIds: readonly bigint[],
  { from, until }: Between,
): Promise<{ user_id: bigint; at: string }[]> {
  return runForMany(db, 'listFirstSolvedAt', [from, until], userIds, (some) =>
    db
      .selectFrom('first_solves')
      .select(['user_id', 'at'])
      .where('at', '>=', from)
      .where('at', '<', until)
      .where('user_id', 'in', some)
      .orderBy('user_id')
      .orderBy('at'),
  );
}

/** When a word said that a problem is solved, the member's or the judge's. */
function wordsIn(db: Db, userId: bigint, { from, until }: Between) {
  const said = (status: 'self_status' | 'judge_status', at: 'self_at' | 'judge_at') =>
    db
      .selectFrom('statuses')
      .select((eb) => ['problem_id', eb.ref(at).$notNull().as('at')])
      .where('user_id', '=', userId)
      .where(status, '=', sql.lit('complete'))
      .where(at, '>=', from)
      .where(at, '<', until);
  return said('self_status', 'self_at').unionAll(said('judge_status', 'judge_at'));
}

/** All that a member solved in this time, again as well: by words, and by submissions that were accepted. */
export function solvedIn(db: Db, userId: bigint, between: Between) {
  const accepted = db
    .selectFrom('solves')
    .select((eb) => [eb.ref('problem_id').$notNull().as('problem_id'), eb.ref('submitted_at').as('at')])
    .where('handle_id', 'in', handlesOf(db, userId))
    .where('submitted_at', '>=', between.from)
    .where('submitted_at', '<', between.until)
    .where('verdict_class', '=', sql.lit('solved'))
    // The sign keeps SQLite from reading all submissions to any problem along their index.
    .where(sql<boolean>`+problem_id IS NOT NULL`);
  return wordsIn(db, userId, between).unionAll(accepted);
}

type SolvedAt = { problem_id: bigint; at: string };

export function listSolvedIn(db: Db, userId: bigint, between: Between): Promise<SolvedAt[]> {
  const asked = [userId, between.from, between.until];
  return runCompiled(db, 'listSolvedIn', [...asked, ...asked, ...asked], () => solvedIn(db, userId, between));
}

export function listWordsIn(db: Db, userId: bigint, between: Between): Promise<SolvedAt[]> {
  const asked = [userId, between.from, between.until];
  return runCompiled(db, 'listWordsIn', [...asked, ...asked], () => wordsIn(db, userId, between));
}

const sentAtOnce = 5000;

/** When a member sent something, each submission once. Read in windows, between which other requests go on. */
export async function* listSent(
  db: Db,
  userId: bigint,
  { from, until }: Between,
): AsyncGenerator<{ at: string }[]> {
  for (const { id } of await handlesOf(db, userId).execute())
    for (let after = { at: from, submission: '' }; ; ) {
      const { at, submission } = after;
      const asked = [id, at, submission, until, sentAtOnce];
      const rows = await runCompiled<typeof after>(db, 'listSent', asked, () =>
        db
          .selectFrom('solves')
          .select(['submitted_at as at', 'submission_id as submission'])
          .where('handle_id', '=', id)
          .where(sql<SqlBool>`(submitted_at, submission_id) > (${at}, ${submission})`)
          .where('submitted_at', '<', until)
          .orderBy('submitted_at')
          .orderBy('submission_id')
          .limit(sentAtOnce),
      );
      yield rows;
      const last = rows.at(-1);
      if (!last || rows.length < sentAtOnce) break;
      await nextTurn();
      after = last;
    }
}

/** The first moment at which a member solved, sent or reviewed anything, or a word of theirs says so. */
export async function findFirstMoment(db: Db, userId: bigint): Promise<string | undefined> {
  const { rows } = await sql<{ at: string | null }>`
    SELECT min(at) AS at FROM (
      SELECT min(at) AS at FROM first_solves WHERE user_id = ${userId}
      UNION ALL
      SELECT (SELECT min(submitted_at) FROM solves WHERE handle_id = handles.id) FROM handles WHERE user_id = ${userId}
      UNION ALL
      SELECT min(made_at) FROM reviews
        WHERE user_id = ${userId} AND undone_at IS NULL AND grade NOT IN ('later', 'never')
    ) AS first`.execute(db);
  return rows[0]?.at ?? undefined;
}
