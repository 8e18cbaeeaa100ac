/** garden import: files of judges and of our own resources into the database. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Argument, type Command, Option } from 'commander';
import { type Format, formats } from '../contract/rows.ts';
import { AppError } from '../errors.ts';
import { applyFile, checkFile, type ImportReport } from '../importing/import.ts';
import { formatOf } from '../importing/own-rows.ts';
import { type ImportName, importerOf, importNames, isResource, needsMember } from '../importing/resources.ts';
import { openSource, type Source } from '../importing/source.ts';
import { getMemberByName } from '../practice/members.ts';
import { mayExist, openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { withTemporaryFolder } from './output-files.ts';
import { type RepeatableSource, withProgress } from './progress.ts';
import {
  complain,
  databaseUrlOf,
  jsonOption,
  lockTimeoutMs,
  oneLine,
  print,
  toJson,
  usingStore,
  verb,
  withChoices,
  withStore,
  withStoreToRead,
} from './terminal.ts';

interface Flags {
  databaseUrl?: string;
  member?: string;
  dryRun?: boolean;
  skipBad?: boolean;
  idsOfThisGarden?: boolean;
  details?: boolean;
  format?: Format;
  json?: boolean;
}

export function importVerb(): Command {
  return verb('import', 'Import a file: all of it, or nothing', [
    'garden import codeforces-problems problemset.problems.json',
    'garden import codeforces-problems https://codeforces.com/api/problemset.problems',
    'garden import codeforces-submissions user.status.json --member ada',
    'garden import statuses statuses.csv --dry-run --details',
    'garden export problems - --format ndjson | garden import problems - --format ndjson --database-url sqlite:copy.db',
  ])
    .addArgument(withChoices(new Argument('<what>', 'What the file holds'), importNames))
    .argument('<file>', 'A path, - for standard input, or an http(s) address')
    .option('--member <username>', 'Whose submissions these are')
    .option('--dry-run', 'Change nothing, only report what would change')
    .option('--skip-bad', 'Leave rows out that are not valid, and count them')
    .option('--ids-of-this-garden', 'Trust the ids of a file that this very database wrote')
    .option('--details', 'Print one line for each row and what became of it')
    .addOption(
      withChoices(
        new Option('--format <format>', 'Of our own resources; default: by the file name, else json'),
        formats,
      ),
    )
    .addOption(jsonOption())
    .action(run);
}

async function run(what: ImportName, file: string, flags: Flags): Promise<void> {
  if (needsMember(what) !== (flags.member !== undefined)) {
    throw new AppError(
      'badSetting',
      needsMember(what)
        ? `Say whose submissions these are: garden import ${what} ${file} --member NAME.`
        : `--member goes with submissions; leave it out for ${what}.`,
    );
  }
  if (flags.format !== undefined && !isResource(what)) {
    throw new AppError(
      'badSetting',
      `--format goes with our own resources; ${what} has its judge's own format.`,
    );
  }
  if (flags.idsOfThisGarden && !isResource(what)) {
    throw new AppError(
      'badSetting',
      `--ids-of-this-garden goes with our own resources; ${what} has no ids of ours.`,
    );
  }
  const { report, notes, badRows, seconds } = await withRepeatableSource(file, async (source) => {
    const importer = importerOf(what, flags.format ?? formatOf(source.name) ?? 'json');
    const progress = withProgress(source);
    try {
      const checkStart = performance.now();
      const checked = await checkFile(importer, {
        open: progress.open,
        skipsBad: flags.skipBad ?? false,
        trustsIds: flags.idsOfThisGarden ?? false,
      });
      const checkMs = performance.now() - checkStart;
      return await withImportStore(flags, async (store) => {
        const member =
          flags.member === undefined ? undefined : await getMemberByName(store.reader, flags.member);
        const applyStart = performance.now();
        const result = await applyFile(store, checked, {
          member,
          isDryRun: flags.dryRun ?? false,
          onLine: flags.details ? (line) => (flags.json ? complain : print)(oneLine(line)) : undefined,
        });
        return { ...result, seconds: (checkMs + performance.now() - applyStart) / 1000 };
      });
    } finally {
      progress.stop();
    }
  });
  for (const row of badRows) complain(`left out: ${row}`);
  if (flags.json) return print(toJson(report));
  print(
    Object.entries(report)
      .map(([name, count]) => `${count} ${name}`)
      .join(', '),
  );
  for (const note of notes) print(note);
  if (flags.dryRun) print('Dry run: nothing was changed.');
  else if (report.new + report.changed === 0) print(`Nothing changed${reasonOfNothing(report)}.`);
  complain(`${seconds.toFixed(2)} s, ${Math.round(report.read / seconds).toLocaleString('en')} rows/s`);
}

function reasonOfNothing({ read, unmatched, bad }: ImportReport): string {
  if (read === 0) return ': the file has no rows';
  return unmatched + bad === 0 ? ': all of it was here already' : '';
}

/**
 * A dry run makes no database: where there is none yet, it tries the file on an empty one of its own. Nor does it bring one
 * up to date, which is refused instead.
 */
async function withImportStore<T>(flags: Flags, work: (store: Store) => Promise<T>): Promise<T> {
  if (!flags.dryRun) return withStore(flags, true, work);
  if (mayExist(databaseUrlOf(flags))) {
    await withStoreToRead(flags, async () => {});
    return withStore(flags, false, work);
  }
  return withTemporaryFolder((folder) =>
    usingStore(openStore(`sqlite:${join(folder, 'garden.db')}`, { create: true, lockTimeoutMs }), work),
  );
}

/** Gives the work a source that can be read twice: what is no regular file is kept on disk meanwhile. */
async function withRepeatableSource<T>(
  spec: string,
  work: (source: RepeatableSource) => Promise<T>,
): Promise<T> {
  const source = await openSource(spec, process.stdin);
  const { name, size } = source;
  if (source.isFile) {
    let unread: Source | undefined = source;
    const open = async () => {
      const { bytes } = unread ?? (await openSource(spec, process.stdin));
      unread = undefined;
      return bytes;
    };
    return work({ name, size, open });
  }
  return withTemporaryFolder(async (folder) => {
    const path = join(folder, 'source');
    const copy = createWriteStream(path, { mode: 0o600 });
    await pipeline(Readable.from(source.bytes), copy).catch((error: NodeJS.ErrnoException) => {
      throw copy.errored === error ? noRoom(folder, error) : error;
    });
    const open = async () => (await openSource(path, process.stdin)).bytes;
    return work({ name, size: copy.bytesWritten, open });
  });
}

function noRoom(folder: string, cause: NodeJS.ErrnoException): AppError {
  return new AppError(
    'badFile',
    `What is read cannot be kept in ${folder} meanwhile (${cause.code}); nothing was imported: make room there, or name another place in TMPDIR.`,
    { cause },
  );
}
