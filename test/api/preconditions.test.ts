/** Preconditions (RFC 9110 §13): a request whose If-Match or If-None-Match does not hold is 412, and nothing changes. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { rowsOf } from '../support/databases.ts';
import { importPlants, importProblems, memberWithToken, temporaryDatabase } from '../support/garden.ts';
import { assertRefusal, client, problems } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';

const failed = 41200;

test('preconditions', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const ada = await memberWithToken(databaseUrl, 'ada');
  const ben = await memberWithToken(databaseUrl, 'ben');
  const boss = await memberWithToken(databaseUrl, 'boss', { role: 'staff' });
  await importProblems(databaseUrl, [7]);
  await importPlants(databaseUrl, 5);
  const server = await serveHere(t, { databaseUrl, env: { RATE_LIMIT: '0' } });
  const asAda = client(server.url, ada.token);
  const asBen = client(server.url, ben.token);
  const asBoss = client(server.url, boss.token);
  const remove = (ask: typeof asAda, id: number, headers: Record<string, string>) =>
    ask(`/plants/${id}`, { method: 'DELETE', headers });
  const left = async () => (await rowsOf(databaseUrl, 'SELECT id FROM plants ORDER BY id')).map(({ id }) => Number(id));

  await t.test('a deletion whose precondition does not hold is 412 and deletes nothing', async () => {
    for (const headers of [
      { 'If-Match': '"nope"' },
      { 'If-Match': 'W/"nope"' },
      { 'If-Match': '"a", "b"' },
      { 'If-Match': 'nonsense' },
      { 'If-None-Match': '*' },
      { 'If-Match': '*', 'If-None-Match': '*' },
    ]) {
      for (const ask of [asAda, asBoss]) {
        const reply = await remove(ask, 1, headers as Record<string, string>);
        assertRefusal(reply, failed);
        assert.equal(reply.headers['api-version'], '1.0.0');
      }
    }
    assert.deepEqual(await left(), [1, 2, 3, 4, 5]);
  });

  await t.test('a deletion whose precondition holds is done, once', async () => {
    const held: [ask: typeof asAda, id: number, headers: Record<string, string>][] = [
      [asAda, 1, { 'If-Match': '*' }],
      [asBoss, 2, { 'If-Match': '*' }],
      [asAda, 3, { 'If-None-Match': '"nope"' }],
      [asAda, 4, { 'If-Match': '*', 'If-None-Match': '"nope"' }],
    ];
    for (const [ask, id, headers] of held) {
      assert.equal((await remove(ask, id, headers)).status, 204, JSON.stringify(headers));
      assertRefusal(await remove(ask, id, headers), 40401);
    }
    assert.deepEqual(await left(), [5]);
  });

  await t.test('what is not there, or not theirs, is 404 whatever the precondition', async () => {
    const preconditions: Record<string, string>[] = [
      { 'If-Match': '*' },
      { 'If-Match': '"nope"' },
      { 'If-None-Match': '*' },
    ];
    for (const headers of preconditions) {
      assertRefusal(await remove(asAda, 404, headers), 40401);
      assertRefusal(await remove(asBen, 5, headers), 40401);
      assertRefusal(await asAda(`${problems}404/`, { headers }), 40401);
    }
    assert.deepEqual(await left(), [5]);
  });

  await t.test('a read that matches its tag is answered, and one that does not is 412', async () => {
    for (const target of [`${problems}7/`, problems, `${problems}?limit=1`]) {
      for (const method of ['GET', 'HEAD']) {
        const read = (headers: Record<string, string>) => asAda(target, { method, headers });
        const etag = String((await read({})).headers.etag);
        for (const value of ['*', etag, `"nope", ${etag}`]) {
          const reply = await read({ 'If-Match': value });
          assert.equal(reply.status, 200, `${method} ${target} ${value}`);
          assert.equal(reply.headers.etag, etag);
        }
        // A weak tag never matches here (RFC 9110 §13.1.1), not even that of the row itself.
        for (const value of ['"nope"', `W/${etag}`, etag.slice(0, -2) + '"']) {
          const reply = await read({ 'If-Match': value });
          if (method === 'GET') assertRefusal(reply, failed);
          else assert.equal(reply.status, 412);
        }
        // If-Match comes first (RFC 9110 §13.2.2).
        assert.equal((await read({ 'If-Match': etag, 'If-None-Match': etag })).status, 304);
        assert.equal((await read({ 'If-Match': '"nope"', 'If-None-Match': etag })).status, 412);
      }
    }
  });

  await t.test('a tag that was current before a change matches no more', async () => {
    const { etag } = (await asAda(`${problems}7/`)).headers;
    await importProblems(databaseUrl, [7], () => ({ title: 'Q' }));
    assertRefusal(await asAda(`${problems}7/`, { headers: { 'If-Match': String(etag) } }), failed);
  });

  await t.test('none of all this was a fault', () => assert.equal(server.stderr(), ''));
});
