/**
 * The pictures of progress: each of their numbers and marks leads to a list of as many rows, for a real member, for one with
 * 15,000 submissions and for one with nothing; the page is the same on repeated runs, and has nothing inline.
 */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { seeded } from '../../bench/catalogue.ts';
import { setDayRule } from '../../src/practice/activity.ts';
import { setStatus } from '../../src/practice/marks.ts';
import { findProblemsByKeys } from '../../src/store/problems.ts';
import { timeAxis } from '../../src/web/drawing/charts/plot.ts';
import { openGarden, submissionsOf } from '../importing/support.ts';
import { enter, openBrowser, openPage } from '../support/browser.ts';
import { catalogueDatabase } from '../support/catalogues.ts';
import { attributesOf, textsOf } from '../support/elements.ts';
import { totalOf } from '../support/figures.ts';
import { type Browser, type Page, textOf } from '../support/forms.ts';
import { importRows, temporaryDatabase } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { brokenWords } from '../support/looks.ts';
import { membersNamed } from '../support/members.ts';
import { needsData, readReal } from '../support/real-data.ts';

const progress = '/dashboard/progress/';

async function world(t: TestContext, database?: string) {
  const databaseUrl = database ?? (await temporaryDatabase(t));
  const ids = await membersNamed(databaseUrl, 'ada', 'bob', 'eve');
  const garden = await openGarden(t, databaseUrl);
  const { url } = await serveHere(t, { databaseUrl, env: { RATE_LIMIT: '100000' } });
  return { databaseUrl, garden, ids, url };
}

interface Led {
  href: string;
  count: string | undefined;
  text: string;
}

const leadsOf = ({ document }: Page): Led[] =>
  document.querySelectorAll('main a').map((one) => ({
    href: one.getAttribute('href') ?? '',
    count: one.getAttribute('data-count'),
    text: one.textContent,
  }));

const texts = ({ document }: Page, selector: string) =>
  document.querySelectorAll(selector).map((one) =>
    String(one)
      .replaceAll(/<title>[^<]*<\/title>|<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );

async function walk(browser: Browser, page: Page, some: (leads: Led[]) => Led[] = (leads) => leads): Promise<number> {
  const counted = leadsOf(page).filter(({ count }) => count !== undefined);
  const shown = new Map<string, string>();
  for (const { href, count = '' } of counted) {
    assert.equal(shown.get(href) ?? count, count, `two numbers of ${href}`);
    shown.set(href, count);
  }
  const followed = some([...shown].map(([href, count]) => ({ href, count, text: '' })));
  for (const { href, count } of followed) assert.equal(await totalOf(browser, href), count, href);
  return followed.length;
}

function oneOfEach(leads: Led[]): Led[] {
  const kindOf = ({ href }: Led) => [...new URL(href, 'http://x').searchParams.keys()].join();
  return [...Map.groupBy(leads, kindOf).values()].flatMap((some) =>
    [some[0], some.at(Math.floor(some.length / 2)), some.at(-1)].flatMap((one) => one ?? []),
  );
}

test('every number and mark of a real member leads to as many rows', needsData, async (t) => {
  const { garden, ids, url } = await world(t, await catalogueDatabase(t, 'folded'));
  await garden.import('atcoder-problems', await readReal('atcoder/atcoder_problems.tasks.fixture.json'));
  await garden.import('cses-problems', await readReal('cses/problemset.json'));
  const status = await readReal('codeforces/user.status.gbuenoandrade-1557.json');
  await garden.import('codeforces-submissions', status, { member: 'ada' });
  await garden.store.write(async (tx) => {
    await setDayRule(tx, ids.ada, { zone: 'America/Sao_Paulo', startHour: 4 });
    const idsOf = async (source: string, ...keys: string[]) =>
      (await findProblemsByKeys(tx, source, keys)).map(({ id }) => id);
    const mark = async (problemIds: bigint[], status: 'complete' | 'reading' | 'practicing') =>
      setStatus(tx, { memberId: ids.ada, problemIds, status });
    await mark(await idsOf('cses', '1068', '1083', '1069'), 'complete');
    await mark(await idsOf('cses', '1094'), 'practicing');
    await mark(await idsOf('codeforces', '1874F', '1899A'), 'complete');
    await mark(await idsOf('codeforces', '379C'), 'reading');
  });
  const ada = await browserOf(url, 'ada');

  await t.test('of all time', async () => {
    const page = await ada.open(progress);
    assert.match(textOf(page, '.sub'), /^468 solved on Codeforces ?3 solved on CSES$/);
    const dots = page.document.querySelectorAll('.plot-wide .dot');
    assert.ok(dots.length > 440, `${dots.length} dots`);
    for (const mark of page.document.querySelectorAll('.plot a, .topic-bar a')) {
      assert.equal(mark.getAttribute('tabindex'), '-1');
      assert.ok(mark.querySelector('title')?.textContent, 'each mark says what it is');
    }
    assert.ok(page.document.querySelector('.c-ago .late'));
    for (const { textContent } of page.document.querySelectorAll('.c-ago'))
      assert.match(textContent.trim(), /^(?:today|\d+ (?:month|year)s)$/, 'it stands under “Last”');
    const followed = await walk(ada, page);
    assert.ok(followed > 220, `${followed} lists`);
  });

  await t.test('of some days, of a judge without ratings, and with all topics', async () => {
    const queries = [
      'from=2015-10-01&to=2016-02-29&topics=all',
      'to=2014-12-31',
      'from=2016-06-01',
      'span=90',
      'span=year&source=cses',
      'source=nobody&span=soon&from=2016-02-30',
      'from=2001-01-01&to=2001-02-01',
      'from=2016-02-01&to=2016-01-01',
    ];
    for (const query of queries) await walk(ada, await ada.open(`${progress}?${query}`), oneOfEach);
  });

  await t.test('a dot leads to the problem that it names', async () => {
    const page = await ada.open(progress);
    const dots = page.document.querySelectorAll('.plot-wide a').filter((one) => one.querySelector('.dot'));
    for (const dot of dots.filter((_, nth) => nth % 60 === 0)) {
      const [, name = ''] = /: (.+), \d+/.exec(dot.querySelector('title')?.textContent ?? '') ?? [];
      const problem = await ada.open(dot.getAttribute('href') ?? '');
      assert.equal(textOf(problem, 'h1'), name);
      assert.ok(problem.document.querySelector('[data-status="complete"]'));
    }
  });

  await t.test('the page is light, the same each time, and has nothing inline', async () => {
    const [one, other] = [await ada.open(progress), await ada.open(progress)];
    const main = ({ document }: Page) => document.querySelectorAll('main').toString();
    assert.ok(main(one) === main(other), 'the same twice');
    assert.ok(gzipSync(one.text).length <= 40_000, `${gzipSync(one.text).length} bytes`);
    assert.doesNotMatch(one.text, / style=| on\w+=|<style|<script(?! src=)/);
    const past = await ada.open(`${progress}?to=2016-12-31`);
    const pictures = past.document.querySelectorAll('.plot').map(String).join('');
    const marks = pictures.replaceAll(/ aria-label="[^"]*"/g, '').replaceAll(/>[^<]+</g, '><');
    assert.equal(hash('sha256', marks).slice(0, 16), '63efe12ea5c21d29');
  });

  await t.test('what changes shows at once; until then the browser keeps the page', async () => {
    const before = await ada.open(progress);
    assert.match(textOf(before, '.sub'), /468 solved/);
    const [problem] = await findProblemsByKeys(garden.store.reader, 'codeforces', ['1900A']);
    await garden.store.write((tx) =>
      setStatus(tx, { memberId: ids.ada, problemIds: [problem?.id ?? 0n], status: 'complete' }),
    );
    assert.match(textOf(await ada.open(progress), '.sub'), /469 solved/);
    const bob = await browserOf(url, 'bob');
    assert.match(textOf(await bob.open(progress), '.empty'), /^Nothing solved yet/);
  });

  await t.test('looks', async (t) => {
    const chromium = await openBrowser(t);
    if (!chromium) return;
    const { page, complaints, look } = await openPage(chromium, url);
    await enter(page, url, 'ada');
    for (const path of [progress, `${progress}?source=cses&topics=all`, `${progress}?from=2001-01-01&to=2001-01-02`]) {
      await page.goto(url + path);
      if (path === progress) await page.click('.as-table summary');
      await look(path);
      await page.setViewportSize({ width: 320, height: 640 });
      assert.deepEqual(await brokenWords(page), [], path);
      const cut = `[...document.querySelectorAll('.scroll:has(.topics)')].filter((one) => one.scrollWidth > one.clientWidth)`;
      assert.equal(await page.evaluate(`${cut}.length`), 0, path);
      const coloured = `[...document.querySelectorAll('.plot :is(.area, .col, .foot, .side), .sw')].every((one) => getComputedStyle(one).getPropertyValue('--band') !== '')`;
      assert.equal(await page.evaluate(coloured), true, path);
    }
    assert.deepEqual(complaints, []);
  });
});

test('the numbers of a member with 15,000 submissions lead to as many rows', async (t) => {
  const { databaseUrl, garden, ids, url } = await world(t);
  const random = seeded(7);
  const problems = Array.from({ length: 6000 }, (_, n) => ({
    id: n + 1,
    title: `Pond ${n}`,
    source: 'codeforces',
    source_key: `${n + 1}A`,
    rating: n % 17 === 0 ? null : 800 + 100 * random(28),
    tags: ['dp', 'trees', 'math'].filter(() => random(3) === 0),
  }));
  await importRows(databaseUrl, 'problems', problems);
  const sent = Array.from({ length: 15_000 }, (_, n): [string, string, number] => [
    `${random(5500) + 1}A`,
    random(8) === 0 ? 'OK' : 'WRONG_ANSWER',
    1_400_000_000 + n * 20_000 + random(5000),
  ]);
  await garden.import('codeforces-submissions', submissionsOf('eve_cf', ...sent), { member: 'eve' });
  await garden.store.write((tx) => setDayRule(tx, ids.eve, { zone: 'Asia/Kolkata', startHour: 4 }));
  const eve = await browserOf(url, 'eve');
  for (const query of ['', '?from=2019-01-01&to=2019-06-30']) {
    const page = await eve.open(progress + query);
    assert.ok((await walk(eve, page, oneOfEach)) >= 20, query);
    assert.ok(gzipSync(page.text).length <= 40_000, `${gzipSync(page.text).length} bytes`);
  }
});

test('what was solved on the first try is counted where enough were tried, without a percentage', async (t) => {
  const { databaseUrl, garden, ids, url } = await world(t);
  const from = (first: number, count: number) => Array.from({ length: count }, (_, n) => first + n);
  const problems = (some: readonly number[], rating: number | null) =>
    some.map((id) => ({ id, title: `Pond ${id}`, source: 'codeforces', source_key: `${id}A`, rating, tags: [] }));
  const [before, atOnce, later, open] = [from(1, 5), from(6, 13), from(19, 4), from(23, 3)];
  const [easy, hard, harder, unrated] = [from(26, 20), from(46, 10), from(56, 9), [65]];
  await importRows(databaseUrl, 'problems', [
    ...problems([...before, ...atOnce, ...later, ...open], 1000),
    ...problems(easy, 800),
    ...problems(hard, 1200),
    ...problems(harder, 1400),
    ...problems(unrated, null),
  ]);
  const sent = [
    ...[...before, ...atOnce].map((id) => [id, 'OK'] as const),
    ...later.flatMap((id) => [[id, 'WRONG_ANSWER'] as const, [id, 'OK'] as const]),
    ...[...open, ...easy, ...hard, ...harder, ...unrated].map((id) => [id, 'WRONG_ANSWER'] as const),
  ];
  const moments = sent.map(([id, verdict], n): [string, string, number] => [`${id}A`, verdict, 1_700_000_000 + n * 60]);
  await garden.import('codeforces-submissions', submissionsOf('ada_cf', ...moments), { member: 'ada' });
  const ada = await browserOf(url, 'ada');
  const page = await ada.open(progress);
  const shown = (selector: string) => texts(page, `[aria-labelledby="first-try"] ${selector}`);
  assert.deepEqual(shown('tbody tr'), ['−300…−101 0 20', '−100…+99 13 20', '+100…+299 0 10']);
  assert.equal(page.document.querySelectorAll('[aria-labelledby="first-try"] .lane').length, 3);
  assert.equal(page.document.querySelectorAll('[aria-labelledby="first-try"] .soon').length, 1);
  assert.deepEqual(shown('.says'), ['Steps of fewer than 10 problems are not shown.']);
  assert.match(shown('.caption').join(), /^6 are not shown: no rating/);
  await walk(ada, page);

  // What is easier than all of it, and what has no rating, solved in a later period.
  await importRows(databaseUrl, 'problems', [
    { id: 66, title: 'Kata', source: 'atcoder', source_key: 'abc001_a', rating: null, tags: [] },
  ]);
  await garden.store.write((tx) => setStatus(tx, { memberId: ids.ada, problemIds: [26n, 66n], status: 'complete' }));
  const period = `?from=2024-01-01&to=${new Date().toISOString().slice(0, 10)}`;
  const recent = await ada.open(progress + period);
  assert.match(textOf(recent, '[aria-labelledby="level"] .says'), /Hardest: Pond 26 \(800\)/);
  assert.match(textOf(recent, '[aria-labelledby="by-rating"]'), /AtCoder.*None of these problems has a rating\./s);
});

test('a difficulty of AtCoder below 400 is one figure: stored, shown, filtered and drawn', async (t) => {
  const { garden, ids, url } = await world(t);
  const figures = [
    ['abc001_1', -655, 29],
    ['abc001_2', -3000, 0],
    ['abc001_3', 44, 164],
    ['abc001_4', 399, 399],
    ['abc002_1', 1456.4, 1456],
  ] as const;
  const task = { contest_id: 'abc001', problem_index: 'A' };
  await garden.import(
    'atcoder-problems',
    figures.map(([id]) => ({ id, name: id, title: id, ...task })),
  );
  const models = Object.fromEntries(figures.map(([key, difficulty]) => [key, { difficulty }]));
  await garden.import('atcoder-models', models);
  const ada = await browserOf(url, 'ada');
  const problems = await garden.rows('problems');
  const problemIds = problems.map(({ id }) => BigInt(Number(id)));
  await garden.store.write((tx) => setStatus(tx, { memberId: ids.ada, problemIds, status: 'complete' }));
  const page = await ada.open(progress);
  const drawn = textsOf(page, '.plot-wide .dot title');
  for (const [key, , figure] of figures) {
    const { id, rating } = problems.find(({ source_key }) => source_key === key) ?? {};
    assert.equal(rating, figure, key);
    const found = await ada.open(`/problem_list/?rating_min=${figure}&rating_max=${figure}`);
    assert.deepEqual(attributesOf(found, 'tr[data-problem]', 'data-problem'), [String(id)], key);
    assert.equal(textOf(found, 'tr[data-problem] .diff:not(.none)'), String(figure), key);
    assert.ok(
      drawn.some((text) => text.includes(key) && text.includes(`${figure}`)),
      `${key} at ${figure}`,
    );
  }
  await walk(ada, page);
});

test('titles that try to be markup stay texts in pictures and tables', async (t) => {
  const { databaseUrl, garden, ids, url } = await world(t);
  const title = '</title><b>Bold</b> & "quoted" \u202etxt';
  await importRows(databaseUrl, 'problems', [
    { id: 1, title, source: 'codeforces', source_key: '1A', rating: 1500, tags: ['<i>dp</i>'] },
    { id: 2, title: 'Pond', source: 'elsewhere', source_key: '2', tags: [] },
  ]);
  await garden.store.write((tx) => setStatus(tx, { memberId: ids.ada, problemIds: [1n, 2n], status: 'complete' }));
  const ada = await browserOf(url, 'ada');
  for (const query of ['', '?source=elsewhere', `?source=${encodeURIComponent(`zq"><b>zq`)}`]) {
    const page = await ada.open(progress + query);
    assert.doesNotMatch(page.text, /<b>Bold|<i>dp|zq"><b>zq/);
    await walk(ada, page);
  }
});

test('an axis of few days names each day once', () => {
  const margins = { left: 36, right: 12, top: 16, bottom: 26 };
  const frame = { name: 'plot-wide', isWide: true, width: 548, height: 280, ...margins } as const;
  const day = Date.UTC(2026, 10, 26) / 86_400_000;
  const named = (from: number, to: number) =>
    [...String(timeAxis(frame, from, to).markup).matchAll(/>([^<]+)<\/text>/g)].map(([, text]) => text);
  assert.deepEqual(named(day, day), ['26 Nov', '27 Nov']);
  assert.deepEqual(named(day, day + 2), ['26 Nov', '27 Nov', '28 Nov']);
  assert.deepEqual(named(day, day + 200), ['Dec', '2027', 'Feb', 'Mar', 'Apr', 'May', 'Jun']);
});
