/** A fault of the program is a sentence too. The stack is shown only with LOG_LEVEL=debug. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gardenHere } from '../support/commands.ts';
import { tamper } from '../support/databases.ts';
import { garden, temporaryDatabase } from '../support/garden.ts';

test('an unexpected fault is one plain sentence; LOG_LEVEL=debug adds where it happened', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await gardenHere(['member', 'create', 'ada'], { databaseUrl });
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
