/**
 * Three people walk a course for weeks: one in its order, one who jumps about and uses editorials, and one whose reviews
 * fail. What their pages and their coach's say is counted again from what they did, by the rules of docs/lists.md.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { assignList } from '../../src/practice/assignments.ts';
import { makeGroup } from '../../src/practice/groups.ts';
import { setStatus, undo } from '../../src/practice/marks.ts';
import { answerReview, dueForReview, undoReview } from '../../src/practice/reviews.ts';
import { insertGroupMember } from '../../src/store/groups.ts';
import { listSections } from '../../src/store/lists.ts';
import type { How, State } from '../../src/store/statuses.ts';
import { openGarden } from '../importing/support.ts';
import { type Page, textOf } from '../support/forms.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';
import { ponds } from '../support/ponds.ts';
import { needsData, readReal } from '../support/real-data.ts';

const dayMs = 86_400_000;
const began = Date.parse('2026-01-05T15:00:00Z');

interface Lesson {
  title: string;
  /** The places of other lessons. */
  needs: number[];
  problems: bigint[];
  done?: number | undefined;
}

interface Mark {
  state: State;
  how: How | null;
  at: number;
  firstAt: number;
}

interface Walker {
  name: string;
  id: bigint;
  joinedAt: number;
  marks: Map<bigint, Mark>;
  reviews: Map<bigint, { grade: string; at: number }[]>;
}

/* The rules, written from the documents. */

function recount(lessons: readonly Lesson[], { marks, reviews }: Walker) {
  const own = lessons.map(({ problems, done }) => {
    const marked = problems.flatMap((id) => {
      const mark = marks.get(id);
      return mark && mark.state !== 'not_started' ? { id, ...mark } : [];
    });
    const solved = marked.filter(({ state }) => state === 'complete');
    const days = solved
      .filter(({ how }) => how !== 'editorial')
      .map(({ at }) => at)
      .sort((one, other) => one - other);
    const target = Math.min(done ?? Infinity, problems.length);
    const doneAt = target === 0 ? 0 : days[target - 1];
    const isShaky = solved.some(({ id }) => {
      const last = reviews.get(id)?.findLast(({ grade }) => grade !== 'later' && grade !== 'never');
      return last?.grade === 'again' && doneAt !== undefined && last.at >= doneAt;
    });
    const firstAt = Math.min(...marked.map((one) => one.firstAt));
    return { count: days.length, target, isDone: doneAt !== undefined, isShaky, firstAt };
  });
  const ready = own.flatMap(({ isDone }, at) =>
    !isDone && lessons[at]?.needs.every((need) => own[need]?.isDone) ? [at] : [],
  );
  const now = ready.find((at) => own[at]?.firstAt !== Infinity) ?? ready[0];
  const others = ready.filter((at) => at !== now);
  const next = lessons.every(({ needs }) => needs.length === 0) ? others.slice(0, 3) : others;
  return own.map((one, at) => {
    const state = one.isDone
      ? one.isShaky
        ? 'shaky'
        : 'done'
      : at === now
        ? 'now'
        : next.includes(at)
          ? 'next'
          : 'later';
    return { ...one, state, title: `${at + 1} ${lessons[at]?.title}` };
  });
}

function ownPage(lessons: readonly Lesson[], walker: Walker) {
  const all = recount(lessons, walker);
  const linesOf = (...states: string[]) =>
    all.flatMap(({ state, title, count, target }, at) => {
      if (!states.includes(state)) return [];
      const needs = (lessons[at]?.needs ?? []).map((need) => {
        return `${lessons[need]?.title}${all[need]?.state === 'shaky' ? ' (shaky)' : ''}`;
      });
      const figures = target > 0 ? `${Math.min(count, target)} of ${target} solved` : '';
      return `${title} ${needs.length > 0 ? `Needs ${needs.join(', ')} ` : ''}${figures}`.trim();
    });
  const [now] = all.filter(({ state }) => state === 'now');
  const shaky = all.flatMap(({ state }, at) => (state === 'shaky' ? `${lessons[at]?.title} is shaky` : []));
  const doneCount = all.filter(({ isDone }) => isDone).length;
  return {
    now: now ? `Now ${now.title.replace(' ', '. ')}` : '',
    figures: now && now.target > 0 ? `${Math.min(now.count, now.target)} of ${now.target} solved` : '',
    shaky,
    next: linesOf('next'),
    later: linesOf('later'),
    done: linesOf('done', 'shaky'),
    counts: `${doneCount} done${shaky.length > 0 ? `, ${shaky.length} of them shaky` : ''}`,
  };
}

const tidy = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

function readOwnPage(page: Page): ReturnType<typeof ownPage> {
  const texts = (selector: string) => page.document.querySelectorAll(selector).map((one) => tidy(one.textContent));
  const lines = (parent: string) =>
    page.document.querySelectorAll(`${parent} .module`).map((one) =>
      tidy(
        one
          .querySelectorAll('.no, h3, p')
          .map(({ textContent }) => textContent)
          .join(' '),
      ),
    );
  return {
    now: texts('.course-now h2')[0] ?? '',
    figures: texts('.course-now .panel-head .num')[0] ?? '',
    shaky: texts('.again h2'),
    next: lines('[aria-labelledby=next]'),
    later: lines('[aria-labelledby=later]'),
    done: lines('.fold'),
    counts: /\d+ done(, \d+ of them shaky)?/.exec(textOf(page, 'main'))?.[0] ?? '',
  };
}

function coachPage(lessons: readonly Lesson[], walkers: readonly Walker[], givenAt: number, isStuckFirst: boolean) {
  const people = walkers.map((walker) => {
    const cells = recount(lessons, walker).map(({ count, target, isDone, firstAt }) => {
      const days = Math.floor((Date.now() - Math.max(firstAt, givenAt, walker.joinedAt)) / dayMs);
      const isBegun = firstAt !== Infinity;
      const isStuck = isBegun && !isDone && days >= 14;
      const text = isBegun ? `${count} of ${target}${isStuck ? ` ${days} days` : ''}` : '';
      return { isDone, isBegun, isStuck, text: isDone ? 'Done' : text };
    });
    return { name: walker.name, cells };
  });
  const touched = lessons.map((_, at) => people.some(({ cells }) => cells[at]?.isBegun));
  const first = [...touched.keys()].filter((at) => touched[at]);
  const columns = [...first, ...[...touched.keys()].filter((at) => !touched[at])].slice(0, 60).sort((a, b) => a - b);
  const counts = lessons.map((_, at) => people.filter(({ cells }) => cells[at]?.isStuck).length);
  const most = Math.max(...counts);
  const stop = counts.indexOf(most);
  const isFree = ({ cells }: (typeof people)[number]) => !cells.some(({ isStuck }) => isStuck);
  const ordered = isStuckFirst ? [...people.filter((one) => !isFree(one)), ...people.filter(isFree)] : people;
  const rows = ordered.map(({ name, cells }) => {
    const done = cells.filter(({ isDone }, at) => isDone && lessons[at]?.problems.length).length;
    return [name, String(done), ...columns.map((at) => cells[at]?.text)];
  });
  const doneBy = columns.map((at) => String(people.filter(({ cells }) => cells[at]?.isDone).length));
  const sentence =
    most === 0
      ? 'Nobody has been in one module for 14 days or more.'
      : `Most people stop at ${stop + 1}. ${lessons[stop]?.title}: ${most} ${most === 1 ? 'has' : 'have'} been there for 14 days or more.`;
  return { sentence, columns: columns.map((at) => String(at + 1)), rows: [...rows, ['Done by', '', ...doneBy]] };
}

function readCoachPage(page: Page): ReturnType<typeof coachPage> {
  const cellsOf = (selector: string) =>
    page.document
      .querySelectorAll(`.course-table ${selector} tr`)
      .map((row) => row.querySelectorAll('th, td').map((cell) => tidy(cell.textContent)));
  return {
    sentence: tidy(textOf(page, '.one-sentence')),
    columns: page.document.querySelectorAll('.course-table thead b').map((one) => one.textContent),
    rows: [...cellsOf('tbody'), ...cellsOf('tfoot')],
  };
}

/* The walk */

function seededRandom(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Read = (sections: Awaited<ReturnType<typeof listSections>>) => Lesson[];

/** The pages are read on some of the days. */
async function walk(
  t: TestContext,
  file: string,
  readLessons: Read,
  { days, pagesOn }: { days: number; pagesOn: number },
) {
  t.mock.timers.enable({ apis: ['Date'], now: began });
  const garden = await openGarden(t);
  const { store, databaseUrl } = garden;
  const ids = await membersNamed(databaseUrl, 'coach', 'ann', 'ben', 'cat');
  await garden.import('problems', ponds(20));
  await garden.import('lists', file, { member: 'coach', addsUnknown: true });
  const { id: listId } = await store.reader.selectFrom('lists').select('id').executeTakeFirstOrThrow();
  const lessons = readLessons(await listSections(store.reader, listId));
  const groupId = await makeGroup(store, ids.coach, { name: 'Club', zone: 'UTC' });
  const { url } = await serveHere(t, { databaseUrl });
  const random = seededRandom(7);
  const pick = <T>(some: readonly T[]) => some[Math.floor(random() * some.length)] as T;
  const join = async (name: 'ann' | 'ben' | 'cat', joinedAt: number): Promise<Walker> => {
    const row = { group_id: groupId, user_id: ids[name], role: 'member', on_board: 0n } as const;
    await store.write((tx) => insertGroupMember(tx, { ...row, joined_at: new Date(joinedAt).toISOString() }));
    return { name, id: ids[name], joinedAt, marks: new Map(), reviews: new Map() };
  };
  const walkers = [await join('ann', began + 7 * dayMs), await join('ben', began), await join('cat', began)] as const;
  const [ann, ben, cat] = walkers;

  async function mark({ id: memberId, marks }: Walker, problem: bigint, state: State, how: How | null = null) {
    const before = marks.get(problem);
    const { batch } = await setStatus(store, { memberId, problemIds: [problem], status: state, how });
    if (batch === undefined) return;
    const now = Date.now();
    const at = before?.state === state ? before.at : now;
    marks.set(problem, { state, how, at, firstAt: before?.firstAt ?? now });
    if (random() > 0.1) return;
    await undo(store, memberId, batch);
    if (before) marks.set(problem, before);
    else marks.delete(problem);
  }
  /** The first problem of the module that is now, tried on one day and solved on a later one. */
  async function goOn(walker: Walker) {
    const at = recount(lessons, walker).findIndex(({ state }) => state === 'now');
    const problem = lessons[at]?.problems.find((id) => walker.marks.get(id)?.state !== 'complete');
    if (problem === undefined) return;
    const isBegun = walker.marks.has(problem);
    await mark(walker, problem, isBegun || random() < 0.4 ? 'complete' : 'practicing', isBegun ? 'hint' : null);
  }
  async function review(walker: Walker, answers: readonly ('again' | 'hard' | 'good' | 'later' | 'never')[]) {
    const { problems } = await dueForReview(store.reader, walker.id, new Date());
    for (const { problem_id: problemId, version } of problems) {
      const answer = pick(answers);
      const { id } = await answerReview(store, walker.id, { problemId, answer, version }, new Date());
      if (random() < 0.1) await undoReview(store, walker.id, id, new Date());
      else walker.reviews.set(problemId, [...(walker.reviews.get(problemId) ?? []), { grade: answer, at: Date.now() }]);
    }
  }
  async function jump() {
    const problem = pick(pick(lessons.slice(0, 40).filter(({ problems }) => problems.length > 0)).problems);
    const state = pick(['complete', 'complete', 'practicing', 'skipped', 'not_started'] as const);
    await mark(ben, problem, state, state === 'complete' ? pick(['editorial', 'editorial', 'alone', null]) : null);
  }

  let givenAt = 0;
  const seen = new Set<string>();
  for (let day = 0; day < days; day++) {
    t.mock.timers.setTime(began + day * dayMs);
    if (day === 3) {
      await assignList(store, { groupId, coachId: ids.coach, listId }, null);
      givenAt = Date.now();
    }
    await review(ann, ['good']);
    await review(ben, ['again', 'hard', 'good', 'later', 'never']);
    await review(cat, ['again', 'again', 'good', 'never']);
    if (day < 8 || day > 26) await goOn(ann);
    await jump();
    await goOn(cat);
    if (day < 8 || day % pagesOn > 0) continue;
    t.mock.timers.setTime(Date.now() + dayMs / 3);
    for (const walker of walkers) {
      const page = await (await browserOf(url, walker.name)).open(`/problem_list/lists/${listId}/`);
      assert.deepEqual(readOwnPage(page), ownPage(lessons, walker), `${walker.name} on day ${day}`);
      for (const { state } of recount(lessons, walker)) seen.add(state);
    }
    const coach = await browserOf(url, 'coach');
    for (const order of ['', 'stuck']) {
      const page = await coach.open(`/dashboard/groups/${groupId}/assignments/${listId}/?order=${order}`);
      const expected = coachPage(lessons, walkers, givenAt, order === 'stuck');
      assert.deepEqual(readCoachPage(page), expected, `the coach on day ${day}`);
      if (expected.rows.join().includes('14 days')) seen.add('14 days');
    }
  }
  return seen;
}

const address = (id: number) => `https://codeforces.com/contest/${id}/problem/A`;
const lesson = (id: string, needs: string[], problems: number[], done?: number) => {
  return { id, title: `Module ${id}`, needs, problems: problems.map((one) => ({ url: address(one) })), done };
};
const modules = [
  lesson('start', [], []),
  lesson('loops', ['start'], [1, 2, 3]),
  lesson('sort', ['loops'], [4, 5, 6, 7], 2),
  lesson('graph', ['loops'], [8, 9]),
  lesson('dp', ['sort', 'gone'], [10, 11, 4], 9),
  lesson('trees', ['graph', 'dp', 'paths'], [12, 13]),
  lesson('paths', ['trees'], [14]),
  lesson('extra', [], [15, 16, 12]),
  ...Array.from({ length: 56 }, (_, at) => lesson(`reading ${at}`, [], [])),
];
/** By place. Paths needs trees too, which would be a circle. */
const needs = [[], [0], [1], [1], [2], [3, 4, 6], [], []];

test('what a course of eight modules, and of others to read, says of three people in nine weeks', async (t) => {
  const read: Read = () =>
    modules.map(({ title, problems, done }, at) => {
      const ids = problems.map(({ url }) => BigInt(url.split('/').at(-3) ?? ''));
      return { title, problems: ids, done, needs: needs[at] ?? [] };
    });
  const file = JSON.stringify({ format: 'practice-course/1', title: 'Course', modules });
  const seen = await walk(t, file, read, { days: 63, pagesOn: 3 });
  for (const state of ['now', 'next', 'later', 'done', 'shaky', '14 days']) assert.ok(seen.has(state), state);
});

test(
  'what the curriculum of 565 modules and 3,130 problems says of three people for six weeks',
  needsData,
  async (t) => {
    const file = await readReal('courses/ultimate-topic-list.json');
    const facts: { title: string; problems: { url: string }[] }[] = JSON.parse(file).modules;
    assert.deepEqual(
      [facts.length, new Set(facts.flatMap(({ problems }) => problems.map(({ url }) => url))).size],
      [565, 3130],
    );
    const read: Read = (sections) => {
      const others = sections
        .flatMap(({ problems }) => problems)
        .flatMap(({ id, extras }) => (JSON.parse(extras ?? '{}').also ?? []).map((module: string) => ({ module, id })));
      const lessons = sections.map(({ name: title, problems, extras }, at) => {
        assert.equal(title, tidy(facts[at]?.title ?? ''));
        const { id: own } = JSON.parse(extras ?? '');
        const ids = [...problems, ...others.filter(({ module }) => module === own)].map(({ id }) => id);
        return { title, problems: [...new Set<bigint>(ids)], needs: [] };
      });
      // Of 3,603 links two are no problems, and two lead to a problem that their module has already.
      assert.equal(lessons.flatMap(({ problems }) => problems).length, 3599);
      return lessons;
    };
    await walk(t, file, read, { days: 42, pagesOn: 11 });
  },
);
