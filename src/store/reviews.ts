/** Reviews of solved problems, and the cards that say when each comes back. */
import { sql } from 'kysely';
import { firstSolvesIn, type MemberTimeRange, type TimeRange } from './activity.ts';
import { insertMany, preparedForMany, upsertInto } from './bulk.ts';
import { handlesOf } from './handles.ts';
import { reserveIds } from './ids.ts';
import { type Page, sortFieldsOf } from './listings.ts';
import { prepared } from './prepared.ts';
import type { ProblemRow } from './problems.ts';
import { deleteRowsOfProblems, listKeyedRows, listRowsInList, listRowsOn, updateRows } from './rows.ts';
import type { Db } from './tables.ts';

export type Grade = 'again' | 'hard' | 'good' | 'easy';

export interface ReviewsTable {
  id: bigint;
  user_id: bigint;
  problem_id: bigint;
  grade: Grade | 'later' | 'never';
  made_at: string;
  undone_at: string | null;
}

/** A card is derived from how the problem was solved and from `reviews`, so that undoing a review restores it. */
export interface ReviewCardsTable {
  user_id: bigint;
  problem_id: bigint;
  begun_day: bigint;
  first_grade: Grade;
  due_day: bigint | null;
  /** The order of due cards: 0 after a first review; before it 1 to 4, by `first_grade` from again to easy. */
  turn: bigint;
  last_review: bigint | null;
}

declare module './tables.ts' {
  interface Tables {
    reviews: ReviewsTable;
    review_cards: ReviewCardsTable;
  }
}

export async function listReviewsOf(
  db: Db,
  userId: bigint,
  problemIds: readonly bigint[],
): Promise<ReviewsTable[]> {
  return inOrder(await listRowsOn(db, 'reviews', userId, problemIds));
}

const inOrder = (rows: ReviewsTable[]) =>
  rows.toSorted((a, b) => (a.made_at === b.made_at ? Number(a.id - b.id) : a.made_at < b.made_at ? -1 : 1));
const isValid = ({ undone_at }: ReviewsTable) => undone_at === null;

export async function listValidReviews(...args: Parameters<typeof listReviewsOf>): Promise<ReviewsTable[]> {
  return (await listReviewsOf(...args)).filter(isValid);
}

export const listValidReviewsInList = async (
  db: Db,
  userId: bigint,
  listId: bigint,
): Promise<ReviewsTable[]> => inOrder(await listRowsInList(db, 'reviews', userId, listId)).filter(isValid);

export async function insertReviews(
  tx: Db,
  rows: readonly Omit<ReviewsTable, 'id'>[],
): Promise<ReviewsTable[]> {
  const ids = await reserveIds(tx, 'reviews', rows.length);
  const added = rows.map((row, index) => ({ ...row, id: ids[index] as bigint }));
  await insertMany(tx, 'reviews', added);
  return added;
}

export const setReviewUndone = (tx: Db, id: bigint, undone_at: string | null) =>
  updateRows(tx, 'reviews', { id }, { undone_at });

export type TitledReview = ReviewsTable & Pick<ProblemRow, 'title' | 'source' | 'source_key'>;

const reviewsWithTitles = (db: Db) =>
  db
    .selectFrom('reviews')
    .innerJoin('problems', 'problems.id', 'reviews.problem_id')
    .selectAll('reviews')
    .select(['title', 'source', 'source_key']);

export function findReview(db: Db, userId: bigint, id: bigint): Promise<TitledReview | undefined> {
  return reviewsWithTitles(db).where('reviews.id', '=', id).where('user_id', '=', userId).executeTakeFirst();
}

export function listReviews(db: Db, userId: bigint, limit: number): Promise<TitledReview[]> {
  return reviewsWithTitles(db)
    .where('user_id', '=', userId)
    .orderBy('made_at', 'desc')
    .orderBy('reviews.id', 'desc')
    .limit(limit)
    .execute();
}

const reviewsIn = (db: Db, userIds: readonly bigint[], { from, until }: TimeRange) =>
  db
    .selectFrom('reviews')
    .where('made_at', '>=', from)
    .where('made_at', '<', until)
    .where('undone_at', 'is', null)
    .where(sql<boolean>`grade NOT IN ('later', 'never')`)
    .where('user_id', 'in', userIds);

export const listReviewTimes = preparedForMany((db, userIds: readonly bigint[], range: TimeRange) =>
  reviewsIn(db, userIds, range).select(['user_id', 'made_at as at']).orderBy('user_id').orderBy('made_at'),
);

/** Of first solves and reviews. */
export const listStreakTimes = prepared((db, { userId, ...range }: MemberTimeRange) =>
  firstSolvesIn(db, userId, range)
    .select('at')
    .unionAll(reviewsIn(db, [userId], range).select('made_at as at'))
    .orderBy('at'),
);

export const findCards = (db: Db, userId: bigint, problemIds: readonly bigint[]) =>
  listRowsOn(db, 'review_cards', userId, problemIds);

const cardColumns = ['begun_day', 'first_grade', 'due_day', 'turn', 'last_review'] as const;

const isCardChanged = cardColumns.map((column) => {
  const [old, next] = [sql.ref(`review_cards.${column}`), sql.ref(`excluded.${column}`)];
  return sql<boolean>`${old} IS DISTINCT FROM ${next}`;
});

export const upsertCards = upsertInto('review_cards', (insert) =>
  insert.onConflict((conflict) =>
    conflict
      .columns(['user_id', 'problem_id'])
      .doUpdateSet(({ ref }) =>
        Object.fromEntries(cardColumns.map((column) => [column, ref(`excluded.${column}`)])),
      )
      .where(sql<boolean>`(${sql.join(isCardChanged, sql` OR `)})`),
  ),
);

export const deleteCards = (tx: Db, userId: bigint, problemIds: readonly bigint[]) =>
  deleteRowsOfProblems(tx, 'review_cards', userId, problemIds);

/** With all turns named, an engine finds due days in the index `review_cards_by_turn`. */
const allTurns = sql.raw('(0, 1, 2, 3, 4)');

export type TitledCard = ReviewCardsTable &
  Pick<ProblemRow, 'title' | 'source' | 'source_key' | 'rating' | 'url'>;

export const listDueCards = prepared(
  (db, { userId, day, limit }: { userId: bigint; day: bigint; limit: number }) =>
    db
      .selectFrom('review_cards')
      .innerJoin('problems', 'problems.id', 'review_cards.problem_id')
      .selectAll('review_cards')
      .select(['title', 'source', 'source_key', 'rating', 'url'])
      .where('user_id', '=', userId)
      .where(sql<boolean>`turn IN ${allTurns}`)
      .where('due_day', '<=', day)
      .orderBy('turn')
      .orderBy('due_day')
      .orderBy('problem_id')
      .limit(limit),
);

const dueCards = prepared((db, { userId, day }: { userId: bigint; day: bigint }) =>
  db
    .selectFrom('review_cards')
    .select(sql<bigint>`count(*)`.as('n'))
    .where('user_id', '=', userId)
    .where(sql<boolean>`turn IN ${allTurns}`)
    .where('due_day', '<=', day),
);

export async function countDueCards(db: Db, userId: bigint, day: number): Promise<number> {
  const [row] = await dueCards(db, { userId, day: BigInt(day) });
  return Number(row?.n ?? 0n);
}

export async function countCardsByDay(
  db: Db,
  userId: bigint,
  until: number,
): Promise<{ due_day: bigint; n: bigint }[]> {
  return db
    .selectFrom('review_cards')
    .select((eb) => [eb.ref('due_day').$notNull().as('due_day'), sql<bigint>`count(*)`.as('n')])
    .where('user_id', '=', userId)
    .where(sql<boolean>`turn IN ${allTurns}`)
    .where('due_day', '<=', BigInt(until))
    .groupBy('due_day')
    .orderBy('due_day')
    .execute();
}

export async function listProblemsWithCard(db: Db, userId: bigint): Promise<bigint[]> {
  const rows = await db
    .selectFrom('review_cards')
    .select('problem_id')
    .where('user_id', '=', userId)
    .execute();
  return rows.map(({ problem_id }) => problem_id);
}

export interface SubmissionForReview {
  problem_id: bigint;
  verdict_class: 'tried' | 'solved';
  submitted_at: string;
}

/** No handle has this id. */
export const noHandle = 0n;

export const listSubmissionsForReview = preparedForMany(
  (db, problemIds: readonly bigint[], { userId, withoutHandle }: { userId: bigint; withoutHandle: bigint }) =>
    db
      .selectFrom('solves')
      .select(['problem_id', 'verdict_class', 'submitted_at'])
      .where('handle_id', 'in', handlesOf(db, userId))
      .where('handle_id', '!=', withoutHandle)
      .where('problem_id', 'in', problemIds)
      .where(sql<boolean>`verdict_class IN ('tried', 'solved')`)
      .$castTo<SubmissionForReview>(),
);

export const reviewOrder = sortFieldsOf('reviews', { user_id: 'integer', made_at: 'text', id: 'integer' });

export const exportReviews = (db: Db, user: bigint | undefined, page: Page) =>
  listKeyedRows(db, 'reviews', ['id', 'user_id', 'grade', 'made_at', 'undone_at'], user, page);
