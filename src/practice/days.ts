/**
 * The days of a member. A day begins at an hour of their own in their own time zone, so that what is solved after midnight still
 * counts for the evening. Days are numbers: 0 is the one that begins on 1 January 1970.
 */
import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';
import { dayMs, hourMs } from '../durations.ts';
import { firstDayOfWeek, type LanguageTag } from '../words/languages.ts';

export interface DayRule {
  /** A name of the IANA time zone database. */
  zone: string;
  /** The full hour, 0 to 23, at which a day begins. */
  startHour: number;
  /** The day on which a week begins; Monday where it is missing. */
  weekStart?: WeekStart;
}

/** The days on which a week can begin, numbered from Monday. */
const weekStartDays = { monday: 0, saturday: 5, sunday: 6 } as const;
export type WeekStart = keyof typeof weekStartDays;
export const weekStarts = ['monday', 'sunday', 'saturday'] as const satisfies readonly WeekStart[];

export const usualDayRule: DayRule = { zone: 'UTC', startHour: 4 };

/** No judge is older. */
const firstMoment = Date.UTC(1970, 0, 1);
/** How far ahead the changes of a zone are listed. */
const aheadMs = 3 * 366 * dayMs;

/** Moments farther from 1970 have no date. */
const farthestMs = 8.64e15;

/** A moment from which a zone is ahead of UTC by `offset`, both in milliseconds. */
interface Offset {
  from: number;
  offset: number;
}

/** The names that browsers and Node still use for zones that the IANA database has renamed. */
export const renamedZones: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

const known = new LRUCache<string, string>({ max: 1_000 });

/** The present name of a time zone; undefined for one that this computer does not know. A look-up takes 40 µs, so it is kept. */
export function zoneNamed(name: string): string | undefined {
  const kept = known.get(name);
  if (kept !== undefined) return kept;
  const found = listedZone(name);
  if (found !== undefined) known.set(name, found);
  return found;
}

export const isZone = (name: string): boolean => zoneNamed(name) !== undefined;

function listedZone(name: string): string | undefined {
  // An offset such as +05:30 is no place: it would be wrong for half of the year in many.
  if (!/^[A-Za-z]/.test(name)) return undefined;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return renamedZones[timeZone] ?? timeZone;
  } catch {
    return undefined;
  }
}

export class Days {
  readonly rule: DayRule;
  /** The days that never came in this zone. */
  readonly skipped: readonly number[];
  readonly #offsets: readonly Offset[];

  constructor(rule: DayRule, now: number) {
    this.rule = rule;
    this.#offsets = offsetsOf(rule.zone, now + aheadMs);
    this.skipped = this.#offsets
      .filter(({ offset }, place) => offset - (this.#offsets[place - 1]?.offset ?? offset) > dayMs / 2)
      .flatMap(({ from }) => [this.at(from) - 1, this.at(from) + 1])
      .filter((day) => !this.exists(day));
  }

  /** The day at a moment, which is in milliseconds since 1970. */
  at(moment: number): number {
    if (!(Math.abs(moment) <= farthestMs)) throw new RangeError('This is no moment.');
    const index = this.#indexAt(moment);
    const { from, offset } = this.#offsets[index] ?? { from: Number.NEGATIVE_INFINITY, offset: 0 };
    let day = Math.floor((moment + offset - this.rule.startHour * hourMs) / dayMs);
    // Nearly all moments are far from a change of the clocks.
    const next = this.#offsets[index + 1]?.from ?? Number.POSITIVE_INFINITY;
    if (moment - from > 2 * dayMs && next - moment > 2 * dayMs) return day;
    // If clocks are turned back over the hour at which days begin, that hour comes twice: the day began at the first.
    while (this.start(day + 1) <= moment) day += 1;
    while (this.start(day) > moment) day -= 1;
    return day;
  }

  /** When a day begins, in milliseconds since 1970. Where clocks leave that hour out, it begins when it would have passed. */
  start(day: number): number {
    const local = day * dayMs + this.rule.startHour * hourMs;
    const index = this.#indexAt(local - dayMs);
    // Nearly all days begin before the clocks change next.
    const usual = local - (this.#offsets[index]?.offset ?? 0);
    if (usual < (this.#offsets[index + 1]?.from ?? Number.POSITIVE_INFINITY)) return usual;
    const near = this.#offsets.slice(index, index + 4);
    const moments = near
      .map(({ offset }) => local - offset)
      .filter((moment) => local - moment === this.#offsetAt(moment));
    if (moments.length > 0) return Math.min(...moments);
    const gap = near.findIndex(({ from, offset }) => local - offset < from);
    return local - (near[gap - 1] ?? near[0] ?? { offset: 0 }).offset;
  }

  /** Whether a day came in this zone: Samoa had no 30 December 2011. */
  exists(day: number): boolean {
    return this.start(day) < this.start(day + 1);
  }

  /** The last day before another that came in this zone. */
  before(day: number): number {
    return this.exists(day - 1) ? day - 1 : this.before(day - 1);
  }

  /** A moment as clocks show it there, in milliseconds as if it were UTC. */
  localAt(moment: number): number {
    return moment + this.#offsetAt(moment);
  }

  #offsetAt(moment: number): number {
    return this.#offsets[this.#indexAt(moment)]?.offset ?? 0;
  }

  #indexAt(moment: number): number {
    let low = 0;
    let high = this.#offsets.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#offsets[middle] as Offset).from <= moment) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

const kept = new LRUCache<string, Days>({ max: 200, ttl: 30 * dayMs });

/** The days of a rule; those of a zone in use are kept, because listing its changes takes some milliseconds. */
export function daysOf(rule: DayRule): Days {
  const name = `${rule.zone} ${rule.startHour} ${rule.weekStart}`;
  let days = kept.get(name);
  if (days === undefined) {
    days = new Days(rule, Date.now());
    kept.set(name, days);
  }
  return days;
}

/** A day as a date, such as 2016-06-08. Throws RangeError for what is no day. */
export function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().split('T', 1)[0] as string;
}

/** The day of a date such as 2016-06-08; undefined if there is no such date. */
export function dayOf(date: string): number | undefined {
  const day = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(date) / dayMs : Number.NaN;
  return Number.isInteger(day) && dateOf(day) === date ? day : undefined;
}

export function weekStartIn(language: LanguageTag): WeekStart {
  const first = firstDayOfWeek(language) - 1;
  return weekStarts.find((one) => weekStartDays[one] === first) ?? 'monday';
}

/** The place of a day in its week, from 0. */
export function weekdayOf(day: number, weekStart: WeekStart = 'monday'): number {
  return (((day + 3 - weekStartDays[weekStart]) % 7) + 7) % 7;
}

export function weekOf(day: number, weekStart?: WeekStart): number {
  return day - weekdayOf(day, weekStart);
}

function offsetsOf(zone: string, until: number): Offset[] {
  let at = Temporal.Instant.fromEpochMilliseconds(firstMoment).toZonedDateTimeISO(zone);
  const offsets: Offset[] = [{ from: Number.NEGATIVE_INFINITY, offset: at.offsetNanoseconds / 1e6 }];
  for (;;) {
    const next = at.getTimeZoneTransition('next');
    if (next === null || next.epochMilliseconds > until) return offsets;
    offsets.push({ from: next.epochMilliseconds, offset: next.offsetNanoseconds / 1e6 });
    at = next;
  }
}

/* Moments by the clocks of a time zone: when something is due, as a form gives it and as a page says it. */

const lastTime = '23:59';

/** The moment of a date and a time there, as RFC 3339; the end of the day where no time is given. Undefined for what is none. */
export function momentIn(zone: string, date: string, time: string): string | undefined {
  const clock = time === '' ? lastTime : time;
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || !/^\d\d:\d\d$/.test(clock)) return undefined;
  try {
    const local = Temporal.PlainDateTime.from(`${date}T${clock}`, { overflow: 'reject' });
    // If clocks leave the time out or have it twice, the later moment is kinder.
    const { epochMilliseconds } = local.toZonedDateTime(zone, { disambiguation: 'later' });
    const moment = new Date(epochMilliseconds).toISOString();
    // The last evening of the year 9999 is in the year 10000 elsewhere, which times are not written in.
    return /^\d{4}-/.test(moment) ? moment : undefined;
  } catch {
    return undefined;
  }
}

/** The text of a form for a moment there. */
export function clockIn(zone: string, moment: string): { date: string; time: string } {
  const local = Temporal.Instant.from(moment).toZonedDateTimeISO(zone).toString();
  return { date: local.slice(0, 10), time: local.slice(11, 16) };
}

/* Months, quarters and longer stretches of days, for tables of figures by time. Months are counted from the year 0. */

export interface Period {
  year: number;
  /** The first month, from 0. */
  month: number;
  months: number;
  from: number;
  to: number;
}

/** How many days are shown by periods of so many months: from months to centuries, so that no range has many periods. */
const lengths = [
  { months: 1, days: 400 },
  { months: 3, days: 4 * 366 },
  { months: 12, days: 60 * 366 },
  { months: 120, days: 600 * 366 },
] as const;

/** The longest periods of which the days between have at least some; the first and the last may be cut off. */
export function periodsOf(from: number, to: number): Period[] {
  const { months } = lengths.find(({ days }) => to - from < days) ?? { months: 1200 };
  const first = Math.floor(monthOf(from) / months);
  const count = from > to ? 0 : Math.floor(monthOf(to) / months) - first + 1;
  return Array.from({ length: count }, (_, at) => {
    const month = (first + at) * months;
    return {
      year: Math.floor(month / 12),
      month: month % 12,
      months,
      from: Math.max(from, firstDayOf(month)),
      to: Math.min(to, firstDayOf(month + months) - 1),
    };
  });
}

function monthOf(day: number): number {
  const date = new Date(day * dayMs);
  return whole(date.getUTCFullYear() * 12 + date.getUTCMonth());
}

function firstDayOf(month: number): number {
  return whole(new Date(0).setUTCFullYear(Math.floor(month / 12), month % 12, 1) / dayMs);
}

function whole(number: number): number {
  if (Number.isInteger(number)) return number;
  throw new RangeError('This day is in no month.');
}

/** The rows in each of these periods, which follow each other; `all` are in the order of their days. */
export function byPeriod<One extends { day: number }>(
  periods: readonly Period[],
  all: readonly One[],
): [Period, One[]][] {
  let place = 0;
  return periods.map((period) => {
    const start = place;
    while ((all[place]?.day ?? Infinity) <= period.to) place += 1;
    return [period, all.slice(start, place)];
  });
}
