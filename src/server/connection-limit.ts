/** How many connections a process may take, so that file descriptors never run out: then it could open nothing else. */
import { readFileSync } from 'node:fs';

/** For the database, its log and backups, the connections to a database server, and what Node needs itself. */
const reserved = 100;
/** Each costs memory, however many descriptors there are. */
const connectionsAtMost = 10_000;

/** By the limit of open files that the system gives this process (getrlimit(2), RLIMIT_NOFILE). */
export function connectionLimit(): number {
  const openFiles = openFilesLimit();
  return Math.min(connectionsAtMost, Math.max(openFiles - reserved, Math.floor(openFiles / 2)));
}

function openFilesLimit(): number {
  const limit = process.platform === 'linux' ? limitByProc() : limitByReport();
  // "unlimited"
  return Number.isInteger(Number(limit)) ? Number(limit) : Number.POSITIVE_INFINITY;
}

/** The report says the same, but takes 26 ms to be made. */
function limitByProc(): string {
  const [, soft = ''] = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return soft;
}

function limitByReport(): string | number {
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as unknown as {
    userLimits?: { open_files?: { soft: string | number } };
  };
  return userLimits?.open_files?.soft ?? 'unlimited';
}
