/**
 * Looks over a collection that hold up no other request: window by window, with a turn for others in between, until all is looked at or
 * nobody waits for the result any more.
 */
import type { Bound, SortKey, SortValue, Window } from '../store/keyset.ts';
import { type KeyRow, sortKeys } from '../store/sorting.ts';
import type { Db } from '../store/tables.ts';
import { type ChosenAxis, chooseAxis, nextWindow, paceOf } from '../store/windows.ts';
import type { Collection } from './handlers.ts';
import type { Pause } from './shared-bodies.ts';

/** How long a window should take. */
const windowMs = 2;
/** Of the texts in the keys that one pass sorts, in characters. */
export const keyLengthAtMost = 4 * 1024 * 1024;

/** A collection in an order, and what reading it needs. */
export interface Ordered {
  collection: Collection;
  keys: readonly SortKey[];
  db: Db;
  pause: Pause;
}

/** Whether rows in this order are found one after another, without looking at all of them first. */
export function isInOrder({ collection, keys }: Ordered): boolean {
  return chooseAxis(collection.axes, keys).isOrder;
}

/**
 * Looks at one window after another, each so large that a look takes about `windowMs`; answers what the look found, and the
 * bounds of the windows that follow. A look at only the first rows of a window is limited by them where no row is filtered
 * out, so such a window has no end.
 */
export function windowLooks<T>(
  { db, pause }: Ordered,
  axis: ChosenAxis,
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

/** How many rows the collection has. */
export async function countAll(ordered: Ordered): Promise<bigint> {
  const { collection, keys, db } = ordered;
  const axis = chooseAxis(collection.axes, keys);
  const look = windowLooks(ordered, axis, (window) => collection.count(db, window));
  let count = 0n;
  for (let left: readonly Bound[] | undefined = []; left; ) {
    const { found, next } = await look(left);
    count += found;
    left = next;
  }
  return count;
}

interface Pass {
  rows: KeyRow[];
  /** Of the texts in them, in characters. */
  length: number;
  /** Whether no row comes after these. */
  isEnd: boolean;
}

/** The sort values of the first rows after the given one; fewer than the limit also where their texts are long. */
export async function sortedPass(
  ordered: Ordered,
  axis: ChosenAxis,
  after: readonly SortValue[] | undefined,
  limit: number,
): Promise<Pass> {
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
  const look = windowLooks(ordered, axis, (window) => {
    const before = rows.length < wanted ? undefined : valuesOf(rows.at(-1), keys);
    return collection.listKeys(db, { keys, after, before, limit: wanted, window });
  });
  for (let left: readonly Bound[] | undefined = []; left; ) {
    const { found, next } = await look(left);
    waiting.push(...found);
    // A long list is not gone through for a few rows.
    if (waiting.length * 10 > rows.length) sortIn();
    left = next;
  }
  sortIn();
  return { rows, length, isEnd: rows.length < wanted };
}

export function valuesOf(row: KeyRow | undefined, keys: readonly SortKey[]): SortValue[] {
  return keys.map(({ field }) => row?.[field.name] ?? null);
}
