/** What bad requests of programs get: the order of checks, bodies, tokens, limits and conditions. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine, gardenHere } from '../support/commands.ts';
import { tamper } from '../support/databases.ts';
import { memberWithToken } from '../support/garden.ts';
import { assertRefusal, likeness, problems, send } from '../support/http.ts';
import { at, problemUrl, program, programGarden } from './support.ts';

const longDigits = '9223372036854775808';

test('refusals', async (t) => {
  const { server, tokens, databaseUrl, ada, reader, ben, nine } = await programGarden(t, { LOG_LEVEL: 'debug' });
  const cli = commandLine(databaseUrl);
  const raw = (body: string | Uint8Array, headers = {}) => ada.patch('/marks/7', body, headers);

  await t.test('a body that readers could take in two ways is refused', async () => {
    const deep = (n: number) => `{"x":${'['.repeat(n)}${']'.repeat(n)}}`;
    const malformed: (string | Uint8Array)[] = [
      ...['', '{', '[1', 'nope', '{"status":"solved",}', '\ufeff{"starred":true}', "{'starred':true}"],
      ...['{"starred":true,"starred":true}', String.raw`{"starred":true,"starr\u0065d":false}`],
      ...[String.raw`{"note":"\ud800"}`, String.raw`{"\udc00":1}`, deep(32), deep(200_000)],
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      `{"note":"${String.raw`\"`.repeat(100_000)}`,
    ];
    for (const body of malformed) assertRefusal(await raw(body), 40009);
    for (const body of ['[]', 'null', '"x"', '1', '{}', deep(31)]) assertRefusal(await raw(body), 40052);
    assert.equal((await raw('{"starred":true,"note":"{\\"starred\\":1,\\"starred\\":2}"}')).status, 200);
  });

  await t.test('a field that is unknown or wrong is named', async () => {
    const wrong: [object, RegExp][] = [
      [{ statuss: 'solved' }, /"statuss"; did you mean "status"/],
      [{ __proto__x: 1 }, /"__proto__x"/],
      [{ done: true }, /Unknown field "done"; the fields are status, how, /],
      [{ status: 'complete' }, /"status" must be one of .*solved/],
      [{ status: null }, /"status"/],
      [{ starred: 'yes' }, /"starred" must be true or false/],
      [{ minutes: 0, status: 'solved' }, /"minutes" must be an integer from 1 to 720/],
      [{ minutes: 1.5, status: 'solved' }, /"minutes"/],
      [{ note: 'a\0b' }, /U\+0000/],
      [{ note: 'x'.repeat(65_537) }, /"note"/],
      [{ add_note: '' }, /"add_note"/],
    ];
    for (const [body, message] of wrong) assertRefusal(await raw(JSON.stringify(body)), 40052, message);
    assertRefusal(await raw('{"__proto__":{"starred":true}}'), 40052, /"__proto__"/);
    const add = (body: object) => ada.post('/problems', body);
    assertRefusal(await add({ title: 'x' }), 40052, /"url" is missing/);
    assertRefusal(await add({ url: 7 }), 40052, /"url" must be a string/);
    assertRefusal(await add({ url: problemUrl(1), topics: ['a', 7] }), 40052, /"topics\[1\]"/);
  });

  await t.test('type, size and coding of a body', async () => {
    const star = (headers: object) => raw('{"starred":true}', headers);
    for (const type of ['text/plain', 'application/merge-patch+json', 'application/jsonx'])
      assertRefusal(await star({ 'Content-Type': type }), 41500);
    assertRefusal(await star({ 'Content-Type': 'application/json; charset=latin1' }), 41500);
    assertRefusal(await star({ 'Content-Encoding': 'gzip' }), 41500);
    assert.equal((await star({ 'Content-Type': 'Application/JSON; charset=UTF-8' })).status, 200);
    const long = JSON.stringify({ note: 'x'.repeat(1024 * 1024) });
    assertRefusal(await raw(long), 41300);
    assertRefusal(await raw(long, { 'Transfer-Encoding': 'chunked' }), 41300);
    const chunked = { 'Transfer-Encoding': 'chunked' };
    assert.equal((await raw('{"starred":false}', chunked)).json.mark.starred, false);
    assertRefusal(await reader('/me', { body: {} }), 40006);
    assertRefusal(await ada.post('/undo/1', '', { 'Content-Type': 'text/plain' }), 40401);
  });

  await t.test('the first fault in the order of the checks decides', async () => {
    const bad = { method: 'PATCH', body: '{', headers: { 'Content-Type': 'text/plain', 'If-Match': '"x"' } };
    const anonymous = program(server.url, undefined);
    assertRefusal(await anonymous('/nowhere/x', bad), 40400);
    assertRefusal(await anonymous('/marks/7/', bad), 40400);
    assertRefusal(await anonymous('/marks/7', { ...bad, method: 'PUT' }), 40500);
    assertRefusal(await anonymous('/marks/x?y=1', bad), 40100);
    assertRefusal(await reader('/marks/x?y=1', bad), 40300, /practice:mark/);
    assertRefusal(await ada('/marks/x?y=1', bad), 40001);
    assertRefusal(await ada(`/marks/${longDigits}`, bad), 40001);
    assertRefusal(await ada('/marks/99?y=1', bad), 40002);
    assertRefusal(await ada('/marks/99', bad), 41500);
    const json = { 'Content-Type': 'application/json', 'If-Match': '"x"', 'Idempotency-Key': 'a b' };
    assertRefusal(await ada('/marks/99', { ...bad, headers: json }), 40009);
    assertRefusal(await ada('/marks/99', { ...bad, headers: json, body: { starred: true } }), 40010);
    const keyed = { ...json, 'Idempotency-Key': 'k' };
    assertRefusal(await ada('/marks/99', { ...bad, headers: keyed, body: { starred: true } }), 40401);
    assertRefusal(await ada('/marks/7', { ...bad, headers: keyed, body: { how: 'alone' } }), 41200);
    assertRefusal(await ada('/me', { headers: { Accept: 'text/csv' } }), 40600);
    const allowed = await ada('/marks/7', { method: 'OPTIONS' });
    assert.deepEqual([allowed.status, allowed.headers.allow], [204, 'GET, HEAD, PATCH, OPTIONS']);
  });

  await t.test('the two kinds of tokens have no power over each other', async () => {
    assert.match(tokens.ada, /^pgw_[0-9A-Za-z]{36}$/);
    const here = await nine('/me');
    assertRefusal(here, 40101);
    assert.equal(here.headers['www-authenticate'], 'Bearer error="invalid_token"');
    assertRefusal(await send(server.url, problems, { token: tokens.ada }), 40101);
    assertRefusal(await program(server.url, tokens.ada.replace('pgw', 'pgt'))('/me'), 40101);
    const missing = await program(server.url, undefined)('/me');
    assertRefusal(missing, 40100, /pgw_/);
    const mixed = await cli.run('token create ada --name x --scope practice:read --scope status:read --json');
    assert.match(mixed.stderr, /40052/);
    const made = 'token create ada --name x --scope practice:mark';
    const { token, id } = await cli.json<{ token: string; id: number }>(made);
    assert.equal((await program(server.url, token)('/me')).json.token.name, 'x');
    await cli.run(`token revoke ${id}`);
    assertRefusal(await program(server.url, token)('/me'), 40101);
  });

  await t.test('what another member has is as if it did not exist', async () => {
    const { json } = await ada.patch('/marks/8', { status: 'reading', note: 'mine' });
    assert.equal((await ben('/marks/8')).json.note, null);
    const theirs = await ben.post(`/undo/${json.change}`);
    const none = await ben.post('/undo/987654321');
    assert.deepEqual({ ...(likeness(theirs) as object) }, likeness(none));
    const boss = await memberWithToken(databaseUrl, 'boss', { role: 'staff', scopes: ['practice:mark'] });
    assertRefusal(await program(server.url, boss.token).post(`/undo/${json.change}`), 40401);
  });

  await t.test('reads have tags, also compressed ones, which a write takes', async () => {
    const whole = await ada('/problems/7');
    const { version } = whole.json.mark;
    assert.equal(whole.headers.etag, `"${version}"`);
    const short = await ada('/problems/7', { headers: { 'Accept-Encoding': 'br' } });
    assert.equal(short.headers.etag, `"${version}-br"`);
    assert.equal(short.headers['content-encoding'], 'br');
    const headers = { 'Accept-Encoding': 'br', 'If-None-Match': String(short.headers.etag) };
    assert.equal((await ada('/problems/7', { headers })).status, 304);
    const me = await ada('/me');
    assert.equal((await ada('/me', { headers: { 'If-None-Match': String(me.headers.etag) } })).status, 304);
    const head = await ada('/problems/7', { method: 'HEAD' });
    assert.deepEqual([head.status, head.text, head.headers.etag], [200, '', whole.headers.etag]);
    const read = { 'If-Match': String(short.headers.etag) };
    assert.equal((await ada.patch('/marks/7', { starred: true }, read)).status, 200);
  });

  await t.test(
    'no preflight, no cookie and no origin counts, and the log has the id of the token and no body',
    async () => {
      const { headers } = await ada('/me', { headers: { Origin: 'https://evil.example', Cookie: 'session=x' } });
      assert.equal(headers['access-control-allow-origin'], undefined);
      const secret = 'Only in the body 4711';
      await raw(JSON.stringify({ note: secret }));
      await raw(`{"note":"${secret}`);
      const log = server.stderr();
      assert.ok(!log.includes(secret) && !log.includes(tokens.ada));
      assert.match(log, /"path":"\/practice\/v1\/marks\/7".*"token":"\d+"/);
    },
  );

  await t.test('a body that is not sent whole is no write', async () => {
    const before = (await ada('/marks/9')).json;
    const head = `PATCH ${at('/marks/9')} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tokens.ada}\r\n`;
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const part = `${head}Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{"starred":true}`;
    await new Promise((resolve) => socket.write(part, resolve));
    await sleep(50);
    socket.destroy();
    assert.deepEqual((await ada('/marks/9')).json, before);
  });
});

test('a disabled member, a key of yesterday, a missing scope and a preflight', async (t) => {
  const { databaseUrl, ada, ben, reader } = await programGarden(t);
  const mark = (starred: boolean) => ada.patch('/marks/7', { starred }, { 'Idempotency-Key': 'k' });
  await mark(true);
  assertRefusal(await mark(false), 42200);
  const yesterday = new Date(Date.now() - 86_400_001).toISOString();
  await tamper(databaseUrl, `UPDATE program_keys SET made_at = '${yesterday}'`);
  assert.equal((await mark(false)).json.mark.starred, false);

  const refused = await reader.patch('/marks/7', { starred: true });
  assertRefusal(refused, 40300);
  assert.equal(refused.headers['www-authenticate'], 'Bearer error="insufficient_scope"');

  const preflight = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'PATCH' };
  const { status, headers } = await ada('/marks/7', { method: 'OPTIONS', headers: preflight });
  assert.deepEqual([status, Object.keys(headers).filter((name) => name.startsWith('access-control'))], [204, []]);
  assertRefusal(await ada('/me/'), 40400);

  assert.equal((await ben('/me')).status, 200);
  await gardenHere('member disable ben', { databaseUrl });
  assertRefusal(await ben('/me'), 40101);
});

test('a demo takes no writes, and PROGRAMS=off has none of it', async (t) => {
  const demo = await programGarden(t, { DEMO: 'read-only' });
  assert.equal((await demo.ada('/me')).status, 200);
  assertRefusal(await demo.ada.patch('/marks/7', { starred: true }), 40300);
  const off = await programGarden(t, { PROGRAMS: 'off' });
  for (const path of ['/me', '/practice/openapi.json', '/practice/openapi.yaml'])
    assertRefusal(await off.ada(path), 40400);
  const create = 'token create ada --name x --json --scope';
  const options = { databaseUrl: off.databaseUrl, env: { PROGRAMS: 'off' } };
  assert.match((await gardenHere(`${create} practice:read`, options)).stderr, /^PROGRAMS is off here/);
  assert.equal((await gardenHere(`${create} status:read`, options)).stderr, '');
  assert.equal((await demo.ada('/practice/openapi.json')).json.openapi, '3.1.0');
});

test('writes of a minute are counted for the member over all tokens, refused ones too, and reads go on', async (t) => {
  const { ada, ben, databaseUrl, server } = await programGarden(t, { PROGRAM_WRITES: '3' });
  const other = program(server.url, (await memberWithToken(databaseUrl, 'ada', { scopes: ['practice:mark'] })).token);
  const write = (as: typeof ada, starred: boolean) => as.patch('/marks/7', { starred });
  const unknown = () => other.patch('/marks/99', { starred: true });
  const replies = [await write(ada, true), await unknown(), await unknown(), await write(other, false)];
  assert.deepEqual(
    replies.slice(0, 3).map(({ status }) => status),
    [200, 404, 404],
  );
  // A minute may begin in between.
  const refused = replies.at(-1)?.status === 429 ? replies.at(-1) : await write(other, true);
  assert(refused);
  assertRefusal(refused, 42900, /3 writes/);
  assert.match(refused.headers['retry-after'] ?? '', /^(?:[1-9]|[1-5]\d|60)$/);
  assert.equal((await ada('/me')).status, 200);
  assert.equal((await write(ben, true)).status, 200);
});
