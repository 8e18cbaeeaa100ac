/** garden serve: what it prints, the sample of its first start, and how it stops. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { openGarden } from '../importing/support.ts';
import { gardenHere, gardenJson } from '../support/commands.ts';
import { onceOnly } from '../support/databases.ts';
import { garden, serve, temporaryDatabase } from '../support/garden.ts';

const run = promisify(execFile);
const tokens = /pgt_[0-9A-Za-z]{36}/g;

test('serve prints where it listens, and loads no sample', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const server = await serve(t, { databaseUrl });
  assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.equal((await fetch(`${server.url}/problem_list/api/problems/`)).status, 401);
  assert.equal(await server.stop(), 0);
  assert.equal(server.stdout().split('\n', 1)[0], `listening on ${server.url}`);
  assert.equal((await (await openGarden(t, databaseUrl)).everything()).trim(), '');
});

test('serve --sample on an empty database prints a token and three curl lines that work; never again', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const first = await serve(t, { databaseUrl, args: ['--sample'] });
  while (!first.stdout().includes('Ctrl+C')) await once(first.child.stdout ?? first.child, 'data');
  const said = first.stdout();
  const base = `http://localhost:${new URL(first.url).port}`;
  assert.ok(said.includes(`${base}/docs/`) && said.includes(`${base}/ `), said);
  assert.equal(new Set(said.match(tokens)).size, 1);
  const lines = said.split('\n').filter((line) => line.startsWith('  curl '));
  assert.equal(lines.length, 3);
  const answers: string[] = [];
  for (const line of lines) {
    const { stdout } = await run('sh', ['-c', `${line.trim()} -sS -w '\n%{http_code}'`]);
    answers.push(stdout);
  }
  const [problems = '', statuses = '', deletion = ''] = answers;
  assert.deepEqual([JSON.parse(problems.slice(0, -4)).length, problems.slice(-3)], [3, '200']);
  assert.ok(JSON.parse(statuses.slice(0, -4)).length > 20 && statuses.endsWith('200'));
  assert.equal(deletion, '\n204');
  assert.equal(await first.stop(), 0);
  const store = await openGarden(t, databaseUrl);
  const before = await store.everything();
  const second = await serve(t, { databaseUrl, args: ['--sample'] });
  assert.equal(await second.stop(), 0);
  assert.equal(await store.everything(), before);
  assert.doesNotMatch(second.stdout(), tokens);
  assert.match(second.stdout(), /\n {2}bin\/garden token create demo --name "my programs"\n/);
  await gardenJson(['member', 'create', 'ada', '--role', 'staff'], { databaseUrl });
  const third = await serve(t, { databaseUrl, args: ['--sample'] });
  assert.equal(await third.stop(), 0);
  const again = third.stdout();
  assert.match(
    again,
    /Practice Garden is at http:\/\/localhost:\d+\/, the API documentation at http:\/\/localhost:\d+\/docs\/\n/,
  );
  assert.doesNotMatch(again, tokens);
  assert.doesNotMatch(again, /authentication\//);
  const [, command = ''] = /\n {2}bin\/garden (token create demo --name) "my programs"\n/.exec(again) ?? [];
  const made = await gardenJson<{ token: string }>([...command.split(' '), 'my programs'], { databaseUrl });
  assert.match(made.token, tokens);
});

test('the sample comes and goes without a trace, and leaves what members use', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await gardenHere(['member', 'create', 'ada'], { databaseUrl });
  const input = '[{"title":"Theirs","source":"codeforces","source_key":"1480C"}]';
  await gardenHere(['import', 'problems', '-'], { databaseUrl, input });
  const store = await openGarden(t, databaseUrl);
  const before = await store.everything();
  const loaded = await gardenJson<Record<string, unknown>>(['sample', 'load'], { databaseUrl });
  assert.ok(Number(loaded['problems']) > 300);
  assert.deepEqual([loaded['member'], loaded['statuses'], loaded['bookmarks'], loaded['plants']], ['demo', 178, 12, 6]);
  const again = await gardenJson<Record<string, unknown>>(['sample', 'load'], { databaseUrl });
  assert.deepEqual([again['problems'], again['statuses']], [0, 0]);
  const removed = await gardenJson<Record<string, unknown>>(['sample', 'remove', '--yes'], { databaseUrl });
  assert.deepEqual(removed, { members: loaded['members'], problems: loaded['problems'] });
  assert.equal(await store.everything(), before);
  await gardenJson(['sample', 'load'], { databaseUrl });
  const mark = '[{"username":"ada","source":"codeforces","source_key":"4A"}]';
  await gardenHere(['import', 'bookmarks', '-'], { databaseUrl, input: mark });
  await gardenJson(['sample', 'remove', '--yes'], { databaseUrl });
  const left = (await store.rows('problems')).map((row) => row['source_key']);
  assert.deepEqual(left, ['1480C', '4A']);
});

test('a port in use is said once, by one process or several, and the exit code is 2', {
  skip: onceOnly,
}, async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  t.after(() => other.close());
  const { port } = other.address() as AddressInfo;
  for (const workers of ['1', '3']) {
    const args = ['serve', '--port', String(port), '--workers', workers];
    const { code, stdout, stderr } = await garden(args, { databaseUrl, env: { LOG_LEVEL: 'warn' } });
    assert.deepEqual([code, stdout], [2, ''], stderr);
    assert.equal(stderr, `garden: 127.0.0.1:${port} is in use by another program; stop it, or choose another PORT.\n`);
  }
});
