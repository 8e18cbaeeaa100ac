/** Contacts a judge while a page waits. */
import { localizedError } from '../errors.ts';
import { judgeFault } from '../judges/faults.ts';
import type { ApiKey, Judge, Submission } from '../judges/judge.ts';
import { judgeName, judgeOf } from '../judges/judges.ts';
import { claimProofCheck, endOfProofTask, proveBySubmission } from '../practice/handles.ts';
import { fold } from '../store/case-folding.ts';
import { type HandlesTable, listHandlesOfGroup, type ProofTasksTable } from '../store/handles.ts';
import { findProblemsByKeys } from '../store/problems.ts';
import type { Store } from '../store/store.ts';
import { type FetchedContest, fetchContest, findStoredContest } from './fetched-contest.ts';
import { interactiveLimits, type JudgeClientOptions, judgeClient } from './judge-client.ts';
import { newHolder, tryUnderLease } from './lease.ts';
import { importResults } from './sync-runs.ts';

/** Without proof, `nearest` is the submission that is closest to one. */
export type ProofCheck =
  | { is: 'proved' | 'too soon' | 'conflict' | 'nothing sent' }
  | { is: 'waiting' | 'another verdict' | 'before' | 'too late' | 'another problem'; nearest: Submission };

export async function checkProof(
  store: Store,
  judge: Judge & Required<Pick<Judge, 'proof'>>,
  handle: HandlesTable,
  task: ProofTasksTable,
  address: JudgeClientOptions['address'],
): Promise<ProofCheck> {
  if (!(await claimProofCheck(store, task.user_id, task.source))) return { is: 'too soon' };
  const ask = judgeClient(store, judge, { address, pace: interactiveLimits });
  const newest = await judge.proof.newest(ask, handle.name, new Date(task.begun_at));
  const submissions = newest.filter(({ handles }) => isSoleAuthor(handles, handle));
  const keys = [...new Set(submissions.map(({ key }) => key))];
  const problems = await findProblemsByKeys(store.reader, handle.source, keys);
  const problemKeys = new Set(problems.filter(({ id }) => id === task.problem_id).map(({ key }) => key));
  const result = proofResult(submissions, problemKeys, task, judge.proof.matches);
  if (result.is !== 'proved') return result;
  return { is: (await proveBySubmission(store, task)) ? 'proved' : 'conflict' };
}

/** A team's submission may be somebody else's work. */
function isSoleAuthor(authors: readonly string[], { name_key }: HandlesTable): boolean {
  return authors.length === 1 && fold(authors[0] ?? '') === name_key;
}

function proofResult(
  submissions: readonly Submission[],
  keys: ReadonlySet<string>,
  task: ProofTasksTable,
  matches: (submission: Submission) => boolean,
): ProofCheck {
  const [newest] = submissions;
  if (!newest) return { is: 'nothing sent' };
  const toProblem = submissions.filter(({ key }) => keys.has(key));
  // Judges round down to seconds.
  const from = Math.floor(Date.parse(task.begun_at) / 1000) * 1000;
  const until = Date.parse(endOfProofTask(task));
  const momentOf = ({ submittedAt }: Submission) => Date.parse(submittedAt);
  const inTime = toProblem.filter((one) => momentOf(one) >= from && momentOf(one) <= until);
  if (inTime.some(matches)) return { is: 'proved' };
  const waiting = inTime.find(({ verdictClass }) => verdictClass === 'pending');
  if (waiting) return { is: 'waiting', nearest: waiting };
  if (inTime[0]) return { is: 'another verdict', nearest: inTime[0] };
  const [other] = toProblem;
  if (other) return { is: momentOf(other) < from ? 'before' : 'too late', nearest: other };
  return { is: 'another problem', nearest: newest };
}

export interface ContestRequest {
  source: string;
  key: string;
  place: JudgeClientOptions['address'];
  apiKey?: ApiKey | undefined;
}

/**
 * Imports what the people of a group solved in a private contest. Returns how many statuses are new or changed. Throws
 * judgeFailed, and invalidValue while the member waits for another contest.
 */
export async function requestResults(
  store: Store,
  memberId: bigint,
  { source, key, place: address, apiKey }: ContestRequest,
  groupId: bigint,
): Promise<number> {
  const judge = judgeOf(source);
  const fetchResults = judge?.api?.results;
  if (!judge || !fetchResults || !apiKey) throw localizedError('invalidValue.noGymKey');
  const ask = judgeClient(store, judge, { address, pace: interactiveLimits });
  const handles = await listHandlesOfGroup(store.reader, groupId, source);
  const names = handles.map(({ name }) => name);
  const submissions = await tryUnderLease(store, `waiting ${memberId}`, newHolder(), () =>
    fetchResults(ask, key, apiKey, names),
  );
  if (!submissions) throw localizedError('invalidValue.contestWaits');
  let changed = 0;
  for (const handle of handles) changed += await importResults(store, handle, submissions);
  return changed;
}

/** Asks nobody for a contest that is here. Throws judgeFailed, and invalidValue, also while the member waits for one. */
export async function requestContest(
  store: Store,
  memberId: bigint,
  request: ContestRequest,
): Promise<FetchedContest> {
  const { source, key: contest, place: address } = request;
  const stored = await findStoredContest(store.reader, request);
  if (stored) return stored;
  const judge = judgeOf(source);
  const fetchOne = judge?.api?.contest;
  if (!judge || !fetchOne)
    throw localizedError('invalidValue.contestElsewhere', { judge: judgeName(source) });
  const ask = judgeClient(store, judge, { address, pace: interactiveLimits });
  const answer = await tryUnderLease(store, `waiting ${memberId}`, newHolder(), async () => ({
    found: await fetchContest(ask, fetchOne, request),
  }));
  if (!answer) throw localizedError('invalidValue.contestWaits');
  if (answer.found) return answer.found;
  throw judgeFault(
    'refused',
    judge.hasPrivateContests
      ? localizedError('judgeFailed.privateContest', { judge: judge.site, contest })
      : localizedError('judgeFailed.hiddenContest', { judge: judge.site, contest }),
  );
}
