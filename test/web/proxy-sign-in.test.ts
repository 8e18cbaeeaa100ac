/** Signing in by the header of a proxy: whom it lets in, whom it keeps out, and every way to forge it. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { openSession } from '../../src/auth/sessions.ts';
import { disableMember, makeSetupKey } from '../../src/practice/members.ts';
import { setCreatesMembersByProxy } from '../../src/practice/proxy-sign-in.ts';
import { findMemberByName } from '../../src/store/members.ts';
import { listSessions } from '../../src/store/sessions.ts';
import { accountPath, signInPath, staffPath } from '../../src/web/paths.ts';
import { browser, signIn, textOf } from '../support/forms.ts';
import { memberWithToken, temporaryDatabase, withStore } from '../support/garden.ts';
import { assertRefusal, send } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';
import { readAll } from '../support/sockets.ts';

const home = '/problem_list/';
const header = 'Remote-User';
const signOut = { within: 'form[action$="/authentication/sign-out/"]' };
const page = { Accept: 'text/html' };

/** The bytes that a server answers to a connection of this address of our own. */
async function sendFrom(localAddress: string, url: string, bytes: string): Promise<string> {
  const { port } = new URL(url);
  const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress });
  socket.end(Buffer.from(bytes, 'latin1'));
  return readAll(socket);
}

const ofProxy = '127.0.0.1';
const ofStranger = '127.0.0.2';
const get = (lines: readonly string[], path = home) =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', 'Accept: text/html', 'Connection: close', ...lines, '', ''].join('\r\n');
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
/** An answer without what differs between any two. */
const like = (answer: string) =>
  answer
    .replaceAll(/^(?:X-Request-Id|Date|Set-Cookie|ETag):.*\r\n/gim, '')
    .replaceAll(/[\w-]{16}\.[\w-]{43}/g, '')
    .replaceAll(/[0-9a-f-]{36}/g, '');

test('signing in by a proxy', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await membersNamed(databaseUrl, 'ada', 'bob', 'eve', 'Žofie');
  const { token } = await memberWithToken(databaseUrl, 'grace', { role: 'staff' });
  const { url, stderr } = await serveHere(t, {
    databaseUrl,
    env: { TRUST_HEADER: header, TRUSTED_PROXIES: ofProxy },
  });
  const off = await serveHere(t, { databaseUrl, env: { TRUSTED_PROXIES: ofProxy } });
  const switchOff = () => withStore(databaseUrl, (store) => store.write((tx) => setCreatesMembersByProxy(tx, false)));
  const find = (name: string) => withStore(databaseUrl, ({ reader }) => findMemberByName(reader, name));
  const sessionsOf = async (name: string) => {
    const { id = 0n } = (await find(name)) ?? {};
    return withStore(databaseUrl, ({ reader }) => listSessions(reader, id, new Date().toISOString()));
  };
  /** A browser behind the proxy, whose header can be changed. */
  const behind = (name: string | undefined) => {
    const headers: Record<string, string> = name === undefined ? {} : { [header]: name };
    return { one: browser(url, headers), headers };
  };
  const nameOn = (at: Parameters<typeof textOf>[0]) => textOf(at, '.menu-title span');

  await t.test('the member whom it names is signed in, with one session for all pages', async () => {
    const { one } = behind('ADA');
    assert.equal(nameOn(await one.open(home)), 'ada');
    assert.equal(nameOn(await one.open('/dashboard/')), 'ada');
    const [session, ...more] = await sessionsOf('ada');
    assert.deepEqual(more, []);
    assert.match(session?.digest ?? '', /^proxy:[0-9a-f]{64}$/);
    assert.match(textOf(await one.open(`${accountPath}sessions/`), '[data-session]'), /by the proxy/);
    assert.equal((await one.open(`${signInPath}?then=/problem_list/`)).path, home);
  });

  await t.test('a name beyond ASCII comes as UTF-8', async () => {
    for (const form of ['NFC', 'NFD']) {
      const { one } = behind(Buffer.from('žofie'.normalize(form)).toString('latin1'));
      assert.equal(nameOn(await one.open(home)), 'Žofie');
    }
  });

  await t.test('forms work as ever, and need their token', async () => {
    const { one } = behind('ada');
    await one.open(accountPath);
    const before = (await find('ada'))?.first_name;
    const forged = await one.post(accountPath, { first_name: 'Mallory' });
    assert.equal(forged.status, 403);
    assert.equal((await find('ada'))?.first_name, before);
    await one.open(accountPath);
    const sent = await one.submit({ name: 'first_name' }, { first_name: 'Ada' });
    assert.equal(sent.status, 200);
    assert.equal((await find('ada'))?.first_name, 'Ada');
  });

  await t.test('a POST opens no session, and changes nothing without one', async () => {
    const count = (await sessionsOf('eve')).length;
    const { one } = behind('eve');
    const sent = await one.ask(accountPath, { method: 'POST', headers: page, body: '' });
    assert.equal(sent.headers.location?.startsWith(signInPath) || sent.status === 403, true, String(sent.status));
    assert.equal((await sessionsOf('eve')).length, count);
    const head = await one.ask(home, { method: 'HEAD' });
    assert.equal(head.status, 200);
  });

  await t.test('another name ends the session at once, also for a form of the page before', async () => {
    const { one, headers } = behind('ada');
    await one.open(accountPath);
    const sent = one.filled({ name: 'first_name' }, { first_name: 'Changed' });
    const value = one.cookies.get('session') ?? '';
    headers[header] = 'bob';
    const after = await one.post(sent.path, sent.fields);
    assert.equal(nameOn(after), 'bob');
    assert.deepEqual([(await find('ada'))?.first_name, (await find('bob'))?.first_name], ['Ada', null]);
    headers[header] = 'ada';
    one.cookies.set('session', value);
    const count = (await sessionsOf('ada')).length;
    assert.equal(nameOn(await one.open(home)), 'ada');
    assert.notEqual(one.cookies.get('session'), value, 'the old session is gone');
    assert.equal((await sessionsOf('ada')).length, count + 1);
  });

  await t.test('a session of the proxy ends where the header is missing, and is none beside the proxy', async () => {
    const { one, headers } = behind('ada');
    await one.open(home);
    const cookie = `Cookie: session=${one.cookies.get('session')}`;
    const direct = await sendFrom(ofStranger, url, get([cookie]));
    assert.equal(statusOf(direct), 303, 'not signed in without the proxy');
    const elsewhere = await send(off.url, home, { headers: { ...page, Cookie: cookie.slice(8) } });
    assert.equal(elsewhere.status, 303, 'nor once the setting is off');
    delete headers[header];
    assert.match((await one.open(home)).path, /sign-in/);
    assert.ok((await sessionsOf('ada')).every(({ digest }) => digest.startsWith('proxy:')));
    headers[header] = 'ada';
    const count = (await sessionsOf('ada')).length;
    await one.open(home);
    assert.equal((await sessionsOf('ada')).length, count + 1, 'the session had ended');
  });

  await t.test('a session by password lasts without the header, and ends beside the name of another', async () => {
    const ada = await signIn(url, 'ada');
    assert.equal(nameOn(await ada.open(home)), 'ada');
    const { one } = behind('ada');
    for (const [name, value] of ada.cookies) one.cookies.set(name, value);
    await one.open(home);
    assert.equal(one.cookies.get('session'), ada.cookies.get('session'), 'no second one is opened');
    const { one: other } = behind('bob');
    for (const [name, value] of ada.cookies) other.cookies.set(name, value);
    assert.equal(nameOn(await other.open(home)), 'bob');
    assert.match((await ada.open(home)).path, /sign-in/);
  });

  await t.test('signing out says that the proxy signs in again', async () => {
    const { one } = behind('bob');
    await one.open(home);
    const count = (await sessionsOf('bob')).length;
    const out = await one.submit(signOut);
    assert.equal(out.status, 200);
    assert.match(textOf(out, 'main'), /The proxy signs you in again/);
    assert.equal((await sessionsOf('bob')).length, count - 1);
    assert.equal(nameOn(await one.open(home)), 'bob');
  });

  await t.test('a client without cookies leaves twenty sessions at most', async () => {
    for (let n = 0; n < 25; n++) await send(url, home, { headers: { ...page, [header]: 'eve' } });
    assert.equal((await sessionsOf('eve')).length, 20);
  });

  await t.test(
    'pictures and frames in a page of another site end no session; a link from there opens one',
    async () => {
      const { one } = behind('eve');
      await one.open(accountPath);
      const sent = one.filled({ name: 'first_name' }, { first_name: 'Typed' });
      const from = (dest: string) => ({
        ...page,
        [header]: 'eve',
        'Sec-Fetch-Site': 'cross-site',
        'Sec-Fetch-Dest': dest,
      });
      for (let n = 0; n < 25; n++) {
        const reply = await send(url, home, { headers: from(n % 2 === 0 ? 'image' : 'iframe') });
        assert.deepEqual([reply.status, reply.headers['set-cookie']], [303, undefined]);
      }
      await one.post(sent.path, sent.fields);
      assert.equal((await find('eve'))?.first_name, 'Typed');
      const led = await send(url, home, { headers: from('document') });
      assert.equal(led.status, 200);
    },
  );

  await t.test('somebody unknown reads whom to ask; public pages are open', async () => {
    const { one } = behind('newton');
    const asked = await one.open(home);
    assert.equal(asked.status, 403);
    assert.match(textOf(asked, 'main'), /newton.*Ask an administrator/);
    assert.equal((await one.open('/')).status, 200);
    assert.equal((await one.open('/language/')).status, 200);
    assert.equal(await find('newton'), undefined);
    assert.equal(one.cookies.has('session'), false);
  });

  await t.test('staff may have the proxy make members; nobody looks like another', async () => {
    const { one: staff } = behind('grace');
    await staff.open(`${staffPath}settings/`);
    const on = await staff.submit({ name: 'proxy_members' });
    assert.equal(on.document.querySelector('[data-proxy]')?.getAttribute('data-proxy'), 'on');
    assert.match(textOf(await staff.open(`${staffPath}log/`), 'main'), /whether sign-in by the proxy creates accounts/);
    const { one } = behind('newton');
    assert.equal(nameOn(await one.open(home)), 'newton');
    assert.equal((await find('newton'))?.role, 'member');
    const { one: twin } = behind(Buffer.from('мах'.replace('м', 'с')).toString('latin1'));
    assert.equal(nameOn(await twin.open(home)), 'сах');
    const like = await behind('cax').one.open(home);
    assert.deepEqual([like.status, await find('cax')], [409, undefined]);
    await switchOff();
    assert.equal((await behind('leibniz').one.open(home)).status, 403);
  });

  await t.test('the panel of staff is there only where the setting is', async () => {
    const { id = 0n } = (await find('grace')) ?? {};
    const opening = { browser: '', network: '', device: undefined };
    const { session } = await withStore(databaseUrl, (store) => store.write((tx) => openSession(tx, id, opening)));
    for (const [place, isThere] of [
      [url, true],
      [off.url, false],
    ] as const) {
      const one = browser(place, place === url ? { [header]: 'grace' } : {});
      one.cookies.set('session', session);
      const settings = await one.open(`${staffPath}settings/`);
      assert.equal(settings.status, 200);
      assert.equal(settings.document.querySelector('#proxy') !== null, isThere);
    }
  });

  await t.test('a disabled member stays out, with a session or without', async () => {
    const { one } = behind('eve');
    assert.equal(nameOn(await one.open(home)), 'eve');
    await withStore(databaseUrl, (store) => store.write((tx) => disableMember(tx, 'eve', true)));
    for (const again of [one, behind('eve').one]) {
      const asked = await again.open(home);
      assert.equal(asked.status, 403);
      assert.match(textOf(asked, 'main'), /disabled/);
    }
  });

  await t.test('names that cannot be one are refused in words', async () => {
    for (const name of ['', ' ', 'ada,bob', ',ada', 'ada bob', 'x'.repeat(65), 'a/b', '..', '\xff\xfe', 'ﬁ']) {
      const value = /[^\x20-\xff]/.test(name) ? Buffer.from(name).toString('latin1') : name;
      const answer = await sendFrom(ofProxy, url, get([`${header}: ${value}`]));
      assert.equal(statusOf(answer), 400, JSON.stringify(name));
      assert.match(answer, /The proxy sent no valid username in Remote-User/, JSON.stringify(name));
      assert.doesNotMatch(answer, /set-cookie: session/i);
    }
    assertRefusal(await send(url, home, { headers: { [header]: 'a,b' } }), 40000, /Ask an administrator/);
  });

  await t.test('the header twice is refused, in any letters', async () => {
    for (const pair of [
      [`${header}: ada`, `${header}: bob`],
      [`${header}: ada`, 'remote-user: ada'],
      ['REMOTE-USER: bob', `${header}: ada`],
      [`${header}: ada`, `${header}:`],
    ]) {
      const answer = await sendFrom(ofProxy, url, get(pair));
      assert.equal(statusOf(answer), 400, pair.join());
      assert.doesNotMatch(answer, /set-cookie: session/i);
    }
  });

  await t.test('headers like it, folded lines and odd framing sign nobody in', async () => {
    for (const line of ['Remote_User: ada', 'Remote-User-: ada', 'Remote-Users: ada', 'X-Remote-User: ada']) {
      assert.equal(statusOf(await sendFrom(ofProxy, url, get([line]))), 303, line);
    }
    for (const lines of [
      [`${header}:`, ' ada'],
      [`${header}: ada`, '\tbob'],
      [`${header} : ada`],
      [`${header}\0: ada`],
    ]) {
      const answer = await sendFrom(ofProxy, url, get(lines));
      assert.equal(statusOf(answer), 400, lines.join('|'));
      assert.doesNotMatch(answer, /set-cookie/i);
    }
    const old = await sendFrom(ofProxy, url, get([`${header}: ada`]).replace('HTTP/1.1', 'HTTP/1.0'));
    assert.equal(statusOf(old), 200);
    const oldFromOutside = await sendFrom(ofStranger, url, get([`${header}: ada`]).replace('HTTP/1.1', 'HTTP/1.0'));
    assert.equal(statusOf(oldFromOutside), 303);
  });

  await t.test('the header of anybody else is as if it were not there', async () => {
    const without = await sendFrom(ofStranger, url, get([]));
    for (const lines of [
      [`${header}: ada`],
      [`${header}: ada`, `${header}: bob`],
      [`${header}: a,b`],
      [`${header}: ada`, `X-Forwarded-For: ${ofProxy}`],
      [`${header}: ada`, `X-Forwarded-For: ${ofProxy}, ${ofProxy}`, `Forwarded: for=${ofProxy}`],
      [`${header}: ada`, `X-Real-IP: ${ofProxy}`, 'Via: 1.1 proxy'],
      [`${header}: nobody-here`],
    ]) {
      const answer = await sendFrom(ofStranger, url, get(lines));
      assert.equal(like(answer), like(without), lines.join());
    }
    const door = await sendFrom(ofStranger, url, get([`${header}: ada`], signInPath));
    assert.equal(like(door), like(await sendFrom(ofStranger, url, get([], signInPath))));
    assert.match(door, /name="password"/);
  });

  await t.test('what a client says of its own way changes nothing for the proxy', async () => {
    const lines = [`${header}: ada`, 'X-Forwarded-For: 203.0.113.9'];
    assert.equal(statusOf(await sendFrom(ofProxy, url, get(lines))), 200);
  });

  await t.test('the nine operations know no header', async () => {
    const path = '/problem_list/api/status/';
    assertRefusal(await send(url, path, { headers: { [header]: 'ada' } }), 40100);
    const asGrace = await send(url, path, { token });
    for (const value of ['ada', 'a,b', '']) {
      const also = await send(url, path, { token, headers: { [header]: value } });
      assert.deepEqual([also.status, also.text], [asGrace.status, asGrace.text]);
    }
    assertRefusal(await send(url, '/plants/1', { method: 'DELETE', headers: { [header]: 'ada' } }), 40100);
  });

  await t.test('the server reports no fault', () => {
    assert.doesNotMatch(stderr(), /fault/);
  });
});

test('in an empty garden the set-up link makes the first member, who is then the one of the proxy', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await withStore(databaseUrl, (store) => store.write((tx) => setCreatesMembersByProxy(tx, true)));
  const { url } = await serveHere(t, { databaseUrl, env: { TRUST_HEADER: header, TRUSTED_PROXIES: '127.0.0.0/8' } });
  const one = browser(url, { [header]: 'ada' });
  assert.equal((await one.open(home)).status, 403, 'the proxy makes no first member');
  const key = await withStore(databaseUrl, makeSetupKey);
  await one.open(`/authentication/setup/?key=${key}`);
  const name = one.page().document.querySelector('[name=username]')?.getAttribute('value');
  assert.equal(name, 'ada');
  const done = await one.submit({ name: 'username' }, { password: 'a lantern beside the well' });
  assert.equal(done.path, '/dashboard/');
  assert.equal((await one.open(`${staffPath}settings/`)).status, 200);
});
