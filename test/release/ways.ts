/**
 * The four ways of docs/operations.md, each from an empty Debian: two commands lead to the first page within two minutes, and an
 * upgrade keeps the data of an older release. The commands are those of the documents. It takes minutes, asks the package registry
 * and needs root, so only `npm test ways` runs it.
 *
 * Replaced in the commands, because it cannot be had here: the number of the release; `linux-x64` on another processor; the port
 * 8080, which may be taken, by PORT or in the address. What somebody downloads lies in the folder from the start, and the clone is
 * made from a repository there. Node 20 comes from its package, and the registry is asked with the resolver and the certificates of
 * this machine. `docker` is Podman of this machine; the base of the image is made of Debian's packages before the first command.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import manifest from '../../package.json' with { type: 'json' };
import { certificates, emptyDebian, importBase, startEngine } from '../support/containers.ts';
import { commandsOf, shellBlocksOf } from '../support/documents.ts';
import { signIn } from '../support/forms.ts';
import { root, temporaryFolder } from '../support/garden.ts';
import { freePort } from '../support/ports.ts';
import { cloned, forWholeFile, released } from '../support/releases.ts';

const execute = promisify(execFile);
const limitSeconds = 120;
/** The oldest Node that the documents allow, and the newest of the same number, each with the npm that it came with. */
const nodes = { oldest: ['20.0.0', '9.6.4'], newest: ['20.20.2', '10.8.2'] } as const;
const password = 'seven lanterns by the well';

interface Way {
  name: string;
  /** The place of the commands that lead to the first page, and of those of an upgrade. */
  first: string;
  upgrade: string;
  /** Debian's packages that docs/operations.md names for this way. */
  packages: readonly string[];
  needsNode: boolean;
  isClone: boolean;
  /** The command line of the garden; without it, the program that the last of the first commands starts. */
  garden?: string;
}

const operations = 'docs/operations.md';
const ofFiles = { packages: [], needsNode: false, isClone: false };
const ways: Way[] = [
  {
    ...ofFiles,
    name: 'npm package',
    first: `${operations}#from-the-npm-package`,
    upgrade: `${operations}#upgrade-the-npm-package`,
    needsNode: true,
  },
  { ...ofFiles, name: 'tar', first: `${operations}#from-the-tar`, upgrade: `${operations}#upgrade-the-tar` },
  {
    name: 'clone',
    first: 'README.md#start-it',
    upgrade: `${operations}#upgrade-a-clone`,
    packages: ['git'],
    needsNode: true,
    isClone: true,
    garden: 'bin/garden',
  },
  {
    ...ofFiles,
    name: 'image',
    first: `${operations}#with-docker-alone`,
    upgrade: `${operations}#upgrade-a-container`,
    isClone: true,
    garden: 'docker exec garden garden',
  },
];

/** The blocks of shell commands at a place of the documents. */
function blocksAt(place: string): string[] {
  const blocks = shellBlocksOf(place.replace(/#.*/, '')).filter((block) => block.place === place);
  assert.ok(blocks.length > 0, `${place} has commands`);
  return blocks.map(({ text }) => text);
}

const firstOf = (way: Way) => blocksAt(way.first)[0] ?? '';
const gardenOf = (way: Way) =>
  way.garden ??
  commandsOf(firstOf(way))
    .at(-1)
    ?.replace(/ serve$/, '') ??
  '';
/** The commands that create an administrator and a token, which the documents have for the image; the password comes from a pipe. */
function forMembers(way: Way): string {
  const text = blocksAt(`${operations}#with-docker-alone`)[1] ?? '';
  const ofImage = way.name === 'image';
  return ofImage
    ? text.replace(' -it ', ' -i ')
    : text.replaceAll(/docker exec (?:-it )?garden garden/g, gardenOf(way));
}

interface Release {
  version: string;
  commit: string;
  /** The folder of its files. */
  files: string;
}

const forAll = forWholeFile();
let repository: string;
let older: Release;
let newer: Release;

before(async () => {
  const made = await madeRepository();
  repository = made.folder;
  [older, newer] = await Promise.all([releaseOf(made.older), releaseOf(made.newer)]);
});

async function releaseOf(one: { commit: string; version: string }): Promise<Release> {
  return { ...one, files: await released(forAll, repository, { commit: one.commit }) };
}

/**
 * A repository whose branch has two commits: an older release, which is the last one with a tag, or else the program before its
 * last migration; and the commit that is here.
 */
async function madeRepository() {
  const folder = await cloned(forAll, root);
  const git = async (...args: string[]) => {
    const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.org'];
    return (await execute('git', [...identity, ...args], { cwd: folder })).stdout.trim();
  };
  const head = await git('rev-parse', 'HEAD');
  const tag = await git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^').catch(() => undefined);
  const migration = await git('log', '-1', '--diff-filter=A', '--format=%H', '--', 'src/store/migrations');
  await git('switch', '--quiet', '--force-create', 'main', tag ?? `${migration}^`);
  // A commit before the first release has no program that makes one.
  await git('checkout', head, '--', 'release');
  const file = join(folder, 'package.json');
  const text = await readFile(file, 'utf8');
  const { version } = JSON.parse(text) as { version: string };
  const olderVersion = version === manifest.version ? '0.9.0' : version;
  await writeFile(file, text.replace(`"version": "${version}"`, `"version": "${olderVersion}"`));
  await git('commit', '--quiet', '--all', '--message', olderVersion);
  const olderCommit = await git('rev-parse', 'HEAD');
  await git('read-tree', '-u', '--reset', head);
  await git('commit', '--quiet', '--message', manifest.version);
  const newerCommit = await git('rev-parse', 'HEAD');
  return {
    folder,
    older: { version: olderVersion, commit: olderCommit },
    newer: { version: manifest.version, commit: newerCommit },
  };
}

interface Computer {
  /** The folder in which commands are run, as this process sees it. */
  home: string;
  url: string;
  start(script: string): ChildProcess;
}

/** Debian that nobody has used yet, with the packages and the Node that a way names. */
async function emptyComputer(t: TestContext, way: Way, node: keyof typeof nodes): Promise<Computer> {
  const started = stoppedAfter(t);
  const folder = await temporaryFolder(t);
  await execute('tar', ['-xf', emptyDebian(way.packages), '-C', folder]);
  for (const program of ['node', 'npm', 'git', 'curl', 'python3'])
    assert.equal(existsSync(join(folder, 'usr', 'bin', program)), way.packages.includes(program), program);
  if (way.needsNode) await addNode(folder, await temporaryFolder(t), nodes[node]);
  const port = await freePort();
  // A namespace of its own: what is mounted in it goes with its last process.
  const enter = `mount --bind /dev "$0/dev" && mount -t proc proc "$0/proc" && exec chroot "$0" env -i -C /root HOME=/root \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin PORT=${port} sh -euc "$1"`;
  return {
    home: join(folder, 'root'),
    url: `http://127.0.0.1:${port}`,
    start: (script) => started(spawn('unshare', ['--mount', 'sh', '-c', enter, folder, script], { detached: true })),
  };
}

/** Puts Node and npm there, and what the registry of packages needs: a resolver and certificates. */
async function addNode(folder: string, scratch: string, [node, npm]: readonly string[]): Promise<void> {
  const packages = [`node-linux-${process.arch}@${node}`, `npm@${npm}`];
  await execute('npm', ['install', '--no-save', '--ignore-scripts', '--prefix', scratch, ...packages], {
    cwd: scratch,
  });
  const installed = join(scratch, 'node_modules');
  const local = join(folder, 'usr', 'local');
  await cp(join(installed, 'npm'), join(local, 'lib', 'node_modules', 'npm'), { recursive: true });
  await cp(join(installed, `node-linux-${process.arch}`, 'bin', 'node'), join(local, 'bin', 'node'));
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin', 'npm'));
  for (const file of ['/etc/resolv.conf', '/etc/hosts', certificates]) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), await readFile(file));
  }
  await writeFile(join(folder, 'root', '.npmrc'), `cafile=${certificates}\n`);
}

/** This machine with a folder of its own, and with Podman under the name of Docker; undefined where that cannot be. */
async function computerWithDocker(t: TestContext): Promise<Computer | undefined> {
  const started = stoppedAfter(t);
  const engine = startEngine(t);
  if (engine === undefined) return undefined;
  await importBase(engine);
  const home = await temporaryFolder(t);
  const port = await freePort();
  const env = { ...process.env, PATH: `${engine.programs}${delimiter}${process.env['PATH']}` };
  return {
    home,
    url: `http://127.0.0.1:${port}`,
    start: (script) => {
      const here = script.replaceAll(/(localhost|127\.0\.0\.1):8080/g, `$1:${port}`);
      return started(spawn('sh', ['-euc', here], { cwd: home, env, detached: true }));
    },
  };
}

/** Notes processes, so that none outlives the test. */
function stoppedAfter(t: TestContext): (child: ChildProcess) => ChildProcess {
  const children: ChildProcess[] = [];
  t.after(() => Promise.all(children.map(stop)));
  return (child) => {
    children.push(child);
    return child;
  };
}

/** Does what Ctrl+C does in a terminal, and waits. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid, 'SIGINT');
  await ended;
}

const computerFor = (t: TestContext, way: Way, node: keyof typeof nodes) =>
  way.name === 'image' ? computerWithDocker(t) : emptyComputer(t, way, node);

/** Puts there what somebody downloads of a release: its files, or the repository with nothing newer. */
async function download({ home }: Computer, way: Way, { files, commit }: Release): Promise<void> {
  if (!way.isClone) return cp(files, home, { recursive: true });
  const origin = join(home, 'origin.git');
  await execute('git', ['init', '--quiet', '--bare', '--initial-branch=main', origin]);
  await execute('git', ['push', '--quiet', origin, `${commit}:refs/heads/main`], { cwd: repository });
}

interface Run {
  child: ChildProcess;
  /** The text that it printed to both outputs. */
  said(): string;
  /** The standard output of all commands. Throws if one of them fails. */
  ended: Promise<string>;
}

/** Runs commands of the documents in the folder that this way has. */
function run(computer: Computer, way: Way, { version }: Release, script: string, input = ''): Run {
  const here = script
    .replaceAll(/practice-garden-\d+\.\d+\.\d+/g, `practice-garden-${version}`)
    .replaceAll('-linux-x64', `-linux-${process.arch}`);
  const child = computer.start(way.isClone && !script.startsWith('git clone') ? `cd practice-garden\n${here}` : here);
  child.stdin?.end(input);
  let [stdout, all] = ['', ''];
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
    all += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    all += chunk;
  });
  const ended = once(child, 'close').then(([code]) => {
    if (code !== 0) throw new Error(`${here} ended with ${code}: ${all}`);
    return stdout;
  });
  ended.catch(() => undefined);
  return { child, said: () => all, ended };
}

/** Waits until a server of this release shows its first page. */
async function firstPage({ url }: Computer, { version }: Release, { child, said }: Run): Promise<void> {
  const deadline = performance.now() + 600_000;
  for (;;) {
    const alive = await fetch(`${url}/livez`).catch(() => undefined);
    if (alive?.status === 200 && ((await alive.json()) as { version: string }).version === version) break;
    if ((child.exitCode ?? 0) !== 0 || performance.now() > deadline) assert.fail(said());
    await sleep(50);
  }
  const page = await fetch(url);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /<h1/);
}

const getting = 'git clone --quiet origin.git practice-garden\ncd practice-garden\n';
const install = (computer: Computer, way: Way, release: Release) =>
  run(computer, way, release, (way.isClone ? getting : '') + firstOf(way));

const resources = ['/problem_list/api/problems/', '/problem_list/api/status/', '/dashboard/api/bookmarks/'];

/** The rows that the owner of a token reads, by path. */
async function rowsOf({ url }: Computer, token: string): Promise<Record<string, unknown[]>> {
  const rows = resources.map(async (path): Promise<[string, unknown[]]> => {
    const answer = await fetch(url + path, { headers: { Authorization: `Bearer ${token}` } });
    assert.equal(answer.status, 200, path);
    return [path, (await answer.json()) as unknown[]];
  });
  return Object.fromEntries(await Promise.all(rows));
}

const absent = ['mmdebstrap', 'unshare', 'git'].filter((name) => spawnSync(name, ['--version']).error);
const isPossible = process.platform === 'linux' && process.getuid?.() === 0 && absent.length === 0;
const skip = isPossible ? false : 'empty systems are made on Linux by root: apt-get install mmdebstrap util-linux git';

for (const way of ways) {
  test(`${way.name}: two commands lead to the first page within two minutes`, { skip }, async (t) => {
    const commands = commandsOf(firstOf(way));
    assert.equal(commands.length, 2, commands.join('; '));
    const computer = await computerFor(t, way, 'oldest');
    if (computer === undefined) return;
    await download(computer, way, newer);
    const startedAt = performance.now();
    await firstPage(computer, newer, install(computer, way, newer));
    const seconds = (performance.now() - startedAt) / 1000;
    t.diagnostic(`${way.name}: the first page after ${seconds.toFixed(1)} s`);
    assert.ok(seconds < limitSeconds, `${seconds} s`);
  });

  test(`${way.name}: after an upgrade all members, problems and statuses are there`, { skip }, async (t) => {
    const computer = await computerFor(t, way, 'newest');
    if (computer === undefined) return;
    await download(computer, way, older);
    const server = install(computer, way, older);
    await firstPage(computer, older, server);
    const garden = (release: Release, args: string) => run(computer, way, release, `${gardenOf(way)} ${args}`).ended;
    await garden(older, 'sample load');
    await run(computer, way, older, forMembers(way), password).ended;
    const { token } = JSON.parse(await garden(older, 'token create demo --name before --json')) as { token: string };
    const members = await garden(older, 'member list --json');
    const rows = await rowsOf(computer, token);
    for (const [path, { length }] of Object.entries(rows)) assert.ok(length > 0, path);
    if (way.name !== 'image') await stop(server.child);

    await download(computer, way, newer);
    await firstPage(computer, newer, run(computer, way, newer, blocksAt(way.upgrade)[0] ?? ''));
    assert.deepEqual(JSON.parse(await garden(newer, 'member list --json')), JSON.parse(members));
    const kept = await rowsOf(computer, token);
    for (const [path, { length }] of Object.entries(rows)) assert.equal(kept[path]?.length, length, path);
    assert.partialDeepStrictEqual(kept, rows);
    const ada = await signIn(computer.url, 'ada', password);
    for (const path of ['/dashboard/', '/problem_list/']) assert.equal((await ada.open(path)).status, 200, path);
    t.diagnostic(`${way.name}: ${older.version} to ${newer.version}, ${rows[resources[0] ?? '']?.length} problems`);
  });
}
