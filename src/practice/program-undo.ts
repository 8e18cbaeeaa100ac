/** Takes back what a program wrote, part by part. Only what nobody changed since goes back. */
import { localizedError } from '../errors.ts';
import { listBatchOfChange } from '../store/changes.ts';
import { isListSeenByOthers } from '../store/inbox.ts';
import { findOwnList, readContent } from '../store/lists.ts';
import type { ProgramPartsTable } from '../store/program-parts.ts';
import {
  findProgramChange,
  isProgramPart,
  listProgramParts,
  type ProgramChangesTable,
  setProgramChangeUndone,
} from '../store/program-writes.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { removeUnusedProblems } from './added-problems.ts';
import { digestOfList, listVersions, restoreList } from './list-versions.ts';
import { changeContent, idsIn, removeList } from './lists.ts';
import { undo } from './marks.ts';
import { undoReview } from './reviews.ts';
import { deleteSolution } from './solutions.ts';
import { restoreTimer } from './timers.ts';

interface UndoneWrite {
  /** Trimmed if the history does not go back so far any more. */
  outcome: 'undone' | 'byHand' | 'trimmed';
  /** 0 if it was undone before. */
  changed: number;
}

/** Throws unknownItem, and preconditionFailed if there is a later change. */
export const undoProgramChange = inTransaction(
  async (tx: Db, memberId: bigint, id: bigint): Promise<UndoneWrite> => {
    const change = await findProgramChange(tx, memberId, id);
    if (!change) {
      const [own] = await listBatchOfChange(tx, memberId, id);
      if (own && !(await isProgramPart(tx, 'marks', own.batch_id))) return { outcome: 'byHand', changed: 0 };
      throw localizedError('unknownItem.change');
    }
    if (change.undone_at !== null) return { outcome: 'undone', changed: 0 };
    const parts = await listProgramParts(tx, id);
    for (const part of parts)
      if (await isTrimmed(tx, change, part)) return { outcome: 'trimmed', changed: 0 };
    const added: bigint[] = [];
    for (const part of parts.toReversed())
      if (part.kind === 'problem') added.push(part.part_id);
      else await undoers[part.kind](tx, memberId, part);
    await removeUnusedProblems(tx, memberId, added);
    await setProgramChangeUndone(tx, id, new Date().toISOString());
    return { outcome: 'undone', changed: parts.length };
  },
);

async function isTrimmed(
  tx: Db,
  { user_id, made_at }: ProgramChangesTable,
  { kind, part_id, before, after }: ProgramPartsTable,
): Promise<boolean> {
  if (kind === 'marks') return (await listBatchOfChange(tx, user_id, part_id)).length === 0;
  if (kind === 'content' && before === null) return true;
  const isWholeList = kind === 'content' || (kind === 'list' && after !== null);
  return isWholeList && Date.parse(made_at) < Date.now() - listVersions.storedMs;
}

type UndoPart = (tx: Db, memberId: bigint, part: ProgramPartsTable) => Promise<unknown>;

const undoers: Readonly<Record<Exclude<ProgramPartsTable['kind'], 'problem'>, UndoPart>> = {
  marks: (tx, memberId, { part_id }) => undo(tx, memberId, part_id),
  review: (tx, memberId, { part_id }) => undoReview(tx, memberId, part_id, new Date()),
  timer: (tx, memberId, { part_id, before, after }) => restoreTimer(tx, memberId, part_id, { before, after }),
  item: removeItem,
  list: removeMadeList,
  content: (tx, memberId, { part_id, before, after }) =>
    restoreList(tx, memberId, part_id, before ?? '', after ?? ''),
  solution: (tx, memberId, { part_id }) => deleteSolution(tx, memberId, part_id),
};

/** `before` is the id of the problem that came into the list. */
async function removeItem(tx: Db, memberId: bigint, { part_id, before }: ProgramPartsTable): Promise<void> {
  const own = await findOwnList(tx, part_id, memberId);
  if (!own) return;
  const id = BigInt(before ?? 0);
  await changeContent(tx, own, (content) =>
    content.map(({ items, ...section }) => ({
      ...section,
      items: items.filter(({ problem_id }) => problem_id !== id),
    })),
  );
}

/** `after` is the digest of a list that was made as a whole; one that a single problem made stays if it has others. */
async function removeMadeList(
  tx: Db,
  memberId: bigint,
  { part_id, after }: ProgramPartsTable,
): Promise<void> {
  const own = await findOwnList(tx, part_id, memberId);
  if (!own) return;
  const isChanged =
    after === null ? idsIn(await readContent(tx, own.id)).size > 0 : (await digestOfList(tx, own)) !== after;
  if (!isChanged && !(await isListSeenByOthers(tx, own))) await removeList(tx, own.id, memberId);
  else if (after !== null) throw localizedError('preconditionFailed.list');
}
