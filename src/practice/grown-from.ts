/** From which problems a plant grew: those of its topic, or of its list, that the member completed. */
import {
  type Completion,
  findNthCompletions,
  listCompletions,
  type NthCompletion,
} from '../store/completions.ts';
import type { Narrowing } from '../store/garden-tables.ts';
import { listCompletedOfList } from '../store/list-completions.ts';
import { findProblemsByIds } from '../store/problems.ts';
import type { Db } from '../store/tables.ts';
import { type GrownPlant, topicKey } from './garden.ts';

type Ground = Pick<GrownPlant, 'tag' | 'list_name' | 'list' | keyof Narrowing>;

/** The problems completed since a moment, the newest first. */
export async function listGrownFrom(
  db: Db,
  memberId: bigint,
  plant: Ground,
  { since, limit }: { since: string; limit: number },
): Promise<Completion[]> {
  if (plant.list_name === null) return listCompletions(db, memberId, soilOf(plant), { since, limit });
  const all = await ofList(db, memberId, plant);
  const newest = all
    .filter(({ completed_at }) => completed_at >= since)
    .toReversed()
    .slice(0, limit);
  const problems = await problemsOf(db, newest);
  return newest.flatMap(({ problem_id, completed_at }) => {
    const problem = problems.get(problem_id);
    return problem ? [{ ...problem, completed_at }] : [];
  });
}

/** The nth problems of those completed, for each of these numbers, of which there are as many. */
export async function findMilestones(
  db: Db,
  memberId: bigint,
  plant: Ground,
  numbers: readonly number[],
): Promise<NthCompletion[]> {
  if (plant.list_name === null) return findNthCompletions(db, memberId, soilOf(plant), numbers);
  const all = await ofList(db, memberId, plant);
  const reached = numbers.flatMap((nth) => {
    const row = all[nth - 1];
    return row ? [{ nth, ...row }] : [];
  });
  const problems = await problemsOf(db, reached);
  return reached.map((row) => ({ ...row, title: problems.get(row.problem_id)?.title ?? '' }));
}

const soilOf = (plant: Ground) => ({ ...plant, tag: topicKey(plant) });

async function ofList(db: Db, memberId: bigint, { list }: Ground) {
  return list ? listCompletedOfList(db, memberId, list.id) : [];
}

async function problemsOf(db: Db, rows: readonly { problem_id: bigint }[]) {
  const found = await findProblemsByIds(
    db,
    rows.map(({ problem_id }) => problem_id),
  );
  return new Map(found.map((problem) => [problem.id, problem]));
}
