/**
 * A cluster of three PostgreSQL nodes under Patroni whose primary is killed or cut off while two services are read from
 * and written to: no confirmed delete is lost, none is confirmed twice, reads and writes resume by themselves. Needs root and
 * Debian's packages, and some four minutes a round: `npm test cluster`.
 */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, startCluster, whyNoCluster } from '../support/cluster.ts';
import { gardenJson } from '../support/commands.ts';
import { importRows, memberWithToken, type Server, serve } from '../support/garden.ts';
import { problems, records } from '../support/http.ts';
import { execute } from '../support/postgres-server.ts';
import { until } from '../support/waiting.ts';
import { type Mix, startMix } from './cluster-load.ts';

const rounds = Number(process.env['GARDEN_FAULT_ROUNDS'] ?? 1);
const resumesWithinMs = 30_000;
const problemCount = 2_000;
const plantCount = 40_000;

interface Fault {
  name: string;
  words: readonly [string, ...string[]];
}

const faults: readonly Fault[] = [
  { name: 'killed with -9: PostgreSQL, Patroni and etcd', words: ['kill'] },
  { name: 'killed with -9: PostgreSQL alone', words: ['kill', 'postgres'] },
  { name: 'cut off from everyone', words: ['cut'] },
  { name: 'cut off from the other nodes, in reach of the services', words: ['cut', 'nodes'] },
];

const targets = [
  ...Array.from({ length: 40 }, (_, n) => `${problems}${n * 50 + 1}/`),
  ...Array.from({ length: 10 }, (_, n) => `${problems}?limit=20&rating_min=${800 + n * 100}`),
  ...Array.from({ length: 10 }, (_, n) => `/problem_list/api/status/${n * 10 + 1}/`),
  '/problem_list/api/status/?limit=50',
  records,
];

test('a cluster whose primary is lost', { skip: whyNoCluster() ?? false }, async (t) => {
  const cluster = await startCluster(t);
  const { databaseUrl } = cluster;
  await gardenJson(['migrate'], { databaseUrl });
  const { token } = await memberWithToken(databaseUrl, 'ada');
  await fill(databaseUrl);
  const env = { RATE_LIMIT: '0' };
  const services = [await serve(t, { databaseUrl, env }), await serve(t, { databaseUrl, env })];
  const figures: Record<string, string>[] = [];
  let taken = 0;
  for (let round = 0; round < rounds; round++) {
    for (const fault of faults) {
      await t.test(`the primary ${fault.name}`, async (t) => {
        const first = plantCount * taken++ + 1;
        const found = await breakOnce(t, { cluster, services, token, first, fault });
        figures.push({ 'the primary': fault.name, ...found });
      });
    }
  }
  t.diagnostic(`\n${tableOf(figures)}`);
});

interface Ground {
  cluster: Cluster;
  services: readonly Server[];
  token: string;
  first: number;
  fault: Fault;
}

async function breakOnce(
  t: TestContext,
  { cluster, services, token, first, fault }: Ground,
): Promise<Record<string, string>> {
  const [verb, ...what] = fault.words;
  const plants = Array.from({ length: plantCount }, (_, n) => first + n);
  await importRows(
    cluster.databaseUrl,
    'plants',
    plants.map((id) => ({ id, username: 'ada', name: `p${id}`, target: 1 })),
  );
  const before = await plantsIn(cluster);
  const victim = await cluster.primary();
  assert.ok(victim !== undefined, 'there is a primary');

  const mix = startMix({ services: services.map(({ url }) => url), token, targets, plants });
  let promoted: string | undefined;
  let rejoinedMs = Number.NaN;
  try {
    await sleep(5_000);
    await cluster.run(verb, victim, ...what);
    await sleep(5_000);
    await until('both services delete again', () => performance.now() - mix.lastToldAt() < 500, {
      timeoutMs: 60_000,
    });
    await sleep(15_000);
    promoted = await cluster.primary(verb === 'cut' ? victim : undefined);
    const mendedAt = performance.now();
    await cluster.run('mend', victim);
    await cluster.run('start');
    rejoinedMs = performance.now() - mendedAt;
    await sleep(5_000);
  } finally {
    await mix.stop();
  }
  const after = await plantsIn(cluster);
  assertFates(mix, before, after);
  await assertSameEverywhere(cluster, after);
  assert.deepEqual(mix.wrong, []);
  for (const { child, stderr } of services) {
    assert.equal(child.exitCode ?? child.signalCode, null, `a service ended: ${stderr()}`);
    assert.doesNotMatch(stderr(), /"level":(?:60|"fatal")/);
  }
  const counts = [...mix.fates.values()];
  const sum = (count: (fate: (typeof counts)[number]) => number) =>
    String(counts.reduce((total, fate) => total + count(fate), 0));
  const seconds = (ms: readonly number[]) => ms.map((one) => (one / 1000).toFixed(1)).join(' / ');
  const noticed = mix.noticed();
  const figures = {
    'new primary': `${victim} → ${promoted}`,
    'no write for, s': seconds(noticed.map(({ writeGapMs }) => writeGapMs)),
    'no read for, s': seconds(noticed.map(({ readGapMs }) => readGapMs)),
    'slowest read, s': seconds(noticed.map(({ slowestReadMs }) => slowestReadMs)),
    'slowest delete, s': seconds(noticed.map(({ slowestDeleteMs }) => slowestDeleteMs)),
    reads: noticed.map(({ reads }) => reads).join(' / '),
    'reads refused': noticed.map(({ otherReads }) => JSON.stringify(otherReads)).join(' / '),
    'told deleted': sum(({ told }) => told),
    uncertain: sum(({ uncertain }) => uncertain),
    'of them done': sum(({ told, uncertain }) => (told === 0 && uncertain > 0 ? 1 : 0)),
    refused: sum(({ refused }) => refused),
    'rejoined after, s': seconds([rejoinedMs]),
  };
  for (const [name, value] of Object.entries(figures)) t.diagnostic(`${name}: ${value}`);
  for (const { writeGapMs, readGapMs } of noticed) {
    assert.ok(writeGapMs <= resumesWithinMs, `no write for ${Math.round(writeGapMs)} ms`);
    assert.ok(readGapMs <= resumesWithinMs, `no read for ${Math.round(readGapMs)} ms`);
  }
  return figures;
}

function assertFates({ fates }: Mix, before: ReadonlySet<number>, after: ReadonlySet<number>): void {
  for (const plant of before) {
    const fate = fates.get(plant);
    if (!fate) {
      assert.ok(after.has(plant), `plant ${plant} is gone without a request`);
      continue;
    }
    const account = `plant ${plant}: ${JSON.stringify(fate)}`;
    assert.ok(!after.has(plant), `${account}, and it is there`);
    assert.ok(fate.told <= 1, `${account}, so its delete was confirmed twice`);
    assert.ok(fate.told === 1 || fate.uncertain > 0, `${account}, so it went without an answer`);
  }
  assert.ok(fates.size > 100, `${fates.size} deletes`);
}

async function plantsIn(cluster: Cluster): Promise<Set<number>> {
  const primary = await cluster.primary();
  assert.ok(primary !== undefined, 'there is a primary');
  return plantsOn(cluster.urlOf(primary));
}

async function plantsOn(url: string): Promise<Set<number>> {
  const rows = await execute(url, 'SELECT id FROM plants ORDER BY id');
  return new Set(rows.map(({ id }) => Number(id)));
}

async function assertSameEverywhere(cluster: Cluster, plants: ReadonlySet<number>): Promise<void> {
  for (const node of cluster.nodes) {
    const isSame = async () => {
      const there = await plantsOn(cluster.urlOf(node)).catch(() => new Set<number>());
      return there.size === plants.size && [...there].every((plant) => plants.has(plant));
    };
    await until(`${node} has the same plants as the primary`, isSame, { timeoutMs: 20_000 });
  }
}

async function fill(databaseUrl: string): Promise<void> {
  const ids = Array.from({ length: problemCount }, (_, n) => n + 1);
  await importRows(
    databaseUrl,
    'problems',
    ids.map((id) => ({
      id,
      title: `Problem ${id}`,
      source: 'here',
      source_key: `k${id}`,
      rating: 800 + 100 * (id % 20),
      tags: ['dp', 'graphs', 'number theory'].slice(0, id % 4),
    })),
  );
  const at = '2026-03-01T00:00:00.000Z';
  await importRows(
    databaseUrl,
    'statuses',
    ids
      .filter((id) => id % 10 === 1)
      .map((id) => ({ username: 'ada', problem: id, status: 'complete', origin: 'self', updated_at: at })),
  );
}

function tableOf(rows: readonly Record<string, string>[]): string {
  const names = Object.keys(rows[0] ?? {});
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const body = rows.map((row) => line(names.map((name) => row[name] ?? '')));
  return [line(names), line(names.map(() => '---')), ...body].join('\n');
}
