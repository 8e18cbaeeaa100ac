/** The rows of a batch against those of the store: new rows are inserted together, changed ones updated, equal ones kept. */
import { giveIds, type NumberedTable } from '../store/ids.ts';
import type { Db } from '../store/tables.ts';
import type { Applying, Sink } from './import.ts';

/** A name by which a row is found: its id, or a text that no other row has. */
export type RowName = string | bigint;

/** How the rows of one table are found and written. */
export interface UpsertTable<R> {
  /** All names of a row, first the one that it never loses. Of two rows with one name the first counts. */
  namesOf(row: R): RowName[];
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

export type UpsertBatch<R extends object> = ReturnType<typeof upsertBatch<R>>;

export function upsertBatch<R extends object>(applying: Applying, table: UpsertTable<R>) {
  const { tx, now, count } = applying;
  const byName = new Map<RowName, Upsert<R>>();
  const fresh: Upsert<R>[] = [];
  const remember = (upsert: Upsert<R>, names: RowName[]) => {
    for (const name of names) if (!byName.has(name)) byName.set(name, upsert);
  };
  return {
    /** Takes rows of the store, except those that it has already. */
    hold: (rows: Iterable<R>): void => {
      for (const row of rows) {
        const names = table.namesOf(row);
        if (!byName.has(names[0] ?? '')) remember({ row, isStored: true }, names);
      }
    },
    find: (name: RowName): Upsert<R> | undefined => byName.get(name),
    add: (row: R, line: () => string): void => {
      const upsert = { row, isStored: false };
      fresh.push(upsert);
      remember(upsert, table.namesOf(row));
      table.changed(row);
      count('new', line);
    },
    /**
     * Gives a row these values. If any is new, the row gets the time of the import, unless the values have a time. Most rows
     * of most imports are equal, so there is no promise and no copy where there is no difference.
     */
    change: (
      found: Upsert<R>,
      values: Partial<R>,
      line: () => string,
      hasTime = false,
    ): Promise<void> | undefined => {
      const before = found.row;
      if (!differs(before, values)) {
        count('kept', line);
        return undefined;
      }
      for (const name of table.namesOf(before)) if (byName.get(name) === found) byName.delete(name);
      found.row = { ...before, ...values, ...('updated_at' in before && !hasTime && { updated_at: now }) };
      remember(found, table.namesOf(found.row));
      table.changed(found.row);
      count('changed', line);
      return found.isStored ? table.update(tx, found.row, before) : undefined;
    },
    /** Inserts the new rows. */
    finish: (): Promise<void> =>
      table.insert(
        tx,
        fresh.map(({ row }) => row),
      ),
  };
}

function differs<R extends object>(row: R, values: Partial<R>): boolean {
  for (const column in values) if (row[column] !== values[column]) return true;
  return false;
}

/** How the rows of a table with ids are imported. */
interface NumberedKind<R extends object> extends UpsertTable<R> {
  table: NumberedTable;
  findByIds(tx: Db, ids: readonly bigint[]): Promise<R[]>;
  /** Has the batch hold the rows of the store that given rows name otherwise than by their ids. */
  holdNamed(batch: UpsertBatch<R>, given: readonly Partial<R>[]): Promise<void>;
  /** The name by which a row without an id is found. */
  nameOf(given: Partial<R>): RowName | undefined;
  /** The row that a given one makes, of the present one if there is one. Throws badRow. A new row may lack its id. */
  rowOf(given: Partial<R>, current: R | undefined, batch: UpsertBatch<R>): Promise<R>;
  lineOf(row: R): string;
}

/** Imports rows by id, or by name where no id is given. */
export function numberedSink<R extends { id: bigint }>(
  applying: Applying,
  kind: NumberedKind<R>,
): Sink<Partial<R>> {
  const { tx } = applying;
  return {
    take: async (entries) => {
      const batch = upsertBatch(applying, kind);
      const rows = entries.map(({ value }) => value);
      await kind.holdNamed(batch, rows);
      const ids = rows.map(({ id }) => id).filter((id) => id !== undefined);
      batch.hold(await kind.findByIds(tx, ids));
      const find = (given: Partial<R>) => batch.find(given.id ?? kind.nameOf(given) ?? '');
      const isNew = (given: Partial<R>) => given.id === undefined && !find(given);
      const newId = newIds(tx, kind.table, () => rows.filter(isNew).length);
      await applying.each(entries, async (given) => {
        const found = find(given);
        const row = await kind.rowOf(given, found?.row, batch);
        const line = () => kind.lineOf(row);
        if (found) return batch.change(found, row, line, 'updated_at' in given);
        row.id = given.id ?? (await newId());
        batch.add(row, line);
      });
      await batch.finish();
    },
  };
}

/** Gives out ids of new rows. For the first of them as many are reserved at once as there are new rows. */
export function newIds(tx: Db, table: NumberedTable, countNew: () => number): () => Promise<bigint> {
  let ids: bigint[] | undefined;
  return async () => {
    if (!ids?.length) ids = await giveIds(tx, table, ids ? 1 : countNew());
    return ids.shift() as bigint;
  };
}
