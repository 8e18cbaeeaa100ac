/** Statuses: the member's own mark on a problem and the judge status, side by side. */
import { sql } from 'kysely';
import { sortField } from './listings.ts';
import {
  memberProblemListings,
  memberProblemRepository,
  type RowFilter,
  type ShownRow,
} from './member-problems.ts';
import type { Db } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    statuses: StatusesTable;
  }
}

/** The member's own mark shows if there is one. `complete` without a time was solved on a day that nobody knows. */
export interface StatusesTable {
  user_id: bigint;
  problem_id: bigint;
  self_status: State | null;
  self_at: string | null;
  judge_status: State | null;
  judge_at: string | null;
  /** A judge status that did not come from submissions, while one that did replaces it; nulls if there is none. */
  earlier_status: State | null;
  earlier_at: string | null;
  /** The site whose list of solved problems, which has no days, names the problem; null if none does. */
  solved_list_source: string | null;
  how: How | null;
}

/** How a member solved a problem. */
export type How = 'alone' | 'hint' | 'editorial';

export type State = 'not_started' | 'reading' | 'practicing' | 'complete' | 'skipped' | 'ignored';

export type StatusRow = ShownRow & {
  status: State;
  origin: 'self' | 'judge' | null;
  updated_at: string | null;
};

interface StatusFilter extends RowFilter {
  status?: State | undefined;
}

export function shownStateOf(row: Pick<StatusesTable, 'self_status' | 'judge_status'> | undefined): State {
  return row?.self_status ?? row?.judge_status ?? 'not_started';
}

export const shownStatus = sql<State>`coalesce(statuses.self_status, statuses.judge_status)`;
const shownOrigin = sql<
  'self' | 'judge'
>`case when statuses.self_status is null then 'judge' else 'self' end`;
const shownAt = sql<
  string | null
>`case when statuses.self_status is null then statuses.judge_at else statuses.self_at end`;

export const {
  sortFields: statusSortFields,
  naturalOrder: naturalStatusOrder,
  listing: statusListing,
  exportRows: exportStatuses,
  item: statusItem,
  allAsJson: statusesAsJson,
} = memberProblemListings<'statuses', StatusRow, StatusFilter>('statuses', {
  fields: [
    sortField('status', 'text', shownStatus),
    sortField('origin', 'text', shownOrigin),
    sortField('updated_at', 'text?', shownAt),
  ],
  applyFilter: (query, { status, updatedSince }) => {
    const filtered = status === undefined ? query : query.where(shownStatus, '=', status);
    return updatedSince === undefined ? filtered : filtered.where(shownAt, '>=', updatedSince);
  },
  exportedFields: [
    sortField('how', 'text?', sql.ref('statuses.how')),
    sortField('judge_status', 'text?', hiddenJudgeColumn('judge_status')),
    sortField('judge_at', 'text?', hiddenJudgeColumn('judge_at')),
    sortField('earlier_status', 'text?', sql.ref('statuses.earlier_status')),
    sortField('earlier_at', 'text?', sql.ref('statuses.earlier_at')),
    sortField('solved_list_source', 'text?', sql.ref('statuses.solved_list_source')),
  ],
});

export const statusRepository = memberProblemRepository(
  'statuses',
  ({ self_status, judge_status }) => self_status === null && judge_status === null,
);
export const { findMany: findStatuses } = statusRepository;

export const listFromSolvedList = (db: Db, userId: bigint, source: string): Promise<StatusesTable[]> =>
  db
    .selectFrom('statuses')
    .selectAll()
    .where('user_id', '=', userId)
    .where('solved_list_source', '=', source)
    .execute();

/** The judge status, where the member's own mark hides it. */
function hiddenJudgeColumn(column: 'judge_status' | 'judge_at') {
  return sql<
    string | null
  >`case when statuses.self_status is not null then ${sql.ref(`statuses.${column}`)} end`;
}
