/** Courses come in by the doors of lists: practice-course/1, a training of Hydro, and the two files of The Ultimate Topic List. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOfOtherFile } from '../../src/importing/course-files.ts';
import { decodeListFile } from '../../src/importing/list-bytes.ts';
import { listFileOf, renderListFile } from '../../src/importing/list-file.ts';
import { readListText } from '../../src/importing/list-text.ts';
import { courseOf } from '../../src/practice/courses.ts';
import { listOwnLists, listSections } from '../../src/store/lists.ts';
import { zipOf } from '../support/zips.ts';
import { codeforcesNamed, type Garden, gardenOf } from './support.ts';

const at = (key: string) => `https://codeforces.com/contest/${Number.parseInt(key, 10)}/problem/${key.slice(-1)}`;

const course = {
  format: 'practice-course/1',
  title: 'From loops to trees',
  licence: 'CC0-1.0',
  modules: [
    {
      id: 'warm-up',
      title: 'Warm-up',
      about: 'Read first.',
      resources: [{ url: 'https://r.example/', title: 'R' }],
      problems: [],
    },
    { id: 'sorting', title: 'Sorting', needs: ['warm-up'], done: 1, problems: [{ url: at('1A') }, { url: at('1B') }] },
    { title: 'Trees', needs: ['sorting'], problems: [{ url: at('1B') }, { url: at('1C') }] },
  ],
};

async function gardenWith(t: Parameters<typeof gardenOf>[0]): Promise<Garden> {
  const garden = await gardenOf(t, 'ada');
  await garden.import('codeforces-problems', codeforcesNamed('Pond', '1A', '1B', '1C'));
  return garden;
}

async function ownList({ store }: Garden) {
  const [list] = await listOwnLists(store.reader, 1n);
  assert.ok(list);
  const sections = await listSections(store.reader, list.id);
  const read = courseOf(sections)?.modules.map(({ id, name, needed, done, problems }) => [
    id,
    name,
    needed,
    done,
    problems.map(({ source_key }) => source_key),
  ]);
  return { list, read };
}

const modules = [
  ['warm-up', 'Warm-up', [], undefined, []],
  ['sorting', 'Sorting', [1], 1, ['1A', '1B']],
  ['3', 'Trees', [2], undefined, ['1C', '1B']],
];

test('practice-course/1 comes in, and its file is the same course, also in the form practice-list/1', async (t) => {
  const garden = await gardenWith(t);
  const first = await garden.import('lists', JSON.stringify(course), { member: 'ada' });
  assert.deepEqual([first.report.new, first.report.unmatched], [3, 0]);
  const { list, read } = await ownList(garden);
  assert.deepEqual(read, modules);
  const file = JSON.parse(await renderListFile(garden.store.reader, list, 'json', new Map()));
  assert.deepEqual(
    [file.format, file.licence, file.sections, file.modules[0]],
    [course.format, 'CC0-1.0', undefined, course.modules[0]],
  );
  const asList = JSON.stringify(await listFileOf(garden.store.reader, list, new Map()));
  for (const text of [JSON.stringify(file), asList]) {
    assert.equal((await garden.import('lists', text, { member: 'ada' })).hasWritten, false);
    const other = await gardenWith(t);
    await other.import('lists', text, { member: 'ada' });
    assert.deepEqual((await ownList(other)).read, modules);
  }
});

test('a course that comes again changed takes the new needs, rules and modules, and loses no problem: one that moved counts in both', async (t) => {
  const garden = await gardenWith(t);
  await garden.import('lists', JSON.stringify(course), { member: 'ada' });
  const [, sorting] = course.modules;
  const changed = {
    ...course,
    modules: [
      { ...sorting, needs: [], done: 2, problems: [] },
      { id: 'new', title: 'New', problems: [] },
    ],
  };
  await garden.import('lists', JSON.stringify(changed), { member: 'ada' });
  await garden.import(
    'lists',
    JSON.stringify({ ...changed, modules: [{ ...changed.modules[0], problems: [{ url: at('1C') }] }] }),
    { member: 'ada' },
  );
  assert.deepEqual((await ownList(garden)).read, [
    ['warm-up', 'Warm-up', [], undefined, []],
    ['sorting', 'Sorting', [], 2, ['1A', '1B', '1C']],
    ['3', 'Trees', [2], undefined, ['1C', '1B']],
    ['new', 'New', [], undefined, []],
  ]);
  const trees = { id: '3', title: 'Trees', needs: ['sorting'], problems: [{ url: at('1C') }, { url: at('1C') }] };
  const moved = { ...course, modules: [{ ...sorting, problems: [] }, trees] };
  await garden.import('lists', JSON.stringify(moved), { member: 'ada' });
  const { list, read } = await ownList(garden);
  assert.deepEqual(
    read?.map(([, , , , keys]) => keys),
    [[], ['1A', '1B'], ['1C', '1B'], []],
    'a problem is no more in a module that came again without it',
  );
  const stored = (await listSections(garden.store.reader, list.id)).flatMap(({ problems }) => problems);
  assert.equal(stored.find(({ source_key }) => source_key === '1C')?.extras, null, 'its own module is no other one');
});

test('a problem that stands twice in one module is in it once', async (t) => {
  const garden = await gardenWith(t);
  const modules = [{ id: 'one', title: 'One', problems: [{ url: at('1A') }, { url: at('1A') }] }];
  await garden.import('lists', JSON.stringify({ ...course, modules }), { member: 'ada' });
  const { list } = await ownList(garden);
  assert.doesNotMatch(await renderListFile(garden.store.reader, list, 'json', new Map()), /also/);
});

test('a module with another id and the same title stays one, and one that is there no more stays', async (t) => {
  const garden = await gardenWith(t);
  await garden.import('lists', JSON.stringify(course), { member: 'ada' });
  const renamed = (again: number) => {
    const [, sorting] = course.modules;
    const modules = [
      { ...sorting, id: 'sort' },
      { id: 'trees', title: 'Trees', needs: ['sort'], problems: [{ url: at('1B') }] },
    ];
    return JSON.stringify({ ...course, modules: modules.slice(0, again) });
  };
  for (const text of [renamed(2), renamed(1)]) await garden.import('lists', text, { member: 'ada' });
  const expected = [
    modules[0],
    ['sort', 'Sorting', [1], 1, ['1A', '1B']],
    ['trees', 'Trees', [2], undefined, ['1C', '1B']],
  ];
  assert.deepEqual((await ownList(garden)).read, expected);
  assert.equal((await garden.import('lists', renamed(2), { member: 'ada' })).hasWritten, false);
});

test('a problem under two keys is one problem, which counts in the modules of both', async (t) => {
  const garden = await gardenOf(t, 'ada');
  const twin = { source: 'codeforces', source_key: '1A', aliases: ['2C'], title: 'Pond' };
  await garden.import('problems', [twin]);
  const part = (id: string, ...keys: string[]) => {
    return { id, title: id, problems: keys.map((key) => ({ url: at(key) })) };
  };
  const file = { ...course, modules: [part('div1', '1A', '2C'), part('div2', '2C')] };
  await garden.import('lists', JSON.stringify(file), { member: 'ada' });
  assert.deepEqual((await ownList(garden)).read, [
    ['div1', 'div1', [], undefined, ['1A']],
    ['div2', 'div2', [], undefined, ['1A']],
  ]);
});

test('a course has up to 1,000 modules, also without any problem, and one with more is refused', async (t) => {
  const garden = await gardenWith(t);
  const many = (length: number) =>
    JSON.stringify({
      format: 'practice-course/1',
      title: `${length}`,
      modules: Array.from({ length }, (_, id) => ({ id, title: `M${id}`, problems: [] })),
    });
  await assert.rejects(garden.import('lists', many(1001), { member: 'ada' }), { message: /up to 1000 sections.*1001/ });
  await garden.import('lists', many(1000), { member: 'ada' });
  assert.equal((await ownList(garden)).read?.length, 1000);
});

const outline = (text: string) =>
  readListText(text)?.sections.map(({ name, extras, links }) => [
    name,
    JSON.parse(extras ?? ''),
    links.map(({ address, title }) => [address, title]),
  ]);

test('the training of Hydro is a course whose problems are at hydro.ac', () => {
  const dag = [
    { _id: 1, title: '基础', requireNids: [], pids: [1000, 'P2'] },
    { _id: 2, title: '图', requireNids: [1], pids: ['club:P3', { toString: 1 }] },
  ];
  for (const [text, title] of [
    [JSON.stringify(dag), ''],
    [JSON.stringify({ title: 'T', content: '', dag }), 'T'],
  ] as const) {
    assert.equal(readListText(text)?.title, title);
    const untitled = (...paths: string[]) => paths.map((path) => [`https://hydro.ac/${path}`, undefined]);
    assert.deepEqual(outline(text), [
      ['基础', { id: 1, needs: [] }, untitled('p/1000', 'p/P2')],
      ['图', { id: 2, needs: [1] }, untitled('d/club/p/P3', 'p/')],
    ]);
  }
});

test('each pattern of NeetCode’s file is a module, also where its rows are apart', () => {
  const row = (problem: string, pattern: string) => ({
    problem,
    pattern,
    link: `${problem.toLowerCase()}/`,
    code: '1',
  });
  const file = [
    row('Sum', 'Arrays & Hashing'),
    row('Dfs', 'Graphs'),
    row('Two', 'Arrays & Hashing'),
    { problem: 'No' },
  ];
  const link = (name: string) => [`https://leetcode.com/problems/${name.toLowerCase()}/`, name];
  assert.deepEqual(outline(JSON.stringify(file)), [
    ['Arrays & Hashing', { id: 'Arrays & Hashing' }, [link('Sum'), link('Two')]],
    ['Graphs', { id: 'Graphs' }, [link('Dfs')]],
  ]);
});

const guide = {
  'content/4_Gold/Topo.mdx': `---\r\nid: toposort\r\ntitle: 'Kahn''s Sort'\r\nprerequisites:\r\n  - intro-dp\r\n  - 'Silver - Graphs'\r\ndescription: >\r\n  Ordering\r\n  vertices.\r\n---\r\nid: no\r\n`,
  'content/4_Gold/Topo.problems.json': JSON.stringify({
    MODULE_ID: 'toposort',
    sample: [{ uniqueId: 'cf-1A', name: 'Pond', url: at('1A') }],
    general: [{ name: 'Other', url: at('1B') }, { name: 'None' }],
  }),
  'content/6_Advanced/Dp.mdx':
    '---\nid: intro-dp\ntitle: "DP \\"1\\""\nprerequisites: [a-1]\ndescription: \'?\'\n---\n',
  'content/ordering.ts': "const order = { gold: [{ name: 'DP', items: ['intro-dp', 'toposort'] }] };",
  'content/Own.mdx': `---\nid: own\ntitle: Own\n---\n`.padEnd(262_144),
  'content/7_Large/Large.mdx': `---\nid: large\ntitle: Large\n---\n`.padEnd(262_145),
  'content/Draft.mdx': 'no head',
  'usacoguide-userdata.json': '{}',
};

test('the folder content of USACO Guide as a ZIP is a course in the order of the site', async () => {
  const zip = (files: Record<string, string>) => zipOf(new Map(Object.entries(files)));
  const resources = (path: string) => [{ url: `https://usaco.guide/${path}`, title: 'USACO Guide' }];
  const ponds = [
    [at('1A'), 'Pond'],
    [at('1B'), 'Other'],
  ];
  const sort = { id: 'toposort', about: 'Ordering vertices.', needs: ['intro-dp'] };
  const modules = [
    ['DP "1"', { id: 'intro-dp', about: '', needs: ['a-1'], resources: resources('adv/intro-dp') }, []],
    ["Kahn's Sort", { ...sort, resources: resources('gold/toposort') }, ponds],
    ['Own', { id: 'own', about: '', needs: [], resources: [] }, []],
  ];
  assert.deepEqual(outline(await decodeListFile(zip(guide))), modules);
  const { 'content/ordering.ts': _, ...unordered } = guide;
  assert.deepEqual(
    outline(await decodeListFile(zip(Object.fromEntries(Object.entries(unordered).reverse())))),
    [modules[1], modules[0], modules[2]],
    'by their paths',
  );
  const broken = { ...guide, 'content/4_Gold/Topo.problems.json': '{' };
  for (const bytes of [zip({ 'a.txt': at('1A') }), zip(broken), Buffer.from('PK\x03\x04')])
    await assert.rejects(decodeListFile(bytes), { code: 'badFile', message: /compressed/ });
  assert.equal(await decodeListFile(Buffer.from('PKU graphs')), 'PKU graphs');
});

const topicFiles = `// A comment isn't read: "
export const topicList = [
  { category_title: "Graphs", sub_categories: [{ sub_category_title: 'It\\'s', topics: [
    { topic_title: "0-1 BFS", topic_id: "0_1_bfs", phase: 1, },
    { topic_title: "Bridges: \\"all\\"", topic_id: "bridges" }, // { topic_title: "No" }
  ], }] },
];

export const topicInfo = {
  "0_1_bfs": { resources: [{ resource_title: "BFS", resource_url: "https://r.example/bfs" }], problem_order: ["b", "a", "gone"] },
};
export const topicListProblems = {
  a: { problem_url: "${at('1A')}", problem_title: 'Tom\\'s', topics: ["0_1_bfs", "bridges"] },
  b: { problem_url:
      "${at('1B')}", topics: [] },
};
`;

test('the two files of The Ultimate Topic List, one behind the other, are a course', () => {
  assert.equal(readListText(topicFiles)?.title, 'The Ultimate Topic List');
  const tom = [at('1A'), "Tom's"];
  const resources = [{ url: 'https://r.example/bfs', title: 'BFS' }];
  assert.deepEqual(outline(topicFiles), [
    ['0-1 BFS', { id: '0_1_bfs', resources }, [[at('1B'), undefined], tom]],
    ['Bridges: "all"', { id: 'bridges', resources: [] }, [tom]],
  ]);
  const url = 'https://a.example/x/topicList.js?raw';
  const part = (name: string) => `export const ${name} = [];\n`;
  const texts = ['', part('topicList'), part('topicListProblems'), part('topicList') + part('topicListProblems')];
  const others = texts.map((text) => addressOfOtherFile(url, text)?.pathname);
  assert.deepEqual(others, [undefined, '/x/topicListFullData.js', '/x/topicList.js', undefined]);
  assert.deepEqual(readListText(`${part('topicListProblems')}${at('1A')}`)?.sections[0]?.links.length, 1);
  const began = performance.now();
  for (const hostile of ['"', "'", 'a ', '"\\"', '//', '{a:'])
    readListText(`${topicFiles}export const topicInfo2 = ${hostile.repeat(200_000)}`);
  assert.ok(performance.now() - began < 20_000);
});
