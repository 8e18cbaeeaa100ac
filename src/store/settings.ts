/** Settings that belong to one database, such as its instance name, which no other database has. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Db } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    settings: { name: string; value: string };
  }
}

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

/** The mark that the names of this database's backups have. A copy of the database gets one of its own. */
export async function backupMarkOf(db: Db): Promise<string> {
  const mark = await getSetting(db, 'backup_mark');
  if (mark === undefined) throw new Error('a database without a mark for its backups');
  return mark;
}

export async function changeBackupMark(tx: Db): Promise<void> {
  await setSetting(tx, 'backup_mark', randomBytes(4).toString('hex'));
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
