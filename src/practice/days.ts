/**
 * The days of a member. A day begins at an hour of their choice in their time zone, so that what is solved after
 * midnight still counts for the evening. Day 0 begins on 1 January 1970.
 */
import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';
import { dayMs, hourMs } from '../durations.ts';
import { firstDayOfWeek, type LanguageTag } from '../words/languages.ts';

export interface DayRule {
  zone: string;
  startHour: number;
  weekStart?: WeekStart;
}

const weekStartDays = { monday: 0, saturday: 5, sunday: 6 } as const;
export type WeekStart = keyof typeof weekStartDays;
export const weekStarts = ['monday', 'sunday', 'saturday'] as const satisfies readonly WeekStart[];

export const defaultDayRule: DayRule = { zone: 'UTC', startHour: 4 };

const transitionsAheadMs = 3 * 366 * dayMs;

const largestDateMs = 8.64e15;

interface Offset {
  from: number;
  offset: number;
}

/** Browsers and Node still use old names of zones that IANA has renamed. */
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

const zoneCache = new LRUCache<string, string>({ max: 1_000 });

/** The answer of Intl takes 40 µs, so it is cached. */
export function canonicalZone(name: string): string | undefined {
  const cached = zoneCache.get(name);
  if (cached !== undefined) return cached;
  const zone = resolveZone(name);
  if (zone !== undefined) zoneCache.set(name, zone);
  return zone;
}

export const isZone = (name: string): boolean => canonicalZone(name) !== undefined;

function resolveZone(name: string): string | undefined {
  // An offset such as +05:30 would be wrong for half of the year.
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
  /** The days that the zone left out, as Samoa left out 30 December 2011. */
  readonly skipped: readonly number[];
  readonly #offsets: readonly Offset[];

  constructor(rule: DayRule, now: number) {
    this.rule = rule;
    this.#offsets = offsetsOf(rule.zone, now + transitionsAheadMs);
    this.skipped = this.#offsets
      .filter(({ offset }, index) => offset - (this.#offsets[index - 1]?.offset ?? offset) > dayMs / 2)
      .flatMap(({ from }) => [this.at(from) - 1, this.at(from) + 1])
      .filter((day) => !this.exists(day));
  }

  at(moment: number): number {
    if (!(Math.abs(moment) <= largestDateMs)) throw new RangeError('This is no moment.');
    const { from, offset } = this.#offsetAt(moment);
    let day = Math.floor((moment + offset - this.rule.startHour * hourMs) / dayMs);
    if (moment - from > 2 * dayMs) return day;
    // If clocks are turned back over the first hour, it comes twice, and the day begins at the first.
    while (this.start(day + 1) <= moment) day += 1;
    while (this.start(day) > moment) day -= 1;
    return day;
  }

  /** If clocks skip the first hour, the day begins when it would have come. */
  start(day: number): number {
    const local = day * dayMs + this.rule.startHour * hourMs;
    const index = this.#indexAt(local - dayMs);
    const [before, after] = [this.#offsets[index] as Offset, this.#offsets[index + 1]];
    const ordinaryStart = local - before.offset;
    if (!after || ordinaryStart < after.from) return ordinaryStart;
    // Clocks never change twice within two days.
    const changedStart = local - after.offset;
    return changedStart >= after.from ? changedStart : ordinaryStart;
  }

  exists(day: number): boolean {
    return this.start(day) < this.start(day + 1);
  }

  before(day: number): number {
    return this.exists(day - 1) ? day - 1 : this.before(day - 1);
  }

  /** The time of the zone's clocks in milliseconds, as if it were UTC. */
  localAt(moment: number): number {
    return moment + this.#offsetAt(moment).offset;
  }

  #offsetAt(moment: number): Offset {
    return this.#offsets[this.#indexAt(moment)] as Offset;
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

const daysCache = new LRUCache<string, Days>({ max: 200, ttl: 30 * dayMs });

/** Listing the changes of a zone's offset takes milliseconds. */
export function daysOf(rule: DayRule): Days {
  const name = `${rule.zone} ${rule.startHour} ${rule.weekStart}`;
  let days = daysCache.get(name);
  if (days === undefined) {
    days = new Days(rule, Date.now());
    daysCache.set(name, days);
  }
  return days;
}

/** Throws RangeError. */
export function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().split('T', 1)[0] as string;
}

export function dayOf(date: string): number | undefined {
  const day = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(date) / dayMs : Number.NaN;
  return Number.isInteger(day) && dateOf(day) === date ? day : undefined;
}

export function weekStartOfLanguage(language: LanguageTag): WeekStart {
  const first = firstDayOfWeek(language) - 1;
  return weekStarts.find((one) => weekStartDays[one] === first) ?? 'monday';
}

export function weekdayOf(day: number, weekStart: WeekStart = 'monday'): number {
  return (((day + 3 - weekStartDays[weekStart]) % 7) + 7) % 7;
}

export function startOfWeek(day: number, weekStart?: WeekStart): number {
  return day - weekdayOf(day, weekStart);
}

function offsetsOf(zone: string, until: number): Offset[] {
  let at = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
  const offsets: Offset[] = [{ from: Number.NEGATIVE_INFINITY, offset: at.offsetNanoseconds / 1e6 }];
  for (;;) {
    const next = at.getTimeZoneTransition('next');
    if (next === null || next.epochMilliseconds > until) return offsets;
    offsets.push({ from: next.epochMilliseconds, offset: next.offsetNanoseconds / 1e6 });
    at = next;
  }
}

const lastTime = '23:59';

/** An empty time is the end of the day. Undefined for a time that does not exist, as one that clocks skip. */
export function momentOfLocalTime(zone: string, date: string, time: string): string | undefined {
  const timeText = time === '' ? lastTime : time;
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || !/^\d\d:\d\d$/.test(timeText)) return undefined;
  try {
    const local = Temporal.PlainDateTime.from(`${date}T${timeText}`, { overflow: 'reject' });
    // If clocks show the time twice, the later moment leaves people more time.
    const zoned = local.toZonedDateTime(zone, { disambiguation: 'later' });
    if (time !== '' && !zoned.toPlainDateTime().equals(local)) return undefined;
    const moment = new Date(zoned.epochMilliseconds).toISOString();
    // The last evening of 9999 can be in the year 10000 of UTC, which RFC 3339 cannot write.
    return /^\d{4}-/.test(moment) ? moment : undefined;
  } catch {
    return undefined;
  }
}

export function localTimeOfMoment(zone: string, moment: string): { date: string; time: string } {
  const local = Temporal.Instant.from(moment).toZonedDateTimeISO(zone).toString();
  return { date: local.slice(0, 10), time: local.slice(11, 16) };
}

/* Months are counted from the year 0. */

export interface Period {
  year: number;
  month: number;
  months: number;
  from: number;
  to: number;
}

/** A longer range has longer periods, so that there are never many. */
const periodLengths = [
  { months: 1, days: 400 },
  { months: 3, days: 4 * 366 },
  { months: 12, days: 60 * 366 },
  { months: 120, days: 600 * 366 },
] as const;

export function periodsOf(from: number, to: number): Period[] {
  const { months } = periodLengths.find(({ days }) => to - from < days) ?? { months: 1200 };
  const first = Math.floor(monthOf(from) / months);
  const count = from > to ? 0 : Math.floor(monthOf(to) / months) - first + 1;
  return Array.from({ length: count }, (_, index) => {
    const month = (first + index) * months;
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
  return assertInteger(date.getUTCFullYear() * 12 + date.getUTCMonth());
}

function firstDayOf(month: number): number {
  return assertInteger(new Date(0).setUTCFullYear(Math.floor(month / 12), month % 12, 1) / dayMs);
}

function assertInteger(number: number): number {
  if (Number.isInteger(number)) return number;
  throw new RangeError('This day is in no month.');
}

export function groupByPeriod<One extends { day: number }>(
  periods: readonly Period[],
  rows: readonly One[],
): [Period, One[]][] {
  let index = 0;
  return periods.map((period) => {
    const start = index;
    while ((rows[index]?.day ?? Infinity) <= period.to) index += 1;
    return [period, rows.slice(start, index)];
  });
}
