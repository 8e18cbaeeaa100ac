/**
 * The contest grid, without script: each cell shows what the list shows of its problem, each count is that of the page behind it,
 * and one click marks a problem or takes the mark back.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setStatus } from '../../src/practice/marks.ts';
import { setSwitch } from '../../src/practice/preferences.ts';
import { countGridContests } from '../../src/store/contests.ts';
import { codeforces, type Garden, identity, openGarden, twins } from '../importing/support.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { attributesOf, totalIn } from '../support/elements.ts';
import { type Browser, type Page, remarksIn, textOf } from '../support/forms.ts';
import { temporaryDatabase } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';
import { needsData, readReal } from '../support/real-data.ts';

const grid = '/problem_list/contests/';
const titlesIn = (page: Page) => attributesOf(page, '.contest h2 a[title]', 'title');

async function world(t: TestContext) {
  const databaseUrl = await temporaryDatabase(t);
  const { ada } = await membersNamed(databaseUrl, 'ada', 'bob');
  const garden = await openGarden(t, databaseUrl);
  const { url } = await serveHere(t, { databaseUrl });
  return { garden, ada, url, browser: await browserOf(url, 'ada') };
}

async function followCounts(browser: Browser, page: Page, most: number): Promise<number> {
  const links = page.document.querySelectorAll('a[data-count]').slice(0, most);
  for (const link of links) {
    const href = link.getAttribute('href') ?? '';
    assert.equal(totalIn(await browser.open(href)), Number(link.getAttribute('data-count')), href);
  }
  return links.length;
}

const start = 1_700_000_000;
async function oddContests({ garden }: Awaited<ReturnType<typeof world>>) {
  const problem = (key: string, more: object = {}) => {
    return { ...identity(key), name: `Pond ${key}`, tags: ['dp'], ...more };
  };
  const letters = Array.from({ length: 40 }, (_, n) => `${String.fromCharCode(65 + Math.floor(n / 4))}${(n % 4) + 1}`);
  const problems = [
    ...['10A', '10B', '10C'].map((key, n) => problem(key, { rating: 800 + n * 400 })),
    ...['11A', '11B', '13A', '14A', '16A'].map((key) => problem(key)),
    problem('11C', { rating: 2000, name: '<b>Bold</b> & "quoted" \u202etxt' }),
    ...letters.map((index) => problem(`12${index}`, { rating: 1500 })),
  ];
  const now = Math.floor(Date.now() / 1000);
  const contest = (id: number, name: string, startTimeSeconds?: number, more: object = {}) => {
    return { id, name, startTimeSeconds, phase: 'FINISHED', durationSeconds: 7200, ...more };
  };
  await garden.import('codeforces-problems', codeforces(...problems));
  await garden.import('codeforces-contests', {
    status: 'OK',
    result: [
      contest(10, 'Codeforces Round 10 (Div. 1)', start),
      contest(11, 'Codeforces Round 10 (Div. 2) <i>', start),
      contest(12, 'Educational Codeforces Round 12', start - 90 * 86_400),
      contest(13, 'Codeforces Round 13 (Div. 1 + Div. 2)', start - 400 * 86_400),
      contest(14, 'Running', now - 3600, { durationSeconds: 86_400, phase: 'CODING' }),
      contest(15, 'To come', now + 86_400, { phase: 'BEFORE' }),
      contest(16, 'Once upon a time'),
      contest(17, 'Nothing of it is here', start - 86_400),
    ],
  });
  await garden.import('codeforces-twins', twins(['10B', '11A']));
  await send(garden, 'ada', [
    sent(1, '10A', 'OK', start + 60, ['CONTESTANT', 'ada_cf']),
    sent(2, '10B', 'OK', start + 120, ['CONTESTANT', 'ada_cf']),
    sent(3, '10C', 'WRONG_ANSWER', start + 180, ['CONTESTANT', 'ada_cf']),
    sent(4, '10C', 'WRONG_ANSWER', start + 240, ['PRACTICE', 'ada_cf']),
    sent(5, '11B', 'OK', start + 86_400, ['PRACTICE', 'ada_cf']),
    sent(6, '12A1', 'OK', start + 86_400, ['VIRTUAL', 'ada_cf']),
  ]);
}

const sent = (id: number, key: string, verdict: string, at: number, [participantType, ...handles]: string[]) => ({
  id,
  contestId: identity(key).contestId,
  creationTimeSeconds: at,
  programmingLanguage: 'C++',
  verdict,
  problem: { ...identity(key), name: '', tags: [] },
  author: { members: handles.map((handle) => ({ handle })), participantType },
});

const send = (garden: Garden, member: string, result: readonly unknown[]) =>
  garden.import('codeforces-submissions', { status: 'OK', result }, { member });

test('trainings are in the grid if a filter selects them, and a problem’s own contest comes first', async (t) => {
  const { browser, garden } = await world(t);
  const trainings = Array.from(
    { length: 12 },
    (_, n) => [`adt_easy_20260101_${n}`, `Daily Training EASY ${n}`] as const,
  );
  const signs = ['-', '×', '~', '~ 1999', '1200 - ', '−', ''];
  const own = signs.map((_, n) => [`abc90${n}`, `Beginner Contest 90${n}`] as const);
  const all = [...trainings, ...own, ['awc0901', 'Weekday Contest 0901 Beta']] as const;
  const contests = [...all, ['adt_top', 'Daily Training'] as const].map(([id = '', title], n) => ({
    id,
    title: `AtCoder ${title}`,
    start_epoch_second: 1_700_000_000 + n,
    duration_second: id === 'adt_top' ? 3_153_600_000 : 3600,
    rate_change: signs[n % signs.length],
  }));
  await garden.import('atcoder-contests', contests);
  const place = (id: string, contest_id = '') => ({ id, problem_id: id, contest_id, problem_index: 'C', name: 'Pond' });
  await garden.import('atcoder-problems', [place('abc900_c', trainings[0]?.[0])]);
  await garden.import(
    'atcoder-contest-problems',
    all.map(([contest]) => place('abc900_c', contest)),
  );
  const found = async (query: string) => titlesIn(await browser.open(`${grid}?source=atcoder&per_page=50&${query}`));
  assert.deepEqual((await found('')).length, own.length);
  assert.equal((await found('kind=adt')).length, trainings.length, 'the heading of all trainings is no contest');
  assert.deepEqual(await found('kind=awc'), ['AtCoder Weekday Contest 0901 Beta']);
  assert.equal((await found('q=daily')).length, trainings.length);
  const [{ id, url } = {}] = await garden.rows('problems');
  assert.equal(url, 'https://atcoder.jp/contests/abc900/tasks/abc900_c');
  const problem = await browser.open(`/problem_list/problem/${id}/`);
  assert.match(textOf(problem, '.crumbs'), /AtCoder Beginner Contest 900, C/);
  const panels = problem.document
    .querySelectorAll('aside section')
    .map((one) => one.textContent.replaceAll(/\s+/g, ' '));
  const also = panels.find((text) => /Also used in/.test(text)) ?? '';
  assert.match(also, /Contest 901, C.*Contest 906, C.*Daily Training EASY 1, Cand 11 more$/);
  await browser.submit({ within: '.verdict', name: 'status', value: 'complete' });
  assert.equal((await found('show=done')).length, all.length, 'what the member did is there');
});

test('live, virtual, elsewhere, later and tries; odd contests; filters, marks and undo', async (t) => {
  const here = await world(t);
  const { browser, garden, ada, url } = here;
  const empty = await browser.open(grid);
  assert.equal(totalIn(empty), 0);
  assert.match(textOf(empty, '.empty'), /No contests yet/);
  await oddContests(here);
  const page = await browser.open(`${grid}?source=codeforces`);
  assert.equal(totalIn(page), 7);
  assert.deepEqual(titlesIn(page).slice(0, 2), ['To come', 'Running']);
  assert.equal(titlesIn(page).at(-1), 'Once upon a time');
  const { document } = page;
  const contest = (key: string) => document.querySelector(`[data-contest="${key}"]`);
  const took = (key: string) =>
    contest(key)
      ?.querySelectorAll('.cell')
      .map((one) => one.querySelector('.took')?.textContent);
  assert.deepEqual(took('10'), ['live', 'live', '2 tries']);
  assert.deepEqual(took('11'), ['twin contest', 'later', '']);
  assert.equal(took('12')?.[0], 'virtual');
  assert.match(contest('14')?.textContent ?? '', /running now/);
  assert.match(contest('15')?.textContent ?? '', /not started yet.*No problems yet/s);
  assert.equal(contest('17'), null, 'it is over, and none of its problems is here');
  assert.match(contest('16')?.textContent ?? '', /no date/);
  assert.equal(contest('12')?.querySelectorAll('.rest .cell').length, 14);
  assert.ok(!page.text.includes('<b>Bold'));
  const twice = document
    .querySelectorAll('.cell')
    .filter((one) => one.getAttribute('title') !== '' && /10B/.test(one.textContent));
  assert.equal(new Set(twice.map((one) => one.getAttribute('data-problem'))).size, 1);
  assert.equal(twice.length, 2);
  assert.ok((await followCounts(browser, page, 100)) >= 8);

  const found = async (query: string) => titlesIn(await browser.open(`${grid}?source=codeforces&${query}`));
  assert.deepEqual(await found('kind=div1'), ['Codeforces Round 10 (Div. 1)']);
  assert.deepEqual(await found('kind=div1-2'), ['Codeforces Round 13 (Div. 1 + Div. 2)']);
  assert.deepEqual(await found('q=educational'), ['Educational Codeforces Round 12']);
  assert.deepEqual(await found('q=12'), ['Educational Codeforces Round 12']);
  assert.equal((await found('year=2023')).length, 3);
  assert.equal((await found('show=taken')).length, 2);
  assert.equal((await found('show=begun')).length, 3);
  assert.deepEqual(await found('show=done'), []);
  for (const query of ['q=zzzz', 'kind=zzzz&year=99999&show=x&page=-1&per_page=7', 'page=900', `q=${'%00'}%E0%A0`])
    assert.equal((await browser.open(`${grid}?source=codeforces&${query}`)).status, 200, query);
  const odd = await browser.open(`${grid}?source=codeforces&kind=zzzz&year=99999&show=x&page=900&q=`);
  assert.equal(odd.path, `${grid}?source=codeforces&kind=zzzz&year=99999&show=x&page=900`);
  assert.deepEqual(
    remarksIn(odd).map((text) => text.replace(/:.*/, '')),
    ['Ignored kind=zzzz', 'Ignored year=99999', 'Ignored show=x', 'There is no page 900. This is the last page.'],
  );
  for (const source of ['nobody', '%3Cscript%3E'])
    assert.equal(totalIn(await browser.open(`${grid}?source=${source}`)), 0);

  await browser.open(`${grid}?source=codeforces&q=11`);
  const cell = '[data-contest="11"] .cell:nth-child(3)';
  const marked = await browser.submit({ within: cell, name: 'mark' });
  assert.equal(marked.document.querySelector(cell)?.getAttribute('data-status'), 'complete');
  assert.match(marked.path, /changed=\d+/);
  assert.deepEqual(await found('show=done'), ['Codeforces Round 10 (Div. 2) <i>']);
  assert.equal((await found('hide_done=true')).length, 6);
  await browser.open(marked.path);
  const undone = await browser.submit({ within: '.undo', name: 'undo' });
  assert.equal(undone.document.querySelector(cell)?.getAttribute('data-status'), 'not_started');

  const other = await browserOf(url, 'ada');
  await other.open(`${grid}?source=codeforces&q=11`);
  const id = BigInt(undone.document.querySelector(cell)?.getAttribute('data-problem') ?? 0);
  await setStatus(garden.store, { memberId: ada, problemIds: [id], status: 'skipped' });
  const refused = await other.submit({ within: cell, name: 'mark' });
  assert.equal(refused.status, 409);
  assert.match(textOf(refused, '[role=alert]'), /It is now: Skipped/);
  assert.equal(refused.document.querySelector(cell)?.getAttribute('data-status'), 'skipped');
  await setSwitch(garden.store, ada, 'hidesRatings', true);
  const hidden = await browser.open(`${grid}?source=codeforces&q=12`);
  assert.equal(hidden.document.querySelectorAll('.diff').length, 1, 'of what is solved alone');
  const none = await (await browserOf(url, 'bob')).open(`${grid}?show=taken`);
  assert.equal(none.document.querySelectorAll('.contest').length, 0);
});

test('a card says that one took part wherever the filter says so: unsolved, with a team, in a virtual contest', async (t) => {
  const here = await world(t);
  await oddContests(here);
  const later = start + 86_400;
  await send(here.garden, 'bob', [
    sent(1, '10A', 'WRONG_ANSWER', start + 60, ['CONTESTANT', 'bob_cf']),
    sent(2, '11A', 'OK', later, ['VIRTUAL', 'bob_cf', 'eve_cf']),
    sent(3, '12A1', 'OK', later, ['PRACTICE', 'bob_cf', 'eve_cf']),
    sent(4, '13A', 'OK', start - 400 * 86_400 + 60, ['CONTESTANT', 'bob_cf', 'eve_cf']),
    sent(5, '16A', 'COMPILATION_ERROR', later, ['VIRTUAL', 'bob_cf']),
  ]);
  const bob = await browserOf(here.url, 'bob');
  const told = async (query = '') => {
    const { document } = await bob.open(`${grid}?source=codeforces${query}`);
    const cards = document.querySelectorAll('.contest').map((one) => {
      const facts = one.querySelectorAll('.facts span').map(({ textContent }) => textContent);
      const how = facts.find((text) => text === 'took part' || text === 'virtual');
      return [one.getAttribute('data-contest'), how] as const;
    });
    return Object.fromEntries(cards.filter(([, how]) => how !== undefined || query !== ''));
  };
  const expected = { 10: 'took part', 11: 'virtual', 13: 'took part', 16: 'virtual' };
  assert.deepEqual(await told(), expected);
  assert.deepEqual(await told('&show=taken'), expected);
  const page = await bob.open(`${grid}?source=codeforces`);
  const cell = (key: string) => page.document.querySelector(`[data-contest="${key}"] .cell .took`)?.textContent;
  assert.deepEqual(['11', '12'].map(cell), ['virtual, team', 'later, team']);
  await here.garden.store.write((tx) =>
    tx.updateTable('solves').set({ participation: 'team' }).where('submission_id', 'in', ['2', '3', '4']).execute(),
  );
  const old = { 10: 'took part', 13: 'took part', 16: 'virtual' };
  assert.deepEqual([await told(), await told('&show=taken')], [old, old]);
});

test('the real contests: each cell says what the list says', needsData, async (t) => {
  const { garden, ada, browser } = await world(t);
  for (const [what, file] of [
    ['codeforces-problems', 'codeforces/problemset.problems.2026-08.json'],
    ['codeforces-contests', 'codeforces/contest.list.2026-08.json'],
    ['codeforces-twins', 'codeforces/shared-problems.2026-08.json'],
    ['atcoder-problems', 'atcoder/atcoder_problems.tasks.fixture.json'],
    ['atcoder-contests', 'atcoder/atcoder_problems.contests.fixture.json'],
  ] as const)
    await garden.import(what, await readReal(file));
  await garden.import('codeforces-submissions', await readReal('codeforces/user.status.gbuenoandrade-1557.json'), {
    member: 'ada',
  });
  const shown = new Map<string, string>();
  let page = await browser.open(`${grid}?source=codeforces&show=begun&per_page=100`);
  const begun = totalIn(page);
  let contests = 0;
  for (;;) {
    contests += page.document.querySelectorAll('.contest').length;
    for (const one of page.document.querySelectorAll('.cell[data-problem]'))
      shown.set(one.getAttribute('data-problem') ?? '', one.getAttribute('data-status') ?? '');
    const next = page.document.querySelectorAll('.pages a.step').find((one) => /Next/.test(one.textContent));
    if (!next) break;
    page = await browser.open(next.getAttribute('href') ?? '');
  }
  assert.equal(contests, begun);
  const { reader } = garden.store;
  const listed = await reader
    .selectFrom('statuses')
    .innerJoin('contest_problems', 'contest_problems.problem_id', 'statuses.problem_id')
    .select((eb) => ['statuses.problem_id', eb.fn.coalesce('self_status', 'judge_status').as('status')])
    .where('user_id', '=', ada)
    .execute();
  const own = new Map(listed.map(({ problem_id, status }) => [String(problem_id), status]));
  for (const [id, status] of shown) assert.equal(status, own.get(id) ?? 'not_started', id);
  t.diagnostic(`${contests} begun contests, ${shown.size} problems, ${own.size} with a status`);
  assert.ok(own.size > 400 && shown.size > 1000);
  const first = await browser.open(`${grid}?source=codeforces&show=taken&per_page=100`);
  assert.equal(totalIn(first), 59);
  for (const one of first.document.querySelectorAll('.contest'))
    assert.match(one.querySelector('.facts')?.textContent ?? '', /took part|virtual/, one.textContent);
  assert.ok((await followCounts(browser, first, 16)) === 16);
  assert.equal(await countGridContests(reader, { memberId: ada, source: 'codeforces' }), 2036);
});

test('the grid as a browser shows it: axe, widths, keyboard', async (t) => {
  const shown = await openBrowser(t);
  if (!shown) return;
  const here = await world(t);
  await oddContests(here);
  const { page, look } = await openPage(shown, here.url, { cookies: here.browser.cookies });
  await page.goto(`${here.url}${grid}?source=codeforces`);
  await look();
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const part of ['.rest summary', '.out']) assert.ok(await page.isVisible(`[data-contest="12"] ${part}`), part);
  const cell = '[data-contest="11"] .cell:nth-child(3)';
  await page.focus(`${cell} .status-mark`);
  await page.keyboard.press('Enter');
  await page.waitForURL(/changed=/);
  assert.equal(await page.getAttribute(cell, 'data-status'), 'complete');
  assert.match((await page.textContent('.undo p')) ?? '', /solved/i);
  const focused = () => page.evaluate("document.activeElement.closest('.cell')?.id");
  const [at, mark] = [await focused(), await page.evaluate('document.activeElement.className')];
  const ids = await page.evaluate(
    "[...document.querySelectorAll('.cell[data-problem]')].filter((one) => one.checkVisibility()).map(({ id }) => id)",
  );
  const place = (ids as string[]).indexOf(String(at));
  assert.ok(place > 0 && mark === 'status-mark', `${at} ${mark}`);
  assert.equal(at, await page.getAttribute(cell, 'id'));
  for (const [key, by] of [
    ['j', 1],
    ['k', 0],
    ['k', -1],
  ] as const) {
    await page.keyboard.press(key);
    assert.equal(await focused(), (ids as string[])[place + by], key);
  }
  await page.keyboard.press('o');
  await page.waitForURL(/\/problem\/\d+\//);
});
