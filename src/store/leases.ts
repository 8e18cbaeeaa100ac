/** Leases that one process holds at a time, and gates that space the requests to each host. */
import { sql } from 'kysely';
import { dayMs, hourMs } from '../durations.ts';
import { engineOf } from './engine.ts';
import { deleteRows, findRow } from './rows.ts';
import type { Store } from './store.ts';
import type { Db } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    /** `ends_at` is in milliseconds since 1970. */
    leases: { name: string; holder: string; ends_at: bigint };
    /** `next_at` is in milliseconds since 1970. */
    request_slots: { host: string; next_at: bigint };
  }
}

/** A lease or gate that seems longer was set while the clock was ahead, and counts no more. */
const maxLeaseMs = BigInt(hourMs);

/** No pause between two syncs, two reads of a list or two tries of a message is longer. */
const maxPauseMs = 8 * dayMs;

/** `moment` is in milliseconds since 1970; one that is later than any pause was set while the clock was ahead. */
export const isDueAt = (moment: bigint, now: number): boolean =>
  moment <= BigInt(now) || moment > BigInt(now + maxPauseMs);

export const isDueBefore = (column: string, now: number) =>
  sql<boolean>`(${sql.ref(column)} <= ${BigInt(now)} OR ${sql.ref(column)} > ${BigInt(now + maxPauseMs)})`;

export async function holdLease(tx: Db, name: string, holder: string, forMs: number): Promise<boolean> {
  const now = await clockMs(tx);
  const ends_at = now + BigInt(forMs);
  const lease = await tx
    .insertInto('leases')
    .values({ name, holder, ends_at })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder, ends_at })
        .where((eb) =>
          eb.or([
            eb('leases.holder', '=', holder),
            eb('leases.ends_at', '<=', now),
            eb('leases.ends_at', '>', now + maxLeaseMs),
          ]),
        ),
    )
    .returning('holder')
    .executeTakeFirst();
  return lease !== undefined;
}

export async function findHolder(db: Db, name: string): Promise<string | undefined> {
  const row = await findRow(db, 'leases', { name });
  const remainingMs = row ? row.ends_at - (await clockMs(db)) : 0n;
  return remainingMs > 0n && remainingMs <= maxLeaseMs ? row?.holder : undefined;
}

export const endLease = (tx: Db, name: string, holder: string) => deleteRows(tx, 'leases', { name, holder });

/**
 * Answers the milliseconds to wait; 0 for sending at once. Nobody gets a slot in advance: a process that is delayed or killed
 * before its slot would send too late, or leave a gap.
 */
export async function takeSlot(
  store: Pick<Store, 'writeConcurrently'>,
  host: string,
  intervalMs: number,
): Promise<number> {
  return store.writeConcurrently(async (tx) => {
    const now = await clockMs(tx);
    const next_at = now + BigInt(intervalMs);
    const slot = await tx
      .insertInto('request_slots')
      .values({ host, next_at })
      .onConflict((conflict) =>
        conflict
          .column('host')
          .doUpdateSet({ next_at })
          .where((eb) =>
            eb.or([
              eb('request_slots.next_at', '<=', now),
              eb('request_slots.next_at', '>', now + maxLeaseMs),
            ]),
          ),
      )
      .returning('next_at')
      .executeTakeFirst();
    if (slot) return 0;
    const gate = await tx
      .selectFrom('request_slots')
      .select('next_at')
      .where('host', '=', host)
      .executeTakeFirstOrThrow();
    return Math.max(1, Number(gate.next_at - now));
  });
}

export async function pauseHost(
  store: Pick<Store, 'writeConcurrently'>,
  host: string,
  forMs: number,
): Promise<void> {
  await store.writeConcurrently(async (tx) => {
    const until = (await clockMs(tx)) + BigInt(forMs);
    await tx
      .updateTable('request_slots')
      .set({ next_at: until })
      .where('host', '=', host)
      .where('next_at', '<', until)
      .execute();
  });
}

/** The clock of the database, because those of several servers differ. */
async function clockMs(db: Db): Promise<bigint> {
  const { rows } = await sql<{ now: bigint }>`SELECT ${engineOf(db).clockMs} AS now`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the database told no time');
  return row.now;
}
