/** Signing in, driven as a browser without script drives them: who gets in and who stays out, and signing out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { disableMember } from '../../src/practice/members.ts';
import { attributeOf } from '../support/elements.ts';
import { type Browser, browser, memberWithPassword, signIn, textOf, usualPassword } from '../support/forms.ts';
import { temporaryDatabase, withStore } from '../support/garden.ts';
import { send } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';
import { ownMs } from '../support/processes.ts';

const signInPath = '/authentication/sign-in/';
const home = '/problem_list/';
const signOut = { within: 'form[action$="/authentication/sign-out/"]' };

test('signing in and out', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await membersNamed(databaseUrl, 'ada', 'bob', 'eve', 'silent');
  const { url, stderr } = await serveHere(t, { databaseUrl });
  const isOut = async (one: Browser) => (await one.open(home)).path.startsWith(signInPath);
  const nameIn = async (one: Browser) => textOf(await one.open(home), '.menu-title span');
  const disable = (username: string, isDisabled = true) =>
    withStore(databaseUrl, (store) => store.write((tx) => disableMember(tx, username, isDisabled)));
  const setSessions = (expires_at: string, seen_at: string) =>
    withStore(databaseUrl, (store) =>
      store.write((tx) => tx.updateTable('sessions').set({ expires_at, seen_at }).execute()),
    );

  await t.test('a member signs in, sees their name, and signs out', async () => {
    const ada = await signIn(url, 'ada');
    const page = await ada.open(home);
    assert.equal(page.status, 200);
    assert.equal(textOf(page, '.menu-title span'), 'ada');
    const value = ada.cookies.get('session') ?? '';
    await ada.submit(signOut);
    assert.equal(ada.cookies.has('session'), false);
    assert(await isOut(ada));
    ada.cookies.set('session', value);
    assert(await isOut(ada), 'the session itself has ended, not only its cookie');
  });

  await t.test('a name in other letters and with blanks around it is the same member', async () => {
    const ada = await signIn(url, ' ADA ');
    assert.equal(await nameIn(ada), 'ada');
  });

  await t.test(
    'a name whose accents come apart is the same member, and her manager finds the page of passwords',
    async () => {
      await memberWithPassword(databaseUrl, 'Žofie');
      const zofie = await signIn(url, 'žofie'.normalize('NFD'));
      assert.equal(await nameIn(zofie), 'Žofie');
      const { status, path } = await zofie.open('/.well-known/change-password');
      assert.deepEqual([status, path], [200, '/authentication/account/password/']);
    },
  );

  await t.test('unknown, impossible and disabled members and wrong passwords look alike', async () => {
    await disable('silent');
    const tries: [string, string][] = [
      ['eve', 'not the password'],
      ['eve', usualPassword.toUpperCase()],
      ['silent', usualPassword],
      ['nobody', usualPassword],
      ['a\0b', usualPassword],
      ['‮eve', usualPassword],
      ['', usualPassword],
      ['eve', ''],
      ['x'.repeat(10_000), usualPassword],
      ['eve', 'x'.repeat(200_000)],
      ['<b>eve</b>"\'', usualPassword],
    ];
    const pages = new Set<string>();
    for (const [username, password] of tries) {
      const one = browser(url);
      const page = await one.submitAt(signInPath, { name: 'password' }, { username, password });
      assert.equal(page.status, 422, `${username.slice(0, 20)}: ${textOf(page, 'main')}`);
      assert.equal(one.cookies.has('session'), false);
      const field = page.document.querySelector('input[name="username"]');
      assert.equal(field?.getAttribute('value'), username.trim().slice(0, 200));
      assert.equal(page.document.querySelector('main b'), null, 'markup stays text');
      field?.removeAttribute('value');
      for (const token of page.document.querySelectorAll('input[name="_csrf"]')) token.remove();
      pages.add(`${JSON.stringify([page.headers['cache-control'], page.headers.vary])}${page.document}`);
    }
    assert.equal(pages.size, 1);
  });

  await t.test('a password is hashed for unknown members too, so they take as long as wrong passwords', async () => {
    const one = browser(url);
    await one.open(signInPath);
    for (const username of ['ada', 'nobody']) {
      const times: number[] = [];
      for (let round = 0; round < 3; round++) {
        const guess = { username, password: 'not the password' };
        times.push(await ownMs(() => one.submit({ name: 'password' }, guess)));
      }
      assert((times.sort((a, b) => a - b)[1] ?? 0) > 8, `a password is hashed: ${username}, ${times} ms`);
    }
  });

  await t.test('guesses in the member’s own network do not keep her out of her own browser', async () => {
    await memberWithPassword(databaseUrl, 'rosa');
    const tries = async (one: Browser, password: string) => {
      const { hops, status } = await one.submitAt(signInPath, { name: 'password' }, { username: 'rosa', password });
      return hops[0]?.status ?? status;
    };
    const rosa = await signIn(url, 'rosa');
    await rosa.submitAt(home, { within: 'form[action="/authentication/sign-out/"]' });
    const [mallory, bob] = [browser(url), await signIn(url, 'bob')];
    for (let time = 0; time < 10; time++) assert.equal(await tries(mallory, 'a wrong password'), 422);
    assert.equal(await tries(mallory, usualPassword), 429);
    assert.equal(await tries(browser(url), usualPassword), 429, 'a browser that nobody knows');
    assert.equal(await tries(bob, usualPassword), 429, 'a browser in which another account was used');
    const copied = browser(url);
    copied.cookies.set('device', rosa.cookies.get('device') ?? '');
    assert.equal(await tries(rosa, usualPassword), 303, 'her own browser');
    for (let time = 0; time < 10; time++) assert.equal(await tries(copied, 'a wrong password'), 422);
    assert.equal(await tries(copied, usualPassword), 429);
    await memberWithPassword(databaseUrl, 'rosa', { password: 'another lantern, and no well' });
    copied.cookies.set('device', rosa.cookies.get('device') ?? '');
    assert.equal(await tries(copied, 'another lantern, and no well'), 429, 'an unknown browser again');
  });

  await t.test('signing in gives another session, and ends the one before', async () => {
    const bob = await signIn(url, 'bob');
    const before = bob.cookies.get('session') ?? '';
    const planted = 'p'.repeat(43);
    const victim = browser(url);
    victim.cookies.set('session', planted);
    await victim.submitAt(signInPath, { name: 'password' }, { username: 'bob', password: usualPassword });
    assert.notEqual(victim.cookies.get('session'), planted);
    assert(!(await isOut(victim)));
    await bob.submitAt(signInPath, { name: 'password' }, { username: 'eve', password: usualPassword });
    assert.notEqual(bob.cookies.get('session'), before);
    assert.equal(await nameIn(bob), 'eve');
    bob.cookies.set('session', before);
    assert(await isOut(bob));
  });

  await t.test('a session ends when its member is disabled, and when its time is over', async () => {
    const ada = await signIn(url, 'ada');
    await disable('ada');
    assert(await isOut(ada));
    await disable('ada', false);
    assert(!(await isOut(ada)));
    await setSessions('2020-01-01T00:00:00.000Z', '2020-01-01T00:00:00.000Z');
    assert(await isOut(ada));
  });

  await t.test('a session that is used lasts longer, and so does its cookie', async () => {
    const ada = await signIn(url, 'ada');
    const soon = new Date(Date.now() + 60_000).toISOString();
    const earlier = new Date(Date.now() - 2 * 3_600_000).toISOString();
    await setSessions(soon, earlier);
    const { headers } = await ada.ask(home);
    assert.match(
      String(headers['set-cookie']),
      /^session-[0-9a-f]{8}=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const again = await ada.ask(home);
    assert.equal(again.headers['set-cookie'], undefined, 'once an hour is enough');
    const { expires_at } = await withStore(databaseUrl, (store) =>
      store.reader.selectFrom('sessions').select('expires_at').where('expires_at', '>', soon).executeTakeFirstOrThrow(),
    );
    assert(Date.parse(expires_at) > Date.now() + 29 * 86_400_000);
  });

  await t.test('then= leads into this garden and nowhere else', async () => {
    const cases: [string, string][] = [
      ['/dashboard/history/?before=7', '/dashboard/history/?before=7'],
      ['/\\evil.example', '/'],
      ['//evil.example/', '/'],
      ['/\t/evil.example', '/'],
      ['/.//evil.example', '/'],
      ['/%09/evil.example', '/%09/evil.example'],
      ['/%2F/evil.example', '/%2F/evil.example'],
      ['https://evil.example/', '/'],
      ['https:evil.example', '/'],
      ['javascript:alert(1)', '/'],
      ['evil', '/'],
      ['', '/'],
      ['/a\r\nSet-Cookie: session=x', '/aSet-Cookie:%20session=x'],
      [`/${'x'.repeat(100_000)}`, '/'],
      ['/‮/<b>', '/%E2%80%AE/%3Cb%3E'],
    ];
    for (const [then, to] of cases) {
      const ada = browser(url);
      await ada.open(signInPath);
      const { fields } = ada.filled({ name: 'password' }, { username: 'ada', password: usualPassword, then });
      const reply = await ada.ask(signInPath, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: String(fields),
      });
      assert.deepEqual([reply.status, reply.headers.location], [303, to], then.slice(0, 60));
      if (then.length > 5_000) continue;
      const page = await browser(url).open(`${signInPath}?then=${encodeURIComponent(then)}`);
      assert.equal(attributeOf(page, 'input[name="then"]', 'value'), to, then);
    }
  });

  await t.test('a page for members sends a stranger to sign in, and then back', async () => {
    const ada = browser(url);
    const page = await ada.open('/dashboard/history/?changed=7');
    assert(page.path.startsWith(signInPath));
    const back = await ada.submit({ name: 'password' }, { username: 'ada', password: usualPassword });
    assert.equal(back.path, '/dashboard/history/?changed=7');
  });

  await t.test('an address too long to lead back to keeps its page', async () => {
    for (const text of ['木'.repeat(600), '木'.repeat(850), '&'.repeat(2500)]) {
      const stranger = browser(url);
      const door = await stranger.open(`/problem_list/new/?${new URLSearchParams({ text })}`);
      assert.deepEqual([door.status, door.path], [200, `${signInPath}?then=%2Fproblem_list%2Fnew%2F`]);
      const after = await stranger.submit({ name: 'password' }, { username: 'ada', password: usualPassword });
      assert.equal(after.path, '/problem_list/new/');
    }
  });

  await t.test('a form of hundreds of thousands of fields is none, and holds nobody up', async () => {
    const stranger = browser(url);
    await stranger.open(signInPath);
    const { fields } = stranger.filled({ name: 'password' });
    const times: number[] = [];
    for (let tries = 0; tries < 3 && !times.some((ms) => ms < 500); tries++) {
      const body = `${fields}&${'a&'.repeat(310_000)}`;
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      const sending = async () =>
        assert.equal((await stranger.ask(signInPath, { method: 'POST', headers, body })).status, 403);
      times.push(await ownMs(sending));
    }
    assert.ok(Math.min(...times) < 500, `${times.map(Math.round)} ms`);
  });

  await t.test('strange cookies are no session and no fault', async () => {
    const many = Array.from({ length: 1_000 }, (_, place) => `c${place}=${place}`).join('; ');
    const strange = [
      'session=',
      'session',
      '=;=;',
      'session=%',
      'session="a"; session=%00',
      'session=‮',
      `session=${'a'.repeat(9_000)}`,
      `session=${'a'.repeat(43)}; session=${'b'.repeat(43)}`,
      '__proto__=x; constructor=y; session=z',
      ';;;;',
      many,
      'form=; session=',
      'form=%E0%A4%A',
      `form=${"'".repeat(43)}`,
    ];
    for (const Cookie of strange) {
      const headers = { Cookie: Buffer.from(Cookie).toString('latin1'), Accept: 'text/html' };
      const reply = await send(url, home, { headers });
      assert.deepEqual([reply.status, reply.headers.location?.slice(0, 24)], [303, signInPath], Cookie.slice(0, 40));
      assert.equal((await send(url, signInPath, { headers })).status, 200, Cookie.slice(0, 40));
    }
  });

  assert.doesNotMatch(stderr(), /"level":(?:50|60)/, 'no fault is logged');
});

test('under https the cookies are for this host and for https alone', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await memberWithPassword(databaseUrl, 'ada');
  const { url } = await serveHere(t, { databaseUrl, env: { BASE_URL: 'https://garden.example/club' } });
  const ada = browser(url);
  const page = await ada.open('/club/authentication/sign-in/?then=/club/dashboard/history/');
  assert.equal(attributeOf(page, 'form', 'action'), '/club/authentication/sign-in/');
  const back = await ada.submit({ name: 'password' }, { username: 'ada', password: usualPassword });
  assert.equal(back.path, '/club/dashboard/history/');
  assert.deepEqual([...ada.cookies.keys()].toSorted(), ['__Host-device', '__Host-form', '__Host-session']);
  for (const reply of [page, back.hops[0]]) {
    for (const line of reply?.headers['set-cookie'] ?? []) {
      assert.match(
        line,
        /^__Host-(?:(?:form|session)-[0-9a-f]{8}=[\w-]{43}; Max-Age=2592000|device-[0-9a-f]{8}=[\w-]{22}\.[\w-]{43}; Max-Age=31536000); Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      );
    }
  }
  const value = ada.cookies.get('__Host-session') ?? '';
  ada.cookies.clear();
  ada.cookies.set('session', value);
  assert.match((await ada.open('/club/problem_list/')).path, /^\/club\/authentication\/sign-in\//);
  for (const then of ['//evil.example/', '/club//evil.example/', '/\\evil.example', 'https://evil.example/club/']) {
    const one = browser(url);
    const shown = await one.open(`/club/authentication/sign-in/?then=${encodeURIComponent(then)}`);
    const to = attributeOf(shown, 'input[name="then"]', 'value') ?? '';
    await one.submit({ name: 'password' }, { username: 'ada', password: usualPassword, then });
    assert.match(to, /^\/(?!club)/);
    assert.match(one.page().path, /^\/club\//, then);
  }
});
