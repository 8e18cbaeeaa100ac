/** Limits of connections: their duration, their size and their number. */
import { readFileSync } from 'node:fs';
import type { ServerOptions } from 'node:http';
import { longestTarget } from '../contract/parameters.ts';

export const headersLimit = 16 * 1024;
/** For the headers, for a whole request, and between requests or while the client does not read. */
export const timeouts = { headersMs: 10_000, requestMs: 10_000, idleMs: 15_000 };
export type Timeouts = typeof timeouts;

/** Limits that Node enforces; protocol.ts checks what passes them. */
export const serverOptions = ({ headersMs, requestMs, idleMs }: Timeouts): ServerOptions => ({
  keepAliveTimeout: idleMs,
  keepAliveTimeoutBuffer: 0,
  requestTimeout: requestMs,
  headersTimeout: headersMs,
  connectionsCheckingInterval: 1000,
  // The request line counts too; each part has a limit of its own.
  maxHeaderSize: longestTarget + headersLimit,
  // How much of an unread answer and of pipelined requests is buffered for each connection.
  highWaterMark: 16 * 1024,
  requireHostHeader: false,
  // A request without a body is then no stream, which saves a tenth of a short answer.
  optimizeEmptyRequests: true,
});

/** Bounds memory, however many file descriptors there are. */
const connectionsAtMost = 10_000;
/** For the database, its backups and connections, and Node itself. */
const reservedFiles = 100;

/**
 * Leaves some open files for other uses. Linux limits them per process (getrlimit(2), RLIMIT_NOFILE); elsewhere Node raises
 * that limit far above ours.
 */
export function connectionLimit(): number {
  if (process.platform !== 'linux') return connectionsAtMost;
  const [, soft = Infinity] =
    /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  const openFiles = Number(soft);
  return Math.min(connectionsAtMost, Math.max(openFiles - reservedFiles, Math.floor(openFiles / 2)));
}
