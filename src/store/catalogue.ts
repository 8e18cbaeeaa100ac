/**
 * The catalogue in memory, for each revision of the problems: how many problems each judge and each topic has, and the judge,
 * title, rating and topics of the problems that somebody solved or tries.
 */
import { sql } from 'kysely';
import { runCompiled, runForMany } from './bulk.ts';
import { listOf, type ProblemsTable } from './problems.ts';
import type { Db } from './tables.ts';

export interface Catalogue {
  total: bigint;
  /** Judges and the hundred most frequent topics, those with most problems first. */
  sources: { source: string; count: bigint }[];
  topics: { tag: string; count: bigint }[];
  bySource: ReadonlyMap<string, bigint>;
  byTag: ReadonlyMap<string, bigint>;
}

const topicsAtMost = 100;

interface Kept {
  revision: bigint;
  catalogue: Promise<Catalogue>;
}

/** By the adapter of a database. */
const kept = new WeakMap<object, Kept>();

/** The catalogue of the present revision of the problems. Inside a transaction, whose changes may be taken back, nothing is kept. */
export async function readCatalogue(db: Db): Promise<Catalogue> {
  if (db.isTransaction) return count(db);
  const [row] = await runCompiled<{ revision: bigint }>(db, 'problemsRevision', ['problems'], () =>
    db.selectFrom('revisions').select('revision').where('scope', '=', 'problems'),
  );
  // No row stands for the revision 0.
  const revision = row === undefined ? 0n : row.revision;
  const { adapter } = db.getExecutor();
  const known = kept.get(adapter);
  if (known?.revision === revision) return known.catalogue;
  const made = { revision, catalogue: count(db) };
  kept.set(adapter, made);
  made.catalogue.catch(() => kept.get(adapter) === made && kept.delete(adapter));
  return made.catalogue;
}

async function count(db: Db): Promise<Catalogue> {
  const n = sql<bigint>`count(*)`.as('count');
  // The condition lets SQLite count along an index, which has all rows.
  const sources = await runCompiled<{ source: string; count: bigint }>(db, 'countSources', [], () =>
    db.selectFrom('problems').select(['source', n]).where('is_sample', '>=', sql.lit(0n)).groupBy('source'),
  );
  const topics = await runCompiled<{ tag: string; count: bigint }>(db, 'countTopics', [], () =>
    db.selectFrom('problem_tags').select(['tag', n]).groupBy('tag'),
  );
  sources.sort((one, other) => Number(other.count - one.count) || (one.source < other.source ? -1 : 1));
  topics.sort((one, other) => Number(other.count - one.count) || (one.tag < other.tag ? -1 : 1));
  return {
    total: sources.reduce((sum, { count }) => sum + count, 0n),
    sources,
    topics: topics.slice(0, topicsAtMost),
    bySource: new Map(sources.map(({ source, count }) => [source, count])),
    byTag: new Map(topics.map(({ tag, count }) => [tag, count])),
  };
}

/** A problem as it counts for goals, levels and topics. */
export interface ProblemFacts extends Pick<ProblemsTable, 'source' | 'title' | 'rating'> {
  /** Each once. */
  tags: ReadonlySet<string>;
}

interface KeptFacts {
  revision: bigint;
  byId: Map<bigint, ProblemFacts>;
  /** Many problems have the same topics. */
  tagsOf: Map<string, ReadonlySet<string>>;
}

/** By the adapter of a database. */
const keptFacts = new WeakMap<object, KeptFacts>();

function factsAt(db: Db, revision: bigint): KeptFacts {
  const { adapter } = db.getExecutor();
  const known = db.isTransaction ? undefined : keptFacts.get(adapter);
  if (known?.revision === revision) return known;
  const made: KeptFacts = { revision, byId: new Map(), tagsOf: new Map() };
  if (!db.isTransaction) keptFacts.set(adapter, made);
  return made;
}

/**
 * The facts of these problems and maybe of others. `revision` is that of the problems when the ids were read. Inside a
 * transaction, whose changes may be taken back, nothing is kept.
 */
export async function readProblemFacts(
  db: Db,
  revision: bigint,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, ProblemFacts>> {
  const { byId, tagsOf } = factsAt(db, revision);
  const missing = ids.filter((id) => !byId.has(id));
  type Row = Pick<ProblemsTable, 'id' | 'source' | 'title' | 'rating' | 'tags'>;
  const rows = await runForMany<bigint, Row>(db, 'problemFacts', [], missing, (some) =>
    db.selectFrom('problems').select(['id', 'source', 'title', 'rating', 'tags']).where('id', 'in', some),
  );
  for (const { id, source, title, rating, tags: text } of rows) {
    const tags = tagsOf.get(text) ?? new Set(listOf(text));
    tagsOf.set(text, tags);
    byId.set(id, { source, title, rating, tags });
  }
  return byId;
}
