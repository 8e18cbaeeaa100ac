/** garden backup: writes the database into one file while servers run. */
import { basename, dirname, resolve } from 'node:path';
import { readConfig, settings } from '../config.ts';
import { invalidValue } from '../errors.ts';
import {
  defaultBackupPath,
  isBackupName,
  makeBackup,
  removeOldBackups,
  withBackupLease,
} from '../jobs/backups.ts';
import { openStoreToRead, usingStore } from '../store/open.ts';
import { countText } from '../store/overview.ts';
import { backupMarkOf } from '../store/settings.ts';
import { databaseCommand, type Flags, optionParser, settingOption } from './command.ts';
import { lockTimeoutMs } from './database.ts';
import { print, printJson, printNotice, withRowProgress } from './terminal.ts';

const readKeep = optionParser('Enter an integer from 1 to 9999.', (text) =>
  /^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined,
);

export const command = databaseCommand(
  'backup',
  'Write the whole database into one compressed file; servers can keep running',
  ['garden backup', 'garden backup /mnt/backups/garden.db.gz', 'garden backup --keep 7 --json'],
)
  .argument('[file]', 'A path; default: a name with the time, in the backup folder')
  .addOption(settingOption(settings.backupDir))
  .option('--keep <n>', 'Then delete all but the newest n backups of this database in that folder', readKeep)
  .action(run);

async function run(
  file: string | undefined,
  { keep, json, ...flags }: Flags & { backupDir?: string; keep?: number },
): Promise<void> {
  const config = readConfig(flags);
  const { databaseUrl } = config;
  if (keep !== undefined && file !== undefined && !isBackupName(basename(file))) {
    throw invalidValue('--keep works only with the default file names; leave the file out.');
  }
  await usingStore(openStoreToRead(databaseUrl, { lockTimeoutMs }, true), async (source) => {
    const databaseMark = await backupMarkOf(source.reader);
    const path = resolve(file ?? (await defaultBackupPath(source, config)));
    const write = () => withRowProgress('backing up', (progress) => makeBackup(source, path, progress));
    // Taking the lease would update an older schema.
    const { rows, sha256 } =
      isBackupName(basename(path)) && !source.copyPages
        ? await withBackupLease(databaseUrl, write)
        : await write();
    const removed =
      keep === undefined ? [] : await removeOldBackups({ folder: dirname(path), mark: databaseMark }, keep);
    if (json) return printJson({ file: path, rows, sha256, removed });
    print(path);
    printNotice(
      `${countText(rows, 'row')} of ${source.name} written and verified; restore them with garden restore ${path}.`,
    );
    for (const name of removed) printNotice(`removed ${name}`);
  });
}
