/**
 * Rounds: contests of a club's own. Until the start only the maker sees the problems. The table is computed from
 * submissions whenever it is read.
 */
import { isSecret, newSecret } from '../auth/sessions.ts';
import { dayMs, minuteMs } from '../durations.ts';
import { localizedError } from '../errors.ts';
import { findGroup, findJoinedGroup } from '../store/groups.ts';
import { findProblemsByIds } from '../store/problems.ts';
import {
  deleteRound,
  deleteRoundPerson,
  findRoundBySecret,
  findVisibleRound,
  insertRound,
  inviteGroup,
  listRoundPeople,
  listRoundProblems,
  listRoundSolves,
  listRoundsMadeBy,
  listVisibleRounds,
  maxFastSyncSeconds,
  type RoundProblem,
  type RoundRule,
  type RoundsTable,
  type RoundTimes,
  type ShownRound,
  saveRoundPerson,
  updateRound,
  writeRoundProblems,
} from '../store/rounds.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { type AddLimits, addAndListIds, type IdOrProblemToAdd } from './added-problems.ts';
import { assertNotArchived } from './groups.ts';
import { tidyLine } from './lists.ts';
import { type RoundInput, type RoundRow, roundRules, roundTable } from './round-table.ts';
import { dayIn } from './teams.ts';

export const roundLimits = {
  rounds: 200,
  people: 300,
  problems: 26,
  name: 100,
  leastMinutes: 5,
  startedMinutes: 10,
  minutes: maxFastSyncSeconds / 60,
  /** Of a gym whose length is unknown. */
  gymMinutes: 300,
  trainingMinutes: 30 * 24 * 60,
  points: 10_000,
  daysAhead: 731,
} as const;

/** Results stay hidden for so long after the end, unless the maker shows them. */
const hiddenAtMostMs = dayMs;

export interface RoundPlan {
  name: string;
  rule: RoundRule;
  startsAt: string;
  minutes: number;
  freezeMinutes: number;
  points: readonly number[];
}

interface ProblemChoice {
  problems: readonly IdOrProblemToAdd[] | undefined;
  limits: AddLimits;
}

export const letterOf = ({ position }: Pick<RoundProblem, 'position'>) =>
  String.fromCharCode(64 + Math.min(26, Number(position)));

/** `held` is over, while the last results are still hidden. */
export type RoundPhase = 'before' | 'running' | 'frozen' | 'held' | 'over';

/** Judges are asked more often about the people of a short round. */
export const isSyncedOften = ({ starts_at, ends_at, archived_at }: ShownRound) =>
  archived_at === null && Date.parse(ends_at) - Date.parse(starts_at) <= maxFastSyncSeconds * 1000;

/** In milliseconds; undefined without a freeze. */
export function frozenFrom({ ends_at, freeze_minutes }: RoundTimes): number | undefined {
  return freeze_minutes === 0n ? undefined : Date.parse(ends_at) - Number(freeze_minutes) * minuteMs;
}

/** In milliseconds since 1970. */
export const resultsShownAt = ({ ends_at }: RoundTimes) => Date.parse(ends_at) + hiddenAtMostMs;

/** RFC 3339; undefined while no results are hidden. */
export function hiddenFrom(round: RoundTimes, now: number): string | undefined {
  const from = frozenFrom(round);
  const isHiding = from !== undefined && now >= from && now < resultsShownAt(round) && round.is_shown === 0n;
  return isHiding ? new Date(from).toISOString() : undefined;
}

export function phaseOf(round: RoundTimes, now: number): RoundPhase {
  if (now < Date.parse(round.starts_at)) return 'before';
  const isOver = now >= Date.parse(round.ends_at);
  if (hiddenFrom(round, now) === undefined) return isOver ? 'over' : 'running';
  return isOver ? 'held' : 'frozen';
}

/** Without a group it has a secret address. Throws invalidValue. */
export const makeRound = inTransaction(
  async (
    tx: Db,
    made_by: bigint,
    plan: RoundPlan,
    {
      groupId,
      takesTeams = false,
      ...choice
    }: ProblemChoice & { groupId: bigint | undefined; takesTeams?: boolean },
  ): Promise<bigint> => {
    const group = groupId === undefined ? undefined : await findJoinedGroup(tx, groupId, made_by);
    if (groupId !== undefined && !group) throw localizedError('invalidValue.roundGroup');
    if (group) assertNotArchived(group);
    const secret = groupId === undefined ? newSecret() : null;
    const teams_day = group && takesTeams ? dayIn(group, plan.startsAt) : null;
    const id = await insertPlanned(tx, made_by, plan, { group_id: groupId ?? null, secret, teams_day });
    await writeProblems(tx, made_by, id, plan, choice);
    return id;
  },
);

export async function insertPlanned(
  tx: Db,
  made_by: bigint,
  plan: RoundPlan,
  kind: Pick<RoundsTable, 'group_id' | 'secret'> &
    Partial<Pick<RoundsTable, 'duel_source' | 'duel_band' | 'teams_day'>>,
): Promise<bigint> {
  const { rounds: most } = roundLimits;
  if ((await listRoundsMadeBy(tx, made_by)).length >= most)
    throw localizedError('invalidValue.rounds', { most });
  return insertRound(tx, { ...valuesOf(plan), ...kind, made_by, is_shown: 0n });
}

/** A duel that nobody has accepted yet. */
export const isOpenDuel = ({ duel_band, accepted_at }: Pick<RoundsTable, 'duel_band' | 'accepted_at'>) =>
  duel_band !== null && accepted_at === null;

/**
 * Returns false if it was changed since `version`. After the start its problems, points, rule and start stay, and after
 * the end all but its name. Throws invalidValue and unknownPath.
 */
export const changeRound = inTransaction(
  async (
    tx: Db,
    makerId: bigint,
    id: bigint,
    plan: RoundPlan,
    { version, ...choice }: ProblemChoice & { version: string },
  ): Promise<boolean> => {
    const round = await findVisibleRound(tx, id, makerId);
    if (round?.made_by !== makerId || round.duel_band !== null) throw localizedError('unknownPath.round');
    assertNotArchived(round);
    if (round.updated_at !== version) return false;
    const phase = phaseOf(round, Date.now());
    const isBefore = phase === 'before';
    const changed = isBefore ? plan : startedPlan(round, plan, phase);
    await updateRound(tx, id, isOver(phase) ? changeOfName(plan) : valuesOf(changed, round));
    const group = isBefore && round.teams_day !== null && (await findGroup(tx, round.group_id ?? 0n));
    if (group) await updateRound(tx, id, { teams_day: dayIn(group, plan.startsAt) });
    if (isBefore) await writeProblems(tx, makerId, id, plan, choice);
    if (round.has_joined === 1n) await saveJoined(tx, id, makerId);
    return true;
  },
);

export const isOver = (phase: RoundPhase) => phase === 'held' || phase === 'over';

/** If the end of a frozen round moves, the moment stays since which results are hidden. */
function startedPlan(round: ShownRound, plan: RoundPlan, phase: RoundPhase): RoundPlan {
  const { rule, starts_at: startsAt } = round;
  const shownMs = (frozenFrom(round) ?? 0) - Date.parse(startsAt);
  const freezeMinutes =
    phase === 'frozen' ? Math.ceil(plan.minutes - shownMs / minuteMs) : plan.freezeMinutes;
  return { ...plan, rule, startsAt, freezeMinutes };
}

function changeOfName({ name: text }: RoundPlan) {
  const name = tidyLine(text, roundLimits.name);
  if (name === '') throw localizedError('invalidValue.roundName');
  return { name, updated_at: new Date().toISOString() };
}

/** A new start long ago would show what people sent before they knew of the round. */
function valuesOf(plan: RoundPlan, before?: ShownRound) {
  const { rule, startsAt, minutes, freezeMinutes } = plan;
  const { leastMinutes, startedMinutes } = roundLimits;
  const most = rule === 'training' ? roundLimits.trainingMinutes : roundLimits.minutes;
  if (!Number.isInteger(minutes) || minutes < leastMinutes || minutes > most)
    throw localizedError('invalidValue.roundMinutes', { least: leastMinutes, most });
  if (!Number.isInteger(freezeMinutes) || freezeMinutes < 0 || freezeMinutes >= minutes)
    throw localizedError('invalidValue.roundFreeze');
  const ends = new Date(Date.parse(startsAt) + minutes * minuteMs);
  if (ends.getTime() <= Date.now()) throw localizedError('invalidValue.roundPast');
  if (Date.parse(startsAt) > Date.now() + roundLimits.daysAhead * dayMs)
    throw localizedError('invalidValue.roundFar');
  if (startsAt !== before?.starts_at && Date.parse(startsAt) < Date.now() - startedMinutes * minuteMs)
    throw localizedError('invalidValue.roundStart', { most: startedMinutes });
  return {
    ...changeOfName(plan),
    rule,
    starts_at: startsAt,
    ends_at: ends.toISOString(),
    freeze_minutes: BigInt(rule === 'training' ? 0 : freezeMinutes),
  };
}

async function writeProblems(
  tx: Db,
  makerId: bigint,
  id: bigint,
  { rule, points }: RoundPlan,
  { problems: chosen, limits }: ProblemChoice,
): Promise<void> {
  const problems = chosen ?? (await listRoundProblems(tx, id)).map((problem) => problem.id);
  const { problems: most } = roundLimits;
  if (problems.length > most)
    throw localizedError('invalidValue.roundProblems', { most, count: problems.length });
  const ids = [...new Set(await addAndListIds(tx, makerId, problems, limits))];
  const existingIds = new Set((await findProblemsByIds(tx, ids)).map((problem) => problem.id));
  const problemIds = ids.filter((one) => existingIds.has(one));
  if (problemIds.length === 0) throw localizedError('invalidValue.roundEmpty');
  if (points.length > problemIds.length)
    throw localizedError('invalidValue.roundPointsMany', {
      count: points.length,
      problems: problemIds.length,
    });
  if (points.some((one) => !Number.isInteger(one) || one < 1 || one > roundLimits.points))
    throw localizedError('invalidValue.roundPoints', { most: roundLimits.points });
  const pointsOfRule = roundRules[rule].hasPoints ? points : [];
  const rows = problemIds.map((problem_id, index) => ({
    problem_id,
    points: BigInt(pointsOfRule[index] ?? 1),
  }));
  await writeRoundProblems(tx, id, rows);
}

export const removeRound = inTransaction(async (tx: Db, userId: bigint, id: bigint): Promise<boolean> => {
  const round = await findVisibleRound(tx, id, userId);
  if (!round || (round.made_by !== userId && round.role !== 'coach')) return false;
  await deleteRound(tx, id);
  return true;
});

export const showResults = inTransaction(async (tx: Db, makerId: bigint, id: bigint): Promise<boolean> => {
  const round = await findVisibleRound(tx, id, makerId);
  if (round?.made_by !== makerId || phaseOf(round, Date.now()) !== 'held') return false;
  await updateRound(tx, id, { is_shown: 1n });
  return true;
});

export async function findRoundAtAddress(
  db: Db,
  secret: string,
  userId: bigint,
): Promise<ShownRound | undefined> {
  return isSecret(secret) ? findRoundBySecret(db, secret, userId) : undefined;
}

export type RoundAddress = { id: bigint } | { secret: string };

/** Throws unknownPath. */
export async function getRoundAt(tx: Db, userId: bigint, address: RoundAddress): Promise<ShownRound> {
  const round =
    'id' in address
      ? await findVisibleRound(tx, address.id, userId)
      : await findRoundAtAddress(tx, address.secret, userId);
  if (!round) throw localizedError('unknownPath.round');
  return round;
}

/** `version` is that of the round that the member saw. Throws invalidValue and unknownPath. */
export const joinRound = inTransaction(
  async (tx: Db, userId: bigint, address: RoundAddress, version: string): Promise<bigint> => {
    const round = await getRoundAt(tx, userId, address);
    if (isOpenDuel(round)) throw localizedError('unknownPath.round');
    if (round.has_joined === 1n && round.has_new_terms === 0n) return round.id;
    assertNotArchived(round);
    if (round.has_joined === 0n) {
      const { people: most } = roundLimits;
      if (Date.now() >= Date.parse(round.ends_at)) throw localizedError('invalidValue.roundOver');
      if (seesHiddenResults(round, userId, Date.now())) throw localizedError('invalidValue.roundJury');
      if (round.people >= BigInt(most)) throw localizedError('invalidValue.roundFull', { most });
    }
    if (round.updated_at !== version) throw localizedError('invalidValue.roundChanged');
    await saveJoined(tx, round.id, userId);
    return round.id;
  },
);

/** Throws invalidValue and unknownPath. */
export const inviteToRound = inTransaction(async (tx: Db, coachId: bigint, id: bigint): Promise<void> => {
  const round = await findVisibleRound(tx, id, coachId);
  if (round?.role !== 'coach' || round.group_id === null) throw localizedError('unknownPath.round');
  assertNotArchived(round);
  if (Date.now() >= Date.parse(round.ends_at)) throw localizedError('invalidValue.roundOver');
  await inviteGroup(tx, { id, made_by: round.made_by, groupId: round.group_id, coachId });
});

export const saveJoined = (tx: Db, round_id: bigint, user_id: bigint) =>
  saveRoundPerson(tx, { round_id, user_id, joined_at: new Date().toISOString() });

export const leaveRound = inTransaction((tx: Db, userId: bigint, id: bigint) =>
  deleteRoundPerson(tx, id, userId),
);

/** While results are hidden, everybody sees the same, apart from a maker who takes no part. */
export async function readRoundTable(
  db: Db,
  round: ShownRound,
  { viewerId, now, ...rows }: Pick<RoundInput, 'people' | 'problems'> & { viewerId: bigint; now: number },
): Promise<RoundRow[]> {
  const hidden = isJury(round, viewerId) ? undefined : hiddenFrom(round, now);
  const moments = [round.starts_at, hidden ?? round.ends_at, round.ends_at];
  return roundTable({
    ...rows,
    round,
    solves: await listRoundSolves(db, [round.id], { moments }),
    hiddenFrom: hidden,
    showsLater: phaseOf(round, now) === 'over',
  });
}

const resultsAtMost = 5;

/** The newest rounds of a group that somebody joined and that have begun, as everybody in the group sees their results now. */
export async function readRoundResults(db: Db, groupId: bigint, userId: bigint, now: number) {
  const visible = await listVisibleRounds(db, userId, { groupId, limit: roundLimits.rounds });
  const rounds = visible
    .filter((round) => round.has_joined === 1n && phaseOf(round, now) !== 'before')
    .slice(0, resultsAtMost);
  const ids = rounds.map(({ id }) => id);
  const problems = Map.groupBy(await listRoundProblems(db, ...ids), ({ round_id }) => round_id);
  const momentsOf = (round: ShownRound) => [
    round.starts_at,
    hiddenFrom(round, now) ?? round.ends_at,
    round.ends_at,
  ];
  const all = await listRoundSolves(db, ids, { moments: [...new Set(rounds.flatMap(momentsOf))] });
  const results = rounds.map(async (round) => {
    const solves = all.filter(({ round_id }) => round_id === round.id);
    const senders = [...new Set([userId, ...solves.map(({ user_id }) => user_id)])].map((user_id) => {
      return { user_id, username: '', team_id: null, team: null, has_page: 0n, has_same_problems: 1n };
    });
    const people = round.teams_day === null ? senders : await listRoundPeople(db, round.id);
    const ownProblems = problems.get(round.id) ?? [];
    const rows = roundTable({
      round,
      problems: ownProblems,
      people,
      solves,
      hiddenFrom: hiddenFrom(round, now),
      showsLater: phaseOf(round, now) === 'over',
    });
    const own = rows.find(({ members }) => members.some(({ user_id }) => user_id === userId));
    return { round, solved: own?.solved ?? 0, later: own?.later ?? 0, problems: ownProblems.length };
  });
  return Promise.all(results);
}

export const isJury = (round: ShownRound, userId: bigint) =>
  round.made_by === userId && round.has_joined === 0n;

/** A maker who left to see hidden results cannot come back. */
export const seesHiddenResults = (round: ShownRound, userId: bigint, now: number) =>
  isJury(round, userId) && phaseOf(round, now) === 'frozen';
