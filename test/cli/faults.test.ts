/** A fault of the program is a sentence too. The stack is shown only with LOG_LEVEL=debug. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { test } from 'node:test';
import { listenFault } from '../../src/server/listening.ts';
import { gardenHere } from '../support/commands.ts';
import { tamper } from '../support/databases.ts';
import { garden, launcher, temporaryDatabase } from '../support/garden.ts';

test('an unexpected fault is one plain sentence; LOG_LEVEL=debug adds where it happened', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await gardenHere('member create ada', { databaseUrl });
  await tamper(databaseUrl, 'DROP TABLE tokens');
  const { code, stdout, stderr } = await garden(['token', 'list'], { databaseUrl });
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(
    stderr,
    /^garden: Unexpected error \((?:no such table: tokens|relation "tokens" does not exist)\)\. Run the command again with LOG_LEVEL=debug and report its output, with garden --version and what you did\.\n$/,
  );
  const debugged = await garden(['token', 'list', '--json'], { databaseUrl, env: { LOG_LEVEL: 'debug' } });
  const lines = debugged.stderr.trimEnd().split('\n');
  assert.match(
    debugged.stderr,
    /^(?:SqliteError: no such table: tokens|error: relation "tokens" does not exist)\n {4}at /,
  );
  assert.deepEqual(Object.keys(JSON.parse(lines.at(-1) ?? '')), ['error', 'message']);
  assert.equal(JSON.parse(lines.at(-1) ?? '').error, 50000);
});

test('output that cannot be written is one sentence', { skip: process.platform !== 'linux' }, async (t) => {
  const full = openSync('/dev/full', 'w');
  t.after(() => closeSync(full));
  for (const args of [['config'], ['openapi']]) {
    const { status, stderr } = spawnSync(process.execPath, [launcher, ...args], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    assert.equal(status, 1);
    assert.equal(
      stderr,
      'garden: The output cannot be written (ENOSPC); free some space, or write it to another place.\n',
    );
  }
});

test('an address that the system refuses to listen on is one sentence', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  // It needs the name of an interface behind it.
  const { code, stderr } = await garden(['serve', '--host', 'fe80::1', '--port', '18'], { databaseUrl });
  assert.equal(code, 2);
  assert.match(stderr, /^garden: fe80::1:18 cannot be used for listening \(E\w+\); choose another HOST or PORT\.$/m);
  const metrics = listenFault({ host: 'conda', port: 1 }, { code: 'ENOTFOUND' }, 'METRICS_');
  assert.match(metrics, /^METRICS_HOST is conda, .* use --metrics-host 127\.0\.0\.1\.$/);
});
