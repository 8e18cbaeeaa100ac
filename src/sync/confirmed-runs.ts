/**
 * Runs for which a member has confirmed a token in the browser. They go on behind the page, since a judge may want hundreds of
 * requests; the token is nowhere but in the memory of this process, and gone with the run.
 */
import { randomUUID } from 'node:crypto';
import { AppError } from '../errors.ts';
import { faultKindOf } from '../judges/faults.ts';
import type { Judge } from '../judges/judge.ts';
import { judges } from '../judges/judges.ts';
import type { HandlesTable } from '../store/handles.ts';
import { endLease, holdLease, isLeaseHeld } from '../store/leases.ts';
import type { Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { type AskOptions, askerOf, shortAnswers } from './asking.ts';
import { syncConfirmed } from './runs.ts';

const leaseMs = 60_000;
const leaseOf = (handleId: bigint) => `confirmed ${handleId}`;

export interface ConfirmedRuns {
  /** Begins a run, unless one of this handle is under way in any process. */
  begin(handle: HandlesTable, token: string, place: AskOptions['place']): Promise<void>;
  /** Breaks off what is under way: what came so far is kept. */
  end(): Promise<void>;
}

/** Whether a run of this handle is under way in some process. */
export function isRunning(db: Db, handleId: bigint): Promise<boolean> {
  return isLeaseHeld(db, leaseOf(handleId));
}

/** `onFault` gets what no page shows: a fault of this program. */
export function confirmedRuns(store: Store, onFault: (fault: string) => void): ConfirmedRuns {
  const stopping = new AbortController();
  const { signal } = stopping;
  const underWay = new Set<Promise<void>>();

  async function run(handle: HandlesTable, token: string, place: AskOptions['place'], holder: string) {
    const lease = leaseOf(handle.id);
    const renewing = setInterval(() => {
      holdLease(store, lease, holder, leaseMs).catch(() => {});
    }, leaseMs / 3);
    try {
      const ask = askerOf(store, judges[handle.source as keyof typeof judges] as Judge, {
        place,
        signal,
        pace: shortAnswers,
      });
      await syncConfirmed(store, handle, ask, token);
    } catch (error) {
      // A judge's fault stands in the row of the sync, and the handle may be unlinked meanwhile.
      const isTold = faultKindOf(error) !== undefined || error instanceof AppError;
      if (!signal.aborted && !isTold) onFault((error as Error).stack ?? String(error));
    } finally {
      clearInterval(renewing);
      await endLease(store, lease, holder).catch(() => {});
    }
  }

  return {
    begin: async (handle, token, place) => {
      const holder = randomUUID();
      if (!(await holdLease(store, leaseOf(handle.id), holder, leaseMs))) return;
      const begun = run(handle, token, place, holder).finally(() => underWay.delete(begun));
      underWay.add(begun);
    },
    end: async () => {
      stopping.abort();
      await Promise.all(underWay);
    },
  };
}
