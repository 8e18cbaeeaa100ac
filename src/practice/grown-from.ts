/** From which problems a plant grew: those of its topic, or of its list, that the member completed. */
import { type Completion, listCompleted } from '../store/completions.ts';
import { listCompletedOfList } from '../store/list-completions.ts';
import { findProblemsByIds, type ProblemRow } from '../store/problems.ts';
import type { Db } from '../store/tables.ts';
import { type Ground, type GrownPlant, isOf } from './garden.ts';

type Grown = Ground & Pick<GrownPlant, 'list_name' | 'list'>;

/** The problems completed since a moment, the newest first. */
export async function listGrownFrom(
  db: Db,
  memberId: bigint,
  plant: Grown,
  { since, limit }: { since: string; limit: number },
): Promise<(ProblemRow & Completion)[]> {
  const newest = (await completedOf(db, memberId, plant))
    .filter(({ completed_at }) => completed_at >= since)
    .toReversed()
    .slice(0, limit);
  const problems = await problemsOf(db, newest);
  return newest.flatMap((one) => {
    const problem = problems.get(one.problem_id);
    return problem ? [{ ...problem, ...one }] : [];
  });
}

/** The nth problem that a member completed. */
export type NthCompletion = Completion & { nth: number; title: string };

/** The nth problems of those completed, for each of these numbers, of which there are as many. */
export async function findMilestones(
  db: Db,
  memberId: bigint,
  plant: Grown,
  numbers: readonly number[],
): Promise<NthCompletion[]> {
  const all = await completedOf(db, memberId, plant);
  const reached = numbers.flatMap((nth) => {
    const row = all[nth - 1];
    return row ? [{ nth, ...row }] : [];
  });
  const problems = await problemsOf(db, reached);
  return reached.map((row) => ({ ...row, title: problems.get(row.problem_id)?.title ?? '' }));
}

/** The problems of a plant that the member completed, in the order in which they did. */
async function completedOf(db: Db, memberId: bigint, plant: Grown): Promise<Completion[]> {
  if (plant.list_name !== null) return plant.list ? listCompletedOfList(db, memberId, plant.list.id) : [];
  const all = await listCompleted(db, memberId);
  return all
    .filter((problem) => isOf(problem, plant))
    .map(({ problem_id, completed_at }) => ({ problem_id, completed_at }))
    .sort((one, other) =>
      one.completed_at === other.completed_at
        ? Number(one.problem_id - other.problem_id)
        : one.completed_at < other.completed_at
          ? -1
          : 1,
    );
}

async function problemsOf(db: Db, rows: readonly Completion[]) {
  const found = await findProblemsByIds(
    db,
    rows.map(({ problem_id }) => problem_id),
  );
  return new Map(found.map((problem) => [problem.id, problem]));
}
