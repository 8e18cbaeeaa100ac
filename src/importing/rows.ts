/**
 * Upserts rows of a file into one table: each is matched with a stored row by its keys, then inserted, updated or
 * left as it is. Inserts are batched.
 */
import { asBadRow, type Located } from '../files/entries.ts';
import { type IdTable, reserveIds } from '../store/ids.ts';
import type { Db } from '../store/tables.ts';
import type { ImportContext, Sink } from './import.ts';

/** An id, or a natural key. */
export type RowKey = string | bigint;

export interface RowTable<R> {
  /** The first key never changes. A key belongs to the first row that has it. */
  keysOf(row: R): RowKey[];
  /** Writes new and changed rows in one call, in place of `insert` and `update`. */
  save?(tx: Db, rows: R[]): Promise<unknown>;
  insert?(tx: Db, rows: R[]): Promise<unknown>;
  update?(tx: Db, after: R, before: R): Promise<unknown>;
  onChange?(row: R): void;
}

export interface BatchRow<R> {
  row: R;
  isStored: boolean;
}

export type UpsertBatch<R extends object> = ReturnType<typeof upsertBatch<R>>;

export function upsertBatch<R extends object>(
  context: Pick<ImportContext, 'tx' | 'now' | 'count'>,
  table: RowTable<R>,
) {
  const { tx, now, count } = context;
  const byKey = new Map<RowKey, BatchRow<R>>();
  const pending = new Set<BatchRow<R>>();
  const addToIndex = (entry: BatchRow<R>, keys: RowKey[]) => {
    for (const key of keys) if (!byKey.has(key)) byKey.set(key, entry);
  };
  return {
    addStored: (rows: Iterable<R>): void => {
      for (const row of rows) {
        const keys = table.keysOf(row);
        if (!byKey.has(keys[0] ?? '')) addToIndex({ row, isStored: true }, keys);
      }
    },
    find: (key: RowKey): BatchRow<R> | undefined => byKey.get(key),
    add: (row: R, describe: () => string): void => {
      const entry = { row, isStored: false };
      pending.add(entry);
      addToIndex(entry, table.keysOf(row));
      table.onChange?.(row);
      count('new', describe);
    },
    /** Sets the time of the import unless the values have one. Most rows are unchanged and need no promise. */
    change: (entry: BatchRow<R>, values: Partial<R>, describe: () => string, keepsUpdateTime = false) => {
      const before = entry.row;
      if (!differs(before, values)) {
        count('kept', describe);
        return undefined;
      }
      for (const key of table.keysOf(before)) if (byKey.get(key) === entry) byKey.delete(key);
      entry.row = {
        ...before,
        ...values,
        ...('updated_at' in before && !keepsUpdateTime && { updated_at: now }),
      };
      addToIndex(entry, table.keysOf(entry.row));
      table.onChange?.(entry.row);
      count('changed', describe);
      if (table.save) pending.add(entry);
      else if (entry.isStored) return table.update?.(tx, entry.row, before);
      return undefined;
    },
    finish: () =>
      (table.save ?? table.insert)?.(
        tx,
        [...pending].map(({ row }) => row),
      ),
  };
}

function differs<R extends object>(row: R, values: Partial<R>): boolean {
  for (const column in values) if (row[column] !== values[column]) return true;
  return false;
}

/** Turns a row of a file, whose references are resolved to `Input`, into a row of the table. */
export interface RowMapping<R extends object, Input> extends Omit<RowTable<R>, 'keysOf'> {
  keysOf?(row: R): RowKey[];
  resolveReferences?(entries: readonly Located<never>[]): Promise<(row: never) => Input | Promise<Input>>;
  find(rows: readonly Input[], batch: UpsertBatch<R>): Promise<Iterable<R>>;
  /** Identifies a row without an id. */
  naturalKeyOf(row: Input | R): RowKey | undefined;
  /** Merges the input into the current row, if there is one. A new row may lack its id. Throws badRow. */
  rowOf(input: Input, current: R | undefined, batch: UpsertBatch<R>): R | Promise<R>;
  describe(row: R, input: Input): string;
  idTable?: IdTable;
  /** Inserts at once, because later rows are checked against this one. */
  insertOne?(row: R): Promise<R>;
  /** At most `count` rows of the same group; `fault` makes the badRow for one more. */
  groupLimit?: { count: number; groupOf(row: R): string; fault(most: number): Error };
}

type InputRow = { id?: bigint; updated_at?: string | null };

export function upsertSink<R extends object, Input extends object>(
  context: ImportContext,
  mapping: RowMapping<R, Input>,
): Sink<never> {
  const { tx, forEachEntry, count } = context;
  return {
    write: async (entries) => {
      const batch = upsertBatch<R>(context, {
        keysOf: (row) => [mapping.naturalKeyOf(row) ?? ''],
        ...mapping,
      });
      const resolve = await mapping.resolveReferences?.(entries);
      const resolved: readonly Located<Input>[] = resolve
        ? await forEachEntry(entries, async (row) => resolve(row))
        : entries;
      const rows = resolved.map(({ value }) => value);
      const stored = [...(await mapping.find(rows, batch))];
      batch.addStored(stored);
      const idOf = (input: InputRow) => (mapping.idTable ? input.id : undefined);
      const find = (input: Input) => batch.find(idOf(input) ?? mapping.naturalKeyOf(input) ?? '');
      const isNew = (input: Input) => idOf(input) === undefined && !find(input);
      const newId = newIds(tx, mapping.idTable, () => rows.filter(isNew).length);
      const checkGroupLimit = groupLimitChecker(mapping, stored);
      await forEachEntry(resolved, async (input) => {
        const found = find(input);
        const row = await mapping.rowOf(input, found?.row, batch);
        const describe = () => mapping.describe(row, input);
        const { updated_at } = input as InputRow;
        if (found) return batch.change(found, row, describe, (updated_at ?? undefined) !== undefined);
        checkGroupLimit(row);
        if (mapping.idTable) Object.assign(row, { id: idOf(input) ?? (await newId()) });
        if (!mapping.insertOne) return batch.add(row, describe);
        batch.addStored([await asBadRow(mapping.insertOne(row))]);
        mapping.onChange?.(row);
        return count('new', describe);
      });
      await batch.finish();
    },
  };
}

export async function findForEach<K, R>(keys: Iterable<K>, find: (one: K) => Promise<R[]>): Promise<R[]> {
  let found: R[] = [];
  for (const key of keys) found = found.concat(await find(key));
  return found;
}

function groupLimitChecker<R extends object>(
  { groupLimit }: Pick<RowMapping<R, never>, 'groupLimit'>,
  stored: readonly R[],
) {
  const counts = new Map<string, number>();
  const countOne = (row: R) => {
    const key = groupLimit?.groupOf(row) ?? '';
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts.get(key) ?? 0;
  };
  for (const row of groupLimit ? stored : []) countOne(row);
  return (row: R): void => {
    if (groupLimit && countOne(row) > groupLimit.count) throw groupLimit.fault(groupLimit.count);
  };
}

/** Ids for all new rows are reserved when the first is needed. */
function newIds(tx: Db, table: IdTable | undefined, countNew: () => number): () => Promise<bigint> {
  let ids: bigint[] | undefined;
  return async () => {
    if (table && !ids?.length) ids = await reserveIds(tx, table, ids ? 1 : countNew());
    return ids?.shift() as bigint;
  };
}
