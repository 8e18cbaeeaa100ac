/** garden backup in a process of its own at low priority, for the schedule and for staff. */
import { execFile } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Config, environmentWith } from '../config.ts';
import { backupName, fileTime, type OwnBackups } from '../store/backup.ts';

const launcher = join(import.meta.dirname, '..', '..', 'bin', 'garden');
const messageAtMost = 1_000;

/** Starts a backup; `made` answers what the command said where it failed, and undefined where all is well. */
export function startBackup(
  { databaseUrl, backupKeep }: Pick<Config, 'databaseUrl' | 'backupKeep'>,
  { folder, mark }: OwnBackups,
  isScheduled: boolean,
) {
  const path = join(folder, backupName(fileTime(), mark, isScheduled));
  const keep = isScheduled ? ['--keep', String(backupKeep)] : [];
  // Not as a flag, which every user of the machine can read.
  const env = environmentWith({ DATABASE_URL: databaseUrl, BACKUP_DIR: folder });
  const running = promisify(execFile)(process.execPath, [launcher, 'backup', path, ...keep], { env });
  const { child } = running;
  try {
    // Members come first. Where the system refuses the low priority, the backup takes its share.
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  } catch {}
  const made: Promise<string | undefined> = running.then(
    () => undefined,
    (error) => ((error as { stderr?: string }).stderr || String(error)).trim().slice(-messageAtMost),
  );
  return { child, made };
}
