/**
 * The secret addresses of shared pictures. They are kept as they are, and not as digests: their member has to see them again, and
 * they open nothing but a picture.
 */
import { runCompiled } from './bulk.ts';
import type { SharedPicturesTable } from './garden-tables.ts';
import type { Db } from './tables.ts';

/** A shared picture with the names of its member. */
export type SharedPicture = Pick<SharedPicturesTable, 'user_id' | 'kind'> & {
  username: string;
  first_name: string | null;
};

/** Undefined for an address that was never made or is revoked, and for a member who is shut out. */
export async function findSharedPicture(db: Db, secret: string): Promise<SharedPicture | undefined> {
  const [row] = await runCompiled<SharedPicture>(db, 'findSharedPicture', [secret, 0n], () =>
    db
      .selectFrom('shared_pictures')
      .innerJoin('members', 'members.id', 'shared_pictures.user_id')
      .select(['user_id', 'kind', 'username', 'first_name'])
      .where('secret', '=', secret)
      .where('is_disabled', '=', 0n),
  );
  return row;
}

export async function listSharedPictures(db: Db, userId: bigint): Promise<SharedPicturesTable[]> {
  return db.selectFrom('shared_pictures').selectAll().where('user_id', '=', userId).orderBy('kind').execute();
}

/** A member has one address for each kind; one that is there already stays. */
export async function sharePicture(tx: Db, row: SharedPicturesTable): Promise<void> {
  await tx
    .insertInto('shared_pictures')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user_id', 'kind']).doNothing())
    .execute();
}

export async function revokePicture(
  tx: Db,
  userId: bigint,
  kind: SharedPicturesTable['kind'],
): Promise<void> {
  await tx.deleteFrom('shared_pictures').where('user_id', '=', userId).where('kind', '=', kind).execute();
}
