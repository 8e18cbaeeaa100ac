/** A contest as its judge tells it, with its problems as they can be added here. */
import type { ApiKey, AskedContest, AskedProblem, AskJudge, JudgeApi } from '../judges/judge.ts';
import { isGym } from '../judges/judges.ts';

export interface GivenContest extends Omit<AskedContest, 'problems'> {
  source: string;
  key: string;
  problems: (AskedProblem & { source: string; isGym: boolean })[];
}

/** One contest, whose `apiKey` opens private ones. */
export interface WantedContest {
  source: string;
  key: string;
  apiKey?: ApiKey | undefined;
}

/** Asks the judge for one contest; undefined where it shows none to everybody. Throws judgeFailed. */
export async function askForContest(
  ask: AskJudge,
  contest: NonNullable<JudgeApi['contest']>,
  { source, key, apiKey }: WantedContest,
): Promise<GivenContest | undefined> {
  const found = await contest(ask, key, apiKey);
  if (!found) return undefined;
  const { problems, ...told } = found;
  const once = [...new Map(problems.map((one) => [one.key, one])).values()];
  const wanted = once.map((one) => ({ ...one, source, isGym: isGym({ source, source_key: one.key }) }));
  return { ...told, source, key, problems: wanted };
}
