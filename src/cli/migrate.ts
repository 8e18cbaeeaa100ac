/** garden migrate: updates the schema of the database. */
import { readConfig } from '../config.ts';
import { AppError } from '../errors.ts';
import { backupFolderFault } from '../jobs/backups.ts';
import { fileOf, migrateStore } from '../store/open.ts';
import { databaseCommand, type Flags } from './command.ts';
import { backUpBeforeUpgrade, lockTimeoutMs } from './database.ts';
import { print, printJson, printNotice } from './terminal.ts';

export const command = databaseCommand('migrate', 'Update the database to the schema of this release', [
  'garden migrate --database-url postgres://garden@db.example.org/garden',
  'garden migrate --dry-run',
  'garden migrate --json | jq .steps',
])
  .option('--dry-run', 'Report what would be done, and change nothing')
  .action(async ({ dryRun = false, ...flags }: Flags & { dryRun?: boolean }) => {
    const config = readConfig(flags);
    const { databaseUrl } = config;
    const beforeUpgrade = backUpBeforeUpgrade(config);
    const report = await migrateStore(databaseUrl, { create: true, lockTimeoutMs, beforeUpgrade }, dryRun);
    const { database, from, to, steps } = report;
    const needsBackup = dryRun && from > 0 && steps.length > 0 && fileOf(databaseUrl) !== undefined;
    const fault = needsBackup ? await backupFolderFault(config) : undefined;
    if (fault !== undefined) throw new AppError('fileUnwritable', fault);
    if (flags.json) return printJson({ ...report, dry_run: dryRun });
    for (const { version, name, why } of steps) print(`${version} ${name}: ${why}`);
    if (steps.length === 0) printNotice(`${database} already has schema ${to}; nothing to do.`);
    else if (dryRun) {
      const backup = fileOf(databaseUrl)
        ? ', after a backup'
        : '; make a backup with the older release first';
      printNotice(
        `Would update ${database} from schema ${from} to ${to}${from === 0 ? '' : backup}. Dry run: nothing was changed.`,
      );
    } else printNotice(`Updated ${database} from schema ${from} to ${to}.`);
  });
