/** Undoing what a member changed on the website. */
import { AppError } from '../errors.ts';
import { listBatchOf, noteUndone } from '../store/changes.ts';
import { bumpRevisions } from '../store/revisions.ts';
import type { ChangesTable, Db } from '../store/tables.ts';
import { bookmarkRows, type MarkRows, wordRows } from './mark-rows.ts';
import type { Marked } from './marks.ts';
import { byProblem, portions } from './settling.ts';

/**
 * Undoes a change with all that were made together with it: the rows become exactly what they were. Throws unknownItem where
 * the member has no such change, preconditionFailed where a later change stands on it.
 */
export async function undo(tx: Db, memberId: bigint, changeId: bigint): Promise<Marked> {
  const batch = await listBatchOf(tx, memberId, changeId);
  if (batch.length === 0) throw new AppError('unknownItem', 'You have no such change.');
  // Twins that were changed together are one problem since, and the later change says what it was before.
  const open = [...byProblem(batch.filter((change) => change.undone_at === null)).values()];
  const [first] = open;
  if (!first) return { batch: undefined, changed: 0 };
  // All changes of a batch are of one of the two tables.
  const isOfWords = first.kind === 'status' || first.kind === 'how';
  for await (const changes of portions(open)) {
    if (isOfWords) await undoSome(tx, memberId, wordRows, changes);
    else await undoSome(tx, memberId, bookmarkRows, changes);
  }
  const { table } = isOfWords ? wordRows : bookmarkRows;
  await bumpRevisions(tx, [table, `${table}:${memberId}`]);
  await noteUndone(tx, memberId, first.batch_id, new Date().toISOString());
  return { batch: first.batch_id, changed: open.length };
}

async function undoSome<Row, Own>(
  tx: Db,
  memberId: bigint,
  { find, ownOf, write }: MarkRows<Row, Own>,
  changes: readonly ChangesTable[],
): Promise<void> {
  const ids = changes.map((change) => change.problem_id);
  const rows = await find(tx, memberId, ids);
  const isSame = changes.every(
    ({ problem_id, after }) => JSON.stringify(ownOf(rows.get(problem_id))) === after,
  );
  if (!isSame) {
    throw new AppError(
      'preconditionFailed',
      'This was changed again later. Nothing was undone; undo the later change first.',
    );
  }
  const writes = changes.map(({ problem_id, before }) => [problem_id, JSON.parse(before) as Own] as const);
  await write(tx, memberId, rows, writes);
}
