/** Judges' lists of solved problems, which have no days. They count less than submissions. */
import { localizedError } from '../errors.ts';
import { findHandle, type HandlesTable } from '../store/handles.ts';
import { findStatuses } from '../store/statuses.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { addProblems, noLimits, type ProblemToAdd } from './added-problems.ts';
import {
  byProblem,
  deriveStatuses,
  isFromSubmissions,
  judgeStatusOf,
  mergeVerdicts,
  type NextJudgeStatus,
  noJudgeStatus,
} from './derivation.ts';
import { isNewlySolved } from './marks.ts';

/**
 * Missing problems are added in nobody's name. `newlySolved` counts those that were not known to be solved. Throws
 * unknownItem.
 */
export const saveSolvedList = inTransaction(
  async (
    tx: Db,
    { id, user_id, source }: HandlesTable,
    solved: readonly ProblemToAdd[],
  ): Promise<{ newlySolved: number; added: number }> => {
    if (!(await findHandle(tx, id))) throw localizedError('unknownItem.handleGone');
    const added = await addProblems(tx, null, solved, noLimits);
    const ids = [...new Set(added.map((one) => one.id))];
    const addedCount = new Set(added.flatMap((one) => (one.isNew ? one.id : []))).size;
    const before = byProblem(await findStatuses(tx, user_id, ids));
    const newlySolved = ids.filter((one) => isNewlySolved(before.get(one), false));
    const unlisted = ids.filter((one) => (before.get(one)?.solved_list_source ?? null) === null);
    await deriveStatuses(tx, user_id, unlisted, listedBy(source));
    return { newlySolved: newlySolved.length, added: addedCount };
  },
);

/** Submissions that solved the problem overtake the list. */
const listedBy =
  (source: string): NextJudgeStatus =>
  (current, verdict) => {
    const status = { ...judgeStatusOf(current), solved_list_source: source };
    if (current.judge_status !== 'complete') {
      const { judge_status, judge_at, earlier_status, earlier_at } = current;
      const before = isFromSubmissions(current, verdict)
        ? { earlier_status, earlier_at }
        : { earlier_status: judge_status, earlier_at: judge_at };
      return { judge_status: 'complete', judge_at: null, ...before, solved_list_source: source };
    }
    const isOfSubmissions = isFromSubmissions(current, verdict) && current.earlier_status !== 'complete';
    return isOfSubmissions ? { ...status, earlier_status: 'complete', earlier_at: null } : status;
  };

export const withoutList =
  (source: string): NextJudgeStatus =>
  (current, verdict) => {
    if (current.solved_list_source !== source) return judgeStatusOf(current);
    const { judge_status, judge_at, earlier_status, earlier_at } = current;
    if (judge_status === 'complete' && judge_at === null)
      return mergeVerdicts(
        { ...noJudgeStatus, judge_status: earlier_status, judge_at: earlier_at },
        undefined,
        verdict,
      );
    const isListOvertaken = earlier_status === 'complete' && earlier_at === null;
    return {
      judge_status,
      judge_at,
      solved_list_source: null,
      ...(isListOvertaken ? { earlier_status: null, earlier_at: null } : { earlier_status, earlier_at }),
    };
  };
