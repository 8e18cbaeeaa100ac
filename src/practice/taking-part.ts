/** How a problem of a contest was solved there: in the contest itself, in a virtual one, elsewhere meanwhile, or later. */
import { cancelled, type GridContest, type GridSolve } from '../store/contests.ts';

export type Took = 'live' | 'virtual' | 'elsewhere' | 'later';

/** When a contest ends, in milliseconds since 1970; undefined where its start is not known. */
function endOf({ starts_at, duration_s }: Pick<GridContest, 'starts_at' | 'duration_s'>): number | undefined {
  return starts_at === null ? undefined : Date.parse(starts_at) + Number(duration_s) * 1000;
}

export function phaseAt(
  contest: Pick<GridContest, 'starts_at' | 'duration_s'>,
  now: number,
): 'before' | 'running' | 'over' {
  const end = endOf(contest);
  if (contest.starts_at === null || end === undefined || now >= end) return 'over';
  return now < Date.parse(contest.starts_at) ? 'before' : 'running';
}

/** Whether it does not take place. */
export const isCancelled = ({ phase }: Pick<GridContest, 'phase'>): boolean => phase === cancelled;

type Sent = Omit<GridSolve, 'problem_id'>;
type Contest = Pick<GridContest, 'source' | 'key' | 'starts_at' | 'duration_s'>;

const isInTime = (contest: Contest, { submitted_at }: Sent): boolean => {
  const end = endOf(contest);
  return end !== undefined && Date.parse(submitted_at) < end;
};

/**
 * How somebody took part in a contest by something that they sent to one of its problems; undefined if they did not. What says neither
 * its contest nor how it was sent, as at LeetCode, was sent to the contest if it was sent in its time. A team's submission, which
 * earlier versions kept without saying how it took part, counts where nobody knows when the contest was. `takenBy` in
 * store/contests.ts says the same in SQL.
 */
export function partOf(contest: Contest, one: Sent): 'live' | 'virtual' | undefined {
  const { participation, submitted_at } = one;
  const isHere = one.contest === null ? participation === null : one.contest === contest.key;
  if (!isHere || one.source !== contest.source || participation === 'practice') return undefined;
  if (participation === 'virtual') return 'virtual';
  const isLive =
    participation === 'contest' ||
    (participation === 'team' && contest.starts_at === null) ||
    phaseAt(contest, Date.parse(submitted_at)) === 'running';
  return isLive ? 'live' : undefined;
}

export const tookBy =
  (contest: Contest) =>
  (one: Sent): Took =>
    partOf(contest, one) ?? (isInTime(contest, one) ? 'elsewhere' : 'later');

/** How a problem was solved, and whether the member did so only with a team. */
interface Taking {
  took: Took;
  isTeam: boolean;
}

const ways: readonly Took[] = ['live', 'virtual', 'elsewhere', 'later'];

/** How a problem was solved by what was sent to it, where `took` says it of one solve; undefined if nothing was accepted. */
export function firstTook<One extends Sent>(
  sent: readonly One[],
  took: (one: One) => Took,
): Taking | undefined {
  const solves = Map.groupBy(
    sent.filter(({ verdict_class }) => verdict_class === 'solved'),
    took,
  );
  const way = ways.find((one) => solves.has(one));
  return way && { took: way, isTeam: solves.get(way)?.every(({ is_team }) => is_team === 1n) ?? false };
}

/** How one of the contest's problems was solved, by what the member sent to it; undefined if they never sent a solution. */
export const tookOf = (contest: Contest, sent: readonly Sent[]) => firstTook(sent, tookBy(contest));

export function triesOf(sent: readonly Sent[]): number {
  return sent.filter(({ verdict_class }) => verdict_class === 'tried').length;
}
