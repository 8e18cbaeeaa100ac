/** How much processor time a process has had, as Linux tells it; NaN on other systems. */
import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds that all threads of the process have run. */
export function processorMs(pid: number): number {
  try {
    const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]),
    );
    return nanoseconds.reduce((sum, one) => sum + one, 0) / 1_000_000;
  } catch {
    return Number.NaN;
  }
}
