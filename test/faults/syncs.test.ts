/** By strace: the write-ahead log is on the disk before a delete is confirmed. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { holdPlants } from '../support/databases.ts';
import { importPlants, memberWithToken, serve, temporaryFolder } from '../support/garden.ts';
import { send } from '../support/http.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/waiting.ts';

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
  const [alone = 0, ...plants] = await importPlants(databaseUrl, 1 + count);
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
  const { hostname, port } = new URL(server.url);
  const headers = { Authorization: `Bearer ${token}` };
  const remove = async (id: number): Promise<number> => {
    const asking = request({ agent, hostname, port, path: `/plants/${id}`, method: 'DELETE', headers }).end();
    const [response] = await once(asking, 'response');
    response.resume();
    return response.statusCode;
  };
  assert.equal(await remove(alone), 204);
  // Under strace they would arrive one by one, so all wait for a lock.
  const release = await holdPlants(databaseUrl);
  const deleting = Promise.all(plants.map(remove));
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

const reason = withoutStrace() ?? false;

test('deletes are on the disk before they are told, one alone and 32 at once, which share their commits', {
  skip: reason,
}, async (t) => {
  const { told, synced } = assertOrder(await traced(t, 32));
  t.diagnostic(`${told} answers after ${synced} syncs`);
  assert.equal(told, 33);
  assert.ok(synced <= 9, 'they share commits');
});
