/** Leases and gates by the clock of the database, moments that are due by ours, and ids that nobody has. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { dayMs, hourMs } from '../../src/durations.ts';
import {
  leaseStartedAt,
  newHolder,
  pollUntilAborted,
  renewLeaseDuring,
  takeLease,
  tryUnderLease,
} from '../../src/jobs/lease.ts';
import { addHandle } from '../../src/practice/handles.ts';
import { startFollowing } from '../../src/practice/list-follows.ts';
import { makeList } from '../../src/practice/lists.ts';
import { getMemberByName } from '../../src/practice/members.ts';
import { sendTest } from '../../src/practice/webhooks.ts';
import { insertMany } from '../../src/store/bulk.ts';
import { greatestId, leastId, maxCountedId, raiseIdCounter, reserveIds } from '../../src/store/ids.ts';
import { isDueAt, isDueBefore, pauseHost, takeSlot } from '../../src/store/leases.ts';
import { listDueFollows } from '../../src/store/list-follows.ts';
import { emptyProblem, insertProblems } from '../../src/store/problems.ts';
import { insertRow } from '../../src/store/rows.ts';
import type { Store } from '../../src/store/store.ts';
import { freshSync, isUrgent, listDueHandles, requestSyncOf, saveSync, urgentDueAt } from '../../src/store/syncs.ts';
import { insertWebhook, listDueDeliveries, listWebhooksToPlan } from '../../src/store/webhooks.ts';
import { memberWithToken, temporaryDatabase, withStore } from '../support/garden.ts';

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

test('a lease or gate counts until its end, and a moment is due when it comes; neither is longer than the longest', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await withStore(databaseUrl, async (store) => {
    const setEnds = (inMs: number) =>
      store.write(async (tx) => {
        const at = BigInt(Date.now() + inMs);
        await tx.updateTable('leases').set({ ends_at: at }).execute();
        await tx.updateTable('request_slots').set({ next_at: at }).execute();
      });
    const left = async () =>
      Number((await store.reader.selectFrom('leases').selectAll().execute())[0]?.ends_at) - Date.now();
    for (const holder of ['one', 'one']) assert.equal(await takeLease(store, 'sync', holder), true);
    assert.ok((await left()) > 10_000 && (await left()) <= 21_000);
    assert.equal(await takeLease(store, 'sync', 'two'), false);
    for (const [inMs, holder] of [
      [-10_000, undefined],
      [hourMs - 10_000, 'one'],
      [hourMs + 10_000, undefined],
    ] as const) {
      await takeLease(store, 'sync', 'one');
      await takeSlot(store, 'judge.example', 0);
      await setEnds(inMs);
      assert.equal(await leaseStartedAt(store.reader, 'sync'), holder);
      assert.equal(await takeLease(store, 'sync', 'two'), holder === undefined);
      assert.equal((await takeSlot(store, 'judge.example', 0)) > hourMs - 20_000, holder !== undefined);
      await store.write((tx) => tx.deleteFrom('leases').execute());
    }

    const now = 1_700_000_000_000;
    const due = { now: 0, early: -1, 'not yet': 1, 'the longest pause': 8 * dayMs, ahead: 8 * dayMs + 1 };
    const isSo = ['ahead', 'early', 'now'];
    const moments = Object.entries(due).map(([host, ms]) => ({ host, next_at: BigInt(now + ms) }));
    assert.deepEqual(
      moments
        .filter(({ next_at }) => isDueAt(next_at, now))
        .map(({ host }) => host)
        .toSorted(),
      isSo,
    );
    await store.write(async (tx) => {
      await tx.deleteFrom('request_slots').execute();
      await insertMany(tx, 'request_slots', moments);
    });
    const found = store.reader.selectFrom('request_slots').select('host').where(isDueBefore('next_at', now));
    assert.deepEqual(
      (await found.orderBy('host').execute()).map(({ host }) => host),
      isSo,
    );

    assert.deepEqual([urgentDueAt(now), urgentDueAt(now + 1)], [1_700_000_000n, 1_700_000_001n]);
    const ordinary = { due_at: BigInt(now) };
    const urgent = [undefined, { due_at: 0n }, { due_at: urgentDueAt(now) }, ordinary].map(isUrgent);
    assert.deepEqual(urgent, [true, true, true, false]);
  });
});

test('a sync that is requested keeps what it knows, and one without a handle has no handle in its name', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await withStore(databaseUrl, async (store) => {
    const subject = { source: 'dmoj', task: 'problems', handle_id: null } as const;
    assert.equal(freshSync(subject).name, 'dmoj problems');
    const known = { ...freshSync(subject), cursor: '7', due_at: 5n };
    await store.write(async (tx) => {
      await saveSync(tx, known);
      await requestSyncOf(tx, subject);
    });
    assert.deepEqual(await store.reader.selectFrom('syncs').selectAll().execute(), [{ ...known, due_at: 0n }]);
  });
});

test('an id is new, also beside rows that a file brought, and one near the largest of int64 uses up none', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  assert.equal(BigInt.asIntN(64, greatestId + 1n), leastId);
  await withStore(databaseUrl, (store) =>
    store.write(async (tx) => {
      const rows = [1n, 2n, 5n, maxCountedId].map((id) => ({ ...emptyProblem(id, '2026'), source_key: String(id) }));
      await insertProblems(tx, rows, () => false);
      assert.deepEqual(await reserveIds(tx, 'problems', 4), [3n, 4n, 6n, 7n]);
      assert.deepEqual(await reserveIds(tx, 'problems', 0), []);
      await raiseIdCounter(tx, 'problems', [-5n, 20n, maxCountedId, 9n]);
      await raiseIdCounter(tx, 'problems', [-5n]);
      await raiseIdCounter(tx, 'problems', [8n]);
      assert.deepEqual(await reserveIds(tx, 'problems', 2), [21n, 22n]);
      await raiseIdCounter(tx, 'problems', [maxCountedId - 1n]);
      assert.deepEqual(await reserveIds(tx, 'problems', 1), [maxCountedId + 1n]);
      // A plant that was deleted has its id for good.
      await insertMany(tx, 'deleted_plants', [{ id: 2n }]);
      assert.deepEqual(await reserveIds(tx, 'plants', 2), [1n, 3n]);
      const list = {
        source: 'here',
        key: 'a',
        title: 'A',
        starts_at: null,
        duration_s: 1n,
        phase: null,
        is_gym: 0n,
        search_text: '',
        difficulty: null,
      };
      assert.deepEqual(
        [await insertRow(tx, 'contests', list), await insertRow(tx, 'contests', { ...list, key: 'b' })],
        [1n, 2n],
      );
    }),
  );
});

test('a lease is renewed three times in its time, its work ends where it is lost, and what fails begins again', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const answers: (boolean | Error)[] = [];
  let writes = 0;
  const writeConcurrently = async () => {
    writes++;
    const answer = answers.shift() ?? true;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const store = { writeConcurrently } as unknown as Pick<Store, 'writeConcurrently'>;
  const after = (ms: number) => {
    t.mock.timers.tick(ms);
    return setImmediate();
  };
  for (const last of [false, new Error('the database is gone')]) {
    [writes, answers.length] = [0, 0];
    answers.push(true, last);
    const seen: [number, boolean][] = [];
    const result = await renewLeaseDuring(store, 'sync', 'one', async (lost) => {
      for (const ms of [6_666, 1, 6_667]) {
        await after(ms);
        seen.push([writes, lost.aborted]);
      }
      return 'done';
    });
    assert.deepEqual(
      [result, seen],
      [
        'done',
        [
          [0, false],
          [1, false],
          [2, true],
        ],
      ],
    );
    await after(60_000);
    assert.equal(writes, 3, 'it ends with its work');
  }
  const renewal = Promise.withResolvers<boolean>();
  let asked = 0;
  const slowly = () => (++asked === 1 ? renewal.promise : Promise.resolve(true));
  const slowStore = { writeConcurrently: slowly } as unknown as Pick<Store, 'writeConcurrently'>;
  const ending = renewLeaseDuring(slowStore, 'sync', 'one', () => after(6_667));
  for (let turn = 0; turn < 3; turn++) await setImmediate();
  assert.equal(asked, 1, 'the end of a lease waits for a renewal that waits for a lock');
  renewal.resolve(true);
  await ending;
  assert.equal(asked, 2);
  const work = async () => 'done';
  answers.push(false);
  assert.deepEqual(
    [await tryUnderLease(store, 'sync', 'one', work), await tryUnderLease(store, 'sync', 'one', work)],
    [undefined, 'done'],
  );
  assert.match(newHolder(), /^\d{4}-\d\d-\d\dT\S+Z [\da-f-]{36}$/);

  const said: string[] = [];
  const stopping = new AbortController();
  const options = {
    holder: 'one',
    signal: stopping.signal,
    log: (_: string, sentence: string) => said.push(sentence),
    pollMs: 1,
  };
  let turns = 0;
  await pollUntilAborted(store, { name: 'sync', work: 'syncing' }, options, async () => {
    turns++;
    if (turns === 2) throw new Error('broken');
    if (turns === 4) stopping.abort();
    if (turns === 4) throw new Error('stopped');
  });
  assert.deepEqual([turns, said], [4, ['syncing was interrupted and begins again: broken']]);
});
