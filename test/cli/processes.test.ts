/**
 * Commands as processes of their own: they start, do their work and end by themselves. A few of them here, and every command in
 * npm test faults; the other tests run commands in a thread, which says so where one leaves something open.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { english } from '../../src/words/catalogue.ts';
import { everyVerb } from '../house/support.ts';
import { gardenHere } from '../support/commands.ts';
import { postgresDatabase, testStore } from '../support/databases.ts';
import { garden, root, temporaryDatabase, temporaryFile, temporaryFolder } from '../support/garden.ts';

const isThorough = process.env['GARDEN_FAULT_ROUNDS'] !== undefined;
const problem = '{"title":"One","source":"cses","source_key":"1"}\n';

test('a command ends by itself with 0 where it succeeds', { timeout: 300_000 }, async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const [one, other] = [await temporaryFile(t), await temporaryFile(t)];
  const [backup, words] = [join(await temporaryFolder(t), 'garden.db.gz'), join(await temporaryFolder(t), 'en.json')];
  await writeFile(words, JSON.stringify(english.messages));
  const steps: [command: string, ...args: string[]][][] = [
    [['migrate'], ['config'], ['openapi'], ['words check', words], ['sample load', '--database-url', one]],
    [['sync']],
    [
      ['member create', 'ada'],
      ['import', 'problems', '-', '--format', 'ndjson'],
    ],
    [
      ['token create', 'ada', '--name', 'x'],
      ['plant add', 'ada', '--name', 'x'],
      ['handle add', 'ada', 'codeforces', 'ada_l'],
      ['member password', 'ada'],
      ['member invite'],
      ['export', 'problems'],
    ],
    [
      ['backup', backup],
      ['copy', one, testStore === 'postgres' ? await postgresDatabase(t) : other],
    ],
    [
      ['member list'],
      ['token list'],
      ['plant list'],
      ['handle list'],
      ['handle rename', '1', 'eve_l'],
      ['doctor', '--port', '0'],
    ],
    [
      ['restore', backup, '--database-url', await temporaryFile(t)],
      ['token revoke', '1'],
      ['plant remove', '1'],
      ['handle remove', '1'],
    ],
    [
      ['member rename', 'ada', 'eve'],
      ['sample remove', '--yes', '--database-url', one],
    ],
    [['member disable', 'eve']],
    [['member enable', 'eve']],
    [['member delete', 'eve', '--yes']],
  ];
  const few = steps.slice(0, testStore === 'postgres' ? 3 : 7).map((step) => step.slice(0, 1));
  for (const step of isThorough ? steps : few) {
    const runs = step.map(async ([command, ...args]) => {
      const run = await garden([...command.split(' '), ...args], { databaseUrl, input: problem });
      assert.equal(run.code, 0, `${command}: ${run.stderr}`);
    });
    await Promise.all(runs);
  }
  const names = (await everyVerb()).map(({ name }) => name).filter((name) => name !== 'serve');
  assert.deepEqual(steps.flatMap((step) => step.map(([command]) => command)).sort(), names.sort());
});

test('an interrupted import leaves the database as it was and nothing else behind', async (t) => {
  const folder = await temporaryFolder(t);
  const databaseUrl = await temporaryDatabase(t);
  const input = '{"id":1,"title":"One","source":"cses","source_key":"1"}\n';
  const args = ['import', 'problems', '-', '--format', 'ndjson'];
  await gardenHere(args, { databaseUrl, input });
  const child = spawn(process.execPath, [join(root, 'bin', 'garden'), ...args], {
    env: { ...process.env, DATABASE_URL: databaseUrl, TMPDIR: folder },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.stdin.write('{"id":2,"title":"Two","source":"cses","source_key":"2"}\n'.repeat(2000));
  while ((await readdir(folder, { recursive: true })).length < 2)
    await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill('SIGINT');
  const [code] = (await once(child, 'exit')) as [number | null];
  assert.equal(code, 130);
  assert.deepEqual(await readdir(folder), []);
  const { stdout } = await gardenHere('export problems --format csv', { databaseUrl });
  assert.equal(stdout.split('\r\n').length, 3);
});
