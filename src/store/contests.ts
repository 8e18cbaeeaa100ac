/** Contests and the problems that were set in them, each at its place. */
import { sql } from 'kysely';
import { insertMany, runCompiled, runForMany, updateRow } from './bulk.ts';
import { contains, searchColumn } from './case-folding.ts';
import type { ContestProblemsTable, ContestRow, ContestsTable } from './judged-tables.ts';
import type { Db } from './tables.ts';

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

export async function insertContests(tx: Db, rows: readonly ContestRow[]): Promise<void> {
  await insertMany(tx, 'contests', rows.map(withSearchText));
}

export async function updateContest(tx: Db, row: ContestRow): Promise<void> {
  await updateRow(tx, 'contests', ['id'], withSearchText(row));
}

/** Deletes those of these contests of which no problem is here. */
export async function deleteEmptyContests(tx: Db, source: string, keys: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('contests')
    .where('source', '=', source)
    .where('key', 'in', keys)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('contest_problems')
            .select('key')
            .whereRef('contest_id', '=', 'contests.id')
            .where('problem_id', 'is not', null),
        ),
      ),
    )
    .execute();
}

function withSearchText(row: ContestRow): ContestsTable {
  return { ...row, search_text: searchColumn([row.title, row.key]) };
}

/** Contests by the judge's own id, or by words of their titles where no contest has this id. */
export interface ContestFilter {
  source?: string | undefined;
  text: string;
}

function contestsMatching(db: Db, { source, text }: ContestFilter) {
  const ofJudge = () => {
    const all = db.selectFrom('contests');
    return source === undefined ? all : all.where('source', '=', source);
  };
  const named = ofJudge().select('id').where('key', '=', text);
  return ofJudge().where(({ or, and, not, exists, eb }) =>
    or([eb('key', '=', text), and([contains(db, 'search_text', text), not(exists(named))])]),
  );
}

/** The problems of the contests that match. */
export function problemsOfContests(db: Db, filter: ContestFilter) {
  return db
    .selectFrom('contest_problems')
    .select('problem_id')
    .where('contest_id', 'in', contestsMatching(db, filter).select('id'))
    .where('problem_id', 'is not', null)
    .$narrowType<{ problem_id: bigint }>();
}

/** A contest with the number of its problems that are here. */
export type CountedContest = Pick<ContestsTable, 'source' | 'key' | 'title' | 'starts_at'> & {
  problems: bigint;
};

/** The newest contests that match. */
export async function listMatchingContests(
  db: Db,
  filter: ContestFilter,
  limit: number,
): Promise<CountedContest[]> {
  const problems = sql<bigint>`(
    SELECT count(DISTINCT problem_id) FROM contest_problems WHERE contest_id = contests.id)`;
  return contestsMatching(db, filter)
    .select(['source', 'key', 'title', 'starts_at', problems.as('problems')])
    .orderBy(sql`coalesce(starts_at, '')`, 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Where a problem was set, and under which of its keys. */
export type ContestPlaceRow = Pick<ContestsTable, 'source' | 'title'> &
  Pick<ContestProblemsTable, 'key' | 'position'> & { contest: string };

export function listContestsOfProblem(db: Db, problemId: bigint): Promise<ContestPlaceRow[]> {
  return runCompiled(db, 'listContestsOfProblem', [problemId], () =>
    db
      .selectFrom('contest_problems')
      .innerJoin('contests', 'contests.id', 'contest_problems.contest_id')
      .select(['source', 'title', 'contests.key as contest', 'contest_problems.key', 'position'])
      .where('problem_id', '=', problemId)
      .orderBy(sql`coalesce(starts_at, '')`)
      .orderBy('contests.id'),
  );
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
