/** Deletes problems of private contests (gyms), which came with submissions, when nobody uses them any more. */
import { findAddedProblem, listProblemsUsedByOthers } from '../store/added-problems.ts';
import { deleteEmptyContests, listContestsOfProblem } from '../store/contests.ts';
import { deleteProblem, findProblemsByIds } from '../store/problems.ts';
import { bumpRevisions } from '../store/revisions.ts';
import type { Db } from '../store/tables.ts';

/** A problem that somebody added by its link stays. */
export async function deleteUnusedGymProblems(tx: Db, problemIds: readonly bigint[]): Promise<void> {
  const rows = (await findProblemsByIds(tx, problemIds)).filter(({ is_gym }) => is_gym === 1n);
  const used = await listProblemsUsedByOthers(
    tx,
    rows.map(({ id }) => id),
    null,
  );
  const contestsBySource = new Map<string, Set<string>>();
  let hasChanged = false;
  for (const row of rows) {
    if (used.has(row.id) || (await findAddedProblem(tx, row.id))) continue;
    for (const { source, contest } of await listContestsOfProblem(tx, { problemId: row.id }))
      contestsBySource.set(source, (contestsBySource.get(source) ?? new Set()).add(contest));
    await deleteProblem(tx, row);
    hasChanged = true;
  }
  for (const [source, contests] of contestsBySource) await deleteEmptyContests(tx, source, [...contests]);
  if (hasChanged) await bumpRevisions(tx, ['problems']);
}
