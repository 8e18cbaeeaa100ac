/** The programs that are measured: this checkout and others, as their members would run them, and the peers. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { allScopes } from '../src/contract/operations.ts';
import { environment, root } from '../test/support/garden.ts';
import { memoryOf } from '../test/support/processes.ts';
import { keyOf } from './catalogue.ts';
import { type Options, run } from './run.ts';

/** A checkout of the program. */
export interface Checkout {
  title: string;
  root: string;
}

export const checkouts = ({ against }: Options): Checkout[] => [
  { title: 'Practice Garden', root },
  ...against.map((path) => ({ title: path, root: path })),
];

export interface Told {
  stdout: string;
  stderr: string;
  /** The most memory that the process ever had. */
  peakMiB: number;
}

/** Runs `garden …` of a checkout to its end; throws if it fails. */
export async function garden(
  { root }: Checkout,
  args: readonly string[],
  databaseUrl: string,
  input = '',
): Promise<Told> {
  const env = environment({ databaseUrl, env: { LOG_LEVEL: 'silent' } });
  const child = spawn(process.execPath, [join(root, 'bin', 'garden'), ...args], { cwd: root, env });
  let peak = 0;
  const looking = setInterval(() => {
    // A process that has ended says nothing.
    peak = memoryOf(child.pid)?.peak || peak;
  }, 10);
  run.after(() => child.kill());
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  clearInterval(looking);
  if (code !== 0) throw new Error(`garden ${args.join(' ')} of ${root} failed: ${stderr || stdout}`);
  return { stdout, stderr, peakMiB: peak / 1024 };
}

/** Writes rows into a file, one a line; answers its path. */
export async function writeRows(path: string, rows: Iterable<object>): Promise<string> {
  function* pieces(): Generator<string> {
    let piece = '';
    for (const row of rows) {
      piece += `${JSON.stringify(row)}\n`;
      if (piece.length < 65_536) continue;
      yield piece;
      piece = '';
    }
    yield piece;
  }
  await pipeline(Readable.from(pieces()), createWriteStream(path));
  return path;
}

let edition = 0;

/** Gives one problem another title, by another process, so that nothing that the server kept of problems is good any more. */
export async function change(checkout: Checkout, folder: string, databaseUrl: string): Promise<void> {
  const row = { ...keyOf(7), title: `Changed ${++edition}` };
  await garden(checkout, ['import', 'problems', await writeRows(join(folder, 'change.ndjson'), [row])], databaseUrl);
}

/** A token for each of these members, with every scope of the nine if no others are named, by the functions of the checkout: a process for each would take an hour. */
export async function tokensOf(
  { root }: Checkout,
  databaseUrl: string,
  usernames: readonly string[],
  scopes: readonly string[] = allScopes,
): Promise<string[]> {
  const { makeToken }: typeof import('../src/auth/tokens.ts') = await import(join(root, 'src/auth/tokens.ts'));
  const { findMemberByName }: typeof import('../src/store/members.ts') = await import(
    join(root, 'src/store/members.ts')
  );
  const { openStore }: typeof import('../src/store/open.ts') = await import(join(root, 'src/store/open.ts'));
  const store = await openStore(databaseUrl, { create: false, lockTimeoutMs: 10_000 });
  const tokenOf = async (username: string) => {
    const { id = 0n } = (await findMemberByName(store.reader, username)) ?? {};
    return (await makeToken(store, { userId: id, name: 'bench', scopes, lifetimeMs: undefined })).token;
  };
  return Promise.all(usernames.map(tokenOf)).finally(() => store.close());
}

/** A server that listens. */
export interface Served {
  title: string;
  url: string;
  pid: number;
  /** From the start of the process until it listened. */
  startMs: number;
  stop(): Promise<void>;
}

/** One process with every header, credentials, scopes and the rate limit, which is so high that requests are only counted. */
export const serveGarden = (
  { title, root }: Checkout,
  databaseUrl: string,
  env: Record<string, string> = {},
): Promise<Served> =>
  launch(
    title,
    [join(root, 'bin', 'garden'), 'serve', '--port', '0'],
    environment({
      databaseUrl,
      env: {
        HOST: '127.0.0.1',
        WORKERS: '1',
        SYNC: 'off',
        RATE_LIMIT: '1000000',
        PROGRAM_WRITES: '0',
        LOG_LEVEL: 'warn',
        ...env,
      },
    }),
  );

/** A program of peers/, on the same Node with the flags that bin/garden sets. */
export const servePeer = (title: string, script: string, ...args: readonly string[]): Promise<Served> =>
  launch(
    title,
    ['--max-semi-space-size=4', '--max-old-space-size=512', join(root, 'bench', 'peers', script), ...args],
    { ...process.env, NODE_ENV: 'production' },
  );

async function launch(title: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Served> {
  const begin = performance.now();
  const child: ChildProcess = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let printed = '';
  const read = (piece: Buffer) => {
    printed = (printed + piece).slice(-4000);
    const [, url] = /^listening on (\S+)$/m.exec(printed) ?? [];
    if (url !== undefined) resolve(url);
  };
  child.stdout?.on('data', read);
  child.stderr?.on('data', read);
  const exit = once(child, 'exit');
  exit.then(([code]) => reject(new Error(`${title} ended with ${code}: ${printed}`)), reject);
  const stop = async () => {
    child.kill();
    await exit;
  };
  run.after(stop);
  const url = await promise;
  return { title, url, pid: child.pid ?? 0, startMs: performance.now() - begin, stop };
}

/** Milliseconds of processor time that all threads of a process have had. */
export function processorMs(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  const ofThread = (thread: string) => Number(readFileSync(`${tasks}/${thread}/schedstat`, 'utf8').split(' ', 1)[0]);
  return readdirSync(tasks).reduce((sum, thread) => sum + ofThread(thread), 0) / 1_000_000;
}
