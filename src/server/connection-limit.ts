/** How many connections a process may take, so that file descriptors never run out: then it could open nothing else. */
import { readFileSync } from 'node:fs';

/** For the database, its log and backups, the connections to a database server, and what Node needs itself. */
const reserved = 100;
/** Each connection costs memory, however many descriptors there are. */
const connectionsAtMost = 10_000;

/**
 * By the limit of open files that Linux gives this process (getrlimit(2), RLIMIT_NOFILE). On other systems Node raises the limit
 * to the hard one, which is not lower than ours unless somebody lowered it.
 */
export function connectionLimit(): number {
  if (process.platform !== 'linux') return connectionsAtMost;
  const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  const openFiles = Number(soft ?? Infinity);
  return Math.min(connectionsAtMost, Math.max(openFiles - reserved, Math.floor(openFiles / 2)));
}
