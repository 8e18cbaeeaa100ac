/** Importing submissions: they are kept, and the judge's words are computed from all that are kept of their member. */
import { judgeName } from '../judges/addresses.ts';
import type { Submission } from '../judges/judge-files.ts';
import { following, judgesWords } from '../practice/solves.ts';
import { counted } from '../store/counted.ts';
import { noteBrought } from '../store/handles.ts';
import { deletePairs } from '../store/pairs.ts';
import { findStatusPairs } from '../store/statuses.ts';
import type { Applying, Sink } from './import.ts';
import { handleOfFile, keepSolves, ruledAt } from './kept-submissions.ts';
import { pairBatch, pairName } from './pairs.ts';
import { findByKeys } from './problems.ts';
import { noWords, statusPairs } from './statuses.ts';

/** Keys that one note names. */
const keysNamed = 10;

/** All submissions to one problem. */
interface Attempts {
  isSolved: boolean;
  isGym: boolean;
  /** The number of submissions. */
  sent: number;
}

/** New, changed and kept count statuses; unmatched counts distinct problems that no catalogue here has, gym apart. */
export function submissionSink(applying: Applying, source: string): Sink<Submission> {
  const { tx, now, member, count } = applying;
  if (!member) throw new Error('submissions belong to a member');
  const handle = handleOfFile(applying.handle);
  const byKey = new Map<string, Attempts>();
  const told: Submission[] = [];
  return {
    take: async (entries) => {
      for (const { value } of handle.isGiven ? await applying.each(entries, handle.check) : entries) {
        const { key, verdictClass, isGym } = value;
        handle.note(value);
        addTo(byKey, key, { isSolved: verdictClass === 'solved', isGym, sent: 1 });
        told.push(value);
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
      if (told.length === 0) return;
      const { id: handle_id } = await handle.link(tx, member.id, source);
      const problemIds = [...byProblem.keys()];
      const before = await judgesWords(tx, member.id, problemIds);
      const {
        added,
        changed,
        before: replaced,
      } = await keepSolves(
        tx,
        applying.way === 'file' ? ruledAt(source) : (_kept, now) => now,
        told.map((one) => ({
          handle_id,
          submission_id: one.id,
          problem_id: problems.get(one.key)?.id ?? null,
          key: one.key,
          verdict_class: one.verdictClass,
          verdict: one.verdict,
          submitted_at: one.submittedAt,
          contest: one.contest,
          participation: one.participation,
          language: one.language,
          way: applying.way,
        })),
      );
      const revoked = changed.filter(
        ({ verdict_class }, at) => verdict_class === 'tried' && replaced[at]?.verdict_class === 'solved',
      );
      if (applying.way === 'file' && revoked.length > 0) applying.note(revokedNote(source, revoked));
      if (added.length + changed.length > 0) {
        await noteBrought(tx, handle_id, now);
        applying.wrote();
      }
      const titles = new Map(found.map((row) => [row.id, `${source} ${row.source_key} ${row.title}`]));
      const after = await judgesWords(tx, member.id, problemIds);
      const batch = pairBatch(applying, statusPairs);
      batch.hold(await findStatusPairs(tx, member.id, problemIds));
      const emptied: bigint[] = [];
      for (const problem_id of problemIds) {
        const said = after.get(problem_id);
        const pair = { user_id: member.id, problem_id };
        const current = batch.find(pairName(pair));
        const word = following(current?.row ?? noWords, before.get(problem_id), said);
        const line = () => `${titles.get(problem_id)}: ${word.judge_status ?? 'not tried yet'}`;
        if (current && word.judge_status === null && current.row.self_status === null) {
          // The judge has taken back the only thing that was known here.
          if (current.row.judge_status === null) continue;
          emptied.push(problem_id);
          applying.count('changed', line);
          applying.changed('statuses', member.id);
        } else if (current) await batch.change(current, word, line);
        else if (said) batch.add({ ...noWords, ...pair, ...word }, line);
      }
      await batch.finish();
      await deletePairs(tx, 'statuses', member.id, emptied);
      applying.followed.solves(member.id, problemIds);
    },
  };
}

function addTo<K>(attemptsOf: Map<K, Attempts>, key: K, attempts: Attempts): void {
  const known = attemptsOf.get(key);
  if (!known) {
    attemptsOf.set(key, { ...attempts });
    return;
  }
  known.isSolved ||= attempts.isSolved;
  known.sent += attempts.sent;
}

function revokedNote(source: string, revoked: readonly { key: string }[]): string {
  const keys = [...new Set(revoked.map(({ key }) => key))];
  const more = keys.length > keysNamed ? ` and ${keys.length - keysNamed} more` : '';
  const submissions = counted(revoked.length, 'submission');
  return `${judgeName(source)} no longer accepts ${submissions}: ${keys.slice(0, keysNamed).join(', ')}${more}`;
}

/** The figures add up to the number of submissions. */
function noteOf(all: readonly Attempts[], known: readonly Attempts[], unknown: readonly Attempts[]): string {
  const sum = (some: readonly Attempts[]) => some.reduce((sent, attempts) => sent + attempts.sent, 0);
  const sent = (some: readonly Attempts[]) => sum(some).toLocaleString('en');
  const problems = (some: readonly Attempts[]) => counted(some.length, 'problem');
  const keyCount = all.length - unknown.length;
  const keys = keyCount > known.length ? ` under ${keyCount} keys` : '';
  const solved = known.filter(({ isSolved }) => isSolved).length;
  const here = `${sent(known)} to ${problems(known)} known here${keys}, ${solved} of them solved (complete)`;
  const [gym, others] = [unknown.filter(({ isGym }) => isGym), unknown.filter(({ isGym }) => !isGym)];
  const elsewhere = others.length > 0 ? `; ${sent(others)} to ${problems(others)} not known here` : '';
  const apart = gym.length > 0 ? `; ${sent(gym)} to ${counted(gym.length, 'gym problem')}, not counted` : '';
  return `${counted(sum(all), 'submission')}: ${here}${elsewhere}${apart}`;
}
