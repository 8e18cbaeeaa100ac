/**
 * The keys and tags of problems, in tables of their own because problems are looked up by them. Both derive from the problem's
 * row and are written in its transaction, in the order of their primary keys, which doubles the speed.
 */
import { sql } from 'kysely';
import { insertMany, runForMany } from './bulk.ts';
import { engineOf } from './engine.ts';
import type { Db, JsonList, ProblemsTable } from './tables.ts';

/** The columns from which keys and tags derive. */
type NamedProblem = Pick<ProblemsTable, 'id' | 'source' | 'source_key' | 'aliases' | 'tags'>;

export async function insertKeys(tx: Db, rows: readonly NamedProblem[]): Promise<void> {
  const keys = rows.flatMap(keysOf);
  keys.sort((a, b) => compare(a.source, b.source) || compare(a.key, b.key));
  await insertMany(tx, 'problem_keys', keys);
}

export async function insertTags(tx: Db, rows: readonly NamedProblem[]): Promise<void> {
  const tags = rows.flatMap(tagsOf);
  tags.sort((a, b) => compare(a.tag, b.tag));
  await insertMany(tx, 'problem_tags', tags);
}

/**
 * Writes the tags of all problems in the range of ids, sorted as a whole. For many problems that takes half the time of
 * writing them batch by batch.
 */
export async function insertTagsOfRange(tx: Db, firstId: bigint, lastId: bigint): Promise<void> {
  await sql`
    INSERT INTO problem_tags (tag, problem_id)
    SELECT DISTINCT element.value, problems.id
    FROM problems, ${engineOf(tx).elementsOf('problems.tags')}
    WHERE problems.id BETWEEN ${firstId} AND ${lastId}
    ORDER BY 1, 2
    ON CONFLICT (tag, problem_id) DO NOTHING`.execute(tx);
}

export async function updateNames(tx: Db, before: NamedProblem, after: NamedProblem): Promise<void> {
  if (before.tags !== after.tags) {
    await deleteTags(tx, before);
    await insertTags(tx, [after]);
  }
  const keyColumns = ['aliases', 'source', 'source_key'] as const;
  if (keyColumns.some((column) => before[column] !== after[column])) {
    await deleteKeys(tx, before);
    await insertKeys(tx, [after]);
  }
}

export async function deleteNames(tx: Db, row: NamedProblem): Promise<void> {
  await deleteTags(tx, row);
  await deleteKeys(tx, row);
}

/** All tags of all problems. */
export async function listTags(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('problem_tags').select('tag').distinct().orderBy('tag').execute();
  return rows.map(({ tag }) => tag);
}

/** The texts of a list that is stored as JSON. */
export function listOf(json: JsonList): string[] {
  return json === '[]' ? [] : (JSON.parse(json) as string[]);
}

async function deleteTags(tx: Db, row: NamedProblem): Promise<void> {
  const tags = tagsOf(row).map(({ tag }) => tag);
  await runForMany(tx, 'deleteTags', [row.id], tags, (some) =>
    tx.deleteFrom('problem_tags').where('problem_id', '=', row.id).where('tag', 'in', some),
  );
}

async function deleteKeys(tx: Db, row: NamedProblem): Promise<void> {
  const keys = keysOf(row).map(({ key }) => key);
  await runForMany(tx, 'deleteKeys', [row.source], keys, (some) =>
    tx.deleteFrom('problem_keys').where('source', '=', row.source).where('key', 'in', some),
  );
}

function keysOf({ id, source, source_key, aliases }: NamedProblem) {
  return [source_key, ...listOf(aliases)].map((key) => ({ source, key, problem_id: id }));
}

function tagsOf({ id, tags }: NamedProblem) {
  return [...new Set(listOf(tags))].map((tag) => ({ tag, problem_id: id }));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
