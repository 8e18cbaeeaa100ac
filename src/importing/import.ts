/**
 * Importing a file: first it is read to the end and checked without touching the database, then all of it is applied
 * in one transaction. So a slow or broken source never holds the write lock, and a bad row leaves nothing behind.
 */
import { AppError, badFile } from '../errors.ts';
import type { Entry, Located, Reader } from '../files/entries.ts';
import { countedBelow, type NumberedTable, noteIds } from '../store/ids.ts';
import type { MemberRow } from '../store/members.ts';
import { bumpRevisions, type RevisionScope } from '../store/revisions.ts';
import type { Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';

/** What an import did. What each figure counts for each kind of file stands in docs/cli.md. */
export interface ImportReport {
  read: number;
  new: number;
  changed: number;
  kept: number;
  unmatched: number;
  bad: number;
}

export type Outcome = 'new' | 'changed' | 'kept' | 'unmatched';

/** What an importer works with while it applies a file. */
export interface Applying {
  tx: Db;
  /** The time of the import, for rows that bring none of their own. */
  now: string;
  /** The member whose submissions these are, where the import is for one. */
  member: MemberRow | undefined;
  /** Whether an id of the file names what it names here, even where the key beside it says otherwise. */
  trustsIds: boolean;
  /** Counts one outcome; the line is asked for only where somebody wants to read it. */
  count(outcome: Outcome, line: () => string): void;
  /** Says that an entry cannot be applied. */
  bad(entry: Entry<unknown>, sentence: string): void;
  /** Says that rows of this scope changed. */
  changed(scope: RevisionScope): void;
  /** Adds a sentence to the report for people. */
  note(sentence: string): void;
}

/** Takes the entries of a file batch by batch, and at the end whatever it gathered. */
export interface Sink<T> {
  take(entries: readonly Located<T>[]): Promise<void>;
  finish?(): Promise<void>;
}

export interface Importer<T> {
  read: Reader<T>;
  /** The table whose ids the rows may bring along. */
  numbered?: NumberedTable;
  /** Says what a row names by an id alone, which names another thing in another garden. */
  bareId?(row: T): string | undefined;
  start(applying: Applying): Sink<T>;
}

export interface CheckOptions {
  /** Where the bytes are; asked for a second time when the file was too large to keep. */
  open(): Promise<AsyncIterable<Uint8Array>>;
  skipsBad: boolean;
  /** Whether the file was written by this very garden, so that its ids need no keys beside them. Default: no. */
  trustsIds?: boolean;
}

/** A file that was read to its end and has no bad row that may not be skipped. */
export interface CheckedFile<T> extends CheckOptions {
  importer: Importer<T>;
  bad: BadRows;
  rowCount: number;
  /** The entries themselves, where they are few enough to keep. */
  batches: Entry<T>[][] | undefined;
  /** Ids that the rows bring along: noted before any id is given out, so that no row without one is given theirs. */
  highestId: bigint;
}

export interface ApplyOptions {
  member: MemberRow | undefined;
  isDryRun: boolean;
  /** One line a row, of what became of it. */
  onLine?: ((line: string) => void) | undefined;
}

export interface ImportResult {
  report: ImportReport;
  notes: string[];
  badRows: string[];
}

/** Entries kept from the check for the application; a longer file is read twice instead. */
const entriesKept = 20_000;
const entriesPerBatch = 1000;
const badRowsShown = 10;

/** Reads a file to its end. Throws badFile, also where rows have ids alone that are not trusted, or badRow where a row is bad and bad rows are not skipped. */
export async function checkFile<T>(importer: Importer<T>, options: CheckOptions): Promise<CheckedFile<T>> {
  const bad = badRows(options.skipsBad);
  let batches: Entry<T>[][] | undefined = [];
  let rowCount = 0;
  let highestId = 0n;
  for await (const entries of importer.read(await options.open())) {
    for (const entry of entries) {
      if ('bad' in entry) {
        bad.add(entry, entry.bad);
        continue;
      }
      if (!options.trustsIds) refuseBareId(importer, entry);
      if (importer.numbered) highestId = higherId(highestId, entry.value);
    }
    rowCount += entries.length;
    if (rowCount > entriesKept) batches = undefined;
    batches?.push(entries);
  }
  bad.settle();
  return { ...options, importer, bad, rowCount, batches, highestId };
}

/** Applies a checked file, all or nothing. Throws badRow where a row does not fit what is stored. */
export async function applyFile<T>(
  store: Store,
  file: CheckedFile<T>,
  options: ApplyOptions,
): Promise<ImportResult> {
  const { importer, bad } = file;
  let result = emptyResult(bad);
  const checked = bad.mark();
  const dryRun = new Error('dry run: roll back');
  try {
    await store.write(async (tx) => {
      // The store may run this again.
      bad.reset(checked);
      result = emptyResult(bad);
      const scopes = new Set<RevisionScope>();
      if (importer.numbered) await noteIds(tx, importer.numbered, [file.highestId]);
      const sink = importer.start({
        tx,
        now: new Date().toISOString(),
        member: options.member,
        trustsIds: file.trustsIds ?? false,
        count: (outcome, line) => {
          result.report[outcome]++;
          options.onLine?.(`${outcome} ${line()}`);
        },
        bad: bad.add,
        changed: (scope) => scopes.add(scope),
        note: (sentence) => result.notes.push(sentence),
      });
      for await (const entries of gathered(file.batches ?? importer.read(await file.open()))) {
        result.report.read += entries.length;
        await sink.take(entries.filter((entry) => 'value' in entry));
      }
      await sink.finish?.();
      bad.settle();
      if (result.report.read !== file.rowCount) {
        throw new AppError('badFile', 'The file changed while it was read; nothing was imported: try again.');
      }
      await bumpRevisions(tx, scopes);
      if (options.isDryRun) throw dryRun;
    });
  } catch (error) {
    if (error !== dryRun) throw error;
  }
  result.report.bad = bad.count();
  return result;
}

function emptyResult(bad: BadRows): ImportResult {
  const report = { read: 0, new: 0, changed: 0, kept: 0, unmatched: 0, bad: 0 };
  return { report, notes: [], badRows: bad.shown };
}

function refuseBareId<T>(importer: Importer<T>, { place, value }: Located<T>): void {
  const named = importer.bareId?.(value);
  if (named === undefined) return;
  const { line, column } = place();
  throw badFile(
    `Line ${line}, column ${column}: the row names a ${named} by its id alone, which is another ${named} in another garden; import a file of garden export, which has names and keys beside the ids, or say --ids-of-this-garden if this very database wrote it.`,
  );
}

function higherId(highest: bigint, row: unknown): bigint {
  const { id } = row as { id?: unknown };
  return typeof id === 'bigint' && id > highest && id < countedBelow ? id : highest;
}

/** Joins small batches: sinks work in statements of many rows. */
async function* gathered<T>(batches: AsyncIterable<T[]> | Iterable<T[]>): AsyncGenerator<T[]> {
  let gathering: T[] = [];
  for await (const batch of batches) {
    for (const entry of batch) gathering.push(entry);
    if (gathering.length < entriesPerBatch) continue;
    yield gathering;
    gathering = [];
  }
  if (gathering.length > 0) yield gathering;
}

interface BadRows {
  shown: string[];
  add(entry: Entry<unknown>, sentence: string): void;
  count(): number;
  /** How far it is, to come back to with reset. */
  mark(): number;
  reset(mark: number): void;
  /** Throws badRow if there is any bad row that may not be skipped. */
  settle(): void;
}

function badRows(maySkip: boolean): BadRows {
  const shown: string[] = [];
  let count = 0;
  return {
    shown,
    add: ({ place }, sentence) => {
      count++;
      if (shown.length >= badRowsShown) return;
      const { line, column } = place();
      shown.push(`line ${line}, column ${column}: ${sentence}`);
    },
    count: () => count,
    mark: () => count,
    reset: (mark) => {
      count = mark;
      shown.length = Math.min(shown.length, mark);
    },
    settle: () => {
      if (count === 0 || maySkip) return;
      const more = count > shown.length ? `\n  and ${count - shown.length} more` : '';
      throw new AppError(
        'badRow',
        `${count === 1 ? 'One row is' : `${count} rows are`} not valid and nothing was imported; mend the file, or leave such rows out with --skip-bad:\n  ${shown.join('\n  ')}${more}`,
      );
    },
  };
}
