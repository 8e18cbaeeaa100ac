/** Plants: members' practice goals. A plant exists or is deleted; its id is never given out again. */

import { sql } from 'kysely';
import { changeCompiled, insertMany, lookUpMany, runCompiled } from './bulk.ts';
import { countedBelow } from './ids.ts';
import { type Page, paged, type SortField } from './keyset.ts';
import { usernameOf } from './natural-keys.ts';
import type { Store } from './store.ts';
import type { Db, PlantsTable } from './tables.ts';

/** A plant as export and import know it. */
export type PlantRow = {
  id: bigint;
  user: bigint;
  name: string;
  tag: string | null;
  target: bigint;
  planted_at: string;
  /** The member's name. */
  username: string;
};

export const plantIdField: SortField = {
  name: 'id',
  kind: 'integer',
  isNullable: false,
  expression: sql.ref('plants.id'),
};

/** One member's plants, or with undefined everyone's. */
export async function listPlants(db: Db, user: bigint | undefined, page: Page): Promise<PlantRow[]> {
  let query = db
    .selectFrom('plants')
    .select(['id', 'user_id as user', 'name', 'tag', 'target', 'planted_at'])
    .select((eb) => usernameOf(eb.ref('plants.user_id')).as('username'));
  if (user !== undefined) query = query.where('user_id', '=', user);
  return paged(query, page).execute();
}

export async function findPlantsByIds(db: Db, ids: readonly bigint[]): Promise<PlantsTable[]> {
  return lookUpMany(ids, (some) =>
    runCompiled<PlantsTable>(db, 'findPlantsByIds', some, () =>
      db.selectFrom('plants').selectAll().where('id', 'in', some),
    ),
  );
}

export async function insertPlants(tx: Db, rows: readonly PlantsTable[]): Promise<void> {
  await insertMany(tx, 'plants', rows);
}

export async function updatePlant(tx: Db, row: PlantsTable): Promise<void> {
  const { id, ...columns } = row;
  await tx.updateTable('plants').set(columns).where('id', '=', id).execute();
}

/**
 * Deletes a plant of this member (undefined: of anyone) as long as the credentials have this revision, and says whether there
 * was one. Of any number that delete one plant at once exactly one is told true.
 */
export function deletePlant(
  store: Pick<Store, 'change' | 'writeBeside'>,
  id: bigint,
  owner: bigint | undefined,
  credentials: bigint,
): Promise<boolean> {
  if (id < countedBelow) return store.change((db) => deleteRow(db, id, owner, credentials));
  return store.writeBeside(async (tx) => {
    const isDeleted = await deleteRow(tx, id, owner, credentials);
    if (isDeleted) await noteDeletedPlants(tx, [id]);
    return isDeleted;
  });
}

/** Deletes a plant, whosever it is, and says whether there was one. */
export async function removePlant(tx: Db, id: bigint): Promise<boolean> {
  const deleted = await tx.deleteFrom('plants').where('id', '=', id).returning('id').execute();
  if (deleted.length > 0) await noteDeletedPlants(tx, [id]);
  return deleted.length > 0;
}

function deleteRow(db: Db, id: bigint, owner: bigint | undefined, credentials: bigint) {
  // Not `returning`: SQLite sets up a table for what is to be returned, which takes 10 µs.
  const deletion = () =>
    db
      .deleteFrom('plants')
      .where('id', '=', id)
      .where(
        db.selectFrom('revisions').select('revision').where('scope', '=', 'credentials'),
        '=',
        credentials,
      );
  return owner === undefined
    ? changeCompiled(db, 'deletePlant', [id, 'credentials', credentials], deletion)
    : changeCompiled(db, 'deleteOwnPlant', [id, 'credentials', credentials, owner], () =>
        deletion().where('user_id', '=', owner),
      );
}

/** Whether this member (undefined: anyone) has the plant. */
export async function plantExists(db: Db, id: bigint, owner: bigint | undefined): Promise<boolean> {
  const [plant] = await findPlantsByIds(db, [id]);
  return plant !== undefined && (owner === undefined || plant.user_id === owner);
}

/** Remembers the ids that the counter might give out again one day; it has passed all that were below its limit. */
export async function noteDeletedPlants(tx: Db, ids: readonly bigint[]): Promise<void> {
  for (const id of ids.filter((one) => one >= countedBelow)) {
    await runCompiled(tx, 'noteDeletedPlant', [id], () =>
      tx
        .insertInto('deleted_plants')
        .values({ id })
        .onConflict((conflict) => conflict.column('id').doNothing()),
    );
  }
}

export async function findPlantsByMember(db: Db, userId: bigint): Promise<PlantsTable[]> {
  return db.selectFrom('plants').selectAll().where('user_id', '=', userId).orderBy('id').execute();
}
