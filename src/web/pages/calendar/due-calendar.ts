/**
 * What stands in the calendar of a member: when the lists of their groups are due, and, if they want, how many reviews
 * on which day.
 */

import { type Days, dateOf, daysOf } from '../../../practice/days.ts';
import { readDayRule, readPreferences, readReviewsADay } from '../../../practice/preferences.ts';
import { listGivenTo } from '../../../store/group-lists.ts';
import { countCardsByDay } from '../../../store/reviews.ts';
import type { Store } from '../../../store/store.ts';
import { tablePath } from '../../paths.ts';
import type { Site } from '../../road/site.ts';
import { words } from '../../words/words.ts';
import { type CalendarEvent, calendarText } from './icalendar.ts';

const dayMs = 86_400_000;
/** What was due is shown for so long. */
const backMs = 90 * dayMs;
const aheadMs = 3 * 366 * dayMs;
const reviewDaysAhead = 30;
const listsAtMost = 500;

export async function dueCalendar(
  store: Pick<Store, 'reader' | 'instance'>,
  site: Site,
  memberId: bigint,
  now: number,
): Promise<string> {
  const events = await dueEvents(store, site, memberId, now);
  const { showsReviews } = await readPreferences(store.reader, memberId);
  if (showsReviews) events.push(...(await reviewEvents(store, site, memberId, now)));
  return calendarText(words('calendar.name'), events);
}

async function dueEvents(
  { reader, instance }: Pick<Store, 'reader' | 'instance'>,
  { baseUrl }: Site,
  memberId: bigint,
  now: number,
): Promise<CalendarEvent[]> {
  const at = (ms: number) => new Date(ms).toISOString();
  const given = await listGivenTo(reader, memberId, { from: at(now - backMs), until: at(now + aheadMs) });
  return given.slice(0, listsAtMost).map((one) => ({
    uid: `due-${one.group_id}-${one.list_id}@${instance}`,
    at: one.due_at ?? '',
    summary: words('calendar.due', { list: one.name, group: one.group }),
    description: words('calendar.solved', { solved: Number(one.solved), count: Number(one.problems) }),
    url: baseUrl + tablePath(one.group_id, one.list_id),
    changedAt: one.updated_at > one.given_at ? one.updated_at : one.given_at,
  }));
}

async function reviewEvents(
  { reader, instance }: Pick<Store, 'reader' | 'instance'>,
  { baseUrl }: Site,
  memberId: bigint,
  now: number,
): Promise<CalendarEvent[]> {
  if ((await readReviewsADay(reader, memberId)) === 0) return [];
  const days: Days = daysOf(await readDayRule(reader, memberId));
  const today = days.at(now);
  const counts = new Map<number, number>();
  for (const { due_day, n } of await countCardsByDay(reader, memberId, today + reviewDaysAhead)) {
    // What was due before waits for today.
    const day = Math.max(today, Number(due_day));
    counts.set(day, (counts.get(day) ?? 0) + Number(n));
  }
  return [...counts].map(([day, count]) => ({
    uid: `reviews-${dateOf(day)}@${instance}`,
    at: dateOf(day),
    summary: words('calendar.reviews', { count }),
    url: `${baseUrl}/dashboard/review/`,
    changedAt: new Date(days.start(today)).toISOString(),
  }));
}
