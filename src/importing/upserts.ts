/** Compares rows with those of the store: new rows are inserted together, changed ones updated, equal ones kept. */
import { giveIds, type NumberedTable } from '../store/ids.ts';
import type { Db } from '../store/tables.ts';
import type { Applying, Sink } from './import.ts';

/** A name by which a row is found: its id, or a text that no other row has. */
export type RowName = string | bigint;

export interface UpsertTable<R> {
  /** All names of a row, first the one that it never loses. A name belongs to the first row that has it. */
  namesOf(row: R): RowName[];
  insert(tx: Db, rows: R[]): Promise<unknown>;
  update(tx: Db, after: R, before: R): Promise<void>;
  changed(row: R): void;
}

/** A row with all changes of the batch. */
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
    /** Takes rows of the store, except those that the batch has. */
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
    /** Gives a row these values, and the time of the import unless they have one. Most rows are equal and need no promise. */
    change: (found: Upsert<R>, values: Partial<R>, line: () => string, hasTime = false) => {
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
    finish: () => {
      const rows = fresh.map(({ row }) => row);
      return table.insert(tx, rows);
    },
  };
}

function differs<R extends object>(row: R, values: Partial<R>): boolean {
  for (const column in values) if (row[column] !== values[column]) return true;
  return false;
}

interface NumberedKind<R extends object> extends UpsertTable<R> {
  table: NumberedTable;
  findByIds(tx: Db, ids: readonly bigint[]): Promise<R[]>;
  /** Has the batch hold the stored rows that given rows name without an id. */
  holdNamed(batch: UpsertBatch<R>, given: readonly Partial<R>[]): Promise<void>;
  /** The name by which a row without an id is found. */
  nameOf(given: Partial<R>): RowName | undefined;
  /** The given row over the current one, if there is one. Throws badRow. A new row may lack its id. */
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

/** Gives out ids, which are reserved for all new rows when the first needs one. */
function newIds(tx: Db, table: NumberedTable, countNew: () => number): () => Promise<bigint> {
  let ids: bigint[] | undefined;
  return async () => {
    if (!ids?.length) ids = await giveIds(tx, table, ids ? 1 : countNew());
    return ids.shift() as bigint;
  };
}
