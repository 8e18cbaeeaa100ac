/**
 * Keeping the days of members right: whatever changes marks or submissions says so here in its transaction. A problem is solved on
 * each day on which a submission was accepted or a mark said so, first on the earliest of them.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  clearActivity,
  countSolvedAnew,
  listActivity,
  listSent,
  listSolvedDays,
  listTouchedProblems,
  replaceSolvedDays,
  sentSpan,
  setReviews,
  setSubmissions,
} from '../store/activity.ts';
import type { SolvedDaysTable } from '../store/activity-tables.ts';
import { listCarded, listReviewedAt } from '../store/reviews.ts';
import { listSolvedAt } from '../store/solves.ts';
import { findStatusPairs } from '../store/statuses.ts';
import type { Db } from '../store/tables.ts';
import { type DayRule, type Days, daysOf } from './days.ts';
import { readDayRule, writeDayRule } from './preferences.ts';
import { followCards } from './review-cards.ts';

/** So many take a few milliseconds, and other requests go on between them. */
const atOnce = 200;

/** The first and the last of some moments. */
export type Span = readonly [from: string, until: string];
export const always: Span = ['1970-01-01T00:00:00.000Z', '9999-12-01T00:00:00.000Z'];

/** Follows a change of a member's marks on these problems, or of their submissions to them. */
export async function followSolves(tx: Db, userId: bigint, problemIds: readonly bigint[]): Promise<void> {
  const all = [...new Set(problemIds)];
  for (let start = 0; start < all.length; start += atOnce) {
    await followSome(tx, userId, all.slice(start, start + atOnce));
    if (all.length > atOnce) await nextTurn();
  }
}

async function followSome(tx: Db, userId: bigint, ids: readonly bigint[]): Promise<void> {
  const before = Map.groupBy(await listSolvedDays(tx, userId, ids), ({ problem_id }) => problem_id);
  const after = Map.groupBy(await solvedDaysOf(tx, userId, ids), ({ problem_id }) => problem_id);
  const changed = ids.filter((id) => textOf(before.get(id)) !== textOf(after.get(id)));
  const rowsOf = (rows: typeof after) => changed.flatMap((id) => rows.get(id) ?? []);
  await replaceSolvedDays(tx, userId, changed, rowsOf(after));
  await countSolvedAnew(
    tx,
    userId,
    [...rowsOf(before), ...rowsOf(after)].map(({ day }) => day),
  );
  await followCards(tx, userId, ids, await daysOfMember(tx, userId));
}

/** Follows submissions of a member between these moments that came, went or changed. */
export async function followSubmissions(tx: Db, userId: bigint, [from, until]: Span): Promise<void> {
  const days = await daysOfMember(tx, userId);
  const [first, last] = [days.at(Date.parse(from)), days.at(Date.parse(until))];
  // A day on which nothing is left has a row still.
  const known = await listActivity(tx, userId, first, last);
  const counts = new Map(known.map(({ day }) => [day, 0n]));
  for await (const sent of listSent(tx, userId, startText(days, first), startText(days, last + 1))) {
    for (const { submitted_at, count } of sent) {
      const day = BigInt(days.at(Date.parse(submitted_at)));
      counts.set(day, (counts.get(day) ?? 0n) + count);
    }
    await nextTurn();
  }
  await setSubmissions(tx, userId, counts);
}

/** Follows reviews of a member between these moments that were done or taken back. */
export async function followReviews(tx: Db, userId: bigint, [from, until]: Span): Promise<void> {
  const days = await daysOfMember(tx, userId);
  const [first, last] = [days.at(Date.parse(from)), days.at(Date.parse(until))];
  const known = await listActivity(tx, userId, first, last);
  const counts = new Map(known.map(({ day }) => [day, 0n]));
  for (const at of await listReviewedAt(tx, userId, startText(days, first), startText(days, last + 1))) {
    const day = BigInt(days.at(Date.parse(at)));
    counts.set(day, (counts.get(day) ?? 0n) + 1n);
  }
  if (first === last) counts.set(BigInt(first), counts.get(BigInt(first)) ?? 0n);
  await setReviews(tx, userId, counts);
}

/** Counts all days of a member from nothing, as after their days begin at another hour. */
export async function countAllAnew(tx: Db, userId: bigint): Promise<void> {
  await clearActivity(tx, userId);
  const touched = await listTouchedProblems(tx, userId);
  await followSolves(tx, userId, [...touched, ...(await listCarded(tx, userId))]);
  const span = await sentSpan(tx, userId);
  if (span) await followSubmissions(tx, userId, span);
  await followReviews(tx, userId, always);
}

/** Sets when the days of a member begin. */
export async function setDayRule(tx: Db, userId: bigint, rule: DayRule): Promise<void> {
  await writeDayRule(tx, userId, rule);
  await countAllAnew(tx, userId);
}

/** When a day begins, as times are written. After the year 9999 it is a text that stands behind all times. */
export function startText(days: Days, day: number): string {
  const text = new Date(days.start(day)).toISOString();
  return text.startsWith('+') ? '~' : text;
}

export async function daysOfMember(db: Db, userId: bigint): Promise<Days> {
  return daysOf(await readDayRule(db, userId));
}

async function solvedDaysOf(db: Db, userId: bigint, ids: readonly bigint[]): Promise<SolvedDaysTable[]> {
  const days = await daysOfMember(db, userId);
  const found = new Map<bigint, Set<number>>();
  const add = (id: bigint, at: string | null) =>
    found.set(id, (found.get(id) ?? new Set()).add(days.at(Date.parse(at ?? ''))));
  for (const { problem_id, self_status, self_at, judge_status, judge_at } of await findStatusPairs(
    db,
    userId,
    ids,
  )) {
    if (self_status === 'complete') add(problem_id, self_at);
    if (judge_status === 'complete') add(problem_id, judge_at);
  }
  for (const { problem_id, at } of await listSolvedAt(db, userId, ids)) add(problem_id, at);
  return [...found].flatMap(([problem_id, some]) => {
    const first = Math.min(...some);
    return [...some].map((day) => ({
      user_id: userId,
      day: BigInt(day),
      problem_id,
      is_first: day === first ? 1n : 0n,
    }));
  });
}

/** Rows of one problem are the same if their days are: the first of them follows. */
function textOf(rows: readonly SolvedDaysTable[] = []): string {
  return rows
    .map(({ day }) => String(day))
    .toSorted()
    .join();
}
