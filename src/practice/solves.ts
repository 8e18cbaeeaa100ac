/**
 * The judge's word of a status, computed from the kept submissions: complete since the first solve, or else practicing since
 * the first try. Imports move it forward alone; it goes back when a handle is unlinked.
 */

import { deletePairs } from '../store/pairs.ts';
import { findProblemsByKeys } from '../store/problems.ts';
import { bumpRevisions } from '../store/revisions.ts';
import { listReached, listUnmatched, matchSolves } from '../store/solves.ts';
import { findStatusPairs, insertStatuses, updateStatus } from '../store/statuses.ts';
import type { Db, StatusesTable } from '../store/tables.ts';
import { followSolves } from './activity.ts';
import { isAsFar, type Word } from './states.ts';

type JudgesWords = ReadonlyMap<bigint, Word>;

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
  const words = new Map<bigint, Word>();
  for (const { problem_id, verdict_class, at } of await listReached(db, userId, problemIds, withoutHandle)) {
    if (verdict_class === 'solved') words.set(problem_id, ['complete', at]);
    else if (!words.has(problem_id)) words.set(problem_id, ['practicing', at]);
  }
  return words;
}

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

/**
 * Sets the judge's words on these problems, whose submissions may have changed; `next` says what becomes of each. Answers whether
 * any word changed.
 */
export async function setJudgesWords(
  tx: Db,
  userId: bigint,
  problemIds: readonly bigint[],
  next: (current: JudgesWord, problemId: bigint) => JudgesWord,
): Promise<boolean> {
  const found = new Map((await findStatusPairs(tx, userId, problemIds)).map((row) => [row.problem_id, row]));
  const added: StatusesTable[] = [];
  const empty: bigint[] = [];
  let hasChanged = false;
  for (const problem_id of problemIds) {
    const current = found.get(problem_id);
    const kept = judgesWordOf(current ?? noJudgesWord);
    const word = next(kept, problem_id);
    if (isSameWord(word, kept)) continue;
    hasChanged = true;
    if (!current) {
      const own = { self_status: null, self_at: null, how: null };
      added.push({ user_id: userId, problem_id, ...own, ...word });
    } else if (word.judge_status === null && current.self_status === null) empty.push(problem_id);
    else await updateStatus(tx, { ...current, ...word });
  }
  await insertStatuses(tx, added);
  await deletePairs(tx, 'statuses', userId, empty);
  await followSolves(tx, userId, problemIds);
  if (hasChanged) await bumpRevisions(tx, ['statuses', `statuses:${userId}`]);
  return hasChanged;
}

function isSameWord(one: JudgesWord, other: JudgesWord): boolean {
  return (Object.keys(noJudgesWord) as (keyof JudgesWord)[]).every((column) => one[column] === other[column]);
}

/** Gives kept submissions the problems that were not here when they came, and answers how many problems that were. */
export async function matchKept(tx: Db): Promise<number> {
  const unmatched = await listUnmatched(tx);
  const matches = new Map<bigint, { handleId: bigint; key: string; problemId: bigint }[]>();
  for (const [source, some] of Map.groupBy(unmatched, (row) => row.source)) {
    const found = await findProblemsByKeys(tx, source, [...new Set(some.map(({ key }) => key))]);
    const problems = new Map(found.map(({ key, id }) => [key, id]));
    for (const { handle_id: handleId, user_id, key } of some) {
      const problemId = problems.get(key);
      if (problemId === undefined) continue;
      matches.set(user_id, [...(matches.get(user_id) ?? []), { handleId, key, problemId }]);
    }
  }
  const matched = new Set<bigint>();
  for (const [userId, found] of matches) {
    const ids = [...new Set(found.map(({ problemId }) => problemId))];
    const before = await judgesWords(tx, userId, ids);
    for (const { handleId, key, problemId } of found) await matchSolves(tx, handleId, key, problemId);
    const after = await judgesWords(tx, userId, ids);
    await setJudgesWords(tx, userId, ids, (current, id) => following(current, before.get(id), after.get(id)));
    for (const id of ids) matched.add(id);
  }
  return matched.size;
}
