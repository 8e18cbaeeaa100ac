/** The results of past contests beside rounds, which go with the round. */

import type { RoundRule, RoundsTable } from './rounds.ts';
import { deleteRows, findRow, updateRows, upsertRow } from './rows.ts';
import type { Db } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    real_fields: RealFieldsTable;
  }
}

export interface RealFieldsTable {
  round_id: bigint;
  /** When its judge is asked for it, at the earliest (milliseconds since 1970); null if it is not asked. */
  due_at: bigint | null;
  failures: bigint;
  /** The name of the contest; null for a file. */
  title: string | null;
  /** JSON without names; null before it is here. */
  field: string | null;
}

/** In a lockout others change what a solve is worth, and training has other hours. */
export const rulesWithField: readonly RoundRule[] = ['icpc', 'points'];

export const findRealField = (db: Db, round_id: bigint) => findRow(db, 'real_fields', { round_id });

export const deleteRealField = (tx: Db, round_id: bigint) => deleteRows(tx, 'real_fields', { round_id });

export const putRealField = (tx: Db, row: RealFieldsTable) => upsertRow(tx, 'real_fields', ['round_id'], row);

/** Does nothing once it is no longer shown. */
export const updateRealField = (
  tx: Db,
  round_id: bigint,
  values: Partial<Omit<RealFieldsTable, 'round_id'>>,
) => updateRows(tx, 'real_fields', { round_id }, values);

/** Of rounds that are over. */
export const listDueRealFields = (db: Db, now: number) =>
  db
    .selectFrom('real_fields')
    .innerJoin('rounds', 'rounds.id', 'round_id')
    .select(['round_id', 'failures'])
    .where('field', 'is', null)
    .where('rule', 'in', rulesWithField)
    .where('due_at', '<=', BigInt(now))
    .where('ends_at', '<=', new Date(now).toISOString())
    .orderBy('round_id')
    .execute();

/** The last round of the group before this one that had all of its problems. */
export async function findEarlierRound(
  db: Db,
  { group_id, starts_at }: Pick<RoundsTable, 'group_id' | 'starts_at'>,
  problemIds: readonly bigint[],
): Promise<bigint | undefined> {
  const row = await db
    .selectFrom('rounds')
    .innerJoin('round_problems', 'round_id', 'rounds.id')
    .select('rounds.id')
    .where('group_id', '=', group_id)
    .where('ends_at', '<', starts_at)
    .where('rule', 'in', rulesWithField)
    .where('problem_id', 'in', problemIds)
    .groupBy(['rounds.id', 'ends_at'])
    .having((eb) => eb.fn.countAll<bigint>(), '=', BigInt(problemIds.length))
    .orderBy('ends_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}
