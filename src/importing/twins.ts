/** Twins: one problem under several keys of its judge. All keys come to name one problem, and one solve counts once. */
import { phrase } from '../errors.ts';
import type { TwinKeys } from '../judges/judge.ts';
import { isGym } from '../judges/judges.ts';
import { mergeInto, withAliases } from '../practice/merging.ts';
import { findProblemsByKeys, listOf, type ProblemRow, updateProblem } from '../store/problems.ts';
import type { Applying, Sink } from './import.ts';
import { settleProblems } from './problems.ts';

/** New counts aliases, changed the merged problems, kept the keys in place, unmatched the keys without a known problem. */
export function twinSink(applying: Applying, source: string): Sink<TwinKeys> {
  const { tx, now, count } = applying;
  const groups = new Map<string, Set<string>>();
  let hasNewNames = false;
  let merged = 0;
  let further = 0;
  return {
    take: async (entries) => {
      for (const { value } of entries) unite(groups, value);
    },
    finish: async () => {
      const found = await findProblemsByKeys(tx, source, [...groups.keys()]);
      // A known problem with names in two groups makes them one.
      for (const rows of Map.groupBy(found, ({ id }) => id).values()) {
        const names = rows.map(({ key }) => key);
        unite(groups, names);
      }
      const byKey = new Map<string, ProblemRow>(found.map(({ key, is_sample: _, ...row }) => [key, row]));
      for (const group of new Set(groups.values())) await settle([...group], byKey);
      if (hasNewNames) await settleProblems(applying, [source]);
      if (merged + further > 0) applying.note(phrase('imported.merged', { merged, further }));
    },
  };

  async function settle(keys: readonly string[], byKey: ReadonlyMap<string, ProblemRow>): Promise<void> {
    const found = keys.map((key) => byKey.get(key)).filter((row) => row !== undefined);
    const byId = new Map(found.map((row) => [row.id, row]));
    const [first, ...others] = [...byId.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    if (!first) {
      for (const key of keys)
        count('unmatched', () => `${source} ${key}: none of its twins is a known problem`);
      return;
    }
    let kept = first;
    for (const dropped of others) {
      kept = await merge(applying, kept, dropped);
      hasNewNames = true;
      merged++;
      count('changed', () => `${source} ${dropped.source_key} merged into ${first.source_key}`);
    }
    const names = new Set([kept.source_key, ...listOf(kept.aliases)]);
    const added = keys.filter((key) => !names.has(key));
    for (const key of keys)
      count(names.has(key) ? 'kept' : 'new', () => `${source} ${key} is ${first.source_key}`);
    further += added.length;
    if (added.length === 0) return;
    hasNewNames = true;
    await updateProblem(tx, kept, withAliases(kept, added, now), isGym);
    applying.changed('problems');
  }
}

/** Makes the problems of two keys one: that of the first stays. */
export async function mergeProblems(
  applying: Applying,
  source: string,
  [key, other]: readonly [string, string],
): Promise<void> {
  const found = await findProblemsByKeys(applying.tx, source, [key, other]);
  const [kept, dropped] = [key, other].map((name) => found.find((row) => row.key === name));
  if (kept && dropped && kept.id !== dropped.id) await merge(applying, kept, dropped);
}

/** Merges the dropped problem into the kept one. */
async function merge(applying: Applying, kept: ProblemRow, dropped: ProblemRow): Promise<ProblemRow> {
  const { row, members } = await mergeInto(applying.tx, kept, dropped, applying.now);
  for (const userId of members.statuses) applying.changed('statuses', userId);
  for (const userId of members.bookmarks) applying.changed('bookmarks', userId);
  for (const userId of [...members.statuses, ...members.solves]) applying.followed.solves(userId, [kept.id]);
  applying.changed('problems');
  return row;
}

/** Joins the keys and the groups of each key into one group. */
function unite(groupOfKey: Map<string, Set<string>>, keys: readonly string[]): void {
  const group = new Set(keys);
  for (const key of keys) for (const other of groupOfKey.get(key) ?? []) group.add(other);
  for (const key of group) groupOfKey.set(key, group);
}
