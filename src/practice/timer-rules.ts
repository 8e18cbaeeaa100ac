/**
 * How long a timer ran and how it ended. A submission that is accepted while it runs ends it, whenever that becomes
 * known.
 */
import { median } from 'd3-array';
import { minuteMs } from '../durations.ts';
import type { Grade, SubmissionForReview } from '../store/reviews.ts';
import type { Outcome, TimersTable } from '../store/timers.ts';

/** A timer that ran longer was forgotten. */
export const longestMinutes = 12 * 60;
/** Judges' clocks and ours differ by less than this. */
const skewMs = 10_000;
export const pausesAtMost = 100;

export const outcomes: readonly Outcome[] = ['solved', 'editorial', 'unsolved'];

type StartedTimer = Pick<TimersTable, 'started_at' | 'pauses'>;
type EndedTimer = StartedTimer & Pick<TimersTable, 'stopped_at' | 'outcome' | 'solved_at'>;

/** The moments at which the timer was paused and resumed, alternately. */
export const pausesOf = ({ pauses }: Pick<StartedTimer, 'pauses'>) => JSON.parse(pauses) as string[];

export const isPaused = (timer: StartedTimer) => pausesOf(timer).length % 2 === 1;

/** Pauses do not count. `at` is in milliseconds since 1970. */
export function elapsedMs(timer: StartedTimer, at: number): number {
  const start = Date.parse(timer.started_at);
  const toggles = pausesOf(timer).map((moment) => Math.min(Date.parse(moment), at));
  if (toggles.length % 2 === 1) toggles.push(at);
  const paused = toggles.reduce((sum, moment, place) => sum + (place % 2 === 0 ? -moment : moment), 0);
  return Math.max(0, at - start - paused);
}

export const endOfTimer = ({ solved_at, stopped_at }: Pick<EndedTimer, 'solved_at' | 'stopped_at'>) =>
  solved_at ?? stopped_at;

export function minutesOf(timer: EndedTimer, now: number): number {
  const end = endOfTimer(timer);
  return Math.floor(elapsedMs(timer, end === null ? now : Date.parse(end)) / minuteMs);
}

export const isForgotten = (timer: EndedTimer, now: number) => minutesOf(timer, now) >= longestMinutes;

/** An accepted submission counts more than the member's answer, but does not show whether they read the editorial. */
export function outcomeOf({ solved_at, outcome }: Pick<EndedTimer, 'solved_at' | 'outcome'>): Outcome | null {
  if (solved_at === null) return outcome;
  return outcome === 'editorial' ? outcome : 'solved';
}

/** The first accepted submission while the timer ran; null if there is none. */
export function findSolveDuring(
  timer: Pick<TimersTable, 'started_at' | 'pauses' | 'stopped_at'>,
  submissions: readonly SubmissionForReview[] = [],
): string | null {
  const from = Date.parse(timer.started_at) - skewMs;
  const until = timer.stopped_at === null ? Number.POSITIVE_INFINITY : Date.parse(timer.stopped_at) + skewMs;
  const moments = submissions
    .filter(({ verdict_class, submitted_at }) => {
      const at = Date.parse(submitted_at);
      const isWithin = verdict_class === 'solved' && at >= from && at <= until;
      return isWithin && elapsedMs(timer, at) < longestMinutes * minuteMs;
    })
    .map(({ submitted_at }) => submitted_at);
  return moments.toSorted()[0] ?? null;
}

export function versionOfTimer(timer: TimersTable | undefined): string {
  if (!timer) return 'none';
  const { id, pauses, stopped_at, solved_at, grade, undone_at } = timer;
  return [id, pausesOf({ pauses }).length, stopped_at, solved_at, grade, undone_at].join(' ');
}

const bandWidth = 200;
/** Fewer timers say little about a usual time. */
export const timersAtLeast = 5;

export function timeBandOf(rating: number): { from: number; to: number } {
  const from = Math.floor(rating / bandWidth) * bandWidth;
  return { from, to: from + bandWidth - 1 };
}

export const countsForUsual = (timer: EndedTimer) => outcomeOf(timer) === 'solved';

export function usualMinutes(minutes: readonly number[]): number | undefined {
  return minutes.length < timersAtLeast ? undefined : Math.round(median(minutes) ?? 0);
}

export function suggestedGrade(minutes: number, usual: number): Grade {
  if (minutes <= usual / 2) return 'easy';
  return minutes <= usual * 1.5 ? 'good' : 'hard';
}
