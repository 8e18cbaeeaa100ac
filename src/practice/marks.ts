/**
 * What members mark on the website: status, how they solved it, bookmark and note. Every change is a row of history, and a
 * change can be undone as long as no later one stands on it (WEBSITE §4).
 */
import { AppError } from '../errors.ts';
import { insertChanges, type NewChange } from '../store/changes.ts';
import { bumpRevisions, type RevisionScope } from '../store/revisions.ts';
import type { BookmarksTable, ChangesTable, Db, How, State, StatusesTable } from '../store/tables.ts';
import { bookmarkRows, type OwnWord, wordRows } from './mark-rows.ts';
import { portions } from './settling.ts';

/** What happened: the batch to undo, and how many problems it changed. */
export interface Marked {
  batch: bigint | undefined;
  changed: number;
}

/** What pages showed of problems when their forms were made, by problem; see `versionOf` and `bookmarkVersionOf`. */
export type Seen = ReadonlyMap<bigint, string>;

/** What a page showed of a status when its form was made; a change that was made meanwhile makes it differ. */
export function versionOf(row: Pick<StatusesTable, 'self_at' | 'judge_at' | 'how'> | undefined): string {
  return `${timePart(row?.self_at)}.${timePart(row?.judge_at)}.${row?.how ?? ''}`;
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
    super('preconditionFailed', 'This was changed in another tab. Nothing was saved; reload the page.');
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

/** Whether it is marked so by the member. Of what nobody says anything of, nobody need say that it is not started. */
export function isMarked(row: StatusesTable | undefined, status: State): boolean {
  const { self_status = null, judge_status = null } = row ?? {};
  return (self_status ?? (judge_status === null ? 'not_started' : null)) === status;
}

/** Whether it shows this status, and nothing else of how it was solved, whoever says so. */
function isShown(row: StatusesTable | undefined, status: State, how: How | undefined): boolean {
  const { self_status = null, judge_status = null } = row ?? {};
  const shown = self_status ?? judge_status ?? 'not_started';
  return shown === status && (how === undefined || row?.how === how);
}

/** Sets the member's word on these problems. Throws Overtaken. */
export function setStatus(tx: Db, { memberId, problemIds, status, how, seen }: Mark): Promise<Marked> {
  const at = new Date().toISOString();
  return inParts(tx, ['statuses', `statuses:${memberId}`], problemIds, async (ids) => {
    const rows = await wordRows.find(tx, memberId, ids);
    // Where it is so already, by another tab or the judge, there is nothing to decide.
    const others = ids.filter((id) => !isShown(rows.get(id), status, how));
    refuseOvertaken(others, seen, (id) => versionOf(rows.get(id)));
    const changes: NewChange[] = [];
    const writes: [id: bigint, word: OwnWord][] = [];
    for (const id of ids) {
      const before = wordRows.ownOf(rows.get(id));
      const isSame = isMarked(rows.get(id), status);
      const nextHow = status === 'complete' ? (how ?? before.how) : null;
      // To say how a problem was solved is not to solve it again: the day on which it was solved stays.
      const after = { status, at: isSame ? before.at : at, how: nextHow };
      if (isSame && before.how === nextHow) continue;
      writes.push([id, after]);
      const kind = isSame ? 'how' : 'status';
      // The judge's word is kept for the eye alone: undoing leaves it as it is.
      const judge = rows.get(id)?.judge_status ?? null;
      changes.push(changeOf(memberId, id, kind, { ...before, judge }, after, at));
    }
    await wordRows.write(tx, memberId, rows, writes);
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
    const rows = await bookmarkRows.find(tx, memberId, ids);
    const others = ids.filter((id) => rows.has(id) !== isBookmarked);
    // A note that was written meanwhile must not go with the bookmark.
    refuseOvertaken(others, seen, (id) => bookmarkVersionOf(rows.get(id)));
    const after = isBookmarked ? { note: null, created_at: at, updated_at: at } : null;
    await bookmarkRows.write(
      tx,
      memberId,
      rows,
      others.map((id) => [id, after] as const),
    );
    return others.map((id) =>
      changeOf(memberId, id, 'bookmark', bookmarkRows.ownOf(rows.get(id)), after, at),
    );
  });
}

/** The longest note, in characters, at every door. */
export const longestNote = 10_000;

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
    const rows = await bookmarkRows.find(tx, memberId, ids);
    const before = bookmarkRows.ownOf(rows.get(problemId));
    const note = text === '' ? null : text;
    if ((before?.note ?? null) === note) return [];
    refuseOvertaken(ids, seen, (id) => bookmarkVersionOf(rows.get(id)));
    const after = { note, created_at: before?.created_at ?? at, updated_at: at };
    await bookmarkRows.write(tx, memberId, rows, [[problemId, after]]);
    return [changeOf(memberId, problemId, 'note', before, after, at)];
  });
}

function refuseOvertaken(ids: readonly bigint[], seen: Seen | undefined, now: (id: bigint) => string): void {
  const overtaken = ids.filter((id) => (seen?.get(id) ?? now(id)) !== now(id));
  if (overtaken.length > 0) throw new Overtaken(overtaken);
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
  for await (const ids of portions([...new Set(problemIds)])) {
    const changes = await change(ids);
    batch = await insertChanges(tx, changes, batch);
    changed += changes.length;
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
