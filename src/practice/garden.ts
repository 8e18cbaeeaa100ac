/**
 * What becomes of plants: how much of their topic or list is completed, what of it today, and since when they rest. All of it
 * counts, also what was solved before the plant was planted (decision 0027), and of a list what its member sees (decision 0034).
 */
import {
  findTopicFigures,
  listFinerFigures,
  listPlantFigures,
  type TopicFigures,
} from '../store/completions.ts';
import type { Narrowing, PlantsTable } from '../store/garden-tables.ts';
import { type ListFigures, listListFigures } from '../store/list-completions.ts';
import { findPlantOf, findPlantsByMember } from '../store/plants.ts';
import type { Db } from '../store/tables.ts';
import { type Days, daysOf } from './days.ts';
import { longestPlantName } from './goal-limits.ts';
import { readDayRule } from './preferences.ts';
import { allSpecies, type Species, speciesOf } from './species.ts';

const quietDaysAtMost = 14;

/** A plant with what has become of it. */
export interface GrownPlant extends Omit<PlantsTable, 'species'> {
  species: Species;
  /** The list with which it grows, as it is now; undefined for a plant of a topic, and where its member sees no such list. */
  list: GrownList | undefined;
  /** Distinct problems completed in its topic or list. */
  done: number;
  /** Those completed since the member's day began. */
  today: number;
  /** Whole days since the last one, or since it was planted. */
  quietDays: number;
  /** When the last one was completed. */
  lastAt: string | null;
}

export type GrownList = Pick<ListFigures, 'name' | 'problems'> & { id: bigint };

/** Whether it is a plant of a list that is gone, or that its member does not see any more. */
export const isListGone = ({ list_name, list }: Pick<GrownPlant, 'list_name' | 'list'>) =>
  list_name !== null && list === undefined;

/** The name under which completions of a plant's topic stand; an empty topic is any. */
export const topicKey = ({ tag }: Pick<PlantsTable, 'tag'>) => tag ?? '';

/** Whether it counts a part of its topic, or of all problems, alone. */
export const isNarrow = ({ source, rating_min, rating_max }: Narrowing) =>
  source !== null || rating_min !== null || rating_max !== null;

/** The plants of a member in the order of planting, by four statements at most, however many there are. */
export async function readGarden(db: Db, memberId: bigint, days: Days, now: Date): Promise<GrownPlant[]> {
  const plants = await findPlantsByMember(db, memberId);
  if (plants.length === 0) return [];
  const since = startOfDay(days, now);
  const byTag = new Map((await listPlantFigures(db, memberId, since)).map((one) => [one.tag, one]));
  const narrow = await narrowFigures(db, memberId, plants.filter(isNarrow), since);
  const ids = [...new Set(plants.map(({ list_id }) => list_id).filter((id) => id !== null))];
  const byList = new Map((await listListFigures(db, memberId, ids, since)).map((one) => [one.list_id, one]));
  return plants
    .map((plant) =>
      plant.list_name === null
        ? grown(plant, isNarrow(plant) ? narrow(plant) : byTag.get(topicKey(plant)), undefined, days, now)
        : grownInList(plant, byList.get(plant.list_id ?? 0n), days, now),
    )
    .sort(byPlanting);
}

/** A plant of this member; undefined where they have no such plant. */
export async function readPlant(
  db: Db,
  memberId: bigint,
  id: bigint,
  now: Date,
): Promise<GrownPlant | undefined> {
  const plant = await findPlantOf(db, memberId, id);
  if (!plant) return undefined;
  const days = daysOf(await readDayRule(db, memberId));
  const since = startOfDay(days, now);
  const { list_id, list_name } = plant;
  if (list_name === null) {
    const figures = isNarrow(plant)
      ? (await narrowFigures(db, memberId, [plant], since))(plant)
      : await findTopicFigures(db, memberId, topicKey(plant), since);
    return grown(plant, figures, undefined, days, now);
  }
  const [figures] = await listListFigures(db, memberId, list_id === null ? [] : [list_id], since);
  return grownInList(plant, figures, days, now);
}

type Part = Narrowing & Pick<PlantsTable, 'tag'>;

/** Adds up what is completed of parts of topics. */
export async function narrowFigures(db: Db, memberId: bigint, parts: readonly Part[], since: string) {
  const tags = [...new Set(parts.map(topicKey))];
  const finer = tags.length === 0 ? [] : await listFinerFigures(db, memberId, tags, since);
  const byTag = Map.groupBy(finer, ({ tag }) => tag);
  return (part: Part): Figures => {
    const { source, rating_min, rating_max } = part;
    const sum = { done: 0n, since: 0n, last_at: null as string | null };
    for (const one of byTag.get(topicKey(part)) ?? []) {
      if (source !== null && one.source !== source) continue;
      if (rating_min !== null && (one.rating === null || one.rating < rating_min)) continue;
      if (rating_max !== null && (one.rating === null || one.rating > rating_max)) continue;
      sum.done += one.done;
      sum.since += one.since;
      if (sum.last_at === null || one.last_at > sum.last_at) sum.last_at = one.last_at;
    }
    return sum;
  };
}

type Figures = Pick<TopicFigures, 'done' | 'since'> & { last_at: string | null };

/** Without a list that its member sees nothing counts. */
function grownInList(plant: PlantsTable, figures: ListFigures | undefined, days: Days, now: Date) {
  const list = figures && { id: figures.list_id, name: figures.name, problems: figures.problems };
  return grown(plant, figures, list, days, now);
}

/** When the member's day began, as times are written. */
export function startOfDay(days: Days, now: Date): string {
  return new Date(days.start(days.at(now.getTime()))).toISOString();
}

function grown(
  plant: PlantsTable,
  figures: Figures | undefined,
  list: GrownList | undefined,
  days: Days,
  now: Date,
): GrownPlant {
  const day = (at: string) => days.at(Date.parse(at));
  const lastAt = figures?.last_at ?? null;
  const stirred = Math.max(day(plant.planted_at), lastAt === null ? Number.NEGATIVE_INFINITY : day(lastAt));
  return {
    ...plant,
    // Longer ones are from before there was a limit.
    name: plant.name.slice(0, longestPlantName),
    list,
    species: allSpecies.find((name) => name === plant.species) ?? speciesOf(plant.tag),
    done: Number(figures?.done ?? 0n),
    today: Number(figures?.since ?? 0n),
    quietDays: Math.max(0, days.at(now.getTime()) - stirred),
    lastAt,
  };
}

function byPlanting(one: GrownPlant, other: GrownPlant): number {
  if (one.planted_at !== other.planted_at) return one.planted_at < other.planted_at ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}

export type Stage = 'seed' | 'sprout' | 'young' | 'leafy' | 'budding' | 'bloom' | 'fruit';

/** From counts to growth: 0 is a seed, 1 in bloom, 2 laden with fruit. */
export interface GrowthState {
  growth: number;
  /** The part of it that came today. */
  today: number;
  isResting: boolean;
  stage: Stage;
}

type Counted = Pick<GrownPlant, 'done' | 'target' | 'today' | 'quietDays'>;

const stages: readonly (readonly [below: number, stage: Stage])[] = [
  [0.15, 'sprout'],
  [0.4, 'young'],
  [0.7, 'leafy'],
  [1, 'budding'],
];

export function growthOf({ done, target, today, quietDays }: Counted): GrowthState {
  const wanted = Number(target);
  const growth = Math.min(2, done / wanted);
  const grown: Stage = done > wanted ? 'fruit' : 'bloom';
  const stage = done > 0 ? (stages.find(([below]) => growth < below)?.[1] ?? grown) : 'seed';
  const isResting = quietDays >= quietDaysAtMost && today <= 0;
  return { growth, today: Math.min(growth, today / wanted), isResting, stage };
}

export const isInBloom = ({ done, target }: Pick<GrownPlant, 'done' | 'target'>) => done >= Number(target);
