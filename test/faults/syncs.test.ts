/** The order in which the kernel is asked: the log is on the disk before a delete is told. Seen by strace. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { filesOnly, holdPlants } from '../support/databases.ts';
import { importPlants, memberWithToken, serve, temporaryFolder } from '../support/garden.ts';
import { send } from '../support/http.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/waiting.ts';

/** Why strace cannot be used here; undefined where it can. */
function withoutStrace(): string | undefined {
  const { error, status, stderr } = spawnSync('strace', ['-f', '-e', 'trace=none', 'true'], {
    encoding: 'utf8',
  });
  if (error) return 'strace is not installed';
  return status === 0 ? undefined : `strace may not trace here: ${stderr.trim()}`;
}

interface Calls {
  kind: 'log written' | 'synced' | 'told';
  count: number;
}

async function traced(t: TestContext, count: number): Promise<Calls[]> {
  const folder = await temporaryFolder(t);
  const databaseUrl = `sqlite:${join(folder, 'garden.db')}`;
  const { token } = await memberWithToken(databaseUrl, 'ada');
  const plants = await importPlants(databaseUrl, count);
  const figuresPort = await freePort();
  const env = { RATE_LIMIT: '0', WORKERS: '1', METRICS_PORT: String(figuresPort) };
  const server = await serve(t, { databaseUrl, env });
  const log = join(folder, 'strace.txt');
  const calls = 'trace=pwrite64,pwritev,write,writev,sendto,sendmsg,fsync,fdatasync';
  const pid = String(server.child.pid);
  const strace = spawn('strace', ['-f', '-y', '-s', '40', '-e', calls, '-o', log, '-p', pid], {
    stdio: 'pipe',
  });
  t.after(() => strace.kill('SIGKILL'));
  const attached = Promise.race([once(strace.stderr, 'data'), sleep(60_000, undefined, { ref: false })]);
  await attached;
  await sleep(200);
  const agent = new Agent({ keepAlive: true, maxSockets: count });
  // Traced, they would arrive one by one: so they wait for each other.
  const release = await holdPlants(databaseUrl);
  const deleting = Promise.all(
    plants.map(async (id) => {
      const asking = request({
        agent,
        ...urlParts(server.url),
        path: `/plants/${id}`,
        method: 'DELETE',
        headers: { Authorization: `Bearer ${token}` },
      }).end();
      const [response] = await once(asking, 'response');
      response.resume();
      return response.statusCode;
    }),
  );
  const arrived = async () => {
    const { text } = await send(`http://127.0.0.1:${figuresPort}`, '/metrics');
    return Number(/^garden_requests_in_flight (\d+)$/m.exec(text)?.[1]);
  };
  await until('all have arrived', async () => (await arrived()) === count);
  await release();
  const statuses = await deleting;
  agent.destroy();
  assert.deepEqual(
    statuses,
    plants.map(() => 204),
  );
  const ended = once(strace, 'exit');
  strace.kill('SIGINT');
  await ended;
  return callsIn(await readFile(log, 'utf8'));
}

function urlParts(url: string): { hostname: string; port: string } {
  const { hostname, port } = new URL(url);
  return { hostname, port };
}

function callsIn(text: string): Calls[] {
  const calls: Calls[] = [];
  for (const line of text.split('\n')) {
    if (/\bpwrite(?:64|v)\(\d+<[^>]*-wal>/.test(line)) calls.push({ kind: 'log written', count: 1 });
    else if (/\bf(?:data)?sync\(\d+<[^>]*-wal>\)? += 0/.test(line)) calls.push({ kind: 'synced', count: 1 });
    else if (/<\.\.\. f(?:data)?sync resumed>.*= 0/.test(line)) calls.push({ kind: 'synced', count: 1 });
    else if (/HTTP\/1\.1 204/.test(line)) {
      calls.push({ kind: 'told', count: line.split('HTTP/1.1 204').length - 1 });
    }
  }
  return calls;
}

function assertOrder(calls: readonly Calls[]): { synced: number; told: number } {
  let isDirty = false;
  let [synced, told, commits] = [0, 0, 0];
  for (const { kind, count } of calls) {
    if (kind === 'log written') isDirty = true;
    else if (kind === 'synced') {
      if (isDirty) commits++;
      isDirty = false;
      synced++;
    } else {
      assert.ok(!isDirty, `answer ${told + 1} was told before what it tells was on the disk`);
      assert.ok(commits > 0, 'an answer was told and nothing was synced before');
      told += count;
    }
  }
  return { synced, told };
}

const reason = filesOnly || withoutStrace();

test('a delete is on the disk before it is told', { skip: reason ?? false }, async (t) => {
  const calls = await traced(t, 1);
  const { told, synced } = assertOrder(calls);
  assert.equal(told, 1);
  assert.ok(synced >= 1);
});

test('so are 32 at once, which share their commits', { skip: reason ?? false }, async (t) => {
  const { told, synced } = assertOrder(await traced(t, 32));
  t.diagnostic(`${told} answers after ${synced} syncs`);
  assert.equal(told, 32);
  assert.ok(synced <= 8, 'they share commits');
});
