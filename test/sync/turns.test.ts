/** The rate at which a judge is asked, by all processes on a database together: two servers and a command. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judges } from '../../src/judges/judges.ts';
import { addHandle } from '../../src/practice/handles.ts';
import { getMemberByName } from '../../src/practice/members.ts';
import { codeforces } from '../importing/support.ts';
import { replayCodeforces } from '../replay/codeforces.ts';
import { garden, memberWithToken, serve, temporaryDatabase, withStore } from '../support/garden.ts';
import { until } from '../support/waiting.ts';
import { replayOf, rowsSent } from './support.ts';

test('two servers and garden sync at once ask Codeforces once in two seconds', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const names = ['ada', 'bob', 'eve'];
  const status = Object.fromEntries(names.map((name) => [name, rowsSent(name, ['1A', 'OK', 100])]));
  const problems = (codeforces({ contestId: 1, index: 'A', name: 'One' }) as { result: unknown }).result;
  const replay = await replayOf(t, { codeforces: replayCodeforces({ status, problems }) });
  for (const name of names) await memberWithToken(databaseUrl, name);
  await withStore(databaseUrl, (store) =>
    store.write(async (tx) => {
      for (const name of names) await addHandle(tx, (await getMemberByName(tx, name)).id, 'codeforces', name);
    }),
  );
  const env = { SYNC: 'on', JUDGE_URLS: `codeforces=${replay.url}/codeforces` };
  const run = garden(['sync', '--json'], { databaseUrl, env });
  const servers = await Promise.all([1, 2].map(() => serve(t, { databaseUrl, env })));
  const { code, stderr } = await run;
  assert.equal(code, 0, stderr);
  // Ratings are asked for as well where the contests were here before a handle's turn came.
  const lists = ['/user.status', '/user.info', '/problemset.problems', '/contest.list'];
  const asked = () => new Set(replay.log.map(({ path }) => path.split('?')[0]));
  await until('all is asked for', () => lists.every((list) => asked().has(list)), { timeoutMs: 120_000 });
  for (const server of servers) assert.equal(await server.stop(), 0, server.stderr());
  const gaps = replay.log.slice(1).map(({ at }, before) => at - (replay.log[before]?.at ?? 0));
  const { intervalMs } = judges.codeforces.api;
  assert.ok(gaps.length >= 5, `${gaps.length + 1} requests`);
  // A busy machine hands a request over late; the next one then follows sooner, and both gaps together have their length.
  for (const [nth, gap] of gaps.entries()) {
    const both = gap + (gaps[nth - 1] ?? 0);
    assert.ok(gap >= intervalMs || both >= 2 * intervalMs, `gaps of ${gaps.map(Math.round).join(', ')} ms`);
  }
  t.diagnostic(`gaps of ${gaps.map(Math.round).join(', ')} ms`);
  const times = replay.log.filter(({ path }) => path.startsWith('/problemset.problems?lang')).length;
  assert.equal(times, 1, 'one server leads');
});
