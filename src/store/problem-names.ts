/** The keys and tags of problems, derived from the problem's row and written with it. */
import { sql } from 'kysely';
import { insertMany, runForMany } from './bulk.ts';
import { engineOf } from './engine.ts';
import type { Db, JsonList, ProblemsTable } from './tables.ts';

type NamedProblem = Pick<ProblemsTable, 'id' | 'source' | 'source_key' | 'aliases' | 'tags'>;

export async function insertKeys(tx: Db, rows: readonly NamedProblem[]): Promise<void> {
  const keys = rows.flatMap(keysOf);
  keys.sort((a, b) => compare(a.source, b.source) || compare(a.key, b.key));
  await insertMany(tx, 'problem_keys', keys);
}

/** Writes the tags of these problems from their rows, which costs less than binding each tag. */
export async function insertTags(tx: Db, ids: readonly bigint[]): Promise<void> {
  const { elementsOf } = engineOf(tx);
  await sql`
    INSERT INTO problem_tags (tag, problem_id)
    SELECT element.value, problems.id
    FROM problems, ${elementsOf(sql.ref('problems.tags'))}
    WHERE problems.id IN (SELECT cast(element.value AS bigint) FROM ${elementsOf(sql.val(JSON.stringify(ids.map(String))))})
    ON CONFLICT DO NOTHING`.execute(tx);
}

/** Replaces the keys and tags of a problem by those of its new row, which is stored already; without one it deletes them. */
export async function replaceNames(tx: Db, before: NamedProblem, after?: NamedProblem): Promise<void> {
  const { id, source } = before;
  if (before.tags !== after?.tags) {
    await runForMany(tx, 'deleteTags', [id], listOf(before.tags), (some) =>
      tx.deleteFrom('problem_tags').where('problem_id', '=', id).where('tag', 'in', some),
    );
    if (after) await insertTags(tx, [id]);
  }
  const keyColumns = ['aliases', 'source', 'source_key'] as const;
  if (keyColumns.some((column) => before[column] !== after?.[column])) {
    const keys = keysOf(before).map(({ key }) => key);
    await runForMany(tx, 'deleteKeys', [source], keys, (some) =>
      tx.deleteFrom('problem_keys').where('source', '=', source).where('key', 'in', some),
    );
    if (after) await insertKeys(tx, [after]);
  }
}

export async function listTags(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('problem_tags').select('tag').distinct().orderBy('tag').execute();
  return rows.map(({ tag }) => tag);
}

/** All keys of a judge's problems, aliases included. */
export async function listKeys(db: Db, source: string): Promise<{ key: string; problem_id: bigint }[]> {
  return db.selectFrom('problem_keys').select(['key', 'problem_id']).where('source', '=', source).execute();
}

export function listOf(json: JsonList): string[] {
  return json === '[]' ? [] : (JSON.parse(json) as string[]);
}

function keysOf({ id, source, source_key, aliases }: NamedProblem) {
  return [source_key, ...listOf(aliases)].map((key) => ({ source, key, problem_id: id }));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
