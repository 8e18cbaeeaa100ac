/** Rows as the JSON that the engine writes: of many rows this is faster than to read their values and write them here. */
import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import { engineOf, type JsonColumn } from './engine.ts';
import type { Query, SortField } from './keyset.ts';
import type { Db, Tables } from './tables.ts';

export type ShownColumn = Omit<JsonColumn, 'expression'>;

/** Asks for one row by its ids; without JSON it counts as none. Every open store compiles it once, because that costs more than to run it. */
export interface ItemQuery {
  compile(db: Db): CompiledQuery<{ json: string | null }>;
}

/** `row` has any ids: those that are asked for take their places, in their order. */
export function itemQuery<Table extends keyof Tables>(
  columns: readonly ShownColumn[],
  fields: readonly SortField[],
  row: (db: Db) => Query<Table>,
): ItemQuery {
  return {
    compile: (db) =>
      row(db)
        .select(jsonOf(db, columns, fields).as('json'))
        .compile() as never,
  };
}

/** SQL by the columns that it writes and their fields, for each engine: to compile it takes longer than to read a few rows. */
const writtenJson = new WeakMap<object, WeakMap<object, WeakMap<object, string>>>();

/** A row as a JSON object of these columns; a column that is no field has its own name in the table. */
export function jsonOf(
  db: Db,
  columns: readonly ShownColumn[],
  fields: readonly SortField[],
): RawBuilder<string> {
  const engine = engineOf(db);
  const ofEngine = writtenJson.get(engine) ?? new WeakMap<object, WeakMap<object, string>>();
  writtenJson.set(engine, ofEngine);
  const known = ofEngine.get(columns) ?? new WeakMap<object, string>();
  ofEngine.set(columns, known);
  let text = known.get(fields);
  if (text === undefined) {
    const expressionOf = (name: string) => fields.find((field) => field.name === name)?.expression;
    text = engine
      .asJson(
        columns.map((column) => ({
          ...column,
          expression: expressionOf(column.name) ?? sql.ref(column.name),
        })),
      )
      .compile(db).sql;
    known.set(fields, text);
  }
  return sql.raw(text);
}
