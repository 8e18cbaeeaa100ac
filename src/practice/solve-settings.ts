/** How a problem of a contest was solved there: in the contest itself, in a virtual one, elsewhere meanwhile, or later. */
import { cancelledPhase, type GridContest, type GridSolve } from '../store/contests.ts';

export type SolveSetting = 'live' | 'virtual' | 'elsewhere' | 'later';
/** In a lockout also after somebody else. */
export type RoundSolveSetting = SolveSetting | 'behind';

export function endOf({
  starts_at,
  duration_s,
}: Pick<GridContest, 'starts_at' | 'duration_s'>): number | undefined {
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

export const isCancelled = ({ phase }: Pick<GridContest, 'phase'>): boolean => phase === cancelledPhase;

type Submission = Omit<GridSolve, 'problem_id' | 'count'>;
type Contest = Pick<GridContest, 'source' | 'key' | 'starts_at' | 'duration_s'>;

const isInTime = (contest: Contest, { submitted_at }: Submission): boolean => {
  const end = endOf(contest);
  return end !== undefined && Date.parse(submitted_at) < end;
};

/**
 * A submission without contest and participation, as at LeetCode, is live if it was sent in time. A team's submission
 * from earlier versions is live if the time of the contest is unknown. `participationsBy` in store/contests.ts is the same rule
 * in SQL.
 */
export function participationIn(contest: Contest, one: Submission): 'live' | 'virtual' | undefined {
  const { participation, submitted_at } = one;
  const isOfContest = one.contest === null ? participation === null : one.contest === contest.key;
  if (!isOfContest || one.source !== contest.source || participation === 'practice') return undefined;
  if (participation === 'virtual') return 'virtual';
  const isLive =
    participation === 'contest' ||
    (participation === 'team' && contest.starts_at === null) ||
    phaseAt(contest, Date.parse(submitted_at)) === 'running';
  return isLive ? 'live' : undefined;
}

export const solveSettingIn =
  (contest: Contest) =>
  (one: Submission): SolveSetting =>
    participationIn(contest, one) ?? (isInTime(contest, one) ? 'elsewhere' : 'later');

interface BestSolve<Setting> {
  setting: Setting;
  isTeam: boolean;
}

const settingsByRank: readonly RoundSolveSetting[] = ['live', 'virtual', 'behind', 'elsewhere', 'later'];

export function bestSolve<One extends Submission, Setting extends RoundSolveSetting>(
  submissions: readonly One[],
  settingOf: (one: One) => Setting,
): BestSolve<Setting> | undefined {
  const solves = Map.groupBy(
    submissions.filter(({ verdict_class }) => verdict_class === 'solved'),
    settingOf,
  );
  const setting = settingsByRank.find((one): one is Setting => solves.has(one as Setting));
  return (
    setting && {
      setting,
      isTeam: solves.get(setting)?.every(({ is_team }) => is_team === 1n) ?? false,
    }
  );
}

export const bestSolveIn = (contest: Contest, submissions: readonly Submission[]) =>
  bestSolve(submissions, solveSettingIn(contest));

export function triesOf(submissions: readonly Pick<GridSolve, 'verdict_class' | 'count'>[]): number {
  const tries = submissions.filter(({ verdict_class }) => verdict_class === 'tried');
  return tries.reduce((sum, { count }) => sum + Number(count), 0);
}
