/** Staff remove a problem that does not belong here, or merge it into the one that it is. Both can be undone for a day. */
import { refused } from '../errors.ts';
import { findBookmarks, updateBookmark } from '../store/bookmarks.ts';
import { takePlaces } from '../store/contests.ts';
import {
  deleteProblem,
  findProblemsByIds,
  findProblemsByKeys,
  insertProblems,
  listOf,
  type MarkedProblem,
  updateProblem,
} from '../store/problems.ts';
import {
  deleteMoved,
  deleteRemoved,
  findRemoved,
  forgetRemoved,
  fromJson,
  insertRemoved,
  insertSnapshot,
  readSnapshot,
  type Snapshot,
  toJson,
} from '../store/removed-problems.ts';
import { bumpRevisions } from '../store/revisions.ts';
import { deleteRowsOn } from '../store/rows.ts';
import { listSendersTo } from '../store/solves.ts';
import { findStatusPairs, updateStatus } from '../store/statuses.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { dayMs } from './days.ts';
import { mergeInto } from './merging.ts';
import { byProblem, following, judgesWords, settle, settleSubmissions, type Word } from './settling.ts';

/** The snapshots of both problems: of the one that went, and of the one into which it was merged. */
interface Before {
  dropped: Snapshot;
  kept?: Snapshot;
  /** The judge's words that submissions said, of members with a status on the one that went; earlier versions kept none. */
  said?: { user_id: bigint; problem_id: bigint; word: Word }[];
}

/** Removals since this moment can be taken back. */
export const undoneSince = () => new Date(Date.now() - dayMs).toISOString();

async function keep(tx: Db, problem: MarkedProblem, kept?: MarkedProblem): Promise<Before> {
  const before: Before = {
    dropped: await readSnapshot(tx, stored(problem)),
    ...(kept && { kept: await readSnapshot(tx, stored(kept)) }),
    said: [],
  };
  const ids = [problem.id, ...(kept ? [kept.id] : [])];
  for (const { user_id } of before.dropped.rows.statuses)
    for (const [problem_id, word] of await judgesWords(tx, user_id, ids))
      if (word) before.said?.push({ user_id, problem_id, word });
  const { id, source, source_key, title } = problem;
  await forgetRemoved(tx, undoneSince());
  await insertRemoved(tx, {
    ...{ id, source, source_key, title, merged_into: kept?.id ?? null },
    before: toJson(before),
    removed_at: new Date().toISOString(),
  });
  return before;
}

/** A snapshot keeps the shown columns; the others follow from them. */
const stored = (problem: MarkedProblem) => ({ ...problem, search_text: '', is_sample: 0n });

/** Everybody who has anything on a problem. */
async function membersOf(tx: Db, { problem, rows }: Snapshot): Promise<Set<bigint>> {
  const marked = [
    ...rows.statuses,
    ...rows.bookmarks,
    ...rows.changes,
    ...rows.reviews,
    ...(rows.timers ?? []),
  ];
  return new Set([...marked.map(({ user_id }) => user_id), ...(await listSendersTo(tx, problem.id))]);
}

async function settleAll(
  tx: Db,
  members: Iterable<bigint>,
  problemIds: readonly bigint[],
  said?: Before['said'],
): Promise<void> {
  for (const userId of members) {
    if (said) await settleSince(tx, userId, problemIds, said);
    else if (problemIds.length > 0) await settle(tx, userId, problemIds);
    await bumpRevisions(tx, ['statuses', 'bookmarks', `statuses:${userId}`, `bookmarks:${userId}`]);
  }
  await bumpRevisions(tx, ['problems']);
}

/** Also gives the member's statuses what submissions say now and did not say then. */
async function settleSince(
  tx: Db,
  userId: bigint,
  problemIds: readonly bigint[],
  said: NonNullable<Before['said']>,
): Promise<void> {
  const own = said.filter(({ user_id }) => user_id === userId);
  const before = new Map(own.map(({ problem_id, word }) => [problem_id, word]));
  await settleSubmissions(tx, userId, problemIds, (current, now, id) =>
    following(current, before.get(id), now),
  );
}

async function problemOf(tx: Db, id: bigint): Promise<MarkedProblem> {
  const [problem] = await findProblemsByIds(tx, [id]);
  if (!problem) throw refused('unknownItem.problem');
  return problem;
}

/** Removes a problem with all that anybody has on it. Throws unknownItem. */
export const removeProblem = inTransaction(async (tx: Db, id: bigint): Promise<void> => {
  const problem = await problemOf(tx, id);
  const before = await keep(tx, problem);
  const members = await membersOf(tx, before.dropped);
  await deleteProblem(tx, problem);
  await settleAll(tx, members, []);
});

/** Merges a problem into another. Its address leads there from now on. Throws unknownItem, and badSetting for one and the same. */
export const mergeProblem = inTransaction(async (tx: Db, id: bigint, intoId: bigint): Promise<void> => {
  if (id === intoId) throw refused('badSetting.sameProblem');
  const [problem, into] = [await problemOf(tx, id), await problemOf(tx, intoId)];
  const before = await keep(tx, problem, into);
  const members = await membersOf(tx, before.dropped);
  await mergeInto(tx, into, problem, new Date().toISOString());
  await settleAll(tx, members, [intoId]);
});

/**
 * Takes back what was done to a problem within the last day. What a member has changed since on the other problem stays there.
 * Throws unknownItem where nothing can be taken back, preconditionFailed where its name was given to another problem since.
 */
export const restoreProblem = inTransaction(async (tx: Db, id: bigint): Promise<void> => {
  const removed = await findRemoved(tx, id);
  if (!removed || removed.before === '' || removed.removed_at < undoneSince())
    throw refused('unknownItem.removedProblem');
  const { dropped, kept, said } = fromJson(removed.before) as Before;
  const { search_text: _, is_sample: __, is_gym, ...problem } = dropped.problem;
  if (kept) await separate(tx, dropped, kept, removed.removed_at);
  const keys = [problem.source_key, ...listOf(problem.aliases)];
  if ((await findProblemsByKeys(tx, problem.source, keys)).length > 0)
    throw refused('preconditionFailed.keyTaken');
  await insertProblems(tx, [problem], () => is_gym === 1n);
  await takePlaces(tx, problem, keys);
  await insertSnapshot(tx, dropped);
  await deleteRemoved(tx, id);
  const members = await membersOf(tx, dropped);
  await settleAll(tx, members, [id, ...(kept ? [kept.problem.id] : [])], said);
});

/** Gives the other problem back what it had before, as far as nobody has changed it since. */
async function separate(tx: Db, dropped: Snapshot, before: Snapshot, mergedAt: string): Promise<void> {
  const { id } = before.problem;
  const now = await problemOf(tx, id);
  const names = new Set([dropped.problem.source_key, ...listOf(dropped.problem.aliases)]);
  const aliases = listOf(now.aliases).filter((key) => !names.has(key));
  if (now.source === dropped.problem.source)
    await updateProblem(tx, now, { ...now, aliases: JSON.stringify(aliases) });
  await deleteMoved(tx, dropped, before);
  for (const { user_id } of dropped.rows.statuses) {
    const own = before.rows.statuses.find((row) => row.user_id === user_id);
    const present = byProblem(await findStatusPairs(tx, user_id, [id])).get(id);
    if ((present?.self_at ?? '') > mergedAt) continue;
    if (own) await updateStatus(tx, own);
    else await deleteRowsOn(tx, 'statuses', user_id, [id]);
  }
  for (const { user_id } of dropped.rows.bookmarks) {
    const own = before.rows.bookmarks.find((row) => row.user_id === user_id);
    const present = byProblem(await findBookmarks(tx, user_id, [id])).get(id);
    if ((present?.updated_at ?? '') > mergedAt) continue;
    if (own) await updateBookmark(tx, own);
    else await deleteRowsOn(tx, 'bookmarks', user_id, [id]);
  }
}
