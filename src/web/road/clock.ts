/**
 * The clock of the member for whom a page is made. Times of day are shown in their zone, and what happened is sorted
 * into their days (docs/decisions/0025-days.md).
 */
import { dateOf } from '../../practice/days.ts';
import { utcFormat } from '../words/formats.ts';
import { currentReader } from '../words/reader.ts';
import { words } from '../words/words.ts';

const currentDays = () => currentReader().days;

/** Writes a moment as clocks in the member's zone show it. */
export function formatter(options: Intl.DateTimeFormatOptions): (at: string | number | Date) => string {
  // Moving the moment by the offset of the zone lets one formatter serve all zones: to make one takes 50 µs.
  const format = utcFormat(options);
  return (at) => format.format(currentDays().localAt(new Date(at).getTime()));
}

/** 14:05 */
export const timeOfDay = (at: string) => localText(at).slice(11, 16);

/** 14:05:09 */
export const timeWithSeconds = (at: string) => localText(at).slice(11, 19);

/** The date that the calendar in the member's zone shows at a moment. */
export const dateAt = (at: string) => localText(at).slice(0, 10);

/** The date of the member's day at a moment; a day that began yesterday goes on after midnight. */
export const dayAt = (at: string) => dateOf(currentDays().at(Date.parse(at)));

export const currentYear = () => dateOf(currentDays().at(Date.now())).slice(0, 4);

/** The whole of a moment, such as 2016-06-08 14:37 São Paulo time. */
export function wholeMoment(at: string): string {
  return words('time.whole', { time: localText(at).slice(0, 16).replace('T', ' '), zone: zoneWords() });
}

/** The name of the zone whose time a page shows. */
export function zoneWords(): string {
  const place = zonePlace(currentDays().rule.zone);
  return place === 'UTC' ? place : words('time.ofPlace', { place });
}

/** The place of a zone: New York of America/New_York. */
export function zonePlace(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}

function localText(at: string): string {
  const local = new Date(currentDays().localAt(Date.parse(at)));
  return Number.isNaN(local.getTime()) ? at : local.toISOString();
}
