/** Syncs that somebody wants at once: they come first, and also where a judge is left alone for a while after a fault. */
import { findHandle } from '../store/handles.ts';
import type { SyncTask } from '../store/judged-tables.ts';
import { inTransaction } from '../store/store.ts';
import { findSync, type SyncSubject, wantSync } from '../store/syncs.ts';
import type { Db } from '../store/tables.ts';

/** A judge that was just asked is not asked for the same again. */
const restMs = 30_000;

/** Has the judge asked for a member's handle; false if the member has none such. */
export const askNow = inTransaction(async (tx: Db, userId: bigint, handleId: bigint): Promise<boolean> => {
  const handle = await findHandle(tx, handleId);
  if (handle?.user_id !== userId) return false;
  await want(tx, { source: handle.source, task: 'submissions', handle_id: handleId });
  return true;
});

/** Has the judge asked for what it publishes. */
export async function askCatalogueNow(tx: Db, source: string): Promise<void> {
  for (const task of ['problems', 'contests', 'age'] as const satisfies SyncTask[])
    await want(tx, { source, task, handle_id: null });
}

async function want(tx: Db, subject: SyncSubject): Promise<void> {
  const { tried_at = null } = (await findSync(tx, subject)) ?? {};
  if (tried_at === null || Date.now() - Date.parse(tried_at) > restMs) await wantSync(tx, subject);
}
