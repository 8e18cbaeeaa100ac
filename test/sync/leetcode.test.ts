/** Syncing with LeetCode, which shows the twenty newest: it is asked every hour, and says since when everything is here. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handleHealth } from '../../src/jobs/sync-health.ts';
import { syncHandle } from '../../src/jobs/sync-runs.ts';
import { acceptedRow, type LeetCodeRow, replayLeetCode } from '../replay/leetcode.ts';
import { askReplay, gardenWithHandle, replayOf } from './support.ts';

const hour = 3_600;
const now = Math.floor(Date.now() / 1000);
const longAgo = now - 40 * 24 * hour;

async function syncing(t: Parameters<typeof replayOf>[0], accepted: Record<string, LeetCodeRow[] | null>) {
  const replay = await replayOf(t, { leetcode: replayLeetCode(accepted) });
  const { garden, handle } = await gardenWithHandle(t, 'leetcode', 'ada');
  const { reader } = garden.store;
  const ask = askReplay(garden.store, 'leetcode', replay, { pace: { retries: 0 } });
  const sync = async () => {
    const { report } = await syncHandle(garden.store, handle, ask);
    const kept = await reader.selectFrom('solves').select('submission_id').execute();
    const [health] = await handleHealth(reader, new Date());
    const since = health?.allSince ? Date.parse(health.allSince) / 1000 : undefined;
    const dueIn = ((health?.nextAt?.getTime() ?? 0) - Date.now()) / 1000;
    return { count: kept.length, unmatched: report.unmatched, since, dueIn };
  };
  return { garden, sync };
}

test('what is asked for in time is all here, and a gap is told', async (t) => {
  const rows = Array.from({ length: 30 }, (_, at) => acceptedRow(`task-${at}`, longAgo + at * hour));
  const { sync, garden } = await syncing(t, { ada: rows });
  const first = await sync();
  assert.deepEqual([first.count, first.unmatched, first.since], [20, 0, longAgo + 10 * hour]);
  assert.ok(first.dueIn > 0 && first.dueIn < 1.2 * hour, `a handle at rest is asked in ${first.dueIn} s`);
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
  await assert.rejects(unknown.sync(), /LeetCode has no user ada\. Unlink this handle and link the right one\./);
  const hidden = await syncing(t, { ada: null });
  assert.equal((await hidden.sync()).count, 0);
  const answer = {
    data: { matchedUser: { username: 'bob' }, recentAcSubmissionList: [acceptedRow('x', now)] },
  };
  const replay = await replayOf(t, { leetcode: () => ({ body: answer }) });
  const { garden, handle } = await gardenWithHandle(t, 'leetcode', 'ada');
  const ask = askReplay(garden.store, 'leetcode', replay, { pace: { retries: 0 } });
  await assert.rejects(syncHandle(garden.store, handle, ask), /its answer is for the user "bob"/);
});
