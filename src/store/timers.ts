/** Timers of members. The rules are in `practice/timer-rules.ts`. */
import { sql } from 'kysely';
import { insertMissing, preparedForMany } from './bulk.ts';
import { reserveIds } from './ids.ts';
import { type Page, sortFieldsOf } from './listings.ts';
import { prepared } from './prepared.ts';
import type { ProblemRow } from './problems.ts';
import { isNoProgramPart } from './program-parts.ts';
import type { Grade, ReviewsTable } from './reviews.ts';
import { listKeyedRows, listRowsOn, updateRow } from './rows.ts';
import type { Db } from './tables.ts';

export type Outcome = 'solved' | 'editorial' | 'unsolved';

/** A member has at most one timer that is neither stopped nor undone. */
export interface TimersTable {
  id: bigint;
  user_id: bigint;
  problem_id: bigint;
  started_at: string;
  /** A JSON list of the beginning and end of each pause; a running pause has no end. */
  pauses: string;
  stopped_at: string | null;
  outcome: Outcome | null;
  /** Derived from the stored submissions; it ends the timer. */
  solved_at: string | null;
  grade: Grade | null;
  change_id: bigint | null;
  undone_at: string | null;
}

declare module './tables.ts' {
  interface Tables {
    timers: TimersTable;
  }
}

export type TitledTimer = TimersTable &
  Pick<ProblemRow, 'title' | 'source' | 'source_key' | 'rating' | 'url'>;

const timersWithTitles = (db: Db) =>
  db
    .selectFrom('timers')
    .innerJoin('problems', 'problems.id', 'timers.problem_id')
    .selectAll('timers')
    .select(['title', 'source', 'source_key', 'rating', 'url']);

const openTimers = prepared((db, { userId }: { userId: bigint }) =>
  timersWithTitles(db)
    .where('user_id', '=', userId)
    .where('stopped_at', 'is', null)
    .where('undone_at', 'is', null),
);

export const findOpenTimer = async (db: Db, userId: bigint): Promise<TitledTimer | undefined> =>
  (await openTimers(db, { userId }))[0];

export async function findTimer(db: Db, userId: bigint, id: bigint): Promise<TitledTimer | undefined> {
  return timersWithTitles(db).where('timers.id', '=', id).where('user_id', '=', userId).executeTakeFirst();
}

export async function listTimersOf(
  db: Db,
  userId: bigint,
  problemIds: readonly bigint[],
): Promise<TimersTable[]> {
  const rows = await listRowsOn(db, 'timers', userId, problemIds);
  return rows.toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1));
}

export type ValidReview = Pick<ReviewsTable, 'problem_id' | 'id' | 'grade' | 'made_at'>;
export type ValidTimer = Pick<
  TimersTable,
  'problem_id' | 'id' | 'grade' | 'started_at' | 'pauses' | 'stopped_at' | 'solved_at'
>;

const reviewsAndTimers = preparedForMany(
  (db, problemIds: readonly bigint[], { userId }: { userId: bigint }) => {
    const none = sql<string | null>`NULL`;
    const reviews = db
      .selectFrom('reviews')
      .select(['user_id', 'problem_id', 'undone_at', 'id', 'grade', 'made_at as at'])
      .select([none.as('pauses'), none.as('stopped_at'), none.as('solved_at')]);
    const timers = db
      .selectFrom('timers')
      .select(['user_id', 'problem_id', 'undone_at', 'id', 'grade', 'started_at as at'])
      .select(['pauses', 'stopped_at', 'solved_at']);
    return db
      .selectFrom(reviews.unionAll(timers as never).as('both'))
      .selectAll()
      .where('user_id', '=', userId)
      .where('problem_id', 'in', problemIds)
      .where('undone_at', 'is', null)
      .orderBy('at')
      .orderBy('id');
  },
);

/** One statement reads both, because every mark needs both. */
export async function listReviewsAndTimers(
  db: Db,
  userId: bigint,
  problemIds: readonly bigint[],
): Promise<{ reviews: ValidReview[]; timers: ValidTimer[] }> {
  const rows = await reviewsAndTimers(db, problemIds, { userId });
  const [ofReviews, ofTimers] = [rows.filter(isOfReview), rows.filter((row) => !isOfReview(row))];
  return {
    reviews: ofReviews.map(({ at, ...row }) => ({ ...row, made_at: at }) as ValidReview),
    timers: ofTimers.map(({ at, ...row }) => ({ ...row, started_at: at }) as ValidTimer),
  };
}

/** Only timers have pauses. */
const isOfReview = ({ pauses }: { pauses: string | null }) => pauses === null;

export const listEndedTimers = prepared((db, { userId }: { userId: bigint }) =>
  timersWithTitles(db)
    .where('user_id', '=', userId)
    .where('undone_at', 'is', null)
    .where(sql<boolean>`(stopped_at IS NOT NULL OR solved_at IS NOT NULL)`)
    .orderBy('started_at', 'desc')
    .orderBy('timers.id', 'desc'),
);

const closedAt = sql<string>`coalesce(solved_at, stopped_at, undone_at)`;

/** Closed timers are those that ended or were undone. Those of a program belong to its write. */
export async function listClosedTimers(
  db: Db,
  userId: bigint,
  limit: number,
  after?: bigint,
): Promise<(TitledTimer & { closed_at: string })[]> {
  let query = timersWithTitles(db)
    .select(closedAt.as('closed_at'))
    .where('user_id', '=', userId)
    .where(sql<boolean>`${closedAt} IS NOT NULL`)
    .where(isNoProgramPart('timer', 'timers.id'))
    .orderBy(closedAt, 'desc')
    .orderBy('timers.id', 'desc')
    .limit(limit);
  if (after !== undefined) {
    const last = db
      .selectFrom('timers')
      .select(closedAt.as('at'))
      .where('id', '=', after)
      .where('user_id', '=', userId);
    query = query.where(
      sql<boolean>`(${closedAt} < (${last}) OR (${closedAt} = (${last}) AND timers.id < ${after}))`,
    );
  }
  return query.execute();
}

export async function insertTimer(tx: Db, row: Omit<TimersTable, 'id'>): Promise<TimersTable | undefined> {
  const [id = 0n] = await reserveIds(tx, 'timers', 1);
  const timer = { ...row, id };
  const written = await insertMissing(tx, 'timers', [timer]);
  return written > 0n ? timer : undefined;
}

export async function updateTimer(
  tx: Db,
  row: Pick<TimersTable, 'id'> & Partial<TimersTable>,
): Promise<void> {
  await updateRow(tx, 'timers', ['id'], row);
}

export const timerOrder = sortFieldsOf('timers', { user_id: 'integer', started_at: 'text', id: 'integer' });

const exported = [
  'id',
  'user_id',
  'started_at',
  'pauses',
  'stopped_at',
  'outcome',
  'solved_at',
  'grade',
  'undone_at',
] as const;

export const exportTimers = (db: Db, user: bigint | undefined, page: Page) =>
  listKeyedRows(db, 'timers', exported, user, page);
