/** Numbered pages of problems, as the website shows them; the interface's collections walk by cursors instead. */
import { type SqlBool, sql } from 'kysely';
import { countRows, type Query, type SortKey } from './keyset.ts';
import { isStatus } from './own-history.ts';
import { countAll, countOf } from './problem-counts.ts';
import { type ProblemFilter, problemsMatching } from './problem-lists.ts';
import { type ProblemRow, problemColumns } from './problems.ts';
import { shownStatus } from './statuses.ts';
import type { Db, State, StatusesTable } from './tables.ts';

/** Both are always so. With the first a statement can use the index for filters, with the second those for orders. */
const byFilters = sql<SqlBool>`problems.is_sample >= 0`;
const byOrders = sql<SqlBool>`problems.is_sample > -1`;

/** Fewer rows than this are rather found by ids. */
const rareAtMost = 1000;

/** How many of a member's problems have these two statuses: their own word, and the one that shows. */
interface Mark {
  self_status: StatusesTable['self_status'];
  shown: State;
  count: bigint;
}

export type ProblemCounter = ReturnType<typeof problemCounter>;

/** Counts what filters of one member find, for one page: all marks of the member are counted once for all of its numbers. */
export function problemCounter(db: Db, memberId: bigint) {
  let own: Promise<Mark[]> | undefined;
  const ownMarks = () => {
    own ??= countMarks(db.selectFrom('statuses').where('user_id', '=', memberId));
    return own;
  };

  /**
   * Problems with a mark are counted along the member's own ones, which are few beside a catalogue. Those of a status that a
   * problem has also without a mark are all the others.
   */
  async function count(filter: ProblemFilter): Promise<{ total: bigint; marks: Mark[] }> {
    const { status, ...others } = filter;
    const all = isPlain(others) ? await ownMarks() : await countMarks(markedOf(db, others));
    const isWanted = ({ shown }: Mark) => status === undefined || isStatus(shown, status);
    const marks = all.filter(isWanted);
    if (status !== undefined && status !== 'unsolved' && status !== 'not_started')
      return { total: sumOf(marks), marks };
    return { total: (await countWhole(db, others)) - (sumOf(all) - sumOf(marks)), marks };
  }

  return {
    found: async (filter: ProblemFilter): Promise<number> =>
      Number(filter.status === undefined ? await countWhole(db, filter) : (await count(filter)).total),
    /** Of how many of the problems that match the member says what; null where they say nothing. */
    ownWords: async (filter: ProblemFilter): Promise<Map<State | null, number>> => {
      const { total, marks } = await count(filter);
      const words = new Map<State | null, number>([[null, Number(total - sumOf(marks))]]);
      for (const { self_status, count } of marks)
        words.set(self_status, (words.get(self_status) ?? 0) + Number(count));
      return words;
    },
  };
}

const sumOf = (marks: readonly Mark[]) => marks.reduce((sum, { count }) => sum + count, 0n);

const markedOf = (db: Db, filter: ProblemFilter) =>
  problemsMatching(db, filter)
    .innerJoin('statuses', 'statuses.problem_id', 'problems.id')
    .where('statuses.user_id', '=', filter.memberId);

function countMarks<Table extends 'statuses' | 'problems'>(
  marked: Query<Table | 'statuses'>,
): Promise<Mark[]> {
  return (marked as Query<'statuses'>)
    .select(['self_status', shownStatus.as('shown'), sql<bigint>`count(*)`.as('count')])
    .groupBy(['self_status', shownStatus])
    .execute();
}

/** How many problems a filter finds that asks for no status. */
async function countWhole(db: Db, filter: ProblemFilter): Promise<bigint> {
  const { source, tags = [], withoutTags = [], ...others } = filter;
  if (isPlain(others)) {
    if (source === undefined && tags.length === 0)
      return (await countAll(db)) - (await countTagged(db, withoutTags));
    if (source === undefined && withoutTags.length === 0 && tags.length === 1) return countTagged(db, tags);
    if (source !== undefined && tags.length + withoutTags.length === 0) return countOf(db, 'source', source);
  }
  const matching = problemsMatching(db, filter);
  if (filter.q !== undefined || source !== undefined) return countRows(matching.where(byFilters));
  const isBand = filter.ratingMin !== undefined || filter.ratingMax !== undefined;
  return countRows(isBand ? matching.where(byOrders) : matching);
}

/** How many problems have at least one of these tags. */
async function countTagged(db: Db, tags: readonly string[]): Promise<bigint> {
  const [tag, ...more] = tags;
  if (tag === undefined) return 0n;
  if (more.length === 0) return countOf(db, 'tag', tag);
  const { n } = await db
    .selectFrom('problem_tags')
    .select(sql<bigint>`count(distinct problem_id)`.as('n'))
    .where('tag', 'in', tags)
    .executeTakeFirstOrThrow();
  return n;
}

/** Whether a filter names a member and nothing else. */
function isPlain({ memberId: _, ...filters }: ProblemFilter): boolean {
  return Object.values(filters).every((value) => value === undefined);
}

export interface Place {
  offset: number;
  limit: number;
  /** How many problems the filter finds. */
  total: number;
}

/** The problems at these places of the whole list, in this order. */
export async function listProblemPage(
  db: Db,
  filter: ProblemFilter,
  keys: readonly SortKey[],
  { offset, limit, total }: Place,
): Promise<ProblemRow[]> {
  const count = Math.min(limit, total - offset);
  if (count <= 0) return [];
  // Rows before a page are counted off one by one, so a page of the second half is read from the end.
  const isFromEnd = offset > total / 2 && keys.every(({ field }) => !field.isNullable);
  // A search that finds little would read all rows to fill a page.
  const isRare = filter.q !== undefined && total < rareAtMost;
  let query = (isRare ? searched(db, filter) : problemsMatching(db, filter)).select(problemColumns);
  if (keys[0]?.field.name !== 'id') query = query.where(byOrders);
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

/** Finds the ids along the index that has the texts, and then the rows. */
function searched(db: Db, filter: ProblemFilter): Query<'problems'> {
  const ids = problemsMatching(db, filter).where(byFilters).select('problems.id');
  return db.selectFrom('problems').where('problems.id', 'in', ids);
}

/** The ids of all problems that match, in their order. */
export async function listProblemIds(db: Db, filter: ProblemFilter): Promise<bigint[]> {
  const rows = await problemsMatching(db, filter).select('problems.id').orderBy('problems.id').execute();
  return rows.map(({ id }) => id);
}
