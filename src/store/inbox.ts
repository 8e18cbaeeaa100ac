/** Inboxes of members, and what arrived there. The rules are in `practice/inbox.ts`. */
import { sql } from 'kysely';
import { insertMany } from './bulk.ts';
import type { ListsTable } from './lists.ts';
import { deleteRows, findRow, insertRow, listRows, updateRows, upsertRow } from './rows.ts';
import type { Db } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    inboxes: InboxesTable;
    arrivals: ArrivalsTable;
    arrived_problems: ArrivedProblemsTable;
  }
}

export interface InboxesTable {
  user_id: bigint;
  secret_digest: string;
  /** The first characters of the secret address. */
  beginning: string;
  made_at: string;
  /** The minute since 1970 of the last request; `requests` counts those in it. */
  minute: bigint;
  requests: bigint;
}

export type ArrivalChannel = 'companion' | 'json' | 'form' | 'text';

export interface ArrivalsTable {
  id: bigint;
  user_id: bigint;
  channel: ArrivalChannel;
  batch: string | null;
  list_id: bigint | null;
  makes_list: bigint;
  /** How many pieces named no problem. */
  unmatched: bigint;
  /** How many pieces were dropped because too many wait already. */
  over_limit: bigint;
  /** JSON of the problems that are added as soon as the limits of the member allow it. */
  waiting: string | null;
  unmatched_text: string | null;
  arrived_at: string;
  undone_at: string | null;
}

export interface ArrivedProblemsTable {
  arrival_id: bigint;
  position: bigint;
  problem_id: bigint | null;
  title: string;
  is_new: bigint;
  is_listed: bigint;
  status_change: bigint | null;
  note_change: bigint | null;
  minutes: bigint | null;
  /** Code that this arrival added. */
  solution_id: bigint | null;
}

export const findInboxOfMember = (db: Db, userId: bigint) => findRow(db, 'inboxes', { user_id: userId });

export function findInbox(db: Db, digest: string): Promise<InboxesTable | undefined> {
  return db
    .selectFrom('inboxes')
    .innerJoin('members', 'members.id', 'inboxes.user_id')
    .selectAll('inboxes')
    .where('secret_digest', '=', digest)
    .where('members.is_disabled', '=', 0n)
    .executeTakeFirst();
}

export const putInbox = (tx: Db, row: InboxesTable) => upsertRow(tx, 'inboxes', ['user_id'], row);

export const deleteInbox = (tx: Db, userId: bigint) => deleteRows(tx, 'inboxes', { user_id: userId });

/** Answers how many requests came in this minute; undefined if no inbox has this address. */
export async function countInboxRequest(tx: Db, digest: string, minute: bigint): Promise<bigint | undefined> {
  const row = await tx
    .updateTable('inboxes')
    .set({ minute, requests: sql<bigint>`CASE WHEN minute = ${minute} THEN requests + 1 ELSE 1 END` })
    .where('secret_digest', '=', digest)
    .returning('requests')
    .executeTakeFirst();
  return row?.requests;
}

export const insertArrival = (tx: Db, row: Omit<ArrivalsTable, 'id'>) => insertRow(tx, 'arrivals', row);

export const updateArrival = (tx: Db, id: bigint, values: Partial<Omit<ArrivalsTable, 'id' | 'user_id'>>) =>
  updateRows(tx, 'arrivals', { id }, values);

export async function insertArrivedProblems(tx: Db, rows: readonly ArrivedProblemsTable[]): Promise<void> {
  await insertMany(tx, 'arrived_problems', rows);
}

export async function findArrivalOfBatch(db: Db, user_id: bigint, batch: string) {
  const all = await listRows(db, 'arrivals', { user_id, batch }, 'id');
  return all.findLast(({ undone_at }) => undone_at === null);
}

export const findArrival = (db: Db, userId: bigint, id: bigint) =>
  findRow(db, 'arrivals', { id, user_id: userId });

export type ArrivalWithList = ArrivalsTable & { list: string | null };

export function listArrivals(db: Db, userId: bigint): Promise<ArrivalWithList[]> {
  return db
    .selectFrom('arrivals')
    .leftJoin('lists', 'lists.id', 'arrivals.list_id')
    .selectAll('arrivals')
    .select('lists.name as list')
    .where('user_id', '=', userId)
    .orderBy('arrivals.id', 'desc')
    .execute();
}

export async function listArrivedProblems(db: Db, arrivals: readonly bigint[]) {
  if (arrivals.length === 0) return [];
  return db
    .selectFrom('arrived_problems')
    .leftJoin('problems', 'problems.id', 'arrived_problems.problem_id')
    .selectAll('arrived_problems')
    .select(['problems.source', 'problems.source_key', 'problems.title as own_title'])
    .where('arrival_id', 'in', arrivals)
    .orderBy('arrival_id')
    .orderBy('position')
    .execute();
}

export async function deleteOldArrivals(tx: Db, userId: bigint, maxArrivals: number): Promise<void> {
  const newest = tx
    .selectFrom('arrivals')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(maxArrivals);
  const old = tx.deleteFrom('arrivals').where('user_id', '=', userId).where('id', 'not in', newest);
  await old.where('waiting', 'is', null).execute();
}

export const listWaitingArrivals = (db: Db, userId: bigint): Promise<ArrivalsTable[]> =>
  db
    .selectFrom('arrivals')
    .selectAll()
    .where('user_id', '=', userId)
    .where('waiting', 'is not', null)
    .orderBy('id')
    .execute();

export async function listMembersWithWaiting(db: Db): Promise<bigint[]> {
  const rows = await db
    .selectFrom('arrivals')
    .innerJoin('members', 'members.id', 'arrivals.user_id')
    .select('user_id')
    .distinct()
    .where('waiting', 'is not', null)
    .where('is_disabled', '=', 0n)
    .orderBy('user_id')
    .execute();
  return rows.map((row) => row.user_id);
}

export async function findOwnListNamed(db: Db, ownerId: bigint, name: string) {
  const row = await db
    .selectFrom('lists')
    .select('id')
    .select((eb) =>
      eb
        .selectFrom('list_items')
        .whereRef('list_items.list_id', '=', 'lists.id')
        .select((inner) => inner.fn.countAll<bigint>().as('n'))
        .as('problems'),
    )
    .where('owner_id', '=', ownerId)
    .where('name', '=', name)
    .orderBy('updated_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && { id: row.id, problems: Number(row.problems) };
}

export const isListSeenByOthers = async (db: Db, { id, visibility }: ListsTable): Promise<boolean> =>
  visibility !== 'private' || (await findRow(db, 'group_lists', { list_id: id })) !== undefined;

export async function usesProblem(db: Db, user_id: bigint, problem_id: bigint): Promise<boolean> {
  for (const table of ['statuses', 'bookmarks', 'reviews', 'timers', 'solutions'] as const)
    if (await findRow(db, table as 'statuses', { user_id, problem_id })) return true;
  const listItems = db
    .selectFrom('list_items')
    .innerJoin('lists', 'lists.id', 'list_items.list_id')
    .select('problem_id')
    .where('problem_id', '=', problem_id)
    .where('owner_id', '=', user_id);
  return (await listItems.limit(1).executeTakeFirst()) !== undefined;
}
