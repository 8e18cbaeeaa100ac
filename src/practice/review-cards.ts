/**
 * When solved problems come back (FSRS in whole days). A card begins with the last solve and each review moves it on;
 * it is derived anew after every change.
 */

import { type Card, createEmptyCard, type Grade as FsrsGrade, fsrs, Rating } from 'ts-fsrs';
import { dayMs } from '../durations.ts';
import type { Grade, ReviewCardsTable, ReviewsTable, SubmissionForReview } from '../store/reviews.ts';
import type { How } from '../store/statuses.ts';
import type { Days } from './days.ts';

/** A problem that went well comes back within a year. */
const scheduler = fsrs({ enable_short_term: false, enable_fuzz: false, maximum_interval: 365 });
export const grades: readonly Grade[] = ['again', 'hard', 'good', 'easy'];
const ratings: Readonly<Record<Grade, FsrsGrade>> = {
  again: Rating.Again,
  hard: Rating.Hard,
  good: Rating.Good,
  easy: Rating.Easy,
};
/** More refused solutions before the first accepted one mean that it was hard. */
export const triesAtMost = 3;

/** `tries` counts refused solutions; null if no submission is known. */
export interface SolvedHow {
  how: How | null;
  tries: number | null;
}

/** The member's answer counts more than the tries. */
export function firstGrade({ how, tries }: SolvedHow): Grade {
  if (how === 'editorial') return 'again';
  if (how === 'hint' || (tries ?? 0) > triesAtMost) return 'hard';
  return tries === 0 ? 'easy' : 'good';
}

interface CardState {
  dueDay: number;
  gradedDay: number;
  card: Card;
}

export function beginCard(day: number, grade: Grade): CardState {
  const at = new Date(day * dayMs);
  return cardStateOf(scheduler.next(createEmptyCard(at), at, ratings[grade]).card, day);
}

export function gradeCard({ card }: CardState, day: number, grade: Grade): CardState {
  return cardStateOf(scheduler.next(card, new Date(day * dayMs), ratings[grade]).card, day);
}

function cardStateOf(card: CardState['card'], gradedDay: number): CardState {
  return { card, gradedDay, dueDay: Math.max(gradedDay + 1, Math.round(card.due.getTime() / dayMs)) };
}

type ReviewAnswer = Pick<ReviewsTable, 'id' | 'grade' | 'made_at'>;

export function replayReviews(begunDay: number, first: Grade, reviews: readonly ReviewAnswer[], days: Days) {
  let state = beginCard(begunDay, first);
  let dueDay: number | null = state.dueDay;
  let isGraded = false;
  for (const { grade, made_at } of reviews) {
    const day = Math.max(days.at(Date.parse(made_at)), state.gradedDay);
    if (grade === 'never') dueDay = null;
    else if (grade === 'later') dueDay = day + 1;
    else {
      state = gradeCard(state, day, grade);
      dueDay = state.dueDay;
      isGraded = true;
    }
  }
  return {
    state,
    dueDay,
    turn: isGraded ? 0 : grades.indexOf(first) + 1,
    last: reviews.at(-1)?.id ?? null,
  };
}

interface CardHistory {
  how: How | null;
  submissions: readonly SubmissionForReview[] | undefined;
  solved: readonly string[];
  reviews: readonly ReviewAnswer[];
  timerGrades?: readonly { day: number; grade: Grade }[];
}

export function cardOf(
  { how, submissions, solved, reviews, timerGrades = [] }: CardHistory,
  days: Days,
): Omit<ReviewCardsTable, 'user_id' | 'problem_id'> {
  const solvedDays = solved.map((at) => days.at(Date.parse(at)));
  // A solve after the first review is part of reviewing.
  const until = reviews[0] ? days.at(Date.parse(reviews[0].made_at)) : Number.POSITIVE_INFINITY;
  const before = solvedDays.filter((day) => day <= until);
  const begunDay = before.length > 0 ? Math.max(...before) : Math.min(...solvedDays);
  const timerGrade = timerGrades.find(({ day }) => day === begunDay)?.grade;
  const first_grade = timerGrade ?? firstGrade({ how, tries: triesBeforeSolve(submissions) });
  const { dueDay, turn, last: lastReview } = replayReviews(begunDay, first_grade, reviews, days);
  return {
    begun_day: BigInt(begunDay),
    first_grade,
    turn: BigInt(turn),
    last_review: lastReview,
    due_day: dueDay === null ? null : BigInt(dueDay),
  };
}

/** Null if no solution was accepted. */
export function triesBeforeSolve(
  submissions: readonly Pick<SubmissionForReview, 'verdict_class' | 'submitted_at'>[] = [],
): number | null {
  const first = submissions
    .filter(({ verdict_class }) => verdict_class === 'solved')
    .map(({ submitted_at }) => submitted_at)
    .toSorted()[0];
  if (first === undefined) return null;
  return submissions.filter(
    ({ verdict_class, submitted_at }) => verdict_class === 'tried' && submitted_at < first,
  ).length;
}
