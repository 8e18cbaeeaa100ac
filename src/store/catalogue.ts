/** The catalogue in memory: judge, rating and topics of every problem, and how many each judge and topic has, for each revision. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { runCompiled } from './bulk.ts';
import { greatestId } from './ids.ts';
import { listOf } from './problem-names.ts';
import type { Db, ProblemsTable } from './tables.ts';

/** A problem as it counts for goals, levels and topics. */
export interface CataloguedProblem {
  source: string;
  rating: bigint | null;
  /** Each once. */
  tags: ReadonlySet<string>;
}

export interface Catalogue {
  problems: ReadonlyMap<bigint, CataloguedProblem>;
  /** How many problems each judge and each topic has. */
  bySource: ReadonlyMap<string, bigint>;
  byTag: ReadonlyMap<string, bigint>;
  facts: CatalogueFacts;
}

/** What all members see of the catalogue: judges and topics with their numbers of problems, the most frequent first. */
export interface CatalogueFacts {
  total: bigint;
  sources: { source: string; count: bigint }[];
  topics: { tag: string; count: bigint }[];
}

const topicsAtMost = 100;
/** So many take a few milliseconds, and other requests go on between them. */
const readAtOnce = 2000;

interface Kept {
  revision: bigint;
  catalogue: Promise<Catalogue>;
}

/** By the adapter of a database. */
const kept = new WeakMap<object, Kept>();

/** The catalogue of the present revision of the problems. Inside a transaction, whose changes may be taken back, nothing is kept. */
export async function readCatalogue(db: Db): Promise<Catalogue> {
  if (db.isTransaction) return build(db);
  const [row] = await runCompiled<{ revision: bigint }>(db, 'problemsRevision', ['problems'], () =>
    db.selectFrom('revisions').select('revision').where('scope', '=', 'problems'),
  );
  const revision = row?.revision ?? 0n;
  const { adapter } = db.getExecutor();
  const known = kept.get(adapter);
  if (known?.revision === revision) return known.catalogue;
  const made = { revision, catalogue: build(db) };
  kept.set(adapter, made);
  made.catalogue.catch(() => kept.get(adapter) === made && kept.delete(adapter));
  return made.catalogue;
}

export async function readCatalogueFacts(db: Db): Promise<CatalogueFacts> {
  return (await readCatalogue(db)).facts;
}

async function build(db: Db): Promise<Catalogue> {
  const problems = new Map<bigint, CataloguedProblem>();
  const [bySource, byTag] = [new Map<string, bigint>(), new Map<string, bigint>()];
  const add = (counts: Map<string, bigint>, name: string) => counts.set(name, (counts.get(name) ?? 0n) + 1n);
  // Many problems have the same topics.
  const lists = new Map<string, ReadonlySet<string>>();
  for await (const rows of portions(db)) {
    for (const { id, source, rating, tags: text } of rows) {
      const tags = lists.get(text) ?? new Set(listOf(text));
      lists.set(text, tags);
      problems.set(id, { source, rating, tags });
      add(bySource, source);
      for (const tag of tags) add(byTag, tag);
    }
  }
  const facts = {
    total: BigInt(problems.size),
    sources: mostFrequent(bySource).map(([source, count]) => ({ source, count })),
    topics: mostFrequent(byTag)
      .slice(0, topicsAtMost)
      .map(([tag, count]) => ({ tag, count })),
  };
  return { problems, bySource, byTag, facts };
}

type Row = Pick<ProblemsTable, 'id' | 'source' | 'rating' | 'tags'>;

async function* portions(db: Db): AsyncGenerator<Row[]> {
  for (let from = -greatestId - 1n; ; ) {
    const rows = await runCompiled<Row>(db, 'catalogue', [from, readAtOnce], () =>
      db
        .selectFrom('problems')
        .select(['id', 'source', 'rating', 'tags'])
        .where('id', '>=', from)
        .orderBy('id')
        .limit(readAtOnce),
    );
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < readAtOnce || last.id === greatestId) return;
    from = last.id + 1n;
    await nextTurn();
  }
}

function mostFrequent(counts: ReadonlyMap<string, bigint>): [name: string, count: bigint][] {
  return [...counts].sort(([one, a], [other, b]) => Number(b - a) || (one < other ? -1 : 1));
}
