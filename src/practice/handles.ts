/** Handles of members at judges: how they are linked, and unlinked with all that came with them. */
import { AppError, badSetting } from '../errors.ts';
import { fold } from '../store/case-folding.ts';
import { moveProof } from '../store/handle-proofs.ts';
import { moveRenames, noteRename } from '../store/handle-renames.ts';
import {
  deleteHandle,
  findHandle,
  findHandleByName,
  findHandlesNamed,
  insertHandle,
  listNamedHandles,
  setHandleName,
} from '../store/handles.ts';
import type { HandlesTable } from '../store/judged-tables.ts';
import { countSolves, listProblemsOfHandle, moveSolvesOfHandle } from '../store/solves.ts';
import { findStatusPairs } from '../store/statuses.ts';
import { deleteSyncOf } from '../store/syncs.ts';
import type { Db, State } from '../store/tables.ts';
import { type NextWord, settleSubmissions } from './settling.ts';
import { following, isSaid, type JudgesWords, judgesWordOf, judgesWords } from './solves.ts';

/** Whether the text can be a handle. Judges allow less. */
function isHandle(text: string): boolean {
  return /^[^\s\p{C}]{1,100}$/u.test(text);
}

export const handlesAtMost = 50;

/**
 * Links a handle, which another member may have as well: nobody learns of it. Throws badSetting for an impossible name and for
 * too many, alreadyExists for one that the member has.
 */
export async function addHandle(
  tx: Db,
  userId: bigint,
  source: string,
  name: string,
  created_at = new Date().toISOString(),
): Promise<HandlesTable> {
  if (!isHandle(name)) throw badSetting('A handle has 1 to 100 visible characters and no spaces.');
  const known = await findHandleByName(tx, userId, source, name);
  if (known) throw new AppError('alreadyExists', `${known.name} is already linked.`);
  if ((await listNamedHandles(tx, userId)).length >= handlesAtMost)
    throw badSetting(`You can link up to ${handlesAtMost} handles; unlink one first.`);
  return insertHandle(tx, { user_id: userId, source, name, created_at });
}

/** Gives the handles of this name their present one. A member who has linked both names gets one handle of them. */
export async function renameHandle(tx: Db, source: string, before: string, name: string): Promise<void> {
  for (const old of await findHandlesNamed(tx, source, before)) await renameOne(tx, old, name);
}

/** Gives a handle its present name, or joins it to the member's handle that has this name; answers which one it is then. */
export async function renameOne(tx: Db, old: HandlesTable, name: string): Promise<HandlesTable> {
  const known = await findHandleByName(tx, old.user_id, old.source, name);
  const present = known ?? { ...old, name, name_key: fold(name) };
  if (known && known.id !== old.id) {
    await moveSolvesOfHandle(tx, old.id, known.id);
    await moveProof(tx, old.id, known.id);
    await moveRenames(tx, old.id, known.id);
    // What is left has a later ruling under the other name.
    await removeHandle(tx, old.id);
  } else {
    await setHandleName(tx, old.id, name);
    await deleteSyncOf(tx, old.id);
  }
  if (fold(old.name) !== fold(name))
    await noteRename(tx, present.id, { from: old.name, to: name, at: new Date().toISOString() });
  return present;
}

/**
 * What the judge's word on each problem of a handle becomes without it: that of the submissions that are left. A word that did
 * not come from submissions stays.
 */
const withoutHandle =
  (before: JudgesWords): NextWord =>
  (current, said, problemId) =>
    isSaid(current, before.get(problemId)) ? following(current, before.get(problemId), said) : current;

/** What unlinking a handle would do, in figures. */
export interface Unlinking {
  handle: HandlesTable;
  submissions: number;
  /** Statuses that go, by what they are now: their problems are not started then. */
  gone: ReadonlyMap<State, number>;
  /** Statuses that change to what other handles' submissions say. */
  changed: number;
  /** Statuses that the member set, which stay as they are. */
  own: number;
}

/** What unlinking would do; undefined if there is no such handle, or it is of another member. */
export async function planUnlinking(db: Db, id: bigint, owner: bigint): Promise<Unlinking | undefined> {
  const handle = await findHandle(db, id);
  if (!handle || handle.user_id !== owner) return undefined;
  const problemIds = await listProblemsOfHandle(db, id);
  const next = withoutHandle(await judgesWords(db, owner, problemIds));
  const after = await judgesWords(db, owner, problemIds, id);
  const gone = new Map<State, number>();
  let [changed, own] = [0, 0];
  for (const current of await findStatusPairs(db, owner, problemIds)) {
    const { problem_id } = current;
    const { judge_status, judge_at } = next(judgesWordOf(current), after.get(problem_id), problem_id);
    if (current.self_status !== null) own++;
    else if (judge_status === null && current.judge_status !== null)
      gone.set(current.judge_status, (gone.get(current.judge_status) ?? 0) + 1);
    else if (judge_status !== current.judge_status || judge_at !== current.judge_at) changed++;
  }
  return { handle, submissions: Number(await countSolves(db, id)), gone, changed, own };
}

/** Unlinks a handle with its submissions. Answers the handle; undefined if there is none, or it is of another member. */
export async function removeHandle(tx: Db, id: bigint, owner?: bigint): Promise<HandlesTable | undefined> {
  const handle = await findHandle(tx, id);
  if (!handle || (owner !== undefined && handle.user_id !== owner)) return undefined;
  const problemIds = await listProblemsOfHandle(tx, id);
  const before = await judgesWords(tx, handle.user_id, problemIds);
  await deleteHandle(tx, id);
  await settleSubmissions(tx, handle.user_id, problemIds, withoutHandle(before));
  return handle;
}
