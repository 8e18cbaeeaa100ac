/**
 * Imports a file: it is read and checked to its end before one transaction applies it. So a slow source never holds
 * the write lock, and a bad row leaves nothing behind.
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
import { collectDerivations, type PendingDerivations } from '../practice/derivation.ts';
import type { JudgeAddresses } from '../practice/judge-addresses.ts';
import { type IdTable, maxCountedId, raiseIdCounter } from '../store/ids.ts';
import type { MemberRow } from '../store/members.ts';
import { countText } from '../store/overview.ts';
import { changedBy } from '../store/program-feeds.ts';
import { bumpRevisions, type RevisionScope } from '../store/revisions.ts';
import type { SubmissionOrigin } from '../store/solves.ts';
import type { Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { saveImport } from '../store/uploads.ts';

const firstTextsAtMost = 10;

export interface BadRows {
  count: number;
  firstTexts: LocalizedText[];
  maxCount: number;
}

function addBadRow(badRows: BadRows, place: Located<unknown>['place'], fault: LocalizedText): void {
  badRows.count++;
  if (badRows.count > badRows.maxCount)
    throw localizedError('badFile.manyBadRows', {
      most: badRows.maxCount,
      first: badRows.firstTexts[0]?.localized ?? '',
    });
  if (badRows.firstTexts.length >= firstTextsAtMost) return;
  badRows.firstTexts.push(withPlace(place(), fault));
}

function refuseBadRows({ count, firstTexts }: BadRows, rowCount: number): void {
  if (count === 0) return;
  // Whoever named the wrong kind of file would skip all of it.
  const isAll = String(count > 1 && count === rowCount);
  const more = count - firstTexts.length;
  const lines = [
    ...firstTexts.map(({ localized, message }) => localized ?? message),
    ...(more > 0 ? [message('badRow.more', { more })] : []),
  ];
  throw localizedError('badRow.several', { count, isAll, rows: joinMessages(['', ...lines], '\n  ') });
}

const figures = ['new', 'changed', 'kept', 'unmatched', 'bad'] as const;

/** docs/cli.md says what each figure counts for each kind of file. */
export type ImportReport = Record<'read' | (typeof figures)[number], number>;

export type Figure = Exclude<(typeof figures)[number], 'bad'>;

export const emptyReport = (): ImportReport => ({
  read: 0,
  new: 0,
  changed: 0,
  kept: 0,
  unmatched: 0,
  bad: 0,
});

export interface AddingRules {
  limits: AddLimits;
  judgeAddresses: JudgeAddresses;
  /** Whether problems that lists link to are added too. An archive always adds the problems that it references. */
  addsLinkedProblems: boolean;
}

interface ImportRules {
  member: MemberRow | undefined;
  handle?: string | undefined;
  /** A file may be old, while answers to the server are current. */
  origin: SubmissionOrigin;
  /** The only member whose rows may change; undefined allows all. */
  owner?: bigint | undefined;
  /** Whether the owner agreed to take the archive of another username. */
  takesOtherName?: boolean | undefined;
  /** Whether stored submissions with a final verdict stay as they are, because the answer may be older. */
  addsOnly?: boolean | undefined;
  adding: AddingRules;
}

export interface ImportContext extends ImportRules {
  tx: Db;
  now: string;
  /** Whether an id wins over the natural key beside it, because this garden wrote the file. */
  trustsIds: boolean;
  /** Whether the limits of web forms apply. Staff import whole gardens as they were exported. */
  hasLimits: boolean;
  /** Rows of the bundled sample do not make its problems permanent. */
  isSample?: boolean;
  /** In an archive: the problems here whose links led to them, by `problemMapKey` of their names in the archive. */
  idsByLink?: ReadonlyMap<string, bigint>;
  /** In an archive: the statuses that its submissions made, whose rows are new. */
  newStatuses?: Set<string>;
  /** In an archive: the problems that wait for a limit, which lists do not report again. */
  waiting?: ReadonlySet<string>;
  /** Returns the results of `work`; an entry for which it throws badRow is counted as a bad row. */
  forEachEntry<T, R>(entries: readonly Located<T>[], work: (value: T) => Promise<R>): Promise<Located<R>[]>;
  /** The description of the row is built only if `--details` prints it. */
  count(figure: Figure, describe: () => string): void;
  /** Bumps revisions, so that cached answers expire. */
  bumpRevision(table: 'problems'): void;
  bumpRevision(table: 'records' | 'bookmarks' | 'statuses' | 'solves', memberId: bigint): void;
  stale: PendingDerivations;
  markWritten(): void;
  addNote(message: Message): void;
}

export interface Sink<T> {
  write(entries: readonly Located<T>[]): Promise<void>;
  finish?(): Promise<void>;
}

export interface Importer {
  read: EntryReader<unknown>;
  idTable?: IdTable | undefined;
  /** Staff see when a file of this name was last imported; files of one member have none. */
  lastImportName?: string | undefined;
  /** Whether it says what a judge says of its member. */
  isByJudge?: boolean;
  /** Returns what a row identifies by an id alone, which would mean something else in another garden. */
  bareId?(row: unknown): 'member' | 'problem' | 'plant' | undefined;
  createSink(context: ImportContext): Sink<unknown>;
}

interface CheckOptions {
  /** Called twice for a file that is too large for memory. */
  open(): Promise<AsyncIterable<Uint8Array>>;
  skipsBadRows: boolean;
  trustsIds: boolean;
  /** A file that exceeds them is taken for one of another kind. */
  sizeLimits?: { rows: number; badRows: number } | undefined;
}

interface ApplyOptions extends Partial<ImportRules> {
  isDryRun: boolean;
  importedBy?: bigint | undefined;
  onRead?: ((count: number) => void) | undefined;
  /** Runs last in the transaction, and rolls it back by throwing. */
  beforeCommit?: ((tx: Db, result: ImportResult) => Promise<void>) | undefined;
  onDetail?: ((line: string) => void) | undefined;
}

export const unlimitedAdding: AddingRules = {
  limits: noLimits,
  judgeAddresses: new Map(),
  addsLinkedProblems: false,
};

export interface ImportResult {
  report: ImportReport;
  notes: LocalizedText[];
  badRows: LocalizedText[];
  hasWritten: boolean;
}

/** A file with more entries is read twice instead of staying in memory. */
const entriesInMemory = 20_000;
const entriesPerBatch = 1000;

/**
 * Throws badFile, also for ids without natural keys where ids are not trusted, and badRow unless bad rows are
 * skipped.
 */
export async function checkFile(importer: Importer, options: CheckOptions) {
  const { rows = Infinity, badRows: maxCount = Infinity } = options.sizeLimits ?? {};
  const badRows: BadRows = { count: 0, firstTexts: [], maxCount };
  let batches: Entry<unknown>[][] | undefined = [];
  let rowCount = 0;
  /** The id counter moves past all ids of the file first, so that a row without one gets an unused id. */
  let highestId = 0n;
  for await (const entries of importer.read(await options.open())) {
    for (const entry of entries) {
      if ('bad' in entry) {
        addBadRow(badRows, entry.place, entry.bad);
        continue;
      }
      if (!options.trustsIds) refuseBareId(importer, entry);
      const { id } = entry.value as { id?: unknown };
      if (typeof id === 'bigint' && id > highestId && id < maxCountedId) highestId = id;
    }
    rowCount += entries.length;
    if (rowCount > rows) throw localizedError('badFile.manyRows', { most: rows });
    if (rowCount > entriesInMemory) batches = undefined;
    batches?.push(entries);
  }
  if (!options.skipsBadRows) refuseBadRows(badRows, rowCount);
  return { ...options, importer, badRows, rowCount, batches, highestId };
}

async function mapGoodRows<T, R>(
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

/** Applies a checked file, all or nothing. Throws badRow where a row does not fit the stored ones. */
export async function applyFile(
  store: Store,
  file: Awaited<ReturnType<typeof checkFile>>,
  { isDryRun, importedBy, onRead, beforeCommit, onDetail, ...rules }: ApplyOptions,
): Promise<ImportResult> {
  const { importer, trustsIds } = file;
  const { owner } = rules;
  const work = async (tx: Db): Promise<ImportResult> => {
    // The store may retry this function, so all figures start at zero here.
    const badRows = structuredClone(file.badRows);
    const report = emptyReport();
    const notes: LocalizedText[] = [];
    let hasWritten = false;
    const scopes = new Set<RevisionScope>();
    const stale = collectDerivations();
    const now = new Date().toISOString();
    // A member may only refer to ids of their own rows, so these never move the counter.
    if (importer.idTable && owner === undefined) await raiseIdCounter(tx, importer.idTable, [file.highestId]);
    const sink = importer.createSink({
      tx,
      now,
      trustsIds,
      stale,
      member: undefined,
      origin: 'file',
      adding: unlimitedAdding,
      ...rules,
      hasLimits: owner !== undefined,
      forEachEntry: (entries, work) => mapGoodRows(entries, work, badRows),
      count: (figure, describe) => {
        report[figure]++;
        onDetail?.(`${figure} ${describe()}`);
      },
      bumpRevision: (
        table: 'problems' | 'records' | 'bookmarks' | 'statuses' | 'solves',
        memberId?: bigint,
      ) => {
        // Submissions have no cached answers of all members together.
        if (table !== 'solves') scopes.add(table);
        if (table !== 'problems' && memberId !== undefined) scopes.add(`${table}:${memberId}`);
      },
      markWritten: () => {
        hasWritten = true;
      },
      addNote: (message) => notes.push(localizedText(message)),
    });
    for await (const entries of rebatched(file.batches ?? importer.read(await file.open()))) {
      report.read += entries.length;
      await sink.write(entries.filter((entry) => 'value' in entry));
      onRead?.(report.read);
    }
    await sink.finish?.();
    await stale.derive(tx);
    if (!file.skipsBadRows) refuseBadRows(badRows, report.read);
    if (report.read !== file.rowCount) throw localizedError('badFile.changed');
    hasWritten ||= report.new + report.changed > 0;
    await bumpRevisions(tx, scopes);
    report.bad = badRows.count;
    const result = { report, notes, badRows: badRows.firstTexts, hasWritten };
    if (importer.lastImportName !== undefined) {
      const figures = {
        read: BigInt(report.read),
        added: BigInt(report.new),
        changed: BigInt(report.changed),
      };
      await saveImport(tx, {
        what: importer.lastImportName,
        made_at: now,
        user_id: importedBy ?? null,
        ...figures,
      });
    }
    await beforeCommit?.(tx, result);
    return result;
  };
  const named = importer.isByJudge ? work : changedBy('import', work);
  return isDryRun ? withRollback(store, named) : store.write(named);
}

/** Rolls the transaction back after the work, and returns its result. */
export async function withRollback<T>(store: Store, work: (tx: Db) => Promise<T>): Promise<T> {
  const rollBack = new Error('dry run: roll back');
  let result: { value: T } | undefined;
  try {
    await store.write(async (tx) => {
      result = { value: await work(tx) };
      throw rollBack;
    });
  } catch (error) {
    if (error !== rollBack) throw error;
  }
  return (result as { value: T }).value;
}

function refuseBareId(importer: Importer, { place, value }: Located<unknown>): void {
  const noun = importer.bareId?.(value);
  if (noun === undefined) return;
  const { line, column } = place();
  throw localizedError('badFile.bareId', { line, column, named: message(`noun.${noun}`) });
}

async function* rebatched<T>(batches: AsyncIterable<T[]> | Iterable<T[]>): AsyncGenerator<T[]> {
  let nextBatch: T[] = [];
  for await (const batch of batches) {
    for (const entry of batch) nextBatch.push(entry);
    if (nextBatch.length < entriesPerBatch) continue;
    yield nextBatch;
    nextBatch = [];
  }
  if (nextBatch.length > 0) yield nextBatch;
}

const nouns: readonly (readonly [end: string, noun: string])[] = [
  ['contest-problems', 'contest problem'],
  ['problems', 'problem'],
  ['contests', 'contest'],
];

/** Such as "1,504 problems: 1,500 added and 4 unchanged". A note counts submissions, whose figures are of statuses. */
export function reportInWords(what: string, report: ImportReport): string {
  const [, noun = 'row'] = nouns.find(([end]) => what.endsWith(end)) ?? [];
  const counted = what.endsWith('-submissions') ? 'Statuses' : countText(report.read, noun);
  return `${counted}: ${inEnglish(figuresMessage(report))}`;
}

/** Of an archive, rows wait whose problems are beyond a limit. */
export type PartFigures = Partial<ImportReport> & { waiting?: number };

/** An archive leaves rows out for other reasons too, such as another site of a judge. */
export function figuresMessage(
  report: PartFigures,
  unmatched: 'unmatched' | 'leftOut' = 'unmatched',
): Message {
  const parts = ([...figures, 'waiting'] as const).flatMap((name) => {
    const count = report[name];
    return count ? message(`imported.figure.${name === 'unmatched' ? unmatched : name}`, { count }) : [];
  });
  const last = parts.pop();
  if (last === undefined) return message('imported.nothing');
  return parts.length === 0 ? last : message('message.and', { before: joinMessages(parts, ', '), last });
}
