/** Leases: of all processes on a database, at most one holds the lease of a name at a time. */
import { clockMs } from './judge-gates.ts';
import type { Store } from './store.ts';
import type { Db } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    /** Which process does a work that only one may do, and until when, in milliseconds since 1970. */
    leases: { name: string; holder: string; ends_at: bigint };
  }
}

/** Takes the lease, or holds it longer; false if another process has it. `forMs` from now on. */
export async function holdLease(
  store: Pick<Store, 'writeBeside'>,
  name: string,
  holder: string,
  forMs: number,
): Promise<boolean> {
  return store.writeBeside(async (tx) => {
    const now = await clockMs(tx);
    const ends_at = now + BigInt(forMs);
    const held = await tx
      .insertInto('leases')
      .values({ name, holder, ends_at })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet({ holder, ends_at })
          .where((eb) => eb.or([eb('leases.holder', '=', holder), eb('leases.ends_at', '<=', now)])),
      )
      .returning('holder')
      .executeTakeFirst();
    return held !== undefined;
  });
}

/** Whether some process has the lease. */
export async function isLeaseHeld(db: Db, name: string): Promise<boolean> {
  const row = await db.selectFrom('leases').select('ends_at').where('name', '=', name).executeTakeFirst();
  return row !== undefined && row.ends_at > (await clockMs(db));
}

/** Gives the lease up, so that another process need not wait for its end. */
export async function endLease(
  store: Pick<Store, 'writeBeside'>,
  name: string,
  holder: string,
): Promise<void> {
  await store.writeBeside(async (tx) => {
    await tx.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute();
  });
}
