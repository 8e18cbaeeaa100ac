/** garden migrate: updates the schema of the database. */
import { readConfig } from '../config.ts';
import { migrateStore } from '../store/open.ts';
import { databaseCommand, type Flags } from './command.ts';
import { lockTimeoutMs } from './database.ts';
import { print, printJson, printNotice } from './terminal.ts';

export const command = databaseCommand('migrate', 'Update the database to the schema of this release', [
  'garden migrate --database-url postgres://garden@db.example.org/garden',
  'garden migrate --dry-run',
  'garden migrate --json | jq .steps',
])
  .option('--dry-run', 'Report what would be done, and change nothing')
  .action(async ({ dryRun = false, ...flags }: Flags & { dryRun?: boolean }) => {
    const report = await migrateStore(readConfig(flags).databaseUrl, { create: true, lockTimeoutMs }, dryRun);
    if (flags.json) return printJson({ ...report, dry_run: dryRun });
    const { database, from, to, steps } = report;
    for (const { version, name, why } of steps) print(`${version} ${name}: ${why}`);
    if (steps.length === 0) printNotice(`${database} already has schema ${to}; nothing to do.`);
    else if (dryRun)
      printNotice(`Would update ${database} from schema ${from} to ${to}. Dry run: nothing was changed.`);
    else printNotice(`Updated ${database} from schema ${from} to ${to}.`);
  });
