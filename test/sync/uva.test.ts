/** Syncing with UVa: one answer has all that is new since what can no longer change. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { syncCatalogue } from '../../src/jobs/sync-runs.ts';
import { replayUva, type UvaRow, type UvaRows } from '../replay/uva.ts';
import { keptIds, syncing as syncingWith } from './support.ts';

const dayMs = 86_400_000;
const now = Math.floor(Date.now() / 1000);
const sentOn = (id: number, pid: number, verdict: number, daysAgo: number): UvaRow => [
  ...([id, pid, verdict, 10, now - daysAgo * 86_400] as const),
  ...[5, -1],
];
const problem = (pid: number) => [pid, pid + 64, `Task ${pid}`, 5, 0, 0, 0];

async function syncing(t: TestContext, rows: UvaRows) {
  const made = await syncingWith(t, 'uva', replayUva(rows));
  const sync = async () => {
    const { ids, asked } = await made.sync();
    return { count: ids.length, asked: asked.join(' ') };
  };
  return { ...made, sync };
}

test('a second run asks for what may still change: the last days, and what waits in the queue', async (t) => {
  const rows: UvaRows = {
    submissions: { bob: [], ada: [sentOn(5, 36, 70, 30), sentOn(7, 36, 20, 20), sentOn(9, 37, 90, 15)] },
    problems: [problem(36), problem(37)],
  };
  const { sync, garden, ask } = await syncing(t, rows);
  await syncCatalogue(garden.store, 'uva', 'problems', ask);
  const words = async () => (await garden.rows('statuses')).map(({ status }) => status);
  assert.deepEqual(await sync(), { count: 3, asked: '/uname2uid/ada /subs-user/2/0' });
  assert.deepEqual(await words(), ['practicing', 'complete']);
  rows.submissions['ada']?.splice(1, 1, sentOn(7, 36, 90, 20));
  assert.deepEqual(await sync(), { count: 3, asked: '/subs-user/2/6' });
  assert.deepEqual(await words(), ['complete', 'complete']);
  rows.submissions['ada']?.push(sentOn(12, 37, 90, 1));
  assert.deepEqual(await sync(), { count: 4, asked: '/subs-user/2/9' });
  assert.deepEqual(await sync(), { count: 4, asked: '/subs-user/2/11' });
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 31 * dayMs });
  assert.deepEqual(await sync(), { count: 4, asked: '/subs-user/2/0' });
});

test('an unknown user is told, and an answer for somebody else is not kept', async (t) => {
  const unknown = await syncing(t, { submissions: { bob: [] } });
  await assert.rejects(unknown.sync(), /uHunt has no user ada; if the name there changed, use garden handle rename/);
  const answering = (uname: string, subs: unknown) =>
    syncingWith(t, 'uva', (path) => ({ body: path === '/uname2uid/ada' ? 1 : { uname, subs } }));
  const others = await answering('bob', [sentOn(1, 36, 90, 1)]);
  await assert.rejects(others.sync(), /its answer is for the user "bob"/);
  assert.deepEqual(await keptIds(others.garden), []);
  for (const subs of [[{ 4: 1 }], [['x', 1, 1, 1, 1]], [[null, 1, 1, 1, 1]]]) {
    const odd = await answering('ada', subs);
    await assert.rejects(odd.sync(), /its answer is not a list of submissions/);
  }
});
