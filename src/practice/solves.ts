/**
 * The judge's word of a status, computed from the kept submissions: complete since the first solve, or else practicing since
 * the first try. Imports move it forward alone; it goes back when a handle is unlinked.
 */

import type { SolvesTable } from '../store/judged-tables.ts';
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

/**
 * The judge's word where submissions say `said`. One that is further came from elsewhere, such as an import of statuses, and
 * stays: a judge only moves forward.
 */
export function forward(
  current: Pick<StatusesTable, 'judge_status' | 'judge_at'>,
  said: Word | undefined,
): Pick<StatusesTable, 'judge_status' | 'judge_at'> {
  const { judge_status, judge_at } = current;
  if (!said || !isAsFar(said[0], judge_status)) return { judge_status, judge_at };
  return { judge_status: said[0], judge_at: said[1] };
}

/**
 * The judge's word where submissions said `before` and say `after` now. A word that submissions set follows them, also back, as
 * after a hack; one that came from elsewhere only moves forward.
 */
export function following(
  current: Pick<StatusesTable, 'judge_status' | 'judge_at'>,
  before: Word | undefined,
  after: Word | undefined,
): Pick<StatusesTable, 'judge_status' | 'judge_at'> {
  if (!isSaid(current, before)) return forward(current, after);
  return { judge_status: after?.[0] ?? null, judge_at: after?.[1] ?? null };
}

/** Whether the judge's word is what submissions say, and came from nowhere else. */
export function isSaid(
  { judge_status, judge_at }: Pick<StatusesTable, 'judge_status' | 'judge_at'>,
  said: Word | undefined,
): boolean {
  return (said?.[0] ?? null) === judge_status && (said?.[1] ?? null) === judge_at;
}

const classes: readonly SolvesTable['verdict_class'][] = ['pending', 'void', 'tried', 'solved'];

/** The kept submission after the judge named it again. A final ruling goes forward alone, as the judge's word does. */
export function ruled(kept: SolvesTable, told: SolvesTable): SolvesTable {
  const isFurther = classes.indexOf(told.verdict_class) >= classes.indexOf(kept.verdict_class);
  const ruling = isFurther ? told : kept;
  return {
    ...told,
    verdict_class: ruling.verdict_class,
    verdict: ruling.verdict,
    problem_id: told.problem_id ?? kept.problem_id,
  };
}

/**
 * Sets the judge's words on these problems, whose submissions may have changed; `next` says what becomes of each. Answers whether
 * any word changed.
 */
export async function setJudgesWords(
  tx: Db,
  userId: bigint,
  problemIds: readonly bigint[],
  next: (
    current: StatusesTable | undefined,
    problemId: bigint,
  ) => Pick<StatusesTable, 'judge_status' | 'judge_at'>,
): Promise<boolean> {
  const found = new Map((await findStatusPairs(tx, userId, problemIds)).map((row) => [row.problem_id, row]));
  const added: StatusesTable[] = [];
  const empty: bigint[] = [];
  let hasChanged = false;
  for (const problem_id of problemIds) {
    const current = found.get(problem_id);
    const { judge_status, judge_at } = next(current, problem_id);
    if (judge_status === (current?.judge_status ?? null) && judge_at === (current?.judge_at ?? null))
      continue;
    hasChanged = true;
    if (!current) {
      const own = { self_status: null, self_at: null, how: null };
      added.push({ user_id: userId, problem_id, ...own, judge_status, judge_at });
    } else if (judge_status === null && current.self_status === null) empty.push(problem_id);
    else await updateStatus(tx, { ...current, judge_status, judge_at });
  }
  await insertStatuses(tx, added);
  await deletePairs(tx, 'statuses', userId, empty);
  await followSolves(tx, userId, problemIds);
  if (hasChanged) await bumpRevisions(tx, ['statuses', `statuses:${userId}`]);
  return hasChanged;
}

/** Gives kept submissions the problems that were not here when they came, and answers how many problems that were. */
export async function matchKept(tx: Db): Promise<number> {
  const unmatched = await listUnmatched(tx);
  const matched = new Map<bigint, Set<bigint>>();
  for (const [source, some] of Map.groupBy(unmatched, (row) => row.source)) {
    const found = await findProblemsByKeys(tx, source, [...new Set(some.map(({ key }) => key))]);
    const problems = new Map(found.map(({ key, id }) => [key, id]));
    for (const { handle_id, user_id, key } of some) {
      const problemId = problems.get(key);
      if (problemId === undefined) continue;
      await matchSolves(tx, handle_id, key, problemId);
      matched.set(user_id, (matched.get(user_id) ?? new Set()).add(problemId));
    }
  }
  for (const [userId, ids] of matched) {
    const words = await judgesWords(tx, userId, [...ids]);
    await setJudgesWords(tx, userId, [...ids], (current, id) => {
      return forward(current ?? { judge_status: null, judge_at: null }, words.get(id));
    });
  }
  return new Set([...matched.values()].flatMap((ids) => [...ids])).size;
}
