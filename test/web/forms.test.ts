/** Requests to forms from foreign pages, or broken ones, and things that the website keeps apart: sessions, tokens and the log. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '../../src/contract/operations.ts';
import { csrfOf } from '../support/elements.ts';
import { browser, textOf, usualPassword } from '../support/forms.ts';
import { importRows, memberWithToken, temporaryDatabase } from '../support/garden.ts';
import { assertRefusal, parseRaw, send, sendRaw } from '../support/http.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';
import { ponds } from '../support/ponds.ts';

const signInPath = '/authentication/sign-in/';
const problem = '/problem_list/problem/1/';
const urlencoded = 'application/x-www-form-urlencoded';
const bytesAtMost = 640 * 1024;

test('forms that no page of this garden sent', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await membersNamed(databaseUrl, 'ada', 'bob');
  await importRows(databaseUrl, 'problems', ponds(1));
  const { url, stderr } = await serveHere(t, { databaseUrl, env: { LOG_LEVEL: 'debug' } });
  const { token } = await memberWithToken(databaseUrl, 'ada');
  const ada = await browserOf(url, 'ada');
  const statusOf = async () =>
    (await ada.open(problem)).document.querySelector('[data-problem="1"]')?.getAttribute('data-status');
  /** Bob, who was signed out after a page showed him a form; `forget` undoes what his browser learned of that. */
  const signedOut = async () => {
    const bob = await browserOf(url, 'bob');
    const session = bob.cookies.get('session') ?? '';
    const form = csrfOf(await bob.open(problem));
    await bob.submit({ within: 'form[action="/authentication/sign-out/"]' });
    return { bob, form, forget: () => bob.cookies.set('session', session) };
  };
  const mark = { within: '[data-problem="1"]', name: 'status', value: 'complete' };

  await t.test('the garden’s own form is taken', async () => {
    await ada.open(problem);
    await ada.submit(mark);
    assert.equal(await statusOf(), 'complete');
    await ada.submit({ ...mark, value: 'not_started' });
    assert.equal(await statusOf(), 'not_started');
  });

  await t.test(
    'a token that is missing, doubled, made up, changed, old or of another session changes nothing',
    async () => {
      await ada.open(problem);
      const good = csrfOf(ada.page());
      const ofBob = csrfOf(await (await browserOf(url, 'bob')).open(problem));
      const stranger = browser(url);
      const ofStranger = csrfOf(await stranger.open(signInPath));
      const ofOldSession = csrfOf(await (await browserOf(url, 'ada')).open(problem));
      const bad = [
        ...['', 'x', ofBob, ofStranger, ofOldSession, `${good.split('.')[0]}.${ofBob.split('.')[1]}`],
        ...[good.slice(0, -1), `${good}x`, good.toUpperCase(), ` ${good}`, good.replace('.', '')],
        ...['.'.repeat(60), '\u202e'.repeat(60), '\0', 'x'.repeat(100_000)],
      ].map((one) => [one]);
      for (const tokens of [[], [good, good], [good, 'x'], ['x', good], ...bad]) {
        const fields = new URLSearchParams({ status: 'complete' });
        for (const one of tokens) fields.append('_csrf', one);
        const page = await ada.post(problem, fields);
        assert.equal(page.status, 403, JSON.stringify(tokens).slice(0, 100));
        assert.match(textOf(page, 'main'), /Nothing was changed/i);
        assert.equal(page.headers['cache-control'], 'no-store');
      }
      assert.equal(await statusOf(), 'not_started');
      ada.cookies.set('form', stranger.cookies.get('form') ?? '');
      assert.equal((await ada.post(problem, { _csrf: ofStranger, status: 'complete' })).status, 403);
      ada.cookies.delete('form');
      const headers = { Accept: 'application/json', 'Content-Type': urlencoded };
      assertRefusal(await ada.ask(problem, { method: 'POST', headers, body: 'status=complete' }), 40302);
      const more = { role: 'staff', user_id: '2', '__proto__[x]': 'y' };
      await ada.post(problem, { _csrf: good, status: 'complete', ...more });
      assert.equal(await statusOf(), 'complete');
    },
  );

  await t.test('a form of a member who was signed out meanwhile leads to the sign-in page', async () => {
    const { bob, form, forget } = await signedOut();
    forget();
    const page = await bob.post(problem, { _csrf: form, status: 'complete' });
    assert.equal(page.path, `${signInPath}?then=${encodeURIComponent(problem)}`);
    const signedIn = await bob.submit({ name: 'password' }, { username: 'bob', password: usualPassword });
    assert.equal(signedIn.path, problem);
    assert.equal(signedIn.document.querySelector('[data-problem="1"]')?.getAttribute('data-status'), 'not_started');
  });

  await t.test(
    'so does a form whose address shows nothing, and the way leads back to the page that had it',
    async () => {
      const { bob, form, forget } = await signedOut();
      for (const [address, from] of [
        [`${problem}timer/`, `${problem}?changed=1`],
        ['/problem_list/show/', '/problem_list/?q=pond'],
      ] as const) {
        forget();
        const headers = { 'Content-Type': urlencoded, Referer: url + from };
        const body = String(new URLSearchParams({ _csrf: form, do: 'start' }));
        const { location } = (await bob.ask(address, { method: 'POST', headers, body })).headers;
        assert.equal(location, `${signInPath}?then=${encodeURIComponent(from)}`);
      }
    },
  );

  await t.test('a page kept by the browser is not kept for another session', async () => {
    const first = await browserOf(url, 'bob');
    const tag = (await first.open(problem)).headers.etag ?? '';
    assert.equal((await first.ask(problem, { headers: { 'If-None-Match': tag } })).status, 304);
    const second = await browserOf(url, 'bob');
    assert.equal((await second.ask(problem, { headers: { 'If-None-Match': tag } })).status, 200);
  });

  await t.test('a form is known by its type, in any case', async () => {
    const body = `_csrf=${csrfOf(await ada.open(problem))}&status=complete`;
    const statusAs = async (type: string) =>
      (await ada.ask(problem, { method: 'POST', headers: { 'Content-Type': type }, body })).status;
    for (const type of ['', ';;;', `${urlencoded}-not`]) assert.ok([400, 403].includes(await statusAs(type)), type);
    assert.equal(await statusAs('Application/X-WWW-Form-URLencoded;charset=UTF-8'), 303);
  });

  await t.test('a body up to 640 KiB is read, a larger one refused as a page', async () => {
    const head = (cookie: string, rest: string, path = signInPath) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\nCookie: ${cookie}\r\nContent-Type: ${urlencoded}\r\n${rest}\r\n`;
    const one = browser(url);
    const form = csrfOf(await one.open(signInPath));
    const cookie = `form=${one.cookies.get('form')}`;
    const start = `_csrf=${form}&username=ada&password=x&rest=`;
    const fits = start + 'x'.repeat(bytesAtMost - start.length);
    const headers = { 'Content-Type': urlencoded };
    assert.equal((await one.ask(signInPath, { method: 'POST', headers, body: fits })).status, 422);
    const body = `${fits}x`;
    for (const raw of [
      `${head(cookie, `Content-Length: ${body.length}\r\n`)}${body}`,
      `${head(cookie, 'Transfer-Encoding: chunked\r\n')}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    ]) {
      const reply = parseRaw(await sendRaw(url, raw));
      assert.equal(reply.status, 413, raw.slice(0, 300));
      assert.match(reply.text, /<!doctype html>.*at most 640 KiB/is);
    }
    const early = parseRaw(await sendRaw(url, `${head(cookie, 'Content-Length: 999999999999\r\n')}x`));
    assert.equal(early.status, 413);
    const step = '/dashboard/groups/1/seasons/1/sheet/check/';
    const large = parseRaw(await sendRaw(url, `${head(cookie, 'Content-Length: 3000000\r\n', step)}x`));
    assert.match(large.text, /at most 2,048 KiB/, 'the step of a sheet takes more');
  });

  await t.test('a slow body is refused in time, and an aborted one harms nobody', async () => {
    const head = `POST ${signInPath} HTTP/1.1\r\nHost: x\r\nContent-Type: ${urlencoded}\r\nContent-Length: 1000\r\n\r\n`;
    const slow = sendRaw(url, `${head}username=`);
    for (let place = 0; place < 20; place++) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.on('error', () => {});
      socket.write(`${head}username=${'a'.repeat(place)}`);
      await sleep(5);
      if (place % 2) socket.resetAndDestroy();
      else socket.destroy();
    }
    assert.equal((await ada.open(problem)).status, 200);
    assert.match(await slow, /^HTTP\/1\.1 408 /);
  });

  await t.test('the answer to a form arrives, and the connection says whether it ends', async () => {
    const one = browser(url);
    const form = csrfOf(await one.open(signInPath));
    const body = String(new URLSearchParams({ _csrf: form, username: 'bob', password: usualPassword }));
    const raw = `POST ${signInPath} HTTP/1.1\r\nHost: x\r\nCookie: form=${one.cookies.get('form')}\r\nContent-Type: ${urlencoded}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    for (let time = 0; time < 10; time++) {
      const text = await sendRaw(url, raw);
      assert.match(text, /^HTTP\/1\.1 303 See Other\r\n/);
      assert.match(text, /\r\nConnection: close\r\n/i);
      assert.match(text, /\r\nset-cookie: session-[0-9a-f]{8}=[\w-]{43};/i);
    }
    const smuggled = await sendRaw(url, `${raw}GET /problem_list/ HTTP/1.1\r\nHost: x\r\n\r\n`);
    assert.equal(smuggled.match(/HTTP\/1\.1 /g)?.length, 1);
  });

  await t.test('methods: HEAD as GET, OPTIONS with what there is, and 405 for the rest', async () => {
    const cases: [string, string][] = [
      ['/', 'GET, HEAD, OPTIONS'],
      [signInPath, 'GET, HEAD, POST, OPTIONS'],
      ['/authentication/sign-out/', 'POST, OPTIONS'],
      [problem, 'GET, HEAD, POST, OPTIONS'],
      [`/authentication/reset/${'x'.repeat(43)}/`, 'GET, HEAD, POST, OPTIONS'],
      ['/authentication/demo/', 'GET, OPTIONS'],
    ];
    for (const [path, allow] of cases) {
      const choices = await ada.ask(path, { method: 'OPTIONS' });
      assert.deepEqual([choices.status, choices.headers.allow, choices.text], [204, allow, ''], path);
      for (const method of ['PUT', 'DELETE', 'PATCH', 'PROPFIND', 'QUERY']) {
        const refused = await ada.ask(path, { method });
        assert.deepEqual([refused.status, refused.headers.allow], [405, allow], `${method} ${path}`);
      }
      if (!allow.includes('HEAD')) continue;
      const [head, get] = [await ada.ask(path, { method: 'HEAD' }), await ada.ask(path)];
      const expected = [get.status, '', get.headers['content-type']];
      assert.deepEqual([head.status, head.text, head.headers['content-type']], expected, path);
    }
    for (const path of ['/authentication/sign-out/', '/problem_list/problem/x/', '/nothing/']) {
      const reply = await ada.ask(path);
      assert.ok([400, 404, 405].includes(reply.status), `${path}: ${reply.status}`);
    }
  });

  await t.test('no token opens a page, and no cookie the nine operations', async () => {
    for (const path of [problem, '/problem_list/', '/dashboard/history/']) {
      const reply = await send(url, path, { token, headers: { Accept: 'text/html' } });
      assert.equal(reply.headers.location?.slice(0, signInPath.length), signInPath, path);
      const { token: ofBob } = await memberWithToken(databaseUrl, 'bob');
      const both = await ada.ask(path, { token: ofBob });
      assert.match(both.text, /aria-label="Account of ada"/, path);
    }
    const headers = { Accept: 'application/json' };
    for (const { method, path } of Object.values(operations)) {
      const reply = await ada.ask(path.replace('{id}', '1'), { method, headers });
      assert.equal(reply.status, 401, `${method} ${path}`);
      assert.equal(reply.headers['set-cookie'], undefined);
    }
    const read = await ada.ask('/problem_list/api/problems/', { token, headers });
    assert.deepEqual([read.status, read.headers['set-cookie']], [200, undefined]);
  });

  await t.test(
    'hostile texts in paths and queries come back as text, and no answer says how the garden is built',
    async () => {
      const hostile = [
        ...["'", '"', '<script>alert(1)</script>', '%00', '%E2%80%AE', '..%2f..%2fetc%2fpasswd', '#{7*7}', '{{7*7}}'],
        ...['9'.repeat(400), '-1', 'x'.repeat(4_000), "1'%20OR%20'1'='1", '%0d%0aSet-Cookie:%20a=b'],
      ];
      for (const text of hostile) {
        for (const path of [
          `/problem_list/problem/${text}/`,
          `/problem_list/?q=${text}&page=${text}&tag=${text}&source=${text}`,
          `/dashboard/history/?before=${text}&changed=${text}`,
          `/authentication/sign-in/?then=${text}`,
          `/problem_list/?changed=${text}`,
          `/${text}/`,
        ]) {
          const reply = await ada.ask(encodeURI(path).replaceAll('%25', '%'));
          assert.ok(reply.status < 500, `${path.slice(0, 80)}: ${reply.status}`);
          assert.doesNotMatch(
            reply.text,
            /<script>alert|at \S+ \(|node_modules|\.ts:\d|SQLITE|select .* from|sqlite:|postgres:|pgt_|argon2/i,
            path.slice(0, 80),
          );
          assert.doesNotMatch(String(reply.headers['set-cookie']), /a=b/);
        }
      }
    },
  );

  assert.doesNotMatch(stderr(), /"level":(?:50|60)/, 'no fault is logged');
  assert.doesNotMatch(stderr(), new RegExp(`${usualPassword}|${token}`));
  for (const value of ada.cookies.values()) assert.ok(!stderr().includes(value));
});
