/** A list as a text: which problems it names, what it calls them and in which lines; and a list that is written is read as the same list. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { writeList } from '../../src/importing/list-file.ts';
import { isNestedTooDeep, parseUnknownMembers, readListFile, readListText } from '../../src/importing/list-text.ts';
import { tidyLine } from '../../src/practice/lists.ts';

const p = 'https://pond.example/p/';

/** A line for each title, section, link and line without a link. */
function outline(text: string): string[] | undefined {
  const found = readListText(text);
  const line = (sign: string, ...parts: (string | undefined)[]) => [sign, ...parts.filter((part) => part)].join(' ');
  return (
    found && [
      line('=', found.title, found.extras),
      ...found.sections.flatMap(({ name, extras, links }) => [
        line('#', name, extras),
        ...links.map((one) => {
          const { source, key } = one.reference ?? {};
          const address = one.address.replace(p, '/');
          const title = one.title && `[${one.title}]`;
          return line(
            `${one.line}`,
            address,
            title,
            source && `${source}/${key}`,
            one.memo && `– ${one.memo}`,
            one.extras,
          );
        }),
      ]),
      ...found.linesWithoutLink.map((one) => line(`${one.line}?`, one.address)),
    ]
  );
}

const long = (length: number) => 'x'.repeat(length);
const file = (value: object) => JSON.stringify({ format: 'practice-list/1', ...value });
const texts: readonly (readonly [what: string, text: string, lines: string[]])[] = [
  [
    'headings of Markdown',
    `\nSome words\n${p}1 is\n\n## Two ##\n- ${p}2\nThree:\n${p}3\n**Four**:\n${p}4\n**No** x\n## [Five](${p}5)\n#6 ${p}6`,
    [
      '=',
      '#',
      '3 /1',
      '# Two',
      '6 /2',
      '# Three',
      '8 /3',
      '# Four',
      '10 /4',
      '12 /5 [Five]',
      '13 /6',
      '2? Some words',
      '11? **No** x',
    ],
  ],
  [
    'underlined headings',
    `One and more words\n---\n${p}1\n  Two\n   =====\n${p}2\n${p}3\n---\n| x |\n---\n--\n${p}4\n\n-----`,
    ['=', '# One and more words', '3 /1', '# Two', '6 /2', '7 /3', '12 /4', '9? | x |'],
  ],
  [
    'a heading with a place',
    `see cses.fi/problemset/task/1\n---\nx`,
    ['=', '# see cses.fi/problemset/task/1', '1 cses.fi/problemset/task/1', '3? x'],
  ],
  [
    'HTML',
    `<h2 class="x"><b>Deep</b> &amp; wide</h2>\nno\n${p}1<h3> </h3>${p}2`,
    ['=', '# Deep & wide', '3 /1', '3 /2'],
  ],
  ['pictures and styles', `${p}1.png ${p}2.CSS?x ${p}3.js#y ${p}4.jsx`, ['=', '#', '1 /4.jsx']],
  ['a line of code is no title', `    # A\n${p}1\n# B\n${p}2`, ['=', '#', '2 /1', '# B', '4 /2', '1? # A']],
  ['a title above all', `\ufeff\n# My *road*\n${p}1\n## Two\n${p}2`, ['= My road', '#', '3 /1', '# Two', '5 /2']],
  ['headings of the first level', `# One\n${p}1\n# Two\n${p}2`, ['=', '# One', '2 /1', '# Two', '4 /2']],
  ['empty sections', `# One\n## Two\n${p}1\n# Three\n`, ['=', '# Two', '3 /1']],
  [
    'a table up to an empty line',
    `id;name;url\n1;A;${p}1\n2;B;${p}2\n\nPond;${p}3;D`,
    ['=', '#', '2 /1 [A]', '3 /2 [B]', '5 /3 [Pond]'],
  ],
  [
    'a table of Markdown',
    `| Name | Url |\n|---|---|\n| **Pond** _a_ | ${p}1 |\n| [B](${p}2) | ${p}3 |`,
    ['=', '#', '3 /1 [Pond a]', '4 /2 [B]', '4 /3'],
  ],
  [
    'lines without a link',
    `${long(150)}\n${p}1\nwords, below\n---, x\nA;b\n${p}2;c;d\n`,
    ['=', '#', '2 /1', '6 /2', `1? ${long(100)}`, '3? words, below', '4? ---, x', '5? A;b'],
  ],
  [
    'practice-list/1',
    file({
      title: ' A \n b\0',
      by: 1,
      updated: 2,
      sections: [
        {
          name: 'One',
          id: 7,
          problems: [
            { url: `${p}1`, title: 'T', memo: ' m ', rating: 1, tags: [], hint: 2 },
            { url: `${p}1` },
            { source: 's', key: 'k' },
          ],
        },
        { name: 'Empty', problems: [{ title: 'no' }, { source: 'only' }, null] },
        {
          problems: [
            { url: `${p}2`, source: long(201), key: long(200) },
            { url: `${p}3`, source: 's', key: long(201) },
            { key: 'k' },
          ],
        },
      ],
    }).replaceAll('{"u', '\n{"u'),
    [
      '= A b',
      '# One {"id":7}',
      '2 /1 [T] – m {"hint":2}',
      '3 /1',
      '3 s k s/k',
      '#',
      `4 /2 ${long(200)}/${long(200)}`,
      '5 /3',
      '5  k',
    ],
  ],
  [
    'practice-course/1',
    file({
      format: 'practice-course/1',
      licence: 'x',
      modules: [
        { title: 'A', about: 'b', problems: [`${p}1`, 2, { url: `${p}3` }] },
        { id: 'i', name: 'B', sections: 1, title: 3 },
      ],
    }),
    ['= {"licence":"x"}', '# A {"id":"1","about":"b"}', '1 /1', '1 /3', '# {"id":"i","name":"B","sections":1}'],
  ],
  [
    'a course without a format',
    JSON.stringify({ title: 'T', modules: [{ title: 'A', problems: [{ url: p }] }] }),
    ['= T', '# A {"id":"1"}', '1 /'],
  ],
  [
    'another format',
    JSON.stringify({ format: 'x', modules: [{ title: 'A', problems: [{ url: p }] }] }),
    ['=', '#', '1 /'],
  ],
  [
    'a list whose modules are members that nobody knows',
    file({ sections: [{ name: 'A', title: 'x', problems: [{ url: p }] }] }),
    ['=', '# A {"title":"x"}', '1 /'],
  ],
  [
    'AtCoder Problems',
    '{"set_list":[{"title":"one","problems":[\n{"problem_id":"\\u0061bc1_a"},\n{"problem_id":"abc1_b"},\n{"problem_id":"abc1_b"},{"problem_id":""}]}]}',
    [
      '=',
      '# one',
      '2 AtCoder abc1_a atcoder/abc1_a',
      '3 AtCoder abc1_b atcoder/abc1_b',
      '4 AtCoder abc1_b atcoder/abc1_b',
    ],
  ],
  [
    'USACO Guide',
    JSON.stringify({ none: [{ url: '' }], list: [{ url: `${p}1`, name: 'N' }, { url: `${p}2` }] }),
    ['=', '# list', '1 /1 [N]', '1 /2'],
  ],
  ['no training of Hydro', '[{"pids":[1]}]', ['=', '1? [{"pids":[1]}]']],
  ['JSON lines', `{"a":"${p}1"}\n{"b":"${p}2"}`, ['=', '#', '1 /1', '2 /2']],
  ['other JSON', `["${p}1"\n]`, ['=', '#', '1 /1']],
  [
    'the garden’s Markdown with lines that somebody added',
    `<!-- practice-list/1 -->\r\n\r\n# Ours \\# \r\n# More\r\n##\r\n- [A \\[b\\]](${p}1) — memo \\*\r\n* see ${p}2 too\r## One\n- ${'\\'.repeat(20_000)}\r\n- x \`%zz/1\`\r\n- x \`a%20b/c%00\`\n- [y](${p}3) \`s/k\` — z\n## #x ${p}4\n${p}5`,
    [
      '= Ours #',
      '#',
      '6 /1 [A [b]] – memo *',
      '7 /2',
      '# One',
      '10 %zz 1 [x] %zz/1',
      '11 a b c [x] a b/c',
      '12 /3 [y] s/k – z',
      `# #x ${p}4`,
      '14 /5',
    ],
  ],
];
for (const [what, text, lines] of texts) test(`a list is read: ${what}`, () => assert.deepEqual(outline(text), lines));

test('what is too long for a heading, an item or a list is none', () => {
  const headings = (count: number) =>
    [`## ${long(count - 1)}`, `${long(count - 1)}:`, `${long(count)}\n---`].map((one) => outline(`${one}\n${p}1`)?.[1]);
  assert.deepEqual(
    headings(298),
    [long(200), long(200), long(200)].map((name) => `# ${name}`),
  );
  assert.deepEqual([headings(300)[2], headings(301)], [`# ${long(200)}`, ['#', '#', '#']]);
  const item = (length: number) => outline(`<!-- practice-list/1 -->\n- ${long(length - 8)} \`s/k\``)?.length;
  assert.deepEqual([item(8000), item(8001)], [3, 1]);
  const links = (count: number) => readListText(`${p}1\n`.repeat(count))?.sections[0]?.links.length;
  assert.deepEqual([links(10_000), links(10_001)], [10_000, undefined]);
});

test('JSON is read to a depth of 100, whatever stands in its texts', () => {
  const nested = (depth: number) => '[{"a":'.repeat(depth / 2) + '}]'.repeat(depth / 2);
  assert.deepEqual([nested(100), nested(102), `${'[]'.repeat(99)}{}${'['.repeat(101)}`].map(isNestedTooDeep), [
    false,
    true,
    true,
  ]);
  for (const inside of ['[', '{', '\\"[', '\\\\'])
    assert.equal(isNestedTooDeep(`["${inside.repeat(200)}"]${inside === '\\\\' ? '[' : ''}`), false, inside);
});

test('members of a file that nobody knows are kept as they are', () => {
  const known = { list: 'modules', section: 'problems', module: 'title', problem: 'memo' } as const;
  for (const part of ['list', 'section', 'module', 'problem'] as const)
    assert.equal(parseUnknownMembers(JSON.stringify({ [known[part]]: 1, own: [1] }), part), '{"own":[1]}');
  for (const text of [7, '', '[1]', '{', '{"title":1}', '{"a":'.repeat(101) + '1' + '}'.repeat(101)])
    assert.equal(parseUnknownMembers(text, 'list'), undefined);
  const value = { format: 'practice-list/1', title: ' T ', own: 1, sections: [{ problems: [{ url: p }] }] };
  const links = [{ line: 1, address: p }];
  assert.deepEqual(readListFile(value), { title: 'T', extras: '{"own":1}', sections: [{ name: '', links }] });
});

const anyLine = fc.string({
  unit: fc.oneof(fc.constantFrom(...'[]()`\\*_#<>|&~!-—: "\'\t/%;,0a'), fc.string({ unit: 'binary', maxLength: 1 })),
  maxLength: 12,
});
const tidied = anyLine.map((text) => tidyLine(text));
const name = tidied.filter((text) => text !== '');

test('a list that is written is read as the same list, in both forms', () => {
  const extras = fc.constantFrom({}, {}, { own: { deep: [null] } });
  const problem = fc.record(
    {
      url: fc.webUrl({ withQueryParameters: true }).map((url) => url.replace('http:', 'https:')),
      title: name,
      memo: name,
      source: name,
      key: name,
    },
    { requiredKeys: ['title', 'source', 'key'] },
  );
  const section = fc.record({ name: tidied, problems: fc.array(problem, { minLength: 1, maxLength: 4 }), extras });
  const list = fc.record({
    title: name,
    by: name,
    updated: fc.constant('2026-12-31'),
    sections: fc.array(section, { maxLength: 4 }),
    extras,
  });
  fc.assert(
    fc.property(list, ({ extras, sections, ...rest }) => {
      const written = {
        format: 'practice-list/1',
        ...rest,
        ...extras,
        sections: sections.map(({ extras, ...one }) => ({ ...one, ...extras })),
      };
      for (const form of ['json', 'md'] as const) {
        const isWhole = form === 'json';
        const own = (one: object) => (isWhole && Object.keys(one).length > 0 ? { extras: JSON.stringify(one) } : {});
        const read = readListText(writeList(written, form));
        assert.deepEqual([read?.title, read?.extras, read?.linesWithoutLink], [rest.title, own(extras).extras, []]);
        const expected = sections.map((one) => ({
          name: one.name,
          ...own(one.extras),
          links: one.problems.map(({ url, title, memo, source, key }) => ({
            address: (isWhole ? url : url?.replaceAll('(', '%28').replaceAll(')', '%29')) ?? `${source} ${key}`,
            reference: { source, key },
            title,
            ...(memo && { memo }),
          })),
        }));
        const found = read?.sections.map(({ links, ...one }) => ({
          ...one,
          links: links.map(({ line: _, status: __, ...link }) => link),
        }));
        assert.deepEqual(found, expected, form);
      }
    }),
  );
});

test('a hostile line or entry loses no other, and moves none', () => {
  const starts = 'title,link@<h1>@<a href="@"@```@| a | b |@---@sep=;@- [ ] x@{"a":@<!--'.split('@');
  const pieces = fc.array(fc.oneof(anyLine, fc.constantFrom(long(5_000), ...starts)), { maxLength: 30 });
  fc.assert(
    fc.property(pieces, fc.boolean(), (some, isOwn) => {
      const lines = [
        isOwn ? '<!-- practice-list/1 -->' : '#',
        ...some.flatMap((text, at) => [text.replaceAll(/[\n\r]/g, ' '), `- [A](${p}${at})`]),
      ];
      const links = readListText(lines.join('\n'))?.sections.flatMap((one) => one.links) ?? [];
      const own = links.filter(({ address }) => address.startsWith(p));
      assert.deepEqual(
        own.map(({ line, address }) => [line, address]),
        some.map((_, at) => [2 * at + 3, `${p}${at}`]),
      );
    }),
  );
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 20 }), (values) => {
      const problems = values.flatMap((value, at) => [value, { url: `${p}${at}` }]);
      const [section] =
        readListText(file({ sections: [...values, { name: 'S', problems }] }))?.sections.slice(-1) ?? [];
      assert.deepEqual(
        [section?.name ?? 'S', section?.links.filter(({ address }) => address.startsWith(p)).length ?? 0],
        ['S', values.length],
      );
    }),
  );
});

test('an address in a text ends where a reader would end it', () => {
  const addressesOf = (text: string) =>
    readListText(text)?.sections.flatMap(({ links }) => links.map(({ address }) => address));
  const [one, two] = ['https://pond.example/p/1', 'https://pond.example/p/2?a=b'];
  const ends =
    '… 。 ， ； ） 」 】 ’ ” » — – ✅ 、b · . , ; ), * _ " ;math;800 ,math,800 &quot;> &nbsp; |label> \\ {x} ` 很好 を解く →';
  for (const text of [...ends.split(' '), ',"a, b"', '\u3000x', '_ *x*'])
    assert.deepEqual(addressesOf(`(_${one}${text}`), [one], text);
  for (const [text, found] of [
    [`${one}，${two}；${one}`, [one, two, one]],
    [`${one},${two};${one}`, [one, two, one]],
    [`<${one}|pond> and [x](${two})`, [one, two]],
    ['"text":"<https:\\/\\/pond.example\\/p\\/2?a=b>"', [two]],
    ['https://pond.example/p/2?c=1&amp;a=b', ['https://pond.example/p/2?c=1&a=b']],
    ['https://pond.example/p/2?c=1\\u0026a=b', ['https://pond.example/p/2?c=1&a=b']],
    ['https://pond.example/a\\_b', ['https://pond.example/a_b']],
    ['https://pond.example/1,2.html?a=1;b=2', ['https://pond.example/1,2.html?a=1;b=2']],
    ['Pondhttps://pond.example/p/1', [one]],
    ['HTTPS://pond.example/1,2.html', ['HTTPS://pond.example/1,2.html']],
    ['Pond;https://pond.example/p/2?c=1&amp;a=b', ['https://pond.example/p/2?c=1&a=b']],
    ['https://vjudge.net/problem/洛谷-P1001）', ['https://vjudge.net/problem/洛谷-P1001']],
  ] as const)
    assert.deepEqual(addressesOf(text), found, text);
});

test('a table without a known header has its rows, and its header is no line without a link', () => {
  const url = 'https://pond.example/p/1';
  const read = (text: string) => {
    const found = readListText(text);
    const [link] = found?.sections[0]?.links ?? [];
    return [link?.address, link?.title, found?.linesWithoutLink.length];
  };
  for (const [text, title] of [
    [`Pond;${url};math;800`, 'Pond'],
    [`Pond,${url},math,800`, 'Pond'],
    [`1\tPond\t${url}\tmath`, 'Pond'],
    [`A,"Pond, large",${url},x`, 'Pond, large'],
    [`sep=;\nTeich;Adresse;Thema\nPond;${url};math`, 'Pond'],
    [`Nr;Aufgabe;Adresse;Thema\nx;Pond;${url};math`, 'Pond'],
    [`难度;题目;链接\n简单;池塘;${url}`, '池塘'],
    [`レベル;問題名;リンク\n易しい;池;${url}`, '池'],
    [`Уровень,Название,Ссылка\nлёгкая,Пруд,${url}`, 'Пруд'],
    [`Nivel,Título,Enlace\nfácil,Charca,${url}`, 'Charca'],
    [`난이도,제목,링크\n쉬움,연못,${url}`, '연못'],
    [`| Nr | Wort | Adresse |\n|---|:---|---|\n| 1 | Pond | ${url}|leicht|`, 'Pond'],
    [`easy;Pond;${url}`, undefined],
    [`First this, ${url}, then that`, undefined],
    [`${url},math`, undefined],
  ] as const)
    assert.deepEqual(read(text), [url, title, 0], text);
  assert.deepEqual(read(`Ein Wort; und noch eines\nPond;${url};math`), [url, 'Pond', 1]);
});

test('a link that is not here is called as the text calls it: by its own words, or by a cell of its row', () => {
  const titles = (text: string) => readListText(text)?.sections.flatMap(({ links }) => links.map(({ title }) => title));
  const url = 'https://codeforces.com/problemset/problem/954/G';
  for (const text of [
    `- [Castle Defense](${url}) *hard*`,
    `**[Castle Defense](<${url}>)**`,
    `<li><a class="x" href="${url}" title="y">\n  <b>Castle</b> Defense</a>`,
    `<A HREF=${url}>Castle Defense</A>`,
    `<${url}|Castle Defense>`,
    `id\tName\tlink\n1\tCastle Defense\t${url}`,
    `link,title\n${url},"Castle Defense"\n`,
    `Castle Defense\t${url}`,
    `${url}\tCastle Defense`,
    `| # | Problem | Link |\n|---|---|---|\n| 1 | Castle Defense | [Solve](${url}) |`,
    JSON.stringify({ MODULE_ID: 'x', list: [{ name: 'Castle Defense', url }] }),
  ])
    assert.deepEqual(titles(text), ['Castle Defense'], text);
  assert.deepEqual(titles(`link,title\n${url},"A ""b"", c_d"`), ['A "b", c_d']);
  for (const text of [url, `[link](${url})`, `[954](${url})`, `[Codeforces](${url})`, `<a href="${url}"><img></a>`])
    assert.deepEqual(titles(text), [undefined], text);
  assert.deepEqual(titles(`[${url}](${url})`), [undefined, undefined]);
  assert.deepEqual(titles(`[C](${url}) [codeforces.COM](${url})`), ['C', undefined]);
});
