/** garden import: files of judges and of our own resources into the database. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Argument, type Command, Option } from 'commander';
import { type Format, formats } from '../contract/rows.ts';
import { AppError } from '../errors.ts';
import { openSource } from '../judges/fetch.ts';
import { formatOf } from '../judges/files.ts';
import { importFile } from '../practice/importing.ts';
import { type ImportName, importerOf, importNames, isResource, needsMember } from '../practice/resources.ts';
import { findMemberByName, type MemberRow } from '../store/members.ts';
import type { Store } from '../store/open.ts';
import { withProgress } from './progress.ts';
import { complain, jsonOption, print, toJson, verb, withStore } from './terminal.ts';

interface Flags {
  databaseUrl?: string;
  member?: string;
  dryRun?: boolean;
  skipBad?: boolean;
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
    .addArgument(new Argument('<what>', 'What the file holds').choices(importNames))
    .argument('<file>', 'A path, - for standard input, or an http(s) address')
    .option('--member <username>', 'Whose submissions these are')
    .option('--dry-run', 'Change nothing, only report what would change')
    .option('--skip-bad', 'Leave rows out that are not valid, and count them')
    .option('--details', 'Print one line for each row and what became of it')
    .addOption(new Option('--format <format>', 'Of our own resources; default: by the file name, else json').choices(formats))
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
    throw new AppError('badSetting', `--format goes with our own resources; ${what} has its judge's own format.`);
  }
  const result = await withStore(flags, true, async (store) => {
    const member = flags.member === undefined ? undefined : await memberOf(store, flags.member);
    return withRepeatableSource(file, async (open, size) => {
      const format = flags.format ?? formatOf(file) ?? 'json';
      const progress = withProgress(size, open);
      const start = performance.now();
      try {
        const imported = await importFile(store, importerOf(what, format), {
          open: progress.open,
          member,
          isDryRun: flags.dryRun ?? false,
          skipsBad: flags.skipBad ?? false,
          onLine: flags.details ? (line) => (flags.json ? complain(line) : print(line)) : undefined,
        });
        return { ...imported, seconds: (performance.now() - start) / 1000 };
      } finally {
        progress.stop();
      }
    });
  });
  const { report, notes, badRows, seconds } = result;
  for (const row of badRows) complain(`left out: ${row}`);
  if (flags.json) return print(toJson(report));
  print(Object.entries(report).map(([name, count]) => `${count} ${name}`).join(', '));
  for (const note of notes) print(note);
  const isIdle = report.new + report.changed === 0;
  if (flags.dryRun) print('Dry run: nothing was changed.');
  else if (isIdle) print('Nothing changed: all of it was here already.');
  complain(`${seconds.toFixed(2)} s, ${Math.round(report.read / seconds).toLocaleString('en')} rows/s`);
}

async function memberOf(store: Store, username: string): Promise<MemberRow> {
  const member = await findMemberByName(store.reader, username);
  if (member) return member;
  throw new AppError(
    'unknownMember',
    `There is no member called ${username}; garden member list shows who there is, garden member create makes one.`,
  );
}

/** Gives the work a source that can be read twice: what is no regular file is kept on disk meanwhile. */
async function withRepeatableSource<T>(
  spec: string,
  work: (open: () => Promise<AsyncIterable<Uint8Array>>, size: number | undefined) => Promise<T>,
): Promise<T> {
  const source = await openSource(spec, process.stdin);
  const isFile = spec !== '-' && !/^https?:\/\//i.test(spec) && source.size !== undefined;
  if (isFile) {
    let unread: typeof source | undefined = source;
    return work(async () => {
      const { bytes } = unread ?? (await openSource(spec, process.stdin));
      unread = undefined;
      return bytes;
    }, source.size);
  }
  const directory = await mkdtemp(join(tmpdir(), 'garden-import-'));
  try {
    const path = join(directory, 'source');
    await pipeline(Readable.from(source.bytes), createWriteStream(path, { mode: 0o600 }));
    const { size } = await stat(path);
    return await work(async () => (await openSource(path, process.stdin)).bytes, size);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
