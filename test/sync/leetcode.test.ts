/** Syncing with LeetCode, which shows the twenty newest: it says since when everything is here. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { handleHealth } from '../../src/jobs/sync-health.ts';
import { listRenamedProblems } from '../../src/practice/merging.ts';
import { acceptedRow, type LeetCodeRow, replayLeetCode, replayLeetCodeCn } from '../replay/leetcode.ts';
import { syncing as syncingWith } from './support.ts';

const hour = 3_600;
const now = Math.floor(Date.now() / 1000);
const longAgo = now - 40 * 24 * hour;

type Accepted = Record<string, LeetCodeRow[] | null>;

async function syncing(t: TestContext, accepted: Accepted, site: 'leetcode' | 'leetcode-cn' = 'leetcode') {
  const replay = site === 'leetcode' ? replayLeetCode : replayLeetCodeCn;
  const made = await syncingWith(t, site, replay(accepted));
  const sync = async () => {
    const { ids, report } = await made.sync();
    const [health] = await handleHealth(made.garden.store.reader, new Date());
    const since = health?.allSince ? Date.parse(health.allSince) / 1000 : undefined;
    return { count: ids.length, unmatched: report.unmatched, since };
  };
  return { ...made, sync };
}

test('what is asked for in time is all here, and a gap is told', async (t) => {
  const rows = Array.from({ length: 30 }, (_, at) => acceptedRow(`task-${at}`, longAgo + at * hour));
  const { sync, garden } = await syncing(t, { ada: rows });
  const first = await sync();
  assert.deepEqual([first.count, first.unmatched, first.since], [20, 0, longAgo + 10 * hour]);
  assert.equal((await garden.rows('problems')).length, 20);
  rows.push(...[1, 2, 3].map((at) => acceptedRow(`task-${at}`, now - 30 * hour + at)));
  const second = await sync();
  assert.deepEqual([second.count, second.since], [23, first.since], 'solved again, and new to the garden');
  assert.equal((await garden.rows('problems')).length, 23);
  rows.push(...Array.from({ length: 25 }, (_, at) => acceptedRow(`later-${at}`, now - 20 * hour + at)));
  const third = await sync();
  assert.deepEqual([third.count, third.since], [43, now - 20 * hour + 5]);
  assert.deepEqual((await sync()).count, 43);
});

test('an unknown user is told apart from one who hides the list, and from somebody else', async (t) => {
  const unknown = await syncing(t, {});
  await assert.rejects(unknown.sync(), /LeetCode has no user ada; if the name there changed, use garden handle rename/);
  const hidden = await syncing(t, { ada: null });
  assert.equal((await hidden.sync()).count, 0);
  const data = { matchedUser: { username: 'bob' }, recentAcSubmissionList: [acceptedRow('x', now)] };
  const other = await syncingWith(t, 'leetcode', () => ({ body: { data } }));
  await assert.rejects(other.sync(), /its answer is for the user "bob"/);
});

test('what LeetCode says in place of the list is in the sentence', async (t) => {
  const says = 'Cannot query field "lang" on type "Dump".';
  for (const site of ['leetcode', 'leetcode-cn'] as const) {
    const { sync } = await syncingWith(t, site, () => ({ status: 400, body: { errors: [{ message: says }] } }));
    await assert.rejects(sync(), new RegExp(`sent an unexpected answer: it says “${says}”`));
  }
});

test('a submission under another slug is the same one, unless two are in its second', async (t) => {
  const rows = [acceptedRow('old-a', now - 50), acceptedRow('b', now - 40), acceptedRow('old-c', now - 40)];
  const accepted = { ada: rows };
  const { garden, sync } = await syncing(t, accepted);
  const { store } = garden;
  await garden.import('problems', [{ source: 'leetcode', source_key: 'old-a', title: 'A' }]);
  const kept = async () => {
    const solves = await store.reader.selectFrom('solves').selectAll().orderBy('submission_id').execute();
    return solves.map((one) => `${one.submission_id.slice(String(now).length + 1)} ${one.key}`);
  };
  const solved = async () => {
    const problems = new Map((await garden.rows('problems')).map((one) => [one['id'], one['source_key']]));
    return (await garden.rows('statuses')).map(({ problem }) => problems.get(problem)).toSorted();
  };
  await sync();
  assert.deepEqual(await solved(), ['b', 'old-a', 'old-c']);
  rows[0] = acceptedRow('new-a', now - 50);
  for (let again = 0; again < 2; again++) {
    await sync();
    assert.deepEqual(await kept(), ['old-a new-a', 'b b', 'old-c old-c']);
    assert.deepEqual(await solved(), ['b', 'new-a', 'old-c']);
  }
  rows[2] = acceptedRow('new-c', now - 40);
  await sync();
  assert.deepEqual(await kept(), ['old-a new-a', 'b b', 'old-c new-c'], 'the other of this second is listed');
  rows.push(acceptedRow('d', now - 50), acceptedRow('e', now - 50));
  rows.splice(0, 1);
  await sync();
  assert.deepEqual((await kept()).length, 5, 'nobody knows which of two it was');
  const pairs = await listRenamedProblems(store.reader, ['leetcode']);
  const names = pairs.map(({ before, after }) => `${before.source_key} ${after.source_key}`);
  assert.deepEqual(names.toSorted(), ['old-a new-a', 'old-c new-c']);
});

test('leetcode.cn shows its newest solves of the same problems to a handle there', async (t) => {
  const rows = Array.from({ length: 30 }, (_, at) => acceptedRow(`task-${at}`, longAgo + at * hour));
  const { sync, garden, replay } = await syncing(t, { ada: rows }, 'leetcode-cn');
  const first = await sync();
  assert.deepEqual([first.count, first.since], [15, longAgo + 15 * hour]);
  assert.deepEqual(
    replay.log.map(({ path }) => path),
    ['/graphql/noj-go/'],
  );
  const [problem] = await garden.rows('problems');
  assert.deepEqual([problem?.['source'], problem?.['title']], ['leetcode', 'The task-29']);
  rows.push(...Array.from({ length: 16 }, (_, at) => acceptedRow(`later-${at}`, now - 20 * hour + at)));
  const second = await sync();
  assert.deepEqual([second.count, second.since], [30, now - 20 * hour + 1], 'one may be missing, and it is said');
  const [health] = await handleHealth(garden.store.reader, new Date());
  assert.equal(health?.site, 'leetcode.cn');
});

test('leetcode.cn is asked about a name without rows, which nobody may have', async (t) => {
  const unknown = await syncing(t, {}, 'leetcode-cn');
  await assert.rejects(
    unknown.sync(),
    /leetcode\.cn has no user ada; if the name there changed, use garden handle rename/,
  );
  for (const rows of [null, []]) {
    const silent = await syncing(t, { ada: rows }, 'leetcode-cn');
    assert.equal((await silent.sync()).count, 0);
    assert.equal((await silent.sync()).since, (await silent.sync()).since);
  }
  const answers = (profile: unknown) =>
    syncingWith(t, 'leetcode-cn', (path) => ({
      body: { data: path === '/graphql/' ? { userProfilePublicProfile: profile } : { recentACSubmissions: null } },
    }));
  await assert.rejects((await answers({ profile: { userSlug: 'bob' } })).sync(), /its answer is for the user "bob"/);
  await assert.rejects((await answers({ profile: null })).sync(), /leetcode\.cn sent an unexpected answer/);
  const failing = { data: { recentACSubmissions: null }, errors: [{ message: 'Too busy' }] };
  const other = await syncingWith(t, 'leetcode-cn', () => ({ body: failing }));
  await assert.rejects(other.sync(), /leetcode\.cn sent an unexpected answer/);
});
