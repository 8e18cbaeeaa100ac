/** What members have set for themselves: small texts by name, such as the views they saved. */
import { type Page, paged, sortFieldsOf } from './keyset.ts';
import { columnOf } from './listings.ts';
import { bumpRevisions } from './revisions.ts';
import type { Db } from './tables.ts';

/** The settings that say when a member's days begin; each session brings them along. */
export const dayRuleNames = { zone: 'time_zone', startHour: 'day_start' } as const;

/** A member's settings by their names. */
export async function listMemberSettings(db: Db, userId: bigint): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('member_settings')
    .select(['name', 'value'])
    .where('user_id', '=', userId)
    .execute();
  return new Map(rows.map(({ name, value }) => [name, value]));
}

export async function setMemberSetting(tx: Db, user_id: bigint, name: string, value: string): Promise<void> {
  await tx
    .insertInto('member_settings')
    .values({ user_id, name, value })
    .onConflict((conflict) => conflict.columns(['user_id', 'name']).doUpdateSet({ value }))
    .execute();
  await bumpRevisions(tx, [`pages:${user_id}`]);
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
