/**
 * A log that is not read stops no answer and takes bounded memory. GARDEN_LOG_FLOOD sets how many requests each flood has;
 * 200000 take some minutes.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { flood } from '../../test/support/flood.ts';
import { importRows, memberWithToken, type Server, serve, temporaryDatabase } from '../../test/support/garden.ts';
import { send } from '../../test/support/http.ts';
import { figuresOf } from '../../test/support/processes.ts';
import { until } from '../../test/support/waiting.ts';

const problems = '/problem_list/api/problems/';
const onLinux = { skip: process.platform === 'linux' ? false : 'reads /proc' };
/** By the number of workers. Measured: 25 MiB with one and 39 to 46 with two; where lines are kept, 39 and 82. */
const growthAtMostMib: Record<string, number> = { 1: 29, 2: 68 };
const asked = Number(process.env['GARDEN_LOG_FLOOD'] ?? 0);
/**
 * So many that a server which keeps the lines for its reader outgrows the bound: they take 36 MB in one process, and 87 MB where
 * two workers hand theirs to the primary. At info the lines are sampled, which takes fewer to show.
 */
const floodOf = (workers: string, level: string) =>
  asked || (level === 'debug' ? (workers === '1' ? 35_000 : 55_000) : 20_000);
/** Both are in the line of each answer: longer lines need fewer requests. */
const longestId = 'i'.repeat(64);
const longBase = `/${'b'.repeat(24)}`.repeat(28);
/** Fills the buffer of the log, 1 MiB, in each of two processes. */
const fillsBuffers = 8_000;

/** Asks for one thing after another until it is stopped; answers the longest time that one took. */
function goodClient(url: string, target: string, token: string): () => Promise<{ answers: number; longestMs: number }> {
  let isStopping = false;
  const asking = (async () => {
    let [answers, longestMs] = [0, 0];
    while (!isStopping) {
      const since = performance.now();
      const { status } = await send(url, target, { token });
      assert.equal(status, 200);
      answers++;
      longestMs = Math.max(longestMs, performance.now() - since);
      await sleep(5);
    }
    return { answers, longestMs };
  })();
  return () => {
    isStopping = true;
    return asking;
  };
}

/** Sends SIGTERM; answers the exit code and how long the end took. The end does not wait for a pipe that is not read. */
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
  await importRows(databaseUrl, 'problems', [{ id: 1, title: 'x', source: 'here', source_key: 'k' }]);
  return { databaseUrl, token };
}

for (const workers of ['1', '2'])
  for (const level of ['info', 'debug']) {
    const what = `WORKERS=${workers}, LOG_LEVEL=${level}: a reader of the log that stalls costs lines and nothing else`;
    test(what, onLinux, async (t) => {
      const { databaseUrl, token } = await garden(t);
      const base = level === 'debug' ? longBase : '';
      const env = {
        WORKERS: workers,
        LOG_LEVEL: level,
        RATE_LIMIT: '0',
        BASE_URL: `http://localhost:8080${base}`,
      };
      const server = await serve(t, { databaseUrl, env });
      const floods = async (requests: number) => {
        const statuses = await flood(server.url, `${base}${problems}1/`, {
          requests,
          ...(level === 'debug' && { token, id: longestId }),
        });
        assert.deepEqual([...statuses], [[level === 'debug' ? '200' : '401', requests]]);
      };
      server.child.stderr?.pause();
      // A server that has worked keeps some memory, which is not that of the log.
      await floods(asked ? 40_000 : 10_000);
      const before = figuresOf(server).memory;
      const stop = goodClient(server.url, `${base}${problems}1/`, token);
      const since = performance.now();
      const requests = floodOf(workers, level);
      await floods(requests);
      const seconds = (performance.now() - since) / 1000;
      const growth = figuresOf(server).memory - before;
      const { answers, longestMs } = await stop();
      t.diagnostic(
        `${requests} answers in ${seconds.toFixed(1)} s, ${growth.toFixed(1)} MiB more than ${before.toFixed(0)}; ` +
          `${answers} answers to another client, the slowest after ${longestMs.toFixed(0)} ms`,
      );
      assert.ok(growth < (growthAtMostMib[workers] ?? 0), `${growth} MiB`);
      assert.ok(answers > 20 && longestMs < 1_000, `${answers} answers, one after ${longestMs} ms`);
      if (level === 'debug') {
        // The reader reads again, and hears how much was lost.
        server.child.stderr?.resume();
        const lost = () => [...server.stderr().matchAll(/"lost":(\d+)/g)].reduce((sum, [, n]) => sum + Number(n), 0);
        await until('it says that most were lost', () => lost() > requests / 2);
        t.diagnostic(`${lost()} lines were lost`);
        server.child.stderr?.pause();
        await floods(fillsBuffers);
      }
      const { code, ms } = await end(server);
      assert.equal(code, 0);
      assert.ok(ms < 4_000, `ended after ${ms} ms`);
      t.diagnostic(`ended ${ms.toFixed(0)} ms after SIGTERM`);
    });
  }
