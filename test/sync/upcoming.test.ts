/**
 * Lists of contests to come: a contest of two lists is one row, one that no list has any more is cancelled, and a calendar
 * that cannot be read leaves nothing but a sentence.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { judgeClient } from '../../src/jobs/judge-client.ts';
import { fetchFeeds } from '../../src/jobs/schedule.ts';
import { feedHealth } from '../../src/jobs/sync-health.ts';
import { syncCatalogue } from '../../src/jobs/sync-runs.ts';
import { calendarFeed, contestFeeds } from '../../src/judges/contest-feeds.ts';
import { addCalendar, removeFeed, saveFeed } from '../../src/practice/upcoming.ts';
import { cancelledPhase, findContestsByKeys } from '../../src/store/contests.ts';
import { insertListings } from '../../src/store/upcoming.ts';
import { openGarden } from '../importing/support.ts';
import { onceOnly } from '../support/databases.ts';
import { needsData, readReal } from '../support/real-data.ts';
import { addContest } from '../support/seasons.ts';
import { until } from '../support/waiting.ts';
import { askReplay, replayOf } from './support.ts';

const hour = 3_600_000;
const day = 24 * hour;
/** A full minute, so that lists in seconds and in words say the same. */
const base = Math.floor(Date.now() / 60_000) * 60_000;
const iso = (ms: number) => new Date(base + ms).toISOString();
const seconds = (ms: number) => (base + ms) / 1000;
/** As CLIST writes it: UTC without a zone. */
const bare = (ms: number) => iso(ms).slice(0, 19);
const basic = (ms: number) => iso(ms).replace(/[-:]|\.000/g, '');

const pace = { intervalMs: 0, retries: 0, retryMs: 5, answerMs: 20_000 };
const tooSlow = /take too long/;

/** Sites that answer what a test sets, and a garden that asks them. */
async function world(t: TestContext) {
  const answers: Record<string, unknown> = {};
  const site = (name: string) => () => {
    const answer = answers[name];
    return answer === undefined ? undefined : { body: answer };
  };
  const names = ['codeforces', 'dmoj', 'leetcode', 'codechef', 'clist', 'contest-hive', 'calendar'];
  const replay = await replayOf(t, Object.fromEntries(names.map((name) => [name, site(name)])));
  const garden = await openGarden(t);
  const { store } = garden;
  const judgeUrls = new Map(names.map((name) => [name, `${replay.url}/${name}`]));
  const warnings: string[] = [];
  const log = (_: string, sentence: string) => void warnings.push(sentence);
  const faultOf = async (name: string) =>
    (await feedHealth(store.reader, new Date())).get(name)?.faultText?.message ?? '';
  /** On a busy machine a calendar may take longer than it may: it is asked for again, unless it takes too long on any. */
  const ask = ({ isSlow = false } = {}) =>
    until('the feeds are read', async () => {
      await store.write((tx) => tx.updateTable('syncs').set({ due_at: 0n }).execute());
      await fetchFeeds(store, { judgeUrls, privateOrigins: new Set([replay.url]), log, pace }, Date.now());
      return isSlow || !tooSlow.test(await faultOf('calendar-1'));
    });
  const on = (name: string, key?: string) => store.write((tx) => saveFeed(tx, { name, ...(key && { key }) }));
  const rows = async () =>
    (await store.reader.selectFrom('upcoming_contests').selectAll().orderBy('starts_at').orderBy('id').execute()).map(
      ({ source, key, title, starts_at, duration_s, sequence, cancelled_at, told_by }) =>
        `${source} ${key} “${title}” ${starts_at} ${duration_s} #${sequence}${cancelled_at === null ? '' : ' gone'} ${told_by}`,
    );
  return { answers, replay, store, ask, on, rows, warnings };
}

const clistRow = (id: number, href: string, event: string, start: number, ms = 2 * hour) => ({
  id,
  event,
  href,
  duration: ms / 1000,
  n_problems: null,
  host: new URL(href).host,
  resource_id: 1,
  start: bare(start),
  end: bare(start + ms),
});
const clistOf = (...objects: object[]) => ({ meta: { limit: 200, next: null, offset: 0 }, objects });

test('a contest of two lists is one row, and is cancelled once neither has it', async (t) => {
  const { answers, store, ask, on, rows } = await world(t);
  const starters = {
    contest_code: 'START246',
    contest_name: 'Starters 246',
    contest_duration: '120',
    contest_start_date_iso: iso(day + hour),
  };
  const none = { present_contests: [], future_contests: [], past_contests: [] };
  const url = 'https://www.codechef.com/START246?itm_medium=x';
  answers['clist'] = clistOf(clistRow(1, url, 'Starters 246 by CLIST', day));
  answers['codechef'] = { ...none, future_contests: [starters] };
  await on('clist', 'ada:0123456789abcdef');
  await ask();
  assert.deepEqual(await rows(), [`codechef START246 “Starters 246 by CLIST” ${iso(day)} 7200 #0 clist`]);
  await on('codechef');
  await ask();
  const own = `codechef START246 “Starters 246” ${iso(day + hour)} 7200 #1 codechef`;
  assert.deepEqual(await rows(), [own], 'the judge itself knows better');
  answers['codechef'] = none;
  await ask();
  assert.doesNotMatch((await rows()).join(), /gone/, 'the other list has it still');
  answers['clist'] = { meta: { next: '/api/v4/contest/?offset=200' }, objects: [] };
  await ask();
  assert.doesNotMatch((await rows()).join(), /gone/, 'an answer that is not the whole cancels nothing');
  answers['clist'] = 'no json';
  await ask();
  assert.doesNotMatch((await rows()).join(), /gone/, 'nor does a fault');
  answers['clist'] = clistOf();
  await ask();
  assert.match((await rows()).join(), / gone /);
  await store.write((tx) => removeFeed(tx, 'codechef'));
  await store.write((tx) => removeFeed(tx, 'clist'));
  assert.deepEqual(await rows(), [], 'what is switched off leaves nothing');
  assert.deepEqual(await store.reader.selectFrom('upcoming_listings').selectAll().execute(), []);
});

test('Codeforces is not asked apart: the answer with its contests has those to come', async (t) => {
  const { answers, store, replay, rows } = await world(t);
  const contest = (id: number, phase: string, start?: number) => ({
    id,
    name: `Codeforces Round ${id} (Div. 2)`,
    type: 'CF',
    phase,
    frozen: false,
    durationSeconds: 7200,
    ...(start !== undefined && { startTimeSeconds: seconds(start), relativeTimeSeconds: -60 }),
  });
  const ask = askReplay(store, 'codeforces', replay);
  const sync = (...result: object[]) => {
    answers['codeforces'] = { status: 'OK', result };
    return syncCatalogue(store, 'codeforces', 'contests', ask);
  };
  const finished = contest(2200, 'FINISHED', -day);
  await sync(contest(2300, 'BEFORE', day), contest(2301, 'BEFORE'), finished);
  const row = (id: number, start: number, rest: string) =>
    `codeforces ${id} “Codeforces Round ${id} (Div. 2)” ${iso(start)} 7200 ${rest}`;
  assert.deepEqual(await rows(), [row(2300, day, '#0 codeforces')]);
  await sync(contest(2302, 'BEFORE', 2 * day), finished);
  assert.deepEqual(await rows(), [row(2300, day, '#1 gone codeforces'), row(2302, 2 * day, '#0 codeforces')]);
  // Cancelled after its planned start, although a list of contests to come had it too; one that runs is listed still.
  await store.write(async (tx) => {
    const began = tx
      .updateTable('upcoming_contests')
      .set({ starts_at: iso(-hour) })
      .where('key', '=', '2302');
    const { id } = await began.returning('id').executeTakeFirstOrThrow();
    await insertListings(tx, [{ contest_id: id, feed: 'clist' }]);
    await tx.deleteFrom('contests').where('key', '=', '2302').execute();
    await addContest(tx, { key: '2302', starts_at: iso(-hour), problems: 0 });
  });
  await sync(contest(2302, 'CODING', -hour));
  assert.doesNotMatch((await rows()).join(), /2302 [^,]* gone/);
  await sync(finished);
  assert.match((await rows()).join(), /2302 [^,]* gone/);
  const phase = (key: string) => findContestsByKeys(store.reader, 'codeforces', [key]).then(([row]) => row?.phase);
  assert.deepEqual([await phase('2302'), await phase('2200')], [cancelledPhase, 'FINISHED']);
  await sync(contest(2302, 'CODING', -hour));
  assert.deepEqual(
    [/2302 [^,]* gone/.test((await rows()).join()), await phase('2302')],
    [false, 'CODING'],
    'held after all',
  );
  answers['codeforces'] = { status: 'FAILED', comment: 'contests are down' };
  await assert.rejects(syncCatalogue(store, 'codeforces', 'contests', ask));
  assert.equal((await rows()).length, 2);
});

const calendarOf = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//a//b//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n');
const eventOf = (uid: string, ...lines: string[]) =>
  ['BEGIN:VEVENT', `UID:${uid}`, `DTSTAMP:${basic(0)}`, ...lines, 'END:VEVENT'].join('\r\n');

test('a calendar never gets the name of one that is gone, which members may have hidden', async (t) => {
  const { store } = await world(t);
  const add = (title: string) =>
    store.write((tx) => addCalendar(tx, { address: `https://club.example/${title}.ics`, title }));
  assert.equal(await add('one'), 'calendar-1');
  assert.equal(await add('two'), 'calendar-2');
  await store.write((tx) => removeFeed(tx, 'calendar-2'));
  assert.equal(await add('three'), 'calendar-3');
  assert.equal(await add('one'), 'calendar-1', 'the same address is the same calendar');
});

test('a calendar that cannot be read leaves a sentence and nothing else, and an odd event only itself', {
  timeout: 600_000,
  skip: onceOnly,
}, async (t) => {
  const { answers, replay, store, ask, rows } = await world(t);
  const address = `${replay.url}/calendar/x.ics`;
  await store.write((tx) => addCalendar(tx, { address, title: 'League' }));
  const good = eventOf('good', `DTSTART:${basic(day)}`, 'DURATION:PT2H', 'SUMMARY:Good\\, first');
  const start = `DTSTART:${basic(day)}`;
  const never = 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30';
  for (const [what, text, said] of [
    [
      'many days that never come',
      calendarOf(...Array.from({ length: 2000 }, (_, n) => eventOf(`x${n}`, start, never))),
      tooSlow,
    ],
    ['too many', calendarOf(...Array.from({ length: 501 }, (_, n) => eventOf(`x${n}`, start))), /more than 500 events/],
    ['8 MB', calendarOf(good, `X-LONG:${'x'.repeat(8_000_000)}`), /more than 4 MiB/],
    ['cut off', calendarOf(good).slice(0, -20), /cannot be read as a calendar/],
    ['a page', '<!DOCTYPE html><title>Sign in</title>', /it is not a calendar/],
  ] as const) {
    answers['calendar'] = text;
    await ask({ isSlow: said === tooSlow });
    assert.deepEqual(await rows(), [], what);
    const health = (await feedHealth(store.reader, new Date())).get('calendar-1');
    assert.equal(health?.state, 'failing', what);
    assert.match(health?.faultText?.message ?? '', said, what);
    assert.match(health?.faultText?.message ?? '', /^League /, what);
  }
  answers['calendar'] = calendarOf(good);
  await ask();
  assert.deepEqual(await rows(), [`calendar-1 good “Good, first” ${iso(day)} 7200 #0 calendar-1`]);
  const often = eventOf('x', start, 'SUMMARY:X', 'RRULE:FREQ=SECONDLY');
  answers['calendar'] = calendarOf(often, eventOf('new', start, 'SUMMARY:New'));
  await ask();
  assert.equal((await rows()).length, 2);
  assert.doesNotMatch((await rows()).join(), /gone/, 'the odd event may be the one that is missing');
  const health = (await feedHealth(store.reader, new Date())).get('calendar-1');
  assert.deepEqual(
    [health?.state, health?.skipped.map(({ message }) => message)],
    ['fine', ['“X” is repeated too often']],
  );
});

test('no list leads into the own network unless the operator allows it', async (t) => {
  const { store } = await world(t);
  const feed = calendarFeed('calendar-1', 'Inside', 'http://127.0.0.1:1/x.ics');
  await assert.rejects(
    feed.listContests(judgeClient(store, feed, { pace }), { key: undefined, now: new Date() }),
    /own network/,
  );
});

test('the recorded answers of the sites', needsData, async (t) => {
  const { answers, replay, store } = await world(t);
  const read = async (name: string, file: string) => {
    answers[name] = String(await readReal(file));
    const feed = contestFeeds.get(name);
    assert.ok(feed);
    const address = { url: `${replay.url}/${name}`, mayBePrivate: true };
    const { contests, skipped } = await feed.listContests(judgeClient(store, feed, { address, pace }), {
      key: 'a:b',
      now: new Date(),
    });
    assert.deepEqual(skipped, [], name);
    return contests.map(({ source, key, starts_at, duration_s }) => `${source} ${key} ${starts_at} ${duration_s}`);
  };
  assert.deepEqual(await read('clist', 'reach/clist/v4.contest.one-row.json'), [
    'leetcode weekly-contest-193 2020-06-14T02:30:00.000Z 5400',
  ]);
  assert.deepEqual(await read('codechef', 'reach/codechef/list.contests.all.json'), [
    'codechef START134B 2024-05-15T14:30:00.000Z 7200',
    'codechef START246 2026-07-08T14:30:00.000Z 7200',
  ]);
  assert.deepEqual(await read('leetcode', 'reach/leetcode/contestV2UpcomingContests.composed.json'), [
    'leetcode weekly-contest-520 2026-08-30T02:30:00.000Z 5400',
  ]);
  const hive = await read('contest-hive', 'reach/contest-hive/all.json');
  assert.ok(hive.includes('atcoder abc359 2024-06-22T12:00:00.000Z 6000'), hive.join('\n'));
  assert.ok(hive.includes('codeforces 1986 2024-06-23T14:35:00.000Z 8100'));
});
