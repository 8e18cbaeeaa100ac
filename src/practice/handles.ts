/** Handles of members at judges: how they are linked, and unlinked with all that came with them. */
import { AppError, badSetting } from '../errors.ts';
import { fold } from '../store/case-folding.ts';
import {
  deleteHandle,
  findHandle,
  findHandlesNamed,
  insertHandle,
  listHandlesAt,
  setHandleName,
} from '../store/handles.ts';
import type { HandlesTable } from '../store/judged-tables.ts';
import { listProblemsOfHandle, moveSolvesOfHandle } from '../store/solves.ts';
import { deleteSyncOf } from '../store/syncs.ts';
import type { Db } from '../store/tables.ts';
import { following, isSaid, judgesWords, setJudgesWords } from './solves.ts';

/** Whether the text can be a handle. Judges allow less. */
function isHandle(text: string): boolean {
  return /^[^\s\p{C}]{1,100}$/u.test(text);
}

/** The member's handle of this name, in any case; undefined if the member has none such. */
export async function findHandleByName(
  db: Db,
  userId: bigint,
  source: string,
  name: string,
): Promise<HandlesTable | undefined> {
  const handles = await listHandlesAt(db, userId, source);
  return handles.find(({ name_key }) => name_key === fold(name));
}

/** Links a handle. Throws badSetting for an impossible name, and alreadyExists for one that the member has. */
export async function addHandle(tx: Db, userId: bigint, source: string, name: string): Promise<HandlesTable> {
  if (!isHandle(name)) throw badSetting('A handle is 1 to 100 visible characters without spaces.');
  const known = await findHandleByName(tx, userId, source, name);
  if (known) throw new AppError('alreadyExists', `${known.name} is linked already.`);
  return insertHandle(tx, { user_id: userId, source, name, created_at: new Date().toISOString() });
}

/** Gives the handles of this name their present one. A member who has linked both names gets one handle of them. */
export async function renameHandle(tx: Db, source: string, before: string, name: string): Promise<void> {
  for (const old of await findHandlesNamed(tx, source, before)) {
    const known = await findHandleByName(tx, old.user_id, source, name);
    if (known && known.id !== old.id) {
      await moveSolvesOfHandle(tx, old.id, known.id);
      // What is left has a later ruling under the other name.
      await removeHandle(tx, old.id);
    } else {
      await setHandleName(tx, old.id, name);
      await deleteSyncOf(tx, old.id);
    }
  }
}

/**
 * Unlinks a handle with its submissions, and takes back what they said: words become those of the submissions that are left.
 * A word that did not come from submissions stays. Answers the handle; undefined if there is none, or it is of another member.
 */
export async function removeHandle(tx: Db, id: bigint, owner?: bigint): Promise<HandlesTable | undefined> {
  const handle = await findHandle(tx, id);
  if (!handle || (owner !== undefined && handle.user_id !== owner)) return undefined;
  const { user_id } = handle;
  const problemIds = await listProblemsOfHandle(tx, id);
  const before = await judgesWords(tx, user_id, problemIds);
  await deleteHandle(tx, id);
  const after = await judgesWords(tx, user_id, problemIds);
  await setJudgesWords(tx, user_id, problemIds, (current, problemId) => {
    const word = current ?? { judge_status: null, judge_at: null };
    const [said, left] = [before.get(problemId), after.get(problemId)];
    return isSaid(word, said) ? following(word, said, left) : word;
  });
  return handle;
}
