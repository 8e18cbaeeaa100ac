/** Syncing with LeetCode, which shows the twenty newest: it says since when everything is here. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { handleHealth } from '../../src/jobs/sync-health.ts';
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
