/** A member's ratings at one judge beside what they practised before each rated contest, in spans of six weeks. */
import { ascending, median } from 'd3-array';
import type { AttendedContest, GridProblem } from '../store/contests.ts';
import type { HandleRating } from '../store/ratings.ts';
import type { Days } from './days.ts';
import { isDated, type ProblemOutcome } from './progress.ts';

export const spanDays = 42;
/** Fewer spans do not show what is usual. */
const spansAtLeast = 3;

export interface RatingChange {
  contest: string;
  title: string;
  handle: string;
  handleId: bigint;
  place: number | undefined;
  rating: number;
  /** Since the rated contest before, under the same handle; undefined for the first. */
  change: number | undefined;
  at: string;
  day: number;
}

export function ratingChanges(rows: readonly HandleRating[], days: Days): RatingChange[] {
  const last = new Map<bigint, number>();
  return rows.map(({ contest, title, name, handle_id, place, rating: value, rated_at }) => {
    const rating = Number(value);
    const before = last.get(handle_id);
    last.set(handle_id, rating);
    return {
      contest,
      title,
      handle: name,
      handleId: handle_id,
      rating,
      at: rated_at,
      place: place === null ? undefined : Number(place),
      change: before === undefined ? undefined : rating - before,
      day: days.at(Date.parse(rated_at)),
    };
  });
}

export interface PracticeHistory {
  solved: readonly ProblemOutcome[];
  virtual: readonly { contest: AttendedContest; day: number }[];
  upsolved: readonly { problem: ProblemOutcome; day: number }[];
}

/** Problems of contests that the member solved first when the contest was over for them. */
export function upsolvedOf(
  solved: readonly ProblemOutcome[],
  contests: readonly AttendedContest[],
  places: readonly GridProblem[],
): PracticeHistory['upsolved'] {
  const endByContest = new Map(contests.map(({ id, over_at }) => [id, Date.parse(over_at)]));
  const earliestEnd = new Map<bigint, number>();
  for (const { contest_id, id } of places) {
    const at = endByContest.get(contest_id);
    if (id !== null && at !== undefined)
      earliestEnd.set(id, Math.min(earliestEnd.get(id) ?? Number.POSITIVE_INFINITY, at));
  }
  return solved
    .filter(({ id, firstAt }) => firstAt >= (earliestEnd.get(id) ?? Number.POSITIVE_INFINITY))
    .map((problem) => ({ problem, day: problem.day }));
}

export interface DaySpan {
  from: number;
  to: number;
}

export const spanBefore = (day: number): DaySpan => ({ from: day - spanDays, to: day - 1 });

const isIn = ({ from, to }: DaySpan, day: number) => day >= from && day <= to;

export function ratingOn(rated: readonly RatingChange[], day: number): number | undefined {
  return rated.findLast((one) => one.day < day)?.rating;
}

export interface SpanFigures {
  solved: number;
  /** Above the handle's rating at the beginning; undefined if it had none. */
  above: number | undefined;
  virtual: number;
  upsolved: number;
}

export function figuresOfSpan(
  span: DaySpan,
  source: string,
  rated: readonly RatingChange[],
  history: PracticeHistory,
): SpanFigures {
  const ratingBefore = ratingOn(rated, span.from);
  const solved = history.solved.filter(({ day }) => isIn(span, day));
  const isAbove = (one: ProblemOutcome) => one.source === source && (one.rating ?? 0) > (ratingBefore ?? 0);
  return {
    solved: solved.length,
    above: ratingBefore === undefined ? undefined : solved.filter(isAbove).length,
    virtual: history.virtual.filter(({ day }) => isIn(span, day)).length,
    upsolved: history.upsolved.filter(({ day }) => isIn(span, day)).length,
  };
}

/** Undefined if there are too few other spans. */
export function usualFigures(
  span: DaySpan,
  today: number,
  source: string,
  rated: readonly RatingChange[],
  history: PracticeHistory,
): Partial<Record<keyof SpanFigures, number>> {
  const first = history.solved.find(isDated)?.day ?? span.from;
  const others: SpanFigures[] = [];
  for (let from = span.from - spanDays; from >= first; from -= spanDays)
    others.push(figuresOfSpan({ from, to: from + spanDays - 1 }, source, rated, history));
  for (let from = span.to + 1; from + spanDays - 1 <= today; from += spanDays)
    others.push(figuresOfSpan({ from, to: from + spanDays - 1 }, source, rated, history));
  const usual = (name: keyof SpanFigures) => {
    const values = others.flatMap((one) => one[name] ?? []);
    return values.length < spansAtLeast ? undefined : Math.round(median(values) ?? 0);
  };
  const figures = (['solved', 'above', 'virtual', 'upsolved'] as const).map(
    (name) => [name, usual(name)] as const,
  );
  return Object.fromEntries(figures.filter(([, value]) => value !== undefined));
}

export function topicsSolved(
  span: DaySpan,
  { solved }: PracticeHistory,
  most: number,
): { tag: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { day, tags } of solved)
    if (isIn(span, day)) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .map(([tag, count]) => ({ tag, count }))
    .sort((a, b) => b.count - a.count || ascending(a.tag, b.tag))
    .slice(0, most);
}

export function solvedByWeek(
  range: DaySpan,
  span: DaySpan,
  { solved }: PracticeHistory,
): { from: number; to: number; count: number; isIn: boolean }[] {
  const start = span.to + 1 - Math.ceil((span.to + 1 - range.from) / 7) * 7;
  const all = Array.from({ length: Math.max(0, Math.ceil((range.to + 1 - start) / 7)) }, (_, n) => {
    const from = start + n * 7;
    return { from, to: from + 6, count: 0, isIn: from >= span.from && from + 6 <= span.to };
  });
  for (const { day } of solved) {
    const week = all[Math.floor((day - start) / 7)];
    if (week && day >= start) week.count += 1;
  }
  return all;
}
