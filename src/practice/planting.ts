/** Planting, changing and uprooting, and the topics and lists for which a member can plant. */
import { hash } from 'node:crypto';
import { ascending } from 'd3-array';
import { dayMs } from '../durations.ts';
import { listCompleted, listLatestTopics } from '../store/activity.ts';
import { listMemberAssignments } from '../store/assignments.ts';
import { reserveIds } from '../store/ids.ts';
import { findListToPlant, listGardenLists, listOwnLists } from '../store/lists.ts';
import {
  countPlants,
  emptyGoal,
  findPlantOf,
  findPlantsByMember,
  insertPlants,
  type PlantFilter,
  type PlantsTable,
  removePlant,
  restorePlant,
  updatePlant,
} from '../store/plants.ts';
import { listFromJson, readCatalogue } from '../store/problems.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { assertGoal, assertPlantLimit } from './goals.ts';
import { speciesOf } from './species.ts';

export async function listTopicsToPlant(db: Db, memberId: bigint) {
  const { topics } = await readCatalogue(db);
  const completed = new Map<string, number>();
  for (const { facts } of await listCompleted(db, memberId))
    for (const tag of facts.tags) completed.set(tag, (completed.get(tag) ?? 0) + 1);
  const planted = new Set((await findPlantsByMember(db, memberId)).map(({ tag }) => tag));
  return topics
    .map(({ tag, count }) => ({
      tag,
      done: completed.get(tag) ?? 0,
      total: Number(count),
      isPlanted: planted.has(tag),
    }))
    .sort((one, other) => other.done - one.done || other.total - one.total || ascending(one.tag, other.tag));
}

export interface ListToPlant {
  id: bigint;
  name: string;
  done: number;
  total: number;
  isPlanted: boolean;
}

const ownListsShown = 50;
const gardenListsShown = 20;

export async function listListsToPlant(db: Db, memberId: bigint): Promise<ListToPlant[]> {
  const assignments = (await listMemberAssignments(db, memberId)).map((list) => ({
    ...list,
    id: list.list_id,
  }));
  const own = (await listOwnLists(db, memberId)).slice(0, ownListsShown);
  const garden = await listGardenLists(db, memberId, 0, gardenListsShown);
  const planted = new Set((await findPlantsByMember(db, memberId)).map(({ list_id }) => list_id));
  const byId = new Map([...garden, ...own, ...assignments].map((list) => [list.id, list]));
  const order = new Set([...assignments, ...own, ...garden].map(({ id }) => id));
  return [...order].flatMap((id) => {
    const list = byId.get(id);
    if (!list || list.problems === 0n) return [];
    const [done, total] = [Number(list.solved), Number(list.problems)];
    return [{ id, name: list.name, done, total, isPlanted: planted.has(id) }];
  });
}

const lastSolvesAtMost = 40;

/** Suggests the own or assigned list without a plant of which the member completed most lately. */
export async function suggestListToPlant(
  db: Db,
  memberId: bigint,
): Promise<{ id: bigint; name: string; count: number } | undefined> {
  const best = await findListToPlant(db, memberId, lastSolvesAtMost);
  return best && best.count > 1n ? { ...best, count: Number(best.count) } : undefined;
}

export async function suggestTopicToPlant(
  db: Db,
  memberId: bigint,
  planted: readonly { tag: string | null }[],
): Promise<{ tag: string; count: number } | undefined> {
  const counts = new Map<string, number>();
  for (const { tags } of await listLatestTopics(db, memberId, lastSolvesAtMost))
    for (const tag of new Set(listFromJson(tags))) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  for (const { tag } of planted) counts.delete(tag ?? '');
  const [best] = [...counts].sort(([one, a], [other, b]) => b - a || ascending(one, other));
  return best && best[1] > 1 ? { tag: best[0], count: best[1] } : undefined;
}

interface Goal extends Partial<PlantFilter> {
  name: string;
  /** Null is any topic. */
  tag: string | null;
  /** A list that the member may see, in place of a topic. */
  list?: { id: bigint; name: string } | undefined;
  target: bigint;
  by_date?: string | null;
}

type EditableGoal = Pick<PlantsTable, 'name' | 'target' | 'by_date'>;

interface Edit extends EditableGoal {
  at: string;
}

const editsAtMost = 50;

export function editsOf({ edits }: Pick<PlantsTable, 'edits'>): Edit[] {
  if (edits === null) return [];
  // An edit from before goals had dates has none.
  type Stored = Record<'at' | 'name' | 'target', string> & { by_date?: string | null };
  const { before } = JSON.parse(edits) as { before: Stored[] };
  return before.map(({ target, by_date = null, ...rest }) => ({ ...rest, target: BigInt(target), by_date }));
}

export function editsText(edits: readonly Edit[]): string | null {
  if (edits.length === 0) return null;
  const before = edits.slice(-editsAtMost).map(({ at, name, target, by_date }) => ({
    at,
    name,
    target: String(target),
    ...(by_date !== null && { by_date }),
  }));
  return JSON.stringify({ before });
}

/** Throws invalidValue. */
export const plant = inTransaction(async (tx: Db, memberId: bigint, { list, ...goal }: Goal, now: Date) => {
  assertGoal(goal);
  assertPlantLimit(await countPlants(tx, memberId));
  const [id = 0n] = await reserveIds(tx, 'plants', 1);
  const row = {
    id,
    user_id: memberId,
    ...emptyGoal,
    ...goal,
    planted_at: now.toISOString(),
    species: speciesOf(goal.tag),
    ...(list && { list_id: list.id, list_name: list.name }),
  };
  await insertPlants(tx, [row]);
  return id;
});

export function goalVersion({ name, target, by_date }: EditableGoal): string {
  return hash('sha256', JSON.stringify([name, String(target), by_date]), 'base64url').slice(0, 22);
}

/** Returns false if the goal was changed since `version`, and undefined if there is no such plant. */
export const changeGoal = inTransaction(
  async (
    tx: Db,
    memberId: bigint,
    id: bigint,
    { version, ...goal }: EditableGoal & { version: string },
    now: Date,
  ): Promise<boolean | undefined> => {
    const row = await findPlantOf(tx, memberId, id);
    if (!row) return undefined;
    if (goalVersion(row) !== version) return false;
    if (goalVersion(goal) === version) return true;
    const before = { ...row, at: now.toISOString() };
    const edits = editsText([...editsOf(row), before]);
    await updatePlant(tx, { ...row, ...goal, edits });
    return true;
  },
);

const undoMs = dayMs;

const undoWindow = (now: Date) => ({ at: now.toISOString(), since: undoableSince(now) });

export const uproot = inTransaction((tx: Db, memberId: bigint, id: bigint) =>
  removePlant(tx, id, { owner: memberId, ...undoWindow(new Date()) }),
);

export const removeAnyPlant = inTransaction((tx: Db, id: bigint) =>
  removePlant(tx, id, undoWindow(new Date())),
);

/** Throws invalidValue. */
export const restoreUprooted = inTransaction(async (tx: Db, memberId: bigint, id: bigint, now: Date) => {
  assertPlantLimit(await countPlants(tx, memberId));
  return restorePlant(tx, memberId, id, undoableSince(now));
});

export function undoableSince(now: Date): string {
  return new Date(now.getTime() - undoMs).toISOString();
}
