/** Contests and the problems that were set in them, each at its place. */
import { insertMany, runForMany, updateRow } from './bulk.ts';
import type { ContestProblemsTable, ContestsTable, Db } from './tables.ts';

/** The contests of one judge. */
export async function listContests(db: Db, source: string): Promise<ContestsTable[]> {
  return db.selectFrom('contests').selectAll().where('source', '=', source).orderBy('id').execute();
}

export async function findContestsByKeys(
  db: Db,
  source: string,
  keys: readonly string[],
): Promise<ContestsTable[]> {
  return runForMany(db, 'findContestsByKeys', [source], keys, (some) =>
    db.selectFrom('contests').selectAll().where('source', '=', source).where('key', 'in', some),
  );
}

export async function insertContests(tx: Db, rows: readonly ContestsTable[]): Promise<void> {
  await insertMany(tx, 'contests', rows);
}

export async function updateContest(tx: Db, row: ContestsTable): Promise<void> {
  await updateRow(tx, 'contests', ['id'], row);
}

/** The problems of all contests of one judge. */
export async function listContestProblems(db: Db, source: string): Promise<ContestProblemsTable[]> {
  return db
    .selectFrom('contest_problems')
    .selectAll()
    .where('contest_id', 'in', db.selectFrom('contests').select('id').where('source', '=', source))
    .execute();
}

export async function insertContestProblems(tx: Db, rows: readonly ContestProblemsTable[]): Promise<void> {
  await insertMany(tx, 'contest_problems', rows);
}

export async function updateContestProblem(tx: Db, row: ContestProblemsTable): Promise<void> {
  await updateRow(tx, 'contest_problems', ['contest_id', 'key'], row);
}
