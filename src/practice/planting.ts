/** Planting, uprooting, and which goals are sensible: by what the member has completed of a topic and what there is. */
import { hash } from 'node:crypto';
import { AppError } from '../errors.ts';
import { countByTopic, listLatestTags } from '../store/completions.ts';
import { giveIds } from '../store/ids.ts';
import {
  countPlants,
  findPlantOf,
  findPlantsByMember,
  insertPlants,
  removePlant,
  restorePlant,
  updatePlant,
} from '../store/plants.ts';
import { readCatalogueFacts } from '../store/problem-counts.ts';
import { listOf } from '../store/problem-names.ts';
import type { Db } from '../store/tables.ts';
import { speciesOf } from './species.ts';

/** So many are planted on the website; a file may bring more. */
const plantsAtMost = 200;
export const longestPlantName = 200;
export const targetAtMost = 1_000_000n;
const undoMs = 86_400_000;

/** Goals that are round numbers. */
const rounds = [5, 10, 15, 20, 25, 30, 40, 50, 60, 75, 100, 120, 150, 200, 250, 300, 400, 500, 750, 1000];

/** Up to three targets above what is done and not above what there is: a near one, one farther off, and a long way. */
export function sensibleTargets(done: number, total: number): number[] {
  const left = total - done;
  if (left <= 0) return [];
  const wanted = [done + 3, done * 1.25 + 8, done * 2 + 15];
  const targets = wanted.map((least) => rounded(least)).map((target) => Math.min(target, total));
  return [...new Set(targets)].filter((target) => target > done);
}

function rounded(least: number): number {
  return rounds.find((round) => round >= least) ?? Math.ceil(least / 500) * 500;
}

/** A topic with what a member has completed of it and how much there is. */
export interface TopicToPlant {
  tag: string;
  done: number;
  total: number;
  isPlanted: boolean;
}

/** The topics for which one can plant, those that the member knows best first; at most a hundred, as filters show them. */
export async function listTopicsToPlant(db: Db, memberId: bigint): Promise<TopicToPlant[]> {
  const { topics } = await readCatalogueFacts(db);
  const done = await countByTopic(
    db,
    memberId,
    topics.map(({ tag }) => tag),
  );
  const planted = new Set((await findPlantsByMember(db, memberId)).map(({ tag }) => tag));
  return topics
    .map(({ tag, count }) => ({
      tag,
      done: Number(done.get(tag) ?? 0n),
      total: Number(count),
      isPlanted: planted.has(tag),
    }))
    .sort((one, other) => other.done - one.done || other.total - one.total || (one.tag < other.tag ? -1 : 1));
}

const latestAtMost = 40;

/** The topic of which the member completed most of late and for which no plant of theirs stands; undefined if there is none. */
export async function topicToPlantNext(
  db: Db,
  memberId: bigint,
  planted: readonly { tag: string | null }[],
): Promise<{ tag: string; count: number } | undefined> {
  const counts = new Map<string, number>();
  for (const tags of await listLatestTags(db, memberId, latestAtMost))
    for (const tag of new Set(listOf(tags))) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  for (const { tag } of planted) counts.delete(tag ?? '');
  const [best] = [...counts].sort(
    ([one, a], [other, b]) => b - a || (one < other ? -1 : one > other ? 1 : 0),
  );
  return best && best[1] > 1 ? { tag: best[0], count: best[1] } : undefined;
}

export interface Goal {
  name: string;
  /** Null is any topic. */
  tag: string | null;
  target: bigint;
}

/** Throws badSetting where the garden is full. */
export async function plant(tx: Db, memberId: bigint, goal: Goal, now: Date): Promise<bigint> {
  if ((await countPlants(tx, memberId)) >= BigInt(plantsAtMost))
    throw new AppError(
      'badSetting',
      `A garden has room for ${plantsAtMost} plants here; uproot one to plant another.`,
    );
  const [id = 0n] = await giveIds(tx, 'plants', 1);
  const row = { id, user_id: memberId, ...goal, planted_at: now.toISOString(), species: speciesOf(goal.tag) };
  await insertPlants(tx, [row]);
  return id;
}

/** What a form showed of a plant, so that it overwrites nothing that was changed since. */
export function goalVersion({ name, target }: Pick<Goal, 'name' | 'target'>): string {
  return hash('sha256', JSON.stringify([name, String(target)]), 'base64url').slice(0, 22);
}

/** Gives a plant another name and target. Answers false where it was changed since `seen`, and undefined where there is none. */
export async function changeGoal(
  tx: Db,
  memberId: bigint,
  id: bigint,
  { seen, ...goal }: Pick<Goal, 'name' | 'target'> & { seen: string },
): Promise<boolean | undefined> {
  const row = await findPlantOf(tx, memberId, id);
  if (!row) return undefined;
  if (goalVersion(row) !== seen) return false;
  await updatePlant(tx, { ...row, ...goal });
  return true;
}

/** Deletes a plant of this member, as `deletePlant` of the interface does. Answers whether there was such a plant. */
export async function uproot(tx: Db, memberId: bigint, id: bigint): Promise<boolean> {
  return removePlant(tx, id, memberId);
}

/** The plant as it was, with its id, if it was uprooted less than a day ago. Answers whether it stands again. */
export async function plantAgain(tx: Db, memberId: bigint, id: bigint, now: Date): Promise<boolean> {
  return restorePlant(tx, memberId, id, undoableSince(now));
}

export function undoableSince(now: Date): string {
  return new Date(now.getTime() - undoMs).toISOString();
}
