/** What people did on the lists of their groups: for the page of one person, and for what needs a coach. */
import { setImmediate } from 'node:timers/promises';
import { dayMs } from '../durations.ts';
import { type AssignedList, listMarks } from '../store/assignments.ts';
import type { ListedPerson } from '../store/groups.ts';
import type { Db } from '../store/tables.ts';
import { type AssignmentRow, expectedSolved, isInactiveSince, workOn } from './assignments.ts';
import { type Course, type CoursePerson, isStuck, modulesOf, readCourses } from './courses.ts';

/** Of a course only the cells of marked problems are read. */
export type Work = Pick<AssignmentRow, 'cells' | 'solved' | 'late' | 'activeAt'> & {
  assignment: AssignedList;
  problems: number;
  /** Undefined if the list is no course. */
  course: (Pick<Course<{ id: bigint }>, 'modules'> & { states: CoursePerson['modules'] }) | undefined;
};

/** Reads in three statements for up to a hundred lists, whoever and however many the people are. */
export async function readWork(
  db: Db,
  assignments: readonly AssignedList[],
  people: readonly ListedPerson[],
  now: number,
): Promise<(person: ListedPerson, assignment: AssignedList) => Work> {
  const lists = await readCourses(
    db,
    assignments.map(({ list_id }) => list_id),
  );
  const userIds = [...new Set(people.map(({ user_id }) => user_id))];
  const marks = await listMarks(db, [...lists.keys()], userIds);
  return ({ user_id, joined_at }, assignment) => {
    const { list_id, given_at, due_at } = assignment;
    const own = marks.get(user_id) ?? new Map();
    const { items = new Map(), course } = lists.get(list_id) ?? {};
    const ids = [...(course ? own : items).keys()];
    const states = course && modulesOf(course, own, [given_at, joined_at], now);
    const work = workOn(
      ids.flatMap((id) => items.get(id) ?? []),
      own,
      due_at,
    );
    return {
      ...work,
      assignment,
      problems: items.size,
      course: course && states && { modules: course.modules, states },
    };
  };
}

/** When the person last did something on these lists. */
export const lastActivity = (works: readonly Work[]): string | undefined =>
  works
    .flatMap(({ activeAt }) => activeAt ?? [])
    .toSorted()
    .at(-1);

const dueSpanMs = 14 * dayMs;
const duesAtMost = 5;
/** The newest lists of a group that are not long overdue. */
const currentAtMost = 20;

export interface DueProgress {
  assignment: AssignedList;
  problems: number;
  /** By the id of the person. */
  solved: ReadonlyMap<bigint, number>;
  finished: number;
  /** Who has solved a smaller share of the problems than the share of the time that is over, the fewest solved first. */
  behind: readonly ListedPerson[];
}

export interface GroupLook<Group> {
  group: Group;
  /** Members who can sign in; coaches are none of them. */
  learners: readonly ListedPerson[];
  /** Of what is due within two weeks, or was. */
  dues: readonly DueProgress[];
  /** With the first module that somebody has been in for two weeks. */
  stuck: readonly { person: ListedPerson; listId: bigint; number: number; name: string; days: number }[];
  /** Who did nothing on any of the lists for a week, while something is left in one that is older. */
  inactive: readonly { person: ListedPerson; activeAt: string | undefined }[];
}

export async function readLooks<Group extends { id: bigint; lists: readonly AssignedList[] }>(
  db: Db,
  groups: readonly Group[],
  people: readonly ListedPerson[],
  now: number,
): Promise<GroupLook<Group>[]> {
  const dueAt = ({ due_at }: AssignedList) => Date.parse(due_at ?? '');
  const current = groups.map((group) => ({
    group,
    lists: group.lists
      .filter((one) => !(dueAt(one) < now - dueSpanMs))
      .toSorted((one, other) => (one.given_at < other.given_at ? 1 : -1))
      .slice(0, currentAtMost),
    learners: people.filter(
      (one) => one.group_id === group.id && one.role === 'member' && one.is_disabled === 0n,
    ),
  }));
  const workOf = await readWork(
    db,
    current.flatMap(({ lists }) => lists),
    current.flatMap(({ learners }) => learners),
    now,
  );
  const looks: GroupLook<Group>[] = [];
  for (const { group, lists, learners } of current) {
    const all: { person: ListedPerson; works: Work[] }[] = [];
    for (const person of learners) {
      all.push({ person, works: lists.map((one) => workOf(person, one)) });
      await setImmediate();
    }
    const dues = lists
      .flatMap((one, at) => (dueAt(one) <= now + dueSpanMs ? { one, at } : []))
      .toSorted((a, b) => dueAt(a.one) - dueAt(b.one))
      .slice(-duesAtMost)
      .map(({ one, at }) =>
        dueProgress(
          one,
          all.map(({ person, works }) => [person, works[at] as Work]),
          now,
        ),
      );
    const stuck = all.flatMap(({ person, works }) => {
      for (const { assignment, course } of works) {
        const at = course?.states.findIndex(isStuck) ?? -1;
        if (at >= 0)
          return {
            person,
            listId: assignment.list_id,
            number: at + 1,
            name: course?.modules[at]?.name ?? '',
            days: course?.states[at]?.days ?? 0,
          };
      }
      return [];
    });
    const inactive = all.flatMap(({ person, works }) => {
      const activeAt = lastActivity(works);
      const isInactive = works.some(
        ({ solved, problems, assignment }) =>
          solved < problems && isInactiveSince([activeAt ?? '', assignment.given_at, person.joined_at], now),
      );
      return isInactive ? { person, activeAt } : [];
    });
    looks.push({ group, learners, dues, stuck, inactive });
  }
  return looks;
}

function dueProgress(
  assignment: AssignedList,
  works: readonly [ListedPerson, Work][],
  now: number,
): DueProgress {
  const problems = works[0]?.[1].problems ?? 0;
  const expected = expectedSolved(assignment, problems, now);
  return {
    assignment,
    problems,
    solved: new Map(works.map(([{ user_id }, { solved }]) => [user_id, solved])),
    finished: works.filter(([, { solved }]) => solved >= problems).length,
    behind: works
      .filter(([, { solved }]) => solved < expected)
      .toSorted(([, one], [, other]) => one.solved - other.solved)
      .map(([person]) => person),
  };
}

/** Whether somebody is behind, stuck or inactive. */
export const needsCoach = ({ dues, stuck, inactive }: GroupLook<unknown>) =>
  stuck.length + inactive.length > 0 || dues.some(({ behind }) => behind.length > 0);
