/** garden doctor: checks the garden and says how to fix each fault. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type Config, settings } from '../config.ts';
import { AppError } from '../errors.ts';
import { engineOf } from '../store/engine.ts';
import { fileOf, lockTimeouts, mayExist, openStoreToRead, usingStore } from '../store/open.ts';
import type { CheckResult, Finding } from '../store/overview.ts';
import type { ReadableStore } from '../store/store.ts';
import { databaseCommand, type Flags, settingOption } from './command.ts';
import { readJudgeConfig } from './judge-config.ts';
import { exitCodes, print, printJson } from './terminal.ts';

/** For port 0 the system chooses one, which is returned. */
export async function tryPort(host: string, port: number): Promise<number> {
  const server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
    return (server.address() as AddressInfo).port;
  } finally {
    server.close();
  }
}

const livezTimeoutMs = 2_000;

export const command = databaseCommand(
  'doctor',
  'Check runtime, settings, database and port, and say how to fix problems',
  ['garden doctor', 'garden doctor --json | jq ".[] | select(.result != \\"good\\")"'],
)
  .addOption(settingOption(settings.host))
  .addOption(settingOption(settings.port))
  .action(async ({ json, ...flags }: Flags & { host?: string; port?: string }) => {
    const findings = await findingsOf(readJudgeConfig(flags));
    if (json) printJson(findings);
    else
      for (const { check, result, detail } of findings)
        print(`${result.padEnd(8)} ${check.padEnd(9)} ${detail}`);
    if (findings.some(({ result }) => result === 'bad')) process.exitCode = exitCodes.failed;
  });

async function findingsOf(config: Config): Promise<Finding[]> {
  const { databaseUrl } = config;
  const { examine } = await import('../server/doctor.ts');
  const port = await checkPort(config);
  const examineWithoutStore = (store: CheckResult) => examine(config, { store, fault: undefined, port });
  const file = fileOf(databaseUrl);
  if (!mayExist(databaseUrl))
    return examineWithoutStore(['warning', `${file} does not exist yet; garden serve creates it.`]);
  try {
    return await usingStore(
      openStoreToRead(databaseUrl, { lockTimeoutMs: lockTimeouts.figuresMs }),
      async (store) => examine(config, { store, fault: await damageOf(store), port }),
    );
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // The next start updates a file with an older schema.
    const isUpdatedAtStart = error.code === 'databaseOutdated' && file !== undefined;
    return examineWithoutStore([isUpdatedAtStart ? 'warning' : 'bad', error.message]);
  }
}

async function damageOf({ reader, name }: ReadableStore): Promise<string | undefined> {
  const [fault] = await engineOf(reader).checkIntegrity(reader);
  const advice = 'keep a copy of it, and restore the newest backup with garden restore.';
  return fault && `${name} is damaged (${fault}); ${advice}`;
}

async function checkPort({ host, port, baseUrl }: Config): Promise<CheckResult> {
  try {
    await tryPort(host, port);
    return ['good', `${host}:${port} is free`];
  } catch (error) {
    const { listenFault, localUrlOf } = await import('../server/listening.ts');
    const livezUrl = new URL(
      `${new URL(baseUrl).pathname.replace(/\/$/, '')}/livez`,
      localUrlOf({ host, port }),
    );
    const answer = await fetch(livezUrl, { signal: AbortSignal.timeout(livezTimeoutMs) })
      .then((response) => response.text())
      .catch(() => '');
    const running = `a Practice Garden server is running on ${host}:${port}`;
    if (answer.startsWith('{"status":"alive"')) return ['good', running];
    if (answer.startsWith('{"error":40400,'))
      return ['warning', `${running}, under another path than that of BASE_URL; give doctor its settings.`];
    return ['warning', listenFault({ host, port }, error)];
  }
}
