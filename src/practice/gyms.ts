/** Problems of gyms that came with submissions: they go with the last thing that anybody has on them. */
import { isGym, judgeOf } from '../judges/judges.ts';
import { findAdded, listUsedByOthers } from '../store/added-problems.ts';
import { deleteEmptyContests } from '../store/contests.ts';
import { deleteProblem, findProblemsByIds } from '../store/problems.ts';
import { bumpRevisions } from '../store/revisions.ts';
import type { Db } from '../store/tables.ts';

/** No member has this id. */
const nobody = 0n;

/**
 * Deletes those of these problems that are of gyms and on which nobody has a mark, a submission, a review or a place in a list.
 * One that somebody added by its link stays.
 */
export async function dropUnusedGyms(tx: Db, problemIds: readonly bigint[]): Promise<void> {
  const rows = (await findProblemsByIds(tx, problemIds)).filter(isGym);
  const used = await listUsedByOthers(
    tx,
    rows.map(({ id }) => id),
    nobody,
  );
  const left = new Map<string, Set<string>>();
  for (const row of rows) {
    if (used.has(row.id) || (await findAdded(tx, row.id))) continue;
    await deleteProblem(tx, row);
    const contest = judgeOf(row.source)?.placeOf?.(row.source_key)?.contest;
    if (contest !== undefined) left.set(row.source, (left.get(row.source) ?? new Set()).add(contest));
  }
  for (const [source, contests] of left) await deleteEmptyContests(tx, source, [...contests]);
  if (left.size > 0) await bumpRevisions(tx, ['problems']);
}
