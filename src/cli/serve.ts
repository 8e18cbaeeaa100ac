/** garden serve: the server, in one process or several. */
import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Command } from 'commander';
import { defaultLifetimeMs, makeToken } from '../auth/tokens.ts';
import { type Config, options, readConfig } from '../config.ts';
import { allScopes } from '../contract/operations.ts';
import { AppError } from '../errors.ts';
import { buildApp } from '../http/app.ts';
import { listen, stopper } from '../http/listen.ts';
import { loadSample } from '../practice/sample.ts';
import { summary } from '../store/health.ts';
import { findMemberByName } from '../store/members.ts';
import { openStore } from '../store/open.ts';
import { complain, exitCodes, print, settingOption, verb } from './terminal.ts';

/** Writes wait this long for another process before they are refused with 503. */
const lockTimeoutMs = 3_000;

type Flags = Partial<Record<keyof Config, string>> & { sample?: boolean };

export function serveVerb(): Command {
  const command = verb('serve', 'Serve the garden until it is told to stop', [
    'garden serve',
    'garden serve --port 9000 --database-url sqlite:/var/lib/garden/garden.db',
    'HOST=0.0.0.0 BASE_URL=https://garden.example.org garden serve',
  ]).option('--sample', 'Fill an empty database with the bundled sample first');
  for (const { key } of options) if (key !== 'databaseUrl') command.addOption(settingOption(key));
  return command.action(async ({ sample, ...flags }: Flags) => {
    const asked = readConfig(flags);
    // Links are built from the port, so it is settled before anything is.
    const port = asked.port === 0 ? await freePort(asked.host) : asked.port;
    const config = readConfig({ ...flags, port: String(port) });
    if (cluster.isWorker) {
      await serveHere(config);
      return;
    }
    const address = config.workers === 1 ? await serveHere(config) : await serveInWorkers(config);
    // Only once it listens: a token that a failing start made would never be shown.
    const token = sample ? await fillEmpty(config) : undefined;
    print(`listening on ${address}`);
    if (token !== undefined) welcome(config.baseUrl, token);
  });
}

/** A port that nobody listens on. Throws badSetting where the host has none. */
async function freePort(host: string): Promise<number> {
  const server = createServer();
  try {
    server.listen(0, host);
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  } catch (cause) {
    throw new AppError('badSetting', `${host} cannot be listened on; choose another HOST.`, { cause });
  } finally {
    server.close();
  }
}

/** Loads the sample into a database without members and problems, and makes its member a token. */
async function fillEmpty({ databaseUrl }: Config): Promise<string | undefined> {
  const store = await openStore(databaseUrl, { create: true, lockTimeoutMs });
  try {
    const { members, problems } = await summary(store.reader);
    if (members + problems > 0n) return undefined;
    const { member } = await loadSample(store);
    const demo = await findMemberByName(store.reader, member);
    if (!demo) return undefined;
    const { token } = await makeToken(store, {
      userId: demo.id,
      name: 'first start',
      scopes: allScopes,
      lifetimeMs: defaultLifetimeMs,
    });
    return token;
  } finally {
    await store.close();
  }
}

function welcome(base: string, token: string): void {
  print(`
Practice Garden is at ${base}/ with a sample of real problems and a demo member.
The reference of its nine operations: ${base}/docs/
A token of the demo member, shown this once: ${token}

Try it:
  curl -H 'Authorization: Bearer ${token}' '${base}/problem_list/api/problems/?tag=graphs&limit=3'
  curl -H 'Authorization: Bearer ${token}' '${base}/problem_list/api/status/'
  curl -X DELETE -H 'Authorization: Bearer ${token}' '${base}/plants/1'

garden sample remove takes the sample out again. Stop with Ctrl+C.`);
}

async function serveHere(config: Config): Promise<string> {
  const store = await openStore(config.databaseUrl, { create: true, lockTimeoutMs });
  const app = buildApp(config, store);
  const stop = stopper(app);
  let isStopping = false;
  const onSignal = async () => {
    if (isStopping) return;
    isStopping = true;
    await stop();
    await store.close();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
  try {
    return await listen(app, config.host, config.port);
  } catch (error) {
    await app.close();
    await store.close();
    throw error;
  }
}

/** Starts the workers and replaces one that dies; answers the address once all of them listen. */
async function serveInWorkers(config: Config): Promise<string> {
  // Here and once, so that the workers do not race to make the database.
  const store = await openStore(config.databaseUrl, { create: true, lockTimeoutMs });
  await store.close();
  const args = [...process.argv.slice(2), '--port', String(config.port)];
  cluster.setupPrimary({ exec: process.argv[1] ?? '', args });
  const { promise, resolve } = Promise.withResolvers<string>();
  let listening = 0;
  let isStopping = false;
  const stopAll = () => {
    isStopping = true;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.kill('SIGTERM');
  };
  cluster.on('listening', (_worker, { port }) => {
    listening++;
    const host = config.host.includes(':') ? `[${config.host}]` : config.host;
    if (listening === config.workers) resolve(`http://${host}:${port}`);
    // The others only where the first one could: each would say the same.
    else if (listening === 1) for (let more = 1; more < config.workers; more++) cluster.fork();
  });
  cluster.on('exit', (worker, code) => {
    if (isStopping) {
      if (Object.keys(cluster.workers ?? {}).length === 0) process.exit();
    } else if (listening < config.workers) {
      // It said why itself.
      process.exitCode = code || exitCodes.failed;
      stopAll();
      if (listening === 0) process.exit();
    } else {
      complain(`worker ${worker.process.pid} ended with code ${code}; another one takes its place`);
      cluster.fork();
    }
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stopAll);
  cluster.fork();
  return promise;
}
