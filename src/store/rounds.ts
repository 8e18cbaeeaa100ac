/** Rounds, their problems, people and submissions. The rules are in `practice/rounds.ts`. */
import { type JoinBuilder, type SqlBool, sql } from 'kysely';
import { daySeconds } from '../durations.ts';
import { insertMany, preparedForMany } from './bulk.ts';
import { engineOf } from './engine.ts';
import type { HandlesTable } from './handles.ts';
import { type ProblemRow, problemColumns } from './problems.ts';
import { deleteRows, findRow, insertRow, listRows, updateRows, upsertRow } from './rows.ts';
import { hasPageFor } from './settings.ts';
import { type SolvesTable, spanBetween } from './solves.ts';
import type { SyncsTable } from './syncs.ts';
import type { Db, Tables } from './tables.ts';

export type RoundRule = 'icpc' | 'points' | 'lockout' | 'training';

export interface RoundsTable {
  id: bigint;
  made_by: bigint;
  /** The group whose people may join; null for a round that is joined by its secret address. */
  group_id: bigint | null;
  secret: string | null;
  name: string;
  rule: RoundRule;
  starts_at: string;
  /** The round ends before this moment. */
  ends_at: string;
  /** How many minutes before the end the results are hidden; 0 for none. */
  freeze_minutes: bigint;
  /** The day of the start by the clocks of the group, whose teams share a row each; null if everybody is alone. */
  teams_day: string | null;
  /** 1 once the frozen results are shown. */
  is_shown: bigint;
  updated_at: string;
  /** The judge of a duel's problems; null for other rounds. */
  duel_source: string | null;
  duel_band: 'easy' | 'even' | 'hard' | null;
  /** When the second person accepted the duel and its problems were chosen. */
  accepted_at: string | null;
}

export type RoundTimes = Pick<RoundsTable, 'starts_at' | 'ends_at' | 'freeze_minutes' | 'is_shown'>;

export interface RoundProblemsTable {
  round_id: bigint;
  /** From 1. It has gaps where a problem was deleted, so that letters stay. */
  position: bigint;
  problem_id: bigint;
  points: bigint;
}

export interface RoundPeopleTable {
  round_id: bigint;
  user_id: bigint;
  joined_at: string;
  /** The start and the end that the person saw when joining. */
  hours_from: string;
  hours_until: string;
  /** 0 if the problems changed since the person joined. */
  has_same_problems: bigint;
}

/** A coach asked them to join, or a duel is theirs to accept. Until they do, nothing of them shows in the round. */
export interface RoundInvitationsTable {
  round_id: bigint;
  user_id: bigint;
  is_declined: bigint;
}

declare module './tables.ts' {
  interface Tables {
    rounds: RoundsTable;
    round_problems: RoundProblemsTable;
    round_people: RoundPeopleTable;
    round_invitations: RoundInvitationsTable;
  }
}

const isParticipant = sql<SqlBool>`(
  NOT EXISTS (SELECT 1 FROM members WHERE members.id = round_people.user_id AND members.is_disabled = 1)
  AND (rounds.group_id IS NULL OR EXISTS (
    SELECT 1 FROM group_members
    WHERE group_members.group_id = rounds.group_id AND group_members.user_id = round_people.user_id)))`;

export const participants = (db: Db) =>
  db
    .selectFrom('round_people')
    .innerJoin('rounds', 'rounds.id', 'round_people.round_id')
    .where(isParticipant);

const isTeamOfDay = (join: JoinBuilder<Tables, 'round_people' | 'rounds' | 'team_members'>) =>
  join
    .onRef('team_members.user_id', '=', 'round_people.user_id')
    .onRef('team_members.group_id', '=', 'rounds.group_id')
    .on('team_members.has_agreed', '=', sql.lit(1n))
    .onRef('team_members.first_day', '<=', 'rounds.teams_day')
    .on(sql<SqlBool>`(team_members.last_day IS NULL OR team_members.last_day >= rounds.teams_day)`);

export type ShownRound = RoundsTable & {
  maker: string;
  group: string | null;
  archived_at: string | null;
  role: 'member' | 'coach' | null;
  people: bigint;
  problems: bigint;
  has_joined: bigint;
  /** 1 for a person who has not seen the present problems or hours. */
  has_new_terms: bigint;
  is_invited: bigint;
};

function shownRounds(db: Db, userId: bigint) {
  const people = sql<bigint>`(
    SELECT count(*) FROM round_people WHERE round_people.round_id = rounds.id AND ${isParticipant})`;
  const problems = sql<bigint>`(SELECT count(*) FROM round_problems WHERE round_problems.round_id = rounds.id)`;
  return db
    .selectFrom('rounds')
    .innerJoin('members as makers', 'makers.id', 'rounds.made_by')
    .leftJoin('groups', 'groups.id', 'rounds.group_id')
    .leftJoin('group_members as membership', (join) =>
      join.onRef('membership.group_id', '=', 'rounds.group_id').on('membership.user_id', '=', userId),
    )
    .selectAll('rounds')
    .select(['makers.username as maker', 'groups.name as group', 'archived_at', 'membership.role'])
    .select([people.as('people'), problems.as('problems'), hasJoined(userId).as('has_joined')])
    .select(hasJoined(userId, newTerms).as('has_new_terms'))
    .select(invitations(userId).as('is_invited'));
}

const newTerms = sql`(has_same_problems = 0 OR starts_at < hours_from OR ends_at > hours_until)`;

const hasJoined = (userId: bigint, condition = sql`1 = 1`) => sql<bigint>`(
  SELECT count(*) FROM round_people
  WHERE round_people.round_id = rounds.id AND round_people.user_id = ${userId} AND ${condition})`;

const invitations = (userId: bigint) => sql<bigint>`(
  SELECT count(*) FROM round_invitations
  WHERE round_invitations.round_id = rounds.id AND round_invitations.user_id = ${userId} AND is_declined = 0)`;

const openRounds = (db: Db, userId: bigint) =>
  shownRounds(db, userId).where(
    sql<SqlBool>`(membership.role IS NOT NULL OR (
      rounds.group_id IS NULL AND (rounds.made_by = ${userId} OR ${hasJoined(userId)} > 0
        OR (makers.is_disabled = 0 AND ${invitations(userId)} > 0))))`,
  );

export function findVisibleRound(db: Db, id: bigint, userId: bigint): Promise<ShownRound | undefined> {
  return openRounds(db, userId).where('rounds.id', '=', id).executeTakeFirst();
}

export function findRoundBySecret(db: Db, secret: string, userId: bigint): Promise<ShownRound | undefined> {
  return shownRounds(db, userId)
    .where('secret', '=', secret)
    .where('makers.is_disabled', '=', 0n)
    .executeTakeFirst();
}

export function listVisibleRounds(
  db: Db,
  userId: bigint,
  { groupId, limit }: { groupId?: bigint | undefined; limit: number },
): Promise<ShownRound[]> {
  const all = openRounds(db, userId);
  return (groupId === undefined ? all : all.where('rounds.group_id', '=', groupId))
    .orderBy('starts_at', 'desc')
    .orderBy('rounds.id', 'desc')
    .limit(limit)
    .execute();
}

/**
 * Rounds that end after `now`, and duels from after `duelsAfter`, to which they have neither joined nor said no; and of
 * those that they joined what starts before `soon`. All three are RFC 3339.
 */
export function listRoundsNow(
  db: Db,
  userId: bigint,
  { now, soon, duelsAfter }: { now: string; soon: string; duelsAfter: string },
): Promise<ShownRound[]> {
  const invited = db.selectFrom('round_invitations').select('round_id').where('user_id', '=', userId);
  const joined = db.selectFrom('round_people').select('round_id').where('user_id', '=', userId);
  return openRounds(db, userId)
    .where('rounds.id', 'in', invited.where('is_declined', '=', 0n).union(joined))
    .where('archived_at', 'is', null)
    .where(
      sql<SqlBool>`CASE WHEN ${hasJoined(userId)} = 0 AND duel_band IS NOT NULL THEN starts_at > ${duelsAfter}
        ELSE ends_at > ${now} AND (${hasJoined(userId)} = 0 OR (starts_at < ${soon} AND ${isSettled})) END`,
    )
    .orderBy('starts_at')
    .orderBy('rounds.id')
    .execute();
}

/** Not a duel that nobody has accepted yet. */
const isSettled = sql<SqlBool>`(duel_band IS NULL OR accepted_at IS NOT NULL)`;

/** The person who alone may accept a duel. */
export function findChallenged(db: Db, roundId: bigint) {
  return db
    .selectFrom('round_invitations')
    .innerJoin('members', 'members.id', 'user_id')
    .select(['username', 'is_declined'])
    .where('round_id', '=', roundId)
    .executeTakeFirst();
}

export function listJoinedRounds(db: Db, userId: bigint, { from, until }: { from: string; until: string }) {
  return participants(db)
    .leftJoin('groups', 'groups.id', 'rounds.group_id')
    .select(['rounds.id', 'rounds.name', 'starts_at', 'ends_at', 'updated_at', 'groups.name as group'])
    .where('round_people.user_id', '=', userId)
    .where('archived_at', 'is', null)
    .where(isSettled)
    .where('starts_at', '>=', from)
    .where('starts_at', '<', until)
    .orderBy('starts_at')
    .orderBy('rounds.id')
    .execute();
}

export const listRoundsMadeBy = (db: Db, made_by: bigint) => listRows(db, 'rounds', { made_by });

type ColumnsOfKind = Pick<RoundsTable, 'duel_source' | 'duel_band' | 'accepted_at' | 'teams_day'>;

export const insertRound = (
  tx: Db,
  row: Omit<RoundsTable, 'id' | keyof ColumnsOfKind> & Partial<ColumnsOfKind>,
) =>
  insertRow(tx, 'rounds', { duel_source: null, duel_band: null, accepted_at: null, teams_day: null, ...row });

export const updateRound = (tx: Db, id: bigint, values: Partial<RoundsTable>) =>
  updateRows(tx, 'rounds', { id }, values);

export const deleteRound = (tx: Db, id: bigint) => deleteRows(tx, 'rounds', { id });

/** Their names contain that of the member, who was invited to each or accepted its link. */
export const deleteDuelsWith = (tx: Db, userId: bigint) =>
  tx
    .deleteFrom('rounds')
    .where('duel_band', 'is not', null)
    .where('id', 'in', tx.selectFrom('round_invitations').select('round_id').where('user_id', '=', userId))
    .execute();

export type RoundProblem = Omit<RoundProblemsTable, 'problem_id'> & ProblemRow;

const roundProblems = preparedForMany((db, roundIds: readonly bigint[]) =>
  db
    .selectFrom('round_problems')
    .innerJoin('problems', 'problems.id', 'problem_id')
    .select(['round_id', 'position', 'points'])
    .select(problemColumns.map((column) => `problems.${column}` as const))
    .where('round_id', 'in', roundIds)
    .orderBy('position'),
);

export const listRoundProblems = (db: Db, ...roundIds: readonly bigint[]): Promise<RoundProblem[]> =>
  roundProblems(db, roundIds);

export async function writeRoundProblems(
  tx: Db,
  roundId: bigint,
  rows: readonly Pick<RoundProblemsTable, 'problem_id' | 'points'>[],
): Promise<void> {
  const before = (await listRows(tx, 'round_problems', { round_id: roundId })).map((row) => row.problem_id);
  if (rows.some((row) => !before.includes(row.problem_id)))
    await updateRows(tx, 'round_people', { round_id: roundId }, { has_same_problems: 0n });
  await deleteRows(tx, 'round_problems', { round_id: roundId });
  const inserted = rows.map((row, at) => ({ round_id: roundId, position: BigInt(at + 1), ...row }));
  await insertMany(tx, 'round_problems', inserted);
}

export type RoundPerson = Pick<Tables['members'], 'username'> & {
  user_id: bigint;
  /** The team with which the person shares a row, and its name. */
  team_id: bigint | null;
  team: string | null;
  has_page: bigint;
  has_same_problems: bigint;
};

export function listRoundPeople(db: Db, roundId: bigint): Promise<RoundPerson[]> {
  return participants(db)
    .innerJoin('members', 'members.id', 'round_people.user_id')
    .leftJoin('team_members', isTeamOfDay)
    .leftJoin('teams', 'teams.id', 'team_members.team_id')
    .select(['round_people.user_id', 'username', 'has_same_problems', hasPageFor('members')])
    .select(['teams.id as team_id', 'teams.name as team'])
    .where('round_id', '=', roundId)
    .orderBy('username_key')
    .execute();
}

export const inviteToDuel = (tx: Db, row: Omit<RoundInvitationsTable, 'is_declined'>) =>
  insertMany(tx, 'round_invitations', [{ ...row, is_declined: 0n }]);

/** Stores the present hours of the round with the person, also of one who joined before. */
export async function saveRoundPerson(
  tx: Db,
  row: Pick<RoundPeopleTable, 'round_id' | 'user_id' | 'joined_at'>,
): Promise<void> {
  const round = await findRow(tx, 'rounds', { id: row.round_id });
  const hours = { hours_from: round?.starts_at ?? '', hours_until: round?.ends_at ?? '' };
  await upsertRow(tx, 'round_people', ['round_id', 'user_id'], { ...row, ...hours, has_same_problems: 1n });
}

type InvitingCoach = Pick<ShownRound, 'id' | 'made_by'> & { groupId: bigint; coachId: bigint };

/** Does not invite again those who declined, and neither the coach who invites nor the maker, who see the round anyway. */
export async function inviteGroup(tx: Db, { id, made_by, groupId, coachId }: InvitingCoach): Promise<void> {
  const people = tx
    .selectFrom('group_members')
    .select([sql.lit(id).as('round_id'), 'user_id'])
    .where('group_id', '=', groupId)
    .where('user_id', 'not in', [coachId, made_by]);
  await tx
    .insertInto('round_invitations')
    .columns(['round_id', 'user_id'])
    .expression(people)
    .onConflict((conflict) => conflict.columns(['round_id', 'user_id']).doNothing())
    .execute();
}

/** Of the group's people who have not joined: how many an invitation waits for, and how many have none. */
export function countInvited(db: Db, { id, made_by, groupId, coachId }: InvitingCoach) {
  return db
    .selectFrom('group_members')
    .leftJoin('round_invitations as invitation', (join) =>
      join.onRef('invitation.user_id', '=', 'group_members.user_id').on('invitation.round_id', '=', id),
    )
    .select([
      sql<bigint>`count(*) FILTER (WHERE is_declined = 0)`.as('waiting'),
      sql<bigint>`count(*) FILTER (WHERE is_declined IS NULL)`.as('left'),
    ])
    .where('group_id', '=', groupId)
    .where('group_members.user_id', 'not in', [coachId, made_by])
    .where(
      'group_members.user_id',
      'not in',
      db.selectFrom('round_people').select('user_id').where('round_id', '=', id),
    )
    .executeTakeFirstOrThrow();
}

export async function deleteRoundPerson(tx: Db, round_id: bigint, user_id: bigint): Promise<boolean> {
  await updateRows(tx, 'round_invitations', { round_id, user_id }, { is_declined: 1n });
  return deleteRows(tx, 'round_people', { round_id, user_id });
}

const joinSubmissionSync = (join: JoinBuilder<Tables, 'handles' | 'syncs'>) =>
  join.onRef('syncs.handle_id', '=', 'handles.id').on('syncs.task', '=', sql.lit('submissions'));

export type RoundHandle = Pick<HandlesTable, 'user_id' | 'source' | 'name'> &
  Pick<HandleInRound, 'tried_at' | 'due_at' | 'fault'> & { good_at: string | null };

export function listRoundHandles(db: Db, roundId: bigint): Promise<RoundHandle[]> {
  return participants(db)
    .innerJoin('handles', 'handles.user_id', 'round_people.user_id')
    .leftJoin('syncs', joinSubmissionSync)
    .select(['handles.user_id', 'handles.source', 'handles.name', 'good_at', 'tried_at', 'due_at', 'fault'])
    .where('round_id', '=', roundId)
    .orderBy('handles.source')
    .orderBy('handles.id')
    .execute();
}

/** Stands for `count` submissions of a person, or of the people of a team, to a problem. A solve has its sender. */
export type RoundSolve = Pick<SolvesTable, 'submission_id' | 'submitted_at' | 'verdict_class' | 'is_team'> & {
  user_id: bigint;
  round_id: bigint;
  problem_id: bigint;
  count: bigint;
};

/** Of the round what a person sent in the hours that they saw, and the rest if its problems are the same. */
const isAgreed = sql<SqlBool>`CASE WHEN submitted_at >= starts_at AND submitted_at < ends_at
  THEN submitted_at >= hours_from AND submitted_at < hours_until ELSE has_same_problems = 1 END`;

/**
 * Between two of the moments (RFC 3339) a person or a team has at most three rows for a problem, whatever they sent: the tries
 * before the first solve, that solve, and what came after it. A team's submission at its judge, which is listed for each of its
 * people, counts once.
 */
export const listRoundSolves = preparedForMany(
  (db, roundIds: readonly bigint[], { moments }: { moments: readonly string[] }) => {
    const sent = participants(db)
      .innerJoin('handles', 'handles.user_id', 'round_people.user_id')
      .innerJoin('solves', 'solves.handle_id', 'handles.id')
      .innerJoin('round_problems', (join) =>
        join
          .onRef('round_problems.round_id', '=', 'round_people.round_id')
          .onRef('round_problems.problem_id', '=', 'solves.problem_id'),
      )
      .leftJoin('team_members', isTeamOfDay)
      .select([
        sql<bigint>`min(handles.user_id)`.as('user_id'),
        'round_people.round_id',
        'round_problems.problem_id',
      ])
      .select([sql<string>`coalesce('t' || team_members.team_id, 'p' || handles.user_id)`.as('unit')])
      .select(['submission_id', 'submitted_at', 'verdict_class', 'is_team', spanBetween(moments).as('span')])
      .where('round_people.round_id', 'in', roundIds)
      .where(sql<SqlBool>`verdict_class IN ('tried', 'solved')`)
      .where(isAgreed)
      .groupBy(['round_people.round_id', 'round_problems.problem_id', 'submission_id', 'submitted_at'])
      .groupBy(['verdict_class', 'is_team', 'unit', 'span'])
      .groupBy(sql`CASE WHEN is_team = 1 THEN 0 ELSE handles.id END`);
    const solvedUntil = sql<bigint>`sum(CASE verdict_class WHEN 'solved' THEN 1 ELSE 0 END) OVER (
      PARTITION BY round_id, unit, problem_id, span
      ORDER BY submitted_at, length(submission_id), submission_id ROWS UNBOUNDED PRECEDING)`;
    // Moments are equally long, and a judge's ids need not rise with time.
    const firstId = sql<string>`substr(min(submitted_at || submission_id), length(min(submitted_at)) + 1)`;
    return db
      .selectFrom(db.selectFrom(sent.as('sent')).selectAll().select(solvedUntil.as('solved')).as('sent'))
      .select([sql<bigint>`min(user_id)`.as('user_id'), 'round_id', 'problem_id'])
      .select([sql<string>`min(submitted_at)`.as('submitted_at'), firstId.as('submission_id')])
      .select([sql<SolvesTable['verdict_class']>`max(verdict_class)`.as('verdict_class')])
      .select([sql<bigint>`max(is_team)`.as('is_team'), sql<bigint>`count(*)`.as('count')])
      .groupBy(['unit', 'round_id', 'problem_id', 'span'])
      .groupBy(
        sql`CASE WHEN solved = 0 THEN 0 WHEN solved = 1 AND verdict_class = 'solved' THEN 1 ELSE 2 END`,
      );
  },
);

/** The judge's keys of the problems in rounds that run at `now` or ended after `endedAfter`, and the earliest start. */
export async function findRoundsNow(
  db: Db,
  source: string,
  { now, endedAfter }: { now: string; endedAfter: string },
): Promise<{ keys: string[]; from: string }> {
  const rows = await db
    .selectFrom('rounds')
    .innerJoin('round_problems', 'round_id', 'rounds.id')
    .innerJoin('problems', 'problems.id', 'problem_id')
    .select(['source_key', 'starts_at'])
    .where('source', '=', source)
    .where('starts_at', '<=', now)
    .where('ends_at', '>', endedAfter)
    .execute();
  const [from = now] = rows.map(({ starts_at }) => starts_at).toSorted();
  return { keys: [...new Set(rows.map(({ source_key }) => source_key))], from };
}

/** Rounds that last longer than a day are synced at the usual pace. */
export const maxFastSyncSeconds = daySeconds;

export type HandleInRound = HandlesTable & {
  /** When the last of these rounds ends. */
  ends_at: string;
} & {
  [Name in 'tried_at' | 'due_at' | 'fault' | 'cursor']: SyncsTable[Name] | null;
};

/** In rounds at the judge that run at `now` or ended after `endedAfter`, both RFC 3339. */
export function listHandlesInRounds(
  db: Db,
  source: string,
  { now, endedAfter }: { now: string; endedAfter: string },
): Promise<HandleInRound[]> {
  const playing = participants(db)
    .innerJoin('round_problems', 'round_problems.round_id', 'rounds.id')
    .innerJoin('problems', 'problems.id', 'round_problems.problem_id')
    .leftJoin('groups', 'groups.id', 'rounds.group_id')
    .select(['round_people.user_id as player_id', sql<string>`max(ends_at)`.as('ends_at')])
    .groupBy('round_people.user_id')
    .where('archived_at', 'is', null)
    .where('starts_at', '<=', now)
    .where('ends_at', '>', endedAfter)
    .where('ends_at', '<=', engineOf(db).momentAfter(sql.ref('starts_at'), sql.lit(maxFastSyncSeconds)))
    .where('problems.source', '=', source);
  return db
    .selectFrom('handles')
    .innerJoin('members', 'members.id', 'handles.user_id')
    .innerJoin(playing.as('playing'), 'player_id', 'handles.user_id')
    .leftJoin('syncs', joinSubmissionSync)
    .selectAll('handles')
    .select(['tried_at', 'due_at', 'fault', 'cursor', 'playing.ends_at'])
    .where('handles.source', '=', source)
    .where('is_sample', '=', 0n)
    .where('is_disabled', '=', 0n)
    .orderBy('handles.id')
    .execute();
}
