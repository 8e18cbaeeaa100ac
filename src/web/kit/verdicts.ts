/** A judge's verdict on a submission, in words. */
import { judgeOf } from '../../judges/addresses.ts';
import type { ShownSolve } from '../../store/problem-solves.ts';
import { words } from '../words/words.ts';

/** Such as "Wrong answer" for WRONG_ANSWER; a word that the judge's file does not know stays as the judge wrote it. */
export function verdictWords({
  source,
  verdict,
  verdict_class,
}: Pick<ShownSolve, 'source' | 'verdict' | 'verdict_class'>): string {
  if (verdict === null) return words('verdict.waiting');
  const { verdicts = {} } = judgeOf(source) ?? {};
  const known = Object.hasOwn(verdicts, verdict) ? verdicts[verdict] : undefined;
  const text = known ? words(`verdict.${known}`) : verdict;
  const isOpen = verdict_class === 'pending' && known !== 'waiting';
  return isOpen ? words('history.notFinal', { verdict: text }) : text;
}
