/** Seasons of groups: who makes and changes one, which contests are in it, and who agreed to be shown. */
import { dayMs } from '../durations.ts';
import { localizedError } from '../errors.ts';
import {
  type ContestRow,
  cancelled,
  findContest,
  findContestsByKeys,
  insertContestProblems,
  insertContests,
  listGridPlaces,
  updateContest,
} from '../store/contests.ts';
import { findOwnGroup, type OwnGroup, updateGroupMember } from '../store/groups.ts';
import { giveIds } from '../store/ids.ts';
import {
  countSeasonContests,
  deleteSeason,
  deleteSeasonContest,
  deleteSeasonPoints,
  findSeason,
  hasItem,
  insertSeason,
  insertSeasonContest,
  insertSeasonPoints,
  listContestsWithoutProblems,
  listSeasonPoints,
  listSeasons,
  type SeasonContestsTable,
  type SeasonPerson,
  type SeasonsTable,
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
import { phaseAt } from './taking-part.ts';

const seasonsAtMost = 50;
const contestsAtMost = 100;
const handAtMost = 500;
const problemsAtMost = 100;
export const longestReason = 200;
export const longestSeasonName = 80;
export const upsolveDaysAtMost = 60;
export const usualUpsolveDays = 7;
export const bestAtMost = 100;
/** Points that a coach gives or takes at once. */
export const handPointsAtMost = 100;
const daysAtMost = 731;

export type SeasonWishes = Pick<
  SeasonsTable,
  'name' | 'first_day' | 'last_day' | 'upsolve_days' | 'points' | 'best'
>;

/** The fault of the days of a season: undefined where there is none. */
export function daysFault({ first_day, last_day }: Pick<SeasonWishes, 'first_day' | 'last_day'>) {
  const [first, last] = [dayOf(first_day), dayOf(last_day)];
  if (first === undefined || last === undefined || first_day < '1990' || last_day > '2200')
    return 'noDay' as const;
  if (last < first) return 'order' as const;
  return last - first >= daysAtMost ? ('long' as const) : undefined;
}

const ruleOf = ({ upsolve_days, points, best }: SeasonWishes) => [upsolve_days, points, best].join();

export const versionOfSeason = (season: SeasonWishes) =>
  JSON.stringify([season.name, season.first_day, season.last_day, ruleOf(season)]);

/** Makes a season, which is the present one from now on; answers its id. Throws badSetting. */
export const makeSeason = asCoach(async (tx: Db, group_id: bigint, wishes: SeasonWishes): Promise<bigint> => {
  if ((await listSeasons(tx, group_id)).length >= seasonsAtMost)
    throw localizedError('badSetting.seasons', { most: seasonsAtMost });
  return insertSeason(tx, { ...wishes, group_id, rule_since: null, created_at: new Date().toISOString() });
});

/** Changes the present season; answers the season where it was changed since it was `seen`. Throws badSetting. */
export const changeSeason = asCoach(
  async (tx: Db, groupId: bigint, wishes: SeasonWishes, seen: string): Promise<SeasonsTable | undefined> => {
    const before = await presentSeason(tx, groupId);
    if (![seen, versionOfSeason(wishes)].includes(versionOfSeason(before))) return before;
    const isNewRule = ruleOf(before) !== ruleOf(wishes);
    const rule_since = isNewRule ? new Date().toISOString() : before.rule_since;
    await updateSeason(tx, before.id, { ...wishes, rule_since });
    return undefined;
  },
);

export const removeSeason = asCoach(async (tx: Db, groupId: bigint) => {
  await deleteSeason(tx, (await presentSeason(tx, groupId)).id);
});

/** Throws badSetting where the group has no season. */
async function presentSeason(db: Db, groupId: bigint): Promise<SeasonsTable> {
  const season = await findSeason(db, groupId);
  if (!season) throw localizedError('badSetting.noSeason');
  return season;
}

type Item = Pick<SeasonContestsTable, 'kind' | 'item_id'>;

/** A contest to come, by its id among these, becomes a contest without problems, which its judge tells later. */
export type Added = Item | { kind: 'coming'; item_id: bigint };

/** A contest as its judge told it. */
interface Told {
  contest: ToldContest & { problems: readonly PlacedWanted[] };
  limits: AddLimits;
}

export type PlacedWanted = ProblemToAdd & { position: string };

type ToldContest = Pick<ContestRow, 'source' | 'key' | 'title' | 'starts_at' | 'duration_s'> & {
  phase?: string | null;
};

/**
 * Puts contests and rounds of the group into its present season, each once; one that a judge told about is added with its problems if
 * it is not here. Throws badSetting, and adds none, where one cannot be added.
 */
export const addSeasonContests = inTransaction(
  async (tx: Db, coached: CoachOfGroup, items: readonly Added[], told?: Told): Promise<void> => {
    await assertCoach(tx, coached);
    const { id: season_id } = await presentSeason(tx, coached.groupId);
    const all: Item[] = told
      ? [{ kind: 'contest', item_id: await contestOf(tx, coached.coachId, told) }]
      : [];
    for (const { kind, item_id } of items)
      all.push(
        kind === 'coming' ? { kind: 'contest', item_id: await comingOf(tx, item_id) } : { kind, item_id },
      );
    for (const item of all) {
      if (!(await hasItem(tx, coached.groupId, item))) throw localizedError('badSetting.noContest');
      if ((await countSeasonContests(tx, season_id)) >= BigInt(contestsAtMost))
        throw localizedError('badSetting.seasonContests', { most: contestsAtMost });
      await insertSeasonContest(tx, { season_id, ...item, added_at: new Date().toISOString() });
    }
  },
);

/** Takes a contest out of the present season; answers whether it was in it. Throws badSetting. */
export const removeSeasonContest = asCoach(async (tx: Db, groupId: bigint, item: Item) => {
  const { id: season_id } = await presentSeason(tx, groupId);
  return deleteSeasonContest(tx, { season_id, ...item });
});

async function contestOf(tx: Db, coachId: bigint, { contest, limits }: Told): Promise<bigint> {
  const { problems, source, key } = contest;
  const [known] = await findContestsByKeys(tx, source, [key]);
  if (known) {
    await placeTold(tx, known.id, problems, { by: coachId, limits });
    return known.id;
  }
  const isOver = phaseAt(contest, Date.now()) === 'over';
  if (problems.length === 0 && isOver) throw localizedError('badSetting.seasonContestEmpty');
  const isGym = problems.some((one) => one.isGym);
  const contest_id = await makeContest(tx, contest, isGym);
  await placeTold(tx, contest_id, problems, { by: coachId, limits });
  return contest_id;
}

async function placeTold(
  tx: Db,
  contest_id: bigint,
  problems: readonly PlacedWanted[],
  { by, limits }: { by: bigint | null; limits: AddLimits },
): Promise<void> {
  if (problems.length > problemsAtMost)
    throw localizedError('badSetting.seasonContestProblems', { most: problemsAtMost });
  if ((await listGridPlaces(tx, [contest_id])).length > 0) return;
  const added = await addProblems(tx, by, problems, limits);
  const places = problems.map(({ key, position }, at) => ({
    contest_id,
    key,
    position,
    problem_id: added[at]?.id ?? null,
  }));
  await insertContestProblems(tx, places);
}

/** For so long after its end a judge is asked for the problems of a contest. */
const awaitedMs = 30 * dayMs;

/** The contests of a judge in seasons that are over and still without problems. `now` in milliseconds since 1970. */
export function listAwaitedContests(db: Db, source: string, now: number) {
  const [from, until] = [now - awaitedMs, now].map((ms) => new Date(ms).toISOString()) as [string, string];
  return listContestsWithoutProblems(db, source, { from, until });
}

/**
 * Gives a contest without problems what its judge tells of it: its times, and its problems. Those that are not here are added, by
 * nobody.
 */
export const completeContest = inTransaction(
  async (tx: Db, contestId: bigint, { problems, starts_at, duration_s }: Told['contest']): Promise<void> => {
    const row = await findContest(tx, contestId);
    if (!row) return;
    // Lists may lack a contest that its judge shows afterwards.
    const phase = problems.length > 0 ? null : row.phase;
    await updateContest(tx, { ...row, phase, starts_at, duration_s });
    await placeTold(tx, contestId, problems, { by: null, limits: noLimits });
  },
);

async function comingOf(tx: Db, upcomingId: bigint): Promise<bigint> {
  const coming = await findUpcoming(tx, upcomingId);
  if (!coming) throw localizedError('badSetting.noContest');
  const [known] = await findContestsByKeys(tx, coming.source, [coming.key]);
  return known?.id ?? makeContest(tx, { ...coming, phase: coming.cancelled_at === null ? null : cancelled });
}

async function makeContest(tx: Db, told: ToldContest, isGym = false): Promise<bigint> {
  const { source, key, starts_at, duration_s, phase = null } = told;
  const [id = 0n] = await giveIds(tx, 'contests', 1);
  const title = plainLine(told.title, longestTitle);
  const row = { id, source, key, title, starts_at, duration_s, phase, is_gym: isGym ? 1n : 0n };
  await insertContests(tx, [row]);
  return id;
}

/** Gives or takes points by hand, in halves, in the present season. Throws badSetting. */
export const givePoints = asCoach(
  async (
    tx: Db,
    group_id: bigint,
    { userId: user_id, halves, reason }: { userId: bigint; halves: bigint; reason: string },
  ) => {
    const { id: season_id } = await presentSeason(tx, group_id);
    if ((await findOwnGroup(tx, group_id, user_id))?.in_season !== 1n)
      throw localizedError('badSetting.notInSeason');
    if ((await listSeasonPoints(tx, season_id)).length >= handAtMost)
      throw localizedError('badSetting.handPoints', { most: handAtMost });
    const made_at = new Date().toISOString();
    await insertSeasonPoints(tx, { season_id, group_id, user_id, halves, reason, made_at });
  },
);

/** Removes points by hand from the present season; answers whether they were there. */
export const takePointsBack = asCoach(async (tx: Db, groupId: bigint, id: bigint) =>
  deleteSeasonPoints(tx, (await presentSeason(tx, groupId)).id, id),
);

/**
 * The people that this visitor sees in the table, of those who agreed: a coach sees all, a member the own line and, where
 * the group has a board, people on it.
 */
export function seasonShownTo(group: Pick<OwnGroup, 'role' | 'has_board'>, viewerId: bigint) {
  return ({ user_id, on_board }: SeasonPerson) =>
    group.role === 'coach' || user_id === viewerId || (group.has_board === 1n && on_board === 1n);
}

/** Says whether a member wants to be shown in the seasons of a group; answers whether they are in it. */
export const answerSeason = inTransaction(
  async (tx: Db, groupId: bigint, memberId: bigint, isShown: boolean) =>
    updateGroupMember(tx, groupId, memberId, { in_season: isShown ? 1n : 0n }),
);
