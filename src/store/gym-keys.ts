/** Encrypted keys to private gyms, which are deleted with the session and with the coach. */
import { deleteRows, findRow, upsertRow } from './rows.ts';
import type { Db } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    gym_keys: GymKeysTable;
  }
}

export interface GymKeysTable {
  group_id: bigint;
  user_id: bigint;
  /** Only this session can decrypt it. */
  session_id: bigint;
  /** Encrypted JSON. */
  sealed: string;
  made_at: string;
}

type Owner = Pick<GymKeysTable, 'group_id' | 'user_id'>;

export const findGymKey = (db: Db, { group_id, user_id }: Owner) =>
  findRow(db, 'gym_keys', { group_id, user_id });

export const putGymKey = (tx: Db, row: GymKeysTable) =>
  upsertRow(tx, 'gym_keys', ['group_id', 'user_id'], row);

export const deleteGymKey = (tx: Db, { group_id, user_id }: Owner) =>
  deleteRows(tx, 'gym_keys', { group_id, user_id });
