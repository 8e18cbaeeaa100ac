/** The former names of handles. */
import type { HandleRenamesTable } from './proof-tables.ts';
import type { Db } from './tables.ts';

/** The former names of a handle, the newest first. */
export async function listRenames(db: Db, handleId: bigint): Promise<HandleRenamesTable[]> {
  return db
    .selectFrom('handle_renames')
    .selectAll()
    .where('handle_id', '=', handleId)
    .orderBy('renamed_at', 'desc')
    .orderBy('before')
    .execute();
}

/** Writes down that a handle has another name. A name that it has again is no former one. */
export async function noteRename(
  tx: Db,
  handleId: bigint,
  { from, to, at }: { from: string; to: string; at: string },
): Promise<void> {
  await tx.deleteFrom('handle_renames').where('handle_id', '=', handleId).where('before', '=', to).execute();
  await tx
    .insertInto('handle_renames')
    .values({ handle_id: handleId, before: from, renamed_at: at })
    .onConflict((conflict) => conflict.columns(['handle_id', 'before']).doUpdateSet({ renamed_at: at }))
    .execute();
}

/** Gives the former names of a handle to the one that it is joined to. */
export async function moveRenames(tx: Db, from: bigint, to: bigint): Promise<void> {
  await tx
    .updateTable('handle_renames')
    .set({ handle_id: to })
    .where('handle_id', '=', from)
    .where('before', 'not in', (eb) =>
      eb.selectFrom('handle_renames as theirs').select('theirs.before').where('theirs.handle_id', '=', to),
    )
    .execute();
}
