/**
 * An archive is the practice of one member as a zip file. This file writes, opens and imports one, even a hostile
 * one.
 */

import { PassThrough, Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { fromBufferPromise, type Entry as ZipEntry, type ZipFile as ZipReader } from 'yauzl';
import { ZipFile } from 'yazl';
import { nullable, text, time } from '../contract/common.ts';
import { Problem } from '../contract/problems.ts';
import { UserRecord } from '../contract/records.ts';
import { AppError, localizedError, type Message, message } from '../errors.ts';
import { type Entry, type Located, toEntries } from '../files/entries.ts';
import { type AddressedProblem, problemAt } from '../judges/addresses.ts';
import { judgeName, judgeOf } from '../judges/judges.ts';
import {
  type AddAllowance,
  addWithinLimits,
  findStoredProblems,
  limitMessage,
  type ProblemToAdd,
  problemMapKey,
  readAllowance,
} from '../practice/added-problems.ts';
import { fold } from '../store/case-folding.ts';
import { findMemberByName, findMembersByIds } from '../store/members.ts';
import { listReferencedProblems, referencedProblemOrder } from '../store/problem-lists.ts';
import { exportSolutions, solutionOrder } from '../store/solutions.ts';
import type { Db } from '../store/tables.ts';
import {
  type Figure,
  figuresMessage,
  type ImportContext,
  type Importer,
  type PartFigures,
  type Sink,
} from './import.ts';
import { problemOfHost } from './problems.ts';
import { type MemberReference, memberReferences } from './references.ts';
import {
  exportRows,
  fieldsWithoutIds,
  memberKinds,
  type ResourceName,
  type RowKind,
  rowKinds,
} from './row-kinds.ts';
import { type ParsedRow, rowReader } from './row-reader.ts';
import { solutionSink } from './solutions.ts';

/*
 * An archive lists the problems that its other rows reference. An import adds those that are not stored, within the
 * limits of adding problems by link.
 */

interface ReferencedProblem extends MemberReference {
  source?: string;
  source_key?: string;
  title?: string;
  url?: string | null;
}

const { source, source_key, title } = Problem.properties;

const referencedProblems: RowKind = {
  fields: {
    username: UserRecord.properties.username,
    source,
    source_key,
    title,
    url: nullable(text('', '')),
  },
  keys: [],
  createSink: referencedProblemSink,
  order: referencedProblemOrder,
  list: listReferencedProblems,
};

/** No kind of `rowKinds`, so that own code is exported in the archive of its member alone. */
const ownCode: RowKind = {
  fields: {
    username: UserRecord.properties.username,
    source,
    source_key,
    file: text('', ''),
    about: nullable(text('', '')),
    submission: nullable(text('', '')),
    added_at: time(''),
    code: text('', ''),
  },
  keys: [],
  createSink: solutionSink,
  order: solutionOrder,
  list: exportSolutions,
};

interface ArchiveLinks {
  idsByLink: Map<string, bigint>;
  /** Judges of which a site here, or another one, has problems of the archive. */
  judgesHere: Set<string>;
  judgesElsewhere: Set<string>;
  /** The problems, by `problemMapKey` of their names in the archive, for which the limits leave no room now. */
  waiting: Set<string>;
}

interface ArchiveCount {
  count(figure: Figure | 'waiting', describe: () => string): void;
}

type ArchiveContext = ImportContext & ArchiveCount & Partial<ArchiveLinks>;

function referencedProblemSink(context: ArchiveContext): Sink<ReferencedProblem> {
  const { tx, forEachEntry, count, addNote, adding } = context;
  const { idsByLink, judgesHere, judgesElsewhere, waiting = new Set() } = context;
  let allowance: AddAllowance | undefined;
  /** By judge, how many problems its catalogue has with ratings and topics. */
  const bareCounts = new Map<string, number>();
  return {
    write: async (entries: readonly Located<ReferencedProblem>[]) => {
      const memberOf = await memberReferences(context, entries);
      const rows = await forEachEntry(entries, async (row) => ({
        member: memberOf(row),
        name: { source: row.source ?? '', key: row.source_key ?? '' },
        title: row.title,
        url: row.url,
      }));
      const targets = rows.flatMap(({ value: { name, url } }) => targetOf(name, url) ?? []);
      const stored = await findStoredProblems(tx, [...rows.map(({ value }) => value.name), ...targets]);
      for (const [member, memberRows] of Map.groupBy(rows, ({ value }) => value.member)) {
        const toAdd: { name: string; problem: ProblemToAdd }[] = [];
        for (const { value } of memberRows) {
          const { title } = value;
          const name = problemMapKey(value.name);
          const target = targetOf(value.name, value.url);
          const isSame = !target || problemMapKey(target) === name;
          const isOtherSite = !isSame && judgeOf(value.name.source)?.isSelfHostable === true;
          (isOtherSite ? judgesElsewhere : judgesHere)?.add(value.name.source);
          const known = isOtherSite ? undefined : stored.get(name);
          const linked = known ? undefined : target && stored.get(problemMapKey(target));
          const describe = () => `${value.name.source} ${value.name.key}`;
          if (linked) idsByLink?.set(name, linked.id);
          if (known || linked) count('kept', describe);
          else if (target)
            toAdd.push({ name, problem: { ...target, ...(title !== undefined && { title }) } });
          else count('unmatched', describe);
        }
        const problems = toAdd.map(({ problem }) => problem);
        const added = await addWithinLimits(tx, member, problems, adding.limits);
        for (const [index, { name, problem }] of toAdd.entries()) {
          const row = added[index];
          count(row ? 'new' : 'waiting', () => `${problem.source} ${problem.key}`);
          if (row) idsByLink?.set(name, row.id);
          else waiting.add(name);
          if (!problem.isGym && judgeOf(problem.source)?.api?.problems)
            bareCounts.set(problem.source, (bareCounts.get(problem.source) ?? 0) + 1);
        }
        if (added.includes(undefined)) allowance = await readAllowance(tx, member, adding.limits);
      }
    },
    finish: async () => {
      for (const [source, count] of bareCounts)
        addNote(message('imported.bare', { count, judge: judgeName(source) }));
      if (!allowance) return;
      const isDaily = allowance.limit === 'day';
      const fit = Math.min(waiting.size, allowance.leftInTotal);
      const days = isDaily ? Math.ceil(fit / allowance.most) : 1;
      addNote(message('imported.notAdded', { count: waiting.size, why: limitMessage(allowance), days }));
      if (isDaily && fit < waiting.size) addNote(message('imported.fewFit', { fit, most: allowance.total }));
    },
  };

  /**
   * The address decides, else that of the judge's page, because another version knows a problem by another name, and
   * another site with a judge's software has other problems under the same keys.
   */
  function targetOf(
    name: { source: string; key: string },
    url: string | null | undefined,
  ): AddressedProblem | undefined {
    const { problemPage, isSelfHostable } = judgeOf(name.source) ?? {};
    const page = problemPage?.(name.key, undefined);
    const byPage = page === undefined ? undefined : problemAt(page, adding.judgeAddresses);
    const byUrl = url ? problemAt(url, adding.judgeAddresses) : problemOfHost(name, adding.judgeAddresses);
    const isNamed = byPage && problemMapKey(byPage) === problemMapKey(name);
    return isNamed && !(isSelfHostable && byUrl) ? byPage : byUrl;
  }
}

/** A part is a file of an archive, with the rows of one kind. */
export type PartName = ResourceName | 'solutions';
export const parts: Readonly<Record<PartName, RowKind>> = {
  ...rowKinds,
  problems: referencedProblems,
  solutions: ownCode,
};

/** The order of import: rows come after those that they reference. */
export const partNames: readonly PartName[] = [
  'records',
  'problems',
  ...memberKinds.filter((name) => name !== 'records'),
  'solutions',
];

const contents: Readonly<Record<PartName, string>> = {
  records: 'the member: names, address, role',
  problems: 'the problems that the other files name, with their links',
  handles: 'the names of the member at judges',
  submissions: 'the kept submissions under those names, with their verdicts',
  ratings: 'the ratings that judges gave the member after contests',
  statuses: 'the status of each problem, as the member marked it and as the judge has it; the mark counts',
  bookmarks:
    'the problems that the member starred, labelled or has a note on, the groups that read it, and where they asked for the editorial',
  plants: 'the goals in the garden',
  changes: 'the history of what the member marked; the same batch number means made together',
  reviews: 'what the member said of problems that came back',
  timers: 'how long the member worked on problems; an accepted submission ends a timer too',
  lists: 'the lists that the member made, with sections, problems and memos',
  solutions: 'the code that the member keeps with problems, in base64',
  preferences: 'what the problem list hides, the saved views, and who sees the public page',
};

export function partFile(name: PartName): string {
  return `${name}.ndjson`;
}

const readmeFile = 'README.txt';

const longestFileName = Math.max(...partNames.map((name) => partFile(name).length));

export const readme = `This is an archive of Practice Garden: the practice data of one member.
It has no rounds, and nothing of groups and seasons.

Each file has one JSON object a line (NDJSON). Problems are named by their judge and its key, and
times are in UTC, so another garden reads all of it on its page Your data, or with

    garden import archive FILE.zip

With --member NAME it goes into an account of another username. It adds problems that it does not
have where it knows the site of their links, but without ratings: sync the catalogues first.

${partNames.map((name) => `${partFile(name).padEnd(longestFileName)}  ${contents[name]}`).join('\n')}

Passwords, sessions and tokens are in no file: the garden keeps fingerprints of them alone.
Problems that wait in the inbox, because of a limit, are in no file either.
`;

// The time is fixed, and without a zone, so that the same rows give the same bytes everywhere.
const zipOptions = { mtime: new Date(0), forceDosTimestamp: true, mode: 0o100644, compressionLevel: 6 };

type Pieces = AsyncIterable<string> | Iterable<string | Uint8Array>;
export type AddFile = (name: string, content: Pieces) => Promise<void>;

/** `add` waits until the content is read, so that never more than one file is in memory. */
export function createZip(addFiles: (add: AddFile) => Promise<void>): Readable {
  const zip = new ZipFile();
  let content: Readable | undefined;
  const output = new PassThrough().on('close', () => content?.destroy());
  const fail = (error: Error) => output.destroy(error);
  zip.on('error', fail);
  zip.outputStream.pipe(output);
  const add: AddFile = (name, pieces) =>
    new Promise((resolve) => {
      zip.addReadStreamLazy(name, zipOptions, (onStream) => {
        content = Readable.from(pieces).on('end', resolve).on('error', fail);
        onStream(null, content);
      });
    });
  addFiles(add).then(() => zip.end(), fail);
  return output;
}

export function writeArchive(db: Db, memberId: bigint, onRows: (count: number) => void = () => {}): Readable {
  return createZip(async (add) => {
    await add(readmeFile, [readme]);
    for (const name of partNames)
      await add(
        partFile(name),
        exportRows(db, parts[name], 'ndjson', { onRows, memberId, isPortable: true }),
      );
  });
}

/* The sizes that a zip file declares are checked before anything is inflated. */

export interface ArchiveLimits {
  compressedBytes: number;
  inflatedBytes: number;
}

export const archiveLimits: ArchiveLimits = {
  compressedBytes: 64 * 1024 * 1024,
  inflatedBytes: 512 * 1024 * 1024,
};

/** Deflate cannot shrink anything more than this. */
const largestRatio = 1032;
const localHeaderBytes = 30;

export interface ArchivePart {
  name: PartName;
  open(): AsyncIterable<Uint8Array>;
}

async function openArchive(bytes: AsyncIterable<Uint8Array>, limits: ArchiveLimits): Promise<ArchivePart[]> {
  const zipBytes = await readWhole(bytes, limits.compressedBytes);
  try {
    const zip = await fromBufferPromise(zipBytes, { strictFileNames: true });
    const most = partNames.length + 1;
    if (zip.entryCount > most) throw localizedError('badFile.zipFiles', { count: zip.entryCount, most });
    const entries: ZipEntry[] = [];
    for await (const entry of zip.eachEntry()) entries.push(entry);
    checkEntries(entries, zipBytes.length, limits);
    const byName = new Map(entries.map((entry) => [entry.fileName, entry]));
    return partNames.flatMap((name) => {
      const entry = byName.get(partFile(name));
      return entry ? [{ name, open: () => inflate(zip, entry) }] : [];
    });
  } catch (error) {
    throw toBadFile(error);
  }
}

async function readWhole(bytes: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > most) throw localizedError('badFile.zipLarge', { most: inMiB(most) });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

function checkEntries(entries: readonly ZipEntry[], compressedBytes: number, limits: ArchiveLimits): void {
  const allowed = new Set([readmeFile, ...partNames.map(partFile)]);
  const fileNames = new Set<string>();
  let inflated = 0;
  for (const entry of entries) {
    const { fileName, compressedSize, uncompressedSize } = entry;
    const file = JSON.stringify(printable(fileName, 80));

    if (!allowed.has(fileName))
      throw localizedError('badFile.zipUnknown', { file, known: [...allowed].join(', ') });
    if (fileNames.has(fileName)) throw localizedError('badFile.zipTwice', { file });
    fileNames.add(fileName);
    if (entry.isEncrypted()) throw localizedError('badFile.zipEncrypted', { file });
    if (![0, 8].includes(entry.compressionMethod)) throw localizedError('badFile.zipMethod', { file });
    if (
      compressedSize > compressedBytes ||
      uncompressedSize > compressedSize * largestRatio + localHeaderBytes
    )
      throw localizedError('badFile.zipSize', { file });
    inflated += uncompressedSize;
  }
  if (inflated > limits.inflatedBytes)
    throw localizedError('badFile.zipInflated', { most: inMiB(limits.inflatedBytes) });
  if (!fileNames.has(partFile('records')))
    throw localizedError('badFile.zipNoOwner', { file: partFile('records') });
  refuseOverlaps(entries, compressedBytes);
}

function refuseOverlaps(entries: readonly ZipEntry[], compressedBytes: number): void {
  const byOffset = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
  for (const [index, { relativeOffsetOfLocalHeader: start, compressedSize }] of byOffset.entries()) {
    const next = byOffset[index + 1]?.relativeOffsetOfLocalHeader ?? compressedBytes;
    if (start + localHeaderBytes + compressedSize > next) throw localizedError('badFile.zipOverlap');
  }
}

async function* inflate(zip: ZipReader, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  let sum = 0;
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (error) {
    throw toBadFile(error);
  }
  if (sum !== entry.crc32) throw localizedError('badFile.zipDamaged');
}

function toBadFile(error: unknown): unknown {
  if (!(error instanceof Error) || 'status' in error) return error;
  const why = printable(error.message, 120).replace(/\.$/, '');
  return localizedError('badFile.zip', { why }, error);
}

function inMiB(bytes: number): string {
  return `${Math.floor(bytes / 1024 / 1024)} MiB`;
}

function printable(text: string, longest: number): string {
  return text.replaceAll(/\p{C}/gu, '').slice(0, longest);
}

interface PartRow {
  part: PartName;
  row: ParsedRow;
}

export function archiveImporter(limits: ArchiveLimits = archiveLimits): Importer {
  return { read: (bytes) => readArchive(bytes, limits), createSink: archiveSink } as Importer;
}

async function* readArchive(
  bytes: AsyncIterable<Uint8Array>,
  limits: ArchiveLimits,
): AsyncGenerator<Entry<PartRow>[]> {
  let owner: string | undefined;
  const checkOwner = (part: PartName, { username }: ParsedRow) => {
    const shown = JSON.stringify(username ?? null);
    if (part === 'records') {
      if (owner !== undefined) throw localizedError('badRow.secondMember', { shown });
      if (typeof username !== 'string') throw localizedError('badRow.archiveName');
      owner = username;
    } else if (typeof username !== 'string' || fold(username) !== fold(owner ?? '')) {
      throw localizedError('badRow.archiveOther', { shown, owner: owner ?? '' });
    }
  };
  for (const { name: part, open } of await openArchive(bytes, limits)) {
    const read = rowReader(fieldsWithoutIds(parts[part]), 'ndjson', parts[part].formerNames);
    try {
      for await (const batch of read(open()))
        yield toEntries(batch, (row) => {
          checkOwner(part, row);
          return { part, row };
        }).map((entry) => inFile(entry, partFile(part)));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'badFile') throw error;
      throw localizedError(
        'badFile.inFile',
        { file: partFile(part), why: error.localized ?? error.message },
        error.cause,
      );
    }
    if (part === 'records' && owner === undefined)
      throw localizedError('badFile.noOwner', { file: partFile(part) });
  }
}

function inFile<T>(entry: Entry<T>, file: string): Entry<T> {
  const { place } = entry;
  return { ...entry, place: () => ({ ...place(), file }) };
}

/** The rows that belong to a member's name at a judge. */
const partsOfHandles: ReadonlySet<PartName> = new Set(['handles', 'submissions', 'ratings']);

function startPart(context: ImportContext & ArchiveLinks, part: PartName) {
  const figures: PartFigures = {};
  const add = (figure: keyof PartFigures, more = 1) => {
    figures[figure] = (figures[figure] ?? 0) + more;
  };
  const count: ArchiveCount['count'] = (figure, describe) => {
    // A list is one row, whatever problems it lacks; a note names them.
    if (part === 'lists' && figure === 'unmatched') return;
    add(figure);
    context.count(figure === 'waiting' ? 'unmatched' : figure, () => `${part}: ${describe()}`);
  };
  const forEachEntry: ImportContext['forEachEntry'] = async (entries, work) => {
    const results = await context.forEachEntry(entries, work);
    add('bad', entries.length - results.length);
    return results;
  };
  const { createSink, createArchiveSink: createPartSink = createSink } = parts[part];
  return { part, sink: createPartSink({ ...context, count, forEachEntry }), figures, count };
}

function archiveSink(context: ImportContext): Sink<PartRow> {
  const waiting = new Set<string>();
  const links = {
    idsByLink: new Map<string, bigint>(),
    judgesHere: new Set<string>(),
    judgesElsewhere: new Set<string>(),
    waiting,
  };
  const newStatuses = new Set<string>();
  const leftOut = new Map<string, number>();
  const isOfOtherSite = ({ part, row }: PartRow) => {
    const source = String(row['source']);
    const isOther = links.judgesElsewhere.has(source) && !links.judgesHere.has(source);
    return partsOfHandles.has(part) && isOther;
  };
  const isWaiting = ({ row: { source, source_key } }: PartRow) =>
    waiting.has(problemMapKey({ source: String(source), key: String(source_key) }));
  let account: ArchiveAccount | undefined;
  let current: ReturnType<typeof startPart> | undefined;
  /** Notes on parts come after those on what to know before the import. */
  const partNotes: Message[] = [];
  const finishPart = async () => {
    if (!current) return;
    const { part, sink, figures } = current;
    await sink.finish?.();
    partNotes.push(message(`imported.part.${part}`, { figures: figuresMessage(figures, 'leftOut') }));
  };
  return {
    write: async (entries) => {
      account ??= await findAccount(context, entries[0]);
      for (const part of partNames) {
        const partEntries = entries.filter(({ value }) => value.part === part);
        if (partEntries.length === 0) continue;
        if (current?.part !== part) {
          await finishPart();
          const { owner } = account;
          current = startPart({ ...context, ...links, newStatuses, owner, hasLimits: true }, part);
        }
        const { sink, count } = current;
        for (const { value } of partEntries.filter((entry) => isOfOtherSite(entry.value))) {
          const source = String(value.row['source']);
          leftOut.set(source, (leftOut.get(source) ?? 0) + 1);
          count('unmatched', () => source);
        }
        const { rename = (row: ParsedRow) => row } = account;
        for (const { value } of partEntries.filter(({ value }) => isWaiting(value)))
          count('waiting', () => `${value.row['source']} ${value.row['source_key']}`);
        const rows = partEntries
          .filter(({ value }) => !isOfOtherSite(value) && !isWaiting(value))
          .map(({ place, value: { row } }) => ({ place, value: rename(row) }));
        await sink.write(rows as Located<unknown>[] as Located<never>[]);
        if (account.owner === undefined) noteStaffRoles(partEntries);
      }
    },
    finish: async () => {
      await finishPart();
      for (const [source, count] of leftOut)
        context.addNote(message('imported.otherSite', { count, judge: judgeName(source) }));
      for (const note of partNotes) context.addNote(note);
    },
  };

  /** Staff of another garden become staff of this one, which should be noticed. */
  function noteStaffRoles(rows: readonly Located<PartRow>[]): void {
    for (const { value } of rows)
      if (value.part === 'records' && value.row['role'] === 'staff')
        context.addNote(message('imported.staff', { name: String(value.row['username']) }));
  }
}

interface ArchiveAccount {
  /** Undefined where the archive makes the account. */
  owner?: bigint | undefined;
  /** Gives a row of an archive of another username to the account. */
  rename?(row: ParsedRow): ParsedRow;
}

/**
 * The account whose rows an archive may change: the owner's, that of the member whom the import names, or the one with
 * the username of the archive. Throws badFile if an owner has not agreed to take the archive of another username.
 */
async function findAccount(
  context: ImportContext,
  first: Located<PartRow> | undefined,
): Promise<ArchiveAccount> {
  const { tx, owner = context.member?.id, addNote } = context;
  const name = String(first?.value.row['username']);
  if (owner === undefined) return { owner: (await findMemberByName(tx, name))?.id };
  const [member] = await findMembersByIds(tx, [owner]);
  if (!member || fold(name) === fold(member.username)) return { owner };
  const { username } = member;
  const names = { name: printable(name, 64) || '?', username };
  if (context.owner !== undefined && !context.takesOtherName)
    throw localizedError('badFile.archiveOf', names);
  addNote(message('imported.otherName', names));
  const isOwn = (field: string, value: unknown) =>
    ['username', 'list_owner'].includes(field) && typeof value === 'string' && fold(value) === fold(name);
  return {
    owner,
    rename: (row) =>
      Object.fromEntries(
        Object.entries(row).map(([field, value]) => [field, isOwn(field, value) ? username : value]),
      ),
  };
}
