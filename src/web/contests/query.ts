/** The address of the contest grid: its judge, filters and page. */

import { judgeOf } from '../../judges/addresses.ts';
import type { ContestKind } from '../../judges/contest-kinds.ts';
import type { GridFilter } from '../../store/contest-grid.ts';

export const contestsPath = '/problem_list/contests/';
export const gridSizes = [25, 50, 100] as const;
export const shows = ['taken', 'begun', 'done'] as const;
const longestText = 200;

export interface ContestQuery {
  source: string;
  q: string;
  kind: string;
  year: number | undefined;
  show: (typeof shows)[number] | '';
  hidesDone: boolean;
  page: number;
  perPage: number;
}

/** `usual` is the judge where the address names none. */
export function readContestQuery(query: URLSearchParams, usual: string): ContestQuery {
  // No store holds NUL, and half a surrogate pair has no UTF-8 form.
  const text = (name: string) =>
    (query.get(name) ?? '').trim().slice(0, longestText).replaceAll('\0', '').toWellFormed();
  const number = (name: string, digits: RegExp) => (digits.test(text(name)) ? Number(text(name)) : undefined);
  const source = text('source') || usual;
  return {
    source,
    q: text('q'),
    kind: kindsOf(source).some(({ name }) => name === text('kind')) ? text('kind') : '',
    year: number('year', /^(?:19|20)\d\d$/),
    show: shows.find((show) => show === text('show')) ?? '',
    hidesDone: text('hide_done') === 'true',
    page: Math.max(1, number('page', /^\d{1,6}$/) ?? 1),
    perPage: gridSizes.find((size) => String(size) === text('per_page')) ?? 25,
  };
}

export function kindsOf(source: string): readonly ContestKind[] {
  return judgeOf(source)?.contestKinds ?? [];
}

/** The query of an address; what is usual is left out. Changes go in at once, back to the first page. */
export function contestAddress(query: ContestQuery, changes: Partial<ContestQuery> = {}): string {
  const next = { ...query, page: 1, ...changes };
  const pairs = Object.entries({
    source: next.source,
    q: next.q,
    kind: next.kind,
    year: next.year ?? '',
    show: next.show,
    hide_done: next.hidesDone ? 'true' : '',
    page: next.page > 1 ? next.page : '',
    per_page: next.perPage === 25 ? '' : next.perPage,
  }).filter(([, value]) => value !== '');
  return `?${new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)]))}`;
}

export function gridFilterOf(query: ContestQuery, memberId: bigint): GridFilter {
  const { source, q, year, show, hidesDone } = query;
  return {
    ...{ memberId, source, year, hidesDone },
    text: q || undefined,
    kind: kindsOf(source).find(({ name }) => name === query.kind),
    show: show || undefined,
  };
}
