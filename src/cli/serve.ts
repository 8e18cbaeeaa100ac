/** garden serve: the server, in one process or several. */
import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type Command, Option } from 'commander';
import { defaultLifetimeMs, makeToken } from '../auth/tokens.ts';
import { type Config, type Flags, options, readConfig } from '../config.ts';
import { allScopes } from '../contract/operations.ts';
import { AppError } from '../errors.ts';
import { loadSample } from '../importing/load-sample.ts';
import { sampleMember } from '../importing/sample/practice.ts';
import { getMemberByName } from '../practice/members.ts';
import { findMemberByName } from '../store/members.ts';
import { openStore } from '../store/open.ts';
import { summary } from '../store/summary.ts';
import { print, settingOption, verb } from './terminal.ts';

/** Writes wait this long for another process before they are refused with 503; a server may take so long over a statement. */
const lockTimeoutMs = 3_000;
const statementTimeoutMs = 5_000;

type ServeFlags = Flags & { sample?: boolean; identity?: string };

export function serveVerb(): Command {
  const command = verb('serve', 'Serve the garden until it is told to stop', [
    'garden serve',
    'garden serve --port 9000 --database-url sqlite:/var/lib/garden/garden.db',
    'HOST=0.0.0.0 BASE_URL=https://garden.example.org garden serve',
  ]).option('--sample', 'Fill an empty database with the bundled sample first');
  // The primary process says to its workers which file they serve.
  command.addOption(new Option('--identity <dev:ino>').hideHelp());
  for (const { key } of options) if (key !== 'databaseUrl') command.addOption(settingOption(key));
  return command.action(async ({ sample, identity, ...flags }: ServeFlags) => {
    const asked = readConfig(flags);
    // Links are built from the port, so it is settled before anything is.
    const port = asked.port === 0 ? await freePort(asked.host) : asked.port;
    const config = readConfig({ ...flags, port: String(port) });
    const storeOptions = {
      // Once it is served only a restart may begin with another file.
      create: !cluster.isWorker,
      ...(identity !== undefined && { identity }),
      lockTimeoutMs,
      statementTimeoutMs,
      poolSize: config.databasePool,
      // Workers begin after the process above them did this.
      checks: !cluster.isWorker,
      // Whoever asks for the sample wants to begin; an empty database has nothing to lose.
      setsUp: sample ?? false,
    };
    // The process above workers answers no requests, and does not load what that takes.
    const isAbove = cluster.isPrimary && config.workers > 1;
    const serveIt = isAbove
      ? (await import('../server/workers.ts')).serveInWorkers
      : (await import('../server/serve.ts')).serveHere;
    const address = await serveIt(config, storeOptions);
    if (cluster.isWorker) return;
    // Only once it listens: a token that a failing start made would never be shown.
    const found = sample ? await fillEmpty(config) : undefined;
    print(`listening on ${address}`);
    if (found === undefined) return;
    if (found.token !== undefined) welcome(config.baseUrl, found.token);
    else welcomeBack(config.baseUrl, found.username, flags.databaseUrl);
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

/**
 * Loads the sample into a database without members and problems, and makes its member a token. Of any other database it
 * answers only whether the demo member is there.
 */
async function fillEmpty({ databaseUrl }: Config): Promise<{ token?: string; username?: string }> {
  const store = await openStore(databaseUrl, { create: false, lockTimeoutMs });
  try {
    const { members, problems } = await summary(store.reader);
    if (members + problems > 0n) {
      const demo = await findMemberByName(store.reader, sampleMember.username);
      return demo ? { username: demo.username } : {};
    }
    const { member } = await loadSample(store);
    const demo = await getMemberByName(store.reader, member);
    const { token } = await makeToken(store, {
      userId: demo.id,
      name: 'first start',
      scopes: allScopes,
      lifetimeMs: defaultLifetimeMs,
    });
    return { token };
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

bin/garden sample remove takes the sample out again. Stop with Ctrl+C.`);
}

/** What a later start says: tokens are shown once, so it names the command that makes another. */
function welcomeBack(base: string, username: string | undefined, databaseUrl: string | undefined): void {
  const where = databaseUrl?.startsWith('sqlite:') ? ` --database-url ${databaseUrl}` : '';
  const commands =
    username === undefined
      ? `To make a member and a token:
  bin/garden member create NAME${where}
  bin/garden token create NAME --name "my programs"${where}`
      : `To make another token of the member ${username}:
  bin/garden token create ${username} --name "my programs"${where}`;
  print(`
Practice Garden is at ${base}/, the reference of its nine operations at ${base}/docs/
${commands}`);
}
