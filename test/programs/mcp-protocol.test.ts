/** Each row of the table of the MCP server by raw messages: which era, which headers, which error. */
import assert from 'node:assert/strict';
import test from 'node:test';
import release from '../../package.json' with { type: 'json' };
import { filesOnly, holdPlants, tamper } from '../support/databases.ts';
import { assertRefusal, send, sendRaw } from '../support/http.ts';
import { message, meta, modern, newVersion, rawMcp, versionKey } from './mcp-clients.ts';
import { problemUrl, programGarden } from './support.ts';

const serverInfo = { name: 'practice-garden', version: release.version };
const capabilities = { tools: {}, prompts: {} };
const ping = message('ping');

test('the MCP server', async (t) => {
  const { server, tokens, databaseUrl } = await programGarden(t);
  const ask = rawMcp(server.url, tokens.ada);
  const inVersion = (version: string, of = {}) => ({ ...of, 'MCP-Protocol-Version': version });
  async function fails(status: number, code: number, ...[sent, headers, id = 1]: [object | string, object?, unknown?]) {
    const reply = await ask(sent, headers as Record<string, string>);
    assert.deepEqual([reply.status, reply.json.error?.code, reply.json.id], [status, code, id], reply.text);
    return reply.json.error.data;
  }

  await t.test('serves the old era: without a version, or with one that it knows', async () => {
    for (const version of ['2025-06-18', '2025-11-25', '2025-03-26', '2099-01-01']) {
      const { result } = (await ask(message('initialize', { protocolVersion: version }))).json;
      const protocolVersion = version === '2025-06-18' ? version : '2025-11-25';
      const { instructions } = result;
      assert.deepEqual(result, { protocolVersion, capabilities, serverInfo, instructions });
    }
    assert.deepEqual((await ask(ping, inVersion('2025-06-18'))).json, { jsonrpc: '2.0', id: 1, result: {} });
    assert.deepEqual(Object.keys((await ask(message('prompts/list'))).json.result), ['prompts']);
    const { status, text } = await ask({ jsonrpc: '2.0', method: 'notifications/initialized' });
    assert.deepEqual([status, text], [202, '']);
    for (const version of ['2025-03-26', '2024-11-05', 'newest']) await fails(400, -32600, ping, inVersion(version));
    for (const method of ['nowhere', 'server/discover', 'constructor']) await fails(200, -32601, message(method));
  });

  await t.test('serves the new era: the version in _meta, or a header from 2026 on', async () => {
    const complete = { resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo } };
    const cached = { ...complete, ttlMs: 300_000, cacheScope: 'private' };
    const { instructions, ...discovered } = (await ask(...modern('server/discover'))).json.result;
    assert.match(instructions, /from_others/);
    assert.deepEqual(discovered, { ...cached, supportedVersions: [newVersion], capabilities });
    const { tools } = (await ask(message('tools/list'))).json.result;
    assert.deepEqual((await ask(...modern('tools/list'))).json.result, { ...cached, tools });
    const [today, headers] = modern('tools/call', { name: 'today' });
    const { content, structuredContent, ...rest } = (await ask(today, headers)).json.result;
    assert.deepEqual(rest, complete);
    assert.equal((await ask(today, { ...headers, 'Mcp-Name': '=?base64?dG9kYXk=?=' })).status, 200);
    for (const name of ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name']) {
      const { [name]: _, ...others } = headers;
      for (const wrong of [{}, { [name]: '2025-11-25' }, { [name]: '=?base64?!?=' }])
        await fails(400, -32020, today, { ...others, ...wrong });
    }
    for (const method of ['nowhere', 'ping', 'initialize', 'subscriptions/listen'])
      await fails(404, -32601, ...modern(method));
    const { [versionKey]: _, ...unversioned } = meta;
    for (const incomplete of [{}, unversioned, { [versionKey]: newVersion }, { ...meta, [versionKey]: 7 }])
      await fails(400, -32602, ...modern('tools/list', {}, incomplete));
    await fails(400, -32602, message('tools/list'), modern('tools/list')[1]);
    for (const requested of ['2026-12-01', '2025-11-25']) {
      const [later, of] = modern('tools/list', {}, { ...meta, [versionKey]: requested });
      const data = await fails(400, -32022, later, inVersion(requested, of));
      assert.deepEqual(data, { supported: [newVersion], requested });
    }
  });

  await t.test('refuses what is no message, and names that it does not have', async () => {
    const deep = `{"id":1,"params":${'['.repeat(32)}${']'.repeat(32)}}`;
    for (const text of ['', '{', '\ufeff{}', '{"id":1,"id":2}', String.raw`{"id":"\ud800"}`, deep])
      await fails(400, -32700, text, {}, null);
    const unsafe = '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}';
    for (const sent of [[ping], [], '7', message('ping', {}, null), unsafe]) await fails(400, -32600, sent, {}, null);
    const response = { jsonrpc: '2.0', id: 1, result: {} };
    for (const sent of [{ ...ping, jsonrpc: '1.0' }, { ...ping, params: [] }, response]) await fails(400, -32600, sent);
    const minutes = ['9', '301', '30 and more', '', ['30'], 30].map((one) => ({ minutes: one }));
    const prompts = minutes.map((args) => modern('prompts/get', { name: 'practice_session', arguments: args }));
    const named = ['tools/call', 'prompts/get'].map((method) => modern(method, { name: 'nowhere' }));
    for (const [sent, headers] of [...prompts, ...named, modern('tools/call')]) {
      await fails(200, -32602, sent, headers);
      const { _meta, ...params } = sent.params as { _meta?: object };
      await fails(200, -32602, { ...sent, params });
    }
  });

  await t.test('refuses by HTTP what concerns the request and not its message', async () => {
    for (const Origin of ['null', 'https://evil.example', server.url])
      assertRefusal(await ask(ping, { Origin }), 40302);
    const Origin = server.url.replace('127.0.0.1', 'localhost');
    const Accept = 'application/json, text/event-stream';
    assert.equal((await ask(ping, { Origin, Accept })).status, 200);
    assertRefusal(await ask(ping, { Accept: 'text/event-stream' }), 40600);
    assertRefusal(await ask('x'.repeat(1024 * 1024 + 1)), 41300);
    assertRefusal(await ask(ping, { 'Content-Type': 'text/plain' }), 41500);
    const anonymous = await rawMcp(server.url, undefined)(ping, { Origin: 'null' });
    assertRefusal(anonymous, 40100, /pgw_/);
    assert.equal(anonymous.headers['www-authenticate'], 'Bearer');
    assertRefusal(await rawMcp(server.url, tokens.nine)(ping), 40101);
    const head =
      'POST /practice/mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{';
    assert.match(await sendRaw(server.url, head, /\r\n\r\n/), /^HTTP\/1.1 401 /);
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const wrong = await ask(ping, {}, method);
      assertRefusal(wrong, 40500);
      assert.equal(wrong.headers.allow, 'POST, OPTIONS');
    }
    assert.equal((await ask('', {}, 'OPTIONS')).status, 204);
    const oauth = ['authorization-server', 'protected-resource', 'protected-resource/practice/mcp'];
    for (const path of ['/practice/mcp/', '/register', ...oauth.map((name) => `/.well-known/oauth-${name}`)])
      for (const method of ['GET', 'POST']) assertRefusal(await send(server.url, path, { method }), 40400);
  });

  await t.test('a write that waits for the database too long is refused by HTTP', { skip: filesOnly }, async () => {
    const release = await holdPlants(databaseUrl);
    const busy = await ask(message('tools/call', { name: 'mark', arguments: { problem: '7', starred: true } }));
    await release();
    assertRefusal(busy, 50301);
    assert.ok(busy.headers['retry-after']);
  });

  await t.test('a fault of the server has the id of its request', async () => {
    await tamper(databaseUrl, 'ALTER TABLE timers RENAME TO no_timers');
    for (const id of ['x', 7]) await fails(500, -32603, message('tools/call', { name: 'today' }, id), {}, id);
    assert.match(server.stderr(), /"msg":"fault"/);
  });
});

test('limits: requests by HTTP, writes as a result; a demo changes nothing, and PROGRAMS=off has no server', async (t) => {
  const limited = await programGarden(t, { RATE_LIMIT: '3', PROGRAM_WRITES: '1' });
  const mark = (status: string) => message('tools/call', { name: 'mark', arguments: { url: problemUrl(7), status } });
  const ask = rawMcp(limited.server.url, limited.tokens.ada);
  await limited.ada.patch('/marks/7', { starred: true });
  // A minute may begin in between.
  const replies = [await ask(mark('trying')), await ask(mark('solved'))];
  const refused = replies.find(({ json }) => json.result.isError);
  assert.match(refused?.json.result.content[0].text, /^\{"error":42900,"message":".* 1 writes/);
  const more = await Promise.all(Array.from({ length: 8 }, () => ask(ping)));
  const tooMany = more.find(({ status }) => status !== 200);
  assert(tooMany);
  assertRefusal(tooMany, 42900);

  const demo = await programGarden(t, { DEMO: 'read-only' });
  const { result } = (await rawMcp(demo.server.url, demo.tokens.ada)(mark('solved'))).json;
  assert.match(result.content[0].text, /^\{"error":40300/);
  const off = await programGarden(t, { PROGRAMS: 'off' });
  assertRefusal(await rawMcp(off.server.url, off.tokens.ada)(ping), 40400);
});
