/** Every figure and every mark leads to as many rows as it says: of the real member, of one with thousands of submissions, of an empty one. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setDayRule } from '../../src/practice/activity.ts';
import { makeList } from '../../src/practice/lists.ts';
import { setBookmarks, setStatus } from '../../src/practice/marks.ts';
import { plant } from '../../src/practice/planting.ts';
import { type Garden, openGarden } from '../importing/support.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { catalogueDatabase } from '../support/catalogues.ts';
import { figureWalker } from '../support/figures.ts';
import { textOf } from '../support/forms.ts';
import { importRows, temporaryDatabase } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { giveHistory } from '../support/long-history.ts';
import { membersNamed } from '../support/members.ts';
import { ponds } from '../support/ponds.ts';
import { needsData, readReal } from '../support/real-data.ts';

const today = '/dashboard/';
const pages: readonly (readonly [path: string, least: number])[] = [
  [today, 300],
  ['/dashboard/days/', 300],
  ['/dashboard/progress/', 600],
  ['/dashboard/progress/?span=year&topics=all', 100],
  ['/problem_list/contests/?source=codeforces', 40],
  ['/problem_list/contests/?source=codeforces&show=taken', 40],
  ['/plants/', 8],
];

function sow({ garden, ids }: World): Promise<bigint[]> {
  const goals = [
    { name: 'Tables', tag: 'dp', target: 500n },
    { name: 'All', tag: null, target: 10_000n },
    { name: 'Nothing', tag: 'no such topic', target: 3n },
    { name: 'One', tag: 'math', target: 1n },
  ];
  return garden.store.write(async (tx) => {
    const planted: bigint[] = [];
    const items = Array.from({ length: 60 }, (_, n) => ({ problem: BigInt(n + 1) }));
    const name = 'Sixty of all';
    const list = await makeList(tx, { ownerId: ids['ada'] ?? 0n, name, content: [{ name: '', items }] });
    const ofList = { name, tag: null, list: { id: list, name }, target: 60n };
    planted.push(await plant(tx, ids['ada'] ?? 0n, ofList, new Date()));
    for (const goal of goals) planted.push(await plant(tx, ids['ada'] ?? 0n, goal, new Date()));
    return planted;
  });
}

interface World {
  garden: Garden;
  url: string;
  ids: Readonly<Record<string, bigint>>;
}

/** Ada sent something to each of these ponds. */
async function ponder({ garden, ids }: World, count: number, history: { submissions: number; daysAYear: number }) {
  const problems = ponds(count, (n) => ({
    rating: 800 + 100 * (n % 28),
    tags: ['dp', 'math', 'trees'].filter((_, nth) => n % (nth + 2) === 0),
  }));
  await importRows(garden.databaseUrl, 'problems', problems);
  const sent = problems.map(({ id, source_key }) => ({ id: BigInt(id), source_key }));
  await giveHistory(garden.store, { memberId: ids['ada'] ?? 0n, problems: sent, now: Date.now(), ...history });
}

async function world(t: TestContext, members: readonly string[], database?: string): Promise<World> {
  const databaseUrl = database ?? (await temporaryDatabase(t));
  const ids = await membersNamed(databaseUrl, ...members);
  const garden = await openGarden(t, databaseUrl);
  const { url } = await serveHere(t, { databaseUrl });
  return { garden, url, ids };
}

/** The real submissions, moved so that the last of them was an hour ago. */
async function shifted(): Promise<unknown> {
  const answer = JSON.parse(await readReal('codeforces/user.status.gbuenoandrade-1557.json'));
  const last = Math.max(...answer.result.map((one: { creationTimeSeconds: number }) => one.creationTimeSeconds));
  const by = Math.floor(Date.now() / 1000) - 3600 - last;
  for (const one of answer.result) one.creationTimeSeconds += by;
  return answer;
}

test('of the real member of 1,557 submissions, who also marks by hand in a zone of their own', needsData, async (t) => {
  const here = await world(t, ['ada'], await catalogueDatabase(t, 'listed'));
  const { garden, url, ids } = here;
  const ada = ids['ada'] ?? 0n;
  await garden.import('codeforces-submissions', await shifted(), { member: 'ada' });
  await garden.store.write(async (tx) => {
    await setDayRule(tx, ada, { zone: 'America/Sao_Paulo', startHour: 4 });
    await setStatus(tx, { memberId: ada, problemIds: [1n, 2n, 3n], status: 'complete', how: 'hint' });
    await setStatus(tx, { memberId: ada, problemIds: [3n], status: 'not_started' });
    await setBookmarks(tx, ada, [5n], true);
  });
  await garden.import('codeforces-contests', await readReal('codeforces/contest.list.2026-08.json'));
  const planted = await sow(here);
  const visitor = await browserOf(url, 'ada');
  const walk = figureWalker(visitor);
  const walkSome = figureWalker(visitor, { isSampled: true });
  for (const [path, least] of [...pages, ...planted.map((id) => [`/plants/at/${id}/`, 1] as const)]) {
    const { figures } = await (path === '/dashboard/progress/' ? walkSome : walk)(path);
    assert.ok(figures >= least, `${path} has ${figures} figures`);
  }
  const page = await visitor.open(today);
  assert.match(textOf(page, '.page-head .sub'), /^Your day ends at 04:00, Sao Paulo time\.$/);
});

test('of a member with 5,000 submissions', async (t) => {
  const here = await world(t, ['ada']);
  const { garden, url } = here;
  await ponder(here, 1250, { submissions: 5000, daysAYear: 20 });
  const contests = Array.from({ length: 200 }, (_, n) => {
    const times = { durationSeconds: 7200, startTimeSeconds: 1_200_000_000 + n * 90_000 };
    return { id: n + 1, name: `Round ${n + 1}`, phase: 'FINISHED', ...times };
  });
  await garden.import('codeforces-contests', { status: 'OK', result: contests });
  const planted = await sow(here);
  const visitor = await browserOf(url, 'ada');
  const { figures, pages: followed } = await figureWalker(visitor)(today);
  assert.ok(figures > 60 && followed > 30, `${figures} figures lead to ${followed} pages`);
  const walk = figureWalker(visitor, { isSampled: true });
  for (const [path] of [...pages.slice(1), ...planted.map((id) => [`/plants/at/${id}/`] as const)]) {
    const found = await walk(path);
    t.diagnostic(`${path}: ${found.figures} figures, ${found.pages} pages behind them`);
    assert.ok(found.figures > 0 || path.includes('show=taken'), path);
  }
});

test('of a member who did nothing, and of one who did one thing', async (t) => {
  const { garden, url, ids } = await world(t, ['ada', 'bob']);
  await importRows(
    garden.databaseUrl,
    'problems',
    ponds(1, () => ({ rating: 800 })),
  );
  const ada = await browserOf(url, 'ada');
  for (const [path] of pages) {
    const { figures } = await figureWalker(ada)(path);
    assert.ok(figures <= 1, `${path} has ${figures} figures`);
  }
  for (const path of ['/dashboard/days/', '/dashboard/submissions/?from=2016-06-08&to=2016-06-08'])
    assert.ok((await ada.open(path)).document.querySelector('[data-total="0"]'), path);
  await setStatus(garden.store, { memberId: ids['bob'] ?? 0n, problemIds: [1n], status: 'complete' });
  const bob = await browserOf(url, 'bob');
  assert.ok((await figureWalker(bob)(today)).figures > 15);
  assert.match(textOf(await bob.open(today), '[aria-labelledby="streak"]'), /1 dayLongest: 1 day, until/);
  const asked = await bob.open(`${today}?year=hardest`);
  assert.ok(asked.document.querySelector('.year-figure [value="hardest"][checked]'));
  const [mark] = asked.document.querySelectorAll('g[data-mode="hardest"] title');
  assert.match(mark?.textContent ?? '', /: 1 new problem solved, Codeforces 800$/);
});

test('Today with a year, and the pages of days, look right at every width', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const here = await world(t, ['ada']);
  await ponder(here, 200, { submissions: 800, daysAYear: 25 });
  const { url } = here;
  const visitor = await browserOf(url, 'ada');
  const { page, complaints, strays, look } = await openPage(browser, url, { cookies: visitor.cookies });
  const shown = ['', '?year=all', '?year=hardest'].map((query) => today + query);
  for (const path of [...shown, '/dashboard/days/', '/dashboard/submissions/']) {
    await page.goto(url + path);
    await look(path);
  }
  await page.goto(url + today);
  const isShown = (mode: string) => page.locator(`.year-map g[data-mode="${mode}"]`).isVisible();
  assert.deepEqual([await isShown('first'), await isShown('all')], [true, false]);
  await page.check('.year-modes [value="all"]');
  assert.deepEqual([await isShown('first'), await isShown('all')], [false, true]);
  await page.setViewportSize({ width: 320, height: 900 });
  const widths = "['clientWidth', 'scrollWidth'].map((name) => document.querySelector('.year-scroll')[name])";
  const [seen, whole] = (await page.evaluate(widths)) as number[];
  assert.ok(Math.abs((whole ?? 0) / (seen ?? 1) - 53 / 26) < 0.1, '26 of 53 weeks at 320 px');
  await page.goto(`${url}/authentication/account/days/`);
  const offer = page.locator('[data-zone-here]');
  const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  if (zone !== 'UTC') {
    await offer.click();
    assert.equal(await page.inputValue('[name="time_zone"]'), zone);
  } else assert.equal(await offer.isVisible(), false);
  assert.deepEqual([complaints, strays], [[], []]);
});
