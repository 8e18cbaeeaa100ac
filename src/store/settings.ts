/** Settings that belong to one database, such as its instance name, which no other database has. */
import { randomUUID } from 'node:crypto';
import type { Db } from './tables.ts';

export async function getSetting(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** The settings whose names begin so. */
export async function listSettings(db: Db, prefix: string): Promise<{ name: string; value: string }[]> {
  return db
    .selectFrom('settings')
    .select(['name', 'value'])
    .where('name', '>=', prefix)
    .where('name', '<', `${prefix}\uffff`)
    .execute();
}

export async function setSetting(tx: Db, name: string, value: string): Promise<void> {
  await tx
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

export async function deleteSetting(tx: Db, name: string): Promise<void> {
  await tx.deleteFrom('settings').where('name', '=', name).execute();
}

/** The name of this database, made at the first call. Several processes may ask at once. */
export async function instanceOf(db: Db): Promise<string> {
  const known = await getSetting(db, 'instance');
  if (known !== undefined) return known;
  await db.transaction().execute((tx) =>
    tx
      .insertInto('settings')
      .values({ name: 'instance', value: randomUUID() })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute(),
  );
  return instanceOf(db);
}
