/** The days of members: whatever changes marks or submissions, days and first solves are what would be counted from nothing. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { groupByDay, readActivity, readStreak, setDayRule } from '../../src/practice/activity.ts';
import { type DayRule, Days, daysOf, defaultDayRule } from '../../src/practice/days.ts';
import { removeHandle, renameHandle } from '../../src/practice/handles.ts';
import { setStatus, undo } from '../../src/practice/marks.ts';
import { readDayRule } from '../../src/practice/preferences.ts';
import { allTime, solvedWithin } from '../../src/store/activity.ts';
import { listHandles } from '../../src/store/handles.ts';
import type { How, State } from '../../src/store/statuses.ts';
import { archiveOf, lived } from '../importing/lived-garden.ts';
import { codeforces, type Garden, gardenOf, identity, submissionsOf, twins } from '../importing/support.ts';
import { testStore } from '../support/databases.ts';
import { idOf } from '../support/members.ts';

async function compared({ store: { reader } }: Garden) {
  const [statuses, handles, solves, problems, members] = await Promise.all([
    reader.selectFrom('statuses').selectAll().execute(),
    reader.selectFrom('handles').selectAll().execute(),
    reader.selectFrom('solves').selectAll().execute(),
    reader.selectFrom('problems').select(['id', 'source', 'rating']).execute(),
    reader.selectFrom('members').select('id').execute(),
  ]);
  const expected: string[] = [];
  const found: string[] = [];
  for (const { id: user } of members) {
    const days = new Days(await readDayRule(reader, user), Date.now());
    const at = (moment: string | null) => days.at(Date.parse(moment ?? ''));
    const own = solves.filter((one) => handles.some(({ id, user_id }) => id === one.handle_id && user_id === user));
    const solved = [
      ...statuses.flatMap((row) => {
        const said = [row.self_status === 'complete' && row.self_at, row.judge_status === 'complete' && row.judge_at];
        return said.flatMap((moment) =>
          row.user_id === user && moment ? [[row.problem_id, at(moment), moment] as const] : [],
        );
      }),
      ...own.flatMap(({ problem_id, verdict_class, submitted_at }) =>
        problem_id !== null && verdict_class === 'solved'
          ? [[problem_id, at(submitted_at), submitted_at] as const]
          : [],
      ),
    ];
    const sent = own.map(({ submitted_at }) => at(submitted_at));
    for (const day of new Set([...sent, ...solved.map(([, one]) => one)])) {
      const ids = new Set(solved.filter(([, one]) => one === day).map(([id]) => id));
      const first = [...ids].filter((id) => !solved.some(([other, one]) => other === id && one < day));
      const hardest: Record<string, number> = {};
      for (const { id, source, rating } of problems)
        if (first.includes(id) && rating !== null)
          hardest[source] = Math.max(hardest[source] ?? Number.NEGATIVE_INFINITY, Number(rating));
      const sentOn = sent.filter((one) => one === day).length;
      const text = Object.keys(hardest).length === 0 ? null : JSON.stringify(hardest);
      expected.push([user, day, sentOn, [...ids].map(Number).sort((a, b) => a - b), first.length, text].join('|'));
    }
    for (const [id, some] of Map.groupBy(solved, ([one]) => one))
      expected.push(`${user} ${id} ${some.map(([, , moment]) => moment).sort()[0]}`);
    const solvedOn = groupByDay(await solvedWithin(reader, user, allTime).execute(), days);
    for (const row of await readActivity(reader, user, days, [-800_000, 3_000_000])) {
      const { day, submissions, solved: count, first_solves, hardest } = row;
      if (submissions + count === 0n) continue;
      const ids = new Set(solvedOn.get(Number(day))?.map(({ problem_id }) => Number(problem_id)));
      assert.equal(BigInt(ids.size), count);
      found.push([user, day, submissions, [...ids].sort((a, b) => a - b), first_solves, hardest].join('|'));
    }
  }
  const first = await reader.selectFrom('first_solves').selectAll().execute();
  found.push(...first.map(({ user_id, problem_id, at }) => `${user_id} ${problem_id} ${at}`));
  return [found.sort(), expected.sort()] as const;
}

async function assertRight(garden: Garden, after: string): Promise<void> {
  const [found, expected] = await compared(garden);
  assert.deepEqual(found, expected, after);
}

const keys = ['1A', '1B', '1C', '2A', '2B', '3A', '3B', '3C', '4A', '4B'] as const;
const rules: readonly DayRule[] = [
  defaultDayRule,
  { zone: 'Asia/Kolkata', startHour: 4 },
  { zone: 'America/Sao_Paulo', startHour: 0 },
  { zone: 'Pacific/Apia', startHour: 23 },
];
const states: readonly State[] = ['complete', 'not_started', 'practicing', 'complete', 'skipped'];
const hours = 3600;
/** Around the day that Samoa left out. */
const somewhen = Date.parse('2011-12-28T00:00:00Z') / 1000;

const member = fc.constantFrom('ada', 'bob');
const key = fc.constantFrom(...keys);
const step = fc.oneof(
  fc.record({
    do: fc.constant('send' as const),
    member,
    handle: fc.constantFrom('one', 'two'),
    sent: fc.array(fc.tuple(key, fc.constantFrom('OK', 'WRONG_ANSWER', 'OK', 'COMPILATION_ERROR'), fc.nat(150)), {
      minLength: 1,
      maxLength: 6,
    }),
  }),
  fc.record({
    do: fc.constant('mark' as const),
    member,
    keys: fc.uniqueArray(key, { minLength: 1 }),
    status: fc.constantFrom(...states),
    how: fc.option(fc.constantFrom<How>('alone', 'hint'), { nil: undefined }),
  }),
  fc.record({ do: fc.constant('undo' as const), member }),
  fc.record({ do: fc.constant('unlink' as const), member, handle: fc.constantFrom('one', 'two') }),
  fc.record({ do: fc.constant('rename' as const) }),
  fc.record({
    do: fc.constant('catalogue' as const),
    rated: fc.uniqueArray(fc.tuple(key, fc.integer({ min: 8, max: 35 })), {
      selector: ([one]) => one,
      minLength: 1,
    }),
  }),
  fc.record({ do: fc.constant('twins' as const), keys: fc.uniqueArray(key, { minLength: 2, maxLength: 3 }) }),
  fc.record({ do: fc.constant('days' as const), member, rule: fc.constantFrom(...rules) }),
  fc.record({ do: fc.constant('days by file' as const), member, rule: fc.constantFrom(...rules) }),
  fc.record({
    do: fc.constant('statuses' as const),
    member,
    keys: fc.uniqueArray(key, { minLength: 1 }),
    origin: fc.constantFrom('self', 'judge'),
    status: fc.constantFrom(...states),
    hour: fc.nat(150),
  }),
  fc.record({ do: fc.constant('remove and bring back' as const), member }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function take(garden: Garden, one: Step): Promise<void> {
  const { store } = garden;
  const listed = await store.reader.selectFrom('problem_keys').selectAll().execute();
  const problem = (name: string) => listed.find((row) => row.key === name)?.problem_id;
  const userId = 'member' in one ? await idOf(garden.store, one.member) : 0n;
  const handleNamed = async (name: string) =>
    (await listHandles(store.reader, userId)).find((handle) => handle.name === name)?.id ?? 0n;
  if (one.do === 'send') {
    const sent = one.sent.map(([name, verdict, hour]) => [name, verdict, somewhen + hour * hours] as never);
    await garden.import('codeforces-submissions', submissionsOf(one.handle, ...sent), { member: one.member });
  } else if (one.do === 'mark') {
    const problemIds = one.keys.flatMap((name) => problem(name) ?? []);
    await store.write((tx) => setStatus(tx, { memberId: userId, problemIds, status: one.status, how: one.how }));
  } else if (one.do === 'undo') {
    const last = await store.reader
      .selectFrom('changes')
      .select('id')
      .where('user_id', '=', userId)
      .orderBy('id', 'desc')
      .executeTakeFirst();
    // A mark may stand on what twins became since.
    if (last) await store.write((tx) => undo(tx, userId, last.id)).catch(() => {});
  } else if (one.do === 'unlink') {
    const handleId = await handleNamed(one.handle);
    await store.write((tx) => removeHandle(tx, handleId, userId));
  } else if (one.do === 'rename') {
    await store.write((tx) => renameHandle(tx, 'codeforces', 'two', 'one'));
  } else if (one.do === 'catalogue') {
    const problems = one.rated.map(([name, rating]) => ({ ...identity(name), name, rating: rating * 100 }));
    await garden.import('codeforces-problems', codeforces(...problems));
  } else if (one.do === 'twins') {
    await garden.import('codeforces-twins', twins([...one.keys]));
  } else if (one.do === 'days') {
    await store.write((tx) => setDayRule(tx, userId, one.rule));
  } else if (one.do === 'days by file') {
    const { zone, startHour } = one.rule;
    await garden.import('preferences', [
      { username: one.member, name: 'time_zone', value: zone },
      { username: one.member, name: 'day_start', value: String(startHour) },
    ]);
  } else if (one.do === 'statuses') {
    const updated_at = new Date((somewhen + one.hour * hours) * 1000).toISOString();
    const known = one.keys.filter((name) => problem(name) !== undefined);
    const row = { username: one.member, source: 'codeforces', status: one.status, origin: one.origin, updated_at };
    await garden.import(
      'statuses',
      known.map((source_key) => ({ ...row, source_key })),
    );
  } else {
    const archive = await archiveOf(garden, one.member);
    await store.write(async (tx) => {
      for (const { id } of await listHandles(tx, userId)) await removeHandle(tx, id, userId);
    });
    await garden.import('archive', archive);
  }
}

test('after any sequence of changes the days are what would be counted from nothing', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const garden = await withRated(t);
      for (const one of steps) {
        await take(garden, one);
        await assertRight(garden, JSON.stringify(one));
      }
    }),
    { numRuns: testStore === 'sqlite' ? 30 : 10, endOnFailure: true },
  );
});

async function withRated(t: TestContext): Promise<Garden> {
  const garden = await gardenOf(t, 'ada', 'bob');
  const problems = keys.slice(0, 7).map((name, n) => ({ ...identity(name), name, rating: 800 + 100 * n }));
  await garden.import('codeforces-problems', codeforces(...problems));
  return garden;
}

test('a problem is solved once a day however often it is marked, and first on the day that the judge accepted it', async (t) => {
  const garden = await withRated(t);
  const { store } = garden;
  const ada = await idOf(garden.store, 'ada');
  const mark = (status: State, how?: How) =>
    store.write((tx) => setStatus(tx, { memberId: ada, problemIds: [1n], status, how }));
  const rows = async () =>
    (await readActivity(store.reader, ada, daysOf(defaultDayRule), [0, 40_000])).map((row) => [
      row.submissions,
      row.solved,
      row.first_solves,
    ]);
  for (let n = 0; n < 3; n++) {
    await mark('complete');
    await mark('not_started');
  }
  assert.deepEqual(await rows(), []);
  await mark('complete');
  assert.deepEqual(await rows(), [[0n, 1n, 1n]]);
  const sent = (verdict: string, second: number) =>
    garden.import('codeforces-submissions', submissionsOf('ada_cf', ['1A', verdict, second]), { member: 'ada' });
  await sent('WRONG_ANSWER', somewhen + 60);
  assert.deepEqual(await rows(), [
    [1n, 0n, 0n],
    [0n, 1n, 1n],
  ]);
  const streak = () => readStreak(store.reader, ada, daysOf(defaultDayRule), daysOf(defaultDayRule).at(Date.now()));
  assert.equal((await streak()).current?.length, 1);
  await sent('OK', somewhen);
  assert.deepEqual(await rows(), [
    [2n, 1n, 1n],
    [0n, 1n, 0n],
  ]);
  assert.equal((await streak()).current, undefined, 'it was solved before');
});

test('how a problem was solved is said later without moving the day on which it was', async (t) => {
  const garden = await withRated(t);
  const at = '2020-02-29T12:00:00.000Z';
  await garden.import('statuses', [
    { username: 'ada', source: 'codeforces', source_key: '1A', status: 'complete', updated_at: at },
  ]);
  const memberId = await idOf(garden.store, 'ada');
  await garden.store.write((tx) => setStatus(tx, { memberId, problemIds: [1n], status: 'complete', how: 'editorial' }));
  const [row] = await garden.store.reader.selectFrom('statuses').selectAll().execute();
  assert.deepEqual([row?.self_at, row?.how], [at, 'editorial']);
  await assertRight(garden, 'how');
});

test('how a problem was solved that a judge accepted is no other solve on the day on which it is said', async (t) => {
  const garden = await withRated(t);
  const { store } = garden;
  await garden.import('codeforces-submissions', submissionsOf('ada_cf', ['1A', 'OK', somewhen]), { member: 'ada' });
  const memberId = await idOf(garden.store, 'ada');
  const rows = () => readActivity(store.reader, memberId, daysOf(defaultDayRule), [0, 40_000]);
  const card = () => store.reader.selectFrom('review_cards').select('begun_day').executeTakeFirst();
  const [before, begun] = [await rows(), await card()];
  assert.equal(before.length, 1);
  const { batch = 0n } = await setStatus(store, { memberId, problemIds: [1n], status: 'complete', how: 'hint' });
  assert.deepEqual(await rows(), before);
  assert.deepEqual(await card(), begun);
  await assertRight(garden, 'how');
  await undo(store, memberId, batch);
  const [row] = await store.reader.selectFrom('statuses').selectAll().execute();
  assert.deepEqual([row?.self_status, row?.self_at, row?.how], [null, null, null]);
});

test('submissions at the ends of time are counted without walking through the years between', async (t) => {
  const garden = await lived(t);
  const row = { username: 'ada', source: 'codeforces', handle: 'ada_cf', key: '1A', verdict_class: 'solved' };
  await garden.import('submissions', [
    { ...row, submission_id: 'a', submitted_at: '0001-01-01T00:00:00Z' },
    { ...row, submission_id: 'z', submitted_at: '9999-12-31T23:59:59Z' },
  ]);
  await assertRight(garden, 'ends');
});
