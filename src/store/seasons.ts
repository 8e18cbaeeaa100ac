/** Seasons: contests, manual points and submissions. Points are counted in `practice/season-table.ts`. */
import { type SqlBool, sql } from 'kysely';
import { preparedForMany } from './bulk.ts';
import { type ContestsTable, cancelledPhase, contestsMatching, type GridContest } from './contests.ts';
import { engineOf } from './engine.ts';
import { type GroupMembersTable, type GroupPerson, personColumns } from './groups.ts';
import type { HandlesTable } from './handles.ts';
import { countRows } from './listings.ts';
import { prepared } from './prepared.ts';
import type { RoundsTable, RoundTimes } from './rounds.ts';
import { deleteRows, findRow, insertRow, listRows, updateRows } from './rows.ts';
import { foldedSolves, type SolvesTable } from './solves.ts';
import type { Db } from './tables.ts';

export interface SeasonsTable {
  id: bigint;
  group_id: bigint;
  name: string;
  /** Dates in the group's time zone, both included. */
  first_day: string;
  last_day: string;
  upsolve_days: bigint;
  /** `problem` gives a point for each problem, `band` more for a harder one. */
  points: 'problem' | 'band';
  /** How many of the best contests of a person count; null for all. */
  best: bigint | null;
  /** When the rule for points last changed; null if never. */
  rule_since: string | null;
  created_at: string;
}

export interface SeasonContestsTable {
  season_id: bigint;
  kind: 'contest' | 'round';
  /** The id of a contest, or of a round of the group. A deleted one shows nothing. */
  item_id: bigint;
  added_at: string;
}

/** Points that a coach added or took away. They are deleted when the person leaves the group. */
export interface SeasonPointsTable {
  id: bigint;
  season_id: bigint;
  group_id: bigint;
  user_id: bigint;
  /** Half points, negative where they were taken away. */
  halves: bigint;
  reason: string;
  made_at: string;
}

declare module './tables.ts' {
  interface Tables {
    seasons: SeasonsTable;
    season_contests: SeasonContestsTable;
    season_points: SeasonPointsTable;
  }
}

export async function listSeasons(db: Db, groupId: bigint): Promise<SeasonsTable[]> {
  return (await listRows(db, 'seasons', { group_id: groupId }, 'id')).toReversed();
}

export async function findSeason(db: Db, groupId: bigint): Promise<SeasonsTable | undefined> {
  return (await listSeasons(db, groupId))[0];
}

export const insertSeason = (tx: Db, row: Omit<SeasonsTable, 'id'>) => insertRow(tx, 'seasons', row);

export const updateSeason = (tx: Db, id: bigint, values: Partial<SeasonsTable>) =>
  updateRows(tx, 'seasons', { id }, values);

export const deleteSeason = (tx: Db, id: bigint) => deleteRows(tx, 'seasons', { id });

export async function insertSeasonContest(tx: Db, row: SeasonContestsTable): Promise<void> {
  await tx
    .insertInto('season_contests')
    .values(row)
    .onConflict((conflict) => conflict.columns(['season_id', 'kind', 'item_id']).doNothing())
    .execute();
}

export const deleteSeasonContest = (tx: Db, row: Omit<SeasonContestsTable, 'added_at'>) =>
  deleteRows(tx, 'season_contests', row);

export async function countSeasonContests(db: Db, seasonId: bigint): Promise<bigint> {
  return countRows(db.selectFrom('season_contests').where('season_id', '=', seasonId));
}

export async function seasonItemExists(
  db: Db,
  group_id: bigint,
  { kind, item_id: id }: Pick<SeasonContestsTable, 'kind' | 'item_id'>,
): Promise<boolean> {
  const item = kind === 'round' ? findRow(db, 'rounds', { id, group_id }) : findRow(db, 'contests', { id });
  return (await item) !== undefined;
}

export type SeasonItem = Pick<SeasonContestsTable, 'season_id' | 'added_at'> &
  (
    | ({ kind: 'contest' } & GridContest)
    | ({ kind: 'round'; id: bigint; title: string } & RoundTimes & Pick<RoundsTable, 'rule' | 'teams_day'>)
  );

const seasonItems = preparedForMany((db, seasonIds: readonly bigint[]) =>
  db
    .selectFrom('season_contests')
    .innerJoin('seasons', 'seasons.id', 'season_id')
    .leftJoin('contests', (join) =>
      join.onRef('contests.id', '=', 'item_id').on('kind', '=', sql.lit('contest')),
    )
    .leftJoin('rounds', (join) =>
      join
        .onRef('rounds.id', '=', 'item_id')
        .onRef('rounds.group_id', '=', 'seasons.group_id')
        .on('kind', '=', sql.lit('round')),
    )
    .select(['season_id', 'kind', 'added_at', 'item_id as id', 'source', 'key', 'duration_s', 'phase'])
    .select(['ends_at', 'freeze_minutes', 'is_shown', 'rule', 'teams_day'])
    .select([
      sql<string>`coalesce(title, rounds.name)`.as('title'),
      sql<string | null>`coalesce(contests.starts_at, rounds.starts_at)`.as('starts_at'),
    ])
    .where('season_id', 'in', seasonIds)
    .where(sql<SqlBool>`coalesce(contests.id, rounds.id) IS NOT NULL`)
    .orderBy(sql`coalesce(contests.starts_at, rounds.starts_at, added_at)`)
    .orderBy('kind')
    .orderBy('item_id'),
);

export async function listSeasonItems(db: Db, seasonIds: readonly bigint[]): Promise<SeasonItem[]> {
  return (await seasonItems(db, seasonIds)) as SeasonItem[];
}

/** The newest 20 that ended in this time. */
export async function listContestsWithoutProblems(
  db: Db,
  source: string,
  { from, until }: { from: string; until: string },
): Promise<Pick<ContestsTable, 'id' | 'key'>[]> {
  const end = engineOf(db).momentAfter(sql.ref('contests.starts_at'), sql.ref('contests.duration_s'));
  return db
    .selectFrom('season_contests')
    .innerJoin('contests', 'contests.id', 'item_id')
    .select(['contests.id', 'contests.key'])
    .distinct()
    .where('kind', '=', 'contest')
    .where('source', '=', source)
    .where(sql<SqlBool>`${end} >= ${from} AND ${end} < ${until}`)
    .where(sql<SqlBool>`NOT EXISTS (SELECT 1 FROM contest_problems WHERE contest_id = contests.id)`)
    .orderBy('contests.id', 'desc')
    .limit(20)
    .execute();
}

export type ChoosableContest = Pick<ContestsTable, 'id' | 'source' | 'key' | 'title' | 'starts_at'>;

/** Contests that match `text`, or without a text those that start in this time; newest first, without cancelled ones. */
export async function listChoosableContests(
  db: Db,
  { text, from, until }: { text: string; from: string; until: string },
  limit: number,
): Promise<ChoosableContest[]> {
  const matches =
    text === ''
      ? db.selectFrom('contests').where('starts_at', '>=', from).where('starts_at', '<', until)
      : contestsMatching(db, { text });
  return matches
    .select(['id', 'source', 'key', 'title', 'starts_at'])
    .where(sql<SqlBool>`coalesce(phase, '') <> ${cancelledPhase}`)
    .orderBy(sql`coalesce(starts_at, '')`, 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export type SeasonOfGroup = Pick<SeasonsTable, 'id' | 'group_id'> &
  Pick<GroupMembersTable, 'role'> & { group: string };

export async function listCurrentSeasons(db: Db, userId: bigint): Promise<SeasonOfGroup[]> {
  return db
    .selectFrom('group_members')
    .innerJoin('groups', 'groups.id', 'group_members.group_id')
    .innerJoin('seasons', 'seasons.group_id', 'groups.id')
    .select(['seasons.id', 'seasons.group_id', 'role', 'groups.name as group'])
    .where('user_id', '=', userId)
    .where('archived_at', 'is', null)
    .where(
      sql<SqlBool>`NOT EXISTS (
        SELECT 1 FROM seasons AS newer WHERE newer.group_id = groups.id AND newer.id > seasons.id)`,
    )
    .orderBy('groups.name')
    .orderBy('groups.id')
    .execute();
}

/* People and submissions. No statement reads anything of somebody who did not agree. */

const peopleOf = (db: Db, groupId: bigint) =>
  db
    .selectFrom('group_members')
    .innerJoin('members', 'members.id', 'group_members.user_id')
    .where('group_members.group_id', '=', groupId)
    .where('is_disabled', '=', sql.lit(0n));

export type SeasonPerson = GroupPerson & Pick<GroupMembersTable, 'on_board'>;

const consenting = (db: Db, groupId: bigint) =>
  peopleOf(db, groupId)
    .select(personColumns)
    .select('on_board')
    .where('in_season', '=', sql.lit(1n))
    .orderBy('username_key');

export const listSeasonPeople = prepared((db, { groupId }: { groupId: bigint }) => consenting(db, groupId));

export async function countWithoutConsent(db: Db, groupId: bigint): Promise<number> {
  const others = peopleOf(db, groupId).where('group_members.role', '=', 'member');
  return Number(await countRows(others.where(sql<SqlBool>`coalesce(in_season, 0) = 0`)));
}

/** Stands for all alike submissions of a person that were sent between two moments; `submitted_at` is the first of them. */
export type SeasonSolve = Pick<
  SolvesTable,
  'problem_id' | 'key' | 'verdict_class' | 'submitted_at' | 'contest' | 'participation' | 'is_team'
> & { user_id: bigint; source: string; last_at: string };

interface SolvesOf {
  userIds: readonly bigint[];
  /** RFC 3339. */
  moments: readonly string[];
}

const solvesOf = (db: Db, { userIds, moments }: SolvesOf) =>
  foldedSolves(db, moments)
    .select(['handles.user_id', 'key', sql<string>`max(submitted_at)`.as('last_at')])
    .where('handles.user_id', 'in', userIds)
    .groupBy(['handles.user_id', 'key']);

/** Where the judge does not say who took part, submissions without a ruling show it too. */
const problemSolves = preparedForMany((db, problemIds: readonly bigint[], people: SolvesOf) =>
  solvesOf(db, people)
    .where('solves.problem_id', 'in', problemIds)
    .where(
      sql<SqlBool>`(verdict_class IN ('solved', 'tried') OR (contest IS NULL AND participation IS NULL))`,
    ),
);

export const listSeasonSolves = async (db: Db, problemIds: readonly bigint[], people: SolvesOf) =>
  people.userIds.length === 0 ? [] : problemSolves(db, problemIds, people);

const contestSolves = preparedForMany(
  (db, contestKeys: readonly string[], { source, ...people }: SolvesOf & { source: string }) =>
    solvesOf(db, people)
      .where('handles.source', '=', source)
      .where('contest', 'in', contestKeys)
      .where(sql<SqlBool>`(participation IS NULL OR participation <> 'practice')`),
);

/** Reads along the index `solves_by_contest`, which leaves out practice. */
export async function listContestSolves(
  db: Db,
  source: string,
  contestKeys: readonly string[],
  people: SolvesOf,
): Promise<SeasonSolve[]> {
  if (people.userIds.length === 0) return [];
  return contestSolves(db, contestKeys, { source, ...people });
}

export const insertSeasonPoints = (tx: Db, row: Omit<SeasonPointsTable, 'id'>) =>
  insertRow(tx, 'season_points', row);

export const deleteSeasonPoints = (tx: Db, seasonId: bigint, id: bigint) =>
  deleteRows(tx, 'season_points', { id, season_id: seasonId });

export const listSeasonPoints = (db: Db, seasonId: bigint) =>
  listRows(db, 'season_points', { season_id: seasonId }, 'id');

export type RosterPerson = SeasonPerson & { practised_at: string | null };

export const listRosterPeople = (db: Db, groupId: bigint): Promise<RosterPerson[]> =>
  consenting(db, groupId)
    .select(
      sql<string | null>`(SELECT max(at) FROM (
        SELECT (SELECT max(submitted_at) FROM solves WHERE solves.handle_id = handles.id) AS at
        FROM handles WHERE handles.user_id = members.id
        UNION ALL SELECT max(at) FROM first_solves WHERE first_solves.user_id = members.id) AS practised)`.as(
        'practised_at',
      ),
    )
    .execute();

export type RosterHandle = Pick<HandlesTable, 'id' | 'user_id' | 'source' | 'name'> & {
  proved_at: string | null;
};

export const listRosterHandles = preparedForMany((db, userIds: readonly bigint[]) =>
  db
    .selectFrom('handles')
    .leftJoin('handle_proofs', 'handle_proofs.handle_id', 'handles.id')
    .select(['handles.id', 'handles.user_id', 'source', 'handles.name', 'proved_at'])
    .where('handles.user_id', 'in', userIds)
    .orderBy('source')
    .orderBy('handles.id'),
);
