/** Walks over a collection: its rows, some at a time, in the order asked for. */
import type { Row } from '../contract/rows.ts';
import type { Bound, SortValue } from '../store/keyset.ts';
import type { KeyRow } from '../store/sorting.ts';
import { boundsAfter, type ChosenAxis, chooseAxis, nextWindow, paceOf } from '../store/windows.ts';
import { keyLengthAtMost, sizeIfLimited, sortedPass, valuesOf, type Walking, windowMs } from './passes.ts';

/** Keys that are sorted in one pass over a collection: at first, and then while they are short. */
const keysAtFirst = 1000;
const keysPerPass = 20_000;

export interface Walk {
  /** Up to so many of the next rows, in order; perhaps fewer, or none, before the end. */
  next(rows: number): Promise<readonly Row[]>;
  isEnd(): boolean;
}

/** All rows after the one with these sort values. */
export function walkRows(walking: Walking, after: readonly SortValue[] | undefined): Walk {
  const axis = chooseAxis(walking.collection.axes, walking.keys);
  return axis.isOrder ? walkAlong(walking, axis, after) : walkSorted(walking, axis, after);
}

/** The rows that have these keys, as they are by now; those that have gone meanwhile are left out. */
export function walkKeys(walking: Walking, keyRows: readonly KeyRow[]): Walk {
  const { collection, keys, db, pause } = walking;
  const names = collection.ties;
  const ids = idsOf(keyRows, names);
  let place = 0;
  return {
    isEnd: () => place >= ids.length,
    next: async (rows) => {
      if (place >= ids.length) return [];
      await pause();
      const end = Math.min(place + rows * names.length, ids.length);
      const values: bigint[][] = [];
      for (; place < end; place += names.length) values.push([...ids.subarray(place, place + names.length)]);
      return collection.list(db, {
        keys,
        after: undefined,
        limit: rows,
        window: { names, values: padded(values) },
      });
    },
  };
}

/** Along an index that has the order: rows are there as soon as they are found. */
function walkAlong(
  { collection, keys, db, pause }: Walking,
  axis: ChosenAxis,
  after: readonly SortValue[] | undefined,
): Walk {
  const pace = paceOf(windowMs);
  /** The bounds of what is left; undefined at the end. */
  let left: readonly Bound[] | undefined = after ? boundsAfter(axis, after) : [];
  return {
    isEnd: () => left === undefined,
    next: async (limit) => {
      const rows: Row[] = [];
      while (left && rows.length < limit) {
        await pause();
        const bounds = left;
        const wanted = limit - rows.length;
        const since = performance.now();
        const size = sizeIfLimited(axis, pace.rows(db));
        const { window, next } = await nextWindow(db, axis, bounds, size);
        const found = await collection.list(db, { keys, after: undefined, limit: wanted, window });
        pace.took(performance.now() - since);
        rows.push(...found);
        left = found.length === wanted ? boundsAfter(axis, valuesOf(found.at(-1), keys)) : next;
      }
      return rows;
    },
  };
}

/** In another order: a pass over all rows sorts the keys of the next ones, whose rows are then fetched. */
function walkSorted(walking: Walking, axis: ChosenAxis, after: readonly SortValue[] | undefined): Walk {
  let last = after;
  let isLastPass = false;
  let limit = keysAtFirst;
  let walk = walkKeys(walking, []);
  return {
    isEnd: () => isLastPass && walk.isEnd(),
    next: async (rows) => {
      if (walk.isEnd() && !isLastPass) {
        const pass = await sortedPass(walking, axis, last, limit);
        isLastPass = pass.isEnd;
        last = valuesOf(pass.rows.at(-1), walking.keys);
        // How many keys of that length may be kept.
        const fitting = (pass.rows.length * keyLengthAtMost) / Math.max(pass.length, 1);
        limit = Math.round(Math.min(Math.max(fitting, keysAtFirst), keysPerPass));
        walk = walkKeys(walking, pass.rows);
      }
      return walk.next(rows);
    },
  };
}

/** The ids in rows, one after another: a walk may be held for long, with thousands of them. */
function idsOf(rows: readonly KeyRow[], names: readonly string[]): BigInt64Array {
  const ids = new BigInt64Array(rows.length * names.length);
  let place = 0;
  for (const row of rows) for (const name of names) ids[place++] = row[name] as bigint;
  return ids;
}

/** With the last one repeated, so that there are few different statements. */
function padded(values: bigint[][]): bigint[][] {
  const last = values.at(-1);
  const size = 2 ** Math.ceil(Math.log2(Math.max(values.length, 8)));
  while (last && values.length < size) values.push(last);
  return values;
}
