/** What members have set for themselves: small texts by name, such as the views they saved. */
import { sql } from 'kysely';
import { runCompiled } from './bulk.ts';
import { type Page, paged, sortFieldsOf } from './keyset.ts';
import { columnOf } from './listings.ts';
import type { Db } from './tables.ts';

/** The settings that say when a member's days and weeks begin; each session brings them along. */
export const dayRuleNames = { zone: 'time_zone', startHour: 'day_start', weekStart: 'week_start' } as const;

/** A setting of the member of this column, in a statement about others besides. */
export function settingOf(member: 'members.id' | 'sessions.user_id', name: string) {
  return sql<string | null>`(
    SELECT value FROM member_settings WHERE member_settings.user_id = ${sql.ref(member)} AND name = ${sql.lit(name)})`;
}

/** The setting that says who may see a member's public page; nobody may, where there is none. */
export const pageSetting = 'public_page';

/** A member's settings by their names. */
export async function listMemberSettings(db: Db, userId: bigint): Promise<ReadonlyMap<string, string>> {
  const rows = await runCompiled<{ name: string; value: string }>(db, 'listMemberSettings', [userId], () =>
    db.selectFrom('member_settings').select(['name', 'value']).where('user_id', '=', userId),
  );
  return new Map(rows.map(({ name, value }) => [name, value]));
}

export async function setMemberSetting(tx: Db, user_id: bigint, name: string, value: string): Promise<void> {
  await tx
    .insertInto('member_settings')
    .values({ user_id, name, value })
    .onConflict((conflict) => conflict.columns(['user_id', 'name']).doUpdateSet({ value }))
    .execute();
}

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
