/** garden export: all rows of one resource, in the form that garden import takes. */
import { once } from 'node:events';
import { Argument, type Command, Option } from 'commander';
import { type Format, formats } from '../contract/rows.ts';
import { AppError } from '../errors.ts';
import { formatOf } from '../importing/own-rows.ts';
import { exportRows, type ResourceName, resourceNames } from '../importing/resources.ts';
import { getMemberByName } from '../practice/members.ts';
import { writeWhole } from './output-files.ts';
import { complain, jsonOption, printObject, verb, withChoices, withStoreToRead } from './terminal.ts';

interface Flags {
  databaseUrl?: string;
  format?: Format;
  member?: string;
  json?: boolean;
}

export function exportVerb(): Command {
  return verb('export', 'Write all rows of a resource, in the form that import takes', [
    'garden export problems problems.csv',
    'garden export statuses - --format ndjson | wc -l',
    'garden export records ada.json --member ada',
  ])
    .addArgument(withChoices(new Argument('<what>', 'Which rows'), resourceNames))
    .argument('[file]', 'A path, or - for standard output', '-')
    .addOption(withChoices(new Option('--format <format>', 'Default: by the file name, else json'), formats))
    .option('--member <username>', 'Only what belongs to this member')
    .addOption(jsonOption())
    .action(run);
}

async function run(what: ResourceName, file: string, flags: Flags): Promise<void> {
  const format = flags.format ?? formatOf(file) ?? 'json';
  if (flags.member !== undefined && what === 'problems') {
    throw new AppError('badSetting', 'Problems belong to no member; leave --member out.');
  }
  let count = 0;
  await withStoreToRead(flags, (store) =>
    // One state of all rows, whatever is written meanwhile.
    store.snapshot(async (db) => {
      const member = flags.member === undefined ? undefined : await getMemberByName(db, flags.member);
      const onRows = (rows: number) => {
        count += rows;
      };
      const chunks = exportRows(db, what, format, onRows, member?.id);
      if (file === '-') {
        for await (const chunk of chunks)
          if (!process.stdout.write(chunk)) await once(process.stdout, 'drain');
      } else {
        await writeWhole(file, chunks, 0o600);
      }
    }),
  );
  // Standard output has the rows themselves then.
  if (file === '-') return;
  if (flags.json) printObject({ rows: count, file }, true);
  else complain(`${count} ${what} written to ${file}`);
}
