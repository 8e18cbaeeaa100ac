/** The judge and the days of a page of progress, and the addresses of the lists behind its numbers. */

import { dayMs } from '../../../durations.ts';
import { dateOf, dayOf, type Period } from '../../../practice/days.ts';
import type { ProblemOutcome, Span } from '../../../practice/progress.ts';
import { type ProblemQuery, queryFor, queryString, readProblemFilter } from '../../kit/problem-query.ts';
import { problemsPath, progressPath } from '../../paths.ts';
import { utcFormat } from '../../words/formats.ts';
import { words } from '../../words/words.ts';
import type { YearLink } from './year.ts';

const spanDays = { year: 365, '90': 90 } as const;
export const spanNames = ['all', 'year', '90'] as const;
export type SpanName = (typeof spanNames)[number] | 'own';

export type ProgressQuery = ReturnType<typeof readProgressQuery>;

export function readProgressQuery(address: URLSearchParams) {
  const { leftOut, text, oneOf, date } = readProblemFilter(address);
  const [from, to] = [date('from'), date('to')];
  const preset = oneOf('span', spanNames) ?? 'all';
  const span: SpanName = from || to ? 'own' : preset;
  return {
    source: text('source'),
    span,
    /** Dates that the member chose; empty where open. */
    from,
    to,
    hasAllTopics: oneOf('topics', ['all']) === 'all',
    leftOut,
  };
}

/** Leaves out defaults. */
export function progressAddress(query: ProgressQuery, changes: Partial<ProgressQuery> = {}): string {
  const { source, span, from, to, hasAllTopics } = { ...query, ...changes };
  const pairs: [string, string][] = [];
  if (source) pairs.push(['source', source]);
  if (span === 'own') {
    if (from) pairs.push(['from', from]);
    if (to) pairs.push(['to', to]);
  } else if (span !== 'all') pairs.push(['span', span]);
  if (hasAllTopics) pairs.push(['topics', 'all']);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

const yearsShown = 100;

export function yearLinks(
  basePath: string,
  query: ProgressQuery,
  first: number | undefined,
  today: number,
): YearLink[] {
  if (first === undefined) return [];
  const yearOf = (day: number) => Number(dateOf(day).slice(0, 4));
  const last = yearOf(today);
  const count = Math.min(last - yearOf(first) + 1, yearsShown);
  return Array.from({ length: count }, (_, yearsBack) => {
    const year = last - yearsBack;
    const [from, to] = [dateOf(Date.UTC(year, 0, 1) / dayMs), dateOf(Date.UTC(year, 11, 31) / dayMs)];
    const href = `${basePath}${progressPath}${progressAddress(query, { span: 'own', from, to })}#year`;
    return { year, href, isShown: query.from === from && query.to === to };
  });
}

function spanOf({ span, from, to }: ProgressQuery, today: number): Span {
  if (span === 'own') return { from: dayOf(from), to: dayOf(to) };
  return span === 'all' ? { from: undefined, to: undefined } : { from: today + 1 - spanDays[span], to: today };
}

export interface ProgressView {
  basePath: string;
  query: ProgressQuery;
  source: string;
  span: Span;
  today: number;
  solved(changes?: Partial<ProblemQuery>): string;
  tried(status: 'tried' | 'attempted', changes?: Partial<ProblemQuery>): string;
}

const dateText = (day: number | undefined) => (day === undefined ? '' : dateOf(day));

export function viewOf(basePath: string, query: ProgressQuery, today: number): ProgressView {
  const span = spanOf(query, today);
  const [from, to] = [dateText(span.from), dateText(span.to)];
  const { source } = query;
  const list = (filters: Partial<ProblemQuery>, changes: Partial<ProblemQuery>) =>
    basePath + problemsPath + queryString(queryFor({ source, ...filters }), changes);
  return {
    basePath,
    query,
    source,
    span,
    today,
    solved: (changes = {}) =>
      list({ status: 'complete', solvedFrom: from, solvedTo: to, isFirstSolve: Boolean(from || to) }, changes),
    tried: (status, changes = {}) => list({ status, statusFrom: from, statusTo: to }, changes),
  };
}

export function shownDays(
  { span }: ProgressView,
  problems: readonly Pick<ProblemOutcome, 'day'>[],
): { from: number; to: number } {
  const [first = 0, last = 0] = [problems[0]?.day, problems.at(-1)?.day];
  return { from: span.from ?? first, to: span.to ?? last };
}

const monthOfYear = utcFormat({ month: 'short', year: 'numeric' });
const monthAlone = utcFormat({ month: 'short' });
const monthIn = (at: number) => monthOfYear.formatToParts(at).find(({ type }) => type === 'month')?.value ?? '';

export function periodName({ year, month, months }: Period): string {
  if (months === 12) return String(year);
  if (months > 12) return `${year}–${year + months / 12 - 1}`;
  const [first, last] = [month, month + 2].map((one) => new Date(0).setUTCFullYear(year, one, 1)) as [number, number];
  const firstName = monthOfYear.format(first);
  if (months === 1) return firstName;
  // A year that is written before the month stands at the first month only.
  return firstName.startsWith(String(year))
    ? words('progress.quarter', { from: firstName, to: monthAlone.format(last) })
    : words('progress.quarter', { from: monthIn(first), to: monthOfYear.format(last) });
}

export const daysOfPeriod = ({ from, to }: Period): Partial<ProblemQuery> => ({
  solvedFrom: dateOf(from),
  solvedTo: dateOf(to),
  isFirstSolve: true,
});
