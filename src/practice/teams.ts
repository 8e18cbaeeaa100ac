/** Teams of a group: who is in one when. A person is in one team of a group at a time; `docs/teams.md` has the rules. */
import { localizedError } from '../errors.ts';
import { findJoinedGroup, type GroupsTable, listGroupPeople } from '../store/groups.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import {
  deleteTeam,
  deleteTeamAuthor,
  deleteTeamMember,
  findTeam,
  insertTeam,
  insertTeamMembers,
  listTeamMembers,
  listTeams,
  renameTeam,
  type TeamMember,
  type TeamMembersTable,
  type TeamsTable,
  updateTeamMember,
} from '../store/teams.ts';
import { dayOf, localTimeOfMoment } from './days.ts';
import { asCoach, assertNotArchived } from './groups.ts';
import { tidyLine } from './lists.ts';

export const teamLimits = { teams: 200, people: 3, least: 2, name: 60 } as const;

/** The day of a moment (RFC 3339), by default of now, by the clocks of the group. */
export const dayIn = ({ zone }: Pick<GroupsTable, 'zone'>, at = new Date().toISOString()) =>
  localTimeOfMoment(zone, at).date;

type Span = Pick<TeamMembersTable, 'first_day' | 'last_day'>;

export const isInTeamOn = ({ first_day, last_day }: Span, day: string) =>
  first_day <= day && (last_day === null || day <= last_day);

type Answer = Pick<TeamMembersTable, 'has_agreed' | 'last_day'>;

export const isAsked = ({ has_agreed, last_day }: Answer) => has_agreed === 0n && last_day === null;

/** Coaches see it until they remove it or ask again. */
export const hasDeclined = ({ has_agreed, last_day }: Answer) => has_agreed === 0n && last_day !== null;

/** Who was in the team on the day, of those who agreed. */
export async function teamMembers(
  db: Db,
  { id, group_id }: Pick<TeamsTable, 'id' | 'group_id'>,
  day: string,
): Promise<TeamMember[]> {
  const rows = await listTeamMembers(db, { groupId: group_id });
  return rows.filter((row) => row.team_id === id && row.has_agreed === 1n && isInTeamOn(row, day));
}

function nameOf(text: string): string {
  const name = tidyLine(text, teamLimits.name);
  if (name === '') throw localizedError('invalidValue.teamName');
  return name;
}

function assertDay(day: string): void {
  if (dayOf(day) === undefined || day < '1990' || day > '2200') throw localizedError('invalidValue.teamDay');
}

interface NewMembers {
  userIds: readonly bigint[];
  firstDay: string;
}

/** Throws invalidValue for somebody who is in a team then, and for more people than a team has on a day. */
async function addMembers(tx: Db, team: TeamsTable, { userIds, firstDay }: NewMembers): Promise<void> {
  assertDay(firstDay);
  const { id, group_id } = team;
  const present = (await listGroupPeople(tx, group_id)).filter(({ is_disabled }) => is_disabled === 0n);
  const names = new Map(present.map((one) => [one.user_id, one.username]));
  const later = (await listTeamMembers(tx, { groupId: group_id })).filter(
    (one) => !hasDeclined(one) && (one.last_day === null || one.last_day >= firstDay),
  );
  for (const user_id of userIds) {
    await endMembership(tx, { group_id, team_id: id, user_id }, firstDay, hasDeclined);
    const name = names.get(user_id);
    if (name === undefined) throw localizedError('invalidValue.teamPerson');
    const taken = later.find((row) => row.user_id === user_id);
    if (taken) {
      const { name: other } = await getTeam(tx, group_id, taken.team_id);
      throw localizedError('invalidValue.teamTaken', { name, team: other });
    }
  }
  const own = later.filter(({ team_id }) => team_id === id);
  const countOn = (day: string) => own.filter((row) => isInTeamOn(row, day)).length;
  const days = [firstDay, ...own.map(({ first_day }) => first_day).filter((day) => day > firstDay)];
  if (Math.max(...days.map(countOn)) + userIds.length > teamLimits.people)
    throw localizedError('invalidValue.teamFull', { most: teamLimits.people });
  const row = { team_id: id, group_id, first_day: firstDay, last_day: null, has_agreed: 0n };
  await insertTeamMembers(
    tx,
    userIds.map((user_id) => ({ ...row, user_id })),
  );
}

/** Throws invalidValue. */
export const makeTeam = asCoach(
  async (tx: Db, group_id: bigint, plan: NewMembers & { name: string }): Promise<bigint> => {
    const { teams: most, least, people } = teamLimits;
    if ((await listTeams(tx, group_id)).length >= most) throw localizedError('invalidValue.teams', { most });
    const userIds = [...new Set(plan.userIds)];
    if (userIds.length < least || userIds.length > people)
      throw localizedError('invalidValue.teamPeople', { least, most: people });
    const row = { group_id, name: nameOf(plan.name) };
    const id = await insertTeam(tx, row);
    await addMembers(tx, { id, ...row }, { userIds, firstDay: plan.firstDay });
    return id;
  },
);

/** Throws invalidValue and unknownPath. */
export const addToTeam = asCoach(async (tx: Db, groupId: bigint, teamId: bigint, added: NewMembers) =>
  addMembers(tx, await getTeam(tx, groupId, teamId), added),
);

export const removeTeam = asCoach(deleteTeam);

async function getTeam(db: Db, groupId: bigint, id: bigint): Promise<TeamsTable> {
  const team = await findTeam(db, groupId, id);
  if (!team) throw localizedError('unknownPath.team');
  return team;
}

type Membership = Pick<TeamMembersTable, 'group_id' | 'team_id' | 'user_id'>;

const stintsOf = async (db: Db, { group_id, team_id, user_id }: Membership) =>
  (await listTeamMembers(db, { groupId: group_id })).filter(
    (row) => row.team_id === team_id && row.user_id === user_id,
  );

/** A person who has not agreed, or would come after their last day, was never in the team. */
async function endMembership(
  tx: Db,
  membership: Membership,
  lastDay: string,
  isEnded = (one: Answer) => (one.last_day ?? '9') > lastDay || hasDeclined(one),
): Promise<boolean> {
  assertDay(lastDay);
  const open = (await stintsOf(tx, membership)).filter(isEnded);
  for (const { team_id, user_id, first_day, has_agreed } of open) {
    const key = { team_id, user_id, first_day };
    if (has_agreed === 0n || first_day > lastDay) await deleteTeamMember(tx, key);
    else await updateTeamMember(tx, key, { last_day: lastDay });
  }
  return open.length > 0;
}

/** Throws invalidValue. */
export const endTeamMembership = asCoach(
  (tx: Db, group_id: bigint, person: Omit<Membership, 'group_id'>, lastDay: string) =>
    endMembership(tx, { ...person, group_id }, lastDay),
);

/** Of the member's own rows. False for somebody who is not in the team. Throws invalidValue. */
export const agreeToTeam = inTransaction(async (tx: Db, own: Membership): Promise<boolean> => {
  const group = await findJoinedGroup(tx, own.group_id, own.user_id);
  if (!group) return false;
  assertNotArchived(group);
  const stints = (await stintsOf(tx, own)).filter((one) => !hasDeclined(one));
  for (const { team_id, user_id, first_day } of stints)
    await updateTeamMember(tx, { team_id, user_id, first_day }, { has_agreed: 1n });
  return stints.length > 0;
});

/** They decline, or today is their last day; or nothing of theirs stays in the team. */
export const leaveTeam = inTransaction(
  async (tx: Db, own: Membership, { isForgotten }: { isForgotten: boolean }): Promise<boolean> => {
    const group = await findJoinedGroup(tx, own.group_id, own.user_id);
    if (!group) return false;
    const { team_id, user_id } = own;
    const today = dayIn(group);
    const [asked] = (await stintsOf(tx, own)).filter(isAsked);
    if (!isForgotten && asked)
      return updateTeamMember(tx, { team_id, user_id, first_day: asked.first_day }, { last_day: today });
    if (!isForgotten) return endMembership(tx, own, today, ({ last_day }) => (last_day ?? '9') > today);
    await deleteTeamAuthor(tx, { team_id, user_id });
    return deleteTeamMember(tx, { team_id, user_id });
  },
);

/** By a coach, or by somebody who is in the team today. Throws invalidValue and unknownPath. */
export const changeTeamName = inTransaction(
  async (tx: Db, { group_id, team_id, user_id }: Membership, text: string): Promise<void> => {
    const group = await findJoinedGroup(tx, group_id, user_id);
    const team = group && (await getTeam(tx, group_id, team_id));
    const members = team ? await teamMembers(tx, team, dayIn(group)) : [];
    if (!team || (group.role !== 'coach' && !members.some((one) => one.user_id === user_id)))
      throw localizedError('unknownPath.team');
    assertNotArchived(group);
    await renameTeam(tx, team_id, nameOf(text));
  },
);
