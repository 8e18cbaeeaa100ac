/**
 * Half an hour of mixed load on the server as it comes: its memory stays flat and nothing fails. npm test soak prints
 * the figures and holds them; GARDEN_SOAK_MINUTES makes it shorter or longer.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { importRows, memberWithToken, serve, temporaryDatabase } from '../support/garden.ts';
import { problems, statuses } from '../support/http.ts';
import { type Request, startLoad } from '../support/load.ts';
import { figuresOf } from '../support/processes.ts';

const minutes = Number(process.env['GARDEN_SOAK_MINUTES'] ?? 30);
const warmUpMinutes = minutes / 6;
const sampleMs = 2_000;
const changeMs = 5_000;
const growthAtMost = 1;
const plantCount = 200_000;

interface Sample {
  minute: number;
  mebibytes: number;
}

test(`${minutes} minutes of mixed load`, { timeout: (minutes + 5) * 60_000 }, async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const { token } = await memberWithToken(databaseUrl, 'ada');
  await importRows(databaseUrl, 'problems', rows(10_000, problem));
  await importRows(databaseUrl, 'plants', rows(plantCount, plant));
  await importRows(databaseUrl, 'statuses', rows(2_000, status));
  const server = await serve(t, { databaseUrl, env: { RATE_LIMIT: '0', WORKERS: 'auto' } });
  const told: Record<number, number> = {};
  let turn = 0;
  let nextPlant = 1;
  const answered = (code: number) => {
    told[code] = (told[code] ?? 0) + 1;
  };
  const next = (): Request => {
    turn++;
    if (turn % 500 === 0) return { method: 'DELETE', path: `/plants/${nextPlant++}`, answered };
    const headers: Record<string, string> = turn % 3 === 0 ? { 'Accept-Encoding': 'gzip' } : {};
    return { method: 'GET', path: pathOf(turn), headers, answered };
  };
  const loads = [
    startLoad(t, server.url, token, { clients: 12, next }),
    startLoad(t, server.url, token, { clients: 2, isFresh: true, next }),
  ];
  const samples: Sample[] = [];
  const began = performance.now();
  const minute = () => (performance.now() - began) / 60_000;
  let changedAt = began;
  for (let edition = 1; minute() < minutes; ) {
    await sleep(sampleMs);
    samples.push({ minute: minute(), mebibytes: figuresOf(server).memory });
    if (performance.now() - changedAt < changeMs) continue;
    changedAt = performance.now();
    await importRows(databaseUrl, 'problems', [{ ...problem(1 + (edition % 10_000)), title: `No. ${edition++}` }]);
  }
  for (const load of loads) await load.stop();
  const lost = loads.flatMap(({ clients }) => clients.flatMap((client) => client.lost));
  const settled = samples.filter((sample) => sample.minute > warmUpMinutes);
  const growth = slope(settled);
  const sizes = settled.map(({ mebibytes }) => mebibytes);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)].map((size) => size.toFixed(0));
  t.diagnostic(`${turn} requests, told ${JSON.stringify(told)}, ${lost.length} lost`);
  t.diagnostic(`${least} to ${most} MiB after ${warmUpMinutes} minutes, ${growth.toFixed(2)} MiB a minute`);
  assert.deepEqual(lost, []);
  assert.deepEqual(Object.keys(told), ['200', '204']);
  assert.equal(server.stderr(), '');
  assert(growth < growthAtMost, `it grows by ${growth} MiB a minute`);
});

const rows = <R>(count: number, row: (id: number) => R): R[] =>
  Array.from({ length: count }, (_, place) => row(place + 1));
const problem = (id: number) => ({
  id,
  title: `Amber paths and the ${id} birches`,
  source: 'here',
  source_key: `k${id}`,
  rating: 800 + 100 * (id % 28),
  tags: ['dp', 'graphs', 'number theory'].slice(0, id % 4),
});
const plant = (id: number) => ({ id, username: 'ada', name: `goal ${id}`, target: 1 });
const status = (id: number) => ({ username: 'ada', problem: id, status: id % 2 ? 'complete' : 'practicing' });

function pathOf(turn: number): string {
  if (turn % 97 === 0) return problems;
  if (turn % 89 === 0) return statuses;
  if (turn % 11 === 0) return `${problems}?limit=100&rating_min=${800 + (turn % 2_000)}`;
  if (turn % 13 === 0) return `${problems}?limit=50&status=complete&order=-rating&q=${turn % 1_000}`;
  return `${problems}${1 + ((turn * 7_919) % 10_000)}/`;
}

function slope(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const minute = mean((sample) => sample.minute);
  const mebibytes = mean((sample) => sample.mebibytes);
  const both = mean((sample) => (sample.minute - minute) * (sample.mebibytes - mebibytes));
  return both / mean((sample) => (sample.minute - minute) ** 2);
}
