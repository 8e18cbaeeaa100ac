/** Giving out ids. Imported rows bring ids from anywhere in int64, up to the very last one, so no engine's sequence will do. */
import { sql } from 'kysely';
import type { Db } from './tables.ts';

/** Beyond this an imported id no longer lifts the counter: a single row with 2^63−1 must not use all ids up. */
export const countedBelow = 2n ** 53n;

export type NumberedTable = 'members' | 'problems' | 'plants' | 'tokens';

/** Reserves `count` ids that no row of the table has or had, ascending. */
export async function giveIds(tx: Db, table: NumberedTable, count: number): Promise<bigint[]> {
  const ids: bigint[] = [];
  while (ids.length < count) {
    const wanted = BigInt(count - ids.length);
    const { last_id } = await tx
      .insertInto('id_counters')
      .values({ table_name: table, last_id: wanted })
      .onConflict((conflict) =>
        conflict.column('table_name').doUpdateSet({ last_id: sql`id_counters.last_id + ${wanted}` }),
      )
      .returning('last_id')
      .executeTakeFirstOrThrow();
    const first = last_id - wanted + 1n;
    const taken = await takenIds(tx, table, first, last_id);
    for (let id = first; id <= last_id; id++) if (!taken.has(id)) ids.push(id);
  }
  return ids;
}

/** Tells the counter that rows with these ids now exist. */
export async function noteIds(tx: Db, table: NumberedTable, ids: readonly bigint[]): Promise<void> {
  let highest = 0n;
  for (const id of ids) if (id > highest && id < countedBelow) highest = id;
  if (highest === 0n) return;
  await tx
    .insertInto('id_counters')
    .values({ table_name: table, last_id: highest })
    .onConflict((conflict) =>
      conflict
        .column('table_name')
        .doUpdateSet({ last_id: highest })
        .where('id_counters.last_id', '<', highest),
    )
    .execute();
}

async function takenIds(tx: Db, table: NumberedTable, first: bigint, last: bigint): Promise<Set<bigint>> {
  const inTable = await tx
    .selectFrom(table)
    .select('id')
    .where('id', '>=', first)
    .where('id', '<=', last)
    .execute();
  const deleted =
    table === 'plants'
      ? await tx
          .selectFrom('deleted_plants')
          .select('id')
          .where('id', '>=', first)
          .where('id', '<=', last)
          .execute()
      : [];
  return new Set([...inTable, ...deleted].map((row) => row.id));
}
