/** Groups: how one is made, joined and left, and what only its coaches may do. Staff are not coaches automatically. */
import { invitationDays } from '../auth/entry.ts';
import { newSecret } from '../auth/sessions.ts';
import { secretDigest } from '../auth/tokens.ts';
import { dayMs } from '../durations.ts';
import { localizedError } from '../errors.ts';
import { fold } from '../store/case-folding.ts';
import {
  countGroupPeople,
  deleteExpectedPerson,
  deleteGroup,
  deleteGroupLink,
  deleteGroupMember,
  deleteLinksOfExpected,
  deleteUnusableGroupLinks,
  type ExpectedPeopleTable,
  findExpectedPerson,
  findGroup,
  findGroupJoinedBy,
  findGroupLink,
  findJoinedGroup,
  findRemoval,
  type GroupLinksTable,
  type GroupMembersTable,
  type GroupRole,
  type GroupsTable,
  insertExpectedPerson,
  insertGroup,
  insertGroupLink,
  insertGroupMember,
  type JoinedGroup,
  listExpectedPeople,
  listGroupLinks,
  listGroupPeople,
  listJoinedGroups,
  numberExpectedPerson,
  saveRemoval,
  setArchivedAt,
  setBoard,
  setOnBoard,
  tickExpected,
  updateGroup,
  updateGroupMember,
  useGroupLink,
} from '../store/groups.ts';
import { deleteGymKey } from '../store/gym-keys.ts';
import { findMembersByIds } from '../store/members.ts';
import { findSeason } from '../store/seasons.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { plainLine } from './added-problems.ts';
import { canonicalZone } from './days.ts';

const peopleAtMost = 200;
const groupsAtMost = 50;
const linksAtMost = 20;

const countedPeopleAtLeast = 5;

/** A count of fewer people would reveal too much about each. */
export const isLargeEnoughToPublish = (others: number) => others >= countedPeopleAtLeast;

/** Throws invalidValue. */
export const makeGroup = inTransaction(
  async (tx: Db, memberId: bigint, settings: GroupSettings): Promise<bigint> => {
    await assertGroupLimit(tx, memberId);
    const at = new Date().toISOString();
    const { name, zone, language = null } = settings;
    const row = {
      name,
      zone: canonicalZone(zone) ?? zone,
      language,
      has_board: 0n,
      created_at: at,
      archived_at: null,
    };
    const id = await insertGroup(tx, row);
    const coach = { group_id: id, user_id: memberId, role: 'coach', joined_at: at, on_board: 0n } as const;
    await insertGroupMember(tx, coach);
    return id;
  },
);

export interface CoachOfGroup {
  groupId: bigint;
  coachId: bigint;
}

async function findCoachedGroup(db: Db, { groupId, coachId }: CoachOfGroup): Promise<JoinedGroup> {
  const group = await findJoinedGroup(db, groupId, coachId);
  if (group?.role !== 'coach') throw localizedError('unknownPath.coach');
  return group;
}

/** Throws unknownPath, and invalidValue for an archived group. */
export async function assertCoach(db: Db, coach: CoachOfGroup): Promise<void> {
  assertNotArchived(await findCoachedGroup(db, coach));
}

export function assertNotArchived({ archived_at }: Pick<GroupsTable, 'archived_at'>): void {
  if (archived_at !== null) throw localizedError('invalidValue.groupArchived');
}

/** Runs `work` in a transaction if the member is a coach of the group. */
export const asCoach = <A extends unknown[], R>(work: (tx: Db, groupId: bigint, ...rest: A) => Promise<R>) =>
  inTransaction(async (tx: Db, coach: CoachOfGroup, ...rest: A) => {
    await assertCoach(tx, coach);
    return work(tx, coach.groupId, ...rest);
  });

export const setLeaderboard = asCoach(setBoard);
export const removeGroup = inTransaction(async (tx: Db, coach: CoachOfGroup) => {
  await findCoachedGroup(tx, coach);
  return deleteGroup(tx, coach.groupId);
});

/** Throws unknownPath. */
export const archiveGroup = inTransaction(async (tx: Db, coach: CoachOfGroup, isArchived: boolean) => {
  await findCoachedGroup(tx, coach);
  await setArchivedAt(tx, coach.groupId, isArchived ? new Date().toISOString() : null);
});

export const revokeGroupLink = asCoach(deleteGroupLink);

export const joinLeaderboard = inTransaction(setOnBoard);

type GroupSettings = Pick<GroupsTable, 'name' | 'zone'> & Partial<Pick<GroupsTable, 'language'>>;

export const versionOfGroup = ({ name, zone, language = null }: GroupSettings) =>
  JSON.stringify([name, zone, language]);

/** Returns what is stored, and changes nothing, if it was changed since `version`. */
export const changeGroup = asCoach(
  async (
    tx: Db,
    groupId: bigint,
    settings: GroupSettings,
    version: string,
  ): Promise<GroupSettings | undefined> => {
    const row = await findGroup(tx, groupId);
    if (row && ![version, versionOfGroup(settings)].includes(versionOfGroup(row))) return row;
    await updateGroup(tx, groupId, { language: null, ...settings });
    return undefined;
  },
);

export const groupLinkDays = [...invitationDays, 365] as const;

interface NewGroupLink {
  uses: number;
  lifetimeMs: number;
  madeBy: bigint;
}

/** Returns the secret. Throws invalidValue. */
export const makeGroupLink = asCoach(async (tx: Db, groupId: bigint, link: NewGroupLink) => {
  const at = new Date().toISOString();
  await deleteUnusableGroupLinks(tx, groupId, at);
  if ((await listGroupLinks(tx, groupId, at)).length >= linksAtMost)
    throw localizedError('invalidValue.joinLinks', { most: linksAtMost });
  return insertLink(tx, groupId, link);
});

async function insertLink(
  tx: Db,
  groupId: bigint,
  { uses, lifetimeMs, madeBy }: NewGroupLink,
  { id: expectedId, accountId }: { id?: bigint; accountId?: bigint | undefined } = {},
): Promise<string> {
  const secret = newSecret() + (accountId === undefined ? '' : `-${accountId}`);
  const now = Date.now();
  await insertGroupLink(tx, {
    group_id: groupId,
    digest: secretDigest(secret),
    uses_left: BigInt(uses),
    created_at: new Date(now).toISOString(),
    expires_at: new Date(now + lifetimeMs).toISOString(),
    made_by: madeBy,
    expected_id: expectedId ?? null,
  });
  return secret;
}

/* People on the class list. */

export const slipDays = 180;

export interface Slip extends Pick<ExpectedPeopleTable, 'id' | 'name' | 'student_number'> {
  secret: string;
}

async function makeSlip(
  tx: Db,
  groupId: bigint,
  person: Omit<Slip, 'secret'> & { accountId?: bigint | undefined },
  madeBy: bigint,
): Promise<Slip> {
  const { id, name, student_number } = person;
  const link = { uses: 1, lifetimeMs: slipDays * dayMs, madeBy };
  return { id, name, student_number, secret: await insertLink(tx, groupId, link, person) };
}

interface PersonToExpect extends Pick<ExpectedPeopleTable, 'name' | 'student_number'> {
  /** Whoever is on the list already gets the number. */
  expectedId?: bigint | undefined;
  /** Whoever is in the group already is ticked off. */
  memberId?: bigint | undefined;
  /** The slip is for this account alone. */
  accountId?: bigint | undefined;
}

/** Adds them to the class list, with a slip for each who is neither there nor in the group. Throws invalidValue. */
export const expectPeople = asCoach(
  async (tx: Db, groupId: bigint, people: readonly PersonToExpect[], madeBy: bigint): Promise<Slip[]> => {
    const before = await listExpectedPeople(tx, groupId, new Date().toISOString());
    const added = people.filter(({ expectedId }) => expectedId === undefined);
    if (before.length + added.length > peopleAtMost)
      throw localizedError('invalidValue.expected', { most: peopleAtMost });
    const slips: Slip[] = [];
    for (const { name, student_number, expectedId, memberId, accountId } of people) {
      const row = { group_id: groupId, name, student_number };
      const id = expectedId ?? (await insertExpectedPerson(tx, row));
      if (expectedId !== undefined && student_number !== null)
        await numberExpectedPerson(tx, expectedId, student_number);
      if (memberId !== undefined) await tickExpected(tx, { id, ...row }, memberId);
      else if (expectedId === undefined)
        slips.push(await makeSlip(tx, groupId, { id, name, student_number, accountId }, madeBy));
    }
    return slips;
  },
);

/** Of everybody who has not joined, or of one of them. Their earlier links end. */
export const renewSlips = asCoach(
  async (
    tx: Db,
    groupId: bigint,
    madeBy: bigint,
    id: bigint | undefined,
    accountIdOf?: (person: Omit<Slip, 'secret'>) => Promise<bigint | undefined>,
  ): Promise<Slip[]> => {
    const people = await listExpectedPeople(tx, groupId, new Date().toISOString());
    const slips: Slip[] = [];
    for (const person of people)
      if (person.user_id === null && (id === undefined || id === person.id)) {
        await deleteLinksOfExpected(tx, person.id);
        slips.push(
          await makeSlip(tx, groupId, { ...person, accountId: await accountIdOf?.(person) }, madeBy),
        );
      }
    return slips;
  },
);

export const forgetExpected = asCoach(deleteExpectedPerson);

/** Whether somebody in the group can still say whom of the class list they are. */
export const canBeTicked = ({
  role,
  expected_id,
  archived_at,
}: Pick<JoinedGroup, 'role' | 'expected_id' | 'archived_at'>) =>
  role === 'member' && expected_id === null && archived_at === null;

/** The secret of a slip for somebody who has an account ends with the account's id, which the stored digest covers. */
const joinSecret = /^[\w-]{43}(?:-(-?\d{1,19}))?$/;

/** The id of the only account that can use the slip; null if everybody can, undefined for what is no secret. */
function accountIn(secret: string): bigint | null | undefined {
  const [match, digits] = joinSecret.exec(secret) ?? [];
  if (match === undefined) return undefined;
  if (digits === undefined) return null;
  const id = BigInt(digits);
  return id === BigInt.asIntN(64, id) ? id : undefined;
}

export const isJoinSecret = (text: string): boolean => accountIn(text) !== undefined;

/** The id of the only account that can use the slip, if there is such a one. */
export const accountOfSlip = (secret: string): bigint | undefined => accountIn(secret) ?? undefined;

export async function readGroupLink(db: Db, secret: string): Promise<GroupLinksTable | undefined> {
  if (!isJoinSecret(secret)) return undefined;
  return findGroupLink(db, secretDigest(secret), new Date().toISOString());
}

/** A member who opens a slip again is in its group. */
export async function findOwnSlipGroup(
  db: Db,
  memberId: bigint,
  secret: string,
): Promise<bigint | undefined> {
  return isJoinSecret(secret) ? findGroupJoinedBy(db, secretDigest(secret), memberId) : undefined;
}

/** Returns undefined if the link does not work any more. Throws invalidValue. */
export const joinGroup = inTransaction(async (tx: Db, memberId: bigint, secret: string) => {
  const link = await readGroupLink(tx, secret);
  if (!link) return undefined;
  await assertAccountOfSlip(tx, secret, memberId);
  const { id, group_id, expected_id } = link;
  const expected = expected_id === null ? undefined : await findExpectedPerson(tx, expected_id);
  const membership = await findJoinedGroup(tx, group_id, memberId);
  if (membership) {
    if (expected && canBeTicked(membership) && (await useGroupLink(tx, id)))
      await tickExpected(tx, expected, memberId);
    return group_id;
  }
  const group = await findGroup(tx, group_id);
  if (group) assertNotArchived(group);
  const removal = await findRemoval(tx, { group_id, user_id: memberId });
  if (removal && link.created_at <= removal.removed_at) throw localizedError('invalidValue.removedFromGroup');
  await assertGroupLimit(tx, memberId);
  if ((await countGroupPeople(tx, group_id)) >= BigInt(peopleAtMost))
    throw localizedError('invalidValue.groupFull', { most: peopleAtMost });
  if (!(await useGroupLink(tx, id))) return undefined;
  await insertGroupMember(tx, {
    group_id,
    user_id: memberId,
    role: 'member',
    on_board: 0n,
    joined_at: new Date().toISOString(),
    // People who join a group with a season have read what coaches see of it.
    in_season: (await findSeason(tx, group_id)) ? 1n : null,
  });
  if (expected) await tickExpected(tx, expected, memberId);
  return group_id;
});

/** Throws invalidValue for everybody but the account for which the slip is. */
async function assertAccountOfSlip(db: Db, secret: string, memberId: bigint): Promise<void> {
  const id = accountOfSlip(secret);
  if (id === undefined || id === memberId) return;
  const [account] = await findMembersByIds(db, [id]);
  throw localizedError('invalidValue.slipAccount', { username: account?.username ?? '' });
}

async function assertGroupLimit(tx: Db, memberId: bigint): Promise<void> {
  if ((await listJoinedGroups(tx, memberId)).length < groupsAtMost) return;
  throw localizedError('invalidValue.groups', { most: groupsAtMost });
}

/** Throws invalidValue if others would be without a coach. */
export const leaveGroup = inTransaction(async (tx: Db, groupId: bigint, memberId: bigint) => {
  const membership = await findJoinedGroup(tx, groupId, memberId);
  if (!membership) return false;
  await deleteGroupMember(tx, groupId, memberId);
  if (membership.role === 'coach') await assertHasCoach(tx, groupId);
  return true;
});

/** The present links of the group stay, for everybody else. Throws invalidValue. */
export const removeFromGroup = asCoach(async (tx: Db, group_id: bigint, user_id: bigint) => {
  const wasMember = await leaveGroup(tx, group_id, user_id);
  if (wasMember) await saveRemoval(tx, { group_id, user_id, removed_at: new Date().toISOString() });
  return wasMember;
});

/** Throws invalidValue if others would be without a coach. */
export const setGroupRole = asCoach(async (tx: Db, groupId: bigint, memberId: bigint, role: GroupRole) => {
  const isMember = await updateGroupMember(tx, groupId, memberId, { role });
  if (role === 'member') await deleteGymKey(tx, { group_id: groupId, user_id: memberId });
  if (isMember) await assertHasCoach(tx, groupId);
  return isMember;
});

/** Ticks off whoever has this number on the class list and has not joined. A coach may correct whom it ticks off. */
async function saveStudentNumber(
  tx: Db,
  groupId: bigint,
  memberId: bigint,
  text: string,
  isCorrection = true,
): Promise<boolean> {
  const student_number = plainLine(text, longestStudentNumber) || null;
  const membership = await findJoinedGroup(tx, groupId, memberId);
  if (!membership) return false;
  await updateGroupMember(tx, groupId, memberId, { student_number });
  const { role, archived_at, expected_id } = membership;
  const canTick = canBeTicked({ role, archived_at, expected_id: isCorrection ? null : expected_id });
  if (student_number === null || !canTick) return true;
  const people = await listExpectedPeople(tx, groupId, new Date().toISOString());
  const expected = people.find(
    (one) => one.user_id === null && fold(one.student_number ?? '') === fold(student_number),
  );
  if (expected) await tickExpected(tx, { ...expected, group_id: groupId }, memberId);
  return true;
}

/** A school's email address is one too, where its sheet has no other number. */
export const longestStudentNumber = 80;
export const setOwnStudentNumber = inTransaction((tx: Db, groupId: bigint, memberId: bigint, text: string) =>
  saveStudentNumber(tx, groupId, memberId, text, false),
);
export const setStudentNumber = asCoach(saveStudentNumber);

async function assertHasCoach(tx: Db, groupId: bigint): Promise<void> {
  const people = await listGroupPeople(tx, groupId);
  if (people.length > 0 && !people.some(isActiveCoach)) throw localizedError('invalidValue.lastCoach');
}

export const isActiveCoach = ({
  role,
  is_disabled,
}: Pick<GroupMembersTable, 'role'> & { is_disabled: bigint }) => role === 'coach' && is_disabled === 0n;
