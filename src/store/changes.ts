/** The history of changes on the website: the state before and after each, as JSON. */
import { sql } from 'kysely';
import { insertMany } from './bulk.ts';
import { greatestId, reserveIds } from './ids.ts';
import { type Page, sortFieldsOf } from './listings.ts';
import { prepared } from './prepared.ts';
import { isNoProgramPart } from './program-parts.ts';
import { listKeyedRows, listRowsOn, updateRows } from './rows.ts';
import type { Db } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    changes: ChangesTable;
  }
}

export interface ChangesTable {
  id: bigint;
  user_id: bigint;
  problem_id: bigint;
  /** The id of the first of the changes that were made together, and are undone together. */
  batch_id: bigint;
  kind: 'status' | 'how' | 'bookmark' | 'note';
  before: string;
  after: string;
  made_at: string;
  undone_at: string | null;
}

export type TitledChange = ChangesTable & { title: string; source: string; source_key: string };

export type NewChange = Omit<ChangesTable, 'id' | 'batch_id' | 'undone_at'>;

export async function insertChanges(
  tx: Db,
  rows: readonly NewChange[],
  batchId?: bigint,
): Promise<bigint | undefined> {
  const ids = await reserveIds(tx, 'changes', rows.length);
  const batch_id = batchId ?? ids[0];
  if (batch_id === undefined) return undefined;
  await insertMany(
    tx,
    'changes',
    rows.map((row, index) => ({ ...row, id: ids[index] as bigint, batch_id, undone_at: null })),
  );
  return batch_id;
}

export async function listBatchOfChange(db: Db, userId: bigint, changeId: bigint): Promise<ChangesTable[]> {
  return db
    .selectFrom('changes')
    .selectAll()
    .where('user_id', '=', userId)
    .where(
      'batch_id',
      '=',
      db.selectFrom('changes').select('batch_id').where('id', '=', changeId).where('user_id', '=', userId),
    )
    .orderBy('id')
    .execute();
}

export async function setBatchUndone(
  tx: Db,
  userId: bigint,
  batch: bigint,
  at: string | null,
): Promise<void> {
  await tx
    .updateTable('changes')
    .set({ undone_at: at })
    .where('user_id', '=', userId)
    .where('batch_id', '=', batch)
    .where('undone_at', at === null ? 'is not' : 'is', null)
    .execute();
}

/** More than 0 if the change came with a problem that arrived at the inbox. */
const byInbox = sql<bigint>`(SELECT count(*) FROM arrived_problems
  WHERE arrived_problems.problem_id = changes.problem_id
    AND changes.batch_id IN (status_change, note_change))`.as('by_inbox');

/** The name of the token with which a program made the change. */
const byProgram = sql<string | null>`(SELECT tokens.name FROM program_parts
  JOIN program_changes ON program_changes.id = program_parts.change_id
  JOIN tokens ON tokens.id = program_changes.token_id
  WHERE program_parts.kind = 'marks' AND part_id = changes.batch_id LIMIT 1)`.as('by_program');

export const listChangesOfProblem = prepared(
  (db, { userId, problemId }: { userId: bigint; problemId: bigint }) =>
    db
      .selectFrom('changes')
      .selectAll()
      .select(
        sql<bigint>`(SELECT count(*) FROM changes AS batch
          WHERE batch.user_id = changes.user_id AND batch.batch_id = changes.batch_id)`.as('size'),
      )
      .select([byInbox, byProgram])
      .where('problem_id', '=', problemId)
      .where('user_id', '=', userId)
      .orderBy('id', 'desc'),
);

export type ShownChange = ChangesTable & { by_inbox?: bigint; by_program?: string | null };
export type Batch = TitledChange & ShownChange & { size: bigint };

/** With `isByHand` those are left out that belong to a write of a program. */
export async function listBatches(
  db: Db,
  userId: bigint,
  limit: number,
  before = greatestId,
  isByHand = false,
): Promise<Batch[]> {
  let sizes = db
    .selectFrom('changes')
    .select((eb) => [eb.fn.min('id').as('first'), eb.fn.countAll<bigint>().as('size')])
    .where('user_id', '=', userId)
    .where('batch_id', '<', before)
    .groupBy('batch_id')
    .orderBy('batch_id', 'desc')
    .limit(limit);
  if (isByHand) sizes = sizes.where(isNoProgramPart('marks', 'changes.batch_id'));
  return db
    .selectFrom(sizes.as('sizes'))
    .innerJoin('changes', 'changes.id', 'sizes.first')
    .innerJoin('problems', 'problems.id', 'changes.problem_id')
    .selectAll('changes')
    .select(['title', 'source', 'source_key', 'sizes.size', byInbox])
    .orderBy('changes.batch_id', 'desc')
    .execute();
}

export async function findBatch(db: Db, userId: bigint, changeId: bigint): Promise<Batch | undefined> {
  const batchId = db
    .selectFrom('changes')
    .select('batch_id')
    .where('id', '=', changeId)
    .where('user_id', '=', userId);
  const row = await db
    .selectFrom('changes')
    .select((eb) => [eb.fn.min('id').as('first'), eb.fn.countAll<bigint>().as('size')])
    .where('user_id', '=', userId)
    .where('batch_id', '=', batchId)
    .executeTakeFirst();
  if (!row?.first) return undefined;
  const change = await db
    .selectFrom('changes')
    .innerJoin('problems', 'problems.id', 'changes.problem_id')
    .selectAll('changes')
    .select(['title', 'source', 'source_key'])
    .where('changes.id', '=', row.first)
    .executeTakeFirst();
  return change && { ...change, size: row.size };
}

/** The oldest first. */
export const changeSizes = prepared((db, { userId, after }: { userId: bigint; after: bigint }) =>
  db
    .selectFrom('changes')
    .select(['id', 'batch_id', sql<bigint>`octet_length(before) + octet_length(after)`.as('bytes')])
    .where('user_id', '=', userId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(500),
);

export async function deleteChangesUntil(tx: Db, userId: bigint, batch: bigint): Promise<void> {
  await tx.deleteFrom('changes').where('user_id', '=', userId).where('batch_id', '<=', batch).execute();
  await tx.deleteFrom('program_changes').where('user_id', '=', userId).where('id', '<=', batch).execute();
}

export const listChangesOn = (db: Db, userId: bigint, problemIds: readonly bigint[]) =>
  listRowsOn(db, 'changes', userId, problemIds);

export async function insertChangesWithIds(tx: Db, rows: readonly ChangesTable[]): Promise<void> {
  await insertMany(tx, 'changes', rows);
}

export const setChangeUndone = (tx: Db, id: bigint, undone_at: string | null) =>
  updateRows(tx, 'changes', { id }, { undone_at });

export const changeOrder = sortFieldsOf('changes', {
  user_id: 'integer',
  batch_id: 'integer',
  id: 'integer',
});

const exported = ['id', 'user_id', 'batch_id', 'kind', 'before', 'after', 'made_at', 'undone_at'] as const;

export const exportChanges = (db: Db, user: bigint | undefined, page: Page) =>
  listKeyedRows(db, 'changes', exported, user, page);
