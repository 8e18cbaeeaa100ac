/** The address of the problem list: its filters, order and page, read from the query with the interface's own names. */

import { parseInt64 } from '../../contract/common.ts';
import { type AddressedProblem, givenProblem, problemAt } from '../../judges/addresses.ts';
import { gymOf } from '../../judges/judges.ts';
import { betweenDays } from '../../practice/activity.ts';
import { findStored } from '../../practice/added-problems.ts';
import { type Days, dayOf } from '../../practice/days.ts';
import { listJudgeAddresses } from '../../practice/judge-addresses.ts';
import { distanceStep, distances, listByTries } from '../../practice/progress.ts';
import type { HistoryFilter } from '../../store/activity.ts';
import { findNoted } from '../../store/bookmarks.ts';
import type { SortKey } from '../../store/listings.ts';
import { type ProblemFilter, problemSortFields } from '../../store/problem-lists.ts';
import { findProblemsByKeys, type ProblemRow } from '../../store/problems.ts';
import { type Html, html } from '../markup.ts';
import type { MemberVisit } from '../road/visits.ts';
import { commaList } from '../words/formats.ts';
import { richWords, words } from '../words/words.ts';
import { type Filtered, statusOrder } from './marks.ts';
import { noticeOf } from './panel.ts';

/*
 * The query in the address of a page: filters, order and page. A value that means nothing is left out, and the page
 * says so in place of showing something else without a word.
 */

const longestText = 200;
const longestShown = 40;

/** A value of the address that is not understood. */
export interface LeftOut {
  name: string;
  value: string;
  /** A sentence that says what would be. */
  why: Html | string;
}

/** Reads an address; `leftOut` has what was not understood so far. */
export function readProblemFilter(query: URLSearchParams) {
  const leftOut: LeftOut[] = [];
  function text(name: string): string {
    const [first = '', ...more] = query.getAll(name).map((value) => clean(value.trim().slice(0, longestText)));
    for (const value of new Set(more))
      if (value !== first && value !== '') leftOut.push({ name, value, why: words('asked.atMost', { most: 1 }) });
    return first;
  }

  /** An empty value asks for nothing. */
  function one<T>(name: string, read: (value: string) => T | undefined, why: () => Html | string): T | undefined {
    const value = text(name);
    if (value === '') return undefined;
    const found = read(value);
    if (found === undefined) leftOut.push({ name, value, why: why() });
    return found;
  }

  function oneOf<T extends string>(name: string, values: readonly T[]): T | undefined {
    return one(
      name,
      (value) => values.find((known) => known === value),
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
    /** The values of a name that may be repeated. */
    all(name: string, longest: number, most: number): string[] {
      const values = [...new Set(query.getAll(name).map(clean))].filter((value) => value !== '');
      const fitting = values.filter((value) => value.length <= longest);
      for (const value of values)
        if (value.length > longest) leftOut.push({ name, value, why: words('asked.atMostLong', { longest }) });
      for (const value of fitting.slice(most)) leftOut.push({ name, value, why: words('asked.atMost', { most }) });
      return fitting.slice(0, most);
    },
  };
}

/** No store holds NUL, and half a surrogate pair has no UTF-8 form. */
const clean = (text: string) => text.replaceAll('\0', '').toWellFormed();

function numberIn(text: string, least: number, most: number): number | undefined {
  const number = /^-?\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return number >= least && number <= most ? number : undefined;
}

/** A notice of the values that were left out, and of more about the filters; nothing where all is well. */
export function filterNotice(leftOut: readonly LeftOut[], more: readonly (Html | string)[] = []): Html | undefined {
  const lines = [
    ...leftOut.map(({ name, value, why }) => {
      const shown = value.length > longestShown ? `${value.slice(0, longestShown).toWellFormed()}…` : value;
      return richWords('asked.leftOut', { given: html`<bdi>${name}=${shown}</bdi>`, why });
    }),
    ...more,
  ];
  if (lines.length === 0) return undefined;
  const shown = lines.map((line) => html`<p>${line}</p>`);
  return noticeOf('warn', shown, { role: 'status', more: { 'data-filters': true } });
}

/** How many rows a page of problems or contests has, unless its address says another number. */
export const usualPageSize = 25;
export const pageSizes = [usualPageSize, 50, 100, 200] as const;
const longestTag = 100;
const tagsAtMost = 10;

const distanceNames = [...distances.map((distance) => `${distance}` as const), 'none'] as const;
const statusNames: readonly Filtered[] = ['unsolved', 'tried', 'attempted', ...statusOrder];

export type ProblemQuery = ReturnType<typeof readProblemQuery>;

export function readProblemQuery(address: URLSearchParams) {
  const { leftOut, text, one, oneOf, isTrue, number, date, all } = readProblemFilter(address);
  const orders = problemSortFields.map(({ name }) => name);
  return {
    q: text('q'),
    source: text('source'),
    /** The judge's own id of a contest, or words of titles. */
    contest: text('contest'),
    tags: all('tag', longestTag, tagsAtMost),
    withoutTags: all('without_tag', longestTag, tagsAtMost),
    ratingMin: number('rating_min', -10_000, 10_000),
    ratingMax: number('rating_max', -10_000, 10_000),
    isUnrated: isTrue('unrated'),
    status: oneOf('status', statusNames) ?? ('' as const),
    /** Dates of the days of the status that shows; of a problem that is solved, of its first solve. */
    statusFrom: date('status_from'),
    statusTo: date('status_to'),
    /** How many submissions the first solve took. */
    triesMin: number('tries_min', 0, 10_000),
    triesMax: number('tries_max', 0, 10_000),
    /** A step of the rating minus the member's level before, or \`none\` where it is not known. */
    distance: oneOf('distance', distanceNames) ?? ('' as const),
    isFirstTry: isTrue('first_try'),
    isBookmarked: isTrue('bookmarked'),
    /** Problems of gyms alone. */
    isGym: isTrue('gym'),
    /** Words of the member's notes. */
    note: text('note'),
    /** The id of a list; empty for all problems. */
    list: String(one('list', parseInt64, () => words('asked.list')) ?? ''),
    /** Dates of the days on which the member solved it, or of the first of them. */
    solvedFrom: date('solved_from'),
    solvedTo: date('solved_to'),
    isFirstSolve: isTrue('first'),
    order: oneOf('order', [...orders, ...orders.map((name) => `-${name}`)]) ?? '',
    page: number('page', 1, 1_000_000) ?? 1,
    perPage: Number(oneOf('per_page', pageSizes.map(String)) ?? usualPageSize),
    /** Values of the address that are not understood, and are in none of the other fields. */
    leftOut: leftOut as readonly LeftOut[],
  };
}

/** The name of each in an address, in the order in which they stand there. */
const names = {
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
  list: 'list',
  solvedFrom: 'solved_from',
  solvedTo: 'solved_to',
  isFirstSolve: 'first',
  order: 'order',
  page: 'page',
  perPage: 'per_page',
} as const satisfies Record<keyof Omit<ProblemQuery, 'leftOut'>, string>;

/** The query of an empty address. */
const usual = readProblemQuery(new URLSearchParams());

/** The query that has these filters and no others. */
export const queryFor = (filters: Partial<ProblemQuery>): ProblemQuery => ({ ...usual, ...filters });

/** Whether an address can name this topic as it is. */
export function isTagOfAddress(tag: string): boolean {
  return readProblemFilter(new URLSearchParams({ tag })).all('tag', longestTag, 1)[0] === tag;
}

/**
 * The query of an address with these filters; what is usual is left out. Changes go in at once, back to the first page.
 */
export function queryString(query: ProblemQuery, changes: Partial<ProblemQuery> = {}): string {
  return addressFrom(names, usual, { ...query, page: 1, ...changes });
}

/** The query of an address, in the order of these names; a field that is as usual is left out. */
export function addressFrom<Field extends string>(
  names: Readonly<Record<Field, string>>,
  usual: Readonly<Record<NoInfer<Field>, unknown>>,
  query: Readonly<Record<NoInfer<Field>, unknown>>,
): string {
  const pairs = (Object.keys(names) as Field[])
    .filter((field) => query[field] !== usual[field])
    .flatMap((field) => [query[field]].flat().map((value): [string, string] => [names[field], String(value)]));
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** The differences of rating and level at a step, such as −300…−101. */
export function distanceText(distance: number): string {
  const signed = (points: number) => `${points < 0 ? '−' : '+'}${Math.abs(points)}`;
  const [from, until] = [distance - distanceStep / 2, distance + distanceStep / 2];
  if (distance === distances[0]) return `< ${signed(until)}`;
  return distance === distances.at(-1) ? `≥ ${signed(from)}` : `${signed(from)}…${signed(until - 1)}`;
}

/** Whether a query says itself whether the problems are solved. */
export const asksForSolves = (query: ProblemQuery): boolean =>
  query.status !== '' || asksWhenSolved(query) || query.isFirstTry;

/** The text that is searched for; a link where nothing but https:// is missing. */
export const asLink = (text: string) =>
  /^(?:[a-z\d-]+\.)+[a-z]{2,}(?::\d+)?\/\S+$/i.test(text) ? `https://${text}` : text;

/** Whether a text is an address of the web, which no title is. */
const isAddress = (text: string) => /^https?:\/\//i.test(text);

/** The problem whose address this text is; by its page alone where the garden may have it under another name. */
async function linkedIn(
  { store, website }: Pick<MemberVisit, 'store' | 'website'>,
  text: string,
): Promise<{ named?: Pick<AddressedProblem, 'source' | 'key'>; url?: string }> {
  const gym = gymOf(text.toUpperCase());
  if (gym && (await findProblemsByKeys(store.reader, gym.source, [gym.key])).length > 0) return { named: gym };
  // Words need not be looked at as addresses, which takes a read.
  if (!/^\S+\/\S+$/.test(text)) return {};
  const named = problemAt(asLink(text), await listJudgeAddresses(store.reader, website.judgeUrls));
  if (!named) return isAddress(text) ? { url: text } : {};
  const [known] = (await findStored(store.reader, [named])).values();
  // A problem that was merged into another leads there.
  if (known) return { named: { source: known.source, key: known.source_key } };
  if (named.by !== 'host') return { named };
  return isAddress(text) ? { url: text } : {};
}

/** The problem at a link that somebody gave alone, and its row where it is here already. Throws badSetting. */
export async function readLink(
  { store, website }: Pick<MemberVisit, 'store' | 'website'>,
  link: string,
): Promise<{ named: AddressedProblem; known: ProblemRow | undefined }> {
  const named = givenProblem(link, await listJudgeAddresses(store.reader, website.judgeUrls));
  const [known] = (await findStored(store.reader, [named])).values();
  return { named, known };
}

/**
 * The filter for the store. The address of a problem in the search field finds that problem alone, at a judge or
 * elsewhere.
 */
export async function filterOf(visit: MemberVisit, query: ProblemQuery): Promise<ProblemFilter> {
  const { named, url } = await linkedIn(visit, query.q);
  const { reader } = visit.store;
  const noteWords = query.note.split(/\s+/).filter((word) => word !== '');
  return {
    memberId: visit.member.user_id,
    source: query.source || undefined,
    named,
    url,
    contest: query.contest || undefined,
    tags: query.tags.length > 0 ? query.tags : undefined,
    withoutTags: query.withoutTags.length > 0 ? query.withoutTags : undefined,
    ratingMin: query.ratingMin,
    ratingMax: query.ratingMax,
    q: named || url ? undefined : query.q || undefined,
    status: query.status === 'tried' ? 'practicing' : query.status || undefined,
    isUnrated: query.isUnrated || undefined,
    history: historyOf(query, visit.days),
    isBookmarked: query.isBookmarked || undefined,
    isGym: query.isGym || (named || url || asksForOwn(query) ? undefined : false),
    notedJson: noteWords.length > 0 ? await findNoted(reader, visit.member.user_id, noteWords) : undefined,
    triedJson: await triedOf(visit, query),
    listId: parseInt64(query.list),
    solved: asksWhenSolved(query)
      ? {
          ...betweenDays(visit.days, dayOf(query.solvedFrom), dayOf(query.solvedTo)),
          isFirst: query.isFirstSolve,
        }
      : undefined,
  };
}

async function triedOf({ store, member, days }: MemberVisit, query: ProblemQuery): Promise<string | undefined> {
  const { distance: name, isFirstTry } = query;
  if (name === '' && !isFirstTry) return undefined;
  const distance = name === 'none' ? name : name === '' ? undefined : Number(name);
  const ids = await listByTries(store.reader, member.user_id, days, { distance, isFirstTry });
  return `[${ids.map((id) => `"${id}"`)}]`;
}

/** Whether a query asks for what the member marked, solved or has in a list, or for a contest: gyms are among these. */
function asksForOwn(query: ProblemQuery): boolean {
  const { status, isBookmarked, list, contest, statusFrom, statusTo, triesMin, triesMax, distance, isFirstTry } = query;
  const isMarked = status !== '' && status !== 'unsolved' && status !== 'not_started';
  const hasHistory = statusFrom + statusTo !== '' || triesMin !== undefined || triesMax !== undefined;
  const isTried = asksWhenSolved(query) || distance !== '' || isFirstTry;
  return isMarked || isBookmarked || list !== '' || contest !== '' || hasHistory || isTried;
}

function historyOf(query: ProblemQuery, days: Days): HistoryFilter | undefined {
  const { statusFrom, statusTo, triesMin, triesMax } = query;
  const history: HistoryFilter = {
    status: statusFrom + statusTo === '' ? undefined : betweenDays(days, dayOf(statusFrom), dayOf(statusTo)),
    triesMin,
    triesMax,
  };
  return Object.values(history).some((value) => value !== undefined) ? history : undefined;
}

const asksWhenSolved = ({ solvedFrom, solvedTo, isFirstSolve }: ProblemQuery) =>
  isFirstSolve || solvedFrom + solvedTo !== '';

/** The order for the store; problems that are equal in it come by id. */
export function queryKeys({ order }: ProblemQuery): SortKey[] {
  const name = order.replace(/^-/, '');
  const keys = problemSortFields
    .filter((field) => field.name === name)
    .map((field) => ({ field, isDescending: order.startsWith('-') }));
  const id = problemSortFields.find((field) => field.name === 'id');
  // One import gives thousands of problems the same time: in one direction they are read along the index, and not
  // sorted.
  if (id && name !== 'id') keys.push({ field: id, isDescending: order === '-updated_at' });
  return keys;
}
