/** Limits on the duration, size and number of connections. */
import { readFileSync } from 'node:fs';
import type { ServerOptions } from 'node:http';
import { longestTarget } from '../contract/parameters.ts';

export const headersLimit = 16 * 1024;
export const timeouts = { headersMs: 10_000, requestMs: 10_000, idleMs: 15_000 };
export type Timeouts = typeof timeouts;

export const serverOptions = ({ headersMs, requestMs, idleMs }: Timeouts): ServerOptions => ({
  keepAliveTimeout: idleMs,
  keepAliveTimeoutBuffer: 0,
  requestTimeout: requestMs,
  headersTimeout: headersMs,
  connectionsCheckingInterval: 1000,
  // The request line counts too; each part has a limit of its own.
  maxHeaderSize: longestTarget + headersLimit,
  highWaterMark: 16 * 1024,
  requireHostHeader: false,
  // Saves a tenth of the time of a short answer.
  optimizeEmptyRequests: true,
});

const connectionsAtMost = 10_000;
const reservedFiles = 100;

/** Linux limits open files per process (getrlimit(2), RLIMIT_NOFILE); elsewhere Node raises that limit far above ours. */
export function connectionLimit(): number {
  if (process.platform !== 'linux') return connectionsAtMost;
  const [, softLimit = Infinity] =
    /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  const openFiles = Number(softLimit);
  return Math.min(connectionsAtMost, Math.max(openFiles - reservedFiles, Math.floor(openFiles / 2)));
}
