/**
 * The log cannot be turned against the server: a flood writes few lines, and a log that is not read stops no answer. How long
 * others wait then and what memory it takes is measured by bench/promises/log-stalls.ts.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { tamper } from '../support/databases.ts';
import { flood } from '../support/flood.ts';
import {
  environment,
  importProblems,
  launcher,
  memberWithToken,
  type Server,
  serve,
  temporaryDatabase,
} from '../support/garden.ts';
import { isWell, problems, send } from '../support/http.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/waiting.ts';

const onLinux = { skip: process.platform === 'linux' ? false : 'reads /proc' };
const longestId = 'i'.repeat(64);
const longBase = `/${'b'.repeat(24)}`.repeat(28);
const fillsBuffers = 4_000;
const isThorough = process.env['GARDEN_FAULT_ROUNDS'] !== undefined;

interface Line {
  level: number;
  msg: string;
  reqId?: string;
  status?: number;
  line?: string;
  leftOut?: number;
  lost?: number;
}

const linesOf = (log: string): Line[] =>
  log
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

async function end({ child }: Server): Promise<{ code: number | null; ms: number }> {
  const since = performance.now();
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = await exit;
  const ms = performance.now() - since;
  child.stderr?.resume();
  return { code, ms };
}

async function garden(t: TestContext) {
  const databaseUrl = await temporaryDatabase(t);
  const { token } = await memberWithToken(databaseUrl, 'ada');
  await importProblems(databaseUrl, 1);
  return { databaseUrl, token };
}

const logsAll = 'what one person provokes in a second is all logged: 20 refusals of a kind, 90 faults';

async function provokeByHand(server: Server, { databaseUrl, token }: { databaseUrl: string; token: string }) {
  const ask = async (count: number, target: string, status: number) => {
    const replies = await Promise.all(Array.from({ length: count }, () => send(server.url, target, { token })));
    for (const reply of replies) assert.equal(reply.status, status);
    return replies.map(({ headers }) => String(headers['x-request-id']));
  };
  const refused = await ask(20, `${problems}404/`, 404);
  await tamper(databaseUrl, 'ALTER TABLE problems RENAME TO lost');
  const faults = await ask(90, `${problems}?limit=7`, 500);
  await tamper(databaseUrl, 'ALTER TABLE lost RENAME TO problems');
  const countOf = (lines: Line[]) => {
    const answered = lines.filter(({ msg, status }) => msg === 'answered' && status === 500);
    const leftOut = lines.filter(({ line, status }) => line === 'answered' && status === 500);
    return answered.length + leftOut.reduce((sum, { leftOut = 0 }) => sum + leftOut, 0);
  };
  const wholeLines = () => linesOf(server.stderr().replace(/[^\n]*$/, ''));
  // A line at the end of each second counts the lines that were left out in it.
  await until('all are counted', () => countOf(wholeLines()) >= faults.length);
  const lines = wholeLines();
  const told = new Set(lines.map(({ reqId }) => reqId));
  for (const id of [...refused, ...faults]) assert.ok(told.has(id), id);
  assert.equal(lines.filter(({ msg }) => msg === 'fault').length, faults.length);
  assert.equal(countOf(lines), faults.length);
}

for (const workers of ['1', '2']) {
  test(`WORKERS=${workers}: a flood of refusals writes few lines, whose counts add up`, onLinux, async (t) => {
    const { databaseUrl, token } = await garden(t);
    const server = await serve(t, {
      databaseUrl,
      env: { WORKERS: workers, LOG_LEVEL: 'info', RATE_LIMIT: '0' },
    });
    if (workers === '1') await t.test(logsAll, () => provokeByHand(server, { databaseUrl, token }));
    const requests = 500;
    const since = performance.now();
    const statuses = await flood(server.url, problems, { requests });
    const seconds = (performance.now() - since) / 1000;
    assert.deepEqual([...statuses], [['401', requests]]);
    assert.equal((await end(server)).code, 0);
    const lines = linesOf(server.stderr());
    const told = lines.filter(({ msg, status }) => msg === 'answered' && status === 401);
    const leftOut = lines.filter(({ line, status }) => line === 'answered' && status === 401);
    const sum = told.length + leftOut.reduce((all, { leftOut = 0 }) => all + leftOut, 0);
    assert.equal(sum, requests);
    // A window may begin and end anywhere in a second.
    const windows = Number(workers) * (Math.ceil(seconds) + 1);
    assert.ok(told.length <= 20 * windows, `${told.length} lines`);
    assert.ok(leftOut.length >= 1 && leftOut.length <= windows, `${leftOut.length} counts`);
    t.diagnostic(
      `${requests} refusals in ${seconds.toFixed(1)} s: ${lines.length} lines, ${server.stderr().length} bytes`,
    );
  });

  // `npm test` does it with several processes, whose lines pass through the first one; `npm test faults` also with one.
  const stalls = workers === '1' && !isThorough ? { skip: 'npm test faults does it' } : onLinux;
  test(`WORKERS=${workers}: a reader of the log that stalls costs lines and nothing else`, stalls, async (t) => {
    const { databaseUrl, token } = await garden(t);
    const env = {
      WORKERS: workers,
      LOG_LEVEL: 'debug',
      RATE_LIMIT: '0',
      BASE_URL: `http://localhost:8080${longBase}`,
    };
    const server = await serve(t, { databaseUrl, env });
    const floods = async () => {
      const requests = fillsBuffers;
      const asked = { requests, token, id: longestId };
      const statuses = await flood(server.url, `${longBase}${problems}1/`, asked);
      assert.deepEqual([...statuses], [['200', requests]]);
    };
    server.child.stderr?.pause();
    await floods();
    server.child.stderr?.resume();
    await until('it says what was lost', () => /"lost":\d+/.test(server.stderr()));
    server.child.stderr?.pause();
    await floods();
    assert.equal((await end(server)).code, 0);
  });
}

test('a server starts and serves where its output can be neither read nor written', onLinux, async (t) => {
  const { databaseUrl, token } = await garden(t);
  const full = openSync('/dev/full', 'w');
  t.after(() => closeSync(full));
  const asked: [output: 'pipe' | number, workers: string][] = [
    ['pipe', '2'],
    [full, '1'],
  ];
  if (isThorough) asked.push(['pipe', '1'], [full, '2']);
  for (const [output, WORKERS] of asked) {
    const port = await freePort();
    const server = spawn(process.execPath, [launcher, 'serve', '--port', String(port)], {
      env: environment({ databaseUrl, env: { WORKERS, LOG_LEVEL: 'debug' } }),
      stdio: ['ignore', output, output],
    });
    t.after(() => server.kill());
    for (const stream of [server.stdout, server.stderr]) stream?.destroy();
    const url = `http://127.0.0.1:${port}`;
    const isReady = () => isWell(url, '/readyz');
    await until('it is ready', isReady);
    await flood(url, problems, { requests: 200 });
    await sleep(200);
    assert.ok(await isReady());
    assert.equal((await send(url, `${problems}1/`, { token })).status, 200);
    const exit = once(server, 'exit');
    server.kill('SIGTERM');
    assert.deepEqual(await exit, [0, null]);
  }
});
