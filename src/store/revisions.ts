/** How often the rows of a scope changed. Every write that changes what an operation answers bumps its scopes, in its own transaction. */
import { sql } from 'kysely';
import type { Db } from './tables.ts';

/** What can change independently of the rest: what tokens may do, all problems, all records, one member's rows, or everyone's. */
export type RevisionScope =
  | 'credentials'
  | 'problems'
  | 'records'
  | 'bookmarks'
  | 'statuses'
  | `records:${bigint}`
  | `bookmarks:${bigint}`
  | `statuses:${bigint}`;

/** Scopes per statement. */
const bumpedAtOnce = 100;

export async function bumpRevisions(tx: Db, scopes: Iterable<RevisionScope>): Promise<void> {
  // In one order, or two writers could wait for each other.
  const ordered = [...new Set(scopes)].sort();
  for (let start = 0; start < ordered.length; start += bumpedAtOnce) {
    const some = ordered.slice(start, start + bumpedAtOnce);
    await tx
      .insertInto('revisions')
      .values(some.map((scope) => ({ scope, revision: 1n })))
      .onConflict((conflict) =>
        conflict.column('scope').doUpdateSet({ revision: sql`revisions.revision + 1` }),
      )
      .execute();
  }
}
