/**
 * One at a time: of all processes that share a database, at most one does the work of a name. A row says which, until a moment that
 * its holder puts off again and again; so the work of a process that died is free within seconds.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { endLease, findHolder, holdLease } from '../store/leases.ts';
import type { Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';

type Writer = Pick<Store, 'writeBeside'>;

const leaseMs = 20_000;
/** How often the process that leads looks for work. */
export const pollIntervalMs = 5_000;

export interface LeadOptions {
  holder: string;
  signal: AbortSignal;
  log(level: 'info' | 'warn', sentence: string): void;
  /** Shorter ones are for tests. */
  lookMs?: number;
}

/** A name that no other holder has. It begins with the moment at which the work was begun. */
export function newHolder(): string {
  return `${new Date().toISOString()} ${randomUUID()}`;
}

/** When the holder of a lease began; undefined if no process has the lease. */
export async function heldSince(db: Db, name: string): Promise<string | undefined> {
  return (await findHolder(db, name))?.split(' ', 1)[0];
}

/** Takes a lease, for `whileHeld` in this or another process; false if another holder has it. */
export function takeLease(store: Writer, name: string, holder: string): Promise<boolean> {
  return store.writeBeside((tx) => takeLeaseIn(tx, name, holder));
}

export function takeLeaseIn(tx: Db, name: string, holder: string): Promise<boolean> {
  return holdLease(tx, name, holder, leaseMs);
}

/** Does the work under a lease that this holder took, and gives it up. The signal says that another holder has it. */
export async function whileHeld<T>(
  store: Writer,
  name: string,
  holder: string,
  work: (leaseLost: AbortSignal) => Promise<T>,
): Promise<T> {
  const leaseLost = new AbortController();
  const renewing = setInterval(() => {
    takeLease(store, name, holder).then(
      (isHeld) => isHeld || leaseLost.abort(),
      () => leaseLost.abort(),
    );
  }, leaseMs / 3);
  try {
    return await work(leaseLost.signal);
  } finally {
    clearInterval(renewing);
    await store.writeBeside((tx) => endLease(tx, name, holder)).catch(() => {});
  }
}

/** Does the work, unless another holder has the lease: then it answers undefined. */
export async function underLease<T>(
  store: Writer,
  name: string,
  holder: string,
  work: (leaseLost: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  return (await takeLease(store, name, holder)) ? whileHeld(store, name, holder, work) : undefined;
}

/** Does work that has no end under its lease, and begins it again where it fails. `work` is in the log. */
export async function runAsLeader(
  store: Writer,
  { name, work }: { name: string; work: string },
  { holder, signal, log, lookMs = pollIntervalMs }: LeadOptions,
  lead: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await underLease(store, name, holder, (leaseLost) => lead(AbortSignal.any([signal, leaseLost])));
    } catch (error) {
      if (!signal.aborted)
        log('warn', `${work} was interrupted and begins again: ${(error as Error).message}`);
    }
    await sleep(lookMs, undefined, { signal }).catch(() => {});
  }
}

/** The same for work that is looked for again and again. */
export function pollUntilAborted(
  store: Writer,
  what: { name: string; work: string },
  options: LeadOptions,
  look: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { lookMs = pollIntervalMs } = options;
  return runAsLeader(store, what, options, async (signal) => {
    while (!signal.aborted) {
      await look(signal);
      await sleep(lookMs, undefined, { signal }).catch(() => {});
    }
  });
}
