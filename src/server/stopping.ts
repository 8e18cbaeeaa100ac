/** Stops a server: an accepted request gets its answer. */
import { once } from 'node:events';
import { Server as NetServer } from 'node:net';
import { setImmediate as nextLoopTurn, setTimeout as sleep } from 'node:timers/promises';
import { minuteMs } from '../durations.ts';
import { timeouts } from './connection-limits.ts';
import { closeOrReset, isIdle } from './connections.ts';
import type { GardenServer } from './server.ts';

const checkIntervalMs = 50;

/**
 * For SIGTERM, after which a supervisor kills the process within seconds. Connections may still wait in the system or in the
 * primary process, so the server accepts until none has come for `quietMs`, at most for `acceptMs`. Idle connections stay for
 * `keepIdleMs`; after `drainMs` all are closed. From `settleMs` on no write waits for a lock, so that each gets an answer.
 */
export const shutdownTimes = {
  quietMs: 300,
  acceptMs: 1_500,
  keepIdleMs: 400,
  settleMs: 2_500,
  drainMs: 3_500,
};
/** After a hand-over nothing is urgent, so connections end by themselves. */
export const handOverTimes: typeof shutdownTimes = {
  quietMs: 0,
  acceptMs: 0,
  keepIdleMs: timeouts.idleMs + 1_000,
  settleMs: 50_000,
  drainMs: minuteMs,
};

export function stopper({
  server,
  openSockets,
  finish,
}: GardenServer): (times: typeof shutdownTimes) => Promise<void> {
  let acceptedAt = 0;
  server.on('connection', () => {
    acceptedAt = performance.now();
  });
  return async ({ quietMs, acceptMs, keepIdleMs, drainMs }) => {
    server.prependListener('request', (_request, response) => {
      response.shouldKeepAlive = false;
    });
    const started = performance.now();
    const drainTimer = setTimeout(() => {
      for (const socket of openSockets) closeOrReset(socket);
    }, drainMs);
    acceptedAt = started;
    while (performance.now() < Math.min(acceptedAt + quietMs, started + acceptMs)) {
      await sleep(checkIntervalMs);
      // A connection that came while this process waited for the CPU is reported only now.
      await nextLoopTurn();
    }
    const keepIdleUntil = performance.now() + keepIdleMs;
    const closeIdleTimer = setInterval(() => {
      if (performance.now() < keepIdleUntil) return;
      // Node's own list lacks sockets that never sent a byte, and contains some whose client still reads.
      for (const socket of openSockets) if (isIdle(socket)) socket.destroy();
    }, checkIntervalMs);
    // HTTP's close would end idle connections at once, which can cross a request in flight.
    NetServer.prototype.close.call(server);
    await once(server, 'close');
    await finish();
    clearInterval(closeIdleTimer);
    clearTimeout(drainTimer);
  };
}
