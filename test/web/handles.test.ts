/**
 * Handles on the website, driven without script: each is linked, counted and unlinked by its own member alone, and the page
 * before unlinking says exactly what goes.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { findProblemsByKeys } from '../../src/store/problems.ts';
import { openGarden, type Sent, submissionsOf } from '../importing/support.ts';
import { acceptedRow } from '../replay/leetcode.ts';
import { attributeOf, attributesOf, textsOf, totalIn } from '../support/elements.ts';
import { type Browser, type Page, textOf } from '../support/forms.ts';
import { importRows, temporaryDatabase } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { keptRows } from '../support/kept-rows.ts';
import { membersNamed } from '../support/members.ts';
import { needsData, readReal } from '../support/real-data.ts';

const handles = '/authentication/account/handles/';
const keys = ['1A', '2A', '3A', '4A'];

async function world(t: TestContext) {
  const databaseUrl = await temporaryDatabase(t);
  await membersNamed(databaseUrl, 'ada', 'bob');
  const problems = keys.map((key) => ({ title: `Pond ${key}`, source: 'codeforces', source_key: key }));
  await importRows(databaseUrl, 'problems', problems);
  const { url } = await serveHere(t, { databaseUrl });
  const garden = await openGarden(t, databaseUrl);
  const kept = () => keptRows(garden.store.reader);
  const send = (member: string, handle: string, ...sent: Sent[]) =>
    garden.import('codeforces-submissions', submissionsOf(handle, ...sent), { member, handle });
  return { url, garden, kept, send, enter: (name: string) => browserOf(url, name) };
}

async function link(browser: Browser, judge: string, handle: string): Promise<Page> {
  await browser.open(handles);
  return browser.submit({ name: 'handle' }, { judge, handle });
}

const namesIn = (page: Page) => textsOf(page, '[data-handle] h2');
const figuresIn = (page: Page, id: number) =>
  ['submissions', 'solved', 'tried', 'unmatched'].map((figure) =>
    textOf(page, `[data-handle="${id}"] [data-figure="${figure}"]`),
  );
const goesIn = ({ document }: Page) =>
  Object.fromEntries(
    document
      .querySelectorAll('[data-goes]')
      .map((one) => [one.getAttribute('data-goes'), Number(one.getAttribute('data-count'))]),
  );

test('a handle is linked as its judge allows, several at a judge, each once', async (t) => {
  const { enter } = await world(t);
  const ada = await enter('ada');
  const first = await link(ada, 'codeforces', '  Ada_CF ');
  assert.deepEqual([first.hops[0]?.status, textOf(first, '.notice')], [303, 'Linked.']);
  assert.deepEqual(namesIn(first), ['CF Codeforces Ada_CF']);
  assert.equal(attributeOf(first, '[data-handle="1"] h2 a', 'href'), 'https://codeforces.com/profile/Ada_CF');
  assert.match(textOf(first, '[data-handle="1"] .health'), /^We’ll sync with Codeforces soon\.$/);
  await link(ada, 'codeforces', 'ada.two');
  await link(ada, 'atcoder', 'ada');
  const last = await link(ada, 'cses', 'Ада');
  assert.deepEqual(namesIn(last), ['AC AtCoder ada', 'CF Codeforces Ada_CF', 'CF Codeforces ada.two', 'CSES CSES Ада']);
  const [formThere, formAtCses] = [
    'A handle at Codeforces has up to 24 letters, digits, dots, _ and -.',
    'A handle at CSES has 1 to 100 characters without spaces.',
  ];
  for (const [judge, handle, fault] of [
    ['codeforces', 'ADA_cf', 'Ada_CF is already linked.'],
    ['codeforces', 'two words', `“two words” contains a space. ${formThere}`],
    ['codeforces', 'https://codeforces.com/blog/entry/1', `This link isn’t a profile at Codeforces. ${formThere}`],
    ['codeforces', 'codeforces.com/profile/ADA_cf', 'Ada_CF is already linked.'],
    [
      'codeforces',
      'https://atcoder.jp/users/ada',
      'This is a profile at AtCoder. Choose AtCoder, or enter your handle at Codeforces.',
    ],
    ['atcoder', 'a.b', '“a.b” contains “.”. A handle at AtCoder has up to 16 letters, digits and _.'],
    ['codeforces', '', 'Enter your handle at Codeforces.'],
    ['cses', '\u202etxt', `This handle has an invisible character. ${formAtCses}`],
    ['cses', 'x'.repeat(101), `This handle has 101 characters. ${formAtCses}`],
    [
      'cses',
      'https://cses.fi/user/12',
      'A link to a profile at CSES has a number instead of the name. Enter your name there.',
    ],
  ] as const) {
    const refused = await link(ada, judge, handle);
    assert.deepEqual([refused.status, textOf(refused, '.fault')], [422, fault]);
    const field = refused.document.querySelector('[name="handle"]');
    assert.deepEqual([field?.getAttribute('aria-invalid'), field?.getAttribute('value')], ['true', handle]);
  }
  const { fields } = ada.filled({ name: 'handle' }, { handle: 'x' });
  for (const judge of ['kattis', 'constructor', '']) {
    fields.set('judge', judge);
    const refused = await ada.post(handles, fields);
    assert.deepEqual([refused.status, textOf(refused, '.fault')], [422, 'Choose one of the options.']);
  }
  assert.equal(namesIn(await ada.open(handles)).length, 4);
});

test('a handle at leetcode.cn is written with its site, or taken from the link of a profile', async (t) => {
  const { enter } = await world(t);
  const ada = await enter('ada');
  const given = ['https://leetcode.cn/u/ada-1/', 'leetcode.cn/ada.2', 'https://leetcode.com/u/ada_3/', 'ada_4'];
  for (const handle of given) await link(ada, 'leetcode', handle);
  const page = await ada.open(handles);
  assert.deepEqual(attributesOf(page, '[data-handle] h2 a', 'href'), [
    'https://leetcode.cn/u/ada-1/',
    'https://leetcode.cn/u/ada.2/',
    'https://leetcode.com/u/ada_3/',
    'https://leetcode.com/u/ada_4/',
  ]);
  assert.match(textOf(page, '[data-handle="1"] .health'), /^We’ll sync with leetcode\.cn soon\.$/);
  assert.match(textOf(page, '[data-handle="3"] .health'), /^We’ll sync with LeetCode soon\.$/);
  for (const handle of ['leetcode.cn/', 'leetcode.cn/a/b', 'leetcode.de/ada', 'a b']) {
    const refused = await link(ada, 'leetcode', handle);
    assert.match(textOf(refused, '.fault'), /One at leetcode\.cn is written leetcode\.cn\/NAME\.$/);
  }
  const again = await link(ada, 'leetcode', 'https://leetcode-cn.com/u/ADA-1');
  assert.equal(textOf(again, '.fault'), 'leetcode.cn/ada-1 is already linked.');
});

test('a handle that another member has is linked like any other, and neither learns of it', async (t) => {
  const { enter, send } = await world(t);
  const [ada, bob] = [await enter('ada'), await enter('bob')];
  await send('ada', 'shared', ['1A', 'OK', 10]);
  const taken = await link(bob, 'codeforces', 'shared');
  const free = await link(bob, 'codeforces', 'free');
  assert.deepEqual([taken.status, textOf(taken, '.notice')], [free.status, textOf(free, '.notice')]);
  const line = (page: Page, id: number) => textOf(page, `[data-handle="${id}"]`).replaceAll(/shared|free/g, 'NAME');
  assert.equal(line(free, 2), line(free, 3), 'nothing tells the two apart');
  assert.deepEqual(namesIn(await ada.open(handles)), ['CF Codeforces shared']);
});

test('a handle gets its new name in place, and two of them are joined only with a tick', async (t) => {
  const { enter, send } = await world(t);
  const [ada, bob] = [await enter('ada'), await enter('bob')];
  await send('ada', 'ada_old', ['1A', 'OK', 10]);
  await send('ada', 'ada_two', ['2A', 'OK', 20]);
  await send('bob', 'bob', ['2A', 'OK', 20]);
  const rename = (name: string, fields = {}, id = 1) =>
    ada.submit({ name: 'rename', value: String(id) }, { [`name-${id}`]: name, ...fields });
  await ada.open(handles);
  for (const [name, fault] of [
    ['ada_old', /^ada_old is already linked\.$/],
    ['two words', /^“two words” contains a space\. A handle at Codeforces has up to 24 letters/],
    ['ADA_TWO', /^ada_two is linked as well\. To join both handles, tick the box below/],
  ] as const) {
    const refused = await rename(name);
    const field = refused.document.querySelector('details[open] [name="name-1"]');
    assert.deepEqual([refused.status, field?.getAttribute('value')], [422, name]);
    assert.match(textOf(refused, '.fault'), fault);
    assert.equal(refused.document.querySelector('[name="join-1"]') !== null, name === 'ADA_TWO');
  }
  const renamed = await rename('ada_new');
  assert.match(textOf(renamed, '.notice'), /^Renamed\. Everything imported stays/);
  assert.deepEqual(namesIn(renamed), ['CF Codeforces ada_new', 'CF Codeforces ada_two']);
  assert.match(textOf(renamed, '[data-renamed]'), /^ada_old is now ada_new/);
  await bob.open(handles);
  const { fields } = bob.filled({ name: 'rename', value: '3' }, { 'name-3': 'mine' });
  fields.set('rename', '1');
  fields.set('name-1', 'mine');
  assert.equal((await bob.post(handles, fields)).status, 404);
  await rename('ada_two');
  const joined = await rename('ada_two', { 'join-1': 'true' });
  assert.deepEqual([namesIn(joined), figuresIn(joined, 2)[0]], [['CF Codeforces ada_two'], '2']);
});

test('the page of unlinking counts what no sync brings back', async (t) => {
  const { enter, garden } = await world(t);
  const ada = await enter('ada');
  const listOf = <T>(count: number, rowOf: (slug: string, second: number) => T) =>
    Array.from({ length: count }, (_, n) => rowOf(`task-${n}`, 1_700_000_000 + n));
  const list = (count: number) => ({ data: { recentAcSubmissionList: listOf(count, acceptedRow) } });
  const rowThere = (titleSlug: string, submitTime: number) => ({ submitTime, question: { title: 'Task', titleSlug } });
  const sent = submissionsOf('ada_cf', ['1A', 'OK', 10]);
  for (const [what, handle, file, origin] of [
    ['leetcode', 'seen', list(40), 'server'],
    ['leetcode', 'uploaded', list(2), 'file'],
    ['leetcode-cn', 'ada', { data: { recentACSubmissions: listOf(3, rowThere) } }, 'server'],
    ['codeforces', 'ada_cf', sent, 'browser'],
  ] as const)
    await garden.import(`${what}-submissions`, file, { member: 'ada', handle, origin });
  for (const [at, count] of [20, 2, 3, 1].entries()) {
    const page = await ada.open(`${handles}${at + 1}/`);
    const item = page.document.querySelector('[data-unsyncable]');
    assert.match(item?.textContent ?? '', new RegExp(`${count} of them may not come back: (LeetC|leetc|Codef)`));
  }
  await garden.import('codeforces-submissions', sent, { member: 'ada', origin: 'server' });
  const all = await ada.open(`${handles}4/`);
  assert.equal(all.document.querySelector('[data-unsyncable]'), null, 'what the server got itself, it gets again');
});

test('the page before unlinking says what goes, what changes and what stays, and that is what happens', async (t) => {
  const { enter, send, kept } = await world(t);
  const ada = await enter('ada');
  await send('bob', 'bob_cf', ['1A', 'OK', 5]);
  await send('ada', 'ada_two', ['3A', 'WRONG_ANSWER', 20], ['3A', 'OK', 60]);
  await ada.open('/problem_list/problem/2/');
  await ada.submit({ name: 'status', value: 'skipped' });
  const before = await kept();
  await send(
    'ada',
    'ada_cf',
    ['1A', 'OK', 10],
    ['2A', 'OK', 20],
    ['3A', 'OK', 30],
    ['4A', 'WRONG_ANSWER', 40],
    ['9A', 'OK', 50],
  );
  const list = await ada.open(handles);
  const id = 3;
  assert.deepEqual(figuresIn(list, id), ['5', '3', '1', '1 not in the catalogue']);
  // The member's own word leaves fewer solved problems in the list than came, so that figure leads nowhere.
  assert.deepEqual(attributesOf(list, `[data-handle="${id}"] dd a`, 'data-count'), ['1']);
  const question = await ada.open(`${handles}${id}/`);
  assert.deepEqual(goesIn(question), { submissions: 5, statuses: 2, changed: 1 });
  assert.match(textOf(question, '[data-goes="statuses"]'), /2 statuses that came only from these: 1 Trying 1 Solved/);
  assert.match(textOf(question, '[data-stays]'), /^1 status that you set yourself stays\./);
  await send('ada', 'ada_cf', ['4A', 'OK', 70]);
  const all = await kept();
  const refused = await ada.submit({ name: 'expected' });
  assert.equal(refused.status, 409);
  assert.match(textOf(refused, '[role="alert"]'), /numbers changed since you opened this page\. Nothing was unlinked/);
  assert.deepEqual(goesIn(refused), { submissions: 6, statuses: 2, changed: 1 });
  assert.deepEqual(await kept(), all);
  const done = await ada.submit({ name: 'expected' });
  assert.deepEqual([done.hops[0]?.status, namesIn(done)], [303, ['CF Codeforces ada_two']]);
  assert.match(textOf(done, '.notice'), /^Unlinked\./);
  assert.deepEqual(await kept(), before);
  assert.equal((await ada.open(`${handles}${id}/`)).status, 404);
});

test(
  '1,557 real submissions: 467 solved and 12 tried on every page, and none of it after unlinking',
  needsData,
  async (t) => {
    const { enter, garden, kept } = await world(t);
    const ada = await enter('ada');
    await garden.import('codeforces-problems', await readReal('codeforces/problemset.problems.2026-08.json'));
    await garden.import('codeforces-twins', await readReal('codeforces/shared-problems.2026-08.json'));
    await garden.import('codeforces-contests', await readReal('codeforces/contest.list.2026-08.json'));
    const before = await kept();
    await link(ada, 'codeforces', 'gbuenoandrade');
    const text = await readReal('codeforces/user.status.gbuenoandrade-1557.json');
    await garden.import('codeforces-submissions', text, { member: 'ada' });
    const page = await ada.open(handles);
    assert.deepEqual(figuresIn(page, 1), ['1,557', '467', '12', '1 not in the catalogue']);
    assert.match(
      textOf(page, '[data-handle="1"] .health'),
      /^We’ll sync with Codeforces soon\. Last import with changes: just now\.$/,
    );
    for (const one of page.document.querySelectorAll('[data-handle="1"] dd a')) {
      const list = await ada.open(one.getAttribute('href') ?? '');
      assert.equal(totalIn(list), Number(one.getAttribute('data-count')));
    }
    assert.match(textOf(await ada.open('/problem_list/'), '.sub'), /, 467 solved$/);
    const [hexagon] = await findProblemsByKeys(garden.store.reader, 'codeforces', ['559A']);
    const problem = await ada.open(`/problem_list/problem/${hexagon?.id}/`);
    assert.match(textOf(problem, '.page-head .sub'), /solved by 11,122 on Codeforces$/);
    const sent = problem.document.querySelectorAll('[data-submission]');
    assert.deepEqual(
      sent.map((one) => [one.getAttribute('data-verdict'), one.querySelector('b')?.textContent]),
      [
        ['solved', 'Accepted'],
        ['solved', 'Accepted'],
        ['void', 'Compile error'],
        ['tried', 'Wrong answer'],
        ['tried', 'Wrong answer'],
        ['tried', 'Runtime error'],
        ['tried', 'Wrong answer'],
      ],
    );
    assert.match(textOf(problem, '[data-sent="7"]'), /^Accepted on the 6th of 7 submissions\.$/);
    const question = await ada.open(`${handles}1/`);
    assert.deepEqual(goesIn(question), { submissions: 1557, statuses: 479 });
    await ada.submit({ name: 'expected' });
    assert.deepEqual(await kept(), before);
    assert.match(textOf(await ada.open('/problem_list/'), '.sub'), /, 0 solved$/);
  },
);

test('markup in a handle that a file names is shown harmlessly', async (t) => {
  const { enter, send } = await world(t);
  const ada = await enter('ada');
  const name = '<b>x"&</b>';
  await send('ada', name, ['1A', 'OK', 10]);
  const pages = [await ada.open(handles), await ada.open(`${handles}1/`), await ada.open('/problem_list/problem/1/')];
  for (const page of pages) {
    assert.equal(page.status, 200);
    assert.equal(page.text.includes('<b>x'), false);
    assert.ok(textsOf(page, 'main bdi').includes(name), page.path);
  }
});
