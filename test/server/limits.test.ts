/** Rate limits, a busy database and faults: which refusal a client gets, and which details it does not get. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { holdPlants, tamper } from '../support/databases.ts';
import { importPlants, memberWithToken, temporaryDatabase } from '../support/garden.ts';
import { assertRefusal, client, problems, send } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';
import { logLineOf } from '../support/logs.ts';

/** Checks how many of 20 requests were refused, if five are allowed in each second. */
function assertRefused(refused: number, began: number): void {
  // They may fall into two windows of a second, and on a slow machine into more.
  const windows = 1 + Math.ceil((performance.now() - began) / 1000);
  assert(refused >= 20 - 5 * windows && refused <= 15, `${refused} in ${windows} windows`);
}

test('limits', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const ada = await memberWithToken(databaseUrl, 'ada');
  const ben = await memberWithToken(databaseUrl, 'ben', { scopes: ['plants:delete'] });
  await importPlants(databaseUrl, 1);

  await t.test('a token that asks too often is refused with Retry-After, and other tokens are not', async (t) => {
    const server = await serveHere(t, { databaseUrl, env: { RATE_LIMIT: '5' } });
    const asAda = client(server.url, ada.token);
    const began = performance.now();
    const replies = await Promise.all(Array.from({ length: 20 }, () => asAda(problems)));
    const refused = replies.filter(({ status }) => status === 429);
    assertRefused(refused.length, began);
    for (const reply of refused) {
      assertRefusal(reply, 42900, 'This token sent more than 5 requests in a second; wait a second.');
      assert.equal(reply.headers['retry-after'], '1');
      assert.equal(reply.headers['ratelimit'], '"token";r=0;t=1');
    }
    for (const { headers } of replies) {
      assert.equal(headers['ratelimit-policy'], '"token";q=5;w=1');
      assert.match(String(headers['ratelimit']), /^"token";r=[0-4];t=1$/);
      assert.equal(headers['api-version'], '1.0.0');
    }
    assertRefusal(await client(server.url, ben.token)(problems), 40300);
    await sleep(1050);
    assert.equal((await asAda(problems)).status, 200);
  });

  await t.test(
    'a network that sends too many requests without a good token is refused, and good tokens of it are not',
    async (t) => {
      const server = await serveHere(t, {
        databaseUrl,
        env: { RATE_LIMIT: '5', TRUSTED_PROXIES: '127.0.0.1' },
      });
      const from = (address: string, token?: string) =>
        send(server.url, problems, { token, headers: { 'X-Forwarded-For': address } });
      const bad = `pgt_${'0'.repeat(36)}`;
      const began = performance.now();
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, n) => from('192.0.2.7', n % 2 ? bad : undefined)),
      );
      const refused = replies.filter(({ status }) => status === 429);
      assertRefused(refused.length, began);
      for (const reply of refused) {
        assertRefusal(reply, 42900, /without a good token/);
        assert.equal(reply.headers['retry-after'], '1');
      }
      for (const { status } of replies) assert(status === 401 || status === 429);
      assert.equal((await from('192.0.2.7', ada.token)).status, 200);
      assertRefusal(await from('192.0.2.8'), 40100);
      const othersBegan = performance.now();
      const others = await Promise.all(Array.from({ length: 20 }, (_, n) => from(`2001:db8::${n + 1}`)));
      assertRefused(others.filter(({ status }) => status === 429).length, othersBegan);
      assertRefusal(await from('2001:db8:0:1::1'), 40100);
    },
  );

  await t.test('without a limit there are no headers about one', async (t) => {
    const server = await serveHere(t, { databaseUrl, env: { RATE_LIMIT: '0' } });
    const { headers } = await client(server.url, ada.token)(problems);
    assert.equal(headers['ratelimit'] ?? headers['ratelimit-policy'], undefined);
  });

  await t.test('while another process writes, reads go on and a delete is 503 after a while', async (t) => {
    const server = await serveHere(t, { databaseUrl });
    const asAda = client(server.url, ada.token);
    const release = await holdPlants(databaseUrl);
    const deleting = asAda('/plants/1', { method: 'DELETE' });
    assert.equal((await asAda(problems)).status, 200);
    const busy = await deleting;
    assertRefusal(busy, 50301);
    assert.equal(busy.headers['retry-after'], '1');
    await logLineOf(server, busy.headers['x-request-id']);
    const lines = server
      .stderr()
      .split('\n')
      .filter((line) => /"level":[45]0/.test(line));
    assert.equal(lines.length, 1, 'no fault, and no stack');
    assert.match(lines[0] ?? '', /^\{"level":40,.*"error":50301,"msg":"Another process is writing[^"]*"\}$/);
    const waiting = asAda('/plants/1', { method: 'DELETE' });
    await sleep(200);
    await release();
    assert.equal((await waiting).status, 204);
  });

  await t.test('a fault says nothing of its cause, and its request id finds the line in the log', async (t) => {
    const server = await serveHere(t, { databaseUrl });
    const asAda = client(server.url, ada.token);
    await tamper(databaseUrl, 'ALTER TABLE problems RENAME TO lost');
    for (const target of [problems, `${problems}7/`]) {
      const reply = await asAda(target, { headers: { 'Accept-Encoding': 'gzip' } });
      assertRefusal(reply, 50000, /X-Request-Id/);
      assert.equal(reply.headers['cache-control'], 'no-store');
      assert.equal(reply.headers['content-encoding'] ?? reply.headers.etag, undefined);
      assert(!/problems|table|relation|sqlite|postgres/i.test(reply.text));
      const id = String(reply.headers['x-request-id']);
      const line = JSON.stringify(await logLineOf(server, id));
      assert.match(line, /no such table|relation .* does not exist/);
    }
    await tamper(databaseUrl, 'ALTER TABLE lost RENAME TO problems');
    assert.equal((await asAda(problems)).status, 200);
  });
});
