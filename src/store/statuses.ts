/** Statuses: the member's word on a problem and the judge's word, side by side. The member's word shows if there is one. */
import { sql } from 'kysely';
import type { SortField } from './keyset.ts';
import { type PairFilter, pairFunctions, pairSortFields } from './pairs.ts';
import type { State, StatusesTable } from './tables.ts';

/** The fields of a status that the contract shows. */
export type StatusRow = {
  id: bigint;
  user: bigint;
  problem: bigint;
  status: State;
  origin: 'self' | 'judge' | null;
  updated_at: string | null;
};

interface StatusFilter extends PairFilter {
  status?: State | undefined;
  updatedSince?: string | undefined;
}

export const shownStatus = sql<State>`coalesce(statuses.self_status, statuses.judge_status)`;
const shownOrigin = sql<
  'self' | 'judge'
>`case when statuses.self_status is null then 'judge' else 'self' end`;
const shownAt = sql<string>`coalesce(statuses.self_at, statuses.judge_at)`;

export const statusSortFields: readonly SortField[] = [
  ...pairSortFields('statuses'),
  { name: 'status', kind: 'text', isNullable: false, expression: shownStatus },
  { name: 'origin', kind: 'text', isNullable: false, expression: shownOrigin },
  { name: 'updated_at', kind: 'text', isNullable: false, expression: shownAt },
];

export const {
  list: listStatuses,
  listKeyed: listKeyedStatuses,
  listKeys: listStatusKeys,
  count: countStatuses,
  axes: statusAxes,
  find: findStatus,
  /** Finds both words, where `findStatus` finds the one that shows. */
  findMany: findStatusPairs,
  listOfProblem: listStatusPairsOfProblem,
  insert: insertStatuses,
  update: updateStatus,
} = pairFunctions<StatusesTable, StatusRow, StatusFilter>({
  table: 'statuses',
  columns: ['self_status', 'self_at', 'judge_status', 'judge_at'],
  filtered: (query, { status, updatedSince }) => {
    const narrowed = status === undefined ? query : query.where(shownStatus, '=', status);
    return updatedSince === undefined ? narrowed : narrowed.where(shownAt, '>=', updatedSince);
  },
  shown: (query) =>
    query.select([
      'problem_id as id',
      'user_id as user',
      'problem_id as problem',
      shownStatus.as('status'),
      shownOrigin.as('origin'),
      shownAt.as('updated_at'),
    ]),
});
