/**
 * SIGTERM while clients ask: every answer that has begun arrives whole, a change that is not answered did not happen, and
 * the server ends by itself. GARDEN_STOPS says how often; each time it is another server, of two processes and of one in turn.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { rowsOf } from '../support/databases.ts';
import { importPlants, importProblems, memberWithToken, serve, temporaryDatabase } from '../support/garden.ts';
import { problems } from '../support/http.ts';
import { startLoad } from '../support/load.ts';
import { openSocket } from '../support/sockets.ts';
import { until } from '../support/waiting.ts';

const stops = Number(process.env['GARDEN_STOPS'] ?? 1);
const plantCount = 6_000;

for (let stop = 1; stop <= stops; stop++) {
  const workers = stop % 2 === 1 ? '2' : '1';
  test(`stop ${stop}, ${workers} process(es)`, async (t) => {
    const databaseUrl = await temporaryDatabase(t);
    const { token } = await memberWithToken(databaseUrl, 'ada');
    await importProblems(databaseUrl, 500);
    const plants = await importPlants(databaseUrl, plantCount);
    const server = await serve(t, { databaseUrl, env: { WORKERS: workers, RATE_LIMIT: '0' } });
    const open = async (bytes: string) => (await openSocket(server.url, bytes)).resume();
    const others = [...Array(20).fill(''), ...Array(20).fill('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')];
    const ends = (await Promise.all(others.map(open))).map((socket) => once(socket, 'close'));

    const deleted: number[] = [];
    let id = 0;
    const reading = { clients: 16, endsWithConnection: true };
    const paths = [`${problems}7/`, `${problems}?limit=50`, problems, '/livez'];
    let turn = 0;
    const loads = [
      startLoad(t, server.url, token, {
        ...reading,
        next: () => ({ method: 'GET', path: paths[turn++ % paths.length] ?? '' }),
      }),
      startLoad(t, server.url, token, {
        clients: 8,
        endsWithConnection: true,
        next: () => {
          const mine = ++id;
          const answered = (status: number) => {
            if (status === 204) deleted.push(mine);
          };
          return { method: 'DELETE', path: `/plants/${mine}`, answered };
        },
      }),
    ];
    const isUnderLoad = () =>
      loads.every((load) => load.clients.every(({ replies }) => replies > 0)) && deleted.length > 0;
    await until('each client has an answer', isUnderLoad);
    await sleep(400);
    assert.equal(await server.stop(), 0, server.stderr());
    for (const load of loads) await load.stop();
    await Promise.all(ends);
    const clients = loads.flatMap((load) => load.clients);
    assert.deepEqual(
      clients.flatMap(({ lost }) => lost),
      [],
    );
    assert.ok(deleted.length < plantCount, `${deleted.length} deleted`);
    const left = new Set((await rowsOf(databaseUrl, 'SELECT id FROM plants')).map((row) => Number(row['id'])));
    const gone = plants.filter((one) => !left.has(one));
    assert.deepEqual(
      gone,
      deleted.toSorted((one, other) => one - other),
    );
  });
}
