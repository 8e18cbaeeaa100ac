/** Reads the events of a calendar (iCalendar, RFC 5545) within a time range. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import { WINDOWS_TO_IANA_MAP } from 'windows-iana';
import { dayMs } from '../durations.ts';
import { inEnglish, type Message, message } from '../errors.ts';

export interface CalendarEvent {
  key: string;
  title: string;
  startsAt: string;
  seconds: number;
  links: string[];
  /** Whether it is an unchanged occurrence of a repeated event. */
  repeats: boolean;
}

/** `odd` says which events could not be read. */
export type CalendarResult = { events: CalendarEvent[]; odd: Message[] } | { fault: Message };

interface TimeRange {
  from: number;
  until: number;
}

const eventsAtMost = 500;
const occurrencesAtMost = 20_000;
/** A longer event is no contest, but a season or a school year. */
const tooManyDays = 14;
const daysAtMost = 366;
const longestKey = 150;
const linksAtMost = 5;
const timeoutMs = 5_000;

/** A thread bounds time and memory. */
export async function readCalendarInThread(text: string, span: TimeRange): Promise<CalendarResult> {
  const thread = new Worker(new URL('./calendar-thread.ts', import.meta.url), {
    workerData: { text, span },
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  thread.unref();
  const timer = setTimeout(() => thread.terminate(), timeoutMs);
  try {
    const [result] = await Promise.race([once(thread, 'message'), once(thread, 'exit').then(() => [])]);
    return (result as CalendarResult | undefined) ?? { fault: message('odd.calendarSlow') };
  } catch {
    return { fault: message('odd.calendarLarge') };
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}

export function readCalendar(text: string, span: TimeRange): CalendarResult {
  try {
    return eventsIn(text, span);
  } catch (error) {
    if (error instanceof OddCalendar) return { fault: error.localized };
    return { fault: message('odd.noCalendar', { reason: (error as Error).message.slice(0, 100) }) };
  }
}

class OddCalendar extends Error {
  readonly localized: Message;
  constructor(localized: Message) {
    super(inEnglish(localized));
    this.localized = localized;
  }
}

function eventsIn(text: string, span: TimeRange) {
  if (!/^\uFEFF?\s*BEGIN:VCALENDAR\b/i.test(text)) throw new OddCalendar(message('odd.notCalendar'));
  const odd: Message[] = [];
  const unreadable = new Set<ICAL.Component>();
  /** Leaves out an event for which the work throws. */
  const forEach = (components: readonly ICAL.Component[], work: (one: ICAL.Component) => void) => {
    for (const one of components.filter((each) => !unreadable.has(each))) {
      try {
        work(one);
      } catch (error) {
        unreadable.add(one);
        if (isFarFrom(span, one)) continue;
        const title = titleOf(one, 60);
        odd.push(error instanceof OddCalendar ? error.localized : message('odd.noZone', { title }));
      }
    }
  };
  const components = componentsIn(text.replace(/^\uFEFF?\s*/, ''), odd);
  const overrides = new Map<string, Overrides>();
  const exceptions = components.filter((one) => one.hasProperty('recurrence-id'));
  forEach(exceptions, (one) => {
    const property = one.getFirstProperty('recurrence-id') as ICAL.Property;
    const uid = uidOf(one);
    const override = overrides.get(uid) ?? { moments: new Set(), changedFrom: Number.POSITIVE_INFINITY };
    const at = momentOf(property.getFirstValue() as ICAL.Time, property);
    override.moments.add(at);
    const range = property.getParameter('range');
    if (String(range).toUpperCase() === 'THISANDFUTURE')
      override.changedFrom = Math.min(override.changedFrom, at);
    overrides.set(uid, override);
  });
  const events: CalendarEvent[] = [];
  forEach(components, (one) => {
    const budget = { steps: occurrencesAtMost };
    const own: CalendarEvent[] = [];
    for (const event of occurrencesOf(one, { span, budget, overrides: overrides.get(uidOf(one)) })) {
      own.push(event);
      if (own.length > eventsAtMost)
        throw new OddCalendar(message('odd.repeatedEvent', { title: titleOf(one, 60) }));
    }
    events.push(...own);
  });
  if (events.length > eventsAtMost) throw new OddCalendar(message('odd.manyEvents', { most: eventsAtMost }));
  return { events, odd };
}

/** Whether a single event, whatever its zone is, is not in the time range. */
function isFarFrom({ from, until }: TimeRange, one: ICAL.Component): boolean {
  const start = one.getFirstPropertyValue('dtstart');
  if (!(start instanceof ICAL.Time) || one.hasProperty('rrule') || one.hasProperty('rdate')) return false;
  const at = start.toUnixTime() * 1000;
  return at < from - tooManyDays * dayMs || at > until + dayMs;
}

const calendarStart = /^(?=BEGIN:VCALENDAR)/im;
const eventText = /^BEGIN:VEVENT\s*$[\s\S]*?^END:VEVENT\s*$/gim;

/** Lines that are no properties are left out, and events that cannot be parsed. */
function componentsIn(text: string, odd: Message[]): ICAL.Component[] {
  const lines = text.split(/\r?\n/).filter((line) => /^(?:[\w-]+[;:]|[ \t])/.test(line));
  return lines
    .join('\n')
    .split(calendarStart)
    .flatMap((one) => {
      const calendar = new ICAL.Component(ICAL.parse(one.replace(eventText, '')));
      const zone = textIn(calendar, 'x-wr-timezone');
      return (one.match(eventText) ?? []).flatMap((eventLines) => {
        try {
          const event = calendar.addSubcomponent(new ICAL.Component(ICAL.parse(eventLines)));
          nameZones(event, zone);
          return event;
        } catch {
          const [, title = '?'] = /^SUMMARY[^:\n]*:(.{1,60})/im.exec(eventLines) ?? [];
          odd.push(message('odd.noZone', { title }));
          return [];
        }
      });
    });
}

/** The package has older versions of the last two zones (Unicode CLDR, windowsZones.xml). */
const windowsZones: ReadonlyMap<string, string> = new Map([
  ...WINDOWS_TO_IANA_MAP.filter(({ territory }) => territory === '001').map(
    ({ windowsName, iana }) => [windowsName.toLowerCase(), iana[0]] as const,
  ),
  ['mountain standard time (mexico)', 'America/Mazatlan'],
  ['central asia standard time', 'Asia/Bishkek'],
]);

/** Replaces names of Windows, and gives times without a zone that of the calendar. */
function nameZones(event: ICAL.Component, calendarZone: string): void {
  const hasOwnZone = event.getFirstProperty('dtstart')?.getParameter('tzid') !== undefined;
  for (const property of event.getAllProperties()) {
    if (!(property.getFirstValue() instanceof ICAL.Time)) continue;
    const ownZone = property.getParameter('tzid');
    const name = typeof ownZone === 'string' ? ownZone : hasOwnZone ? '' : calendarZone;
    const zone = windowsZones.get(name.toLowerCase().replace(' daylight ', ' standard ')) ?? name;
    if (zone !== '' && zone !== ownZone) property.setParameter('tzid', zone);
  }
}

interface Overrides {
  moments: Set<number>;
  /** An override with THISANDFUTURE changes all occurrences from here on. */
  changedFrom: number;
}

interface Expansion {
  span: TimeRange;
  budget: { steps: number };
  overrides: Overrides | undefined;
}

function* occurrencesOf(
  one: ICAL.Component,
  { span, budget, overrides }: Expansion,
): Generator<CalendarEvent> {
  const start = one.getFirstProperty('dtstart');
  const first = start?.getFirstValue();
  if (textIn(one, 'status').toUpperCase() === 'CANCELLED') return;
  const title = titleOf(one, 300);
  if (!start || !(first instanceof ICAL.Time)) throw new OddCalendar(message('odd.noZone', { title }));
  const ms = lengthOf(one, momentOf(first, start), start);
  if (ms > daysAtMost * dayMs)
    throw new OddCalendar(message('odd.longEvent', { title: title.slice(0, 60), most: daysAtMost }));
  if (ms < 0) throw new OddCalendar(message('odd.endsBefore', { title: title.slice(0, 60) }));
  if (first.isDate || ms >= tooManyDays * dayMs) return;
  const exception = one.getFirstProperty('recurrence-id');
  const repeats = !exception && (one.hasProperty('rrule') || one.hasProperty('rdate'));
  const details = { title, seconds: Math.round(ms / 1000), links: linksIn(one), repeats };
  const eventAt = (at: number, key: string): CalendarEvent[] => {
    if (at + ms <= span.from || at >= span.until) return [];
    return [{ ...details, key: shortKey(key), startsAt: new Date(at).toISOString() }];
  };
  const uid = uidOf(one);
  if (exception) {
    const original = momentOf(exception.getFirstValue() as ICAL.Time, exception);
    yield* eventAt(momentOf(first, start), `${uid} ${new Date(original).toISOString()}`);
    return;
  }
  if (!repeats) {
    yield* eventAt(momentOf(first, start), uid);
    return;
  }
  const excluded = momentsIn(one, 'exdate', start);
  const occurrenceAt = (at: number): CalendarEvent[] => {
    if (overrides?.moments.has(at) || excluded.has(at)) return [];
    const events = eventAt(at, `${uid} ${new Date(at).toISOString()}`);
    if (overrides && at > overrides.changedFrom && events.length > 0)
      throw new OddCalendar(message('odd.changedSeries', { title: title.slice(0, 60) }));
    return events;
  };
  const dates = momentsIn(one, 'rdate', start);
  const hasRule = one.hasProperty('rrule');
  // The start is the first occurrence of a rule too (RFC 5545 §3.8.5.2).
  if (!hasRule) dates.add(momentOf(first, start));
  for (const at of dates) yield* occurrenceAt(at);
  if (!hasRule) return;
  // ical.js would read these dates in the zone of the start.
  one.removeAllProperties('rdate');
  convertUntilToLocal(start, first, one);
  for (const property of one.getAllProperties('rrule')) limitSearch(property.getFirstValue() as ICAL.Recur);
  const expansion = new ICAL.RecurExpansion({ component: one, dtstart: first });
  for (let next = expansion.next(); next; next = expansion.next()) {
    if (--budget.steps < 0)
      throw new OddCalendar(message('odd.repeatedEvent', { title: title.slice(0, 60) }));
    const at = momentOf(next, start);
    if (at >= span.until) return;
    if (!dates.has(at)) yield* occurrenceAt(at);
  }
}

/** ical.js would search for ever for a date that never comes, such as 30 February. */
function limitSearch(rule: ICAL.Recur): void {
  rule.iterator = (start) => {
    const iterator = ICAL.Recur.prototype.iterator.call(rule, start);
    let checked = 0;
    iterator.check_contracting_rules = () => {
      if (++checked > occurrencesAtMost) throw new Error('The rule has no further date.');
      return ICAL.RecurIterator.prototype.check_contracting_rules.call(iterator);
    };
    return iterator;
  };
}

function momentsIn(one: ICAL.Component, name: 'exdate' | 'rdate', start: ICAL.Property): Set<number> {
  const moments = new Set<number>();
  for (const property of one.getAllProperties(name)) {
    for (const at of property.getValues()) {
      if (!(at instanceof ICAL.Time))
        throw new OddCalendar(message('odd.noCalendar', { reason: property.toICALString().slice(0, 100) }));
      if (!at.isDate) moments.add(momentOf(at, property, start));
    }
  }
  return moments;
}

/** UNTIL is in UTC, but ical.js compares it with the start's local time. */
function convertUntilToLocal(start: ICAL.Property, { zone }: ICAL.Time, one: ICAL.Component): void {
  const name = start.getParameter('tzid');
  for (const property of one.getAllProperties('rrule')) {
    const rule = property.getFirstValue() as ICAL.Recur;
    if (rule.until?.zone !== ICAL.Timezone.utcTimezone || typeof name !== 'string') continue;
    try {
      const until = Temporal.Instant.fromEpochMilliseconds(rule.until.toUnixTime() * 1000).toZonedDateTimeISO(
        name,
      );
      const { year, month, day, hour, minute, second } = until;
      rule.until = ICAL.Time.fromData({ year, month, day, hour, minute, second }, zone);
    } catch {
      // ical.js compares in zones that the calendar defines.
    }
  }
}

/** Milliseconds since 1970. */
function momentOf(time: ICAL.Time, property: ICAL.Property, start = property): number {
  const { year, month, day, hour, minute, second } = time;
  if (time.zone === ICAL.Timezone.utcTimezone || time.isDate) return time.toUnixTime() * 1000;
  const zone = property.getParameter('tzid') ?? start.getParameter('tzid');
  try {
    const local = Temporal.PlainDateTime.from({ year, month, day, hour, minute, second });
    if (typeof zone === 'string') return local.toZonedDateTime(zone).epochMilliseconds;
  } catch {
    // The name is no known zone, so the calendar must define it.
    if (time.zone && time.zone !== ICAL.Timezone.localTimezone) return time.toUnixTime() * 1000;
  }
  throw new Error(`${time} has no zone`);
}

function lengthOf(one: ICAL.Component, startMs: number, start: ICAL.Property): number {
  const end = one.getFirstProperty('dtend');
  if (end) return momentOf(end.getFirstValue() as ICAL.Time, end, start) - startMs;
  const length = one.getFirstPropertyValue('duration') as ICAL.Duration | null;
  return (length?.toSeconds() ?? 0) * 1000;
}

const titleOf = (one: ICAL.Component, longest: number) =>
  textIn(one, 'summary').slice(0, longest) || 'Contest';

const uidOf = (one: ICAL.Component) =>
  textIn(one, 'uid') || `${textIn(one, 'summary')} ${one.getFirstProperty('dtstart')?.toICALString()}`;

function shortKey(key: string): string {
  const visible = key.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  return visible.length <= longestKey ? visible : createHash('sha256').update(key).digest('hex');
}

function textIn(one: ICAL.Component, name: string): string {
  const value = one.getFirstPropertyValue(name);
  return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed().trim() : '';
}

function linksIn(one: ICAL.Component): string[] {
  const texts = ['url', 'location', 'description'].map((name) => textIn(one, name));
  return texts.flatMap((text) => text.match(/https?:\/\/[^\s"<>\\]+/g) ?? []).slice(0, linksAtMost);
}
