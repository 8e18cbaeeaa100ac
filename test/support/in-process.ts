/** The server in the process of the test, for tests that only speak HTTP, which saves half a second each. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { pino } from 'pino';
import { rateLimiter } from '../../src/auth/rate-limits.ts';
import { openSession } from '../../src/auth/sessions.ts';
import { readConfig, type SettingFlags, settings } from '../../src/config.ts';
import { jobsHost } from '../../src/jobs/host.ts';
import { buildServer, type GardenServer, type ServerParts } from '../../src/server/server.ts';
import { stopper } from '../../src/server/stopping.ts';
import { findMemberByName } from '../../src/store/members.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { type Browser, browser } from './forms.ts';
import type { Server } from './garden.ts';
import { freePort } from './ports.ts';

interface Asked {
  databaseUrl: string;
  env?: Readonly<Record<string, string>>;
  timeouts?: NonNullable<ServerParts['timeouts']>;
}

/** Like `serve` of garden.ts, for tests that need no signals, workers or limits of a process. The log has no sampling. */
export async function serveHere(
  t: Pick<TestContext, 'after'>,
  { databaseUrl, env = {}, timeouts }: Asked,
): Promise<Pick<Server, 'url' | 'stderr'> & { end: ReturnType<typeof stopper> }> {
  const port = Number(env['PORT'] ?? (await freePort()));
  const asked: Readonly<Record<string, string>> = {
    LOG_LEVEL: 'warn',
    BASE_URL: `http://localhost:${port}`,
    ...env,
    PORT: String(port),
    WORKERS: '1',
    DATABASE_URL: databaseUrl,
  };
  // All flags are set, so that none comes from the environment of the person who runs the tests.
  const flags: SettingFlags = Object.fromEntries(
    Object.entries(settings).map(([key, { env, default: byDefault }]) => [key, asked[env] ?? byDefault]),
  );
  const config = readConfig(flags);
  const said: string[] = [];
  const log = pino({ level: config.logLevel }, { write: (line) => void said.push(line) });
  const store = await openStore(databaseUrl, {
    create: true,
    notify: (level, sentence) => log[level](sentence),
    lockTimeoutMs: 3_000,
    statementTimeoutMs: 5_000,
    poolSize: config.databasePool,
  });
  const jobs = jobsHost(config, log);
  const garden = await buildServer(config, store, {
    log,
    enqueueJob: jobs.enqueue,
    limitRequests: rateLimiter(config.rateLimit),
    metrics: undefined,
    ...(timeouts && { timeouts }),
  });
  const url = await listenHere(t, garden, store, port);
  served.set(url, store);
  t.after(async () => {
    served.delete(url);
    await jobs.stop();
  });
  return { url, stderr: () => said.join(''), end: stopper(garden) };
}

const served = new Map<string, Store>();

/** A browser with a session of this member, without the 20 ms that the password takes with `signIn` of forms.ts. */
export async function browserOf(url: string, username: string): Promise<Browser> {
  const store = served.get(url);
  assert(store, `no garden is served here at ${url}`);
  const member = await findMemberByName(store.reader, username);
  assert(member, `there is no ${username}`);
  const opening = { browser: '', network: '127.0.0.1', device: undefined };
  const opened = await store.write((tx) => openSession(tx, member.id, opening));
  const own = browser(url);
  for (const [name, value] of Object.entries(opened)) if (value !== undefined) own.cookies.set(name, value);
  return own;
}

export async function browsersOf<Name extends string>(
  url: string,
  ...names: readonly Name[]
): Promise<Record<Name, Browser>> {
  const browsers = {} as Record<Name, Browser>;
  for (const name of names) browsers[name] = await browserOf(url, name);
  return browsers;
}

export async function listenHere(
  t: Pick<TestContext, 'after'>,
  { server, finish }: Pick<GardenServer, 'server' | 'finish'>,
  store: Store,
  port = 0,
): Promise<string> {
  // Before it listens: if it cannot, an open store would keep the test's process alive.
  t.after(async () => {
    server.close();
    server.closeAllConnections();
    await finish();
    await store.close();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: listening } = server.address() as AddressInfo;
  return `http://127.0.0.1:${listening}`;
}
