/** Walks over a collection: its rows, some at a time, in the order asked for. */
import type { Row } from '../contract/rows.ts';
import type { Bound, Page, SortValue } from '../store/keyset.ts';
import type { KeyRow } from '../store/sorting.ts';
import { boundsAfter, type ChosenAxis, chooseAxis } from '../store/windows.ts';
import { keyLengthAtMost, type Ordered, sortedPass, valuesOf, windowLooks } from './passes.ts';

/** Keys that are sorted in one pass over a collection: at first, and then while they are short. */
const keysAtFirst = 1000;
const keysPerPass = 20_000;

/** Rows that were read together, in whatever form. */
export interface Batch {
  count: number;
  /** The sort values of the last one, if there is any. */
  lastKeys(): KeyRow | undefined;
}

/** Reads the rows of a page. */
export type Read<B extends Batch> = (page: Page) => Promise<B>;

/** The next rows, perhaps none, and so on until the end; each time at most as many as are wanted then. */
type Walk<B> = AsyncGenerator<B, void>;
type Wanted = () => number;

/** Rows in a batch. */
export function batchOf<R extends Row>(rows: readonly R[]) {
  return { rows, count: rows.length, lastKeys: () => rows.at(-1) };
}

/** All rows after the one with these sort values. */
export function walkRows<B extends Batch>(
  ordered: Ordered,
  read: Read<B>,
  after: readonly SortValue[] | undefined,
  wanted: Wanted,
): Walk<B> {
  const axis = chooseAxis(ordered.collection.axes, ordered.keys);
  const walk = axis.isOrder ? walkAlong : walkSorted;
  return walk(ordered, axis, read, after, wanted);
}

/** The rows that have these ids, as they are by now; those that have gone meanwhile are left out. */
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
  const { collection, keys, db } = ordered;
  const axis = chooseAxis(collection.axes, keys);
  const found: KeyRow[] = [];
  if (axis.isOrder) {
    const readKeys = async (page: Page) => batchOf(await collection.listKeys(db, page));
    for await (const { rows } of walkAlong(ordered, axis, readKeys, after, () => limit - found.length)) {
      found.push(...rows);
      if (found.length === limit) break;
    }
    return found;
  }
  for (let last = after; ; ) {
    const { rows, isEnd } = await sortedPass(ordered, axis, last, limit - found.length);
    found.push(...rows);
    if (isEnd || found.length === limit) return found;
    last = valuesOf(rows.at(-1), keys);
  }
}

/** Along an index that has the order: rows are there as soon as they are found. */
async function* walkAlong<B extends Batch>(
  ordered: Ordered,
  axis: ChosenAxis,
  read: Read<B>,
  after: readonly SortValue[] | undefined,
  wanted: Wanted,
): Walk<B> {
  const { keys } = ordered;
  let limit = 0;
  const look = windowLooks(ordered, axis, (window) => read({ keys, after: undefined, limit, window }), true);
  let left: readonly Bound[] | undefined = after ? boundsAfter(axis, after) : [];
  while (left) {
    limit = wanted();
    const { found, next }: { found: B; next: readonly Bound[] | undefined } = await look(left);
    yield found;
    left = found.count === limit ? boundsAfter(axis, valuesOf(found.lastKeys(), keys)) : next;
  }
}

/** In another order: a pass over all rows sorts the keys of the next ones, whose rows are then fetched. */
async function* walkSorted<B extends Batch>(
  ordered: Ordered,
  axis: ChosenAxis,
  read: Read<B>,
  after: readonly SortValue[] | undefined,
  wanted: Wanted,
): Walk<B> {
  let last = after;
  let limit = keysAtFirst;
  /** One pass, of which only the ids stay: a slow client may keep them for long. */
  const nextIds = async () => {
    const { rows, length, isEnd } = await sortedPass(ordered, axis, last, limit);
    last = isEnd ? undefined : valuesOf(rows.at(-1), ordered.keys);
    // How many keys of that length may be kept.
    const fitting = (rows.length * keyLengthAtMost) / Math.max(length, 1);
    limit = Math.round(Math.min(Math.max(fitting, keysAtFirst), keysPerPass));
    return idsOf(rows, ordered.collection.ties);
  };
  do yield* walkIds(ordered, read, await nextIds(), wanted);
  while (last);
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
