/**
 * The growth of plants: how much of their topic or list is completed, what of it today, and since when they rest. All of it
 * counts, also what was solved before the plant was planted (decision 0027), and of a list what its member sees (decision 0034).
 */
import { type CompletedProblem, type Completion, listCompleted } from '../store/activity.ts';
import { type ListFigures, listCompletedOfList, listListFigures } from '../store/lists.ts';
import { findPlantOf, findPlantsByMember, type PlantFilter, type PlantsTable } from '../store/plants.ts';
import { findProblemsByIds, type ProblemFacts, type ProblemRow } from '../store/problems.ts';
import type { Db } from '../store/tables.ts';
import { startText } from './activity.ts';
import { type Days, daysOf } from './days.ts';
import { longestPlantName } from './goals.ts';
import { readDayRule } from './preferences.ts';
import { allSpecies, type Species, speciesOf } from './species.ts';

const quietDaysAtMost = 14;

export interface GrownPlant extends Omit<PlantsTable, 'species'> {
  species: Species;
  /** The list with which it grows, as it is now; undefined for a plant of a topic, and where its member sees no such list. */
  list: GrownList | undefined;
  /** Distinct problems completed in its topic or list. */
  done: number;
  today: number;
  /** Whole days since the last one, or since it was planted. */
  quietDays: number;
  lastAt: string | null;
}

type GrownList = Pick<ListFigures, 'name' | 'problems'> & { id: bigint };

/** Whether it is a plant of a list that is gone, or that its member does not see any more. */
export const isListGone = ({ list_name, list }: Pick<GrownPlant, 'list_name' | 'list'>) =>
  list_name !== null && list === undefined;

/** The name under which completions of a plant's topic stand; an empty topic is any. */
const topicKey = ({ tag }: Pick<PlantsTable, 'tag'>) => tag ?? '';

/** Whether it counts a part of its topic, or of all problems, alone. */
export const isNarrow = ({ source, rating_min, rating_max }: PlantFilter) =>
  source !== null || rating_min !== null || rating_max !== null;

/**
 * The plants of a member in the order of planting, by four statements at most, however many there are; `known` is what the member
 * has completed, if the page has asked for it already.
 */
export async function readGarden(
  db: Db,
  memberId: bigint,
  days: Days,
  now: Date,
  known?: Promise<readonly CompletedProblem[]>,
): Promise<GrownPlant[]> {
  const plants = await findPlantsByMember(db, memberId);
  return (await grownOf(db, memberId, plants, { days, now }, known)).sort(byPlanting);
}

export async function readPlant(
  db: Db,
  memberId: bigint,
  id: bigint,
  now: Date,
): Promise<GrownPlant | undefined> {
  const plant = await findPlantOf(db, memberId, id);
  if (!plant) return undefined;
  const [grown] = await grownOf(db, memberId, [plant], {
    days: daysOf(await readDayRule(db, memberId)),
    now,
  });
  return grown;
}

async function grownOf(
  db: Db,
  memberId: bigint,
  plants: readonly PlantsTable[],
  { days, now }: { days: Days; now: Date },
  known?: Promise<readonly CompletedProblem[]>,
): Promise<GrownPlant[]> {
  const since = startOfDay(days, now);
  const ofTopics = plants.filter(({ list_name }) => list_name === null);
  const completed = ofTopics.length === 0 ? [] : await (known ?? listCompleted(db, memberId));
  const figures = figuresOf(completed, ofTopics, since);
  const ids = [...new Set(plants.map(({ list_id }) => list_id).filter((id) => id !== null))];
  const byList = new Map((await listListFigures(db, memberId, ids, since)).map((one) => [one.list_id, one]));
  return plants.map((plant) =>
    plant.list_name === null
      ? grown(plant, figures.get(plant), undefined, days, now)
      : grownInList(plant, byList.get(plant.list_id ?? 0n), days, now),
  );
}

type Ground = PlantFilter & Pick<PlantsTable, 'tag'>;

interface Figures {
  done: number;
  since: number;
  last_at: string | null;
}

/** How much of each of these grounds is completed. Several plants of one topic share its figures. */
function figuresOf<G extends Ground>(
  completed: readonly CompletedProblem[],
  grounds: readonly G[],
  since: string,
): Map<G, Figures> {
  const none = (): Figures => ({ done: 0, since: 0, last_at: null });
  const topics = new Map(
    grounds.map((ground) => [topicKey(ground), { whole: none(), parts: new Map<G, Figures>() }]),
  );
  for (const ground of grounds) if (isNarrow(ground)) topics.get(topicKey(ground))?.parts.set(ground, none());
  const count = (topic: string, { completed_at: at, facts }: CompletedProblem) => {
    const found = topics.get(topic);
    if (found === undefined) return;
    add(found.whole, at, since);
    for (const [part, sum] of found.parts) if (isPartOf(facts, part)) add(sum, at, since);
  };
  for (const one of completed) {
    count('', one);
    for (const topic of one.facts.tags) count(topic, one);
  }
  return new Map(
    grounds.map((ground) => {
      const found = topics.get(topicKey(ground));
      return [ground, found?.parts.get(ground) ?? found?.whole ?? none()];
    }),
  );
}

function add(sum: Figures, at: string | null, since: string): void {
  sum.done += 1;
  if (at === null) return;
  if (at >= since) sum.since += 1;
  if (sum.last_at === null || at > sum.last_at) sum.last_at = at;
}

export async function countCompletedOf(db: Db, memberId: bigint, ground: Ground): Promise<number> {
  return figuresOf(await listCompleted(db, memberId), [ground], '').get(ground)?.done ?? 0;
}

/** Whether a problem belongs to a topic, or to the part of it that is asked for. */
function isOf({ facts }: CompletedProblem, ground: Ground): boolean {
  return (!ground.tag || facts.tags.has(ground.tag)) && isPartOf(facts, ground);
}

function isPartOf({ source, rating }: ProblemFacts, part: PlantFilter): boolean {
  if (part.source !== null && source !== part.source) return false;
  if (part.rating_min !== null && (rating === null || rating < part.rating_min)) return false;
  return part.rating_max === null || (rating !== null && rating <= part.rating_max);
}

/** Without a list that its member sees nothing counts. */
function grownInList(plant: PlantsTable, found: ListFigures | undefined, days: Days, now: Date) {
  const list = found && { id: found.list_id, name: found.name, problems: found.problems };
  const figures = found && {
    done: Number(found.done),
    since: Number(found.since),
    last_at: found.last_at,
  };
  return grown(plant, figures, list, days, now);
}

/** When the member's day began, as times are written. */
export function startOfDay(days: Days, now: Date): string {
  return startText(days, days.at(now.getTime()));
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
    done: figures?.done ?? 0,
    today: figures?.since ?? 0,
    quietDays: Math.max(0, days.at(now.getTime()) - stirred),
    lastAt,
  };
}

function byPlanting(one: GrownPlant, other: GrownPlant): number {
  if (one.planted_at !== other.planted_at) return one.planted_at < other.planted_at ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}

type Stage = 'seed' | 'sprout' | 'young' | 'leafy' | 'budding' | 'bloom' | 'fruit';

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

/* From which problems a plant grew: those of its topic, or of its list, that the member completed. */

type Grown = Ground & Pick<GrownPlant, 'list_name' | 'list'>;

/** The problems completed since a moment, the newest first. */
export async function listGrownFrom(
  db: Db,
  memberId: bigint,
  plant: Grown,
  { since, limit }: { since: string; limit: number },
): Promise<(ProblemRow & Completion)[]> {
  const newest = (await completedOf(db, memberId, plant))
    .filter(({ completed_at }) => (completed_at ?? '') >= since)
    .toReversed()
    .slice(0, limit);
  const problems = await problemsOf(db, newest);
  return newest.flatMap((one) => {
    const problem = problems.get(one.problem_id);
    return problem ? [{ ...problem, ...one }] : [];
  });
}

/** The nth problem that a member completed, on a day that is known. */
export type NthCompletion = Completion & { completed_at: string; nth: number; title: string };

/** The nth problems of those completed, for each of these numbers, of which there are as many. Those of unknown days come first. */
export async function findMilestones(
  db: Db,
  memberId: bigint,
  plant: Grown,
  numbers: readonly number[],
): Promise<NthCompletion[]> {
  const all = await completedOf(db, memberId, plant);
  const reached = numbers.flatMap((nth) => {
    const row = all[nth - 1];
    const { completed_at = null } = row ?? {};
    return row && completed_at !== null ? [{ nth, ...row, completed_at }] : [];
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
    .sort((one, other) => {
      const [a, b] = [one.completed_at ?? '', other.completed_at ?? ''];
      if (a === b) return Number(one.problem_id - other.problem_id);
      return a < b ? -1 : 1;
    });
}

async function problemsOf(db: Db, rows: readonly Completion[]) {
  const found = await findProblemsByIds(
    db,
    rows.map(({ problem_id }) => problem_id),
  );
  return new Map(found.map((problem) => [problem.id, problem]));
}
