/**
 * How many problems there are of each judge and of each topic. Every list shows these numbers, so they are kept in a table of
 * their own and changed with the problems: to read them costs the same for any number of problems.
 */
import { sql } from 'kysely';
import { insertMany, runCompiled } from './bulk.ts';
import { listOf } from './problem-names.ts';
import type { Db, ProblemsTable, Tables } from './tables.ts';

type CountedProblem = Pick<ProblemsTable, 'source' | 'tags'>;
type Count = Tables['problem_counts'];

/** What all members see of the catalogue: judges and topics with their numbers of problems, the most frequent first. */
export interface CatalogueFacts {
  total: bigint;
  sources: { source: string; count: bigint }[];
  topics: { tag: string; count: bigint }[];
}

const topicsAtMost = 100n;

/** Adds these problems to the counts, or takes them away. */
export async function countIn(tx: Db, rows: readonly CountedProblem[], by: 1 | -1): Promise<void> {
  const sources = new Map<string, number>();
  const tags = new Map<string, number>();
  const add = (counts: Map<string, number>, name: string, count: number) =>
    counts.set(name, (counts.get(name) ?? 0) + count);
  const lists = new Map<string, number>();
  for (const row of rows) {
    add(sources, row.source, by);
    add(lists, row.tags, by);
  }
  // Many problems have the same topics.
  for (const [list, count] of lists) for (const tag of new Set(listOf(list))) add(tags, tag, count);
  const counts: Count[] = [
    ...Array.from(sources, ([name, count]) => ({ kind: 'source' as const, name, count: BigInt(count) })),
    ...Array.from(tags, ([name, count]) => ({ kind: 'tag' as const, name, count: BigInt(count) })),
  ];
  await insertMany(tx, 'problem_counts', counts, (insert) =>
    insert.onConflict((conflict) =>
      conflict.columns(['kind', 'name']).doUpdateSet({ count: sql`problem_counts.count + excluded.count` }),
    ),
  );
  if (by < 0) await tx.deleteFrom('problem_counts').where('count', '=', 0n).execute();
}

/** The same for a problem whose row changed. */
export async function countAnew(tx: Db, before: CountedProblem, after: CountedProblem): Promise<void> {
  if (before.source === after.source && before.tags === after.tags) return;
  await countIn(tx, [after], 1);
  await countIn(tx, [before], -1);
}

export async function readCatalogueFacts(db: Db): Promise<CatalogueFacts> {
  const counts = (kind: Count['kind'], limit: bigint) =>
    runCompiled<Count>(db, 'problemCounts', [kind, limit], () =>
      db
        .selectFrom('problem_counts')
        .selectAll()
        .where('kind', '=', kind)
        .orderBy('count', 'desc')
        .orderBy('name')
        .limit(limit),
    );
  const sources = await counts('source', 1_000_000n);
  const tags = await counts('tag', topicsAtMost);
  return {
    total: sources.reduce((sum, { count }) => sum + count, 0n),
    sources: sources.map(({ name, count }) => ({ source: name, count })),
    topics: tags.map(({ name, count }) => ({ tag: name, count })),
  };
}

/** How many problems a judge or a topic has. */
export async function countOf(db: Db, kind: Count['kind'], name: string): Promise<bigint> {
  const [row] = await runCompiled<Pick<Count, 'count'>>(db, 'problemCount', [kind, name], () =>
    db.selectFrom('problem_counts').select('count').where('kind', '=', kind).where('name', '=', name),
  );
  return row?.count ?? 0n;
}

export async function countAll(db: Db): Promise<bigint> {
  const [row] = await runCompiled<{ count: bigint }>(db, 'problemTotal', ['source'], () =>
    db
      .selectFrom('problem_counts')
      .select(sql<bigint>`cast(coalesce(sum(count), 0) as bigint)`.as('count'))
      .where('kind', '=', 'source'),
  );
  return row?.count ?? 0n;
}
