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

type Sent = Pick<GridSolve, 'verdict_class' | 'submitted_at' | 'contest' | 'participation' | 'is_team'>;
type Contest = Pick<GridContest, 'key' | 'starts_at' | 'duration_s'>;

const isInTime = (contest: Contest, { submitted_at }: Sent): boolean => {
  const end = endOf(contest);
  return end !== undefined && Date.parse(submitted_at) < end;
};

/**
 * Whether something that was sent to a contest was sent while it was held. A judge that does not say how something was sent lists
 * when it was. A team counts where nobody knows when the contest was.
 */
function isLive(contest: Contest, one: Sent): boolean {
  const { participation, submitted_at } = one;
  if (participation === 'team') return contest.starts_at === null || isInTime(contest, one);
  if (participation !== null) return participation === 'contest';
  return isInTime(contest, one) && submitted_at >= (contest.starts_at ?? '');
}

/**
 * Whether something that was sent to one of its problems was sent to the contest itself. Of what says neither its contest nor how it was
 * sent, as at LeetCode, that is all that was sent in its time.
 */
function isSentTo(contest: Contest, one: Sent): boolean {
  if (one.contest !== null) return one.contest === contest.key;
  return one.participation === null && isLive(contest, one);
}

/** How somebody took part in a contest by something that they sent to one of its problems; undefined if they did not. */
export function partOf(contest: Contest, one: Sent): 'live' | 'virtual' | undefined {
  if (!isSentTo(contest, one)) return undefined;
  if (one.participation === 'virtual') return 'virtual';
  return isLive(contest, one) ? 'live' : undefined;
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
