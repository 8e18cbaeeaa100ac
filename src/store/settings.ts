/** Facts about this one database, such as the name that tells it from every other. */
import { randomUUID } from 'node:crypto';
import type { Write } from './sqlite/group-commit.ts';
import type { Db } from './tables.ts';

export async function getSetting(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** More than a delete writes: where there is room for so much there is room for it. */
const triedBytes = 64 * 1024;

/** Writes a fact that nobody reads and takes it away again, to see whether the database takes writes. */
export async function tryWrite(write: Write): Promise<void> {
  const name = `tried ${randomUUID()}`;
  const value = ' '.repeat(triedBytes);
  await write((tx) => tx.insertInto('settings').values({ name, value }).execute());
  await write((tx) => tx.deleteFrom('settings').where('name', '=', name).execute());
}

/** Sets it unless it is set already; answers the value that stands. */
export async function setSettingOnce(db: Db, name: string, value: string): Promise<string> {
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return (await getSetting(db, name)) ?? value;
}
