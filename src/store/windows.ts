/**
 * Windows: consecutive parts of a collection along an index, small enough that reading one does not hold up other requests. The
 * size of a window follows from the time that the last one took, so wide rows need no rule of their own.
 */
import { type SelectQueryBuilder, sql } from 'kysely';
import { engineOf } from './engine.ts';
import {
  type Bound,
  type SortKey,
  type SortValue,
  type Window,
  type WindowColumns,
  within,
} from './keyset.ts';
import type { Db } from './tables.ts';

/** An index along which windows are cut. */
export interface Axis {
  /** The one or two fields that sort the index and together are unique. */
  names: readonly [string] | readonly [string, string];
  /** Whether the collection contains every row of the index. */
  isWhole: boolean;
  /** Whether the index is read in descending order of its first field; the second always ascends. */
  isDescending: boolean;
  /** The lists that the windows bound; a window has at most its size of rows from each. */
  lists: readonly Probe[];
}

/** Returns the value of a field in the row at this offset from the first row within the bounds. */
export type Probe = (
  db: Db,
  bounds: readonly Bound[],
  term: { name: string; isDescending: boolean },
  offset: number,
) => Promise<SortValue | undefined>;

/** A probe that counts off the rows of a query along an index; `columns` are the index's columns. */
export function along<DB, TB extends keyof DB>(
  build: (db: Db) => SelectQueryBuilder<DB, TB, Record<never, never>>,
  columns: WindowColumns,
): Probe {
  return async (db, bounds, { name, isDescending }, offset) => {
    const column = sql.ref<SortValue>(columns[name] ?? '');
    const rows: unknown = await within(build(db), { bounds }, columns)
      .select(column.as('value'))
      .orderBy(isDescending ? sql`${column} desc` : column)
      .limit(1)
      .offset(offset)
      .execute();
    return (rows as { value: SortValue }[])[0]?.value;
  };
}

/** The axis for an order. `isOrder` says whether rows come in that order along it, or unsorted. */
export interface ChosenAxis extends Axis {
  isOrder: boolean;
}

/** The first axis that has the order of the keys; if none has, the first one, along which rows come unsorted. */
export function chooseAxis(axes: readonly [Axis, ...Axis[]], keys: readonly SortKey[]): ChosenAxis {
  for (const axis of axes) {
    const isOrder = axis.names.every((name, place) => {
      const key = keys[place];
      return key?.field.name === name && (place === 0 || !key.isDescending);
    });
    if (isOrder) return { ...axis, isOrder, isDescending: keys[0]?.isDescending === true };
  }
  return { ...axes[0], isOrder: false };
}

/**
 * Where the rest of an axis begins: after a value of its first field (or at it), or among the rows with that value after a value
 * of the second field. Undefined stands for the start.
 */
export type Position =
  | { from: SortValue; isPassed: boolean }
  | { at: SortValue; tie: SortValue | undefined }
  | undefined;

/** The position after the row with these first sort values. */
export function positionAfter({ names }: Axis, [first = null, second]: readonly SortValue[]): Position {
  if (names.length === 1 || second === undefined) return { from: first, isPassed: true };
  return { at: first, tie: second };
}

export interface Step {
  window: Window;
  /** Where the next window begins. */
  next: Position;
  isLast: boolean;
}

/** The next window of an axis, of at most `size` rows. */
export async function nextWindow(db: Db, axis: Axis, position: Position, size: number): Promise<Step> {
  const { names, isDescending } = axis;
  const [name, tieName] = names;
  if (tieName !== undefined && position && 'at' in position) {
    const { at, tie } = position;
    const bounds: Bound[] = [{ name, is: '=', value: at }];
    if (tie !== undefined) bounds.push({ name: tieName, is: '>', value: tie });
    const end = await valueAt(db, axis, bounds, { name: tieName, isDescending: false }, size);
    return end === undefined
      ? { window: { bounds }, next: { from: at, isPassed: true }, isLast: false }
      : {
          window: { bounds: [...bounds, { name: tieName, is: '<=', value: end }] },
          next: { at, tie: end },
          isLast: false,
        };
  }
  const bounds: Bound[] = [];
  if (position && 'from' in position) {
    const is = isDescending ? '<' : '>';
    bounds.push({ name, is: position.isPassed ? is : `${is}=`, value: position.from });
  }
  const term = { name, isDescending };
  const end = await valueAt(db, axis, bounds, term, size);
  if (tieName === undefined) return closed(db, axis, bounds, end, size);
  if (end === undefined) return { window: { bounds }, next: undefined, isLast: true };
  // Several rows may share the end value. The window stops before all of them, and they get windows of their own if
  // nothing is before them.
  const start = await valueAt(db, axis, bounds, term, 1);
  if (start === end) return nextWindow(db, axis, { at: end, tie: undefined }, size);
  const before: Bound = { name, is: isDescending ? '>' : '<', value: end };
  return { window: { bounds: [...bounds, before] }, next: { from: end, isPassed: false }, isLast: false };
}

/**
 * A window with a bound at both ends, also if it is the first or the last one. With two bounds SQLite chooses the index of the
 * axis, whatever other conditions the query has.
 */
async function closed(
  db: Db,
  axis: Axis,
  bounds: readonly Bound[],
  end: SortValue | undefined,
  size: number,
): Promise<Step> {
  const [name] = axis.names;
  const [least, most] = axis.isDescending ? (['<=', '>='] as const) : (['>=', '<='] as const);
  if (size === Number.POSITIVE_INFINITY) return { window: { bounds }, next: undefined, isLast: true };
  const term = { name, isDescending: axis.isDescending };
  const start = bounds[0] ?? {
    name,
    is: least,
    value: await valueAt(db, axis, bounds, term, 1),
  };
  const last =
    end ?? (await valueAt(db, axis, [], { name, isDescending: !axis.isDescending }, 1)) ?? start.value;
  // There is no row at all.
  if (start.value === undefined || last === undefined)
    return { window: { bounds }, next: undefined, isLast: true };
  const window = {
    bounds: [
      { ...start, value: start.value },
      { name, is: most, value: last },
    ],
  };
  return { window, next: { from: last, isPassed: true }, isLast: end === undefined };
}

/**
 * The value in the row that ends a window of this size; undefined if fewer rows are left. Of several lists, the nearest
 * value.
 */
async function valueAt(
  db: Db,
  { lists }: Axis,
  bounds: readonly Bound[],
  term: { name: string; isDescending: boolean },
  size: number,
): Promise<SortValue | undefined> {
  if (size === Number.POSITIVE_INFINITY) return undefined;
  let nearest: SortValue | undefined;
  for (const probe of lists) {
    const value = await probe(db, bounds, term, size - 1);
    if (value === undefined || value === null) continue;
    const isNearer =
      nearest === undefined || nearest === null || (term.isDescending ? value > nearest : value < nearest);
    if (isNearer) nearest = value;
  }
  return nearest;
}

/** How many rows the next window should have. */
export interface Pace {
  /** Infinity stands for the whole collection, for an engine that does not block this process. */
  rows(db: Db): number;
  /** Records how long the last window took. */
  took(ms: number): void;
}

/** Larger windows would not take less time for each row. */
const rowsAtMost = 8_000;

/** A pace at which each window takes about this long. */
export function paceOf(windowMs: number): Pace {
  let size: number | undefined;
  return {
    rows: (db) => {
      size ??= engineOf(db).windowRows ?? Number.POSITIVE_INFINITY;
      return size;
    },
    took: (ms) => {
      if (size === undefined || size === Number.POSITIVE_INFINITY) return;
      const fitting = Math.min(Math.max(windowMs / Math.max(ms, 0.001), 0.1), 2) * size;
      size = Math.min(Math.max(Math.round(fitting), 1), rowsAtMost);
    },
  };
}
