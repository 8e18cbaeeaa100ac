/** How long a connection may take, how much it may send, and how many there may be. */
import { readFileSync } from 'node:fs';
import type { ServerOptions } from 'node:http';
import { longestTarget } from '../contract/parameters.ts';

export const headersLimit = 16 * 1024;
/** How long a connection may take: for the headers, for a whole request, and between requests or without reading. */
export const timeouts = { headersMs: 10_000, requestMs: 10_000, idleMs: 15_000 };
export type Timeouts = typeof timeouts;

/** Node's own limits; protocol.ts checks the requests that pass them. */
export const serverOptions = ({ headersMs, requestMs, idleMs }: Timeouts): ServerOptions => ({
  keepAliveTimeout: idleMs,
  keepAliveTimeoutBuffer: 0,
  requestTimeout: requestMs,
  headersTimeout: headersMs,
  connectionsCheckingInterval: 1000,
  // The request line counts too; each part has a limit of its own.
  maxHeaderSize: longestTarget + headersLimit,
  // How much of an unread answer, and of what was sent ahead, waits on each connection.
  highWaterMark: 16 * 1024,
  requireHostHeader: false,
  // Requests without a body are no streams, which saves a tenth of a short answer.
  optimizeEmptyRequests: true,
});

/** Each connection costs memory, however many file descriptors there are. */
const connectionsAtMost = 10_000;
/** Open files that no connection may take: those of the database and its backups, its connections, and Node's own. */
const reservedFiles = 100;

/**
 * How many connections leave open files for all else. Linux says how many a process may have (getrlimit(2), RLIMIT_NOFILE);
 * on other systems Node raises that limit far above ours.
 */
export function connectionLimit(): number {
  if (process.platform !== 'linux') return connectionsAtMost;
  const [, soft = Infinity] =
    /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  const openFiles = Number(soft);
  return Math.min(connectionsAtMost, Math.max(openFiles - reservedFiles, Math.floor(openFiles / 2)));
}
