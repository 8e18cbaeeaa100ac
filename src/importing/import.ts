/**
 * Importing a file: first it is read to the end and checked without touching the database, then all of it is applied
 * in one transaction. So a slow or broken source never holds the write lock, and a bad row leaves nothing behind.
 */
import { AppError, badFile } from '../errors.ts';
import { type Entry, type Located, type Reader, sentenceOf } from '../files/entries.ts';
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

/** What an importer works with while it applies a file. */
export interface Applying {
  tx: Db;
  /** The time of the import, for rows that bring none of their own. */
  now: string;
  /** The member whose submissions these are, where the import is for one. */
  member: MemberRow | undefined;
  /** Whether an id of the file names what it names here, even where the key beside it says otherwise. */
  trustsIds: boolean;
  /** Does the work for each entry and answers what it returned. An entry for which it throws badRow is bad for that reason. */
  each<T, R>(entries: readonly Located<T>[], work: (value: T) => Promise<R>): Promise<Located<R>[]>;
  /** Counts what became of a row or key; the line is made only if `--details` prints it. */
  count(figure: 'new' | 'changed' | 'kept' | 'unmatched', line: () => string): void;
  /** Marks the answers that show rows of a table, or of one member in it, as changed. */
  changed(table: 'problems'): void;
  changed(table: 'records' | 'bookmarks' | 'statuses', memberId: bigint): void;
  /** Adds a sentence to the report for people. */
  note(sentence: string): void;
}

/** Takes the entries of a file batch by batch; `finish` applies what it gathered from all of them. */
export interface Sink<T> {
  take(entries: readonly Located<T>[]): Promise<void>;
  finish?(): Promise<void>;
}

export interface Importer<T> {
  read: Reader<T>;
  /** The table whose ids the rows may bring along. */
  numbered?: NumberedTable | undefined;
  /** Says what a row names by an id alone, which names another thing in another garden. */
  bareId?(row: T): string | undefined;
  start(applying: Applying): Sink<T>;
}

export interface CheckOptions {
  /** Where the bytes are; asked for a second time when the file was too large to keep. */
  open(): Promise<AsyncIterable<Uint8Array>>;
  skipsBad: boolean;
  /** Whether the file was written by this very garden, so that its ids need no keys beside them. */
  trustsIds: boolean;
}

/** A file that was read to its end and has no bad row that may not be skipped. */
export interface CheckedFile<T> extends CheckOptions {
  importer: Importer<T>;
  badRows: BadRows;
  rowCount: number;
  /** The entries themselves, where they are few enough to keep. */
  batches: Entry<T>[][] | undefined;
  /** Ids that the rows bring along: noted before any id is given out, so that no row without one is given theirs. */
  highestId: bigint;
}

export interface ApplyOptions {
  member: MemberRow | undefined;
  isDryRun: boolean;
  /** Gets one line for each row or key, of what became of it. */
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
  const badRows: BadRows = { count: 0, shown: [] };
  let batches: Entry<T>[][] | undefined = [];
  let rowCount = 0;
  let highestId = 0n;
  for await (const entries of importer.read(await options.open())) {
    for (const entry of entries) {
      if ('bad' in entry) {
        addBadRow(badRows, entry.place, entry.bad);
        continue;
      }
      if (!options.trustsIds) refuseBareId(importer, entry);
      if (importer.numbered) highestId = higherId(highestId, entry.value);
    }
    rowCount += entries.length;
    if (rowCount > entriesKept) batches = undefined;
    batches?.push(entries);
  }
  if (!options.skipsBad) refuseBadRows(badRows);
  return { ...options, importer, badRows, rowCount, batches, highestId };
}

/** Applies a checked file, all or nothing. Throws badRow where a row does not fit what is stored. */
export async function applyFile<T>(
  store: Store,
  file: CheckedFile<T>,
  { member, isDryRun, onLine }: ApplyOptions,
): Promise<ImportResult> {
  const { importer, trustsIds } = file;
  let result: ImportResult | undefined;
  const dryRun = new Error('dry run: roll back');
  try {
    await store.write(async (tx) => {
      // The store may run this again, so everything that it counts begins here.
      const badRows = structuredClone(file.badRows);
      const report = { read: 0, new: 0, changed: 0, kept: 0, unmatched: 0, bad: 0 };
      const notes: string[] = [];
      const scopes = new Set<RevisionScope>();
      if (importer.numbered) await noteIds(tx, importer.numbered, [file.highestId]);
      const sink = importer.start({
        ...{ tx, now: new Date().toISOString(), member, trustsIds },
        each: async (entries, work) => {
          const done = [];
          for (const { place, value } of entries) {
            try {
              done.push({ place, value: await work(value) });
            } catch (error) {
              addBadRow(badRows, place, sentenceOf(error));
            }
          }
          return done;
        },
        count: (figure, line) => {
          report[figure]++;
          onLine?.(`${figure} ${line()}`);
        },
        changed: (table: 'problems' | 'records' | 'bookmarks' | 'statuses', memberId?: bigint) => {
          scopes.add(table);
          if (table !== 'problems' && memberId !== undefined) scopes.add(`${table}:${memberId}`);
        },
        note: (sentence) => notes.push(sentence),
      });
      for await (const entries of gathered(file.batches ?? importer.read(await file.open()))) {
        report.read += entries.length;
        await sink.take(entries.filter((entry) => 'value' in entry));
      }
      await sink.finish?.();
      if (!file.skipsBad) refuseBadRows(badRows);
      if (report.read !== file.rowCount) {
        throw new AppError('badFile', 'The file changed while it was read; nothing was imported: try again.');
      }
      await bumpRevisions(tx, scopes);
      report.bad = badRows.count;
      result = { report, notes, badRows: badRows.shown };
      if (isDryRun) throw dryRun;
    });
  } catch (error) {
    if (error !== dryRun) throw error;
  }
  return result as ImportResult;
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

/** How many rows are bad, and the first of them for people to read. */
interface BadRows {
  count: number;
  shown: string[];
}

function addBadRow(badRows: BadRows, place: Located<unknown>['place'], sentence: string): void {
  badRows.count++;
  if (badRows.shown.length >= badRowsShown) return;
  const { line, column } = place();
  badRows.shown.push(`line ${line}, column ${column}: ${sentence}`);
}

/** Throws badRow if there is any bad row. */
function refuseBadRows({ count, shown }: BadRows): void {
  if (count === 0) return;
  const more = count > shown.length ? `\n  and ${count - shown.length} more` : '';
  throw new AppError(
    'badRow',
    `${count === 1 ? 'One row is' : `${count} rows are`} not valid and nothing was imported; mend the file, or leave such rows out with --skip-bad:\n  ${shown.join('\n  ')}${more}`,
  );
}
