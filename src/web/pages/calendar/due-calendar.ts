/** The calendar of a member: assignments, goals, rounds that they joined and, by choice, reviews and contests. */
import type { ICalEventData } from 'ical-generator';
import { dayMs, hourMs } from '../../../durations.ts';
import { judgeName } from '../../../judges/judges.ts';
import { dateOf, daysOf } from '../../../practice/days.ts';
import { readGarden } from '../../../practice/garden.ts';
import { readAssignmentPlans, readPace, readPlantPlans } from '../../../practice/plan.ts';
import { editsOf } from '../../../practice/planting.ts';
import { readDayRule, readPreferences, readReviewsADay } from '../../../practice/preferences.ts';
import { endOfContest, listContestsAhead, readFeeds } from '../../../practice/upcoming.ts';
import { listMemberAssignments } from '../../../store/assignments.ts';
import { findMembersByIds } from '../../../store/members.ts';
import { countCardsByDay } from '../../../store/reviews.ts';
import { listJoinedRounds } from '../../../store/rounds.ts';
import type { Store } from '../../../store/store.ts';
import { planText } from '../../kit/plan.ts';
import { assignmentPath, plantPath, roundPath, upcomingPath } from '../../paths.ts';
import type { Site } from '../../request/site.ts';
import { words } from '../../words/words.ts';

const pastMs = 90 * dayMs;
const futureMs = 3 * 366 * dayMs;
const reviewDaysAhead = 30;
const refreshSeconds = hourMs / 1000;
const dueAlarmSeconds = dayMs / 1000;
const longestSummary = 500;
const eventsAtMost = 500;

export async function dueCalendar(
  store: Pick<Store, 'reader' | 'instance'>,
  site: Site,
  memberId: bigint,
  now: number,
): Promise<string> {
  const context: CalendarContext = {
    reader: store.reader,
    instance: store.instance,
    baseUrl: site.baseUrl,
    memberId,
    now,
  };
  const preferences = await readPreferences(store.reader, memberId);
  const events = [
    ...(await assignmentEvents(context)),
    ...(await goalEvents(context)),
    ...(preferences.showsReviews ? await reviewEvents(context) : []),
    ...(await roundEvents(context)),
  ];
  const contests = preferences.showsContests ? await contestEvents(context, preferences.hiddenContests) : [];
  // The library is loaded for the first calendar, because many servers never need it.
  const {
    default: ical,
    ICalAlarmType,
    ICalCalendarMethod,
    ICalEventStatus,
    ICalEventTransparency,
  } = await import('ical-generator');
  const { display } = ICalAlarmType;
  const contestAlarmSeconds = preferences.contestAlarm * 60;
  const calendar = ical({
    name: words('calendar.name'),
    prodId: '//Practice Garden//EN',
    scale: 'GREGORIAN',
    method: ICalCalendarMethod.PUBLISH,
    ttl: refreshSeconds,
    events: [
      ...events.map((event) => ({
        ...event,
        // Transparent events leave their time free for other appointments (RFC 5545 §3.8.2.7).
        transparency: ICalEventTransparency.TRANSPARENT,
        alarms: event.allDay ? [] : [{ type: display, triggerBefore: dueAlarmSeconds }],
      })),
      ...contests.map(({ isCancelled, ...event }) => ({
        ...event,
        transparency: ICalEventTransparency.TRANSPARENT,
        status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
        alarms: contestAlarmSeconds > 0 && !isCancelled ? [{ type: display, triggerBefore: contestAlarmSeconds }] : [],
      })),
    ],
  });
  return `${moveAlarmsLast(String(calendar))}\r\n`;
}

const alarmsWithRest = /((?:^BEGIN:VALARM\r\n[\s\S]*?^END:VALARM\r\n)+)([\s\S]*?)(?=^END:VEVENT)/gm;

/** The library writes some properties after the alarms of an event, where RFC 5545 §3.6.1 allows none. */
const moveAlarmsLast = (text: string) => text.replaceAll(alarmsWithRest, '$2$1');

interface CalendarContext extends Pick<Store, 'reader' | 'instance'>, Pick<Site, 'baseUrl'> {
  memberId: bigint;
  now: number;
}

const calendarSpan = (now: number) => ({
  from: new Date(now - pastMs).toISOString(),
  until: new Date(now + futureMs).toISOString(),
});

async function assignmentEvents({
  reader,
  instance,
  baseUrl,
  memberId,
  now,
}: CalendarContext): Promise<ICalEventData[]> {
  const assignments = await listMemberAssignments(reader, memberId, calendarSpan(now));
  const pace = await readPace(reader, memberId, now);
  const asMember = assignments.filter(({ role }) => role === 'member');
  const planOf = await readAssignmentPlans(reader, memberId, asMember, pace, now);
  const today = pace.days.at(now);
  const startOfToday = new Date(pace.days.start(today)).toISOString();
  const planLine = (one: (typeof assignments)[number]) => {
    const plan = planOf(one);
    return plan && plan.left > 0 ? `\n${planText(plan, today)}` : '';
  };
  // A plan changes every day until the due date.
  const planChangedAt = ({ due_at }: (typeof assignments)[number]) => [startOfToday, due_at ?? ''].toSorted()[0] ?? '';
  return assignments.slice(0, eventsAtMost).map((one) => ({
    // Independent of the due date, so that programs move the event when the date changes.
    id: `due-${one.group_id}-${one.list_id}@${instance}`,
    start: new Date(one.due_at ?? ''),
    summary: plainText(words('calendar.due', { list: one.name, group: one.group })),
    description: words('calendar.solved', { solved: Number(one.solved), count: Number(one.problems) }) + planLine(one),
    url: baseUrl + assignmentPath(one.group_id, one.list_id),
    ...versionAt(latestOf([one.updated_at, one.given_at, one.changed_at, planChangedAt(one)])),
  }));
}

async function goalEvents({ reader, instance, baseUrl, memberId, now }: CalendarContext): Promise<ICalEventData[]> {
  const pace = await readPace(reader, memberId, now);
  const { days } = pace;
  const today = days.at(now);
  const startOfToday = new Date(days.start(today)).toISOString();
  const plants = await readGarden(reader, memberId, days, new Date(now));
  const plans = await readPlantPlans(reader, memberId, plants, pace, now);
  return plants.flatMap((plant) => {
    const plan = plans.get(plant.id);
    if (!plan || plan.left === 0 || plan.dayCount === 0) return [];
    return {
      id: `goal-${plant.id}@${instance}`,
      start: new Date(plant.by_date ?? ''),
      allDay: true,
      summary: plainText(plant.name),
      description: planText(plan, today),
      url: baseUrl + plantPath(plant.id),
      ...versionAt(latestOf([startOfToday, plant.lastAt, editsOf(plant).at(-1)?.at])),
    };
  });
}

/** Events of rounds do not name problems, which are hidden until the start. */
async function roundEvents({ reader, instance, baseUrl, memberId, now }: CalendarContext): Promise<ICalEventData[]> {
  const rounds = await listJoinedRounds(reader, memberId, calendarSpan(now));
  return rounds.slice(0, eventsAtMost).map(({ id, name, group, starts_at, ends_at, updated_at }) => ({
    id: `round-${id}@${instance}`,
    start: new Date(starts_at),
    end: new Date(ends_at),
    summary: plainText(group === null ? name : words('calendar.round', { round: name, group })),
    url: baseUrl + roundPath(id),
    ...versionAt(updated_at),
  }));
}

const latestOf = (times: readonly (string | null | undefined)[]) =>
  times
    .map((one) => one ?? '')
    .toSorted()
    .at(-1);

/** Sequence numbers count seconds from here, so that they fit into 32 bits. */
const sequenceStart = Date.UTC(2026, 0, 1) / 1000;

/** Calendar programs accept a changed event only with a higher sequence number (RFC 5545 §3.8.7.4). */
function versionAt(time: string | number = 0): Pick<ICalEventData, 'stamp' | 'lastModified' | 'sequence'> {
  const stamp = new Date(time);
  return { stamp, lastModified: stamp, sequence: Math.max(0, Math.floor(Number(stamp) / 1000) - sequenceStart) };
}

async function reviewEvents({ reader, instance, baseUrl, memberId, now }: CalendarContext): Promise<ICalEventData[]> {
  if ((await readReviewsADay(reader, memberId)) === 0) return [];
  const days = daysOf(await readDayRule(reader, memberId));
  const today = days.at(now);
  const counts = new Map<number, number>();
  for (const { due_day, n } of await countCardsByDay(reader, memberId, today + reviewDaysAhead)) {
    // Overdue reviews are shown today.
    const day = Math.max(today, Number(due_day));
    counts.set(day, (counts.get(day) ?? 0) + Number(n));
  }
  return [...counts].map(([day, count]) => ({
    id: `reviews-${dateOf(day)}@${instance}`,
    start: new Date(dateOf(day)),
    allDay: true,
    summary: words('calendar.reviews', { count }),
    url: `${baseUrl}/dashboard/review/`,
    ...versionAt(days.start(today)),
  }));
}

const contestsPastMs = 14 * dayMs;
const contestsFutureMs = 60 * dayMs;

/** A contest that moves or is cancelled remains one event with a higher sequence number (RFC 5545 §3.8.7.4). */
async function contestEvents(
  { reader, instance, baseUrl, memberId, now }: CalendarContext,
  hidden: readonly string[],
): Promise<(ICalEventData & { isCancelled: boolean })[]> {
  const [member] = await findMembersByIds(reader, [memberId]);
  const span = { from: now - contestsPastMs, until: now + contestsFutureMs, isSample: member?.is_sample === 1n };
  const contests = await listContestsAhead(reader, span);
  const titles = new Map((await readFeeds(reader)).map(({ name, calendar }) => [name, calendar?.title]));
  return contests
    .filter(({ source }) => !hidden.includes(source))
    .map((one) => ({
      id: `contest-${one.id}@${instance}`,
      sequence: Number(one.sequence),
      start: new Date(one.starts_at),
      // An end must be later than the start (RFC 5545 §3.8.2.2), so an unknown duration has none.
      ...(one.duration_s > 0n && { end: new Date(endOfContest(one)) }),
      summary: plainText(
        words('calendar.contest', { title: one.title, judge: titles.get(one.source) ?? judgeName(one.source) }),
      ),
      url: one.url ?? `${baseUrl}${upcomingPath}`,
      stamp: new Date(one.changed_at),
      isCancelled: one.cancelled_at !== null,
    }));
}

/** Removes control characters and direction marks, and limits the length. */
function plainText(text: string): string {
  const clean = text.replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
  const letters = [...clean];
  return letters.length > longestSummary ? `${letters.slice(0, longestSummary - 1).join('')}…` : clean;
}
