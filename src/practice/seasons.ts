/** Seasons of groups: who makes and changes one, which contests are in it, and who agreed to be shown. */
import { refused } from '../errors.ts';
import {
  type ContestRow,
  findContestsByKeys,
  insertContestProblems,
  insertContests,
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
  plainLine,
  type WantedProblem,
} from './added-problems.ts';
import { dayOf } from './days.ts';
import { assertCoach, byCoach, type Coached } from './groups.ts';

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
export const makeSeason = byCoach(async (tx: Db, group_id: bigint, wishes: SeasonWishes): Promise<bigint> => {
  if ((await listSeasons(tx, group_id)).length >= seasonsAtMost)
    throw refused('badSetting.seasons', { most: seasonsAtMost });
  return insertSeason(tx, { ...wishes, group_id, rule_since: null, created_at: new Date().toISOString() });
});

/** Changes the present season; answers the season where it was changed since it was `seen`. Throws badSetting. */
export const changeSeason = byCoach(
  async (tx: Db, groupId: bigint, wishes: SeasonWishes, seen: string): Promise<SeasonsTable | undefined> => {
    const before = await presentSeason(tx, groupId);
    if (![seen, versionOfSeason(wishes)].includes(versionOfSeason(before))) return before;
    const isNewRule = ruleOf(before) !== ruleOf(wishes);
    const rule_since = isNewRule ? new Date().toISOString() : before.rule_since;
    await updateSeason(tx, before.id, { ...wishes, rule_since });
    return undefined;
  },
);

export const removeSeason = byCoach(async (tx: Db, groupId: bigint) => {
  await deleteSeason(tx, (await presentSeason(tx, groupId)).id);
});

/** Throws badSetting where the group has no season. */
async function presentSeason(db: Db, groupId: bigint): Promise<SeasonsTable> {
  const season = await findSeason(db, groupId);
  if (!season) throw refused('badSetting.noSeason');
  return season;
}

type Item = Pick<SeasonContestsTable, 'kind' | 'item_id'>;

async function addItem(tx: Db, groupId: bigint, item: Item): Promise<void> {
  const { id: season_id } = await presentSeason(tx, groupId);
  if (!(await hasItem(tx, groupId, item))) throw refused('badSetting.noContest');
  if ((await countSeasonContests(tx, season_id)) >= BigInt(contestsAtMost))
    throw refused('badSetting.seasonContests', { most: contestsAtMost });
  await insertSeasonContest(tx, { season_id, ...item, added_at: new Date().toISOString() });
}

/** Puts a contest, or a round of the group, into the present season of the group, once. Throws badSetting. */
export const addSeasonContest = byCoach(addItem);

/** Takes a contest out of the present season; answers whether it was in it. Throws badSetting. */
export const removeSeasonContest = byCoach(async (tx: Db, groupId: bigint, item: Item) => {
  const { id: season_id } = await presentSeason(tx, groupId);
  return deleteSeasonContest(tx, { season_id, ...item });
});

type Told = Pick<ContestRow, 'source' | 'key' | 'title' | 'starts_at' | 'duration_s'> & {
  phase?: string | null;
};

interface ToldContest extends Told {
  problems: readonly (WantedProblem & { position: string })[];
}

/** Puts a contest into the season that is found here by its key, or made by `make`. */
async function addByKey(
  tx: Db,
  groupId: bigint,
  { source, key }: Told,
  make: () => Promise<bigint>,
): Promise<void> {
  const [known] = await findContestsByKeys(tx, source, [key]);
  await addItem(tx, groupId, { kind: 'contest', item_id: known?.id ?? (await make()) });
}

/**
 * Puts several into the present season, and one as its judge told it, which is added with its problems if it is not here. Throws
 * badSetting, and adds none, where one cannot be added.
 */
export const addSeasonContests = inTransaction(
  async (
    tx: Db,
    coached: Coached,
    items: readonly Item[],
    told: ToldContest | undefined,
    limits: AddLimits,
  ): Promise<void> => {
    await assertCoach(tx, coached);
    if (told) await addByKey(tx, coached.groupId, told, () => makeWithProblems(tx, coached, told, limits));
    for (const item of items) await addItem(tx, coached.groupId, item);
  },
);

async function makeWithProblems(
  tx: Db,
  { coachId }: Coached,
  { problems, ...told }: ToldContest,
  limits: AddLimits,
): Promise<bigint> {
  if (problems.length === 0) throw refused('badSetting.seasonContestEmpty');
  if (problems.length > problemsAtMost)
    throw refused('badSetting.seasonContestProblems', { most: problemsAtMost });
  const added = await addProblems(tx, coachId, problems, limits);
  const contest_id = await makeContest(
    tx,
    told,
    problems.some(({ isGym }) => isGym),
  );
  const places = problems.map(({ key, position }, at) => ({
    ...{ contest_id, key, position, problem_id: added[at]?.id ?? null },
  }));
  await insertContestProblems(tx, places);
  return contest_id;
}

async function makeContest(tx: Db, told: Told, isGym = false): Promise<bigint> {
  const { source, key, starts_at, duration_s, phase = null } = told;
  const [id = 0n] = await giveIds(tx, 'contests', 1);
  const title = plainLine(told.title, longestTitle);
  const row = { id, source, key, title, starts_at, duration_s, phase, is_gym: isGym ? 1n : 0n };
  await insertContests(tx, [row]);
  return id;
}

/**
 * Puts a contest to come into the present season of the group. It becomes a contest without problems, which the judge's next list
 * of contests completes by the same key. Throws badSetting.
 */
export const addUpcomingContest = byCoach(async (tx: Db, groupId: bigint, upcomingId: bigint) => {
  const coming = await findUpcoming(tx, upcomingId);
  if (!coming) throw refused('badSetting.noContest');
  await addByKey(tx, groupId, coming, () => makeContest(tx, coming));
});

/** Gives or takes points by hand, in halves, in the present season. Throws badSetting. */
export const givePoints = byCoach(
  async (
    tx: Db,
    group_id: bigint,
    { userId: user_id, halves, reason }: { userId: bigint; halves: bigint; reason: string },
  ) => {
    const { id: season_id } = await presentSeason(tx, group_id);
    if ((await findOwnGroup(tx, group_id, user_id))?.in_season !== 1n)
      throw refused('badSetting.notInSeason');
    if ((await listSeasonPoints(tx, season_id)).length >= handAtMost)
      throw refused('badSetting.handPoints', { most: handAtMost });
    const made_at = new Date().toISOString();
    await insertSeasonPoints(tx, { season_id, group_id, user_id, halves, reason, made_at });
  },
);

/** Removes points by hand from the present season; answers whether they were there. */
export const takePointsBack = byCoach(async (tx: Db, groupId: bigint, id: bigint) =>
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
