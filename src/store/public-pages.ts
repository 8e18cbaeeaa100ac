/** Finds the public pages of members for a visitor. Their parts are settings, in `practice/public-pages.ts`. */
import { type SqlBool, sql } from 'kysely';
import { runCompiled } from './bulk.ts';
import { fold } from './case-folding.ts';
import { pageSetting, settingOf } from './member-settings.ts';
import type { Db, MembersTable } from './tables.ts';

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

export type PageOwner = Pick<MembersTable, 'id' | 'username'>;

/** The member of this name, if this visitor may see their page; they themselves always may. It is one statement for every visitor. */
export async function findPageOwner(
  db: Db,
  username: string,
  viewerId: bigint | undefined,
): Promise<PageOwner | undefined> {
  const name = fold(username);
  const called = db.selectFrom('members').select(['id', 'username']).where('username_key', '=', name);
  const [row] =
    viewerId === undefined
      ? await runCompiled<PageOwner>(db, 'findPageOfEveryone', [name], () =>
          called.where(isShownTo('everyone')),
        )
      : await runCompiled<PageOwner>(db, 'findPageOfMembers', [name, viewerId], () =>
          called.where(({ or, eb }) => or([eb('id', '=', viewerId), isShownTo('members')])),
        );
  return row;
}
