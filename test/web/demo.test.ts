/** A public demo that nobody can change: visitors look around, and no form of any page leaves a trace. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { sql } from 'kysely';
import { makeToken } from '../../src/auth/tokens.ts';
import { allScopes } from '../../src/contract/operations.ts';
import { loadSample, sampleUsername } from '../../src/importing/sample.ts';
import { makeInbox } from '../../src/practice/inbox.ts';
import { setCreatesMembersByProxy } from '../../src/practice/proxy-sign-in.ts';
import { findMemberByName } from '../../src/store/members.ts';
import { demoPath, inboxAddressPath } from '../../src/web/paths.ts';
import { openGarden } from '../importing/support.ts';
import { crawl, routeOf, routePaths } from '../support/crawl.ts';
import { csrfOf } from '../support/elements.ts';
import { browser, type Page, textOf } from '../support/forms.ts';
import { assertRefusal, send } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';

/** Visits leave rows in these alone: sessions with their ids, counts of networks, and the last use of a token. */
const ofVisits = ['sessions', 'attempts', 'id_counters', 'tokens'];
const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
/** A form of the visitor's own browser. */
const isOwn = (path: string) => /^\/(?:appearance|language)\/|sign-out|look-around/.test(path);

test('a demo that nobody can change', async (t) => {
  const { databaseUrl, store } = await openGarden(t);
  await loadSample(store);
  const demo = await findMemberByName(store.reader, sampleUsername);
  assert(demo);
  const asked = { userId: demo.id, name: 'test', scopes: allScopes, lifetimeMs: undefined };
  const { token } = await makeToken(store, asked);
  const secret = await makeInbox(store, demo.id);
  const { url, stderr } = await serveHere(t, { databaseUrl, env: { DEMO: 'read-only' } });

  const tables = (await store.reader.introspection.getTables()).map(({ name }) => name);
  const rows = async (): Promise<Record<string, string>> => {
    const said: Record<string, string> = {};
    for (const name of tables.filter((one) => !ofVisits.includes(one))) {
      const { rows: all } = await sql`SELECT * FROM ${sql.table(name)}`.execute(store.reader);
      const lines = all.map((row) =>
        JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)),
      );
      said[name] = `${all.length} ${hash('sha256', lines.toSorted().join('\n'))}`;
    }
    return said;
  };
  let before = await rows();
  const changed = async () => {
    const after = await rows();
    return Object.keys(after).filter((name) => after[name] !== before[name]);
  };
  const look = async () => {
    const one = browser(url);
    await one.open('/');
    await one.submit({ within: `form[action$="${demoPath}"]` });
    return one;
  };

  await t.test('a visitor looks around as the demo member, from anywhere, for an hour', async () => {
    const one = await look();
    assert.equal(one.page().path, '/dashboard/');
    assert.equal(textOf(one.page(), '.menu-title span'), sampleUsername);
    const session = await store.reader.selectFrom('sessions').selectAll().executeTakeFirstOrThrow();
    const lastsMs = Date.parse(session.expires_at) - Date.parse(session.created_at);
    assert.deepEqual([lastsMs, session.browser, session.network], [3_600_000, '', '']);
    const stranger = browser(url);
    const door = await stranger.open('/dashboard/');
    assert.equal(door.document.querySelector('[name=password]'), null);
    await stranger.submit({ within: `form[action$="${demoPath}"]` });
    assert.equal(stranger.page().path, '/dashboard/');
    const sessions = await one.open('/authentication/account/sessions/');
    assert.equal(sessions.document.querySelectorAll('[data-session]').length, 1, 'no other visitor is shown');
  });

  await t.test('no form of any page changes a row, and each says so', async () => {
    const one = await look();
    const { forms } = await crawl(one, { withIdAtMost: 1, isBrief: true });
    const seen = new Set<string>();
    let sent = 0;
    for (const form of forms) {
      const kind = `${routeOf(form.path)} ${[...form.fields.keys()]}`;
      if (isOwn(form.path) || seen.has(kind)) continue;
      seen.add(kind);
      sent++;
      for (const name of form.typed) form.fields.set(name, 'x');
      const reply = await one.ask(form.path, { method: 'POST', headers, body: String(form.fields) });
      assert.equal(reply.status, 403, `${kind}: ${reply.headers.location}`);
      assert.match(reply.text, /not change anything/, kind);
    }
    t.diagnostic(`${sent} forms`);
    assert.ok(sent > 30, `${sent} forms`);
    assert.deepEqual(await changed(), []);
  });

  await t.test('every path with a form refuses it, with a way back in the language of the visitor', async () => {
    const one = await look();
    await one.open('/problem_list/');
    const { fields } = one.filled({ within: 'form[action$="/sign-out/"]' });
    for (const route of routePaths.filter((path) => !isOwn(path))) {
      const path = route.replace(/:\w+/g, '1');
      const japanese = { ...headers, 'Accept-Language': 'ja' };
      const reply = await one.ask(path, { method: 'POST', headers: japanese, body: String(fields) });
      assert.ok([403, 404, 405].includes(reply.status), `${route}: ${reply.status}`);
      if (reply.status === 403) assert.match(reply.text, /何も変更されていません/, route);
    }
    const forged = await one.ask('/authentication/account/', { method: 'POST', body: '' });
    assert.equal(forged.status, 403);
    assert.deepEqual(await changed(), []);
  });

  await t.test('a file is refused too', async () => {
    const one = await look();
    const page = await one.open('/authentication/account/data/upload/');
    const sent = await one.upload('/authentication/account/data/upload/', [
      ['_csrf', csrfOf(page)],
      ['file', { name: 'a.json', bytes: '[]' }],
    ]);
    assert.equal(sent.status, 403);
    assert.deepEqual(await changed(), []);
  });

  await t.test('language and colours are those of the browser, not of the account', async () => {
    const [one, other] = [await look(), await look()];
    await one.open('/language/');
    await one.submit({ within: 'main', name: 'language', value: 'ko' });
    const languageOf = (page: Page) => page.document.querySelector('html')?.getAttribute('lang');
    assert.equal(languageOf(await one.open('/dashboard/')), 'ko');
    assert.equal(languageOf(await other.open('/dashboard/')), 'en');
    await one.open('/appearance/');
    await one.submit({ within: 'main', name: 'theme', value: 'dark' });
    assert.equal(one.cookies.get('theme'), 'dark');
    assert.deepEqual(await changed(), []);
  });

  await t.test('a visitor can sign out; nobody signs in by password', async () => {
    const one = await look();
    await one.open('/dashboard/');
    const out = await one.submit({ within: 'form[action$="/sign-out/"]' });
    assert.equal(out.status, 200);
    assert.equal(one.cookies.has('session'), false);
    const filled = { _csrf: csrfOf(out), username: 'demo', password: 'x' };
    assert.equal((await one.post('/authentication/sign-in/', filled)).status, 403);
  });

  await t.test('programs read, and delete nothing', async () => {
    const plants = await store.reader.selectFrom('plants').select('id').execute();
    assert.ok(plants.length > 0);
    assert.equal((await send(url, '/problem_list/api/status/', { token })).status, 200);
    for (const id of [plants[0]?.id, 9_999_999n]) {
      const reply = await send(url, `/plants/${id}`, { method: 'DELETE', token });
      assertRefusal(reply, 40300, /^This server is a demo that nobody can change/);
      assert.equal(reply.headers['www-authenticate'], 'Bearer error="insufficient_scope"');
    }
    assertRefusal(await send(url, '/plants/1', { method: 'DELETE' }), 40100);
    const sent = await send(url, `${inboxAddressPath}${secret}/`, { method: 'POST', body: '{}' });
    assertRefusal(sent, 40400);
    assert.deepEqual(await changed(), []);
  });

  await t.test('a network that asks too often waits', async () => {
    const one = browser(url);
    await one.open('/');
    const { path, fields } = one.filled({ within: `form[action$="${demoPath}"]` });
    const statuses: number[] = [];
    for (let n = 0; n < 61; n++) {
      statuses.push((await one.ask(path, { method: 'POST', headers, body: String(fields) })).status);
      one.cookies.delete('session');
    }
    assert.deepEqual([statuses[0], statuses.at(-1)], [303, 429]);
  });

  await t.test('the header of a proxy signs nobody in, and makes no member', async (t) => {
    await store.write((tx) => setCreatesMembersByProxy(tx, true));
    before = await rows();
    const env = { DEMO: 'read-only', TRUST_HEADER: 'Remote-User', TRUSTED_PROXIES: '127.0.0.1' };
    const proxied = await serveHere(t, { databaseUrl, env });
    for (const name of ['newton', sampleUsername, 'a,b']) {
      const one = browser(proxied.url, { 'Remote-User': name });
      const door = await one.open('/dashboard/');
      assert.deepEqual([door.status, door.path], [200, '/authentication/sign-in/?then=%2Fdashboard%2F'], name);
      assert.equal(one.cookies.has('session'), false);
    }
    assert.deepEqual(await changed(), []);
  });

  await t.test('without the setting there is no such door', async (t) => {
    const usual = await serveHere(t, { databaseUrl });
    const one = browser(usual.url);
    const door = await one.open('/authentication/sign-in/');
    assert.equal((await one.post(demoPath, { _csrf: csrfOf(door) })).status, 404);
    assert.doesNotMatch((await one.open('/')).text, /Look around/);
  });

  assert.doesNotMatch(stderr(), /fault/);
});
