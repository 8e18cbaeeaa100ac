/** Statements about rows of one table, which are named by values of some columns. Each is compiled once. */
import { changeCompiled, insertMany, runCompiled, runForMany } from './bulk.ts';
import { giveIds, type NumberedTable } from './ids.ts';
import { columnOf, type Page, paged } from './listings.ts';
import type { Db, Tables } from './tables.ts';

/** Values that columns of a row have, all of them. */
type Named<T extends keyof Tables> = { [Column in keyof Tables[T]]?: NonNullable<Tables[T][Column]> };

const namesOf = (values: object) => Object.keys(values).join();

/** The rows in the order of these columns. */
export function listRows<T extends keyof Tables>(
  db: Db,
  table: T,
  named: Named<T>,
  ...order: (keyof Tables[T] & string)[]
): Promise<Tables[T][]> {
  const name = `list ${table} (${namesOf(named)}) ${order.join()}`;
  return runCompiled<Tables[T]>(db, name, Object.values(named), () => {
    const rows = db
      .selectFrom(table as 'plants')
      .selectAll()
      .where((eb) => eb.and(named as never));
    return order.reduce((query, column) => query.orderBy(column as 'id'), rows) as never;
  });
}

/** The row, of which the columns are a key. */
export async function findRow<T extends keyof Tables>(
  db: Db,
  table: T,
  named: Named<T>,
): Promise<Tables[T] | undefined> {
  return (await listRows(db, table, named))[0];
}

/** Inserts a row with a new id, and answers the id. */
export async function insertRow<T extends NumberedTable>(
  tx: Db,
  table: T,
  row: Omit<Tables[T], 'id'>,
): Promise<bigint> {
  const [id = 0n] = await giveIds(tx, table, 1);
  await insertMany(tx, table, [{ ...row, id } as never]);
  return id;
}

/** Inserts a row, or writes it over the one that has the same values in the columns of the key. */
export async function putRow<T extends keyof Tables>(
  tx: Db,
  table: T,
  key: readonly (keyof Tables[T] & string)[],
  row: Tables[T],
): Promise<void> {
  const others = Object.keys(row as object).filter((column) => !key.some((one) => one === column));
  await runCompiled(tx, `put ${table} (${namesOf(row as object)})`, Object.values(row as object), () =>
    tx
      .insertInto(table as 'plants')
      .values(row as never)
      .onConflict((conflict) =>
        conflict
          .columns(key as never)
          .doUpdateSet((eb) =>
            Object.fromEntries(
              others.map((column) => [column, eb.ref(`excluded.${column}` as 'excluded.id')]),
            ),
          ),
      ),
  );
}

/** Writes these values into the rows; answers whether there is any. A value that is undefined is none. */
export async function updateRows<T extends keyof Tables>(
  tx: Db,
  table: T,
  named: Named<T>,
  values: { [Column in keyof Tables[T]]?: Tables[T][Column] | undefined },
): Promise<boolean> {
  const written = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  const name = `update ${table} (${namesOf(named)}) ${namesOf(written)}`;
  return changeCompiled(tx, name, [...Object.values(written), ...Object.values(named)], () =>
    tx
      .updateTable(table as 'plants')
      .set(written as never)
      .where((eb) => eb.and(named as never)),
  );
}

/** Deletes the rows; answers whether there was any. */
export async function deleteRows<T extends keyof Tables>(
  tx: Db,
  table: T,
  named: Named<T>,
): Promise<boolean> {
  return changeCompiled(tx, `delete ${table} (${namesOf(named)})`, Object.values(named), () =>
    tx.deleteFrom(table as 'plants').where((eb) => eb.and(named as never)),
  );
}

/* Rows of a member that are about a problem. */

type OfProblems =
  | 'statuses'
  | 'bookmarks'
  | 'changes'
  | 'reviews'
  | 'review_cards'
  | 'timers'
  | 'first_solves';

/** One member's rows about these problems. */
export function listRowsOn<T extends OfProblems>(
  db: Db,
  table: T,
  userId: bigint,
  problemIds: readonly bigint[],
): Promise<Tables[T][]> {
  return runForMany(db, `list ${table}`, [userId], problemIds, (some) =>
    db
      .selectFrom(table as 'statuses')
      .selectAll()
      .where('user_id', '=', userId)
      .where('problem_id', 'in', some),
  ) as Promise<Tables[T][]>;
}

/** Deletes one member's rows about these problems. */
export async function deleteRowsOn(
  tx: Db,
  table: OfProblems,
  userId: bigint,
  problemIds: readonly bigint[],
): Promise<void> {
  await runForMany(tx, `delete ${table}`, [userId], problemIds, (some) =>
    tx
      .deleteFrom(table as 'statuses')
      .where('user_id', '=', userId)
      .where('problem_id', 'in', some),
  );
}

/** Columns of such rows with the names of their members and the keys of their problems, for exports. */
export async function listKeyedRows<T extends OfProblems, Column extends keyof Tables[T] & string>(
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
