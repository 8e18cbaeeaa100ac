/** Problems by id and key, their changes, and the catalogue of counts. Collections are in `problem-lists.ts`. */
import { randomInt } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import { usedByOthersConditions } from './added-problems.ts';
import { insertMany, preparedForMany, upsertInto } from './bulk.ts';
import { searchColumn } from './case-folding.ts';
import { engineOf } from './engine.ts';
import { itemQuery, type ShownColumn } from './listings.ts';
import { prepared } from './prepared.ts';
import { updateRow, updateRows } from './rows.ts';
import { type Db, emptyRow, type JsonList, type RowOf } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    problems: ProblemsTable;
    /** Includes aliases. A foreign key would need an index that halves the speed of imports. */
    problem_keys: { source: string; key: string; problem_id: bigint };
    problem_tags: { tag: string; problem_id: bigint };
    solved_counts: { problem_id: bigint; solved_by: bigint };
  }
}

export const problemColumnKinds = {
  id: 'integer',
  title: 'text',
  source: 'text',
  source_key: 'text',
  url: 'text?',
  rating: 'integer?',
  tags: 'list',
  aliases: 'list',
  editorial_url: 'text?',
  video_url: 'text?',
  created_at: 'text',
  updated_at: 'text',
} as const;

export interface ProblemsTable extends RowOf<typeof problemColumnKinds> {
  search_text: string;
  is_sample: bigint;
  /** 1 for a problem of private training, which the general list leaves out. */
  is_gym: bigint;
}

/**
 * SQLite reads a partial index only for a statement that repeats its condition, so each spelling chooses other indexes:
 * problems_by_filters, those of orders, or none, where the planner alone would be slower.
 */
export const withoutGyms = {
  filterIndex: sql<SqlBool>`problems.is_gym <= 0`,
  orderIndex: sql<SqlBool>`problems.is_gym < 1`,
  noIndex: sql<SqlBool>`problems.is_gym = 0`,
};
export const isOfGym = sql<SqlBool>`problems.is_gym = 1`;

export type GymRule = (problem: Pick<ProblemsTable, 'source' | 'source_key'>) => boolean;

type IndexedProblem = Pick<ProblemsTable, 'id' | 'source' | 'source_key' | 'aliases' | 'tags'>;

/** Derives the keys in SQL, which costs less than binding each key. */
async function insertKeys(tx: Db, ids: readonly bigint[]): Promise<void> {
  const { elementsOf } = engineOf(tx);
  await sql`
    INSERT INTO problem_keys (source, key, problem_id)
    SELECT source, source_key, id FROM problems WHERE ${isOneOf(tx, ids)}
    UNION ALL
    SELECT problems.source, element.value, problems.id
    FROM problems, ${elementsOf(sql.ref('problems.aliases'))}
    WHERE problems.aliases <> '[]' AND ${isOneOf(tx, ids)}`.execute(tx);
}

async function insertTags(tx: Db, ids: readonly bigint[]): Promise<void> {
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
  // New problems have consecutive ids, and a range costs less than a list.
  if (ids.every((id, index) => id === first + BigInt(index)))
    return sql`problems.id BETWEEN ${first} AND ${ids.at(-1) ?? first - 1n}`;
  const list = sql.val(JSON.stringify(ids.map(String)));
  return sql`problems.id IN (SELECT cast(element.value AS bigint) FROM ${elementsOf(list)})`;
}

const deleteTags = preparedForMany((tx, tags: readonly string[], { id }: { id: bigint }) =>
  tx.deleteFrom('problem_tags').where('problem_id', '=', id).where('tag', 'in', tags),
);
const deleteKeys = preparedForMany((tx, keys: readonly string[], { source }: { source: string }) =>
  tx.deleteFrom('problem_keys').where('source', '=', source).where('key', 'in', keys),
);

/** Expects the row `after` to be stored; without `after`, the keys and tags are deleted. */
async function replaceKeysAndTags(tx: Db, before: IndexedProblem, after?: IndexedProblem): Promise<void> {
  const { id, source } = before;
  if (before.tags !== after?.tags) {
    await deleteTags(tx, listFromJson(before.tags), { id });
    if (after) await insertTags(tx, [id]);
  }
  const keyColumns = ['aliases', 'source', 'source_key'] as const;
  if (keyColumns.some((column) => before[column] !== after?.[column])) {
    const keys = [before.source_key, ...listFromJson(before.aliases)];
    await deleteKeys(tx, keys, { source });
    if (after) await insertKeys(tx, [id]);
  }
}

export async function listTags(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('problem_tags').select('tag').distinct().orderBy('tag').execute();
  return rows.map(({ tag }) => tag);
}

export async function listGymKeys(db: Db, source: string): Promise<string[]> {
  const rows = await gymProblems(db, source).select('source_key').execute();
  return rows.map(({ source_key }) => source_key);
}

export async function hasGymProblems(db: Db, source: string): Promise<boolean> {
  return (await gymProblems(db, source).select('id').limit(1).executeTakeFirst()) !== undefined;
}

function gymProblems(db: Db, source: string) {
  return db.selectFrom('problems').where(isOfGym).where('source', '=', source);
}

export function listFromJson(json: JsonList): string[] {
  return json === '[]' ? [] : (JSON.parse(json) as string[]);
}

export type ProblemRow = Omit<ProblemsTable, 'search_text' | 'is_sample' | 'is_gym'>;

export function emptyProblem(id: bigint, now: string): ProblemRow {
  return { ...emptyRow(problemColumnKinds), id, created_at: now, updated_at: now };
}

export const problemColumns = Object.keys(problemColumnKinds) as (keyof typeof problemColumnKinds)[];

const problemsOf = prepared((db, { id }: { id: bigint }) =>
  db.selectFrom('problems').select(problemColumns).where('id', '=', id),
);

export const findProblem = async (db: Db, id: bigint): Promise<ProblemRow | undefined> =>
  (await problemsOf(db, { id }))[0];

export const problemItem = (columns: readonly ShownColumn[]) =>
  itemQuery(columns, [], (db, { id }: { id: bigint }) => db.selectFrom('problems').where('id', '=', id));

const problemIds = prepared((db, { id }: { id: bigint }) =>
  db.selectFrom('problems').select('id').where('id', '=', id),
);

export const problemExists = async (db: Db, id: bigint) => (await problemIds(db, { id })).length > 0;

export type StoredProblem = ProblemRow & { is_sample: bigint };
export type FlaggedProblem = StoredProblem & { is_gym: bigint };
export type KeyedProblem = StoredProblem & { key: string };

const problemsByKeys = preparedForMany((db, keys: readonly string[], { source }: { source: string }) =>
  db
    .selectFrom('problem_keys')
    .innerJoin('problems', 'problems.id', 'problem_keys.problem_id')
    .select(problemColumns.map((column) => `problems.${column}` as const))
    .select(['problem_keys.key', 'problems.is_sample'])
    .where('problem_keys.source', '=', source)
    .where('problem_keys.key', 'in', keys),
);

export const findProblemsByKeys = (
  db: Db,
  source: string,
  keys: readonly string[],
): Promise<KeyedProblem[]> => problemsByKeys(db, keys, { source });

const problemsByUrls = preparedForMany((db, urls: readonly string[]) =>
  db.selectFrom('problems').select(problemColumns).select('is_sample').where('url', 'in', urls),
);

export function findProblemsByUrls(db: Db, urls: readonly string[]): Promise<StoredProblem[]> {
  const bare = urls.map((url) => url.replace(/\/$/, ''));
  return problemsByUrls(
    db,
    bare.flatMap((url) => [url, `${url}/`]),
  );
}

export async function findIdsByKeys(
  db: Db,
  sources: readonly string[],
  keys: readonly string[],
): Promise<bigint[]> {
  // A garden without problems has no judges either, and PostgreSQL refuses an empty list.
  if (sources.length === 0) return [];
  const matches = db.selectFrom('problem_keys').select('problem_id').distinct();
  const limited = matches.where('source', 'in', sources).where('key', 'in', keys).limit(2);
  return (await limited.execute()).map(({ problem_id }) => problem_id);
}

export const findProblemsByIds = preparedForMany((db, ids: readonly bigint[]) =>
  db
    .selectFrom('problems')
    .select([...problemColumns, 'is_sample', 'is_gym'])
    .where('id', 'in', ids),
);

export async function insertProblems(
  tx: Db,
  rows: readonly ProblemRow[],
  isGym: GymRule,
  isSample = false,
): Promise<void> {
  const is_sample = isSample ? 1n : 0n;
  const stored = rows.map((row) => ({
    ...row,
    search_text: searchText(row),
    is_sample,
    is_gym: isGym(row) ? 1n : 0n,
  }));
  await insertMany(tx, 'problems', stored);
  const ids = rows.map(({ id }) => id);
  await insertKeys(tx, ids);
  await insertTags(tx, ids);
}

/** `isGym` is needed where the key may change. The problem leaves the sample. */
export async function updateProblem(
  tx: Db,
  before: ProblemRow,
  after: ProblemRow,
  isGym?: GymRule,
): Promise<void> {
  const columns = Object.fromEntries(problemColumns.map((column) => [column, after[column]])) as ProblemRow;
  const derived = {
    search_text: searchText(after),
    is_sample: 0n,
    ...(isGym && { is_gym: isGym(after) ? 1n : 0n }),
  };
  await updateRow(tx, 'problems', ['id'], { ...columns, ...derived });
  await replaceKeysAndTags(tx, before, after);
}

const adopt = preparedForMany((tx, ids: readonly bigint[]) =>
  tx.updateTable('problems').set({ is_sample: 0n }).where('id', 'in', ids),
);

/** Takes the problems out of the sample, so that they stay when it is removed. */
export async function adoptProblems(
  tx: Db,
  rows: readonly Pick<ProblemsTable, 'id' | 'is_sample'>[],
): Promise<void> {
  const ids = [...new Set(rows.filter((row) => row.is_sample === 1n).map((row) => row.id))];
  await adopt(tx, ids);
}

/** Lists that have the problem, and marks on it, come in feeds of programs again. */
export const touchProblem = (tx: Db, id: bigint) => updateRows(tx, 'problems', { id }, { is_sample: 0n });

export async function deleteProblem(tx: Db, row: ProblemRow): Promise<void> {
  await touchProblem(tx, row.id);
  await replaceKeysAndTags(tx, row);
  await tx.deleteFrom('problems').where('id', '=', row.id).execute();
}

export async function listUnusedSampleProblems(db: Db): Promise<ProblemRow[]> {
  return db
    .selectFrom('problems')
    .select(problemColumns)
    .where('is_sample', '=', 1n)
    .where((eb) => eb.not(eb.or(usedByOthersConditions(null))))
    .execute();
}

function searchText(row: ProblemRow): string {
  return searchColumn([row.title, row.source_key, ...listFromJson(row.aliases)]);
}

export async function findRandomProblem(
  db: Db,
  source: string,
  isRated: boolean,
): Promise<ProblemRow | undefined> {
  let problems = db
    .selectFrom('problems')
    .where('source', '=', source)
    .where('url', 'is not', null)
    .where(withoutGyms.noIndex);
  if (isRated) problems = problems.where('rating', 'is not', null);
  const { count } = await problems
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow();
  if (count === 0n) return undefined;
  const offset = randomInt(Number(count));
  return problems.select(problemColumns).orderBy('id').limit(1).offset(offset).executeTakeFirst();
}

/* Counts of people who solved a problem. They change every day, so they are in no row that the interface shows. */

const solvedCountsOf = preparedForMany((db, problemIds: readonly bigint[]) =>
  db.selectFrom('solved_counts').selectAll().where('problem_id', 'in', problemIds),
);

export async function findSolvedCounts(db: Db, problemIds: readonly bigint[]): Promise<Map<bigint, bigint>> {
  const rows = await solvedCountsOf(db, problemIds);
  return new Map(rows.map(({ problem_id, solved_by }) => [problem_id, solved_by]));
}

export const upsertSolvedCounts = upsertInto('solved_counts', (insert) =>
  insert.onConflict((conflict) =>
    conflict
      .column('problem_id')
      .doUpdateSet(({ ref }) => ({ solved_by: ref('excluded.solved_by') }))
      .whereRef('solved_counts.solved_by', '<>', 'excluded.solved_by' as 'solved_by'),
  ),
);

/* The catalogue in memory, for each revision of the problems. */

export interface Catalogue {
  total: bigint;
  gyms: ReadonlyMap<string, bigint>;
  sources: { source: string; count: bigint }[];
  topics: { tag: string; count: bigint }[];
  bySource: ReadonlyMap<string, bigint>;
  byTag: ReadonlyMap<string, bigint>;
}

const maxEntries = 100;

interface CachedCatalogue {
  revision: bigint;
  catalogue: Promise<Catalogue>;
}

const catalogues = new WeakMap<object, CachedCatalogue>();

const problemsRevision = prepared((db) =>
  db.selectFrom('revisions').select('revision').where('scope', '=', 'problems'),
);

export async function readProblemsRevision(db: Db): Promise<bigint> {
  const [row] = await problemsRevision(db);
  // No row stands for the revision 0.
  return row === undefined ? 0n : row.revision;
}

/** Caches nothing inside a transaction, which may be rolled back. */
export async function readCatalogue(db: Db): Promise<Catalogue> {
  if (db.isTransaction) return countCatalogue(db);
  const revision = await readProblemsRevision(db);
  const { adapter } = db.getExecutor();
  const cached = catalogues.get(adapter);
  if (cached?.revision === revision) return cached.catalogue;
  const next = { revision, catalogue: countCatalogue(db) };
  catalogues.set(adapter, next);
  next.catalogue.catch(() => catalogues.get(adapter) === next && catalogues.delete(adapter));
  return next.catalogue;
}

const countColumn = sql<bigint>`count(*)`.as('count');
const countSources = prepared((db) =>
  db.selectFrom('problems').select(['source', countColumn]).where(withoutGyms.filterIndex).groupBy('source'),
);
const countGyms = prepared((db) =>
  db.selectFrom('problems').select(['source', countColumn]).where(isOfGym).groupBy('source'),
);
const countTopics = prepared((db) =>
  db.selectFrom('problem_tags').select(['tag', countColumn]).groupBy('tag'),
);

async function countCatalogue(db: Db): Promise<Catalogue> {
  const sources = await countSources(db);
  const gyms = await countGyms(db);
  const tagged = await countTopics(db);
  const gymTopics = gyms.length === 0 ? new Map<string, bigint>() : await countTopicsOfGyms(db);
  const topics = tagged
    .map(({ tag, count }) => ({ tag, count: count - (gymTopics.get(tag) ?? 0n) }))
    .filter(({ count }) => count > 0n);
  sources.sort((one, other) => Number(other.count - one.count) || (one.source < other.source ? -1 : 1));
  topics.sort((one, other) => Number(other.count - one.count) || (one.tag < other.tag ? -1 : 1));
  return {
    total: sources.reduce((sum, { count }) => sum + count, 0n),
    gyms: new Map(gyms.map(({ source, count }) => [source, count])),
    sources: sources.slice(0, maxEntries),
    topics: topics.slice(0, maxEntries),
    bySource: new Map(sources.map(({ source, count }) => [source, count])),
    byTag: new Map(topics.map(({ tag, count }) => [tag, count])),
  };
}

const topicsOfGyms = prepared((db) =>
  db.selectFrom('problems').select('tags').where(isOfGym).where('tags', '<>', '[]'),
);

async function countTopicsOfGyms(db: Db): Promise<ReadonlyMap<string, bigint>> {
  const rows = await topicsOfGyms(db);
  const counts = new Map<string, bigint>();
  for (const tag of rows.flatMap(({ tags }) => [...new Set(listFromJson(tags))]))
    counts.set(tag, (counts.get(tag) ?? 0n) + 1n);
  return counts;
}

export interface ProblemFacts extends Pick<ProblemsTable, 'source' | 'title'> {
  rating: number | null;
  isGym: boolean;
  tags: ReadonlySet<string>;
}

interface FactsCache {
  revision: bigint;
  byId: Map<bigint, ProblemFacts>;
  tagsOf: Map<string, ReadonlySet<string>>;
}

const factsCaches = new WeakMap<object, FactsCache>();

function factsAt(db: Db, revision: bigint): FactsCache {
  const { adapter } = db.getExecutor();
  const cached = db.isTransaction ? undefined : factsCaches.get(adapter);
  if (cached?.revision === revision) return cached;
  const next: FactsCache = { revision, byId: new Map(), tagsOf: new Map() };
  if (!db.isTransaction) factsCaches.set(adapter, next);
  return next;
}

const factsOf = preparedForMany((db, ids: readonly bigint[]) =>
  db
    .selectFrom('problems')
    .select(['id', 'source', 'title', 'rating', 'tags', 'is_gym'])
    .where('id', 'in', ids),
);

/**
 * `revision` is that of the problems when the ids were read. Nothing is cached inside a transaction, which may be rolled back.
 */
export async function readProblemFacts(
  db: Db,
  revision: bigint,
  ids: readonly bigint[],
): Promise<(ProblemFacts | undefined)[]> {
  const { byId, tagsOf } = factsAt(db, revision);
  const facts = ids.map((id) => byId.get(id));
  const missing = ids.filter((_, index) => facts[index] === undefined);
  if (missing.length === 0) return facts;
  const rows = await factsOf(db, missing);
  for (const { id, source, title, rating, tags: text, is_gym } of rows) {
    const tags = tagsOf.get(text) ?? new Set(listFromJson(text));
    tagsOf.set(text, tags);
    const facts = {
      source,
      title,
      rating: rating === null ? null : Number(rating),
      isGym: is_gym === 1n,
      tags,
    };
    byId.set(id, facts);
  }
  return ids.map((id) => byId.get(id));
}

export interface LibraryRow extends Pick<ProblemsTable, 'id' | 'source' | 'source_key' | 'rating' | 'tags'> {
  solved_by: bigint | null;
}

export const listForLibrary = prepared((db, { from, limit }: { from: bigint; limit: number }) =>
  db
    .selectFrom('problems')
    .leftJoin('solved_counts', 'solved_counts.problem_id', 'problems.id')
    .select(['id', 'source', 'source_key', 'rating', 'tags', 'solved_by'])
    .where('id', '>=', from)
    .orderBy('id')
    .limit(limit),
);
