/** A member's submissions into judge's verdicts: tried is practicing, solved is complete, and a verdict only moves forward. */
import type { Submission } from '../judges/judge.ts';
import { furtherWord } from '../practice/states.ts';
import { adoptProblems, findProblemsByKeys } from '../store/problems.ts';
import { findStatusPairs, insertStatuses, updateStatus } from '../store/statuses.ts';
import type { State, StatusesTable } from '../store/tables.ts';
import type { Applying, Sink } from './import.ts';

/** What all submissions under one key come to: the first solve, or the first try. */
interface Verdict {
  status: State;
  at: string;
  isGym: boolean;
  /** How many submissions it comes from. */
  sent: number;
}

/** New, changed and kept count statuses; unmatched counts distinct problems that no catalogue here has, gym apart. */
export function submissionSink(applying: Applying): Sink<Submission> {
  const { tx, member, count } = applying;
  if (!member) throw new Error('submissions belong to a member');
  const bySource = new Map<string, Map<string, Verdict>>();
  return {
    take: async (entries) => {
      for (const { value } of entries) {
        const verdicts = bySource.get(value.source) ?? new Map<string, Verdict>();
        bySource.set(value.source, verdicts);
        const verdict: Verdict = {
          status: value.isSolved ? 'complete' : 'practicing',
          at: value.submittedAt,
          isGym: value.isGym,
          sent: 1,
        };
        verdicts.set(value.key, further(verdicts.get(value.key), verdict));
      }
    },
    finish: async () => {
      for (const [source, verdicts] of bySource) await settle(source, verdicts);
    },
  };

  async function settle(source: string, verdicts: ReadonlyMap<string, Verdict>): Promise<void> {
    const userId = member?.id ?? 0n;
    const found = await findProblemsByKeys(tx, source, [...verdicts.keys()]);
    const keyed = new Map(found.map((row) => [row.key, row]));
    const byProblem = new Map<bigint, Verdict>();
    const unknown: Verdict[] = [];
    for (const [key, verdict] of verdicts) {
      const problem = keyed.get(key);
      if (problem) byProblem.set(problem.id, further(byProblem.get(problem.id), verdict));
      else unknown.push(verdict);
      if (!problem && !verdict.isGym)
        count(
          'unmatched',
          () => `${source} ${key}: no such problem here; import the judge's catalogue and twins`,
        );
    }
    applying.note(noteOf([...verdicts.values()], [...byProblem.values()], unknown));
    const titles = new Map(found.map((row) => [row.id, `${source} ${row.source_key} ${row.title}`]));
    const pairs = new Map(
      (await findStatusPairs(tx, userId, [...byProblem.keys()])).map((row) => [row.problem_id, row]),
    );
    const fresh: StatusesTable[] = [];
    for (const [problemId, { status, at }] of byProblem) {
      const line = () => `${titles.get(problemId)}: ${status}`;
      const pair = pairs.get(problemId);
      if (!pair) {
        const row = { user_id: userId, problem_id: problemId, self_status: null, self_at: null };
        fresh.push({ ...row, judge_status: status, judge_at: at });
        count('new', line);
        continue;
      }
      const [judge_status, judge_at] = furtherWord([pair.judge_status, pair.judge_at], [status, at]);
      if (judge_status === pair.judge_status && judge_at === pair.judge_at) {
        count('kept', line);
      } else {
        await updateStatus(tx, { ...pair, judge_status, judge_at });
        count('changed', line);
        changed(userId);
      }
    }
    await insertStatuses(tx, fresh);
    if (fresh.length > 0) changed(userId);
    await adoptProblems(
      tx,
      found.filter((row) => row.is_sample === 1n).map((row) => row.id),
    );
  }

  function changed(userId: bigint): void {
    applying.changed('statuses');
    applying.changed(`statuses:${userId}`);
  }
}

/** Where the submissions went, in figures that add up to their number. */
function noteOf(all: readonly Verdict[], known: readonly Verdict[], unknown: readonly Verdict[]): string {
  const sent = (verdicts: readonly Verdict[]) => verdicts.reduce((sum, verdict) => sum + verdict.sent, 0);
  const keyCount = all.length - unknown.length;
  const keys = keyCount > known.length ? ` under ${keyCount} keys` : '';
  const solved = known.filter(({ status }) => status === 'complete').length;
  const here = `${sent(known)} to ${known.length} problems known here${keys}, ${solved} of them complete`;
  const [gym, others] = [unknown.filter(({ isGym }) => isGym), unknown.filter(({ isGym }) => !isGym)];
  const elsewhere = others.length > 0 ? `; ${sent(others)} to ${others.length} problems not known here` : '';
  const apart = gym.length > 0 ? `; ${sent(gym)} to ${gym.length} gym problems, left apart` : '';
  return `${sent(all)} submissions: ${here}${elsewhere}${apart}`;
}

function further(known: Verdict | undefined, verdict: Verdict): Verdict {
  if (!known) return verdict;
  const sent = known.sent + verdict.sent;
  const [status] = furtherWord([known.status, known.at], [verdict.status, verdict.at]);
  const isKnownFirst = known.status === verdict.status ? known.at <= verdict.at : status === known.status;
  return { ...(isKnownFirst ? known : verdict), sent };
}
