/** Collections of problems: their filters, their orders, and the indexes along which windows are cut. */
import { type SqlBool, sql } from 'kysely';
import { runCompiled } from './bulk.ts';
import {
  asJson,
  collectionOf,
  type JsonColumn,
  type JsonRows,
  sortFieldsOf,
  type Window,
  within,
} from './keyset.ts';
import { contains } from './members.ts';
import { pairsOf } from './pairs.ts';
import { problemColumns } from './problems.ts';
import { shownStatus } from './statuses.ts';
import { type Db, problemKinds, type State } from './tables.ts';
import { type Axis, along } from './windows.ts';

export interface ProblemFilter {
  source?: string | undefined;
  tags?: readonly string[] | undefined;
  ratingMin?: number | undefined;
  ratingMax?: number | undefined;
  q?: string | undefined;
  updatedSince?: string | undefined;
  /** The member whose status and bookmarks the next two filters use. */
  memberId: bigint;
  status?: State | undefined;
  isBookmarked?: boolean | undefined;
}

export const problemSortFields = sortFieldsOf('problems', problemKinds);

export const {
  list: listProblems,
  listKeys: listProblemKeys,
  count: countProblems,
} = collectionOf(filtered, (query) => query.select(problemColumns));

/**
 * The problems after this id, or the first ones, as JSON objects with these columns. Having the engine write the JSON takes
 * half the time of fetching the rows and writing them here.
 */
export async function listProblemsAsJson(
  db: Db,
  columns: readonly JsonColumn[],
  { after, limit }: { after: bigint | undefined; limit: number },
): Promise<JsonRows> {
  const name = `listProblemsAsJson ${after === undefined ? 'first' : 'after'} ${columns.map((column) => column.name)}`;
  const [rows] = await runCompiled(db, name, after === undefined ? [limit] : [after, limit], () => {
    const problems = db.selectFrom('problems').orderBy('id').limit(limit);
    return asJson(db, after === undefined ? problems : problems.where('id', '>', after), columns);
  });
  if (!rows) throw new Error('an aggregate without a row');
  return rows;
}

const ownColumns = { id: 'problems.id', updated_at: 'problems.updated_at' };

/**
 * The indexes along which the problems of a filter are read. If a tag, a status or the bookmarks of the member name the
 * problems, windows are cut along that list, because it may be much shorter than the catalogue.
 */
export function problemAxes(filter: ProblemFilter): readonly [Axis, ...Axis[]] {
  const { tags = [], status, isBookmarked, memberId, updatedSince, ...columns } = filter;
  const lists = [];
  const [tag] = tags;
  if (tag !== undefined) lists.push(along((db) => tagged(db, tag), { id: 'problem_tags.problem_id' }));
  if (status !== undefined) {
    lists.push(along((db) => pairsOf(db, 'statuses', memberId), { id: 'statuses.problem_id' }));
  }
  if (isBookmarked !== undefined) {
    lists.push(along((db) => pairsOf(db, 'bookmarks', memberId), { id: 'bookmarks.problem_id' }));
  }
  if (!isListed(filter)) lists.push(along((db) => db.selectFrom('problems'), ownColumns));
  const isWhole =
    lists.length === 1 &&
    updatedSince === undefined &&
    Object.values(columns).every((one) => one === undefined);
  const byId: Axis = { names: ['id'], isDescending: false, isWhole: isWhole && !isListed(filter), lists };
  if (tag !== undefined || status !== undefined || isBookmarked !== undefined) return [byId];
  const updated = (db: Db) => {
    const all = db.selectFrom('problems');
    return updatedSince === undefined ? all : all.where('updated_at', '>=', updatedSince);
  };
  return [
    byId,
    { names: ['updated_at', 'id'], isDescending: false, isWhole: false, lists: [along(updated, ownColumns)] },
  ];
}

/** Whether a tag, a status or the bookmarks list every problem of the filter. */
function isListed({ tags = [], status, isBookmarked }: ProblemFilter): boolean {
  return tags.length > 0 || isBookmarked === true || (status !== undefined && status !== 'not_started');
}

function tagged(db: Db, tag: string) {
  return db.selectFrom('problem_tags').where('tag', '=', tag);
}

/**
 * The problems of a filter within a window. Every subquery has the window's bounds as well, because an engine may read a
 * whole subquery before the first problem.
 */
function filtered(db: Db, filter: ProblemFilter, window: Window | undefined) {
  let query = db.selectFrom('problems');
  // A list that leads to the problems has the bounds itself; with bounds here an engine might scan the catalogue instead.
  if (!isListed(filter) || (window && !('bounds' in window))) query = within(query, window, ownColumns);
  if (filter.source !== undefined) query = query.where('source', '=', filter.source);
  if (filter.ratingMin !== undefined) query = query.where('rating', '>=', BigInt(filter.ratingMin));
  if (filter.ratingMax !== undefined) query = query.where('rating', '<=', BigInt(filter.ratingMax));
  if (filter.updatedSince !== undefined) query = query.where('updated_at', '>=', filter.updatedSince);
  if (filter.q !== undefined) query = query.where(contains('problems.search_text', filter.q));
  const [tag, ...more] = new Set(filter.tags);
  if (tag !== undefined) {
    query = query.where('problems.id', 'in', () => {
      const named = within(tagged(db, tag), window, { id: 'problem_tags.problem_id' }).select('problem_id');
      return more.length === 0 ? named : named.where(hasAll(more));
    });
  }
  const { status, isBookmarked, memberId } = filter;
  if (isBookmarked !== undefined) {
    query = query.where('problems.id', isBookmarked ? 'in' : 'not in', () =>
      within(pairsOf(db, 'bookmarks', memberId), window, { id: 'bookmarks.problem_id' }).select('problem_id'),
    );
  }
  if (status !== undefined) {
    query = query.where((eb) => {
      const mine = within(pairsOf(db, 'statuses', memberId), window, { id: 'statuses.problem_id' }).select(
        'problem_id',
      );
      const having = eb('problems.id', 'in', mine.where(shownStatus, '=', status));
      // A problem without a status row is not started.
      return status === 'not_started' ? eb.or([having, eb('problems.id', 'not in', mine)]) : having;
    });
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
