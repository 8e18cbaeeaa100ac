/**
 * The library: lists made from the catalogue by the rules of each judge (`libraryRules` in judges/judge.ts), once for each
 * revision of the problems. A member who copies one gets an ordinary list.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { hourMs } from '../durations.ts';
import { listCompleted } from '../store/activity.ts';
import { listContestPositions } from '../store/contests.ts';
import { greatestId, leastId } from '../store/ids.ts';
import { type LibraryRow, listForLibrary, listFromJson, readProblemsRevision } from '../store/problems.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { limits, makeList } from './lists.ts';

interface LibraryRules {
  by: 'topic' | 'hundred' | 'band';
  order: 'catalogue' | 'solved' | 'rating';
  most?: number;
  bands: readonly { from: number }[];
  ladderOf?: ((contest: string, position: string) => string | undefined) | undefined;
  leavesOut?: ((key: string) => boolean) | undefined;
}

type LibraryRulesBySource = ReadonlyMap<string, LibraryRules>;

interface ShelfSection {
  name: string;
  ids: readonly bigint[];
}

export interface Shelf {
  source: string;
  key: string;
  subject: { all: true } | { topic: string } | { ladder: string } | { from: number; to: number | undefined };
  part?: { number: number; of: number };
  sections: readonly ShelfSection[];
  count: number;
}

interface Library {
  shelves: readonly Shelf[];
  shelvesOf: ReadonlyMap<bigint, readonly Shelf[]>;
}

interface CachedLibrary {
  revision: bigint;
  until: number;
  library: Promise<Library>;
}

const libraryCache = new WeakMap<object, CachedLibrary>();
/** Contests, and counts of solvers, change without a revision of the problems. */
const cacheMs = hourMs;

export async function readLibrary(
  db: Db,
  rulesBySource: LibraryRulesBySource,
  now = Date.now(),
): Promise<Library> {
  const revision = await readProblemsRevision(db);
  const { adapter } = db.getExecutor();
  const cached = libraryCache.get(adapter);
  if (cached?.revision === revision && now < cached.until) return cached.library;
  const entry = { revision, until: now + cacheMs, library: makeLibrary(db, rulesBySource) };
  libraryCache.set(adapter, entry);
  entry.library.catch(() => libraryCache.get(adapter) === entry && libraryCache.delete(adapter));
  return entry.library;
}

const batchSize = 500;

/** The lowest value comes first, and of equal ones the lowest id. */
interface Ranking {
  ids: bigint[];
  values: number[];
}

type Groups = Map<string | number, Ranking>;

async function makeLibrary(db: Db, rulesBySource: LibraryRulesBySource): Promise<Library> {
  const bySource = new Map<string, Groups>();
  for (let from: bigint | undefined = leastId; from !== undefined; ) {
    const batch: LibraryRow[] = await listForLibrary(db, { from, limit: batchSize });
    const last = batch.length === batchSize ? (batch.at(-1)?.id ?? greatestId) : greatestId;
    const places = Map.groupBy(
      await listContestPositions(db, { from, to: last }),
      ({ problem_id }) => problem_id,
    );
    for (const row of batch) addToGroups(bySource, rulesBySource.get(row.source), row, places.get(row.id));
    from = last === greatestId ? undefined : last + 1n;
    await nextTurn();
  }
  const shelves: Shelf[] = [];
  const shelvesOf = new Map<bigint, Shelf[]>();
  for (const [source, rules] of rulesBySource) {
    const groups: Groups = bySource.get(source) ?? new Map();
    for await (const shelf of shelvesOfJudge(source, rules, groups)) {
      for (const id of shelf.sections.flatMap(({ ids }) => ids)) {
        const shelvesOfProblem = shelvesOf.get(id);
        if (shelvesOfProblem) shelvesOfProblem.push(shelf);
        else shelvesOf.set(id, [shelf]);
      }
      shelves.push(shelf);
      await nextTurn();
    }
  }
  return { shelves, shelvesOf };
}

function addToGroups(
  bySource: Map<string, Groups>,
  rules: LibraryRules | undefined,
  row: LibraryRow,
  positions: readonly { title: string; position: string }[] = [],
): void {
  const { id, source, source_key, rating, tags } = row;
  if (!rules || rules.leavesOut?.(source_key)) return;
  const groups: Groups = bySource.get(source) ?? new Map();
  bySource.set(source, groups);
  const names = rules.by === 'topic' ? listFromJson(tags) : bandStartsOf(rules, rating);
  const ladders = positions.map(({ title, position }) => rules.ladderOf?.(title, position));
  for (const name of new Set([...names, ...ladders])) {
    if (name === undefined) continue;
    const group = groups.get(name) ?? { ids: [], values: [] };
    groups.set(name, group);
    group.ids.push(id);
    group.values.push(sortValueOf(rules, row));
  }
}

function bandStartsOf({ by, bands }: LibraryRules, rating: bigint | null): number[] {
  if (rating === null) return [];
  if (by === 'hundred') return [Math.floor(Number(rating) / 100) * 100];
  return [bands.findLast(({ from }) => rating >= from)?.from ?? bands[0]?.from ?? 0];
}

function sortValueOf({ order }: LibraryRules, { rating, solved_by }: LibraryRow): number {
  if (order === 'catalogue') return 0;
  const value = order === 'rating' ? rating : solved_by === null ? null : -solved_by;
  return value === null ? Number.POSITIVE_INFINITY : Number(value);
}

const positionsAtMost = 2 ** 21;
const largestValue = 2 ** 31;

/** One number holds the value and the position, because numbers are sorted much faster than objects. */
function sortIds({ ids, values }: Ranking, idsAtMost = ids.length): bigint[] {
  const bounded = (value: number) => Math.max(-largestValue, Math.min(value, largestValue));
  const order = Float64Array.from(values, (value, index) => bounded(value) * positionsAtMost + index).sort();
  return Array.from(
    order.subarray(0, idsAtMost),
    (one) => ids[((one % positionsAtMost) + positionsAtMost) % positionsAtMost] as bigint,
  );
}

async function* shelvesOfJudge(source: string, rules: LibraryRules, groups: Groups): AsyncGenerator<Shelf> {
  const { by, order, most, bands } = rules;
  const groupNames = [...groups.keys()];
  const isLater = (one: string | number, other: string | number) =>
    typeof one === typeof other ? one > other : typeof one === 'string';
  if (order !== 'catalogue') groupNames.sort((one, other) => (isLater(one, other) ? 1 : -1));
  const sections: ShelfSection[] = [];
  for (const name of groupNames) {
    const group = groups.get(name) ?? { ids: [], values: [] };
    sections.push({ name: String(name), ids: sortIds(group, most) });
    await nextTurn();
  }
  const count = sections.reduce((sum, { ids }) => sum + ids.length, 0);
  const fitsOneList = count <= limits.problems && sections.length > 1 && sections.length <= limits.sections;
  if (order === 'catalogue' && fitsOneList)
    yield { source, key: 'all', subject: { all: true }, sections, count };
  for (const [index, { ids }] of sections.entries()) {
    const name = groupNames[index] ?? '';
    if (by === 'topic')
      yield* splitIntoParts({ source, key: `topic-${name}`, subject: { topic: String(name) } }, ids);
    else if (typeof name === 'string')
      yield* splitIntoParts({ source, key: `ladder-${name}`, subject: { ladder: name } }, ids);
    else {
      const from = name;
      const band = bands.findIndex((one) => one.from === from);
      const next = by === 'hundred' ? from + 100 : bands[band + 1]?.from;
      const to = next === undefined ? undefined : next - 1;
      yield* splitIntoParts({ source, key: `from-${from}`, subject: { from, to } }, ids);
    }
  }
}

function splitIntoParts(shelf: Pick<Shelf, 'source' | 'key' | 'subject'>, ids: readonly bigint[]): Shelf[] {
  const partCount = Math.ceil(ids.length / limits.problems);
  const size = Math.ceil(ids.length / partCount);
  return Array.from({ length: partCount }, (_, index) => {
    const idsOfPart = ids.slice(index * size, (index + 1) * size);
    const part =
      partCount > 1 ? { key: `${index + 1}-${shelf.key}`, part: { number: index + 1, of: partCount } } : {};
    return { ...shelf, ...part, sections: [{ name: '', ids: idsOfPart }], count: idsOfPart.length };
  });
}

export async function countSolvedOnShelves(
  db: Db,
  { shelvesOf }: Library,
  memberId: bigint,
): Promise<ReadonlyMap<Shelf, number>> {
  const counts = new Map<Shelf, number>();
  for (const { problem_id } of await listCompleted(db, memberId))
    for (const shelf of shelvesOf.get(problem_id) ?? []) counts.set(shelf, (counts.get(shelf) ?? 0) + 1);
  return counts;
}

/** Throws invalidValue. */
export const copyShelf = inTransaction((tx: Db, ownerId: bigint, { sections }: Shelf, name: string) => {
  const content = sections.map(({ name, ids }) => ({
    name: sections.length > 1 ? name : '',
    items: ids.map((problem) => ({ problem })),
  }));
  return makeList(tx, { ownerId, name, content });
});
