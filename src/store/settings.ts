/** Settings that belong to one database, such as its instance name, which no other database has. */
import { randomUUID } from 'node:crypto';
import type { Store } from './store.ts';
import type { Db } from './tables.ts';

export async function getSetting(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** A delete writes less than this, so a database with room for this much has room for it. */
const triedBytes = 64 * 1024;

/** Writes a setting that no code reads and deletes it again, to find out whether the database takes writes. */
export async function tryWrite(write: Store['write']): Promise<void> {
  const name = `tried ${randomUUID()}`;
  const value = ' '.repeat(triedBytes);
  await write((tx) => tx.insertInto('settings').values({ name, value }).execute());
  await write((tx) => tx.deleteFrom('settings').where('name', '=', name).execute());
}

/** Sets a value unless there is one; returns the value that the database then has. */
export async function setSettingOnce(db: Db, name: string, value: string): Promise<string> {
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return (await getSetting(db, name)) ?? value;
}
