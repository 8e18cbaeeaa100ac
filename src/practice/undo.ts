/** Undoing what a member changed on the website. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import { findBookmarks } from '../store/bookmarks.ts';
import { listBatchOf, noteUndone } from '../store/changes.ts';
import { bumpRevisions } from '../store/revisions.ts';
import { findStatusPairs } from '../store/statuses.ts';
import type { ChangesTable, Db } from '../store/tables.ts';
import {
  bookmarkOf,
  byProblem,
  type OwnBookmark,
  type OwnWord,
  portions,
  wordOf,
  writeBookmarks,
  writeWords,
} from './mark-rows.ts';
import type { Marked } from './marks.ts';

/**
 * Undoes a change with all that were made together with it: the rows become exactly what they were. Throws unknownItem where
 * the member has no such change, preconditionFailed where a later change stands on it.
 */
export async function undo(tx: Db, memberId: bigint, changeId: bigint): Promise<Marked> {
  const batch = await listBatchOf(tx, memberId, changeId);
  if (batch.length === 0) throw new AppError('unknownItem', 'There is no such change of yours.');
  // Twins that were changed together are one problem since, and the later change says what it was before.
  const open = [...byProblem(batch.filter((change) => change.undone_at === null)).values()];
  for (const changes of portions(open)) {
    const ids = changes.map((change) => change.problem_id);
    if (changes[0] && isWord(changes[0])) {
      const rows = byProblem(await findStatusPairs(tx, memberId, ids));
      assertUnchanged(changes, (id) => wordOf(rows.get(id)));
      const writes = changes.map((one) => [one.problem_id, JSON.parse(one.before) as OwnWord] as const);
      await writeWords(tx, memberId, rows, writes);
    } else {
      const rows = byProblem(await findBookmarks(tx, memberId, ids));
      assertUnchanged(changes, (id) => bookmarkOf(rows.get(id)));
      const writes = changes.map((one) => [one.problem_id, JSON.parse(one.before) as OwnBookmark] as const);
      await writeBookmarks(tx, memberId, rows, writes);
    }
    await nextTurn();
  }
  const [first] = open;
  if (!first) return { batch: undefined, changed: 0 };
  const table = isWord(first) ? 'statuses' : 'bookmarks';
  await bumpRevisions(tx, [table, `${table}:${memberId}`]);
  await noteUndone(tx, memberId, first.batch_id, new Date().toISOString());
  return { batch: first.batch_id, changed: open.length };
}

/** All changes of a batch are of one of the two tables. */
function isWord({ kind }: ChangesTable): boolean {
  return kind === 'status' || kind === 'how';
}

function assertUnchanged(changes: readonly ChangesTable[], now: (problemId: bigint) => unknown): void {
  const isSame = changes.every((change) => JSON.stringify(now(change.problem_id)) === change.after);
  if (isSame) return;
  throw new AppError(
    'preconditionFailed',
    'This was changed again since, and nothing was undone; undo the later change first.',
  );
}
