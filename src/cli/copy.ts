/** garden copy: a whole database into another one, on the same engine or the other. */
import type { Command } from 'commander';
import { copyStore } from '../store/copy.ts';
import { openStore, openStoreToRead } from '../store/open.ts';
import { showProgress } from './progress.ts';
import { complain, jsonOption, plainVerb, print, printTable, toJson } from './terminal.ts';

const lockTimeoutMs = 30_000;

export function copyVerb(): Command {
  return plainVerb('copy', 'Copy a whole database into an empty one', [
    'garden copy sqlite:./data/garden.db postgres://garden@db.example.org/garden',
    'garden copy postgres://garden@db.example.org/garden sqlite:./backup.db --json',
  ])
    .argument('<from>', 'Address of the database to copy; it is only read')
    .argument('<to>', 'Address of a database that is new or empty')
    .addOption(jsonOption())
    .action(run);
}

async function run(from: string, to: string, { json = false }: { json?: boolean }): Promise<void> {
  const source = await openStoreToRead(from, { lockTimeoutMs });
  try {
    const target = await openStore(to, { create: true, lockTimeoutMs, setsUp: true });
    try {
      const start = performance.now();
      const { stop, ...progress } = showProgress('copying');
      const copied = await copyStore(source, target, progress).finally(stop);
      const rows = copied.reduce((sum, table) => sum + table.rows, 0);
      const seconds = (performance.now() - start) / 1000;
      if (json) return print(toJson({ from: source.name, to: target.name, rows, tables: copied }));
      printTable(
        copied.map(({ digest, ...table }) => ({ ...table, digest: digest.slice(0, 16) })),
        false,
      );
      complain(
        `${rows} rows copied from ${source.name} to ${target.name} and compared, in ${seconds.toFixed(2)} s.`,
      );
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}
