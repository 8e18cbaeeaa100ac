/**
 * The marks of members: status, how they solved it, bookmark and note. Every change is a row of history, and can be
 * undone until a later change depends on it.
 */

import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { AppError, inEnglish, localizedError, message } from '../errors.ts';
import type { BookmarksTable } from '../store/bookmarks.ts';
import { bookmarkRepository, findBookmarks, listLabels, sizeOfNotes } from '../store/bookmarks.ts';
import type { ChangesTable } from '../store/changes.ts';
import {
  changeSizes,
  deleteChangesUntil,
  insertChanges,
  listBatchOfChange,
  setBatchUndone,
} from '../store/changes.ts';
import type { MemberProblemRepository } from '../store/member-problems.ts';
import { listProblemIds, type ProblemFilter } from '../store/problem-lists.ts';
import { findProblemsByIds } from '../store/problems.ts';
import { bumpRevisions } from '../store/revisions.ts';
import type { How, State, StatusesTable } from '../store/statuses.ts';
import { findStatuses, shownStateOf, statusRepository } from '../store/statuses.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { byProblem, derive, isAtLeastAsFar, noStatus, portions } from './derivation.ts';
import { assertRoomForLabels, checkedLabel, checkedLabels, isSameLabel, labelsIn } from './labels.ts';

interface OwnStatus {
  status: State | null;
  at: string | null;
  how: How | null;
}

/** A history of an earlier version has no labels. */
type OwnBookmark =
  | (Pick<BookmarksTable, 'note' | 'created_at' | 'updated_at'> & {
      starred?: false;
      labels?: readonly string[];
    })
  | null;

/** A table with marks of members: the mark in a row, and how a change of it is written and stored in the history. */
interface MarkTable<Row, Own> {
  repository: MemberProblemRepository<Row>;
  markOf(row: Row | undefined): Own;
  historyOf(row: Row | undefined): unknown;
  withMark(row: Row | undefined, own: Own): Omit<Row, 'user_id' | 'problem_id'>;
  derive?(
    tx: Db,
    memberId: bigint,
    problemIds: readonly bigint[],
    rows: ReadonlyMap<bigint, Row>,
  ): Promise<void>;
}

const statusMarks: MarkTable<StatusesTable, OwnStatus> = {
  repository: statusRepository,
  markOf: ownStatus,
  // The judge status is stored only to be shown; undoing does not change it.
  historyOf: (row) => ({ ...ownStatus(row), judge: row?.judge_status ?? null }),
  withMark: (row, { status, at, how }) => ({
    ...(row ?? noStatus),
    self_status: status,
    self_at: at,
    how,
  }),
  derive,
};

const bookmarkMarks: MarkTable<BookmarksTable, OwnBookmark> = {
  repository: bookmarkRepository,
  markOf: ownBookmark,
  historyOf: ownBookmark,
  withMark: (row, bookmark) => {
    const editorial_at = row?.editorial_at ?? null;
    const at = editorial_at ?? '';
    const { starred, labels, ...own } = bookmark ?? {
      note: null,
      created_at: at,
      updated_at: at,
      starred: false,
    };
    return {
      ...own,
      is_starred: starred === false ? 0n : 1n,
      editorial_at,
      labels: labels ? JSON.stringify(labels) : null,
    };
  },
};

function ownStatus(row: StatusesTable | undefined): OwnStatus {
  return { status: row?.self_status ?? null, at: row?.self_at ?? null, how: row?.how ?? null };
}

function ownBookmark(row: BookmarksTable | undefined): OwnBookmark {
  return row ? bookmarkOf(row, row.is_starred === 1n, labelsIn(row)) : null;
}

function bookmarkOf(
  { note, created_at, updated_at }: Pick<BookmarksTable, 'note' | 'created_at' | 'updated_at'>,
  isStarred: boolean,
  labels: readonly string[],
): OwnBookmark {
  if (!isStarred && note === null && labels.length === 0) return null;
  return {
    note,
    created_at,
    updated_at,
    ...(!isStarred && { starred: false as const }),
    ...(labels.length > 0 && { labels }),
  };
}

async function writeMarks<Row extends { user_id: bigint; problem_id: bigint }, Own>(
  tx: Db,
  { repository, withMark: withOwn, derive }: MarkTable<Row, Own>,
  memberId: bigint,
  rows: ReadonlyMap<bigint, Row>,
  marks: readonly (readonly [problemId: bigint, own: Own])[],
): Promise<void> {
  const changedRows = marks.map(
    ([problem_id, one]) => ({ ...withOwn(rows.get(problem_id), one), user_id: memberId, problem_id }) as Row,
  );
  await repository.save(tx, changedRows);
  const after = byProblem(changedRows);
  await derive?.(tx, memberId, [...after.keys()], after);
}

export interface MarkResult {
  batch: bigint | undefined;
  changed: number;
}

/** What `versionOf` or `noteVersionOf` returned for the page, by problem. */
export type MarkVersions = ReadonlyMap<bigint, string>;

export function versionOf(
  row: Pick<StatusesTable, 'self_status' | 'self_at' | 'judge_status' | 'judge_at' | 'how'> | undefined,
): string {
  const statusVersion = (status: State | null = null, at: string | null = null) =>
    status !== null && at === null ? 'undated' : timePart(at);
  return `${statusVersion(row?.self_status, row?.self_at)}.${statusVersion(row?.judge_status, row?.judge_at)}.${row?.how ?? ''}`;
}

export function noteVersionOf(row: Pick<BookmarksTable, 'note'> | undefined): string {
  return typeof row?.note === 'string' ? `n${crc32(row.note).toString(36)}` : 'none';
}

const timePart = (at: string | null | undefined) => (at ? Date.parse(at).toString(36) : '');

/** The mark was made on an older state of these problems. */
export class VersionConflict extends AppError {
  readonly problemIds: readonly bigint[];
  constructor(problemIds: readonly bigint[]) {
    const localized = message('preconditionFailed.marks');
    super('preconditionFailed', inEnglish(localized), { localized });
    this.problemIds = problemIds;
  }
}

interface Mark {
  memberId: bigint;
  problemIds: readonly bigint[];
  status: State;
  /** Null takes it away. */
  how?: How | null | undefined;
  /** When that was; now if it is not given. */
  at?: string | undefined;
  /** A problem without a version is overwritten. */
  versions?: MarkVersions | undefined;
}

/** A problem without any status counts as not started by the member. */
export function isMarkedAs(row: StatusesTable | undefined, status: State): boolean {
  const { self_status = null, judge_status = null } = row ?? {};
  return (self_status ?? (judge_status === null ? 'not_started' : null)) === status;
}

export function isShownAs(
  row: StatusesTable | undefined,
  status: State,
  how: How | null | undefined,
): boolean {
  return shownStateOf(row) === status && (how === undefined || (row?.how ?? null) === how);
}

export function isUndated(
  row: Pick<StatusesTable, `${'self' | 'judge'}_${'status' | 'at'}`> | undefined,
): boolean {
  if (!row) return false;
  const { self_status, self_at, judge_status, judge_at } = row;
  return self_status === null
    ? judge_status === 'complete' && judge_at === null
    : self_status === 'complete' && self_at === null && (judge_status !== 'complete' || judge_at === null);
}

/** Throws VersionConflict. */
export const setStatus = inTransaction(
  (tx: Db, { memberId, problemIds, status, how, versions, at: markedAt }: Mark): Promise<MarkResult> =>
    markEach(tx, statusMarks, memberId, problemIds, (row, id, at) => {
      // If another tab or the judge has set it already, there is nothing to decide.
      const isStale = !isShownAs(row, status, how) && hasOtherVersion(versions, id, versionOf(row));
      const before = ownStatus(row);
      const isSame = isMarkedAs(row, status);
      const nextHow = status !== 'complete' ? null : how === undefined ? before.how : how;
      if (isSame && before.how === nextHow) return { isStale };
      // Telling how a problem was solved does not solve it again, so the day stays.
      const changesOnlyHow = isUndated(row) || (how !== undefined && isShownAs(row, status, undefined));
      const keepsDay = isSame || (status === 'complete' && changesOnlyHow);
      const formerAt = before.status === null ? (row?.judge_at ?? null) : before.at;
      const after = { status, at: keepsDay ? formerAt : (markedAt ?? at), how: nextHow };
      return { isStale, kind: isSame ? 'how' : 'status', after };
    }),
);

/** Returns null if the status would not move forward. */
export async function advanceStatus(
  tx: Db,
  memberId: bigint,
  id: bigint,
  { status, how, at }: { status?: State | undefined; how?: How | undefined; at?: string | undefined },
): Promise<bigint | null> {
  if (!status) return null;
  const [row] = await findStatuses(tx, memberId, [id]);
  const shown = shownStateOf(row);
  const isHowMissing = status === 'complete' && how !== undefined && (row?.how ?? null) === null;
  if (status === shown ? !isHowMissing : !isAtLeastAsFar(status, shown)) return null;
  const nextHow = status === 'complete' ? how : undefined;
  const { batch } = await setStatus(tx, { memberId, problemIds: [id], status, how: nextHow, at });
  return batch ?? null;
}

/** Null is an unknown moment. A solved problem stays as it is, unless it has no day and gets one. */
export const markSolved = inTransaction(
  (tx: Db, memberId: bigint, solved: ReadonlyMap<bigint, string | null>): Promise<MarkResult> =>
    markEach(tx, statusMarks, memberId, [...solved.keys()], (row, id): MarkStep<OwnStatus> => {
      const at = solved.get(id) ?? null;
      if (!isNewlySolved(row, at !== null)) return {};
      const how = isShownAs(row, 'complete', undefined) ? (row?.how ?? null) : null;
      return { kind: 'status', after: { status: 'complete', at, how } };
    }),
);

export function isNewlySolved(row: StatusesTable | undefined, isDated: boolean): boolean {
  return !isShownAs(row, 'complete', undefined) || (isDated && isUndated(row));
}

export const setBookmarks = inTransaction(
  (tx: Db, memberId: bigint, problemIds: readonly bigint[], isBookmarked: boolean): Promise<MarkResult> =>
    markEach(tx, bookmarkMarks, memberId, problemIds, (row, _, at) => {
      if ((row?.is_starred === 1n) === isBookmarked) return {};
      const { note = null, created_at = at } = ownBookmark(row) ?? {};
      const times = { created_at: isBookmarked ? at : created_at, updated_at: at };
      return { kind: 'bookmark', after: bookmarkOf({ note, ...times }, isBookmarked, labelsIn(row)) };
    }),
);

export type ProblemSelection =
  | { ids: readonly bigint[] }
  | { filter: ProblemFilter; expected: string | null };

export async function selectedIds(
  db: Db,
  selection: ProblemSelection,
): Promise<readonly bigint[] | undefined> {
  if ('ids' in selection)
    return [...new Set((await findProblemsByIds(db, selection.ids)).map(({ id }) => id))];
  const ids = await listProblemIds(db, selection.filter);
  return String(ids.length) === selection.expected ? ids : undefined;
}

/** Undefined if the page showed another number. Throws VersionConflict. */
export const markSelection = inTransaction(
  async (
    tx: Db,
    memberId: bigint,
    selection: ProblemSelection,
    target: State | 'star' | 'unstar',
    versions?: MarkVersions,
  ): Promise<MarkResult | undefined> => {
    const problemIds = await selectedIds(tx, selection);
    if (!problemIds) return undefined;
    if (target === 'star' || target === 'unstar')
      return setBookmarks(tx, memberId, problemIds, target === 'star');
    return setStatus(tx, { memberId, problemIds, status: target, versions });
  },
);

/** In characters. */
export const longestNote = 65_536;

const notesAtMost = 10_000;
const notesMiB = 32;

/** What a member is told whose notes would become so many. */
export const notesFault = ({ count, bytes }: { count: number; bytes: number }): AppError | undefined =>
  count > notesAtMost || bytes > notesMiB * 2 ** 20
    ? localizedError('invalidValue.notes', { count: notesAtMost, most: notesMiB })
    : undefined;

export async function faultOfNote(db: Db, memberId: bigint, before: string, text: string) {
  const added = Buffer.byteLength(text) - Buffer.byteLength(before);
  if (added <= 0) return undefined;
  const { count, bytes } = await sizeOfNotes(db, memberId);
  return notesFault({ count: count + Number(before === ''), bytes: bytes + added });
}

export const tidyNote = (text: string): string =>
  text.replaceAll('\r\n', '\n').replaceAll('\0', '').toWellFormed().trimEnd();

/** The note with the text below it, unless it has it. */
export function extendedNote(note: string, text: string): string {
  if (note.includes(text)) return note;
  return note === '' ? text : `${note}\n\n${text}`;
}

/** An empty text removes the note. Throws VersionConflict and invalidValue. */
export const setNote = inTransaction(
  async (
    tx: Db,
    memberId: bigint,
    problemId: bigint,
    text: string,
    versions?: MarkVersions,
  ): Promise<MarkResult> => {
    const [row] = await findBookmarks(tx, memberId, [problemId]);
    const fault = await faultOfNote(tx, memberId, row?.note ?? '', text);
    if (fault) throw fault;
    return markEach(tx, bookmarkMarks, memberId, [problemId], (row, id, at) => {
      const before = ownBookmark(row);
      const note = text === '' ? null : text;
      if ((before?.note ?? null) === note) return {};
      const times = { created_at: before?.created_at ?? at, updated_at: at };
      const isStale = hasOtherVersion(versions, id, noteVersionOf(row));
      const after = bookmarkOf({ note, ...times }, row?.is_starred === 1n, labelsIn(row));
      return { isStale, kind: 'note', after };
    });
  },
);

/** Adds the label in the spelling that the member uses already, or removes it. Throws invalidValue. */
export const setLabel = inTransaction(
  async (tx: Db, memberId: bigint, problemId: bigint, text: string, isOn: boolean): Promise<MarkResult> => {
    const rows = await listLabels(tx, { userId: memberId });
    const used = rows.flatMap(labelsIn);
    const label = isOn ? checkedLabel(text) : text;
    const spelling = used.find((one) => isSameLabel(one, label)) ?? label;
    if (isOn && !rows.some((row) => row.problem_id === problemId)) assertRoomForLabels(rows.length);
    return markEach(tx, bookmarkMarks, memberId, [problemId], (row, _, at) => {
      const labels = labelsIn(row);
      const others = labels.filter((one) => !isSameLabel(one, label));
      if (isOn === others.length < labels.length) return {};
      const times = { created_at: row?.created_at ?? at, updated_at: row?.updated_at ?? at };
      const next = isOn ? checkedLabels([...labels, spelling]) : others;
      return {
        kind: 'bookmark',
        after: bookmarkOf({ note: row?.note ?? null, ...times }, row?.is_starred === 1n, next),
      };
    });
  },
);

/** Nobody else sees that a member asked for the editorial. */
export const recordEditorialRequest = inTransaction(
  async (tx: Db, memberId: bigint, problemId: bigint): Promise<void> => {
    const [row] = await findBookmarks(tx, memberId, [problemId]);
    if (typeof row?.editorial_at === 'string') return;
    const editorial_at = new Date().toISOString();
    const noMark = {
      note: null,
      created_at: editorial_at,
      updated_at: editorial_at,
      is_starred: 0n,
      labels: null,
    };
    const request = { user_id: memberId, problem_id: problemId, editorial_at };
    await bookmarkRepository.save(tx, [{ ...noMark, ...row, ...request }]);
  },
);

const hasOtherVersion = (versions: MarkVersions | undefined, id: bigint, version: string) =>
  (versions?.get(id) ?? version) !== version;

type MarkStep<Own> = { isStale?: boolean } & ({ kind: ChangesTable['kind']; after: Own } | { after?: never });

/** Pauses between portions, so that other requests go on. Throws VersionConflict. */
async function markEach<Row extends { user_id: bigint; problem_id: bigint }, Own>(
  tx: Db,
  table: MarkTable<Row, Own>,
  memberId: bigint,
  problemIds: readonly bigint[],
  stepOf: (row: Row | undefined, id: bigint, at: string) => MarkStep<Own>,
): Promise<MarkResult> {
  const made_at = new Date().toISOString();
  let batch: bigint | undefined;
  let [changed, bytes] = [0, 0];
  for await (const ids of portions([...new Set(problemIds)])) {
    const rows = byProblem(await table.repository.findMany(tx, memberId, ids));
    const steps = ids.map((problem_id) => ({
      problem_id,
      ...stepOf(rows.get(problem_id), problem_id, made_at),
    }));
    const stale = steps.filter(({ isStale }) => isStale).map(({ problem_id }) => problem_id);
    if (stale.length > 0) throw new VersionConflict(stale);
    const marks = steps.filter((step) => 'kind' in step);
    await writeMarks(
      tx,
      table,
      memberId,
      rows,
      marks.map(({ problem_id, after }) => [problem_id, after]),
    );
    const changes = marks.map(({ problem_id, kind, after }) => {
      const before = JSON.stringify(table.historyOf(rows.get(problem_id)));
      return { user_id: memberId, problem_id, kind, before, after: JSON.stringify(after), made_at };
    });
    batch = await insertChanges(tx, changes, batch);
    changed += changes.length;
    bytes += changes.reduce((sum, { before, after }) => sum + before.length + after.length, 0);
  }
  await boundHistory(tx, memberId, bytes, batch);
  if (changed > 0) await bumpTable(tx, table.repository.table, memberId);
  return { batch, changed };
}

const bumpTable = (tx: Db, table: 'statuses' | 'bookmarks', memberId: bigint) =>
  bumpRevisions(tx, [table, `${table}:${memberId}`]);

export const historyMiB = 32;
/** A history is measured when so much has come to it, because that reads all of it. */
const unmeasuredBytesAtMost = 2 ** 18;
const unmeasuredBytes = new LRUCache<bigint, number>({ max: 1_000 });
/** Of a row besides its texts, and of its places in indexes. */
const bytesOfChange = 200;

/** The oldest changes give way, all that were made together at once, but never those of `batch`. */
export async function boundHistory(tx: Db, userId: bigint, bytes: number, batch?: bigint): Promise<void> {
  const unmeasured = (unmeasuredBytes.get(userId) ?? 0) + bytes;
  unmeasuredBytes.set(userId, unmeasured < unmeasuredBytesAtMost ? unmeasured : 0);
  if (unmeasured < unmeasuredBytesAtMost) return;
  let excess = -historyMiB * 2 ** 20;
  for await (const row of changesOf(tx, userId)) excess += Number(row.bytes) + bytesOfChange;
  let oldest = 0n;
  for await (const row of changesOf(tx, userId)) {
    if (excess <= 0 || row.batch_id === batch) break;
    if (row.batch_id > oldest) await deleteChangesUntil(tx, userId, row.batch_id);
    oldest = row.batch_id;
    excess -= Number(row.bytes) + bytesOfChange;
  }
}

async function* changesOf(tx: Db, userId: bigint) {
  for (let after: bigint | undefined = 0n; after !== undefined; await setImmediate()) {
    const rows = await changeSizes(tx, { userId, after });
    yield* rows;
    after = rows.at(-1)?.id;
  }
}

/* Undoing. */

/**
 * The rows become exactly what they were. Throws unknownItem, preconditionFailed if there is a later change, and
 * invalidValue if notes would come back beyond their bound.
 */
export const undo = inTransaction((tx: Db, memberId: bigint, changeId: bigint) =>
  revert(tx, memberId, changeId, true),
);

/** Makes a change again that was undone. Throws unknownItem, preconditionFailed and invalidValue. */
export const redo = inTransaction((tx: Db, memberId: bigint, changeId: bigint) =>
  revert(tx, memberId, changeId, false),
);

async function revert(tx: Db, memberId: bigint, changeId: bigint, undoes: boolean): Promise<MarkResult> {
  const batch = await listBatchOfChange(tx, memberId, changeId);
  if (batch.length === 0) throw localizedError('unknownItem.change');
  // Twins that were changed together are one problem since, and the later change has its state before.
  const changesToUndo = [
    ...byProblem(batch.filter((change) => (change.undone_at === null) === undoes)).values(),
  ].map((change) => (undoes ? change : reversed(change)));
  const [first] = changesToUndo;
  if (!first) return { batch: undefined, changed: 0 };
  if (first.kind === 'status' || first.kind === 'how')
    await undoAll(tx, statusMarks, memberId, changesToUndo);
  else {
    const { bytes } = await sizeOfNotes(tx, memberId);
    await undoAll(tx, bookmarkMarks, memberId, changesToUndo);
    const after = await sizeOfNotes(tx, memberId);
    const fault = after.bytes > bytes && notesFault(after);
    if (fault) throw fault;
  }
  await setBatchUndone(tx, memberId, first.batch_id, undoes ? new Date().toISOString() : null);
  return { batch: first.batch_id, changed: changesToUndo.length };
}

function reversed(change: ChangesTable): ChangesTable {
  const own = JSON.stringify(JSON.parse(change.before), (key, value) =>
    key === 'judge' ? undefined : value,
  );
  return { ...change, before: change.after, after: own };
}

async function undoAll<Row extends { user_id: bigint; problem_id: bigint }, Own>(
  tx: Db,
  table: MarkTable<Row, Own>,
  memberId: bigint,
  changesToUndo: readonly ChangesTable[],
): Promise<void> {
  for await (const changes of portions(changesToUndo)) {
    const ids = changes.map((change) => change.problem_id);
    const rows = byProblem(await table.repository.findMany(tx, memberId, ids));
    const isSame = changes.every(
      ({ problem_id, after }) => JSON.stringify(table.markOf(rows.get(problem_id))) === after,
    );
    if (!isSame) throw localizedError('preconditionFailed.changedSince');
    const marks = changes.map(({ problem_id, before }) => [problem_id, JSON.parse(before) as Own] as const);
    await writeMarks(tx, table, memberId, rows, marks);
  }
  await bumpTable(tx, table.repository.table, memberId);
}
