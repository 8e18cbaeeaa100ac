/**
 * Windows: parts of a collection along an index, each with so few rows that looking at all of them holds up nobody. The
 * size of a window follows from the time that the last one took, so it does not matter how wide the rows are.
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

/** An index that windows are cut along, with how often it is to be asked where a window ends. */
export interface Axis {
  /** The fields it is sorted by: one that no two rows share, or two that no two rows share. */
  names: readonly [string] | readonly [string, string];
  /** Whether the collection has every row that stands in the index. */
  isWhole: boolean;
  /** Whether the first field descends; the second one never does. */
  isDescending: boolean;
  /** Of several lists a window holds no more rows of any than it may. */
  lists: readonly Probe[];
}

/** The value of a field in the row that comes so many rows after the first one within the bounds. */
export type Probe = (
  db: Db,
  bounds: readonly Bound[],
  term: { name: string; isDescending: boolean },
  offset: number,
) => Promise<SortValue | undefined>;

/** How rows of a query are counted off along an index; `columns` hold the index's fields. */
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

/** An axis for an order: along it rows come in that order (`isOrder`), or it only leads to all rows. */
export interface ChosenAxis extends Axis {
  isOrder: boolean;
}

/** The first of these axes that has the order of the keys; where none has, the very first, on which rows stand unordered. */
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
 * Where the rest of an axis begins: beyond a value of its first field (or at it), or among the rows with that value
 * beyond one of its second field. Undefined: at its start.
 */
export type Position =
  | { from: SortValue; isPassed: boolean }
  | { at: SortValue; tie: SortValue | undefined }
  | undefined;

/** The position after the row whose first sort values are these. */
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

/** The next window of an axis, of so many rows at most. Windows follow each other in the order of the axis. */
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
  // Several rows may share the value at the end: the window has none of them, but whole groups before them, if any.
  const start = await valueAt(db, axis, bounds, term, 1);
  if (start === end) return nextWindow(db, axis, { at: end, tie: undefined }, size);
  const before: Bound = { name, is: isDescending ? '>' : '<', value: end };
  return { window: { bounds: [...bounds, before] }, next: { from: end, isPassed: false }, isLast: false };
}

/**
 * A window with a bound at either end, also where it is the first or the last one: with two of them an engine takes the
 * axis for the best index, whatever else the query compares.
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

/** The value that the last of so many rows has; undefined where there are not as many. Of several lists the nearest one. */
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
  /** Of the first window. Infinite: the engine looks at everything in one statement, and holds up nobody here. */
  rows(db: Db): number;
  /** Notes how long the last window took. */
  took(ms: number): void;
}

/** Larger ones would take no less time for each row. */
const rowsAtMost = 8_000;

/** Windows that take about so long each. */
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
