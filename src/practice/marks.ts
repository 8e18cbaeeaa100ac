/**
 * What members mark on the website: status, how they solved it, bookmark and note. Every change is a row of history, and a
 * change can be undone as long as no later one stands on it (WEBSITE §4).
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import { findBookmarks, insertBookmarks, updateBookmark } from '../store/bookmarks.ts';
import { insertChanges, listBatchOf, type NewChange, noteUndone } from '../store/changes.ts';
import { deletePairs } from '../store/pairs.ts';
import { bumpRevisions, type RevisionScope } from '../store/revisions.ts';
import { findStatusPairs, insertStatuses, updateStatus } from '../store/statuses.ts';
import type { BookmarksTable, ChangesTable, Db, How, State, StatusesTable } from '../store/tables.ts';

/** A member's own word on a problem, as the history keeps it. */
interface OwnWord {
  status: State | null;
  at: string | null;
  how: How | null;
}

/** A member's bookmark of a problem, as the history keeps it; null where there is none. */
type OwnBookmark = Pick<BookmarksTable, 'note' | 'created_at' | 'updated_at'> | null;

/** What happened: the batch to undo, and how many problems it changed. */
export interface Marked {
  batch: bigint | undefined;
  changed: number;
}

/** What pages showed of problems when their forms were made, by problem; see `versionOf` and `bookmarkVersionOf`. */
export type Seen = ReadonlyMap<bigint, string>;

/** What a page showed of a status when its form was made; a change that was made meanwhile makes it differ. */
export function versionOf(row: Pick<StatusesTable, 'self_at' | 'judge_at'> | undefined): string {
  return `${timePart(row?.self_at)}.${timePart(row?.judge_at)}`;
}

/** The same for a bookmark and its note. */
export function bookmarkVersionOf(row: Pick<BookmarksTable, 'updated_at'> | undefined): string {
  return row ? `b${timePart(row.updated_at)}` : 'none';
}

const timePart = (at: string | null | undefined) => (at ? Date.parse(at).toString(36) : '');

/** Thrown by a mark that was made on an older state of these problems than there is now. */
export class Overtaken extends AppError {
  readonly problemIds: readonly bigint[];
  constructor(problemIds: readonly bigint[]) {
    super(
      'preconditionFailed',
      'This was changed elsewhere meanwhile, and nothing was overwritten; look again.',
    );
    this.problemIds = problemIds;
  }
}

export interface Mark {
  memberId: bigint;
  problemIds: readonly bigint[];
  status: State;
  /** How it was solved, where the status says so; undefined leaves what was said before. */
  how?: How | undefined;
  /** A problem that is not in it is overwritten. */
  seen?: Seen | undefined;
}

/** Sets the member's word on these problems. Throws Overtaken. */
export function setStatus(tx: Db, { memberId, problemIds, status, how, seen }: Mark): Promise<Marked> {
  const at = new Date().toISOString();
  return inParts(tx, ['statuses', `statuses:${memberId}`], problemIds, async (ids) => {
    const rows = byProblem(await findStatusPairs(tx, memberId, ids));
    refuseOvertaken(ids, seen, (id) => versionOf(rows.get(id)));
    const changes: NewChange[] = [];
    const writes: [id: bigint, word: OwnWord][] = [];
    for (const id of ids) {
      const before = wordOf(rows.get(id));
      const after = { status, at, how: status === 'complete' ? (how ?? before.how) : null };
      if (before.status === status && before.how === after.how) continue;
      writes.push([id, after]);
      const kind = before.status === status ? 'how' : 'status';
      // The judge's word is kept for the eye alone: undoing leaves it as it is.
      const judge = rows.get(id)?.judge_status ?? null;
      changes.push(changeOf(memberId, id, kind, { ...before, judge }, after, at));
    }
    await writeWords(tx, memberId, rows, writes);
    return changes;
  });
}

/** Bookmarks problems, or takes their bookmarks away with the notes. Throws Overtaken. */
export function setBookmarks(
  tx: Db,
  memberId: bigint,
  problemIds: readonly bigint[],
  isBookmarked: boolean,
  seen?: Seen,
): Promise<Marked> {
  const at = new Date().toISOString();
  return inParts(tx, ['bookmarks', `bookmarks:${memberId}`], problemIds, async (ids) => {
    const rows = byProblem(await findBookmarks(tx, memberId, ids));
    const others = ids.filter((id) => rows.has(id) !== isBookmarked);
    // A note that was written meanwhile must not go with the bookmark.
    refuseOvertaken(others, seen, (id) => bookmarkVersionOf(rows.get(id)));
    const after = isBookmarked ? { note: null, created_at: at, updated_at: at } : null;
    await writeBookmarks(
      tx,
      memberId,
      rows,
      others.map((id) => [id, after] as const),
    );
    return others.map((id) => changeOf(memberId, id, 'bookmark', bookmarkOf(rows.get(id)), after, at));
  });
}

/**
 * Writes the note of a problem, which is bookmarked by it; an empty one takes the note away and keeps the bookmark. Throws
 * Overtaken.
 */
export function setNote(
  tx: Db,
  memberId: bigint,
  problemId: bigint,
  text: string,
  seen?: Seen,
): Promise<Marked> {
  const at = new Date().toISOString();
  return inParts(tx, ['bookmarks', `bookmarks:${memberId}`], [problemId], async (ids) => {
    const rows = byProblem(await findBookmarks(tx, memberId, ids));
    const before = bookmarkOf(rows.get(problemId));
    const note = text === '' ? null : text;
    if ((before?.note ?? null) === note) return [];
    refuseOvertaken(ids, seen, (id) => bookmarkVersionOf(rows.get(id)));
    const after = { note, created_at: before?.created_at ?? at, updated_at: at };
    await writeBookmarks(tx, memberId, rows, [[problemId, after]]);
    return [changeOf(memberId, problemId, 'note', before, after, at)];
  });
}

/**
 * Undoes a change with all that were made together with it: the rows become exactly what they were. Throws unknownItem where
 * the member has no such change, preconditionFailed where a later change stands on it.
 */
export async function undo(tx: Db, memberId: bigint, changeId: bigint): Promise<Marked> {
  const batch = await listBatchOf(tx, memberId, changeId);
  if (batch.length === 0) throw new AppError('unknownItem', 'There is no such change of yours.');
  const open = batch.filter((change) => change.undone_at === null);
  for (const changes of portions(open)) {
    const ids = changes.map((change) => change.problem_id);
    if (changes[0] && isWord(changes[0])) {
      const rows = byProblem(await findStatusPairs(tx, memberId, ids));
      assertUnchanged(changes, (id) => wordOf(rows.get(id)));
      const writes = changes.map((one) => [one.problem_id, JSON.parse(one.before) as OwnWord] as const);
      await writeWords(tx, memberId, rows, writes);
    } else {
      const rows = byProblem(await findBookmarks(tx, memberId, ids));
      assertUnchanged(changes, (id) => bookmarkOf(rows.get(id)));
      const writes = changes.map((one) => [one.problem_id, JSON.parse(one.before) as OwnBookmark] as const);
      await writeBookmarks(tx, memberId, rows, writes);
    }
    await nextTurn();
  }
  const [first] = open;
  if (!first) return { batch: undefined, changed: 0 };
  const table = isWord(first) ? 'statuses' : 'bookmarks';
  await bumpRevisions(tx, [table, `${table}:${memberId}`]);
  await noteUndone(tx, memberId, first.batch_id, new Date().toISOString());
  return { batch: first.batch_id, changed: open.length };
}

/** All changes of a batch are of one of the two tables. */
function isWord({ kind }: ChangesTable): boolean {
  return kind === 'status' || kind === 'how';
}

function assertUnchanged(changes: readonly ChangesTable[], now: (problemId: bigint) => unknown): void {
  const isSame = changes.every((change) => JSON.stringify(now(change.problem_id)) === change.after);
  if (isSame) return;
  throw new AppError(
    'preconditionFailed',
    'This was changed again since, and nothing was undone; undo the later change first.',
  );
}

function refuseOvertaken(ids: readonly bigint[], seen: Seen | undefined, now: (id: bigint) => string): void {
  const overtaken = ids.filter((id) => (seen?.get(id) ?? now(id)) !== now(id));
  if (overtaken.length > 0) throw new Overtaken(overtaken);
}

const atOnce = 500;
const manyRows = 20;

function* portions<T>(list: readonly T[]): Generator<T[]> {
  for (let start = 0; start < list.length; start += atOnce) yield list.slice(start, start + atOnce);
}

/** Changes many problems as one batch of history, with a pause between portions, so that other requests go on. */
async function inParts(
  tx: Db,
  scopes: readonly RevisionScope[],
  problemIds: readonly bigint[],
  change: (ids: readonly bigint[]) => Promise<readonly NewChange[]>,
): Promise<Marked> {
  let batch: bigint | undefined;
  let changed = 0;
  for (const ids of portions([...new Set(problemIds)])) {
    const changes = await change(ids);
    batch = await insertChanges(tx, changes, batch);
    changed += changes.length;
    if (problemIds.length > atOnce) await nextTurn();
  }
  if (changed > 0) await bumpRevisions(tx, scopes);
  return { batch, changed };
}

function changeOf(
  user_id: bigint,
  problem_id: bigint,
  kind: ChangesTable['kind'],
  before: unknown,
  after: unknown,
  made_at: string,
) {
  return { user_id, problem_id, kind, before: JSON.stringify(before), after: JSON.stringify(after), made_at };
}

function wordOf(row: StatusesTable | undefined): OwnWord {
  return { status: row?.self_status ?? null, at: row?.self_at ?? null, how: row?.how ?? null };
}

/** Writes the member's own words; a row of which neither word is left goes. */
async function writeWords(
  tx: Db,
  memberId: bigint,
  rows: ReadonlyMap<bigint, StatusesTable>,
  words: readonly (readonly [id: bigint, word: OwnWord])[],
): Promise<void> {
  const added: StatusesTable[] = [];
  const gone: bigint[] = [];
  // Taking many rows out and putting them in again is one statement for a hundred rows.
  const isMany = words.length > manyRows;
  for (const [problem_id, { status, at, how }] of words) {
    const row = rows.get(problem_id);
    const next = {
      ...(row ?? { user_id: memberId, problem_id, judge_status: null, judge_at: null }),
      self_status: status,
      self_at: at,
      how,
    };
    const isEmpty = status === null && next.judge_status === null;
    if (row && !isEmpty && !isMany) await updateStatus(tx, next);
    else {
      if (row) gone.push(problem_id);
      if (!isEmpty) added.push(next);
    }
  }
  await deletePairs(tx, 'statuses', memberId, gone);
  await insertStatuses(tx, added);
}

async function writeBookmarks(
  tx: Db,
  memberId: bigint,
  rows: ReadonlyMap<bigint, BookmarksTable>,
  bookmarks: readonly (readonly [id: bigint, bookmark: OwnBookmark])[],
): Promise<void> {
  const added: BookmarksTable[] = [];
  const removed: bigint[] = [];
  for (const [problem_id, bookmark] of bookmarks) {
    const row = bookmark && { ...bookmark, user_id: memberId, problem_id };
    if (!row) removed.push(problem_id);
    else if (rows.has(problem_id)) await updateBookmark(tx, row);
    else added.push(row);
  }
  await insertBookmarks(tx, added);
  await deletePairs(tx, 'bookmarks', memberId, removed);
}

function byProblem<Row extends { problem_id: bigint }>(rows: readonly Row[]): ReadonlyMap<bigint, Row> {
  return new Map(rows.map((row) => [row.problem_id, row]));
}

function bookmarkOf(row: BookmarksTable | undefined): OwnBookmark {
  return row ? { note: row.note, created_at: row.created_at, updated_at: row.updated_at } : null;
}
