/**
 * Two problems that turn out to be one: twins of a judge, and problems that members added. All that members have on the one goes to
 * the other. Two rows of one member become one.
 */
import type { BookmarksTable } from '../store/bookmarks.ts';
import {
  findBookmarks,
  insertBookmarks,
  listBookmarksOfProblem,
  updateBookmark,
} from '../store/bookmarks.ts';
import { movePlaces } from '../store/contests.ts';
import { deleteProblem, listOf, type ProblemRow, updateProblem } from '../store/problems.ts';
import { listOwnersOf, moveRows } from '../store/removed-problems.ts';
import { listSendersTo } from '../store/solves.ts';
import type { StatusesTable } from '../store/statuses.ts';
import {
  findStatusPairs,
  insertStatuses,
  listStatusPairsOfProblem,
  updateStatus,
} from '../store/statuses.ts';
import type { Db } from '../store/tables.ts';
import { byProblem, furtherWord } from './settling.ts';

type Words = Omit<StatusesTable, 'user_id' | 'problem_id'>;

/** One row for the words of both: the further one of the member, and of the judge. */
function mergedWords(kept: Words, dropped: Words): Words {
  const [self_status, self_at] = furtherWord(
    [kept.self_status, kept.self_at],
    [dropped.self_status, dropped.self_at],
  );
  const [judge_status, judge_at] = furtherWord(
    [kept.judge_status, kept.judge_at],
    [dropped.judge_status, dropped.judge_at],
  );
  const [overtaken_status, overtaken_at] = furtherWord(
    [kept.overtaken_status, kept.overtaken_at],
    [dropped.overtaken_status, dropped.overtaken_at],
  );
  const listed_by = kept.listed_by ?? dropped.listed_by;
  const judge = { judge_status, judge_at, overtaken_status, overtaken_at, listed_by };
  return { self_status, self_at, ...judge, how: kept.how ?? dropped.how };
}

type Bookmark = Omit<BookmarksTable, 'user_id' | 'problem_id'>;

/** Starred since the first star of the two. */
function mergedBookmark(kept: Bookmark, dropped: Bookmark): Bookmark {
  const starred = [kept, dropped].filter(({ is_starred }) => is_starred === 1n);
  const [since = ''] = (starred.length > 0 ? starred : [kept, dropped])
    .map((one) => one.created_at)
    .toSorted();
  const [editorial_at = null] = [kept.editorial_at, dropped.editorial_at]
    .filter((at) => at !== null)
    .toSorted();
  return {
    note: joinNotes(kept.note, dropped.note),
    created_at: since,
    updated_at: kept.updated_at > dropped.updated_at ? kept.updated_at : dropped.updated_at,
    is_starred: starred.length > 0 ? 1n : 0n,
    editorial_at,
  };
}

/** Both notes, or the first alone where it holds the other in whole lines. */
function joinNotes(one: string | null, other: string | null): string | null {
  if (!one || !other) return one || other;
  return `\n${one}\n`.includes(`\n${other}\n`) ? one : `${one}\n${other}`;
}

/** Copies the rows of one problem to another; answers the members whose rows they are. */
async function movePairs<R extends { user_id: bigint; problem_id: bigint }>(
  tx: Db,
  [keptId, droppedId]: readonly [bigint, bigint],
  rows: {
    list(db: Db, problemId: bigint): Promise<R[]>;
    find(db: Db, userId: bigint, ids: readonly bigint[]): Promise<R[]>;
    insert(tx: Db, rows: readonly R[]): Promise<unknown>;
    update(tx: Db, row: R): Promise<void>;
    merge(kept: R, dropped: R): object;
  },
): Promise<bigint[]> {
  const dropped = await rows.list(tx, droppedId);
  for (const row of dropped) {
    const moved = { ...row, problem_id: keptId };
    const own = byProblem(await rows.find(tx, row.user_id, [keptId])).get(keptId);
    if (own) await rows.update(tx, { ...moved, ...rows.merge(own, row) });
    else await rows.insert(tx, [moved]);
  }
  return dropped.map(({ user_id }) => user_id);
}

/** The members who had a status, a bookmark, or submissions, reviews and timers of the problem that is gone. */
interface MergedMembers {
  statuses: readonly bigint[];
  bookmarks: readonly bigint[];
  solves: readonly bigint[];
}

/**
 * Merges one problem into another. Its keys become aliases where both are of one judge. The caller settles the members of whom it
 * is told, and bumps the revisions.
 */
export async function mergeInto(
  tx: Db,
  kept: ProblemRow,
  dropped: ProblemRow,
  now: string,
): Promise<{ row: ProblemRow; members: MergedMembers }> {
  const ids = [kept.id, dropped.id] as const;
  const statuses = await movePairs<StatusesTable>(tx, ids, {
    list: listStatusPairsOfProblem,
    find: findStatusPairs,
    insert: insertStatuses,
    update: updateStatus,
    merge: mergedWords,
  });
  const bookmarks = await movePairs<BookmarksTable>(tx, ids, {
    list: listBookmarksOfProblem,
    find: findBookmarks,
    insert: insertBookmarks,
    update: updateBookmark,
    merge: mergedBookmark,
  });
  const senders = await listSendersTo(tx, dropped.id);
  const reviewers = await listOwnersOf(tx, 'reviews', dropped.id);
  const timing = await listOwnersOf(tx, 'timers', dropped.id);
  await moveRows(tx, dropped.id, kept.id);
  await movePlaces(tx, dropped.id, kept.id);
  await deleteProblem(tx, dropped);
  const row = {
    ...(kept.source === dropped.source
      ? withAliases(kept, [dropped.source_key, ...listOf(dropped.aliases)], now)
      : { ...kept, updated_at: now }),
    editorial_url: kept.editorial_url ?? dropped.editorial_url,
    video_url: kept.video_url ?? dropped.video_url,
  };
  await updateProblem(tx, kept, row);
  return {
    row,
    members: { statuses, bookmarks, solves: [...new Set([...senders, ...reviewers, ...timing])] },
  };
}

export function withAliases(row: ProblemRow, keys: readonly string[], now: string): ProblemRow {
  const aliases = [...new Set([...listOf(row.aliases), ...keys])]
    .filter((key) => key !== row.source_key)
    .toSorted();
  return { ...row, aliases: JSON.stringify(aliases), updated_at: now };
}
