/** How often the rows of a scope changed. Every write that changes what an operation answers bumps its scopes, in its own transaction. */
import { sql } from 'kysely';
import type { Db } from './tables.ts';

/** What can change independently of the rest: all problems, all records, one member's rows, or everyone's. */
export type RevisionScope =
  | 'problems'
  | 'records'
  | 'bookmarks'
  | 'statuses'
  | `bookmarks:${bigint}`
  | `statuses:${bigint}`;

export async function bumpRevisions(tx: Db, scopes: Iterable<RevisionScope>): Promise<void> {
  for (const scope of new Set(scopes)) {
    await tx
      .insertInto('revisions')
      .values({ scope, revision: 1n })
      .onConflict((conflict) =>
        conflict.column('scope').doUpdateSet({ revision: sql`revisions.revision + 1` }),
      )
      .execute();
  }
}

/** The revisions of these scopes, in their order; a scope that never changed has 0. */
export async function readRevisions(db: Db, scopes: readonly RevisionScope[]): Promise<bigint[]> {
  const rows = await db.selectFrom('revisions').selectAll().where('scope', 'in', scopes).execute();
  const byScope = new Map(rows.map((row) => [row.scope, row.revision]));
  return scopes.map((scope) => byScope.get(scope) ?? 0n);
}
