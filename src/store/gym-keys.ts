/** Keys of coaches to private gyms, sealed: one for each group and coach, which goes with its session and with the coach. */
import type { Db } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    gym_keys: GymKeysTable;
  }
}

export interface GymKeysTable {
  group_id: bigint;
  user_id: bigint;
  /** The session that can open it. */
  session_id: bigint;
  sealed: string;
  made_at: string;
}

type Owner = Pick<GymKeysTable, 'group_id' | 'user_id'>;

export async function findGymKey(db: Db, { group_id, user_id }: Owner): Promise<GymKeysTable | undefined> {
  return db
    .selectFrom('gym_keys')
    .selectAll()
    .where('group_id', '=', group_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst();
}

export async function putGymKey(tx: Db, row: GymKeysTable): Promise<void> {
  const { session_id, sealed, made_at } = row;
  await tx
    .insertInto('gym_keys')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['group_id', 'user_id']).doUpdateSet({ session_id, sealed, made_at }),
    )
    .execute();
}

export async function deleteGymKey(tx: Db, { group_id, user_id }: Owner): Promise<void> {
  await tx.deleteFrom('gym_keys').where('group_id', '=', group_id).where('user_id', '=', user_id).execute();
}
