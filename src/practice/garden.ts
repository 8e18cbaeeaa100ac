/**
 * The growth of plants. Problems that were solved before planting count too (decision 0027), and of a list those that
 * its member sees (decision 0034).
 */
import { type CompletedProblem, type Completion, listCompleted } from '../store/activity.ts';
import { type ListFigures, listCompletedOfList, listListFigures } from '../store/lists.ts';
import { findPlantOf, findPlantsByMember, type PlantFilter, type PlantsTable } from '../store/plants.ts';
import { problemListing } from '../store/problem-lists.ts';
import { findProblemsByIds, type ProblemFacts, type ProblemRow } from '../store/problems.ts';
import type { Db } from '../store/tables.ts';
import { dayStartIso } from './activity.ts';
import { type Days, daysOf } from './days.ts';
import { longestPlantName } from './goals.ts';
import { readDayRule } from './preferences.ts';
import { allSpecies, type Species, speciesOf } from './species.ts';

const restingAfterDays = 14;

export interface PlantWithGrowth extends Omit<PlantsTable, 'species'> {
  species: Species;
  /** Undefined for a plant of a topic, and if its member does not see the list any more. */
  list: PlantList | undefined;
  done: number;
  today: number;
  /** Whole days since the last completed problem or since planting. */
  inactiveDays: number;
  lastAt: string | null;
}

type PlantList = Pick<ListFigures, 'name' | 'problems'> & { id: bigint };

export const isListGone = ({ list_name, list }: Pick<PlantWithGrowth, 'list_name' | 'list'>) =>
  list_name !== null && list === undefined;

const topicKey = ({ tag }: Pick<PlantsTable, 'tag'>) => tag ?? '';

export const isFiltered = ({ source, rating_min, rating_max }: PlantFilter) =>
  source !== null || rating_min !== null || rating_max !== null;

/** Takes at most four statements. A page that has read what the member completed passes it as `loaded`. */
export async function readGarden(
  db: Db,
  memberId: bigint,
  days: Days,
  now: Date,
  loaded?: Promise<readonly CompletedProblem[]>,
): Promise<PlantWithGrowth[]> {
  const plants = await findPlantsByMember(db, memberId);
  return (await withGrowthOfAll(db, memberId, plants, { days, now }, loaded)).sort(comparePlantedAt);
}

export async function readPlant(
  db: Db,
  memberId: bigint,
  id: bigint,
  now: Date,
): Promise<PlantWithGrowth | undefined> {
  const plant = await findPlantOf(db, memberId, id);
  if (!plant) return undefined;
  const [plantWithGrowth] = await withGrowthOfAll(db, memberId, [plant], {
    days: daysOf(await readDayRule(db, memberId)),
    now,
  });
  return plantWithGrowth;
}

async function withGrowthOfAll(
  db: Db,
  memberId: bigint,
  plants: readonly PlantsTable[],
  { days, now }: { days: Days; now: Date },
  loaded?: Promise<readonly CompletedProblem[]>,
): Promise<PlantWithGrowth[]> {
  const since = startOfDay(days, now);
  const ofTopics = plants.filter(({ list_name }) => list_name === null);
  const completed = ofTopics.length === 0 ? [] : await (loaded ?? listCompleted(db, memberId));
  const figures = figuresOf(completed, ofTopics, since);
  const ids = [...new Set(plants.map(({ list_id }) => list_id).filter((id) => id !== null))];
  const byList = new Map((await listListFigures(db, memberId, ids, since)).map((one) => [one.list_id, one]));
  return plants.map((plant) =>
    plant.list_name === null
      ? withGrowth(plant, figures.get(plant), undefined, days, now)
      : withGrowthInList(plant, byList.get(plant.list_id ?? 0n), days, now),
  );
}

type TopicFilter = PlantFilter & Pick<PlantsTable, 'tag'>;

interface Figures {
  done: number;
  today: number;
  last_at: string | null;
}

function figuresOf<Filter extends TopicFilter>(
  completed: readonly CompletedProblem[],
  filters: readonly Filter[],
  since: string,
): Map<Filter, Figures> {
  const noFigures = (): Figures => ({ done: 0, today: 0, last_at: null });
  const topics = new Map(
    filters.map((filter) => [topicKey(filter), { all: noFigures(), filtered: new Map<Filter, Figures>() }]),
  );
  for (const filter of filters)
    if (isFiltered(filter)) topics.get(topicKey(filter))?.filtered.set(filter, noFigures());
  const count = (topic: string, { completed_at: at, facts }: CompletedProblem) => {
    const topicFigures = topics.get(topic);
    if (topicFigures === undefined) return;
    addCompletion(topicFigures.all, at, since);
    for (const [filter, figures] of topicFigures.filtered)
      if (matchesFilter(facts, filter)) addCompletion(figures, at, since);
  };
  for (const one of completed) {
    count('', one);
    for (const topic of one.facts.tags) count(topic, one);
  }
  return new Map(
    filters.map((filter) => {
      const topicFigures = topics.get(topicKey(filter));
      return [filter, topicFigures?.filtered.get(filter) ?? topicFigures?.all ?? noFigures()];
    }),
  );
}

function addCompletion(figures: Figures, at: string | null, since: string): void {
  figures.done += 1;
  if (at === null) return;
  if (at >= since) figures.today += 1;
  if (figures.last_at === null || at > figures.last_at) figures.last_at = at;
}

export async function countCompletedOf(db: Db, memberId: bigint, filter: TopicFilter): Promise<number> {
  return figuresOf(await listCompleted(db, memberId), [filter], '').get(filter)?.done ?? 0;
}

function matchesTopicFilter({ facts }: CompletedProblem, filter: TopicFilter): boolean {
  return (!filter.tag || facts.tags.has(filter.tag)) && matchesFilter(facts, filter);
}

function matchesFilter({ source, rating }: ProblemFacts, filter: PlantFilter): boolean {
  if (filter.source !== null && source !== filter.source) return false;
  if (filter.rating_min !== null && (rating === null || rating < filter.rating_min)) return false;
  return filter.rating_max === null || (rating !== null && rating <= filter.rating_max);
}

function withGrowthInList(plant: PlantsTable, listFigures: ListFigures | undefined, days: Days, now: Date) {
  const list = listFigures && {
    id: listFigures.list_id,
    name: listFigures.name,
    problems: listFigures.problems,
  };
  const figures = listFigures && {
    done: Number(listFigures.done),
    today: Number(listFigures.since),
    last_at: listFigures.last_at,
  };
  return withGrowth(plant, figures, list, days, now);
}

export function startOfDay(days: Days, now: Date): string {
  return dayStartIso(days, days.at(now.getTime()));
}

function withGrowth(
  plant: PlantsTable,
  figures: Figures | undefined,
  list: PlantList | undefined,
  days: Days,
  now: Date,
): PlantWithGrowth {
  const day = (at: string) => days.at(Date.parse(at));
  const lastAt = figures?.last_at ?? null;
  const lastActiveDay = Math.max(
    day(plant.planted_at),
    lastAt === null ? Number.NEGATIVE_INFINITY : day(lastAt),
  );
  return {
    ...plant,
    // Names from before the limit can be longer.
    name: plant.name.slice(0, longestPlantName),
    list,
    species: allSpecies.find((name) => name === plant.species) ?? speciesOf(plant.tag),
    done: figures?.done ?? 0,
    today: figures?.today ?? 0,
    inactiveDays: Math.max(0, days.at(now.getTime()) - lastActiveDay),
    lastAt,
  };
}

function comparePlantedAt(one: PlantWithGrowth, other: PlantWithGrowth): number {
  if (one.planted_at !== other.planted_at) return one.planted_at < other.planted_at ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}

type Stage = 'seed' | 'sprout' | 'young' | 'leafy' | 'budding' | 'bloom' | 'fruit';

/** Growth is 0 for a seed, 1 in bloom and 2 laden with fruit. */
export interface GrowthState {
  growth: number;
  /** The part of `growth` that came today. */
  today: number;
  isResting: boolean;
  stage: Stage;
}

type GrowthInput = Pick<PlantWithGrowth, 'done' | 'target' | 'today' | 'inactiveDays'>;

const stages: readonly (readonly [below: number, stage: Stage])[] = [
  [0.15, 'sprout'],
  [0.4, 'young'],
  [0.7, 'leafy'],
  [1, 'budding'],
];

export function growthOf({ done, target, today, inactiveDays }: GrowthInput): GrowthState {
  const wanted = Number(target);
  const growth = Math.min(2, done / wanted);
  const finalStage: Stage = done > wanted ? 'fruit' : 'bloom';
  const stage = done > 0 ? (stages.find(([below]) => growth < below)?.[1] ?? finalStage) : 'seed';
  const isResting = inactiveDays >= restingAfterDays && today <= 0;
  return { growth, today: Math.min(growth, today / wanted), isResting, stage };
}

export const isInBloom = ({ done, target }: Pick<PlantWithGrowth, 'done' | 'target'>) =>
  done >= Number(target);

type PlantedFilter = TopicFilter & Pick<PlantWithGrowth, 'list_name' | 'list'>;

export async function listProblemsOfPlant(
  db: Db,
  memberId: bigint,
  plant: PlantedFilter,
  { since, limit }: { since: string; limit: number },
): Promise<(ProblemRow & Completion)[]> {
  const newest = (await completedOf(db, memberId, plant))
    .filter(({ completed_at }) => (completed_at ?? '') >= since)
    .toReversed()
    .slice(0, limit);
  const problems = await problemsById(db, newest);
  return newest.flatMap((one) => {
    const problem = problems.get(one.problem_id);
    return problem ? [{ ...problem, ...one }] : [];
  });
}

export type Milestone = Completion & { completed_at: string; nth: number; title: string };

/** Problems of unknown days are counted first, but are no milestones. */
export async function findMilestones(
  db: Db,
  memberId: bigint,
  plant: PlantedFilter,
  numbers: readonly number[],
): Promise<Milestone[]> {
  const all = await completedOf(db, memberId, plant);
  const reached = numbers.flatMap((nth) => {
    const row = all[nth - 1];
    const { completed_at = null } = row ?? {};
    return row && completed_at !== null ? [{ nth, ...row, completed_at }] : [];
  });
  const problems = await problemsById(db, reached);
  return reached.map((row) => ({ ...row, title: problems.get(row.problem_id)?.title ?? '' }));
}

/** The problems of a plant without a list that were unsolved at that time, or more of them than `most` if there are more. */
export async function listUnsolvedOfPlant(
  db: Db,
  memberId: bigint,
  plant: PlantWithGrowth,
  { since, most }: { since: string; most: number },
): Promise<Pick<ProblemRow, 'id' | 'source' | 'rating'>[]> {
  const rating = (one: bigint | null) => (one === null ? undefined : Number(one));
  const listing = problemListing({
    memberId,
    status: 'unsolved',
    source: plant.source ?? undefined,
    tags: plant.tag ? [plant.tag] : [],
    ratingMin: rating(plant.rating_min),
    ratingMax: rating(plant.rating_max),
  });
  const unsolved = await listing.list(db, { keys: [], after: undefined, limit: most + 1 });
  const limit = plant.today;
  return limit === 0
    ? unsolved
    : [...unsolved, ...(await listProblemsOfPlant(db, memberId, plant, { since, limit }))];
}

async function completedOf(db: Db, memberId: bigint, plant: PlantedFilter): Promise<Completion[]> {
  if (plant.list_name !== null) return plant.list ? listCompletedOfList(db, memberId, plant.list.id) : [];
  const all = await listCompleted(db, memberId);
  return all
    .filter((problem) => matchesTopicFilter(problem, plant))
    .map(({ problem_id, completed_at }) => ({ problem_id, completed_at }))
    .sort((one, other) => {
      const [a, b] = [one.completed_at ?? '', other.completed_at ?? ''];
      if (a === b) return Number(one.problem_id - other.problem_id);
      return a < b ? -1 : 1;
    });
}

async function problemsById(db: Db, rows: readonly Completion[]) {
  const problems = await findProblemsByIds(
    db,
    rows.map(({ problem_id }) => problem_id),
  );
  return new Map(problems.map((problem) => [problem.id, problem]));
}
