/** What pages say of chances: in words, to the member alone, and not at all to those who hide them. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
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
  'src/web/pages/today/suggestions.ts',
  'src/web/pages/today/today.ts',
];

const start = Math.floor(Date.now() / 1000) - 20 * 86_400;
const during = duringContest(start);

async function world(t: TestContext) {
  const { garden, send } = await contestGarden(t, start);
  const { url } = await serveHere(t, { databaseUrl: garden.databaseUrl });
  const take = (id: number) =>
    send('ada_cf', ...['A', 'B', 'C'].map((l, n): Sent => [`${id}${l}`, 'OK', during(id, n)]));
  const idOf = async (key: string) =>
    (await garden.rows('problems')).find(({ source_key }) => source_key === key)?.['id'];
  const problem = async (key: string) => `/problem_list/problem/${await idOf(key)}/`;
  return { garden, send, take, url, problem };
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
  for (const [path, text] of pages) assert.doesNotMatch(text, /In a contest|class="odds"|18[12]\d/, path);
  assert.equal(await garden.everything(), before, 'a chance is not stored, so no export has it');
  const importers = globSync('src/**/*.ts', { cwd: root })
    .filter((path) =>
      /from '[^']*\/(?:chance|strength|calibration|performance)\.ts'/.test(readFileSync(join(root, path), 'utf8')),
    )
    .filter((path) => !/src\/practice\/(?:chance|strength|calibration|performance)\.ts/.test(path));
  assert.deepEqual(importers.toSorted(), mayKnow);
});
