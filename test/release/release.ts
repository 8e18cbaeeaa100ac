/**
 * The release as its users get it, made twice from clean clones of the last commit: installed with npm on the Node that is here, and
 * unpacked with nothing around it. It takes minutes and asks the package registry, so only `npm test release` runs it.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { appendFile, open, readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import manifest from '../../package.json' with { type: 'json' };
import { root, temporaryFolder } from '../support/garden.ts';
import { cloned, forWholeFile, released, releaseScript } from '../support/releases.ts';

const execute = promisify(execFile);
const base = `practice-garden-${manifest.version}`;
const path = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

const isLinuxX64 = process.platform === 'linux' && process.arch === 'x64';
const forAll = forWholeFile();
let files: string;
let others: string;
before(async () => {
  [files, others] = await Promise.all([released(forAll, root), released(forAll, root, { mask: '077' })]);
});

async function digestsOf(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).toSorted();
  const digest = async (name: string) =>
    createHash('sha256')
      .update(await readFile(join(folder, name)))
      .digest('hex');
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await digest(name)])));
}

test('a release has six files, the same bytes whoever makes it, and the sums of all of them', async () => {
  const { SHA256SUMS, ...digests } = await digestsOf(files);
  const tars = [`${base}-linux-arm64.tar.gz`, `${base}-linux-x64.tar.gz`];
  assert.deepEqual(Object.keys(digests), ['NOTES.md', ...tars, `${base}.cdx.json`, `${base}.tgz`]);
  assert.deepEqual(await digestsOf(others), { SHA256SUMS, ...digests });
  const sums = await readFile(join(files, 'SHA256SUMS'), 'utf8');
  assert.equal(
    sums,
    Object.entries(digests)
      .map(([name, digest]) => `${digest}  ${name}\n`)
      .join(''),
  );
});

/** Starts a program with the sample and nothing in its environment but this; looks at what it answers. */
async function assertServes(t: TestContext, program: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { stdout } = await execute(program, ['--version'], { env });
  assert.equal(stdout, `${manifest.version}\n`);
  const child = spawn(program, ['serve', '--sample', '--port', '0', '--sync', 'off'], {
    cwd: await temporaryFolder(t),
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = new Promise((resolve) => child.on('exit', resolve));
  t.after(() => child.kill() && exit);
  let said = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    said += chunk;
    if (said.includes('Stop with')) break;
  }
  const [, url = ''] = /^listening on (\S+)$/m.exec(said) ?? [];
  const [token = ''] = /pgt_\w+/.exec(said) ?? [];
  assert.deepEqual(await (await fetch(`${url}/livez`)).json(), { status: 'alive', version: manifest.version });
  const page = await fetch(`${url}/`);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /<h1/);
  for (const document of ['/docs/', '/docs/members/', '/docs/pictures/garden-1440-light.png'])
    assert.equal((await fetch(url + document)).status, 200, document);
  const headers = { Authorization: `Bearer ${token}` };
  const problems = await fetch(`${url}/problem_list/api/problems/?q=a&limit=2&count=true`, { headers });
  assert.equal(((await problems.json()) as unknown[]).length, 2);
  child.kill('SIGTERM');
  assert.equal(await exit, 0);
}

test('npm installs the package globally on the Node that is here, with the packages of the lock, and it serves', async (t) => {
  const prefix = await temporaryFolder(t);
  const install = ['install', '--global', '--prefix', prefix, '--ignore-scripts', '--loglevel=error'];
  await execute('npm', [...install, join(files, `${base}.tgz`)], { env: { ...process.env, PATH: path } });
  const installed = join(prefix, 'lib', 'node_modules', 'practice-garden');
  assert.deepEqual(await packagesIn(installed), await packagesThatRun());
  await assertServes(t, join(prefix, 'bin', 'garden'), { PATH: path });
});

/** Each package of the lock that runs, and its version; of the optional ones, which bring Node, that for this machine. */
async function packagesThatRun(processor: string = process.arch): Promise<Record<string, string>> {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lock;
  const runs = ([place, { dev, optional }]: [string, Lock['packages'][string]]) =>
    place.lastIndexOf('node_modules/') === 0 &&
    !dev &&
    (!optional || !place.startsWith('node_modules/node-') || place === `node_modules/node-linux-${processor}`);
  const rows = Object.entries(packages).filter(runs);
  return Object.fromEntries(rows.map(([place, { version }]) => [place.replace('node_modules/', ''), version]));
}

async function packagesIn(folder: string): Promise<Record<string, string>> {
  const files = globSync('node_modules/{*,@*/*}/package.json', { cwd: folder });
  const rows = files.map(async (file): Promise<[string, string]> => {
    const { version } = JSON.parse(await readFile(join(folder, file), 'utf8'));
    return [dirname(file).replace('node_modules/', ''), version];
  });
  return Object.fromEntries(await Promise.all(rows));
}

async function unpacked(t: TestContext, processor: string): Promise<string> {
  const folder = await temporaryFolder(t);
  await execute('tar', ['-xzf', join(files, `${base}-linux-${processor}.tar.gz`), '-C', folder]);
  assert.deepEqual(await readdir(folder), [`${base}-linux-${processor}`]);
  return join(folder, `${base}-linux-${processor}`);
}

test('the tar for x64 runs in an empty environment', {
  skip: isLinuxX64 ? false : 'this is no Linux on x64',
}, async (t) => {
  await assertServes(t, join(await unpacked(t, 'x64'), 'bin', 'garden'), {});
});

/** The processor in the header of each ELF file (e_machine), and the files of other systems that can be run. */
async function machinesIn(folder: string): Promise<{ machine: number; file: string }[]> {
  const found = globSync('**/*', { cwd: folder, withFileTypes: true }).filter((file) => file.isFile());
  const machines: { machine: number; file: string }[] = [];
  for (const { parentPath, name } of found) {
    const handle = await open(join(parentPath, name));
    const { buffer } = await handle.read(Buffer.alloc(20), 0, 20, 0);
    await handle.close();
    if (buffer.toString('latin1', 0, 4) === '\x7fELF') machines.push({ machine: buffer.readUInt16LE(18), file: name });
    else if (/\.(node|exe|dll|dylib|so)$/.test(name)) machines.push({ machine: 0, file: name });
  }
  return machines.toSorted((one, other) => one.file.localeCompare(other.file));
}

for (const [processor, machine] of [
  ['x64', 62],
  ['arm64', 183],
] as const) {
  test(`the tar for ${processor} has the packages that run, Node and SQLite for that processor, and nothing for another one`, async (t) => {
    const folder = await unpacked(t, processor);
    assert.deepEqual(await machinesIn(folder), [
      { machine, file: `linux-${processor}.node` },
      { machine, file: 'node' },
    ]);
    assert.deepEqual(await packagesIn(folder), await packagesThatRun(processor));
  });
}

test('every module, thread and process that the code names is in the package', async (t) => {
  const folder = await unpacked(t, 'x64');
  assert.deepEqual(globSync('src/**/*.ts', { cwd: folder }), []);
  let named = 0;
  for (const file of globSync('src/**/*.js', { cwd: folder, exclude: ['src/web/assets/**'] })) {
    const code = await readFile(join(folder, file), 'utf8');
    assert.doesNotMatch(code, /['"`]\.{1,2}\/[^'"`\n]*\.ts['"`]/, file);
    for (const [, module = ''] of code.matchAll(/['"](\.{1,2}\/[^'"\n$]*\.js(?:on)?)['"]/g)) {
      named += 1;
      assert.ok(existsSync(join(folder, dirname(file), module)), `${file} names ${module}`);
    }
  }
  assert.ok(named > 1000, `${named}`);
});

interface Lock {
  packages: Record<string, { version: string; dev?: true; optional?: true }>;
}

test('the bill of materials is CycloneDX and names every package of the lock that runs', async () => {
  const bill = JSON.parse(await readFile(join(files, `${base}.cdx.json`), 'utf8'));
  assert.deepEqual([bill.bomFormat, bill.specVersion, bill.version], ['CycloneDX', '1.5', 1]);
  assert.match(bill.serialNumber, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.deepEqual(
    [bill.metadata.component.name, bill.metadata.component.version],
    ['practice-garden', manifest.version],
  );
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lock;
  const locked = Object.entries(packages)
    .filter(([place, { dev }]) => place !== '' && !dev)
    .map(([place, { version }]) => `${place.replace(/^.*node_modules\//, '')}@${version}`);
  const named = bill.components.map((one: { name: string; version: string }) => `${one.name}@${one.version}`);
  assert.deepEqual(new Set(named), new Set(locked));
});

test('the notes are the section of the changelog, without links to files that are not beside them', async () => {
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  const [, section = ''] = changelog.split(/^## /m).filter((part) => !part.startsWith('[Unreleased]'));
  const [heading, ...lines] = section.split('\n');
  assert.match(heading ?? '', new RegExp(`^\\[${manifest.version}\\] - \\d{4}-\\d\\d-\\d\\d$`));
  const text = lines
    .join(' ')
    .replaceAll(/\]\((?:docs|client)[^)]*\)/g, '')
    .replaceAll('[', '');
  const notes = await readFile(join(files, 'NOTES.md'), 'utf8');
  const words = (all: string) => all.trim().split(/\s+/);
  assert.deepEqual(words(notes), words(`# Practice Garden ${manifest.version} ${text}`));
  assert.doesNotMatch(notes, /\S\n(?!\n|- |#|$)/, 'each item is one line');
});

test('no release is made of changes that are not committed, nor under another version than the tag of the commit', async (t) => {
  const clone = await cloned(t, root);
  await execute('git', ['tag', 'v9.9.9'], { cwd: clone });
  assert.match(await failure(clone), /^release: The commit has the tag v9\.9\.9, but the version in package\.json is /);
  await appendFile(join(clone, 'README.md'), 'x');
  assert.equal(await failure(clone), 'release: Commit or stash these changes first:\nM README.md\n');
  assert.ok(!existsSync(join(clone, 'dist')));
});

test('no release is made with a message that a language lacks', async (t) => {
  const clone = await cloned(t, root);
  const path = join(clone, 'src', 'words', 'ja.json');
  const { 'page.skip': skip, 'page.foot': foot, ...others } = JSON.parse(await readFile(path, 'utf8'));
  assert.ok(skip && foot);
  await writeFile(path, JSON.stringify(others));
  await commit(clone);
  const sentence = 'Translate these messages first:\nsrc/words/ja.json: page.skip, page.foot';
  assert.equal(await failure(clone), `release: ${sentence}\n`);
});

test('no version is released with a schema that is not frozen', async (t) => {
  const clone = await cloned(t, root);
  await writeFile(join(clone, 'src', 'store', 'migrations', '9999-later.ts'), '');
  await writeFile(
    join(clone, 'CHANGELOG.md'),
    `# Changelog\n\n## [${manifest.version}] - 2030-01-01\n\n- Everything.\n`,
  );
  await commit(clone);
  const sentence = 'This release has a new schema. Run npm run freeze:schema, and commit the files that it writes.';
  assert.equal(await failure(clone), `release: ${sentence}\n`);
});

async function commit(cwd: string): Promise<void> {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  await execute('git', ['add', '--all'], { cwd });
  await execute('git', [...who, 'commit', '--quiet', '--message', 'A release'], { cwd });
}

async function failure(cwd: string): Promise<string> {
  const { code, stderr } = await execute(process.execPath, releaseScript, { cwd }).then(
    () => assert.fail('it made a release'),
    (error: { code: number; stderr: string }) => error,
  );
  assert.equal(code, 1);
  return stderr;
}
