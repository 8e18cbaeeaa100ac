/** garden serve: the server, in one process or several. */
import cluster from 'node:cluster';
import { Option } from 'commander';
import { defaultLifetimeMs, makeToken } from '../auth/tokens.ts';
import { type Config, readConfig, type SettingFlags, settings } from '../config.ts';
import { allScopes } from '../contract/operations.ts';
import { badSetting } from '../errors.ts';
import { loadSample, sampleUsername } from '../importing/sample.ts';
import { getMemberByName } from '../practice/members.ts';
import { findMemberByName } from '../store/members.ts';
import { summary } from '../store/summary.ts';
import { plainVerb, settingOption } from './command.ts';
import { withStore } from './database.ts';
import { print } from './terminal.ts';
import { tryPort } from './try-port.ts';

/** Writes wait this long for another process before they are refused with 503. */
const lockTimeoutMs = 3_000;
const statementTimeoutMs = 5_000;

export const command = plainVerb('serve', 'Serve the garden until it is stopped', [
  'garden serve',
  'garden serve --port 9000 --database-url sqlite:/var/lib/garden/garden.db',
  'HOST=0.0.0.0 BASE_URL=https://garden.example.org garden serve',
])
  .option('--sample', 'Fill an empty database with the bundled sample first')
  // The primary process names its workers the file that they serve.
  .addOption(new Option('--identity <dev:ino>').hideHelp())
  .action(run);
for (const setting of Object.values(settings)) command.addOption(settingOption(setting));

async function run({
  sample = false,
  identity,
  ...flags
}: SettingFlags & { sample?: boolean; identity?: string }): Promise<void> {
  const asked = readConfig(flags);
  // Links contain the port, so it is settled before anything else is.
  const port = asked.port === 0 ? await freePort(asked.host) : asked.port;
  const config = readConfig({ ...flags, port: String(port) });
  const storeOptions = {
    // Once a file is served, only a restart may begin with another one.
    create: !cluster.isWorker,
    ...(identity !== undefined && { identity }),
    lockTimeoutMs,
    statementTimeoutMs,
    poolSize: config.databasePool,
    // The primary process did this before the workers began.
    checks: !cluster.isWorker,
    // The sample is for beginners, and an empty database has nothing to lose.
    setsUp: sample,
  };
  // The primary process of workers answers no requests, so it does not load the server.
  const hasWorkers = cluster.isPrimary && config.workers > 1;
  const serveIt = hasWorkers
    ? (await import('../server/workers.ts')).serveInWorkers
    : (await import('../server/serve.ts')).serveHere;
  const address = await serveIt(config, storeOptions);
  if (cluster.isWorker) return;
  // Only once it listens: a token that a failing start made would never be shown.
  const greeting = sample ? await fillEmpty(config, flags) : undefined;
  print(`listening on ${address}`);
  if (greeting !== undefined) print(greeting);
}

async function freePort(host: string): Promise<number> {
  return tryPort(host, 0).catch((cause) => {
    throw badSetting(`${host} cannot be listened on; choose another HOST.`, cause);
  });
}

/** Loads the sample into a database without members and problems; returns the greeting, with a token of its member. */
async function fillEmpty({ databaseUrl, baseUrl }: Config, flags: SettingFlags): Promise<string> {
  return withStore({ databaseUrl }, async (store) => {
    const { members, problems } = await summary(store.reader);
    if (members + problems > 0n) {
      const demo = await findMemberByName(store.reader, sampleUsername);
      return welcomeBack(baseUrl, demo?.username, flags.databaseUrl);
    }
    const { member } = await loadSample(store);
    const { id: userId } = await getMemberByName(store.reader, member);
    const asked = { userId, name: 'first start', scopes: allScopes, lifetimeMs: defaultLifetimeMs };
    return welcome(baseUrl, (await makeToken(store, asked)).token);
  });
}

function welcome(base: string, token: string): string {
  return `
Practice Garden is at ${base}/ with a sample of real problems and a demo member.
The reference of its nine operations: ${base}/docs/
A token of the demo member, shown this once: ${token}

Try it:
  curl -H 'Authorization: Bearer ${token}' '${base}/problem_list/api/problems/?tag=graphs&limit=3'
  curl -H 'Authorization: Bearer ${token}' '${base}/problem_list/api/status/'
  curl -X DELETE -H 'Authorization: Bearer ${token}' '${base}/plants/1'

bin/garden sample remove takes the sample out again. Stop with Ctrl+C.`;
}

/** At a later start: the command that makes another token, because a token is shown only once. */
function welcomeBack(base: string, username = 'NAME', databaseUrl = ''): string {
  const where = databaseUrl.startsWith('sqlite:') ? ` --database-url ${databaseUrl}` : '';
  return `
Practice Garden is at ${base}/, the reference of its nine operations at ${base}/docs/
To make another token of a member (bin/garden member list shows them, bin/garden member create makes one):
  bin/garden token create ${username} --name "my programs"${where}`;
}
