/**
 * docs/adding-a-page.md can be followed: its steps, applied to a copy of the program, give a page whose test passes there, as the
 * style check and the tests of the house do that read the source (and, with `npm test looks`, the types).
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hasAllLooks } from '../support/looks.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const copied = [
  ...['src', 'test', 'bin', 'docs', 'client', 'package.json', 'package-lock.json', 'openapi.json'],
  ...['tsconfig.json', 'biome.json', '.dependency-cruiser.json'],
];

async function stepsOf(path: string) {
  const sections = (await readFile(join(root, path), 'utf8')).split(/^## \d+\. [^:\n]+: /m).slice(1);
  return sections.map((section) => {
    const [file = ''] = section.split('\n', 1);
    const blocks = [...section.matchAll(/^```(ts|diff)\n(.*?)^```$/gms)];
    return { file, blocks: blocks.map(([, kind = '', text = '']) => ({ kind, text })) };
  });
}

function added(text: string, block: string, file: string): string {
  const lines = block.split('\n').slice(0, -1);
  const known = lines.filter((line) => line.startsWith(' ')).map((line) => line.slice(1));
  const [first = ''] = known;
  assert.equal(known.length, 1, `${file}: a block has one line that is there already`);
  assert.equal(text.split(`${first}\n`).length, 2, `${file} has this line once: ${first}`);
  const isBefore = lines[0] !== ` ${first}`;
  const news = lines.filter((line) => line.startsWith('+')).map((line) => line.slice(1));
  const both = isBefore ? [...news, first] : [first, ...news];
  return text.replace(`${first}\n`, () => `${both.join('\n')}\n`);
}

test('the steps of docs/adding-a-page.md give a page whose test passes', async (t) => {
  const copy = await mkdtemp(join(tmpdir(), 'garden-page-'));
  t.after(() => rm(copy, { recursive: true, force: true }));
  for (const name of copied)
    cpSync(join(root, name), join(copy, name), { recursive: true, filter: (path) => !/pictures.*\.png$/.test(path) });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  // The repository's own file names a folder, and a link is none.
  await writeFile(join(copy, '.gitignore'), 'node_modules\n');
  const steps = await stepsOf('docs/adding-a-page.md');
  assert.ok(steps.length > 0 && steps.length <= 6, 'a page with a form takes at most six files');
  for (const { file, blocks } of steps) {
    const path = join(copy, file);
    assert.ok(blocks.length > 0, file);
    mkdirSync(dirname(path), { recursive: true });
    for (const { kind, text } of blocks)
      await writeFile(path, kind === 'ts' ? text : added(await readFile(path, 'utf8'), text, file));
  }
  const files = steps.map(({ file }) => file).filter((file) => file.endsWith('.ts'));
  if (hasAllLooks) assert.deepEqual(await typeFaults(copy, files), []);
  // The databases of this run serve that test too.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const run = (program: string, ...args: string[]) => promisify(execFile)(program, args, { cwd: copy, env });
  // The style check and the tests of the house read the files that git would commit.
  await run('git', 'init', '--quiet');
  const tests = ['web/motto', 'house/words', 'house/sources', 'house/boundaries'].map((name) => `test/${name}.test.ts`);
  const { stdout } = await run(process.execPath, '--test', '--test-isolation=none', '--test-reporter=spec', ...tests);
  assert.match(stdout, /^✔ a motto is kept/m);
  const biome = 'node_modules/@biomejs/biome/bin/biome';
  await run(process.execPath, biome, 'check', '--error-on-warnings', '--colors=off', ...steps.map(({ file }) => file));
});

async function typeFaults(folder: string, files: readonly string[]): Promise<string[]> {
  const { default: ts } = await import('typescript');
  const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files }, ts.sys, folder);
  const program = ts.createProgram(
    files.map((file) => join(folder, file)),
    options,
  );
  return files.flatMap((file) => {
    const source = program.getSourceFile(join(folder, file));
    const faults = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return faults.map(({ messageText }) => `${file}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
  });
}
