/** Revisions: how often the rows of a scope have changed. Every write bumps its scopes in the same transaction, but for deleted plants. */
import { sql } from 'kysely';
import type { Db } from './tables.ts';

type OwnedRows = 'records' | 'bookmarks' | 'statuses';

/**
 * Rows whose changes are counted together: the rights of all tokens, all rows of a table, or one member's rows of it. `pages` is
 * what only pages show: contests, handles and kept submissions, and of one member the settings. Triggers bump `plants` when one is
 * added or changed; a deleted one bumps nothing, because the interface's DELETE costs one statement. `lists` are all lists of
 * all members, groups and who is in which, because each shows on the pages of others. `days` is what others see of a member's
 * days beside statuses and submissions: reviews, and when the days begin.
 */
export type RevisionScope =
  | 'credentials'
  | 'problems'
  | 'pages'
  | 'lists'
  | 'days'
  | OwnedRows
  | `${OwnedRows | 'pages' | 'plants'}:${bigint}`;

const bumpedAtOnce = 100;

export async function bumpRevisions(tx: Db, scopes: Iterable<RevisionScope>): Promise<void> {
  // Sorted, because two writers that lock rows in different orders could deadlock.
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
