/** The rate at which a judge is asked, by all processes on a database together: two servers and a command. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leaseStartedAt, takeLease } from '../../src/jobs/lease.ts';
import { judges } from '../../src/judges/judges.ts';
import { addHandle } from '../../src/practice/handles.ts';
import { startFollowing } from '../../src/practice/list-follows.ts';
import { makeList } from '../../src/practice/lists.ts';
import { getMemberByName } from '../../src/practice/members.ts';
import { sendTest } from '../../src/practice/webhooks.ts';
import { pauseHost, takeSlot } from '../../src/store/leases.ts';
import { listDueFollows } from '../../src/store/list-follows.ts';
import { freshSync, listDueHandles, saveSync } from '../../src/store/syncs.ts';
import { insertWebhook, listDueDeliveries, listWebhooksToPlan } from '../../src/store/webhooks.ts';
import { codeforces, submissionsOf } from '../importing/support.ts';
import { replayCodeforces } from '../replay/codeforces.ts';
import { onceOnly } from '../support/databases.ts';
import { garden, memberWithToken, serve, temporaryDatabase, withStore } from '../support/garden.ts';
import { until } from '../support/waiting.ts';
import { replayOf } from './support.ts';

test('a turn is given when it is there, to one of all who ask', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await withStore(databaseUrl, async (store) => {
    const waits = await Promise.all(Array.from({ length: 20 }, () => takeSlot(store, 'judge.example', 60_000)));
    assert.equal(waits.filter((ms) => ms === 0).length, 1);
    assert.ok(waits.every((ms) => ms === 0 || (ms > 50_000 && ms <= 70_000)));
    assert.equal(await takeSlot(store, 'other.example', 60_000), 0, 'every host has turns of its own');
    await pauseHost(store, 'judge.example', 90_000);
    await pauseHost(store, 'judge.example', 10);
    assert.ok((await takeSlot(store, 'judge.example', 60_000)) > 80_000, 'a gate is never opened early');
  });
});

test('what a clock that was ahead has written holds nobody up', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await memberWithToken(databaseUrl, 'ada');
  await withStore(databaseUrl, async (store) => {
    const later = Date.parse('2099-01-01T00:00:00Z');
    const handle = await store.write(async (tx) => {
      const { id } = await getMemberByName(tx, 'ada');
      return addHandle(tx, id, 'codeforces', 'ada');
    });
    await takeSlot(store, 'judge.example', 1000);
    await takeLease(store, 'sync', 'before');
    await store.write(async (tx) => {
      await tx
        .updateTable('leases')
        .set({ ends_at: BigInt(later) })
        .execute();
      await tx
        .updateTable('request_slots')
        .set({ next_at: BigInt(later) })
        .execute();
      const subject = { source: 'codeforces', task: 'submissions', handle_id: handle.id } as const;
      await saveSync(tx, { ...freshSync(subject), due_at: BigInt(later) });
    });
    assert.equal(await takeSlot(store, 'judge.example', 1000), 0);
    assert.equal(await leaseStartedAt(store.reader, 'sync'), undefined);
    assert.equal(await takeLease(store, 'sync', 'after'), true);
    assert.equal((await listDueHandles(store.reader, 'codeforces', Date.now(), 5)).length, 1);
    assert.equal((await listDueHandles(store.reader, 'codeforces', later - 3_600_000, 5)).length, 0);
    const { user_id } = handle;
    const list_id = await makeList(store, { ownerId: user_id, name: 'Mine' });
    await startFollowing(store, { id: list_id, owner_id: user_id }, 'https://lists.example/a.json');
    await store.write((tx) =>
      tx
        .updateTable('list_follows')
        .set({ due_at: BigInt(later) })
        .execute(),
    );
    assert.equal((await listDueFollows(store.reader, Date.now(), 5)).length, 1);
    const owner = { user_id };
    await store.write(async (tx) => {
      await insertWebhook(tx, {
        group_id: null,
        ...owner,
        url: 'https://chat.example/a',
        secret: 'whsec_x',
        sends_weeks: 1n,
        sends_dues: 1n,
        sends_contests: 0n,
        made_at: handle.created_at,
        plans_at: 0n,
        made_by: user_id,
      });
      await sendTest(tx, owner, user_id, Date.now());
      await tx
        .updateTable('webhooks')
        .set({ plans_at: BigInt(later) })
        .execute();
      await tx
        .updateTable('webhook_deliveries')
        .set({ next_at: BigInt(later) })
        .execute();
    });
    assert.equal((await listWebhooksToPlan(store.reader, Date.now(), 5)).length, 1);
    assert.equal((await listDueDeliveries(store.reader, Date.now(), 5)).length, 1);
  });
});

// On PostgreSQL the first test is enough: a turn is given by one statement.
test('two servers and garden sync at once ask Codeforces once in two seconds', { skip: onceOnly }, async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const names = ['ada', 'bob', 'eve'];
  const status = Object.fromEntries(
    names.map((name) => [name, (submissionsOf(name, ['1A', 'OK', 100]) as { result: object[] }).result]),
  );
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
