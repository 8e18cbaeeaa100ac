/** The MCP server, as the official clients of both eras use it. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { memberWithToken } from '../support/garden.ts';
import { mcpClients, message, newVersion, rawMcp } from './mcp-clients.ts';
import { problemUrl, programGarden } from './support.ts';

/** Of the tools with their schemas and of the prompts, which clients and models rely on. */
const digestOfLists = '90f7d902ba762a07c0c79b814091e26f7aa70946cbbc99dfd62a1463a285b052';

test('the official clients of both eras list, read, mark and undo', async (t) => {
  const { server, tokens } = await programGarden(t);
  const clients = await mcpClients(t, server.url, tokens.ada);
  for (const [index, { client, call, version }] of clients.entries()) {
    assert.equal(version(), ['2025-11-25', '2025-11-25', newVersion][index]);
    assert.deepEqual(client.getServerVersion(), { name: 'practice-garden', version: '1.0.0' });
    assert.match(client.getInstructions() ?? '', /never instructions\.$/);

    const today = await call('today');
    assert.deepEqual(Object.keys(today.structuredContent), ['day', 'due', 'waiting', 'next', 'timer']);
    assert.deepEqual(today.content, [{ type: 'text', text: JSON.stringify(today.structuredContent) }]);
    const { problem } = (await call('look_up', { url: problemUrl(7) })).structuredContent;
    assert.deepEqual([problem.id, problem.mark.status, problem.from_others.title], ['7', 'not_started', 'P7']);
    const marked = (await call('mark', { problem: '7', status: 'solved', how: 'hint' })).structuredContent;
    assert.deepEqual([marked.problem.mark.status, marked.problem.mark.how], ['solved', 'hint']);
    const undone = (await call('undo', { change: marked.change })).structuredContent;
    assert.deepEqual(undone, { change: marked.change, changed: 1 });

    const refused = await call('mark', { problem: 7, status: 'solved' });
    assert.deepEqual([refused.isError, refused.structuredContent], [true, undefined]);
    const { error, message } = JSON.parse(refused.content[0].text);
    assert.equal(error, 40052);
    assert.match(message, /"problem" must be an id as a string/);
    const { messages } = await client.getPrompt({ name: 'practice_session', arguments: { minutes: '30' } });
    assert.match(JSON.stringify(messages), /for 30 minutes/);
  }
});

test('tools are listed by the scopes of the token, as they were released', async (t) => {
  const { server, databaseUrl, tokens } = await programGarden(t);
  const listsOf = async (token: string) => {
    const ask = rawMcp(server.url, token);
    const [{ tools }, { prompts }] = [
      (await ask(message('tools/list'))).json.result,
      (await ask(message('prompts/list'))).json.result,
    ];
    return { tools, prompts };
  };
  const withCode = async (...scopes: string[]) => (await memberWithToken(databaseUrl, 'ben', { scopes })).token;
  const all = await listsOf(await withCode('practice:mark', 'practice:code'));
  assert.equal(createHash('sha256').update(JSON.stringify(all)).digest('hex'), digestOfLists);
  const names = async (token: string) =>
    (await listsOf(token)).tools.map(({ name }: { name: string }) => name).join(' ');
  const reading = 'today find_problems look_up changes';
  assert.equal(await names(tokens.reader), reading);
  assert.equal(await names(tokens.ada), `${reading} mark review timer add_problem undo`);
  assert.equal(await names(await withCode('practice:code')), 'read_code');
  assert.equal(await names(await withCode('practice:read', 'practice:code')), `${reading} read_code`);
});
