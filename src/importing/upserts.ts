/** The rows of a batch against those of the store: new rows are inserted together, changed ones updated, equal ones kept. */
import { giveIds, type NumberedTable } from '../store/ids.ts';
import type { Db } from '../store/tables.ts';
import type { Applying } from './import.ts';

/** How the rows of one table are found and written. */
export interface UpsertTable<R> {
  /** The names by which a row is found, first the one that it never loses. Of two rows with one name the first counts. */
  namesOf(row: R): string[];
  insert(tx: Db, rows: R[]): Promise<void>;
  update(tx: Db, after: R, before: R): Promise<void>;
  /** Marks the answers that show the row as changed. */
  changed(row: R): void;
}

/** A row as it is now, which may differ from what the store had when the batch began. */
export interface Upsert<R> {
  row: R;
  isStored: boolean;
}

export interface UpsertBatch<R> {
  /** Takes rows of the store, except those that it has already. */
  hold(rows: Iterable<R>): void;
  find(name: string): Upsert<R> | undefined;
  /** Puts a row in the place of the one that was found. A row that changes gets the time of the import, unless it has one. */
  put(found: Upsert<R> | undefined, row: R, line: () => string, hasTime?: boolean): Promise<void>;
  /** Inserts the new rows. */
  finish(): Promise<void>;
}

export function upsertBatch<R extends object>(applying: Applying, table: UpsertTable<R>): UpsertBatch<R> {
  const { tx, now, count } = applying;
  const byName = new Map<string, Upsert<R>>();
  const fresh: Upsert<R>[] = [];
  const remember = (upsert: Upsert<R>, names: string[]) => {
    for (const name of names) if (!byName.has(name)) byName.set(name, upsert);
  };
  return {
    hold: (rows) => {
      for (const row of rows) {
        const names = table.namesOf(row);
        if (!byName.has(names[0] ?? '')) remember({ row, isStored: true }, names);
      }
    },
    find: (name) => byName.get(name),
    put: async (found, row, line, hasTime = false) => {
      if (!found) {
        const upsert = { row, isStored: false };
        fresh.push(upsert);
        remember(upsert, table.namesOf(row));
        table.changed(row);
        return count('new', line);
      }
      const before = found.row;
      if (isSame(before, row)) return count('kept', line);
      for (const name of table.namesOf(before)) if (byName.get(name) === found) byName.delete(name);
      found.row = 'updated_at' in row && !hasTime ? { ...row, updated_at: now } : row;
      remember(found, table.namesOf(row));
      table.changed(row);
      count('changed', line);
      if (found.isStored) await table.update(tx, found.row, before);
    },
    finish: () =>
      table.insert(
        tx,
        fresh.map(({ row }) => row),
      ),
  };
}

function isSame<R extends object>(one: R, other: R): boolean {
  for (const column in other) if (one[column] !== other[column]) return false;
  return true;
}

/** The name of a row that has an id. No other name of a row begins so: they have no space, or digits before it. */
export function idName(id: bigint): string {
  return `id ${id}`;
}

/** Gives out ids of new rows. For the first of them as many are reserved at once as there are new rows. */
export function newIds(tx: Db, table: NumberedTable, countNew: () => number): () => Promise<bigint> {
  let ids: bigint[] | undefined;
  return async () => {
    if (!ids?.length) ids = await giveIds(tx, table, ids ? 1 : countNew());
    return ids.shift() as bigint;
  };
}

/** The ids that the rows of a batch give. */
export function idsOf(rows: readonly { value: { id?: bigint } }[]): bigint[] {
  return rows.map(({ value }) => value.id).filter((id) => id !== undefined);
}
