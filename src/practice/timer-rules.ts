/**
 * How long a timer ran and how it ended. A submission that was accepted while it ran ends it, by the submission's own time, whenever
 * that becomes known. Nothing here reads or writes.
 */
import { median } from 'd3-array';
import { minuteMs } from '../durations.ts';
import type { Grade, SubmissionOfReview } from '../store/reviews.ts';
import type { Outcome, TimersTable } from '../store/timers.ts';

/** A timer that ran longer was forgotten, and its member is asked how long they worked. */
export const longestMinutes = 12 * 60;
/** Judges' clocks and ours differ by less than this. */
const skewMs = 10_000;
/** Members pause a timer at most so often. */
export const pausesAtMost = 100;

type Timed = Pick<TimersTable, 'started_at' | 'pauses'>;
type Ended = Timed & Pick<TimersTable, 'stopped_at' | 'outcome' | 'solved_at'>;

/** The moments at which a timer was paused and went on, in turn. */
export const pausesOf = ({ pauses }: Pick<Timed, 'pauses'>) => JSON.parse(pauses) as string[];

export const isPaused = (timer: Timed) => pausesOf(timer).length % 2 === 1;

/** The time that a timer counted until a moment, without its pauses, in milliseconds. `at` in milliseconds since 1970. */
export function elapsedMs(timer: Timed, at: number): number {
  const start = Date.parse(timer.started_at);
  const turns = pausesOf(timer).map((moment) => Math.min(Date.parse(moment), at));
  if (turns.length % 2 === 1) turns.push(at);
  // The time between a beginning and an end is taken away.
  const paused = turns.reduce((sum, moment, place) => sum + (place % 2 === 0 ? -moment : moment), 0);
  return Math.max(0, at - start - paused);
}

/** When a timer ended: by the accepted submission, or else by its member; null while it is open. */
export const endOfTimer = ({ solved_at, stopped_at }: Pick<Ended, 'solved_at' | 'stopped_at'>) =>
  solved_at ?? stopped_at;

/** Whole minutes until a timer ended, or until `now` while it is open. */
export function minutesOf(timer: Ended, now: number): number {
  const end = endOfTimer(timer);
  return Math.floor(elapsedMs(timer, end === null ? now : Date.parse(end)) / minuteMs);
}

/** Whether an open timer has run for so long that its member must have forgotten it. */
export const isForgotten = (timer: Ended, now: number) => minutesOf(timer, now) >= longestMinutes;

/** How a timer ended: an accepted submission says more than the member's word, but not how they found the solution. */
export function outcomeOf({ solved_at, outcome }: Pick<Ended, 'solved_at' | 'outcome'>): Outcome | null {
  if (solved_at === null) return outcome;
  return outcome === 'editorial' ? outcome : 'solved';
}

/** The first accepted submission that was sent while the timer ran; null if there is none. */
export function isSolvedDuring(
  timer: Pick<TimersTable, 'started_at' | 'pauses' | 'stopped_at'>,
  sent: readonly SubmissionOfReview[] = [],
): string | null {
  const from = Date.parse(timer.started_at) - skewMs;
  const until = timer.stopped_at === null ? Number.POSITIVE_INFINITY : Date.parse(timer.stopped_at) + skewMs;
  const moments = sent
    .filter(({ verdict_class, submitted_at }) => {
      const at = Date.parse(submitted_at);
      const isWithin = verdict_class === 'solved' && at >= from && at <= until;
      return isWithin && elapsedMs(timer, at) < longestMinutes * minuteMs;
    })
    .map(({ submitted_at }) => submitted_at);
  return moments.toSorted()[0] ?? null;
}

/** The state of a timer that a page showed. A change that was made meanwhile makes it differ. */
export function versionOfTimer(timer: TimersTable | undefined): string {
  if (!timer) return 'none';
  const { id, pauses, stopped_at, solved_at, grade, undone_at } = timer;
  return [id, pausesOf({ pauses }).length, stopped_at, solved_at, grade, undone_at].join(' ');
}

/* A member's usual time: the median of the timers that ended solved, without the editorial, around a rating. */

const bandWidth = 200;
/** Fewer timers say little. */
export const timedAtLeast = 5;

export function timeBandOf(rating: number): { from: number; to: number } {
  const from = Math.floor(rating / bandWidth) * bandWidth;
  return { from, to: from + bandWidth - 1 };
}

/** Whether a timer says how long its member takes. */
export const isMeasure = (timer: Ended) => outcomeOf(timer) === 'solved';

/** The median of these minutes; undefined where they are too few. */
export function usualMinutes(minutes: readonly number[]): number | undefined {
  return minutes.length < timedAtLeast ? undefined : Math.round(median(minutes) ?? 0);
}

/** The grade that the time suggests, against what is usual for the member. */
export function suggestedGrade(minutes: number, usual: number): Grade {
  if (minutes <= usual / 2) return 'easy';
  return minutes <= usual * 1.5 ? 'good' : 'hard';
}
