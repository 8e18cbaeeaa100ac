/** Reads upcoming contests, and skips rows that cannot be read. */
import { dayMs, daySeconds } from '../durations.ts';
import { message } from '../errors.ts';
import { contestInBook, problemAtHost } from './address-book.ts';
import { badField, integerOf, isoTimeOf, readRows, textOf, webAddressOf } from './fields.ts';
import type { ContestListing, UpcomingContest } from './judge.ts';

const longestTitle = 300;
const longestKey = 200;
const longestUrl = 500;
/** Longer contests are nothing to wait for, such as companies' hiring challenges. */
const tooLongSeconds = 14 * daySeconds;

/** RFC 3339. A judge that lists past contests too is asked since then, so that one that never began is found missing. */
export const startedFrom = (now: number) => new Date(now - 30 * dayMs).toISOString();

/** `read` returns undefined for no contest, and throws badRow. */
export function contestListing(
  rows: readonly unknown[],
  read: (row: unknown) => UpcomingContest | undefined,
  isComplete = true,
): ContestListing {
  const contests = new Map<string, UpcomingContest>();
  const { values, skipped } = readRows(rows, read);
  for (const contest of values)
    if (contest && contest.duration_s < tooLongSeconds)
      contests.set(`${contest.source} ${contest.key}`, contest);
  // A row that could not be read may be of a listed contest, which then is not cancelled.
  return {
    contests: [...contests.values()],
    isComplete: isComplete && skipped.length === 0,
    skipped,
  };
}

export function contestAtAddress(
  address: unknown,
  name: string,
): Pick<UpcomingContest, 'source' | 'key' | 'url'> {
  const text = webAddressOf(address, name);
  const url = new URL(text);
  const match = contestInBook(url);
  const { source, key } = match ?? problemAtHost(url) ?? { source: url.host, key: url.host };
  if (key.length > longestKey || text.length > longestUrl)
    throw badField(name, address, message('expected.contestLink'));
  return { source, key, url: match?.address ?? text };
}

/** The start must have a time zone. Throws badRow. */
export function titleAndTimesOf(
  row: Record<string, unknown>,
  fields: { titleField: string; startField: string; seconds: unknown },
) {
  const { titleField, startField, seconds } = fields;
  if (!hasZone(row[startField])) throw badField(startField, row[startField], message('expected.zonedTime'));
  return {
    title: titleOf(row[titleField], titleField),
    starts_at: isoTimeOf(row[startField], startField),
    duration_s: secondsOf(seconds),
  };
}

/** Throws badRow, also for a title in which characters were lost. */
export function titleOf(value: unknown, name: string): string {
  const title = textOf(value, name, 10_000).slice(0, longestTitle);
  if (title.includes('\ufffd')) throw badField(name, value, message('expected.utf8'));
  return title;
}

export const secondsOf = (value: unknown) => BigInt(integerOf(value, 'duration', 0, 100 * 366 * daySeconds));

const hasZone = (value: unknown) => typeof value === 'string' && /(?:Z|[+-]\d\d:?\d\d)$/.test(value);
