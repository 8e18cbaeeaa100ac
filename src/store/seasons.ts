/**
 * Seasons of groups: their contests, points by hand, and the submissions of those people who agreed to be shown. How
 * points are counted is in `practice/season-table.ts`.
 */
import { type SqlBool, sql } from 'kysely';
import { runForMany } from './bulk.ts';
import type { ContestsTable, GridContest } from './contests.ts';
import { contestsMatching } from './contests.ts';
import type { GroupMembersTable, GroupPerson } from './groups.ts';
import { personColumns } from './groups.ts';
import type { HandlesTable } from './handles.ts';
import { countRows } from './listings.ts';
import type { RoundsTable } from './rounds.ts';
import { deleteRows, insertRow, listRows, updateRows } from './rows.ts';
import type { SolvesTable } from './solves.ts';
import type { Db } from './tables.ts';

export interface SeasonsTable {
  id: bigint;
  group_id: bigint;
  name: string;
  /** Dates in the group's time zone, both included. */
  first_day: string;
  last_day: string;
  /** For how many days after a contest its problems still give points. */
  upsolve_days: bigint;
  /** Whether each problem gives a point, or more points the harder it is. */
  points: 'problem' | 'band';
  /** How many of a person's contests count; null where all do. */
  best: bigint | null;
  /** When the rule was last changed; null where it never was. */
  rule_since: string | null;
  created_at: string;
}

/** Something that is held in a season. */
export interface SeasonContestsTable {
  season_id: bigint;
  kind: 'contest' | 'round';
  /** The id of the contest, or of a round of the group. One that is not here any more shows nothing. */
  item_id: bigint;
  added_at: string;
}

/** Points that a coach gave or took by hand. They go with the person's place in the group. */
export interface SeasonPointsTable {
  id: bigint;
  season_id: bigint;
  group_id: bigint;
  user_id: bigint;
  /** Half points, below 0 where they were taken. */
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

/** A season of the group: the present one, which was made last, or the one with this id. */
export async function findSeason(db: Db, groupId: bigint, id?: bigint): Promise<SeasonsTable | undefined> {
  let query = db.selectFrom('seasons').selectAll().where('group_id', '=', groupId);
  if (id !== undefined) query = query.where('id', '=', id);
  return query.orderBy('id', 'desc').limit(1).executeTakeFirst();
}

/** The seasons of a group, the present one first. */
export async function listSeasons(db: Db, groupId: bigint): Promise<SeasonsTable[]> {
  return db.selectFrom('seasons').selectAll().where('group_id', '=', groupId).orderBy('id', 'desc').execute();
}

export const insertSeason = (tx: Db, row: Omit<SeasonsTable, 'id'>) => insertRow(tx, 'seasons', row);

export const updateSeason = (tx: Db, id: bigint, values: Partial<SeasonsTable>) =>
  updateRows(tx, 'seasons', { id }, values);

export const deleteSeason = (tx: Db, id: bigint) => deleteRows(tx, 'seasons', { id });

/* The contests of a season. */

export async function insertSeasonContest(tx: Db, row: SeasonContestsTable): Promise<void> {
  await tx
    .insertInto('season_contests')
    .values(row)
    .onConflict((conflict) => conflict.columns(['season_id', 'kind', 'item_id']).doNothing())
    .execute();
}

/** Returns whether it was in the season. */
export const deleteSeasonContest = (
  tx: Db,
  { season_id, kind, item_id }: Omit<SeasonContestsTable, 'added_at'>,
) => deleteRows(tx, 'season_contests', { season_id, kind, item_id });

export async function countSeasonContests(db: Db, seasonId: bigint): Promise<bigint> {
  return countRows(db.selectFrom('season_contests').where('season_id', '=', seasonId));
}

const gridColumns = ['id', 'source', 'key', 'title', 'starts_at', 'duration_s', 'phase'] as const;

export type SeasonContest = GridContest & Pick<SeasonContestsTable, 'added_at'>;

/** In the order of time; those without a start by when they were added. */
export async function listSeasonContests(db: Db, seasonId: bigint): Promise<SeasonContest[]> {
  return db
    .selectFrom('season_contests')
    .innerJoin('contests', 'contests.id', 'item_id')
    .select(gridColumns)
    .select('added_at')
    .where('season_id', '=', seasonId)
    .where('kind', '=', 'contest')
    .orderBy(sql`coalesce(starts_at, added_at)`)
    .orderBy('contests.id')
    .execute();
}

export type ChoosableContest = Pick<
  ContestsTable,
  'id' | 'source' | 'key' | 'title' | 'starts_at' | 'is_gym'
>;

/** Contests that a coach can add: those of these words, or those that begin in a span. Those that begin last come first. */
export async function listChoosableContests(
  db: Db,
  { text, from, until }: { text: string; from: string; until: string },
  limit: number,
): Promise<ChoosableContest[]> {
  const wanted =
    text === ''
      ? db.selectFrom('contests').where('starts_at', '>=', from).where('starts_at', '<', until)
      : contestsMatching(db, { text });
  return wanted
    .select(['id', 'source', 'key', 'title', 'starts_at', 'is_gym'])
    .orderBy(sql`coalesce(starts_at, '')`, 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/* The present seasons of a member's groups, and what is held in them. */

export type SeasonOfGroup = Pick<SeasonsTable, 'id' | 'group_id'> &
  Pick<GroupMembersTable, 'role'> & { group: string };

/** By the names of the groups. */
export async function listPresentSeasons(db: Db, userId: bigint): Promise<SeasonOfGroup[]> {
  return db
    .selectFrom('group_members')
    .innerJoin('groups', 'groups.id', 'group_members.group_id')
    .innerJoin('seasons', 'seasons.group_id', 'groups.id')
    .select(['seasons.id', 'seasons.group_id', 'role', 'groups.name as group'])
    .where('user_id', '=', userId)
    .where(
      sql<SqlBool>`NOT EXISTS (
        SELECT 1 FROM seasons AS newer WHERE newer.group_id = groups.id AND newer.id > seasons.id)`,
    )
    .orderBy('groups.name')
    .orderBy('groups.id')
    .execute();
}

/** The contests and rounds in these seasons; a contest with its judge and key. */
export async function listHeld(db: Db, seasonIds: readonly bigint[]) {
  if (seasonIds.length === 0) return [];
  return db
    .selectFrom('season_contests')
    .leftJoin('contests', (join) =>
      join.onRef('contests.id', '=', 'item_id').on('season_contests.kind', '=', 'contest'),
    )
    .select(['season_id', 'kind', 'item_id', 'source', 'key'])
    .where('season_id', 'in', seasonIds)
    .execute();
}

/* Rounds of the group, which are held in a season like contests. */

export type SeasonRound = RoundsTable & Pick<SeasonContestsTable, 'added_at'>;

/** The rounds of a season, in the order of time. */
export async function listSeasonRounds(db: Db, seasonId: bigint): Promise<SeasonRound[]> {
  return db
    .selectFrom('season_contests')
    .innerJoin('seasons', 'seasons.id', 'season_id')
    .innerJoin('rounds', (join) =>
      join.onRef('rounds.id', '=', 'item_id').onRef('rounds.group_id', '=', 'seasons.group_id'),
    )
    .selectAll('rounds')
    .select('added_at')
    .where('season_id', '=', seasonId)
    .where('kind', '=', 'round')
    .orderBy('starts_at')
    .orderBy('rounds.id')
    .execute();
}

/** The rounds of a group that begin in a span; those that begin last come first. */
export async function listGroupRounds(
  db: Db,
  groupId: bigint,
  { from, until }: { from: string; until: string },
  limit: number,
): Promise<Pick<RoundsTable, 'id' | 'name' | 'starts_at'>[]> {
  return db
    .selectFrom('rounds')
    .select(['id', 'name', 'starts_at'])
    .where('group_id', '=', groupId)
    .where('starts_at', '>=', from)
    .where('starts_at', '<', until)
    .orderBy('starts_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Whether the group has this round. */
export async function hasRound(db: Db, groupId: bigint, id: bigint): Promise<boolean> {
  const found = db.selectFrom('rounds').select('id').where('group_id', '=', groupId).where('id', '=', id);
  return (await found.executeTakeFirst()) !== undefined;
}

/** The problems of rounds, as places of contests are read. */
export async function listRoundPlaces(db: Db, roundIds: readonly bigint[]) {
  if (roundIds.length === 0) return [];
  return db
    .selectFrom('round_problems')
    .innerJoin('problems', 'problems.id', 'problem_id')
    .select([
      'round_id',
      'position',
      'problems.id',
      'source_key as key',
      'title',
      'source',
      'rating',
      'aliases',
    ])
    .where('round_id', 'in', roundIds)
    .orderBy('round_id')
    .orderBy('position')
    .execute();
}

/** The submissions of these people to problems of rounds that they joined, from the start of the round to its end. */
export async function listRoundParts(
  db: Db,
  userIds: readonly bigint[],
  roundIds: readonly bigint[],
): Promise<(SeasonSolve & { round_id: bigint })[]> {
  if (userIds.length === 0 || roundIds.length === 0) return [];
  return db
    .selectFrom('round_people')
    .innerJoin('rounds', 'rounds.id', 'round_people.round_id')
    .innerJoin('round_problems', 'round_problems.round_id', 'rounds.id')
    .innerJoin('handles', 'handles.user_id', 'round_people.user_id')
    .innerJoin('solves', (join) =>
      join
        .onRef('solves.handle_id', '=', 'handles.id')
        .onRef('solves.problem_id', '=', 'round_problems.problem_id'),
    )
    .select(solveColumns)
    .select('round_people.round_id')
    .where('round_people.user_id', 'in', userIds)
    .where('round_people.round_id', 'in', roundIds)
    .where('verdict_class', 'in', ['solved', 'tried'])
    .whereRef('submitted_at', '>=', 'rounds.starts_at')
    .whereRef('submitted_at', '<', 'rounds.ends_at')
    .execute();
}

/** Those of these contests that are here. */
export async function listContestIds(db: Db, ids: readonly bigint[]): Promise<bigint[]> {
  if (ids.length === 0) return [];
  return (await db.selectFrom('contests').select('id').where('id', 'in', ids).execute()).map(({ id }) => id);
}

/* The people of a season, and what they sent. Of somebody who did not agree, no statement here reads anything. */

export type SeasonPerson = GroupPerson & Pick<GroupMembersTable, 'on_board'>;

/** The people who agreed to be shown, without disabled members. */
export async function listSeasonPeople(db: Db, groupId: bigint): Promise<SeasonPerson[]> {
  return agreedIn(db, groupId).select(personColumns).select('on_board').orderBy('username_key').execute();
}

function agreedIn(db: Db, groupId: bigint) {
  return db
    .selectFrom('group_members')
    .innerJoin('members', 'members.id', 'group_members.user_id')
    .where('group_members.group_id', '=', groupId)
    .where('in_season', '=', 1n)
    .where('is_disabled', '=', 0n);
}

/** How many members of the group have not agreed. */
export async function countNotAgreed(db: Db, groupId: bigint): Promise<number> {
  const rows = db
    .selectFrom('group_members')
    .innerJoin('members', 'members.id', 'group_members.user_id')
    .where('group_id', '=', groupId)
    .where('group_members.role', '=', 'member')
    .where('is_disabled', '=', 0n)
    .where(({ or, eb }) => or([eb('in_season', 'is', null), eb('in_season', '=', 0n)]));
  return Number(await countRows(rows));
}

/** A submission to one of the problems, by a person of the season. */
export type SeasonSolve = Pick<
  SolvesTable,
  'problem_id' | 'key' | 'verdict_class' | 'submitted_at' | 'contest' | 'participation' | 'is_team'
> & { user_id: bigint };

/** The handles of these people, for a condition. */
function handlesOfAll(db: Db, userIds: readonly bigint[]) {
  return db.selectFrom('handles').where('handles.user_id', 'in', userIds);
}

const solveColumns = [
  'handles.user_id',
  'solves.problem_id',
  'solves.key',
  'verdict_class',
  'submitted_at',
  'contest',
  'participation',
  'is_team',
] as const;

/**
 * The submissions of these people to these problems, solved ones alone unless `hasTries`. A problem is looked up under the
 * handles of each person, which the index `solves_by_problem` finds at once.
 */
export async function listSeasonSolves(
  db: Db,
  userIds: readonly bigint[],
  problemIds: readonly bigint[],
  hasTries = false,
): Promise<SeasonSolve[]> {
  if (userIds.length === 0) return [];
  return runForMany(db, `listSeasonSolves ${userIds.length} ${hasTries}`, [...userIds], problemIds, (some) =>
    handlesOfAll(db, userIds)
      .innerJoin('solves', 'solves.handle_id', 'handles.id')
      .select(solveColumns)
      .where('solves.problem_id', 'in', some)
      .where(
        hasTries
          ? sql<SqlBool>`verdict_class IN ('solved', 'tried')`
          : sql<SqlBool>`verdict_class = 'solved'`,
      ),
  );
}

/**
 * The submissions of these people by which they took part in contests of a judge, whatever became of them: live, in a
 * virtual one, or in a team. They are read along the index `solves_by_contest`, which has no practice.
 */
export async function listSeasonParts(
  db: Db,
  userIds: readonly bigint[],
  source: string,
  contestKeys: readonly string[],
): Promise<SeasonSolve[]> {
  if (userIds.length === 0 || contestKeys.length === 0) return [];
  return handlesOfAll(db, userIds)
    .innerJoin('solves', 'solves.handle_id', 'handles.id')
    .select(solveColumns)
    .where('handles.source', '=', source)
    .where('contest', 'in', contestKeys)
    .where(sql<SqlBool>`(participation IS NULL OR participation <> 'practice')`)
    .execute();
}

/* Points by hand. */

export const insertSeasonPoints = (tx: Db, row: Omit<SeasonPointsTable, 'id'>) =>
  insertRow(tx, 'season_points', row);

export const deleteSeasonPoints = (tx: Db, seasonId: bigint, id: bigint) =>
  deleteRows(tx, 'season_points', { id, season_id: seasonId });

/** All points by hand of a season, the oldest first. */
export const listSeasonPoints = (db: Db, seasonId: bigint) =>
  listRows(db, 'season_points', { season_id: seasonId }, 'id');

/* The roster: the handles of those people who agreed to be shown, and when they last practised. */

/** A handle of a person of the group, and whether it was proved. */
export type RosterHandle = Pick<HandlesTable, 'user_id' | 'source' | 'name'> & { is_proved: bigint };

export async function listRosterHandles(db: Db, groupId: bigint): Promise<RosterHandle[]> {
  return agreedIn(db, groupId)
    .innerJoin('handles', 'handles.user_id', 'group_members.user_id')
    .select(['handles.user_id', 'source', 'handles.name'])
    .select(
      sql<bigint>`CAST(CASE WHEN EXISTS (
        SELECT 1 FROM handle_proofs WHERE handle_proofs.handle_id = handles.id) THEN 1 ELSE 0 END AS BIGINT)`.as(
        'is_proved',
      ),
    )
    .orderBy('source')
    .orderBy('handles.id')
    .execute();
}

/** When each of them last sent a solution or first solved a problem; people who did neither have no entry. */
export async function listLastPractised(db: Db, groupId: bigint): Promise<Map<bigint, string>> {
  const rows = await agreedIn(db, groupId)
    .select('group_members.user_id')
    .select([
      sql<string | null>`(
        SELECT max((SELECT max(submitted_at) FROM solves WHERE solves.handle_id = handles.id))
        FROM handles WHERE handles.user_id = group_members.user_id)`.as('sent_at'),
      sql<
        string | null
      >`(SELECT max(at) FROM first_solves WHERE first_solves.user_id = group_members.user_id)`.as(
        'solved_at',
      ),
    ])
    .execute();
  return new Map(
    rows.flatMap(({ user_id, sent_at, solved_at }) => {
      const at = [sent_at ?? '', solved_at ?? ''].toSorted().at(-1) as string;
      return at === '' ? [] : [[user_id, at] as const];
    }),
  );
}
