/**
 * What members mark on the website: status, how they solved it, bookmark and note. Every change is a row of history, and a
 * change can be undone as long as no later one stands on it (WEBSITE §4).
 */
import { AppError } from '../errors.ts';
import { findBookmarks, insertBookmarks, updateBookmark } from '../store/bookmarks.ts';
import { insertChanges, listBatchOf, noteUndone } from '../store/changes.ts';
import { deletePairs } from '../store/pairs.ts';
import { bumpRevisions } from '../store/revisions.ts';
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

/** What a page showed of a status when its form was made; a change that was made meanwhile makes it differ. */
export function versionOf(row: Pick<StatusesTable, 'self_at' | 'judge_at'> | undefined): string {
  const part = (at: string | null | undefined) => (at ? Date.parse(at).toString(36) : '');
  return `${part(row?.self_at)}.${part(row?.judge_at)}`;
}

/** Thrown by a mark that was made on an older state of the row than there is now. */
export class Overtaken extends AppError {
  readonly shown: State;
  constructor(shown: State) {
    super(
      'preconditionFailed',
      'This was changed elsewhere meanwhile, and nothing was overwritten; look again.',
    );
    this.shown = shown;
  }
}

export interface Mark {
  memberId: bigint;
  problemIds: readonly bigint[];
  status: State;
  /** How it was solved, where the status says so; undefined leaves what was said before. */
  how?: How | undefined;
  /** What the page showed of the one problem; undefined overwrites whatever there is. */
  version?: string | undefined;
}

/** Sets the member's word on these problems. Throws Overtaken. */
export async function setStatus(
  tx: Db,
  { memberId, problemIds, status, how, version }: Mark,
): Promise<Marked> {
  const found = await findStatusPairs(tx, memberId, problemIds);
  const rows = new Map(found.map((row) => [row.problem_id, row]));
  const [first] = problemIds;
  if (version !== undefined && first !== undefined) {
    const row = rows.get(first);
    if (versionOf(row) !== version) throw new Overtaken(shownOf(row));
  }
  const at = new Date().toISOString();
  const changes: Omit<ChangesTable, 'id' | 'batch_id' | 'undone_at'>[] = [];
  const writes: [id: bigint, word: OwnWord][] = [];
  for (const id of new Set(problemIds)) {
    const before = wordOf(rows.get(id));
    const isSolved = status === 'complete';
    const after = { status, at, how: isSolved ? (how ?? before.how) : null };
    if (before.status === status && before.how === after.how) continue;
    writes.push([id, after]);
    changes.push(changeOf(memberId, id, before.status === status ? 'how' : 'status', before, after, at));
  }
  return record(tx, memberId, 'statuses', changes, () => writeWords(tx, memberId, rows, writes));
}

/** Bookmarks problems, or takes their bookmarks away with the notes. */
export async function setBookmarks(
  tx: Db,
  memberId: bigint,
  problemIds: readonly bigint[],
  isBookmarked: boolean,
): Promise<Marked> {
  const rows = await bookmarksOf(tx, memberId, problemIds);
  const at = new Date().toISOString();
  const writes = [...new Set(problemIds)]
    .filter((id) => rows.has(id) !== isBookmarked)
    .map((id) => [id, isBookmarked ? { note: null, created_at: at, updated_at: at } : null] as const);
  const changes = writes.map(([id, after]) =>
    changeOf(memberId, id, 'bookmark', bookmarkOf(rows.get(id)), after, at),
  );
  return record(tx, memberId, 'bookmarks', changes, () => writeBookmarks(tx, memberId, rows, writes));
}

/** Writes the note of a problem, which is bookmarked by it; an empty one takes the note away and keeps the bookmark. */
export async function setNote(tx: Db, memberId: bigint, problemId: bigint, text: string): Promise<Marked> {
  const rows = await bookmarksOf(tx, memberId, [problemId]);
  const before = bookmarkOf(rows.get(problemId));
  const note = text === '' ? null : text;
  if ((before?.note ?? null) === note) return { batch: undefined, changed: 0 };
  const at = new Date().toISOString();
  const after = { note, created_at: before?.created_at ?? at, updated_at: at };
  const change = changeOf(memberId, problemId, 'note', before, after, at);
  return record(tx, memberId, 'bookmarks', [change], () =>
    writeBookmarks(tx, memberId, rows, [[problemId, after]]),
  );
}

/**
 * Undoes a change with all that were made together with it: the rows become exactly what they were. Throws unknownItem where
 * the member has no such change, preconditionFailed where a later change stands on it.
 */
export async function undo(tx: Db, memberId: bigint, changeId: bigint): Promise<Marked> {
  const batch = await listBatchOf(tx, memberId, changeId);
  if (batch.length === 0) throw new AppError('unknownItem', 'There is no such change of yours.');
  const open = batch.filter((change) => change.undone_at === null);
  if (open.length === 0) return { batch: undefined, changed: 0 };
  const isWord = ({ kind }: ChangesTable) => kind === 'status' || kind === 'how';
  const words = open.filter(isWord);
  const marks = open.filter((change) => !isWord(change));
  if (words.length > 0) {
    const found = await findStatusPairs(tx, memberId, words.map(problemOf));
    const rows = new Map(found.map((row) => [row.problem_id, row]));
    assertUnchanged(words, (id) => wordOf(rows.get(id)));
    const writes = words.map((change) => [change.problem_id, JSON.parse(change.before) as OwnWord] as const);
    await writeWords(tx, memberId, rows, writes);
    await bumpRevisions(tx, ['statuses', `statuses:${memberId}`]);
  }
  if (marks.length > 0) {
    const rows = await bookmarksOf(tx, memberId, marks.map(problemOf));
    assertUnchanged(marks, (id) => bookmarkOf(rows.get(id)));
    const writes = marks.map(
      (change) => [change.problem_id, JSON.parse(change.before) as OwnBookmark] as const,
    );
    await writeBookmarks(tx, memberId, rows, writes);
    await bumpRevisions(tx, ['bookmarks', `bookmarks:${memberId}`]);
  }
  await noteUndone(
    tx,
    open.map(({ id }) => id),
    new Date().toISOString(),
  );
  return { batch: open[0]?.batch_id, changed: open.length };
}

const problemOf = ({ problem_id }: ChangesTable) => problem_id;

function assertUnchanged(changes: readonly ChangesTable[], now: (problemId: bigint) => unknown): void {
  const isSame = changes.every((change) => JSON.stringify(now(change.problem_id)) === change.after);
  if (isSame) return;
  throw new AppError(
    'preconditionFailed',
    'This was changed again since, and nothing was undone; undo the later change first.',
  );
}

async function record(
  tx: Db,
  memberId: bigint,
  table: 'statuses' | 'bookmarks',
  changes: readonly Omit<ChangesTable, 'id' | 'batch_id' | 'undone_at'>[],
  write: () => Promise<void>,
): Promise<Marked> {
  if (changes.length === 0) return { batch: undefined, changed: 0 };
  await write();
  const batch = await insertChanges(tx, changes);
  await bumpRevisions(tx, [table, `${table}:${memberId}`]);
  return { batch, changed: changes.length };
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

function shownOf(row: StatusesTable | undefined): State {
  return row?.self_status ?? row?.judge_status ?? 'not_started';
}

/** Writes the member's own words; a row of which neither word is left goes. */
async function writeWords(
  tx: Db,
  memberId: bigint,
  rows: ReadonlyMap<bigint, StatusesTable>,
  words: readonly (readonly [id: bigint, word: OwnWord])[],
): Promise<void> {
  const added: StatusesTable[] = [];
  const empty: bigint[] = [];
  for (const [problem_id, { status, at, how }] of words) {
    const row = rows.get(problem_id);
    const next = {
      ...(row ?? { user_id: memberId, problem_id, judge_status: null, judge_at: null }),
      self_status: status,
      self_at: at,
      how,
    };
    if (status === null && next.judge_status === null) empty.push(problem_id);
    else if (row) await updateStatus(tx, next);
    else added.push(next);
  }
  await insertStatuses(tx, added);
  await deletePairs(tx, 'statuses', memberId, empty);
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

async function bookmarksOf(tx: Db, memberId: bigint, problemIds: readonly bigint[]) {
  const found = await findBookmarks(tx, memberId, problemIds);
  return new Map(found.map((row) => [row.problem_id, row]));
}

function bookmarkOf(row: BookmarksTable | undefined): OwnBookmark {
  return row ? { note: row.note, created_at: row.created_at, updated_at: row.updated_at } : null;
}
