/** garden copy: copies a database into another one, on either engine. */
import { readConfig } from '../config.ts';
import { AppError } from '../errors.ts';
import { copyStore } from '../store/copy.ts';
import { fileOf, mayExist, openFileWarning, openStore, openStoreToRead, usingStore } from '../store/open.ts';
import { countText } from '../store/overview.ts';
import { plainCommand } from './command.ts';
import { backUpBeforeUpgrade, lockTimeoutMs } from './database.ts';
import { printJson, printNotice, printTable, withRowProgress } from './terminal.ts';

export const command = plainCommand('copy', 'Copy a whole database into an empty one', [
  'garden copy sqlite:./data/garden.db postgres://garden@db.example.org/garden',
  'garden copy postgres://garden@db.example.org/garden sqlite:./backup.db --json',
])
  .argument('<from>', 'Address of the database to copy; it is only read')
  .argument('<to>', 'Address of a database that is new or empty')
  .option('--json', 'Print the result as JSON')
  .action(async (from: string, to: string, flags: { json?: boolean }) => {
    for (const [word, address] of Object.entries({ from, to }))
      fileOf(address, `The address to copy ${word}`);
    if (!mayExist(from))
      throw new AppError(
        'databaseUnavailable',
        `There is no database at ${from}; check the address to copy from.`,
      );
    const warning = await openFileWarning(from);
    if (warning !== undefined) printNotice(warning);
    const beforeUpgrade = backUpBeforeUpgrade(readConfig({ databaseUrl: to }));
    const options = { create: true, lockTimeoutMs, migratesEmpty: true, beforeUpgrade };
    return usingStore(openStoreToRead(from, { lockTimeoutMs }), (source) =>
      usingStore(openStore(to, options), async (target) => {
        const start = performance.now();
        const tables = await withRowProgress('copying', (progress) =>
          copyStore(source, target, progress, { getsOwnMark: true }),
        );
        const rows = tables.reduce((sum, table) => sum + table.rows, 0);
        if (flags.json) return printJson({ from: source.name, to: target.name, rows, tables });
        const seconds = ((performance.now() - start) / 1000).toFixed(2);
        printTable(tables.map(({ digest, ...table }) => ({ ...table, digest: digest.slice(0, 16) })));
        printNotice(
          `${countText(rows, 'row')} copied from ${source.name} to ${target.name} and compared, in ${seconds} s.`,
        );
      }),
    );
  });
