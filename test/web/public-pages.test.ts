/**
 * The public page of a member: none before they say so, and for whom they say. Visitors who may not see it get the answer of a
 * name that nobody has, in every process at once; and it shows nothing but the garden, the year and lists that members see anyway.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { makeGroup } from '../../src/practice/groups.ts';
import { addHandle } from '../../src/practice/handles.ts';
import { makeList, setVisibility } from '../../src/practice/lists.ts';
import { setNote, setStatus } from '../../src/practice/marks.ts';
import { disableMember, removeMember, renameMember } from '../../src/practice/members.ts';
import { showPageTo } from '../../src/practice/public-pages.ts';
import { setBoard } from '../../src/store/groups.ts';
import type { Store } from '../../src/store/store.ts';
import { openGarden } from '../importing/support.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { attributesOf, csrfOf, textsOf } from '../support/elements.ts';
import { type Browser, browser, memberWithPassword, textOf } from '../support/forms.ts';
import { importRows } from '../support/garden.ts';
import { send } from '../support/http.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { faultsOfLook } from '../support/looks.ts';
import { joinGroup, longAgo } from '../support/members.ts';
import { ponds } from '../support/ponds.ts';
import { countStatements } from '../support/statements.ts';

const sharing = '/authentication/account/sharing/';
const hidden = /zq-hidden/;

async function world(t: TestContext) {
  const { databaseUrl, store } = await openGarden(t);
  const ids = {} as Record<'ada' | 'bob' | 'root', bigint>;
  for (const name of ['ada', 'bob', 'root'] as const)
    ids[name] = await memberWithPassword(databaseUrl, name, name === 'root' ? { role: 'staff' } : {});
  await importRows(
    databaseUrl,
    'problems',
    ponds(5, (n) => ({
      rating: 1234,
      tags: ['dp'],
      url: `https://codeforces.com/problemset/problem/${n + 1}/A`,
    })),
  );
  await importRows(databaseUrl, 'records', [
    { username: 'ada', first_name: 'zq-hidden-name', city: 'zq-hidden-city', email: 'zq-hidden@here.test' },
  ]);
  await importRows(databaseUrl, 'plants', [{ id: 1, username: 'ada', name: 'zq-hidden goal', tag: 'dp', target: 4 }]);
  await importRows(
    databaseUrl,
    'statuses',
    [1, 2].map((problem) => ({ username: 'ada', problem, status: 'complete', updated_at: longAgo })),
  );
  const content = [{ name: 'Part one', items: [1n, 2n, 3n].map((problem) => ({ problem, memo: 'Sort.' })) }];
  const made = await store.write(async (tx) => {
    await setStatus(tx, { memberId: ids.ada, problemIds: [1n], status: 'complete', how: 'hint' });
    await setNote(tx, ids.ada, 1n, 'zq-hidden note');
    await addHandle(tx, ids.ada, 'codeforces', 'zq-hidden-handle');
    const own = { ownerId: ids.ada, content };
    const open = await makeList(tx, { ...own, name: '<b>Winter</b> camp', visibility: 'garden' });
    const closed = await makeList(tx, { ...own, name: 'zq-hidden list' });
    const shared = await makeList(tx, { ...own, name: 'zq-hidden secret list' });
    await setVisibility(tx, { id: shared, owner_id: ids.ada }, 'secret');
    const bobs = await makeList(tx, { ownerId: ids.bob, name: 'Of bob', visibility: 'garden', content });
    const group = await makeGroup(tx, ids.root, { name: 'Club', zone: 'UTC' });
    await setBoard(tx, group, true);
    for (const [user_id, on_board] of [
      [ids.ada, 1n],
      [ids.bob, 0n],
    ] as const)
      await joinGroup(tx, group, user_id, { on_board });
    return { open, closed, bobs, group };
  });
  const [here, there] = [await serveHere(t, { databaseUrl }), await serveHere(t, { databaseUrl })];
  const [ada, bob, root] = await Promise.all(['ada', 'bob', 'root'].map((name) => browserOf(here.url, name)));
  assert.ok(ada && bob && root);
  const bobElsewhere = await browserOf(there.url, 'bob');
  const strangers = [browser(here.url), browser(there.url)] as const;
  return { databaseUrl, store, ids, ...made, url: here.url, ada, bob, root, bobElsewhere, strangers };
}

const settingsOf = ({ reader }: Store, id: bigint) =>
  reader.selectFrom('member_settings').selectAll().where('user_id', '=', id).execute();

async function core(one: Browser, path: string, name: string, method = 'GET'): Promise<unknown> {
  const { status, headers, text } = await one.ask(path, { method });
  const { date, 'x-request-id': id, 'content-length': length, ...rest } = headers;
  const plain = text
    .replaceAll(String(id), 'ID')
    .replaceAll(/[\w-]{16}\.[\w-]{43}/g, 'TOKEN')
    // The digest in the address of an asset may have a name in it, such as "ada".
    .replaceAll(/\/assets\/\w+\//g, '/assets/DIGEST/');
  return { status, headers: rest, text: plain.replaceAll(name, 'NAME'), hasLength: length !== undefined };
}

test('the public page of a member', async (t) => {
  const { store, ids, open, closed, bobs, group, url, ada, bob, root, bobElsewhere, strangers } = await world(t);
  const ends = ['', 'garden/', 'year/', `lists/${open}/`, `lists/${closed}/`];
  const [stranger, strangerElsewhere] = strangers;
  const others = { bob, bobElsewhere, root, stranger, strangerElsewhere };
  /** Asserts that these visitors see the same as for a name that nobody has. */
  const assertAbsent = async (visitors: Readonly<Record<string, Browser>>, name = 'ada') => {
    for (const [who, one] of Object.entries(visitors))
      for (const end of ends)
        for (const method of ['GET', 'HEAD', 'POST']) {
          const [theirs, none] = [
            await core(one, `/members/${name}/${end}`, name, method),
            await core(one, `/members/zoe/${end}`, 'zoe', method),
          ];
          assert.deepEqual(theirs, none, `${who} ${method} ${end}`);
          assert.notEqual((theirs as { status: number }).status, 200);
        }
  };
  const statusOf = async (one: Browser, end = '') => (await one.ask(`/members/ada/${end}`)).status;

  await t.test('there is no public page before its member turns it on', async () => {
    await assertAbsent(others);
    for (const path of ['/members/ada', '/members/zoe'])
      assert.equal((await stranger.ask(path)).headers.location, `${path}/`);
    const page = await ada.open('/members/ada/');
    assert.match(textOf(page, '.notice'), /Only you can see it/);
    assert.equal(await statusOf(ada, 'year/'), 200);
  });

  await t.test('it takes as many statements not to find it as for a name that nobody has', async (st) => {
    const statements = countStatements(st);
    for (const one of [bob, stranger])
      for (const end of ends) {
        const taken: number[] = [];
        for (const name of ['ada', 'zoe', 'ada', 'zoe']) {
          const before = statements();
          await one.ask(`/members/${name}/${end}`);
          taken.push(statements() - before);
        }
        assert.equal(taken[2], taken[3], `${taken} at ${end}`);
        assert.ok(
          taken.every((count) => count >= 1 && count <= 3),
          `${taken} at ${end}`,
        );
      }
  });

  await t.test('for members, it shows the garden, the year and their open lists, and nothing else', async () => {
    await ada.open(sharing);
    const done = await ada.submit({ name: 'page', value: 'members' });
    assert.equal(done.path, `${sharing}?done=pageShown`);
    await assertAbsent({ stranger, strangerElsewhere });
    for (const one of [bob, bobElsewhere, root]) {
      const page = await one.open('/members/ADA/');
      assert.equal(page.status, 200);
      assert.equal(textOf(page, 'h1'), 'ada');
      assert.doesNotMatch(page.text, hidden);
      assert.doesNotMatch(page.text, /1234|<b>Winter|Of bob|Sort\./);
      assert.deepEqual(attributesOf(page, '[data-list] a', 'href'), [`/problem_list/lists/${open}/`]);
      assert.match(textOf(page, '[data-kind=garden]'), /2/);
      assert.match(textOf(page, '[data-kind=year]'), /new problem/);
      assert.match(page.text, /<meta name="robots" content="noindex">/);
      for (const kind of ['garden', 'year']) {
        const picture = await one.ask(`/members/ada/${kind}/`);
        assert.equal(picture.status, 200);
        assert.match(String(picture.headers['content-type']), /^image\/svg\+xml/);
        assert.match(String(picture.headers['content-security-policy']), /^default-src 'none'; style-src 'sha256-/);
        assert.equal(picture.headers['cache-control'], 'private, no-cache');
        assert.match(picture.text, /ada’s/);
        assert.doesNotMatch(picture.text, hidden);
        const held = { headers: { 'If-None-Match': picture.headers.etag ?? '' } };
        assert.equal((await one.ask(`/members/ada/${kind}/`, held)).status, 304);
      }
    }
  });

  await t.test('for everyone, also who is not signed in, who reads its lists there', async () => {
    await ada.open(sharing);
    await ada.submit({ name: 'page', value: 'everyone' });
    for (const one of strangers) {
      const page = await one.open('/members/ada/');
      assert.equal(page.status, 200);
      assert.doesNotMatch(page.text, hidden);
      assert.equal(page.document.querySelector('form, script'), null);
      const [link = ''] = attributesOf(page, '[data-list] a', 'href');
      assert.equal(link, `/members/ada/lists/${open}/`);
      const list = await one.open(link);
      assert.equal(list.status, 200);
      assert.match(textOf(list, 'main'), /<b>Winter<\/b> camp.*Part one.*Pond 1/);
      assert.match(list.text, /noindex/);
      assert.equal(list.document.querySelector('a[href="/members/ada/"]')?.textContent, 'ada');
      for (const other of [closed, bobs, 999n]) assert.equal(await statusOf(one, `lists/${other}/`), 404, `${other}`);
      const seen = await one.ask('/members/ada/');
      assert.equal(seen.headers['cache-control'], 'private, no-cache');
      const held = { headers: { 'If-None-Match': seen.headers.etag ?? '' } };
      assert.equal((await one.ask('/members/ada/', held)).status, 304);
      await store.write((tx) => setStatus(tx, { memberId: ids.ada, problemIds: [3n], status: 'complete' }));
      assert.equal((await one.ask('/members/ada/', held)).status, 200, 'it follows what is solved');
      await store.write((tx) => setStatus(tx, { memberId: ids.ada, problemIds: [3n], status: 'reading' }));
    }
    await store.write((tx) => setVisibility(tx, { id: open, owner_id: ids.ada }, 'private'));
    assert.equal(await statusOf(stranger, `lists/${open}/`), 404, 'a list that is private now');
    assert.equal((await strangerElsewhere.open('/members/ada/')).document.querySelector('[data-list]'), null);
    await store.write((tx) => setVisibility(tx, { id: open, owner_id: ids.ada }, 'garden'));
  });

  await t.test('each part is left out alone', async () => {
    for (const [part, end] of [
      ['garden', 'garden/'],
      ['year', 'year/'],
      ['lists', `lists/${open}/`],
    ] as const) {
      await ada.open(sharing);
      await ada.submit({ name: 'page_without', value: part });
      assert.equal(await statusOf(strangerElsewhere, end), 404, part);
      assert.equal(await statusOf(stranger), 200);
    }
    assert.match(textOf(await stranger.open('/members/ada/'), 'main'), /Nothing is shown here/);
    for (const value of ['garden', 'year', 'lists']) {
      await ada.open(sharing);
      await ada.submit({ name: 'page_with', value });
    }
    assert.equal(await statusOf(stranger, 'year/'), 200);
  });

  await t.test('names lead to it for visitors who may see it, and for nobody else', async () => {
    const places = [`/dashboard/groups/${group}/`, `/dashboard/groups/${group}/board/`, `/problem_list/lists/${open}/`];
    const named = async (one: Browser, path: string) => textsOf(await one.open(path), 'main a[href^="/members/"]');
    const list = await bob.ask(`/problem_list/lists/${open}/`);
    const held = { headers: { 'If-None-Match': list.headers.etag ?? '' } };
    assert.equal((await bob.ask(`/problem_list/lists/${open}/`, held)).status, 304);
    for (const path of [...places, '/problem_list/lists/'])
      assert.deepEqual(await named(bobElsewhere, path), ['ada'], path);
    await ada.open(sharing);
    const gone = await ada.submit({ name: 'page', value: 'nobody' });
    assert.equal(gone.path, `${sharing}?done=pageHidden`);
    assert.equal((await bob.ask(`/problem_list/lists/${open}/`, held)).status, 200, 'the kept page is no longer good');
    for (const path of places) assert.deepEqual(await named(bobElsewhere, path), [], path);
    await assertAbsent(others);
    await store.write((tx) => showPageTo(tx, ids.ada, 'everyone'));
  });

  await t.test('a visitor who asks in other ways finds nothing', async () => {
    for (const name of ['%00', '%e2%80%ae', 'a'.repeat(10_000), '%3Cb%3E', '..%2fada', '', "'"]) {
      const { status, text } = await send(url, `/members/${name}/`);
      assert.ok(status === 404 || status === 400 || status === 414, `${name.slice(0, 20)}: ${status}`);
      assert.ok(!text.includes('<b>'));
    }
    const _csrf = csrfOf(await bob.open(sharing));
    await bob.post(sharing, { _csrf, page: 'world', page_with: 'notes', user_id: String(ids.ada) });
    assert.equal((await stranger.ask('/members/bob/')).status, 404);
    const forged = await bob.post(sharing, { _csrf: 'x', page: 'everyone' });
    assert.equal(forged.status, 403);
    assert.equal((await stranger.ask('/members/bob/')).status, 404);
  });

  await t.test('a page ends in every process when its member is renamed, disabled or deleted', async () => {
    for (const one of strangers) assert.equal(await statusOf(one), 200);
    await store.write((tx) => renameMember(tx, 'ada', 'augusta'));
    await assertAbsent(others);
    for (const one of strangers) {
      assert.equal((await one.ask('/members/augusta/')).status, 200);
      assert.match((await one.ask('/members/augusta/garden/')).text, /augusta’s/);
    }
    await store.write((tx) => disableMember(tx, 'augusta', true));
    await assertAbsent(others, 'augusta');
    await store.write((tx) => disableMember(tx, 'augusta', false));
    assert.equal((await strangerElsewhere.ask('/members/augusta/')).status, 200);
    const list = await bob.ask(`/problem_list/lists/${open}/`);
    assert.equal(list.status, 200);
    await store.write((tx) => removeMember(tx, 'augusta'));
    await assertAbsent(others, 'augusta');
    const held = { headers: { 'If-None-Match': list.headers.etag ?? '' } };
    assert.equal((await bob.ask(`/problem_list/lists/${open}/`, held)).status, 404);
    assert.deepEqual(await settingsOf(store, ids.ada), []);
  });
});

test('who may see the page is among the preferences of exports and archives', async (t) => {
  const { databaseUrl, store, ids, strangers } = await world(t);
  const bad = importRows(databaseUrl, 'preferences', [{ username: 'ada', name: 'public_page', value: 'world' }]);
  await assert.rejects(bad);
  await importRows(databaseUrl, 'preferences', [
    { username: 'ada', name: 'public_page', value: 'everyone' },
    { username: 'ada', name: 'page_year', value: 'false' },
  ]);
  assert.equal((await strangers[1].ask('/members/ada/')).status, 200);
  assert.equal((await strangers[1].ask('/members/ada/year/')).status, 404);
  assert.equal((await settingsOf(store, ids.ada)).length, 2);
});

test('the page as it looks', async (t) => {
  const chromium = await openBrowser(t);
  if (!chromium) return;
  const { store, ids, url, ada, open } = await world(t);
  const { page, complaints, strays } = await openPage(chromium, url);
  const look = async (path: string) => {
    await page.goto(url + path);
    assert.deepEqual(await faultsOfLook(page), [], path);
  };
  for (const id of [ids.ada, ids.bob]) await store.write((tx) => showPageTo(tx, id, 'everyone'));
  for (const path of ['/members/ada/', '/members/bob/', `/members/ada/lists/${open}/`]) await look(path);
  await page.goto(`${url}/members/ada/`);
  const widths = await page.evaluate(`[...document.images].map((image) => image.naturalWidth)`);
  assert.deepEqual(widths, [1200, 1200], 'both pictures load');
  await page.context().addCookies([{ name: 'session', value: ada.cookies.get('session') ?? '', url }]);
  for (const path of ['/members/ada/', sharing]) await look(path);
  assert.deepEqual([complaints, strays], [[], []]);
});
