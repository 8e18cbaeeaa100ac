/** `garden mcp` between a program and a real garden, with the official clients of both eras and with single lines. */
import assert from 'node:assert/strict';
import { createInterface } from 'node:readline';
import { suite, type TestContext, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { message, meta, newVersion } from '../programs/mcp-clients.ts';
import { type Json, problemUrl, programGarden } from '../programs/support.ts';
import { freePort } from '../support/ports.ts';
import { ended, front, garden, person, usualEnv } from './command-support.ts';

const info = { name: 'tests', version: '1' };

suite('garden mcp', { concurrency: true }, () => {
  test('the official clients of both eras look up, mark and undo', async (t) => {
    const { server, tokens, ada } = await programGarden(t);
    const env = { ...usualEnv, GARDEN_URL: server.url, GARDEN_TOKEN: tokens.ada };
    const command = { command: process.execPath, args: [garden, 'mcp'], env };
    // The two libraries have types of their own with the same methods.
    const old = new OldClient(info) as unknown as Client;
    const clients = [
      [old, new OldTransport(command) as unknown as StdioClientTransport],
      [new Client(info, { versionNegotiation: { mode: 'legacy' } }), new StdioClientTransport(command)],
      [new Client(info, { versionNegotiation: { mode: { pin: newVersion } } }), new StdioClientTransport(command)],
    ] as const;
    for (const [at, [client, transport]] of clients.entries()) {
      await client.connect(transport);
      t.after(() => client.close());
      assert.ok((await client.listTools()).tools.length > 5);
      const id = String(7 + at);
      const found: Json = await client.callTool({ name: 'look_up', arguments: { url: problemUrl(7 + at) } });
      assert.equal(found.structuredContent.problem.id, id, JSON.stringify(found));
      const marked: Json = await client.callTool({ name: 'mark', arguments: { problem: id, status: 'solved' } });
      assert.equal((await ada(`/marks/${id}`)).json.status, 'solved');
      await client.callTool({ name: 'undo', arguments: { change: marked.structuredContent.change } });
      assert.equal((await ada(`/marks/${id}`)).json.status, 'not_started');
      await assert.rejects(client.callTool({ name: 'grün', arguments: {} }), { code: -32602 });
    }
  });

  async function bridged(t: TestContext, env: Readonly<Record<string, string>>) {
    const { start } = await person(t, env);
    const child = start(['mcp']);
    t.after(() => child.kill('SIGKILL'));
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async (): Promise<Json> => JSON.parse((await answers.next()).value ?? 'null');
    const write = (...lines: (object | string)[]) =>
      child.stdin.write(lines.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join(''));
    return { child, next, write };
  }

  test('each line is one message, and what is none is answered as the garden does', async (t) => {
    const { server, tokens } = await programGarden(t);
    const { child, next, write } = await bridged(t, { GARDEN_URL: server.url, GARDEN_TOKEN: tokens.ada });
    const asked = async (line: object | string) => {
      write(line);
      const { id, error, result } = await next();
      return [id, error?.code ?? Object.keys(result)[0]];
    };
    assert.deepEqual(await asked('{'), [null, -32700]);
    assert.deepEqual(await asked('[]'), [null, -32600]);
    assert.deepEqual(await asked(message('tools/list', { _meta: meta }, 'é')), ['é', 'tools']);
    assert.deepEqual(await asked(message('prompts/get', { name: ' ü', _meta: meta }, 2)), [2, -32602]);
    // Neither a notification nor an empty line is answered.
    write({ jsonrpc: '2.0', method: 'notifications/initialized' }, '');
    assert.deepEqual(await asked(message('ping', {}, 3)), [3, undefined]);
    child.stdin.end();
    assert.equal((await ended(child)).code, 0);
  });

  test('a garden that is not reached or refuses is an error with the id, and nothing else is on stdout', async (t) => {
    const { server, tokens } = await programGarden(t);
    const moved = await front(t, server.url, {
      before: (_, response) => Boolean(response.writeHead(307, { Location: `${server.url}/practice/mcp` }).end()),
    });
    for (const [GARDEN_URL, GARDEN_TOKEN, sentence] of [
      [`http://127.0.0.1:${await freePort()}`, tokens.ada, /cannot be reached \(ECONNREFUSED\)/],
      [moved.url, tokens.ada, /No garden answers at .* \(307\)/],
      [server.url, `pgw_${'0'.repeat(36)}`, /token is malformed, unknown, expired or revoked/],
    ] as const) {
      const { child, next, write } = await bridged(t, { GARDEN_URL, GARDEN_TOKEN });
      write({ jsonrpc: '2.0', method: 'notifications/initialized' }, message('tools/list', {}, 'one'));
      const { id, error } = await next();
      assert.deepEqual([id, error.code], ['one', -32603]);
      assert.match(error.message, sentence);
      assert.equal((await ended(child)).out, '');
    }
    const { code, out, err } = await (await person(t)).run('mcp');
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, /not signed in/);
  });

  test('a cancelled request has no answer, and the bridge ends within five seconds of the end of its input', async (t) => {
    const { server, tokens } = await programGarden(t);
    let closed = 0;
    const slow = await front(t, server.url, {
      before: (_, response) => Boolean(response.once('close', () => closed++)) && slow.requests.length <= 2,
    });
    const { child, next, write } = await bridged(t, { GARDEN_URL: slow.url, GARDEN_TOKEN: tokens.ada });
    write(message('ping', {}, 'stays'), message('ping', {}, 'goes'));
    while (slow.requests.length < 2) await new Promise((done) => setTimeout(done, 20));
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'goes' } };
    write(cancelled, message('ping', {}, 'third'));
    assert.equal((await next()).id, 'third');
    assert.equal(closed, 2);
    const began = performance.now();
    const { code, out } = await ended(child);
    assert.deepEqual([code, out], [0, '']);
    assert.ok(performance.now() - began < 5_000);
  });
});
