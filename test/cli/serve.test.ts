/** garden serve: its sample, and a port that is taken. What it prints at its start is in first-minutes.test.ts. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { openGarden } from '../importing/support.ts';
import { commandLine } from '../support/commands.ts';
import { garden, temporaryDatabase } from '../support/garden.ts';
import { listenOn } from '../support/ports.ts';

test('the sample comes and goes without a trace, and leaves what members use', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const cli = commandLine(databaseUrl);
  await cli.run('member create ada');
  const input = '[{"title":"Theirs","source":"codeforces","source_key":"1480C"}]';
  await cli.run('import problems -', { input });
  const store = await openGarden(t, databaseUrl);
  const before = await store.everything();
  const load = () => cli.json<Record<string, unknown>>('sample load');
  const loaded = await load();
  assert.ok(Number(loaded['problems']) > 300);
  assert.deepEqual([loaded['member'], loaded['statuses'], loaded['bookmarks'], loaded['plants']], ['demo', 183, 12, 6]);
  const again = await load();
  assert.deepEqual([again['problems'], again['statuses']], [0, 0]);
  assert.deepEqual(await cli.json('sample remove --yes'), { members: loaded['members'], problems: loaded['problems'] });
  assert.equal(await store.everything(), before);
  await load();
  const mark = '[{"username":"ada","source":"codeforces","source_key":"4A"}]';
  await cli.run('import bookmarks -', { input: mark });
  await cli.json('sample remove --yes');
  const left = (await store.rows('problems')).map((row) => row['source_key']);
  assert.deepEqual(left, ['1480C', '4A']);
});

test('a port in use is said once, by one process or several, and the exit code is 2', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const port = await listenOn(t, createServer());
  for (const workers of ['1', '2']) {
    const args = `serve --port ${port} --workers ${workers}`;
    const { code, stdout, stderr } = await garden(args.split(' '), { databaseUrl, env: { LOG_LEVEL: 'warn' } });
    assert.deepEqual([code, stdout], [2, ''], stderr);
    assert.equal(stderr, `garden: 127.0.0.1:${port} is in use by another program; stop it, or choose another PORT.\n`);
  }
});
