/** Statuses: what a member said of a problem beside what a judge said; the member's own word shows. */
import { sql } from 'kysely';
import { insertMany, lookUpMany, runCompiled } from './bulk.ts';
import { countRows, listKeysOf, type Page, paged, type SortField, type Window, within } from './keyset.ts';
import { type NaturalKeys, naturalKeys } from './natural-keys.ts';
import type { Db, State, StatusesTable } from './tables.ts';
import { type Axis, along } from './windows.ts';

/** What the contract shows of a status. */
export type StatusRow = {
  id: bigint;
  user: bigint;
  problem: bigint;
  status: State;
  origin: 'self' | 'judge' | null;
  updated_at: string | null;
};

export interface StatusFilter {
  /** Undefined: every member's. */
  user: bigint | undefined;
  status?: State | undefined;
  updatedSince?: string | undefined;
}

export const shownStatus = sql<State>`coalesce(statuses.self_status, statuses.judge_status)`;
const shownOrigin = sql<
  'self' | 'judge'
>`case when statuses.self_status is null then 'judge' else 'self' end`;
const shownAt = sql<string>`coalesce(statuses.self_at, statuses.judge_at)`;

export const statusSortFields: readonly SortField[] = [
  { name: 'id', kind: 'integer', isNullable: false, expression: sql.ref('statuses.problem_id') },
  { name: 'user', kind: 'integer', isNullable: false, expression: sql.ref('statuses.user_id') },
  { name: 'problem', kind: 'integer', isNullable: false, expression: sql.ref('statuses.problem_id') },
  { name: 'status', kind: 'text', isNullable: false, expression: shownStatus },
  { name: 'origin', kind: 'text', isNullable: false, expression: shownOrigin },
  { name: 'updated_at', kind: 'text', isNullable: false, expression: shownAt },
];

export async function listStatuses(db: Db, filter: StatusFilter, page: Page): Promise<StatusRow[]> {
  return paged(shown(filtered(db, filter, page.window)), page).execute();
}

/** Statuses of one member, or with undefined of everyone, with the names of members and the keys of problems. */
export async function listKeyedStatuses(
  db: Db,
  user: bigint | undefined,
  page: Page,
): Promise<(StatusRow & NaturalKeys)[]> {
  const rows = shown(statusesOf(db, user)).select((eb) =>
    naturalKeys(eb.ref('statuses.user_id'), eb.ref('statuses.problem_id')),
  );
  return paged(rows, page).execute();
}

export async function listStatusKeys(db: Db, filter: StatusFilter, page: Page) {
  return listKeysOf(filtered(db, filter, page.window), page);
}

export async function countStatuses(
  db: Db,
  filter: StatusFilter,
  window: Window | undefined,
): Promise<bigint> {
  return countRows(filtered(db, filter, window));
}

const indexed = { id: 'statuses.problem_id', user: 'statuses.user_id' };

/** The index that leads to statuses: one member's by their problems, everyone's by problems and members. */
export function statusAxes({ user, ...columns }: StatusFilter): readonly [Axis] {
  const lists = [along((db) => statusesOf(db, user), indexed)];
  const isWhole = Object.values(columns).every((one) => one === undefined);
  return [{ names: user === undefined ? ['id', 'user'] : ['id'], isDescending: false, isWhole, lists }];
}

function statusesOf(db: Db, user: bigint | undefined) {
  const statuses = db.selectFrom('statuses');
  return user === undefined ? statuses : statuses.where('user_id', '=', user);
}

export async function findStatus(db: Db, userId: bigint, problemId: bigint): Promise<StatusRow | undefined> {
  const [row] = await runCompiled<StatusRow>(db, 'findStatus', [userId, problemId], () =>
    shown(db.selectFrom('statuses').where('user_id', '=', userId).where('problem_id', '=', problemId)),
  );
  return row;
}

function filtered(db: Db, { user, status, updatedSince }: StatusFilter, window: Window | undefined) {
  let query = within(statusesOf(db, user), window, indexed);
  if (status !== undefined) query = query.where(shownStatus, '=', status);
  if (updatedSince !== undefined) query = query.where(shownAt, '>=', updatedSince);
  return query;
}

function shown(query: ReturnType<typeof filtered>) {
  return query.select([
    'problem_id as id',
    'user_id as user',
    'problem_id as problem',
    shownStatus.as('status'),
    shownOrigin.as('origin'),
    shownAt.as('updated_at'),
  ]);
}

/** Both words on these problems by one member; problems without a status are absent. */
export async function findStatusPairs(
  db: Db,
  userId: bigint,
  problemIds: readonly bigint[],
): Promise<StatusesTable[]> {
  return lookUpMany(problemIds, (some) =>
    runCompiled<StatusesTable>(db, 'findStatusPairs', [userId, ...some], () =>
      db.selectFrom('statuses').selectAll().where('user_id', '=', userId).where('problem_id', 'in', some),
    ),
  );
}

export async function listStatusPairsOfProblem(db: Db, problemId: bigint): Promise<StatusesTable[]> {
  return db.selectFrom('statuses').selectAll().where('problem_id', '=', problemId).execute();
}

export async function insertStatuses(tx: Db, rows: readonly StatusesTable[]): Promise<void> {
  await insertMany(tx, 'statuses', rows.map(inColumnOrder));
}

export async function updateStatus(tx: Db, row: StatusesTable): Promise<void> {
  const { user_id, problem_id, ...words } = inColumnOrder(row);
  await runCompiled(tx, 'updateStatus', [...Object.values(words), user_id, problem_id], () =>
    tx.updateTable('statuses').set(words).where('user_id', '=', user_id).where('problem_id', '=', problem_id),
  );
}

function inColumnOrder(row: StatusesTable): StatusesTable {
  const { user_id, problem_id, self_status, self_at, judge_status, judge_at } = row;
  return { user_id, problem_id, self_status, self_at, judge_status, judge_at };
}
