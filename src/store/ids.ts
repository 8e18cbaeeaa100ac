/** Counters for new ids. Imported ids may be any int64, up to 2^63−1, after which a sequence of the engine has no next id. */
import { sql } from 'kysely';
import { prepared } from './prepared.ts';
import type { Db } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    id_counters: { table_name: string; last_id: bigint };
  }
}

/** Only an imported id below this raises the counter, because one row with 2^63−1 would use up all ids. */
export const maxCountedId = 2n ** 53n;

export const leastId = -(2n ** 63n);
export const greatestId = 2n ** 63n - 1n;

export type IdTable =
  | 'members'
  | 'problems'
  | 'plants'
  | 'tokens'
  | 'sessions'
  | 'passkeys'
  | 'entry_links'
  | 'staff_log'
  | 'uploads'
  | 'changes'
  | 'handles'
  | 'reviews'
  | 'contests'
  | 'upcoming_contests'
  | 'lists'
  | 'groups'
  | 'group_links'
  | 'expected_people'
  | 'seasons'
  | 'season_points'
  | 'webhooks'
  | 'webhook_deliveries'
  | 'arrivals'
  | 'timers'
  | 'rounds'
  | 'solutions'
  | 'teams';

/** Files contain ids of these tables, so an id that the counter reaches may be in use. */
const importableTables: ReadonlySet<IdTable> = new Set(['members', 'problems', 'plants']);

const raiseCounter = prepared((tx, { table, count }: { table: IdTable; count: bigint }) =>
  tx
    .insertInto('id_counters')
    .values({ table_name: table, last_id: count })
    .onConflict((conflict) =>
      conflict.column('table_name').doUpdateSet({ last_id: sql`id_counters.last_id + excluded.last_id` }),
    )
    .returning('last_id'),
);

export async function reserveIds(tx: Db, table: IdTable, count: number): Promise<bigint[]> {
  const ids: bigint[] = [];
  while (ids.length < count) {
    const missing = BigInt(count - ids.length);
    const [counter] = await raiseCounter(tx, { table, count: missing });
    const { last_id = 0n } = counter ?? {};
    const first = last_id - missing + 1n;
    const used = importableTables.has(table) ? await usedIds(tx, table, first, last_id) : new Set();
    for (let id = first; id <= last_id; id++) if (!used.has(id)) ids.push(id);
  }
  return ids;
}

export async function raiseIdCounter(tx: Db, table: IdTable, ids: readonly bigint[]): Promise<void> {
  let highest = 0n;
  for (const id of ids) if (id > highest && id < maxCountedId) highest = id;
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

async function usedIds(tx: Db, table: IdTable, first: bigint, last: bigint): Promise<Set<bigint>> {
  const idsIn = (idTable: IdTable | 'deleted_plants') =>
    tx.selectFrom(idTable).select('id').where('id', '>=', first).where('id', '<=', last).execute();
  const deleted = table === 'plants' ? await idsIn('deleted_plants') : [];
  return new Set([...(await idsIn(table)), ...deleted].map((row) => row.id));
}
