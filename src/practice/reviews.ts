/** The queue of problems to try again: what is due today, the member's answers, and undoing them. */
import { localizedError } from '../errors.ts';
import {
  countDueCards,
  findCards,
  findReview,
  type Grade,
  insertReviews,
  listDueCards,
  listReviewTimes,
  listValidReviews,
  type ReviewCardsTable,
  type ReviewsTable,
  setReviewUndone,
  type TitledCard,
} from '../store/reviews.ts';
import { findStatuses } from '../store/statuses.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { listTimersOf } from '../store/timers.ts';
import { daysOfMember, timeRangeOfDays } from './activity.ts';
import type { Days } from './days.ts';
import { byProblem, derive, firstSolveAt, readSubmissionsByProblem } from './derivation.ts';
import { readReviewsADay } from './preferences.ts';
import {
  beginCard,
  gradeCard,
  grades,
  replayReviews,
  type SolvedHow,
  triesBeforeSolve,
} from './review-cards.ts';
import { endOfTimer } from './timer-rules.ts';
import { type GradeSuggestion, suggestionFor } from './timers.ts';

type Answer = ReviewsTable['grade'];

/** The day on which a problem comes back after each grade. */
type NextDays = Readonly<Record<Grade, number>>;

const nextDaysBy = (stateAfter: (grade: Grade) => { dueDay: number }) =>
  Object.fromEntries(grades.map((grade) => [grade, stateAfter(grade).dueDay])) as NextDays;

export interface DueProblem extends TitledCard {
  nextDays: NextDays;
  solved: SolvedHow & { day: number };
  suggestion: GradeSuggestion | undefined;
  lastAnswer: { grade: Answer; day: number } | undefined;
  version: string;
}

interface TodaysCards {
  /** 0 switches reviewing off. */
  reviewsADay: number;
  today: number;
  done: number;
  cards: TitledCard[];
}

export interface DueReviews extends Omit<TodaysCards, 'cards'> {
  problems: DueProblem[];
  /** How many more are due and come on other days. */
  waitingCount: number;
}

export async function cardsForToday(
  db: Db,
  memberId: bigint,
  { reviewsADay, days, now }: { reviewsADay: number; days: Days; now: Date },
): Promise<TodaysCards> {
  const today = days.at(now.getTime());
  if (reviewsADay === 0) return { reviewsADay, today, done: 0, cards: [] };
  const done = (await listReviewTimes(db, [memberId], timeRangeOfDays(days, today, today))).length;
  const remaining = Math.max(0, reviewsADay - done);
  const cards =
    remaining === 0 ? [] : await listDueCards(db, { userId: memberId, day: BigInt(today), limit: remaining });
  return { reviewsADay, today, done, cards };
}

export async function dueForReview(db: Db, memberId: bigint, now: Date): Promise<DueReviews> {
  const days = await daysOfMember(db, memberId);
  const { cards, ...today } = await cardsForToday(db, memberId, {
    reviewsADay: await readReviewsADay(db, memberId),
    days,
    now,
  });
  if (today.reviewsADay === 0) return { ...today, problems: [], waitingCount: 0 };
  const problems = await dueProblemsOf(db, memberId, cards, days, today.today);
  const due = await countDueCards(db, memberId, today.today);
  return { ...today, problems, waitingCount: due - cards.length };
}

export async function findDueProblem(
  db: Db,
  memberId: bigint,
  problem: Omit<TitledCard, keyof ReviewCardsTable> & { id: bigint },
  now: Date,
): Promise<{ due: DueProblem; today: number } | undefined> {
  const days = await daysOfMember(db, memberId);
  const today = days.at(now.getTime());
  const card = await findDueCard(db, memberId, problem.id, today);
  if (!card) return undefined;
  const [due] = await dueProblemsOf(db, memberId, [{ ...problem, ...card }], days, today);
  return due && { due, today };
}

export async function findDueCard(
  db: Db,
  memberId: bigint,
  problemId: bigint,
  today: number,
): Promise<ReviewCardsTable | undefined> {
  const [card] = await findCards(db, memberId, [problemId]);
  if (!card || !isDue(card, today) || (await readReviewsADay(db, memberId)) === 0) return undefined;
  return card;
}

/** Undefined if the solve was reviewed, is due by now, or does not come back. */
export async function findFirstReview(
  db: Db,
  memberId: bigint,
  problemId: bigint,
  days: Days,
): Promise<{ begunDay: number; today: number; nextDays: NextDays } | undefined> {
  const [card] = await findCards(db, memberId, [problemId]);
  const today = days.at(Date.now());
  if (!card || card.last_review !== null || card.due_day === null || isDue(card, today)) return undefined;
  if ((await readReviewsADay(db, memberId)) === 0) return undefined;
  const begunDay = Number(card.begun_day);
  return { begunDay, today, nextDays: nextDaysBy((grade) => beginCard(begunDay, grade)) };
}

const isDue = ({ due_day }: { due_day: bigint | null }, today: number) =>
  due_day !== null && Number(due_day) <= today;

async function dueProblemsOf(
  db: Db,
  memberId: bigint,
  cards: readonly TitledCard[],
  days: Days,
  today: number,
): Promise<DueProblem[]> {
  const ids = cards.map(({ problem_id }) => problem_id);
  const reviews = Map.groupBy(await listValidReviews(db, memberId, ids), ({ problem_id }) => problem_id);
  const statuses = byProblem(await findStatuses(db, memberId, ids));
  const submissions = await readSubmissionsByProblem(db, memberId, ids);
  const suggestions = await suggestionsOf(db, memberId, cards, (at) => days.at(Date.parse(at)) === today);
  return cards.map((card) => {
    const reviewsOfCard = reviews.get(card.problem_id) ?? [];
    const { state: at } = replayReviews(Number(card.begun_day), card.first_grade, reviewsOfCard, days);
    const last = reviewsOfCard.at(-1);
    const [status, ownSubmissions] = [statuses.get(card.problem_id), submissions.get(card.problem_id)];
    return {
      ...card,
      nextDays: nextDaysBy((grade) => gradeCard(at, today, grade)),
      solved: {
        how: status?.how ?? null,
        tries: triesBeforeSolve(ownSubmissions),
        day: days.at(Date.parse(firstSolveAt(status, ownSubmissions))),
      },
      suggestion: suggestions.get(card.problem_id),
      lastAnswer: last && { grade: last.grade, day: days.at(Date.parse(last.made_at)) },
      version: versionOf(card, today),
    };
  });
}

async function suggestionsOf(
  db: Db,
  memberId: bigint,
  cards: readonly TitledCard[],
  isToday: (at: string) => boolean,
): Promise<ReadonlyMap<bigint, GradeSuggestion>> {
  const suggestions = new Map<bigint, GradeSuggestion>();
  const byId = byProblem(cards);
  const ids = cards.map(({ problem_id }) => problem_id);
  for (const timer of await listTimersOf(db, memberId, ids)) {
    const end = endOfTimer(timer);
    const card = byId.get(timer.problem_id);
    if (!card || end === null || timer.undone_at !== null || !isToday(end)) continue;
    const suggestion = await suggestionFor(db, timer, card);
    if (suggestion) suggestions.set(card.problem_id, suggestion);
  }
  return suggestions;
}

function versionOf(card: Pick<TitledCard, 'due_day' | 'last_review'>, today: number): string {
  return `${today}.${card.due_day}.${card.last_review ?? ''}`;
}

/**
 * Throws unknownItem, and preconditionFailed if the problem is not due or was reviewed elsewhere since `version`, so
 * that nothing counts twice.
 */
export const answerReview = inTransaction(
  async (
    tx: Db,
    memberId: bigint,
    { problemId, answer, version }: { problemId: bigint; answer: Answer; version: string },
    now: Date,
  ): Promise<ReviewsTable> => {
    const [card] = await findCards(tx, memberId, [problemId]);
    if (!card) throw localizedError('unknownItem.card');
    const days = await daysOfMember(tx, memberId);
    const today = days.at(now.getTime());
    if (!isDue(card, today) || versionOf(card, today) !== version)
      throw localizedError('preconditionFailed.notDue');
    const made_at = now.toISOString();
    const [row] = await insertReviews(tx, [
      { user_id: memberId, problem_id: problemId, grade: answer, made_at, undone_at: null },
    ]);
    await derive(tx, memberId, [problemId]);
    return row as ReviewsTable;
  },
);

/** Throws unknownItem, and preconditionFailed if there is a later review. */
export const undoReview = inTransaction(async (tx: Db, memberId: bigint, id: bigint, now: Date) => {
  const row = await findReview(tx, memberId, id);
  if (!row) throw localizedError('unknownItem.review');
  if (row.undone_at !== null) return;
  const standing = await listValidReviews(tx, memberId, [row.problem_id]);
  if (standing.at(-1)?.id !== id) throw localizedError('preconditionFailed.reviewedSince');
  await setReviewUndone(tx, id, now.toISOString());
  await derive(tx, memberId, [row.problem_id]);
});
