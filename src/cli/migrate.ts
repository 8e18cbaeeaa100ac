/** garden migrate: brings the database's schema up to date. */
import type { Command } from 'commander';
import { migrateStore } from '../store/open.ts';
import { complain, databaseUrlOf, jsonOption, print, toJson, verb } from './terminal.ts';

const lockTimeoutMs = 30_000;

interface Flags {
  databaseUrl?: string;
  dryRun?: boolean;
  json?: boolean;
}

export function migrateVerb(): Command {
  return verb('migrate', 'Bring the database up to the schema of this release', [
    'garden migrate --database-url postgres://garden@db.example.org/garden',
    'garden migrate --dry-run',
    'garden migrate --json | jq .steps',
  ])
    .option('--dry-run', 'Change nothing, only say what would be done')
    .addOption(jsonOption())
    .action(async (flags: Flags) => {
      const isDryRun = flags.dryRun ?? false;
      const options = { create: true, lockTimeoutMs };
      const report = await migrateStore(databaseUrlOf(flags), options, isDryRun);
      if (flags.json) return print(toJson({ ...report, dry_run: isDryRun }));
      const { database, from, to, steps } = report;
      for (const { version, name, why } of steps) print(`${version} ${name}: ${why}`);
      if (steps.length === 0) complain(`${database} has schema ${to} already; there is nothing to do.`);
      else if (isDryRun)
        complain(`${database} would go from schema ${from} to ${to}. Dry run: nothing was changed.`);
      else complain(`${database} went from schema ${from} to ${to}.`);
    });
}
