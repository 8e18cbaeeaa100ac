/** Seasons of groups: who makes and changes one, which contests are in it, and who agreed to be shown. */
import { dayMs } from '../durations.ts';
import { localizedError } from '../errors.ts';
import {
  type ContestRow,
  cancelledPhase,
  completePhase,
  findContest,
  findContestsByKeys,
  insertContestProblems,
  insertContests,
  listGridProblems,
  setContestPhase,
  updateContest,
} from '../store/contests.ts';
import { findJoinedGroup, type JoinedGroup, updateGroupMember } from '../store/groups.ts';
import { reserveIds } from '../store/ids.ts';
import {
  countSeasonContests,
  deleteSeason,
  deleteSeasonContest,
  deleteSeasonPoints,
  findSeason,
  insertSeason,
  insertSeasonContest,
  insertSeasonPoints,
  listContestsWithoutProblems,
  listSeasonPoints,
  listSeasons,
  type SeasonContestsTable,
  type SeasonPerson,
  type SeasonsTable,
  seasonItemExists,
  updateSeason,
} from '../store/seasons.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { findUpcoming } from '../store/upcoming.ts';
import {
  type AddLimits,
  addProblems,
  longestTitle,
  noLimits,
  type ProblemToAdd,
  plainLine,
} from './added-problems.ts';
import { dayOf } from './days.ts';
import { asCoach, assertCoach, type CoachOfGroup } from './groups.ts';
import { phaseAt } from './solve-settings.ts';

const seasonsAtMost = 50;
const contestsAtMost = 100;
const handEntriesAtMost = 500;
const problemsAtMost = 100;
export const longestReason = 200;
export const longestSeasonName = 80;
export const upsolveDaysAtMost = 60;
export const defaultUpsolveDays = 7;
export const bestAtMost = 100;
export const handPointsAtMost = 100;
const daysAtMost = 731;

export type SeasonSettings = Pick<
  SeasonsTable,
  'name' | 'first_day' | 'last_day' | 'upsolve_days' | 'points' | 'best'
>;

export function daysFault({ first_day, last_day }: Pick<SeasonSettings, 'first_day' | 'last_day'>) {
  const [first, last] = [dayOf(first_day), dayOf(last_day)];
  if (first === undefined || last === undefined || first_day < '1990' || last_day > '2200')
    return 'noDay' as const;
  if (last < first) return 'order' as const;
  return last - first >= daysAtMost ? ('long' as const) : undefined;
}

const ruleOf = ({ upsolve_days, points, best }: SeasonSettings) => [upsolve_days, points, best].join();

export const versionOfSeason = (season: SeasonSettings) =>
  JSON.stringify([season.name, season.first_day, season.last_day, ruleOf(season)]);

/** Returns the id of the new current season. Throws invalidValue. */
export const makeSeason = asCoach(
  async (tx: Db, group_id: bigint, settings: SeasonSettings): Promise<bigint> => {
    if ((await listSeasons(tx, group_id)).length >= seasonsAtMost)
      throw localizedError('invalidValue.seasons', { most: seasonsAtMost });
    return insertSeason(tx, {
      ...settings,
      group_id,
      rule_since: null,
      created_at: new Date().toISOString(),
    });
  },
);

/** Returns the stored season, and changes nothing, if it was changed since `version`. Throws invalidValue. */
export const changeSeason = asCoach(
  async (
    tx: Db,
    groupId: bigint,
    settings: SeasonSettings,
    version: string,
  ): Promise<SeasonsTable | undefined> => {
    const before = await currentSeason(tx, groupId);
    if (![version, versionOfSeason(settings)].includes(versionOfSeason(before))) return before;
    const isNewRule = ruleOf(before) !== ruleOf(settings);
    const rule_since = isNewRule ? new Date().toISOString() : before.rule_since;
    await updateSeason(tx, before.id, { ...settings, rule_since });
    return undefined;
  },
);

export const removeSeason = asCoach(async (tx: Db, groupId: bigint) => {
  await deleteSeason(tx, (await currentSeason(tx, groupId)).id);
});

async function currentSeason(db: Db, groupId: bigint): Promise<SeasonsTable> {
  const season = await findSeason(db, groupId);
  if (!season) throw localizedError('invalidValue.noSeason');
  return season;
}

type Item = Pick<SeasonContestsTable, 'kind' | 'item_id'>;

/** `coming`: the id of an upcoming contest, whose judge tells its problems later. */
export type NewSeasonItem = Item | { kind: 'coming'; item_id: bigint };

interface JudgeContest {
  contest: ContestDetails & { problems: readonly PositionedProblem[] };
  limits: AddLimits;
}

export type PositionedProblem = ProblemToAdd & { position: string };

type ContestDetails = Pick<ContestRow, 'source' | 'key' | 'title' | 'starts_at' | 'duration_s'> & {
  phase?: string | null;
};

/**
 * Adds contests once each, and creates one that a judge described. Throws invalidValue, and adds none, if one cannot be
 * added.
 */
export const addSeasonContests = inTransaction(
  async (
    tx: Db,
    coach: CoachOfGroup,
    items: readonly NewSeasonItem[],
    description?: JudgeContest,
  ): Promise<void> => {
    await assertCoach(tx, coach);
    const { id: season_id } = await currentSeason(tx, coach.groupId);
    const all: Item[] = description
      ? [{ kind: 'contest', item_id: await findOrMakeContest(tx, coach.coachId, description) }]
      : [];
    for (const { kind, item_id } of items)
      all.push(
        kind === 'coming'
          ? { kind: 'contest', item_id: await findOrMakeUpcoming(tx, item_id) }
          : { kind, item_id },
      );
    for (const item of all) {
      if (!(await seasonItemExists(tx, coach.groupId, item))) throw localizedError('invalidValue.noContest');
      if ((await countSeasonContests(tx, season_id)) >= BigInt(contestsAtMost))
        throw localizedError('invalidValue.seasonContests', { most: contestsAtMost });
      await insertSeasonContest(tx, { season_id, ...item, added_at: new Date().toISOString() });
    }
  },
);

/** Throws invalidValue. */
export const removeSeasonContest = asCoach(async (tx: Db, groupId: bigint, item: Item) => {
  const { id: season_id } = await currentSeason(tx, groupId);
  return deleteSeasonContest(tx, { season_id, ...item });
});

async function findOrMakeContest(
  tx: Db,
  coachId: bigint,
  { contest, limits }: JudgeContest,
): Promise<bigint> {
  const { problems, source, key } = contest;
  const [existing] = await findContestsByKeys(tx, source, [key]);
  const isOver = phaseAt(contest, Date.now()) === 'over';
  if (!existing && problems.length === 0 && isOver) throw localizedError('invalidValue.seasonContestEmpty');
  const isGym = problems.some((one) => one.isGym);
  const contest_id = existing?.id ?? (await makeContest(tx, contest, isGym));
  if (isGym && (existing?.phase ?? null) === null) await setContestPhase(tx, contest_id, completePhase);
  await addContestProblems(tx, contest_id, problems, { addedBy: coachId, limits });
  return contest_id;
}

async function addContestProblems(
  tx: Db,
  contest_id: bigint,
  problems: readonly PositionedProblem[],
  { addedBy, limits }: { addedBy: bigint | null; limits: AddLimits },
): Promise<void> {
  if (problems.length > problemsAtMost)
    throw localizedError('invalidValue.seasonContestProblems', { most: problemsAtMost });
  const added = await addProblems(tx, addedBy, problems, limits);
  const stored = await listGridProblems(tx, [contest_id]);
  const places = problems.flatMap(({ key, position }, index) => {
    const problem_id = added[index]?.id ?? null;
    const isPlaced = stored.some((one) => one.key === key || one.id === problem_id);
    return isPlaced ? [] : { contest_id, key, position, problem_id };
  });
  await insertContestProblems(tx, places);
}

/** How long after its end a judge is asked for the problems of a contest. */
const problemsAwaitedMs = 30 * dayMs;

export function listContestsWithoutProblemsOf(db: Db, source: string, now: number) {
  const [from, until] = [now - problemsAwaitedMs, now].map((ms) => new Date(ms).toISOString()) as [
    string,
    string,
  ];
  return listContestsWithoutProblems(db, source, { from, until });
}

export const completeContest = inTransaction(
  async (
    tx: Db,
    contestId: bigint,
    { problems, starts_at, duration_s }: JudgeContest['contest'],
  ): Promise<void> => {
    const row = await findContest(tx, contestId);
    if (!row) return;
    // A contest that was missing in a list took place if its judge shows its problems.
    const phase = problems.length > 0 ? null : row.phase;
    await updateContest(tx, { ...row, phase, starts_at, duration_s });
    await addContestProblems(tx, contestId, problems, { addedBy: null, limits: noLimits });
  },
);

async function findOrMakeUpcoming(tx: Db, upcomingId: bigint): Promise<bigint> {
  const coming = await findUpcoming(tx, upcomingId);
  if (!coming) throw localizedError('invalidValue.noContest');
  const [existing] = await findContestsByKeys(tx, coming.source, [coming.key]);
  return (
    existing?.id ??
    makeContest(tx, { ...coming, phase: coming.cancelled_at === null ? null : cancelledPhase })
  );
}

async function makeContest(tx: Db, contest: ContestDetails, isGym = false): Promise<bigint> {
  const { source, key, starts_at, duration_s, phase = null } = contest;
  const [id = 0n] = await reserveIds(tx, 'contests', 1);
  const title = plainLine(contest.title, longestTitle);
  const row = { id, source, key, title, starts_at, duration_s, phase, is_gym: isGym ? 1n : 0n };
  await insertContests(tx, [row]);
  return id;
}

/** Points are in halves. Throws invalidValue. */
export const givePoints = asCoach(
  async (
    tx: Db,
    group_id: bigint,
    { userId: user_id, halves, reason }: { userId: bigint; halves: bigint; reason: string },
  ) => {
    const { id: season_id } = await currentSeason(tx, group_id);
    if ((await findJoinedGroup(tx, group_id, user_id))?.in_season !== 1n)
      throw localizedError('invalidValue.notInSeason');
    if ((await listSeasonPoints(tx, season_id)).length >= handEntriesAtMost)
      throw localizedError('invalidValue.handPoints', { most: handEntriesAtMost });
    const made_at = new Date().toISOString();
    await insertSeasonPoints(tx, { season_id, group_id, user_id, halves, reason, made_at });
  },
);

export const takePointsBack = asCoach(async (tx: Db, groupId: bigint, id: bigint) =>
  deleteSeasonPoints(tx, (await currentSeason(tx, groupId)).id, id),
);

/** A coach sees everybody who agreed; others see themselves and, if the group has a board, people on it. */
export function seasonShownTo(group: Pick<JoinedGroup, 'role' | 'has_board'>, viewerId: bigint) {
  return ({ user_id, on_board }: SeasonPerson) =>
    group.role === 'coach' || user_id === viewerId || (group.has_board === 1n && on_board === 1n);
}

export const setInSeason = inTransaction(
  async (tx: Db, groupId: bigint, memberId: bigint, isShown: boolean) =>
    updateGroupMember(tx, groupId, memberId, { in_season: isShown ? 1n : 0n }),
);
