/** Adds the problems that wait in inboxes, once the limits of their members allow it. */
import { minuteMs } from '../durations.ts';
import { AppError } from '../errors.ts';
import type { AddLimits } from '../practice/added-problems.ts';
import { addWaitingProblems } from '../practice/inbox.ts';
import { listMembersWithWaiting } from '../store/inbox.ts';
import type { Store } from '../store/store.ts';
import { type LeadOptions, pollUntilAborted } from './lease.ts';

export const runWaitingProblems = (
  store: Store,
  options: LeadOptions & { addLimits: AddLimits },
): Promise<void> =>
  pollUntilAborted(
    store,
    { name: 'inboxes', work: 'adding what waits in inboxes' },
    { ...options, pollMs: minuteMs },
    (signal) => addAllWaiting(store, options.addLimits, signal),
  );

export async function addAllWaiting(store: Store, limits: AddLimits, signal?: AbortSignal): Promise<void> {
  for (const memberId of await listMembersWithWaiting(store.reader)) {
    if (signal?.aborted) return;
    try {
      await addWaitingProblems(store, memberId, limits);
    } catch (error) {
      // A member who has too many lists keeps what waits until there is room for another.
      if (!(error instanceof AppError)) throw error;
    }
  }
}
