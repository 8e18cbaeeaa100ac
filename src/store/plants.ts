/** Plants, the members' practice goals. No new plant gets the id of a deleted one. */
import { sql } from 'kysely';
import { insertMany, preparedForMany } from './bulk.ts';
import { maxCountedId } from './ids.ts';
import { columnOf, countRows, type Page, paged, type SortField, sortFieldsOf } from './listings.ts';
import { isVisibleTo } from './lists.ts';
import { prepared, preparedChange } from './prepared.ts';
import { deleteRows, findRow, listRows, updateRow, updateRows, upsertRow } from './rows.ts';
import type { Store } from './store.ts';
import type { Db } from './tables.ts';

export interface PlantFilter {
  source: string | null;
  rating_min: bigint | null;
  rating_max: bigint | null;
}

export interface PlantsTable extends PlantFilter {
  id: bigint;
  user_id: bigint;
  name: string;
  tag: string | null;
  target: bigint;
  planted_at: string;
  /** Null for a plant older than this column, whose topic decides it. */
  species: string | null;
  /** No list gets the id of a deleted one. */
  list_id: bigint | null;
  list_name: string | null;
  /** Former names and targets as JSON; null for none. */
  edits: string | null;
  /** The member's own deadline for the target, such as 2026-12-31; null for none. */
  by_date: string | null;
}

/** A deleted plant, stored for a day. */
export interface UprootedPlantsTable extends PlantsTable {
  uprooted_at: string;
}

export interface SharedAddressesTable {
  secret: string;
  user_id: bigint;
  kind: 'garden' | 'year' | 'calendar';
  made_at: string;
  used_at: string | null;
}

declare module './tables.ts' {
  interface Tables {
    plants: PlantsTable;
    uprooted_plants: UprootedPlantsTable;
    shared_addresses: SharedAddressesTable;
    /** Ids above `maxCountedId` that no new plant may get. */
    deleted_plants: { id: bigint };
  }
}

/** A plant as exported files have it, with its list if the member may see it. */
export type PlantRow = Omit<PlantsTable, 'user_id' | 'list_id' | 'list_name'> & {
  user: bigint;
  username: string;
  list: string | null;
  list_owner: string | null;
  list_made_at: string | null;
};

export const emptyGoal = {
  list_id: null,
  list_name: null,
  edits: null,
  source: null,
  rating_min: null,
  rating_max: null,
  by_date: null,
} as const;

export const [plantIdField] = sortFieldsOf('plants', { id: 'integer' }) as [SortField];

export async function listPlants(db: Db, user: bigint | undefined, page: Page): Promise<PlantRow[]> {
  let query = db
    .selectFrom('plants')
    .select(['id', 'user_id as user', 'name', 'tag', 'target', 'planted_at', 'species', 'edits'])
    .select(columnOf('members', 'username', 'plants.user_id'))
    .select(['list_name as list', 'source', 'rating_min', 'rating_max', 'by_date'])
    .select(({ selectFrom }) => {
      const visible = selectFrom('lists')
        .innerJoin('members', 'members.id', 'lists.owner_id')
        .whereRef('lists.id', '=', 'plants.list_id')
        .where(isVisibleTo(sql.ref<bigint>('plants.user_id')));
      return [
        visible.select('members.username').as('list_owner'),
        visible.select('lists.created_at').as('list_made_at'),
      ];
    });
  if (user !== undefined) query = query.where('user_id', '=', user);
  return paged(query, page).execute();
}

export const findPlantsByIds = preparedForMany((db, ids: readonly bigint[]) =>
  db.selectFrom('plants').selectAll().where('id', 'in', ids),
);

export async function insertPlants(tx: Db, rows: readonly PlantsTable[]): Promise<void> {
  await insertMany(tx, 'plants', rows);
}

export async function updatePlant(tx: Db, row: PlantsTable): Promise<void> {
  await updateRow(tx, 'plants', ['id'], row);
}

/**
 * Does nothing once the credentials have another revision, so that a revoked token deletes nothing. Of several callers at once
 * exactly one gets true.
 */
export function deletePlant(
  store: Pick<Store, 'runChange' | 'writeConcurrently'>,
  id: bigint,
  owner: bigint | undefined,
  credentials: bigint,
): Promise<boolean> {
  const plant = { id, owner: owner ?? null, credentials };
  if (id < maxCountedId) return store.runChange((db) => deletePlantRow(db, plant));
  return store.writeConcurrently(async (tx) => {
    const isDeleted = await deletePlantRow(tx, plant);
    if (isDeleted) await insertDeletedPlantIds(tx, [id]);
    return isDeleted;
  });
}

/** Deletes for good what was removed before `since`; `restorePlant` can bring back the rest. */
export async function removePlant(
  tx: Db,
  id: bigint,
  { owner, at, since }: { owner?: bigint; at: string; since: string },
): Promise<boolean> {
  let query = tx.deleteFrom('plants').where('id', '=', id);
  if (owner !== undefined) query = query.where('user_id', '=', owner);
  const [plant] = await query.returningAll().execute();
  if (!plant) return false;
  await insertDeletedPlantIds(tx, [id]);
  await tx.deleteFrom('uprooted_plants').where('uprooted_at', '<', since).execute();
  await upsertRow(tx, 'uprooted_plants', ['id'], { ...plant, uprooted_at: at });
  return true;
}

// RETURNING would cost 10 µs, because SQLite sets up a table for the returned rows.
const deletePlantRow = preparedChange(
  (db, { id, owner, credentials }: { id: bigint; owner: bigint | null; credentials: bigint }) =>
    db
      .deleteFrom('plants')
      .where('id', '=', id)
      .where(
        db.selectFrom('revisions').select('revision').where('scope', '=', 'credentials'),
        '=',
        credentials,
      )
      .where('user_id', '=', sql<bigint>`coalesce(${owner}, user_id)`),
);

export async function plantExists(db: Db, id: bigint, owner: bigint | undefined): Promise<boolean> {
  const [plant] = await findPlantsByIds(db, [id]);
  return plant !== undefined && (owner === undefined || plant.user_id === owner);
}

export async function insertDeletedPlantIds(tx: Db, ids: readonly bigint[]): Promise<void> {
  for (const id of ids.filter((one) => one >= maxCountedId)) {
    const insertion = tx.insertInto('deleted_plants').values({ id });
    await insertion.onConflict((conflict) => conflict.column('id').doNothing()).execute();
  }
}

export const findPlantsByMember = (db: Db, userId: bigint) =>
  listRows(db, 'plants', { user_id: userId }, 'id');

export const findPlantOf = (db: Db, userId: bigint, id: bigint) =>
  findRow(db, 'plants', { id, user_id: userId });

export async function countPlants(db: Db, userId: bigint): Promise<bigint> {
  return countRows(db.selectFrom('plants').where('user_id', '=', userId));
}

export const listUprooted = prepared((db, { userId, since }: { userId: bigint; since: string }) =>
  db
    .selectFrom('uprooted_plants')
    .selectAll()
    .where('user_id', '=', userId)
    .where('uprooted_at', '>=', since)
    .orderBy('uprooted_at', 'desc')
    .orderBy('id', 'desc'),
);

export async function restorePlant(tx: Db, userId: bigint, id: bigint, since: string): Promise<boolean> {
  // A file may have brought another plant of that id meanwhile.
  if ((await findPlantsByIds(tx, [id])).length > 0) return false;
  const [uprooted] = await tx
    .deleteFrom('uprooted_plants')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('uprooted_at', '>=', since)
    .returningAll()
    .execute();
  if (!uprooted) return false;
  const { uprooted_at: _, ...row } = uprooted;
  await insertPlants(tx, [row]);
  await deleteRows(tx, 'deleted_plants', { id });
  return true;
}

/*
 * Secret addresses are stored as they are, and not as digests: their member has to see them again, and each only opens
 * something to read.
 */

type SharedKind = SharedAddressesTable['kind'];

export type SharedAddress = Omit<SharedAddressesTable, 'made_at'> & {
  username: string;
  first_name: string | null;
};

const addressesBySecret = prepared((db, { secret }: { secret: string }) =>
  db
    .selectFrom('shared_addresses')
    .innerJoin('members', 'members.id', 'shared_addresses.user_id')
    .select(['secret', 'user_id', 'kind', 'used_at', 'username', 'first_name'])
    .where('secret', '=', secret)
    .where('is_disabled', '=', 0n),
);

export const findSharedAddress = async (db: Db, secret: string): Promise<SharedAddress | undefined> =>
  (await addressesBySecret(db, { secret }))[0];

export const setAddressUsed = (tx: Db, secret: string, used_at: string) =>
  updateRows(tx, 'shared_addresses', { secret }, { used_at });

export const listSharedAddresses = (db: Db, userId: bigint) =>
  listRows(db, 'shared_addresses', { user_id: userId }, 'kind');

export async function insertSharedAddress(tx: Db, row: SharedAddressesTable): Promise<void> {
  await tx
    .insertInto('shared_addresses')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user_id', 'kind']).doNothing())
    .execute();
}

export const revokeAddress = (tx: Db, userId: bigint, kind: SharedKind) =>
  deleteRows(tx, 'shared_addresses', { user_id: userId, kind });
