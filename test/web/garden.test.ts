/**
 * The garden on the website: every number leads to as many rows, the list says what the picture shows, plants are planted and
 * uprooted by forms, and a shared picture is seen by everybody who has its address until it is revoked.
 */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { setDayRule } from '../../src/practice/activity.ts';
import { daysOf, defaultDayRule } from '../../src/practice/days.ts';
import { readGarden } from '../../src/practice/garden.ts';
import { changeContent, makeList, setVisibility } from '../../src/practice/lists.ts';
import { setStatus } from '../../src/practice/marks.ts';
import { plant } from '../../src/practice/planting.ts';
import { gardenPanel } from '../../src/web/pages/today/today.ts';
import { openGarden } from '../importing/support.ts';
import { steadyDays } from '../support/days.ts';
import { attributesOf, hrefOf, hrefsOf, textsOf, totalIn, valueIn } from '../support/elements.ts';
import { type Browser, type Page, parseHtml, textOf } from '../support/forms.ts';
import { importRows, memberWithToken } from '../support/garden.ts';
import { send } from '../support/http.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';
import { ponds } from '../support/ponds.ts';

const whole = { within: 'main form', name: 'name' };
const change = { within: 'main details form' };
const topics = ['dp', 'graphs', 'binary search', 'a & b <i>', 'x'.repeat(100)];

async function world(t: TestContext) {
  const { databaseUrl, store, import: bring } = await openGarden(t);
  const { ada, bob } = await membersNamed(databaseUrl, 'ada', 'bob');
  await importRows(
    databaseUrl,
    'problems',
    ponds(60, (n) => ({ rating: 1000, tags: topics.filter((_, nth) => n % (nth + 2) === 0) })),
  );
  const { url } = await serveHere(t, { databaseUrl });
  const sow = (name: string, tag: string | null, target: number, planted = '2026-01-01') =>
    plant(store, ada, { name, tag, target: BigInt(target) }, new Date(planted));
  const mark = (...problemIds: bigint[]) => setStatus(store, { memberId: ada, problemIds, status: 'complete' });
  const solved = (problems: readonly number[], updated_at: string) => {
    const row = { username: 'ada', status: 'complete', origin: 'judge', updated_at };
    return bring(
      'statuses',
      problems.map((problem) => ({ problem, ...row })),
    );
  };
  const { token } = await memberWithToken(databaseUrl, 'ada');
  /** Deletes the plant of this page by the interface, and answers the status. */
  const deleteByToken = async (path: string) => {
    const address = path.replace('/at', '').replace(/\/$/, '');
    return (await send(url, address, { method: 'DELETE', token })).status;
  };
  return { databaseUrl, url, store, ada, bob, sow, mark, solved, deleteByToken };
}

async function followCounts(browser: Browser, page: Page): Promise<number> {
  const links = page.document.querySelectorAll('[data-count]');
  for (const link of links) {
    const href = link.getAttribute('href') ?? '';
    const behind = await browser.open(href);
    assert.equal(behind.status, 200, href);
    assert.equal(totalIn(behind), Number(link.getAttribute('data-count')), href);
    assert.equal(link.textContent.replaceAll(/[+,]/g, ''), link.getAttribute('data-count'), href);
  }
  return links.length;
}

test('every number of the garden leads to as many rows, and the list says what the picture shows', async (t) => {
  const { url, sow, mark, solved, store } = await world(t);
  const ada = await browserOf(url, 'ada');
  const empty = await ada.open('/plants/');
  assert.match(textOf(empty, '.empty'), /^No plants yet/);
  await solved([1, 3, 5, 9, 13, 19, 25], '2026-01-02T10:00:00.000Z');
  const one = await sow('A table a week', 'dp', 10);
  assert.ok((await followCounts(ada, await ada.open('/plants/'))) >= 3);
  for (const [nth, tag] of [...topics, null, 'gone', `${'y'.repeat(100)}long`].entries())
    await sow(`Goal ${nth} <b>\u202e&amp;`, tag, 3 + nth * 5, `2026-02-0${1 + nth}`);
  await mark(2n, 4n, 31n);
  const page = await ada.open('/plants/');
  assert.ok((await followCounts(ada, page)) > 12);
  const rows = page.document.querySelectorAll('[data-plant]');
  const told = (picture: string) =>
    page.document
      .querySelectorAll(`${picture} a`)
      .map((link) => [
        /at\/(-?\d+)\//.exec(link.getAttribute('href') ?? '')?.[1],
        link.querySelector('title')?.textContent,
        link.querySelector('desc')?.textContent.split(',')[0],
      ]);
  const listed = rows.map((row) => [
    row.getAttribute('data-plant'),
    row.querySelector('th')?.textContent.replaceAll('\u202e', ''),
    row
      .querySelectorAll('td')
      .find((cell) => / solved$/.test(cell.textContent))
      ?.textContent.replace(' solved', ''),
  ]);
  for (const picture of ['.garden-wide', '.garden-middle', '.garden-narrow']) {
    assert.deepEqual(told(picture).sort(), listed.toSorted(), picture);
  }
  for (const path of ['/dashboard/', '/plants/']) {
    const ids = attributesOf(await ada.open(path), '[id]', 'id');
    assert.deepEqual(ids, [...new Set(ids)], path);
  }
  const own = await ada.open(`/plants/at/${one}/`);
  assert.ok((await followCounts(ada, own)) >= 3);
  assert.deepEqual(
    textsOf(own, '.story li span').map((text) => text.split(':')[0]),
    ['Planted', 'First solved', '25% of the target', 'Half of the target', '75% of the target'],
  );
  assert.equal((await ada.open('/plants/?show=constructor')).status, 200);
  const site = { basePath: '', baseUrl: '', language: 'en' } as const;
  const read = await readGarden(store.reader, 1n, daysOf(defaultDayRule), new Date());
  const panel = parseHtml(String(await gardenPanel({ store, member: { user_id: 1n } as never, site }, read)));
  for (const link of panel.querySelectorAll('[href^="#"]'))
    assert.ok(panel.querySelector(`[id="${link.getAttribute('href')?.slice(1)}"]`), link.outerHTML);
});

test('a goal counts the problems of one judge and of a range of ratings, with a date, as the list of problems does', async (t) => {
  const { databaseUrl, url, store, solved } = await world(t);
  await importRows(
    databaseUrl,
    'problems',
    Array.from({ length: 20 }, (_, n) => ({
      title: `Hill ${n}`,
      source: 'atcoder',
      source_key: `h${n}`,
      tags: ['dp'],
      rating: n === 19 ? null : 800 + n * 50,
    })),
  );
  await solved([1, 2, 3, 5], '2026-01-02T10:00:00.000Z');
  const rows = await store.reader
    .selectFrom('problems')
    .select('id')
    .where('source', '=', 'atcoder')
    .orderBy('id')
    .execute();
  const hill = (n: number) => Number(rows[n]?.id);
  await solved([hill(3), hill(4), hill(8), hill(9), hill(19)], '2026-02-02T10:00:00.000Z');
  const ada = await browserOf(url, 'ada');
  await ada.open('/plants/new/?any=true');
  const part = { source: 'atcoder', rating_min: '1000', rating_max: '1200' };
  const again = await ada.submit({ name: 'again' }, { ...part, by_date: '2999-12-31' });
  assert.match(textOf(again, 'main'), /You have solved 2 of 5\./);
  const offered = ['name', 'by_date'].map((name) => valueIn(again, name));
  assert.deepEqual(offered, ['5 problems: AtCoder, rated 1000–1200', '2999-12-31']);
  const planted = await ada.submit({ name: 'name' });
  assert.match(
    textOf(planted, '.sub'),
    /2 of 5 solved.*3 unsolved to choose from.*problems: AtCoder, rated 1000–1200.*by 31 Dec 2999/,
  );
  assert.ok((await followCounts(ada, planted)) >= 2);
  const garden = await ada.open('/plants/');
  assert.match(textOf(garden, '[data-plant] .c-tag'), /AtCoder, rated 1000–1200/);
  assert.match(textOf(garden, '[data-plant] th'), /by 31 Dec 2999/);
  assert.ok((await followCounts(ada, garden)) >= 1);
  assert.equal(totalIn(await ada.open(hrefOf(garden, '[data-plant] .chip'))), 5);

  const goals = [
    { tag: null, source: 'atcoder' },
    { tag: null, rating_min: 1000n },
    { tag: 'dp', source: 'codeforces', rating_max: 1000n },
    { tag: 'dp' },
    { tag: null, source: 'nowhere' },
  ];
  for (const [nth, goal] of goals.entries())
    await plant(store, 1n, { name: `Goal ${nth}`, target: 3n, ...goal }, new Date());
  const all = await ada.open('/plants/');
  const counted = textsOf(all, '[data-plant] td.num').map((text) => text.split(' ')[0]);
  assert.deepEqual(counted, ['2', '5', '7', '3', '8', '0']);
  assert.ok((await followCounts(ada, all)) >= 6);
  for (const path of hrefsOf(all, '[data-plant] th a')) await followCounts(ada, await ada.open(path));

  const wrong: [Record<string, string>, RegExp][] = [
    [{ rating_min: '1300', rating_max: '1200' }, /Enter the lower one first/],
    [{ rating_min: '1e9' }, /whole number/],
    [{ source: 'atcoder', rating_min: '5000' }, /No problem matches this judge and rating/],
    [{ by_date: '2000-01-01' }, /Enter a date from today on/],
    [{ by_date: '10000-01-01' }, /Enter a date from today on/],
    [{ by_date: '2999-02-30' }, /Enter a date from today on/],
  ];
  for (const [fields, said] of wrong) {
    await ada.open('/plants/new/?any=true');
    const refused = await ada.submit({ name: 'name' }, { name: 'x', ...fields });
    assert.equal(refused.status, 422, JSON.stringify(fields));
    assert.match(textOf(refused, '.fault'), said);
  }
});

test('the date of a goal is changed on its page and told in its story', async (t) => {
  const { databaseUrl, url, store, sow } = await world(t);
  const ada = await browserOf(url, 'ada');
  const id = await sow('Trees', 'dp', 10);
  await ada.open(`/plants/at/${id}/`);
  const changed = await ada.submit({ name: 'target' }, { by_date: '2999-06-01' });
  assert.match(textOf(changed, '.story'), /Target date changed from none to 1 Jun 2999/);
  assert.match(textOf(changed, '.sub'), /by 1 Jun 2999, [\d,]+ days left/);
  const past = { id: Number(id), by_date: '2020-02-29' };
  await importRows(databaseUrl, 'plants', [past]);
  const late = await ada.open(`/plants/at/${id}/`);
  assert.match(textOf(late, '.sub'), /target date passed: 29 Feb 2020/);
  // A date that has passed may stay when something else is changed.
  assert.equal((await ada.submit({ name: 'target' }, { name: 'More trees' })).status, 200);
  const [kept] = await store.reader.selectFrom('plants').selectAll().execute();
  assert.deepEqual([kept?.name, kept?.by_date], ['More trees', '2020-02-29']);
});

test('a goal is planted from a topic with a sensible target, and a form that is wrong says so', async (t) => {
  const { url, solved } = await world(t);
  const ada = await browserOf(url, 'ada');
  await solved([1, 3, 5, 7, 9, 11, 13], '2026-01-02T10:00:00.000Z');
  const choosing = await ada.open('/plants/new/');
  assert.equal(attributesOf(choosing, '[data-topic]', 'data-topic')[0], 'dp');
  await ada.open(hrefOf(choosing, '[data-topic] a'));
  const planted = await ada.submit(whole);
  assert.equal(textOf(planted, 'h1'), 'dp to 20');
  assert.match(textOf(planted, '.sub'), /7 of 20 solved/);
  const changed = await ada.submit(change, { target: '15' });
  assert.equal(textOf(changed, 'h1'), 'dp to 15', 'its own name follows the target');
  assert.equal(textOf(await ada.submit(change, { name: 'dp to 14', target: '16' }), 'h1'), 'dp to 14');
  const wrong: [Record<string, string>, RegExp][] = [
    [{ name: ' ', tag: 'dp', target: '20' }, /Enter a name/],
    [{ name: 'x'.repeat(201), tag: 'dp', target: '20' }, /200/],
    [{ name: 'x\u0007', tag: 'dp', target: '20' }, /show/],
    [{ name: 'x', tag: 'dp', target: '', own_target: '1e3' }, /whole number/],
    [{ name: 'x', tag: 'no such topic', target: '5' }, /no such topic/],
  ];
  for (const [fields, sentence] of wrong) {
    await ada.open('/plants/new/?tag=dp');
    const all = [...ada.filled(whole).fields].filter(([name]) => !(name in fields));
    const page = await ada.post('/plants/new/', { ...Object.fromEntries(all), ...fields });
    assert.equal(page.status, 422, JSON.stringify(fields));
    assert.match(textOf(page, 'main'), sentence);
  }
  await ada.open('/plants/new/?tag=dp');
  const own = await ada.submit(whole, { target: '', own_target: '12' });
  assert.equal(textOf(own, 'h1'), 'dp to 12');
  await ada.open('/plants/new/?any=true');
  const any = await ada.submit(whole, { name: 'All of it', target: '', own_target: '12' });
  assert.match(textOf(any, '.sub'), /7 of 12 solved/);
});

test('a list is planted from its page, and the plant says what becomes of it', async (t) => {
  const { url, store, ada: adaId, bob: bobId, mark, deleteByToken } = await world(t);
  const [ada, bob] = [await browserOf(url, 'ada'), await browserOf(url, 'bob')];
  await store.write((tx) => setDayRule(tx, adaId, steadyDays()));
  const made = (ownerId: bigint, name: string, visibility: 'private' | 'garden', ids: readonly bigint[]) => {
    const content = [{ name: '', items: ids.map((problem) => ({ problem })) }];
    return makeList(store, { ownerId, name, visibility, content });
  };
  const name = 'Camp <b>&amp;\u202e';
  const list = await made(bobId, name, 'garden', [1n, 2n, 3n, 4n, 5n, 6n, 7n]);
  const secret = await made(bobId, 'Of bob alone', 'private', [1n]);
  const empty = await made(adaId, 'Empty', 'private', []);
  await mark(1n, 2n);
  const page = await ada.open(`/problem_list/lists/${list}/`);
  const way = page.document
    .querySelectorAll('a.button')
    .find((link) => link.textContent === 'Set as goal')
    ?.getAttribute('href');
  assert.equal(way, `/plants/new/?list=${list}`);
  assert.doesNotMatch((await ada.open(`/problem_list/lists/${empty}/`)).text, /Set as goal/);
  const choosing = await ada.open('/plants/new/');
  assert.deepEqual(attributesOf(choosing, '[data-list]', 'data-list'), [String(list)]);
  const refusal = /^This list doesn’t exist, or you don’t have access to it/;
  for (const other of [secret, empty, 999n, 'x', '1e3', '-1', '9'.repeat(30)])
    assert.match(textOf(await ada.open(`/plants/new/?list=${other}`), '[role=alert]'), refusal, String(other));
  await ada.open(way ?? '');
  const { fields } = ada.filled(whole);
  assert.deepEqual([fields.get('target'), fields.get('name')], ['7', name], 'the whole list');
  const foreign = await ada.post('/plants/new/', { ...Object.fromEntries(fields), list: String(secret) });
  assert.equal(foreign.status, 422);
  await ada.open(way ?? '');
  const planted = await ada.submit(whole);
  assert.match(textOf(planted, '.sub'), /2 of 7 solved.*\+2 today.*5 unsolved to choose from.*problems in Camp <b>/);
  assert.ok((await followCounts(ada, planted)) >= 3);
  assert.ok((await followCounts(ada, await ada.open('/plants/'))) >= 3);
  const { path } = planted;
  await ada.open(path);
  await ada.submit(change, { name: 'The camp', target: '7' });
  await ada.submit(change, { name: 'The camp', target: '9' });
  const changed = await ada.submit(change, { name: 'All of it', target: '5' });
  const told = textsOf(changed, '.story li span').map((text) => text.split(':')[0] ?? '');
  assert.deepEqual(
    told.filter((text) => /^(Renamed|Target)/.test(text)),
    [
      `Renamed from ${name} to The camp`,
      'Target changed from 7 to 9',
      'Renamed from The camp to All of it, target changed from 9 to 5',
    ],
  );
  const same = await ada.submit(change, {});
  assert.equal(textsOf(same, '.story li').length, textsOf(changed, '.story li').length);
  await ada.open(`${path}uproot/`);
  await ada.submit({ within: 'main form' });
  await ada.submit({ within: '.undo-end', name: 'restore' });
  const again = await ada.open(path);
  assert.equal(textOf(again, '.story'), textOf(changed, '.story'));
  assert.match(textOf(again, '.sub'), /problems in Camp/);
  const tag = (await ada.open('/plants/')).headers.etag;
  await changeContent(store, { id: list, owner_id: bobId }, (content) => content, { name: 'Camp II' });
  const garden = await ada.open('/plants/');
  assert.notEqual(garden.headers.etag, tag);
  assert.match(textOf(garden, '[data-plant]'), /All of it.*Camp II.*2 of 5 solved/);
  await bob.open(`/problem_list/lists/${list}/edit/`);
  await setVisibility(store, { id: list, owner_id: bobId }, 'private');
  const gone = await ada.open(path);
  assert.match(
    textOf(gone, '.notice'),
    /^The list Camp II was deleted or is no longer shared with you, so this plant counts nothing\./,
  );
  assert.match(textOf(gone, '.sub'), /a seed.*0 of 5 solved/);
  assert.equal(gone.document.querySelectorAll('[data-count]').length, 0);
  assert.match(textOf(await ada.open('/plants/'), '[data-plant]'), /a deleted list/);
  assert.equal((await ada.open('/dashboard/')).status, 200);
  assert.deepEqual([await deleteByToken(path), await deleteByToken(path)], [204, 404]);
  assert.equal((await ada.open(path)).status, 404);
});

test('Today offers to plant a list that is practised', async (t) => {
  const { url, store, ada: adaId, mark } = await world(t);
  const ada = await browserOf(url, 'ada');
  const items = [2n, 3n, 4n, 6n].map((problem) => ({ problem }));
  const id = await makeList(store, { ownerId: adaId, name: 'Mine', content: [{ name: '', items }] });
  await mark(2n, 4n, 6n);
  const offer = () => ada.open('/dashboard/').then((page) => textOf(page, '.plant-hint'));
  assert.match(await offer(), /^3 of your recent solves were in the list Mine\. Plant Mine$/);
  await ada.open(`/plants/new/?list=${id}`);
  await ada.submit(whole);
  assert.doesNotMatch((await ada.open('/dashboard/')).text, /in the list/);
});

test('a name and a target are changed on the page of the plant, and a second tab overwrites nothing', async (t) => {
  const { url, sow, store, deleteByToken } = await world(t);
  const [ada, second, bob] = [await browserOf(url, 'ada'), await browserOf(url, 'ada'), await browserOf(url, 'bob')];
  const path = `/plants/at/${await sow('A table a week', 'dp', 10)}/`;
  const tag = (await ada.open('/plants/')).headers.etag;
  await second.open(path);
  await ada.open(path);
  const changed = await ada.submit(change, { name: '<b>Two</b> a week', target: '20' });
  assert.equal(textOf(changed, 'h1'), '<b>Two</b> a week');
  assert.match(textOf(changed, '.sub'), /0 of 20 solved/);
  assert.notEqual((await ada.open('/plants/')).headers.etag, tag, 'the garden shows it at once');
  const late = await second.submit(change, { name: 'Three', target: '30' });
  assert.equal(late.status, 409);
  assert.match(textOf(late, '[role=alert]'), /It is now <b>Two<\/b> a week with target 20/);
  assert.equal((await second.submit(change)).status, 200, 'who has seen it may replace it');
  for (const wrong of [{ name: ' ' }, { target: '1000001' }]) {
    await ada.open(path);
    assert.equal((await ada.submit(change, wrong)).status, 422, JSON.stringify(wrong));
  }
  const [row] = await store.reader.selectFrom('plants').select(['name', 'tag', 'target']).execute();
  assert.deepEqual(row, { name: 'Three', tag: 'dp', target: 30n });
  await bob.open('/plants/new/?tag=dp');
  const { fields } = bob.filled(whole);
  const foreign = await bob.post(path, { ...Object.fromEntries(fields), target: '5' });
  assert.equal(foreign.status, 404);
  assert.equal(await deleteByToken(path), 204);
  await second.open('/plants/');
  assert.equal((await second.open(path)).status, 404);
});

test('uprooting asks first and can be undone for a day; a plant that the interface deletes goes from every page at once', async (t) => {
  const { url, databaseUrl, sow, mark, deleteByToken } = await world(t);
  const [ada, bob] = [await browserOf(url, 'ada'), await browserOf(url, 'bob')];
  const id = await sow('A table a week', 'dp', 10);
  const path = `/plants/at/${id}/`;
  assert.equal((await bob.open(path)).status, 404);
  assert.equal((await bob.open(`${path}uproot/`)).status, 404);
  await ada.open(`${path}uproot/`);
  const gone = await ada.submit({ within: 'main form' });
  assert.match(textOf(gone, '.undo'), /A table a week was deleted/);
  assert.equal((await ada.open(path)).status, 404);
  assert.equal(await deleteByToken(path), 404, 'it is deleted for the interface too');
  await ada.open(`/plants/?uprooted=${id}`);
  await ada.submit({ within: '.undo-end', name: 'restore' });
  assert.equal(textOf(await ada.open(path), 'h1'), 'A table a week');
  await sow('Stays', 'graphs', 10);
  await ada.open('/authentication/account/sharing/');
  const sharing = await ada.submit({ name: 'share', value: 'garden' });
  const picture = new URL(sharing.document.querySelector('.copyable')?.textContent ?? '').pathname;
  const elsewhere = await browserOf((await serveHere(t, { databaseUrl })).url, 'ada');
  const pages = ['/plants/', '/dashboard/', picture];
  await mark(9n);
  const tags = [ada, elsewhere].map((browser) => ({ browser, held: new Map<string, string>() }));
  const look = async () => {
    const statuses: number[] = [];
    for (const { browser, held } of tags)
      for (const at of pages) {
        const { status, headers } = await browser.ask(at, { headers: { 'If-None-Match': held.get(at) ?? '"none"' } });
        if (status === 200) held.set(at, headers.etag ?? '');
        statuses.push(status);
      }
    return statuses;
  };
  const all = (status: number) => [...pages, ...pages].map(() => status);
  assert.deepEqual(await look(), all(200));
  assert.deepEqual(await look(), all(304));
  assert.equal(await deleteByToken(path), 204);
  assert.deepEqual(await look(), all(200), 'no page is confirmed that shows the deleted plant');
  assert.deepEqual(await look(), all(304));
  const page = await ada.open('/plants/');
  assert.deepEqual(textsOf(page, '[data-plant] th'), ['Stays']);
  assert.equal(page.document.querySelectorAll('[data-uprooted]').length, 0, 'it was deleted for good');
});

const shared = {
  garden: {
    alt: /!\[ada’s practice garden\]\(http/,
    first: /ada’s garden.*3 problems · 1 plant · 0 in bloom/s,
    later: /4 problems/,
    unnamed: />A practice garden /,
  },
  year: {
    alt: /!\[ada’s year of practice\]\(http/,
    first: /ada’s year.*>3 new problems on 1 day</s,
    later: />4 new problems on 1 day</,
    unnamed: />A year of practice</,
  },
} as const;

for (const kind of ['garden', 'year'] as const)
  test(`the ${kind} is shared by a secret address, and is gone at once when that is revoked`, async (t) => {
    const { url, databaseUrl, ada: id, store, sow, solved } = await world(t);
    const other = await serveHere(t, { databaseUrl });
    const ada = await browserOf(url, 'ada');
    await sow('My secret goal', 'dp', 10);
    const before = new Date(Date.now() - 30 * 86_400_000).toISOString();
    await solved([1, 3, 5], before);
    await ada.open('/authentication/account/sharing/');
    const page = await ada.submit({ name: 'share', value: kind });
    const address = page.document.querySelector('.copyable')?.textContent ?? '';
    assert.match(textOf(page, 'main'), shared[kind].alt);
    const path = new URL(address).pathname;
    const see = (at: string, headers: Record<string, string> = {}) => send(at, path, { headers });
    const seen = await see(url);
    assert.equal(seen.status, 200);
    assert.match(String(seen.headers['content-type']), /^image\/svg\+xml/);
    const policy = String(seen.headers['content-security-policy']);
    const style = /<style>(.*?)<\/style>/s.exec(seen.text)?.[1] ?? '';
    assert.match(policy, /^default-src 'none'; style-src 'sha256-/);
    assert.ok(policy.includes(hash('sha256', style, 'base64')), 'the policy allows its own style');
    assert.match(style, /@media ?\(prefers-color-scheme:dark\)/);
    assert.match(String(seen.headers['cache-control']), /^public, no-cache$/);
    assert.equal(seen.headers['set-cookie'], undefined);
    assert.match(seen.text, shared[kind].first);
    assert.doesNotMatch(seen.text, /secret goal|today|<a |<script| style=|https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
    assert.equal((await see(url, { 'If-None-Match': String(seen.headers.etag) })).status, 304);
    assert.equal((await see(other.url)).text, seen.text, 'another process has the same bytes');
    for (const zone of ['Pacific/Apia', 'Etc/GMT+12']) {
      await store.write((tx) => setDayRule(tx, id, { zone, startHour: 23 }));
      const frame = (text: string) => [...text.matchAll(/>([^<]* to [^<]*\d{4})</g)].map(([, found]) => found);
      assert.deepEqual(frame((await see(url)).text), frame(seen.text), zone);
    }
    await store.write((tx) => setDayRule(tx, id, defaultDayRule));
    assert.equal((await see(other.url)).text, seen.text);
    await solved([7], before);
    assert.match((await see(url)).text, shared[kind].later);
    assert.match((await see(other.url)).text, shared[kind].later);
    await ada.open('/authentication/account/sharing/');
    const unnamed = await ada.submit({ name: 'hide_name' });
    assert.doesNotMatch(unnamed.document.querySelector('.copyable ~ p, .copyable')?.textContent ?? '', /ada/);
    for (const at of [url, other.url]) {
      const { text } = await see(at);
      assert.match(text, shared[kind].unnamed);
      assert.doesNotMatch(text, /\bada\b/);
    }
    await ada.submit({ name: 'hide_name' });
    assert.match((await see(url)).text, /ada’s/);
    await ada.submit({ name: 'revoke' });
    const unknown = `/plants/picture/${'A'.repeat(32)}.svg`;
    for (const at of [url, other.url]) {
      const [after, never] = [await see(at), await send(at, unknown)];
      assert.equal(after.status, 404);
      assert.equal(after.text.replace(path, ''), never.text.replace(unknown, ''));
    }
  });
