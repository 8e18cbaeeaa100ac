/** A contest as its judge tells it, with its problems as they can be added here. */
import { type AppError, refused } from '../errors.ts';
import type { ApiKey, AskedContest, AskedProblem, AskJudge } from '../judges/judge.ts';
import { isGym, judgeOf } from '../judges/judges.ts';

export interface GivenContest extends Omit<AskedContest, 'problems'> {
  source: string;
  key: string;
  problems: (AskedProblem & { source: string; isGym: boolean })[];
}

/** Asks the judge for one contest; `apiKey` opens private ones. Throws judgeFailed, and badSetting where the judge tells of none. */
export async function askForContest(
  ask: AskJudge,
  { source, key, apiKey }: { source: string; key: string; apiKey?: ApiKey | undefined },
): Promise<GivenContest> {
  const contest = judgeOf(source)?.api?.contest;
  if (!contest) throw notTold();
  const { problems, ...told } = await contest(ask, key, apiKey);
  const wanted = problems.map((one) => ({ ...one, source, isGym: isGym({ source, source_key: one.key }) }));
  return { ...told, source, key, problems: wanted };
}

export const notTold = (): AppError => refused('badSetting.contestLink');
