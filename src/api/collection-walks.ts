/** Walks over a collection in the order asked for: window by window, with a pause between two, so that no request is held up. */
import type { Row } from '../contract/rows.ts';
import type { Bound, Page, SortKey, SortValue, Window } from '../store/keyset.ts';
import type { Listing } from '../store/listings.ts';
import { type KeyRow, sortKeys } from '../store/sorting.ts';
import type { Db } from '../store/tables.ts';
import { boundsAfter, type ChosenAxis, nextWindow, paceOf } from '../store/windows.ts';
import type { Collection } from './handlers.ts';
import type { Pause } from './shared-bodies.ts';

const windowMs = 2;
/** Keys that one pass over a collection sorts: at first, then while they are short. The length is in characters. */
const keysAtFirst = 1000;
const keysPerPass = 20_000;
const keyLengthAtMost = 4 * 1024 * 1024;

export interface Ordered {
  collection: Collection & Listing<Row>;
  keys: readonly SortKey[];
  axis: ChosenAxis;
  db: Db;
  pause: Pause;
}

/** Rows that were read together, in whatever form. */
export interface Batch {
  count: number;
  lastKeys(): KeyRow | undefined;
}

export type Read<B extends Batch> = (page: Page) => Promise<B>;

/** Yields the next rows, perhaps none, at most as many as are wanted at that time. */
type Walk<B> = AsyncGenerator<B, void>;
type Wanted = () => number;

/** How rows are read, after which sort values a walk begins, and how many are wanted. */
interface Course<B extends Batch> {
  read: Read<B>;
  after: readonly SortValue[] | undefined;
  wanted: Wanted;
}

export async function countAll(ordered: Ordered): Promise<bigint> {
  const look = windowLooks(ordered, (window) => ordered.collection.count(ordered.db, window));
  let count = 0n;
  for (let left: readonly Bound[] | undefined = []; left; ) {
    const { found, next } = await look(left);
    count += found;
    left = next;
  }
  return count;
}

export function walkRows<B extends Batch>(ordered: Ordered, course: Course<B>): Walk<B> {
  return (ordered.axis.isOrder ? walkAlong : walkSorted)(ordered, course);
}

/** The rows with these ids as they are by now, without those that have gone meanwhile. */
export async function* walkIds<B extends Batch>(
  { collection, keys, pause }: Ordered,
  read: Read<B>,
  ids: BigInt64Array,
  wanted: Wanted,
): Walk<B> {
  const names = collection.ties;
  for (let place = 0; place < ids.length; ) {
    await pause();
    const limit = wanted();
    const end = Math.min(place + limit * names.length, ids.length);
    const values: bigint[][] = [];
    for (; place < end; place += names.length) values.push([...ids.subarray(place, place + names.length)]);
    yield await read({ keys, after: undefined, limit, window: { names, values: padded(values) } });
  }
}

/** The sort values of the first rows after the given one. */
export async function firstKeys(
  ordered: Ordered,
  after: readonly SortValue[] | undefined,
  limit: number,
): Promise<KeyRow[]> {
  const { collection, keys, axis, db } = ordered;
  const found: KeyRow[] = [];
  if (axis.isOrder) {
    const read = async (page: Page) => {
      const rows = await collection.listKeys(db, page);
      return { rows, count: rows.length, lastKeys: () => rows.at(-1) };
    };
    const walk = walkAlong(ordered, { read, after, wanted: () => limit - found.length });
    for await (const { rows } of walk) {
      found.push(...rows);
      if (found.length === limit) break;
    }
    return found;
  }
  for (let last = after; ; ) {
    const { rows, isEnd } = await sortedPass(ordered, last, limit - found.length);
    found.push(...rows);
    if (isEnd || found.length === limit) return found;
    last = valuesOf(rows.at(-1), keys);
  }
}

/** Along an index that has the order: rows are there as soon as they are found. */
async function* walkAlong<B extends Batch>(ordered: Ordered, { read, after, wanted }: Course<B>): Walk<B> {
  const { keys, axis } = ordered;
  let limit = 0;
  const look = windowLooks(ordered, (window) => read({ keys, after: undefined, limit, window }), true);
  let left: readonly Bound[] | undefined = after ? boundsAfter(axis, after) : [];
  while (left) {
    limit = wanted();
    const { found, next }: { found: B; next: readonly Bound[] | undefined } = await look(left);
    yield found;
    left = found.count === limit ? boundsAfter(axis, valuesOf(found.lastKeys(), keys)) : next;
  }
}

/** In another order: a pass over all rows sorts the keys of the next ones, whose rows are then fetched. */
async function* walkSorted<B extends Batch>(ordered: Ordered, { read, after, wanted }: Course<B>): Walk<B> {
  let last = after;
  let limit = keysAtFirst;
  /** One pass, of which only the ids stay: a slow client may keep them for long. */
  const nextIds = async () => {
    const { rows, length, isEnd } = await sortedPass(ordered, last, limit);
    last = isEnd ? undefined : valuesOf(rows.at(-1), ordered.keys);
    const fitting = (rows.length * keyLengthAtMost) / Math.max(length, 1);
    limit = Math.round(Math.min(Math.max(fitting, keysAtFirst), keysPerPass));
    return idsOf(rows, ordered.collection.ties);
  };
  do yield* walkIds(ordered, read, await nextIds(), wanted);
  while (last);
}

/** The sort values of the first rows after the given one; fewer than the limit also if their texts are long. */
async function sortedPass(ordered: Ordered, after: readonly SortValue[] | undefined, limit: number) {
  const { collection, keys, db } = ordered;
  const texts = keys.filter(({ field }) => field.kind === 'text').map(({ field }) => field.name);
  const lengthOf = (row: KeyRow) => texts.reduce((sum, name) => sum + String(row[name] ?? '').length, 0);
  const rows: KeyRow[] = [];
  let length = 0;
  let wanted = limit;
  let waiting: KeyRow[] = [];
  const sortIn = () => {
    rows.push(...waiting);
    sortKeys(rows, keys);
    for (const row of waiting) length += lengthOf(row);
    waiting = [];
    while (rows.length > wanted || (length > keyLengthAtMost && rows.length > 1)) {
      length -= lengthOf(rows.pop() as KeyRow);
      wanted = Math.min(wanted, rows.length);
    }
  };
  const look = windowLooks(ordered, (window) => {
    const before = rows.length < wanted ? undefined : valuesOf(rows.at(-1), keys);
    return collection.listKeys(db, { keys, after, before, limit: wanted, window });
  });
  for (let left: readonly Bound[] | undefined = []; left; ) {
    const { found, next } = await look(left);
    waiting.push(...found);
    // A long list is not sorted anew for a few rows.
    if (waiting.length * 10 > rows.length) sortIn();
    left = next;
  }
  sortIn();
  return { rows, length, isEnd: rows.length < wanted };
}

/** Each window is so large that a look takes about `windowMs`. A limited look needs no end if no row is filtered out. */
function windowLooks<T>(
  { db, axis, pause }: Ordered,
  look: (window: Window) => Promise<T>,
  isLimited = false,
): (bounds: readonly Bound[]) => Promise<{ found: T; next: readonly Bound[] | undefined }> {
  const pace = paceOf(windowMs);
  const isEndless = isLimited && axis.isWhole && axis.names.length === 1;
  return async (bounds) => {
    await pause();
    const since = performance.now();
    const size = isEndless ? Number.POSITIVE_INFINITY : pace.rows(db);
    const { window, next } = await nextWindow(db, axis, bounds, size);
    const found = await look(window);
    pace.took(performance.now() - since);
    return { found, next };
  };
}

function valuesOf(row: KeyRow | undefined, keys: readonly SortKey[]): SortValue[] {
  return keys.map(({ field }) => row?.[field.name] ?? null);
}

/** The ids in rows, one after another. */
export function idsOf(rows: readonly KeyRow[], names: readonly string[]): BigInt64Array {
  return BigInt64Array.from(rows.flatMap((row) => names.map((name) => row[name] as bigint)));
}

/** With the last one repeated, so that there are few different statements. */
function padded(values: bigint[][]): bigint[][] {
  const last = values.at(-1);
  const size = 2 ** Math.ceil(Math.log2(Math.max(values.length, 8)));
  while (last && values.length < size) values.push(last);
  return values;
}
