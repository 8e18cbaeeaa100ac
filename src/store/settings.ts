/** Facts about this one database, such as the name that tells it from every other. */
import type { Db } from './tables.ts';

export async function getSetting(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
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
