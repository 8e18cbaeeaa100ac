/** garden restore: a backup checked, and put in the place of the database. */
import type { Command } from 'commander';
import { Option } from 'commander';
import { restoreBackup, verifyBackup } from '../store/backup.ts';
import { withTemporaryFolder } from './output-files.ts';
import { showProgress } from './progress.ts';
import { complain, databaseUrlOf, jsonOption, print, printObject, toJson, verb } from './terminal.ts';

interface Flags {
  databaseUrl?: string;
  verify?: boolean;
  json?: boolean;
}

export function restoreVerb(): Command {
  return verb('restore', 'Check a backup and put it in the place of the database; stop its servers first', [
    'garden restore ./data/backups/garden-2026-11-21T083000Z.db.gz',
    'garden restore --verify /mnt/backups/garden.db.gz --json',
  ])
    .argument('<file>', 'What garden backup wrote')
    .addOption(new Option('--verify', 'Only check it; change nothing'))
    .addOption(jsonOption())
    .action(run);
}

async function run(path: string, flags: Flags): Promise<void> {
  const { json = false } = flags;
  await withTemporaryFolder(async (folder) => {
    const { file, ...found } = await verifyBackup(path, folder);
    if (flags.verify) {
      printObject({ file: path, ...found }, json);
      if (!json) complain('The backup is sound; nothing was changed.');
      return;
    }
    const databaseUrl = databaseUrlOf(flags);
    const { stop, ...progress } = showProgress('restoring');
    const kept = await restoreBackup({ file, ...found }, databaseUrl, new Date(), progress).finally(stop);
    if (json) return print(toJson({ file: path, ...found, kept: kept ?? null }));
    print(
      `Restored ${found.members} members, ${found.problems} problems and ${found.tokens} working tokens.`,
    );
    if (kept !== undefined)
      complain(`What was there before is kept in ${kept}; remove it when you are content.`);
  });
}
