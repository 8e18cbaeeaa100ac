/**
 * Proofs that a handle is its member's. A proof belongs to one link of one member, and changes nothing for others
 * (docs/decisions/0022-proofs-of-handles.md).
 */

import { findHandleOfSubject, findProofTask, saveProof, saveProofTask } from '../store/handle-proofs.ts';
import { findHandle, findHandleByName } from '../store/handles.ts';
import type { HandlesTable } from '../store/judged-tables.ts';
import { findAnyProblem } from '../store/problems.ts';
import type { ProofTasksTable } from '../store/proof-tables.ts';
import type { Db } from '../store/tables.ts';
import { addHandle, renameOne } from './handles.ts';

/** How long a member has to send a proof. */
const proofMs = 10 * 60_000;
/** How long the judge is left alone between two checks of a member. */
const checkEveryMs = 10_000;

/** Begins a proof: chooses the problem. Undefined where the garden has no problem of the judge. */
export async function beginProof(
  tx: Db,
  { id, user_id, source }: HandlesTable,
  isRated: boolean,
  now = new Date(),
): Promise<ProofTasksTable | undefined> {
  const last = await findProofTask(tx, user_id, source);
  const at = now.toISOString();
  // Nobody may draw until it is the problem that somebody else is working on.
  const isFresh = last !== undefined && Date.parse(last.drawn_at) + proofMs > now.getTime();
  const drawn = isFresh
    ? { problem_id: last.problem_id, drawn_at: last.drawn_at }
    : await draw(tx, source, isRated, at);
  if (!drawn) return undefined;
  const task = { user_id, source, handle_id: id, ...drawn, begun_at: at, asked_at: at };
  await saveProofTask(tx, task);
  return task;
}

async function draw(tx: Db, source: string, isRated: boolean, at: string) {
  const problem = await findAnyProblem(tx, source, isRated);
  return problem && { problem_id: problem.id, drawn_at: at };
}

/** The proof that was begun for this handle. */
export async function findTask(db: Db, handle: HandlesTable): Promise<ProofTasksTable | undefined> {
  const task = await findProofTask(db, handle.user_id, handle.source);
  return task?.handle_id === handle.id ? task : undefined;
}

/** The last moment at which what is asked for may be sent. */
export function endOf({ begun_at }: ProofTasksTable): string {
  return new Date(Date.parse(begun_at) + proofMs).toISOString();
}

/** Notes that the judge is asked now; false where it was asked a moment ago. */
export async function takeCheck(tx: Db, userId: bigint, source: string, now = new Date()): Promise<boolean> {
  const task = await findProofTask(tx, userId, source);
  if (!task || Date.parse(task.asked_at) + checkEveryMs > now.getTime()) return false;
  await saveProofTask(tx, { ...task, asked_at: now.toISOString() });
  return true;
}

/** Keeps that the member sent what was asked for; false where another proof was begun meanwhile, or the handle is gone. */
export async function proveBySubmission(tx: Db, task: ProofTasksTable): Promise<boolean> {
  const present = await findProofTask(tx, task.user_id, task.source);
  const isSame = present?.handle_id === task.handle_id && present?.begun_at === task.begun_at;
  if (task.handle_id === null || !isSame || !(await findHandle(tx, task.handle_id))) return false;
  const proved_at = new Date().toISOString();
  await saveProof(tx, { handle_id: task.handle_id, way: 'submission', subject: null, proved_at });
  await saveProofTask(tx, { ...present, handle_id: null });
  return true;
}

/** Keeps that the judge named the member by this handle to a token that the member had confirmed there. */
export async function proveByConfirmation(tx: Db, handleId: bigint): Promise<void> {
  if (!(await findHandle(tx, handleId))) return;
  const proved_at = new Date().toISOString();
  await saveProof(tx, { handle_id: handleId, way: 'confirmation', subject: null, proved_at });
}

/** Links the handle that the judge says is the member's, and keeps the proof. Throws badSetting where there is no room. */
export async function proveByOpenId(
  tx: Db,
  userId: bigint,
  source: string,
  { handle: name, subject }: { handle: string; subject: string },
): Promise<HandlesTable> {
  const former = await findHandleOfSubject(tx, userId, source, subject);
  const handle = former ? await present(tx, former, name) : await linked(tx, userId, source, name);
  await saveProof(tx, { handle_id: handle.id, way: 'openid', subject, proved_at: new Date().toISOString() });
  return handle;
}

/** The same person with another name has been renamed at the judge. */
async function present(tx: Db, former: HandlesTable, name: string): Promise<HandlesTable> {
  return former.name === name ? former : renameOne(tx, former, name);
}

async function linked(tx: Db, userId: bigint, source: string, name: string): Promise<HandlesTable> {
  return (await findHandleByName(tx, userId, source, name)) ?? (await addHandle(tx, userId, source, name));
}
