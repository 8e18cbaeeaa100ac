/** When the next request to a judge's host may be sent: one row a host, for all processes and commands on this database. */
import { sql } from 'kysely';
import { engineOf } from './engine.ts';
import type { Store } from './store.ts';
import type { Db } from './tables.ts';

/** Takes the next turn at a host, where requests are `intervalMs` apart. Answers how many milliseconds it is away. */
export async function takeTurn(
  store: Pick<Store, 'writeBeside'>,
  host: string,
  intervalMs: number,
): Promise<number> {
  return store.writeBeside(async (tx) => {
    const now = await clockMs(tx);
    const interval = BigInt(intervalMs);
    const { next_at } = await tx
      .insertInto('judge_gates')
      .values({ host, next_at: now + interval })
      .onConflict((conflict) =>
        conflict.column('host').doUpdateSet((eb) => ({
          next_at: eb(
            eb
              .case()
              .when('judge_gates.next_at', '>', now)
              .then(eb.ref('judge_gates.next_at'))
              .else(now)
              .end(),
            '+',
            interval,
          ),
        })),
      )
      .returning('next_at')
      .executeTakeFirstOrThrow();
    return Number(next_at - interval - now);
  });
}

/** Keeps everybody from the host for so many milliseconds, after it said that it is asked too often. */
export async function closeGate(
  store: Pick<Store, 'writeBeside'>,
  host: string,
  forMs: number,
): Promise<void> {
  await store.writeBeside(async (tx) => {
    const until = (await clockMs(tx)) + BigInt(forMs);
    await tx
      .updateTable('judge_gates')
      .set({ next_at: until })
      .where('host', '=', host)
      .where('next_at', '<', until)
      .execute();
  });
}

/** The clock of the database, because those of several servers differ. Milliseconds since 1970. */
export async function clockMs(db: Db): Promise<bigint> {
  const { rows } = await sql<{ now: bigint }>`SELECT ${engineOf(db).clockMs} AS now`.execute(db);
  return rows[0]?.now ?? 0n;
}
