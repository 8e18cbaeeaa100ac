/** Preconditions (RFC 9110 §13): what does not hold is 412 and changes nothing, and counts after everything else that refuses. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { importRows, memberWithToken, serve, temporaryDatabase } from '../support/garden.ts';
import { assertRefusal, client, send } from '../support/http.ts';

const problems = '/problem_list/api/problems/';

test('preconditions', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const { token } = await memberWithToken(databaseUrl, 'ada');
  await memberWithToken(databaseUrl, 'ben');
  await importRows(databaseUrl, 'problems', [{ id: 7, title: 'P', source: 'here', source_key: '1' }]);
  await importRows(databaseUrl, 'plants', [
    ...[1, 2, 3, 4].map((id) => ({ id, username: 'ada', name: 'p', target: 1 })),
    { id: 9, username: 'ben', name: 'p', target: 1 },
  ]);
  const server = await serve(t, { databaseUrl });
  const ask = client(server.url, token);
  const remove = (id: number, headers: Record<string, string>) =>
    ask(`/plants/${id}`, { method: 'DELETE', headers });

  await t.test('a DELETE whose precondition does not hold deletes nothing', async () => {
    for (const headers of [
      { 'If-Match': '"nope"' },
      { 'If-Match': 'W/"nope"' },
      { 'If-Match': 'nonsense' },
      { 'If-Match': '' },
      { 'If-None-Match': '*' },
      { 'If-Match': '*', 'If-None-Match': ' * ' },
    ])
      assertRefusal(await remove(1, headers as Record<string, string>), 41200);
    assert.equal((await remove(1, {})).status, 204);
  });

  await t.test('one that holds deletes', async () => {
    assert.equal((await remove(2, { 'If-Match': '*' })).status, 204);
    assert.equal((await remove(3, { 'If-None-Match': '"nope"' })).status, 204);
  });

  await t.test('what the token may not see and what does not exist is 404 first', async () => {
    for (const id of [2, 9, 404]) {
      for (const headers of [{ 'If-Match': '*' }, { 'If-Match': '"nope"' }, { 'If-None-Match': '*' }]) {
        assertRefusal(await remove(id, headers as Record<string, string>), 40401);
      }
    }
    assertRefusal(await ask(`${problems}404/`, { headers: { 'If-Match': '"nope"' } }), 40401);
  });

  await t.test('so are credentials, scope, id and parameters', async () => {
    const headers = { 'If-Match': '"nope"' };
    const { token: narrow } = await memberWithToken(databaseUrl, 'ada', { scopes: ['status:read'] });
    assertRefusal(await send(server.url, '/plants/4', { method: 'DELETE', headers }), 40100);
    assertRefusal(await send(server.url, '/plants/4', { method: 'DELETE', headers, token: narrow }), 40300);
    assertRefusal(await ask('/plants/x', { method: 'DELETE', headers }), 40001);
    assertRefusal(await ask(`${problems}?x=1`, { headers }), 40002);
  });

  await t.test('a GET is answered where If-Match names the tag, before If-None-Match counts', async () => {
    for (const target of [`${problems}7/`, problems, `${problems}?limit=1`]) {
      // Read once more from what is kept.
      for (const _ of [1, 2]) {
        const etag = String((await ask(target)).headers.etag);
        const asked = async (headers: Record<string, string>) => (await ask(target, { headers })).status;
        for (const named of ['*', etag, `"x", ${etag}`]) {
          assert.equal(await asked({ 'If-Match': named }), 200, named);
          assert.equal(await asked({ 'If-Match': named, 'If-None-Match': etag }), 304, named);
        }
        for (const named of ['"nope"', `W/${etag}`, 'nonsense', '']) {
          assertRefusal(await ask(target, { headers: { 'If-Match': named } }), 41200);
          assert.equal(await asked({ 'If-Match': named, 'If-None-Match': etag }), 412, named);
        }
        assert.equal(await asked({ 'If-Match': etag, 'Accept-Encoding': 'gzip' }), 412);
      }
    }
  });
});
