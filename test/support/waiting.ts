/** Waiting for something that a test cannot be notified of. */
import { setTimeout as sleep } from 'node:timers/promises';

interface Patience {
  timeoutMs?: number;
  everyMs?: number;
}

/** Looks every 20 ms at first, and less often the longer it takes, because a look may cost as much as what is waited for. */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  { timeoutMs = 120_000, everyMs }: Patience = {},
): Promise<void> {
  const startedAt = performance.now();
  while (!(await isSo())) {
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > timeoutMs) throw new Error(`${what}: not within ${timeoutMs / 1000} s`);
    await sleep(everyMs ?? Math.min(Math.max(20, waitedMs / 20), 100));
  }
}
