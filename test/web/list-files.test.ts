/**
 * The file of a list: a list that is written and read again is the same list, in both forms; other sites read one at its secret
 * address alone; a hostile file is refused with a sentence, or read as far as it is a list.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeList, setVisibility } from '../../src/practice/lists.ts';
import { gardenHere } from '../support/commands.ts';
import { valueIn } from '../support/elements.ts';
import { browser, memberWithPassword, type Page, textOf } from '../support/forms.ts';
import { importRows, temporaryDatabase, withStore } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { ponds } from '../support/ponds.ts';

const lists = '/problem_list/lists/';
const problems = [
  { source: 'codeforces', source_key: '4A', url: 'https://codeforces.com/contest/4/problem/A' },
  { source: 'cses', source_key: '1068', url: null, title: 'Weird [Algorithm] `x` — *y*' },
  { source: 'our club/2', source_key: 'a b`c', url: null },
  { source: 'club', source_key: '7', url: 'https://club.example/p/7_(x)?a=b' },
  // Its address is that of another problem.
  { source: 'copies', source_key: 'watermelon', url: 'https://codeforces.com/contest/4/problem/A' },
].map((one, at) => ({ id: at + 1, title: `Pond ${at}`, rating: at * 100 + 800, tags: ['dp'], ...one }));

const sections = [
  { name: '', items: [{ problem: 2n, memo: 'start \\ here — `now` #1' }, { problem: 4n }] },
  { name: '# Trees & "more" <b>', items: [{ problem: 5n, memo: 'memo' }] },
  { name: '', items: [{ problem: 1n }, { problem: 3n, memo: '水' }] },
];

const idIn = ({ path }: Page) => /lists\/(\d+)\//.exec(path)?.[1] ?? '';

test('files of lists', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await importRows(databaseUrl, 'problems', problems);
  const ownerId = await memberWithPassword(databaseUrl, 'ada');
  await memberWithPassword(databaseUrl, 'bob');
  const name = 'Trees II: *the* #2 [x]';
  const made = await withStore(databaseUrl, async (store) => {
    const id = await makeList(store, { ownerId, name, content: sections });
    const open = { visibility: 'garden', content: sections.slice(0, 1) } as const;
    const all = await makeList(store, { ownerId, name: 'For all', ...open });
    return { id, all, secret: await setVisibility(store, { id, owner_id: ownerId }, 'secret') };
  });
  const { url } = await serveHere(t, { databaseUrl });
  const ada = await browserOf(url, 'ada');
  const bob = await browserOf(url, 'bob');
  const nobody = browser(url);
  const shared = `/problem_list/shared/${made.secret}`;
  const upload = async (file: { name: string; bytes: string }) => {
    await ada.open(`${lists}new/`);
    return ada.submit({ name: 'file' }, { file });
  };
  const contentOf = (id: bigint | string) =>
    withStore(databaseUrl, async ({ reader }) => {
      const items = await reader
        .selectFrom('list_items')
        .innerJoin('list_sections', (join) =>
          join
            .onRef('list_sections.list_id', '=', 'list_items.list_id')
            .onRef('list_sections.position', '=', 'list_items.section'),
        )
        .select(['name', 'section', 'list_items.position', 'problem_id', 'memo'])
        .where('list_items.list_id', '=', BigInt(id))
        .orderBy('list_items.position')
        .execute();
      const row = await reader.selectFrom('lists').select('name').where('id', '=', BigInt(id)).executeTakeFirst();
      return { name: row?.name, items };
    });

  for (const form of ['json', 'md'] as const)
    await t.test(`a list written as ${form} and read again is the same list`, async () => {
      const { text, headers } = await ada.ask(`${lists}${made.id}/${form}/`);
      assert.match(String(headers['content-disposition']), new RegExp(`\\.${form}"?`));
      const look = await upload({ name: `other.${form}`, bytes: text });
      assert.equal(valueIn(look, 'name'), name, textOf(look, '.notice'));
      assert.equal(look.document.querySelectorAll('[data-addable], [data-lost]').length, 0);
      const saved = await ada.submit({ name: 'do', value: 'save' });
      const id = idIn(saved);
      assert.deepEqual(await contentOf(id), await contentOf(made.id));
      assert.equal((await ada.ask(`${lists}${id}/${form}/`)).text, text);
    });

  await t.test('the JSON says what the list has, and no more than needed', async () => {
    const { text } = await ada.ask(`${lists}${made.id}/json/`);
    const { updated, ...file } = JSON.parse(text);
    assert.match(updated, /^\d{4}-\d\d-\d\d$/);
    assert.deepEqual([file.format, file.title, file.by], ['practice-list/1', name, 'ada']);
    assert.deepEqual(file.sections[2].problems, [
      { url: problems[0]?.url, title: 'Pond 0', rating: 800, tags: ['dp'] },
      { title: 'Pond 2', memo: '水', rating: 1000, tags: ['dp'], source: 'our club/2', key: 'a b`c' },
    ]);
  });

  await t.test('at the secret address other sites read it too, and elsewhere none', async () => {
    for (const form of ['json', 'md']) {
      const reply = await nobody.ask(`${shared}.${form}`);
      assert.equal(reply.status, 200);
      assert.equal(reply.headers['access-control-allow-origin'], '*');
      const held = { headers: { 'If-None-Match': reply.headers.etag ?? '' } };
      assert.equal((await nobody.ask(`${shared}.${form}`, held)).status, 304);
      assert.match((await nobody.open(`${shared}/`)).text, new RegExp(`href="${shared}\\.${form}"`));
      assert.equal((await bob.ask(`${lists}${made.id}/${form}/`)).status, 404);
      assert.equal((await bob.ask(`${lists}${made.all}/${form}/`)).status, 200);
      const own = await ada.ask(`${lists}${made.id}/${form}/`);
      assert.equal(own.headers['access-control-allow-origin'], undefined);
      assert.equal((await nobody.ask(`${lists}${made.all}/${form}/`)).status, 303);
      assert.equal((await nobody.ask(`${shared.slice(0, -1)}.${form}`)).status, 404);
    }
    assert.equal((await nobody.ask(`${shared}/`)).headers['access-control-allow-origin'], undefined);
    assert.equal((await nobody.ask(shared)).status, 308, 'the page is found as before');
    assert.equal((await nobody.open(`${shared}.html`)).status, 404);
  });

  await t.test('only addresses are needed, and titles and memos come along to what is added', async () => {
    const file = {
      format: 'practice-list/1',
      unknown: { deep: [1] },
      sections: [
        {
          problems: [
            { url: 'https://www.spoj.com/problems/PRIME1/', title: 'Prime\u202e \u0000Generator', memo: 'sieve' },
            { url: problems[0]?.url, memo: 'x'.repeat(500), rating: 'high', tags: 7 },
            { url: 'javascript:alert(1)', title: '<img src=x>' },
            { url: 7 },
            { source: 'club', key: `\u0000${'7'.repeat(300)}` },
            { source: 'club', key: '7\u0000' },
            null,
            [],
          ],
        },
        { name: 7, problems: {} },
        'x',
      ],
    };
    const look = await upload({ name: 'mine.json', bytes: JSON.stringify(file) });
    assert.equal(look.status, 200);
    assert.doesNotMatch(look.text, /href="javascript|<img/);
    assert.equal(valueIn(look, 'name'), 'mine');
    assert.equal(valueIn(look, 'title-0'), 'Prime Generator');
    const saved = await ada.submit({ name: 'do', value: 'save' }, { add: true });
    const { items } = await contentOf(idIn(saved));
    assert.deepEqual(
      items.map(({ memo }) => memo),
      ['sieve', 'x'.repeat(200), null],
    );
  });

  await t.test('a list of 1,000 problems with the longest memos is saved', async () => {
    const many = ponds(1000, (n) => ({
      id: 100 + n,
      source_key: `${1000 + n}B`,
      url: `https://codeforces.com/contest/${1000 + n}/problem/B`,
    }));
    await importRows(databaseUrl, 'problems', many);
    const memo = '水'.repeat(200);
    const long = [{ name: 'a', problems: many.map(({ url }) => ({ url, memo })) }];
    const bytes = JSON.stringify({ format: 'practice-list/1', title: 'Long', sections: long });
    await upload({ name: 'long.json', bytes });
    const { items } = await contentOf(idIn(await ada.submit({ name: 'do', value: 'save' })));
    assert.deepEqual(
      items.map((one) => one.memo),
      Array(1000).fill(memo),
    );
  });

  await t.test('what the garden does not know of a file is kept where it stood, and written again', async () => {
    const hints = ['parity', '水 \u0000'];
    const file = {
      format: 'practice-list/1',
      title: 'Licensed',
      language: 'ja',
      licence: 'CC0-1.0',
      authors: [{ name: 'Zofia', since: 2019 }],
      sections: [
        {
          name: 'Warm up',
          memo: 'Read these first.',
          problems: [
            { url: problems[0]?.url, hints },
            { url: 'https://oj.example/new/1', year: 2026 },
          ],
        },
        { name: 'Later', problems: [{ source: 'cses', key: '1068' }] },
      ],
    };
    await upload({ name: 'x.json', bytes: JSON.stringify(file) });
    const saved = await ada.submit({ name: 'do', value: 'save' }, { add: 'true' });
    const path = saved.path.replace(/\?.*/, '');
    const written = async (at = path) => JSON.parse((await ada.ask(`${at}json/`)).text);
    const first = await written();
    assert.deepEqual([first.language, first.licence, first.authors], ['ja', 'CC0-1.0', file.authors]);
    assert.deepEqual(Object.keys(first).slice(0, 4), ['format', 'language', 'licence', 'authors']);
    assert.deepEqual(
      first.sections.map(({ memo }: { memo?: string }) => memo),
      ['Read these first.', undefined],
    );
    assert.deepEqual(first.sections[0].problems[0].hints, hints);
    assert.equal(first.sections[0].problems[1].year, 2026);
    await ada.open(`${path}edit/`);
    await ada.submit({ name: 'name' }, { name: 'Renamed', 'section-1': 'Warm-up' });
    const edited = await written();
    first.sections[0].name = 'Warm-up';
    assert.deepEqual({ ...edited, updated: '', title: '' }, { ...first, updated: '', title: '' });
    assert.equal(edited.title, 'Renamed');
    const { stdout } = await gardenHere(['export', 'lists', '-', '--format', 'ndjson'], { databaseUrl });
    const line = stdout.split('\n').find((one) => one.includes('"Renamed"')) ?? '';
    const again = { ...JSON.parse(line), created_at: '2020-01-01T00:00:00.000Z', name: 'Imported' };
    await importRows(databaseUrl, 'lists', [again]);
    await importRows(databaseUrl, 'lists', [again]);
    const copies = await ada.open(lists);
    const href = copies.document
      .querySelectorAll('a[href*="/lists/"]')
      .find(({ textContent }) => textContent.trim() === 'Imported')
      ?.getAttribute('href');
    assert.deepEqual({ ...(await written(href ?? '')), updated: '', title: '' }, { ...first, updated: '', title: '' });
    const large = { ...file, licence: 'x'.repeat(8192) };
    await upload({ name: 'x.json', bytes: JSON.stringify(large) });
    const refused = await ada.submit({ name: 'do', value: 'save' });
    assert.equal(refused.status, 422);
    assert.match(textOf(refused, '.notice'), /a file can have up to 8192 characters about a list, section or problem/);
  });

  await t.test('a hostile file is refused with a sentence, and changes nothing', async () => {
    const files = {
      large: 'x'.repeat(10 * 1024 * 1024),
      deep: `{"format":"practice-list/1","sections":${'['.repeat(300_000)}${']'.repeat(300_000)}}`,
      'deep objects': '{"a":'.repeat(100_000),
      wrong: '{"format":"practice-list/1","title":{},"sections":"none"}',
      broken: '{"format":"practice-list/1","sections":[{"problems":[{"url":"',
      null: 'null',
    };
    for (const [what, bytes] of Object.entries(files)) {
      const page = await upload({ name: 'file.json', bytes });
      assert.equal(page.status, 422, what);
      assert.match(textOf(page, '.fault, .notice'), /\w+/, what);
    }
  });
});
