/**
 * Timers: an accepted submission ends one at its own time, whenever it arrives and whatever order submissions come in; the member's
 * own stops, pauses and undos leave every table as it should be.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { removeHandle } from '../../src/practice/handles.ts';
import { setStatus } from '../../src/practice/marks.ts';
import { dueForReview } from '../../src/practice/reviews.ts';
import {
  findSolveDuring,
  isForgotten,
  minutesOf,
  outcomeOf,
  suggestedGrade,
  versionOfTimer,
} from '../../src/practice/timer-rules.ts';
import {
  discardTimer,
  gradeTimer,
  insertEndedTimer,
  partsOfTimers,
  pauseTimer,
  readMinutes,
  restoreTimer,
  startTimer,
  stopTimer,
  suggestionFor,
  undoTimer,
  usualTimeOf,
} from '../../src/practice/timers.ts';
import { findBatch } from '../../src/store/changes.ts';
import { listHandles } from '../../src/store/handles.ts';
import type { Store } from '../../src/store/store.ts';
import { listEndedTimers, type TimersTable } from '../../src/store/timers.ts';
import { exported, gardenOf, report, submissions, twins } from '../importing/support.ts';
import { onceOnly } from '../support/databases.ts';
import { ponds } from '../support/ponds.ts';
import { countStatements } from '../support/statements.ts';

const noon = Date.UTC(2026, 10, 23, 12);
/** So many minutes and seconds after noon. */
const after = (minutes: number, seconds = 0) => new Date(noon + minutes * 60_000 + seconds * 1000);
const secondOf = (moment: Date) => moment.getTime() / 1000;

async function world(t: TestContext) {
  const garden = await gardenOf(t, 'ada');
  await garden.import(
    'problems',
    ponds(12, () => ({ rating: 1600 })),
  );
  const [{ store }, ada] = [garden, 1n];
  const now = async (): Promise<TimersTable> => {
    const rows = await store.reader.selectFrom('timers').selectAll().orderBy('id', 'desc').execute();
    return rows[0] as TimersTable;
  };
  const version = async () => versionOfTimer(await now());
  return {
    garden,
    store,
    ada,
    now,
    start: (problem: bigint, at = after(0), instead?: bigint) => startTimer(store, ada, problem, at, instead),
    pause: async (at: Date) => pauseTimer(store, ada, (await now()).id, await version(), at),
    stop: async (outcome: 'solved' | 'editorial' | 'unsolved', at: Date, minutes?: number) =>
      stopTimer(store, ada, (await now()).id, await version(), { outcome, minutes }, at),
    undo: async () => undoTimer(store, ada, (await now()).id, await version()),
    discard: async () => discardTimer(store, ada, (await now()).id, await version(), after(60)),
    sent: (key: string, verdict: string, at: Date) =>
      garden.import('codeforces-submissions', submissions([key, verdict, secondOf(at)]), { member: 'ada' }),
    told: async () => {
      const timer = await now();
      return [outcomeOf(timer), minutesOf(timer, after(600).getTime())];
    },
  };
}

test('the first accepted submission ends a timer at its own time, also an hour later and out of order', async (t) => {
  const { start, sent, told, store, garden, ada } = await world(t);
  await sent('1A', 'OK', after(-5));
  await start(1n);
  assert.deepEqual(await told(), [null, 600], 'a solve before the start is ignored');
  await sent('1A', 'WRONG_ANSWER', after(10));
  await sent('2A', 'OK', after(12));
  assert.deepEqual(await told(), [null, 600], 'wrong ones and other problems are');
  await sent('1A', 'OK', after(40, 30));
  assert.deepEqual(await told(), ['solved', 40]);
  await sent('1A', 'OK', after(28, 14));
  assert.deepEqual(await told(), ['solved', 28], 'an earlier one that arrives later counts');
  const [handle] = await listHandles(store.reader, ada);
  await store.write((tx) => removeHandle(tx, handle?.id ?? 0n, ada));
  assert.deepEqual(await told(), [null, 600], 'without its submissions it runs on');
  await garden.import('codeforces-submissions', submissions(['1A', 'OK', secondOf(after(30))]), { member: 'ada' });
  assert.deepEqual(await told(), ['solved', 30]);
});

test('a mark as solved takes at most twelve statements, whatever is known of the problem', {
  skip: onceOnly,
}, async (t) => {
  const { start, stop, sent, store, ada } = await world(t);
  await sent('2A', 'WRONG_ANSWER', after(-5));
  await start(3n);
  await stop('unsolved', after(20));
  const statements = countStatements(t);
  const mark = async (id: bigint) => {
    const before = statements();
    await store.write((tx) => setStatus(tx, { memberId: ada, problemIds: [id], status: 'complete' }));
    return statements() - before;
  };
  for (const id of [1n, 2n, 3n]) {
    const taken = await mark(id);
    assert.ok(taken > 0 && taken <= 12, `problem ${id}: ${taken}`);
  }
});

test('clocks that differ by seconds change nothing, and minutes are never below zero', async (t) => {
  const { start, sent, told, stop, now } = await world(t);
  await start(1n, after(0, 5));
  await sent('1A', 'OK', after(0, -4));
  assert.deepEqual(await told(), ['solved', 0]);
  await start(2n, after(1));
  await stop('unsolved', after(31));
  await sent('2A', 'OK', after(31, 6));
  assert.deepEqual(await told(), ['solved', 30]);
  await start(3n, after(60));
  await sent('3A', 'OK', after(59, 30));
  assert.equal((await now()).solved_at, null, 'half a minute is more than clocks differ');
  const timer = { started_at: after(0).toISOString(), pauses: '[]', stopped_at: after(720).toISOString() };
  const isDuring = (at: Date, of = timer) =>
    findSolveDuring(of, [{ verdict_class: 'solved', submitted_at: at.toISOString() } as never]) !== null;
  const moments = [after(0, -11), after(0, -10), after(719, 59), after(720)];
  assert.deepEqual(
    moments.map((at) => isDuring(at)),
    [false, true, true, false],
  );
  const short = { ...timer, stopped_at: after(30).toISOString() };
  assert.deepEqual([isDuring(after(30, 10), short), isDuring(after(30, 11), short)], [true, false]);
});

test('pauses do not count, also for a submission that was sent during one', async (t) => {
  const { start, pause, sent, told, stop } = await world(t);
  await start(1n);
  await pause(after(10));
  await pause(after(25));
  await pause(after(30));
  await sent('1A', 'OK', after(50));
  assert.deepEqual(await told(), ['solved', 15]);
  await start(2n, after(60));
  await pause(after(70));
  await stop('solved', after(100));
  assert.deepEqual(await told(), ['solved', 10]);
});

test('the member’s own end marks the problem, and one undo takes back both', async (t) => {
  const { start, stop, undo, told, store, ada, now } = await world(t);
  const status = async () =>
    (await store.reader.selectFrom('statuses').select(['self_status', 'how']).execute()).map((row) =>
      Object.values(row),
    );
  await start(1n);
  await stop('editorial', after(40));
  assert.deepEqual([await told(), await status()], [['editorial', 40], [['complete', 'editorial']]]);
  const { change_id } = await now();
  assert.equal((await findBatch(store.reader, ada, change_id ?? 0n))?.kind, 'status');
  await undo();
  assert.deepEqual([await told(), await status()], [[null, 600], []]);
  await stop('unsolved', after(50));
  assert.deepEqual([await told(), await status()], [['unsolved', 50], [['practicing', null]]]);
  await undo();
  await stop('solved', after(55));
  assert.deepEqual([await told(), await status()], [['solved', 55], [['complete', null]]]);
});

test('a page from before a change changes nothing, and nothing is there twice', async (t) => {
  const { start, store, ada, now } = await world(t);
  await Promise.all([start(1n), start(1n)]);
  const timer = await now();
  const seen = versionOfTimer(timer);
  await pauseTimer(store, ada, timer.id, seen, after(5));
  for (const act of [
    () => pauseTimer(store, ada, timer.id, seen, after(6)),
    () => stopTimer(store, ada, timer.id, seen, { outcome: 'solved' }, after(6)),
    () => discardTimer(store, ada, timer.id, seen, after(6)),
    () => gradeTimer(store, ada, timer.id, seen, 'good'),
  ])
    await assert.rejects(act, { code: 'preconditionFailed' });
  await assert.rejects(pauseTimer(store, ada + 1n, timer.id, seen, after(6)), { code: 'unknownItem' });
  assert.equal((await store.reader.selectFrom('timers').select('id').execute()).length, 1);
});

test('another timer asks before it takes the place of one that runs', async (t) => {
  const { start, told, now, sent, store } = await world(t);
  await start(1n);
  const first = await now();
  const asked = await start(2n, after(10));
  assert.ok('conflict' in asked && asked.conflict.id === first.id);
  assert.equal((await now()).id, first.id);
  assert.ok('timer' in (await start(2n, after(10), first.id)));
  const rows = await store.reader.selectFrom('timers').select(['problem_id', 'outcome']).orderBy('id').execute();
  assert.deepEqual(
    rows.map((row) => row.outcome),
    ['unsolved', null],
  );
  await sent('2A', 'OK', after(30));
  assert.deepEqual(await told(), ['solved', 20]);
  assert.ok('timer' in (await start(3n, after(40))), 'one that a submission ended makes room');
});

test('a timer of twelve hours asks how long it was instead of counting on', async (t) => {
  const { start, stop, told, sent, now, undo, store } = await world(t);
  await start(1n);
  await sent('1A', 'OK', after(13 * 60));
  assert.equal((await now()).solved_at, null, 'a solve the day after is no measure');
  for (const minutes of [undefined, 0, 721])
    await assert.rejects(stop('solved', after(13 * 60), minutes), { code: 'invalidValue' });
  for (const minutes of [1, 720, 45]) {
    await stop('solved', after(13 * 60), minutes);
    assert.deepEqual(await told(), ['solved', minutes]);
    await undo();
  }
  const forgotten = await now();
  assert.deepEqual(
    [after(719, 59), after(720)].map((at) => isForgotten(forgotten, at.getTime())),
    [false, true],
  );
  assert.ok('conflict' in (await start(1n, after(13 * 60))));
  assert.ok('timer' in (await start(1n, after(13 * 60), forgotten.id)));
  assert.deepEqual(
    await store.reader
      .selectFrom('timers')
      .select(['stopped_at', 'undone_at'])
      .where('id', '=', forgotten.id)
      .execute(),
    [{ stopped_at: null, undone_at: after(13 * 60).toISOString() }],
    'how long it was is unknown',
  );
});

test('what a program did to a timer is undone as a whole, and not over what came since', async (t) => {
  const { store, ada, now, start, pause, stop } = await world(t);
  const parts = (work: () => Promise<unknown>) => store.write((tx) => partsOfTimers(tx, ada, work));
  const restore = (part: unknown) => {
    const { part_id, ...states } = part as { part_id: bigint; before: string | null; after: string | null };
    return store.write((tx) => restoreTimer(tx, ada, part_id, states));
  };
  const state = async () => {
    const { stopped_at, outcome, undone_at, change_id } = await now();
    return [stopped_at !== null, outcome, undone_at !== null, change_id !== null];
  };
  const [begun, ...none] = await store.write((tx) => partsOfTimers(tx, ada, () => startTimer(tx, ada, 1n, after(0))));
  const { id } = await now();
  assert.deepEqual([begun?.kind, begun?.part_id, none], ['timer', id, []]);
  assert.deepEqual(await parts(async () => {}), [{ kind: 'marks', part_id: null }]);
  const version = versionOfTimer(await now());
  const ended = await store.write((tx) =>
    partsOfTimers(tx, ada, () => stopTimer(tx, ada, id, version, { outcome: 'solved' }, after(30))),
  );
  const { change_id } = await now();
  assert.deepEqual(
    ended.map(({ kind, part_id }) => [kind, part_id]),
    [
      ['timer', id],
      ['marks', change_id],
    ],
  );
  await assert.rejects(restore(begun), { code: 'preconditionFailed' });
  await start(2n, after(40));
  await assert.rejects(restore(ended[0]), { code: 'preconditionFailed' }, 'another one runs');
  const inserted = (problem: bigint) =>
    store.write((tx) => insertEndedTimer(tx, ada, problem, { minutes: 25, outcome: 'solved' }));
  assert.equal(await inserted(2n), undefined);
  const other = await inserted(3n);
  const { started_at, stopped_at } = await now();
  assert.equal(Date.parse(stopped_at ?? '') - Date.parse(started_at), 25 * 60_000);
  await restore(other);
  assert.deepEqual(await state(), [true, 'solved', true, false]);
  await store.write((tx) => tx.deleteFrom('timers').where('id', '!=', id).execute());
  await restore(ended[0]);
  assert.deepEqual(await state(), [false, null, false, false]);
  await restore(begun);
  assert.deepEqual(await state(), [false, null, true, false]);
  const ofAnother = store.write((tx) => restoreTimer(tx, ada + 1n, id, { before: null, after: null }));
  await assert.rejects(ofAnother, { code: 'unknownItem' });
  await start(1n, after(50));
  for (let n = 0; n < 200; n++) await pause(after(51, n));
  await assert.rejects(pause(after(60)), { code: 'invalidValue' }, 'a hundred pauses are the most');
  await stop('unsolved', after(60));
});

test('the median is of five timed solves without the editorial at least, and suggests a grade', async (t) => {
  const { start, stop, now, store, ada, discard, undo } = await world(t);
  const usual = async () => {
    const { from, to, timerCount, minutes } =
      usualTimeOf(await listEndedTimers(store.reader, { userId: ada }), { source: 'codeforces', rating: 1700n }) ?? {};
    return [from, to, timerCount, minutes];
  };
  const near = async () => {
    const problems = [1499n, 1500n, 1700n, 1701n].map((rating) => ({ id: 0n, source: 'codeforces', rating }));
    const all = [...problems, { id: 0n, source: 'dmoj', rating: 1600n }];
    const minutesFor = await readMinutes(store.reader, ada, all);
    return all.map((problem) => minutesFor(problem)?.minutes);
  };
  const lasting = [20, 31, 31, 40, 90];
  for (const [n, minutes] of lasting.entries()) {
    if (n === 4) {
      assert.deepEqual(await usual(), [1600, 1799, 4, undefined]);
      assert.deepEqual(await near(), Array(5).fill(undefined));
    }
    await start(BigInt(n + 1), after(n * 100));
    await stop('solved', after(n * 100 + minutes));
  }
  assert.deepEqual(await usual(), [1600, 1799, 5, 31]);
  await start(6n, after(600));
  await stop('editorial', after(700));
  assert.deepEqual(await usual(), [1600, 1799, 5, 31]);
  assert.deepEqual(await near(), [undefined, 31, 31, undefined, undefined], 'within 100, both included');
  const suggested = async () =>
    (await suggestionFor(store.reader, await now(), { source: 'codeforces', rating: 1600n }))?.grade;
  assert.equal(await suggested(), 'again');
  for (const [problem, minutes, grade] of [
    [7n, 15, 'easy'],
    [8n, 28, 'good'],
    [9n, 60, 'hard'],
  ] as const) {
    await start(problem, after(1000));
    await stop('solved', after(1000 + minutes));
    assert.equal(await suggested(), grade, `${minutes} min`);
    await discard();
  }
  assert.deepEqual(
    [15, 16, 45, 46].map((minutes) => suggestedGrade(minutes, 30)),
    ['easy', 'good', 'good', 'hard'],
  );
  assert.deepEqual(await usual(), [1600, 1799, 5, 31], 'times that were deleted count no more');
  await undo();
  assert.deepEqual((await usual())[2], 6);
});

test('how hard a timed problem was sets when it comes back first', async (t) => {
  const { start, sent, now, store, ada } = await world(t);
  await start(1n);
  await sent('1A', 'OK', after(20));
  const card = async () => {
    const [row] = await store.reader
      .selectFrom('review_cards')
      .select(['first_grade', 'due_day', 'begun_day'])
      .execute();
    return [row?.first_grade, Number((row?.due_day ?? 0n) - (row?.begun_day ?? 0n))];
  };
  assert.deepEqual(await card(), ['easy', 8]);
  const timer = await now();
  await gradeTimer(store, ada, timer.id, versionOfTimer(timer), 'hard');
  assert.deepEqual(await card(), ['hard', 2]);
  const { problems, done } = await dueForReview(store.reader, ada, after(2 * 24 * 60));
  assert.deepEqual([problems.length, done], [1, 0], 'it is no review of that day');
});

test('a merged problem takes its timers along, a deleted one and a deleted member leave none', async (t) => {
  const { garden, start, stop, store, sent, told } = await world(t);
  await start(2n);
  await stop('solved', after(10));
  await start(1n, after(20));
  await garden.import('codeforces-twins', twins(['1A', '2A']));
  const rows = await store.reader.selectFrom('timers').select('problem_id').execute();
  assert.deepEqual(rows, Array(2).fill({ problem_id: 1n }));
  await sent('2A', 'OK', after(35));
  assert.deepEqual(await told(), ['solved', 15], 'a submission to the twin ends it');
  await store.write((tx) => tx.deleteFrom('members').where('username', '=', 'ada').execute());
  assert.deepEqual(await store.reader.selectFrom('timers').selectAll().execute(), []);
});

test('timers go through export and import, and a wrong row is told', async (t) => {
  const { garden, start, stop, pause, discard } = await world(t);
  await start(1n);
  await pause(after(5));
  await pause(after(10));
  await stop('editorial', after(30));
  await start(2n, after(40));
  await discard();
  await start(3n, after(50));
  const read = async (store: Store) => JSON.parse(await exported(store, 'timers', 'json')) as Record<string, unknown>[];
  const rows = await read(garden.store);
  assert.equal(rows.length, 3);
  assert.deepEqual((await garden.import('timers', rows)).report, report({ read: 3, kept: 3 }));
  const other = await world(t);
  assert.deepEqual((await other.garden.import('timers', rows)).report, report({ read: 3, new: 3 }));
  assert.deepEqual(await read(other.store), rows);
  const [first = {}] = rows;
  for (const [change, said] of [
    [{ pauses: ['2026-11-23T12:00:00.000Z'] }, /pauses are at most 100/],
    [{ pauses: ['x', 'y'] }, /pauses are at most 100/],
    [{ outcome: null }, /both there or both null/],
    [{ started_at: '2027-01-01T00:00:00.000Z' }, /stopped_at is before started_at/],
    [{ started_at: '2026-11-23T11:00:00.000Z', stopped_at: null, outcome: null, pauses: [] }, /another timer/],
  ] as const)
    await assert.rejects(garden.import('timers', [{ ...first, ...change }]), said);
});
