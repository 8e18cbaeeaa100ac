/** Drives the real program: its command line as child processes, its server on a free port, its database in a temporary folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { makeToken } from '../../src/auth/tokens.ts';
import { settings } from '../../src/config.ts';
import { allScopes } from '../../src/contract/operations.ts';
import { applyFile, checkFile } from '../../src/importing/import.ts';
import type { ResourceName } from '../../src/importing/own-kinds.ts';
import { importerOf } from '../../src/importing/resources.ts';
import { createMember } from '../../src/practice/members.ts';
import { findMemberByName } from '../../src/store/members.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { pathOf, postgresDatabase, testStore } from './databases.ts';

export const root = join(import.meta.dirname, '..', '..');
export const launcher = join(root, 'bin', 'garden');

/** A folder that goes when the test ends. */
export async function temporaryFolder(t: Pick<TestContext, 'after'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'garden-test-'));
  // A server that ends after it may still be writing a file there.
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));
  return folder;
}

/** The address of a new database on the store that is tested, with nothing in it. */
export async function temporaryDatabase(t: Pick<TestContext, 'after'>): Promise<string> {
  if (testStore === 'postgres') {
    const databaseUrl = await postgresDatabase(t);
    t.after(async () => {
      const store = await opened.get(databaseUrl);
      opened.delete(databaseUrl);
      await store?.close();
    });
    opened.set(databaseUrl, undefined);
    return databaseUrl;
  }
  const databaseUrl = await temporaryFile(t);
  const { TEST_EMPTY_FILE: emptyFile } = process.env;
  // As the program would make it, which takes ten times as long.
  if (emptyFile !== undefined) await copyFile(emptyFile, pathOf(databaseUrl));
  return databaseUrl;
}

/** The address of a file that does not exist yet, for what only the embedded store has. */
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
  /** The launcher of another copy of the program. */
  launcher?: string;
}

/** Runs `garden …` to its end. */
export async function garden(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const child = spawn(process.execPath, [options.launcher ?? launcher, ...args], {
    cwd: options.cwd ?? root,
    env: environment(options),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A verb that refuses its arguments may close its input before all of it is written.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const [stdout, stderr, code] = await Promise.all([textOf(child.stdout), textOf(child.stderr), exitOf(child)]);
  return { code, stdout, stderr };
}

export interface Server {
  /** Without a trailing slash. */
  url: string;
  child: ChildProcess;
  /** The text that the server has printed so far. */
  stdout(): string;
  stderr(): string;
  /** Sends SIGTERM and answers the exit code. */
  stop(): Promise<number | null>;
}

interface ServeOptions extends RunOptions {
  args?: readonly string[];
  /** A command that runs the program in its own process, such as `prlimit` with its arguments. */
  through?: readonly string[];
  /** An open file that takes what the server prints on stderr; without one the test reads it. */
  stderr?: number;
}

/** Starts `garden serve` on a free port and waits until it listens; stopped when the test ends. */
export async function serve(t: TestContext, asked: ServeOptions = {}): Promise<Server> {
  const { through = [], args = [] } = asked;
  const program = asked.launcher ?? launcher;
  const [command = '', ...rest] = [...through, process.execPath, program, 'serve', '--port', '0', ...args];
  const child = spawn(command, rest, {
    cwd: asked.cwd ?? root,
    // One process, unless a test is about several; and no judge outside is asked.
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

/**
 * Makes a member (unless there is one) and a token for them; answers the token and the member's id. Filling a database
 * happens in this process, by the functions that the verbs call: a process for each verb would take most of the time.
 */
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

/** Tokens for these members, in this order. */
export async function tokensFor(databaseUrl: string, usernames: readonly string[]): Promise<string[]> {
  const tokens: string[] = [];
  for (const username of usernames) tokens.push((await memberWithToken(databaseUrl, username)).token);
  return tokens;
}

/** Imports rows of one of our own resources; a bigint in them is written as plain digits. Throws where one is bad. */
export async function importRows(
  databaseUrl: string,
  what: ResourceName,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const exact = (_key: string, value: unknown) => (typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value);
  const bytes = Buffer.from(rows.map((row) => JSON.stringify(row, exact)).join('\n'));
  const open = async () =>
    (async function* () {
      yield bytes;
    })();
  const checked = await checkFile(importerOf(what, 'ndjson'), { open, skipsBad: false, trustsIds: true });
  await withStore(databaseUrl, (store) =>
    applyFile(store, checked, { member: undefined, isDryRun: false, onLine: undefined }),
  );
}

/** Gives a member so many plants with consecutive ids; answers the ids. */
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

/** The databases of `temporaryDatabase` on PostgreSQL, with the stores that were opened: to connect anew each time takes 10 ms. */
const opened = new Map<string, Promise<Store> | undefined>();

export async function withStore<T>(databaseUrl: string, work: (store: Store) => Promise<T>): Promise<T> {
  const opening = opened.get(databaseUrl) ?? openStore(databaseUrl, { create: true, lockTimeoutMs: 30_000 });
  const isKept = opened.has(databaseUrl);
  if (isKept) opened.set(databaseUrl, opening);
  const store = await opening;
  try {
    return await work(store);
  } finally {
    if (!isKept) await store.close();
  }
}

/** The environment of a program under test: settings of the person who runs the tests do not reach it. */
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
