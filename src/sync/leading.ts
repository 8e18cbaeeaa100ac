/** Work that one process does of all that share a database: it holds a lease, and another takes over once it is gone. */
import { setTimeout as sleep } from 'node:timers/promises';
import { endLease, holdLease } from '../store/leases.ts';
import type { Store } from '../store/store.ts';

export interface LeadOptions {
  /** A name that no other process has. */
  holder: string;
  signal: AbortSignal;
  log(level: 'info' | 'warn', sentence: string): void;
  /** Shorter ones are for tests. */
  lookMs?: number;
}

interface Lease {
  name: string;
  /** The work under the lease, for the log. */
  work: string;
}

const leaseMs = 60_000;
/** How often the process that leads looks for work. */
export const usualLookMs = 5_000;

/** Does the work again and again until the signal, as long as this process has the lease. */
export async function whileLeading(
  store: Store,
  { name, work }: Lease,
  { holder, signal, log, lookMs = usualLookMs }: LeadOptions,
  once: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      if (await holdLease(store, name, holder, leaseMs)) await lead(store, name, { holder, signal }, once);
    } catch (error) {
      if (!signal.aborted)
        log('warn', `${work} was interrupted and begins again: ${(error as Error).message}`);
    }
    await sleep(lookMs, undefined, { signal }).catch(() => {});
  }
  await endLease(store, name, holder).catch(() => {});
}

/** Does the work once, and holds the lease meanwhile. */
async function lead(
  store: Store,
  name: string,
  { holder, signal }: Pick<LeadOptions, 'holder' | 'signal'>,
  once: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const lost = new AbortController();
  const renewing = setInterval(() => {
    holdLease(store, name, holder, leaseMs).then(
      (isHeld) => isHeld || lost.abort(),
      () => lost.abort(),
    );
  }, leaseMs / 3);
  try {
    await once(AbortSignal.any([signal, lost.signal]));
  } finally {
    clearInterval(renewing);
  }
}
