/** The history of what members changed on the website: one row a change, with the state before and after as JSON. */
import { insertMany, runForMany } from './bulk.ts';
import { giveIds } from './ids.ts';
import { countRows } from './keyset.ts';
import type { ChangesTable, Db } from './tables.ts';

/** A change with its problem's title. */
export type TitledChange = ChangesTable & { title: string; source: string; source_key: string };

/** Inserts changes that were made together; answers the id of their batch, which is that of the first. */
export async function insertChanges(
  tx: Db,
  rows: readonly Omit<ChangesTable, 'id' | 'batch_id' | 'undone_at'>[],
): Promise<bigint> {
  const ids = await giveIds(tx, 'changes', rows.length);
  const [batch = 0n] = ids;
  await insertMany(
    tx,
    'changes',
    rows.map((row, place) => ({ ...row, id: ids[place] as bigint, batch_id: batch, undone_at: null })),
  );
  return batch;
}

/** All changes of a member that were made together with this one, itself included. */
export async function listBatchOf(db: Db, userId: bigint, changeId: bigint): Promise<ChangesTable[]> {
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

export async function noteUndone(tx: Db, ids: readonly bigint[], at: string): Promise<void> {
  await runForMany(tx, 'noteUndone', [at], ids, (some) =>
    tx.updateTable('changes').set({ undone_at: at }).where('id', 'in', some),
  );
}

/** A member's changes of one problem, the newest first. */
export async function listChangesOfProblem(
  db: Db,
  userId: bigint,
  problemId: bigint,
): Promise<ChangesTable[]> {
  return db
    .selectFrom('changes')
    .selectAll()
    .where('problem_id', '=', problemId)
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute();
}

/** A member's newest changes before this id, with their problems. */
export async function listChanges(
  db: Db,
  userId: bigint,
  before: bigint | undefined,
  limit: number,
): Promise<TitledChange[]> {
  let query = db
    .selectFrom('changes')
    .innerJoin('problems', 'problems.id', 'changes.problem_id')
    .selectAll('changes')
    .select(['title', 'source', 'source_key'])
    .where('user_id', '=', userId)
    .orderBy('changes.id', 'desc')
    .limit(limit);
  if (before !== undefined) query = query.where('changes.id', '<', before);
  return query.execute();
}

/** A member's changes after this id, the oldest first, with their problems. */
export async function listChangesAfter(
  db: Db,
  userId: bigint,
  after: bigint,
  limit: number,
): Promise<TitledChange[]> {
  return db
    .selectFrom('changes')
    .innerJoin('problems', 'problems.id', 'changes.problem_id')
    .selectAll('changes')
    .select(['title', 'source', 'source_key'])
    .where('user_id', '=', userId)
    .where('changes.id', '>', after)
    .orderBy('changes.id')
    .limit(limit)
    .execute();
}

export async function countChanges(db: Db, userId: bigint): Promise<bigint> {
  return countRows(db.selectFrom('changes').where('user_id', '=', userId));
}
