/** Backups that staff ask for on their page: made in the background, one at a time, with a sentence where one fails. */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { backupFolder, listBackupFiles } from '../store/backup.ts';
import { backupUnderWay } from '../store/backup-lock.ts';
import { backupMarkOf, getSetting, setSetting } from '../store/settings.ts';
import type { Store } from '../store/store.ts';
import type { BackupDesk, BackupFailure } from '../web/road/site.ts';
import { startBackup } from './backup-process.ts';

/** A small garden is done by then, and the page shows the backup at once. */
const patienceMs = 2_500;
const failureSetting = 'backup_failure';

export function backupsByHand(config: Config, store: Store, log: Logger): BackupDesk & { stop(): void } {
  const folder = backupFolder(config.databaseUrl, config.backupDir);
  const own = async () => ({ folder, mark: await backupMarkOf(store.reader) });
  let child: ChildProcess | undefined;
  /** When the one that this process makes was begun. */
  let since: string | undefined;

  async function make(): Promise<BackupFailure | undefined> {
    const started = startBackup(config, await own(), false);
    child = started.child;
    const message = await started.made;
    child = undefined;
    if (message !== undefined) log.error(`the backup that staff asked for failed: ${message}`);
    const failure = message === undefined ? undefined : { at: new Date().toISOString(), why: whyOf(message) };
    // So that every process shows it. A database that takes no writes has its line in the log.
    await store
      .write((tx) => setSetting(tx, failureSetting, JSON.stringify(failure ?? null)))
      .catch(() => {});
    return failure;
  }

  return {
    list: async () => listBackupFiles(await own()),
    folder,
    begin: async (note) => {
      // The lock stops a second backup while the first is made, and not one whose process starts just after it.
      if (since !== undefined) return { at: new Date().toISOString(), why: 'busy' };
      since = new Date().toISOString();
      const making = note()
        .then(make)
        .finally(() => {
          since = undefined;
        });
      return Promise.race([
        making.then((failure) => failure ?? ('made' as const)),
        sleep(patienceMs, 'under-way' as const, { ref: false }),
      ]);
    },
    underWay: async () => (await backupUnderWay(folder)) ?? since,
    lastFailure: async () =>
      JSON.parse((await getSetting(store.reader, failureSetting)) ?? 'null') ?? undefined,
    stop: () => child?.kill('SIGTERM'),
  };
}

/** The reason of a failed command for a page, which shows no path of the server and says what to do. */
function whyOf(message: string): BackupFailure['why'] {
  if (/being made already/.test(message)) return 'busy';
  const [, code] = /\((E[A-Z]+)\)/.exec(message) ?? [];
  if (code === 'ENOSPC' || code === 'EDQUOT' || /disk is full/i.test(message)) return 'full';
  return code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code === 'ENOTDIR' || code === 'EEXIST'
    ? 'unwritable'
    : 'unknown';
}
