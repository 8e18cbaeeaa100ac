/** The samples of docs/programs.md and those of each operation in the document do what they say. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { programDocument } from '../../src/contract/programs/document.ts';
import { importRows, root } from '../support/garden.ts';
import { type Json, problemUrl, programGarden } from './support.ts';

async function run(command: string, args: string[], token: string): Promise<Json> {
  const child = spawn(command, args, { env: { PATH: process.env['PATH'], TOKEN: token } });
  let [out, err] = ['', ''];
  child.stdout.on('data', (text) => (out += text));
  child.stderr.on('data', (text) => (err += text));
  await new Promise((resolve) => child.on('close', resolve));
  assert.equal(child.exitCode, 0, `${args.at(-1)}: ${err}${out}`);
  return JSON.parse(out);
}

test('the commands of docs/programs.md find, mark and undo', async (t) => {
  const { server, tokens } = await programGarden(t);
  const text = await readFile(join(root, 'docs/programs.md'), 'utf8');
  const lines = text.split('\n').filter((line) => line.startsWith('curl '));
  const base = `G='${server.url}/practice/v1'`;
  const [find, mark, undo] = lines;
  assert(find && mark && undo);
  const sh = (line: string) => run('sh', ['-c', `${base}; ${line}`], tokens.ada);
  const found = await sh(find.replace('https://codeforces.com/contest/4/problem/A', problemUrl(7)));
  assert.equal(found.items[0].id, '7');
  const marked = await sh(mark);
  assert.deepEqual([marked.mark.status, marked.mark.how], ['solved', 'hint']);
  assert.deepEqual(await sh(undo.replace('123', marked.change)), { change: marked.change, undone: true, changed: 2 });
});

test('the configuration of docs/programs.md reaches the MCP server', async (t) => {
  const { server, tokens } = await programGarden(t);
  const text = await readFile(join(root, 'docs/programs.md'), 'utf8');
  const [, json = ''] = /```json\n(.*?)```/s.exec(text.replaceAll('http://localhost:8080', server.url)) ?? [];
  const { url, headers } = JSON.parse(json.replace('pgw_…', tokens.ada)).mcpServers['practice-garden'];
  const type = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const reply = await fetch(url, { method: 'POST', headers: { ...headers, ...type }, body });
  const names = ((await reply.json()) as Json).result.tools.map(({ name }: Json) => name);
  assert.equal(names.length, 11);
  for (const name of names) assert.ok(text.includes(`\`${name}\``), name);
});

test('the samples of each operation run as they are, and those of each form in every language', async (t) => {
  const { databaseUrl, server, tokens, ada } = await programGarden(t);
  await importRows(databaseUrl, 'problems', [{ id: 10, title: 'P10', source: 'codeforces', source_key: '10A' }]);
  const updated_at = new Date(Date.now() - 30 * 86_400_000).toISOString();
  const due = [8, 9, 10].map((problem) => ({ username: 'ada', problem, status: 'complete', updated_at }));
  await importRows(databaseUrl, 'statuses', due);
  await ada.post('/problems', { url: problemUrl(7), list: 'To do' });
  const listId = (await ada('/lists')).json.items[0].id;
  const dueIds = due.map(({ problem }) => problem).values();
  const { json } = await ada.patch('/marks/9', { starred: true });
  const code = await ada.post('/solutions/7', { file: 'a.py', code: '1' });
  const document = programDocument(server.url);
  // One function writes all of them: curl runs every one, the others one of each form. Each language reads a backslash its own way.
  const met = new Set<string>();
  for (const methods of Object.values<Json>(document.paths))
    for (const [method, { operationId, requestBody, 'x-codeSamples': samples }] of Object.entries<Json>(methods))
      for (const { lang, source } of samples) {
        const form = [lang, method, requestBody !== undefined, source.includes('If-Match')].join();
        if (lang !== 'Shell' && met.has(form) && !source.includes('\\')) continue;
        met.add(form);
        const ids: [string, string][] = [
          ['/undo/7', `/undo/${json.change}`],
          ['/lists/7', `/lists/${listId}`],
          ['/solutions/7/7', `/solutions/7/${code.json.solution.id}`],
          ['"4"', (await ada(`/lists/${listId}`)).headers.etag ?? ''],
          ...(operationId === 'gradeReview' ? [['/7', `/${dueIds.next().value}`] as [string, string]] : []),
        ];
        const text = ids.reduce((one, [from, to]) => one.replace(from, to), source as string);
        const program = {
          Shell: ['sh', '-c'],
          JavaScript: [process.execPath, '--input-type=module', '-e'],
          Python: ['python3', '-c'],
        };
        const [command = '', ...args] = program[lang as keyof typeof program];
        const answer = await run(command, [...args, text], tokens.ada);
        assert.equal(typeof answer, 'object', operationId);
      }
});
