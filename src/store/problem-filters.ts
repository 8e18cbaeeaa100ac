/** Collections of problems: their filters and their orders. */
import { type SqlBool, sql } from 'kysely';
import { type Between, firstSolvedIn, solvedIn } from './activity.ts';
import { contains } from './case-folding.ts';
import { problemsOfContests } from './contests.ts';
import { engineOf } from './engine.ts';
import { type Query, sortFieldsOf } from './keyset.ts';
import { isUnfiltered, type Listing, listingOf } from './listings.ts';
import { isVisibleTo } from './lists.ts';
import { completedBy, type HistoryFilter, statesOf, withHistory } from './own-history.ts';
import { pairsOf } from './pairs.ts';
import { type ProblemRow, problemColumns, problemKinds } from './problems.ts';
import type { State } from './statuses.ts';
import { shownStatus } from './statuses.ts';
import type { Db } from './tables.ts';

export interface ProblemFilter {
  source?: string | undefined;
  tags?: readonly string[] | undefined;
  ratingMin?: number | undefined;
  ratingMax?: number | undefined;
  q?: string | undefined;
  /** The one problem that has this key or alias at its judge. */
  named?: { source: string; key: string } | undefined;
  /** Problems with this address, whether or not a slash ends it. */
  url?: string | undefined;
  updatedSince?: string | undefined;
  /** Problems of contests by the judge's own id, or by words of their titles. */
  contest?: string | undefined;
  /** The member whose status and bookmarks the next two filters use. */
  memberId: bigint;
  /** A status, all that are not solved, or what was solved or tried. */
  status?: State | 'unsolved' | 'attempted' | undefined;
  /** The days and the number of tries of problems that the member solved or tried. */
  history?: HistoryFilter | undefined;
  isUnrated?: boolean | undefined;
  withoutTags?: readonly string[] | undefined;
  isBookmarked?: boolean | undefined;
  /** Ids of problems as a JSON list. */
  idsJson?: string | undefined;
  /** Problems of a list that the member may see. */
  listId?: bigint | undefined;
  /** When the member solved it, or solved it first. */
  solved?: (Between & { isFirst: boolean }) | undefined;
}

/** A condition that is true for every problem; with it SQLite can use the index problems_by_filters. */
export const byFilters = sql<SqlBool>`problems.is_sample >= 0`;

export const problemSortFields = sortFieldsOf('problems', problemKinds);

export function problemListing(filter: ProblemFilter): Listing<ProblemRow> {
  const { memberId: _, ...filters } = filter;
  return listingOf({
    isWhole: isUnfiltered(filters),
    matching: (db) => problemsMatching(db, filter),
    shown: (query) => query.select(problemColumns),
  });
}

export function problemsMatching(db: Db, filter: ProblemFilter): Query<'problems'> {
  const { memberId, status, history, isBookmarked } = filter;
  let query: Query<'problems'> = db.selectFrom('problems');
  if (filter.source !== undefined) query = query.where('source', '=', filter.source);
  if (filter.ratingMin !== undefined) query = query.where('rating', '>=', BigInt(filter.ratingMin));
  if (filter.ratingMax !== undefined) query = query.where('rating', '<=', BigInt(filter.ratingMax));
  if (filter.isUnrated) query = query.where('rating', 'is', null);
  if (filter.updatedSince !== undefined) query = query.where('updated_at', '>=', filter.updatedSince);
  if (filter.q !== undefined) query = query.where(contains(db, 'problems.search_text', filter.q));
  if (filter.named !== undefined) {
    const { source, key } = filter.named;
    const named = db.selectFrom('problem_keys').select('problem_id').where('key', '=', key);
    query = query.where('problems.id', 'in', named.where('source', '=', source));
  }
  if (filter.url !== undefined) {
    const bare = filter.url.replace(/\/$/, '');
    query = query.where('url', 'in', [bare, `${bare}/`]);
  }
  if (filter.idsJson !== undefined) {
    const ids = engineOf(db).elementsOf(sql.val(filter.idsJson));
    query = query.where(sql<SqlBool>`problems.id IN (SELECT cast(element.value AS bigint) FROM ${ids})`);
  }
  if (filter.listId !== undefined) {
    const listed = db.selectFrom('list_items').innerJoin('lists', 'lists.id', 'list_items.list_id');
    const visible = listed.where('list_id', '=', filter.listId).where(isVisibleTo(memberId));
    query = query.where('problems.id', 'in', visible.select('problem_id'));
  }
  if (filter.contest !== undefined) {
    const { source, contest: text } = filter;
    query = query.where('problems.id', 'in', problemsOfContests(db, { source, text }));
  }
  const [tag, ...more] = new Set(filter.tags);
  if (tag !== undefined) {
    const named = db.selectFrom('problem_tags').select('problem_id').where('tag', '=', tag);
    query = query.where('problems.id', 'in', more.length === 0 ? named : named.where(hasAll(more)));
  }
  if (filter.withoutTags?.length) {
    const named = db.selectFrom('problem_tags').select('problem_id').where('tag', 'in', filter.withoutTags);
    query = query.where('problems.id', 'not in', named);
  }
  if (isBookmarked !== undefined) {
    const own = pairsOf(db, 'bookmarks', memberId).select('problem_id');
    query = query.where('problems.id', isBookmarked ? 'in' : 'not in', own);
  }
  if (filter.solved !== undefined) {
    const { isFirst, ...between } = filter.solved;
    const own = isFirst
      ? firstSolvedIn(db, memberId, between).select('first_solves.problem_id')
      : db.selectFrom(solvedIn(db, memberId, between).as('solved')).select('solved.problem_id');
    query = query.where('problems.id', 'in', own);
  }
  if (status !== undefined || history !== undefined) {
    const own = withHistory(db, pairsOf(db, 'statuses', memberId), memberId, history).select('problem_id');
    // A problem without a status row is not started, and so not solved.
    const isWhere = (words: readonly State[]) => own.where(shownStatus, 'in', words);
    if (history !== undefined)
      query = query.where('problems.id', 'in', status === undefined ? own : isWhere(statesOf(status)));
    else if (status === 'not_started')
      query = query.where('problems.id', 'not in', own.where(shownStatus, '!=', status));
    else if (status === 'unsolved')
      query = query.where('problems.id', 'not in', completedBy(db, memberId).select('problem_id'));
    else if (status !== undefined) query = query.where('problems.id', 'in', isWhere(statesOf(status)));
  }
  return query;
}

/** The condition that the problem of a `problem_tags` row has all these tags; the look-up stops at the first missing tag. */
function hasAll(tags: readonly string[]) {
  const wanted = sql.join(tags.map((tag) => sql`(${tag})`));
  return sql<SqlBool>`NOT EXISTS (
    SELECT 1 FROM (VALUES ${wanted}) AS wanted
    WHERE NOT EXISTS (
      SELECT 1 FROM problem_tags AS other
      WHERE other.tag = wanted.column1 AND other.problem_id = problem_tags.problem_id))`;
}
