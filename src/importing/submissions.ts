/** Importing submissions as the judge's words: tried is practicing, solved is complete, and a word only moves forward. */
import type { Submission } from '../judges/judge.ts';
import { furtherWord } from '../practice/states.ts';
import { findStatusPairs } from '../store/statuses.ts';
import type { State } from '../store/tables.ts';
import type { Applying, Sink } from './import.ts';
import { pairBatch, pairName } from './pairs.ts';
import { findByKeys } from './problems.ts';
import { noWords, statusPairs } from './statuses.ts';

/** All submissions to one problem: the first solve, or else the first try. */
interface Attempts {
  status: State;
  at: string;
  isGym: boolean;
  /** The number of submissions. */
  sent: number;
}

/** New, changed and kept count statuses; unmatched counts distinct problems that no catalogue here has, gym apart. */
export function submissionSink(applying: Applying, source: string): Sink<Submission> {
  const { tx, member, count } = applying;
  if (!member) throw new Error('submissions belong to a member');
  const byKey = new Map<string, Attempts>();
  return {
    take: async (entries) => {
      for (const { value } of entries) {
        const { key, isSolved, submittedAt: at, isGym } = value;
        addTo(byKey, key, { status: isSolved ? 'complete' : 'practicing', at, isGym, sent: 1 });
      }
    },
    finish: async () => {
      const found = await findByKeys(tx, source, [...byKey.keys()]);
      const problems = new Map(found.map((row) => [row.key, row]));
      const byProblem = new Map<bigint, Attempts>();
      const unknown: Attempts[] = [];
      for (const [key, attempts] of byKey) {
        const problem = problems.get(key);
        if (problem) addTo(byProblem, problem.id, attempts);
        else unknown.push(attempts);
        if (!problem && !attempts.isGym)
          count(
            'unmatched',
            () => `${source} ${key}: no such problem here; import the judge's catalogue and twins`,
          );
      }
      applying.note(noteOf([...byKey.values()], [...byProblem.values()], unknown));
      const titles = new Map(found.map((row) => [row.id, `${source} ${row.source_key} ${row.title}`]));
      const batch = pairBatch(applying, statusPairs);
      batch.hold(await findStatusPairs(tx, member.id, [...byProblem.keys()]));
      for (const [problem_id, { status, at }] of byProblem) {
        const pair = { user_id: member.id, problem_id };
        const current = batch.find(pairName(pair));
        const words = current?.row ?? { ...pair, ...noWords };
        const [judge_status, judge_at] = furtherWord([words.judge_status, words.judge_at], [status, at]);
        const line = () => `${titles.get(problem_id)}: ${status}`;
        if (current) await batch.change(current, { judge_status, judge_at }, line);
        else batch.add({ ...words, judge_status, judge_at }, line);
      }
      await batch.finish();
    },
  };
}

function addTo<K>(attemptsOf: Map<K, Attempts>, key: K, attempts: Attempts): void {
  const known = attemptsOf.get(key);
  if (!known) {
    attemptsOf.set(key, attempts);
    return;
  }
  const [status, at] = furtherWord([known.status, known.at], [attempts.status, attempts.at]);
  const isKnown = status === known.status && at === known.at;
  attemptsOf.set(key, { ...(isKnown ? known : attempts), sent: known.sent + attempts.sent });
}

/** The figures add up to the number of submissions. */
function noteOf(all: readonly Attempts[], known: readonly Attempts[], unknown: readonly Attempts[]): string {
  const sent = (some: readonly Attempts[]) => some.reduce((sum, attempts) => sum + attempts.sent, 0);
  const keyCount = all.length - unknown.length;
  const keys = keyCount > known.length ? ` under ${keyCount} keys` : '';
  const solved = known.filter(({ status }) => status === 'complete').length;
  const here = `${sent(known)} to ${known.length} problems known here${keys}, ${solved} of them complete`;
  const [gym, others] = [unknown.filter(({ isGym }) => isGym), unknown.filter(({ isGym }) => !isGym)];
  const elsewhere = others.length > 0 ? `; ${sent(others)} to ${others.length} problems not known here` : '';
  const apart = gym.length > 0 ? `; ${sent(gym)} to ${gym.length} gym problems, left apart` : '';
  return `${sent(all)} submissions: ${here}${elsewhere}${apart}`;
}
