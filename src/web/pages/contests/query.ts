/** The address of the contest grid: its judge, filters and page. */

import { judgeOf } from '../../../judges/addresses.ts';
import type { ContestKind } from '../../../judges/contest-kinds.ts';
import type { GridFilter } from '../../../store/contest-grid.ts';
import { askedBy, type LeftOut } from '../../kit/asked.ts';

export const gridSizes = [25, 50, 100] as const;
export const shows = ['taken', 'begun', 'done'] as const;

export interface ContestQuery {
  source: string;
  q: string;
  kind: string;
  year: number | undefined;
  show: (typeof shows)[number] | '';
  hidesDone: boolean;
  page: number;
  perPage: number;
  /** What of the address is not understood. */
  leftOut: readonly LeftOut[];
}

/** `usual` is the judge where the address names none. */
export function readContestQuery(query: URLSearchParams, usual: string): ContestQuery {
  const { leftOut, text, oneOf, isTrue, number } = askedBy(query);
  const source = text('source') || usual;
  const kinds = kindsOf(source).map(({ name }) => name);
  return {
    source,
    q: text('q'),
    kind: oneOf('kind', kinds) ?? '',
    year: number('year', 1900, 2099),
    show: oneOf('show', shows) ?? '',
    hidesDone: isTrue('hide_done'),
    page: number('page', 1, 999_999) ?? 1,
    perPage: Number(oneOf('per_page', gridSizes.map(String)) ?? 25),
    leftOut,
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
