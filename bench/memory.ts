/** How much memory a process and its children hold, as Linux tells it; NaN on other systems. */
import { readdirSync, readFileSync } from 'node:fs';

const bytesPerMB = 1_000_000;

/** Resident memory of the whole process tree, in MB of 10^6 bytes. What processes share counts for each. */
export function residentMB(pid: number): number {
  try {
    const kibibytes = Number(
      /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0,
    );
    const own = (kibibytes * 1024) / bytesPerMB;
    return childrenOf(pid).reduce((sum, child) => sum + (residentMB(child) || 0), own);
  } catch {
    return Number.NaN;
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
}

/** The most memory the process ever had, in MiB; undefined once it is gone. */
export function peakMiB(pid: number | undefined): number | undefined {
  try {
    const kibibytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) / 1024;
  } catch {
    return undefined;
  }
}

/** Watches a process tree; answers how to stop and learn the most that was seen, in MB. */
export function watchMemory(pid: number): () => number {
  let most = residentMB(pid);
  const look = () => {
    const now = residentMB(pid);
    if (!(now <= most)) most = now;
  };
  const timer = setInterval(look, 200);
  return () => {
    clearInterval(timer);
    look();
    return most;
  };
}
