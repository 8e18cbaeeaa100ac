/** Counts of rows, numbers with nouns, and the findings of `garden doctor`. */
import { listOpenLinks } from './entry.ts';
import { countRows } from './listings.ts';
import { countStaff, hasMembers } from './members.ts';
import type { Db } from './tables.ts';

export interface Finding {
  check: string;
  result: 'good' | 'warning' | 'bad';
  detail: string;
}

export type CheckResult = readonly [result: Finding['result'], detail: string | undefined];

export async function countOverview(db: Db) {
  const valid = db
    .selectFrom('tokens')
    .where('revoked_at', 'is', null)
    .where(({ eb }) => eb('expires_at', 'is', null).or('expires_at', '>', new Date().toISOString()));
  return {
    members: await countRows(db.selectFrom('members')),
    problems: await countRows(db.selectFrom('problems')),
    tokens: await countRows(valid),
  };
}

export async function countSample(db: Db) {
  return {
    members: await countRows(db.selectFrom('members').where('is_sample', '=', 1n)),
    problems: await countRows(db.selectFrom('problems').where('is_sample', '=', 1n)),
  };
}

/** When the oldest account was made; later than every time without one. */
export async function firstMemberAt(db: Db): Promise<string> {
  const members = db.selectFrom('members').where('is_sample', '=', 0n);
  const first = await members.select(({ fn }) => fn.min('created_at').as('at')).executeTakeFirst();
  return first?.at ?? '~';
}

/** Why nobody can open Administration, although there are accounts. */
export async function administratorFault(db: Db): Promise<string | undefined> {
  if (!(await hasMembers(db)) || (await countStaff(db)).all > 0n) return undefined;
  return 'No account is an administrator; garden member create NAME --role staff makes one.';
}

/** Whether links that somebody made on the website wait for people. */
export async function hasOpenLinks(db: Db, now = new Date().toISOString()): Promise<boolean> {
  if ((await listOpenLinks(db, now)).some(({ made_by }) => made_by !== null)) return true;
  const links = db.selectFrom('group_links').where('expires_at', '>', now).where('uses_left', '>', 0n);
  return (await countRows(links)) > 0n;
}

/* Numbers with nouns, in English alone, such as for the command line and the log. */

/** Such as "1 row" and "1,200 rows". */
export function countText(count: number | bigint, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${Number(count) === 1 ? one : many}`;
}
