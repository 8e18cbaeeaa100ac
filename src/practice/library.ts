/**
 * The library: lists that the garden makes of its own catalogue, by the rules of each judge (`shelves` in judges/judge.ts). They are
 * counted once for each revision of the problems and kept in memory; a member who copies one gets an ordinary list.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { hourMs } from '../durations.ts';
import { listCompleted } from '../store/activity.ts';
import { listPlacesBetween } from '../store/contests.ts';
import { greatestId, leastId } from '../store/ids.ts';
import { type LibraryRow, listForLibrary, listFromJson, readProblemsRevision } from '../store/problems.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { limits, makeList } from './lists.ts';

/** How shelves are made of the problems of a judge, as judges/judges.ts says it. */
interface Shelving {
  by: 'topic' | 'hundred' | 'band';
  order: 'catalogue' | 'solved' | 'rating';
  /** How many problems of each a list has; all, where nothing is said. */
  most?: number;
  /** The lowest rating of each band, the lowest first. */
  bands: readonly { from: number }[];
  /** The further shelf of a problem with this place in a contest of this name. */
  ladderOf?: ((contest: string, position: string) => string | undefined) | undefined;
  /** Whether a problem of this key is on no shelf. */
  leavesOut?: ((key: string) => boolean) | undefined;
}

/** By the source of the problems. */
type Shelvings = ReadonlyMap<string, Shelving>;

interface ShelfSection {
  /** A topic; empty for a list of one section. */
  name: string;
  ids: readonly bigint[];
}

export interface Shelf {
  source: string;
  /** In its address; no other of the source has it. */
  key: string;
  about: { all: true } | { topic: string } | { ladder: string } | { from: number; to: number | undefined };
  /** Which part it is of how many, where there are more problems than a list holds. */
  part?: { number: number; of: number };
  sections: readonly ShelfSection[];
  count: number;
}

interface Library {
  shelves: readonly Shelf[];
  /** The shelves of each problem. */
  shelvesOf: ReadonlyMap<bigint, readonly Shelf[]>;
}

interface Kept {
  revision: bigint;
  until: number;
  library: Promise<Library>;
}

/** By the adapter of a database. */
const kept = new WeakMap<object, Kept>();
/** Contests, and how many solved a problem, change without a revision of the problems. */
const keptMs = hourMs;

/** The library of the present revision of the problems. */
export async function readLibrary(db: Db, shelvings: Shelvings, now = Date.now()): Promise<Library> {
  const revision = await readProblemsRevision(db);
  const { adapter } = db.getExecutor();
  const known = kept.get(adapter);
  if (known?.revision === revision && now < known.until) return known.library;
  const made = { revision, until: now + keptMs, library: makeLibrary(db, shelvings) };
  kept.set(adapter, made);
  made.library.catch(() => kept.get(adapter) === made && kept.delete(adapter));
  return made.library;
}

const rowsAtOnce = 500;

/** Problems on their way to a shelf, by their ids; the lowest value comes first, and of equal ones the lowest id. */
interface Placed {
  ids: bigint[];
  values: number[];
}

/** The problems of one judge by topic, or by the lowest rating of a shelf and by ladder. */
type Groups = Map<string | number, Placed>;

async function makeLibrary(db: Db, shelvings: Shelvings): Promise<Library> {
  const bySource = new Map<string, Groups>();
  for (let from: bigint | undefined = leastId; from !== undefined; ) {
    const some: LibraryRow[] = await listForLibrary(db, { from, limit: rowsAtOnce });
    const last = some.length === rowsAtOnce ? (some.at(-1)?.id ?? greatestId) : greatestId;
    const places = Map.groupBy(
      await listPlacesBetween(db, { from, to: last }),
      ({ problem_id }) => problem_id,
    );
    for (const row of some) place(bySource, shelvings.get(row.source), row, places.get(row.id));
    from = last === greatestId ? undefined : last + 1n;
    // Others have their turn after each portion.
    await nextTurn();
  }
  const shelves: Shelf[] = [];
  const shelvesOf = new Map<bigint, Shelf[]>();
  for (const [source, shelving] of shelvings) {
    const groups: Groups = bySource.get(source) ?? new Map();
    for await (const shelf of shelvesOfJudge(source, shelving, groups)) {
      for (const id of shelf.sections.flatMap(({ ids }) => ids)) {
        const some = shelvesOf.get(id);
        if (some) some.push(shelf);
        else shelvesOf.set(id, [shelf]);
      }
      shelves.push(shelf);
      await nextTurn();
    }
  }
  return { shelves, shelvesOf };
}

/** Puts a problem into the groups of its judge. */
function place(
  bySource: Map<string, Groups>,
  shelving: Shelving | undefined,
  row: LibraryRow,
  places: readonly { title: string; position: string }[] = [],
): void {
  const { id, source, source_key, rating, tags } = row;
  if (!shelving || shelving.leavesOut?.(source_key)) return;
  const groups: Groups = bySource.get(source) ?? new Map();
  bySource.set(source, groups);
  const names = shelving.by === 'topic' ? listFromJson(tags) : startsOf(shelving, rating);
  const ladders = places.map(({ title, position }) => shelving.ladderOf?.(title, position));
  for (const name of new Set([...names, ...ladders])) {
    if (name === undefined) continue;
    const group = groups.get(name) ?? { ids: [], values: [] };
    groups.set(name, group);
    group.ids.push(id);
    group.values.push(sortValue(shelving, row));
  }
}

/** The lowest rating of the shelf for this one; none without a rating. */
function startsOf({ by, bands }: Shelving, rating: bigint | null): number[] {
  if (rating === null) return [];
  if (by === 'hundred') return [Math.floor(Number(rating) / 100) * 100];
  return [bands.findLast(({ from }) => rating >= from)?.from ?? bands[0]?.from ?? 0];
}

/** Problems without a rating, or of which nobody counted who solved them, come last. */
function sortValue({ order }: Shelving, { rating, solved_by }: LibraryRow): number {
  if (order === 'catalogue') return 0;
  const value = order === 'rating' ? rating : solved_by === null ? null : -solved_by;
  return value === null ? Number.POSITIVE_INFINITY : Number(value);
}

const places = 2 ** 21;
const largestValue = 2 ** 31;

/** The ids in their order. One number holds the value and the place, since numbers are sorted much faster than objects. */
function inOrder({ ids, values }: Placed, most = ids.length): bigint[] {
  const bounded = (value: number) => Math.max(-largestValue, Math.min(value, largestValue));
  const order = Float64Array.from(values, (value, at) => bounded(value) * places + at).sort();
  return Array.from(order.subarray(0, most), (one) => ids[((one % places) + places) % places] as bigint);
}

/** The shelves of one judge. Others have their turn after each section. */
async function* shelvesOfJudge(source: string, shelving: Shelving, groups: Groups): AsyncGenerator<Shelf> {
  const { by, order, most, bands } = shelving;
  const names = [...groups.keys()];
  // Ladders come after the ratings.
  const isLater = (one: string | number, other: string | number) =>
    typeof one === typeof other ? one > other : typeof one === 'string';
  if (order !== 'catalogue') names.sort((one, other) => (isLater(one, other) ? 1 : -1));
  const sections: ShelfSection[] = [];
  for (const name of names) {
    const placed = groups.get(name) ?? { ids: [], values: [] };
    sections.push({ name: String(name), ids: inOrder(placed, most) });
    await nextTurn();
  }
  const count = sections.reduce((sum, { ids }) => sum + ids.length, 0);
  const isOneList = count <= limits.problems && sections.length > 1 && sections.length <= limits.sections;
  if (order === 'catalogue' && isOneList) yield { source, key: 'all', about: { all: true }, sections, count };
  for (const [at, { ids }] of sections.entries()) {
    const name = names[at] ?? '';
    if (by === 'topic') yield* inParts({ source, key: `topic-${name}`, about: { topic: String(name) } }, ids);
    else if (typeof name === 'string')
      yield* inParts({ source, key: `ladder-${name}`, about: { ladder: name } }, ids);
    else {
      const from = name;
      const band = bands.findIndex((one) => one.from === from);
      const next = by === 'hundred' ? from + 100 : bands[band + 1]?.from;
      const to = next === undefined ? undefined : next - 1;
      yield* inParts({ source, key: `from-${from}`, about: { from, to } }, ids);
    }
  }
}

/** One shelf, or several of the same size where a list holds fewer problems. */
function inParts(shelf: Pick<Shelf, 'source' | 'key' | 'about'>, ids: readonly bigint[]): Shelf[] {
  const of = Math.ceil(ids.length / limits.problems);
  const size = Math.ceil(ids.length / of);
  return Array.from({ length: of }, (_, at) => {
    const some = ids.slice(at * size, (at + 1) * size);
    const part = of > 1 ? { key: `${at + 1}-${shelf.key}`, part: { number: at + 1, of } } : {};
    return { ...shelf, ...part, sections: [{ name: '', ids: some }], count: some.length };
  });
}

/** How many problems of each shelf a member solved; a shelf of which they solved none is left out. */
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

/** Makes an ordinary list of a shelf. Throws badSetting. */
export const copyShelf = inTransaction((tx: Db, ownerId: bigint, { sections }: Shelf, name: string) => {
  const content = sections.map(({ name, ids }) => ({
    name: sections.length > 1 ? name : '',
    items: ids.map((problem) => ({ problem })),
  }));
  return makeList(tx, { ownerId, name, content });
});
