/** The keys and tags of problems, derived from the problem's row and written with it. */
import { sql } from 'kysely';
import { runForMany } from './bulk.ts';
import { engineOf } from './engine.ts';
import type { Db, JsonList, ProblemsTable } from './tables.ts';

type NamedProblem = Pick<ProblemsTable, 'id' | 'source' | 'source_key' | 'aliases' | 'tags'>;

/** Writes the keys of these problems from their rows, which costs less than binding each key. */
export async function insertKeys(tx: Db, ids: readonly bigint[]): Promise<void> {
  const { elementsOf } = engineOf(tx);
  await sql`
    INSERT INTO problem_keys (source, key, problem_id)
    SELECT source, source_key, id FROM problems WHERE ${isOneOf(tx, ids)}
    UNION ALL
    SELECT problems.source, element.value, problems.id
    FROM problems, ${elementsOf(sql.ref('problems.aliases'))}
    WHERE problems.aliases <> '[]' AND ${isOneOf(tx, ids)}`.execute(tx);
}

/** The same for their tags. */
export async function insertTags(tx: Db, ids: readonly bigint[]): Promise<void> {
  const { elementsOf } = engineOf(tx);
  await sql`
    INSERT INTO problem_tags (tag, problem_id)
    SELECT element.value, problems.id
    FROM problems, ${elementsOf(sql.ref('problems.tags'))}
    WHERE ${isOneOf(tx, ids)}
    ON CONFLICT DO NOTHING`.execute(tx);
}

function isOneOf(tx: Db, ids: readonly bigint[]) {
  const { elementsOf } = engineOf(tx);
  const [first = 0n] = ids;
  // New problems have ids in a row, and a range costs less than a list.
  if (ids.every((id, at) => id === first + BigInt(at)))
    return sql`problems.id BETWEEN ${first} AND ${ids.at(-1) ?? first - 1n}`;
  const list = sql.val(JSON.stringify(ids.map(String)));
  return sql`problems.id IN (SELECT cast(element.value AS bigint) FROM ${elementsOf(list)})`;
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
    const keys = [before.source_key, ...listOf(before.aliases)];
    await runForMany(tx, 'deleteKeys', [source], keys, (some) =>
      tx.deleteFrom('problem_keys').where('source', '=', source).where('key', 'in', some),
    );
    if (after) await insertKeys(tx, [id]);
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
