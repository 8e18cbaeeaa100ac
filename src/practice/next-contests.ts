/** What some people could take together next: contests to which none of them sent anything, by their contest ratings. */
import { hiddenContestWords } from '../judges/judges.ts';
import { listUnsentContests, type UnsentContest } from '../store/contests.ts';
import { type CurrentRating, listCurrentRatings } from '../store/ratings.ts';
import type { Db } from '../store/tables.ts';

const contestsAtMost = 20;
const gymsAtMost = 10;
/** Problems count as near from so far below the lowest rating of the people to so far above the highest. */
export const nearMargin = 200;

export type NextContest = UnsentContest & { from: number; to: number };

/** Of each person at each judge, the rating of the handle that was rated last. */
export async function listShownRatings(db: Db, userIds: readonly bigint[]): Promise<CurrentRating[]> {
  const isFirst = ({ user_id, source }: CurrentRating, at: number, all: readonly CurrentRating[]) =>
    all.findIndex((one) => one.user_id === user_id && one.source === source) === at;
  return (await listCurrentRatings(db, userIds)).filter(isFirst);
}

/**
 * Lists contests of each judge where one of these people is rated. The caller makes sure that the reader may know their ratings, and
 * whether they sent anything.
 */
export async function listNextContests(
  db: Db,
  userIds: readonly bigint[],
  now: string,
): Promise<{ contests: NextContest[]; gyms: NextContest[] }> {
  const ratings = Map.groupBy(await listShownRatings(db, userIds), ({ source }) => source);
  const [contests, gyms]: [NextContest[], NextContest[]] = [[], []];
  for (const [source, rows] of ratings) {
    const values = rows.map(({ rating }) => Number(rating));
    const [from, to] = [Math.min(...values) - nearMargin, Math.max(...values) + nearMargin];
    const filter = { source, userIds, from, to, now, hiddenWords: hiddenContestWords };
    const read = async (isGym: boolean, most: number) =>
      (await listUnsentContests(db, { ...filter, isGym }, most)).map((one) => ({ ...one, from, to }));
    contests.push(...(await read(false, contestsAtMost)));
    gyms.push(...(await read(true, gymsAtMost)));
  }
  const byShare = (a: NextContest, b: NextContest) =>
    Number(b.near * a.problems - a.near * b.problems || b.near - a.near);
  return { contests: contests.toSorted(byShare).slice(0, contestsAtMost), gyms };
}
