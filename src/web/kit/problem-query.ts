/** The filters, order and page in the address of a list of problems. */

import { parseInt64 } from '../../contract/common.ts';
import { type AddressedProblem, parseProblemAddress, problemAt } from '../../judges/addresses.ts';
import { findGymProblem } from '../../judges/judges.ts';
import { readTypedKey } from '../../judges/typed-keys.ts';
import { timeRangeOfDays } from '../../practice/activity.ts';
import { findStoredProblems } from '../../practice/added-problems.ts';
import { type Days, dayOf } from '../../practice/days.ts';
import { listJudgeAddresses } from '../../practice/judge-addresses.ts';
import { findIdsByLabel } from '../../practice/labels.ts';
import { distanceStep, distances, listByTries } from '../../practice/progress.ts';
import type { HistoryFilter } from '../../store/activity.ts';
import { findIdsByOwnText } from '../../store/bookmarks.ts';
import type { SortKey } from '../../store/listings.ts';
import { type ProblemFilter, problemSortFields } from '../../store/problem-lists.ts';
import { findProblemsByKeys, type ProblemRow } from '../../store/problems.ts';
import { type Html, html } from '../markup.ts';
import type { MemberVisit } from '../request/visits.ts';
import { commaList } from '../words/formats.ts';
import { richWords, words } from '../words/words.ts';
import { type StatusFilter, statusOrder } from './marks.ts';
import { noticeOf } from './panel.ts';

const longestText = 200;
const shownAtMost = 40;

/** The page reports what it did not understand in its address, instead of ignoring it. */
export interface IgnoredParameter {
  name: string;
  value: string;
  reason: Html | string;
}

/** Returns readers for single parameters; `leftOut` collects the values that they did not understand. */
export function readProblemFilter(query: URLSearchParams) {
  const leftOut: IgnoredParameter[] = [];
  function text(name: string): string {
    const [first = '', ...more] = query
      .getAll(name)
      .map((value) => removeUnstorable(value.trim().slice(0, longestText)));
    for (const value of new Set(more))
      if (value !== first && value !== '') leftOut.push({ name, value, reason: words('asked.atMost', { most: 1 }) });
    return first;
  }

  function one<T>(name: string, read: (value: string) => T | undefined, why: () => Html | string): T | undefined {
    const value = text(name);
    if (value === '') return undefined;
    const result = read(value);
    if (result === undefined) leftOut.push({ name, value, reason: why() });
    return result;
  }

  function oneOf<T extends string>(name: string, values: readonly T[]): T | undefined {
    return one(
      name,
      (value) => values.find((allowed) => allowed === value),
      () => richWords('asked.oneOf', { count: values.length, values: commaList(values) }),
    );
  }

  return {
    leftOut,
    text,
    one,
    oneOf,
    isTrue: (name: string) => oneOf(name, ['true']) === 'true',
    number: (name: string, least: number, most: number) =>
      one(
        name,
        (value) => numberIn(value, least, most),
        () => words('asked.number', { least, most }),
      ),
    date: (name: string) =>
      one(
        name,
        (value) => (dayOf(value) === undefined ? undefined : value),
        () => words('asked.date'),
      ) ?? '',
    all(name: string, longest: number, most: number): string[] {
      const values = [...new Set(query.getAll(name).map(removeUnstorable))].filter((value) => value !== '');
      const shortEnough = values.filter((value) => value.length <= longest);
      for (const value of values)
        if (value.length > longest) leftOut.push({ name, value, reason: words('asked.atMostLong', { longest }) });
      for (const value of shortEnough.slice(most))
        leftOut.push({ name, value, reason: words('asked.atMost', { most }) });
      return shortEnough.slice(0, most);
    },
  };
}

/** No store holds NUL, and half a surrogate pair has no UTF-8 form. */
const removeUnstorable = (text: string) => text.replaceAll('\0', '').toWellFormed();

function numberIn(text: string, least: number, most: number): number | undefined {
  const number = /^-?\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return number >= least && number <= most ? number : undefined;
}

export function filterNotice(
  leftOut: readonly IgnoredParameter[],
  more: readonly (Html | string)[] = [],
): Html | undefined {
  const lines = [
    ...leftOut.map(({ name, value, reason }) => {
      const shown = value.length > shownAtMost ? `${value.slice(0, shownAtMost).toWellFormed()}…` : value;
      return richWords('asked.leftOut', { given: html`<bdi>${name}=${shown}</bdi>`, why: reason });
    }),
    ...more,
  ];
  if (lines.length === 0) return undefined;
  const shown = lines.map((line) => html`<p>${line}</p>`);
  return noticeOf('warn', shown, { role: 'status', more: { 'data-filters': true } });
}

export const defaultPageSize = 25;
export const pageSizes = [defaultPageSize, 50, 100, 200] as const;
const longestTag = 100;
const tagsAtMost = 10;

const distanceNames = [...distances.map((distance) => `${distance}` as const), 'none'] as const;
const statusNames: readonly StatusFilter[] = ['unsolved', 'tried', 'attempted', ...statusOrder];

export type ProblemQuery = ReturnType<typeof readProblemQuery>;

export function readProblemQuery(address: URLSearchParams) {
  const { leftOut, text, one, oneOf, isTrue, number, date, all } = readProblemFilter(address);
  const orders = problemSortFields.map(({ name }) => name);
  return {
    q: text('q'),
    source: text('source'),
    /** The judge's id of a contest, or words of its title. */
    contest: text('contest'),
    tags: all('tag', longestTag, tagsAtMost),
    withoutTags: all('without_tag', longestTag, tagsAtMost),
    ratingMin: number('rating_min', -10_000, 10_000),
    ratingMax: number('rating_max', -10_000, 10_000),
    isUnrated: isTrue('unrated'),
    status: oneOf('status', statusNames) ?? ('' as const),
    /** Of the current status; for a solved problem, of its first solve. */
    statusFrom: date('status_from'),
    statusTo: date('status_to'),
    triesMin: number('tries_min', 0, 10_000),
    triesMax: number('tries_max', 0, 10_000),
    /** A step of rating minus level, or `none` where a member had no level yet. */
    distance: oneOf('distance', distanceNames) ?? ('' as const),
    isFirstTry: isTrue('first_try'),
    isBookmarked: isTrue('bookmarked'),
    isGym: isTrue('gym'),
    note: text('note'),
    label: text('label'),
    list: String(one('list', parseInt64, () => words('asked.list')) ?? ''),
    solvedFrom: date('solved_from'),
    solvedTo: date('solved_to'),
    isFirstSolve: isTrue('first'),
    order: oneOf('order', [...orders, ...orders.map((name) => `-${name}`)]) ?? '',
    page: number('page', 1, 1_000_000) ?? 1,
    perPage: Number(oneOf('per_page', pageSizes.map(String)) ?? defaultPageSize),
    leftOut: leftOut as readonly IgnoredParameter[],
  };
}

const parameterNames = {
  q: 'q',
  source: 'source',
  contest: 'contest',
  tags: 'tag',
  withoutTags: 'without_tag',
  ratingMin: 'rating_min',
  ratingMax: 'rating_max',
  isUnrated: 'unrated',
  status: 'status',
  statusFrom: 'status_from',
  statusTo: 'status_to',
  triesMin: 'tries_min',
  triesMax: 'tries_max',
  distance: 'distance',
  isFirstTry: 'first_try',
  isBookmarked: 'bookmarked',
  isGym: 'gym',
  note: 'note',
  label: 'label',
  list: 'list',
  solvedFrom: 'solved_from',
  solvedTo: 'solved_to',
  isFirstSolve: 'first',
  order: 'order',
  page: 'page',
  perPage: 'per_page',
} as const satisfies Record<keyof Omit<ProblemQuery, 'leftOut'>, string>;

const defaultQuery = readProblemQuery(new URLSearchParams());

export const queryFor = (filters: Partial<ProblemQuery>): ProblemQuery => ({ ...defaultQuery, ...filters });

/** `readProblemFilter` changes or drops some topics. */
export function fitsInAddress(tag: string): boolean {
  return readProblemFilter(new URLSearchParams({ tag })).all('tag', longestTag, 1)[0] === tag;
}

/** Leaves out defaults. */
export function queryString(query: ProblemQuery, changes: Partial<ProblemQuery> = {}): string {
  return addressFrom(parameterNames, defaultQuery, { ...query, page: 1, ...changes });
}

export function addressFrom<Field extends string>(
  names: Readonly<Record<Field, string>>,
  defaults: Readonly<Record<NoInfer<Field>, unknown>>,
  query: Readonly<Record<NoInfer<Field>, unknown>>,
): string {
  const pairs = (Object.keys(names) as Field[])
    .filter((field) => query[field] !== defaults[field])
    .flatMap((field) => [query[field]].flat().map((value): [string, string] => [names[field], String(value)]));
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** Such as −300…−101, in points of rating. */
export function distanceText(distance: number): string {
  const signed = (points: number) => `${points < 0 ? '−' : '+'}${Math.abs(points)}`;
  const [from, until] = [distance - distanceStep / 2, distance + distanceStep / 2];
  if (distance === distances[0]) return `< ${signed(until)}`;
  return distance === distances.at(-1) ? `≥ ${signed(from)}` : `${signed(from)}…${signed(until - 1)}`;
}

export const filtersBySolves = (query: ProblemQuery): boolean =>
  query.status !== '' || filtersBySolveDate(query) || query.isFirstTry;

/** Completes a link without https://. */
export const completeLink = (text: string) =>
  /^(?:[a-z\d-]+\.)+[a-z]{2,}(?::\d+)?\/\S+$/i.test(text) ? `https://${text}` : text;

/** No title of a problem looks like this. */
const isAddress = (text: string) => /^https?:\/\//i.test(text);

/** Returns a `url` alone where the problem may be stored under another key. */
async function problemInSearch(
  { store, website }: Pick<MemberVisit, 'store' | 'website'>,
  text: string,
): Promise<{ named?: Pick<AddressedProblem, 'source' | 'key'>; url?: string }> {
  const gymProblem = findGymProblem(text.toUpperCase());
  if (gymProblem && (await findProblemsByKeys(store.reader, gymProblem.source, [gymProblem.key])).length > 0)
    return { named: gymProblem };
  const typed = readTypedKey(text);
  const typedProblems = typed ? await findProblemsByKeys(store.reader, typed.source, typed.keys) : [];
  const [match] = typedProblems;
  if (match && typedProblems.every(({ id }) => id === match.id))
    return { named: { source: match.source, key: match.source_key } };
  // Other texts need no read of the judges' addresses.
  if (!/^\S+\/\S+$/.test(text)) return {};
  const named = problemAt(completeLink(text), await listJudgeAddresses(store.reader, website.judgeUrls));
  if (!named) return isAddress(text) ? { url: text } : {};
  const [stored] = (await findStoredProblems(store.reader, [named])).values();
  // The row may be of another problem, into which this one was merged.
  if (stored) return { named: { source: stored.source, key: stored.source_key } };
  if (named.matchedBy !== 'host') return { named };
  return isAddress(text) ? { url: text } : {};
}

/** Throws invalidValue. */
export async function readLink(
  { store, website }: Pick<MemberVisit, 'store' | 'website'>,
  link: string,
  title = '',
): Promise<{ address: AddressedProblem; stored: ProblemRow | undefined }> {
  const address = parseProblemAddress(link, await listJudgeAddresses(store.reader, website.judgeUrls), title);
  const [stored] = (await findStoredProblems(store.reader, [address])).values();
  return { address, stored };
}

export async function filterOf(visit: MemberVisit, query: ProblemQuery): Promise<ProblemFilter> {
  const { named: byKey, url } = await problemInSearch(visit, query.q);
  const { reader } = visit.store;
  const noteWords = query.note.split(/\s+/).filter((word) => word !== '');
  return {
    memberId: visit.member.user_id,
    source: query.source || undefined,
    byKey,
    url,
    contest: query.contest || undefined,
    tags: query.tags.length > 0 ? query.tags : undefined,
    withoutTags: query.withoutTags.length > 0 ? query.withoutTags : undefined,
    ratingMin: query.ratingMin,
    ratingMax: query.ratingMax,
    q: byKey || url ? undefined : query.q || undefined,
    status: query.status === 'tried' ? 'practicing' : query.status || undefined,
    isUnrated: query.isUnrated || undefined,
    history: historyOf(query, visit.days),
    isBookmarked: query.isBookmarked || undefined,
    isGym: query.isGym || (byKey || url || includesGyms(query) ? undefined : false),
    idsByNoteJson: noteWords.length > 0 ? await findIdsByOwnText(reader, visit.member.user_id, noteWords) : undefined,
    idsByLabelJson: query.label === '' ? undefined : await findIdsByLabel(reader, visit.member.user_id, query.label),
    idsByTriesJson: await problemsByTries(visit, query),
    listId: parseInt64(query.list),
    solved: filtersBySolveDate(query)
      ? {
          ...timeRangeOfDays(visit.days, dayOf(query.solvedFrom), dayOf(query.solvedTo)),
          isFirst: query.isFirstSolve,
        }
      : undefined,
  };
}

async function problemsByTries({ store, member, days }: MemberVisit, query: ProblemQuery): Promise<string | undefined> {
  const { distance: name, isFirstTry } = query;
  if (name === '' && !isFirstTry) return undefined;
  const distance = name === 'none' ? name : name === '' ? undefined : Number(name);
  const ids = await listByTries(store.reader, member.user_id, days, { distance, isFirstTry });
  return `[${ids.map((id) => `"${id}"`)}]`;
}

/** Gyms are hidden unless a filter is about the member's own problems or a contest. */
function includesGyms(query: ProblemQuery): boolean {
  const { status, isBookmarked, label, list, contest, distance, isFirstTry } = query;
  const { statusFrom, statusTo, triesMin, triesMax } = query;
  const isMarked = status !== '' && status !== 'unsolved' && status !== 'not_started';
  const hasHistory = statusFrom + statusTo !== '' || triesMin !== undefined || triesMax !== undefined;
  const isTried = filtersBySolveDate(query) || distance !== '' || isFirstTry;
  return isMarked || isBookmarked || label !== '' || list !== '' || contest !== '' || hasHistory || isTried;
}

function historyOf(query: ProblemQuery, days: Days): HistoryFilter | undefined {
  const { statusFrom, statusTo, triesMin, triesMax } = query;
  const history: HistoryFilter = {
    status: statusFrom + statusTo === '' ? undefined : timeRangeOfDays(days, dayOf(statusFrom), dayOf(statusTo)),
    triesMin,
    triesMax,
  };
  return Object.values(history).some((value) => value !== undefined) ? history : undefined;
}

const filtersBySolveDate = ({ solvedFrom, solvedTo, isFirstSolve }: ProblemQuery) =>
  isFirstSolve || solvedFrom + solvedTo !== '';

export function queryKeys({ order }: ProblemQuery): SortKey[] {
  const name = order.replace(/^-/, '');
  const keys = problemSortFields
    .filter((field) => field.name === name)
    .map((field) => ({ field, isDescending: order.startsWith('-') }));
  const id = problemSortFields.find((field) => field.name === 'id');
  // An import gives thousands of problems the same time; with one direction for both keys the index needs no sorting.
  if (id && name !== 'id') keys.push({ field: id, isDescending: order === '-updated_at' });
  return keys;
}
