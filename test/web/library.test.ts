/** The library: lists that the garden makes of its own catalogue, with the member's progress, and copies of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setStatus } from '../../src/practice/marks.ts';
import { upsertSolvedCounts } from '../../src/store/problems.ts';
import { attributesOf, textsOf } from '../support/elements.ts';
import { memberWithPassword, type Page, textOf } from '../support/forms.ts';
import { importRows, temporaryDatabase, withStore } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';

const library = '/problem_list/lists/library/';
const row = (id: number, source: string, source_key: string, rating: number | null, ...tags: string[]) => ({
  id,
  source,
  source_key,
  title: `Pond ${id}`,
  rating,
  tags,
});
const problems = [
  ...Array.from({ length: 120 }, (_, n) => row(n + 1, 'codeforces', `${n + 1}A`, 1400 + (n % 2) * 50, 'dp')),
  row(121, 'codeforces', '121A', 1500),
  row(122, 'codeforces', '122A', null),
  row(123, 'codeforces', '100001A', 1400),
  row(201, 'cses', '1068', null, 'introductory problems'),
  row(202, 'cses', '1083', null, 'introductory problems'),
  row(203, 'cses', '1192', null, 'graph algorithms'),
  row(301, 'atcoder', 'abc100_a', 12),
  row(302, 'atcoder', 'abc100_b', 399),
  row(303, 'atcoder', 'abc100_c', 2900),
  row(401, 'dmoj', 'a', 10, 'b/c & "d"'),
  row(402, 'dmoj', 'b', 5, 'b/c & "d"'),
  row(501, 'club', '1', 5, 'secret'),
];

const shelvesIn = ({ document }: Page) =>
  document
    .querySelectorAll('[data-shelf]')
    .map((one) => [
      one.getAttribute('data-shelf'),
      one.querySelector('h3')?.textContent,
      one.querySelector('.num')?.textContent,
    ]);
const idsIn = (page: Page) => attributesOf(page, 'tr[data-problem]', 'data-problem').map(Number);

test('the library', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const memberId = await memberWithPassword(databaseUrl, 'ada');
  const { url } = await serveHere(t, { databaseUrl });
  const ada = await browserOf(url, 'ada');

  await t.test('without problems it says so', async () => {
    assert.match((await ada.open(library)).text, /An administrator can import them/);
    assert.equal((await ada.open(`${library}codeforces/from-1400/`)).status, 404);
  });

  await importRows(databaseUrl, 'problems', problems);
  await withStore(databaseUrl, (store) =>
    store.write(async (tx) => {
      await upsertSolvedCounts(
        tx,
        Array.from({ length: 115 }, (_, n) => ({ problem_id: BigInt(n + 1), solved_by: BigInt(n * 10) })),
      );
      await setStatus(tx, { memberId, problemIds: [1n, 115n, 202n], status: 'complete' });
    }),
  );

  await t.test('each judge has its shelves, with what the member solved', async () => {
    assert.deepEqual(shelvesIn(await ada.open(library)), [
      ['codeforces from-1400', '1400–1499', '1 of 100 solved'],
      ['codeforces from-1500', '1500–1599', '0 of 1 solved'],
      ['atcoder from-0', 'Grey, 0–399', '0 of 2 solved'],
      ['atcoder from-2800', 'Red, 2800+', '0 of 1 solved'],
      ['cses all', 'Whole problem set', '1 of 3 solved'],
      ['cses topic-introductory problems', 'introductory problems', '1 of 2 solved'],
      ['cses topic-graph algorithms', 'graph algorithms', '0 of 1 solved'],
      ['dmoj topic-b/c & "d"', 'b/c & "d"', '0 of 2 solved'],
    ]);
    assert.match((await ada.open('/problem_list/lists/')).text, new RegExp(`href="${library}"`));
  });

  await t.test('a ladder has those first that most people solved, and no gym', async () => {
    const page = await ada.open(`${library}codeforces/from-1400/`);
    const wanted = Array.from({ length: 100 }, (_, n) => 115 - n);
    assert.deepEqual(idsIn(page), wanted);
    const copied = await ada.submit({ name: 'do', value: 'copy' });
    assert.match(copied.path, /^\/problem_list\/lists\/\d+\/$/);
    assert.equal(textOf(copied, 'h1'), 'Codeforces: 1400–1499');
    assert.deepEqual(idsIn(copied), wanted);
  });

  await t.test('a shelf whose name has any signs is found, and the whole set keeps its sections', async () => {
    await ada.open(library);
    const dmoj = await ada.submit({ within: '[data-shelf^=dmoj]', name: 'do' });
    assert.deepEqual(idsIn(dmoj), [402, 401]);
    await ada.open(`${library}cses/all/`);
    const cses = await ada.submit({ name: 'do', value: 'copy' });
    assert.deepEqual(textsOf(cses, '.list-section h2'), ['introductory problems', 'graph algorithms']);
    assert.deepEqual(idsIn(cses), [201, 202, 203]);
    for (const path of ['codeforces/from-9000/', 'club/topic-secret/', '__proto__/all/', 'cses/x/'])
      assert.equal((await ada.open(library + path)).status, 404, path);
  });

  await t.test('a new problem is there at once, and more than a list holds is divided in equal parts', async () => {
    const many = Array.from({ length: 1200 }, (_, n) => row(1000 + n, 'dmoj', `m${n}`, n, 'math'));
    await importRows(databaseUrl, 'problems', many);
    const page = await ada.open(library);
    assert.deepEqual(
      shelvesIn(page)
        .slice(-2)
        .map(([, ...shown]) => shown),
      [
        ['math, part 1 of 2', '0 of 600 solved'],
        ['math, part 2 of 2', '0 of 600 solved'],
      ],
    );
    const second = await ada.open(`${library}dmoj/2-topic-math/?page=6`);
    assert.equal(idsIn(second).at(-1), 2199);
  });

  await t.test('Codeforces has ladders by division and letter, by the names of contests', async () => {
    const contests = {
      900: 'Codeforces Round 900 (Div. 2)',
      901: 'Codeforces Round 900 (Div. 1)',
      902: 'Codeforces Beta Round 77 (Div. 2 Only)',
      903: 'Educational Codeforces Round 9 (Rated for Div. 2)',
      904: 'CodeTON Round 7 (Div. 1 + Div. 2)',
      905: 'Codeforces Round 477 (rated, Div. 2, based on VK Cup 2018 Round 3)',
      906: 'AIM Tech Round 5 (rated, Div. 1 + Div. 2)',
      907: 'Codeforces Round 1 (Div. 1, Div. 2)',
    };
    await withStore(databaseUrl, (store) =>
      store.write(async (tx) => {
        const unknown = { starts_at: null, duration_s: 0n, phase: null, search_text: '', is_gym: 0n };
        const about = { source: 'codeforces', ...unknown };
        const rows = Object.entries(contests).map(([key, title]) => ({ ...about, id: BigInt(key), key, title }));
        await tx.insertInto('contests').values(rows).execute();
      }),
    );
    const keys = ['900C', '900D1', '901A', '902C', '903C', '904C', '900G', '905E', '906E', '907E'];
    await importRows(
      databaseUrl,
      'problems',
      keys.map((key, at) => row(3000 + at, 'codeforces', key, null)),
    );
    await withStore(databaseUrl, (store) =>
      store.write((tx) => upsertSolvedCounts(tx, [{ problem_id: 3003n, solved_by: 9n }])),
    );
    const shelves = shelvesIn(await ada.open(library)).filter(([key]) => key?.startsWith('codeforces'));
    assert.deepEqual(
      shelves.map(([, name, solved]) => [name, solved]),
      [
        ['1400–1499', '1 of 100 solved'],
        ['1500–1599', '0 of 1 solved'],
        ['Div. 1 A', '0 of 1 solved'],
        ['Div. 2 C', '0 of 2 solved'],
        ['Div. 2 D', '0 of 1 solved'],
        ['Div. 2 E', '0 of 1 solved'],
      ],
    );
    assert.match(
      textOf(await ada.open(library), '[aria-labelledby=of-codeforces] .soft'),
      /division and letter from A to F/,
    );
    const ladder = await ada.open(`${library}codeforces/${encodeURIComponent('ladder-Div. 2 C')}/`);
    assert.deepEqual(idsIn(ladder), [3003, 3000], 'most solved first');
    assert.equal(textOf(await ada.submit({ name: 'do', value: 'copy' }), 'h1'), 'Codeforces: Div. 2 C');
  });

  await t.test('a problem whose id is below 1 is on its shelf as any other', async () => {
    await importRows(databaseUrl, 'problems', [row(0, 'atcoder', 'abc100_d', 2900), row(-7, 'atcoder', 'x_e', 2950)]);
    const shelf = shelvesIn(await ada.open(library)).find(([key]) => key === 'atcoder from-2800');
    assert.equal(shelf?.[2], '0 of 3 solved');
  });
});
