/** Each row of the table of the MCP server by raw messages: which era, which headers, which error. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { tamper } from '../support/databases.ts';
import { assertRefusal, send, sendRaw } from '../support/http.ts';
import { message, meta, modern, newVersion, type RawReply, rawMcp } from './mcp-clients.ts';
import { problemUrl, programGarden } from './support.ts';

function assertError(reply: RawReply, status: number, code: number, id: unknown = 1): void {
  assert.deepEqual([reply.status, reply.json.error?.code, reply.json.id], [status, code, id], reply.text);
  assert.deepEqual(Object.keys(reply.json), ['jsonrpc', 'id', 'error']);
}

test('the MCP server', async (t) => {
  const { server, tokens, databaseUrl } = await programGarden(t);
  const ask = rawMcp(server.url, tokens.ada);
  const version = (text: string) => ({ 'MCP-Protocol-Version': text });

  await t.test('serves the old era: without a version, or with one that it knows', async () => {
    for (const [requested, answered] of [
      ['2025-06-18', '2025-06-18'],
      ['2025-11-25', '2025-11-25'],
      ['2025-03-26', '2025-11-25'],
      ['2099-01-01', '2025-11-25'],
    ]) {
      const { json } = await ask(message('initialize', { protocolVersion: requested, capabilities: {} }, 'a'));
      assert.deepEqual(Object.keys(json.result), ['protocolVersion', 'capabilities', 'serverInfo', 'instructions']);
      assert.deepEqual([json.id, json.result.protocolVersion], ['a', answered]);
      assert.deepEqual(json.result.capabilities, { tools: {}, prompts: {} });
    }
    assert.deepEqual((await ask(message('ping'), version('2025-06-18'))).json, { jsonrpc: '2.0', id: 1, result: {} });
    assert.deepEqual(Object.keys((await ask(message('tools/list'))).json.result), ['tools']);
    const accepted = await ask({ jsonrpc: '2.0', method: 'notifications/initialized' }, version('2025-11-25'));
    assert.deepEqual([accepted.status, accepted.text], [202, '']);
    for (const text of ['2025-03-26', '2024-11-05', 'newest'])
      assertError(await ask(message('ping'), version(text)), 400, -32600);
    for (const method of ['nowhere', 'server/discover', 'constructor'])
      assertError(await ask(message(method)), 200, -32601);
  });

  await t.test('serves the new era: the version in _meta, or a header from 2026 on', async () => {
    const { json } = await ask(...modern('server/discover'));
    const { _meta, ...discovered } = json.result;
    assert.deepEqual(_meta, { 'io.modelcontextprotocol/serverInfo': { name: 'practice-garden', version: '1.0.0' } });
    const keeping = { resultType: 'complete', ttlMs: 300_000, cacheScope: 'private' };
    const { instructions, ...rest } = discovered;
    assert.match(instructions, /from_others/);
    assert.deepEqual(rest, { ...keeping, supportedVersions: [newVersion], capabilities: { tools: {}, prompts: {} } });
    for (const method of ['tools/list', 'prompts/list']) {
      const { resultType, ttlMs, cacheScope } = (await ask(...modern(method))).json.result;
      assert.deepEqual({ resultType, ttlMs, cacheScope }, keeping);
    }
    const [today, headers] = modern('tools/call', { name: 'today' });
    const called = (await ask(today, headers)).json.result;
    assert.deepEqual(Object.keys(called), ['content', 'structuredContent', 'resultType', '_meta']);
    assert.equal((await ask(today, { ...headers, 'Mcp-Name': '=?base64?dG9kYXk=?=' })).status, 200);
    for (const name of ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name']) {
      const { [name]: _, ...others } = headers as Record<string, string>;
      assertError(await ask(today, others), 400, -32020);
      assertError(await ask(today, { ...others, [name]: '2025-11-25' }), 400, -32020);
      assertError(await ask(today, { ...others, [name]: '=?base64?!?=' }), 400, -32020);
    }
    for (const method of ['nowhere', 'ping', 'initialize', 'subscriptions/listen'])
      assertError(await ask(...modern(method)), 404, -32601);

    const key = 'io.modelcontextprotocol/protocolVersion';
    const { [key]: _, ...unversioned } = meta;
    const incomplete = [{}, unversioned, { [key]: newVersion }, { ...meta, [key]: 7 }].map((_meta) => ({ _meta }));
    for (const params of [{}, ...incomplete])
      assertError(
        await ask(message('tools/list', params), { ...version(newVersion), 'Mcp-Method': 'tools/list' }),
        400,
        -32602,
      );
    for (const requested of ['2026-12-01', '2025-11-25']) {
      const later = message('tools/list', { _meta: { ...meta, [key]: requested } });
      const unknown = await ask(later, { ...version(requested), 'Mcp-Method': 'tools/list' });
      assertError(unknown, 400, -32022);
      assert.deepEqual(unknown.json.error.data, { supported: [newVersion], requested });
    }
  });

  await t.test('refuses what is no message, and names that it does not have', async () => {
    const deep = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${'['.repeat(32)}${']'.repeat(32)}}}`;
    for (const text of ['', '{', '\ufeff{}', '{"id":1,"id":2}', String.raw`{"id":"\ud800"}`, deep])
      assertError(await ask(text), 400, -32700, null);
    for (const [invalid, id] of [
      [[message('ping')], null],
      [[], null],
      ['7', null],
      [{ ...message('ping'), jsonrpc: '1.0' }, 1],
      [{ ...message('ping'), params: [] }, 1],
      [{ ...message('ping'), id: null }, null],
      ['{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', null],
      [{ jsonrpc: '2.0', id: 1, result: {} }, 1],
    ] as const)
      assertError(await ask(invalid), 400, -32600, id);
    for (const [method, params] of [
      ['tools/call', { name: 'nowhere' }],
      ['tools/call', {}],
      ['prompts/get', { name: 'nowhere' }],
      ...['9', '301', '30 and more', ''].map(
        (minutes) => ['prompts/get', { name: 'practice_session', arguments: { minutes } }] as const,
      ),
    ] as const) {
      assertError(await ask(message(method, params)), 200, -32602);
      assertError(await ask(...modern(method, params)), 200, -32602);
    }
  });

  await t.test('refuses by HTTP what concerns the request and not its message', async () => {
    const ping = message('ping');
    for (const origin of ['null', 'https://evil.example', server.url])
      assertRefusal(await ask(ping, { Origin: origin }), 40302);
    const base = server.url.replace('127.0.0.1', 'localhost');
    assert.equal((await ask(ping, { Origin: base })).status, 200);
    const anonymous = await rawMcp(server.url, undefined)(ping, { Origin: 'null' });
    assertRefusal(anonymous, 40100, /pgw_/);
    assert.equal(anonymous.headers['www-authenticate'], 'Bearer');
    assertRefusal(await rawMcp(server.url, tokens.nine)(ping), 40101);
    const head = `POST /practice/mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{`;
    assert.match(await sendRaw(server.url, head, /\r\n\r\n/), /^HTTP\/1.1 401 /);
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const wrong = await ask(ping, {}, method);
      assertRefusal(wrong, 40500);
      assert.equal(wrong.headers.allow, 'POST, OPTIONS');
    }
    assert.equal((await ask('', {}, 'OPTIONS')).status, 204);
    assertRefusal(await ask(ping, { Accept: 'text/event-stream' }), 40600);
    assert.equal((await ask(ping, { Accept: 'application/json, text/event-stream' })).status, 200);
    assertRefusal(await ask('x'.repeat(1024 * 1024 + 1)), 41300);
    assertRefusal(await ask(ping, { 'Content-Type': 'text/plain' }), 41500);
    const oauth = ['oauth-authorization-server', 'oauth-protected-resource', 'oauth-protected-resource/practice/mcp'];
    for (const path of ['/practice/mcp/', '/register', ...oauth.map((name) => `/.well-known/${name}`)])
      for (const method of ['GET', 'POST']) assertRefusal(await send(server.url, path, { method }), 40400);
  });

  await t.test('a fault of the server has the id of its request', async () => {
    await tamper(databaseUrl, 'ALTER TABLE timers RENAME TO no_timers');
    for (const id of ['x', 7]) assertError(await ask(message('tools/call', { name: 'today' }, id)), 500, -32603, id);
    assert.match(server.stderr(), /"msg":"fault"/);
  });
});

test('limits: requests by HTTP, writes as a result; a demo changes nothing, and PROGRAMS=off has no server', async (t) => {
  const limited = await programGarden(t, { RATE_LIMIT: '3', PROGRAM_WRITES: '1' });
  const mark = (status: string) => message('tools/call', { name: 'mark', arguments: { url: problemUrl(7), status } });
  const ask = rawMcp(limited.server.url, limited.tokens.ada);
  const replies = [await ask(mark('reading')), await ask(mark('trying')), await ask(mark('solved'))];
  const refused = replies.map(({ json }) => json.result).filter(({ isError }) => isError);
  assert.ok(refused.length > 0);
  for (const { content } of refused) assert.match(content[0].text, /^\{"error":42900,"message":".*1 writes/);
  const more = await Promise.all(Array.from({ length: 8 }, () => ask(message('ping'))));
  const tooMany = more.find(({ status }) => status !== 200);
  assert(tooMany);
  assertRefusal(tooMany, 42900);

  const demo = await programGarden(t, { DEMO: 'read-only' });
  const { result } = (await rawMcp(demo.server.url, demo.tokens.ada)(mark('solved'))).json;
  assert.match(result.content[0].text, /^\{"error":40300/);
  const off = await programGarden(t, { PROGRAMS: 'off' });
  assertRefusal(await rawMcp(off.server.url, off.tokens.ada)(message('ping')), 40400);
});
