/** Providers of OpenID Connect, and the visits of browsers to them. */
import type { OpenIdProvidersTable, OpenIdVisitsTable } from './openid-tables.ts';
import type { Db } from './tables.ts';

export async function listProviders(db: Db): Promise<OpenIdProvidersTable[]> {
  return db.selectFrom('openid_providers').selectAll().orderBy('name').orderBy('key').execute();
}

export async function findProvider(db: Db, key: string): Promise<OpenIdProvidersTable | undefined> {
  return db.selectFrom('openid_providers').selectAll().where('key', '=', key).executeTakeFirst();
}

export async function saveProvider(tx: Db, row: OpenIdProvidersTable): Promise<void> {
  const { key: _, ...values } = row;
  await tx
    .insertInto('openid_providers')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet(values))
    .execute();
}

/** Deletes a provider with the accounts there; no member goes. */
export async function deleteProvider(tx: Db, key: string): Promise<void> {
  await tx.deleteFrom('openid_providers').where('key', '=', key).execute();
}

/** Keeps the visit that a browser makes; an earlier one of the same browser is forgotten, and so are those of all that began before. */
export async function saveVisit(tx: Db, visit: OpenIdVisitsTable, before: string): Promise<void> {
  const { browser: _, ...state } = visit;
  await tx.deleteFrom('openid_visits').where('begun_at', '<', before).execute();
  await tx
    .insertInto('openid_visits')
    .values(visit)
    .onConflict((conflict) => conflict.column('browser').doUpdateSet(state))
    .execute();
}

/** Takes the visit of a browser away, so that it can end once only. */
export async function takeVisit(tx: Db, browser: string): Promise<OpenIdVisitsTable | undefined> {
  return tx.deleteFrom('openid_visits').where('browser', '=', browser).returningAll().executeTakeFirst();
}
