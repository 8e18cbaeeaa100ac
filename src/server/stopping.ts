/** Stopping: an accepted request gets its answer, and no socket keeps the process alive. */
import { once } from 'node:events';
import { Server as NetServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { minuteMs } from '../durations.ts';
import { timeouts } from './connection-limits.ts';
import { cutOff, isIdle } from './connections.ts';
import type { GardenServer } from './server.ts';

const sweepMs = 50;

/**
 * How a server ends. It goes on accepting until no connection has come for `quietMs`, but no longer than `acceptMs`, because
 * under load connections wait that were made before, in the system and in the process above workers. For `spareMs` more
 * connections without a request stay, and each answer says that it is the last one on its connection: so a client that goes
 * on asking loses nothing. Then idle ones are closed, and after `drainMs` in all every one. Before that, at `settleMs`, every
 * write that waits for another process is done or refused, so that no client is left in doubt.
 *
 * These are for SIGTERM: soon, since a supervisor kills the process after some seconds.
 */
export const stopping = {
  quietMs: 300,
  acceptMs: 1_500,
  spareMs: 400,
  settleMs: 2_500,
  drainMs: 3_500,
};
/** After a hand-over to a new process: nothing presses, so connections end by their clients or by their time-outs. */
export const leaving: typeof stopping = {
  quietMs: 0,
  acceptMs: 0,
  spareMs: timeouts.idleMs + 1_000,
  settleMs: 50_000,
  drainMs: minuteMs,
};

export function stopper({ server, open, finish }: GardenServer): (ending: typeof stopping) => Promise<void> {
  let acceptedAt = 0;
  server.on('connection', () => {
    acceptedAt = performance.now();
  });
  return async ({ quietMs, acceptMs, spareMs, drainMs }) => {
    server.prependListener('request', (_request, response) => {
      response.shouldKeepAlive = false;
    });
    const started = performance.now();
    const hardStop = setTimeout(() => {
      for (const socket of open) cutOff(socket);
    }, drainMs);
    acceptedAt = started;
    while (performance.now() < Math.min(acceptedAt + quietMs, started + acceptMs)) {
      await sleep(sweepMs);
      // A connection that came while this process waited for its turn is seen only now.
      await nextTurn();
    }
    const spareUntil = performance.now() + spareMs;
    const sweep = setInterval(() => {
      if (performance.now() < spareUntil) return;
      // Node's own list of them lacks a socket that never sent a byte, and has one whose client still reads its answer.
      for (const socket of open) if (isIdle(socket)) socket.destroy();
    }, sweepMs);
    // The close of HTTP would end idle connections at once, which can cross a request that is on its way.
    NetServer.prototype.close.call(server);
    await once(server, 'close');
    await finish();
    clearInterval(sweep);
    clearTimeout(hardStop);
  };
}
