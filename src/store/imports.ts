/** When each kind of a judge's files was imported last, by whom, and what that did. */
import type { Db } from './tables.ts';
import type { ImportsTable } from './upload-tables.ts';

/** Notes an import in place of the one before it. */
export async function noteImport(tx: Db, row: ImportsTable): Promise<void> {
  const { what, ...values } = row;
  await tx
    .insertInto('imports')
    .values(row)
    .onConflict((conflict) => conflict.column('what').doUpdateSet(values))
    .execute();
}

/** All of them, each with the name that its member has now; null where they are gone, or it was the command line. */
export async function listImports(db: Db): Promise<(ImportsTable & { username: string | null })[]> {
  return db
    .selectFrom('imports')
    .leftJoin('members', 'members.id', 'imports.user_id')
    .selectAll('imports')
    .select('username')
    .execute();
}

/** How many rows of a table each judge has, by the name under which they are stored. */
export async function countBySource(
  db: Db,
  table: 'problems' | 'contests',
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db
    .selectFrom(table as 'problems')
    .select(({ fn }) => ['source', fn.countAll<bigint>().as('count')])
    .groupBy('source')
    .execute();
  return new Map(rows.map(({ source, count }) => [source, BigInt(count)]));
}
