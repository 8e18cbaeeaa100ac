/** Each command of the bench that the documents name runs: its works and options exist. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..');

const documents = ['README.md', 'CONTRIBUTING.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)];
const commands = documents
  .filter((path) => path.endsWith('.md'))
  .flatMap((path) => readFileSync(join(root, path), 'utf8').match(/npm run bench -- [^`\n#]+/g) ?? [])
  .map((command) => command.trim().split(/\s+/).slice(4));

const bench = (args: readonly string[]) =>
  promisify(execFile)(process.execPath, [join(root, 'bench', 'main.ts'), ...args, '--help']);

test('the documents name only works and options that the bench has', async () => {
  assert.ok(commands.length > 5, 'the documents name commands of the bench');
  // All in one call: each work and each option is looked up by itself.
  await bench(commands.flat());
});
