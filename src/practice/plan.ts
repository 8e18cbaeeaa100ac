/**
 * Plans to a date: how many problems a day finish what is left in time, on the weekdays on which a member practises.
 * Days are those of a member (`days.ts`), so that no change of clocks matters.
 */
import { dayMs } from '../durations.ts';
import { message } from '../errors.ts';
import { listFirstSolveTimesOfMembers } from '../store/activity.ts';
import type { AssignedList } from '../store/assignments.ts';
import { listListFigures, listUnsolvedOfLists } from '../store/lists.ts';
import type { ProblemRow } from '../store/problems.ts';
import { daySettingNames, listDaySettings } from '../store/settings.ts';
import type { Db } from '../store/tables.ts';
import type { AssignmentRow } from './assignments.ts';
import { type Days, dayOf, daysOf, weekdayOf } from './days.ts';
import { isListGone, listUnsolvedOfPlant, type PlantWithGrowth, startOfDay } from './garden.ts';
import { isLargeEnoughToPublish } from './groups.ts';
import { dayRuleOf } from './preferences.ts';
import { readMinutes } from './timers.ts';

const weeksOfPace = 8;
const weeksAtLeast = 4;

export interface Pace {
  /** From 0 for Monday to 6 for Sunday. */
  weekdays: readonly number[];
  /** First solves on a day that has any; 0 if none has. */
  usual: number;
}

const everyWeekday = [0, 1, 2, 3, 4, 5, 6];

/** `solveDays` has the day of each first solve. `chosen` has digits from 1 for Monday to 7 for Sunday, or nothing. */
export function paceOf(solveDays: readonly number[], today: number, chosen: string): Pace {
  const recent = solveDays.filter((day) => day < today && day >= today - 7 * weeksOfPace);
  const active = [...new Set(recent)];
  const practised = everyWeekday.filter(
    (weekday) => active.filter((day) => weekdayOf(day) === weekday).length >= weeksAtLeast,
  );
  const weekdays = chosen === '' ? practised : [...chosen].map((digit) => Number(digit) - 1);
  return {
    weekdays: weekdays.length > 0 ? weekdays : everyWeekday,
    usual: active.length === 0 ? 0 : Math.round(recent.length / active.length),
  };
}

export interface PlanInput {
  today: number;
  until: number;
  left: number;
  solvedToday: number;
  /** Those of all problems that were left when the day began, if each is known. */
  minutes?: readonly number[] | undefined;
}

export interface Plan {
  left: number;
  /** The days to practise until the date; 0 after it. */
  dayCount: number;
  aDay: number;
  /** What is left of today's share. */
  today: number;
  minutesToday: number;
  finish: number;
  isOnCourse: boolean;
  usual: number;
}

export function planOf(input: PlanInput, { weekdays, usual }: Pace): Plan {
  const { today, until, left, solvedToday, minutes } = input;
  const week = everyWeekday.map((n) => today + n).filter((day) => weekdays.includes(weekdayOf(day)));
  const dayCount = week.reduce((sum, day) => sum + Math.max(0, Math.floor((until - day) / 7) + 1), 0);
  // If no chosen weekday comes before the date, each day counts.
  if (dayCount === 0 && until >= today) return planOf(input, { weekdays: everyWeekday, usual });
  const whole = left + solvedToday;
  const loads = minutes && spreadMinutes(minutes, dayCount);
  const aDay = dayCount === 0 ? 0 : Math.ceil(whole / dayCount);
  const share = week[0] !== today ? 0 : (loads?.[0]?.length ?? aDay);
  const last = Math.max(1, loads?.length ?? Math.ceil(whole / aDay)) - 1;
  return {
    left,
    dayCount,
    aDay,
    today: Math.min(left, Math.max(0, share - solvedToday)),
    minutesToday: share > 0 && solvedToday === 0 ? sum(loads?.[0] ?? []) : 0,
    finish: (week[last % week.length] ?? today) + 7 * Math.floor(last / week.length),
    isOnCourse: left <= dayCount * Math.max(1, usual),
    usual,
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

/** The longest comes first, to the day with the fewest minutes so far. Days without a problem are left out. */
export function spreadMinutes(minutes: readonly number[], dayCount: number): number[][] {
  const days = Array.from({ length: Math.min(dayCount, minutes.length) }, () => ({
    sum: 0,
    all: [] as number[],
  }));
  for (const one of minutes.toSorted((a, b) => b - a)) {
    const least = days.reduce((least, day) => (day.sum < least.sum ? day : least));
    least.sum += one;
    least.all.push(one);
  }
  return days.map(({ all }) => all);
}

export const planMessage = (plan: Plan, dayText: (day: number) => string) =>
  plan.left === 0
    ? message('plan.done')
    : plan.dayCount === 0
      ? message('plan.over', { left: plan.left })
      : message('plan.line', {
          today: plan.today,
          minutes: plan.minutesToday,
          left: plan.left,
          isOnCourse: String(plan.isOnCourse),
          day: dayText(plan.finish),
          aDay: plan.aDay,
        });

/** The day on which an assignment is due; one that is due as a day begins belongs to the day before. */
export const dueDay = (days: Days, dueAt: string) => days.at(Date.parse(dueAt) - 1);

export type PaceOfMember = Pace & { days: Days };

async function readPaces(
  db: Db,
  memberIds: readonly bigint[],
  now: number,
): Promise<(memberId: bigint) => PaceOfMember> {
  const range = {
    from: new Date(now - (7 * weeksOfPace + 2) * dayMs).toISOString(),
    until: new Date(now).toISOString(),
  };
  const solves = Map.groupBy(
    await listFirstSolveTimesOfMembers(db, memberIds, range),
    ({ user_id }) => user_id,
  );
  const settings = await listDaySettings(db, memberIds);
  return (memberId) => {
    const settingOf = (setting: keyof typeof daySettingNames) =>
      settings.find(({ user_id, name }) => user_id === memberId && name === daySettingNames[setting])?.value;
    const days = daysOf(dayRuleOf(settingOf('zone'), settingOf('startHour')));
    const solveDays = (solves.get(memberId) ?? []).map(({ at }) => days.at(Date.parse(at)));
    return { ...paceOf(solveDays, days.at(now), settingOf('practiceDays') ?? ''), days };
  };
}

export const readPace = async (db: Db, memberId: bigint, now: number): Promise<PaceOfMember> =>
  (await readPaces(db, [memberId], now))(memberId);

type RatedProblem = Pick<ProblemRow, 'id' | 'source' | 'rating'>;

interface Goal extends Pick<PlanInput, 'until' | 'left' | 'solvedToday'> {
  /** Those that were unsolved when the day began; of any other number, it is unknown which of them the goal needs. */
  problems: readonly RatedProblem[];
}

async function readPlans<Key>(
  db: Db,
  memberId: bigint,
  goals: readonly (Goal & { key: Key })[],
  { days, ...pace }: PaceOfMember,
  now: number,
): Promise<Map<Key, Plan>> {
  const today = days.at(now);
  const isKnown = ({ until, left, solvedToday, problems }: Goal) =>
    until >= today && left > 0 && problems.length === left + solvedToday;
  const problems = goals.filter(isKnown).flatMap((goal) => goal.problems);
  const minutesOf = problems.length > 0 ? await readMinutes(db, memberId, problems) : undefined;
  return new Map(
    goals.map(({ key, ...goal }) => {
      const known = goal.problems.flatMap((one) => minutesOf?.(one)?.minutes ?? []);
      const minutes = isKnown(goal) && known.length === goal.problems.length ? known : undefined;
      return [key, planOf({ today, ...goal, minutes }, pace)];
    }),
  );
}

/** A goal with more problems left is spread by their number alone. */
const timedProblemsAtMost = 500;

/** The plans of goals with a date, by their ids. */
export async function readPlantPlans(
  db: Db,
  memberId: bigint,
  plants: readonly PlantWithGrowth[],
  pace: PaceOfMember,
  now: number,
): Promise<Map<bigint, Plan>> {
  const since = startOfDay(pace.days, new Date(now));
  const dated = plants.filter((plant) => plant.by_date !== null && !isListGone(plant));
  const listIds = [...new Set(dated.flatMap(({ list }) => list?.id ?? []))];
  const ofLists = listIds.length > 0 ? await listUnsolvedOfLists(db, memberId, listIds, since) : [];
  const goals = [];
  for (const plant of dated) {
    const left = Math.max(0, Number(plant.target) - plant.done);
    const most = left > timedProblemsAtMost ? 0 : left;
    const problems = plant.list
      ? ofLists.filter(({ list_id }) => list_id === plant.list?.id)
      : most > 0
        ? await listUnsolvedOfPlant(db, memberId, plant, { since, most })
        : [];
    goals.push({
      key: plant.id,
      until: dayOf(plant.by_date ?? '') ?? 0,
      left,
      solvedToday: plant.today,
      problems,
    });
  }
  return readPlans(db, memberId, goals, pace, now);
}

/** The plans of assignments with a date, by the ids of their lists. */
export async function readAssignmentPlans(
  db: Db,
  memberId: bigint,
  assignments: readonly Pick<AssignedList, 'list_id' | 'due_at'>[],
  pace: PaceOfMember,
  now: number,
): Promise<(assignment: Pick<AssignedList, 'list_id' | 'due_at'>) => Plan | undefined> {
  const since = startOfDay(pace.days, new Date(now));
  const dated = assignments.filter(({ due_at }) => due_at !== null);
  const ids = [...new Set(dated.map(({ list_id }) => list_id))];
  const figures = new Map((await listListFigures(db, memberId, ids, since)).map((one) => [one.list_id, one]));
  const unsolved = ids.length > 0 ? await listUnsolvedOfLists(db, memberId, ids, since) : [];
  const today = pace.days.at(now);
  const goals = dated.flatMap((key) => {
    const { list_id: id, due_at } = key;
    const list = figures.get(id);
    if (!list || list.problems === 0n || due_at === null) return [];
    return {
      key,
      until: Date.parse(due_at) <= now ? today - 1 : dueDay(pace.days, due_at),
      left: Number(list.problems - list.done),
      solvedToday: Number(list.since),
      problems: unsolved.filter(({ list_id }) => list_id === id),
    };
  });
  const plans = await readPlans(db, memberId, goals, pace, now);
  return (assignment) => plans.get(assignment);
}

/** How many members of a group read that they are on course; undefined for few members and for no date to come. */
export async function countOnCourse(
  db: Db,
  dueAt: string | null,
  rows: readonly Pick<AssignmentRow, 'person' | 'solved'>[],
  problemCount: number,
  now: number,
): Promise<{ count: number; people: number } | undefined> {
  const members = rows.filter(({ person }) => person.role === 'member');
  if (dueAt === null || Date.parse(dueAt) <= now || !isLargeEnoughToPublish(members.length)) return undefined;
  const paceOfMember = await readPaces(
    db,
    members.map(({ person }) => person.user_id),
    now,
  );
  const onCourse = members.filter(({ person, solved }) => {
    const { days, ...pace } = paceOfMember(person.user_id);
    const [today, left] = [days.at(now), problemCount - solved];
    return planOf({ today, until: dueDay(days, dueAt), left, solvedToday: 0 }, pace).isOnCourse;
  });
  return { count: onCourse.length, people: members.length };
}
