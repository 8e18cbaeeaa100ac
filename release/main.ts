/**
 * Makes the files of a release from the last commit, the same bytes each time: the package for npm, a tar for each processor,
 * the bill of materials, the notes and the checksums. It needs git, npm, GNU tar and the package registry, no `npm ci`.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { billOfMaterials } from './materials.ts';
import { hasSection, notesFor } from './notes.ts';
import { packProgram, type Source } from './package.ts';
import { git, Refusal } from './programs.ts';
import { processors, tarFor } from './tar.ts';

const usage = `Usage: npm run release

Makes the files of a release from the last commit, in dist/release:
  the package for npm, a tar with Node for linux-x64 and for linux-arm64,
  the bill of materials (CycloneDX), the release notes, SHA256SUMS.

Commit everything first. The version is that of package.json; a tag of the
commit such as v1.2.0 must be the same. Needs git, npm and GNU tar.`;

const folder = join('dist', 'release');

/** Looks at the clone before anything is made of it. */
async function sourceHere(): Promise<Source> {
  const changed = await git('status', '--porcelain');
  if (changed !== '') throw new Refusal(`Commit or stash these changes first:\n${changed}`);
  const { name, version } = JSON.parse(await git('show', 'HEAD:package.json'));
  const tags = (await git('tag', '--points-at', 'HEAD', '--list', 'v*')).split('\n').filter((tag) => tag !== '');
  if (tags.length > 0 && !tags.includes(`v${version}`))
    throw new Refusal(`The commit has the tag ${tags.join(', ')}, but the version in package.json is ${version}.`);
  await assertTranslated();
  if (hasSection(version, await git('show', 'HEAD:CHANGELOG.md'))) await assertFrozen();
  const [commit = '', seconds] = (await git('show', '--no-patch', '--format=%H %ct', 'HEAD')).split(' ');
  return { name, version, commit, committedAt: new Date(Number(seconds) * 1000) };
}

/** Throws a Refusal that names the messages which a language lacks, because pages would show them in English. */
async function assertTranslated(): Promise<void> {
  const messagesOf = async (path: string) => Object.keys(JSON.parse(await git('show', `HEAD:${path}`)));
  const english = await messagesOf('src/words/en.json');
  const files = (await git('ls-tree', '--name-only', 'HEAD', 'src/words/')).split('\n');
  const lacking: string[] = [];
  for (const file of files.filter((path) => path.endsWith('.json') && path !== 'src/words/en.json')) {
    const own = new Set(await messagesOf(file));
    const lacks = english.filter((key) => !own.has(key));
    if (lacks.length > 0) lacking.push(`${file}: ${lacks.join(', ')}`);
  }
  if (lacking.length > 0) throw new Refusal(`Translate these messages first:\n${lacking.join('\n')}`);
}

/** Throws a Refusal if there is no frozen database of the newest schema, which every later program has to open. */
async function assertFrozen(): Promise<void> {
  const migrations = await git('ls-tree', '--name-only', 'HEAD', 'src/store/migrations/');
  const released = JSON.parse(await git('show', 'HEAD:test/store/released/migrations.json')).length;
  if (migrations.split('\n').length > released)
    throw new Refusal('This release has a new schema. Run npm run freeze:schema, and commit the files that it writes.');
}

async function make(stage: string, source: Source): Promise<void> {
  const { name, version } = source;
  const out = join(stage, 'out');
  const program = join(stage, 'program');
  await mkdir(out);
  const steps: [what: string, make: () => Promise<unknown>][] = [
    [`${name}-${version}.tgz`, () => packProgram(source, stage, out)],
    ...processors.map((processor): (typeof steps)[number] => [
      `${name}-${version}-linux-${processor}.tar.gz`,
      () => tarFor(processor, source, stage, out),
    ]),
    [
      `${name}-${version}.cdx.json`,
      async () => writeFile(join(out, `${name}-${version}.cdx.json`), await billOfMaterials(source, program)),
    ],
    [
      'NOTES.md',
      async () => {
        const changes = await readFile(join(program, 'CHANGELOG.md'), 'utf8');
        await writeFile(join(out, 'NOTES.md'), notesFor(version, changes));
      },
    ],
  ];
  for (const [at, [what, run]] of steps.entries()) {
    process.stdout.write(`${at + 1}/${steps.length} ${what}\n`);
    await run();
  }
}

async function digestOf(file: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(file), digest);
  return digest.digest('hex');
}

/** Writes SHA256SUMS, which `sha256sum --check` reads, and prints each file with its size. */
async function sum(out: string): Promise<void> {
  const names = (await readdir(out)).toSorted();
  const rows = await Promise.all(
    names.map(async (name) => ({
      name,
      bytes: (await stat(join(out, name))).size,
      digest: await digestOf(join(out, name)),
    })),
  );
  await writeFile(join(out, 'SHA256SUMS'), rows.map(({ name, digest }) => `${digest}  ${name}\n`).join(''));
  const width = Math.max(...names.map(({ length }) => length));
  process.stdout.write(`\n${'file'.padEnd(width)}  ${'bytes'.padStart(11)}  SHA-256\n`);
  for (const { name, bytes, digest } of rows) {
    process.stdout.write(`${name.padEnd(width)}  ${bytes.toLocaleString('en').padStart(11)}  ${digest}\n`);
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
  if (values.help) return void process.stdout.write(`${usage}\n`);
  const source = await sourceHere();
  process.stdout.write(`${source.name} ${source.version}, commit ${source.commit}\n`);
  const stage = await mkdtemp(join(tmpdir(), 'garden-release-'));
  try {
    await make(stage, source);
    await sum(join(stage, 'out'));
    await rm(folder, { recursive: true, force: true });
    await cp(join(stage, 'out'), folder, { recursive: true });
    process.stdout.write(`\nAll are in ${folder}.\n`);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

try {
  await main();
} catch (error) {
  const isWrongUsage = error instanceof TypeError && 'code' in error && `${error.code}`.startsWith('ERR_PARSE_ARGS');
  if (!isWrongUsage && !(error instanceof Refusal)) throw error;
  process.stderr.write(`release: ${error.message}\n${isWrongUsage ? `\n${usage}\n` : ''}`);
  process.exitCode = isWrongUsage ? 2 : 1;
}
