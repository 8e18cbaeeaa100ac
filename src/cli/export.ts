/** garden export: writes a resource, or all that one member has, for garden import. */
import { once } from 'node:events';
import { Argument, Option } from 'commander';
import { type Format, formats } from '../contract/rows.ts';
import { invalidValue } from '../errors.ts';
import { writeArchive } from '../importing/archive.ts';
import { writeCards, writeNotes } from '../importing/notes-writer.ts';
import { exportRows, type ResourceName, resourceNames, rowKinds } from '../importing/row-kinds.ts';
import { formatByName } from '../importing/row-reader.ts';
import { getMemberByName } from '../practice/members.ts';
import { countText } from '../store/overview.ts';
import { databaseCommand, type Flags, withChoices } from './command.ts';
import { withStoreToRead } from './database.ts';
import { writeAtomically } from './output-files.ts';
import { printJson, printNotice } from './terminal.ts';

const writers = { archive: writeArchive, 'notes-zip': writeNotes, 'notes-tsv': writeCards };
type MemberExport = keyof typeof writers;
const memberExports = Object.keys(writers) as MemberExport[];
const isMemberExport = (what: string): what is MemberExport => Object.hasOwn(writers, what);

export const command = databaseCommand(
  'export',
  'Write all rows of a resource, in a format that garden import reads',
  [
    'garden export problems problems.csv',
    'garden export statuses - --format ndjson | wc -l',
    'garden export records ada.json --member ada',
    'garden export archive ada.zip --member ada',
    'garden export notes-zip notes.zip --member ada',
  ],
)
  .addArgument(
    withChoices(new Argument('<what>', 'Which rows; bookmarks are stars'), [
      ...resourceNames,
      ...memberExports,
    ]),
  )
  .argument('[file]', 'A path, or - for standard output', '-')
  .addOption(withChoices(new Option('--format <format>', 'Default: by the file name, else json'), formats))
  .option('--member <username>', 'Only the rows of this member')
  .option('--without-ids', 'Leave out ids, for a garden that has members or problems of its own')
  .action(run);

async function run(
  what: ResourceName | MemberExport,
  file: string,
  {
    member: username,
    withoutIds = false,
    ...flags
  }: Flags & { format?: Format; member?: string; withoutIds?: boolean },
): Promise<void> {
  const format = flags.format ?? formatByName(file) ?? 'json';
  if (username !== undefined && what === 'problems') {
    throw invalidValue('Problems belong to no member; leave --member out.');
  }
  if (username === undefined && isMemberExport(what)) {
    throw invalidValue(
      what === 'archive'
        ? 'An archive contains one member: use garden export archive FILE.zip --member NAME.'
        : `Notes are exported for one member: use garden export ${what} FILE --member NAME.`,
    );
  }
  if (isMemberExport(what) && flags.format !== undefined) {
    throw invalidValue(
      what === 'archive'
        ? 'An archive is a zip file; leave --format out.'
        : `${what} has one format; leave --format out.`,
    );
  }
  const extensions = isMemberExport(what) ? [what === 'notes-tsv' ? 'tsv' : 'zip'] : [...formats, 'jsonl'];
  const [, extension = ''] = /\.([a-z]\w*)$/i.exec(file) ?? [];
  if (flags.format === undefined && extension !== '' && !extensions.includes(extension.toLowerCase())) {
    const choice = isMemberExport(what) ? '' : ', or set --format';
    throw invalidValue(
      `${what} cannot be a .${extension} file; name it .${extensions.join(', .')}${choice}.`,
    );
  }
  let rows = 0;
  await withStoreToRead(flags, (store) =>
    // A snapshot, because a server may write meanwhile.
    store.snapshot(async (db) => {
      const member = username === undefined ? undefined : await getMemberByName(db, username);
      const onRows = (count: number) => {
        rows += count;
      };
      const chunks = isMemberExport(what)
        ? writers[what](db, member?.id ?? 0n, onRows)
        : exportRows(db, rowKinds[what], format, { onRows, memberId: member?.id, withoutIds });
      if (file !== '-') return writeAtomically(file, chunks, 0o600);
      for await (const chunk of chunks) {
        if (!process.stdout.write(chunk)) await once(process.stdout, 'drain');
      }
    }),
  );
  if (file === '-') return;
  if (flags.json) printJson({ rows, file });
  else printNotice(`${countText(rows, 'row')} of ${what === 'archive' ? username : what} written to ${file}`);
}
