/**
 * File descriptors never run out: connections beyond the limit of open files are closed at once, and the server recovers. One process
 * in npm test; npm test faults also has two.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import type { Socket } from 'node:net';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve, temporaryFile } from '../support/garden.ts';
import { isWell, send } from '../support/http.ts';
import { connectTo } from '../support/sockets.ts';
import { until } from '../support/waiting.ts';

const hasPrlimit = spawnSync('prlimit', ['--version']).error === undefined;
const onlyWithPrlimit = hasPrlimit ? {} : { skip: 'prlimit is not installed here' };
const openFiles = 200;
const idleConnections = 800;

for (const workers of process.env['GARDEN_FAULT_ROUNDS'] === undefined ? ['1'] : ['1', '2'])
  test(
    `WORKERS=${workers}: idle connections beyond the limit leave a server that recovers`,
    onlyWithPrlimit,
    async (t) => {
      const server = await serve(t, {
        databaseUrl: await temporaryFile(t),
        env: { WORKERS: workers, LOG_LEVEL: 'info' },
        through: ['prlimit', `--nofile=${openFiles}`],
      });
      assert.equal((await send(server.url, '/livez', { headers: { Connection: 'close' } })).status, 200);
      const limit = () => /takes at most (\d+) connections/.exec(server.stderr())?.[1];
      await until('its limit in the log', () => limit() !== undefined);
      const said = Number(limit());
      assert(said >= openFiles / 4 && said < openFiles, `${said} connections`);
      const sockets: Socket[] = [];
      for (let n = 0; n < idleConnections; n++) {
        sockets.push(connectTo(server.url));
        if (n % 100 === 0) await sleep(20);
      }
      const open = () => sockets.filter((socket) => socket.readyState === 'open').length;
      const isSettled = () =>
        sockets.every((socket) => socket.readyState !== 'opening') && open() <= said * Number(workers);
      await until(`no more than ${said} stay open for each process`, isSettled);
      for (const socket of sockets) socket.destroy();
      const began = performance.now();
      let answers = 0;
      await until('twenty answers', async () => {
        if (await isWell(server.url)) answers++;
        return answers === 20;
      });
      t.diagnostic(
        `${said} connections for each process; answered again within ${Math.round(performance.now() - began)} ms`,
      );
      assert.doesNotMatch(server.stderr(), /Unhandled|EMFILE/);
      assert.equal(await server.stop(), 0);
    },
  );
