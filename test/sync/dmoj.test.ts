/** Syncing with DMOJ, whether a site lists the oldest or the newest first: a run that stops goes on, and all rows are kept. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { syncCatalogue } from '../../src/jobs/sync-runs.ts';
import { type DmojOptions, type DmojRows, dmojRow, replayDmoj } from '../replay/dmoj.ts';
import { keptIds, syncing as syncingWith } from './support.ts';

const dayMs = 86_400_000;
const start = Date.parse('2026-01-01T00:00:00Z');
const row = (id: number, day: number, result?: string) => dmojRow(id, `p${id % 40}`, start + day * dayMs, result);
const problemOf = (code: string) => ({ code, name: code, types: ['Graph Theory'], group: 'x', points: 1 });

async function syncing(t: TestContext, rows: DmojRows, options: DmojOptions = {}) {
  const made = await syncingWith(t, 'dmoj', replayDmoj(rows, { pageSize: 100, ...options }));
  const sync = async () => {
    const { asked, ...done } = await made.sync();
    const pages = asked.flatMap((path) => /page=(\d+)/.exec(path)?.[1] ?? []);
    return { ...done, asked: pages.join(' '), userRequests: asked.length - pages.length };
  };
  return { ...made, sync };
}

const idsOf = ({ submissions }: DmojRows) => submissions.map(({ id }) => id).toSorted((a, b) => a - b);

for (const isNewestFirst of [false, true]) {
  const order = isNewestFirst ? 'newest' : 'oldest';

  test(`with the ${order} first, a run that stops goes on, and nothing is lost`, async (t) => {
    const rows: DmojRows = { submissions: Array.from({ length: 350 }, (_, at) => row(at + 1, at)) };
    const { sync, replay, garden } = await syncing(t, rows, { isNewestFirst });
    replay.fail('dmoj', { kind: 'none' }, { kind: 'none' }, { kind: 'none' }, { kind: 'reset' });
    await assert.rejects(sync(), /could not be reached/);
    assert.equal((await keptIds(garden)).length, 200, 'what came is kept');
    const rest = await sync();
    assert.deepEqual(rest.ids, idsOf(rows));
    assert.equal(rest.asked, isNewestFirst ? '1 2 3 4' : '3 4');
  });
}

test('solved is what the site’s own list has: full points, and not archived', async (t) => {
  const problems = ['p1', 'p2', 'p3', 'p4'].map((code) => ({ ...problemOf(code), points: 5 }));
  const sent = (id: number, points: unknown, result = 'AC') => ({ ...row(id, id, result), points });
  const rows: DmojRows = {
    problems,
    archived: [3],
    submissions: [sent(1, 5), sent(2, 4.9), sent(3, 5), sent(4, 0, 'WA')],
  };
  const { sync, garden, ask } = await syncing(t, rows);
  await syncCatalogue(garden.store, 'dmoj', 'problems', ask);
  const kept = async () => {
    const solves = await garden.store.reader.selectFrom('solves').selectAll().orderBy('submission_id').execute();
    return solves.map((one) => `${one.key} ${one.verdict_class} ${one.verdict}`);
  };
  assert.equal((await sync()).userRequests, 1);
  const first = ['p1 solved AC', 'p2 tried AC (partial)', 'p3 tried AC (partial)', 'p4 tried WA'];
  assert.deepEqual(await kept(), first);
  assert.deepEqual(
    (await garden.rows('statuses')).map(({ status }) => status),
    ['complete', 'practicing', 'practicing', 'practicing'],
  );
  rows.submissions.push({ ...sent(5, 5), problem: 'p2' });
  await sync();
  assert.deepEqual(await kept(), [first[0], 'p2 solved AC', ...first.slice(2), 'p2 solved AC'], 'the list names p2');
});

test('a site without that list counts AC, and one that fails to send it leaves the page for the next run', async (t) => {
  const objects = [row(1, 1), row(2, 2, 'WA')];
  let user: { status?: number; body: unknown } = { body: { data: { object: { username: 'ada' } } } };
  const { sync, garden } = await syncingWith(t, 'dmoj', (path) =>
    path.startsWith('/api/v2/user/') ? user : { body: { data: { has_more: false, objects } } },
  );
  const states = async () =>
    (await garden.store.reader.selectFrom('solves').select('verdict').execute()).map(Object.values);
  for (const answer of [user, { status: 404, body: 'Not found' }]) {
    user = answer;
    await sync();
    assert.deepEqual(await states(), [['AC'], ['WA']]);
  }
  objects.push(row(3, 3));
  user = { status: 502, body: 'Bad Gateway' };
  await assert.rejects(sync(), /DMOJ is down/);
  assert.equal((await states()).length, 2);
});

test('a club’s own site is asked, and its problems have its addresses', async (t) => {
  const problems = Array.from({ length: 250 }, (_, at) => problemOf(`p${at}`));
  const { garden, ask, replay } = await syncing(t, { submissions: [], problems });
  const { report } = await syncCatalogue(garden.store, 'dmoj', 'problems', ask);
  assert.equal(report.new, 250);
  const found = await garden.rows('problems');
  assert.equal(found[0]?.['url'], `${replay.url}/dmoj/problem/p0`);
  assert.deepEqual(found[0]?.['tags'], ['graph theory']);
});
