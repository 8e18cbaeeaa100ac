import { type SqlBool, sql } from 'kysely';
import { insertMany } from './bulk.ts';
import { findRow } from './rows.ts';
import type { Db } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    added_problems: AddedProblemsTable;
  }
}

export interface AddedProblemsTable {
  problem_id: bigint;
  member_id: bigint | null;
  added_at: string;
}

export const insertAddedProblems = (tx: Db, rows: readonly AddedProblemsTable[]) =>
  insertMany(tx, 'added_problems', rows);

export async function countProblemsAddedBy(
  db: Db,
  memberId: bigint,
  since: string,
): Promise<{ all: number; since: number }> {
  const rows = await db
    .selectFrom('added_problems')
    .select((eb) => [
      eb.fn.countAll<bigint>().as('all'),
      eb.fn.countAll<bigint>().filterWhere('added_at', '>=', since).as('since'),
    ])
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow();
  return { all: Number(rows.all), since: Number(rows.since) };
}

export const findAddedProblem = (db: Db, problemId: bigint) =>
  findRow(db, 'added_problems', { problem_id: problemId });

export async function listAddedProblems(db: Db, limit: number, before?: { at: string; id: bigint }) {
  let query = db
    .selectFrom('added_problems')
    .innerJoin('problems', 'problems.id', 'added_problems.problem_id')
    .leftJoin('members', 'members.id', 'added_problems.member_id')
    .select(['problems.id', 'title', 'source', 'source_key', 'url', 'added_at', 'member_id', 'username'])
    .orderBy('added_at', 'desc')
    .orderBy('problem_id', 'desc')
    .limit(limit);
  if (before)
    query = query.where((eb) =>
      eb(eb.refTuple('added_at', 'problem_id'), '<', eb.tuple(before.at, before.id)),
    );
  return query.execute();
}

export async function listProblemsUsedByOthers(
  db: Db,
  problemIds: readonly bigint[],
  memberId: bigint | null,
): Promise<ReadonlySet<bigint>> {
  if (problemIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('problems')
    .select('id')
    .where('id', 'in', problemIds)
    .where((eb) => eb.or(usedByOthersConditions(memberId)))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export function usedByOthersConditions(memberId: bigint | null) {
  const isOther = (column: string) => sql`${sql.ref(column)} IS DISTINCT FROM ${memberId}`;
  const memberTables = ['statuses', 'bookmarks', 'changes', 'reviews', 'timers', 'solutions'];
  const sources = [
    ...memberTables.map((table) => sql`${sql.table(table)} WHERE ${isOther('user_id')}`),
    sql`list_items INNER JOIN lists ON lists.id = list_items.list_id WHERE ${isOther('owner_id')}`,
    // The people of a group use its lists too.
    sql`list_items INNER JOIN group_lists ON group_lists.list_id = list_items.list_id WHERE true`,
    sql`round_problems WHERE true`,
    sql`solves INNER JOIN handles ON handles.id = solves.handle_id WHERE ${isOther('handles.user_id')}`,
  ];
  return sources.map((source) => sql<SqlBool>`EXISTS (SELECT 1 FROM ${source} AND problem_id = problems.id)`);
}
