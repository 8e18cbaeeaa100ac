/** Counts of rows, numbers with nouns, and the findings of `garden doctor`. */
import { countRows } from './listings.ts';
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

/* Numbers with nouns, in English alone, such as for the command line and the log. */

/** Such as "1 row" and "1,200 rows". */
export function countText(count: number | bigint, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${Number(count) === 1 ? one : many}`;
}
