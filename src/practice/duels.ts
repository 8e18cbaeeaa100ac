/**
 * Duels: rounds of two. Three problems that neither tried are chosen when the second person accepts, near the contest ratings of
 * both, and neither sees them before the start. A chance or level of anybody has no part in it.
 */
import { randomInt } from 'node:crypto';
import { newSecret } from '../auth/sessions.ts';
import { dayMs, minuteMs } from '../durations.ts';
import { localizedError } from '../errors.ts';
import { chanceModels } from '../judges/judges.ts';
import { findJoinedGroup, listGroupPeople } from '../store/groups.ts';
import { findMembersByIds } from '../store/members.ts';
import { listUntriedInRange } from '../store/problem-lists.ts';
import { findProblemsByIds } from '../store/problems.ts';
import { type CurrentRating, listCurrentRatings } from '../store/ratings.ts';
import {
  deleteRound,
  inviteToDuel,
  listRoundsMadeBy,
  type RoundsTable,
  updateRound,
  writeRoundProblems,
} from '../store/rounds.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { assertNotArchived } from './groups.ts';
import { getRoundAt, insertPlanned, isOpenDuel, type RoundAddress, saveJoined } from './rounds.ts';

export const duelLimits = { open: 10, problems: 3, minutes: 40, startsAfterMinutes: 2 } as const;

/** A duel can be accepted until so long after its start. */
const acceptableMs = dayMs;
const candidatesAtMost = 5000;

export const duelBands = ['easy', 'even', 'hard'] as const;
export type DuelBand = (typeof duelBands)[number];
export const duelSources: readonly string[] = [...chanceModels.keys()];

export const acceptableUntil = ({ starts_at }: Pick<RoundsTable, 'starts_at'>) =>
  new Date(Date.parse(starts_at) + acceptableMs).toISOString();

export const isExpired = (round: Pick<RoundsTable, 'starts_at'>, now: number) =>
  Date.parse(acceptableUntil(round)) <= now;

export const openDuelsAfter = (now: number) => new Date(now - acceptableMs).toISOString();

/** In hundreds, which show a contest rating only roughly. Problems at the middle are even for both, if they are not far apart. */
export function duelRange(band: DuelBand, ratings: readonly number[]): { from: number; to: number } {
  const hundreds = (rating: number) => Math.round(rating / 100) * 100;
  const [lower, higher] = [hundreds(Math.min(...ratings)), hundreds(Math.max(...ratings))];
  if (band === 'easy') return { from: lower - 300, to: lower - 100 };
  if (band === 'hard') return { from: higher + 100, to: higher + 300 };
  const middle = hundreds((lower + higher) / 2);
  return { from: middle - 100, to: middle + 100 };
}

interface DuelTerms {
  source: string;
  band: DuelBand;
}

/** Who has no contest rating at the judge counts as usual. */
async function findUntried(
  db: Db,
  userIds: readonly bigint[],
  { source, band }: DuelTerms,
  rated?: readonly CurrentRating[],
) {
  const current = (rated ?? (await listCurrentRatings(db, userIds))).filter((one) => one.source === source);
  const usual = chanceModels.get(source)?.usualStrength ?? 0;
  const ratings = userIds.map((id) => Number(current.find(({ user_id }) => user_id === id)?.rating ?? usual));
  const range = duelRange(band, ratings);
  return { ...range, ids: await listUntriedInRange(db, { source, ...range }, userIds, candidatesAtMost) };
}

export type DuelChoice = DuelTerms & {
  from: number;
  to: number;
  problems: number;
  isOpen: boolean;
  isRated: boolean;
};

/**
 * By what the member tried alone: a count for both would show what the other one tried. The judge at which the member was rated
 * last comes first.
 */
export async function listDuelChoices(db: Db, userId: bigint): Promise<DuelChoice[]> {
  const choices: DuelChoice[] = [];
  const ratings = await listCurrentRatings(db, [userId]);
  const latest = ratings.toSorted((a, b) => (a.rated_at < b.rated_at ? 1 : -1)).map(({ source }) => source);
  const sources = new Set([...latest, ...duelSources]);
  for (const source of [...sources].filter((one) => chanceModels.has(one))) {
    for (const band of duelBands) {
      const { from, to, ids } = await findUntried(db, [userId], { source, band }, ratings);
      const isOpen = ids.length >= duelLimits.problems;
      choices.push({
        source,
        band,
        from,
        to,
        problems: ids.length,
        isOpen,
        isRated: latest.includes(source),
      });
    }
  }
  return choices;
}

export type DuelPlan = DuelTerms & {
  /** RFC 3339; the duel begins later if it is accepted later. */
  startsAt: string;
  minutes: number;
};

interface Opponent {
  groupId: bigint;
  personId: bigint;
}

/** Undefined for somebody who is in no such group with the member. Throws invalidValue. */
export async function findOpponent(db: Db, makerId: bigint, { groupId, personId }: Opponent) {
  const group = await findJoinedGroup(db, groupId, makerId);
  if (!group || personId === makerId) return undefined;
  assertNotArchived(group);
  const people = await listGroupPeople(db, groupId);
  return people.find(({ user_id, is_disabled }) => user_id === personId && is_disabled === 0n);
}

/** Without a person, whoever opens its secret address first may accept. Throws invalidValue and unknownPath. */
export const makeDuel = inTransaction(
  async (tx: Db, makerId: bigint, plan: DuelPlan, to: Opponent | undefined): Promise<bigint> => {
    const person = to && (await findOpponent(tx, makerId, to));
    if (to && !person) throw localizedError('unknownPath.round');
    const open = (await listRoundsMadeBy(tx, makerId)).filter(isOpenDuel);
    const expired = open.filter((one) => isExpired(one, Date.now()));
    for (const { id } of expired) await deleteRound(tx, id);
    const { open: most, problems } = duelLimits;
    if (open.length - expired.length >= most) throw localizedError('invalidValue.duels', { most });
    const { ids } = await findUntried(tx, [makerId], plan);
    if (ids.length < problems) throw localizedError('invalidValue.duelProblems', { count: problems });
    const names = [await nameOf(tx, makerId), person?.username ?? '…'];
    const id = await insertPlanned(tx, makerId, roundPlan(plan, names), {
      group_id: null,
      secret: person ? null : newSecret(),
      duel_source: plan.source,
      duel_band: plan.band,
    });
    await saveJoined(tx, id, makerId);
    if (person) await inviteToDuel(tx, { round_id: id, user_id: person.user_id });
    return id;
  },
);

const nameOf = async (db: Db, id: bigint) => (await findMembersByIds(db, [id]))[0]?.username ?? '';

const roundPlan = ({ startsAt, minutes }: DuelPlan, names: readonly string[]) => ({
  name: names.join(' – '),
  rule: 'lockout' as const,
  startsAt,
  minutes,
  freezeMinutes: 0,
  points: [],
});

/** Throws invalidValue and unknownPath. */
export const acceptDuel = inTransaction(
  async (tx: Db, userId: bigint, address: RoundAddress): Promise<bigint> => {
    const round = await getRoundAt(tx, userId, address);
    const { id, made_by, duel_source: source, duel_band: band } = round;
    if (made_by === userId || !isOpenDuel(round) || source === null || band === null) return id;
    const now = Date.now();
    if (isExpired(round, now)) throw localizedError('invalidValue.duelExpired');
    const { ids } = await findUntried(tx, [made_by, userId], { source, band });
    const { problems: count, startsAfterMinutes } = duelLimits;
    if (ids.length < count) throw localizedError('invalidValue.duelProblems', { count });
    const chosen = Array.from({ length: count }, () => ids.splice(randomInt(ids.length), 1)[0] ?? 0n);
    const problems = (await findProblemsByIds(tx, chosen)).toSorted((a, b) =>
      Number((a.rating ?? 0n) - (b.rating ?? 0n)),
    );
    if (round.secret !== null) await inviteToDuel(tx, { round_id: id, user_id: userId });
    const lengthMs = Date.parse(round.ends_at) - Date.parse(round.starts_at);
    const startsMs = Math.max(Date.parse(round.starts_at), now + startsAfterMinutes * minuteMs);
    const at = new Date(now).toISOString();
    await updateRound(tx, id, {
      name: `${round.maker} – ${await nameOf(tx, userId)}`,
      secret: null,
      starts_at: new Date(startsMs).toISOString(),
      ends_at: new Date(startsMs + lengthMs).toISOString(),
      accepted_at: at,
      updated_at: at,
    });
    await writeRoundProblems(
      tx,
      id,
      problems.map((problem) => ({ problem_id: problem.id, points: 1n })),
    );
    for (const one of [made_by, userId]) await saveJoined(tx, id, one);
    return id;
  },
);
