/** Waiting for something that a test cannot be notified of. */
import { setTimeout as sleep } from 'node:timers/promises';

interface Patience {
  timeoutMs?: number;
  everyMs?: number;
}

export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  { timeoutMs = 120_000, everyMs = 20 }: Patience = {},
): Promise<void> {
  for (const deadline = performance.now() + timeoutMs; !(await isSo()); await sleep(everyMs)) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${timeoutMs / 1000} s`);
  }
}
