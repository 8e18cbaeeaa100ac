/** Which paths and methods there are, and what every answer has in common whatever it answers. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { operationIds, operations } from '../../src/contract/operations.ts';
import { importProblems, memberWithToken, temporaryDatabase } from '../support/garden.ts';
import { assertRefusal, client, problems, records, send } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';

test('routing', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const { token } = await memberWithToken(databaseUrl, 'ada', { role: 'staff' });
  await importProblems(databaseUrl, [7, 8]);
  const server = await serveHere(t, { databaseUrl, env: { BASE_URL: 'http://garden.example.org' } });
  const ask = client(server.url, token);

  await t.test('unknown paths are 404', async () => {
    const paths = ['/nowhere', '/PLANTS/1', '/PLANTS', '//', '/problem_list/api/', `/${problems}`, '/.env'];
    for (const path of paths) assertRefusal(await send(server.url, path), 40400);
    assertRefusal(await ask(`${problems}%ff/`), 40001);
    assertRefusal(await send(server.url, `${problems}%ff/`), 40100);
    assertRefusal(await send(server.url, '/%'), 40007);
  });

  await t.test('other methods on known paths are 405 and name the right ones', async () => {
    for (const id of operationIds) {
      const { method, path } = operations[id];
      const target = path.replace('{id}', '7');
      const allow = method === 'GET' ? 'GET, HEAD, OPTIONS' : 'DELETE, OPTIONS';
      const wrong = method === 'GET' ? ['DELETE'] : ['GET', 'HEAD'];
      for (const other of ['POST', 'PUT', 'PATCH', 'TRACE', 'PROPFIND', 'QUERY', ...wrong]) {
        const reply = await send(server.url, target, { method: other });
        if (other === 'HEAD') assert.equal(reply.status, 405);
        else assertRefusal(reply, 40500, new RegExp(`^This path does not allow ${other}; use `));
        assert.equal(reply.headers.allow, allow);
        assert.equal(reply.headers['api-version'], '1.0.0');
      }
      const options = await send(server.url, target, { method: 'OPTIONS' });
      assert.equal(options.status, 204);
      assert.equal(options.headers.allow, allow);
      assert.equal(options.headers['api-version'], '1.0.0');
      assert.equal(options.bytes.length, 0);
    }
    for (const page of ['/', '/docs/', '/docs/reference/', '/openapi.json']) {
      const reply = await send(server.url, page, { method: 'POST' });
      assertRefusal(reply, 40500);
      assert.equal(reply.headers.allow, 'GET, HEAD, OPTIONS');
    }
  });

  await t.test('a read path without its slash is redirected, with its query and without a host', async () => {
    for (const id of operationIds) {
      const { kind, path } = operations[id];
      if (kind === 'deletion') continue;
      for (const value of ['7', 'abc', 'a:b', '%20', '..%2F']) {
        const target = path.replace('{id}', value).slice(0, -1);
        for (const method of ['GET', 'HEAD']) {
          const reply = await send(server.url, `${target}?limit=1&q=%2F%3F`, { method });
          assert.equal(reply.status, 308);
          assert.equal(reply.headers.location, `${target}/?limit=1&q=%2F%3F`);
          assert.equal(reply.headers['api-version'], '1.0.0');
          assert(reply.headers['x-request-id']);
        }
        assert.equal((await send(server.url, target)).headers.location, `${target}/`);
      }
    }
  });

  await t.test('a target in absolute form is the same target', async () => {
    const absolute = `http://elsewhere.example${problems}`;
    assert.equal((await ask(`${absolute}7/`)).status, 200);
    assertRefusal(await ask(absolute, { method: 'POST' }), 40500);
    assert.equal((await ask(absolute.slice(0, -1))).headers.location, problems);
    const next = (await ask(`${absolute}?limit=1`)).headers['link'];
    assert.match(String(next), /^<http:\/\/garden\.example\.org\/problem_list\/api\/problems\/\?limit=1&cursor=/);
  });

  await t.test('HEAD answers as GET does, without the body', async () => {
    const targets = [
      problems,
      `${problems}7/`,
      `${problems}404/`,
      `${problems}abc/`,
      `${problems}?x=1`,
      `${problems}?limit=1&count=true`,
      records,
      '/nowhere',
      '/',
      '/openapi.json',
    ];
    for (const target of targets) {
      for (const coding of ['identity', 'gzip']) {
        const headers = { 'Accept-Encoding': coding };
        const get = await ask(target, { headers });
        const head = await ask(target, { headers, method: 'HEAD' });
        assert.equal(head.bytes.length, 0);
        const differing = ['date', 'x-request-id', 'ratelimit'];
        const comparable = (reply: typeof get) =>
          Object.entries(reply.headers)
            .filter(([name]) => !differing.includes(name))
            .sort();
        assert.equal(head.status, get.status);
        assert.deepEqual(comparable(head), comparable(get), target);
      }
    }
  });

  await t.test('nothing acceptable is 406', async () => {
    const png = { Accept: 'image/png' };
    assertRefusal(
      await ask(problems, { headers: png }),
      40600,
      /application\/json, application\/x-ndjson or text\/csv/,
    );
    assertRefusal(
      await ask(`${problems}7/`, { headers: { Accept: 'text/csv' } }),
      40600,
      /accept application\/json\.$/,
    );
    assertRefusal(await ask(`${problems}404/`, { headers: png }), 40600);
  });

  await t.test('each answer has a request id of our own making', async () => {
    const headers = { 'X-Request-Id': '00000000-0000-4000-8000-000000000000' };
    const ids = new Set<unknown>();
    for (const target of [problems, '/nowhere', '/', '/plants/1', problems.slice(0, -1)]) {
      const reply = await ask(target, { headers });
      assert.match(String(reply.headers['x-request-id']), /^[0-9a-f-]{36}$/);
      ids.add(reply.headers['x-request-id']);
    }
    assert.equal(ids.size, 5);
    assert(!ids.has(headers['X-Request-Id']));
  });

  await t.test('under a base address with a path everything lives below it', async (t) => {
    const below = await serveHere(t, { databaseUrl, env: { BASE_URL: 'https://example.org/my/garden/' } });
    const prefix = '/my/garden';
    const reply = await send(below.url, `${prefix}${problems}?limit=1`, { token });
    assert.equal(reply.status, 200);
    assert.match(
      String(reply.headers['link']),
      /^<https:\/\/example\.org\/my\/garden\/problem_list\/api\/problems\/\?limit=1&cursor=[\w-]+>; rel="next"$/,
    );
    const { headers } = await send(below.url, `${prefix}${problems.slice(0, -1)}?limit=1`);
    assert.equal(headers.location, `${prefix}${problems}?limit=1`);
    assertRefusal(await send(below.url, `${prefix}/plants/1`, { method: 'DELETE', token }), 40401);
    assertRefusal(await send(below.url, `${prefix}/plants/1`), 40500);
    assertRefusal(await send(below.url, problems, { token }), 40400);
    const document = JSON.parse((await send(below.url, `${prefix}/openapi.json`)).text);
    assert.equal(document.servers[0].url, 'https://example.org/my/garden');
  });

  await t.test('none of all this was a fault', () => assert.equal(server.stderr(), ''));
});
