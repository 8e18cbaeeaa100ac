/** Statements about rows of one table, selected by values of some columns. Each is compiled once. */
import type { ExpressionBuilder } from 'kysely';
import { insertMany, preparedForMany } from './bulk.ts';
import { type IdTable, reserveIds } from './ids.ts';
import { columnOf, type Page, paged } from './listings.ts';
import { perShape, prepared, preparedChange, type Value } from './prepared.ts';
import type { Db, Tables } from './tables.ts';

type Key<T extends keyof Tables> = { [Column in keyof Tables[T]]?: NonNullable<Tables[T][Column]> };
type Values = Record<string, Value>;

const namesOf = (values: object) => Object.keys(values).join();

const hasValues = (values: Values) => (eb: ExpressionBuilder<Tables, 'plants'>) =>
  eb.and(Object.entries(values).map(([column, value]) => eb(column as 'name', '=', value as string)));

const listStatement = perShape((table: string, _: string, ...order: string[]) =>
  prepared((db, key: Values) => {
    const rows = db
      .selectFrom(table as 'plants')
      .selectAll()
      .where(hasValues(key));
    return order.reduce((query, column) => query.orderBy(column as 'id'), rows);
  }),
);

export function listRows<T extends keyof Tables>(
  db: Db,
  table: T,
  key: Key<T>,
  ...order: (keyof Tables[T] & string)[]
): Promise<Tables[T][]> {
  return listStatement(table, namesOf(key), ...order)(db, key as Values) as Promise<unknown> as Promise<
    Tables[T][]
  >;
}

export async function findRow<T extends keyof Tables>(
  db: Db,
  table: T,
  key: Key<T>,
): Promise<Tables[T] | undefined> {
  return (await listRows(db, table, key))[0];
}

export async function insertRow<T extends IdTable>(
  tx: Db,
  table: T,
  row: Omit<Tables[T], 'id'>,
): Promise<bigint> {
  const [id = 0n] = await reserveIds(tx, table, 1);
  await insertMany(tx, table, [{ ...row, id } as never]);
  return id;
}

const upsertStatement = perShape((table: string, _: string, ...key: string[]) =>
  prepared((tx, row: Values) =>
    tx
      .insertInto(table as 'plants')
      .values(row as never)
      .onConflict((conflict) =>
        conflict.columns(key as never).doUpdateSet((eb) => {
          const others = Object.keys(row).filter((column) => !key.includes(column));
          return Object.fromEntries(
            others.map((column) => [column, eb.ref(`excluded.${column}` as 'excluded.id')]),
          );
        }),
      ),
  ),
);

export async function upsertRow<T extends keyof Tables>(
  tx: Db,
  table: T,
  key: readonly (keyof Tables[T] & string)[],
  row: Tables[T],
): Promise<void> {
  const values = row as Values;
  await upsertStatement(table, namesOf(values), ...key)(tx, values);
}

/** Stands before a column of the condition, because the same column may also be written. */
const conditionPrefix = 'where ';

const updateStatement = perShape((table: string, _: string) =>
  preparedChange((tx, values: Values) => {
    const names = Object.keys(values);
    const conditions = names.filter((name) => name.startsWith(conditionPrefix));
    const written = names.filter((name) => !name.startsWith(conditionPrefix));
    return tx
      .updateTable(table as 'plants')
      .set(Object.fromEntries(written.map((name) => [name, values[name]])) as never)
      .where(
        hasValues(
          Object.fromEntries(
            conditions.map((name) => [name.slice(conditionPrefix.length), values[name] as Value]),
          ),
        ),
      );
  }),
);

/** False if no row matches. A value that is undefined is not written. */
export async function updateRows<T extends keyof Tables>(
  tx: Db,
  table: T,
  key: Key<T>,
  values: { [Column in keyof Tables[T]]?: Tables[T][Column] | undefined },
): Promise<boolean> {
  const parameters: Values = {};
  for (const [column, value] of Object.entries(values))
    if (value !== undefined) parameters[column] = value as Value;
  for (const [column, value] of Object.entries(key))
    parameters[`${conditionPrefix}${column}`] = value as Value;
  return updateStatement(table, namesOf(parameters))(tx, parameters);
}

/** The columns of the key select the row. */
export async function updateRow<T extends keyof Tables>(
  tx: Db,
  table: T,
  key: readonly (keyof Tables[T] & string)[],
  row: Partial<Tables[T]>,
): Promise<void> {
  const parameters: Values = {};
  for (const [column, value] of Object.entries(row))
    parameters[key.some((one) => one === column) ? `${conditionPrefix}${column}` : column] = value as Value;
  await updateStatement(table, namesOf(parameters))(tx, parameters);
}

const deleteStatement = perShape((table: string, _: string) =>
  preparedChange((tx, key: Values) => tx.deleteFrom(table as 'plants').where(hasValues(key))),
);

export async function deleteRows<T extends keyof Tables>(tx: Db, table: T, key: Key<T>): Promise<boolean> {
  return deleteStatement(table, namesOf(key))(tx, key as Values);
}

type MemberProblemTables =
  | 'statuses'
  | 'bookmarks'
  | 'changes'
  | 'reviews'
  | 'review_cards'
  | 'timers'
  | 'first_solves'
  | 'shared_notes';

const listOnStatement = perShape((table: string) =>
  preparedForMany((db, problemIds: readonly bigint[], { userId }: { userId: bigint }) =>
    db
      .selectFrom(table as 'statuses')
      .selectAll()
      .where('user_id', '=', userId)
      .where('problem_id', 'in', problemIds),
  ),
);

export function listRowsOn<T extends MemberProblemTables>(
  db: Db,
  table: T,
  userId: bigint,
  problemIds: readonly bigint[],
): Promise<Tables[T][]> {
  return listOnStatement(table)(db, problemIds, { userId }) as Promise<unknown> as Promise<Tables[T][]>;
}

/** On the problems of a list, however many, in one statement. */
export function listRowsInList<T extends MemberProblemTables>(
  db: Db,
  table: T,
  userId: bigint,
  listId: bigint,
): Promise<Tables[T][]> {
  const problems = db.selectFrom('list_items').select('problem_id').where('list_id', '=', listId);
  return db
    .selectFrom(table as 'statuses')
    .selectAll()
    .where('user_id', '=', userId)
    .where('problem_id', 'in', problems)
    .execute() as Promise<unknown> as Promise<Tables[T][]>;
}

const listOwnStatement = perShape((table: string) =>
  preparedForMany((db, ids: readonly bigint[], { userId }: { userId: bigint }) =>
    db
      .selectFrom(table as 'reviews')
      .selectAll()
      .where('user_id', '=', userId)
      .where('id', 'in', ids),
  ),
);

export function listOwnRows<T extends 'reviews' | 'timers'>(
  db: Db,
  table: T,
  userId: bigint,
  ids: readonly bigint[],
): Promise<Tables[T][]> {
  return listOwnStatement(table)(db, ids, { userId }) as Promise<unknown> as Promise<Tables[T][]>;
}

const deleteOnStatement = perShape((table: string) =>
  preparedForMany((tx, problemIds: readonly bigint[], { userId }: { userId: bigint }) =>
    tx
      .deleteFrom(table as 'statuses')
      .where('user_id', '=', userId)
      .where('problem_id', 'in', problemIds),
  ),
);

export async function deleteRowsOfProblems(
  tx: Db,
  table: MemberProblemTables,
  userId: bigint,
  problemIds: readonly bigint[],
): Promise<void> {
  await deleteOnStatement(table)(tx, problemIds, { userId });
}

/** Adds the member's name and the problem's key, for exports. */
export async function listKeyedRows<T extends MemberProblemTables, Column extends keyof Tables[T] & string>(
  db: Db,
  table: T,
  columns: readonly Column[],
  user: bigint | undefined,
  page: Page,
) {
  let query = db
    .selectFrom(table as 'statuses')
    .select(columns as never)
    .select([
      columnOf('members', 'username', `${table}.user_id`),
      columnOf('problems', 'source', `${table}.problem_id`),
      columnOf('problems', 'source_key', `${table}.problem_id`),
    ]);
  if (user !== undefined) query = query.where('user_id', '=', user);
  type Row = Pick<Tables[T], Column> & { username: string; source: string; source_key: string };
  return paged(query as never, page).execute() as Promise<Row[]>;
}
