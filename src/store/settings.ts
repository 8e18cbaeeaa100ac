/** Settings of the database, such as its instance name, and of members. */
import { randomBytes, randomUUID } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import { preparedForMany } from './bulk.ts';
import { fold } from './case-folding.ts';
import { columnOf, type Page, paged, sortFieldsOf } from './listings.ts';
import { prepared } from './prepared.ts';
import { deleteRows, findRow, upsertRow } from './rows.ts';
import type { Db, Tables } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    settings: { name: string; value: string };
  }
}

export async function getSetting(db: Db, name: string): Promise<string | undefined> {
  return (await findRow(db, 'settings', { name }))?.value;
}

export async function listSettings(db: Db, prefix: string): Promise<{ name: string; value: string }[]> {
  return db
    .selectFrom('settings')
    .select(['name', 'value'])
    .where('name', '>=', prefix)
    .where('name', '<', `${prefix}\uffff`)
    .execute();
}

export const setSetting = (tx: Db, name: string, value: string) =>
  upsertRow(tx, 'settings', ['name'], { name, value });

export const deleteSetting = (tx: Db, name: string) => deleteRows(tx, 'settings', { name });

/** Part of the names of backups, so that two databases can share a backup folder. */
export async function backupMarkOf(db: Db): Promise<string> {
  const mark = await getSetting(db, 'backup_mark');
  if (mark === undefined) throw new Error('a database without a mark for its backups');
  return mark;
}

export async function changeBackupMark(tx: Db): Promise<void> {
  await setSetting(tx, 'backup_mark', randomBytes(4).toString('hex'));
}

export async function instanceOf(db: Db): Promise<string> {
  const stored = await getSetting(db, 'instance');
  if (stored !== undefined) return stored;
  await db.transaction().execute((tx) =>
    tx
      .insertInto('settings')
      .values({ name: 'instance', value: randomUUID() })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute(),
  );
  return instanceOf(db);
}

declare module './tables.ts' {
  interface Tables {
    member_settings: { user_id: bigint; name: string; value: string };
  }
}

export const daySettingNames = {
  zone: 'time_zone',
  startHour: 'day_start',
  weekStart: 'week_start',
  practiceDays: 'practice_days',
} as const;

export const languageSetting = 'language';

export function settingOf(member: 'members.id' | 'sessions.user_id', name: string) {
  return sql<string | null>`(
    SELECT value FROM member_settings WHERE member_settings.user_id = ${sql.ref(member)} AND name = ${sql.lit(name)})`;
}

/** The setting that says who may see a member's public page; without it nobody may. */
export const pageLevelSetting = 'public_page';

const settingsOf = prepared((db, { userId }: { userId: bigint }) =>
  db.selectFrom('member_settings').select(['name', 'value']).where('user_id', '=', userId),
);

export async function listMemberSettings(db: Db, userId: bigint): Promise<ReadonlyMap<string, string>> {
  const rows = await settingsOf(db, { userId });
  return new Map(rows.map(({ name, value }) => [name, value]));
}

export const listDaySettings = preparedForMany((db, userIds: readonly bigint[]) =>
  db
    .selectFrom('member_settings')
    .selectAll()
    .where('user_id', 'in', userIds)
    .where('name', 'in', Object.values(daySettingNames)),
);

export const setMemberSetting = (tx: Db, user_id: bigint, name: string, value: string) =>
  upsertRow(tx, 'member_settings', ['user_id', 'name'], { user_id, name, value });

export const memberSettingOrder = sortFieldsOf('member_settings', { user_id: 'integer', name: 'text' });

export async function exportMemberSettings(db: Db, user: bigint | undefined, page: Page) {
  let query = db
    .selectFrom('member_settings')
    .select(['user_id', 'name', 'value'])
    .select(columnOf('members', 'username', 'member_settings.user_id'));
  if (user !== undefined) query = query.where('user_id', '=', user);
  return paged(query, page).execute();
}

export type PageLevel = 'members' | 'everyone';

function isShownTo(visitor: PageLevel) {
  const level = settingOf('members.id', pageLevelSetting);
  const isLevelEnough =
    visitor === 'everyone'
      ? sql<SqlBool>`${level} = 'everyone'`
      : sql<SqlBool>`${level} IN ('members', 'everyone')`;
  return sql<SqlBool>`(members.is_disabled = 0 AND ${isLevelEnough})`;
}

export function hasPageFor(visitor: PageLevel) {
  return sql<bigint>`CAST(CASE WHEN ${isShownTo(visitor)} THEN 1 ELSE 0 END AS BIGINT)`.as('has_page');
}

export type PageOwner = Pick<Tables['members'], 'id' | 'username'>;

const membersNamed = (db: Db, name: string) =>
  db.selectFrom('members').select(['id', 'username']).where('username_key', '=', name);
const pagesForEveryone = prepared((db, { name }: { name: string }) =>
  membersNamed(db, name).where(isShownTo('everyone')),
);
const pagesForMembers = prepared((db, { name, viewerId }: { name: string; viewerId: bigint }) =>
  membersNamed(db, name).where(({ or, eb }) => or([eb('id', '=', viewerId), isShownTo('members')])),
);

/** Members always see their own page. */
export async function findPageOwner(
  db: Db,
  username: string,
  viewerId: bigint | undefined,
): Promise<PageOwner | undefined> {
  const name = fold(username);
  const [row] =
    viewerId === undefined
      ? await pagesForEveryone(db, { name })
      : await pagesForMembers(db, { name, viewerId });
  return row;
}
