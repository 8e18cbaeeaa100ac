/** deletePlant: each plant by its own exact id, once, by its owner or by staff. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setRole } from '../../src/practice/members.ts';
import { gardenHere, gardenJson } from '../support/commands.ts';
import { filesOnly, rowsOf, testStore } from '../support/databases.ts';
import { importPlants, importRows, memberWithToken, serve, temporaryDatabase, withStore } from '../support/garden.ts';
import { type Ask, assertRefusal, type Client, client, problems, records, send } from '../support/http.ts';
import { edges, malformedIds } from '../support/ids.ts';
import { serveHere } from '../support/in-process.ts';

const others = Array.from({ length: 10 }, (_, place) => 101n + BigInt(place));

const remove = (as: Client, id: bigint | number | string, more: Ask = {}) =>
  as(`/plants/${id}`, { method: 'DELETE', ...more });

test('plants', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const [ada, ben, boss] = await Promise.all([
    memberWithToken(databaseUrl, 'ada'),
    memberWithToken(databaseUrl, 'ben'),
    memberWithToken(databaseUrl, 'boss', { role: 'staff' }),
  ]);
  const server = await serveHere(t, { databaseUrl, env: { RATE_LIMIT: '0' } });
  const asAda = client(server.url, ada.token);
  const asBen = client(server.url, ben.token);
  const asBoss = client(server.url, boss.token);

  const plant = async (ids: readonly bigint[]) =>
    importRows(
      databaseUrl,
      'plants',
      ids.map((id) => ({ id, username: id === 106n ? 'boss' : 'ada', name: `plant ${id}`, target: 3 })),
    );
  const planted = async () => {
    const listed = await gardenJson<{ id: number; name: string }[]>('plant list', { databaseUrl });
    return new Set(listed.map(({ name }) => BigInt(name.replace('plant ', ''))));
  };

  await plant([...edges, ...others]);

  await t.test('each id over the whole of int64 deletes its own plant and no other', async () => {
    const left = await planted();
    assert.deepEqual(left, new Set([...edges, ...others]));
    for (const id of edges) {
      const reply = await remove(asAda, id);
      assert.equal(reply.status, 204, `${id}: ${reply.text}`);
      left.delete(id);
      if (id === 2n ** 53n || id === 2n ** 63n - 1n) assert.deepEqual(await planted(), left);
    }
    assert.deepEqual(await planted(), new Set(others));
  });

  await t.test('an answer of 204 has no body, no Content-Type and the version', async () => {
    const { status, headers, bytes } = await remove(asAda, 101);
    assert.equal(status, 204);
    assert.equal(bytes.length, 0);
    assert.equal(headers['api-version'], '1.0.0');
    assert.equal(headers['content-type'], undefined);
    assert.equal(headers['content-length'], undefined);
  });

  await t.test('deleting twice is 204, then 404', async () => {
    assert.equal((await remove(asAda, 102)).status, 204);
    const again = await remove(asAda, 102);
    assertRefusal(again, 40401, 'There is no plant 102 that this token may see; check the id.');
  });

  await t.test('an id that is no int64 is refused by name', async () => {
    for (const id of malformedIds) {
      const reply = await remove(asAda, id);
      assertRefusal(reply, 40001, /^The id "[^"]{1,60}" is not an int64: send decimal digits /);
    }
    assertRefusal(await remove(asAda, ''), 40500);
    assertRefusal(await asAda('/plants', { method: 'DELETE' }), 40500);
    assertRefusal(await remove(asAda, '1/2'), 40400);
    assertRefusal(await remove(asAda, '%ZZ'), 40001);
    assertRefusal(await send(server.url, '/plants/%ZZ', { method: 'DELETE' }), 40100);
  });

  await t.test('a trailing slash is another path and never redirected', async () => {
    assertRefusal(await remove(asAda, '103/'), 40400);
    assert.equal((await remove(asAda, 103)).status, 204);
  });

  await t.test('a member deletes only their own', async () => {
    assertRefusal(await remove(asBen, 104), 40401);
    assert.equal((await remove(asAda, 104)).status, 204);
  });

  await t.test('staff delete any', async () => {
    assert.equal((await remove(asBoss, 105)).status, 204);
    assert.equal((await remove(asBoss, 106)).status, 204);
  });

  await t.test('an empty body of any Content-Type is fine, a body is not', async () => {
    const json = { 'Content-Type': 'application/json' };
    assert.equal((await remove(asAda, 107, { headers: json })).status, 204);
    const zero = { ...json, 'Content-Length': '0' };
    assert.equal((await remove(asAda, 108, { headers: zero })).status, 204);
    const chunked = { 'Content-Type': 'x/y', 'Transfer-Encoding': 'chunked' };
    for (const body of ['{}', 'x'.repeat(20_000)]) {
      assertRefusal(await remove(asAda, 109, { headers: json, body }), 40006);
      assertRefusal(await remove(asAda, 109, { headers: chunked, body }), 40006);
    }
    assert.equal((await remove(asAda, 109, { headers: chunked })).status, 204);
  });

  await t.test('Accept does not matter, and a query parameter is refused', async () => {
    assertRefusal(await remove(asAda, '110?force=1'), 40002, /"force".*takes none/);
    const headers = { Accept: 'image/png' };
    assert.equal((await remove(asAda, 110, { headers })).status, 204);
  });

  await t.test('a deleted id is not given out again', async () => {
    const add = () => gardenJson<{ id: number }>('plant add ada --name x --target 1', { databaseUrl });
    const { id } = await add();
    assert.equal((await remove(asAda, id)).status, 204);
    assert.notEqual((await add()).id, id);
  });

  // On PostgreSQL store/concurrency.test.ts has several processes.
  await t.test(
    'of two processes that delete the same 300 plants each plant falls to exactly one',
    {
      skip: filesOnly,
    },
    async (t) => {
      const other = await serve(t, { databaseUrl, env: { RATE_LIMIT: '0' } });
      const ids = Array.from({ length: 300 }, (_, place) => 2n ** 53n + BigInt(place));
      await plant(ids);
      const statuses = await Promise.all(
        ids.map((id) =>
          Promise.all(
            [server, other].map(({ url }) =>
              send(url, `/plants/${id}`, { method: 'DELETE', token: ada.token }).then(({ status }) => status),
            ),
          ),
        ),
      );
      for (const [place, pair] of statuses.entries()) {
        assert.deepEqual(pair.sort(), [204, 404], `plant ${ids[place]}`);
      }
      assert.equal(await other.stop(), 0);
      assert.equal(server.stderr(), '');
    },
  );
});

test('a token that is known deletes as one that is not', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const ada = await memberWithToken(databaseUrl, 'ada');
  const ids = await importPlants(databaseUrl, 20);
  const left = async () => (await rowsOf(databaseUrl, 'SELECT id FROM plants')).length;
  const { url } = await serveHere(t, { databaseUrl });
  const asAda = client(url, ada.token);

  await t.test('with the same headers', async () => {
    const fixed = (headers: object) =>
      Object.entries(headers).filter(([name]) => !['date', 'x-request-id', 'ratelimit'].includes(name));
    const first = await remove(asAda, 1);
    for (const id of [2, 3]) {
      const again = await remove(asAda, id);
      assert.deepEqual([again.status, fixed(again.headers)], [204, fixed(first.headers)]);
      assert.match(String(again.headers['ratelimit']), /^"token";r=\d+;t=1$/);
    }
    assertRefusal(await remove(asAda, 3), 40401);
    assert.equal(await left(), 17);
  });

  await t.test('up to its limit', async (t) => {
    const strict = client((await serveHere(t, { databaseUrl, env: { RATE_LIMIT: '3' } })).url, ada.token);
    const began = performance.now();
    assert.equal((await strict(problems)).status, 200);
    const replies = await Promise.all(ids.slice(3, 15).map((id) => remove(strict, id)));
    const told = replies.filter(({ status }) => status === 204).length;
    for (const reply of replies.filter(({ status }) => status !== 204)) assertRefusal(reply, 42900);
    // They may fall into two windows of a second, and on a slow machine into more.
    const windows = 1 + Math.ceil((performance.now() - began) / 1000);
    assert(told >= 2 && told <= 3 * windows, `${told} in ${windows} windows`);
    assert.equal(await left(), 17 - told);
  });

  await t.test('until it is revoked', async () => {
    const before = await left();
    assert.equal((await asAda(problems)).status, 200);
    const [{ id } = { id: 0 }] = await gardenJson<{ id: number }[]>('token list', { databaseUrl });
    assert.equal((await gardenHere(`token revoke ${id}`, { databaseUrl })).code, 0);
    assertRefusal(await remove(asAda, 20), 40101);
    assert.equal(await left(), before);
  });
});

// On PostgreSQL a delete waits for nobody's role: it is done before the role is changed.
const waits = testStore === 'sqlite' ? false : 'a delete waits on SQLite alone';

test('an administrator who is made a member while their delete waits deletes no plant of others', {
  skip: waits,
}, async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const staff = { role: 'staff' } as const;
  const boss = await memberWithToken(databaseUrl, 'boss', staff);
  for (const name of ['chief', 'ada']) await memberWithToken(databaseUrl, name, name === 'ada' ? {} : staff);
  const owners = ['ada', 'boss'];
  await importRows(
    databaseUrl,
    'plants',
    owners.map((username, place) => ({ id: place + 1, username, name: 'p', target: 3 })),
  );
  const asBoss = client((await serveHere(t, { databaseUrl })).url, boss.token);
  assert.equal((await asBoss(records)).status, 200);
  const replies = await withStore(databaseUrl, async (store) => {
    let asked: Promise<Awaited<ReturnType<typeof asBoss>>[]> | undefined;
    await store.write(async (tx) => {
      await setRole(tx, 'boss', 'member');
      asked ??= Promise.all([1, 2].map((id) => remove(asBoss, id)));
      await sleep(500);
    });
    return asked;
  });
  assert.deepEqual(
    replies?.map(({ status }) => status),
    [404, 204],
  );
  assert.deepEqual(
    (await rowsOf(databaseUrl, 'SELECT id FROM plants')).map(({ id }) => Number(id)),
    [1],
  );
});
