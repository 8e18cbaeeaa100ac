/** Courses: what is now, next, later, done and shaky, and odd needs that keep nobody out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type CourseMark,
  courseOf,
  doneIn,
  findStop,
  isStuck,
  moduleOf,
  modulesOf,
  otherModulesOf,
  progressIn,
  withModules,
  withOtherModules,
} from '../../src/practice/courses.ts';

const blank = { self_status: null, self_at: null, judge_status: null, judge_at: null, how: null } as const;
const solved = (day = '01', how: CourseMark['how'] = null): CourseMark => ({
  ...blank,
  judge_status: 'complete',
  judge_at: `2026-03-${day}T10:00:00Z`,
  how,
});

/** Modules by id: what each needs, its rule and its problems, of which those with a name are in that module too. */
type Modules = Record<string, { needs?: string[]; done?: unknown; problems: (number | [number, string])[] }>;

const course = (modules: Modules) => {
  const made = courseOf(
    Object.entries(modules).map(([id, { needs, done, problems }]) => ({
      name: id.toUpperCase(),
      extras: JSON.stringify({ id, needs, done }),
      problems: problems.map((one) => {
        const [number, also] = typeof one === 'number' ? [one] : one;
        return { id: BigInt(number), extras: also === undefined ? null : JSON.stringify({ also: [also] }) };
      }),
    })),
  );
  assert.ok(made);
  return made;
};

const byId = <T>(all: Record<number, T>) => new Map(Object.entries(all).map(([id, one]) => [BigInt(id), one]));

const progress = (
  modules: Modules,
  marks: Record<number, CourseMark> = {},
  reviews: Record<number, { grade: 'again' | 'good'; made_at: string }> = {},
) => {
  return progressIn(course(modules), byId(marks), byId(reviews));
};

const states = (...input: Parameters<typeof progress>) =>
  progress(...input)
    .map(({ state }) => state)
    .join(' ');

const ladder: Modules = {
  a: { problems: [1, 2] },
  b: { needs: ['a'], problems: [3, 4, 5], done: 2 },
  c: { needs: ['a'], problems: [6] },
  d: { needs: ['b', 'c'], problems: [7] },
};

test('the first module whose needs are done is now, the others next, and the rest later', () => {
  assert.equal(states(ladder), 'now later later later');
  assert.equal(states(ladder, { 1: solved(), 2: solved() }), 'done now next later');
  // A module that was begun comes before one that was not.
  assert.equal(
    states(ladder, { 1: solved(), 2: solved(), 6: { ...blank, self_status: 'practicing' } }),
    'done next now later',
  );
  assert.equal(states(ladder, { 1: solved(), 2: solved(), 3: solved(), 5: solved() }), 'done done now later');
  assert.equal(states(ladder, { 7: solved() }), 'now later later done');
  const undone = { ...blank, self_status: 'not_started', self_at: '2026-01-01T00:00:00Z' } as const;
  assert.equal(states(ladder, { 1: solved(), 2: solved(), 6: undone }), 'done now next later');
});

test('a solve with the editorial does not count, and one with a hint does', () => {
  const second = { ...solved('03', 'hint'), self_at: '2026-02-28T10:00:00Z', begun_at: '2026-02-27T10:00:00Z' };
  const [a] = progress(ladder, { 1: solved('01', 'editorial'), 2: second });
  assert.deepEqual([a?.state, a?.solved, a?.target, a?.begunAt], ['now', 1, 2, '2026-02-27T10:00:00Z']);
});

test('a module is shaky while the last review of a problem failed after it was done', () => {
  const marks = { 1: solved('01'), 2: solved('05') };
  const failed = (day: string, grade: 'again' | 'good' = 'again') => ({
    1: { grade, made_at: `2026-03-${day}T12:00:00Z` },
  });
  assert.equal(states(ladder, marks, failed('06')), 'shaky now next later');
  assert.deepEqual(progress(ladder, marks, failed('06'))[0]?.failed, { problem: 1n, at: '2026-03-06T12:00:00Z' });
  assert.equal(states(ladder, marks, failed('04')), 'done now next later');
  assert.equal(states(ladder, marks, failed('06', 'good')), 'done now next later');
  assert.equal(states(ladder, { 1: solved('01') }, failed('06')), 'now later later later');
  const triedFirst = { ...solved('01'), judge_status: 'practicing', self_status: 'complete' } as const;
  const ownDay = { ...marks, 2: { ...triedFirst, self_at: '2026-03-08T10:00:00Z' } };
  assert.equal(states(ladder, ownDay, failed('06')), 'done now next later', 'the try is no solve');
  const atOnce = { 1: { grade: 'again', made_at: '2026-03-05T10:00:00Z' } } as const;
  assert.equal(states(ladder, marks, atOnce), 'shaky now next later');
  const both = { ...failed('06'), 2: { grade: 'again', made_at: '2026-03-07T12:00:00Z' } } as const;
  assert.equal(progress(ladder, marks, both)[0]?.failed?.problem, 2n, 'the last one');
  const triedAgain = { ...marks, 3: solved(), 4: solved(), 5: { ...solved(), self_status: 'practicing' } } as const;
  const unsolved = { 5: { grade: 'again', made_at: '2026-03-07T12:00:00Z' } } as const;
  assert.equal(states(ladder, triedAgain, unsolved), 'done done now later');
  assert.equal(
    states(ladder, { ...marks, 1: { ...blank, self_status: 'complete' } }, failed('06')),
    'shaky now next later',
  );
});

test('a rule of more problems than there are takes all, and a module without problems keeps nobody out', () => {
  const modules: Modules = {
    read: { problems: [] },
    a: { needs: ['read'], problems: [1], done: 9 },
    b: { problems: [2], done: '1' },
  };
  assert.deepEqual(
    progress(modules, { 1: solved() }).map(({ state, target }) => [state, target]),
    [
      ['done', 0],
      ['done', 1],
      ['now', 1],
    ],
  );
});

test('a problem in two modules counts in both', () => {
  const modules: Modules = { a: { problems: [[1, 'b'], 2] }, b: { problems: [3] } };
  assert.deepEqual(
    course(modules).modules.map(({ problems }) => problems.map(({ id }) => Number(id))),
    [
      [1, 2],
      [3, 1],
    ],
  );
  assert.deepEqual(
    progress(modules, { 1: solved() }).map((one) => one.solved),
    [1, 1],
  );
});

test('a course without needs is in the order of its modules, three of which are next', () => {
  const modules = Object.fromEntries('abcdef'.split('').map((id, at) => [id, { problems: [at + 1] }]));
  assert.equal(states(modules), 'now next next next later later');
  assert.equal(states(modules, { 1: solved(), 3: solved() }), 'done now done next next next');
  const fan = Object.entries(modules).map(([id, one]) => [id, { ...one, needs: id === 'a' ? [] : ['a'] }]);
  assert.equal(states(Object.fromEntries(fan), { 1: solved() }), 'done now next next next next');
});

test('circles, unknown needs and an id that repeats are named, and the course still has a way through', () => {
  const made = course({
    a: { needs: ['c', 'gone'], problems: [1] },
    b: { needs: ['a', 'b'], problems: [2] },
    c: { needs: ['b'], problems: [3] },
  });
  assert.deepEqual(made.faults, [
    { kind: 'circle', module: 'B', need: 'A' },
    { kind: 'circle', module: 'B', need: 'B' },
    { kind: 'missing', module: 'A', need: 'gone' },
  ]);
  assert.deepEqual(
    made.modules.map(({ number, needed, layer }) => [number, needed, layer]),
    [
      [1, [3], 2],
      [2, [], 0],
      [3, [2], 1],
    ],
  );
  const twice = courseOf(['One', 'Two'].map((name) => ({ name, extras: '{"id":7}', problems: [] })));
  assert.deepEqual(twice?.faults, [{ kind: 'twice', module: 'Two', need: '7' }]);
  const named = ['7', '7', '8'].map((id) => {
    return {
      name: id,
      extras: JSON.stringify({ id }),
      problems: id === '8' ? [{ id: 1n, extras: '{"also":["7"]}' }] : [],
    };
  });
  assert.deepEqual(
    courseOf(named)?.modules.map(({ problems }) => problems.length),
    [1, 0, 1],
  );
});

test('500 modules in a row have 500 layers', () => {
  const modules = Object.fromEntries(
    Array.from({ length: 500 }, (_, at) => [`m${at}`, { needs: [`m${at - 1}`], problems: [at + 1] }]),
  );
  assert.equal(course(modules).modules.at(-1)?.layer, 499);
  assert.equal(states(modules).replaceAll(' later', ''), 'now');
});

test('a list without a module is no course, and what else a module says is read with care', () => {
  assert.equal(courseOf([{ name: 'One', extras: '{"memo":"\\"id\\""}', problems: [] }]), undefined);
  const extras = {
    id: 3,
    needs: [1, {}, ''],
    about: 4,
    resources: ['https://a.example/', { url: 'javascript:1' }, { url: 'http://b.example', title: 'B' }],
    done: 1.5,
  };
  assert.deepEqual(moduleOf(JSON.stringify(extras)), {
    id: '3',
    needs: ['1'],
    about: '4',
    resources: [
      { url: 'https://a.example/', title: 'https://a.example/' },
      { url: 'http://b.example', title: 'B' },
    ],
    done: undefined,
  });
  assert.equal(moduleOf('{"id":1,"done":0}')?.done, undefined);
});

test('the form makes each section a module with an id of its own, and takes away what makes it one', () => {
  const sections = [{ extras: '{"id":"2","memo":"x"}' }, { extras: null }, {}];
  const edits = [
    { needs: [2, 9], about: '', done: undefined },
    { needs: [], about: 'Read', done: 3 },
  ];
  const extrasOf = (...input: Parameters<typeof withModules>) => withModules(...input).map(({ extras }) => extras);
  assert.deepEqual(extrasOf(sections, edits), [
    '{"id":"2","memo":"x","needs":["2\'"]}',
    '{"id":"2\'","needs":[],"about":"Read","done":3}',
    '{"id":"3","needs":[]}',
  ]);
  const module = { extras: '{"id":"2","needs":["x"],"about":"A","done":1}' };
  assert.deepEqual(extrasOf([module, {}], undefined), ['{"about":"A"}', null]);
  assert.deepEqual(otherModulesOf('{"also":[7,"b"]}'), ['7', 'b']);
  assert.deepEqual(['{"also":"x"}', null].map(otherModulesOf), [[], []]);
  assert.equal(withOtherModules('{"memo":1,"also":["x"]}', ['a', 'a', 'b']), '{"memo":1,"also":["a","b"]}');
  assert.equal(withOtherModules('{"also":["x"]}', []), undefined);
});

test('somebody is stuck after 14 days in a module since they could do it, and most are in the first of equals', () => {
  const now = Date.parse('2026-03-20T10:00:00Z');
  const modules = { read: { problems: [] }, ...ladder };
  const at = (marks: Record<number, CourseMark>, joined: string) => {
    const own = modulesOf(course(modules), byId(marks), ['2026-01-01T00:00:00Z', `2026-03-${joined}`], now);
    return { person: {} as never, modules: own };
  };
  const [one, other] = [
    at({ 1: solved('01'), 2: solved('02'), 3: solved('06'), 6: { ...solved('01'), judge_status: 'practicing' } }, '02'),
    at({ 1: solved('01'), 3: solved('18') }, '06T10:00:01Z'),
  ];
  const daysOf = ({ modules }: typeof one) => modules.map(({ days }) => days);
  assert.deepEqual(daysOf(one), [undefined, undefined, 14, 18, undefined]);
  assert.deepEqual(daysOf(other), [undefined, 13, 2, undefined, undefined]);
  assert.deepEqual(one.modules.map(isStuck), [false, false, true, true, false]);
  assert.deepEqual(doneIn(one.modules), { done: 1, all: 4 });
  assert.deepEqual(findStop([one, other]), { number: 3, count: 1 });
  assert.equal(findStop([other]), undefined);
  assert.equal(findStop([]), undefined);
});
