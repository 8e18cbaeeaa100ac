/** A contest as its judge describes it, with the problems that can be added here. */
import type { ApiKey, ContestProblem, ContestWithProblems, JudgeApi, JudgeClient } from '../judges/judge.ts';
import { isGym } from '../judges/judges.ts';

export interface FetchedContest extends Omit<ContestWithProblems, 'problems'> {
  source: string;
  key: string;
  problems: (ContestProblem & { source: string; isGym: boolean })[];
}

/** Undefined for a hidden contest. Throws judgeFailed. */
export async function fetchContest(
  ask: JudgeClient,
  contest: NonNullable<JudgeApi['contest']>,
  { source, key, apiKey }: { source: string; key: string; apiKey?: ApiKey | undefined },
): Promise<FetchedContest | undefined> {
  const fetched = await contest(ask, key, apiKey);
  if (!fetched) return undefined;
  const unique = [...new Map(fetched.problems.map((one) => [one.key, one])).values()];
  const problems = unique.map((one) => ({ ...one, source, isGym: isGym({ source, source_key: one.key }) }));
  return { ...fetched, source, key, problems };
}
