/**
 * Windows: consecutive parts of a collection along an index, small enough that reading one does not hold up other requests. The
 * size of a window follows from the time that the last one took, so wide rows need no rule of their own.
 */
import { sql } from 'kysely';
import { engineOf } from './engine.ts';
import {
  type Bound,
  type Query,
  type SortKey,
  type SortValue,
  type WindowColumns,
  within,
} from './keyset.ts';
import type { Db, Tables } from './tables.ts';

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

/** A field in the direction in which an index is read. */
interface Term {
  name: string;
  isDescending: boolean;
}

/** Returns the value of a field in the row at this offset from the first row within the bounds. */
type Probe = (db: Db, bounds: readonly Bound[], term: Term, offset: number) => Promise<SortValue | undefined>;

/** A probe that counts off the rows of a query along an index; `columns` are the index's columns. */
export function along<Table extends keyof Tables>(
  build: (db: Db) => Query<Table>,
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

/** The bounds of the rows after the one with these first sort values. */
export function boundsAfter({ names, isDescending }: Axis, values: readonly SortValue[]): Bound[] {
  const [name, tieName] = names;
  const [value = null, tie] = values;
  if (tieName === undefined || tie === undefined) return [{ name, is: isDescending ? '<' : '>', value }];
  return [
    { name, is: '=', value },
    { name: tieName, is: '>', value: tie },
  ];
}

export interface Step {
  window: { bounds: readonly Bound[] };
  /** The bounds of the next windows; undefined if this window is the last. */
  next: readonly Bound[] | undefined;
}

/** The next window of an axis, of at most `size` rows; `from` are the bounds that `boundsAfter` or the last step returned. */
export async function nextWindow(db: Db, axis: Axis, from: readonly Bound[], size: number): Promise<Step> {
  const { names, isDescending } = axis;
  const [name, tieName] = names;
  const [first] = from;
  if (tieName === undefined) return closedWindow(db, axis, from, size);
  if (first?.is === '=') {
    const end = await valueAt(db, axis, from, { name: tieName, isDescending: false }, size);
    if (end === undefined) return { window: { bounds: from }, next: boundsAfter(axis, [first.value]) };
    const bounds: Bound[] = [...from, { name: tieName, is: '<=', value: end }];
    return { window: { bounds }, next: boundsAfter(axis, [first.value, end]) };
  }
  const term = { name, isDescending };
  const end = await valueAt(db, axis, from, term, size);
  if (end === undefined) return { window: { bounds: from }, next: undefined };
  // Several rows may share the end value. The window stops before all of them, and they get windows of their own if
  // nothing is before them.
  const start = await valueAt(db, axis, from, term, 1);
  if (start === end) return nextWindow(db, axis, [{ name, is: '=', value: end }], size);
  const [before, rest] = isDescending ? (['>', '<='] as const) : (['<', '>='] as const);
  return {
    window: { bounds: [...from, { name, is: before, value: end }] },
    next: [{ name, is: rest, value: end }],
  };
}

/**
 * A window with a bound at both ends, also if it is the first or the last one. With two bounds SQLite chooses the index of the
 * axis, whatever other conditions the query has.
 */
async function closedWindow(db: Db, axis: Axis, from: readonly Bound[], size: number): Promise<Step> {
  const { names, isDescending } = axis;
  const [name] = names;
  if (size === Number.POSITIVE_INFINITY) return { window: { bounds: from }, next: undefined };
  const [least, most] = isDescending ? (['<=', '>='] as const) : (['>=', '<='] as const);
  const end = await valueAt(db, axis, from, { name, isDescending }, size);
  const last =
    end ?? (await valueAt(db, axis, from, { name, isDescending: !isDescending }, 1)) ?? from[0]?.value;
  // There is no row at all.
  if (last === undefined) return { window: { bounds: from }, next: undefined };
  const start = from[0] ?? {
    name,
    is: least,
    value: (await valueAt(db, axis, from, { name, isDescending }, 1)) ?? last,
  };
  return {
    window: { bounds: [start, { name, is: most, value: last }] },
    next: end === undefined ? undefined : boundsAfter(axis, [end]),
  };
}

/** The value in the row that ends a window of this size, the nearest of several lists; undefined if fewer rows are left. */
async function valueAt(
  db: Db,
  { lists }: Axis,
  bounds: readonly Bound[],
  term: Term,
  size: number,
): Promise<SortValue | undefined> {
  if (size === Number.POSITIVE_INFINITY) return undefined;
  let nearest: NonNullable<SortValue> | undefined;
  for (const probe of lists) {
    const value = (await probe(db, bounds, term, size - 1)) ?? undefined;
    if (value === undefined) continue;
    if (nearest === undefined || (term.isDescending ? value > nearest : value < nearest)) nearest = value;
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
