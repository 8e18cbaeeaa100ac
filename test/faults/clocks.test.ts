/**
 * A clock that jumps back and forth, by libfaketime: dates follow the clock, durations the monotonic clock, and nothing
 * gets stuck.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gardenJson } from '../support/commands.ts';
import { holdPlants } from '../support/databases.ts';
import { importPlants, type MadeToken, memberWithToken, serve, temporaryFolder } from '../support/garden.ts';
import { assertRefusal, client } from '../support/http.ts';

const library = (existsSync('/usr/lib') ? readdirSync('/usr/lib') : [])
  .map((name) => join('/usr/lib', name, 'faketime', 'libfaketimeMT.so.1'))
  .find((path) => existsSync(path));
const reason = library === undefined && 'libfaketime is not installed';
const hour = 3600;

test('a clock that jumps back and forth while it serves', { skip: reason }, async (t) => {
  const folder = await temporaryFolder(t);
  const databaseUrl = `sqlite:${join(folder, 'garden.db')}`;
  const lasting = (await memberWithToken(databaseUrl, 'ada')).token;
  const args = ['token', 'create', 'ada', '--name', 'short', '--expires', '1h'];
  const short = (await gardenJson<MadeToken>(args, { databaseUrl })).token;
  await importPlants(databaseUrl, 20);
  const clock = join(folder, 'clock');
  const jump = (seconds: number) => writeFileSync(clock, `${seconds < 0 ? '' : '+'}${seconds}s\n`);
  jump(0);
  const env = {
    LD_PRELOAD: library ?? '',
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    RATE_LIMIT: '8',
    WORKERS: '1',
    LOG_LEVEL: 'error',
  };
  const server = await serve(t, { databaseUrl, env });
  const asShort = client(server.url, short);
  const asAda = client(server.url, lasting);
  const target = '/problem_list/api/problems/';
  let next = 1;
  const deletes = async () => assert.equal((await asAda(`/plants/${next++}`, { method: 'DELETE' })).status, 204);

  assert.equal((await asShort(target)).status, 200);
  for (let round = 0; round < 3; round++) {
    jump(2 * hour);
    assertRefusal(await asShort(target), 40101);
    await deletes();
    jump(-48 * hour);
    assert.equal((await asShort(target)).status, 200);
    await deletes();
    await sleep(600);
  }
  const many = await Promise.all(Array.from({ length: 30 }, () => asAda(target)));
  assert.ok(many.some(({ status }) => status === 429));
  jump(-96 * hour);
  await sleep(1100);
  await deletes();

  const release = await holdPlants(databaseUrl);
  const waiting = asAda(`/plants/${next}`, { method: 'DELETE' });
  await sleep(200);
  jump(-97 * hour);
  assertRefusal(await waiting, 50301);
  const succeeding = asAda(`/plants/${next}`, { method: 'DELETE' });
  await sleep(200);
  jump(hour / 2);
  await sleep(200);
  await release();
  assert.equal((await succeeding).status, 204);
  assert.equal(await server.stop(), 0);
  assert.equal(server.stderr().replaceAll(/^.*50301.*\n|^.*databaseBusy.*\n/gm, ''), '');
});
