/** Each promise of the interface for programs has its test, and each operation its line in docs/programs.md and a request in a test. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import test from 'node:test';
import { programOperationIds, programOperations } from '../../src/contract/programs/operations.ts';
import { read } from './support.ts';

/** The row, the file in test/programs, and parts of the names of tests. */
const rows: readonly (readonly [row: string, file: string, ...names: string[]])[] = [
  ['Place', 'refusals', 'the first fault in the order', 'PROGRAMS=off has none of it'],
  ['Document', '../contract/openapi', 'is what garden openapi writes'],
  ['Document', 'samples', 'the samples of each operation'],
  ['Tokens', 'refusals', 'the two kinds of tokens', 'a disabled member'],
  ['Tokens', '../web/connections', 'has the scopes and days that were chosen', 'what is revoked there ends at once'],
  ['Scopes', 'refusals', 'a disabled member'],
  ['Scopes', 'solutions', 'own code needs its scope'],
  ['Acts for', 'refusals', 'what another member has', 'a disabled member'],
  ['Ids, times', 'operations', 'GET /me says', 'GET /problems finds'],
  ['Bodies', 'refusals', 'a body that readers', 'a field that is unknown', 'type, size and coding'],
  ['Answers', 'operations', 'POST /problems adds or finds', 'page by page'],
  ['Errors, Order', 'refusals', 'the first fault in the order'],
  ['Conditions', 'operations', 'a status goes back only with the version'],
  ['Conditions', 'refusals', 'reads have tags'],
  [
    'Idempotency-Key',
    'repeats',
    'a repeat with the same key',
    'a refusal is not stored',
    'up to their number and bytes',
  ],
  ['Idempotency-Key', 'refusals', 'a disabled member, a key of yesterday'],
  ['Limits', 'refusals', 'writes of a minute are counted'],
  ['Limits', 'solutions', 'code has the limits of every door'],
  ['Limits', 'lists', 'beyond a limit changes nothing'],
  ['Durability', 'repeats', 'kill -9 loses no answered write', 'of 20 parallel writes'],
  ['Browsers', 'refusals', 'no preflight, no cookie and no origin'],
  ['History', 'history', 'one entry of History and undo', 'which no program undoes', 'shows each change at once'],
  ['Logs', 'refusals', 'the log has the id of the token and no body'],
  ['Marks', 'operations', 'PATCH /marks changes', 'how belongs to solved'],
  ['Reviews, next, timer', 'practice', 'what is due', 'suggestions say', 'the timer is started'],
  ['Lists', 'lists', 'made, read, replaced and undone', 'stored for seven days'],
  ['Solutions', 'solutions', 'stored byte for byte'],
  ['Undo', 'operations', 'an undo gives way to a later change'],
  ['Changes', 'changes', 'every door writes the feed', 'what is gone stays 90 days', 'whoever follows the feed'],
  ['Changes', 'changes', 'beside 8 writers in two processes', 'a place, its limits and its member'],
  ['MCP', 'mcp', 'official clients of both eras', 'tools are listed by the scopes', 'stands below from_others'],
  ['MCP', 'mcp-protocol', 'serves the old era', 'serves the new era', 'refuses by HTTP'],
];

test('each row of the promises names tests that exist', () => {
  const missing = rows.flatMap(([row, file, ...names]) => {
    const titles =
      read(`test/programs/${file}.test.ts`)
        .match(/test\(\s*(['"`]).+?\1,/gs)
        ?.join('\n') ?? '';
    return names.filter((name) => !titles.includes(name)).map((name) => `${row}: ${file}: ${name}`);
  });
  assert.deepEqual(missing, []);
});

test('each operation stands in docs/programs.md, and a test of programs sends it', () => {
  const documented = read('docs/programs.md').replaceAll(/\{\w+\}/g, '{}');
  const tests = globSync('test/programs/*.test.ts')
    .map(read)
    .join('\n')
    .replaceAll(/\$\{[^}]*\}/g, '{}');
  for (const id of programOperationIds) {
    const { method, path } = programOperations[id];
    const plain = path.replaceAll(/\{\w+\}/g, '{}');
    assert.match(
      documented,
      new RegExp(`\`${method} ${plain.replace(/[{}]/g, '\\$&')}\``),
      `${id} in docs/programs.md`,
    );
    const parts = plain.split('{}').map((part) => part.replace(/[/]/g, '\\/'));
    assert.match(tests, new RegExp(parts.join('(?:\\{\\}|\\d+)')), `${id} in test/programs`);
  }
});
