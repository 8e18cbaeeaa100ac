/** Twins: one problem under several keys of its judge. All keys come to name one problem, and one solve counts once. */
import type { TwinKeys } from '../judges/judge.ts';
import { moveChanges } from '../store/changes.ts';
import { counted } from '../store/examination.ts';
import {
  deleteProblem,
  findProblemsByKeys,
  listOf,
  type ProblemRow,
  updateProblem,
} from '../store/problems.ts';
import { listReviewersOf, moveReviews } from '../store/reviews.ts';
import { moveSolves } from '../store/solves.ts';
import { bookmarkPairs } from './bookmarks.ts';
import type { Applying, Sink } from './import.ts';
import { type Pair, type PairKind, pairBatch, pairName } from './pairs.ts';
import { settleProblems } from './problems.ts';
import { statusPairs } from './statuses.ts';

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
      if (merged + further > 0)
        applying.note(`${counted(merged, 'problem')} merged, ${counted(further, 'further key')} known.`);
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
    await updateProblem(tx, kept, withAliases(kept, added, now));
    applying.changed('problems');
  }
}

function withAliases(row: ProblemRow, keys: readonly string[], now: string): ProblemRow {
  const aliases = [...new Set([...listOf(row.aliases), ...keys])].toSorted();
  return { ...row, aliases: JSON.stringify(aliases), updated_at: now };
}

/** Moves the names, statuses, bookmarks, submissions and history of the dropped problem to the kept one. */
async function merge(applying: Applying, kept: ProblemRow, dropped: ProblemRow): Promise<ProblemRow> {
  const { tx, now } = applying;
  await movePairs(applying, statusPairs, kept.id, dropped.id);
  await movePairs(applying, bookmarkPairs, kept.id, dropped.id);
  await moveSolves(tx, dropped.id, kept.id);
  for (const userId of await listReviewersOf(tx, dropped.id)) applying.followed.solves(userId, [kept.id]);
  await moveReviews(tx, dropped.id, kept.id);
  await moveChanges(tx, dropped.id, kept.id);
  await deleteProblem(tx, dropped);
  const merged = {
    ...withAliases(kept, [dropped.source_key, ...listOf(dropped.aliases)], now),
    editorial_url: kept.editorial_url ?? dropped.editorial_url,
    video_url: kept.video_url ?? dropped.video_url,
  };
  await updateProblem(tx, kept, merged);
  applying.changed('problems');
  return merged;
}

/** Copies the rows of the dropped problem to the kept one. Two rows of one member become one. */
async function movePairs<R extends Pair, Given>(
  applying: Applying,
  kind: PairKind<R, Given>,
  keptId: bigint,
  droppedId: bigint,
): Promise<void> {
  const batch = pairBatch({ ...applying, count: () => {} }, kind);
  batch.hold(await kind.listOfProblem(applying.tx, keptId));
  for (const dropped of await kind.listOfProblem(applying.tx, droppedId)) {
    const moved = { ...dropped, problem_id: keptId };
    const own = batch.find(pairName(moved));
    const line = () => '';
    if (own) await batch.change(own, { ...moved, ...kind.merge(own.row, dropped) }, line, true);
    else batch.add(moved, line);
    // The dropped row leaves the answers even if the kept one stays equal, and its submissions move to the kept problem.
    applying.changed(kind.table, dropped.user_id);
    if (kind.table === 'statuses') applying.followed.solves(dropped.user_id, [keptId]);
  }
  await batch.finish();
}

/** Joins the keys and the groups of each key into one group. */
function unite(groupOfKey: Map<string, Set<string>>, keys: readonly string[]): void {
  const group = new Set(keys);
  for (const key of keys) for (const other of groupOfKey.get(key) ?? []) group.add(other);
  for (const key of group) groupOfKey.set(key, group);
}
