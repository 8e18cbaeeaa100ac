/**
 * Many at once on PostgreSQL: what one writer at a time gives the embedded store for nothing has to hold there too.
 * Every race is run by processes or connections of their own, many times over.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeToken } from '../../src/auth/tokens.ts';
import { createMember } from '../../src/practice/members.ts';
import { raiseIdCounter, reserveIds } from '../../src/store/ids.ts';
import { deleteMember, findMemberByName, listMembers } from '../../src/store/members.ts';
import { openStore } from '../../src/store/open.ts';
import { deletePlant } from '../../src/store/plants.ts';
import { bumpRevisions } from '../../src/store/revisions.ts';
import type { OpenOptions, Store } from '../../src/store/store.ts';
import { insertToken, saveTokenUses } from '../../src/store/tokens.ts';
import { openGarden } from '../importing/support.ts';
import { postgresDatabase } from '../support/databases.ts';
import { importPlants, importRows, memberWithToken, serve } from '../support/garden.ts';
import { client } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';
import { execute } from '../support/postgres-server.ts';

const options: OpenOptions = { create: true, lockTimeoutMs: 60_000 };

async function stores(t: { after(fn: () => unknown): void }, databaseUrl: string, count: number): Promise<Store[]> {
  const opened = await Promise.all(Array.from({ length: count }, () => openStore(databaseUrl, options)));
  t.after(() => Promise.all(opened.map((store) => store.close())));
  return opened;
}

test('of any number of deleters in several processes exactly one deletes each plant, and the rest get 404', async (t) => {
  const databaseUrl = await postgresDatabase(t);
  const { token } = await memberWithToken(databaseUrl, 'ada');
  const ids = Array.from({ length: 20 }, (_, n) => (n < 15 ? BigInt(n + 1) : 2n ** 53n + BigInt(n)));
  await importRows(
    databaseUrl,
    'plants',
    ids.map((id) => ({ id, username: 'ada', name: `p${id}`, target: 1 })),
  );
  const env = { RATE_LIMIT: '0' };
  const servers = [await serve(t, { databaseUrl, env }), await serveHere(t, { databaseUrl, env })];
  const asks = servers.map(({ url }) => client(url, token));
  for (const id of ids) {
    const deleting = Array.from({ length: 12 }, (_, n) =>
      (asks[n % 2] as (typeof asks)[0])(`/plants/${id}`, { method: 'DELETE' }),
    );
    const statuses = (await Promise.all(deleting)).map(({ status }) => status).sort();
    assert.deepEqual(statuses, [204, ...Array(11).fill(404)], `plant ${id}`);
  }
  const noted = await execute(databaseUrl, 'SELECT count(*)::int AS n FROM deleted_plants');
  assert.deepEqual(noted, [{ n: 5 }]);
});

test('ids that are given out at once are all different, and none is one that an import brings', async (t) => {
  const databaseUrl = await postgresDatabase(t);
  const opened = await stores(t, databaseUrl, 4);
  const { memberId } = await memberWithToken(databaseUrl, 'ada');
  const made = await Promise.all(
    opened.flatMap((store) =>
      Array.from({ length: 10 }, () =>
        makeToken(store, { userId: BigInt(memberId), name: 'x', scopes: [], lifetimeMs: undefined }),
      ),
    ),
  );
  assert.equal(new Set(made.map(({ id }) => id)).size, 40);
  const given = await Promise.all(
    opened.map((store, place) =>
      store.writeConcurrently(async (tx) => {
        if (place % 2) await raiseIdCounter(tx, 'plants', [BigInt(place) * 10n]);
        return reserveIds(tx, 'plants', 25);
      }),
    ),
  );
  assert.equal(new Set(given.flat()).size, 100);
});

test('of many members made at once with one name exactly one is made, and the others are refused', async (t) => {
  const databaseUrl = await postgresDatabase(t);
  const opened = await stores(t, databaseUrl, 3);
  for (let round = 0; round < 10; round++) {
    const names = [`Ada${round}`, `ada${round}`, `ADA${round}`];
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, (_, n) =>
        opened[n % 3]?.write((tx) => createMember(tx, { username: names[n % 3] ?? '', role: 'member' })),
      ),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    assert.deepEqual(
      refused.map(({ reason }) => reason.code),
      Array(5).fill('alreadyExists'),
    );
  }
  assert.equal((await listMembers(opened[0]?.reader as Store['reader'])).length, 10);
});

test('of tokens that are made at once, a member gets as many as there may be', async (t) => {
  const databaseUrl = await postgresDatabase(t);
  const opened = await stores(t, databaseUrl, 3);
  const { memberId } = await memberWithToken(databaseUrl, 'ada');
  await execute(
    databaseUrl,
    `INSERT INTO tokens (id, user_id, name, digest, scopes, created_at)
      SELECT 1000 + n, ${memberId}, 'old', 'd' || n, '', '2026' FROM generate_series(1, 94) AS n`,
  );
  const wanted = { userId: BigInt(memberId), name: 'new', scopes: [], lifetimeMs: undefined };
  const made = await Promise.allSettled(
    Array.from({ length: 10 }, (_, n) => makeToken(opened[n % 3] as Store, wanted)),
  );
  assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 5);
});

test('the same catalogue imported twice at once enters once', async (t) => {
  const databaseUrl = await postgresDatabase(t);
  const gardens = [await openGarden(t, databaseUrl), await openGarden(t, databaseUrl)];
  const rows = Array.from({ length: 300 }, (_, n) => ({
    title: `P${n}`,
    source: 'cses',
    source_key: `${n}`,
    tags: ['dp'],
  }));
  const reports = await Promise.all(gardens.map((garden) => garden.import('problems', rows)));
  const counts = reports.map(({ report }) => [report.new, report.kept]).sort(([a = 0], [b = 0]) => a - b);
  assert.deepEqual(counts, [
    [0, 300],
    [300, 0],
  ]);
  assert.equal((await gardens[0]?.rows('problems'))?.length, 300);
});

test('who sees a revision sees what it stands for: no writer is overtaken by its number', async (t) => {
  const databaseUrl = await postgresDatabase(t);
  const opened = await stores(t, databaseUrl, 5);
  const [watcher, ...writers] = opened as [Store, ...Store[]];
  let isOver = false;
  const rounds = 25;
  // Each write adds one token row and one to the revision, some of them slowly: the two always agree.
  const { memberId } = await memberWithToken(databaseUrl, 'ada');
  const [before = 0n] = await watcher.revisions(['problems']);
  const countTokens = async () =>
    BigInt((await watcher.reader.selectFrom('tokens').select('id').where('name', '=', 'raced').execute()).length);
  const writing = Promise.all(
    writers.map(async (store, place) => {
      for (let round = 0; round < rounds; round++) {
        await store.writeConcurrently(async (tx) => {
          const [id = 0n] = await reserveIds(tx, 'plants', 1);
          await bumpRevisions(tx, place % 2 ? ['problems', 'statuses'] : ['statuses', 'problems']);
          if (place === 0) await sleep(3);
          const dates = { created_at: '2026', expires_at: null, revoked_at: null, last_used_at: null };
          await insertToken(tx, {
            id: id + 1000n,
            user_id: BigInt(memberId),
            name: 'raced',
            digest: `d${id}`,
            scopes: '',
            ...dates,
          });
        });
      }
    }),
  ).finally(() => {
    isOver = true;
  });
  let looks = 0;
  while (!isOver) {
    const [revision = 0n] = await watcher.revisions(['problems']);
    const rows = await countTokens();
    assert.ok(rows >= revision - before, `revision ${revision} with ${rows} rows`);
    looks++;
  }
  await writing;
  assert.ok(looks > 20, `${looks} looks`);
  const [after = 0n] = await watcher.revisions(['problems']);
  assert.deepEqual([after - before, await countTokens()], [BigInt(rounds * 4), BigInt(rounds * 4)]);
});

test('over HTTP an entity tag never outlives its rows while two processes import and others read', async (t) => {
  const databaseUrl = await postgresDatabase(t);
  const { token } = await memberWithToken(databaseUrl, 'ada');
  const server = await serveHere(t, { databaseUrl, env: { RATE_LIMIT: '0' } });
  const ask = client(server.url, token);
  const target = '/problem_list/api/problems/';
  let isOver = false;
  const importing = (async () => {
    for (let n = 0; n < 30; n++) {
      await importRows(databaseUrl, 'problems', [{ id: 1, title: `T${n}`, source: 's', source_key: 'k' }]);
    }
  })().finally(() => {
    isOver = true;
  });
  /** The state that each tag stood for. A tag may stand for the state after it too, never for one before. */
  const newest = new Map<string, number>();
  let known: { tag: string; n: number } | undefined;
  let unchanged = 0;
  while (!isOver) {
    const headers = known ? { 'If-None-Match': known.tag } : {};
    const reply = await ask(target, { headers });
    if (reply.status === 304 && known) {
      unchanged++;
      const [row] = JSON.parse((await ask(target)).text) as { title: string }[];
      assert.ok(Number(row?.title.slice(1) ?? -1) >= known.n);
    } else {
      const [row] = JSON.parse(reply.text) as { title: string }[];
      const n = Number(row?.title.slice(1) ?? -1);
      assert.ok(n >= (known?.n ?? -1), 'an older state after a newer one');
      known = { tag: String(reply.headers.etag), n };
      newest.set(known.tag, n);
    }
  }
  await importing;
  const last = await ask(target, { headers: { 'If-None-Match': known?.tag ?? '' } });
  if (last.status === 304) assert.equal(known?.n, 29);
  else assert.equal(JSON.parse(last.text)[0].title, 'T29');
  assert.ok(newest.size + unchanged > 5);
});

test('writers that meet in other orders wait for each other, never for ever', async (t) => {
  const databaseUrl = await postgresDatabase(t);
  const opened = await stores(t, databaseUrl, 4);
  await memberWithToken(databaseUrl, 'ada');
  const [one, other, third, fourth] = opened as [Store, Store, Store, Store];
  for (let round = 0; round < 5; round++) {
    await memberWithToken(databaseUrl, 'bob');
    const plants = await importPlants(databaseUrl, 60, { username: 'bob' });
    const bob = await findMemberByName(one.reader, 'bob');
    const uses = (ids: bigint[]) => new Map(ids.map((id) => [id, '2026-01-01T00:00:00.000Z']));
    const [credentials = 0n] = await one.revisions(['credentials']);
    const results = await Promise.all([
      one.write((tx) => deleteMember(tx, bob?.id ?? 0n)),
      ...plants.map((id) => deletePlant(other, BigInt(id), undefined, credentials)),
      ...Array.from({ length: 10 }, () => third.writeConcurrently((tx) => saveTokenUses(tx, uses([1n, 2n, 3n])))),
      ...Array.from({ length: 10 }, () => fourth.writeConcurrently((tx) => saveTokenUses(tx, uses([3n, 2n, 1n])))),
    ]);
    assert.equal(results.length, 81);
    const scopes = Array.from({ length: 80 }, (_, n) => `statuses:${BigInt(n)}` as const);
    await Promise.all(
      opened.flatMap((store, place) =>
        Array.from({ length: 8 }, () =>
          store.writeConcurrently((tx) => bumpRevisions(tx, place % 2 ? scopes : scopes.toReversed())),
        ),
      ),
    );
    const left = await execute(databaseUrl, 'SELECT count(*)::int AS n FROM plants');
    assert.deepEqual(left, [{ n: 0 }]);
  }
  const [{ deadlocks } = {}] = await execute(
    databaseUrl,
    'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
  );
  assert.equal(deadlocks, 0);
});
