/** garden import: imports files of judges and of our own resources. */
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Argument, Option } from 'commander';
import { readConfig } from '../config.ts';
import { type Format, formats } from '../contract/rows.ts';
import { badFile, invalidValue } from '../errors.ts';
import { applyFile, checkFile, reportInWords } from '../importing/import.ts';
import { type ImportName, importerOf, importNames, isResource, needsMember } from '../importing/resources.ts';
import { formatByName } from '../importing/row-reader.ts';
import { openSource } from '../importing/source.ts';
import { withTemporaryFolder } from '../jobs/cleanup.ts';
import { judgeOf } from '../judges/judges.ts';
import { noLimits } from '../practice/added-problems.ts';
import { listJudgeAddresses } from '../practice/judge-addresses.ts';
import { getMemberByName } from '../practice/members.ts';
import { mayExist, openStore, usingStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { databaseCommand, type Flags, withChoices } from './command.ts';
import { lockTimeoutMs, withStore, withStoreToRead } from './database.ts';
import { readJudgeConfig } from './judge-config.ts';
import { oneLine, print, printJson, printNotice, withProgressBar } from './terminal.ts';

interface ImportFlags extends Flags {
  member?: string;
  handle?: string;
  dryRun?: boolean;
  skipBad?: boolean;
  idsOfThisGarden?: boolean;
  addUnknown?: boolean;
  details?: boolean;
  format?: Format;
}

const formatOption = new Option(
  '--format <format>',
  'Format of our own resources; default: by the file name, else json',
);

export const command = databaseCommand(
  'import',
  'Import a whole file; if a row is not valid, nothing is imported',
  [
    'garden import codeforces-problems problemset.problems.json',
    'garden import codeforces-problems https://codeforces.com/api/problemset.problems',
    'garden import codeforces-submissions user.status.json --member ada',
    'garden import statuses statuses.csv --dry-run --details',
    'garden import lists blind-75.md --member ada --add-unknown',
    'garden import archive ada.zip',
    'garden export problems - --format ndjson | garden import problems - --format ndjson --database-url sqlite:copy.db',
  ],
)
  .addArgument(whatArgument())
  .argument('[file]', 'A path, - for standard input, or an http(s) address')
  .option(
    '--member <username>',
    'The member who made the submissions, or gets the archive or the list of a text with links',
  )
  .option('--handle <name>', 'The member’s handle, if the file does not contain it')
  .option('--dry-run', 'Report what would change, and change nothing')
  .option('--skip-bad', 'Skip rows that are not valid, and count them')
  .option('--ids-of-this-garden', 'Use the ids in the file; only for files from this database')
  .option('--add-unknown', 'Add the problems of links that are not here yet; only for lists')
  .option('--details', 'Print one line for each row with its result')
  .addOption(withChoices(formatOption, formats))
  .action(run);

function whatArgument(): Argument {
  const argument = withChoices(
    new Argument('<what>', 'What the file contains; optional for a zip file'),
    importNames,
  );
  const { parseArg } = argument;
  return argument.argParser((text, previous) => (isZip(text) ? text : parseArg?.(text, previous)));
}

const isZip = (text: string) => /\.zip$/i.test(text);

async function run(first: string, second: string | undefined, flags: ImportFlags): Promise<void> {
  // The message of commander for a missing argument.
  if (second === undefined && !isZip(first)) command.error("error: missing required argument 'file'");
  if (second !== undefined && isZip(first))
    command.error(`error: ${JSON.stringify(first)} is no kind of file, so name what ${second} contains`);
  const [what, file] = second === undefined ? (['archive', first] as const) : [first as ImportName, second];
  const fault = flagFault(what, file, flags);
  if (fault !== undefined) throw invalidValue(fault);
  const { details, json, dryRun: isDryRun = false, skipBad: skipsBadRows = false } = flags;
  const onDetail = details ? (line: string) => (json ? printNotice : print)(oneLine(line)) : undefined;
  const { report, notes, badRows, hasWritten, seconds } = await withFile(file, async (name, open) => {
    const site = await siteOf(what, flags);
    const textList = what === 'lists' && flags.member !== undefined ? file : undefined;
    const importer = importerOf(what, flags.format ?? formatByName(name) ?? 'json', site, textList);
    const checkStart = performance.now();
    const checkedFile = await checkFile(importer, {
      open,
      skipsBadRows,
      trustsIds: flags.idsOfThisGarden ?? false,
    });
    const checkMs = performance.now() - checkStart;
    return withImportStore(flags, async (store) => {
      const { member: username, handle } = flags;
      const member = username === undefined ? undefined : await getMemberByName(store.reader, username);
      const judgeAddresses = await listJudgeAddresses(store.reader, readConfig(flags).judgeUrls);
      const adding = {
        limits: noLimits,
        judgeAddresses,
        addsLinkedProblems: flags.addUnknown ?? false,
      };
      const applyStart = performance.now();
      const result = await applyFile(store, checkedFile, {
        member,
        handle,
        isDryRun,
        adding,
        onDetail,
      });
      return { ...result, seconds: (checkMs + performance.now() - applyStart) / 1000 };
    });
  });
  for (const { message } of badRows) printNotice(`skipped: ${message}`);
  if (json) return printJson(report);
  print(`${reportInWords(what, report)}.`);
  for (const { message } of notes) print(message);
  if (isDryRun) print('Dry run: nothing was changed.');
  else if (!hasWritten) print('Nothing changed.');
  printNotice(`${seconds.toFixed(2)} s, ${Math.round(report.read / seconds).toLocaleString('en')} rows/s`);
}

/** The garden's own address for a judge whose program runs at several sites. */
async function siteOf(what: ImportName, flags: Flags): Promise<string | undefined> {
  const [source = ''] = what.split('-', 1);
  const { judgeUrls, databaseUrl } = readJudgeConfig(flags);
  if (!judgeOf(source)?.isSelfHostable || !mayExist(databaseUrl)) return judgeUrls?.get(source);
  return withStoreToRead(flags, async ({ reader }) => {
    return (await listJudgeAddresses(reader, judgeUrls)).get(source)?.url;
  });
}

function flagFault(what: ImportName, file: string, flags: ImportFlags): string | undefined {
  const { member, handle, format, idsOfThisGarden, addUnknown } = flags;
  if (what !== 'lists' && addUnknown) return `--add-unknown works only for lists; leave it out for ${what}.`;
  if (!needsMember(what) && handle !== undefined)
    return `--handle works only for submissions; leave it out for ${what}.`;
  if (what === 'lists' && member !== undefined) {
    const rowsOnlyFlag =
      format !== undefined ? '--format' : idsOfThisGarden ? '--ids-of-this-garden' : undefined;
    return (
      rowsOnlyFlag && `${rowsOnlyFlag} works only for rows of garden export; with --member, leave it out.`
    );
  }
  if (needsMember(what) && member === undefined)
    return `Name the member of these submissions: garden import ${what} ${file} --member NAME.`;
  if (!needsMember(what) && what !== 'archive' && member !== undefined)
    return `--member works only for submissions, lists and archives; leave it out for ${what}.`;
  if (isResource(what)) return undefined;
  if (format !== undefined)
    return `--format works only for our own resources; ${what} has the format of its judge.`;
  if (idsOfThisGarden)
    return `--ids-of-this-garden works only for our own resources; ${what} contains no ids of this database.`;
  return undefined;
}

/** A dry run neither creates nor migrates a database. If there is none, it uses a temporary one. */
async function withImportStore<T>(flags: ImportFlags, work: (store: Store) => Promise<T>): Promise<T> {
  if (!flags.dryRun) return withStore(flags, work, { create: true });
  if (mayExist(readConfig(flags).databaseUrl)) {
    // Opening for reading refuses an older schema.
    await withStoreToRead(flags, async () => {});
    return withStore(flags, work);
  }
  return withTemporaryFolder((folder) =>
    usingStore(openStore(`sqlite:${join(folder, 'garden.db')}`, { create: true, lockTimeoutMs }), work),
  );
}

/** The file is read twice, so other sources are copied to disk. */
async function withFile<T>(source: string, work: (name: string, open: OpenFile) => Promise<T>): Promise<T> {
  const stats = source === '-' ? undefined : await stat(source).catch(() => undefined);
  if (stats?.isFile()) return withByteProgress(source, (open) => work(source, open));
  const { name, bytes } = await openSource(source, process.stdin);
  return withTemporaryFolder(async (folder) => {
    const path = join(folder, 'source');
    const copy = createWriteStream(path, { mode: 0o600 });
    await pipeline(bytes, copy).catch((error: NodeJS.ErrnoException) => {
      if (copy.errored !== error) throw error;
      const problem = `The source cannot be copied to ${folder} (${error.code}), and nothing was imported`;
      throw badFile(`${problem}: free some space there, or set TMPDIR to another folder.`, error);
    });
    return withByteProgress(path, (open) => work(name, open));
  });
}

type OpenFile = () => Promise<AsyncIterable<Uint8Array>>;

async function withByteProgress<T>(path: string, work: (open: OpenFile) => Promise<T>): Promise<T> {
  return withProgressBar('{phase} [{bar}] {percentage}% {eta_formatted}', (bar) => {
    const phases = ['checking', 'importing'];
    return work(async () => {
      const { bytes, size = 0 } = await openSource(path, process.stdin);
      bar.start(size, 0, { phase: phases.shift() });
      return (async function* () {
        for await (const chunk of bytes) {
          bar.increment(chunk.length);
          yield chunk;
        }
      })();
    });
  });
}
