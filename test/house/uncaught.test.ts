/** An error that nothing catches fails the test that is running, although node:test does not follow promises (light-hooks.ts). */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { environment, root, temporaryFolder } from '../support/garden.ts';

const tests = `
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
const fail = (text) => { throw new Error(text); };
test('1 passes', async () => {});
test('2 a timer after a wait', async (t) => {
  t.after(() => {});
  await sleep(1);
  setTimeout(fail, 1, 'two');
  await sleep(60_000, undefined, { signal: t.signal }).catch(() => {});
});
test('3 a promise that nobody waits for', async (t) => {
  await sleep(1);
  void sleep(1).then(() => fail('three'));
  await sleep(60_000, undefined, { signal: t.signal }).catch(() => {});
});
test('4 a part', async (t) => {
  await t.test('4.1 a microtask', async (part) => {
    await sleep(1);
    queueMicrotask(() => fail('four'));
    await sleep(60_000, undefined, { signal: part.signal }).catch(() => {});
  });
});
test('5 passes', async () => sleep(1));
`;

test('an uncaught error fails the test that is running', async (t) => {
  const file = join(await temporaryFolder(t), 'uncaught.test.mjs');
  await writeFile(file, tests);
  const preload = join(root, 'test', 'support', 'named-modules.ts');
  const { NODE_TEST_CONTEXT: _, ...env } = environment({});
  const args = [`--import=${preload}`, '--test', '--test-reporter=tap', file];
  const { status, stdout } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  assert.equal(status, 1, stdout);
  const results = [...stdout.matchAll(/^ *(ok|not ok) \d+ - ([\d.]+) /gm)].map(
    ([, result, name]) => `${name} ${result}`,
  );
  assert.deepEqual(results, ['1 ok', '2 not ok', '3 not ok', '4.1 not ok', '4 not ok', '5 ok']);
  for (const text of ['two', 'three', 'four']) assert.match(stdout, new RegExp(`error: '?${text}`));
});
