/** A test file that never ends is ended, named, and counts as failed; the others go on. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root, temporaryFolder } from '../support/garden.ts';

const noPs = spawnSync('ps', ['-A']).error ? 'there is no ps' : false;

test('of three test files the two that never end are killed and named, and the run fails', {
  skip: noPs,
}, async (t) => {
  const folder = await temporaryFolder(t);
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const passing = `import { test } from 'node:test';\ntest('it passes', () => {});\n`;
  write('good.test.mts', passing);
  // What it started keeps on as well: nobody ends it.
  write(
    'open.test.mts',
    `${passing}import { spawn } from 'node:child_process';\nconst child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);\nconsole.log('started', child.pid);\n`,
  );
  // It answers no signal, as a loop without an end, and leaves the cores to others.
  const stands = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)';
  write('busy.test.mts', `${passing}setTimeout(() => ${stands}, 100);\n`);
  const overdue = JSON.stringify(join(root, 'test', 'support', 'overdue.ts'));
  write(
    'setup.mts',
    `import { watchFiles } from ${overdue};\nexport const globalSetup = () => void watchFiles({ limitMs: 12_000, everyMs: 500 });\n`,
  );
  const args = ['--test', '--test-concurrency=3', `--test-global-setup=${join(folder, 'setup.mts')}`];
  const { NODE_TEST_CONTEXT, ...env } = process.env;
  const files = ['good', 'open', 'busy'].map((name) => join(folder, `${name}.test.mts`));
  const run = spawnSync(process.execPath, [...args, ...files], { env, encoding: 'utf8', timeout: 240_000 });
  const said = run.stdout + run.stderr;
  assert.equal(run.status, 1, said);
  assert.match(run.stderr, /open\.test\.mts has not ended after \d+ s/);
  assert.match(run.stderr, /busy\.test\.mts has not ended after \d+ s/);
  assert.doesNotMatch(run.stderr, /good\.test/);
  assert.match(run.stdout, /^(?:ℹ|#) fail 2$/m);
  assert.match(run.stdout, /^(?:ℹ|#) pass 3$/m);
  const [, started = ''] = /started (\d+)/.exec(run.stdout) ?? [];
  // A process whose parent has not taken note of its end yet is a zombie.
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', started], { encoding: 'utf8' });
  assert.ok(stdout.trim() === '' || stdout.startsWith('Z'), `${started} is ${stdout}`);
});
