/** A cluster of three PostgreSQL nodes for tests, started and broken by test/faults/cluster/cluster; nothing of it is left behind. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { root } from './garden.ts';
import { freePort } from './ports.ts';

export interface Cluster {
  databaseUrl: string;
  urlOf(node: string): string;
  nodes: readonly string[];
  primary(except?: string): Promise<string | undefined>;
  run(...args: string[]): Promise<string>;
}

const script = join(root, 'test', 'faults', 'cluster', 'cluster');
const prefix = '10.78.0';
const run = promisify(execFile);

export function whyNoCluster(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return 'A cluster that can be cut needs Linux and root, for its network namespaces.';
  }
  for (const program of ['patroni', 'patronictl', 'etcd', 'haproxy', 'ip', 'setpriv']) {
    if (!succeeds('sh', '-c', `command -v ${program}`)) {
      return `${program} is not here: apt-get install patroni etcd-server postgresql iproute2 haproxy.`;
    }
  }
  if (!succeeds('ip', 'netns', 'add', 'gardentest-try')) return 'Network namespaces are not permitted here.';
  execFileSync('ip', ['netns', 'delete', 'gardentest-try']);
  return undefined;
}

export async function startCluster(t: TestContext): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'garden-cluster-'));
  execFileSync('chmod', ['755', folder]);
  const env = {
    ...process.env,
    CLUSTER_STATE: join(folder, 'state'),
    CLUSTER_NETWORK: 'namespaces',
    CLUSTER_NAME: 'gardentest',
    CLUSTER_PREFIX: prefix,
  };
  const command = async (...args: string[]) => (await run(script, args, { env })).stdout;
  t.after(async () => {
    await command('remove');
    await rm(folder, { recursive: true, force: true });
  });
  const printed = await command('start');
  const [, password = ''] = /^PGPASSWORD=(\S+)$/m.exec(printed) ?? [];
  const nodes = ['pg1', 'pg2', 'pg3'];
  const addressOf = (node: string) => `${prefix}.${nodes.indexOf(node) + 1}`;
  const urlOf = (host: string) => `postgres://garden:${password}@${host}/garden`;
  return {
    databaseUrl: urlOf(`127.0.0.1:${await startBalancer(t)}`),
    urlOf: (node) => urlOf(addressOf(node)),
    nodes,
    primary: async (except) => {
      for (const node of nodes.filter((one) => one !== except)) {
        const members = await membersBy(addressOf(node));
        const primary = members.find(({ role }) => role === 'leader')?.name;
        if (primary !== undefined && primary !== except) return primary;
      }
      return undefined;
    },
    run: command,
  };
}

async function startBalancer(t: TestContext): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'garden-haproxy-'));
  const port = await freePort();
  const shipped = await readFile(join(root, 'deploy', 'haproxy.cfg'), 'utf8');
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, shipped.replaceAll(/192\.0\.2\.1(?=\d:)/g, `${prefix}.`).replace(':5000\n', `:${port}\n`));
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  t.after(async () => {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });
  return port;
}

async function membersBy(address: string): Promise<{ name: string; role: string }[]> {
  try {
    const reply = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(2_000) });
    return ((await reply.json()) as { members?: { name: string; role: string }[] }).members ?? [];
  } catch {
    return [];
  }
}

function succeeds(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
