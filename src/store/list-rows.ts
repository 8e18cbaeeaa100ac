/** Lists as whole rows, for exports: each with its sections and the keys of their problems. */
import { sql } from 'kysely';
import { type Page, paged, sortFieldsOf } from './keyset.ts';
import { columnOf } from './listings.ts';
import type { Db } from './tables.ts';

/** The order of exported lists, which is the same in every garden for those of one member. */
export const listOrder = sortFieldsOf('lists', {
  owner_id: 'integer',
  created_at: 'text',
  name: 'text',
  id: 'integer',
});

/** Some lists are large, so fewer are read at once than an export asks for. */
const readAtOnce = 20;

export async function listKeyedLists(db: Db, user: bigint | undefined, page: Page) {
  let query = db
    .selectFrom('lists')
    .select(['lists.id', 'owner_id', 'name', 'visibility', 'created_at', 'updated_at'])
    .select(columnOf('members', 'username', 'lists.owner_id'));
  if (user !== undefined) query = query.where('owner_id', '=', user);
  const lists = await paged(query, { ...page, limit: Math.min(page.limit, readAtOnce) }).execute();
  const ids = lists.map(({ id }) => id);
  if (ids.length === 0) return [];
  const sections = await db
    .selectFrom('list_sections')
    .selectAll()
    .where('list_id', 'in', ids)
    .orderBy('list_id')
    .orderBy('position')
    .execute();
  const items = await db
    .selectFrom('list_items')
    .innerJoin('problems', 'problems.id', 'list_items.problem_id')
    .select(['list_id', 'section', 'source', 'source_key', 'memo', 'added_at'])
    .where('list_id', 'in', ids)
    .orderBy(sql`list_id, section, position`)
    .execute();
  const bySection = Map.groupBy(items, ({ list_id, section }) => `${list_id} ${section}`);
  return lists.map((list) => ({
    ...list,
    content: JSON.stringify({
      sections: sections
        .filter(({ list_id }) => list_id === list.id)
        .map(({ name, position }) => ({
          name,
          problems: (bySection.get(`${list.id} ${position}`) ?? []).map(
            ({ source, source_key, memo, added_at }) => ({ source, source_key, memo, added_at }),
          ),
        })),
    }),
  }));
}

/** A member's lists that were made at this moment. */
export function findListsMadeAt(db: Db, owner: bigint, createdAt: string) {
  return db
    .selectFrom('lists')
    .selectAll()
    .where('owner_id', '=', owner)
    .where('created_at', '=', createdAt)
    .orderBy('id')
    .execute();
}
