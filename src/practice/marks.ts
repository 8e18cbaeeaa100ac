/**
 * The marks of members on the website: status, how they solved it, bookmark and note. Every change is a row of history, and a
 * change can be undone as long as no later one stands on it (WEBSITE §4).
 */

import { crc32 } from 'node:zlib';
import { AppError, inEnglish, localizedError, message } from '../errors.ts';
import type { BookmarksTable } from '../store/bookmarks.ts';
import { bookmarkRepository, findBookmarks } from '../store/bookmarks.ts';
import type { ChangesTable } from '../store/changes.ts';
import { insertChanges, listBatchOf, noteUndone } from '../store/changes.ts';
import type { MemberProblemRepository } from '../store/member-problems.ts';
import { listProblemIds, type ProblemFilter } from '../store/problem-lists.ts';
import { findProblemsByIds } from '../store/problems.ts';
import { bumpRevisions } from '../store/revisions.ts';
import type { How, State, StatusesTable } from '../store/statuses.ts';
import { findStatuses, shownStateOf, statusRepository } from '../store/statuses.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { byProblem, derive, isAsFar, noStatus, portions } from './derivation.ts';

/* What of the rows behind marks is a member's own, as the history keeps it. */

interface OwnStatus {
  status: State | null;
  at: string | null;
  how: How | null;
}

/** Null where there is neither star nor note. */
type OwnBookmark = (Pick<BookmarksTable, 'note' | 'created_at' | 'updated_at'> & { starred?: false }) | null;

interface OwnPart<Row, Own> {
  repository: MemberProblemRepository<Row>;
  ownOf(row: Row | undefined): Own;
  /** The same as it was before a change. */
  beforeOf(row: Row | undefined): unknown;
  withOwn(row: Row | undefined, own: Own): Omit<Row, 'user_id' | 'problem_id'>;
  derive?(
    tx: Db,
    memberId: bigint,
    problemIds: readonly bigint[],
    rows: ReadonlyMap<bigint, Row>,
  ): Promise<void>;
}

const ownStatuses: OwnPart<StatusesTable, OwnStatus> = {
  repository: statusRepository,
  ownOf: ownStatus,
  // The judge status is kept for the eye alone: undoing leaves it as it is.
  beforeOf: (row) => ({ ...ownStatus(row), judge: row?.judge_status ?? null }),
  withOwn: (row, { status, at, how }) => ({
    ...(row ?? noStatus),
    self_status: status,
    self_at: at,
    how,
  }),
  derive,
};

const ownBookmarks: OwnPart<BookmarksTable, OwnBookmark> = {
  repository: bookmarkRepository,
  ownOf: ownBookmark,
  beforeOf: ownBookmark,
  withOwn: (row, bookmark) => {
    const editorial_at = row?.editorial_at ?? null;
    // The row stays without star and note where it says that the editorial was asked for.
    const at = editorial_at ?? '';
    const { starred, ...own } = bookmark ?? { note: null, created_at: at, updated_at: at, starred: false };
    return { ...own, is_starred: starred === false ? 0n : 1n, editorial_at };
  },
};

function ownStatus(row: StatusesTable | undefined): OwnStatus {
  return { status: row?.self_status ?? null, at: row?.self_at ?? null, how: row?.how ?? null };
}

function ownBookmark(row: BookmarksTable | undefined): OwnBookmark {
  if (!row || (row.is_starred === 0n && row.note === null)) return null;
  const { note, created_at, updated_at } = row;
  return { note, created_at, updated_at, ...(row.is_starred === 0n && { starred: false }) };
}

/** Writes what is a member's own over the rows that they have, and derives what stands on it. */
async function writeOwn<Row extends { user_id: bigint; problem_id: bigint }, Own>(
  tx: Db,
  { repository, withOwn, derive }: OwnPart<Row, Own>,
  memberId: bigint,
  rows: ReadonlyMap<bigint, Row>,
  own: readonly (readonly [problemId: bigint, own: Own])[],
): Promise<void> {
  const written = own.map(
    ([problem_id, one]) => ({ ...withOwn(rows.get(problem_id), one), user_id: memberId, problem_id }) as Row,
  );
  await repository.save(tx, written);
  const after = byProblem(written);
  await derive?.(tx, memberId, [...after.keys()], after);
}

/* Marking. */

/** The result of a mark: the batch to undo, and how many problems it changed. */
export interface MarkResult {
  batch: bigint | undefined;
  changed: number;
}

/** The versions of problems that pages showed when their forms were made, by problem; see `versionOf` and `noteVersionOf`. */
export type SeenVersions = ReadonlyMap<bigint, string>;

/** The version of a status that a page showed when its form was made; a change that was made meanwhile makes it differ. */
export function versionOf(
  row: Pick<StatusesTable, 'self_status' | 'self_at' | 'judge_status' | 'judge_at' | 'how'> | undefined,
): string {
  const word = (status: State | null = null, at: string | null = null) =>
    status !== null && at === null ? 'undated' : timePart(at);
  return `${word(row?.self_status, row?.self_at)}.${word(row?.judge_status, row?.judge_at)}.${row?.how ?? ''}`;
}

/** The same for a note. */
export function noteVersionOf(row: Pick<BookmarksTable, 'note'> | undefined): string {
  return typeof row?.note === 'string' ? `n${crc32(row.note).toString(36)}` : 'none';
}

const timePart = (at: string | null | undefined) => (at ? Date.parse(at).toString(36) : '');

/** Thrown by a mark that was made on an older state of these problems than there is now. */
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
  /** How it was solved, where the status says so; undefined leaves what was said before. */
  how?: How | undefined;
  /** A problem that is not in it is overwritten. */
  seen?: SeenVersions | undefined;
}

/** Whether the member's word on a problem is this one. A problem without any word counts as not started by the member. */
export function isMarked(row: StatusesTable | undefined, status: State): boolean {
  const { self_status = null, judge_status = null } = row ?? {};
  return (self_status ?? (judge_status === null ? 'not_started' : null)) === status;
}

/** Whether a problem shows this status, by the member's word or the judge's, and was solved in this way if one is given. */
function isShown(row: StatusesTable | undefined, status: State, how: How | undefined): boolean {
  return shownStateOf(row) === status && (how === undefined || row?.how === how);
}

/** Whether a problem shows as solved by a word that knows no day. */
export function isUndated(
  row: Pick<StatusesTable, `${'self' | 'judge'}_${'status' | 'at'}`> | undefined,
): boolean {
  if (!row) return false;
  const { self_status, self_at, judge_status, judge_at } = row;
  return self_status === null
    ? judge_status === 'complete' && judge_at === null
    : self_status === 'complete' && self_at === null && (judge_status !== 'complete' || judge_at === null);
}

/** Sets the member's word on these problems. Throws Overtaken. */
export const setStatus = inTransaction(
  (tx: Db, { memberId, problemIds, status, how, seen }: Mark): Promise<MarkResult> =>
    markEach(tx, ownStatuses, memberId, problemIds, (row, id, at) => {
      // If it is so already, by another tab or the judge, there is nothing to decide.
      const isOvertaken = !isShown(row, status, how) && isSeenElse(seen, id, versionOf(row));
      const before = ownStatus(row);
      const isSame = isMarked(row, status);
      const nextHow = status === 'complete' ? (how ?? before.how) : null;
      if (isSame && before.how === nextHow) return { isOvertaken };
      // To say how a problem was solved is not to solve it again: the day on which it was solved stays.
      const isSaidHow = isUndated(row) || (how !== undefined && isShown(row, status, undefined));
      const isKept = isSame || (status === 'complete' && isSaidHow);
      const keptAt = before.status === null ? (row?.judge_at ?? null) : before.at;
      const after = { status, at: isKept ? keptAt : at, how: nextHow };
      return { isOvertaken, kind: isSame ? 'how' : 'status', after };
    }),
);

/** Sets a status that is further than the one that shows, or how a solved problem was solved; answers the change. */
export async function advanceStatus(
  tx: Db,
  memberId: bigint,
  id: bigint,
  { status, how }: { status?: State | undefined; how?: How | undefined },
): Promise<bigint | null> {
  if (!status) return null;
  const [row] = await findStatuses(tx, memberId, [id]);
  const shown = shownStateOf(row);
  const isUnsaid = status === 'complete' && how !== undefined && (row?.how ?? null) === null;
  if (status === shown ? !isUnsaid : !isAsFar(status, shown)) return null;
  const said = status === 'complete' ? how : undefined;
  const { batch } = await setStatus(tx, { memberId, problemIds: [id], status, how: said });
  return batch ?? null;
}

/**
 * Marks these problems as solved at a moment in the past, null for an unknown one. Those that are solved already stay as they are,
 * apart from those without a day, which a moment gives one.
 */
export const markSolved = inTransaction(
  (tx: Db, memberId: bigint, solved: ReadonlyMap<bigint, string | null>): Promise<MarkResult> =>
    markEach(tx, ownStatuses, memberId, [...solved.keys()], (row, id): Step<OwnStatus> => {
      const at = solved.get(id) ?? null;
      if (!isNewlySolved(row, at !== null)) return {};
      const how = isShown(row, 'complete', undefined) ? (row?.how ?? null) : null;
      return { kind: 'status', after: { status: 'complete', at, how } };
    }),
);

/** Whether to mark a problem as solved, on a day if `isDated`, says more than what is known of it. */
export function isNewlySolved(row: StatusesTable | undefined, isDated: boolean): boolean {
  return !isShown(row, 'complete', undefined) || (isDated && isUndated(row));
}

/** Stars problems, or takes their stars away; their notes stay. */
export const setBookmarks = inTransaction(
  (tx: Db, memberId: bigint, problemIds: readonly bigint[], isBookmarked: boolean): Promise<MarkResult> =>
    markEach(tx, ownBookmarks, memberId, problemIds, (row, _, at) => {
      if ((row?.is_starred === 1n) === isBookmarked) return {};
      const { note = null, created_at = at } = ownBookmark(row) ?? {};
      const unstarred =
        note === null ? null : ({ note, created_at, updated_at: at, starred: false } as const);
      const after = isBookmarked ? { note, created_at: at, updated_at: at } : unstarred;
      return { kind: 'bookmark', after };
    }),
);

/** Problems that somebody ticked, or all that a filter finds, with the number that their page showed. */
export type ProblemSelection =
  | { ids: readonly bigint[] }
  | { filter: ProblemFilter; expected: string | null };

/** The ids of those that exist; undefined where the filter finds another number by now. */
export async function selectedIds(db: Db, chosen: ProblemSelection): Promise<readonly bigint[] | undefined> {
  if ('ids' in chosen) return [...new Set((await findProblemsByIds(db, chosen.ids)).map(({ id }) => id))];
  const ids = await listProblemIds(db, chosen.filter);
  return String(ids.length) === chosen.expected ? ids : undefined;
}

/** Marks many problems at once; undefined where there are not as many as their page showed. Throws Overtaken. */
export const markSelection = inTransaction(
  async (
    tx: Db,
    memberId: bigint,
    chosen: ProblemSelection,
    target: State | 'star' | 'unstar',
    seen?: SeenVersions,
  ): Promise<MarkResult | undefined> => {
    const problemIds = await selectedIds(tx, chosen);
    if (!problemIds) return undefined;
    if (target === 'star' || target === 'unstar')
      return setBookmarks(tx, memberId, problemIds, target === 'star');
    return setStatus(tx, { memberId, problemIds, status: target, seen });
  },
);

/** The longest note, in characters, at every door. */
export const longestNote = 65_536;

/** Writes the note of a problem; an empty one takes the note away. A star stays as it is. Throws Overtaken. */
export const setNote = inTransaction(
  (tx: Db, memberId: bigint, problemId: bigint, text: string, seen?: SeenVersions): Promise<MarkResult> =>
    markEach(tx, ownBookmarks, memberId, [problemId], (row, id, at) => {
      const before = ownBookmark(row);
      const note = text === '' ? null : text;
      if ((before?.note ?? null) === note) return {};
      const isStarred = before !== null && before.starred !== false;
      const after = {
        note,
        created_at: before?.created_at ?? at,
        updated_at: at,
        ...(!isStarred && { starred: false as const }),
      };
      const isOvertaken = isSeenElse(seen, id, noteVersionOf(row));
      return { isOvertaken, kind: 'note', after: note === null && !isStarred ? null : after };
    }),
);

/** Remembers that a member asked for the editorial of a problem before they solved it; nobody else sees it. */
export const noteEditorial = inTransaction(
  async (tx: Db, memberId: bigint, problemId: bigint): Promise<void> => {
    const [row] = await findBookmarks(tx, memberId, [problemId]);
    if (typeof row?.editorial_at === 'string') return;
    const editorial_at = new Date().toISOString();
    const noMark = { note: null, created_at: editorial_at, updated_at: editorial_at, is_starred: 0n };
    const own = { user_id: memberId, problem_id: problemId, editorial_at };
    await bookmarkRepository.save(tx, [{ ...noMark, ...row, ...own }]);
  },
);

const isSeenElse = (seen: SeenVersions | undefined, id: bigint, version: string) =>
  (seen?.get(id) ?? version) !== version;

/** The effect of a mark on one problem. Without an `after` the problem stays as it is. */
type Step<Own> = { isOvertaken?: boolean } & ({ kind: ChangesTable['kind']; after: Own } | { after?: never });

/**
 * Changes many problems as one batch of history, with a pause between portions, so that other requests go on. Throws Overtaken.
 */
async function markEach<Row extends { user_id: bigint; problem_id: bigint }, Own>(
  tx: Db,
  part: OwnPart<Row, Own>,
  memberId: bigint,
  problemIds: readonly bigint[],
  stepOf: (row: Row | undefined, id: bigint, at: string) => Step<Own>,
): Promise<MarkResult> {
  const made_at = new Date().toISOString();
  let batch: bigint | undefined;
  let changed = 0;
  for await (const ids of portions([...new Set(problemIds)])) {
    const rows = byProblem(await part.repository.findMany(tx, memberId, ids));
    const steps = ids.map((problem_id) => ({
      problem_id,
      ...stepOf(rows.get(problem_id), problem_id, made_at),
    }));
    const overtaken = steps.filter(({ isOvertaken }) => isOvertaken).map(({ problem_id }) => problem_id);
    if (overtaken.length > 0) throw new VersionConflict(overtaken);
    const marks = steps.filter((step) => 'kind' in step);
    await writeOwn(
      tx,
      part,
      memberId,
      rows,
      marks.map(({ problem_id, after }) => [problem_id, after]),
    );
    const changes = marks.map(({ problem_id, kind, after }) => {
      const before = JSON.stringify(part.beforeOf(rows.get(problem_id)));
      return { user_id: memberId, problem_id, kind, before, after: JSON.stringify(after), made_at };
    });
    batch = await insertChanges(tx, changes, batch);
    changed += changes.length;
  }
  if (changed > 0) await bumpTable(tx, part.repository.table, memberId);
  return { batch, changed };
}

const bumpTable = (tx: Db, table: 'statuses' | 'bookmarks', memberId: bigint) =>
  bumpRevisions(tx, [table, `${table}:${memberId}`]);

/* Undoing what a member changed on the website. */

/**
 * Undoes a change with all that were made together with it: the rows become exactly what they were. Throws unknownItem where
 * the member has no such change, preconditionFailed where a later change stands on it.
 */
export const undo = inTransaction(async (tx: Db, memberId: bigint, changeId: bigint): Promise<MarkResult> => {
  const batch = await listBatchOf(tx, memberId, changeId);
  if (batch.length === 0) throw localizedError('unknownItem.change');
  // Twins that were changed together are one problem since, and the later change says what it was before.
  const open = [...byProblem(batch.filter((change) => change.undone_at === null)).values()];
  const [first] = open;
  if (!first) return { batch: undefined, changed: 0 };
  // All changes of a batch are of one of the two tables.
  if (first.kind === 'status' || first.kind === 'how') await undoAll(tx, ownStatuses, memberId, open);
  else await undoAll(tx, ownBookmarks, memberId, open);
  await noteUndone(tx, memberId, first.batch_id, new Date().toISOString());
  return { batch: first.batch_id, changed: open.length };
});

async function undoAll<Row extends { user_id: bigint; problem_id: bigint }, Own>(
  tx: Db,
  part: OwnPart<Row, Own>,
  memberId: bigint,
  open: readonly ChangesTable[],
): Promise<void> {
  for await (const changes of portions(open)) {
    const ids = changes.map((change) => change.problem_id);
    const rows = byProblem(await part.repository.findMany(tx, memberId, ids));
    const isSame = changes.every(
      ({ problem_id, after }) => JSON.stringify(part.ownOf(rows.get(problem_id))) === after,
    );
    if (!isSame) throw localizedError('preconditionFailed.changedSince');
    const own = changes.map(({ problem_id, before }) => [problem_id, JSON.parse(before) as Own] as const);
    await writeOwn(tx, part, memberId, rows, own);
  }
  await bumpTable(tx, part.repository.table, memberId);
}
