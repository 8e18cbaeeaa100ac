/** Times and dates in the visitor's time zone (docs/decisions/0025-days.md). */
import { dateOf } from '../../practice/days.ts';
import { utcFormat } from '../words/formats.ts';
import { currentViewer } from '../words/viewer.ts';
import { words } from '../words/words.ts';

const currentDays = () => currentViewer().days;

export function formatter(options: Intl.DateTimeFormatOptions): (at: string | number | Date) => string {
  // Shifting by the zone's offset lets one formatter serve all zones: creating one takes 50 µs.
  const format = utcFormat(options);
  return (at) => format.format(currentDays().localAt(new Date(at).getTime()));
}

export const timeOfDay = (at: string) => localIso(at).slice(11, 16);

export const timeWithSeconds = (at: string) => localIso(at).slice(11, 19);

export const dateAt = (at: string) => localIso(at).slice(0, 10);

/** A member's day may begin after midnight, so this can be the date before. */
export const dayAt = (at: string) => dateOf(currentDays().at(Date.parse(at)));

export const currentYear = () => dateOf(currentDays().at(Date.now())).slice(0, 4);

/** Such as 2016-06-08 14:37 São Paulo time. */
export function fullDateTime(at: string): string {
  return words('time.whole', { time: localIso(at).slice(0, 16).replace('T', ' '), zone: zoneLabel() });
}

export function zoneLabel(): string {
  const place = zoneCity(currentDays().rule.zone);
  return place === 'UTC' ? place : words('time.ofPlace', { place });
}

/** New York for America/New_York. */
export function zoneCity(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}

function localIso(at: string): string {
  const local = new Date(currentDays().localAt(Date.parse(at)));
  return Number.isNaN(local.getTime()) ? at : local.toISOString();
}
