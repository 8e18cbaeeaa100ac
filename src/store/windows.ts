/**
 * Windows: consecutive parts of a collection along an index, sized by the time that the last one took, so that reading one
 * does not hold up other requests.
 */
import { sql } from 'kysely';
import { engineOf } from './engine.ts';
import { greatestId } from './ids.ts';
import {
  type Bound,
  type Query,
  type SortKey,
  type SortValue,
  type WindowColumns,
  within,
} from './keyset.ts';
import type { Db, Tables } from './tables.ts';

export interface Axis {
  /** The fields that sort the index: an id alone, or two that are unique together. */
  names: readonly [string] | readonly [string, string];
  /** The value that the next field of the order has in all rows, where the index is of one member's rows. */
  constant?: bigint | undefined;
  isWhole: boolean;
  /** The lists that the windows bound; a window has at most its size of rows from each. */
  lists: readonly IndexedRows[];
}

export interface IndexedRows {
  rows(db: Db): Query<keyof Tables>;
  columns: WindowColumns;
}

export interface ChosenAxis extends Axis {
  /** Whether rows come in that order along it, or unsorted. */
  isOrder: boolean;
  /** Whether the index is read in descending order of its first field; the second always ascends. */
  isDescending: boolean;
  isTieDescending: boolean;
}

/** The first axis that has the order of the keys; if none has, the first one, along which rows come unsorted. */
export function chooseAxis(axes: readonly [Axis, ...Axis[]], keys: readonly SortKey[]): ChosenAxis {
  for (const axis of axes) {
    const isOrder = axis.names.every((name, place) => {
      const key = keys[place];
      return key?.field.name === name && (place === 0 || !key.isDescending);
    });
    const [isDescending, isTieDescending] = [keys[0]?.isDescending === true, keys[1]?.isDescending === true];
    if (isOrder) return { ...axis, isOrder, isDescending, isTieDescending };
  }
  return { ...axes[0], isOrder: false, isDescending: false, isTieDescending: false };
}

/** The bounds of the rows after the one with these first sort values. */
export function boundsAfter(axis: ChosenAxis, values: readonly SortValue[]): Bound[] {
  const { names, constant, isDescending, isTieDescending } = axis;
  const [name, tieName] = names;
  const [value = null, tie = null] = values;
  if (tieName !== undefined && tie !== null) {
    return [
      { name, is: '=', value },
      { name: tieName, is: '>', value: tie },
    ];
  }
  // A cursor of everyone's rows may stand before the row that this member has for the same problem.
  const isSameNext =
    typeof tie === 'bigint' &&
    constant !== undefined &&
    tie !== constant &&
    tie < constant !== isTieDescending;
  const after = isDescending ? '<' : '>';
  return [{ name, is: isSameNext ? `${after}=` : after, value }];
}

export interface Step {
  window: { bounds: readonly Bound[] };
  /** Undefined if this window is the last. */
  next: readonly Bound[] | undefined;
}

const leastId = -(2n ** 63n);

/** The next window of an axis, of at most `size` rows; `from` are the bounds that `boundsAfter` or the last step returned. */
export async function nextWindow(
  db: Db,
  axis: ChosenAxis,
  from: readonly Bound[],
  size: number,
): Promise<Step> {
  const { names, isDescending } = axis;
  const [name, tieName] = names;
  const [first] = from;
  if (tieName !== undefined && first?.is === '=') {
    const end = await valueAt(db, axis, from, { name: tieName, isDescending: false }, size);
    if (end === undefined) return { window: { bounds: from }, next: boundsAfter(axis, [first.value]) };
    const bounds: Bound[] = [...from, { name: tieName, is: '<=', value: end }];
    return { window: { bounds }, next: boundsAfter(axis, [first.value, end]) };
  }
  const term = { name, isDescending };
  const end = await valueAt(db, axis, from, term, size);
  const [before, upTo, since] = isDescending ? (['>', '>=', '<='] as const) : (['<', '<=', '>='] as const);
  if (tieName === undefined && size !== Number.POSITIVE_INFINITY) {
    // With a bound at both ends SQLite chooses the index of the axis, whatever other conditions the query has.
    const [least, greatest] = isDescending ? [greatestId, leastId] : [leastId, greatestId];
    const start = first ?? { name, is: since, value: least };
    return {
      window: { bounds: [start, { name, is: upTo, value: end ?? greatest }] },
      next: end === undefined ? undefined : boundsAfter(axis, [end]),
    };
  }
  if (end === undefined) return { window: { bounds: from }, next: undefined };
  // Several rows may share the end value. They get windows of their own if nothing is before them.
  const start = await valueAt(db, axis, from, term, 1);
  if (start === end) return nextWindow(db, axis, [{ name, is: '=', value: end }], size);
  return {
    window: { bounds: [...from, { name, is: before, value: end }] },
    next: [{ name, is: since, value: end }],
  };
}

/** The value in the row that ends a window of this size, the nearest of several lists; undefined if fewer rows are left. */
async function valueAt(
  db: Db,
  { lists }: Axis,
  bounds: readonly Bound[],
  { name, isDescending }: { name: string; isDescending: boolean },
  size: number,
): Promise<SortValue | undefined> {
  if (size === Number.POSITIVE_INFINITY) return undefined;
  let nearest: bigint | string | undefined;
  for (const { rows, columns } of lists) {
    const column = sql.ref<bigint | string>(columns[name] ?? '');
    const row = await within(rows(db), { bounds }, columns)
      .select(column.as('value'))
      .orderBy(column, isDescending ? 'desc' : 'asc')
      .limit(1)
      .offset(size - 1)
      .executeTakeFirst();
    if (!row) continue;
    const isNearer = nearest === undefined || (isDescending ? row.value > nearest : row.value < nearest);
    if (isNearer) nearest = row.value;
  }
  return nearest;
}

/** Larger windows would not take less time for each row. */
const rowsAtMost = 8_000;

/** How many rows the next window should have, so that each takes about this long. */
export function paceOf(windowMs: number) {
  let size: number | undefined;
  return {
    /** Infinity stands for the whole collection, on an engine that does not block this process. */
    rows: (db: Db): number => {
      size ??= engineOf(db).windowRows ?? Number.POSITIVE_INFINITY;
      return size;
    },
    took: (ms: number): void => {
      if (size === undefined || size === Number.POSITIVE_INFINITY) return;
      const fitting = Math.min(Math.max(windowMs / Math.max(ms, 0.001), 0.1), 2) * size;
      size = Math.min(Math.max(Math.round(fitting), 1), rowsAtMost);
    },
  };
}
