/**
 * The review queue: days by FSRS itself, never two reviews of a problem in a day, and undo that leaves every table as it was. A
 * card is always what the solves and reviews that stand say.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createEmptyCard, fsrs, Rating } from 'ts-fsrs';
import { daysOfMember, readActivity, setDayRule } from '../../src/practice/activity.ts';
import { type DayRule, Days, dayOf } from '../../src/practice/days.ts';
import { removeHandle } from '../../src/practice/handles.ts';
import { setStatus, undo } from '../../src/practice/marks.ts';
import { setReviewsADay } from '../../src/practice/preferences.ts';
import { beginCard, cardOf, firstGrade, gradeCard, grades, triesBeforeSolve } from '../../src/practice/review-cards.ts';
import { answerReview, dueForReview, findDueProblem, findFirstReview, undoReview } from '../../src/practice/reviews.ts';
import { listHandles } from '../../src/store/handles.ts';
import { another, archiveOf, lived } from '../importing/lived-garden.ts';
import { codeforcesNamed, type Garden, gardenOf } from '../importing/support.ts';
import { idOf } from '../support/members.ts';

const ids = Array.from({ length: 12 }, (_, n) => BigInt(n + 1));

async function world(t: TestContext, rule?: DayRule) {
  const garden = await gardenOf(t, 'ada');
  await garden.import('codeforces-problems', codeforcesNamed('P', ...ids.map((id) => `${id}A`)));
  const [{ store }, ada] = [garden, 1n];
  if (rule) await store.write((tx) => setDayRule(tx, ada, rule));
  const solve = (at: string, problems: readonly bigint[], how?: 'hint' | 'editorial' | 'alone') =>
    garden.import(
      'statuses',
      problems.map((problem) => ({
        username: 'ada',
        source: 'codeforces',
        source_key: `${problem}A`,
        status: 'complete',
        origin: 'self',
        updated_at: at,
        ...(how && { how }),
      })),
    );
  const due = (at: string) => dueForReview(store.reader, ada, new Date(at));
  const idsOn = async (at: string) => (await due(at)).problems.map(({ problem_id }) => problem_id);
  const say = async (problem: bigint, answer: Parameters<typeof answerReview>[2]['answer'], at: string) => {
    const { problems } = await due(at);
    const version = problems.find(({ problem_id }) => problem_id === problem)?.version ?? '';
    return store.write((tx) => answerReview(tx, ada, { problemId: problem, answer, version }, new Date(at)));
  };
  return { garden, store, ada, solve, due, idsOn, say };
}

const tables = ['review_cards', 'reviews', 'first_solves', 'statuses'] as const;
const rowsOf = async ({ store: { reader } }: Garden, names: readonly (typeof tables)[number][] = tables) =>
  Promise.all(
    names.map(async (name) =>
      (await reader.selectFrom(name).selectAll().execute()).map((row) => Object.values(row).join('|')).sort(),
    ),
  );

test('the grade of a solve: what the member says goes before what the tries say', () => {
  const of = (how: 'alone' | 'hint' | 'editorial' | null, tries: number | null) => firstGrade({ how, tries });
  assert.deepEqual(
    [of('editorial', 0), of('hint', 0), of('alone', 4), of(null, 4), of(null, 3), of('alone', null), of(null, null)],
    ['again', 'hard', 'hard', 'hard', 'good', 'good', 'good'],
  );
  assert.deepEqual([of(null, 0), of('alone', 0), of('alone', 1)], ['easy', 'easy', 'good']);
  const sent = (verdict_class: 'tried' | 'solved', second: number) => ({
    verdict_class,
    submitted_at: `2020-01-01T00:00:0${second}Z`,
  });
  assert.equal(triesBeforeSolve([sent('tried', 1), sent('solved', 3), sent('tried', 2), sent('tried', 3)]), 2);
  assert.equal(triesBeforeSolve([sent('tried', 1)]), null);
});

test('days are those of FSRS, counted by whole days, and never the same day', () => {
  const scheduler = fsrs({ enable_short_term: false, enable_fuzz: false, maximum_interval: 365 });
  const at = (day: number) => new Date(day * 86_400_000);
  for (const first of grades) {
    for (const [n, late] of [0, 1, 40].entries()) {
      let own = beginCard(20_000, first);
      let theirs = scheduler.next(createEmptyCard(at(20_000)), at(20_000), rating(first)).card;
      for (const grade of [...grades, ...grades.toReversed()]) {
        assert.equal(own.dueDay, theirs.due.getTime() / 86_400_000, `${first} ${n}`);
        assert.ok(own.dueDay > own.gradedDay);
        assert.ok(own.dueDay <= own.gradedDay + 367);
        const day = own.dueDay + late;
        own = gradeCard(own, day, grade);
        theirs = scheduler.next(theirs, at(day), rating(grade)).card;
      }
    }
  }
});

function rating(grade: (typeof grades)[number]) {
  return ({ again: Rating.Again, hard: Rating.Hard, good: Rating.Good, easy: Rating.Easy } as const)[grade];
}

test('a card begins with the last solve before its reviews, with the grade of the timer of that day', () => {
  const days = new Days({ zone: 'UTC', startHour: 0 }, Date.now());
  const at = (day: number) => new Date(day * 86_400_000 + 1).toISOString();
  const review = (id: bigint, day: number, grade: 'later' | 'never' | 'good') => ({ id, grade, made_at: at(day) });
  const easy = { day: 20_002, grade: 'easy' } as const;
  for (const [solved, reviews, timerGrades, [begun, grade, turn, last, due]] of [
    [[20_000, 20_002, 20_009], [], [], [20_009, 'hard', 2, null, beginCard(20_009, 'hard').dueDay]],
    [[20_000, 20_002, 20_009], [review(3n, 20_002, 'later')], [easy], [20_002, 'easy', 4, 3n, 20_003]],
    [[20_005, 20_003], [review(3n, 20_001, 'later')], [easy], [20_003, 'hard', 2, 3n, 20_004]],
    [[20_002], [review(3n, 20_040, 'good'), review(5n, 20_041, 'never')], [easy], [20_002, 'easy', 0, 5n, null]],
    [[20_002], [review(3n, 20_040, 'never'), review(5n, 20_041, 'later')], [], [20_002, 'hard', 2, 5n, 20_042]],
  ] as const)
    assert.deepEqual(cardOf({ how: 'hint', submissions: [], solved: solved.map(at), reviews, timerGrades }, days), {
      begun_day: BigInt(begun),
      first_grade: grade,
      turn: BigInt(turn),
      last_review: last,
      due_day: due === null ? null : BigInt(due),
    });
});

/** By hand: when a problem that was solved with the editorial at this moment first shows in the queue. */
const zones: readonly (readonly [rule: DayRule, solvedAt: string, notYet: string, due: string])[] = [
  [{ zone: 'UTC', startHour: 4 }, '2026-03-02T03:59:59.000Z', '2026-03-02T03:59:59.999Z', '2026-03-02T04:00:00.000Z'],
  // 04:00 in India is 22:30 UTC of the day before.
  [
    { zone: 'Asia/Kolkata', startHour: 4 },
    ...(['2026-03-02T22:29:00.000Z', '2026-03-02T22:29:59.999Z', '2026-03-02T22:30:00.000Z'] as const),
  ],
  // Samoa had no 30 December 2011: what is due then shows when the next day begins, which is that moment.
  [
    { zone: 'Pacific/Apia', startHour: 0 },
    ...(['2011-12-29T20:00:00.000Z', '2011-12-30T09:59:59.999Z', '2011-12-30T10:00:00.000Z'] as const),
  ],
];

test('a problem comes back when the member’s own day begins', async (t) => {
  for (const [rule, solvedAt, notYet, due] of zones) {
    const { solve, due: dueAt } = await world(t, rule);
    await solve(solvedAt, [1n], 'editorial');
    assert.deepEqual((await dueAt(notYet)).problems, [], `${rule.zone} ${rule.startHour}`);
    assert.equal((await dueAt(due)).problems.length, 1, `${rule.zone} ${rule.startHour}`);
    const days = new Days(rule, Date.now());
    assert.equal((await dueAt(due)).today, days.at(Date.parse(due)));
  }
});

test('a few a day, the reviewed first and then the hardest; nothing twice a day; the rest waits', async (t) => {
  const { garden, store, ada, solve, due, idsOn, say } = await world(t);
  await solve('2026-01-01T12:00:00Z', ids.slice(0, 4));
  await solve('2026-01-02T12:00:00Z', ids.slice(4, 8), 'hint');
  await solve('2026-01-03T12:00:00Z', ids.slice(8, 10), 'editorial');
  await solve('2026-01-01T11:00:00Z', ids.slice(10));
  const noon = '2026-02-01T12:00:00Z';
  const first = await due(noon);
  assert.deepEqual(await idsOn(noon), [9n, 10n, 5n]);
  assert.deepEqual([first.waitingCount, first.done, first.reviewsADay], [9, 0, 3]);
  const [nine] = first.problems;
  const done = await say(9n, 'good', noon);
  const after = await due(noon);
  assert.deepEqual([await idsOn(noon), after.done, after.waitingCount], [[10n, 5n], 1, 9]);
  const before = await rowsOf(garden);
  for (const version of [nine?.version ?? '', '', 'x'.repeat(50)]) {
    const second = answerReview(store, ada, { problemId: 9n, answer: 'again', version }, new Date(noon));
    await assert.rejects(second, { code: 'preconditionFailed' });
  }
  assert.deepEqual(await rowsOf(garden), before);
  const [card] = await store.reader.selectFrom('review_cards').selectAll().where('problem_id', '=', 9n).execute();
  assert.equal(Number(card?.due_day), nine?.nextDays.good, 'the day that the button showed');
  await say(10n, 'later', noon);
  assert.deepEqual(await idsOn(noon), [5n, 6n]);
  await say(5n, 'never', noon);
  assert.deepEqual(await idsOn(noon), [6n, 7n]);
  await say(6n, 'again', noon);
  await say(7n, 'easy', noon);
  assert.deepEqual([(await due(noon)).problems.length, (await due(noon)).done], [0, 3]);
  const tomorrow = await due('2026-02-02T12:00:00Z');
  assert.deepEqual(await idsOn('2026-02-02T12:00:00Z'), [6n, 10n, 8n]);
  assert.equal(tomorrow.problems[0]?.lastAnswer?.grade, 'again');
  const date = dayOf('2026-02-01') ?? 0;
  const [day] = await readActivity(store.reader, ada, await daysOfMember(store.reader, ada), [date, date]);
  assert.equal(day?.reviews, 3n);
  await store.write((tx) => setReviewsADay(tx, ada, 0));
  assert.deepEqual(await due('2026-02-02T12:00:00Z'), {
    reviewsADay: 0,
    today: tomorrow.today,
    done: 0,
    problems: [],
    waitingCount: 0,
  });
  await store.write((tx) => setReviewsADay(tx, ada, 20));
  assert.equal((await due('2026-03-30T12:00:00Z')).problems.length, 11, 'all but the one that never comes again');
  assert.equal(typeof done.id, 'bigint');
});

test('a problem alone: its days before it is due, what the queue says when it is, and neither without reviews', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-01-03T13:00:00Z') });
  const { store, ada, solve, due } = await world(t);
  await solve('2026-01-03T12:00:00Z', [1n], 'hint');
  const days = await daysOfMember(store.reader, ada);
  const day = dayOf('2026-01-03') as number;
  const first = () => findFirstReview(store.reader, ada, 1n, days);
  const problem = { title: 'P 1A', source: 'codeforces', source_key: '1A', rating: null };
  const url = 'https://codeforces.com/problemset/problem/1/A';
  const alone = (at: string) => findDueProblem(store.reader, ada, { id: 1n, ...problem, url }, new Date(at));
  const nextDays = Object.fromEntries(grades.map((grade) => [grade, beginCard(day, grade).dueDay]));
  assert.deepEqual(await first(), { begunDay: day, today: day, nextDays });
  const dueAt = new Date((nextDays['hard'] as number) * 86_400_000 + 43_200_000).toISOString();
  const before = new Date(Date.parse(dueAt) - 86_400_000).toISOString();
  assert.equal(await alone(before), undefined);
  const { today, problems } = await due(dueAt);
  assert.deepEqual(await alone(dueAt), { today, due: { id: 1n, ...problems[0] } });
  t.mock.timers.setTime(Date.parse(dueAt));
  assert.equal(await first(), undefined);
  await store.write((tx) => setReviewsADay(tx, ada, 0));
  assert.equal(await alone(dueAt), undefined);
  t.mock.timers.setTime(Date.parse(before));
  assert.equal(await first(), undefined);
});

test('undo leaves every row as it was, in the reverse order alone', async (t) => {
  const { garden, store, ada, solve, idsOn, say } = await world(t);
  await solve('2026-01-01T12:00:00Z', [1n, 2n], 'hint');
  const states: string[][][] = [];
  const said: bigint[] = [];
  const look = () => rowsOf(garden, ['review_cards', 'first_solves', 'statuses']);
  for (const [grade, at] of [
    ['good', '2026-02-01T12:00:00Z'],
    ['again', '2026-05-01T12:00:00Z'],
    ['later', '2026-05-03T12:00:00Z'],
    ['easy', '2026-05-05T12:00:00Z'],
    ['never', '2027-12-05T12:00:00Z'],
  ] as const) {
    states.push(await look());
    said.push((await say(1n, grade, at)).id);
  }
  assert.deepEqual(await idsOn('2030-01-01T00:00:00Z'), [2n]);
  const now = new Date('2027-12-06T00:00:00Z');
  const [first = 0n] = said;
  await assert.rejects(undoReview(store, ada, first, now), { code: 'preconditionFailed' });
  await assert.rejects(undoReview(store, ada, 999n, now), { code: 'unknownItem' });
  for (const id of said.toReversed()) {
    await store.write((tx) => undoReview(tx, ada, id, now));
    await store.write((tx) => undoReview(tx, ada, id, now));
    assert.deepEqual(await look(), states.pop());
  }
  await garden.import('records', [{ username: 'bob' }]);
  const bob = await idOf(garden.store, 'bob');
  await assert.rejects(undoReview(store, bob, first, now), { code: 'unknownItem' });
  const another = answerReview(store, bob, { problemId: 1n, answer: 'good', version: '' }, now);
  await assert.rejects(another, { code: 'unknownItem' });
});

test('cards follow marks, their undo, handles, days and twins', async (t) => {
  const garden = await lived(t);
  const { store } = garden;
  const ada = await idOf(garden.store, 'ada');
  const before = await rowsOf(garden);
  const marked = await store.write((tx) =>
    setStatus(tx, { memberId: ada, problemIds: [3n, 4n], status: 'complete', how: 'editorial' }),
  );
  const [cards] = await rowsOf(garden, ['review_cards']);
  assert.equal(cards?.length, (before[0]?.length ?? 0) + 2);
  await store.write((tx) => undo(tx, ada, marked.batch ?? 0n));
  assert.deepEqual(await rowsOf(garden), before);
  await store.write((tx) => setDayRule(tx, ada, { zone: 'Etc/GMT+12', startHour: 23 }));
  assert.notDeepEqual(await rowsOf(garden), before);
  await store.write((tx) => setDayRule(tx, ada, { zone: 'UTC', startHour: 4 }));
  assert.deepEqual(await rowsOf(garden), before);
  const [handle] = await listHandles(store.reader, ada);
  if (handle) await store.write((tx) => removeHandle(tx, ada, handle.id));
  const left = await store.reader.selectFrom('review_cards').selectAll().where('user_id', '=', ada).execute();
  const solved = await store.reader
    .selectFrom('statuses')
    .select('problem_id')
    .where('user_id', '=', ada)
    .where((eb) => eb(eb.fn.coalesce('self_status', 'judge_status'), '=', 'complete'))
    .execute();
  assert.deepEqual(left.map((one) => one.problem_id).sort(), solved.map((one) => one.problem_id).sort());
});

test('reviews go with the archive, and come to the same cards elsewhere', async (t) => {
  const here = await lived(t);
  const there = await another(t);
  await there.import('archive', await archiveOf(here));
  const of = async (garden: Garden) => {
    const ada = await idOf(garden.store, 'ada');
    const { problems, waitingCount } = await dueForReview(garden.store.reader, ada, new Date('2030-01-01'));
    const cards = problems.map((one) => [
      ...[one.source_key, one.begun_day, one.due_day, one.nextDays],
      ...[one.turn, one.solved, one.lastAnswer],
    ]);
    return [waitingCount, ...cards];
  };
  assert.deepEqual(await of(there), await of(here));
});
