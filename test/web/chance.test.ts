/** What pages say of chances: in words, to the member alone, and not at all to those who hide them. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { chanceModels } from '../../src/judges/judges.ts';
import { readGardenCalibration } from '../../src/practice/calibration.ts';
import { joinGroup, makeGroup, makeGroupLink } from '../../src/practice/groups.ts';
import { setSwitch } from '../../src/practice/preferences.ts';
import { contestGarden, duringContest, type Sent } from '../support/contests-taken.ts';
import { crawl } from '../support/crawl.ts';
import { textOf } from '../support/forms.ts';
import { root } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';

/** Everything else, such as exports, the interface, messages, groups and public pages, has no way to a chance. */
const mayKnow = [
  'src/practice/suggestions.ts',
  'src/web/kit/chance.ts',
  'src/web/pages/problems/problem.ts',
  'src/web/pages/progress/chance.ts',
  'src/web/pages/progress/progress.ts',
  'src/web/pages/progress/sections.ts',
  'src/web/pages/today/suggestions.ts',
  'src/web/pages/today/today.ts',
  'src/web/routes.ts',
];

const start = Math.floor(Date.now() / 1000) - 20 * 86_400;
const during = duringContest(start);

const solvesOf = (id: number) => ['A', 'B', 'C'].map((letter, n): Sent => [`${id}${letter}`, 'OK', during(id, n)]);

async function world(t: TestContext) {
  const { garden, send, sendAs } = await contestGarden(t, start);
  const { url } = await serveHere(t, { databaseUrl: garden.databaseUrl });
  const take = (id: number) => send('ada_cf', ...solvesOf(id));
  const idOf = async (key: string) =>
    (await garden.rows('problems')).find(({ source_key }) => source_key === key)?.['id'];
  const problem = async (key: string) => `/problem_list/problem/${await idOf(key)}/`;
  return { garden, sendAs, take, url, problem };
}

test('the page of a problem says the chance in words and from what, or what is missing', async (t) => {
  const { garden, take, url, problem } = await world(t);
  const ada = await browserOf(url, 'ada');
  const odds = async (key: string) => {
    const page = await ada.open(await problem(key));
    return page.document.querySelector('.odds') ? textOf(page, '.odds') : undefined;
  };
  await take(1);
  assert.equal(await odds('9D'), undefined);
  assert.match(
    textOf(await ada.open(await problem('9D')), '.page'),
    /after two contests, live or virtual. So far: 1\./,
  );
  await take(2);
  assert.equal(await odds('9D'), 'In a contest: about 1 in 3');
  assert.match(
    textOf(await ada.open(await problem('9D')), '.why'),
    /^Why this\? ?From your last 2 contests, live or virtual/,
  );
  assert.equal(await odds('9A'), 'In a contest: more than 19 in 20');
  assert.equal(await odds('1A'), undefined, 'solved');
  assert.equal(await odds('7F'), undefined, 'without a rating');
  await garden.import('codeforces-contests', {
    status: 'OK',
    result: [9].map((id) => ({
      id,
      name: 'Round 9',
      phase: 'CODING',
      durationSeconds: 7200,
      startTimeSeconds: Math.floor(Date.now() / 1000) - 60,
    })),
  });
  assert.equal(await odds('9D'), undefined, 'its contest runs');
  assert.equal(await odds('8D'), 'In a contest: about 1 in 3');
  const settings = await ada.open('/authentication/account/appearance/');
  assert.match(textOf(settings, '.page'), /Only you can see it/);
  await ada.submit({ name: 'hidesChances', value: 'true' });
  assert.equal(await odds('8D'), undefined);
  assert.doesNotMatch(textOf(await ada.open(await problem('8D')), '.page'), /chance|In a contest/i);
  await garden.store.write((tx) => setSwitch(tx, 1n, 'hidesChances', false));
  assert.equal(await odds('8D'), 'In a contest: about 1 in 3');
});

test('nobody else learns a chance: not a coach who is an administrator on any page, nor any other way out', async (t) => {
  const { garden, take, url, problem } = await world(t);
  await take(1);
  await take(2);
  const { store } = garden;
  await store.write((tx) => tx.updateTable('members').set({ role: 'staff' }).where('username', '=', 'bob').execute());
  const group = await makeGroup(store, 2n, { name: 'Pond club', zone: 'UTC' });
  const link = { uses: 1, lifetimeMs: 60_000, madeBy: 2n };
  const secret = await makeGroupLink(store, { groupId: group, coachId: 2n }, link);
  await joinGroup(store, 1n, secret);
  const before = await garden.everything();
  const [ada, bob] = [await browserOf(url, 'ada'), await browserOf(url, 'bob')];
  assert.match((await ada.open(await problem('9D'))).text, /In a contest/);
  assert.equal((await ada.open('/dashboard/')).document.querySelectorAll('.next .odds').length, 2);
  const { pages } = await crawl(bob);
  assert.ok(pages.size > 60, `${pages.size} pages`);
  assert.ok([...pages].some(([path, text]) => path.includes('/groups/') && text.includes('ada')));
  for (const [path, text] of pages) assert.doesNotMatch(text, /In a contest|class="odds"|\b1816\b/, path);
  assert.equal(await garden.everything(), before, 'a chance is not stored, so no export has it');
  const importers = globSync('src/**/*.ts', { cwd: root })
    .filter((path) =>
      /from '[^']*\/(?:chance|strength|calibration|performance)\.ts'/.test(readFileSync(join(root, path), 'utf8')),
    )
    .filter((path) => !/src\/practice\/(?:chance|strength|calibration|performance)\.ts/.test(path));
  assert.deepEqual(importers.toSorted(), mayKnow);
});

test('how often we were right is said from 30 predictions on, and of everybody from five people on', async (t) => {
  const { garden, take, sendAs, url } = await world(t);
  const path = '/dashboard/progress/chance/';
  const ada = await browserOf(url, 'ada');
  for (const id of [1, 2, 3]) await take(id);
  const few = await ada.open(path);
  assert.match(textOf(few, '.empty'), /needs 30 problems.*So far: 6\./);
  for (const id of [4, 5, 6, 8, 9]) await take(id);
  for (const name of ['bob', 'cleo', 'dora'])
    for (const id of [1, 2, 3, 4, 5]) await sendAs(name, `${name}_cf`, ...solvesOf(id));
  const models = chanceModels;
  const everybody = (day: number) => readGardenCalibration(garden.store.reader, models, Date.now() + day * 86_400_000);
  assert.deepEqual(await everybody(1), [], 'four people');
  for (const id of [1, 2, 3, 4, 5]) await sendAs('emil', 'emil_cf', ...solvesOf(id));
  assert.deepEqual(await everybody(1), [], 'not again on the same day');
  const lines = await everybody(2);
  assert.ok(lines.length > 0 && lines.every(({ count }) => count >= 10));
  await garden.store.write((tx) =>
    tx.updateTable('members').set({ is_disabled: 1n }).where('username', '=', 'emil').execute(),
  );
  assert.deepEqual(await everybody(3), []);
  const page = await ada.open(path);
  assert.match(
    textOf(page, '#own, .panel'),
    /Of 36 problems in your contests we expected you to solve \d+. You solved 18\./,
  );
  assert.ok(page.document.querySelectorAll('tbody tr').length >= 1);
  await garden.store.write((tx) => setSwitch(tx, 1n, 'hidesChances', true));
  assert.equal((await ada.open(path)).status, 404);
});

test('topics in contests stand beside what was expected of them, from ten problems on', async (t) => {
  const { garden, take, url } = await world(t);
  const path = '/dashboard/progress/';
  const ada = await browserOf(url, 'ada');
  const shown = async (query = '') => {
    const page = await ada.open(path + query);
    const rows = page.document.querySelectorAll('[aria-labelledby="contest-topics"] tbody tr');
    return rows.map((row) => row.querySelectorAll('th, td').map(({ textContent }) => textContent));
  };
  for (const id of [1, 2, 3, 4, 5]) await take(id);
  assert.deepEqual(await shown(), [], 'nine of each topic');
  assert.match(textOf(await ada.open(path), '[aria-labelledby="contest-topics"]'), /needs 10 problems of a topic/);
  await take(6);
  const lines = [
    ['dp', '12', '7', '8'],
    ['graphs', '12', '5', '4'],
  ];
  assert.deepEqual(await shown(), lines);
  assert.deepEqual(await shown('?span=90'), lines);
  assert.deepEqual(await shown('?to=2001-01-01'), []);
  await garden.store.write((tx) => setSwitch(tx, 1n, 'hidesChances', true));
  assert.doesNotMatch(textOf(await ada.open(path), '.page'), /Topics in contests|expected|chance/i);
});

test('the page of an unrated problem counts who took its contest, from five others on', async (t) => {
  const { garden, sendAs, url, problem } = await world(t);
  const shown = async (name: string, key = '7F') => {
    const page = await (await browserOf(url, name)).open(await problem(key));
    return /In its contest, (.*) people here/.exec(textOf(page, '.page'))?.[1];
  };
  const send = (name: string, ...sent: Sent[]) => sendAs(name, `${name}_cf`, ...sent);
  await send('bob', ['7F', 'OK', during(7)]);
  await send('cleo', ['7A', 'WRONG_ANSWER', during(7)], ['7F', 'OK', during(7, 700), 'VIRTUAL']);
  await send('dora', ['7F', 'WRONG_ANSWER', during(9), 'VIRTUAL'], ['7F', 'OK', during(9, 8000), 'PRACTICE']);
  await send('emil', ['7F', 'COMPILATION_ERROR', during(7)]);
  await sendAs('emil', 'emil_second', ['7F', 'OK', during(8), 'VIRTUAL']);
  await send('finn', ['7A', 'OK', during(7), 'CONTESTANT', { teamName: 'Frogs' }]);
  await send('gwen', ['7F', 'OK', during(6), 'PRACTICE'], ['7F', 'OK', during(9), 'VIRTUAL']);
  await send('ada', ['7F', 'OK', during(7)]);
  assert.equal(await shown('ada'), undefined, 'four others took it: no team, nobody who had solved it before');
  assert.equal(await shown('gwen'), '3 of 5');
  const justNow = Math.floor(Date.now() / 1000) - 600;
  await sendAs('finn', 'finn_second', ['7B', 'OK', justNow, 'VIRTUAL']);
  assert.equal(await shown('gwen'), '3 of 5', 'a virtual contest that runs');
  await sendAs('finn', 'finn_second', ['7B', 'OK', during(9), 'VIRTUAL']);
  assert.equal(await shown('gwen'), '3 of 6');
  assert.equal(await shown('ada'), '2 of 5', 'without ada herself');
  assert.equal(await shown('ada', '7A'), undefined, 'it has a rating');
  const change = (values: { is_disabled?: bigint; is_sample?: bigint }) =>
    garden.store.write((tx) => tx.updateTable('members').set(values).where('username', '=', 'cleo').execute());
  await change({ is_disabled: 1n });
  assert.equal(await shown('ada'), undefined);
  await change({ is_disabled: 0n, is_sample: 1n });
  assert.equal(await shown('ada'), undefined);
});
