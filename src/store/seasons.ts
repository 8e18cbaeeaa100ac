/**
 * Seasons of groups: their contests, points by hand, and the submissions of those people who agreed to be shown. How
 * points are counted is in `practice/season-table.ts`.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { preparedForMany } from './bulk.ts';
import { type ContestsTable, cancelled, contestsMatching, type GridContest } from './contests.ts';
import { engineOf } from './engine.ts';
import { type GroupMembersTable, type GroupPerson, personColumns } from './groups.ts';
import type { HandlesTable } from './handles.ts';
import { countRows } from './listings.ts';
import { prepared } from './prepared.ts';
import type { RoundSpan } from './rounds.ts';
import { deleteRows, findRow, insertRow, listRows, updateRows } from './rows.ts';
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

/** The seasons of a group, the present one first, which was made last. */
export async function listSeasons(db: Db, groupId: bigint): Promise<SeasonsTable[]> {
  return (await listRows(db, 'seasons', { group_id: groupId }, 'id')).toReversed();
}

/** The present season of a group. */
export async function findSeason(db: Db, groupId: bigint): Promise<SeasonsTable | undefined> {
  return (await listSeasons(db, groupId))[0];
}

export const insertSeason = (tx: Db, row: Omit<SeasonsTable, 'id'>) => insertRow(tx, 'seasons', row);

export const updateSeason = (tx: Db, id: bigint, values: Partial<SeasonsTable>) =>
  updateRows(tx, 'seasons', { id }, values);

export const deleteSeason = (tx: Db, id: bigint) => deleteRows(tx, 'seasons', { id });

/* The contests and rounds of seasons. */

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

/** Whether there is such a contest, or such a round of the group. */
export async function hasItem(
  db: Db,
  group_id: bigint,
  { kind, item_id: id }: Pick<SeasonContestsTable, 'kind' | 'item_id'>,
): Promise<boolean> {
  const found = kind === 'round' ? findRow(db, 'rounds', { id, group_id }) : findRow(db, 'contests', { id });
  return (await found) !== undefined;
}

/** A contest in a season, or a round of its group. */
export type SeasonItem = Pick<SeasonContestsTable, 'season_id' | 'added_at'> &
  (({ kind: 'contest' } & GridContest) | ({ kind: 'round'; id: bigint; title: string } & RoundSpan));

const heldIn = preparedForMany((db, seasonIds: readonly bigint[]) =>
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
    .select(['ends_at', 'freeze_minutes', 'is_shown'])
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

/** Those in these seasons, in the order of time; those without a start by when they were added. */
export async function listHeld(db: Db, seasonIds: readonly bigint[]): Promise<SeasonItem[]> {
  return (await heldIn(db, seasonIds)) as SeasonItem[];
}

/** The newest contests of a judge in seasons that ended in a span of time, and of which no problem is known. */
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

/** Contests that a coach can add: those of these words, or those that begin in a span, the last first. No cancelled ones. */
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
    .select(['id', 'source', 'key', 'title', 'starts_at'])
    .where(sql<SqlBool>`coalesce(phase, '') <> ${cancelled}`)
    .orderBy(sql`coalesce(starts_at, '')`, 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export type SeasonOfGroup = Pick<SeasonsTable, 'id' | 'group_id'> &
  Pick<GroupMembersTable, 'role'> & { group: string };

/** The present seasons of a member's groups, by the names of the groups. */
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

/* The people of a season, and what they sent. Of somebody who did not agree, no statement here reads anything. */

/** The people of a group, without disabled members. */
const peopleOf = (db: Db, groupId: bigint) =>
  db
    .selectFrom('group_members')
    .innerJoin('members', 'members.id', 'group_members.user_id')
    .where('group_members.group_id', '=', groupId)
    .where('is_disabled', '=', sql.lit(0n));

export type SeasonPerson = GroupPerson & Pick<GroupMembersTable, 'on_board'>;

const agreedIn = (db: Db, groupId: bigint) =>
  peopleOf(db, groupId)
    .select(personColumns)
    .select('on_board')
    .where('in_season', '=', sql.lit(1n))
    .orderBy('username_key');

export const listSeasonPeople = prepared((db, { groupId }: { groupId: bigint }) => agreedIn(db, groupId));

export async function countNotAgreed(db: Db, groupId: bigint): Promise<number> {
  const others = peopleOf(db, groupId).where('group_members.role', '=', 'member');
  return Number(await countRows(others.where(sql<SqlBool>`coalesce(in_season, 0) = 0`)));
}

/** A submission to one of the problems, by a person of the season. */
export type SeasonSolve = Pick<
  SolvesTable,
  'problem_id' | 'key' | 'verdict_class' | 'submitted_at' | 'contest' | 'participation' | 'is_team'
> & { user_id: bigint; source: string };

const solvesOf = (db: Db, userIds: readonly bigint[]) =>
  db
    .selectFrom('handles')
    .innerJoin('solves', 'solves.handle_id', 'handles.id')
    .select(['handles.user_id', 'solves.problem_id', 'solves.key', 'verdict_class', 'submitted_at'])
    .select(['source', 'contest', 'participation', 'is_team'])
    .where('handles.user_id', 'in', userIds);

const seasonSolves = (isWanted: RawBuilder<SqlBool>) =>
  preparedForMany((db, problemIds: readonly bigint[], { userIds }: { userIds: readonly bigint[] }) =>
    solvesOf(db, userIds).where('solves.problem_id', 'in', problemIds).where(isWanted),
  );
const solvesAndTries = seasonSolves(
  sql`(verdict_class IN ('solved', 'tried') OR (contest IS NULL AND participation IS NULL))`,
);
const solvesAndUnnamed = seasonSolves(
  sql`(verdict_class = 'solved' OR (contest IS NULL AND participation IS NULL))`,
);

/**
 * The submissions of these people to these problems: solved ones, refused ones if `hasTries`, and all where the judge leaves open
 * whether they were sent to a contest. A problem is looked up under the handles of each person, which the index `solves_by_problem`
 * finds at once.
 */
export async function listSeasonSolves(
  db: Db,
  userIds: readonly bigint[],
  problemIds: readonly bigint[],
  hasTries: boolean,
): Promise<SeasonSolve[]> {
  if (userIds.length === 0) return [];
  return (hasTries ? solvesAndTries : solvesAndUnnamed)(db, problemIds, { userIds });
}

const seasonParts = preparedForMany(
  (db, contestKeys: readonly string[], { userIds, source }: { userIds: readonly bigint[]; source: string }) =>
    solvesOf(db, userIds)
      .where('handles.source', '=', source)
      .where('contest', 'in', contestKeys)
      .where(sql<SqlBool>`(participation IS NULL OR participation <> 'practice')`),
);

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
  if (userIds.length === 0) return [];
  return seasonParts(db, contestKeys, { userIds, source });
}

export const insertSeasonPoints = (tx: Db, row: Omit<SeasonPointsTable, 'id'>) =>
  insertRow(tx, 'season_points', row);

export const deleteSeasonPoints = (tx: Db, seasonId: bigint, id: bigint) =>
  deleteRows(tx, 'season_points', { id, season_id: seasonId });

/** The oldest first. */
export const listSeasonPoints = (db: Db, seasonId: bigint) =>
  listRows(db, 'season_points', { season_id: seasonId }, 'id');

/* The roster: when people of a season last practised, and their handles. */

/** A person of the roster, and when they last sent a solution or first solved a problem. */
export type RosterPerson = SeasonPerson & { practised_at: string | null };

export const listRosterPeople = (db: Db, groupId: bigint): Promise<RosterPerson[]> =>
  agreedIn(db, groupId)
    .select(
      sql<string | null>`(SELECT max(at) FROM (
        SELECT (SELECT max(submitted_at) FROM solves WHERE solves.handle_id = handles.id) AS at
        FROM handles WHERE handles.user_id = members.id
        UNION ALL SELECT max(at) FROM first_solves WHERE first_solves.user_id = members.id) AS practised)`.as(
        'practised_at',
      ),
    )
    .execute();

/** A handle, and when it was proved; null where it was not. */
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
