/**
 * Of all processes that share a database, at most one holds the lease of a name. It renews the lease again and again,
 * so the lease of a dead process expires within seconds.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { endLease, findHolder, holdLease } from '../store/leases.ts';
import type { Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';

type Writer = Pick<Store, 'writeConcurrently'>;

const leaseMs = 20_000;
export const pollIntervalMs = 5_000;

export interface LeadOptions {
  holder: string;
  signal: AbortSignal;
  log(level: 'info' | 'warn', sentence: string): void;
  pollMs?: number;
}

/** Unique, and begins with the time at which the work began. */
export function newHolder(): string {
  return `${new Date().toISOString()} ${randomUUID()}`;
}

export async function leaseStartedAt(db: Db, name: string): Promise<string | undefined> {
  return (await findHolder(db, name))?.split(' ', 1)[0];
}

export function takeLease(store: Writer, name: string, holder: string, ms = leaseMs): Promise<boolean> {
  return store.writeConcurrently((tx) => holdLease(tx, name, holder, ms));
}

export function takeLeaseIn(tx: Db, name: string, holder: string): Promise<boolean> {
  return holdLease(tx, name, holder, leaseMs);
}

/** Renews a lease during the work, and ends it. The signal is aborted when the lease is lost. */
export async function renewLeaseDuring<T>(
  store: Writer,
  name: string,
  holder: string,
  work: (leaseLost: AbortSignal) => Promise<T>,
): Promise<T> {
  const leaseLost = new AbortController();
  let renewal: Promise<void> | undefined;
  const renewing = setInterval(() => {
    renewal = takeLease(store, name, holder).then(
      (isHeld) => void (isHeld || leaseLost.abort()),
      () => leaseLost.abort(),
    );
  }, leaseMs / 3);
  try {
    return await work(leaseLost.signal);
  } finally {
    clearInterval(renewing);
    // A renewal that waits for a lock would take the lease again after its end.
    await renewal;
    await store.writeConcurrently((tx) => endLease(tx, name, holder)).catch(() => {});
  }
}

export async function tryUnderLease<T>(
  store: Writer,
  name: string,
  holder: string,
  work: (leaseLost: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  return (await takeLease(store, name, holder)) ? renewLeaseDuring(store, name, holder, work) : undefined;
}

/** Runs endless work under a lease, and restarts it when it fails. The log names `work`. */
export async function runAsLeader(
  store: Writer,
  { name, work }: { name: string; work: string },
  { holder, signal, log, pollMs = pollIntervalMs }: LeadOptions,
  lead: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await tryUnderLease(store, name, holder, (leaseLost) => lead(AbortSignal.any([signal, leaseLost])));
    } catch (error) {
      if (!signal.aborted)
        log('warn', `${work} was interrupted and begins again: ${(error as Error).message}`);
    }
    await sleep(pollMs, undefined, { signal }).catch(() => {});
  }
}

export function pollUntilAborted(
  store: Writer,
  lease: { name: string; work: string },
  options: LeadOptions,
  pollOnce: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { pollMs = pollIntervalMs } = options;
  return runAsLeader(store, lease, options, async (signal) => {
    while (!signal.aborted) {
      await pollOnce(signal);
      await sleep(pollMs, undefined, { signal }).catch(() => {});
    }
  });
}
