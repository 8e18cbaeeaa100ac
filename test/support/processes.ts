/** A server's processes, their memory and their open files, as Linux shows them under /proc. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** The processes that this one started and that live. */
export function childrenOf(pid: number | undefined): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

/** A server's first process and its workers. */
export function processesOf({ child }: { child: { pid?: number | undefined } }): number[] {
  return [child.pid ?? 0, ...childrenOf(child.pid)];
}

/** Lets the processes under this one run like any other, where the system allows that: on a busy machine one of low priority gets no core for minutes. */
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

/** Memory of a process, in KiB: now, and the most it ever had. Undefined where the system does not tell. */
export function memoryOf(pid: number | undefined): { now: number; peak: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]);
    return { now: read('VmRSS'), peak: read('VmHWM') };
  } catch {
    return undefined;
  }
}

/** Files and sockets that a process has open; undefined where the system does not tell. */
export function openFilesOf(pid: number | undefined): number | undefined {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return undefined;
  }
}

/** The paths of the files that this process has open; none where the system does not tell. */
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

/** Memory in MiB and open files of a server, over all of its processes. */
export function figuresOf(server: Parameters<typeof processesOf>[0]): { memory: number; files: number } {
  const figures = { memory: 0, files: 0 };
  for (const pid of processesOf(server)) {
    figures.memory += (memoryOf(pid)?.now ?? 0) / 1024;
    figures.files += openFilesOf(pid) ?? 0;
  }
  return figures;
}

/**
 * Milliseconds that the first thread of a process stood ready and waited for a core, since it began. 0 where the system does
 * not say: then a busy machine counts as the process's own slowness.
 */
export function waitedForCoreMs(pid: number | 'self' | undefined): number {
  try {
    // Nanoseconds on a core, nanoseconds ready without one, and how often it got one.
    const [, waiting = 0] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number);
    return waiting / 1_000_000;
  } catch {
    return 0;
  }
}

/** Milliseconds of processor time that this process takes for a work. Other programs do not make it longer, as they do a wait. */
export async function ownMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
