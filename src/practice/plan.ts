/**
 * Plans to a date: how many problems a day finish what is left in time, on the weekdays on which a member practises.
 * Days are those of a member (`days.ts`), so that no change of clocks matters.
 */
import { dayMs } from '../durations.ts';
import { message } from '../errors.ts';
import { listFirstSolveTimesOfMembers } from '../store/activity.ts';
import type { AssignedList } from '../store/assignments.ts';
import { listCompletedOfList, listListFigures, listProblemsOfList } from '../store/lists.ts';
import { daySettingNames, listDaySettings } from '../store/settings.ts';
import type { Db } from '../store/tables.ts';
import type { AssignmentRow } from './assignments.ts';
import { type Days, dayOf, daysOf, weekdayOf } from './days.ts';
import { isListGone, type PlantWithGrowth, startOfDay } from './garden.ts';
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
  const days: number[][] = Array.from({ length: Math.min(dayCount, minutes.length) }, () => []);
  for (const one of minutes.toSorted((a, b) => b - a))
    days.reduce((least, day) => (sum(day) < sum(least) ? day : least), days[0] ?? []).push(one);
  return days;
}

export const planMessage = (plan: Plan, dayText: (day: number) => string) =>
  plan.dayCount === 0
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

/** Undefined for a goal without a date or with nothing left. */
export function planOfPlant(
  plant: PlantWithGrowth,
  { days, ...pace }: PaceOfMember,
  now: number,
): Plan | undefined {
  const until = dayOf(plant.by_date ?? '');
  const left = Number(plant.target) - plant.done;
  if (until === undefined || left <= 0 || isListGone(plant)) return undefined;
  return planOf({ today: days.at(now), until, left, solvedToday: plant.today }, pace);
}

/** Undefined if the minutes of a problem are unknown that was left when the day began. */
async function readMinutesOfList(
  db: Db,
  memberId: bigint,
  listId: bigint,
  since: string,
): Promise<number[] | undefined> {
  const completed = await listCompletedOfList(db, memberId, listId);
  const before = new Set(
    completed.flatMap(({ problem_id, completed_at }) => ((completed_at ?? '') < since ? problem_id : [])),
  );
  const problems = (await listProblemsOfList(db, listId)).filter(({ id }) => !before.has(id));
  const minutesOf = await readMinutes(db, memberId, problems);
  const known = problems.flatMap((problem) => Math.round(minutesOf(problem)?.minutes ?? 0) || []);
  return known.length === problems.length ? known : undefined;
}

/** The plans of assignments with a date and something left, by the ids of their lists. */
export async function readAssignmentPlans(
  db: Db,
  memberId: bigint,
  assignments: readonly Pick<AssignedList, 'list_id' | 'due_at'>[],
  { days, ...pace }: PaceOfMember,
  now: number,
): Promise<(assignment: Pick<AssignedList, 'list_id' | 'due_at'>) => Plan | undefined> {
  const ids = assignments.map(({ list_id }) => list_id);
  const since = startOfDay(days, new Date(now));
  const figures = await listListFigures(db, memberId, ids, since);
  const minutesOfLists = new Map<bigint, number[] | undefined>();
  for (const { list_id: id, due_at } of assignments)
    if (
      due_at !== null &&
      Date.parse(due_at) > now &&
      figures.some((one) => one.list_id === id && one.done < one.problems)
    )
      minutesOfLists.set(id, await readMinutesOfList(db, memberId, id, since));
  return ({ list_id, due_at }) => {
    const list = figures.find((one) => one.list_id === list_id);
    if (!list || due_at === null || list.done >= list.problems) return undefined;
    const [today, left] = [days.at(now), Number(list.problems - list.done)];
    const until = Date.parse(due_at) <= now ? today - 1 : dueDay(days, due_at);
    const minutes = minutesOfLists.get(list_id);
    return planOf({ today, until, left, solvedToday: Number(list.since), minutes }, pace);
  };
}

/** How many of the members in a group's table will finish in time; undefined for few members and for no date to come. */
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
