/** garden migrate: updates the schema of the database. */
import { readConfig } from '../config.ts';
import { migrateStore } from '../store/open.ts';
import { type Flags, verb } from './command.ts';
import { lockTimeoutMs } from './database.ts';
import { complain, print, printJson } from './terminal.ts';

export const command = verb('migrate', 'Update the database to the schema of this release', [
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
    if (steps.length === 0) complain(`${database} already has schema ${to}; nothing to do.`);
    else if (dryRun)
      complain(`Would update ${database} from schema ${from} to ${to}. Dry run: nothing was changed.`);
    else complain(`Updated ${database} from schema ${from} to ${to}.`);
  });
