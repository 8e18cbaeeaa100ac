/** Handles of members at judges: how they are linked, and unlinked with all that came with them. */
import { minuteMs } from '../durations.ts';
import { localizedError } from '../errors.ts';
import { stateOrder } from '../store/activity.ts';
import { fold } from '../store/case-folding.ts';
import type { HandlesTable } from '../store/handles.ts';
import {
  deleteHandle,
  deleteProof,
  findHandle,
  findHandleByName,
  findHandleOfSubject,
  findHandlesNamed,
  findProofTask,
  type HandleProofsTable,
  insertHandle,
  listHandlesWithoutCounts,
  moveProof,
  moveRenames,
  type ProofTasksTable,
  saveProof,
  saveProofTask,
  saveRename,
  setHandleName,
} from '../store/handles.ts';
import { findRandomProblem } from '../store/problems.ts';
import { moveRatings } from '../store/ratings.ts';
import { bumpRevisions } from '../store/revisions.ts';
import { countSolves, listProblemsOfHandle, moveSolvesOfHandle } from '../store/solves.ts';
import { findStatuses, listFromSolvedList, type State } from '../store/statuses.ts';
import { inTransaction } from '../store/store.ts';
import { deleteSyncOf } from '../store/syncs.ts';
import type { Db } from '../store/tables.ts';
import {
  deriveStatuses,
  isFromSubmissions,
  judgeStatusOf,
  mergeWith,
  type NextJudgeStatus,
  type VerdictStatuses,
  verdictStatuses,
} from './derivation.ts';
import { deleteUnusedGymProblems } from './gym-problems.ts';
import { withoutList } from './solved-lists.ts';

export function isHandle(text: string): boolean {
  return /^[^\s\p{C}]{1,100}$/u.test(text);
}

export const handlesAtMost = 50;

/** Another member may link the same handle, and nobody learns of it. Throws invalidValue and alreadyExists. */
export const addHandle = inTransaction(
  async (
    tx: Db,
    userId: bigint,
    source: string,
    name: string,
    created_at: string = new Date().toISOString(),
  ): Promise<HandlesTable> => {
    if (!isHandle(name)) throw localizedError('invalidValue.handle');
    const existing = await findHandleByName(tx, userId, source, name);
    if (existing) throw localizedError('alreadyExists.handle', { name: existing.name });
    if ((await listHandlesWithoutCounts(tx, userId)).length >= handlesAtMost)
      throw localizedError('invalidValue.handles', { most: handlesAtMost });
    return insertHandle(tx, { user_id: userId, source, name, created_at });
  },
);

/**
 * The member says so and no judge, so a proof of the old name is deleted. Undefined for a handle of somebody else.
 * Throws invalidValue, and alreadyExists where another handle of the member has the name and `joins` is false.
 */
export const renameByHand = inTransaction(
  async (
    tx: Db,
    { id, owner }: { id: bigint; owner?: bigint },
    name: string,
    joins: boolean,
  ): Promise<HandlesTable | undefined> => {
    const old = await findHandle(tx, id);
    if (!old || (owner !== undefined && old.user_id !== owner)) return undefined;
    if (old.name === name) throw localizedError('alreadyExists.handle', { name });
    if (!isHandle(name)) throw localizedError('invalidValue.handle');
    const other = await findHandleByName(tx, old.user_id, old.source, name);
    if (other && other.id !== id && !joins)
      throw localizedError('alreadyExists.handleToJoin', { name: other.name });
    if (fold(name) !== old.name_key) await deleteProof(tx, id);
    return renameOneHandle(tx, old, name);
  },
);

/** A member who has linked both names gets one handle of them. */
export const renameHandle = inTransaction(async (tx: Db, source: string, oldName: string, name: string) => {
  for (const old of await findHandlesNamed(tx, source, oldName)) await renameOneHandle(tx, old, name);
});

export async function renameOneHandle(tx: Db, old: HandlesTable, name: string): Promise<HandlesTable> {
  if (old.name === name) return old;
  const namesake = await findHandleByName(tx, old.user_id, old.source, name);
  // A name in another case finds the handle itself.
  const other = namesake?.id === old.id ? undefined : namesake;
  const stored = other ?? { ...old, name, name_key: fold(name) };
  if (other) {
    await moveSolvesOfHandle(tx, old.id, other.id);
    await moveRatings(tx, old.id, other.id);
    await moveProof(tx, old.id, other.id);
    await moveRenames(tx, old.id, other.id);
    // Submissions that were not moved have a later ruling under the other name.
    await deleteAndDerive(tx, old, await listProblemsOfHandle(tx, old.id), withoutHandle);
  } else {
    await setHandleName(tx, old.id, name);
    await deleteSyncOf(tx, old.id);
  }
  if (fold(old.name) !== fold(name))
    await saveRename(tx, stored.id, { from: old.name, to: name, at: new Date().toISOString() });
  return stored;
}

/** A status from elsewhere than submissions stays. */
const withoutHandle =
  (before: VerdictStatuses): NextJudgeStatus =>
  (current, verdict, problemId) =>
    isFromSubmissions(current, before.get(problemId))
      ? mergeWith(before)(current, verdict, problemId)
      : current;

/** Drops the judge's list too, which a sync of another handle there brings back. */
const withoutHandleAndList =
  (before: VerdictStatuses, source: string): NextJudgeStatus =>
  (current, verdict, problemId) =>
    current.solved_list_source === source
      ? withoutList(source)(current, verdict, problemId)
      : withoutHandle(before)(current, verdict, problemId);

export interface UnlinkingPlan {
  handle: HandlesTable;
  submissions: number;
  removedByState: ReadonlyMap<State, number>;
  changedCount: number;
  ownCount: number;
}

export async function planUnlinking(db: Db, id: bigint, owner: bigint): Promise<UnlinkingPlan | undefined> {
  const handle = await findHandle(db, id);
  if (!handle || handle.user_id !== owner) return undefined;
  const problemsOfHandle = await listProblemsOfHandle(db, id);
  const solvedList = await listFromSolvedList(db, owner, handle.source);
  const problemIds = [...new Set([...problemsOfHandle, ...solvedList.map((one) => one.problem_id)])];
  const next = withoutHandleAndList(await verdictStatuses(db, owner, problemIds), handle.source);
  const after = await verdictStatuses(db, owner, problemIds, id);
  const removedByState = new Map<State, number>();
  let [changedCount, ownCount] = [0, 0];
  for (const current of await findStatuses(db, owner, problemIds)) {
    const { problem_id } = current;
    const { judge_status, judge_at } = next(judgeStatusOf(current), after.get(problem_id), problem_id);
    if (current.self_status !== null) ownCount++;
    else if (judge_status === null && current.judge_status !== null)
      removedByState.set(current.judge_status, (removedByState.get(current.judge_status) ?? 0) + 1);
    else if (judge_status !== current.judge_status || judge_at !== current.judge_at) changedCount++;
  }
  return {
    handle,
    submissions: Number(await countSolves(db, id)),
    removedByState,
    changedCount,
    ownCount,
  };
}

export function versionOfUnlinking({ submissions, removedByState, changedCount }: UnlinkingPlan): string {
  return [submissions, ...stateOrder.map((state) => removedByState.get(state) ?? 0), changedCount].join('-');
}

/** Does nothing if the effects are not those of `version`. */
export const unlink = inTransaction(async (tx: Db, id: bigint, owner: bigint, version: string) => {
  const plan = await planUnlinking(tx, id, owner);
  const isDone = plan !== undefined && versionOfUnlinking(plan) === version;
  if (isDone) await removeHandle(tx, id, owner);
  return plan && { plan, isDone };
});

export async function removeHandle(tx: Db, id: bigint, owner?: bigint): Promise<HandlesTable | undefined> {
  const handle = await findHandle(tx, id);
  if (!handle || (owner !== undefined && handle.user_id !== owner)) return undefined;
  const { user_id, source } = handle;
  const solvedList = await listFromSolvedList(tx, user_id, source);
  const problemIds = [...(await listProblemsOfHandle(tx, id)), ...solvedList.map((one) => one.problem_id)];
  await deleteAndDerive(tx, handle, problemIds, (before) => withoutHandleAndList(before, source));
  return handle;
}

async function deleteAndDerive(
  tx: Db,
  { id, user_id }: HandlesTable,
  problemIds: readonly bigint[],
  next: (before: VerdictStatuses) => NextJudgeStatus,
): Promise<void> {
  const before = await verdictStatuses(tx, user_id, problemIds);
  await deleteHandle(tx, id);
  await bumpRevisions(tx, [`solves:${user_id}`]);
  await deriveStatuses(tx, user_id, problemIds, next(before));
  await deleteUnusedGymProblems(tx, problemIds);
}

/* Proofs that a handle is its member's (docs/decisions/0022-proofs-of-handles.md). */

export const proofMinutes = 10;
const proofMs = proofMinutes * minuteMs;
const checkEveryMs = 10_000;

export const beginProof = inTransaction(
  async (
    tx: Db,
    { id, user_id, source }: HandlesTable,
    isRated: boolean,
    now: Date = new Date(),
  ): Promise<ProofTasksTable | undefined> => {
    const lastTask = await findProofTask(tx, user_id, source);
    const at = now.toISOString();
    // Otherwise somebody could draw until it is the problem on which another member works.
    const isDrawnRecently = lastTask !== undefined && Date.parse(lastTask.drawn_at) + proofMs > now.getTime();
    const problem_id = isDrawnRecently
      ? lastTask.problem_id
      : (await findRandomProblem(tx, source, isRated))?.id;
    if (problem_id === undefined) return undefined;
    const drawn_at = isDrawnRecently ? lastTask.drawn_at : at;
    const task = { user_id, source, handle_id: id, problem_id, drawn_at, begun_at: at, asked_at: at };
    await saveProofTask(tx, task);
    return task;
  },
);

export async function findProofTaskOf(db: Db, handle: HandlesTable): Promise<ProofTasksTable | undefined> {
  const task = await findProofTask(db, handle.user_id, handle.source);
  return task?.handle_id === handle.id ? task : undefined;
}

export function endOfProofTask({ begun_at }: ProofTasksTable): string {
  return new Date(Date.parse(begun_at) + proofMs).toISOString();
}

export const claimProofCheck = inTransaction(
  async (tx: Db, userId: bigint, source: string, now: Date = new Date()): Promise<boolean> => {
    const task = await findProofTask(tx, userId, source);
    if (!task || Date.parse(task.asked_at) + checkEveryMs > now.getTime()) return false;
    await saveProofTask(tx, { ...task, asked_at: now.toISOString() });
    return true;
  },
);

export const proveBySubmission = inTransaction(async (tx: Db, task: ProofTasksTable): Promise<boolean> => {
  const stored = await findProofTask(tx, task.user_id, task.source);
  const isSame = stored?.handle_id === task.handle_id && stored?.begun_at === task.begun_at;
  if (task.handle_id === null || !isSame || !(await findHandle(tx, task.handle_id))) return false;
  await storeProof(tx, task.handle_id, 'submission');
  await saveProofTask(tx, { ...stored, handle_id: null });
  return true;
});

/** The judge named this handle for a token that the member had confirmed there. */
export const proveByConfirmation = inTransaction(
  async (tx: Db, { id, name_key }: HandlesTable): Promise<void> => {
    if ((await findHandle(tx, id))?.name_key === name_key) await storeProof(tx, id, 'confirmation');
  },
);

async function storeProof(
  tx: Db,
  handle_id: bigint,
  method: HandleProofsTable['method'],
  subject: string | null = null,
): Promise<void> {
  await saveProof(tx, { handle_id, method, subject, proved_at: new Date().toISOString() });
}

/** Throws invalidValue. */
export const proveByOpenId = inTransaction(
  async (
    tx: Db,
    userId: bigint,
    source: string,
    { handle: name, subject }: { handle: string; subject: string },
  ): Promise<HandlesTable> => {
    const former = await findHandleOfSubject(tx, userId, source, subject);
    // The same subject with another name was renamed at the judge.
    const handle = former
      ? await renameOneHandle(tx, former, name)
      : ((await findHandleByName(tx, userId, source, name)) ?? (await addHandle(tx, userId, source, name)));
    await storeProof(tx, handle.id, 'openid', subject);
    return handle;
  },
);
