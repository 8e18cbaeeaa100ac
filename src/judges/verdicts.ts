/** A judge's verdict on a submission, in words. */
import { judgeOf } from './addresses.ts';
import type { Submission } from './judge.ts';

const waiting = 'In the queue';

/** Such as "Wrong answer" for WRONG_ANSWER; a word that the judge's file does not know stays as the judge wrote it. */
export function verdictWords(
  source: string,
  { verdict, verdict_class }: { verdict: string | null; verdict_class: Submission['verdictClass'] },
): string {
  if (verdict === null) return waiting;
  const { verdicts = {} } = judgeOf(source) ?? {};
  const isPlain = /^[A-Z]{4,}(?:_[A-Z]+)*$/.test(verdict);
  const plain = isPlain ? verdict.charAt(0) + verdict.slice(1).toLowerCase().replaceAll('_', ' ') : verdict;
  const words = Object.hasOwn(verdicts, verdict) ? (verdicts[verdict] ?? plain) : plain;
  return verdict_class === 'pending' && words !== waiting ? `${words}, not final yet` : words;
}
