/** Picking for a group: problems near its level that nobody in it tried or solved, in an order from a seed. */
import { median } from 'd3-array';
import { listGroupPeople, listProblemsTriedBy } from '../store/groups.ts';
import { listInRatingRange, type RatingRange, shufflePrime } from '../store/problem-lists.ts';
import { findProblemsByIds, type ProblemRow } from '../store/problems.ts';
import type { State } from '../store/statuses.ts';
import type { Db } from '../store/tables.ts';
import { isLargeEnoughToPublish } from './groups.ts';
import { readLevels } from './level.ts';

/** More people change the median little, and each costs a statement. */
const peopleAtMost = 40;
const candidatesAtMost = 5_000;
const batchSize = 100;

const excludedStates = {
  tried: ['practicing', 'complete', 'skipped'],
  solved: ['complete'],
} as const satisfies Record<string, readonly State[]>;
export type Exclusion = keyof typeof excludedStates;

export interface GroupLevel {
  source: string;
  level: number;
  people: number;
}

/** The viewer does not count. The judge with the most people comes first. */
export async function groupLevels(db: Db, groupId: bigint, viewerId: bigint): Promise<GroupLevel[]> {
  const levels = new Map<string, number[]>();
  const others = (await listGroupPeople(db, groupId)).filter(
    ({ user_id, is_disabled }) => user_id !== viewerId && is_disabled === 0n,
  );
  for (const { user_id } of others.slice(0, peopleAtMost)) {
    for (const { source, level } of await readLevels(db, user_id))
      levels.set(source, [...(levels.get(source) ?? []), level]);
  }
  return [...levels]
    .filter(([, all]) => isLargeEnoughToPublish(all.length))
    .map(([source, all]) => ({ source, level: Math.round(median(all) ?? 0), people: all.length }))
    .toSorted((a, b) => b.people - a.people);
}

export async function pickProblems(
  db: Db,
  groupId: bigint,
  {
    band,
    nobody: exclusion,
    seed,
    count,
  }: { band: RatingRange; nobody: Exclusion; seed: bigint; count: number },
): Promise<ProblemRow[]> {
  const factor = 1n + ((seed * 104_729n + 611_953n) % (shufflePrime - 1n));
  const shufflePosition = (id: bigint) => (((id % shufflePrime) + shufflePrime) * factor) % shufflePrime;
  const inRange = await listInRatingRange(db, band, candidatesAtMost);
  const ids = inRange.toSorted((a, b) => Number(shufflePosition(a) - shufflePosition(b) || a - b));
  const picked: bigint[] = [];
  for (let start = 0; start < ids.length && picked.length < count; start += batchSize) {
    const batch = ids.slice(start, start + batchSize);
    const touched = new Set(await listProblemsTriedBy(db, groupId, batch, excludedStates[exclusion]));
    picked.push(...batch.filter((id) => !touched.has(id)));
  }
  const result = picked.slice(0, count);
  const rows = new Map((await findProblemsByIds(db, result)).map((row) => [row.id, row]));
  return result.flatMap((id) => rows.get(id) ?? []);
}
