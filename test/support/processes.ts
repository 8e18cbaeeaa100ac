/** A server's processes, their memory and their open files, by /proc of Linux. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

export function childrenOf(pid: number | undefined): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

export function processesOf({ child }: { child: { pid?: number | undefined } }): number[] {
  return [child.pid ?? 0, ...childrenOf(child.pid)];
}

/** Raises the priority where that is allowed: on a busy machine a low one may get no core for minutes. */
export function hurryProcessesUnder(pid: number | undefined): void {
  try {
    for (const child of childrenOf(pid)) {
      hurryProcessesUnder(child);
      for (const thread of readdirSync(`/proc/${child}/task`))
        setPriority(Number(thread), constants.priority.PRIORITY_NORMAL);
    }
  } catch {
    // It has ended, or there is no /proc, or only root may.
  }
}

export function memoryOf(pid: number | undefined): { now: number; peak: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]);
    return { now: read('VmRSS'), peak: read('VmHWM') };
  } catch {
    return undefined;
  }
}

export function openFilesOf(pid: number | undefined): number | undefined {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return undefined;
  }
}

export function openPaths(): string[] {
  const folder = '/proc/self/fd';
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((fd) => {
    try {
      return [readlinkSync(`${folder}/${fd}`)];
    } catch {
      return [];
    }
  });
}

export function figuresOf(server: Parameters<typeof processesOf>[0]): { memory: number; files: number } {
  const figures = { memory: 0, files: 0 };
  for (const pid of processesOf(server)) {
    figures.memory += (memoryOf(pid)?.now ?? 0) / 1024;
    figures.files += openFilesOf(pid) ?? 0;
  }
  return figures;
}

/** How long the first thread has waited for a core. 0 without /proc: a busy machine then counts as a slow process. */
export function waitedForCoreMs(pid: number | 'self' | undefined): number {
  try {
    // Nanoseconds on a core, nanoseconds waiting for one, and how often it got one.
    const [, waiting = 0] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number);
    return waiting / 1_000_000;
  } catch {
    return 0;
  }
}

/** Processor time, which other programs do not make longer. */
export async function ownMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * The longest time that this thread worked between two looks, in milliseconds. Its own time, not that of the clock: other
 * processes may keep it from the processor for longer than any work of its own takes.
 */
export function longestHold(): () => number {
  let longest = 0;
  let before = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.threadCpuUsage();
  };
  const timer = setInterval(look, 1);
  return () => {
    clearInterval(timer);
    return longest;
  };
}
