/** Collections of problems: their filters and orders, and the numbered pages of the website. */
import { type SqlBool, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import {
  completedBy,
  firstSolvesIn,
  type HistoryFilter,
  matchesStatus,
  solvedWithin,
  stateOrder,
  statesOf,
  type TimeRange,
  withHistory,
} from './activity.ts';
import { isStarred } from './bookmarks.ts';
import { contains, fold, hasExactText } from './case-folding.ts';
import { problemsOfContests } from './contests.ts';
import { engineOf } from './engine.ts';
import {
  countRows,
  isUnfiltered,
  type Listing,
  makeListing,
  type Page,
  paged,
  type Query,
  type SortKey,
  sortField,
  sortFieldsOf,
} from './listings.ts';
import { isVisibleTo } from './lists.ts';
import { rowsOfMember } from './member-problems.ts';
import { prepared } from './prepared.ts';
import {
  isOfGym,
  type ProblemRow,
  problemColumnKinds,
  problemColumns,
  readCatalogue,
  withoutGyms,
} from './problems.ts';
import { type State, type StatusesTable, shownStatus } from './statuses.ts';
import type { Store } from './store.ts';
import type { Db } from './tables.ts';

export interface ProblemFilter {
  source?: string | undefined;
  tags?: readonly string[] | undefined;
  ratingMin?: number | undefined;
  ratingMax?: number | undefined;
  q?: string | undefined;
  /** The one problem that has this key or alias at its judge. */
  byKey?: { source: string; key: string } | undefined;
  url?: string | undefined;
  updatedSince?: string | undefined;
  contest?: string | undefined;
  /** The filters are about this member's statuses, bookmarks, solves and lists. */
  memberId: bigint;
  status?: State | 'unsolved' | 'attempted' | undefined;
  history?: HistoryFilter | undefined;
  isUnrated?: boolean | undefined;
  /** False for the general list, true for problems of gyms alone. */
  isGym?: boolean | undefined;
  withoutTags?: readonly string[] | undefined;
  isBookmarked?: boolean | undefined;
  /** Ids as a JSON list; the others have problems with matching notes, labels and tries. */
  idsJson?: string | undefined;
  idsByNoteJson?: string | undefined;
  idsByLabelJson?: string | undefined;
  idsByTriesJson?: string | undefined;
  listId?: bigint | undefined;
  /** Problems solved in this time; only first solves if `isFirst`. */
  solved?: (TimeRange & { isFirst: boolean }) | undefined;
}

export const problemSortFields = sortFieldsOf('problems', problemColumnKinds);

export function problemListing(filter: ProblemFilter): Listing<ProblemRow> {
  const { memberId: _, ...filters } = filter;
  return makeListing({
    isWhole: isUnfiltered(filters),
    filteredRows: (db) => problemsMatching(db, filter),
    selectColumns: (query) => query.select(problemColumns),
  });
}

function problemsMatching(
  db: Db,
  filter: ProblemFilter,
  index: keyof typeof withoutGyms = 'noIndex',
): Query<'problems'> {
  const { memberId, status, history, isBookmarked, isGym } = filter;
  let query: Query<'problems'> = db.selectFrom('problems');
  if (isGym !== undefined) query = query.where(isGym ? isOfGym : withoutGyms[index]);
  if (filter.source !== undefined) query = query.where('source', '=', filter.source);
  if (filter.ratingMin !== undefined) query = query.where('rating', '>=', BigInt(filter.ratingMin));
  if (filter.ratingMax !== undefined) query = query.where('rating', '<=', BigInt(filter.ratingMax));
  if (filter.isUnrated) query = query.where('rating', 'is', null);
  if (filter.updatedSince !== undefined) query = query.where('updated_at', '>=', filter.updatedSince);
  if (filter.q !== undefined) query = query.where(contains(db, 'problems.search_text', filter.q));
  if (filter.byKey !== undefined) {
    const { source, key } = filter.byKey;
    const matches = db.selectFrom('problem_keys').select('problem_id').where('key', '=', key);
    query = query.where('problems.id', 'in', matches.where('source', '=', source));
  }
  if (filter.url !== undefined) {
    const urlWithoutSlash = filter.url.replace(/\/$/, '');
    query = query.where('url', 'in', [urlWithoutSlash, `${urlWithoutSlash}/`]);
  }
  for (const json of [filter.idsJson, filter.idsByNoteJson, filter.idsByLabelJson, filter.idsByTriesJson]) {
    if (json === undefined) continue;
    const ids = engineOf(db).elementsOf(sql.val(json));
    query = query.where(sql<SqlBool>`problems.id IN (SELECT cast(element.value AS bigint) FROM ${ids})`);
  }
  if (filter.listId !== undefined) {
    const items = db.selectFrom('list_items').innerJoin('lists', 'lists.id', 'list_items.list_id');
    const visible = items.where('list_id', '=', filter.listId).where(isVisibleTo(memberId));
    query = query.where('problems.id', 'in', visible.select('problem_id'));
  }
  if (filter.contest !== undefined) {
    const { source, contest: text } = filter;
    query = query.where('problems.id', 'in', problemsOfContests(db, { source, text }));
  }
  const [tag, ...more] = new Set(filter.tags);
  if (tag !== undefined) {
    const withTag = db.selectFrom('problem_tags').select('problem_id').where('tag', '=', tag);
    query = query.where('problems.id', 'in', more.length === 0 ? withTag : withTag.where(hasAll(more)));
  }
  if (filter.withoutTags?.length) {
    const excluded = db
      .selectFrom('problem_tags')
      .select('problem_id')
      .where('tag', 'in', filter.withoutTags);
    query = query.where('problems.id', 'not in', excluded);
  }
  if (isBookmarked !== undefined) {
    const memberRows = rowsOfMember(db, 'bookmarks', memberId).where(isStarred).select('problem_id');
    query = query.where('problems.id', isBookmarked ? 'in' : 'not in', memberRows);
  }
  if (filter.solved !== undefined) {
    const { isFirst, ...range } = filter.solved;
    const memberRows = isFirst
      ? firstSolvesIn(db, memberId, range).select('first_solves.problem_id')
      : db.selectFrom(solvedWithin(db, memberId, range).as('solved')).select('solved.problem_id');
    query = query.where('problems.id', 'in', memberRows);
  }
  if (status !== undefined || history !== undefined) {
    const memberRows = withHistory(db, rowsOfMember(db, 'statuses', memberId), memberId, history).select(
      'problem_id',
    );
    const withStates = (states: readonly State[]) => memberRows.where(shownStatus, 'in', states);
    if (history !== undefined)
      query = query.where(
        'problems.id',
        'in',
        status === undefined ? memberRows : withStates(statesOf(status)),
      );
    else if (status === 'not_started')
      query = query.where('problems.id', 'not in', memberRows.where(shownStatus, '!=', status));
    else if (status === 'unsolved')
      query = query.where('problems.id', 'not in', completedBy(db, memberId).select('problem_id'));
    else if (status !== undefined) query = query.where('problems.id', 'in', withStates(statesOf(status)));
  }
  return query;
}

/** For each row of `problem_tags`, the look-up stops at the first tag that its problem has not. */
function hasAll(tags: readonly string[]) {
  const required = sql.join(tags.map((tag) => sql`(${tag})`));
  return sql<SqlBool>`NOT EXISTS (
    SELECT 1 FROM (VALUES ${required}) AS required
    WHERE NOT EXISTS (
      SELECT 1 FROM problem_tags AS other
      WHERE other.tag = required.column1 AND other.problem_id = problem_tags.problem_id))`;
}

/* Searches among all problems, for which no index helps. Results are cached until a problem changes. */

type Search = Pick<ProblemFilter, 'q' | 'source' | 'url' | 'isGym'>;

interface SearchResult {
  /** Read before the rows, which may be newer but never older. */
  revision: bigint;
  /** Null if there are too many problems, undefined before they were read. */
  idsJson?: string | null;
  count?: bigint;
}

const maxCachedIds = 500;
const maxCachedSearches = 200;
const caches = new WeakMap<Store, LRUCache<string, SearchResult>>();

/** Replaces a search by the ids of its results if these are few. */
export async function narrowSearch(store: Store, filter: ProblemFilter): Promise<ProblemFilter> {
  const { q, url, source, ...others } = filter;
  if (q === undefined && url === undefined) return filter;
  const search = { q, url, source, isGym: others.isGym };
  const result = await searchResult(store, search);
  if (result.idsJson === undefined) result.idsJson = await findFewIds(store, search);
  return result.idsJson === null ? filter : { ...others, source, idsJson: result.idsJson };
}

export async function countMatches(store: Store, search: Search): Promise<bigint> {
  const result = await searchResult(store, search);
  if (result.count === undefined) {
    const counts = (await splitByGym(store.reader, search)).map((part) => countRows(matching(store, part)));
    result.count = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0n);
  }
  return result.count;
}

/** The general list and gyms have their own indexes. */
async function splitByGym<F extends { isGym?: boolean | undefined }>(db: Db, filter: F): Promise<F[]> {
  if (filter.isGym !== undefined) return [filter];
  const hasGyms = (await readCatalogue(db)).gyms.size > 0;
  return (hasGyms ? [false, true] : [false]).map((isGym) => ({ ...filter, isGym }));
}

async function searchResult(store: Store, { q, url, source, isGym }: Search): Promise<SearchResult> {
  const [revision = 0n] = await store.revisions(['problems']);
  const searches = caches.get(store) ?? new LRUCache({ max: maxCachedSearches });
  caches.set(store, searches);
  const key = JSON.stringify([q === undefined ? null : fold(q), url, source, isGym]);
  const cached = searches.get(key);
  if (cached?.revision === revision) return cached;
  const result: SearchResult = { revision };
  searches.set(key, result);
  return result;
}

function matching(store: Store, search: Search) {
  return problemsMatching(
    store.reader,
    { ...search, memberId: 0n },
    search.q === undefined ? 'noIndex' : 'filterIndex',
  );
}

async function findFewIds(store: Store, search: Search): Promise<string | null> {
  const parts = (await splitByGym(store.reader, search)).map((part) => {
    const candidates = matching(store, part)
      .select('problems.id')
      .limit(maxCachedIds + 1);
    // One row with all ids takes half of the time of a row for each.
    const ids = sql<string | null>`string_agg(cast(id AS text), ',')`.as('ids');
    return store.reader
      .selectFrom(candidates.as('candidates'))
      .select([sql<bigint>`count(*)`.as('count'), ids])
      .executeTakeFirstOrThrow();
  });
  const results = await Promise.all(parts);
  if (results.some(({ count }) => count > maxCachedIds)) return null;
  return `[${results.flatMap(({ ids }) => ids ?? []).join(',')}]`;
}

interface StatusCount {
  self_status: StatusesTable['self_status'];
  shown: State;
  count: bigint;
}

export type ProblemCounter = ReturnType<typeof problemCounter>;

/** Counts problems with a status by the member's own rows, which are few; all other problems of a catalogue have none. */
export function problemCounter(store: Store, memberId: bigint) {
  const { reader: db } = store;
  let solvedAndTriedCounts: Promise<ReadonlyMap<State, bigint>> | undefined;

  async function countState(state: State): Promise<bigint> {
    solvedAndTriedCounts ??= countSolvedAndTried(db, memberId);
    return (
      (await solvedAndTriedCounts).get(state) ?? (await countOneState(db, { memberId, state }))[0]?.n ?? 0n
    );
  }

  async function countMarked(otherFilters: ProblemFilter, shown: readonly State[]): Promise<bigint> {
    if (!filtersOnly(otherFilters, 'isGym'))
      return countRows(markedProblems(db, otherFilters).where(shownStatus, 'in', shown));
    const counts = await Promise.all(shown.map(countState));
    const all = counts.reduce((sum, count) => sum + count, 0n);
    if (otherFilters.isGym === undefined) return all;
    const ofGyms = (await hasGyms()) ? await countMarkedInGyms(shown) : 0n;
    return otherFilters.isGym ? ofGyms : all - ofGyms;
  }

  const hasGyms = async () => (await readCatalogue(db)).gyms.size > 0;

  function countMarkedInGyms(shown: readonly State[]): Promise<bigint> {
    const memberRows = db
      .selectFrom('statuses')
      .where('user_id', '=', memberId)
      .where(({ exists, selectFrom }) =>
        exists(selectFrom('problems').select('id').whereRef('id', '=', 'statuses.problem_id').where(isOfGym)),
      );
    return countRows(memberRows.where(shownStatus, 'in', shown));
  }

  return {
    countFound: async ({ status, ...otherFilters }: ProblemFilter): Promise<number> => {
      if (status === undefined) return Number(await countWithoutStatus(store, otherFilters));
      const states = statesOf(status);
      if (!states.includes('not_started')) return Number(await countMarked(otherFilters, states));
      const otherStates = stateOrder.filter((state) => !states.includes(state));
      return Number(
        (await countWithoutStatus(store, otherFilters)) - (await countMarked(otherFilters, otherStates)),
      );
    },
    /** By the status that the member set: null if only a judge gave one, `not_started` if there is none. */
    countBySelfStatus: async ({
      status,
      ...otherFilters
    }: ProblemFilter): Promise<Map<State | null, number>> => {
      const isEveryProblem =
        filtersOnly(otherFilters) ||
        (otherFilters.isGym === false && filtersOnly(otherFilters, 'isGym') && !(await hasGyms()));
      const all = isEveryProblem
        ? await countMarks(db.selectFrom('statuses').where('user_id', '=', memberId))
        : await countMarks(markedProblems(db, otherFilters));
      const marks = all.filter(({ shown }) => status === undefined || matchesStatus(shown, status));
      const needsMark = status !== undefined && !matchesStatus('not_started', status);
      const unmarked = needsMark ? 0n : (await countWithoutStatus(store, otherFilters)) - sumOf(all);
      const counts = new Map<State | null, number>([['not_started', Number(unmarked)]]);
      for (const { self_status, count } of marks)
        counts.set(self_status, (counts.get(self_status) ?? 0) + Number(count));
      return counts;
    },
  };
}

const solvedAndTried = prepared((db, { memberId }: { memberId: bigint }) =>
  db
    .selectFrom('statuses')
    .select([countInState('complete').as('solved'), countInState('practicing').as('tried')])
    .where('user_id', '=', memberId),
);

async function countSolvedAndTried(db: Db, memberId: bigint): Promise<ReadonlyMap<State, bigint>> {
  const [row] = await solvedAndTried(db, { memberId });
  if (!row) throw new Error('an aggregate without a row');
  return new Map<State, bigint>([
    ['complete', row.solved],
    ['practicing', row.tried],
  ]);
}

const countInState = (state: State) => sql<bigint>`count(CASE WHEN ${shownStatus} = ${state} THEN 1 END)`;

const countOneState = prepared((db, { memberId, state }: { memberId: bigint; state: State }) =>
  db
    .selectFrom('statuses')
    .where('user_id', '=', memberId)
    .where(shownStatus, '=', state)
    .select(sql<bigint>`count(*)`.as('n')),
);

const sumOf = (marks: readonly StatusCount[]) => marks.reduce((sum, { count }) => sum + count, 0n);

const markedProblems = (db: Db, filter: ProblemFilter) =>
  problemsMatching(db, filter)
    .innerJoin('statuses', 'statuses.problem_id', 'problems.id')
    .where('statuses.user_id', '=', filter.memberId);

function countMarks<Table extends 'statuses' | 'problems'>(
  marked: Query<Table | 'statuses'>,
): Promise<StatusCount[]> {
  return (marked as Query<'statuses'>)
    .select(['self_status', shownStatus.as('shown'), sql<bigint>`count(*)`.as('count')])
    .groupBy(['self_status', shownStatus])
    .execute();
}

async function countWithoutStatus(store: Store, filter: ProblemFilter): Promise<bigint> {
  const { reader: db } = store;
  const { q, source, tags = [], withoutTags = [], isBookmarked, memberId, isGym } = filter;
  if (isBookmarked === true && filtersOnly(filter, 'isBookmarked'))
    return countRows(rowsOfMember(db, 'bookmarks', memberId).where(isStarred));
  if (isGym === undefined) {
    const counts = (await splitByGym(db, filter)).map((part) => countWithoutStatus(store, part));
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0n);
  }
  if (q !== undefined && filtersOnly(filter, 'q', 'source', 'isGym'))
    return countMatches(store, { q, source, isGym });
  if (isGym) return countRows(problemsMatching(db, filter));
  if (filtersOnly(filter, 'source', 'tags', 'withoutTags', 'isGym')) {
    if (source === undefined && tags.length === 0)
      return (await readCatalogue(db)).total - (await countTagged(db, withoutTags));
    if (source === undefined && withoutTags.length === 0 && tags.length === 1) return countTagged(db, tags);
    if (source !== undefined && tags.length + withoutTags.length === 0)
      return (await readCatalogue(db)).bySource.get(source) ?? 0n;
  }
  if (q !== undefined || (source !== undefined && filter.idsJson === undefined))
    return countRows(problemsMatching(db, filter, 'filterIndex'));
  const hasRatingRange = filter.ratingMin !== undefined || filter.ratingMax !== undefined;
  return countRows(problemsMatching(db, filter, hasRatingRange ? 'orderIndex' : 'noIndex'));
}

async function countTagged(db: Db, tags: readonly string[]): Promise<bigint> {
  const [tag, ...more] = tags;
  if (tag === undefined) return 0n;
  if (more.length === 0) return (await readCatalogue(db)).byTag.get(tag) ?? 0n;
  const { n } = await db
    .selectFrom('problem_tags')
    .select(sql<bigint>`count(distinct problem_id)`.as('n'))
    .where('tag', 'in', tags)
    .where('problem_id', 'not in', db.selectFrom('problems').select('id').where(isOfGym))
    .executeTakeFirstOrThrow();
  return n;
}

function filtersOnly(filter: ProblemFilter, ...names: (keyof ProblemFilter)[]): boolean {
  return Object.entries(filter).every(
    ([name, value]) => value === undefined || name === 'memberId' || names.some((one) => one === name),
  );
}

export interface PagePosition {
  offset: number;
  limit: number;
  total: number;
}

/** Problems whose whole title, key or alias is this text come first. */
export function exactFirst(db: Db, text: string): SortKey {
  const rank = sql`CASE WHEN ${hasExactText(db, 'problems.search_text', text)} THEN 0 ELSE 1 END`;
  return { field: sortField('exact', 'integer', rank), isDescending: false };
}

export async function listProblemPage(
  db: Db,
  filter: ProblemFilter,
  keys: readonly SortKey[],
  { offset, limit, total }: PagePosition,
): Promise<ProblemRow[]> {
  const count = Math.min(limit, total - offset);
  if (count <= 0) return [];
  // Rows before a page are counted off one by one, so the second half is read from the end.
  const isFromEnd = offset > total / 2 && keys.every(({ field }) => !field.isNullable);
  const isOrdered = keys[0]?.field.name !== 'id' && filter.idsJson === undefined;
  // If there are no gyms, all problems are the general list, which has indexes.
  const isGym = filter.isGym ?? ((await readCatalogue(db)).gyms.size > 0 ? undefined : false);
  let query = problemsMatching(db, { ...filter, isGym }, isOrdered ? 'orderIndex' : 'noIndex').select(
    problemColumns,
  );
  for (const { field, isDescending } of keys) {
    const order = sql`${field.expression} ${sql.raw(isDescending === isFromEnd ? 'asc' : 'desc')}`;
    query = query.orderBy(field.isNullable ? sql`${order} nulls last` : order);
  }
  const rows = await query
    .limit(count)
    .offset(isFromEnd ? total - offset - count : offset)
    .execute();
  return isFromEnd ? rows.reverse() : rows;
}

export async function listProblemIds(db: Db, filter: ProblemFilter): Promise<bigint[]> {
  const rows = await problemsMatching(db, filter).select('problems.id').orderBy('problems.id').execute();
  return rows.map(({ id }) => id);
}

export const shufflePrime = 1_000_003n;

export interface RatingRange {
  source: string;
  from: number;
  to: number;
  tag: string | undefined;
}

export async function listInRatingRange(
  db: Db,
  { source, from, to, tag }: RatingRange,
  limit: number,
): Promise<bigint[]> {
  let query = inRatingRange(db, { source, from: BigInt(from), to: BigInt(to) });
  if (tag !== undefined) {
    const withTag = db.selectFrom('problem_tags').select('problem_id').where('tag', '=', tag);
    query = query.where('problems.id', 'in', withTag);
  }
  return (await query.select('problems.id').limit(limit).execute()).map(({ id }) => id);
}

type RatingBand = { source: string; from: bigint; to: bigint };

const inRatingRange = (db: Db, { source, from, to }: RatingBand) =>
  db
    .selectFrom('problems')
    .where(withoutGyms.filterIndex)
    .where('source', '=', source)
    .where('rating', '>=', from)
    .where('rating', '<=', to);

/** Problems that none of these members marked or submitted to. */
export async function listUntriedInRange(
  db: Db,
  { source, from, to }: Omit<RatingRange, 'tag'>,
  userIds: readonly bigint[],
  limit: number,
): Promise<bigint[]> {
  const rows = await inRatingRange(db, { source, from: BigInt(from), to: BigInt(to) })
    .select('problems.id')
    .where(sql<SqlBool>`NOT EXISTS (
      SELECT 1 FROM statuses WHERE statuses.problem_id = problems.id AND user_id IN (${sql.join(userIds)}))`)
    .where(sql<SqlBool>`NOT EXISTS (
      SELECT 1 FROM solves INNER JOIN handles ON handles.id = handle_id
      WHERE solves.problem_id = problems.id AND user_id IN (${sql.join(userIds)}))`)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export const placesInRange = 2 ** 32;

/** The problem at a place from 0 to below `placesInRange`, without a row for each of the others. */
export const listAtPlaceInRange = prepared((db, { place, ...band }: RatingBand & { place: bigint }) => {
  const count = inRatingRange(db, band).select((eb) => eb.fn.countAll<bigint>().as('count'));
  return inRatingRange(db, band)
    .select('problems.id')
    .orderBy('rating')
    .orderBy('problems.id')
    .limit(1)
    .offset(sql<bigint>`(${count}) * ${place} / ${sql.lit(placesInRange)}`);
});

export const referencedProblemOrder = sortFieldsOf('problems', { source: 'text', source_key: 'text' });

export async function listReferencedProblems(db: Db, user: bigint = 0n, page: Page) {
  const problemsIn = (table: 'statuses' | 'bookmarks' | 'changes' | 'reviews' | 'timers' | 'solutions') =>
    db.selectFrom(table).select('problem_id').where('user_id', '=', user);
  const inLists = db
    .selectFrom('list_items')
    .innerJoin('lists', 'lists.id', 'list_items.list_id')
    .select('problem_id')
    .where('owner_id', '=', user);
  const added = db.selectFrom('added_problems').select('problem_id').where('member_id', '=', user);
  const all = [
    problemsIn('bookmarks'),
    problemsIn('changes'),
    problemsIn('reviews'),
    problemsIn('timers'),
    problemsIn('solutions'),
    inLists,
    added,
  ];
  const query = db
    .selectFrom('problems')
    .innerJoin('members', (join) => join.on('members.id', '=', user))
    .select(['username', 'source', 'source_key', 'title', 'url'])
    .where(
      'problems.id',
      'in',
      all.reduce((some, more) => some.union(more), problemsIn('statuses')),
    );
  return paged(query, page).execute();
}
