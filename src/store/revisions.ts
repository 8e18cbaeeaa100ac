/**
 * How often the rows of a scope have changed. A write bumps the scopes of the answers that it changes, in the same transaction.
 */
import { sql } from 'kysely';
import { prepared } from './prepared.ts';
import type { Db } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    revisions: { scope: string; revision: bigint };
  }
}

type MemberRows = 'records' | 'bookmarks' | 'statuses';

export type RevisionScope = 'credentials' | 'problems' | MemberRows | `${MemberRows | 'solves'}:${bigint}`;

const scopesPerStatement = 100;

const bump = prepared((tx, { scopes }: { scopes: readonly RevisionScope[] }) =>
  tx
    .insertInto('revisions')
    .values(scopes.map((scope) => ({ scope, revision: sql.lit(1n) })))
    .onConflict((conflict) =>
      conflict.column('scope').doUpdateSet({ revision: sql`revisions.revision + 1` }),
    ),
);

export async function bumpRevisions(tx: Db, scopes: Iterable<RevisionScope>): Promise<void> {
  // Sorted, because two writers that lock rows in different orders could deadlock.
  const ordered = [...new Set(scopes)].sort();
  for (let start = 0; start < ordered.length; start += scopesPerStatement) {
    await bump(tx, { scopes: ordered.slice(start, start + scopesPerStatement) });
  }
}
