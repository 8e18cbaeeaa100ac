/**
 * The image, built and run: it is small, answers its health check, can write nothing but its volume, stops when it is told to,
 * and takes over the database of an older release. `npm test image` runs it.
 */
import assert from 'node:assert/strict';
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { newestVersion } from '../../src/store/migrate.ts';
import { releasedFolder, thaw } from '../store/released/released.ts';
import { buildImage, type Engine, startEngine } from '../support/containers.ts';
import { temporaryFolder } from '../support/garden.ts';
import { freePort } from '../support/ports.ts';

const megabyte = 1_000_000;
const userNumber = 1000;

const sealed = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];

const writable = `
const fs = require('node:fs');
const found = [];
(function look(path) {
  if (['/proc', '/sys', '/dev', '/data', '/tmp'].includes(path)) return;
  const stats = fs.lstatSync(path);
  if (stats.isSymbolicLink()) return;
  try { fs.accessSync(path, fs.constants.W_OK); found.push(path); } catch {}
  if (stats.isDirectory()) for (const name of fs.readdirSync(path)) look(path.replace(/\\/$/, '') + '/' + name);
})('/');
console.log(JSON.stringify({ found, user: process.getuid(), top: fs.readdirSync('/').sort() }));`;

async function answering(url: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.status === 200) return;
    await sleep(100);
  }
  throw new Error(`${url} does not answer`);
}

async function start(engine: Engine, image: string, name: string, data: string): Promise<string> {
  const port = await freePort();
  const published = ['--publish', `127.0.0.1:${port}:8080`];
  await engine(['run', '--detach', '--name', name, ...sealed, '--volume', `${data}:/data`, ...published, image]);
  const url = `http://127.0.0.1:${port}`;
  await answering(url).catch(async (error) => {
    throw new Error((await engine(['logs', name])).stderr, { cause: error });
  });
  return url;
}

async function stop(engine: Engine, name: string): Promise<number> {
  const before = performance.now();
  await engine(['stop', '--time', '10', name]);
  const seconds = (performance.now() - before) / 1000;
  const { stdout } = await engine(['inspect', '--format', '{{.State.ExitCode}}', name]);
  assert.equal(stdout.trim(), '0');
  assert.ok(seconds < 10, `${seconds} s`);
  return seconds;
}

test('the image', async (t) => {
  const engine = startEngine(t);
  if (engine === undefined) return;
  const image = await buildImage(engine);

  await t.test('has at most 200 MB, is not run as root, and has a volume and a health check', async () => {
    const { stdout } = await engine(['image', 'inspect', image]);
    const [{ Size: size, User: user, Config: config, HealthCheck, Healthcheck }] = JSON.parse(stdout);
    t.diagnostic(`${Math.round(size / megabyte)} MB`);
    assert.ok(size <= 200 * megabyte, `${size} bytes`);
    assert.equal(user, 'node');
    assert.deepEqual(config.Volumes, { '/data': {} });
    assert.equal((HealthCheck ?? Healthcheck).Test[0], 'CMD');
  });

  await t.test('can write nothing but its volume, even if its file system could be written', async () => {
    const { stdout } = await engine(['run', '--rm', image, 'node', '-e', writable]);
    const { found, user, top } = JSON.parse(stdout) as { found: string[]; user: number; top: string[] };
    assert.deepEqual(found, []);
    assert.equal(user, userNumber);
    assert.ok(!top.includes('bin') && top.includes('garden'), top.join());
  });

  await t.test('answers, is healthy, stops with 0, and keeps its data for the next start', async () => {
    const url = await start(engine, image, 'first', 'garden');
    const page = await fetch(url);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /<html/);
    for (const path of ['/docs/', '/docs/members/', '/docs/pictures/today-1440-light.png', '/openapi.json']) {
      assert.equal((await fetch(url + path)).status, 200, path);
    }
    await engine(['healthcheck', 'run', 'first']);
    await engine(['exec', '-i', 'first', 'garden', 'member', 'create', 'ada'], 'a long password of ada\n');
    const seconds = await stop(engine, 'first');
    t.diagnostic(`stopped in ${seconds.toFixed(1)} s`);
    await start(engine, image, 'second', 'garden');
    const { stdout } = await engine(['exec', 'second', 'garden', 'member', 'list']);
    assert.match(stdout, /\bada\b/);
    await stop(engine, 'second');
  });

  await t.test('updates the database of the first release, and answers its pages', async () => {
    const data = join(await temporaryFolder(t), 'data');
    mkdirSync(data);
    const file = join(data, 'garden.db');
    await thaw(`sqlite:${file}`, releasedFolder, 1);
    const made = new Database(file);
    const names = made.prepare('SELECT username FROM members ORDER BY id').pluck().all() as string[];
    made.close();
    for (const path of [data, file]) chownSync(path, userNumber, userNumber);
    const url = await start(engine, image, 'upgraded', data);
    assert.equal((await fetch(`${url}/authentication/sign-in/`, { redirect: 'manual' })).status < 400, true);
    const { stdout } = await engine(['exec', 'upgraded', 'garden', 'member', 'list']);
    for (const name of names) assert.ok(stdout.includes(name), name);
    await stop(engine, 'upgraded');
    const after = new Database(file, { readonly: true });
    assert.equal(after.prepare('SELECT max(version) FROM schema_migrations').pluck().get(), newestVersion);
    after.close();
  });
});
