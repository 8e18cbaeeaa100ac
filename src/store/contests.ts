/** Contests and the problems that were set in them, each at its position. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { daySeconds } from '../durations.ts';
import { insertMany, preparedForMany } from './bulk.ts';
import { contains, searchColumn } from './case-folding.ts';
import { engineOf } from './engine.ts';
import { handlesOf } from './handles.ts';
import { countRows } from './listings.ts';
import { prepared } from './prepared.ts';
import type { ProblemRow } from './problems.ts';
import { findRow, listRows, updateRow, updateRows } from './rows.ts';
import { foldedSolves, type SolvesTable } from './solves.ts';
import { shownStatus } from './statuses.ts';
import type { Db } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    contests: ContestsTable;
    contest_problems: ContestProblemsTable;
  }
}

export interface ContestsTable {
  id: bigint;
  source: string;
  key: string;
  title: string;
  starts_at: string | null;
  duration_s: bigint;
  phase: string | null;
  search_text: string;
  is_gym: bigint;
  difficulty: bigint | null;
}

/** The phase of a contest of a season that disappeared from all feeds, also after its row in `upcoming_contests` is deleted. */
export const cancelledPhase = 'CANCELLED';

/** The phase of a gym whose problems came from its judge at once, so that none is missing. */
export const completePhase = 'COMPLETE';

export type ContestRow = Omit<ContestsTable, 'search_text' | 'difficulty'> & { difficulty?: bigint | null };

export interface ContestProblemsTable {
  contest_id: bigint;
  key: string;
  position: string;
  problem_id: bigint | null;
}

export const listContests = (db: Db, source: string) => listRows(db, 'contests', { source }, 'id');

export async function findContest(db: Db, id: bigint): Promise<ContestRow | undefined> {
  const contest = await findRow(db, 'contests', { id });
  if (!contest) return undefined;
  const { search_text: _, ...row } = contest;
  return row;
}

const contestsByKeys = preparedForMany((db, keys: readonly string[], { source }: { source: string }) =>
  db.selectFrom('contests').selectAll().where('source', '=', source).where('key', 'in', keys),
);

export const listContestsStartingAt = (db: Db, source: string, starts_at: string) =>
  listRows(db, 'contests', { source, starts_at }, 'id');

export const findContestsByKeys = (db: Db, source: string, keys: readonly string[]) =>
  contestsByKeys(db, keys, { source });

export async function insertContests(tx: Db, rows: readonly ContestRow[]): Promise<void> {
  await insertMany(tx, 'contests', rows.map(withSearchText));
}

export async function updateContest(tx: Db, row: ContestRow): Promise<void> {
  await updateRow(tx, 'contests', ['id'], withSearchText(row));
}

export const setContestPhase = (tx: Db, id: bigint, phase: string | null) =>
  updateRows(tx, 'contests', { id }, { phase });

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

function withSearchText(row: ContestRow) {
  return { ...row, search_text: searchColumn([row.title, row.key]) };
}

/** `text` is the judge's own id, or words of the title where no contest has this id. */
export interface ContestFilter {
  source?: string | undefined;
  text: string;
}

export function contestsMatching(db: Db, { source, text }: ContestFilter) {
  const ofJudge = () => {
    const all = db.selectFrom('contests');
    return source === undefined ? all : all.where('source', '=', source);
  };
  const byKey = ofJudge().select('id').where('key', '=', text);
  return ofJudge().where(({ or, and, not, exists, eb }) =>
    or([eb('key', '=', text), and([contains(db, 'search_text', text), not(exists(byKey))])]),
  );
}

export function problemsOfContests(db: Db, filter: ContestFilter) {
  return db
    .selectFrom('contest_problems')
    .select('problem_id')
    .where('contest_id', 'in', contestsMatching(db, filter).select('id'))
    .where('problem_id', 'is not', null)
    .$narrowType<{ problem_id: bigint }>();
}

export type ContestWithCounts = Pick<ContestsTable, 'source' | 'key' | 'title' | 'starts_at'> & {
  problems: bigint;
};

export async function listMatchingContests(
  db: Db,
  filter: ContestFilter,
  limit: number,
): Promise<ContestWithCounts[]> {
  const problems = sql<bigint>`(
    SELECT count(DISTINCT problem_id) FROM contest_problems WHERE contest_id = contests.id)`;
  return contestsMatching(db, filter)
    .select(['source', 'key', 'title', 'starts_at', problems.as('problems')])
    .orderBy(sql`coalesce(starts_at, '')`, 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export type UnsentContest = Pick<
  ContestsTable,
  'id' | 'source' | 'key' | 'title' | 'duration_s' | 'difficulty'
> & {
  problems: bigint;
  /** With a rating in the range. */
  near: bigint;
};

interface UnsentFilter {
  source: string;
  isGym: boolean;
  userIds: readonly bigint[];
  from: number;
  to: number;
  /** RFC 3339. */
  now: string;
  hiddenWords: readonly string[];
}

/**
 * Past contests to which none of these members sent anything, whatever became of it. Of gyms, whose problems have no ratings, the
 * easiest first; of the others those whose problems are all known, at least one of them in the range, the largest share first.
 */
export function listUnsentContests(
  db: Db,
  { source, isGym, userIds, from, to, now, hiddenWords }: UnsentFilter,
  limit: number,
): Promise<UnsentContest[]> {
  const end = engineOf(db).momentAfter(sql.ref('contests.starts_at'), sql.ref('contests.duration_s'));
  const sent = db
    .selectFrom('solves')
    .innerJoin('handles', 'handles.id', 'handle_id')
    .where('user_id', 'in', userIds)
    .where('source', '=', source);
  const problems = sql<bigint>`count(DISTINCT problem_id)`;
  const near = sql<bigint>`count(DISTINCT CASE WHEN rating >= ${from} AND rating <= ${to} THEN problem_id END)`;
  const isRated = sql<SqlBool>`count(*) = count(problem_id) AND count(rating) >= 3 AND ${near} > 0`;
  return db
    .selectFrom('contests')
    .innerJoin('contest_problems', 'contest_id', 'contests.id')
    .leftJoin('problems', 'problems.id', 'problem_id')
    .select(['contests.id', 'contests.source', 'contests.key', 'contests.title', 'duration_s', 'difficulty'])
    .select([problems.as('problems'), near.as('near')])
    .where('contests.source', '=', source)
    .where('contests.is_gym', '=', isGym ? 1n : 0n)
    .where(lacksWords(db, hiddenWords))
    .where(sql<SqlBool>`coalesce(${end}, ${isGym ? '' : '9'}) <= ${now}`)
    .where(
      'contests.key',
      'not in',
      sent.select('contest').where('contest', 'is not', null).$narrowType<{ contest: string }>(),
    )
    .where(
      'contests.id',
      'not in',
      sent
        .innerJoin('contest_problems', 'contest_problems.problem_id', 'solves.problem_id')
        .select('contest_problems.contest_id'),
    )
    .groupBy('contests.id')
    .having(isGym ? sql<SqlBool>`${problems} > 0` : isRated)
    .orderBy(isGym ? sql`coalesce(difficulty, 9)` : sql`${near} * -1000000 / ${problems}`)
    .orderBy(isGym ? startsAt : near, 'desc')
    .orderBy(startsAt, 'desc')
    .orderBy('contests.id', 'desc')
    .limit(limit)
    .execute();
}

export type ContestOfProblem = Pick<ContestsTable, 'source' | 'title'> &
  Pick<ContestProblemsTable, 'key' | 'position'> & { contest: string };

export const listContestsOfProblem = prepared((db, { problemId }: { problemId: bigint }) =>
  db
    .selectFrom('contest_problems')
    .innerJoin('contests', 'contests.id', 'contest_problems.contest_id')
    .select(['source', 'title', 'contests.key as contest', 'contest_problems.key', 'position'])
    .where('problem_id', '=', problemId)
    .orderBy(sql`coalesce(starts_at, '')`)
    .orderBy('contests.id'),
);

export const listUnfinishedProblems = preparedForMany(
  (db, problemIds: readonly bigint[], { now }: { now: string }) =>
    db
      .selectFrom('contest_problems')
      .innerJoin('contests', 'contests.id', 'contest_problems.contest_id')
      .select('problem_id')
      .where('problem_id', 'in', problemIds)
      .where(sql<SqlBool>`${engineOf(db).momentAfter(sql.ref('starts_at'), sql.ref('duration_s'))} > ${now}`),
);

export const listContestPositions = prepared((db, { from, to }: { from: bigint; to: bigint }) =>
  db
    .selectFrom('contest_problems')
    .innerJoin('contests', 'contests.id', 'contest_problems.contest_id')
    .select(['problem_id', 'title', 'position'])
    .where('problem_id', '>=', from)
    .where('problem_id', '<=', to)
    .$narrowType<{ problem_id: bigint }>(),
);

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

export async function moveContestProblems(tx: Db, from: bigint, to: bigint): Promise<void> {
  await tx.updateTable('contest_problems').set({ problem_id: to }).where('problem_id', '=', from).execute();
}

export async function restoreContestProblems(
  tx: Db,
  { id, source }: { id: bigint; source: string },
  keys: readonly string[],
): Promise<void> {
  await tx
    .updateTable('contest_problems')
    .set({ problem_id: id })
    .where('key', 'in', keys)
    .where('contest_id', 'in', tx.selectFrom('contests').select('id').where('source', '=', source))
    .execute();
}

export interface GridFilter {
  memberId: bigint;
  source: string;
  isGym?: boolean | undefined;
  text?: string | undefined;
  /** A word that the title has, and one that it has not. */
  kind?: { has: string; lacks?: string | undefined } | undefined;
  /** Contests with one of these words in the title are left out. */
  hiddenWords?: readonly string[] | undefined;
  year?: number | undefined;
  /** The member took part, tried some of the problems but has not solved all, or solved all. */
  show?: 'taken' | 'begun' | 'done' | undefined;
  hidesDone?: boolean | undefined;
}

/**
 * A contest has problems here, or is one of the judge's own that has not ended: others offer nothing to practise. One of
 * more than a year that has none is a heading for others.
 */
function isListed(db: Db) {
  const end = engineOf(db).momentAfter(sql.ref('contests.starts_at'), sql.ref('contests.duration_s'));
  return sql<SqlBool>`(
    EXISTS (
      SELECT 1 FROM contest_problems
      WHERE contest_problems.contest_id = contests.id AND (contests.is_gym = 0 OR problem_id IS NOT NULL))
    OR (contests.is_gym = 0 AND contests.duration_s < ${longestWait} AND ${end} > ${new Date().toISOString()}))`;
}

const longestWait = 366 * daySeconds;

const lacksWords = (db: Db, hiddenWords: readonly string[]) =>
  sql<SqlBool>`NOT (${sql.join([sql`1 = 0`, ...hiddenWords.map((word) => contains(db, 'contests.search_text', word))], sql` OR `)})`;

export async function countContests(
  db: Db,
  hiddenWords: readonly string[],
): Promise<{ source: string; is_gym: bigint; count: bigint }[]> {
  const isShown = lacksWords(db, hiddenWords);
  return db
    .selectFrom('contests')
    .select((eb) => ['source', 'is_gym', eb.fn.countAll<bigint>().filterWhere(isShown).as('count')])
    .where(isListed(db))
    .groupBy(['source', 'is_gym'])
    .orderBy('source')
    .execute();
}

const startsAt = sql<string>`coalesce(contests.starts_at, '')`;

export async function findContestYears(
  db: Db,
  source: string,
  isGym: boolean,
): Promise<[first: number, last: number] | undefined> {
  const findEnd = (direction: 'asc' | 'desc') =>
    db
      .selectFrom('contests')
      .select(startsAt.as('at'))
      .where('source', '=', source)
      .where('is_gym', '=', isGym ? 1n : 0n)
      .where(startsAt, '>', '')
      .orderBy('source')
      .orderBy(startsAt, direction)
      .limit(1)
      .executeTakeFirst();
  const [first, last] = [await findEnd('asc'), await findEnd('desc')];
  return first && last ? [Number(first.at.slice(0, 4)), Number(last.at.slice(0, 4))] : undefined;
}

export type GridContest = Omit<ContestsTable, 'search_text' | 'is_gym' | 'difficulty'>;

export async function listGridContests(
  db: Db,
  filter: GridFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<GridContest[]> {
  return matchingContests(db, filter)
    .select(['id', 'source', 'key', 'title', 'starts_at', 'duration_s', 'phase'])
    .orderBy('source', 'desc')
    .orderBy(startsAt, 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

export async function countGridContests(db: Db, filter: GridFilter): Promise<number> {
  return Number(await countRows(matchingContests(db, filter)));
}

function matchingContests(db: Db, filter: GridFilter) {
  const { memberId, source, isGym, text, kind, hiddenWords = [], year, show, hidesDone } = filter;
  const all =
    text === undefined
      ? db.selectFrom('contests').where('source', '=', source)
      : contestsMatching(db, { source, text });
  let query = all.where('is_gym', '=', isGym ? 1n : 0n).where(isListed(db));
  if (kind) query = query.where(contains(db, 'search_text', kind.has));
  if (kind?.lacks !== undefined)
    query = query.where(sql<SqlBool>`NOT ${contains(db, 'search_text', kind.lacks)}`);
  if (hiddenWords.length > 0) query = query.where(lacksWords(db, hiddenWords));
  if (year !== undefined) query = query.where(startsAt, '>=', `${year}`).where(startsAt, '<', `${year + 1}`);
  if (show === 'taken')
    query = query.where('id', 'in', participations(db, filter, ['matched.id']).select('participations.id'));
  if (show === 'begun')
    query = query.where('id', 'in', triedContests(db, memberId, source).select('contest_id'));
  if (show === 'done') query = query.where('id', 'in', finishedContests(db, memberId, source));
  if (show === 'begun' || hidesDone)
    query = query.where('id', 'not in', finishedContests(db, memberId, source));
  return query;
}

/**
 * Follows the rule of `participationIn` in practice/solve-settings.ts; a test compares both. The condition about practice is
 * spelled as in the index `solves_by_contest`, without which SQLite does not use it.
 */
function participationsBy(db: Db, isOwn: RawBuilder<SqlBool>, source: string) {
  const end = engineOf(db).momentAfter(sql.ref('matched.starts_at'), sql.ref('matched.duration_s'));
  const isParticipation = sql<SqlBool>`(participation IS NULL OR participation <> 'practice') AND (
    participation IN ('contest', 'virtual') OR (participation = 'team' AND matched.starts_at IS NULL)
    OR (coalesce(participation, 'team') = 'team' AND submitted_at >= matched.starts_at AND submitted_at < ${end}))`;
  const submissions = db.selectFrom('solves').where(isOwn);
  const withContest = submissions
    .innerJoin('contests as matched', 'matched.key', 'solves.contest')
    .where('matched.source', '=', source)
    .where(isParticipation);
  // A cross join makes SQLite begin with the submissions, few of which name no contest.
  const withoutContest = submissions
    .crossJoin('contest_problems')
    .innerJoin('contests as matched', 'matched.id', 'contest_id')
    .whereRef('contest_problems.problem_id', '=', 'solves.problem_id')
    .where('contest', 'is', null)
    .where('participation', 'is', null)
    .where('matched.source', '=', source)
    .where(isParticipation);
  return { withContest, withoutContest };
}

export type ParticipationColumn =
  | 'matched.id'
  | 'handle_id'
  | 'submitted_at'
  | 'participation'
  | 'is_team'
  | 'virtual_began_at'
  | 'verdict_class'
  | 'solves.problem_id';

const participations = (
  db: Db,
  { memberId, source }: Pick<GridFilter, 'memberId' | 'source'>,
  columns: readonly ParticipationColumn[],
) => participationsUnder(db, ownHandles(db, memberId, source), source, columns);

export const ownHandles = (db: Db, memberId: bigint, source: string) =>
  sql<SqlBool>`handle_id IN ${handlesOf(db, memberId).where('source', '=', source)}`;

export function participationsUnder(
  db: Db,
  isOwn: RawBuilder<SqlBool>,
  source: string,
  columns: readonly ParticipationColumn[],
) {
  const { withContest, withoutContest } = participationsBy(db, isOwn, source);
  return db.selectFrom(
    withContest.select(columns).unionAll(withoutContest.select(columns)).as('participations'),
  );
}

const liveSubmissions = sql<bigint>`count(*) FILTER (WHERE participation IS NULL OR participation <> 'virtual')`;

export async function findLastParticipation(
  db: Db,
  handleId: bigint,
  source: string,
): Promise<string | null> {
  const { withContest, withoutContest } = participationsBy(db, sql`handle_id = ${handleId}`, source);
  const isLive = sql<SqlBool>`(participation IS NULL OR participation <> 'virtual')`;
  const last = sql<string | null>`max(submitted_at)`.as('at');
  const { at: first } = await withContest.where(isLive).select(last).executeTakeFirstOrThrow();
  const { at: second } = await withoutContest.where(isLive).select(last).executeTakeFirstOrThrow();
  return (first ?? '') > (second ?? '') ? first : second;
}

export interface AttendedContest {
  id: bigint;
  key: string;
  title: string;
  source: string;
  /** Submissions that are not of a virtual contest. */
  live: bigint;
  /** When the virtual contest began, or the first submission if the judge does not say it. */
  first_at: string;
  /** When the contest, or the member's virtual one, ended. */
  over_at: string;
}

export function listAttendedContests(db: Db, memberId: bigint, source: string): Promise<AttendedContest[]> {
  const { momentAfter } = engineOf(db);
  const first = sql<string>`min(coalesce(virtual_began_at, submitted_at))`;
  const start = sql<string>`CASE WHEN ${liveSubmissions} > 0 THEN coalesce(starts_at, ${first}) ELSE ${first} END`;
  return participations(db, { memberId, source }, [
    'matched.id',
    'submitted_at',
    'participation',
    'virtual_began_at',
  ])
    .innerJoin('contests', 'contests.id', 'participations.id')
    .select(['contests.id', 'key', 'title', 'source', liveSubmissions.as('live'), first.as('first_at')])
    .select(momentAfter(start, sql.ref('duration_s')).as('over_at'))
    .groupBy(['contests.id', 'key', 'title', 'source', 'starts_at', 'duration_s'])
    .orderBy(first, 'desc')
    .execute();
}

/** `isTeam` means that the member never took part alone. */
export interface ParticipationSummary {
  how: 'live' | 'virtual';
  isTeam: boolean;
}

export async function listParticipations(
  db: Db,
  filter: Pick<GridFilter, 'memberId' | 'source'>,
): Promise<Map<bigint, ParticipationSummary>> {
  const rows = await participations(db, filter, ['matched.id', 'participation', 'is_team'])
    .select(['id', liveSubmissions.as('live')])
    .select(sql<bigint>`count(*) FILTER (WHERE is_team = 0)`.as('alone'))
    .groupBy('id')
    .execute();
  return new Map(
    rows.map(({ id, live, alone }) => [id, { how: live > 0n ? 'live' : 'virtual', isTeam: alone === 0n }]),
  );
}

function triedContests(db: Db, memberId: bigint, source: string) {
  return db
    .selectFrom('statuses')
    .innerJoin('contest_problems', 'contest_problems.problem_id', 'statuses.problem_id')
    .innerJoin('contests as matched', 'matched.id', 'contest_problems.contest_id')
    .where('statuses.user_id', '=', memberId)
    .where(shownStatus, 'in', ['complete', 'practicing'])
    .where('matched.source', '=', source)
    .groupBy('contest_id');
}

function finishedContests(db: Db, memberId: bigint, source: string) {
  const all = sql<bigint>`(
    SELECT count(DISTINCT others.problem_id) FROM contest_problems AS others
    WHERE others.contest_id = contest_problems.contest_id)`;
  const solved = sql<bigint>`count(DISTINCT CASE WHEN ${shownStatus} = 'complete' THEN statuses.problem_id END)`;
  return triedContests(db, memberId, source).having(solved, '=', all).select('contest_id');
}

export type GridProblem = { contest_id: bigint; key: string; position: string } & (
  | ({ id: bigint } & Pick<ProblemRow, 'title' | 'source' | 'rating' | 'aliases'>)
  | { id: null; title: null; source: null; rating: null; aliases: null }
);

export const listGridProblems = preparedForMany((db, contestIds: readonly bigint[]) =>
  db
    .selectFrom('contest_problems')
    .leftJoin('problems', 'problems.id', 'contest_problems.problem_id')
    .select(['contest_id', 'key', 'position', 'problems.id', 'title', 'source', 'rating', 'aliases'])
    .where('contest_id', 'in', contestIds)
    .$castTo<GridProblem>(),
);

export type GridSolve = Pick<
  SolvesTable,
  'verdict_class' | 'submitted_at' | 'contest' | 'participation' | 'is_team'
> & { problem_id: bigint; source: string; count: bigint };

export const listGridSolves = preparedForMany(
  (
    db,
    problemIds: readonly bigint[],
    { memberId, moments }: { memberId: bigint; moments: readonly string[] },
  ) =>
    foldedSolves(db, moments)
      .where('user_id', '=', memberId)
      .where('problem_id', 'in', problemIds)
      .$castTo<GridSolve>(),
);
