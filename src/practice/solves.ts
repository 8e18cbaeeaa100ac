/**
 * The judge's word of a status, computed from the kept submissions: complete since the first solve, or else practicing since
 * the first try. Imports move it forward alone; it goes back when a handle is unlinked.
 */

import type { SentTo } from '../store/reviews.ts';
import { listReached } from '../store/solves.ts';
import type { Db, StatusesTable } from '../store/tables.ts';
import { isAsFar, type Word } from './states.ts';

export type JudgesWords = ReadonlyMap<bigint, Word | undefined>;

/**
 * What the kept submissions of a member say of these problems, as if one handle were not linked. A problem of which they say
 * nothing is left out.
 */
export async function judgesWords(
  db: Db,
  userId: bigint,
  problemIds: readonly bigint[],
  withoutHandle?: bigint,
): Promise<JudgesWords> {
  const reached = await listReached(db, userId, problemIds, withoutHandle);
  const byProblem = Map.groupBy(reached, ({ problem_id }) => problem_id);
  return new Map([...byProblem].map(([id, sent]) => [id, saidBy(sent)]));
}

/** Complete since the first submission that was accepted, or else practicing since the first try. */
export function saidBy(sent: readonly SentTo[] = []): Word | undefined {
  const first = (verdictClass: SentTo['verdict_class']) =>
    earliest(sent.filter((one) => one.verdict_class === verdictClass).map((one) => one.submitted_at));
  const [solved, tried] = [first('solved'), first('tried')];
  if (solved !== undefined) return ['complete', solved];
  return tried === undefined ? undefined : ['practicing', tried];
}

export const earliest = (moments: readonly string[]) => moments.toSorted()[0];

/** The judge's word of a status. */
export type JudgesWord = Pick<
  StatusesTable,
  'judge_status' | 'judge_at' | 'overtaken_status' | 'overtaken_at'
>;

export const noJudgesWord: JudgesWord = {
  judge_status: null,
  judge_at: null,
  overtaken_status: null,
  overtaken_at: null,
};

/**
 * The judge's word where submissions said `before` and say `after` now. A word that submissions set follows them, also back, as
 * after a hack or when a handle is unlinked. One that came from elsewhere, such as an import of statuses, only moves forward: it
 * is kept while submissions say as much or more, and comes back when they say less.
 */
export function following(
  current: JudgesWord,
  before: Word | undefined,
  after: Word | undefined,
): JudgesWord {
  const { judge_status, judge_at, overtaken_status, overtaken_at } = current;
  if (isSaid(current, before)) {
    if (after && isAsFar(after[0], overtaken_status))
      return { judge_status: after[0], judge_at: after[1], overtaken_status, overtaken_at };
    return { ...noJudgesWord, judge_status: overtaken_status, judge_at: overtaken_at };
  }
  if (!after || !isAsFar(after[0], judge_status)) return judgesWordOf(current);
  const said = { judge_status: after[0], judge_at: after[1] };
  // What an archive brought is what its submissions say.
  if (isSaid(current, after)) return { ...said, overtaken_status, overtaken_at };
  return { ...said, overtaken_status: judge_status, overtaken_at: judge_at };
}

export function judgesWordOf({
  judge_status,
  judge_at,
  overtaken_status,
  overtaken_at,
}: JudgesWord): JudgesWord {
  return { judge_status, judge_at, overtaken_status, overtaken_at };
}

/** Whether the judge's word is what submissions say, and came from nowhere else. */
export function isSaid(
  { judge_status, judge_at }: Pick<StatusesTable, 'judge_status' | 'judge_at'>,
  said: Word | undefined,
): boolean {
  return (said?.[0] ?? null) === judge_status && (said?.[1] ?? null) === judge_at;
}
