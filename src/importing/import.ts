/**
 * Importing a file: it is read to its end and checked before the database is touched, then applied in one transaction. So a
 * slow source never holds the write lock, and a bad row leaves nothing behind.
 */
import {
  inEnglish,
  joinMessages,
  type LocalizedText,
  localizedError,
  localizedText,
  type Message,
  message,
} from '../errors.ts';
import { type Entry, type EntryReader, type Located, localizedTextOf, withPlace } from '../files/entries.ts';
import { type AddLimits, noLimits } from '../practice/added-problems.ts';
import { collectStale, type Stale } from '../practice/derivation.ts';
import type { JudgeAddresses } from '../practice/judge-addresses.ts';
import { countedBelow, type NumberedTable, noteIds } from '../store/ids.ts';
import type { MemberRow } from '../store/members.ts';
import { countText } from '../store/overview.ts';
import { bumpRevisions, type RevisionScope } from '../store/revisions.ts';
import type { Way } from '../store/solves.ts';
import type { Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { noteImport } from '../store/uploads.ts';

const badRowsShown = 10;

export interface BadRows {
  count: number;
  shown: LocalizedText[];
  /** One more, and the file is given up. */
  most: number;
}

function addBadRow(badRows: BadRows, place: Located<unknown>['place'], fault: LocalizedText): void {
  badRows.count++;
  if (badRows.count > badRows.most)
    throw localizedError('badFile.manyBadRows', {
      most: badRows.most,
      first: badRows.shown[0]?.localized ?? '',
    });
  if (badRows.shown.length >= badRowsShown) return;
  badRows.shown.push(withPlace(place(), fault));
}

function refuseBadRows({ count, shown }: BadRows): void {
  if (count === 0) return;
  const more = count - shown.length;
  const lines = [
    ...shown.map(({ localized, message }) => localized ?? message),
    ...(more > 0 ? [message('badRow.more', { more })] : []),
  ];
  throw localizedError('badRow.several', { count, rows: joinMessages(['', ...lines], '\n  ') });
}

const figures = ['new', 'changed', 'kept', 'unmatched', 'bad'] as const;

/** docs/cli.md says what each figure counts for each kind of file. */
export type ImportReport = Record<'read' | (typeof figures)[number], number>;

/** The figures that count what became of a row or key. */
export type Figure = Exclude<(typeof figures)[number], 'bad'>;

export const emptyReport = (): ImportReport => ({
  read: 0,
  new: 0,
  changed: 0,
  kept: 0,
  unmatched: 0,
  bad: 0,
});

/** How problems are added that a file names and that are not here. */
export interface AddingRules {
  limits: AddLimits;
  /** The other addresses of judges. */
  places: JudgeAddresses;
  /** Whether somebody asked for those of lists. An archive brings what it needs. */
  isAsked: boolean;
}

/** The rules by which a file is applied. */
interface ImportRules {
  /** The member whose submissions these are. */
  member: MemberRow | undefined;
  /** The handle under which they were sent, where the command names it. */
  handle?: string | undefined;
  /** How submissions come: a file may be old, while the rulings of a judge that just answered are the present ones. */
  way: Way;
  /** The only member whose rows the file may change; undefined where it may change everybody's. */
  owner?: bigint | undefined;
  adding: AddingRules;
}

/** The transaction, time and rules with which a sink applies a file. */
export interface ImportContext extends ImportRules {
  tx: Db;
  /** The time of the import, for rows without a time. */
  now: string;
  /** Whether an id of the file names the same row here, even where the key beside it says otherwise. */
  trustsIds: boolean;
  /** Whether the limits of forms hold. Rows of a whole garden, which staff bring, come as they were exported. */
  hasLimits: boolean;
  /** Whether problems of the sample stay ones of it where rows name them, since the rows are of the sample too. */
  isSample?: boolean;
  /** Returns what the work returned for each entry. An entry for which it throws badRow is bad for that reason. */
  forEachEntry<T, R>(entries: readonly Located<T>[], work: (value: T) => Promise<R>): Promise<Located<R>[]>;
  /** Counts a row or key; the line is made only if `--details` prints it. */
  count(figure: Figure, line: () => string): void;
  /** Marks the answers that show rows of a table, or of one member in it, as changed. */
  changed(table: 'problems'): void;
  changed(table: 'records' | 'bookmarks' | 'statuses', memberId: bigint): void;
  stale: Stale;
  /** Says that rows were written that no figure counts. */
  wrote(): void;
  note(message: Message): void;
}

/** Takes the entries of a file batch by batch; `finish` applies what needs all of them. */
export interface Sink<T> {
  take(entries: readonly Located<T>[]): Promise<void>;
  finish?(): Promise<void>;
}

/** One kind of file: its sink takes the values that its reader yields. */
export interface Importer {
  read: EntryReader<unknown>;
  /** The table whose ids the rows may bring along. */
  numbered?: NumberedTable | undefined;
  /** The name under which its last import is noted. What is of one member alone has none. */
  notedAs?: string | undefined;
  /** Returns the noun of what a row names by an id alone, which names another thing in another garden. */
  bareId?(row: unknown): 'member' | 'problem' | 'plant' | undefined;
  start(context: ImportContext): Sink<unknown>;
}

interface CheckOptions {
  /** Opens the file, a second time if it is too large to keep. */
  open(): Promise<AsyncIterable<Uint8Array>>;
  skipsBad: boolean;
  /** Whether this very garden wrote the file, so that its ids need no keys beside them. */
  trustsIds: boolean;
  /** More rows, or more bad ones, end the import: the file is too long, or of another kind. */
  atMost?: { rows: number; badRows: number } | undefined;
}

interface ApplyOptions extends Partial<ImportRules> {
  isDryRun: boolean;
  /** The member who imports the file on the website. */
  by?: bigint | undefined;
  onRead?: ((count: number) => void) | undefined;
  /** Runs at the end of the transaction, and undoes the import by throwing. */
  confirm?: ((tx: Db, result: ImportResult) => Promise<void>) | undefined;
  onLine?: ((line: string) => void) | undefined;
}

export const addEverything: AddingRules = { limits: noLimits, places: new Map(), isAsked: false };

/** The result of an import; `badRows` has sentences about the first rows that were left out. */
export interface ImportResult {
  report: ImportReport;
  notes: LocalizedText[];
  badRows: LocalizedText[];
  hasWritten: boolean;
}

/** The most entries that stay in memory after the check. A longer file is read twice instead. */
const entriesInMemory = 20_000;
const entriesPerBatch = 1000;

/** Reads a file to its end. Throws badFile, also for ids alone that are not trusted, and badRow unless bad rows are skipped. */
export async function checkFile(importer: Importer, options: CheckOptions) {
  const { rows = Infinity, badRows: most = Infinity } = options.atMost ?? {};
  const badRows: BadRows = { count: 0, shown: [], most };
  let batches: Entry<unknown>[][] | undefined = [];
  let rowCount = 0;
  /** The counter passes the ids of all rows before it gives any out, so that no row without an id gets another row's. */
  let highestId = 0n;
  for await (const entries of importer.read(await options.open())) {
    for (const entry of entries) {
      if ('bad' in entry) {
        addBadRow(badRows, entry.place, entry.bad);
        continue;
      }
      if (!options.trustsIds) refuseBareId(importer, entry);
      const { id } = entry.value as { id?: unknown };
      if (typeof id === 'bigint' && id > highestId && id < countedBelow) highestId = id;
    }
    rowCount += entries.length;
    if (rowCount > rows) throw localizedError('badFile.manyRows', { most: rows });
    if (rowCount > entriesInMemory) batches = undefined;
    batches?.push(entries);
  }
  if (!options.skipsBad) refuseBadRows(badRows);
  return { ...options, importer, badRows, rowCount, batches, highestId };
}

/** The results of the entries for which the work succeeds; each other entry is a bad row. */
async function resultsOf<T, R>(
  entries: readonly Located<T>[],
  work: (value: T) => Promise<R>,
  badRows: BadRows,
): Promise<Located<R>[]> {
  const results: Located<R>[] = [];
  for (const { place, value } of entries) {
    try {
      results.push({ place, value: await work(value) });
    } catch (error) {
      addBadRow(badRows, place, localizedTextOf(error));
    }
  }
  return results;
}

/** Applies a checked file, all or nothing. Throws badRow where a row does not fit what is stored. */
export async function applyFile(
  store: Store,
  file: Awaited<ReturnType<typeof checkFile>>,
  { isDryRun, by, onRead, confirm, onLine, ...rules }: ApplyOptions,
): Promise<ImportResult> {
  const { importer, trustsIds } = file;
  const { owner } = rules;
  const work = async (tx: Db): Promise<ImportResult> => {
    // The store may run this function again, so all figures begin at zero here.
    const badRows = structuredClone(file.badRows);
    const report = emptyReport();
    const notes: LocalizedText[] = [];
    let hasWritten = false;
    const scopes = new Set<RevisionScope>();
    const stale = collectStale();
    const now = new Date().toISOString();
    // Ids that a member gives count only for rows that they have, so they never move the counter.
    if (importer.numbered && owner === undefined) await noteIds(tx, importer.numbered, [file.highestId]);
    const sink = importer.start({
      tx,
      now,
      trustsIds,
      stale,
      member: undefined,
      way: 'file',
      adding: addEverything,
      ...rules,
      hasLimits: owner !== undefined,
      forEachEntry: (entries, work) => resultsOf(entries, work, badRows),
      count: (figure, line) => {
        report[figure]++;
        onLine?.(`${figure} ${line()}`);
      },
      changed: (table: 'problems' | 'records' | 'bookmarks' | 'statuses', memberId?: bigint) => {
        scopes.add(table);
        if (table !== 'problems' && memberId !== undefined) scopes.add(`${table}:${memberId}`);
      },
      wrote: () => {
        hasWritten = true;
      },
      note: (message) => notes.push(localizedText(message)),
    });
    for await (const entries of rebatched(file.batches ?? importer.read(await file.open()))) {
      report.read += entries.length;
      await sink.take(entries.filter((entry) => 'value' in entry));
      onRead?.(report.read);
    }
    await sink.finish?.();
    await stale.derive(tx);
    if (!file.skipsBad) refuseBadRows(badRows);
    if (report.read !== file.rowCount) {
      throw localizedError('badFile.changed');
    }
    hasWritten ||= report.new + report.changed > 0;
    await bumpRevisions(tx, scopes);
    report.bad = badRows.count;
    const result = { report, notes, badRows: badRows.shown, hasWritten };
    if (importer.notedAs !== undefined) {
      const figures = {
        read: BigInt(report.read),
        added: BigInt(report.new),
        changed: BigInt(report.changed),
      };
      await noteImport(tx, { what: importer.notedAs, made_at: now, user_id: by ?? null, ...figures });
    }
    await confirm?.(tx, result);
    return result;
  };
  return isDryRun ? undone(store, work) : store.write(work);
}

/** Does the work in a transaction that is undone; answers its result. */
export async function undone<T>(store: Store, work: (tx: Db) => Promise<T>): Promise<T> {
  const rollBack = new Error('dry run: roll back');
  let result: { is: T } | undefined;
  try {
    await store.write(async (tx) => {
      result = { is: await work(tx) };
      throw rollBack;
    });
  } catch (error) {
    if (error !== rollBack) throw error;
  }
  return (result as { is: T }).is;
}

function refuseBareId(importer: Importer, { place, value }: Located<unknown>): void {
  const noun = importer.bareId?.(value);
  if (noun === undefined) return;
  const { line, column } = place();
  throw localizedError('badFile.bareId', { line, column, named: message(`noun.${noun}`) });
}

/** Joins small batches: sinks work in statements of many rows. */
async function* rebatched<T>(batches: AsyncIterable<T[]> | Iterable<T[]>): AsyncGenerator<T[]> {
  let gathering: T[] = [];
  for await (const batch of batches) {
    for (const entry of batch) gathering.push(entry);
    if (gathering.length < entriesPerBatch) continue;
    yield gathering;
    gathering = [];
  }
  if (gathering.length > 0) yield gathering;
}

/* A report says in one sentence what an import did: each figure that is not 0, with its word. */

/** The noun for the rows of a file, by the end of the name of its kind. */
const nouns: readonly (readonly [end: string, noun: string])[] = [
  ['contest-problems', 'contest problem'],
  ['problems', 'problem'],
  ['contests', 'contest'],
  ['-submissions', 'submission'],
];

/** Such as "1,504 problems: 1,500 added and 4 unchanged". Submissions are read, but what they change are statuses. */
export function reportInWords(what: string, report: ImportReport): string {
  const [, noun = 'row'] = nouns.find(([end]) => what.endsWith(end)) ?? [];
  const read = countText(report.read, noun);
  return `${noun === 'submission' ? `${read}, statuses` : read}: ${inEnglish(figuresMessage(report))}`;
}

/** The same without what was read. */
export function figuresMessage(of: Partial<ImportReport>): Message {
  const parts = figures.flatMap((name) => {
    const count = of[name];
    return count ? message(`imported.figure.${name}`, { count }) : [];
  });
  const last = parts.pop();
  if (last === undefined) return message('imported.nothing');
  return parts.length === 0 ? last : message('message.and', { before: joinMessages(parts, ', '), last });
}
