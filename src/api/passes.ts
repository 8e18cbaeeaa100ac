/**
 * Passes over a collection that hold up nobody: window by window, with a turn for others in between, until all is looked
 * at or nobody waits for the result any more.
 */
import type { Bound, SortKey, SortValue, Window } from '../store/keyset.ts';
import { type KeyRow, sortKeys } from '../store/sorting.ts';
import type { Db } from '../store/tables.ts';
import { boundsAfter, type ChosenAxis, chooseAxis, nextWindow, paceOf } from '../store/windows.ts';
import type { Collection } from './handlers.ts';

/** How long a window should take. */
export const windowMs = 2;
/** Of the texts in the keys that one pass sorts, in characters. */
export const keyLengthAtMost = 4 * 1024 * 1024;

export interface Walking {
  collection: Collection;
  keys: readonly SortKey[];
  db: Db;
  /** Lets others have their turn, if this work has run for long. Throws where nobody waits for its result any more. */
  pause(): Promise<void>;
}

/** Whether rows in this order are found one after another, without looking at all of them first. */
export function isInOrder({ collection, keys }: Walking): boolean {
  return chooseAxis(collection.axes, keys).isOrder;
}

/** How many rows the collection has. */
export async function countAll(walking: Walking): Promise<bigint> {
  const { collection, keys, db } = walking;
  let count = 0n;
  await eachWindow(walking, chooseAxis(collection.axes, keys), {
    look: (window) => collection.count(db, window),
    take: (more) => {
      count += more;
    },
  });
  return count;
}

/** The sort values of the first rows after the given one. */
export async function firstKeys(
  walking: Walking,
  after: readonly SortValue[] | undefined,
  limit: number,
): Promise<KeyRow[]> {
  const { collection, keys, db } = walking;
  const axis = chooseAxis(collection.axes, keys);
  const found: KeyRow[] = [];
  if (axis.isOrder) {
    await eachWindow(walking, axis, {
      from: after && boundsAfter(axis, after),
      isEnough: () => found.length === limit,
      look: (window) =>
        collection.listKeys(db, { keys, after: undefined, limit: limit - found.length, window }),
      take: (rows) => {
        found.push(...rows);
      },
    });
    return found;
  }
  for (let last = after; ; ) {
    const { rows, isEnd } = await sortedPass(walking, axis, last, limit - found.length);
    found.push(...rows);
    if (isEnd || found.length === limit) return found;
    last = valuesOf(rows.at(-1), keys);
  }
}

export interface Pass {
  rows: KeyRow[];
  /** Of the texts in them, in characters. */
  length: number;
  /** Whether no row comes after these. */
  isEnd: boolean;
}

/** The sort values of the first rows after the given one; fewer than the limit also where their texts are long. */
export async function sortedPass(
  walking: Walking,
  axis: ChosenAxis,
  after: readonly SortValue[] | undefined,
  limit: number,
): Promise<Pass> {
  const { collection, keys, db } = walking;
  const texts = keys.filter(({ field }) => field.kind === 'text').map(({ field }) => field.name);
  const lengthOf = (row: KeyRow) => texts.reduce((sum, name) => sum + String(row[name] ?? '').length, 0);
  const rows: KeyRow[] = [];
  let length = 0;
  let wanted = limit;
  let waiting: KeyRow[] = [];
  const take = () => {
    rows.push(...waiting);
    sortKeys(rows, keys);
    for (const row of waiting) length += lengthOf(row);
    waiting = [];
    while (rows.length > wanted || (length > keyLengthAtMost && rows.length > 1)) {
      length -= lengthOf(rows.pop() as KeyRow);
      wanted = Math.min(wanted, rows.length);
    }
  };
  await eachWindow(walking, axis, {
    look: (window) => {
      const before = rows.length < wanted ? undefined : valuesOf(rows.at(-1), keys);
      return collection.listKeys(db, { keys, after, before, limit: wanted, window });
    },
    take: (found) => {
      waiting.push(...found);
      // A long list is not gone through for a few rows.
      if (waiting.length * 10 > rows.length) take();
    },
  });
  take();
  return { rows, length, isEnd: rows.length < wanted };
}

interface Looking<T> {
  /** Default: from the start of the axis. */
  from?: readonly Bound[] | undefined;
  /** Reads what is wanted of a window; may be called again for the same one. */
  look(window: Window): Promise<T>;
  take(found: T): void;
  /** Whether the windows that follow are not needed; only where a limit bounds what `look` looks at. */
  isEnough?(): boolean;
}

/** Goes over an axis window by window, with pauses. */
async function eachWindow<T>(
  { db, pause }: Walking,
  axis: ChosenAxis,
  { from = [], look, take, isEnough }: Looking<T>,
): Promise<void> {
  const pace = paceOf(windowMs);
  let bounds = from;
  for (;;) {
    await pause();
    const since = performance.now();
    const size = isEnough ? sizeIfLimited(axis, pace.rows(db)) : pace.rows(db);
    const { window, next } = await nextWindow(db, axis, bounds, size);
    take(await look(window));
    pace.took(performance.now() - since);
    if (!next || isEnough?.()) return;
    bounds = next;
  }
}

/** The size of a window of which only the first rows are wanted: where none is filtered out, nothing else bounds the work. */
export function sizeIfLimited({ isWhole, names }: ChosenAxis, size: number): number {
  return isWhole && names.length === 1 ? Number.POSITIVE_INFINITY : size;
}

export function valuesOf(row: KeyRow | undefined, keys: readonly SortKey[]): SortValue[] {
  return keys.map(({ field }) => row?.[field.name] ?? null);
}
