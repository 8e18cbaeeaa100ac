/** Settings of the database itself, such as its instance name, and settings of members, such as who sees their page. */
import { randomBytes, randomUUID } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import { fold } from './case-folding.ts';
import { columnOf, type Page, paged, sortFieldsOf } from './listings.ts';
import { prepared } from './prepared.ts';
import { deleteRows, findRow, putRow } from './rows.ts';
import type { Db, Tables } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    settings: { name: string; value: string };
  }
}

export async function getSetting(db: Db, name: string): Promise<string | undefined> {
  return (await findRow(db, 'settings', { name }))?.value;
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

export const setSetting = (tx: Db, name: string, value: string) =>
  putRow(tx, 'settings', ['name'], { name, value });

export const deleteSetting = (tx: Db, name: string) => deleteRows(tx, 'settings', { name });

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

/* The settings of members: small texts by name, such as the views that they saved. */

declare module './tables.ts' {
  interface Tables {
    member_settings: { user_id: bigint; name: string; value: string };
  }
}

/** The settings that say when a member's days and weeks begin; each session brings them along. */
export const dayRuleNames = { zone: 'time_zone', startHour: 'day_start', weekStart: 'week_start' } as const;

/** The setting of the language that a member chose; each session brings it along too. */
export const languageSetting = 'language';

/** A setting of the member of this column, in a statement about others besides. */
export function settingOf(member: 'members.id' | 'sessions.user_id', name: string) {
  return sql<string | null>`(
    SELECT value FROM member_settings WHERE member_settings.user_id = ${sql.ref(member)} AND name = ${sql.lit(name)})`;
}

/** The setting that says who may see a member's public page; nobody may, where there is none. */
export const pageSetting = 'public_page';

const settingsOf = prepared((db, { userId }: { userId: bigint }) =>
  db.selectFrom('member_settings').select(['name', 'value']).where('user_id', '=', userId),
);

/** A member's settings by their names. */
export async function listMemberSettings(db: Db, userId: bigint): Promise<ReadonlyMap<string, string>> {
  const rows = await settingsOf(db, { userId });
  return new Map(rows.map(({ name, value }) => [name, value]));
}

export const setMemberSetting = (tx: Db, user_id: bigint, name: string, value: string) =>
  putRow(tx, 'member_settings', ['user_id', 'name'], { user_id, name, value });

export const memberSettingOrder = sortFieldsOf('member_settings', { user_id: 'integer', name: 'text' });

/** Settings with the names of their members, for exports. */
export async function listKeyedMemberSettings(db: Db, user: bigint | undefined, page: Page) {
  let query = db
    .selectFrom('member_settings')
    .select(['user_id', 'name', 'value'])
    .select(columnOf('members', 'username', 'member_settings.user_id'));
  if (user !== undefined) query = query.where('user_id', '=', user);
  return paged(query, page).execute();
}

/* Finds the public pages of members for a visitor. Their parts are settings, in `practice/public-pages.ts`. */

/** For whom a page is: members of this garden, or everyone who has its address. */
export type PageLevel = 'members' | 'everyone';

/** Whether a member of the statement lets such visitors see their page. A disabled member has none. */
function isShownTo(visitor: PageLevel) {
  const level = settingOf('members.id', pageSetting);
  const isMeant =
    visitor === 'everyone'
      ? sql<SqlBool>`${level} = 'everyone'`
      : sql<SqlBool>`${level} IN ('members', 'everyone')`;
  return sql<SqlBool>`(members.is_disabled = 0 AND ${isMeant})`;
}

/** 1 where such visitors may see the page of a member of the statement, who can then be named by a link. */
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

/** The member of this name, if this visitor may see their page; they themselves always may. It is one statement for every visitor. */
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
