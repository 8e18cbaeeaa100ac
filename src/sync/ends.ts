/** How runs ended, written down with the time of the next one, and how long a judge is left alone. */
import { AppError } from '../errors.ts';
import { faultKindOf } from '../judges/faults.ts';
import { findHandle } from '../store/handles.ts';
import type { SyncsTable } from '../store/judged-tables.ts';
import type { Store } from '../store/store.ts';
import { deleteSync, findSync, freshSync, judgeAsWhole, type SyncSubject, saveSync } from '../store/syncs.ts';
import { dueAfter } from './pace.ts';

/** Does the work of a run and writes down how it ended, with what it says is new in the row of the sync. */
export async function noted<T>(
  store: Store,
  subject: SyncSubject,
  work: () => Promise<readonly [result: T, news: Partial<SyncsTable>]>,
): Promise<T> {
  const tried_at = new Date().toISOString();
  try {
    const [result, news] = await work();
    const noFault = { fault: null, fault_text: null, fault_since: null, failures: 0n };
    await note(store, subject, (row) => ({ ...row, ...news, ...noFault, tried_at, good_at: tried_at }));
    return result;
  } catch (error) {
    // A run that was stopped did not fail.
    if ((error as Error).name !== 'AbortError') await note(store, subject, failed(tried_at, error));
    throw error;
  }
}

const failed =
  (tried_at: string, error: unknown) =>
  (row: SyncsTable): SyncsTable => ({
    ...row,
    ...{ tried_at, fault: faultKindOf(error) ?? ('own' as const), fault_text: textOf(error as Error) },
    fault_since: row.fault === null ? tried_at : row.fault_since,
    failures: row.failures + 1n,
  });

const textOf = (error: Error) =>
  error instanceof AppError ? error.message : `This server could not save the answer: ${error.message}`;

/** Leaves a judge alone for a while: what one handle after another fails at is no handle's fault. */
export async function leaveAlone(store: Store, source: string, error: Error): Promise<void> {
  await note(store, judgeAsWhole(source), failed(new Date().toISOString(), error));
}

/** Writes down how a run ended, and when the next one is due. */
async function note(
  store: Store,
  subject: SyncSubject,
  change: (row: SyncsTable) => SyncsTable,
): Promise<void> {
  await store.writeBeside(async (tx) => {
    if (subject.handle_id !== null && !(await findHandle(tx, subject.handle_id))) return;
    const row = change((await findSync(tx, subject)) ?? freshSync(subject));
    await saveSync(tx, { ...row, due_at: await dueAfter(tx, row) });
    if (subject.handle_id !== null && row.fault === null) await deleteSync(tx, judgeAsWhole(subject.source));
  });
}
