/** Every request gets a well-formed answer, also one that is no proper HTTP: the Error body, the right status, once. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { importRows, memberWithToken, temporaryDatabase } from '../support/garden.ts';
import { assertRefusal, client, parseRaw, sendRaw } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';
import { ownMs } from '../support/processes.ts';

const problems = '/problem_list/api/problems/';

test('protocol', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const { token } = await memberWithToken(databaseUrl, 'ada', { role: 'staff' });
  await importRows(databaseUrl, 'problems', [{ id: 7, title: 'P', source: 'here', source_key: '1' }]);
  const server = await serveHere(t, { databaseUrl });
  const ask = client(server.url, token);
  const authorization = `Authorization: Bearer ${token}`;

  const refused = async (bytes: string, error: number) => {
    const text = await sendRaw(server.url, bytes);
    const reply = parseRaw(text);
    assertRefusal(reply, error);
    assert.equal(reply.headers.connection, 'close', bytes.slice(0, 80));
    assert.equal(text.match(/HTTP\/1\.1 /g)?.length, 1);
    return reply;
  };

  await t.test('bytes that are not HTTP are refused in JSON', async () => {
    for (const bytes of [
      'GET\r\n\r\n',
      'hello\r\n\r\n',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
      'GET / HTTP/1.1\r\nHost : x\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nA\0B: c\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n',
      'DELETE /plants/1 HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n',
      'DELETE /plants/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      'DELETE /plants/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      'DELETE /plants/1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    ])
      await refused(bytes, 40000);
  });

  await t.test('a version of HTTP that is not spoken here is 505', async () => {
    for (const version of ['HTTP/0.9', 'HTTP/2.0', 'HTTP/9.9']) {
      const text = await sendRaw(
        server.url,
        `GET / ${version}
Host: x
Connection: close

`,
      );
      assertRefusal(parseRaw(text), 50500);
    }
  });

  await t.test('exactly one Host is needed, and a well-formed one', async () => {
    for (const hosts of ['', 'Host: a\r\nHost: a\r\n', 'Host: a b\r\n', 'Host: a/b\r\n', 'Host: a@b\r\n']) {
      const text = await sendRaw(
        server.url,
        `GET ${problems} HTTP/1.1\r\n${hosts}${authorization}\r\n\r\n`,
        /\}$/,
      );
      const reply = parseRaw(text);
      assertRefusal(reply, 40008);
      assert.equal(reply.headers['api-version'], '1.0.0');
    }
    const old = await sendRaw(server.url, `GET ${problems} HTTP/1.0\r\n${authorization}\r\n\r\n`);
    assert.match(old, /^HTTP\/1\.1 200 /);
    const twice = `GET ${problems} HTTP/1.1\r\nHost: x\r\n${authorization}\r\n${authorization}\r\n\r\n`;
    assertRefusal(parseRaw(await sendRaw(server.url, twice, /\}$/)), 40000);
  });

  await t.test('millions of empty lines before a request cost little, and it is answered', async () => {
    const last = `GET ${problems}7/ HTTP/1.1\r\nHost: x\r\n${authorization}\r\nConnection: close\r\n\r\n`;
    const first = last.replace('Connection: close\r\n', '');
    const ms = await ownMs(async () => {
      const text = await sendRaw(server.url, `${first}${'\r\n'.repeat(3_000_000)}${last}`);
      assert.equal(text.match(/HTTP\/1\.1 200 /g)?.length, 2);
    });
    assert.ok(ms < 3_000, `${ms} ms`);
  });

  await t.test('an Expect that cannot be met is 417; 100-continue is met', async () => {
    await refused(`GET ${problems} HTTP/1.1\r\nHost: x\r\nExpect: a miracle\r\n\r\n`, 41700);
    const head = `GET ${problems}7/ HTTP/1.1\r\nHost: x\r\n${authorization}\r\nConnection: close\r\n`;
    assert.match(await sendRaw(server.url, `${head}Expect: 100-continue\r\n\r\n`), /HTTP\/1\.1 200 /);
  });

  await t.test('this is no proxy, and knows no other methods', async () => {
    const connect = await refused('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n', 40500);
    assert.equal(connect.headers.allow, 'GET, HEAD, POST, DELETE, OPTIONS');
    const brew = await refused('BREW /plants/1 HTTP/1.1\r\nHost: x\r\n\r\n', 40500);
    assert.equal(brew.headers.allow, 'GET, HEAD, POST, DELETE, OPTIONS');
  });

  await t.test('targets up to 8 KiB are read, longer ones are 414', async () => {
    const fitting = `${problems}?q=${'a'.repeat(8192 - problems.length - 3)}`;
    assert.equal((await ask(fitting)).text, '[]');
    for (const target of [
      `${fitting}a`,
      `/plants/${'1'.repeat(9000)}`,
      `${problems}${'1'.repeat(12_000)}/`,
    ]) {
      const reply = await ask(target);
      assertRefusal(reply, 41400);
    }
    await refused(`GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 41400);
    await refused(`GET ${problems}${'a'.repeat(30_000)}`, 41400);
  });

  await t.test('headers up to 16 KiB are read, more are 431', async () => {
    assert.equal((await ask(`${problems}7/`, { headers: { 'X-Pad': 'a'.repeat(15_000) } })).status, 200);
    assertRefusal(await ask(`${problems}7/`, { headers: { 'X-Pad': 'a'.repeat(17_000) } }), 43100);
    await refused(`GET / HTTP/1.1\r\nHost: x\r\nX-Pad: ${'a'.repeat(100_000)}\r\n\r\n`, 43100);
    await refused(`GET / HTTP/1.1\r\nHost: x\r\n${'X-Pad: a\r\n'.repeat(10_000)}\r\n`, 43100);
  });

  await t.test('a body where none belongs is 400, however long and however sent', async () => {
    const json = { 'Content-Type': 'application/json' };
    const chunked = { ...json, 'Transfer-Encoding': 'chunked' };
    for (const body of ['x', '{}', 'x'.repeat(17_000), 'x'.repeat(1_000_000)]) {
      for (const headers of [json, chunked]) {
        assertRefusal(await ask(`${problems}7/`, { headers, body }), 40006);
        assertRefusal(await ask('/plants/1', { method: 'DELETE', headers, body }), 40006);
      }
    }
    assert.equal((await ask(`${problems}7/`, { headers: chunked })).status, 200);
    assert.equal((await ask(`${problems}7/`, { headers: { ...json, 'Content-Length': '0' } })).status, 200);
  });

  await t.test('a fragment belongs into no request', async () => {
    assertRefusal(await ask(`${problems}7/#top`), 40000);
    assertRefusal(await ask('/plants/1#2', { method: 'DELETE' }), 40000);
  });

  await t.test('an answer that is due comes before the refusal of what follows it', async () => {
    const good = `GET ${problems}7/ HTTP/1.1\r\nHost: x\r\n${authorization}\r\n\r\n`;
    const text = await sendRaw(server.url, `${good}${good}nonsense\r\n\r\n`);
    assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400']);
    const parts = `${good}${'a'.repeat(50)}`;
    assert.deepEqual((await sendRaw(server.url, parts)).match(/HTTP\/1\.1 \d+/g), [
      'HTTP/1.1 200',
      'HTTP/1.1 400',
    ]);
  });

  await t.test('none of all this was a fault', () => assert.equal(server.stderr(), ''));
});
