/** Twins: one problem under several keys of its judge. All keys come to name one problem, and one solve counts once. */
import type { TwinGroup } from '../judges/judge.ts';
import { furtherWord } from '../practice/states.ts';
import { insertBookmarks, listBookmarksOfProblem, updateBookmark } from '../store/bookmarks.ts';
import { listOf } from '../store/problem-names.ts';
import { deleteProblem, findProblemsByKeys, type ProblemRow, updateProblem } from '../store/problems.ts';
import { insertStatuses, listStatusPairsOfProblem, updateStatus } from '../store/statuses.ts';
import type { BookmarksTable, StatusesTable } from '../store/tables.ts';
import type { Applying, Sink } from './import.ts';

/** New: aliases added. Changed: problems folded into their twin. Kept: keys in place already. Unmatched: keys of no known problem. */
export function twinSink(applying: Applying): Sink<TwinGroup> {
  const { tx, now, count } = applying;
  const unions = new Map<string, Map<string, Set<string>>>();
  return {
    take: async (entries) => {
      for (const { value } of entries) {
        const ofSource = unions.get(value.source) ?? new Map<string, Set<string>>();
        unions.set(value.source, ofSource);
        unite(ofSource, value.keys);
      }
    },
    finish: async () => {
      for (const [source, groups] of unions) {
        const found = await findProblemsByKeys(tx, source, [...groups.keys()]);
        const idOfKey = new Map(found.map((row) => [row.key, row.id]));
        const byId = new Map<bigint, ProblemRow>(
          found.map(({ key: _key, is_sample: _sample, ...row }) => [row.id, row]),
        );
        // Two groups are one where a known problem has names in both, though the file never says so.
        for (const names of Map.groupBy(found, (row) => row.id).values()) {
          unite(
            groups,
            names.map((row) => row.key),
          );
        }
        for (const group of new Set(groups.values())) await settleGroup(source, [...group], idOfKey, byId);
      }
    },
  };

  async function settleGroup(
    source: string,
    keys: readonly string[],
    idOfKey: Map<string, bigint>,
    byId: Map<bigint, ProblemRow>,
  ): Promise<void> {
    const ids = [...new Set(keys.map((key) => idOfKey.get(key)).filter((id) => id !== undefined))];
    const [keepId, ...dropIds] = ids.toSorted((a, b) => (a < b ? -1 : 1));
    let keep = keepId === undefined ? undefined : byId.get(keepId);
    if (!keep) {
      for (const key of keys)
        count('unmatched', () => `${source} ${key}: none of its twins is a known problem`);
      return;
    }
    for (const id of dropIds) {
      const drop = byId.get(id);
      if (!drop) continue;
      keep = await fold(keep, drop);
      const { source_key } = keep;
      count('changed', () => `${source} ${drop.source_key} folded into ${source_key}`);
    }
    const own = keep;
    const names = new Set([own.source_key, ...listOf(own.aliases)]);
    const added = keys.filter((key) => !names.has(key));
    for (const key of keys) {
      const outcome = added.includes(key) ? 'new' : 'kept';
      count(outcome, () => `${source} ${key} is ${own.source_key}`);
    }
    if (added.length === 0) return;
    await updateProblem(tx, own, withAliases(own, added));
    applying.changed('problems');
  }

  function withAliases(row: ProblemRow, keys: readonly string[]): ProblemRow {
    const aliases = [...new Set([...listOf(row.aliases), ...keys])].toSorted();
    return { ...row, aliases: JSON.stringify(aliases), updated_at: now };
  }

  /** Makes `drop` a name of `keep`: what members said of either is kept once, the further status, the earlier date. */
  async function fold(keep: ProblemRow, drop: ProblemRow): Promise<ProblemRow> {
    const statuses = mergeByMember(
      await listStatusPairsOfProblem(tx, keep.id),
      await listStatusPairsOfProblem(tx, drop.id),
      mergeStatus,
    );
    const bookmarks = mergeByMember(
      await listBookmarksOfProblem(tx, keep.id),
      await listBookmarksOfProblem(tx, drop.id),
      mergeBookmark,
    );
    await deleteProblem(tx, drop);
    const next = {
      ...withAliases(keep, [drop.source_key, ...listOf(drop.aliases)]),
      editorial_url: keep.editorial_url ?? drop.editorial_url,
      video_url: keep.video_url ?? drop.video_url,
    };
    await updateProblem(tx, keep, next);
    for (const row of statuses.changed) await updateStatus(tx, row);
    await insertStatuses(
      tx,
      statuses.moved.map((row) => ({ ...row, problem_id: keep.id })),
    );
    for (const row of bookmarks.changed) await updateBookmark(tx, row);
    await insertBookmarks(
      tx,
      bookmarks.moved.map((row) => ({ ...row, problem_id: keep.id })),
    );
    applying.changed('problems');
    for (const { user_id } of [...statuses.changed, ...statuses.moved]) {
      applying.changed('statuses');
      applying.changed(`statuses:${user_id}`);
    }
    for (const { user_id } of [...bookmarks.changed, ...bookmarks.moved]) {
      applying.changed('bookmarks');
      applying.changed(`bookmarks:${user_id}`);
    }
    return next;
  }
}

/** Puts all keys into one group, together with the groups that any of them is in already. */
function unite(groupOfKey: Map<string, Set<string>>, keys: readonly string[]): void {
  const group = new Set(keys);
  for (const key of keys) for (const other of groupOfKey.get(key) ?? []) group.add(other);
  for (const key of group) groupOfKey.set(key, group);
}

/** Rows of the dropped problem against those of the kept one: which kept rows change, and which rows move over. */
function mergeByMember<R extends { user_id: bigint }>(
  kept: readonly R[],
  dropped: readonly R[],
  merge: (kept: R, dropped: R) => R,
): { changed: R[]; moved: R[] } {
  const byMember = new Map(kept.map((row) => [row.user_id, row]));
  const changed: R[] = [];
  const moved: R[] = [];
  for (const row of dropped) {
    const own = byMember.get(row.user_id);
    if (own) changed.push(merge(own, row));
    else moved.push(row);
  }
  return { changed, moved };
}

function mergeStatus(kept: StatusesTable, dropped: StatusesTable): StatusesTable {
  const [self_status, self_at] = furtherWord(
    [kept.self_status, kept.self_at],
    [dropped.self_status, dropped.self_at],
  );
  const [judge_status, judge_at] = furtherWord(
    [kept.judge_status, kept.judge_at],
    [dropped.judge_status, dropped.judge_at],
  );
  return { ...kept, self_status, self_at, judge_status, judge_at };
}

function mergeBookmark(kept: BookmarksTable, dropped: BookmarksTable): BookmarksTable {
  return {
    ...kept,
    note: joinNotes(kept.note, dropped.note),
    created_at: kept.created_at < dropped.created_at ? kept.created_at : dropped.created_at,
    updated_at: kept.updated_at > dropped.updated_at ? kept.updated_at : dropped.updated_at,
  };
}

/** Both notes, or the first alone where it holds the other in whole lines. */
function joinNotes(one: string | null, other: string | null): string | null {
  if (!one || !other) return one || other;
  return `\n${one}\n`.includes(`\n${other}\n`) ? one : `${one}\n${other}`;
}
