/**
 * The season of a group in pages: nobody is shown before they agree, in no way out of the garden; a coach makes it, adds contests
 * and changes its rule; a member sees their own line, and people on the leaderboard.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startOfWeek } from '../../src/practice/days.ts';
import { makeGroup, makeGroupLink, setOwnStudentNumber } from '../../src/practice/groups.ts';
import { makeList } from '../../src/practice/lists.ts';
import { createMember } from '../../src/practice/members.ts';
import { messageFor } from '../../src/practice/reminders.ts';
import { addSeasonContests, makeSeason } from '../../src/practice/seasons.ts';
import { saveListing } from '../../src/practice/upcoming.ts';
import { putGroupList } from '../../src/store/assignments.ts';
import { deleteGroup, deleteGroupMember, setBoard, setOnBoard } from '../../src/store/groups.ts';
import { insertHandle } from '../../src/store/handles.ts';
import { deleteMember } from '../../src/store/members.ts';
import { upsertRatings } from '../../src/store/ratings.ts';
import { insertRound, saveRoundPerson, writeRoundProblems } from '../../src/store/rounds.ts';
import { insertSolves } from '../../src/store/solves.ts';
import type { WebhooksTable } from '../../src/store/webhooks.ts';
import { openGarden } from '../importing/support.ts';
import { replayCodeforces } from '../replay/codeforces.ts';
import { replayDmoj } from '../replay/dmoj.ts';
import { startReplay } from '../replay/replay.ts';
import { attributeOf, attributesOf, csrfOf } from '../support/elements.ts';
import { type Browser, type Page, textOf } from '../support/forms.ts';
import { browsersOf, serveHere } from '../support/in-process.ts';
import { idOf, joinGroup, longAgo, membersNamed } from '../support/members.ts';
import { addContest, dayMs, hourMs, iso, solve, usualSeason } from '../support/seasons.ts';
import { countStatements } from '../support/statements.ts';

const people = ['bob', 'mia', 'dan'] as const;
const names = ['ada', ...people, 'eve'] as const;

/** Ada coaches Bob, Mia and Dan, who joined before there was a season; Eve is in no group. Each took part and has a handle. */
async function world(t: TestContext, env: Readonly<Record<string, string>> = {}) {
  const { databaseUrl, store } = await openGarden(t);
  const ids = await membersNamed(databaseUrl, ...names);
  const start = Date.now() - 3 * dayMs;
  const made = await store.write(async (tx) => {
    const group = await makeGroup(tx, ids.ada, { name: 'Club', zone: 'UTC' });
    const coached = { groupId: group, coachId: ids.ada };
    for (const name of people) await joinGroup(tx, group, ids[name]);
    const contest = await addContest(tx, { key: '2000', title: 'Codeforces Round 7 (Div. 2)', starts_at: iso(start) });
    for (const [nth, name] of people.entries()) {
      const handle = { user_id: ids[name], source: 'codeforces', name: `${name}_at_cf`, created_at: longAgo };
      const { id: handle_id } = await insertHandle(tx, handle);
      const sent = contest.problemIds.slice(0, 3 - nth).map((problem_id, place) => {
        const submitted_at = iso(start + (10 + place) * 60_000);
        return solve({ handle_id, problem_id, contest: '2000', participation: 'contest', submitted_at });
      });
      await insertSolves(tx, sent);
    }
    return { group, coached, contest };
  });
  const { url } = await serveHere(t, { databaseUrl, env });
  const browsers = await browsersOf(url, ...names);
  const today = iso(Date.now()).slice(0, 10);
  const season = { ...usualSeason, first_day: iso(start - 20 * dayMs).slice(0, 10), last_day: today };
  const makeIt = () =>
    store.write(async (tx) => {
      const id = await makeSeason(tx, made.coached, season);
      await addSeasonContests(tx, made.coached, [{ kind: 'contest', item_id: made.contest.id }]);
      return id;
    });
  const path = `/dashboard/groups/${made.group}/`;
  return { databaseUrl, store, ids, url, start, ...made, ...browsers, makeIt, path };
}

const linesOf = ({ document }: Page, within = '.season') =>
  document.querySelectorAll(`${within} tbody tr`).map((row) =>
    row
      .querySelectorAll('th, td')
      .map((cell) => (cell.querySelector('.sr') ?? cell).textContent.replace(/\s+/g, ' ').trim())
      .join(' | '),
  );
const answer = async (one: Browser, path: string, isYes: boolean) => {
  return one.submitAt(path, { within: 'main', name: 'season', value: String(isYes) });
};

/** The message of the group’s webhook about the season on the first Monday at nine after the contest. */
function messageOf({ store, group, start }: Pick<Awaited<ReturnType<typeof world>>, 'store' | 'group' | 'start'>) {
  const first = startOfWeek(Math.floor(start / dayMs));
  const context = {
    baseUrl: 'https://garden.test',
    now: (first + 7) * dayMs + 9 * hourMs,
    judgeName: String,
    listStale: async () => [],
    pointsOf: () => 0,
    defaultLanguage: 'en',
  };
  const webhook = { group_id: group, user_id: null, sends_weeks: 1n } as WebhooksTable;
  return () => messageFor(store.reader, webhook, { kind: 'season', first }, context);
}

test('nobody who joined before is shown before they agree, in any way out; a no is kept and can be changed', async (t) => {
  const { store, start, ada, bob, mia, dan, eve, ids, path, group, makeIt } = await world(t);
  assert.doesNotMatch((await bob.open(path)).text, /Do you want to be shown/);
  const link = await makeGroupLink(
    store,
    { groupId: group, coachId: ids.ada },
    { uses: 3, lifetimeMs: 1e8, madeBy: ids.ada },
  );
  const joining = `/authentication/join/${link}/`;
  assert.doesNotMatch((await eve.open(joining)).text, /season: whether you took part|your handles at judges/);
  const seasonId = await makeIt();
  const message = messageOf({ store, group, start });
  await store.write(async (tx) => {
    await setBoard(tx, group, true);
    for (const name of people) await setOnBoard(tx, group, ids[name], true);
  });
  /** Everything that a coach can get: the page (which is what is printed), the person's page, both files, the roster, the message. */
  const ways = async () => {
    const told = await message();
    return {
      page: (await ada.open(`${path}season/`)).text,
      csv: (await ada.ask(`${path}season/csv/`)).text,
      earlier: (await ada.ask(`${path}seasons/${seasonId}/csv/`)).text,
      roster: (await ada.open(`${path}people/`)).text,
      rosterCsv: (await ada.ask(`${path}people/csv/`)).text,
      next: (await ada.open(`${path}people/next/?person=${ids.bob}&person=${ids.mia}&person=${ids.dan}`)).text,
      proposals: (await ada.open(`${path}people/teams/`)).text,
      webhook: JSON.stringify(told),
    };
  };
  const ratingOf: Readonly<Record<string, bigint>> = { bob: 3111n, mia: 3222n, dan: 3333n };
  await store.write(async (tx) => {
    const rows = await tx.selectFrom('handles').select(['id', 'name']).execute();
    const rated = { contest: '1', title: 'Round', place: 1n, rated_at: longAgo };
    await upsertRatings(
      tx,
      rows.map(({ id, name }) => ({ ...rated, handle_id: id, rating: ratingOf[name.slice(0, 3)] ?? 1n })),
    );
  });
  const isNamed = (name: string, text: string) =>
    new RegExp(`\\b${name}(?:_at_cf)?\\b|\\b${ratingOf[name]}\\b`).test(text);
  const statusOf = async (one: Browser, id: bigint) =>
    (await one.ask(`${path}seasons/${seasonId}/people/${id}/`)).status;

  await t.test('before anybody answers, they are a number', async () => {
    for (const [way, text] of Object.entries(await ways()))
      for (const name of people) assert.ok(!isNamed(name, text), `${way} names ${name}`);
    const page = await ada.open(`${path}season/`);
    assert.match(textOf(page, '.sub'), /3 people are not shown/);
    assert.match(textOf(page, '.sub'), /1 of 1 contest has begun/);
    assert.match(
      textOf(await ada.open(`${path}people/`), '[data-kind=warn]'),
      /^3 people are not shown\. You see .* only of people who agree/,
    );
    for (const name of people) {
      assert.equal(await statusOf(ada, ids[name]), 404, name);
      assert.equal(await statusOf({ bob, mia, dan }[name], ids[name]), 404, 'they are in no table');
    }
  });

  await t.test('they are asked on each page of the group, with what coaches would see', async () => {
    const asked = await bob.open(path);
    assert.match(textOf(asked, '[aria-labelledby=season-question]'), /which of its problems you tried.*your handles/);
    assert.equal((await answer(bob, path, true)).path, `${path}seen/?done=inSeason`);
    assert.equal((await answer(mia, path, false)).path, `${path}seen/?done=notInSeason`);
    for (const one of [bob, mia])
      assert.equal((await one.open(path)).document.querySelector('[aria-labelledby=season-question]'), null);
    assert.equal((await ada.open(path)).document.querySelector('[aria-labelledby=season-question]'), null);
  });

  await t.test('after a yes every way has them, and those alone', async () => {
    for (const [way, text] of Object.entries(await ways())) {
      // One person is no team.
      if (way !== 'proposals') assert.ok(isNamed('bob', text), `${way} has no bob`);
      for (const name of ['mia', 'dan']) assert.ok(!isNamed(name, text), `${way} names ${name}`);
    }
    assert.deepEqual(linesOf(await ada.open(`${path}season/`)), ['bob | 3 | 1 of 1 | live, 3 solved, 3 points']);
    assert.match(textOf(await ada.open(`${path}season/`), '.sub'), /2 people are not shown/);
    assert.equal(await statusOf(ada, ids.bob), 200);
    assert.equal(await statusOf(bob, ids.bob), 200);
    for (const id of [ids.mia, ids.dan]) assert.equal(await statusOf(ada, id), 404);
  });

  await t.test('a no can be changed, and so can a yes', async () => {
    const seen = await mia.open(`${path}seen/`);
    assert.match(textOf(seen, '[aria-labelledby=in-season]'), /You are not shown/);
    assert.doesNotMatch(textOf(seen, '[aria-labelledby=seen]'), /season: whether you took part|your handles/);
    assert.match(textOf(await bob.open(`${path}seen/`), '[aria-labelledby=seen]'), /your handles at judges/);
    const table = await mia.open(`${path}season/`);
    assert.equal(table.text.match(/You are not shown in this season/g)?.length, 1);
    await answer(mia, `${path}seen/`, true);
    assert.equal(linesOf(await ada.open(`${path}season/`)).length, 2);
    await answer(bob, `${path}seen/`, false);
    for (const [way, text] of Object.entries(await ways())) assert.ok(!isNamed('bob', text), `${way} names bob`);
    assert.equal(await statusOf(ada, ids.bob), 404);
  });

  await t.test('people who join a group with a season read it before, and are shown', async () => {
    const join = await eve.open(joining);
    assert.match(
      textOf(join, 'main'),
      /for each contest of the group’s season.*your handles at judges, whether they are verified/,
    );
    await eve.submit({ within: 'main form' });
    assert.match((await ada.ask(`${path}season/csv/`)).text, /^eve,eve,/m);
  });
});

test('who sees what of a season', async (t) => {
  const { store, ada, bob, mia, eve, ids, path, group, makeIt, contest } = await world(t);
  assert.equal((await bob.ask(`${path}season/`)).status, 404, 'there is none yet');
  assert.match(textOf(await ada.open(`${path}season/`), '.empty'), /No season yet.*New season/);
  const id = await makeIt();
  const table = `${path}season/`;
  const person = `${path}seasons/${id}/people/${ids.bob}/`;
  for (const one of [bob, mia]) await answer(one, path, true);
  const coachOnly = [`${table}new/`, `${table}settings/`, `${table}add/`, `${path}people/`, `${path}people/csv/`];
  for (const [name, one, expected] of [
    ['the coach', ada, { table: 200, person: 200, coachOnly: 200 }],
    ['the person', bob, { table: 200, person: 200, coachOnly: 404 }],
    ['another member', mia, { table: 200, person: 404, coachOnly: 404 }],
    ['somebody outside', eve, { table: 404, person: 404, coachOnly: 404 }],
  ] as const) {
    for (const at of [table, `${table}csv/`, `${path}seasons/${id}/`, `${path}seasons/${id}/csv/`])
      assert.equal((await one.ask(at)).status, expected.table, `${name}: ${at}`);
    assert.equal((await one.ask(person)).status, expected.person, `${name}: ${person}`);
    for (const at of coachOnly) assert.equal((await one.ask(at)).status, expected.coachOnly, `${name}: ${at}`);
  }
  for (const at of [`${path}seasons/99/`, `${path}seasons/x/`, `${path}seasons/${id}/people/0/`])
    assert.equal((await ada.ask(at)).status, 404, at);

  await t.test(
    'a member sees their own line; with a board, people on it, without a way to their problems',
    async () => {
      assert.deepEqual(linesOf(await bob.open(table)), [
        'bob Performance: about 1,600 | 3 | 1 of 1 | live, 3 solved, 3 points',
      ]);
      assert.doesNotMatch(textOf(bob.page(), '.page-head'), /person|people/, 'nor how many others there are');
      assert.match(textOf(await ada.open(table), '.page-head'), /2 people/);
      assert.doesNotMatch((await bob.ask(`${table}csv/`)).text, /mia/);
      await store.write(async (tx) => {
        await setBoard(tx, group, true);
        await setOnBoard(tx, group, ids.mia, true);
      });
      const page = await bob.open(table);
      assert.deepEqual(linesOf(page), [
        '1bob Performance: about 1,600 | 3 | 1 of 1 | live, 3 solved, 3 points',
        'mia | 2 | 1 of 1 | live, 2 solved, 2 points',
      ]);
      assert.deepEqual(attributesOf(page, '.season tbody a', 'href'), [person, `${person}#c${contest.id}`]);
      assert.doesNotMatch(page.text, /not shown/);
      assert.equal(linesOf(await mia.open(table)).length, 1, 'bob is not on the board');
    },
  );

  await t.test('every cell leads a coach to the problems of that contest', async () => {
    const page = await ada.open(table);
    const [, cell] = page.document.querySelectorAll('.season tbody tr:first-child a');
    assert.equal(cell?.getAttribute('href'), `${person}#c${contest.id}`);
    const own = await ada.open(person);
    const rows = own.document.querySelectorAll(`[aria-labelledby=c${contest.id}] li`);
    assert.deepEqual(
      rows.map((one) => one.getAttribute('data-took')),
      ['live', 'live', 'live', 'none', 'none', 'none'],
    );
    for (const link of own.document.querySelectorAll('.season-problems a'))
      assert.equal((await ada.ask(link.getAttribute('href') ?? '')).status, 200);
  });

  await t.test('only a coach changes anything', async () => {
    const seasons = store.reader.selectFrom('seasons').selectAll();
    const before = await seasons.execute();
    const _csrf = csrfOf(await bob.open(path));
    const mine = { name: 'Mine', first_day: '2026-01-01', last_day: '2026-02-01' };
    for (const [at, fields] of [
      [`${table}new/`, mine],
      [`${table}settings/`, mine],
      [`${table}settings/`, { confirm: 'Autumn season' }],
      [`${table}add/`, { contest: String(contest.id) }],
      [`${table}add/`, { remove: String(contest.id) }],
      [person, { points: '100', reason: 'me' }],
    ] as const)
      assert.equal((await bob.post(at, { _csrf, ...fields })).status, 404, at);
    assert.deepEqual(await seasons.execute(), before);
    assert.equal((await store.reader.selectFrom('season_contests').selectAll().execute()).length, 1);
    assert.equal((await store.reader.selectFrom('season_points').selectAll().execute()).length, 0);
  });
});

test('a coach makes a season, changes its rule and adds points by hand; wrong fields change nothing', async (t) => {
  const { store, ada, bob, ids, path, contest, group } = await world(t);
  const table = `${path}season/`;
  await ada.open(`${table}new/`);
  const wrong = await ada.submit(
    { name: 'first_day' },
    { name: '', first_day: '2026-09-01', last_day: '2026-08-01', upsolve_days: '99', best: '0' },
  );
  assert.equal(wrong.status, 422);
  for (const [field, sentence] of [
    ['name', /Enter a name/],
    ['last_day', /before the first/],
    ['upsolve_days', /from 0 to 60/],
    ['best', /from 1 to 100/],
  ] as const)
    assert.match(textOf(wrong, `#${field}-fault`), sentence);
  for (const fields of [
    { name: 'x'.repeat(81) },
    { name: 'a\u0000b' },
    { first_day: '2026-02-30' },
    { upsolve_days: '-1' },
    { upsolve_days: '1e1' },
    { best: '1.5' },
  ]) {
    const { status } = await ada.submitAt(`${table}new/`, { name: 'first_day' }, { name: 'Fine', ...fields });
    assert.equal(status, 422, JSON.stringify(fields));
  }
  assert.equal((await store.reader.selectFrom('seasons').selectAll().execute()).length, 0);
  const plan = { name: '<b>Autumn</b> \u202eseason', first_day: iso(Date.now() - 30 * dayMs).slice(0, 10) };
  const made = await ada.submitAt(`${table}new/`, { name: 'first_day' }, plan);
  assert.equal(made.path, table);
  assert.ok(!made.text.includes('<b>Autumn'), 'a name is text');
  assert.match(
    textOf(made, '.rule-line'),
    /or upsolved within 7 days\. Upsolving counts from the end .* A problem solved before counts only if .*\. Rule since/,
  );
  await answer(bob, path, true);
  const added = await ada.submitAt(table, { name: 'link' }, { contest: [String(contest.id)] });
  assert.equal(added.path, `${table}?done=contests`);
  assert.deepEqual(linesOf(added), ['bob | 3 | 1 of 1 | live, 3 solved, 3 points']);

  await t.test('points by hand need a reason, and the person reads it', async () => {
    const person = `${path}seasons/1/people/${ids.bob}/`;
    for (const points of ['', '0', '101', '1.25', 'x', '--1', '1e3', '9'.repeat(900)]) {
      const refused = await ada.submitAt(person, { name: 'reason' }, { points, reason: 'why' });
      assert.equal(refused.status, 422, points);
      assert.match(textOf(refused, '#points-fault'), /Enter whole or half points/);
    }
    const blank = await ada.submitAt(person, { name: 'reason' }, { points: '2', reason: ' ' });
    assert.match(textOf(blank, '#reason-fault'), /reason/);
    await ada.submitAt(person, { name: 'reason' }, { points: '-1,5', reason: '=1+1 <i>late</i>' });
    assert.deepEqual(linesOf(await ada.open(table)), ['bob | 1½ | −1½ | 1 of 1 | live, 3 solved, 3 points']);
    assert.match(textOf(await bob.open(person), '[aria-labelledby=hand]'), /−1½ ?=1\+1 <i>late<\/i>/);
    await store.write((tx) => setOwnStudentNumber(tx, group, ids.bob, '21-7'));
    const csv = (await ada.ask(`${table}csv/`)).text;
    assert.doesNotMatch((await bob.ask(`${table}csv/`)).text, /student_number|21-7/);
    assert.match(csv, /^bob,bob,21-7,,1\.5,-1\.5,1,"live, 3 solved, 3 points",3\r$/m);
    await ada.submitAt(person, { name: 'remove' });
    assert.match(linesOf(await ada.open(table))[0] ?? '', /^bob \| 3 \|/);
  });

  await t.test(
    'a changed rule counts all again, and the page says since when; a second tab overwrites nothing',
    async () => {
      await ada.open(`${table}settings/`);
      const stale = ada.filled({ name: 'upsolve_days' }, { upsolve_days: '3' });
      const saved = await ada.submit({ name: 'upsolve_days' }, { points: 'band', best: '5' });
      assert.match(
        textOf(saved, '.rule-line'),
        /lowest rating band.*The best 5 contests count\. Rule changed on .*counted again/,
      );
      // 800 and 1100 are in the lowest band of Codeforces, 1400 is in the third.
      assert.deepEqual(linesOf(saved), ['bob | 5 | 1 of 1 | live, 3 solved, 5 points']);
      const refused = await ada.post(stale.path, stale.fields);
      assert.equal(refused.status, 422);
      assert.match(textOf(refused, '[data-kind=bad]'), /somebody else changed/);
    },
  );

  await t.test('an earlier season stays readable and no longer changes', async () => {
    await ada.submitAt(`${table}new/`, { name: 'first_day' }, { name: 'Winter' });
    const page = await ada.open(table);
    assert.match(textOf(page, '[aria-labelledby=earlier]'), /Autumn/);
    const old = await ada.open(`${path}seasons/1/`);
    assert.deepEqual(linesOf(old), ['bob | 5 | 1 of 1 | live, 3 solved, 5 points']);
    assert.equal(old.document.querySelector('a[href$="settings/"].button.small'), null);
    assert.equal((await ada.open(`${path}seasons/1/people/${ids.bob}/`)).document.querySelector('[name=points]'), null);
    assert.equal((await ada.submitAt(`${table}settings/`, { name: 'confirm' }, { confirm: 'no' })).status, 422);
    await ada.open(`${path}season/settings/`);
    const pressedTwice = ada.filled({ name: 'confirm' }, { confirm: 'Winter' });
    const name = (one: string) =>
      store.write((tx) => tx.updateTable('seasons').set({ name: one }).where('id', '=', 1n).execute());
    await name('Winter');
    await ada.submit({ name: 'confirm' }, { confirm: 'Winter' });
    const { status } = await ada.post(pressedTwice.path, pressedTwice.fields);
    assert.equal(status, 404, 'a button that was pressed twice deletes no other season of the same name');
    await name('Autumn');
    assert.match(textOf(await ada.open(table), 'h1'), /Autumn/);
  });

  await t.test('who leaves, and a group that ends, take their rows along', async () => {
    const count = async (name: 'seasons' | 'season_contests' | 'season_points') =>
      (await store.reader.selectFrom(name).selectAll().execute()).length;
    const person = `${path}seasons/1/people/${ids.bob}/`;
    const give = () => ada.submitAt(person, { name: 'reason' }, { points: '2', reason: 'x' });
    await give();
    assert.equal(await count('season_points'), 1);
    await store.write((tx) => deleteGroupMember(tx, group, ids.bob));
    assert.equal(await count('season_points'), 0);
    await store.write((tx) => joinGroup(tx, group, ids.bob, { in_season: 1n }));
    await give();
    await store.write((tx) => deleteMember(tx, ids.bob));
    assert.equal(await count('season_points'), 0);
    await store.write((tx) => deleteGroup(tx, group));
    assert.deepEqual([await count('seasons'), await count('season_contests')], [0, 0]);
  });
});

test('contests come by a tick or by a link; a link asks the judge once, and wrong ones change nothing', async (t) => {
  const problem = (contestId: number, index: string, name: string) => ({ contestId, index, name, tags: [] });
  const gym = {
    contest: { id: 101_021, name: 'Fill', startTimeSeconds: 1_790_000_000, durationSeconds: 18_000, phase: 'FINISHED' },
    problems: [problem(101_021, 'A', 'Guess'), problem(101_021, 'B', '<b>Bold</b>')],
    rows: [],
  };
  const standings = { 101021: gym, 101022: { contest: { id: 101_022, name: 'x' }, problems: 5 } };
  const span = (from: number) => ({ start_time: iso(from), end_time: iso(from + 2 * hourMs) });
  const running = { key: 'running', name: 'Running', ...span(Date.now() - hourMs), problems: [] as object[] };
  const over = { key: 'over', name: 'Over', ...span(Date.now() - dayMs), problems: [] };
  const replay = await startReplay({
    codeforces: replayCodeforces({ status: {}, standings }),
    dmoj: replayDmoj({ submissions: [], shown: { running, over } }),
  });
  t.after(() => replay.close());
  const JUDGE_URLS = `codeforces=${replay.url}/codeforces,dmoj=${replay.url}/dmoj`;
  const { store, ada, path, contest, makeIt } = await world(t, { JUDGE_URLS });
  const id = await makeIt();
  const add = `${path}season/add/`;
  const give = async (link: string) => {
    // Otherwise each request to the judge would wait two seconds for its turn.
    await store.write((tx) => tx.deleteFrom('request_slots').execute());
    return ada.submitAt(add, { name: 'link' }, { link });
  };
  const given = await give('https://codeforces.com/gym/101021/standings');
  assert.equal(given.path, `${path}season/?done=contests`);
  await give('codeforces.com/gym/101021');
  assert.equal(replay.log.length, 1, 'it is here the second time');
  await give('https://codeforces.com/contest/2000');
  assert.equal(replay.log.length, 1, 'so was this one');
  const held = async () =>
    (await store.reader.selectFrom('season_contests').selectAll().where('season_id', '=', id).execute()).length;
  assert.equal(await held(), 2);
  const [row] = await store.reader.selectFrom('contests').selectAll().where('key', '=', '101021').execute();
  assert.deepEqual(
    [row?.title, row?.starts_at, row?.duration_s, row?.is_gym],
    ['Gym 101021 Fill', iso(1_790_000_000_000), 18_000n, 1n],
  );
  for (const [link, sentence] of [
    ['https://codeforces.com/gym/101022', /unexpected answer/],
    ['https://codeforces.com/gym/100001', /does not show contest/],
    ['https://atcoder.jp/contests/abc001', /cannot ask AtCoder for this contest.*once it is listed under Contests/],
    ['https://www.codechef.com/START120', /cannot ask CodeChef/],
    [`${replay.url}/dmoj/contest/over`, /shows no problems of this contest yet/],
    ['https://example.com/contests/1', /isn’t a link to a contest of Codeforces, DMOJ or LeetCode/],
    ['javascript:alert(1)', /isn’t a link/],
    ['', /Tick a contest/],
  ] as const) {
    const refused = await give(link);
    assert.ok(refused.status >= 400 && refused.status !== 500, `${link}: ${refused.status}`);
    assert.match(textOf(refused, '#link-fault'), sentence);
  }
  const _csrf = csrfOf(await ada.open(add));
  for (const fields of [{ contest: '999' }, { contest: 'x' }, { remove: 'x' }, { contest: '9'.repeat(40) }]) {
    const { status } = await ada.post(add, { _csrf, ...fields });
    assert.ok(status === 422 || status === 400, `${JSON.stringify(fields)}: ${status}`);
  }
  assert.equal(await held(), 2);
  await ada.submitAt(add, { name: 'remove', value: String(contest.id) });
  const odd = { contest: String(contest.id), link: 'javascript:alert(1)' };
  const again = await ada.submitAt(`${add}?q=Round`, { name: 'link' }, odd);
  assert.equal(again.status, 422);
  const ticked = again.document.querySelector(`.ticks [name="contest"][value="${contest.id}"]`);
  assert.equal(ticked?.hasAttribute('checked'), true, 'what was ticked among the found stays');
  await ada.submit({ name: 'contest' }, { link: '' });
  assert.equal(await held(), 2);
  await ada.submitAt(add, { name: 'remove', value: String(contest.id) });
  assert.equal(await held(), 1);
  const both = { _csrf, contest: '999', link: 'https://codeforces.com/contest/2000' };
  assert.equal((await ada.post(add, both)).status, 422);
  assert.equal(await held(), 1, 'a link is not kept beside a tick that is refused');
  const found = await ada.open(`${add}?q=Round+7`);
  assert.match(textOf(found, '.ticks'), /Codeforces Round 7/);

  await t.test(
    'a contest of DMOJ that is not over has no problems yet, and its page is at the site that is asked',
    async () => {
      const link = `${replay.url}/dmoj/contest/running`;
      assert.equal((await give(link)).path, `${path}season/?done=contests`);
      const [kept] = await store.reader.selectFrom('contests').selectAll().where('key', '=', 'running').execute();
      assert.deepEqual([kept?.source, kept?.title, kept?.starts_at], ['dmoj', 'Running', running.start_time]);
      const grid = await ada.open('/problem_list/contests/?source=dmoj');
      assert.equal(attributeOf(grid, 'a.out', 'href'), link);
      await ada.submitAt(add, { name: 'remove', value: String(kept?.id) });
      // It is over by now, and shows its problems: the link asks again.
      const ended = { starts_at: iso(Date.now() - dayMs) };
      await store.write((tx) => tx.updateTable('contests').set(ended).where('key', '=', 'running').execute());
      running.problems.push({ code: 'pond', name: 'The pond', label: 'A' });
      assert.equal((await give(link)).path, `${path}season/?done=contests`);
      const places = store.reader
        .selectFrom('contest_problems')
        .select('key')
        .where('contest_id', '=', kept?.id ?? 0n);
      assert.deepEqual(await places.execute(), [{ key: 'pond' }]);
      await ada.submitAt(add, { name: 'remove', value: String(kept?.id) });
    },
  );

  await t.test('the contests of the next two weeks stand among those to tick', async () => {
    const coming = (source: string, key: string, days: number) => {
      const starts_at = iso(Date.now() + days * dayMs);
      return { source, key, title: `Coming ${key}`, url: null, starts_at, duration_s: 7200n };
    };
    const last_day = iso(Date.now() + 30 * dayMs).slice(0, 10);
    await store.write((tx) => tx.updateTable('seasons').set({ last_day }).execute());
    const judges = [coming('codeforces', '2500', 3), coming('codechef', 'START1', 4)];
    const contests = [...judges, coming('codeforces', '2501', 20)];
    await saveListing(store, 'codeforces', { contests, isComplete: false }, Date.now());
    const offered = (page: Page) =>
      page.document
        .querySelectorAll('label.tick')
        .filter((one) => one.textContent.includes('Coming'))
        .map((one) => [one.textContent.trim(), one.querySelector('input')?.getAttribute('value')] as const);
    const searched = offered(await ada.open(`${add}?q=coming+2500`));
    assert.deepEqual(searched, offered(await ada.open(add)), 'a search looks among them too');
    const [[title, tick = ''] = [], ...others] = searched;
    assert.deepEqual([title, others], ['Coming 2500', []]);
    await ada.submit({ name: 'link' }, { contest: tick, link: '' });
    const after = await ada.open(add);
    assert.match(textOf(after, '[aria-labelledby=held]'), /Coming 2500/);
    assert.deepEqual(offered(after), []);
  });
});

test('a contest of the season that is cancelled counts for nobody and is announced to nobody, until it comes back', async (t) => {
  const { store, ids, start, ada, bob, path, group, makeIt, coached } = await world(t);
  const seasonId = await makeIt();
  await answer(bob, path, true);
  const table = `${path}season/`;
  const message = messageOf({ store, group, start });
  const times = { starts_at: iso(start + hourMs), duration_s: 5400n };
  const listed = { source: 'leetcode', key: 'weekly-1', title: 'Weekly Contest 1', url: null, ...times };
  const listing = (contests: (typeof listed)[], at: number) =>
    saveListing(store, 'leetcode', { contests, isComplete: true }, at);
  await listing([listed], start - 2 * dayMs);
  const coming = await store.reader.selectFrom('upcoming_contests').select('id').executeTakeFirstOrThrow();
  await addSeasonContests(store, coached, [{ kind: 'coming', item_id: coming.id }]);
  const check = async (isCancelled: boolean) => {
    const page = await ada.open(table);
    const [, other] = page.document.querySelectorAll('.season thead th:has(a)');
    assert.equal(other?.getAttribute('data-phase') ?? undefined, isCancelled ? 'cancelled' : undefined);
    assert.equal(/cancelled\s*$/.test(other?.textContent ?? ''), isCancelled);
    assert.match(textOf(page, '.sub'), isCancelled ? /1 of 1 contest has begun/ : /2 of 2 contests have begun/);
    assert.equal(page.document.querySelectorAll('.season td.soon').length, isCancelled ? 2 : 0);
    assert.match(linesOf(page)[0] ?? '', isCancelled ? /^bob \| 3 \| 1 of 1 / : /^bob \| 3 \| 1 of 2 /);
    const file = (await ada.ask(`${table}csv/`)).text;
    assert.equal(/LeetCode: Weekly Contest 1 \(cancelled\),/.test(file), isCancelled);
    assert.equal(
      (await ada.open(`${path}seasons/${seasonId}/people/${ids.bob}/`)).text.includes('Weekly'),
      !isCancelled,
    );
    assert.equal(/Weekly Contest 1\s+cancelled/.test(textOf(await ada.open(`${table}add/`), '.ticks')), isCancelled);
    const told = JSON.stringify(await message());
    assert.match(told, isCancelled ? /1 of 1 contest\b/ : /2 of 2 contests\b/);
    assert.equal(told.includes('Weekly Contest 1'), !isCancelled);
  };
  await check(false);
  await listing([], start - dayMs);
  await check(true);
  await listing([listed], start - hourMs);
  await check(false);
  await listing([], start);
  await listing([], start + 100 * dayMs);
  assert.deepEqual(await store.reader.selectFrom('upcoming_contests').selectAll().execute(), [], 'it is forgotten');
  await check(true);
});

test('the roster says what is verified and what is missing, and its file does not calculate', async (t) => {
  const { store, ada, bob, ids, path, makeIt, coached, group, contest, start } = await world(t);
  await makeIt();
  await answer(bob, path, true);
  await store.write(async (tx) => {
    const other = await addContest(tx, { key: 'abc1', source: 'atcoder', starts_at: iso(Date.now() - dayMs) });
    await addSeasonContests(tx, coached, [{ kind: 'contest', item_id: other.id }]);
    const [handle] = await tx.selectFrom('handles').select('id').where('user_id', '=', ids.bob).execute();
    const proof = { handle_id: handle?.id ?? 0n, method: 'submission', subject: null, proved_at: longAgo } as const;
    await tx.insertInto('handle_proofs').values(proof).execute();
    const rated = { handle_id: handle?.id ?? 0n, title: 'Round', place: 9n };
    const two = { user_id: ids.bob, source: 'codeforces', name: 'bob_two', created_at: longAgo };
    const { id: second } = await insertHandle(tx, two);
    await upsertRatings(tx, [
      { ...rated, handle_id: second, contest: '3', rating: 1000n, rated_at: '2026-03-01T00:00:00.000Z' },
      { ...rated, contest: '1', rating: 1903n, rated_at: longAgo },
      { ...rated, contest: '2', rating: 1842n, rated_at: '2026-02-01T00:00:00.000Z' },
    ]);
    const { id } = await createMember(tx, { username: 'formula', first_name: '=HYPERLINK("x")', last_name: '@' });
    await joinGroup(tx, group, id, { in_season: 1n });
  });
  const page = await ada.open(`${path}people/`);
  const lines = linesOf(page, '.roster');
  assert.match(
    lines[0] ?? '',
    /^bob \| .*bob_at_cf ?1842 ?best 1903 ?verified.*bob_two ?1000 ?best 1000 ?not verified.*AtCoder missing \| 2 days ago$/,
  );
  assert.match(lines[1] ?? '', /^=HYPERLINK.*AtCoder missing.*Codeforces missing.*never$/i);
  const { text } = await ada.ask(`${path}people/csv/`);
  assert.match(text, /^\ufeffmember,/);
  const handles = 'Codeforces bob_at_cf; Codeforces bob_two';
  const rated = (first: number) => `"Codeforces bob_at_cf ${first}; Codeforces bob_two 1000"`;
  const line = `^bob,bob,member,"${handles}",Codeforces bob_two,AtCoder,[\\d-]{10},${rated(1842)},${rated(1903)}\r$`;
  assert.match(text, new RegExp(line, 'm'));
  assert.match(text, /^"'=HYPERLINK\(""x""\) @",formula,member,,,"AtCoder; Codeforces",,,\r$/m);

  await t.test('days are those of the group’s clocks, on pages as in the file', async () => {
    const noon = iso(Math.floor(start / dayMs) * dayMs + 1.5 * dayMs);
    await store.write(async (tx) => {
      await tx.updateTable('groups').set({ zone: 'Pacific/Kiritimati' }).where('id', '=', group).execute();
      const user_id = await idOf(store, 'formula');
      const handle = { user_id, source: 'dmoj', name: 'formula', created_at: longAgo };
      const { id: dmoj } = await insertHandle(tx, handle);
      const [own] = await tx.selectFrom('handles').select('id').where('name', '=', 'bob_at_cf').execute();
      await insertSolves(tx, [solve({ handle_id: dmoj, submitted_at: '2026-02-01T12:00:00.000Z' })]);
      const problem_id = contest.problemIds[5] ?? 0n;
      await insertSolves(tx, [solve({ handle_id: own?.id ?? 0n, problem_id, submitted_at: noon })]);
    });
    assert.match(linesOf(await ada.open(`${path}people/`), '.roster')[1] ?? '', /\| 2 Feb 2026$/);
    assert.match((await ada.ask(`${path}people/csv/`)).text, /^"'=HYPERLINK.*,2026-02-02,/m);
    const person = await ada.open(`${path}seasons/1/people/${ids.bob}/`);
    const next = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
    const day = next.format(Date.parse(noon) + dayMs / 2);
    assert.match(textOf(person, `[data-problem="${contest.problemIds[5]}"]`), new RegExp(`upsolved, ${day}$`));
  });
});

test('a round of the group stands among the contests to tick, and its cells lead to it', async (t) => {
  const { store, ids, ada, bob, start, group, contest, path, makeIt } = await world(t);
  await makeIt();
  await answer(bob, path, true);
  const round = await store.write(async (tx) => {
    const whose = { made_by: ids.ada, group_id: group, secret: null, is_shown: 0n, updated_at: longAgo };
    const times = { starts_at: iso(start), ends_at: iso(start + 2 * hourMs), freeze_minutes: 0n };
    const id = await insertRound(tx, { ...whose, ...times, name: 'Our <b> round', rule: 'icpc' });
    const problems = contest.problemIds.slice(0, 2).map((problem_id) => ({ problem_id, points: 1n }));
    await writeRoundProblems(tx, id, problems);
    await saveRoundPerson(tx, { round_id: id, user_id: ids.bob, joined_at: longAgo });
    return id;
  });
  const add = `${path}season/add/`;
  const page = await ada.submitAt(add, { name: 'link' }, { contest: [`r${round}`] });
  assert.deepEqual(linesOf(page), ['bob | 5 | 2 of 2 | live, 3 solved, 3 points | live, 2 solved, 2 points']);
  assert.equal(attributeOf(page, '.season thead th:last-child a', 'href'), `/dashboard/rounds/${round}/`);
  const own = await bob.open(`${path}seasons/1/people/${ids.bob}/`);
  assert.match(textOf(own, `[aria-labelledby=r${round}]`), /Our <b> round.*A.*solved live.*B.*solved live/);
  assert.match((await ada.ask(`${path}season/csv/`)).text, /Round of the group: Our <b> round/);
  await ada.submitAt(add, { name: 'remove', value: `r${round}` });
  assert.equal(linesOf(await ada.open(`${path}season/`))[0], 'bob | 3 | 1 of 1 | live, 3 solved, 3 points');
});

test('the pages of a season take few statements', async (t) => {
  const { ada, bob, path, makeIt, ids } = await world(t);
  await makeIt();
  await answer(bob, path, true);
  const statements = countStatements(t);
  for (const [at, most] of [
    ['season/', 14],
    [`seasons/1/people/${ids.bob}/`, 18],
    ['people/', 12],
    ['season/csv/', 12],
  ] as const) {
    await ada.ask(path + at);
    const before = statements();
    assert.equal((await ada.ask(path + at)).status, 200);
    const count = statements() - before;
    t.diagnostic(`${at}: ${count} statements`);
    assert.ok(count <= most, `${at}: ${count} statements`);
  }
});

test('two people of one name are told apart by their usernames wherever a coach sees them together', async (t) => {
  const { store, ids, ada, group, contest, makeIt, path } = await world(t);
  await makeIt();
  const list = await store.write(async (tx) => {
    for (const id of [ids.bob, ids.mia])
      await tx.updateTable('members').set({ first_name: 'Ann', last_name: 'Ek' }).where('id', '=', id).execute();
    await tx.updateTable('group_members').set({ in_season: 1n, on_board: 1n }).execute();
    await tx.updateTable('groups').set({ has_board: 1n }).execute();
    const items = contest.problemIds.map((problem) => ({ problem }));
    const id = await makeList(tx, { ownerId: ids.ada, name: 'Pond', content: [{ name: '', items }] });
    await putGroupList(tx, { group_id: group, list_id: id, given_at: longAgo, due_at: iso(Date.now() - 1) });
    return id;
  });
  for (const [end, within] of [
    ['', '.behind'],
    [`assignments/${list}/`, '.members'],
    ['season/', '.season tbody'],
    ['board/', 'main'],
  ] as const) {
    const text = textOf(await ada.open(path + end), within);
    for (const name of ['bob', 'mia']) assert.ok(text.includes(`Ann Ek (${name})`), `${name} ${end}`);
  }
});
