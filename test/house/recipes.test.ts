/** The recipes of docs/recipes.md: the template for Unraid agrees with the image, and restic and Litestream bring back what was kept. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { settings } from '../../src/config.ts';
import { gardenHere, gardenJson } from '../support/commands.ts';
import { pathOf } from '../support/databases.ts';
import { importPlants, memberWithToken, root, serve, temporaryFile, temporaryFolder } from '../support/garden.ts';
import { send } from '../support/http.ts';
import { findTool } from '../support/tools.ts';
import { until } from '../support/waiting.ts';
import { read } from './support.ts';

const template = join(root, 'deploy', 'templates', 'unraid.xml');
const known = new Set(Object.values(settings).map(({ env }) => env));

const reader = `
import json, sys
from xml.etree import ElementTree
container = ElementTree.parse(sys.argv[1]).getroot()
unraid = {one.tag: one.text for one in container if one.tag != 'Config'}
unraid['configs'] = [{**one.attrib, 'value': one.text} for one in container.iter('Config')]
print(json.dumps(unraid))`;

interface Unraid {
  Repository: string;
  WebUI: string;
  ExtraParams: string;
  configs: Record<string, string>[];
}

test('the template for Unraid has the port, the folder and the image of the Dockerfile', (t) => {
  const python = findTool(t, 'python3');
  if (python === undefined) return;
  const unraid: Unraid = JSON.parse(execFileSync(python, ['-c', reader, template], { encoding: 'utf8' }));
  const image = /image: \$\{GARDEN_IMAGE:-(.+)\}$/m.exec(read('deploy/compose.yaml'))?.[1];
  const port = Number(/^EXPOSE (\d+)$/m.exec(read('Dockerfile'))?.[1]);
  const folder = /^VOLUME (.+)$/m.exec(read('Dockerfile'))?.[1];

  const targets = (type: string) => unraid.configs.flatMap((one) => (one['Type'] === type ? [one['Target']] : []));
  assert.deepEqual([unraid.Repository, targets('Port'), targets('Path')], [image, [String(port)], [folder]]);
  assert.ok(unraid.WebUI.includes(`[PORT:${port}]`) && unraid.ExtraParams.includes('--read-only --tmpfs /tmp'));
  for (const one of unraid.configs) assert.equal(one['value'], one['Default'], one['Name']);
  for (const name of targets('Variable')) assert.ok(known.has(name ?? ''), name);
});

test('the document has each file of the recipes', () => {
  const text = read('docs/recipes.md');
  const folders = ['monitoring', 'proxies', 'templates'].map((name) => `deploy/${name}`);
  const files = folders.flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`));
  for (const path of [...files, 'deploy/restic-backup', 'deploy/litestream.yml'])
    assert.ok(text.includes(`../${path})`), path);
  for (const name of readdirSync(join(root, 'deploy', 'proxies')))
    assert.doesNotMatch(read(`deploy/proxies/${name}`), /max_size|buffering/, 'a limit for uploads');
  const site = read('deploy/proxies/Caddyfile')
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll('\t', '  ');
  assert.ok(read('docs/operations.md').includes(site), 'the Caddyfile of docs/operations.md');
});

test('restic keeps the backups and brings them back', async (t) => {
  const restic = findTool(t, 'restic');
  if (restic === undefined) return;
  const databaseUrl = await temporaryFile(t);
  await memberWithToken(databaseUrl, 'ada');
  const folder = await temporaryFolder(t);
  const [backups, repository, back] = ['backups', 'repository', 'back'].map((name) => join(folder, name));
  const env = { ...process.env, RESTIC_REPOSITORY: repository, RESTIC_PASSWORD: 'a long one', BACKUP_DIR: backups };
  const run = (program: string, ...args: string[]) => execFileSync(program, args, { env, stdio: 'pipe' }).toString();
  run(restic, 'init', '--no-cache');
  const script = join(root, 'deploy', 'restic-backup');
  assert.throws(() => run(script), /has no backup: set BACKUP_EVERY/);
  const made = await gardenHere(['backup', '--backup-dir', String(backups)], { databaseUrl });
  assert.equal(made.code, 0, made.stderr);
  run(script);
  run(script);
  assert.equal((JSON.parse(run(restic, 'snapshots', '--json')) as unknown[]).length, 1);
  run(restic, 'restore', 'latest', '--tag', 'practice-garden', '--target', String(back));
  const restored = join(String(back), String(backups));
  const [name = ''] = readdirSync(restored);
  const other = await temporaryFile(t);
  const done = await gardenHere(['restore', join(restored, name)], { databaseUrl: other });
  assert.equal(done.code, 0, done.stderr);
  assert.match((await gardenHere(['member', 'list'], { databaseUrl: other })).stdout, /\bada\b/);
});

test('what a killed server had written is there after a restore by Litestream', async (t) => {
  const litestream = findTool(t, 'litestream');
  if (litestream === undefined) return;
  const databaseUrl = await temporaryFile(t);
  const { token } = await memberWithToken(databaseUrl, 'ada');
  await importPlants(databaseUrl, 3);
  const path = pathOf(databaseUrl);
  const folder = await temporaryFolder(t);
  const config = join(folder, 'litestream.yml');
  const replica = `type: file\n        path: ${join(folder, 'replica')}`;
  const text = read('deploy/litestream.yml').replace('/var/lib/practice-garden/garden.db', path);
  writeFileSync(config, text.replace(/type: s3\n(?: +(?:bucket|path|endpoint): .*\n)+/, `${replica}\n`));
  const server = await serve(t, { databaseUrl });
  const replicating = spawn(litestream, ['replicate', '-config', config], { stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => replicating.kill('SIGKILL'));
  let said = '';
  for (const stream of [replicating.stdout, replicating.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
    });
  await until('a first copy by Litestream', () => said.includes('snapshot written'));
  for (const id of [1, 2])
    assert.equal((await send(server.url, `/plants/${id}`, { method: 'DELETE', token })).status, 204);
  for (let n = 0; n < 20; n++) assert.equal((await gardenHere(['member', 'create', `m${n}`], { databaseUrl })).code, 0);
  // Litestream looks each second.
  await sleep(2_500);
  server.child.kill('SIGKILL');
  replicating.kill('SIGKILL');
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  execFileSync(litestream, ['restore', '-config', config, path], { stdio: 'pipe' });
  assert.equal((await gardenHere(['doctor', '--port', '0'], { databaseUrl })).code, 0);
  const members = await gardenJson<unknown[]>(['member', 'list'], { databaseUrl });
  const plants = await gardenJson<{ id: number }[]>(['plant', 'list'], { databaseUrl });
  assert.deepEqual([members.length, plants.map(({ id }) => id)], [21, [3]]);
});
