/** Which handles are proved, and what members were asked to send for it. */
import type { HandlesTable } from './judged-tables.ts';
import type { HandleProofsTable, ProofTasksTable } from './proof-tables.ts';
import type { Db } from './tables.ts';

export async function findProof(db: Db, handleId: bigint): Promise<HandleProofsTable | undefined> {
  return db.selectFrom('handle_proofs').selectAll().where('handle_id', '=', handleId).executeTakeFirst();
}

/** Keeps a proof. A later one without the judge's id of the person leaves the id of an earlier one. */
export async function saveProof(tx: Db, proof: HandleProofsTable): Promise<void> {
  const { way, proved_at, subject } = proof;
  const next = { way, proved_at, ...(subject !== null && { subject }) };
  await tx
    .insertInto('handle_proofs')
    .values(proof)
    .onConflict((conflict) => conflict.column('handle_id').doUpdateSet(next))
    .execute();
}

/** Gives the proof of a handle to another one of the same member, which keeps its own if it has any. */
export async function moveProof(tx: Db, from: bigint, to: bigint): Promise<void> {
  if (await findProof(tx, to)) return;
  await tx.updateTable('handle_proofs').set({ handle_id: to }).where('handle_id', '=', from).execute();
}

/** The handle that the member proved as this person of the judge. */
export async function findHandleOfSubject(
  db: Db,
  userId: bigint,
  source: string,
  subject: string,
): Promise<HandlesTable | undefined> {
  return db
    .selectFrom('handles')
    .innerJoin('handle_proofs', 'handle_proofs.handle_id', 'handles.id')
    .selectAll('handles')
    .where('user_id', '=', userId)
    .where('source', '=', source)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

/** The handles of a member with their proofs, and whether another member proved the same one: for staff alone. */
export async function listProvedHandles(db: Db, userId: bigint) {
  return db
    .selectFrom('handles')
    .leftJoin('handle_proofs', 'handle_proofs.handle_id', 'handles.id')
    .select(['handles.id', 'source', 'name', 'name_key', 'way', 'proved_at'])
    .where('user_id', '=', userId)
    .orderBy('source')
    .orderBy('handles.id')
    .execute();
}

/** The other members who proved this handle, and when: for staff alone. */
export async function listOtherProvers(
  db: Db,
  userId: bigint,
  { source, name_key }: Pick<HandlesTable, 'source' | 'name_key'>,
): Promise<{ username: string; proved_at: string }[]> {
  return db
    .selectFrom('handles')
    .innerJoin('handle_proofs', 'handle_proofs.handle_id', 'handles.id')
    .innerJoin('members', 'members.id', 'handles.user_id')
    .select(['username', 'proved_at'])
    .where('source', '=', source)
    .where('name_key', '=', name_key)
    .where('user_id', '!=', userId)
    .orderBy('proved_at', 'desc')
    .execute();
}

/** What the member was last asked to send to this judge. */
export async function findProofTask(
  db: Db,
  userId: bigint,
  source: string,
): Promise<ProofTasksTable | undefined> {
  return db
    .selectFrom('proof_tasks')
    .selectAll()
    .where('user_id', '=', userId)
    .where('source', '=', source)
    .executeTakeFirst();
}

export async function saveProofTask(tx: Db, row: ProofTasksTable): Promise<void> {
  const { user_id: _, source: __, ...state } = row;
  await tx
    .insertInto('proof_tasks')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user_id', 'source']).doUpdateSet(state))
    .execute();
}
