/** A garden at a glance: how many rows its database holds, a count with its noun, and the types of what `garden doctor` finds. */
import { countRows } from './listings.ts';
import type { Db } from './tables.ts';

/** The result of a look at one part of a garden. */
export interface Finding {
  check: string;
  result: 'good' | 'warning' | 'bad';
  detail: string;
}

/** A finding without a detail is not shown. */
export type CheckResult = readonly [result: Finding['result'], detail: string | undefined];

/** Counts members, problems, and tokens that are neither revoked nor expired. */
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

/** Counts the members and problems that came with the sample. */
export async function countSample(db: Db) {
  return {
    members: await countRows(db.selectFrom('members').where('is_sample', '=', 1n)),
    problems: await countRows(db.selectFrom('problems').where('is_sample', '=', 1n)),
  };
}

/* A number with its noun, for sentences that are no words of a page: of the command line, the log, messages and reports. */

/** Such as "1 row" and "1,200 rows". */
export function countText(count: number | bigint, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${Number(count) === 1 ? one : many}`;
}
