/** Syncing by itself: one of all processes leads, and what fails (a judge, a catalogue, a handle) keeps nothing else from being asked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { requestSync, runSyncSchedule } from '../../src/jobs/schedule.ts';
import { handleHealth, judgeHealth } from '../../src/jobs/sync-health.ts';
import { findSync, freshSync, pauseSubject, saveSync } from '../../src/store/syncs.ts';
import type { Db } from '../../src/store/tables.ts';
import { codeforcesNamed } from '../importing/support.ts';
import { replayCodeforces } from '../replay/codeforces.ts';
import { replayCses } from '../replay/cses.ts';
import { replayDmoj } from '../replay/dmoj.ts';
import { acceptedRow, replayLeetCode, replayLeetCodeCn } from '../replay/leetcode.ts';
import { downWhere, type ReplayedJudge } from '../replay/replay.ts';
import { gardenHere } from '../support/commands.ts';
import { onceOnly } from '../support/databases.ts';
import { until } from '../support/waiting.ts';
import { gardenWithHandle, link, replayOf, roundOf, rowsSent } from './support.ts';

const pace = { retries: 0, intervalMs: 0, retryMs: 5, answerMs: 20_000 };
const rowsOf = (handle: string) => rowsSent(handle, ['1A', 'OK', 100]);

async function scheduled(t: Parameters<typeof replayOf>[0], judges: Record<string, ReplayedJudge>, ownPace = pace) {
  const replay = await replayOf(t, judges);
  const { garden, handle } = await gardenWithHandle(t, 'codeforces', 'ada');
  const judgeUrls = new Map(Object.keys(judges).map((judge) => [judge, `${replay.url}/${judge}`]));
  const stopping = new AbortController();
  const said: string[] = [];
  const start = (...holders: string[]) => {
    const log = (_level: unknown, sentence: string) => said.push(sentence);
    const all = holders.map((holder) =>
      runSyncSchedule(garden.store, { holder, judgeUrls, signal: stopping.signal, log, pollMs: 20, pace: ownPace }),
    );
    t.after(async () => {
      stopping.abort();
      await Promise.all(all);
    });
  };
  const good = async () => {
    const names = await garden.store.reader
      .selectFrom('syncs')
      .innerJoin('handles', 'handles.id', 'syncs.handle_id')
      .select('handles.name')
      .where('task', '=', 'submissions')
      .where('good_at', 'is not', null)
      .orderBy('handles.id')
      .execute();
    return names.map(({ name }) => name);
  };
  const dueNow = () => garden.store.write((tx) => tx.updateTable('syncs').set({ due_at: 1n }).execute());
  /** The paths that this judge was asked for. */
  const askedOf = (judge: string) => replay.log.flatMap((one) => (one.judge === judge ? [one.path] : []));
  return { garden, handle, replay, said, start, good, dueNow, askedOf };
}

/** The catalogue of Codeforces is here, and asked for again at these times. */
async function bringCatalogue(tx: Db, due_at: bigint, contestsDueAt = due_at) {
  for (const task of ['problems', 'contests', 'renames'] as const) {
    const fresh = freshSync({ source: 'codeforces', task, handle_id: null });
    const good_at = new Date().toISOString();
    await saveSync(tx, { ...fresh, good_at, due_at: task === 'contests' ? contestsDueAt : due_at });
  }
}

test('of three that would, one asks, and each thing once', async (t) => {
  const { replay, start, good } = await scheduled(t, {
    codeforces: replayCodeforces({ status: { ada: rowsOf('ada') } }),
  });
  start('one', 'two', 'three');
  await until('the handle is synced', async () => (await good()).length === 1);
  await until('its ratings are asked for', () => replay.log.length >= 7);
  await sleep(200);
  assert.deepEqual(
    replay.log.map(({ path }) => path.replace(/[?&]lang=.*|\?(?!problemsetName).*/, '')),
    [
      '/problemset.problems',
      '/problemset.problems?problemsetName=acmsguru',
      '/contest.list',
      '/user.info',
      '/user.status',
      '/user.status',
      '/user.rating',
    ],
    'the last page of submissions, which is empty, shows the end',
  );
});

test('an unknown handle, a judge in trouble and one that nobody can ask for others keep no one waiting', {
  skip: onceOnly,
}, async (t) => {
  const { garden, start, good, said, askedOf } = await scheduled(t, {
    codeforces: replayCodeforces({ status: { bob: rowsOf('bob') } }),
    cses: replayCses({ tasks: [{ category: 'x', id: '1', name: 'One' }], members: {} }).answer,
    // A list of users who sent nothing, from a judge that answers nonsense otherwise.
    atcoder: () => ({ body: '{"unexpected":true}' }),
    dmoj: replayDmoj({ submissions: [], users: ['ada'] }),
  });
  for (const source of ['atcoder', 'cses', 'dmoj']) await link(garden, source, 'ada');
  await link(garden, 'codeforces', 'bob');
  start('one');
  await until('bob and ada are synced', async () => (await good()).length === 2);
  assert.deepEqual((await good()).toSorted(), ['ada', 'bob']);
  const told = () => said.filter((sentence) => sentence.startsWith('atcoder'));
  await until('the judge in trouble is named', () => told().length >= 5);
  await until('CSES is asked', () => askedOf('cses').length > 0);
  const before = askedOf('atcoder');
  await sleep(200);
  assert.deepEqual(askedOf('atcoder'), before, 'it is left alone for minutes');
  assert.deepEqual(
    told().map((sentence) => sentence.split(' ')[1]),
    ['problems:', 'contests:', 'age:', 'submissions:', 'ratings:'],
    'each fault is told once, and what has one of its own is asked all the same',
  );
  for (const sentence of told()) assert.match(sentence, /: AtCoder(?: Problems)? sent an unexpected answer: /);
  assert.deepEqual(askedOf('cses'), ['/courses/problemset/list'], 'without a confirmation nothing more is asked');
});

test('a catalogue that fails, again and again, keeps nobody’s submissions waiting', { skip: onceOnly }, async (t) => {
  const answers = replayCodeforces({ status: { ada: rowsOf('ada') } });
  const { garden, handle, replay, start, good } = await scheduled(t, {
    codeforces: (path, query, request) => {
      if (path === '/problemset.problems') return { status: 502, body: '<html>Bad gateway</html>' };
      if (path === '/contest.list') return { body: '{"status":"OK","result":' };
      return answers(path, query, request);
    },
  });
  start('one');
  await until('ada is synced', async () => (await good()).length === 1);
  const { store } = garden;
  const rowOf = (task: 'problems' | 'contests' | 'renames') =>
    findSync(store.reader, { source: 'codeforces', task, handle_id: null });
  assert.deepEqual(
    [(await rowOf('problems'))?.fault, (await rowOf('contests'))?.fault, (await rowOf('renames'))?.fault],
    ['down', 'odd answer', null],
  );
  const [judge] = await judgeHealth(store.reader, new Date());
  assert.deepEqual([judge?.state, judge?.failing], ['failing', 0], 'staff see it, and no handle fails');
  assert.match(judge?.faultText?.message ?? '', /^Codeforces is down: it answered 502/);
  const ratings = () => findSync(store.reader, { source: 'codeforces', task: 'ratings', handle_id: handle.id });
  await until('ratings are here', async () => ((await ratings())?.good_at ?? null) !== null);

  // A catalogue that failed before may take minutes to fail again: members come first.
  replay.log.length = 0;
  await store.write(async (tx) => {
    await requestSync(tx, handle.user_id, handle.id);
    await tx.updateTable('syncs').set({ due_at: 1n }).execute();
  });
  const asked = () => [...new Set(replay.log.map(({ path }) => path.split('?')[0]))];
  await until('all are asked again', () => asked().length === 5);
  assert.deepEqual(asked().slice(0, 3).toSorted(), ['/user.info', '/user.rating', '/user.status']);
  assert.deepEqual(asked().slice(3), ['/problemset.problems', '/contest.list']);
});

for (const [task, answered] of [
  ['ratings', '/user.rating'],
  ['submissions', '/user.status'],
] as const)
  test(`an own list that somebody waits for comes before the ${task} of others`, async (t) => {
    const names = ['ada', ...Array.from({ length: 15 }, (_, nth) => `player${nth}`)];
    const answers = replayCodeforces({ status: Object.fromEntries(names.map((name) => [name, rowsOf(name)])) });
    let onThird = () => {};
    let count = 0;
    const judge: ReplayedJudge = (path, ...request) => {
      if (path === answered && ++count === 3) onThird();
      return answers(path, ...request);
    };
    const { garden, handle, replay, start } = await scheduled(t, { codeforces: judge });
    const { store } = garden;
    const handles = [handle];
    for (const name of names.slice(1)) handles.push(await link(garden, 'codeforces', name));
    const inAnHour = BigInt(Date.now() + 3_600_000);
    const dueAt = (one: string) => (one === task ? BigInt(Date.now() - 3_600_000) : inAnHour);
    const second = Math.floor(Date.now() / 1000);
    const cursor = JSON.stringify({ through: second, wholeAt: second, overlapAt: second });
    const done = { good_at: new Date().toISOString() };
    await store.write(async (tx) => {
      for (const { id: handle_id, source } of handles) {
        const list = freshSync({ source, task: 'submissions', handle_id });
        await saveSync(tx, { ...list, ...done, cursor, due_at: dueAt('submissions') });
        await saveSync(tx, { ...freshSync({ source, task: 'ratings', handle_id }), ...done, due_at: dueAt('ratings') });
      }
      await bringCatalogue(tx, inAnHour);
    });
    onThird = () => void requestSync(store, handle.user_id, handles.at(-1)?.id ?? 0n);
    start('one');
    await until('all of others', () => count === names.length);
    const at = replay.log.findIndex(({ path }) => path.startsWith('/user.status?handle=player14'));
    assert.ok(at >= 3 && at <= 5, `it was request ${at}`);
  });

test('a judge that does not answer keeps nobody at another judge waiting, also those who come later', {
  skip: onceOnly,
}, async (t) => {
  const judges = {
    codeforces: replayCodeforces({ status: { ada: rowsOf('ada'), bob: rowsOf('bob') } }),
    atcoder: () => ({ body: '[]' }),
  };
  const { garden, replay, start, good, askedOf } = await scheduled(t, judges, { ...pace, answerMs: 600_000 });
  await link(garden, 'atcoder', 'ada');
  replay.fail('atcoder', { kind: 'stalled', ms: 600_000 });
  start('one');
  await until('ada is synced at Codeforces', async () => (await good()).length === 1);
  await link(garden, 'codeforces', 'bob');
  await until('bob is synced', async () => (await good()).includes('bob'));
  assert.equal(askedOf('atcoder').length, 1, 'AtCoder has not answered its first request yet');
});

test('a catalogue that is here already waits for members; one that failed is asked once a turn', async (t) => {
  let isDown = false;
  const answers = replayCodeforces({ status: { ada: rowsOf('ada') } });
  const codeforces = downWhere(answers, (path) => isDown && path === '/contest.list');
  const { garden, replay, start, good, dueNow } = await scheduled(t, { codeforces }, { ...pace, retries: 2 });
  start('one');
  const times = (path: string) => replay.log.filter((one) => one.path.split('?')[0] === path).length;
  await until('ada is synced', async () => (await good()).length === 1);
  const again = async () => {
    replay.log.length = 0;
    await dueNow();
  };
  isDown = true;
  await again();
  await until('the contests are asked for in vain', () => times('/contest.list') === 3);
  const order = replay.log.map(({ path }) => path.split('?')[0]);
  assert.ok(order.indexOf('/user.status') < order.indexOf('/problemset.problems'), order.join());
  const failures = async () => {
    const subject = { source: 'codeforces', task: 'contests' as const, handle_id: null };
    return (await findSync(garden.store.reader, subject))?.failures;
  };
  await until('the fault is noted', async () => (await failures()) === 1n);
  await again();
  await until('it failed again', async () => (await failures()) === 2n);
  assert.equal(times('/contest.list'), 1);
});

test('names of gyms are asked for while a gym’s problem is here, and outlast a gym that turns private', async (t) => {
  const inGym = rowsSent('ada', ['101021A', 'OK', 90], ['101022A', 'OK', 80]);
  const status = { ada: rowsOf('ada') };
  const times = { durationSeconds: 18_000, startTimeSeconds: 1_476_000_000 };
  const gym = { id: 101_021, name: 'ICPC Pond', phase: 'FINISHED', ...times };
  const rows = { status, gyms: [gym, { ...gym, id: 100_001, name: 'Elsewhere' }] };
  let isDown = false;
  const answers = replayCodeforces(rows);
  const codeforces = downWhere(answers, (_, query) => isDown && query.get('gym') === 'true');
  const { garden, replay, start, good, dueNow } = await scheduled(t, { codeforces });
  const { store } = garden;
  start('one');
  await until('ada is synced', async () => (await good()).length === 1);
  await sleep(200);
  const asked = () => replay.log.filter(({ path }) => path.includes('gym=true')).length;
  assert.equal(asked(), 0, 'no gym’s problem is here');

  status.ada = [...inGym, ...status.ada];
  const gyms = () =>
    store.reader
      .selectFrom('contests')
      .select(['key', 'title', 'starts_at'])
      .where('is_gym', '=', 1n)
      .orderBy('key')
      .execute();
  const rowOf = () => findSync(store.reader, { source: 'codeforces', task: 'gyms', handle_id: null });
  await dueNow();
  await until('the gym has its name', async () => (await gyms())[0]?.title === 'ICPC Pond');
  const named = [
    { key: '101021', title: 'ICPC Pond', starts_at: '2016-10-09T08:00:00.000Z' },
    { key: '101022', title: 'Gym 101022', starts_at: null },
  ];
  assert.deepEqual(await gyms(), named);
  await until('the run is noted', async () => (await rowOf())?.good_at != null);

  rows.gyms = [];
  const before = (await rowOf())?.good_at;
  await dueNow();
  await until('it is asked for again', async () => (await rowOf())?.good_at !== before);
  assert.deepEqual(await gyms(), named, 'what the judge lists no more stays');
  isDown = true;
  await dueNow();
  await until('the fault is noted', async () => (await rowOf())?.fault === 'down');
  const health = async () => (await judgeHealth(store.reader, new Date()))[0];
  assert.deepEqual([(await health())?.state, (await health())?.failing], ['failing', 0]);
  assert.match((await health())?.faultText?.message ?? '', /^Codeforces is down: it answered 502/);

  await store.write((tx) => tx.deleteFrom('problems').where('is_gym', '=', 1n).execute());
  await store.write((tx) => tx.updateTable('syncs').set({ due_at: 1n }).where('task', '=', 'gyms').execute());
  await until('a fault that concerns nobody is forgotten', async () => (await rowOf()) === undefined);
  assert.equal((await health())?.state, 'fine');
});

test('a handle at which the judge or the garden stumbles keeps no other waiting', async (t) => {
  const answers = replayCodeforces({
    status: { ada: rowsOf('ada'), bob: rowsOf('bob'), eve: rowsOf('eve') },
  });
  const codeforces = downWhere(answers, (_, query) => query.get('handle') === 'ada');
  const { garden, replay, start, good } = await scheduled(t, { codeforces });
  const { store } = garden;
  const { id: bob } = await link(garden, 'codeforces', 'bob');
  await link(garden, 'codeforces', 'eve');
  await store.write(async (tx) => {
    await requestSync(tx, 1n, bob);
    await tx.updateTable('syncs').set({ cursor: '{' }).execute();
  });
  const began = Date.now();
  start('one');
  await until('eve is synced', async () => (await good()).includes('eve'));
  const faults = async () =>
    (await handleHealth(store.reader, new Date())).filter(({ fault }) => fault !== null).length;
  await until('the faults are noted', async () => (await faults()) === 2);
  await sleep(200);
  const health = await handleHealth(store.reader, new Date());
  assert.deepEqual(
    health.map(({ handle, fault }) => [handle, fault]),
    [
      ['ada', 'down'],
      ['bob', 'own'],
      ['eve', null],
    ],
  );
  assert.match(health[1]?.faultText?.message ?? '', /^This server could not save the answer: .*JSON/);
  for (const { nextAt } of health) assert.ok((nextAt?.getTime() ?? 0) > began + 3.9 * 60_000);
  const asked = replay.log.filter(({ path }) => path.startsWith('/user.status'));
  const handles = asked.map(({ path }) => /handle=(\w+)/.exec(path)?.[1]);
  assert.deepEqual(handles, ['ada', 'eve', 'eve'], 'each has a pause of its own');
});

test('a judge at which three in a row fail is left alone, which every handle says, and asked for who wants it', async (t) => {
  const names = ['ada', 'bob', 'cyd', 'dan', 'eve'];
  const answers = replayCodeforces({ status: Object.fromEntries(names.map((name) => [name, rowsOf(name)])) });
  let isDown = true;
  const codeforces = downWhere(answers, (path) => isDown && path === '/user.status');
  const { garden, replay, start, good } = await scheduled(t, { codeforces });
  const { store } = garden;
  for (const name of names.slice(1)) await link(garden, 'codeforces', name);
  const began = Date.now();
  start('one');
  const asked = () => replay.log.filter(({ path }) => path.startsWith('/user.status')).length;
  const isAlone = async () => (await handleHealth(store.reader, new Date())).every(({ state }) => state === 'failing');
  await until('it is left alone', isAlone);
  await sleep(200);
  assert.equal(asked(), 3);
  const healths = await handleHealth(store.reader, new Date());
  for (const { handle, state, fault, nextAt } of healths) {
    assert.deepEqual([state, fault], ['failing', 'down'], handle);
    const minutesAfter = (moment: number) => ((nextAt?.getTime() ?? 0) - moment) / 60_000;
    const minutes = minutesAfter(Date.now());
    assert.ok(minutesAfter(began) > 3.9 && minutes <= 5, `${handle}: ${minutes}`);
  }
  isDown = false;
  const eve = healths.find(({ handle }) => handle === 'eve');
  await store.write((tx) => requestSync(tx, 1n, eve?.handleId ?? 0n));
  await until('eve and dan are synced', async () => (await good()).length === 2);
  assert.deepEqual((await good()).toSorted(), ['dan', 'eve']);
});

test('each site of LeetCode is asked about its own handles, and left alone by itself', {
  skip: onceOnly,
}, async (t) => {
  const names = ['ada', 'bob', 'cyd', 'dan'];
  const rows = Object.fromEntries(names.map((name) => [name, [acceptedRow('two-sum', 1_767_268_800)]]));
  let down = 'leetcode';
  const { garden, replay, start, good, dueNow, askedOf } = await scheduled(t, {
    leetcode: downWhere(replayLeetCode(rows), () => down === 'leetcode'),
    'leetcode-cn': downWhere(replayLeetCodeCn(rows), () => down === 'leetcode-cn'),
    codeforces: replayCodeforces({ status: { ada: rowsOf('ada') } }),
  });
  const { store } = garden;
  for (const name of names.flatMap((one) => [one, `leetcode.cn/${one}`])) await link(garden, 'leetcode', name);
  start('one');
  const there = names.map((name) => `leetcode.cn/${name}`);
  const isAlone = (site: string) => findSync(store.reader, pauseSubject(site));
  await until('leetcode.com is left alone', async () => (await isAlone('leetcode')) !== undefined);
  await until('leetcode.cn is synced', async () => (await good()).length === 5);
  assert.deepEqual((await good()).toSorted(), ['ada', ...there].toSorted());
  assert.deepEqual([askedOf('leetcode').length, askedOf('leetcode-cn').length], [3, 4]);
  const said = async () => {
    const healths = (await handleHealth(store.reader, new Date())).filter(({ source }) => source === 'leetcode');
    return healths.map(({ handle, fault, site }) => `${handle} ${site} ${fault}`);
  };
  assert.deepEqual(
    await said(),
    names.flatMap((one) => [`${one} LeetCode down`, `leetcode.cn/${one} leetcode.cn null`]),
  );

  [down, replay.log.length] = ['leetcode-cn', 0];
  await dueNow();
  await until('leetcode.cn is left alone', async () => (await isAlone('leetcode-cn')) !== undefined);
  await until('leetcode.com is synced', async () => (await good()).length === 9);
  assert.equal(await isAlone('leetcode'), undefined);
  const judges = (await judgeHealth(store.reader, new Date())).map(({ source }) => source);
  assert.deepEqual(judges, ['codeforces', 'leetcode']);
});

test('garden sync goes on with the next handle, whatever became of one', async (t) => {
  const { garden, handle } = await gardenWithHandle(t, 'codeforces', 'ada');
  const replay = await replayOf(t, {
    codeforces: replayCodeforces({ status: { ada: rowsOf('ada'), bob: rowsOf('bob') } }),
  });
  await link(garden, 'codeforces', 'bob');
  await garden.store.write(async (tx) => {
    await requestSync(tx, 1n, handle.id);
    await tx.updateTable('syncs').set({ cursor: '{' }).execute();
  });
  const env = { JUDGE_URLS: `codeforces=${replay.url}/codeforces` };
  const { code, stdout, stderr } = await gardenHere(['sync'], { databaseUrl: garden.databaseUrl, env });
  assert.equal(code, 1);
  assert.match(
    stdout,
    /^ada, ada at Codeforces: .*JSON.*\nada, ada at Codeforces, ratings: unchanged\.\nada, bob at Codeforces: Statuses: 1 not known here\.\n {2}1 submission: 0 to 0 problems known here, /,
  );
  assert.match(stderr, /SyntaxError.*1 of 4 runs failed \(see above\); the others were saved\./s);
});

test('thirty people in a running round are asked about in turn, often enough, and no faster than the judge wants', {
  skip: onceOnly,
}, async (t) => {
  // All times are a twentieth: 2 s between requests, 66 s between two for one person, 90 s as the oldest row.
  const intervalMs = 100;
  const names = Array.from({ length: 30 }, (_, n) => `player${n}`);
  const others = Array.from({ length: 8 }, (_, n) => `other${n}`);
  // An old submission, so that one request shows the end of what is new.
  const day = 86_400;
  // The history of every other is younger than a week, so that only what they ended with shows the end.
  const rows = (name: string) => {
    const first = Number(name.at(-1)) % 2 === 0 ? 39 * day : day;
    return rowsSent(name, ['4A', 'OK', 40 * day], ['4A', 'OK', first]);
  };
  const status = Object.fromEntries([...names, ...others].map((name) => [name, rows(name)]));
  const { garden, replay, start } = await scheduled(
    t,
    { codeforces: replayCodeforces({ status: { ...status, ada: rowsOf('ada') } }) },
    { ...pace, intervalMs, roundMs: 3_300 } as typeof pace,
  );
  const { store } = garden;
  await garden.import('codeforces-problems', codeforcesNamed('Pond', '4A'));
  await roundOf(garden, names, 'codeforces');
  for (const name of others) await link(garden, 'codeforces', name);
  await store.write(async (tx) => {
    const inAnHour = BigInt(Date.now() + 3_600_000);
    // Everybody was asked about before; those who do not play are due, and all ratings.
    await bringCatalogue(tx, inAnHour, 5n);
    for (const { id, name } of await tx.selectFrom('handles').selectAll().execute()) {
      const row = freshSync({ source: 'codeforces', task: 'submissions', handle_id: id });
      const cursor = JSON.stringify({ wholeAt: Date.now() / 1000, through: 40 * day, end: rows(name).at(-1)?.id });
      const old = new Date(Date.now() - 3_600_000).toISOString();
      await saveSync(tx, { ...row, cursor, tried_at: old, good_at: old, due_at: names.includes(name) ? inAnHour : 5n });
      const ratings = freshSync({ source: 'codeforces', task: 'ratings', handle_id: id });
      await saveSync(tx, { ...ratings, tried_at: old, good_at: old, due_at: 5n });
    }
  });
  const handleIn = (path: string) =>
    path.startsWith('/user.status') ? (new URLSearchParams(path.split('?')[1]).get('handle') ?? '') : '';
  const times = () => Map.groupBy(replay.log, ({ path }) => handleIn(path));
  const countOf = (path: string) => replay.log.filter((one) => one.path.startsWith(path)).length;
  start('one');
  const rounds = 3;
  await until(
    'everybody was asked about, and there was time for ratings and a catalogue',
    () => {
      const asked = times();
      const isAsked = names.every((name) => (asked.get(name) ?? []).length >= rounds);
      return isAsked && countOf('/user.rating') > 0 && countOf('/contest.list') > 0;
    },
    { timeoutMs: 600_000, everyMs: 100 },
  );
  const all = replay.log.map(({ at }) => at);
  const gaps = all.slice(1).map((at, nth) => at - (all[nth] ?? 0));
  assert.ok(Math.min(...gaps) >= intervalMs * 0.95, `two requests are ${Math.min(...gaps)} ms apart`);
  const waits = names.flatMap((name) => {
    const own = times().get(name) ?? [];
    return own.slice(1).map(({ at }, nth) => at - (own[nth]?.at ?? 0));
  });
  // A row is at most 90 s old, which is the time of 45 requests; on a busy machine they take longer.
  const handles = replay.log.map(({ path }) => handleIn(path));
  const between = names.flatMap((name) => {
    const places = [...handles.keys()].filter((place) => handles[place] === name).concat(handles.length);
    return places.slice(1).map((place, nth) => place - (places[nth] ?? 0));
  });
  assert.ok(Math.max(...between) <= 45, `somebody is asked about again after ${Math.max(...between)} requests`);
  assert.ok(Math.min(...waits) >= 3_000, `somebody is asked about again after ${Math.min(...waits)} ms`);
});
