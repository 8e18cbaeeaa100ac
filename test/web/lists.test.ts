/**
 * Lists, driven without script: made from a text with links after a look at what became of each, changed by forms of which two
 * tabs never overwrite each other, shown to whom their owner says, and gone at once where they no longer are.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeList } from '../../src/practice/lists.ts';
import { setStatus } from '../../src/practice/marks.ts';
import { findVisibleList, listGardenListsOf } from '../../src/store/lists.ts';
import { rowsOf } from '../support/databases.ts';
import { attributeOf, attributesOf, csrfOf, textsOf, totalIn, valueIn } from '../support/elements.ts';
import { type Browser, browser, memberWithPassword, type Page, textOf } from '../support/forms.ts';
import { importRows, temporaryDatabase, withStore } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { ownMs } from '../support/processes.ts';

const lists = '/problem_list/lists/';
const placesOf = (n: number) => [
  { source: 'codeforces', source_key: `${1400 + n}B`, url: `https://codeforces.com/contest/${1400 + n}/problem/B` },
  {
    source: 'atcoder',
    source_key: `abc${100 + n}_d`,
    url: `https://atcoder.jp/contests/abc${100 + n}/tasks/abc${100 + n}_d`,
  },
  { source: 'cses', source_key: `${1068 + n}`, url: `https://cses.fi/problemset/task/${1068 + n}` },
  { source: 'dmoj', source_key: `pond${n}`, url: `https://dmoj.ca/problem/pond${n}` },
];
const problems = Array.from({ length: 60 }, (_, n) => ({
  id: n + 1,
  title: `Pond ${n}`,
  tags: ['dp'],
  ...placesOf(n)[n % 4],
}));
const link = (n: number) => problems[n]?.url ?? '';

const blog = `# How I learned to swim

It began with [a pond](${link(0)}), and then ${Array.from({ length: 12 }, (_, n) => link(n + 1)).join(', ')}.

## Deeper *water*

${Array.from({ length: 12 }, (_, n) => `- [Pond ${n + 13}](${link(n + 13)}) is a good one.`).join('\n')}
- the lost one: https://codeforces.com/problemset/problem/9999/Z

Further:
${Array.from({ length: 12 }, (_, n) => `${n}. <a href="${link(n + 25)}">Pond &amp; more</a>`).join('\n')}
- https://codeforces.com/blog/entry/12345
- and https://www.spoj.com/problems/PRIME1/.
`;

const paste = async (one: Browser, name: string, text: string) => {
  await one.open(`${lists}new/`);
  return one.submit({ name: 'text' }, { name, text });
};
const idIn = ({ path }: Page) => /lists\/(\d+)\//.exec(path)?.[1] ?? '';
const titlesIn = (page: Page) => textsOf(page, 'tr[data-problem] .c-title > a:first-child');
const sectionsIn = (page: Page) => textsOf(page, '.list-section h2');

test('lists', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await importRows(databaseUrl, 'problems', problems);
  await memberWithPassword(databaseUrl, 'ada');
  await memberWithPassword(databaseUrl, 'bob');
  const { url } = await serveHere(t, { databaseUrl });
  const other = await serveHere(t, { databaseUrl });
  const ada = await browserOf(url, 'ada');
  const bob = await browserOf(other.url, 'bob');
  const nobody = browser(other.url);
  let id = '';
  let own = '';

  await t.test(
    'a pasted text with 40 links, of which 2 are not here and one is none, is a list of 37 and an offer to add 2',
    async () => {
      assert.equal(blog.match(/https?:/g)?.length, 40);
      const look = await paste(ada, 'Swimming', blog);
      assert.equal(look.status, 200);
      assert.equal(totalIn(look), 37);
      const wanted = look.document
        .querySelectorAll('[data-addable]')
        .map((row) => [
          row.querySelector('[type=text]')?.getAttribute('value'),
          row.querySelector('a')?.getAttribute('href'),
        ]);
      assert.deepEqual(wanted, [
        ['9999Z', 'https://codeforces.com/problemset/problem/9999/Z'],
        ['PRIME1', 'https://www.spoj.com/problems/PRIME1/'],
      ]);
      const [lost, ...others] = textsOf(look, '[data-lost]');
      assert.match(lost ?? '', /codeforces\.com\/blog\/entry\/12345 a post or an editorial$/);
      assert.deepEqual(others, []);
      assert.deepEqual(await rowsOf(databaseUrl, 'SELECT id FROM lists'), [], 'nothing is saved yet');
      const saved = await ada.submit({ name: 'do', value: 'save' });
      id = idIn(saved);
      own = `${lists}${id}/`;
      assert.equal(saved.path, own);
      assert.equal(totalIn(saved), 37);
      assert.deepEqual(
        titlesIn(saved),
        Array.from({ length: 37 }, (_, n) => `Pond ${n}`),
      );
      assert.deepEqual(sectionsIn(saved), ['Untitled', 'Deeper water', 'Further']);
    },
  );

  await t.test('a row is marked with one click, and every number leads to its rows', async () => {
    await ada.open(own);
    const page = await ada.submit({ within: '#p3', name: 'status', value: 'complete' });
    assert.equal(page.path.split('?')[0], own);
    assert.equal(attributeOf(page, '#p3', 'data-status'), 'complete');
    assert.match(textOf(page, '.list-section:nth-of-type(2)') || page.text, /1 of 13 solved/);
    const counts = attributesOf(page, '.list-counts a[data-count]', 'data-count');
    assert.deepEqual(counts, ['1', '36', '37']);
    for (const [nth, href] of attributesOf(page, '.list-counts a[data-count]', 'href').entries()) {
      const behind = await ada.open(href);
      assert.equal(totalIn(behind), Number(counts[nth]), href);
      assert.match(textOf(behind, '.chosen'), /In “Swimming”/);
    }
    assert.match((await ada.open(lists)).text, /1 of 37 solved/);
  });

  await t.test('order, sections and memos are changed by the form, and two tabs overwrite nothing', async () => {
    const edit = `${own}edit/`;
    await ada.open(edit);
    await ada.submit({ name: 'down', value: '1' });
    assert.deepEqual(titlesIn(await ada.open(own)).slice(0, 3), ['Pond 1', 'Pond 0', 'Pond 2']);
    const version = valueIn(await ada.open(edit), 'version') ?? '';
    await ada.submit(
      { within: '.list-edit' },
      {
        name: 'Swimming lessons',
        'at-37': '1',
        'in-37': '1',
        'memo-37': 'the best   of all',
        'section-2': 'Deep',
        'order-3': '1',
        remove: ['2'],
        add: 'Later',
      },
    );
    const page = await ada.open(own);
    assert.equal(textOf(page, 'h1'), 'Swimming lessons');
    assert.deepEqual(sectionsIn(page), ['Further', 'Untitled', 'Deep', 'Later']);
    assert.equal(totalIn(page), 36);
    assert.equal(textOf(page, '#p37 .memo'), 'the best of all');
    assert.equal(titlesIn(page)[11], 'Pond 36');
    const _csrf = csrfOf(await ada.open(edit));
    const refused = await ada.post(edit, { _csrf, version, name: 'Mine', 'memo-37': 'x' });
    assert.equal(refused.status, 409);
    assert.match(refused.text, /changed in another tab or on another device/);
    assert.equal(valueIn(refused, 'name'), 'Mine');
    assert.equal(textOf(await ada.open(own), 'h1'), 'Swimming lessons');
    await ada.open(edit);
    await ada.submit({ within: '.list-edit' }, { drop: ['2'] });
    const dropped = await ada.open(own);
    assert.equal(totalIn(dropped), 36, 'its problems stay');
    await ada.open(edit);
    const nameless = await ada.submit(
      { within: '.list-edit' },
      { name: ' ', add: 'Much later', remove: ['3'], drop: ['2'], 'at-5': '1', 'order-3': '1' },
    );
    assert.equal(nameless.status, 422);
    assert.deepEqual(attributesOf(nameless, '[name=remove][checked]', 'value'), ['3'], 'ticks stay as texts do');
    assert.equal(attributeOf(nameless, '[name=drop][checked]', 'value'), '2');
    for (const [name, value] of Object.entries({ add: 'Much later', 'at-5': '1', 'order-3': '1' }))
      assert.equal(attributeOf(nameless, `[name=${name}]`, 'value'), value, name);
  });

  await t.test('problems are added from the list, from what filters find, and from their page', async () => {
    const pick = attributesOf(await ada.open('/problem_list/?q=Pond+5'), '[name=pick]', 'value').slice(0, 2);
    const asked = await ada.submit({ within: '#bulk', name: 'do', value: 'list' }, { pick });
    assert.match(textOf(asked, 'h1'), /Add 2 problems to a list/);
    const added = await ada.submit({ name: 'list' }, { list: id });
    assert.equal(added.path, own);
    const before = totalIn(added);
    await ada.open('/problem_list/lists/add/?problem=60');
    const page = await ada.submit({ name: 'list' }, { list: id });
    assert.equal(totalIn(page), before + 1);
    const problem = await ada.open('/problem_list/problem/60/');
    assert.match(problem.text, /In lists<.h2><ul class="plain"><li><a href="[^"]*"><bdi>Swimming lessons/);
    await ada.open('/problem_list/lists/add/?source=dmoj');
    assert.equal((await ada.submit({ name: 'list' }, { list: 'new' })).status, 422);
    const made = await ada.submit({ name: 'list' }, { list: 'new', name: 'All of DMOJ' });
    assert.equal(totalIn(made), 15);
  });

  await t.test('a list of another looks like none, and the garden’s is for everybody', async () => {
    const core = ({ status, text }: Page) => [status, text.replaceAll(/<code>[\w-]+<.code>/g, '')];
    for (const path of [own, `${own}edit/`])
      assert.deepEqual(core(await bob.open(path)), core(await bob.open(path.replace(id, '99'))));
    assert.equal(totalIn(await bob.open(`/problem_list/?list=${id}`)), 0);
    assert.doesNotMatch((await bob.open(`/problem_list/?list=${id}`)).text, /Swimming/);
    assert.doesNotMatch((await bob.open('/problem_list/problem/60/')).text, /Swimming/);
    const etag = (await bob.ask(lists)).headers.etag;
    await ada.open(`${own}edit/`);
    await ada.submit({ within: '#who', name: 'do' }, { visibility: 'garden' });
    assert.notEqual((await bob.ask(lists, { headers: { 'If-None-Match': String(etag) } })).status, 304);
    assert.match((await bob.open(lists)).text, /Swimming lessons/);
    const beyond = await bob.open(`${lists}?page=9`);
    assert.match(beyond.text, /Swimming lessons/, 'a page beyond the end is the first one');
    assert.doesNotMatch(beyond.text, /Nobody else has shared/);
    const page = await bob.open(own);
    assert.match(page.text, /0 of \d+ solved/);
    assert.doesNotMatch(page.text, />Edit</);
    assert.equal((await bob.open(`${own}edit/`)).status, 404);
    assert.ok(totalIn(await bob.open(`/problem_list/?list=${id}`)) > 30);
  });

  await t.test('a secret address is read by whoever has it, and gone at once in every process', async () => {
    await ada.open(`${own}edit/`);
    const shown = await ada.submit({ within: '#who', name: 'do' }, { visibility: 'secret' });
    const addressIn = (page: Page) => /\/problem_list\/shared\/[\w-]{43}\//.exec(textOf(page, '#who .copyable'))?.[0];
    const secret = addressIn(shown) ?? '';
    assert.ok(secret);
    assert.doesNotMatch((await ada.open(`${own}edit/`)).text, /copyable/, 'it is shown once');
    const page = await nobody.open(secret);
    assert.equal(page.status, 200);
    assert.match(page.text, /Swimming lessons[\s\S]*by <bdi>ada/);
    assert.doesNotMatch(page.text, /<form[^>]*method="post"/);
    assert.match((await nobody.ask(secret)).headers['cache-control'] ?? '', /no-store/);
    assert.equal((await bob.open(secret)).document.querySelectorAll('tr[data-problem]').length > 30, true);
    assert.equal((await bob.open(own)).status, 404, 'its own address is the owner’s');
    await ada.open(`${own}edit/`);
    const renewed = await ada.submit({ within: '#who', name: 'do' }, { visibility: 'secret', anew: true });
    const next = addressIn(renewed) ?? '';
    assert.notEqual(next, secret);
    assert.equal((await nobody.ask(secret)).status, 404);
    assert.equal((await nobody.ask(next)).status, 200);
    await ada.open(`${own}edit/`);
    await ada.submit({ within: '#who', name: 'do' }, { visibility: 'private' });
    for (const one of [nobody, bob]) assert.equal((await one.ask(next)).status, 404);
    const kept = await rowsOf(databaseUrl, `SELECT secret_digest FROM lists WHERE id = ${id}`);
    assert.deepEqual(kept, [{ secret_digest: null }]);
  });

  const upload = async (name: string, bytes: string | Buffer) => {
    await ada.open(`${lists}new/`);
    return ada.submit({ name: 'file' }, { file: { name, bytes } });
  };

  await t.test('a table that Excel saves as Unicode text is read, and other code pages are refused', async () => {
    const table = 'Title\tLink\r\nŽába 水\thttps://open.kattis.com/problems/zaba\r\n';
    const look = await upload('ponds.txt', Buffer.from(`\ufeff${table}`, 'utf16le'));
    assert.equal(attributeOf(look, '[name=title-0]', 'value'), 'Žába 水');
    assert.equal(look.document.querySelector('[data-lost]'), null);
    const refused = await upload('ponds.csv', Buffer.from(table.replace('Ž', '\x8e').replace('水', ''), 'latin1'));
    assert.equal(refused.status, 422);
    assert.match(textOf(refused, '#file-fault'), /not UTF-8 at byte 13: save it as UTF-8/);
  });

  await t.test('files of lists are read: USACO Guide’s and a course of AtCoder Problems', async () => {
    const guide = {
      MODULE_ID: 'ponds',
      focus: [{ uniqueId: 'cf', name: 'Pond', url: link(0), source: 'CF' }],
      hard: [
        { uniqueId: 'x', name: 'Other', url: 'http://www.usaco.org/index.php?page=viewproblem2&cpid=1' },
        { url: link(2) },
      ],
    };
    const one = await upload('ponds.problems.json', JSON.stringify(guide, null, 2));
    assert.equal(totalIn(one), 2);
    assert.equal(valueIn(one, 'name'), 'ponds');
    const usaco = 'https://usaco.org/index.php?page=viewproblem2&cpid=1';
    assert.deepEqual(attributesOf(one, '[data-addable] a', 'href'), [usaco]);
    assert.ok(one.document.querySelector('[aria-label="Title of the problem in line 15"]'), 'the line of the file');
    const guessed = await paste(ada, '', `${link(4)}\nhttps://pond.example/blog/3\nhttps://pond.example/p/3`);
    const ticks = guessed.document.querySelectorAll('[data-addable] [type=checkbox]');
    assert.deepEqual(
      ticks.map((one) => one.hasAttribute('checked')),
      [false, true],
      'a page that looks like no problem is not ticked',
    );
    const problems = ['abc101_d', 'none_b'].map((problem_id) => ({ problem_id }));
    const two = await upload('boot_camp.json', JSON.stringify({ set_list: [{ title: 'Easy', problems }] }));
    assert.equal(totalIn(two), 1);
    assert.match(textOf(two, '[data-lost]'), /AtCoder none_b/);
    assert.equal((await upload('empty.txt', ' ')).status, 422);
    assert.equal((await upload('large.txt', 'x'.repeat(2 * 1024 * 1024 + 1))).status, 422);
  });

  await t.test('hostile texts do no harm', async () => {
    const markup = '</textarea><img src=x onerror=alert(1)>';
    const name = `${markup}\u202e${'x'.repeat(10_000)}`;
    const look = await paste(
      ada,
      name,
      `# ${markup}\n${link(1)}\njavascript:alert(1)\nhttps://evil.example/"><script>\n`,
    );
    assert.doesNotMatch(look.text, /<img|<script>/);
    assert.doesNotMatch(look.text, /href="javascript/);
    const saved = await ada.submit({ name: 'do', value: 'save' });
    assert.equal(saved.status, 200);
    assert.ok(textOf(saved, 'h1').length <= 200);
    const many = Array.from({ length: 5_000 }, (_, n) => `https://codeforces.com/contest/${n + 1}/problem/B`).join(
      '\n',
    );
    const ms = await ownMs(async () => {
      await ada.open(`${lists}new/`);
      const big = await ada.submit({ name: 'file' }, { file: { name: 'many.txt', bytes: many } });
      assert.equal(totalIn(big), 15);
      assert.equal(big.document.querySelectorAll('[data-addable]').length, 50, 'as many as can be added in a day');
    });
    assert.ok(ms < 5_000, `${ms} ms`);
    assert.equal((await paste(ada, 'x', 'no links at all')).status, 422);
  });

  await t.test('a list is deleted by its owner, after a tick', async () => {
    const page = await ada.open(`${own}edit/`);
    assert.ok(page.document.querySelector('input[name=sure][required]'), 'a browser asks for the tick');
    assert.equal((await ada.submit({ name: 'do', value: 'delete' })).status, 422);
    await ada.submit({ name: 'do', value: 'delete' }, { sure: true });
    assert.equal((await ada.open(own)).status, 404);
    assert.equal((await rowsOf(databaseUrl, `SELECT 1 FROM list_items WHERE list_id = ${id}`)).length, 0);
  });
});

test('a visitor who is not signed in reads the progress of nobody, also where a member has the id 0', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await importRows(databaseUrl, 'records', [{ id: 0, username: 'zero' }]);
  await importRows(databaseUrl, 'problems', problems.slice(0, 2));
  await withStore(databaseUrl, async (store) => {
    const items = [{ problem: 1n }, { problem: 2n }];
    const list = { ownerId: 0n, name: 'Ponds', visibility: 'garden', content: [{ name: '', items }] } as const;
    const id = await makeList(store, list);
    await setStatus(store, { memberId: 0n, problemIds: [1n], status: 'complete' });
    const [of] = await listGardenListsOf(store.reader, 0n, undefined);
    for (const shown of [await findVisibleList(store.reader, id, undefined), of])
      assert.deepEqual([shown?.problems, shown?.solved], [2n, 0n]);
    assert.equal((await findVisibleList(store.reader, id, 0n))?.solved, 1n);
    assert.equal((await listGardenListsOf(store.reader, 0n, 0n))[0]?.solved, 1n);
  });
});
