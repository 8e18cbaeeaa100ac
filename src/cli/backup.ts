/** garden backup: one state of the whole database in a file, made while servers run; older ones can be removed. */
import { basename, dirname, join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { readConfig } from '../config.ts';
import { AppError } from '../errors.ts';
import { fileTime, writeBackup } from '../store/backup.ts';
import { backupFolder, isOwnName, removeOldBackups } from '../store/backup-folder.ts';
import { openStoreToRead } from '../store/open.ts';
import { withLeftover, withTemporaryFolder } from './output-files.ts';
import { showProgress } from './progress.ts';
import { complain, jsonOption, print, settingOption, toJson, verb } from './terminal.ts';

interface Flags {
  databaseUrl?: string;
  backupDir?: string;
  keep?: string;
  json?: boolean;
}

export function backupVerb(): Command {
  return verb('backup', 'Write the whole database into one compressed file, while servers run', [
    'garden backup',
    'garden backup /mnt/backups/garden.db.gz',
    'garden backup --keep 7 --json',
  ])
    .argument('[file]', 'A path; default: a name with the time, in the folder backups beside the database')
    .addOption(settingOption('backupDir'))
    .addOption(new Option('--keep <n>', 'Afterwards remove all but the newest n of that folder'))
    .addOption(jsonOption())
    .action(run);
}

async function run(file: string | undefined, { keep: asked, json, ...flags }: Flags): Promise<void> {
  const { databaseUrl, backupDir } = readConfig(flags);
  const keep = asked === undefined ? undefined : readKeep(asked, file);
  const path = resolve(
    file ?? join(backupFolder(databaseUrl, backupDir), `garden-${fileTime(new Date())}.db.gz`),
  );
  const source = await openStoreToRead(databaseUrl, { lockTimeoutMs: 30_000 });
  try {
    const { stop, ...progress } = showProgress('backing up');
    const { rows, sha256 } = await withLeftover(`${path}.partial`, () =>
      withTemporaryFolder((folder) => writeBackup(source, path, folder, progress)),
    ).finally(stop);
    const removed = keep === undefined ? [] : await removeOldBackups(dirname(path), keep);
    if (json) return print(toJson({ file: path, rows, sha256, removed }));
    print(path);
    complain(`${rows} rows of ${source.name} written and compared; garden restore ${path} brings them back.`);
    for (const name of removed) complain(`removed ${name}`);
  } finally {
    await source.close();
  }
}

function readKeep(text: string, file: string | undefined): number {
  if (file !== undefined && !isOwnName(basename(file))) {
    throw new AppError(
      'badSetting',
      '--keep goes with the names that garden backup gives; leave the file out.',
    );
  }
  if (!/^[1-9]\d{0,3}$/.test(text)) {
    throw new AppError(
      'badSetting',
      `--keep is ${JSON.stringify(text)}; it must be an integer from 1 to 9999.`,
    );
  }
  return Number(text);
}
