/** Teams of groups, who was in them when, and who wrote what; `docs/teams.md` has the rules. */
import { type SqlBool, sql } from 'kysely';
import { insertMany, insertMissing, preparedForMany } from './bulk.ts';
import { personColumns } from './groups.ts';
import { type HandlesTable, handlesOf } from './handles.ts';
import { prepared } from './prepared.ts';
import { deleteRows, findRow, insertRow, listRows, updateRows } from './rows.ts';
import type { SolvesTable } from './solves.ts';
import type { Db } from './tables.ts';

export interface TeamsTable {
  id: bigint;
  group_id: bigint;
  name: string;
}

/** Somebody who comes back has another row. */
export interface TeamMembersTable {
  team_id: bigint;
  group_id: bigint;
  user_id: bigint;
  /** By the clocks of the group, such as 2026-09-01. */
  first_day: string;
  /** They are in the team on this day too; null without an end. Of somebody who declined, the day of that. */
  last_day: string | null;
  /** Until the person agrees, nothing of theirs is shown. */
  has_agreed: bigint;
}

export interface TeamAuthorsTable {
  team_id: bigint;
  group_id: bigint;
  user_id: bigint;
  source: string;
  /** The judge's key of the problem, which may be in no catalogue. */
  key: string;
}

declare module './tables.ts' {
  interface Tables {
    teams: TeamsTable;
    team_members: TeamMembersTable;
    team_authors: TeamAuthorsTable;
  }
}

export const listTeams = (db: Db, groupId: bigint) =>
  listRows(db, 'teams', { group_id: groupId }, 'name', 'id');

export const findTeam = (db: Db, groupId: bigint, id: bigint) =>
  findRow(db, 'teams', { id, group_id: groupId });

export const insertTeam = (tx: Db, row: Omit<TeamsTable, 'id'>) => insertRow(tx, 'teams', row);

export const renameTeam = (tx: Db, id: bigint, name: string) => updateRows(tx, 'teams', { id }, { name });

export const deleteTeam = (tx: Db, group_id: bigint, id: bigint) => deleteRows(tx, 'teams', { id, group_id });

/** Of all teams of the group, also in the past; without disabled people. */
export const listTeamMembers = prepared((db, { groupId }: { groupId: bigint }) =>
  db
    .selectFrom('team_members')
    .innerJoin('group_members', (join) =>
      join
        .onRef('group_members.group_id', '=', 'team_members.group_id')
        .onRef('group_members.user_id', '=', 'team_members.user_id'),
    )
    .innerJoin('members', 'members.id', 'team_members.user_id')
    .select(personColumns)
    .select(['team_id', 'first_day', 'last_day', 'has_agreed'])
    .where('team_members.group_id', '=', groupId)
    .where('is_disabled', '=', 0n)
    .orderBy('username_key')
    .orderBy('first_day'),
);

/** Teams that ask the person, in groups that are not archived. */
export const listTeamInvitations = prepared((db, { userId }: { userId: bigint }) =>
  db
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .innerJoin('groups', 'groups.id', 'team_members.group_id')
    .innerJoin('group_members', (join) =>
      join
        .onRef('group_members.group_id', '=', 'team_members.group_id')
        .onRef('group_members.user_id', '=', 'team_members.user_id'),
    )
    .select(['teams.id', 'teams.name', 'teams.group_id', 'groups.name as group'])
    .where('group_members.user_id', '=', userId)
    .where('has_agreed', '=', sql.lit(0n))
    .where('last_day', 'is', null)
    .where('archived_at', 'is', null)
    .orderBy('teams.id'),
);

export type TeamMember = Awaited<ReturnType<typeof listTeamMembers>>[number];

export const insertTeamMembers = (tx: Db, rows: readonly TeamMembersTable[]) =>
  insertMany(tx, 'team_members', rows);

type Stint = Pick<TeamMembersTable, 'team_id' | 'user_id'> & { first_day?: string };

export const updateTeamMember = (
  tx: Db,
  key: Stint,
  values: Partial<Pick<TeamMembersTable, 'last_day' | 'has_agreed'>>,
) => updateRows(tx, 'team_members', key, values);

export const deleteTeamMember = (tx: Db, key: Stint) => deleteRows(tx, 'team_members', key);

export const listTeamAuthors = (db: Db, teamId: bigint) => listRows(db, 'team_authors', { team_id: teamId });

export const insertTeamAuthor = (tx: Db, row: TeamAuthorsTable) => insertMissing(tx, 'team_authors', [row]);

export const deleteTeamAuthor = (
  tx: Db,
  key: Pick<TeamAuthorsTable, 'team_id' | 'user_id'> & Partial<TeamAuthorsTable>,
) => deleteRows(tx, 'team_authors', key);

/** A submission in a contest by a team of its judge, or in a virtual contest. */
export type TeamSolve = Pick<
  SolvesTable,
  'submission_id' | 'problem_id' | 'key' | 'verdict_class' | 'submitted_at'
> &
  Pick<SolvesTable, 'is_team' | 'judge_team' | 'virtual_began_at'> &
  Pick<HandlesTable, 'user_id' | 'source' | 'name_key'> & { contest: string; participation: string };

/** Of everybody who agreed to be in the team at some time. */
export const listTeamSolves = prepared((db, { teamId }: { teamId: bigint }) =>
  db
    .selectFrom('handles')
    .innerJoin('solves', 'solves.handle_id', 'handles.id')
    .select(['user_id', 'source', 'name_key', 'submission_id', 'problem_id', 'key', 'verdict_class'])
    .select(['submitted_at', 'contest', 'participation', 'is_team', 'judge_team', 'virtual_began_at'])
    .where('user_id', 'in', (eb) =>
      eb
        .selectFrom('team_members')
        .select('team_members.user_id')
        .where('team_id', '=', teamId)
        .where('has_agreed', '=', sql.lit(1n)),
    )
    .where(sql<SqlBool>`(participation IS NULL OR participation <> 'practice') AND participation IS NOT NULL`)
    .where(sql<SqlBool>`contest IS NOT NULL AND (is_team = 1 OR participation = 'virtual')`)
    .where(sql<SqlBool>`verdict_class IN ('tried', 'solved')`)
    .$castTo<TeamSolve>(),
);

/** What a person sent to problems before the moment (RFC 3339), counted. */
export const countTriesUntil = preparedForMany(
  (db, problemIds: readonly bigint[], { userId, until }: { userId: bigint; until: string }) =>
    db
      .selectFrom('solves')
      .select(['problem_id', 'verdict_class', 'is_team', sql<bigint>`count(*)`.as('count')])
      .where('handle_id', 'in', handlesOf(db, userId))
      .where('problem_id', 'in', problemIds)
      .where('submitted_at', '<', until)
      .where(sql<SqlBool>`verdict_class IN ('tried', 'solved')`)
      .groupBy(['problem_id', 'verdict_class', 'is_team']),
);
