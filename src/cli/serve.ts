/** garden serve: runs the server, in one process or several. */
import cluster from 'node:cluster';
import { Option } from 'commander';
import { localLinksWarning, type SettingFlags, settings } from '../config.ts';
import { invalidValue } from '../errors.ts';
import { listenFault } from '../server/listening.ts';
import { lockTimeouts } from '../store/open.ts';
import { plainCommand, settingOption } from './command.ts';
import { backUpBeforeUpgrade } from './database.ts';
import { tryPort } from './doctor.ts';
import { greet, makeAdmin } from './first-start.ts';
import { readJudgeConfig } from './judge-config.ts';
import { print, printNotice } from './terminal.ts';

const lockTimeoutMs = lockTimeouts.requestMs;
const statementTimeoutMs = 5_000;

export const command = plainCommand('serve', 'Run the server until it is stopped', [
  'garden serve',
  'garden serve --port 9000 --database-url sqlite:/var/lib/garden/garden.db',
  'HOST=0.0.0.0 BASE_URL=https://garden.example.org garden serve',
])
  .option('--sample', 'Fill an empty database with the sample first')
  // The primary process tells its workers which file they serve.
  .addOption(new Option('--identity <dev:ino>').hideHelp())
  .action(run);
for (const setting of Object.values(settings)) {
  if (setting.flag !== undefined) command.addOption(settingOption(setting));
}

async function run({
  sample: asksForSample = false,
  identity,
  ...flags
}: SettingFlags & { sample?: boolean; identity?: string }): Promise<void> {
  const requested = readJudgeConfig(flags);
  const { host, metricsHost, metricsPort } = requested;
  // Links contain the port, so it is chosen first; and where nothing can listen, no database is made.
  const port = cluster.isWorker ? requested.port : await usablePort(host, requested.port);
  if (cluster.isPrimary && metricsPort !== undefined) await usablePort(metricsHost, metricsPort, 'METRICS_');
  const config = readJudgeConfig({ ...flags, port: String(port) });
  const { demo } = config;
  const sample = asksForSample || demo;
  const storeOptions = {
    // A worker must not create another file after the served one was removed.
    create: !cluster.isWorker,
    ...(identity !== undefined && { identity }),
    lockTimeoutMs,
    statementTimeoutMs,
    poolSize: config.databasePool,
    // The primary process has checked the database before it starts workers.
    checksIntegrity: !cluster.isWorker,
    // The sample is for beginners, and an empty database has nothing to lose.
    migratesEmpty: sample,
    beforeUpgrade: backUpBeforeUpgrade(config),
  };
  if (cluster.isPrimary) await makeAdmin(config, storeOptions);
  const hasWorkers = cluster.isPrimary && config.workers > 1;
  const start = hasWorkers
    ? (await import('../server/workers.ts')).serveInWorkers
    : (await import('../server/serve.ts')).serveInProcess;
  const address = await start(config, storeOptions);
  if (cluster.isWorker) return;
  // The greeting shows secrets once, so it is made after the server listens.
  const { baseUrl, databaseUrl } = config;
  const greeting = await greet({ baseUrl, databaseUrl, databaseFlag: flags.databaseUrl, sample, demo });
  const line = `listening on ${address}`;
  const isForOthers = !/^(?:localhost|::1|127(?:\.\d+){3})$/.test(host);
  const warning = isForOthers ? localLinksWarning({ ...flags, port: String(port) }) : undefined;
  if (warning !== undefined) printNotice(warning);
  print(greeting === undefined ? line : `${line}\n${greeting}`);
}

/** The port itself, or a free one where it is 0. Throws invalidValue if nothing can listen there. */
async function usablePort(host: string, port: number, prefix?: string): Promise<number> {
  return tryPort(host, port).catch((cause) => {
    throw invalidValue(listenFault({ host, port }, cause, prefix), cause);
  });
}
