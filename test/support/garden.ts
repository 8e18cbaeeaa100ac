/** Runs the real program: the command line and the server as processes, with temporary databases. */
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { makeToken } from '../../src/auth/tokens.ts';
import { settings } from '../../src/config.ts';
import { allScopes } from '../../src/contract/operations.ts';
import { applyFile, checkFile } from '../../src/importing/import.ts';
import { importerOf } from '../../src/importing/resources.ts';
import type { ResourceName } from '../../src/importing/row-kinds.ts';
import { createMember } from '../../src/practice/members.ts';
import { findMemberByName } from '../../src/store/members.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { pathOf, postgresDatabase, testStore } from './databases.ts';
import { chunksOf } from './files.ts';

export const root = join(import.meta.dirname, '..', '..');
export const launcher = join(root, 'bin', 'garden');

export async function temporaryFolder(t: Pick<TestContext, 'after'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'garden-test-'));
  // A server that is ending may still write a file there.
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));
  return folder;
}

export async function temporaryDatabase(t: Pick<TestContext, 'after'>): Promise<string> {
  if (testStore === 'postgres') {
    const databaseUrl = await postgresDatabase(t);
    kept.add(databaseUrl);
    t.after(async () => {
      kept.delete(databaseUrl);
      await leave(databaseUrl);
    });
    return databaseUrl;
  }
  return emptyFile(t);
}

export async function emptyFile(t: Pick<TestContext, 'after'>): Promise<string> {
  const databaseUrl = await temporaryFile(t);
  const { TEST_EMPTY_FILE: empty } = process.env;
  // A copy takes a tenth of the time of the migrations.
  if (empty !== undefined) await copyFile(empty, pathOf(databaseUrl));
  return databaseUrl;
}

export async function temporaryFile(t: Pick<TestContext, 'after'>): Promise<string> {
  return `sqlite:${join(await temporaryFolder(t), 'garden.db')}`;
}

export interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  databaseUrl?: string;
  input?: string | Uint8Array;
  env?: Record<string, string>;
  cwd?: string;
  launcher?: string;
  user?: { uid?: number; gid?: number };
}

export async function garden(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const child = spawn(process.execPath, [options.launcher ?? launcher, ...args], {
    cwd: options.cwd ?? root,
    env: environment(options),
    stdio: ['pipe', 'pipe', 'pipe'],
    ...options.user,
  });
  let failure = '';
  child.on('error', ({ message }) => {
    failure = message;
  });
  // A command that refuses its arguments may close its input early.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const [stdout, stderr, code] = await Promise.all([textOf(child.stdout), textOf(child.stderr), exitOf(child)]);
  return { code, stdout, stderr: stderr + failure };
}

export interface Server {
  url: string;
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  stop(): Promise<number | null>;
}

interface ServeOptions extends RunOptions {
  args?: readonly string[];
  through?: readonly string[];
  stderr?: number;
}

export async function serve(t: TestContext, asked: ServeOptions = {}): Promise<Server> {
  const { through = [], args = [] } = asked;
  const program = asked.launcher ?? launcher;
  const [command = '', ...rest] = [...through, process.execPath, program, 'serve', '--port', '0', ...args];
  const child = spawn(command, rest, {
    cwd: asked.cwd ?? root,
    // By default one process, and no requests to judges.
    env: { LOG_LEVEL: 'warn', WORKERS: '1', SYNC: 'off', ...environment(asked) },
    stdio: ['ignore', 'pipe', asked.stderr ?? 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  const { promise: listening, resolve, reject } = Promise.withResolvers<string>();
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    const [, url] = /^listening on (\S+)$/m.exec(stdout) ?? [];
    if (url !== undefined) resolve(url);
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.on('exit', (code, signal) => reject(new Error(`garden serve ended with ${code ?? signal}: ${stderr}`)));
  const exit = exitOf(child);
  const stop = async () => {
    child.kill('SIGTERM');
    return exit;
  };
  t.after(stop);
  return { url: await listening, child, stdout: () => stdout, stderr: () => stderr, stop };
}

export interface MadeToken {
  id: string;
  token: string;
}

/** Creates the member if there is none. It calls the program's functions, because a process for each command is slow. */
export async function memberWithToken(
  databaseUrl: string,
  username: string,
  options: { role?: 'member' | 'staff'; scopes?: readonly string[] } = {},
): Promise<{ token: string; memberId: string }> {
  const { role = 'member', scopes = allScopes } = options;
  return withStore(databaseUrl, async (store) => {
    const member =
      (await findMemberByName(store.reader, username)) ??
      (await store.write((tx) => createMember(tx, { username, role })));
    const asked = { userId: member.id, name: 'test', scopes, lifetimeMs: undefined };
    const { token } = await makeToken(store, asked);
    return { token, memberId: String(member.id) };
  });
}

export async function tokensFor(databaseUrl: string, usernames: readonly string[]): Promise<string[]> {
  const tokens: string[] = [];
  for (const username of usernames) tokens.push((await memberWithToken(databaseUrl, username)).token);
  return tokens;
}

export async function importRows(
  databaseUrl: string,
  what: ResourceName,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const exact = (_key: string, value: unknown) => (typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value);
  const bytes = Buffer.from(rows.map((row) => JSON.stringify(row, exact)).join('\n'));
  await importBytes(databaseUrl, importerOf(what, 'ndjson'), bytes);
}

export async function importBytes(
  databaseUrl: string,
  importer: ReturnType<typeof importerOf>,
  bytes: Uint8Array,
): Promise<void> {
  const options = { open: async () => chunksOf(bytes), skipsBadRows: false, trustsIds: true };
  const checked = await checkFile(importer, options);
  await withStore(databaseUrl, (store) =>
    applyFile(store, checked, { member: undefined, isDryRun: false, onDetail: undefined }),
  );
}

/** Problems of these ids, or of 1 to so many: for the id 7 `P7` with the key k7. */
export function importProblems(
  databaseUrl: string,
  asked: number | readonly (number | bigint)[],
  more: (place: number) => Readonly<Record<string, unknown>> = () => ({}),
): Promise<void> {
  const ids: readonly (number | bigint)[] =
    typeof asked === 'number' ? Array.from({ length: asked }, (_, place) => place + 1) : asked;
  const rows = ids.map((id, place) => ({ id, title: `P${id}`, source: 'here', source_key: `k${id}`, ...more(place) }));
  return importRows(databaseUrl, 'problems', rows);
}

export async function importPlants(
  databaseUrl: string,
  count: number,
  { firstId = 1, username = 'ada' } = {},
): Promise<number[]> {
  const ids = Array.from({ length: count }, (_, place) => firstId + place);
  const rows = ids.map((id) => ({ id, username, name: `p${id}`, target: 1 }));
  await importRows(databaseUrl, 'plants', rows);
  return ids;
}

const stores = new Map<string, { opening: Promise<Store>; users: number }>();
/** Temporary PostgreSQL databases, whose stores stay open, because a new connection takes 10 ms. */
const kept = new Set<string>();

/** A call within or beside another one takes the same store: to open a file takes 6 ms. */
export async function withStore<T>(databaseUrl: string, work: (store: Store) => Promise<T>): Promise<T> {
  const known = stores.get(databaseUrl);
  const one = known ?? { opening: openStore(databaseUrl, { create: true, lockTimeoutMs: 30_000 }), users: 0 };
  stores.set(databaseUrl, one);
  one.users++;
  try {
    return await work(await one.opening);
  } finally {
    one.users--;
    if (!kept.has(databaseUrl)) await leave(databaseUrl);
  }
}

async function leave(databaseUrl: string): Promise<void> {
  const one = stores.get(databaseUrl);
  if (!one || one.users > 0) return;
  stores.delete(databaseUrl);
  await (await one.opening).close();
}

/** Without the settings of the person who runs the tests. */
export function environment({ databaseUrl, env }: RunOptions): NodeJS.ProcessEnv {
  const own = new Set(Object.values(settings).map((setting) => setting.env));
  const rest = Object.entries(process.env).filter(([name]) => !own.has(name));
  return {
    ...Object.fromEntries(rest),
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    ...env,
  };
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

function exitOf(child: ChildProcess): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.on('close', (code) => resolve(code));
  return promise;
}
