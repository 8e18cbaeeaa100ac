/** Each command of the bench that the documents name runs: its works and options exist. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { root } from '../support/garden.ts';
import { committedFiles, read } from './support.ts';

const commands = committedFiles()
  .filter((path) => /^(?:README|CONTRIBUTING|docs\/[\w-]+)\.md$/.test(path))
  .flatMap((path) => read(path).match(/npm run bench -- [^`\n#]+/g) ?? [])
  .map((command) => command.trim().split(/\s+/).slice(4));

const bench = (args: readonly string[]) =>
  promisify(execFile)(process.execPath, [join(root, 'bench', 'main.ts'), ...args, '--help']);

test('the documents name only works and options that the bench has', async () => {
  assert.ok(commands.length > 5, 'the documents name commands of the bench');
  // All in one call: each work and each option is looked up by itself.
  await bench(commands.flat());
});
