/** Courses: lists whose sections are modules, which say what they need and when they are done. No lock keeps anybody out. */
import { setImmediate } from 'node:timers/promises';
import { dayMs } from '../durations.ts';
import { type AssignedList, listPeopleWithMarks, type MarkRow } from '../store/assignments.ts';
import type { GroupPerson } from '../store/groups.ts';
import { listItemsOfLists, listSectionsOfLists } from '../store/lists.ts';
import { listValidReviewsInList, type ReviewsTable } from '../store/reviews.ts';
import { listRowsInList } from '../store/rows.ts';
import { type StatusesTable, shownStateOf } from '../store/statuses.ts';
import type { Db } from '../store/tables.ts';

export interface Module {
  id: string;
  /** The ids of other modules. */
  needs: readonly string[];
  about: string;
  resources: readonly { url: string; title: string }[];
  /** How many problems to solve; undefined is all of them. */
  done: number | undefined;
}

export const arrayOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown) =>
  typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';

/** Undefined for a section without a member `id`, which is no module. */
export function moduleOf(extras: string | null | undefined): Module | undefined {
  if (!extras?.includes('"id"')) return undefined;
  const { id, needs, about, resources, done } = JSON.parse(extras) as Record<string, unknown>;
  if (textOf(id) === '') return undefined;
  return {
    id: textOf(id),
    needs: arrayOf(needs).map(textOf).filter(Boolean),
    about: textOf(about),
    resources: arrayOf(resources).flatMap((one) => {
      const url = textOf(Object(one).url ?? one);
      return /^https?:\/\//i.test(url) ? { url, title: textOf(Object(one).title) || url } : [];
    }),
    done: Number.isSafeInteger(done) && Number(done) > 0 ? Number(done) : undefined,
  };
}

/** The ids of further modules that have this problem, which is stored in the first of them. */
export function otherModulesOf(extras: string | null | undefined): string[] {
  return extras?.includes('"also"') ? arrayOf(JSON.parse(extras).also).map(textOf) : [];
}

export function withOtherModules(
  extras: string | null | undefined,
  ids: readonly string[],
): string | undefined {
  const also = ids.length === 0 ? undefined : [...new Set(ids)];
  const text = JSON.stringify({ ...JSON.parse(extras ?? '{}'), also });
  return text === '{}' ? undefined : text;
}

/** What the form of a list says of one section. */
export interface ModuleEdit {
  /** The numbers of sections, which count from 1. */
  needs: readonly number[];
  about: string;
  done: number | undefined;
}

/** Makes each section a module, by the edits in the order of the sections; without edits none is one any more. */
export function withModules<T extends { extras?: string | null | undefined }>(
  sections: readonly T[],
  edits: readonly ModuleEdit[] | undefined,
): T[] {
  const ownIds = sections.map(({ extras }) => moduleOf(extras)?.id);
  const used = new Set(ownIds);
  const ids = ownIds.map((ownId, index) => {
    let id = ownId ?? String(index + 1);
    while (id !== ownId && used.has(id)) id += "'";
    used.add(id);
    return id;
  });
  return sections.map((section, index) => {
    const { needs = [], about = '', done } = edits?.[index] ?? {};
    const module = {
      id: ids[index],
      needs: needs.flatMap((number) => ids[number - 1] ?? []),
      about: about || undefined,
      done,
    };
    const none = { id: undefined, needs: undefined, done: undefined };
    const members = { ...JSON.parse(section.extras ?? '{}'), ...(edits ? module : none) };
    const extras = JSON.stringify(members);
    return { ...section, extras: extras === '{}' ? null : extras };
  });
}

interface Section<Problem> {
  name: string;
  extras: string | null;
  problems: readonly Problem[];
}

export interface CourseModule<Problem> extends Module {
  name: string;
  number: number;
  /** The numbers of the modules that it needs, without those that are missing or would close a circle. */
  needed: readonly number[];
  /** The length of the longest way to it from a module without needs. */
  layer: number;
  problems: readonly Problem[];
}

export interface Course<Problem> {
  modules: readonly CourseModule<Problem>[];
  /** Whether no module says what it needs, so that the course is in the order of its modules. */
  isInOrder: boolean;
  faults: readonly { kind: 'missing' | 'circle' | 'twice'; module: string; need: string }[];
  /** The indexes of the modules of a problem. */
  places: ReadonlyMap<bigint, readonly number[]>;
}

/** Undefined if no section is a module. Another section of a course is a module without needs. */
export function courseOf<Problem extends { id: bigint; extras: string | null }>(
  sections: readonly Section<Problem>[],
): Course<Problem> | undefined {
  const parsed = sections.map(({ extras }) => moduleOf(extras));
  if (parsed.every((one) => one === undefined)) return undefined;
  const faults: Course<Problem>['faults'][number][] = [];
  const indexOf = new Map<string, number>();
  const problemsAlsoIn = Map.groupBy(
    sections.flatMap(({ problems }) =>
      problems.flatMap((problem) => otherModulesOf(problem.extras).map((id) => ({ id, problem }))),
    ),
    ({ id }) => id,
  );
  for (const [index, module] of parsed.entries()) {
    if (!module) continue;
    if (indexOf.has(module.id))
      faults.push({ kind: 'twice', module: sections[index]?.name ?? '', need: module.id });
    else indexOf.set(module.id, index);
  }
  const layers: (number | undefined)[] = [];
  const needed: number[][] = [];
  const nameOf = (index: number) => sections[index]?.name ?? '';
  const visit = (index: number): number => {
    if (layers[index] !== undefined) return layers[index];
    needed[index] = [];
    const own = needed[index];
    layers[index] = -1;
    let layer = 0;
    for (const need of new Set(parsed[index]?.needs)) {
      const at = indexOf.get(need);
      const other = at === undefined ? undefined : visit(at);
      if (at === undefined) faults.push({ kind: 'missing', module: nameOf(index), need });
      else if (other === -1 || other === undefined)
        faults.push({ kind: 'circle', module: nameOf(index), need: nameOf(at) });
      else {
        own.push(at + 1);
        layer = Math.max(layer, other + 1);
      }
    }
    layers[index] = layer;
    return layer;
  };
  const modules = sections.map(({ name, problems }, index) => {
    const layer = visit(index);
    const { id = '', needs = [], about = '', resources = [], done } = parsed[index] ?? {};
    const isFirst = indexOf.get(id) === index;
    const more = (isFirst ? (problemsAlsoIn.get(id) ?? []) : []).map(({ problem }) => problem);
    const all = [...new Set([...problems, ...more])];
    return {
      id,
      needs,
      about,
      resources,
      done,
      name,
      number: index + 1,
      needed: needed[index] ?? [],
      layer,
      problems: all,
    };
  });
  const places = new Map<bigint, number[]>();
  for (const [index, { problems }] of modules.entries())
    for (const { id } of problems) places.set(id, [...(places.get(id) ?? []), index]);
  return { modules, isInOrder: modules.every(({ needs }) => needs.length === 0), faults, places };
}

export type CourseMark = Pick<
  StatusesTable,
  'self_status' | 'self_at' | 'judge_status' | 'judge_at' | 'how'
> &
  Partial<Pick<MarkRow, 'begun_at'>>;

export type ModuleState = 'now' | 'next' | 'later' | 'done' | 'shaky';

export interface ModuleProgress {
  state: ModuleState;
  /** How many were solved without the editorial. */
  solved: number;
  /** How many to solve. */
  target: number;
  /** The problem that the last review could not solve again, and when that was. */
  failed: { problem: bigint; at: string } | undefined;
  /** Problems that were solved with the editorial. */
  editorial: readonly bigint[];
  /** The first mark on one of its problems; undefined if there is none, '' if nobody knows when. */
  begunAt: string | undefined;
  /** For how many days somebody in a group has been in the module. */
  days: number | undefined;
}

const nextInOrder = 3;

function earliest(...moments: readonly (string | null | undefined)[]): string {
  let first = '';
  for (const at of moments) if (at && (first === '' || at < first)) first = at;
  return first;
}

const solvedAt = ({ self_status, self_at, judge_status, judge_at }: CourseMark) =>
  earliest(self_status === 'complete' ? self_at : null, judge_status === 'complete' ? judge_at : null);

/** `lastReviews` are those that count, by problem. A module without problems is done, so that it keeps nobody out. */
export function progressIn<Problem extends { id: bigint }>(
  { modules, isInOrder, places }: Course<Problem>,
  marks: ReadonlyMap<bigint, CourseMark>,
  lastReviews: ReadonlyMap<bigint, Pick<ReviewsTable, 'grade' | 'made_at'>>,
): ModuleProgress[] {
  const touched = new Set([...marks.keys()].flatMap((id) => places.get(id) ?? []));
  const progress = modules.map(({ problems, done }, index): ModuleProgress => {
    const target = Math.min(done ?? problems.length, problems.length);
    const [editorial, times, again]: [bigint[], string[], NonNullable<ModuleProgress['failed']>[]] = [
      [],
      [],
      [],
    ];
    let begunAt: string | undefined;
    for (const { id } of touched.has(index) ? problems : []) {
      const mark = marks.get(id);
      if (!mark || shownStateOf(mark) === 'not_started') continue;
      const at = earliest(mark.self_at, mark.judge_at, mark.begun_at);
      if (begunAt === undefined || at < begunAt) begunAt = at;
      if (shownStateOf(mark) !== 'complete') continue;
      if (mark.how === 'editorial') editorial.push(id);
      else times.push(solvedAt(mark));
      const { grade, made_at = '' } = lastReviews.get(id) ?? {};
      if (grade === 'again') again.push({ problem: id, at: made_at });
    }
    const doneAt = target === 0 ? '' : times.sort()[target - 1];
    const [failed] = again
      .filter(({ at }) => doneAt !== undefined && at >= doneAt)
      .sort((one, other) => (one.at < other.at ? 1 : -1));
    const state = doneAt === undefined ? 'later' : failed ? 'shaky' : 'done';
    return { state, solved: times.length, target, failed, editorial, begunAt, days: undefined };
  });
  const isOpen = (one: ModuleProgress) => one.state === 'later';
  const ready = progress.filter(
    (one, index) =>
      isOpen(one) &&
      modules[index]?.needed.every((number) => !isOpen(progress[number - 1] as ModuleProgress)),
  );
  const now = ready.find(({ begunAt }) => begunAt !== undefined) ?? ready[0];
  const rest = ready.filter((one) => one !== now);
  for (const one of isInOrder ? rest.slice(0, nextInOrder) : rest) one.state = 'next';
  if (now) now.state = 'now';
  return progress;
}

export async function readProgress<Problem extends { id: bigint }>(
  db: Db,
  course: Course<Problem>,
  memberId: bigint,
  listId: bigint,
): Promise<ModuleProgress[]> {
  const statuses = await listRowsInList(db, 'statuses', memberId, listId);
  const marks = new Map(statuses.map((row) => [row.problem_id, row]));
  return progressIn(course, marks, lastReviews(await listValidReviewsInList(db, memberId, listId)));
}

/** `reviews` are in the order in which they were made. */
const lastReviews = (reviews: readonly ReviewsTable[]) =>
  new Map(
    reviews.filter(({ grade }) => grade !== 'later' && grade !== 'never').map((row) => [row.problem_id, row]),
  );

/** Somebody is stuck in a module that they have been in for so long. */
export const stuckDays = 14;

export interface CoursePerson {
  person: GroupPerson;
  /** One for each module. Reviews are nobody else's, so no module is shaky here. */
  modules: readonly ModuleProgress[];
}

/** By their ids, lists with their items, without what the problems are. Those without modules are no courses. */
export async function readCourses(db: Db, listIds: readonly bigint[]) {
  const ids = [...new Set(listIds)];
  const items = Map.groupBy(await listItemsOfLists(db, ids), ({ list_id }) => list_id);
  const sections = Map.groupBy(await listSectionsOfLists(db, ids), ({ list_id }) => list_id);
  return new Map(
    ids.map((id) => {
      const own = items.get(id) ?? [];
      const problemsIn = Map.groupBy(own, ({ section }) => section);
      const withProblems = (sections.get(id) ?? []).map(({ name, extras, position }) => {
        return { name, extras, problems: problemsIn.get(position) ?? [] };
      });
      const byId = new Map(own.map((one) => [one.id, one]));
      return [id, { items: byId, course: courseOf(withProblems) }];
    }),
  );
}

/** Undefined if the list is no course. */
export async function readGroupCourse(
  db: Db,
  groupId: bigint,
  { list_id, given_at }: Pick<AssignedList, 'list_id' | 'given_at'>,
  now: number,
): Promise<{ course: Course<{ id: bigint }>; people: CoursePerson[] } | undefined> {
  const course = (await readCourses(db, [list_id])).get(list_id)?.course;
  if (!course) return undefined;
  const people: CoursePerson[] = [];
  for (const person of await listPeopleWithMarks(db, groupId, list_id)) {
    people.push({ person, modules: modulesOf(course, person.byProblem, [given_at, person.joined_at], now) });
    // Other requests run between the people, of whom each may be in hundreds of modules.
    await setImmediate();
  }
  return { course, people };
}

/** A module without problems counts neither as done nor as one to do. */
export function doneIn(modules: readonly ModuleProgress[]): { done: number; all: number } {
  const counted = modules.filter(({ target }) => target > 0);
  return { done: counted.filter(({ state }) => state === 'done').length, all: counted.length };
}

/** Days count from the first mark in a module, but not from before any moment of `since`. */
export function modulesOf<Problem extends { id: bigint }>(
  course: Course<Problem>,
  marks: ReadonlyMap<bigint, CourseMark>,
  since: readonly string[],
  now: number,
): ModuleProgress[] {
  const progress = progressIn(course, marks, new Map());
  for (const one of progress)
    if (one.begunAt !== undefined && one.state !== 'done') {
      const [from = ''] = [one.begunAt, ...since].sort().reverse();
      one.days = Math.floor((now - Date.parse(from)) / dayMs);
    }
  return progress;
}

export const isStuck = ({ days = 0 }: ModuleProgress): boolean => days >= stuckDays;

/** The module in which most people are stuck, the first of several. */
export function findStop(people: readonly CoursePerson[]): { number: number; count: number } | undefined {
  const counts = (people[0]?.modules ?? []).map((_, index) => ({
    number: index + 1,
    count: people.filter(({ modules }) => modules[index] && isStuck(modules[index])).length,
  }));
  const [stop] = counts.toSorted((one, other) => other.count - one.count);
  return stop && stop.count > 0 ? stop : undefined;
}
