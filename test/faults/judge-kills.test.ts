/**
 * garden sync that is killed at any moment: one run more, and the database is that of a run that nobody disturbed, row for row.
 * One round in a usual run; npm test faults takes twenty.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { removeHandle } from '../../src/practice/handles.ts';
import { listHandles } from '../../src/store/handles.ts';
import { codeforces, type Garden, openGarden, type Sent } from '../importing/support.ts';
import { replayCodeforces } from '../replay/codeforces.ts';
import { dmojRow, replayDmoj } from '../replay/dmoj.ts';
import type { Replay } from '../replay/replay.ts';
import { passedAtLuogu, replayLuogu, replayVjudge } from '../replay/solved-lists.ts';
import { environment, launcher, root } from '../support/garden.ts';
import { until } from '../support/waiting.ts';
import { keptIn, link, replayOf, rowsSent } from '../sync/support.ts';

const rounds = Math.min(Number(process.env['GARDEN_FAULT_ROUNDS'] ?? 1), 20);
const second = 1_750_000_000;

const verdicts = ['OK', 'WRONG_ANSWER', 'COMPILATION_ERROR', 'TESTING', 'WRONG_ANSWER'];
const keys = Array.from({ length: 131 }, (_, at) => `${at + 1}A`);
const status = rowsSent(
  'ada',
  ...Array.from({ length: 1300 }, (_, at): Sent => [keys[(at * 7) % 130] ?? '', verdicts[at % 5], second - at * 60]),
);
const catalogue = codeforces(...keys.map((name, at) => ({ contestId: at + 1, index: 'A', name })));
const codes = Array.from({ length: 50 }, (_, at) => `p${at}`);
const sent = Array.from({ length: 500 }, (_, at) =>
  dmojRow(at + 1, codes[(at * 3) % 50] ?? '', (second + at * 60) * 1000, at % 3 ? 'WA' : 'AC'),
);
const problems = codes.map((code) => ({ code, name: code, types: [], group: 'x', points: 1 }));

async function prepared(t: TestContext): Promise<{ garden: Garden; before: unknown }> {
  const garden = await openGarden(t);
  await garden.import('records', [{ username: 'ada' }]);
  await garden.import('codeforces-problems', catalogue);
  await garden.import('dmoj-problems', { data: { objects: problems } });
  const marks = [1, 2, 3, 131, 132].map((id) => ({
    username: 'ada',
    problem: id,
    status: 'skipped',
    updated_at: '2020-01-01T00:00:00.000Z',
    origin: id === 131 ? 'judge' : 'self',
  }));
  await garden.import('statuses', marks);
  const before = await keptIn(garden);
  await link(garden, 'codeforces', 'ada');
  await link(garden, 'dmoj', 'ada');
  await link(garden, 'vjudge', 'ada');
  await link(garden, 'luogu', '7');
  return { garden, before };
}

async function sync({ databaseUrl }: Garden, replay: Replay, kill?: (end: () => void) => Promise<void>) {
  const judges = ['codeforces', 'dmoj', 'vjudge', 'luogu'];
  const env = { JUDGE_URLS: judges.map((name) => `${name}=${replay.url}/${name}`).join() };
  const child = spawn(process.execPath, [launcher, 'sync'], {
    cwd: root,
    env: environment({ databaseUrl, env }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close');
  await kill?.(() => child.kill('SIGKILL'));
  const [code, signal] = await ended;
  return { code, signal, stderr };
}

async function marksByHand({ store: { reader } }: Garden) {
  return reader
    .selectFrom('statuses')
    .select(['problem_id', 'self_status', 'self_at', 'how'])
    .where('self_status', 'is not', null)
    .orderBy('problem_id')
    .execute();
}

test(`garden sync killed at any moment, ${rounds} times`, async (t) => {
  const replay = await replayOf(t, {
    codeforces: replayCodeforces({ status: { ada: status } }),
    // All of p0 is archived, so it is no solve.
    dmoj: replayDmoj({ submissions: sent, problems, archived: [1, 151, 301, 451] }, { pageSize: 200 }),
    // Both judges have problems that are solved, only tried, and not in the garden.
    vjudge: replayVjudge({ ada: { acRecords: { CodeForces: ['1A', '2A', '131A'], Kattis: ['zamka'] } } }),
    luogu: replayLuogu({ 7: passedAtLuogu('CF3A', 'CF1A', 'P1001') }),
  });
  const whole = await prepared(t);
  const { code, stderr } = await sync(whole.garden, replay);
  assert.equal(code, 0, stderr);
  const requests = replay.log.length;
  assert.equal(new Set(replay.log.map(({ judge, path }) => judge + path)).size, 9);
  const expected = await keptIn(whole.garden);
  assert.equal(expected.solves.filter(({ verdict }) => verdict === 'AC (partial)').length, 4);
  const byHand = await marksByHand(whole.garden);
  assert.equal(byHand.length, 4);
  let killed = 0;
  for (let round = 0; round < rounds; round++) {
    const { garden, before } = await prepared(t);
    replay.log.length = 0;
    const nth = round === 0 ? 1 : 1 + Math.floor(Math.random() * requests);
    const ended = await sync(garden, replay, async (end) => {
      await until('the request', () => replay.log.length >= nth);
      await sleep(Math.random() * 250);
      end();
    });
    if (ended.signal === 'SIGKILL') killed++;
    const kept = await garden.store.reader.selectFrom('solves').select('submission_id').execute();
    assert.deepEqual(await marksByHand(garden), byHand, `round ${round}: marks by hand after ${kept.length} rows`);
    const again = await sync(garden, replay);
    assert.equal(again.code, 0, again.stderr);
    const found = await keptIn(garden);
    assert.ok(JSON.stringify(found, exact) === JSON.stringify(expected, exact), `round ${round}, request ${nth}`);
    assert.deepEqual(await marksByHand(garden), byHand);
    for (const { id } of await listHandles(garden.store.reader)) {
      await garden.store.write((tx) => removeHandle(tx, id));
    }
    assert.deepEqual(await keptIn(garden), before, 'unlinked, all is as it was');
  }
  t.diagnostic(`${killed} of ${rounds} were killed before their end`);
  assert.ok(killed > 0);
});

const exact = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
