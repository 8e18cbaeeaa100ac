/** The page of ratings: each mark and row chooses a contest, each figure leads to as many rows, and judges are never mixed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addHandle } from '../../src/practice/handles.ts';
import { saveRatingHistory } from '../../src/practice/ratings.ts';
import { saveListing } from '../../src/practice/upcoming.ts';
import { codeforces, openGarden, submissions } from '../importing/support.ts';
import { contestGarden, duringContest, type Sent } from '../support/contests-taken.ts';
import { attributeOf, textsOf } from '../support/elements.ts';
import { figureWalker } from '../support/figures.ts';
import { memberWithPassword, textOf } from '../support/forms.ts';
import { temporaryDatabase } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';

const path = '/dashboard/progress/ratings/';
const dayMs = 86_400_000;

test('ratings stand beside what was practised before, and each figure leads to as many rows', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  for (const name of ['ada', 'bob']) await memberWithPassword(databaseUrl, name);
  const garden = await openGarden(t, databaseUrl);
  const { url } = await serveHere(t, { databaseUrl });
  const ada = await browserOf(url, 'ada');
  assert.match(textOf(await ada.open(path), '.empty'), /Link your Codeforces, AtCoder or DMOJ handle/);
  const problems = Array.from({ length: 40 }, (_, n) => ({
    name: `P${n + 1}`,
    index: 'A',
    contestId: n + 1,
    rating: 1000 + n * 20,
    tags: [n % 2 ? 'dp' : 'greedy'],
  }));
  await garden.import('codeforces-problems', codeforces(...problems));
  const secondsAgo = (days: number) => Math.floor((Date.now() - days * dayMs) / 1000);
  const contest = (id: number, days: number) => ({
    id,
    name: `Round ${id}`,
    phase: 'FINISHED',
    durationSeconds: 7200,
    startTimeSeconds: secondsAgo(days),
  });
  await garden.import('codeforces-contests', { status: 'OK', result: [contest(39, 20), contest(40, 40)] });
  // One solve each five days; 40A was tried in a virtual contest, and solved days after it.
  const sent = (key: string, verdict: string, days: number) =>
    (submissions([key, verdict, secondsAgo(days)]) as { result: Record<string, unknown>[] }).result;
  const own = problems.slice(0, 38).flatMap(({ contestId }) => sent(`${contestId}A`, 'OK', contestId * 5));
  const began = { participantType: 'VIRTUAL', startTimeSeconds: secondsAgo(32) };
  const author = { members: [{ handle: 'ada_cf' }], ghost: false, ...began };
  const virtual = sent('40A', 'WRONG_ANSWER', 30).map((row) => ({ ...row, author }));
  const all = { status: 'OK', result: [...own, ...virtual, ...sent('40A', 'OK', 25)] };
  await garden.import('codeforces-submissions', all, { member: 'ada' });
  const [{ id: first = 0n } = {}] = await garden.store.reader.selectFrom('handles').select('id').execute();
  const second = await garden.store.write((tx) => addHandle(tx, 1n, 'codeforces', 'ada_two'));
  const atcoder = await garden.store.write((tx) => addHandle(tx, 1n, 'atcoder', 'ada_ac'));
  const row = (key: string, rating: bigint, days: number) => ({
    contest: key,
    title: `Round ${key}`,
    place: 7n,
    rating,
    rated_at: new Date(Date.now() - days * dayMs).toISOString(),
  });
  await saveRatingHistory(garden.store, first, [row('38', 1300n, 170), row('37', 1250n, 100), row('39', 1450n, 20)]);
  await saveRatingHistory(garden.store, second.id, [row('36', 1800n, 300), row('37', 1700n, 100)]);
  await saveRatingHistory(garden.store, atcoder.id, [row('abc1', 600n, 400), row('sample-1', 550n, 450)]);

  const page = await ada.open(path);
  assert.match(textOf(page, '.rating-now'), /^1450 specialist ?ada_cf ?your best, since/);
  assert.equal(page.document.querySelectorAll('.plot-full .line').length, 2, 'each handle has its own line');
  assert.equal(page.document.querySelectorAll('.plot-full .rated').length, 5);
  assert.ok(attributeOf(page, 'svg.plot-full', 'aria-hidden'));
  assert.match(textOf(page, '[data-judge="codeforces"] .as-table tbody'), /Round 39.*1450.*\+200/s);
  const figures = ['virtual', 'upsolved', 'above'].map((name) => textOf(page, `[data-figure="${name}"] b`));
  assert.deepEqual(figures, ['1', '1', '1']);
  assert.ok(Number(textOf(page, '[data-figure="solved"] b')) > 5);
  assert.equal(page.document.querySelectorAll('#virtual li').length, 1);
  // Days begin at 4 o'clock.
  const day = new Date(Date.now() - 32 * dayMs - 4 * 3_600_000).getUTCDate();
  assert.match(textOf(page, '#virtual'), new RegExp(`Round 40 ?${day} `), 'it begins when the judge says');
  assert.match(textOf(page, '#upsolved'), /P40/);
  assert.match(textOf(page, '[data-figure="solved"]'), /usually \d/);
  const { figures: walked } = await figureWalker(ada)(path);
  assert.ok(walked > 10);

  for (const within of ['.plot-full', '.as-table', '.rated-contests']) {
    const open = (handle: string) => {
      const href = attributeOf(page, `${within} a[href*="contest=37"][href$="handle=${handle}"]`, 'href');
      return ada.open(href ?? '');
    };
    assert.match(textOf(await open('ada_cf'), 'tr[aria-current]'), /Round 37.*ada_cf.*1250.*−50/s, within);
    assert.match(textOf(await open('ada_two'), 'tr[aria-current]'), /Round 37.*ada_two.*1700.*−100/s, within);
  }
  const aboveFor = async (handle: string) =>
    textOf(await ada.open(`${path}?source=codeforces&contest=37&handle=${handle}`), '[data-figure="above"] b');
  // All that was solved then is rated from 1380 to 1540: the rating of one handle was 1300, that of the other 1800.
  assert.ok(Number(await aboveFor('ada_cf')) > 5);
  assert.equal(await aboveFor('ada_two'), '0');
  const grid = attributeOf(await ada.open(path), '.panel p a[href*="contests/"]', 'href');
  assert.match(textOf(await ada.open(grid ?? ''), '.contest h2'), /Round 39/);

  const other = await ada.open(`${path}?source=atcoder`);
  assert.match(textOf(other, '.says'), /No data for this period/);
  assert.match(textOf(await ada.open(`${path}?source=atcoder&span=all`), '.rating-now'), /600 brown/);
  const judgeLink = 'a[href^="https://atcoder.jp/contests/"]';
  const isOnJudge = async (key: string) =>
    (await ada.open(`${path}?source=atcoder&span=all&contest=${key}`)).document.querySelector(judgeLink) !== null;
  assert.deepEqual([await isOnJudge('abc1'), await isOnJudge('sample-1')], [true, false], 'the sample made one up');
  for (const odd of ['?span=week', '?contest=%00', '?source=nobody', `?contest=${'x'.repeat(500)}`, '?rows=none'])
    assert.equal((await ada.open(path + odd)).status, 200, odd);

  // Before the first rated contest: the next one of that judge, or the way to all of them.
  const bob = await browserOf(url, 'bob');
  await garden.store.write((tx) => addHandle(tx, 2n, 'codeforces', 'bob_cf'));
  const none = await bob.open(path);
  assert.match(textOf(none, '.empty'), /No rated contest yet/);
  assert.ok(none.document.querySelector('.empty a[href="/problem_list/contests/upcoming/"]'));
  const starts_at = new Date(Date.now() + 150 * 60_000).toISOString();
  const soon = { source: 'codeforces', key: '50', title: 'Round 50', url: null, starts_at, duration_s: 7200n };
  await saveListing(garden.store, 'codeforces', { contests: [soon], isComplete: false }, Date.now());
  assert.match(textOf(await bob.open(path), '.empty .next-line'), /^Next: CF Round 50 in 2 h 30 min$/);

  // The public page shows them where the member says so.
  await ada.submitAt('/authentication/account/sharing/', { name: 'page', value: 'members' });
  assert.equal((await bob.open('/members/ada/')).document.querySelector('#ratings'), null);
  await ada.submitAt('/authentication/account/sharing/', { name: 'page_with', value: 'ratings' });
  assert.match(
    textOf(await bob.open('/members/ada/'), '[aria-labelledby=ratings] dl'),
    /AtCoder\s*600.*Codeforces\s*1450 specialist, best 1450/s,
  );
});

test('a judge with performances alone comes before one without contests, whose list says what is earlier', async (t) => {
  const start = Math.floor(Date.now() / 1000) - 800 * 86_400;
  const { garden, send } = await contestGarden(t, start);
  await send('ada_cf', ...['A', 'B', 'C'].map((letter, n): Sent => [`1${letter}`, 'OK', duringContest(start)(1, n)]));
  await garden.store.write((tx) => addHandle(tx, 1n, 'atcoder', 'ada_ac'));
  const { url } = await serveHere(t, { databaseUrl: garden.databaseUrl });
  const ada = await browserOf(url, 'ada');
  const heads = async (query: string) => textsOf(await ada.open(path + query), '.panel h2');
  assert.deepEqual(await heads(''), ['Codeforces', 'Earlier contests']);
  assert.deepEqual(await heads('?span=all'), ['Codeforces', 'Contests']);
});
