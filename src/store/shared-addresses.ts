/**
 * The secret addresses at which members show something to everybody who knows them: pictures, and a calendar. They are kept as they
 * are, and not as digests: their member has to see them again, and each opens one thing to read.
 */
import { runCompiled } from './bulk.ts';
import type { SharedAddressesTable } from './garden-tables.ts';
import type { Db } from './tables.ts';

type SharedKind = SharedAddressesTable['kind'];

/** A shared address with the names of its member. */
export type SharedAddress = Pick<SharedAddressesTable, 'user_id' | 'kind'> & {
  username: string;
  first_name: string | null;
};

/** Undefined for an address that was never made or is revoked, and for a member who is shut out. */
export async function findSharedAddress(db: Db, secret: string): Promise<SharedAddress | undefined> {
  const [row] = await runCompiled<SharedAddress>(db, 'findSharedAddress', [secret, 0n], () =>
    db
      .selectFrom('shared_addresses')
      .innerJoin('members', 'members.id', 'shared_addresses.user_id')
      .select(['user_id', 'kind', 'username', 'first_name'])
      .where('secret', '=', secret)
      .where('is_disabled', '=', 0n),
  );
  return row;
}

export async function listSharedAddresses(db: Db, userId: bigint): Promise<SharedAddressesTable[]> {
  return db
    .selectFrom('shared_addresses')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('kind')
    .execute();
}

/** A member has one address for each kind; one that is there already stays. */
export async function insertSharedAddress(tx: Db, row: SharedAddressesTable): Promise<void> {
  await tx
    .insertInto('shared_addresses')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user_id', 'kind']).doNothing())
    .execute();
}

export async function revokeAddress(tx: Db, userId: bigint, kind: SharedKind): Promise<void> {
  await tx.deleteFrom('shared_addresses').where('user_id', '=', userId).where('kind', '=', kind).execute();
}
