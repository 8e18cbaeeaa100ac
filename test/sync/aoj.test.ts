/** Syncing with AOJ: pages with the newest first, which move while they are read. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type AojRows, aojRow, replayAoj } from '../replay/aoj.ts';
import { syncing as syncingWith } from './support.ts';

const dayMs = 86_400_000;
const sentOn = (id: number, daysAgo: number, status = 4) =>
  aojRow(id, `P_${id % 40}`, status, Date.now() - daysAgo * dayMs);

async function syncing(t: TestContext, rows: AojRows) {
  const made = await syncingWith(t, 'aoj', replayAoj(rows, 100));
  const sync = async () => {
    const { ids, asked } = await made.sync();
    return { count: ids.length, asked: asked.map((path) => /page=(\d+)/.exec(path)?.[1] ?? path).join(' ') };
  };
  return { ...made, sync };
}

const history = (count: number): AojRows => ({
  submissions: Array.from({ length: count }, (_, at) => sentOn(at + 1, count - at + 20)),
});

test('a second run asks for the last days alone, and after a month for all', async (t) => {
  const rows = history(250);
  const { sync, garden } = await syncing(t, rows);
  assert.deepEqual(await sync(), { count: 250, asked: '0 1 2 3' });
  assert.equal((await garden.rows('problems')).length, 40);
  rows.submissions.push(sentOn(251, 1, 5));
  assert.deepEqual(await sync(), { count: 251, asked: '0' });
  rows.submissions[250] = sentOn(251, 1);
  assert.deepEqual(await sync(), { count: 251, asked: '0' });
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 31 * dayMs });
  assert.deepEqual(await sync(), { count: 251, asked: '0 1 2 3' });
});

test('a run that stops goes on with its page, after what is new, and nothing is lost', async (t) => {
  const rows = history(350);
  const { sync, replay } = await syncing(t, rows);
  replay.fail('aoj', { kind: 'none' }, { kind: 'none' }, { kind: 'reset' });
  await assert.rejects(sync(), /could not be reached/);
  for (let id = 351; id <= 360; id++) rows.submissions.push(sentOn(id, 0.1));
  assert.deepEqual(await sync(), { count: 360, asked: '0 2 3 4' });
  assert.deepEqual(await sync(), { count: 360, asked: '0' });
});

test('an unknown user is told apart from one who sent nothing, and rows of others are left out', async (t) => {
  const rows: AojRows = { submissions: [] };
  const { sync } = await syncing(t, rows);
  await assert.rejects(sync(), /AOJ has no user ada; if the name there changed, use garden handle rename/);
  rows.users = ['ada'];
  assert.equal((await sync()).count, 0);
  const others = await syncingWith(t, 'aoj', (_path, query) => ({
    body: query.get('page') === '0' ? [sentOn(2, 1), { ...sentOn(1, 2), userId: 'bob' }] : [],
  }));
  const { notes, ids } = await others.sync();
  assert.match(notes, /this was submitted by bob, not by ada/);
  assert.deepEqual(ids, [2]);
});
