/** What other programs, sites and repositories have of solved problems: which problems they are, and when they were solved. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readListText } from '../../src/importing/list-text.ts';
import {
  looksLikeSolvedList,
  readIdList,
  readSolvedText,
  readSolvedZip,
  type SolvedFile,
  sourceOfSavedPage,
  submittedAt,
  withFullLinks,
} from '../../src/importing/solved-files.ts';
import { daysOf } from '../../src/practice/days.ts';
import { dayRuleOf } from '../../src/practice/preferences.ts';
import { ownMs } from '../support/processes.ts';
import { type ZipEntry, zipFile } from '../support/zips.ts';

const days = daysOf(dayRuleOf(null, null));

const readZip = (...files: ZipEntry[]) => readSolvedZip(zipFile(files), new Map(), days);

const outline = (file: SolvedFile | undefined) =>
  file && [
    ...file.links.map(({ address, title, solvedAt }) =>
      [address, title && `[${title}]`, solvedAt].filter(Boolean).join(' '),
    ),
    ...file.skipped.map(({ address }) => `? ${address}`),
    ...(file.lacksProblemFiles ? ['lacks the files of problems'] : []),
  ];

const leetcode = (slug: string, status: unknown, number: unknown = 1) => ({
  stat: { question__title: `T ${slug}`, question__title_slug: slug, frontend_question_id: number },
  status,
});
const harvested = (index: string, timestamp: string) => ({
  problem_url: index && `https://codeforces.com/contest/5/problem/${index}`,
  submission_url: 'https://codeforces.com/contest/5/submission/9',
  problem_name: index,
  timestamp,
});
/** No conversion can call it. */
const uncallable = { toString: 1, valueOf: 1 };
const jsonFiles: readonly (readonly [what: string, value: unknown, lines: string[] | undefined])[] = [
  [
    'VJudge',
    { acRecords: { CodeForces: ['4A'], Kattis: ['zamka', 'a b'], HDU: [1000], none: 7 } },
    [
      'https://vjudge.net/problem/CodeForces-4A',
      'https://vjudge.net/problem/Kattis-zamka',
      'https://vjudge.net/problem/HDU-1000',
      '? Kattis a b',
    ],
  ],
  [
    'Luogu',
    { data: { passed: [{ pid: 'P1001', title: 'A+B' }, { pid: '?' }] } },
    ['https://www.luogu.com.cn/problem/P1001 [A+B]', '? ?'],
  ],
  [
    'Luogu before 2026',
    { currentData: { passedProblems: [{ pid: 'CF5A', name: 'Pond' }] } },
    ['https://www.luogu.com.cn/problem/CF5A [Pond]'],
  ],
  [
    'LeetCode',
    {
      stat_status_pairs: [
        leetcode('two-sum', 'ac'),
        leetcode('3sum', 'notac'),
        leetcode('Xy7a', 'ac', 'LCR 001'),
        leetcode('a/b', 'ac'),
        leetcode('', 'ac', 7),
        leetcode('x', null),
        7,
      ],
    },
    [
      'https://leetcode.com/problems/two-sum/ [T two-sum]',
      'https://leetcode.cn/problems/Xy7a/ [T Xy7a]',
      '? a/b',
      '? 7',
    ],
  ],
  [
    'HackerRank',
    {
      models: [
        { name: 'Pangrams', ch_slug: 'x', url: '/challenges/pangrams', created_at: '2025-01-28T17:55:01+00:00' },
        { ch_slug: 'never', created_at: '2999' },
        { ch_slug: '../x' },
      ],
    },
    [
      'https://www.hackerrank.com/challenges/pangrams [Pangrams] 2025-01-28T17:55:01.000Z',
      'https://www.hackerrank.com/challenges/never',
      '? /challenges/../x',
    ],
  ],
  [
    'USACO Guide',
    {
      userProgressOnProblems: {
        'cf-5A': 'Solved',
        'cf-4A': 'Solving',
        'ac-abc139_d': 'Solved',
        'usaco-964': 'Solved',
        'toString-1': 'Solved',
      },
    },
    [
      'https://vjudge.net/problem/CodeForces-5A',
      'https://usaco.org/index.php?page=viewproblem2&cpid=964',
      '? ac-abc139_d',
      '? toString-1',
      'lacks the files of problems',
    ],
  ],
  [
    'USACO Guide without unknown names',
    { userProgressOnProblems: { 'cses-1068': 'Solved' } },
    ['https://cses.fi/problemset/task/1068'],
  ],
  [
    'LeetSRS',
    {
      data: {
        cards: {
          'two-sum': { fsrs: { reps: 1 } },
          '3sum': { fsrs: { reps: 0 } },
          'A B': { fsrs: { reps: 2 } },
          x: null,
        },
      },
    },
    ['https://leetcode.com/problems/two-sum/', '? A B'],
  ],
  [
    'Harwest, the first solve first',
    {
      a: harvested('C', ''),
      b: harvested('A', 'Mar/16/2023 10:11'),
      c: harvested('B', 'Mar/15/2023 00:11'),
      d: harvested('D', 'Jan/01/2999 00:00'),
      e: harvested('', ''),
    },
    [
      'https://codeforces.com/contest/5/problem/B [B] 2023-03-15T04:00:00.000Z',
      'https://codeforces.com/contest/5/problem/A [A] 2023-03-16T04:00:00.000Z',
      'https://codeforces.com/contest/5/problem/C [C]',
      'https://codeforces.com/contest/5/problem/D [D]',
      `? ${JSON.stringify(harvested('', '')).slice(0, 100)}`,
    ],
  ],
  ['other JSON', { a: { problem_url: 'x' } }, undefined],
  ['a count that nothing converts', { data: { cards: { 'two-sum': { fsrs: { reps: uncallable } } } } }, []],
  ['a key that nothing converts', { acRecords: { CodeForces: [uncallable] } }, ['? CodeForces ']],
  ['a number that nothing converts', { stat_status_pairs: [leetcode('', 'ac', uncallable)] }, ['? ']],
  ['a list', [{ acRecords: {} }], undefined],
];
for (const [what, value, lines] of jsonFiles)
  test(`solved problems are read: ${what}`, () =>
    assert.deepEqual(outline(readSolvedText(JSON.stringify(value), days)), lines));

test('a file is known by its first characters, a saved page by its first comment, and a README has its time', () => {
  assert.deepEqual(['{ "acRecords" : {}', '{"models":[]}'].map(looksLikeSolvedList), [true, false]);
  const saved = (url: string) => sourceOfSavedPage(`<!-- saved from url=(0031)${url} -->`);
  assert.deepEqual(
    [saved('https://atcoder.jp/x'), saved('https://cses.fi/x'), saved('https://x.example/')],
    ['atcoder', 'cses', ''],
  );
  const readme = (time: string) => submittedAt(`### 제출 일자\n\n${time}`);
  assert.equal(readme('2023년 3월 5일 10:01:12'), '2023-03-05T01:01:12.000Z');
  for (const no of ['2999년 3월 5일 10:01:12', '1960년 3월 5일 10:01:12', '2023년 13월 5일 10:01:12', 'x', ''])
    assert.equal(readme(no), undefined, no);
});

test('the files of problems in a ZIP resolve the names of USACO Guide, whatever else is in it', async () => {
  const progress = { userProgressOnProblems: { 'ac-abc139_d': 'Solved', 'cf-5A': 'Solved', 'x-1': 'Solved' } };
  const problem = { uniqueId: 'ac-abc139_d', name: 'ModSum', url: 'https://atcoder.jp/contests/abc139/tasks/abc139_d' };
  const module = { MODULE_ID: 'mod', x: [problem, 7, { uniqueId: 'x-1' }] };
  const file = await readZip(
    { name: 'mine/usacoguide-userdata (1).json', text: JSON.stringify(progress) },
    { name: 'mine/content/Modular.problems.json', text: JSON.stringify(module) },
    { name: 'mine/content/x.json', text: '[' },
  );
  assert.deepEqual(outline(file), [
    'https://atcoder.jp/contests/abc139/tasks/abc139_d [ModSum]',
    'https://vjudge.net/problem/CodeForces-5A',
    '? x-1',
  ]);
});

test('code stands beside its problem, without bytes where it is too large, and with its submission where a file says it', async () => {
  const [odd, large] = [Buffer.from([0x23, 0xff]), Buffer.alloc(65_537, 'x')];
  const hub = await readZip(
    { name: 'r/0001-two-sum/0001-two-sum.py', text: odd },
    { name: 'r/0001-two-sum/0001-two-sum.cpp', text: large },
    { name: 'r/0001-two-sum/max.c', text: large.subarray(1) },
    { name: 'r/0001-two-sum/stored.c', text: 'x', method: 0 },
    { name: 'r/other/a.c', text: 'x' },
  );
  const address = 'https://leetcode.com/problems/two-sum/';
  assert.deepEqual(hub?.code, [
    { address, file: '0001-two-sum.py', bytes: odd },
    { address, file: '0001-two-sum.cpp', bytes: undefined },
    { address, file: 'max.c', bytes: large.subarray(1) },
    { address, file: 'stored.c', bytes: Buffer.from('x') },
  ]);
  for (const lie of [{ size: 1 }, { size: 9 }, { method: 12 }, { flags: 0x801 }, { packed: Buffer.from('x') }])
    assert.equal(await readZip({ name: 'a/a.c', text: 'int', ...lie }), undefined);
  for (const root of ['', 'my/']) {
    const row = { ...harvested('A', ''), path: 'codeforces\\5\\A.cpp' };
    const harwest = await readZip(
      { name: `${root}submissions.json`, text: JSON.stringify({ 1: row, 2: { ...row, path: 'gone.cpp' } }) },
      { name: `${root}codeforces/5/A.cpp`, text: odd },
    );
    const { problem_url: address, submission_url: submission } = row;
    assert.deepEqual(harwest?.code, [{ file: 'A.cpp', bytes: odd, address, submission }]);
  }
});

test('bare names count only on lines of nothing else', async () => {
  const read = (text: string, source: string) => readIdList(text, source).links.map(({ address }) => address);
  const timus = (n: number) => `https://acm.timus.ru/problem.aspx?space=1&num=${n}`;
  assert.deepEqual(read('1000, 1001;1002\n- 1003\nSolved: 12\n', 'timus'), [1000, 1001, 1002, 1003].map(timus));
  for (const [source, text, ids, begin, end = ''] of [
    [
      'kattis',
      'zamka\nMy solved problems\nabc, quickestimate',
      'zamka abc quickestimate',
      'https://open.kattis.com/problems/',
    ],
    ['kattis', 'zamka trik hello\nlist of my problems\na/b c', 'zamka trik hello', 'https://open.kattis.com/problems/'],
    [
      'leetcode',
      'two-sum, subsets 3sum\ntwo sum\nvalid anagram; subsets',
      'two-sum subsets 3sum',
      'https://leetcode.com/problems/',
      '/',
    ],
    [
      'spoj',
      'PRIME1 – TEST • ADDREV\nprime1 test\nSolved\ndone\nDone:',
      'PRIME1 TEST ADDREV prime1 test',
      'https://www.spoj.com/problems/',
      '/',
    ],
    ['codechef', 'flow001 START01', 'flow001 START01', 'https://www.codechef.com/problems/'],
    ['luogu', 'p1001 itp1\np1001', 'p1001', 'https://www.luogu.com.cn/problem/'],
    ['aoj', 'itp1_1_a ITP1_1_B', 'itp1_1_a ITP1_1_B', 'https://onlinejudge.u-aizu.ac.jp/problems/'],
    ['codeforces', '12) 4A\n\\[x\\] 1459B2 | 12345678A', '4A', 'https://vjudge.net/problem/CodeForces-'],
    ['atcoder', 'ABC_a, abc001', '', ''],
  ] as const)
    assert.deepEqual(read(text, source), ids === '' ? [] : ids.split(' ').map((id) => begin + id + end), text);
  assert.deepEqual(
    readIdList('\n[x] 1000\n- [ ] 1001', 'timus').links.map(({ line, status }) => [line, status?.isSolved]),
    [
      [2, true],
      [3, false],
    ],
  );
  assert.deepEqual(read('<!doctype html><p>1000', 'timus'), []);
  assert.deepEqual(read('1000', 'nowhere'), []);
  assert.deepEqual(readIdList('x y z\nzamka', 'kattis').skipped, [{ line: 1, address: 'x y z' }]);
  const ms = await ownMs(() => {
    readIdList('1 '.repeat(500_000), 'timus');
    readIdList('a,'.repeat(500_000), 'kattis');
  });
  assert.ok(ms < 2000, `${ms} ms`);
});

test('saved pages of profiles are read: links without a host, links to submissions, and only what is solved', async () => {
  const read = (source: string, page: string) => {
    const sections = readListText(withFullLinks(`<!DOCTYPE html><html><body>${page}`, source))?.sections ?? [];
    return sections.flatMap(({ links }) => links.map(({ address }) => address));
  };
  const cell = (name: string) => `<td align="left"><a href="/status/${name},ada/">${name}</a></td>`;
  const spoj = `<a href="/problems">PROBLEMS</a><h4>List of solved classical problems:</h4><table>${cell('ABSYS')}${cell('NY10A')}
    </table><h4>TODO list of classical problems:</h4><table>${cell('TEST')}</table>`;
  assert.deepEqual(
    read('spoj', spoj).filter((address) => /\/problems\/./.test(address)),
    ['https://www.spoj.com/problems/ABSYS/', 'https://www.spoj.com/problems/NY10A/'],
  );
  const codechef = `<h5>Fully Solved (2)</h5><a href='/COOK55/status/TRISQ,ada'>TRISQ</a><a href="/status/LAPIN,ada">LAPIN</a>
    <h5>Partially Solved (1)</h5><a href="/status/ZOZ,ada">ZOZ</a>`;
  const problem = 'https://www.codechef.com/problems/';
  assert.deepEqual(read('codechef', codechef), [`${problem}TRISQ`, `${problem}LAPIN`]);
  const timus = `<TD CLASS="accepted"><A HREF="status.aspx?space=1&amp;num=1000&amp;author=7">1000</A></TD>
    <TD CLASS="tried"><A HREF="status.aspx?space=1&amp;num=1001&amp;author=7">1001</A></TD>
    <TD CLASS="empty"><A HREF="problem.aspx?space=1&amp;num=1002">1002</A></TD>
    <td class="accepted"><a href="https://acm.timus.ru/status.aspx?author=7&amp;num=1225">1225</a></td>`;
  const number = 'https://acm.timus.ru/problem.aspx?space=1&num=';
  assert.deepEqual(read('timus', timus), [`${number}1000`, `${number}1225`]);
  const kattis =
    '<a href="/users/ada">Ada</a> <a class="x" href="/problems/zamka">Zamka</a> <img src="/problems/x.png">';
  assert.deepEqual(read('kattis', kattis), ['https://open.kattis.com/problems/zamka']);
  assert.deepEqual(read('codeforces', '<a href="/contest/4/problem/A">x'), [
    'https://codeforces.com/contest/4/problem/A',
  ]);
  assert.equal(withFullLinks(spoj, ''), spoj);
  const ms = await ownMs(() => {
    withFullLinks('<a href='.repeat(100_000), 'spoj');
    withFullLinks('<td accepted'.repeat(80_000), 'timus');
  });
  assert.ok(ms < 2_000, `${ms} ms`);
});

test('a zip has names as git quotes them and as programs make them, and texts as Windows saves them', async () => {
  const octal = [...Buffer.from('백준')].map((byte) => `\\${byte.toString(8)}`).join('');
  const names = ['1463. 1로', '1000.\u2005A＋B', '2096번. 내려가기', '1182.\n\t합'];
  const readme = Buffer.from('\ufeff<a href="https://leetcode.com/problems/two-sum/">', 'utf16le');
  const found = await readZip(
    ...names.map((name) => ({ name: `repo/${octal}/Silver/${name}/a.py`, text: 'x', flags: 0 })),
    { name: 'repo/백준/Gold/7. 합/a.py'.normalize('NFD'), text: 'x' },
    // The backslashes of Windows, before numbers that could be octal.
    { name: 'repo\\200\\345. 이름\\a.py', text: 'x' },
    { name: 'repo/two-sum/README.md', text: readme },
  );
  const { links = [], skipped } = found ?? {};
  const baekjoon = [1463, 1000, 2096, 1182, 7].map((number) => `https://www.acmicpc.net/problem/${number}`);
  assert.deepEqual(
    links.map(({ address }) => address).toSorted(),
    [...baekjoon, 'https://leetcode.com/problems/two-sum/'].toSorted(),
  );
  assert.deepEqual(skipped, [{ line: 0, address: '200/345. 이름' }]);
});

/** A folder, what its README says, and the end of the address of its problem; '' for a folder that is passed over. */
const folders: readonly [folder: string, readme: string, address: string][] = [
  ['cf/71A', '# [A. Long](https://codeforces.com/contest/5/problem/A)\n\nhttps://cses.fi/problemset/task/1', '/A'],
  ['kattis/hi', '# Hi\n\nProblem: <https://open.kattis.com/problems/hi>\n', 'com/problems/hi'],
  ['hub/2096번. 하나', '[문제 링크](https://www.acmicpc.net/problem/2097)', '/2097'],
  ['백준/Gold/2098번. 둘', '', '/2098'],
  ['917-TwoSumOfBSTs', '<h2>881. Two Sum (of BSTs)</h2> https://leetcode.com/problems/other/', '/two-sum-of-bsts/'],
  ['12-LRUCache', '', '/lru-cache/'],
  ['18-4SumII', '', '/4sum-ii/'],
  ['one-two', '<p>Example 1:</p> <b>Constraints:</b>', '/one-two/'],
  ['Easy/valid', 'x https://leetcode.com/problems/valid/ https://cses.fi/problemset/task/2', '/valid/'],
  ['three-four', 'A sort', ''],
  ['0233-xoh6Oh', '', ''],
  ['Sums - GFG', '# [Sums](https://www.geeksforgeeks.org/problems/sums/1)', '/sums/1'],
  ['notes', 'https://cses.fi/problemset/task/3\nhttps://cses.fi/problemset/task/4', ''],
  ['프로그래머스/1/12345.\u2005이름\n\t', '', ''],
];

test('folders of a repository are read by the link of their README, else by their names, or named as passed over', async () => {
  const files = [...folders, ['.github', '', ''], ['12-LRUCache/version', '', '']].flatMap(
    ([folder = '', readme = '']) => [
      { name: `r/${folder}/${folder.slice(folder.lastIndexOf('/') + 1)}.py`, text: 'x' },
      ...(readme === '' ? [] : [{ name: `r/${folder}/Readme.md`, text: readme }]),
    ],
  );
  const others = ['docs/01-intro/a.py', 'utils/utils.py', '2024-review/2024-review.md'];
  files.push({ name: 'r/README.md', text: '# [x](https://cses.fi/problemset/task/5)' });
  files.push(...others.map((name) => ({ name: `r/${name}`, text: 'x' })));
  const { links = [], skipped = [] } = (await readZip(...files)) ?? {};
  for (const [folder, , end] of folders)
    assert.equal(links.filter(({ address }) => end !== '' && address.endsWith(end)).length, end === '' ? 0 : 1, folder);
  const passedOver = ['three-four', '0233-xoh6Oh', 'notes', '프로그래머스/1/12345. 이름', 'docs/01-intro', 'utils'];
  assert.deepEqual(skipped.map(({ address }) => address).toSorted(), passedOver.toSorted());
  assert.equal(links.length + skipped.length, folders.length + 2);
});
