/** garden restore: checks a backup and replaces the database with it. */
import { readConfig } from '../config.ts';
import { withTemporaryFolder } from '../jobs/cleanup.ts';
import { restoreBackup, verifyBackup } from '../store/backup.ts';
import { fileOf } from '../store/open.ts';
import { countText } from '../store/overview.ts';
import { databaseCommand, type Flags } from './command.ts';
import { print, printJson, printNotice, printObject, withRowProgress } from './terminal.ts';

export const command = databaseCommand(
  'restore',
  'Check a backup and replace the database with it; stop the servers first',
  [
    'garden restore ./data/backups/garden-2026-11-21T083000Z-3f2a9c1d.db.gz',
    'garden restore --verify /mnt/backups/garden.db.gz --json',
  ],
)
  .argument('<file>', 'A file that garden backup wrote')
  .option('--verify', 'Only check the backup; change nothing')
  .action((path: string, { verify, ...flags }: Flags & { verify?: boolean }) =>
    withTemporaryFolder(async (folder) => {
      const { file, ...figures } = await verifyBackup(path, folder);
      if (verify) {
        printObject({ file: path, ...figures }, flags);
        if (!flags.json) printNotice('The backup is valid; nothing was changed.');
        return;
      }
      const { databaseUrl } = readConfig(flags);
      const previousFile = await withRowProgress('restoring', (progress) =>
        restoreBackup(file, databaseUrl, progress),
      );
      if (flags.json) return printJson({ file: path, ...figures, kept: previousFile ?? null });
      const { members, problems, tokens } = figures;
      print(
        `Restored ${countText(members, 'member')}, ${countText(problems, 'problem')} and ${countText(tokens, 'working token')}.`,
      );
      const target = fileOf(databaseUrl);
      if (previousFile !== undefined)
        printNotice(`The previous file was kept as ${previousFile}; delete it once you no longer need it.`);
      else if (target !== undefined) printNotice(`Created the database ${target}.`);
    }),
  );
