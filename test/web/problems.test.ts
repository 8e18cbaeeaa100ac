/**
 * The problem list and the page of a problem, driven without script: filters find what the interface finds, every mark and
 * its undo is seen by the interface at once, and a page that is out of date overwrites nothing.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setStatus } from '../../src/practice/marks.ts';
import { setSwitch } from '../../src/practice/preferences.ts';
import { openGarden } from '../importing/support.ts';
import { attributeOf, attributesOf, totalIn } from '../support/elements.ts';
import { type Browser, memberWithPassword, type Page, remarksIn, textOf } from '../support/forms.ts';
import { importRows, temporaryDatabase, tokensFor, withStore } from '../support/garden.ts';
import { type Client, client, idsOf } from '../support/http.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';

const states = ['not_started', 'reading', 'practicing', 'complete', 'skipped', 'ignored'] as const;
const tags = ['dp', 'trees', 'geometry'];

const problems = Array.from({ length: 60 }, (_, place) => {
  const id = BigInt(place + 1);
  const source = ['codeforces', 'atcoder', 'cses'][place % 3] ?? '';
  return {
    id,
    source,
    source_key: [`${1400 + place}B`, `abc${100 + place}_d`, `${1068 + place}`][place % 3],
    title: place === 5 ? '<b>Bold</b> & "quoted" \u202etxt' : `Pond ${String(place).padStart(2, '0')}`,
    rating: source === 'cses' ? null : 800 + place * 40,
    tags: tags.filter((_tag, at) => (place >> at) % 2 === 1),
    aliases: place === 0 ? ['1399D', 'acmsguru-100'] : [],
    url: place === 3 ? 'javascript:alert(1)' : `https://example.org/${place}`,
  };
}).map(({ url, ...rest }) => (url.startsWith('http') ? { ...rest, url } : rest));

async function world(t: Parameters<typeof temporaryDatabase>[0]) {
  const databaseUrl = await temporaryDatabase(t);
  const { members, token, bobs } = await withStore(databaseUrl, async () => {
    await importRows(databaseUrl, 'problems', problems);
    const members = await membersNamed(databaseUrl, 'ada', 'bob');
    const [token = '', bobs = ''] = await tokensFor(databaseUrl, ['ada', 'bob']);
    return { members, token, bobs };
  });
  const { url, stderr } = await serveHere(t, { databaseUrl, env: { RATE_LIMIT: '100000' } });
  const enter = (name: string) => browserOf(url, name);
  return { url, members, enter, api: client(url, token), bobsApi: client(url, bobs), stderr };
}

const list = '/problem_list/';
const row = (id: number) => `[data-problem="${id}"]`;
const idsIn = (page: Page) => attributesOf(page, 'tr[data-problem]', 'data-problem').map(BigInt);

async function walk(browser: Browser, path: string): Promise<bigint[]> {
  const ids: bigint[] = [];
  let page = await browser.open(path);
  for (let pages = 0; pages < 10; pages++) {
    ids.push(...idsIn(page));
    const next = page.document.querySelectorAll('.pages a.step').at(-1);
    if (!next?.textContent.includes('Next')) break;
    page = await browser.open(next.getAttribute('href') ?? '');
  }
  assert.equal(ids.length, totalIn(page), path);
  return ids;
}

async function statusOf(api: Client, id: number) {
  const { status, text, headers } = await api(`/problem_list/api/status/${id}/`);
  assert.equal(status, 200);
  const row = JSON.parse(text) as { status: string; origin: string; updated_at: string };
  return { ...row, text, etag: headers.etag };
}

test('filters find what the interface finds, in its order', async (t) => {
  const { enter, api } = await world(t);
  const ada = await enter('ada');
  for (const [id, status] of [
    [1, 'complete'],
    [2, 'practicing'],
    [3, 'ignored'],
    [7, 'complete'],
  ] as const)
    await mark(ada, id, status);
  for (const id of [1, 4]) {
    await ada.open(`${list}problem/${id}/`);
    await ada.submit({ name: 'bookmark', value: 'true' });
  }
  const queries = [
    '',
    'source=atcoder',
    'tag=dp',
    'tag=dp&tag=trees',
    'rating_min=1400&rating_max=1700',
    'rating_min=1400&rating_max=1700&tag=geometry&source=codeforces',
    'q=pond+1',
    'q=%3Cb%3E',
    'q=1399',
    ...states.map((status) => `status=${status}`),
    'status=complete&tag=dp',
    'bookmarked=true',
    'bookmarked=true&status=not_started',
    'order=-title',
    'order=rating',
    'order=-rating&source=atcoder',
    'order=source_key&tag=trees',
  ];
  for (const query of queries) {
    const order = query.includes('order=') ? '' : '&order=id';
    const found = idsOf(await api(`/problem_list/api/problems/?${query}${order}`));
    assert.deepEqual(await walk(ada, `${list}?${query}`), found, query);
    assert.equal(Number(ada.page().document.querySelector('.found b')?.textContent), found.length, query);
  }
  const all = idsOf(await api('/problem_list/api/problems/?order=id'));
  const dp = idsOf(await api('/problem_list/api/problems/?tag=dp'));
  assert.deepEqual(
    await walk(ada, `${list}?without_tag=dp`),
    all.filter((id) => !dp.includes(id)),
  );
  assert.deepEqual(
    await walk(ada, `${list}?status=unsolved`),
    all.filter((id) => id !== 1n && id !== 7n),
  );
  assert.deepEqual(await walk(ada, `${list}?status=tried`), [2n]);
  const page = await ada.open(list);
  for (const tab of page.document.querySelectorAll('.tabs a:has([data-count])')) {
    const count = Number(tab.querySelector('[data-count]')?.getAttribute('data-count'));
    assert.equal(totalIn(await ada.open(tab.getAttribute('href') ?? '')), count);
  }
});

test('what an address asks for in vain is said, and the rest of it holds', async (t) => {
  const { enter } = await world(t);
  const ada = await enter('ada');
  const numbers = 'enter a whole number from -10,000 to 10,000.';
  const cases: [query: string, total: number, remarks: string[]][] = [
    ['source=cses&rating_min=abc', 20, [`Ignored rating_min=abc: ${numbers}`]],
    [
      'source=cses&status=solved&bookmarked=yes&per_page=7',
      20,
      [
        'Ignored status=solved: use one of unsolved, tried, attempted, not_started, reading, practicing, complete, skipped, ignored.',
        'Ignored bookmarked=yes: use true.',
        'Ignored per_page=7: use one of 25, 50, 100, 200.',
      ],
    ],
    ['rating_min=1700&rating_max=1400', 0, ['1700 is above 1400, so nothing can match. Swap them']],
    [
      'solved_from=2026-03-02&solved_to=2026-03-01',
      0,
      ['2 Mar 2026 is after 1 Mar 2026, so nothing can match. Swap them'],
    ],
    ['tag=dpp', 0, ['No problem has the topic “dpp”.']],
    ['source=cses&without_tag=dpp', 20, ['No problem has the topic “dpp”.']],
    ['source=spoj', 0, ['There is no judge “spoj”.']],
    ['contest=never', 0, ['No contest found.']],
    ['list=7', 0, ['There is no list 7, or you don’t have access to it.']],
    ['source=cses&list=mine', 20, ['Ignored list=mine: enter the ID of a list.']],
    ['page=9', 60, ['There is no page 9. This is the last page.']],
    [`source=cses&tag=${'x'.repeat(300)}`, 20, [`Ignored tag=${'x'.repeat(40)}…: use at most 100 characters.`]],
    ['source=cses&tag=dp', totalIn(await ada.open(`${list}?source=cses&tag=dp`)), []],
  ];
  for (const [query, total, remarks] of cases) {
    const page = await ada.open(`${list}?${query}`);
    assert.deepEqual([totalIn(page), remarksIn(page)], [total, remarks], query);
  }
  const swapped = await ada.open(`${list}?rating_min=1700&rating_max=1400&source=atcoder`);
  const link = attributeOf(swapped, '[data-filters] a', 'href');
  assert.equal(link, `${list}?source=atcoder&rating_min=1400&rating_max=1700`);
  const picked = await ada.open(`${list}random/?source=cses&rating_min=abc`);
  assert.equal(picked.path, `${list}?source=cses&rating_min=abc`);
  assert.equal(remarksIn(await ada.open(`${list}bulk/?status=solved`)).length, 1);

  await ada.open(`${list}?per_page=50`);
  const sent = await ada.submit({ within: '.filters', name: 'rating_min' }, { source: 'cses', rating_max: '' });
  assert.deepEqual([sent.hops.map(({ status }) => status), sent.path], [[303], `${list}?source=cses&per_page=50`]);
  for (const [query, status, to] of [
    ['?q=&tag=', 303, list],
    ['?q=a%26b&&tag=&tag=%F0', 303, `${list}?q=a%26b&tag=%F0`],
    ['?q', 303, list],
    ['?', 200, undefined],
    ['?q=%00', 200, undefined],
  ] as const)
    for (const method of ['GET', 'HEAD']) {
      const reply = await ada.ask(list + query, { method });
      assert.deepEqual([reply.status, reply.headers.location], [status, to], `${method} ${query}`);
    }
});

/** In a list of few problems, because a long one takes most of the time of these tests. */
async function mark(browser: Browser, id: number, status: string): Promise<Page> {
  await browser.open(`${list}?q=pond+${String(id - 1).padStart(2, '0')}`);
  return browser.submit({ within: row(id), name: 'status', value: status });
}

test('every mark, and every undo, is what the interface says at once', async (t) => {
  const { enter, api } = await world(t);
  const ada = await enter('ada');
  const seen = [await statusOf(api, 8)];
  for (const status of [...states.slice(1), 'not_started', 'complete']) {
    const asked = Date.now();
    const page = await mark(ada, 8, status);
    assert.equal(page.hops[0]?.status, 303);
    assert.match(page.hops[0]?.headers.location ?? '', /#p8$/);
    assert.equal(attributeOf(page, row(8), 'data-status'), status);
    const now = await statusOf(api, 8);
    const before = seen.at(-1);
    assert.deepEqual([now.status, now.origin], [status, 'self']);
    assert.notEqual(now.etag, before?.etag);
    assert.ok(Date.parse(now.updated_at) >= asked && Date.parse(now.updated_at) <= Date.now());
    seen.push(now);
  }
  const told = await ada.submit({ within: '.undo-how', name: 'how', value: 'hint' });
  assert.match(textOf(told, '.undo p'), /^Pond 07: solved: with a hint$/);
  assert.match(textOf(told, `${row(8)} .c-last`), /hint$/);
  assert.equal((await statusOf(api, 8)).status, 'complete');
  await ada.submit({ name: 'undo' });
  for (const before of seen.toReversed()) {
    const page = await ada.open(`${list}problem/8/`);
    assert.equal(attributeOf(page, '[data-status]', 'data-status'), before.status);
    assert.equal((await statusOf(api, 8)).text, before.text);
    const open = attributeOf(page, '.event[data-change]:not([data-undone])', 'data-change');
    if (open !== undefined) await ada.submit({ within: `[data-change="${open}"]`, name: 'undo' });
  }
  const history = await ada.open('/dashboard/history/');
  assert.equal(history.document.querySelectorAll('[data-change]').length, 8);
  assert.equal(history.document.querySelectorAll('[data-change] button').length, 0);
});

test('stars and notes are undone exactly, and notes are shown as they were written', async (t) => {
  const { enter, api } = await world(t);
  const ada = await enter('ada');
  const bookmark = async () => (await api('/dashboard/api/bookmarks/')).text;
  await ada.open(`${list}problem/9/`);
  const written = '\nfirst </textarea><script>\n\nlast';
  await ada.submit({ within: '#your-note', name: 'note' }, { note: written });
  await ada.submit({ name: 'bookmark', value: 'true' });
  assert.equal(JSON.parse(await bookmark())[0].note, written);
  const page = await ada.open(`${list}problem/9/`);
  assert.equal(page.text.includes('<script>\n'), false);
  const before = await bookmark();
  await ada.submit({ name: 'bookmark', value: 'false' });
  assert.equal(await bookmark(), '[]');
  assert.equal(textOf(ada.page(), 'textarea'), written.trim().replace('\n\n', ' '));
  const undone = await ada.submit({ within: '.undo', name: 'undo' });
  assert.equal(await bookmark(), before);
  assert.equal(textOf(undone, '.undo[role=status] p'), 'Undone: Pond 08, star removed');
  assert.equal(textOf(undone, '.undo button').trim(), 'Redo u');
  assert.match(
    textOf(await ada.submit({ within: '.undo', name: 'redo' }), '.undo[role=status] p'),
    /^Pond 08: star removed/,
  );
  await ada.submit({ within: '.undo', name: 'undo' });
  assert.equal(attributeOf(await ada.open(list), `${row(9)} .mark-note`, 'href'), `${list}problem/9/#your-note`);
});

test('a page that is out of date changes nothing and says what changed', async (t) => {
  const { enter, api } = await world(t);
  const [first, second] = [await enter('ada'), await enter('ada')];
  for (const browser of [first, second]) await browser.open(`${list}?per_page=200`);
  await first.submit({ within: row(5), name: 'status', value: 'reading' });
  const told = await second.submit({ within: row(5), name: 'status', value: 'complete' });
  assert.equal(told.status, 409);
  assert.match(textOf(told, '[role="alert"]'), /changed in another tab.*It is now Reading.*“Solved” was not saved/);
  assert.equal((await statusOf(api, 5)).status, 'reading');
  assert.equal((await second.submit({ within: '.verdict', name: 'status', value: 'complete' })).status, 200);
  assert.equal((await statusOf(api, 5)).status, 'complete');

  for (const browser of [first, second]) await browser.open(`${list}?per_page=200`);
  await first.submit({ within: row(8), name: 'status', value: 'complete' });
  const same = await second.submit({ within: row(8), name: 'status', value: 'complete' });
  assert.deepEqual([same.status, textOf(same, '.undo p')], [200, 'Pond 07 is already solved.']);
  assert.equal(same.document.querySelectorAll('.undo button').length, 0);
  for (const browser of [first, second]) await browser.open(`${list}problem/8/`);
  await first.submit({ within: '.how', name: 'how' }, { how: 'hint' });
  assert.equal((await second.submit({ within: '.how', name: 'how' }, { how: 'alone' })).status, 409);

  for (const browser of [first, second]) await browser.open(`${list}problem/5/`);
  await first.submit({ within: '#your-note', name: 'note' }, { note: 'mine' });
  const other = await second.submit({ within: '#your-note', name: 'note' }, { note: 'yours' });
  assert.equal(other.status, 409);
  assert.match(textOf(other, '[role="alert"]'), /The note is now: “mine”/);
  assert.equal(textOf(other, 'textarea'), 'yours');
  for (const browser of [first, second]) await browser.open(`${list}problem/5/`);
  await first.submit({ within: '#your-note', name: 'note' }, { note: 'longer' });
  assert.equal((await second.submit({ name: 'bookmark', value: 'true' })).status, 200);
  assert.match((await api('/dashboard/api/bookmarks/')).text, /longer/);

  for (const browser of [first, second]) await browser.open(`${list}?per_page=200`);
  const pick = attributesOf(second.page(), '[name="pick"]', 'value').slice(0, 3);
  await first.submit({ within: row(2), name: 'status', value: 'skipped' });
  const bulk = await second.submit({ name: 'do', value: 'mark' }, { pick, to: 'complete' });
  assert.equal(bulk.status, 409);
  assert.match(textOf(bulk, '[role="alert"]'), /Pond 01 is now skipped\. Nothing was saved/);
  assert.equal((await statusOf(api, 1)).status, 'not_started');
  await second.submit({ within: '.bulk-form', name: 'to' }, { to: 'complete' });
  for (const id of [1, 2, 3]) assert.equal((await statusOf(api, id)).status, 'complete');
});

test('many at once: the exact number before, one change, one undo', async (t) => {
  const { enter, api } = await world(t);
  const ada = await enter('ada');
  await mark(ada, 2, 'complete');
  await mark(ada, 10, 'practicing');
  const before = (await api('/problem_list/api/status/')).text;
  const found = idsOf(await api('/problem_list/api/problems/?tag=dp&order=id'));
  const page = await ada.open(`${list}?tag=dp`);
  const link = page.document.querySelectorAll('a').find((one) => one.textContent.startsWith('Change all'));
  const preview = await ada.open(link?.getAttribute('href') ?? '');
  assert.equal(textOf(preview, 'h1'), `Change ${found.length} problems`);
  assert.match(textOf(preview, 'label:has([value="complete"])'), new RegExp(`${found.length - 1} will change$`));
  assert.match(textOf(preview, 'label:has([value="ignored"])'), new RegExp(`${found.length} will change$`));
  const marked = found.filter((id) => id === 2n || id === 10n).length;
  assert.match(textOf(preview, 'label:has([value="not_started"])'), new RegExp(`${marked} will change$`));
  const stale = ada.filled({ name: 'to' }, { to: 'ignored' });
  const done = await ada.submit({ name: 'to' }, { to: 'ignored' });
  assert.match(textOf(done, '.undo p'), new RegExp(`^${found.length} problems: now ignored$`));
  for (const id of found) assert.equal((await statusOf(api, Number(id))).status, 'ignored');
  assert.equal(JSON.parse((await api('/problem_list/api/status/')).text).length, found.length);
  const history = await ada.open('/dashboard/history/');
  assert.equal(history.document.querySelectorAll('[data-change]').length, 3);
  const undoneThere = await ada.submit({ within: '[data-change]', name: 'undo' });
  assert.equal(textOf(undoneThere, '.undo[role=status] p'), `Undone: ${found.length} problems, now ignored`);
  assert.equal((await api('/problem_list/api/status/')).text, before);

  stale.fields.set('expected', String(found.length + 1));
  const refused = await ada.post(stale.path, stale.fields);
  assert.equal(refused.status, 409);
  assert.match(textOf(refused, '[role="alert"]'), /number of matching problems changed/);
  assert.equal((await api('/problem_list/api/status/')).text, before);

  await ada.open(`${list}bulk/?source=cses`);
  assert.equal((await ada.submit({ name: 'do', within: '.bulk-form' })).status, 422);
  await ada.submit({ name: 'to', within: '.bulk-form' }, { to: 'star' });
  const cses = idsOf(await api('/problem_list/api/problems/?source=cses&order=id'));
  assert.deepEqual(idsOf(await api('/dashboard/api/bookmarks/?order=id')), cses);
  await ada.submit({ within: '.undo', name: 'undo' });
  assert.equal((await api('/dashboard/api/bookmarks/')).text, '[]');
});

test('each status says what it does, and the two that few people need are behind More', async (t) => {
  const { enter } = await world(t);
  const ada = await enter('ada');
  const lineOf = {
    not_started: 'Counts as not tried.',
    practicing: 'Counts as tried, and as unfinished.',
    complete: 'Counts as solved. Can come up for review.',
    skipped: 'Not now. Not suggested on Today.',
    reading: 'You are thinking about it. Not a try yet.',
    ignored: 'Not for you. Not suggested on Today.',
  };
  const shownIn = ({ document }: Pick<Page, 'document'>, within: string, control: string) =>
    document.querySelectorAll(`${within} ${control}`).map((one) => {
      const name = one.getAttribute('value') ?? '';
      const line = one.closest('li, .choice')?.querySelector('small')?.textContent;
      assert.equal(line, lineOf[name as keyof typeof lineOf], `${within} ${name}`);
      return name;
    });
  const isOpen = ({ document }: Pick<Page, 'document'>, within: string) =>
    document.querySelector(`${within} details.rare`)?.hasAttribute('open');
  const places: [path: string, within: string, control: string][] = [
    [list, row(9), '.menu-panel [name="status"]'],
    [`${list}problem/9/`, '.verdict', '.menu-panel [name="status"]'],
    [`${list}bulk/`, '.bulk-form', '[name="to"]:not([value$="star"])'],
  ];
  for (const [path, within, control] of places) {
    const page = await ada.open(path);
    assert.deepEqual(shownIn(page, within, control), Object.keys(lineOf), path);
    assert.equal(page.document.querySelectorAll(`${within} details.rare [value="reading"]`).length, 1, path);
    assert.equal(isOpen(page, within), false, path);
  }
  await ada.open(`${list}problem/9/`);
  await ada.submit({ within: '.verdict', name: 'status', value: 'reading' });
  const open = 'More is open where the status is behind it';
  assert.equal(isOpen(await ada.open(`${list}problem/9/`), '.verdict'), true, open);
  assert.equal(isOpen(await ada.open(list), row(9)), true, open);
});

test('a page that is filtered by own status stays right while its rows leave it', async (t) => {
  const { enter } = await world(t);
  const ada = await enter('ada');
  let page = await ada.open(`${list}?status=not_started&per_page=25&page=3`);
  assert.equal(totalIn(page), 60);
  for (let left = 60; left > 48; left--) {
    const [first] = idsIn(page);
    page = await ada.submit({ within: row(Number(first)), name: 'status', value: 'complete' });
    assert.equal(totalIn(page), left - 1);
    assert.equal(idsIn(page).includes(first as bigint), false);
    // With no row left on the third page the second is shown.
    const expected = left - 1 > 50 ? left - 51 : left - 26;
    assert.equal(idsIn(page).length, expected);
  }
  await ada.submit({ within: '.undo', name: 'undo' });
  assert.equal(totalIn(ada.page()), 49);
});

test('search finds titles, keys, aliases and pasted links of every judge', async (t) => {
  const { enter } = await world(t);
  const ada = await enter('ada');
  const finds: [asked: string, id: bigint][] = [
    ['1400B', 1n],
    ['1399D', 1n],
    ['1399d', 1n],
    ['abc101_d', 2n],
    ['ABC101_D', 2n],
    ['1070', 3n],
    ['cf 1400 b', 1n],
    ['CF1399D', 1n],
    ['Codeforces: 1400/B', 1n],
    ['1400/b', 1n],
    ['AC ABC101_D', 2n],
    ['CSES 1070', 3n],
    ['https://codeforces.com/problemset/problem/1400/B', 1n],
    ['https://codeforces.com/contest/1399/problem/D', 1n],
    ['codeforces.com/contest/1400/problem/b', 1n],
    ['https://codeforces.com/problemsets/acmsguru/problem/99999/100', 1n],
    ['cses.fi/problemset/result/1070/', 3n],
    ['  pond 58 ', 59n],
  ];
  for (const [asked, id] of finds) {
    const page = await ada.open(`${list}?${new URLSearchParams({ q: asked })}`);
    if (asked.includes('pond')) {
      assert.deepEqual(idsIn(page), [id], asked);
      assert.match(textOf(page, '.pages .num'), /^1–1 of 1 · Change… · Add to list…$/);
    } else assert.equal(page.path, `${list}problem/${id}/`, asked);
  }
  const typed = await ada.open(`${list}?${new URLSearchParams({ q: 'Ada’s Cafe\u0301' })}`);
  assert.equal(attributeOf(typed, 'main [name=q]', 'value'), "Ada's Café");
  const none = ['https://codeforces.com/contest/140/problem/B', 'https://evil.example/contest/1400/problem/B'];
  for (const asked of [...none, '%', 'AC 1400B', '1400 Z'])
    assert.deepEqual(idsIn(await ada.open(`${list}?${new URLSearchParams({ q: asked })}`)), [], asked);
});

test('views are saved, opened, replaced and deleted, each member their own', async (t) => {
  const { enter } = await world(t);
  const [ada, bob] = [await enter('ada'), await enter('bob')];
  await ada.open(`${list}?tag=dp&rating_min=1000&order=-rating&page=2&per_page=50`);
  await ada.open(attributeOf(ada.page(), '.tabs .add', 'href') ?? '');
  assert.match(textOf(ada.page(), '[aria-labelledby=save-title]'), /dp, by Rating/);
  for (const [name, sentence] of [
    ['', /Enter a name for the view/],
    ['x'.repeat(41), /at most 40/],
    ['Starred', /choose another/],
  ] as const) {
    const page = await ada.submit({ name: 'name' }, { name });
    assert.equal(page.status, 422);
    assert.match(textOf(page, '#name-fault'), sentence);
  }
  const saved = await ada.submit({ name: 'name' }, { name: ' DP <i>ladder</i> ' });
  assert.equal(saved.path, `${list}?tag=dp&rating_min=1000&order=-rating`);
  assert.match(textOf(saved, '.tabs [aria-current]'), /^DP <i>ladder<\/i>/);
  assert.equal(Number(attributeOf(saved, '.tabs [aria-current] [data-count]', 'data-count')), totalIn(saved));
  assert.equal((await bob.open(list)).text.includes('ladder'), false);
  await ada.open(`${list}views/`);
  await ada.submit({ name: 'delete' });
  assert.equal((await ada.open(list)).text.includes('ladder'), false);
});

test('topics and ratings hide until they are asked for, one by one, for the member who wants it', async (t) => {
  const { enter } = await world(t);
  const [ada, bob] = [await enter('ada'), await enter('bob')];
  const hidden = (page: Page, cell: string) =>
    page.document.querySelectorAll(`tr[data-problem] ${cell} details.reveal`).length;
  const first = await ada.open(`${list}?tag=dp`);
  assert.equal(hidden(first, '.c-topics'), idsIn(first).length);
  assert.equal(hidden(first, '.c-diff'), 0);
  const rated = await ada.submit({ name: 'hidesRatings', value: 'true' });
  assert.equal(rated.path, `${list}?tag=dp`);
  assert.equal(hidden(rated, '.c-diff') > 5, true);
  assert.equal(hidden(await bob.open(`${list}?tag=dp`), '.c-diff'), 0);
  const [id] = idsIn(rated);
  const solved = await ada.submit({ within: row(Number(id)), name: 'status', value: 'complete' });
  assert.equal(solved.document.querySelectorAll(`${row(Number(id))} .reveal`).length, 0);
  assert.equal(hidden(await ada.submit({ name: 'hidesTopics', value: 'false' }), '.c-topics'), 0);
});

test('a random pick keeps to the filters, and is not solved unless that is asked for', async (t) => {
  const { enter } = await world(t);
  const ada = await enter('ada');
  const picked = new Set<string | undefined>();
  const pick = async (more: string) =>
    (await ada.ask(`${list}random/?tag=geometry&source=atcoder&rating_min=1500${more}`)).headers.location?.split(
      '?random=',
      1,
    )[0];
  const allowed = await walk(ada, `${list}?tag=geometry&source=atcoder&rating_min=1500`);
  for (let round = 0; round < 40 || (picked.size < allowed.length && round < 400); round++) picked.add(await pick(''));
  assert.deepEqual([...picked].sort(), allowed.map((id) => `${list}problem/${id}/`).sort());
  const address = `${list}random/?tag=geometry&rating_min=1500`;
  assert.equal(attributeOf(await ada.open(address), '.page-head a[href*="random/"]', 'href'), address);
  const { fields } = ada.filled({ name: 'note' });
  assert.match(fields.get('from') ?? '', /\?random=tag/, 'a mark on the page keeps the button');
  assert.equal((await ada.open(`${list}random/?q=nothing`)).path, `${list}?q=nothing&status=unsolved`);
  const [last, ...solved] = allowed;
  for (const id of solved) await mark(ada, Number(id), 'complete');
  for (let round = 0; round < 20; round++) assert.equal(await pick(''), `${list}problem/${last}/`);
  for (let round = 0; round < 20; round++) assert.notEqual(await pick('&status=complete'), `${list}problem/${last}/`);
});

test('junk in any parameter is harmless', async (t) => {
  const { enter, stderr } = await world(t);
  const ada = await enter('ada');
  const junk = [
    ...['', '-1', '0', '1e9', '9223372036854775807', '9223372036854775808', 'NaN', '\0', '\ud800', '%', "'", '<'],
    ...['x'.repeat(2000), '../..', '١'],
  ];
  const names = [
    ...['q', 'source', 'tag', 'without_tag', 'rating_min', 'rating_max', 'status', 'bookmarked', 'order', 'page'],
    ...['per_page', 'changed'],
  ];
  const look = async (path: string, pairs: [string, string][]) => {
    const { status } = await ada.ask(`${path}?${new URLSearchParams(pairs)}`);
    assert.ok([200, 303].includes(status), `${path} ${String(pairs).slice(0, 80)}: ${status}`);
  };
  for (const value of junk) {
    for (const name of names)
      await look(list, [
        [name, value],
        [name, value],
      ]);
    for (const path of [`${list}random/`, `${list}views/`, `${list}bulk/`])
      await look(
        path,
        names.map((name) => [name, value.slice(0, 300)]),
      );
  }
  for (const value of junk) {
    const { status } = await ada.ask(`${list}problem/${encodeURIComponent(value.toWellFormed())}/`);
    assert.ok([400, 404, 414].includes(status), `problem ${value}: ${status}`);
  }
  assert.equal(stderr().includes('"level":50'), false, stderr());
});

test('a problem says how long it takes at the member’s level, by a model, where there are both', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const ada = await memberWithPassword(databaseUrl, 'ada');
  await memberWithPassword(databaseUrl, 'bob');
  const garden = await openGarden(t, databaseUrl);
  const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const listed = keys.map((key) => ({ id: `abc1_${key}`, contest_id: 'abc1', problem_index: key, name: 'Pond' }));
  await garden.import('atcoder-problems', listed);
  const model = (difficulty: number, more = {}) => ({ difficulty, is_experimental: false, ...more });
  const models = Object.fromEntries(keys.slice(0, 5).map((key) => [`abc1_${key}`, model(1200)]));
  const timed = { slope: -0.001, intercept: Math.log(1440) + 1.2 };
  const hard = { slope: 0, intercept: Math.log(6 * 3600) };
  const all = { ...models, abc1_f: model(1500, timed), abc1_g: model(3000, hard), abc1_h: model(1500, { slope: 0 }) };
  await garden.import('atcoder-models', all);
  const { url } = await serveHere(t, { databaseUrl });
  const browser = await browserOf(url, 'ada');
  const pageOf = (place: number, of = browser) => of.open(`/problem_list/problem/${place}/`);
  const timeIn = ({ document }: Page) => document.querySelector('[data-time]')?.textContent.trim();
  const problemIds = [1n, 2n, 3n, 4n, 5n];
  const solve = (ids: bigint[]) =>
    garden.store.write((tx) => setStatus(tx, { memberId: ada, problemIds: ids, status: 'complete' }));
  await solve(problemIds.slice(0, 4));
  assert.equal(timeIn(await pageOf(6)), undefined, 'four solves are no level');
  await solve(problemIds.slice(4));
  const page = await pageOf(6);
  assert.equal(timeIn(page), 'About 24 min for you');
  assert.match(
    textOf(page, 'aside'),
    /By the model of AtCoder Problems, at rating 1200: the median of your last 30 solves/,
  );
  assert.equal(page.text.includes('%</p>'), false, 'and no chance');
  assert.equal(timeIn(await pageOf(7)), 'More than 5 hours for you');
  for (const place of [1, 8]) assert.equal(timeIn(await pageOf(place)), undefined, String(place));
  assert.equal(timeIn(await pageOf(6, await browserOf(url, 'bob'))), undefined);
  // It says how hard the problem is, so it hides with the ratings.
  await garden.store.write((tx) => setSwitch(tx, ada, 'hidesRatings', true));
  assert.ok((await pageOf(6)).document.querySelector('aside details.reveal [data-time]'));
});
