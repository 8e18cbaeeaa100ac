/** The address of the problem list: its filters, order and page, read from the query with the interface's own names. */
import { parseInt64 } from '../contract/common.ts';
import { problemAt } from '../judges/addresses.ts';
import { judgePlaces } from '../practice/judge-places.ts';
import type { SortKey } from '../store/keyset.ts';
import { type ProblemFilter, problemSortFields } from '../store/problem-lists.ts';
import type { State } from '../store/tables.ts';
import { states, stateWords } from './parts.ts';
import type { MemberVisit } from './visits.ts';
import { words } from './words.ts';

export const listPath = '/problem_list/';
export const pageSizes = [25, 50, 100, 200] as const;
const longestText = 200;
const tagsAtMost = 10;

/** The statuses by which the list can be filtered, in words. */
export const statusWords = {
  unsolved: words('state.unsolved'),
  tried: words('state.tried'),
  ...stateWords,
} as const;

export interface ProblemQuery {
  /** As they stand in the address; what is not understood is left out. */
  q: string;
  source: string;
  /** The judge's own id of a contest, or words of titles. */
  contest: string;
  tags: string[];
  withoutTags: string[];
  ratingMin: number | undefined;
  ratingMax: number | undefined;
  status: State | 'unsolved' | 'tried' | '';
  isBookmarked: boolean;
  /** The id of a list; empty for all problems. */
  list: string;
  order: string;
  page: number;
  perPage: number;
}

export function readProblemQuery(query: URLSearchParams): ProblemQuery {
  // No store holds NUL, and half a surrogate pair has no UTF-8 form.
  const text = (name: string) => clean((query.get(name) ?? '').trim().slice(0, longestText));
  const list = (name: string) =>
    [...new Set(query.getAll(name).map(clean))]
      .filter((tag) => tag !== '' && tag.length <= 100)
      .slice(0, tagsAtMost);
  const status = text('status');
  const order = text('order').replace(/^-/, '');
  const isOrder = problemSortFields.some(({ name }) => name === order);
  return {
    q: text('q'),
    source: text('source'),
    contest: text('contest'),
    tags: list('tag'),
    withoutTags: list('without_tag'),
    ratingMin: numberIn(text('rating_min'), 0, 10_000),
    ratingMax: numberIn(text('rating_max'), 0, 10_000),
    status:
      status === 'unsolved' || status === 'tried' ? status : (states.find((state) => state === status) ?? ''),
    isBookmarked: text('bookmarked') === 'true',
    list: String(parseInt64(text('list')) ?? ''),
    order: isOrder ? text('order') : '',
    page: numberIn(text('page'), 1, 1_000_000) ?? 1,
    perPage: pageSizes.find((size) => String(size) === text('per_page')) ?? 25,
  };
}

const clean = (text: string) => text.replaceAll('\0', '').toWellFormed();

function numberIn(text: string, least: number, most: number): number | undefined {
  const number = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  return number >= least && number <= most ? number : undefined;
}

/** The query of an address with these filters; what is usual is left out. Changes go in at once, back to the first page. */
export function addressOf(query: ProblemQuery, changes: Partial<ProblemQuery> = {}): string {
  const next = { ...query, page: 1, ...changes };
  const pairs: [string, string][] = [];
  const add = (name: string, value: string | number | undefined) => {
    if (value !== undefined && value !== '') pairs.push([name, String(value)]);
  };
  add('q', next.q);
  add('source', next.source);
  add('contest', next.contest);
  for (const tag of next.tags) add('tag', tag);
  for (const tag of next.withoutTags) add('without_tag', tag);
  add('rating_min', next.ratingMin);
  add('rating_max', next.ratingMax);
  add('status', next.status);
  if (next.isBookmarked) add('bookmarked', 'true');
  add('list', next.list);
  add('order', next.order);
  if (next.page > 1) add('page', next.page);
  if (next.perPage !== 25) add('per_page', next.perPage);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** The problem whose address this text is. */
export async function linkedIn({ store, website }: MemberVisit, text: string) {
  // Words need not be looked at as addresses, which takes a read.
  if (!/^\S+\/\S+$/.test(text)) return undefined;
  return problemAt(text, await judgePlaces(store.reader, website.judgeUrls));
}

/** The filter for the store. The address of a problem in the search field finds that problem alone. */
export async function filterOf(visit: MemberVisit, query: ProblemQuery): Promise<ProblemFilter> {
  const linked = await linkedIn(visit, query.q);
  return {
    memberId: visit.member.user_id,
    source: linked?.source ?? (query.source || undefined),
    key: linked?.key,
    contest: query.contest || undefined,
    tags: query.tags.length > 0 ? query.tags : undefined,
    withoutTags: query.withoutTags.length > 0 ? query.withoutTags : undefined,
    ratingMin: query.ratingMin,
    ratingMax: query.ratingMax,
    q: linked ? undefined : query.q || undefined,
    status: query.status === 'tried' ? 'practicing' : query.status || undefined,
    isBookmarked: query.isBookmarked || undefined,
    listId: parseInt64(query.list),
  };
}

/** The order for the store; problems that are equal in it come by id. */
export function keysOf({ order }: ProblemQuery): SortKey[] {
  const name = order.replace(/^-/, '');
  const keys = problemSortFields
    .filter((field) => field.name === name)
    .map((field) => ({ field, isDescending: order.startsWith('-') }));
  const id = problemSortFields.find((field) => field.name === 'id');
  if (id && name !== 'id') keys.push({ field: id, isDescending: false });
  return keys;
}
