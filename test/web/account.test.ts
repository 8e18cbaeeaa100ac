/** The pages of a member's own account, by their forms: record, tokens, sessions, password, own data, deletion. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeEntryLink } from '../../src/auth/entry.ts';
import { makeToken } from '../../src/auth/tokens.ts';
import { allScopes, type Operation, operationIds, operations } from '../../src/contract/operations.ts';
import { memberKinds } from '../../src/importing/row-kinds.ts';
import { setBookmarks, setNote, setStatus } from '../../src/practice/marks.ts';
import { removeMember, setAddressFields, setRole } from '../../src/practice/members.ts';
import type { Db } from '../../src/store/tables.ts';
import { gardenHere } from '../support/commands.ts';
import { rowsOf, tamper } from '../support/databases.ts';
import { attributesOf, hrefOf, hrefsOf } from '../support/elements.ts';
import {
  type Browser,
  browser,
  type Filling,
  memberWithPassword,
  type Page,
  signIn,
  textOf,
  usualPassword,
} from '../support/forms.ts';
import { importRows, memberWithToken, temporaryDatabase, temporaryFolder, withStore } from '../support/garden.ts';
import { send } from '../support/http.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';
import { ponds } from '../support/ponds.ts';
import { openPaths } from '../support/processes.ts';
import { until } from '../support/waiting.ts';
import { readZip } from '../support/zips.ts';

const account = '/authentication/account/';
const bidi = '\u202egrebmun\u202c';
const markup = `<script>alert("&1")</script><b title='x'>`;
const anotherPassword = 'nine bridges over one river';

async function planted(t: TestContext) {
  const databaseUrl = await temporaryDatabase(t);
  const problems = ponds(5, (n) => ({ source: 'cses', source_key: String(n + 1) }));
  const plants = ['ada', 'ada', 'bob'].map((username, n) => ({ id: n + 1, username, name: `p${n}`, target: 3 }));
  const { ada, bob } = await withStore(databaseUrl, async (store) => {
    const members = await membersNamed(databaseUrl, 'ada', 'bob');
    await importRows(databaseUrl, 'problems', problems);
    await importRows(databaseUrl, 'plants', plants);
    await store.write(async (tx) => {
      await setAddressFields(tx, true);
      for (const memberId of Object.values(members)) {
        await setStatus(tx, { memberId, problemIds: [1n, 2n], status: 'complete', how: 'hint' });
        await setBookmarks(tx, memberId, [1n, 3n], true);
        await setNote(tx, memberId, 3n, `note of ${memberId}: ${markup}`);
      }
    });
    return members;
  });
  const { url, stderr } = await serveHere(t, { databaseUrl });
  return { databaseUrl, url, stderr, ada, bob };
}

/** Ada at her account, and her record as the interface answers it. */
async function signedIn(t: TestContext) {
  const garden = await planted(t);
  const { databaseUrl, url, ada } = garden;
  const { token } = await memberWithToken(databaseUrl, 'ada');
  const own = await browserOf(url, 'ada');
  await own.open(account);
  const read = async () => {
    const reply = await send(url, `/authentication/api/records/${ada}/`, { token });
    assert.equal(reply.status, 200, reply.text);
    return { record: JSON.parse(reply.text) as Record<string, unknown>, etag: reply.headers.etag };
  };
  return { ...garden, own, read };
}

const sendPassword = (own: Browser, room: string, filling: Filling) =>
  own.submitAt(account + room, { name: 'password' }, filling);

const faultOf = (page: Page, name: string) => textOf(page, `#${name}-fault`);

test('the account is for members who are signed in, and no page of it is kept', async (t) => {
  const { url } = await planted(t);
  const own = await browserOf(url, 'ada');
  const ends = ['', 'connections/', 'tokens/', 'sessions/', 'password/', 'data/', 'delete/', 'data/statuses/'];
  for (const end of ends) {
    const page = await own.ask(account + end);
    assert.equal(page.status, 200, end);
    assert.equal(page.headers['cache-control'], 'no-store', end);
    assert.equal(page.headers.etag, undefined, end);
    const stranger = await browser(url).ask(account + end);
    assert.equal(stranger.status, 303, end);
    assert.match(stranger.headers.location ?? '', /^\/authentication\/sign-in\/\?then=/, end);
  }
  for (const end of ['', 'connections/', 'tokens/', 'sessions/', 'password/', 'delete/']) {
    const refused = await own.post(account + end, { username: 'ada', revoke: '1', end_others: 'true' });
    assert.equal(refused.status, 403, `${end} without an anti-forgery token`);
  }
});

test('a changed record is what the interface answers at once', async (t) => {
  const { url, own, read } = await signedIn(t);
  const before = await read();
  const values = {
    username: 'Lovelace',
    first_name: `Ada ${markup}`,
    last_name: bidi,
    email: 'ada@example.org',
    phone: '+91 20 1234',
    address: '10 Downing "St"',
    city: 'São Paulo',
    state: '東京',
    zipcode: '',
  };
  const saved = await own.submit({ name: 'city' }, values);
  assert.equal(saved.hops[0]?.status, 303);
  assert.match(textOf(saved, '[role=status]'), /Saved/);
  assert.ok(!saved.text.includes('<script>alert'), 'markup is text');
  assert.match(saved.text, /<bdi>Ada &lt;script&gt;/, 'a name cannot turn the text around it');
  const after = await read();
  assert.notEqual(after.etag, before.etag);
  const { updated_at: changedAt, ...rest } = after.record;
  const { updated_at, ...old } = before.record;
  assert.deepEqual(rest, { ...old, ...values, zipcode: null });
  assert.ok(String(changedAt) > String(updated_at));
  const again = await own.submit({ name: 'city' });
  assert.equal(again.hops[0]?.status, 303);
  assert.deepEqual(await read(), after, 'saving without a change changes nothing');
  await signIn(url, 'LOVELACE');
});

test('a wrong field is explained beside it, what was typed stays, and nothing is changed', async (t) => {
  const { own, read } = await signedIn(t);
  const before = await read();
  const cases: [name: string, value: string, fault: RegExp][] = [
    ['username', '', /1 to 64 visible characters/],
    ['username', 'x'.repeat(65), /1 to 64 visible characters/],
    ['username', 'two words', /without spaces/],
    ['username', `a${bidi}`, /visible characters/],
    ['username', 'BOB', /The username "BOB" is taken/],
    ['first_name', 'x'.repeat(10_000), /at most 200 characters; you entered 10,000/],
    ['city', 'a\u0000b', /can’t be shown/],
    ['address', 'a\u001b[31mb', /can’t be shown/],
    ['email', 'nobody', /like ada@example.org/],
    ['email', markup, /Enter an address like/],
  ];
  for (const [name, value, fault] of cases) {
    await own.open(account);
    const refused = await own.submit({ name: 'city' }, { phone: '555', [name]: value });
    assert.equal(refused.status, 422, name);
    assert.match(faultOf(refused, name), fault);
    assert.equal(refused.document.querySelector('[name=phone]')?.getAttribute('value'), '555');
    assert.ok(!refused.text.includes('<script>alert'));
  }
  assert.deepEqual(await read(), before);
});

test('fields that no member may change are ignored, and those left out stay', async (t) => {
  const { databaseUrl, bob, own, read } = await signedIn(t);
  await importRows(databaseUrl, 'records', [
    { username: 'ada', address: 'Line one\nLine two', last_name: 'L'.repeat(3000), city: ' Pune ' },
  ]);
  const before = await read();
  await own.open(account);
  const { path, fields } = own.filled({ name: 'city' });
  for (const name of ['last_name', 'email', 'username']) fields.delete(name);
  const foreign = { id: String(bob), role: 'staff', created_at: '2000-01-01T00:00:00.000Z', is_disabled: '1' };
  for (const [name, value] of Object.entries({ ...foreign, user: String(bob), phone: '1' })) fields.set(name, value);
  assert.equal((await own.post(path, fields)).hops[0]?.status, 303);
  const { record } = await read();
  assert.deepEqual(record, { ...before.record, phone: '1', updated_at: record['updated_at'] });
});

test('a second tab is told what changed meanwhile, and overwrites it only when asked again', async (t) => {
  const { own, read } = await signedIn(t);
  const stale = own.filled({ name: 'city' }, { city: 'Pune', phone: '1' });
  await own.submit({ name: 'city' }, { city: 'Kyoto' });
  const overtaken = await own.post(stale.path, stale.fields);
  assert.equal(overtaken.status, 409);
  assert.match(textOf(overtaken, '[role=alert]'), /changed in another tab or on another device/);
  assert.equal(faultOf(overtaken, 'city'), 'It is now “Kyoto”.');
  assert.equal((await read()).record['city'], 'Kyoto');
  assert.equal((await own.submit({ name: 'city' })).hops[0]?.status, 303);
  const { record } = await read();
  assert.deepEqual([record['city'], record['phone']], ['Pune', '1']);
});

/** A request of each operation that this member may make. */
function requests(memberId: bigint) {
  return operationIds.map((id) => {
    const { path, method, scope }: Operation = operations[id];
    const item = id === 'getRecord' ? memberId : 1n;
    return { id, scope, method, target: path.replace('{id}', String(item)) };
  });
}

test('a token is shown once, works at the nine operations within its scopes, and stops at once when revoked', async (t) => {
  const { databaseUrl, url, ada } = await planted(t);
  const own = await browserOf(url, 'ada');
  await own.open(`${account}tokens/`);
  const name = `my editor ${markup} ${bidi}`;
  const made = await own.submit({ name: 'name' }, { name, expires: '30d', scope: [...allScopes] });
  assert.equal(made.hops[0]?.status, 303);
  const secret = textOf(made, '[data-secret]');
  assert.match(secret, /^pgt_\w{36}$/);
  assert.equal(textOf(made, '.new-token h2'), name);
  assert.ok(!made.text.includes('<script>alert'));
  assert.ok(!(await own.open(`${account}connections/`)).text.includes(secret), 'it is shown once');
  assert.equal(own.cookies.has('once'), false);
  for (const { id, method, target } of requests(ada)) {
    const { status } = await send(url, target, { method, token: secret });
    assert.equal(status, method === 'DELETE' ? 204 : 200, id);
  }
  await own.open(`${account}tokens/`);
  const narrow = await own.submit({ name: 'name' }, { name: 'narrow', scope: ['problems:read'] });
  const narrowSecret = textOf(narrow, '[data-secret]');
  for (const { id, scope, method, target } of requests(ada)) {
    const { status } = await send(url, target, { method, token: narrowSecret });
    assert.equal(status, scope === 'problems:read' ? 200 : 403, id);
  }
  const [first = {}] = await rowsOf(databaseUrl, 'SELECT id, scopes, expires_at FROM tokens ORDER BY id');
  assert.equal(first['scopes'], allScopes.join(' '));
  const days = (Date.parse(String(first['expires_at'])) - Date.now()) / 86_400_000;
  assert.ok(days > 29.9 && days <= 30, `${days}`);
  await own.open(`${account}connections/`);
  const revoked = await own.submit({ name: 'revoke', value: String(first['id']) });
  assert.match(textOf(revoked, '[role=status]'), /Revoked/);
  const [request] = requests(ada).slice(1);
  assert.equal((await send(url, request?.target ?? '', { token: secret })).status, 401);
  assert.equal(revoked.document.querySelectorAll('[data-token]').length, 1);
  assert.match(textOf(revoked, '.former'), /Revoked and expired: 1/);
});

test('a token needs a name, a lifetime and a scope that there are', async (t) => {
  const { databaseUrl, url } = await planted(t);
  const own = await browserOf(url, 'ada');
  await own.open(`${account}tokens/`);
  const { path, fields } = own.filled({ name: 'name' }, { name: 'bot' });
  const cases: [name: string, values: string[], fault: RegExp][] = [
    ['name', [], /Enter a name/],
    ['name', ['   '], /Enter a name/],
    ['name', ['x'.repeat(10_000)], /at most 100/],
    ['name', ['a\u0000b'], /can’t be shown/],
    ['expires', [], /Choose one/],
    ['expires', ['999d'], /Choose one/],
    ['expires', ['constructor'], /Choose one/],
    ['scope', [], /at least one/],
    ['scope', ['everything', 'problems:write'], /at least one/],
  ];
  for (const [name, values, fault] of cases) {
    const asked = new URLSearchParams(fields);
    asked.delete(name);
    for (const value of values) asked.append(name, value);
    const refused = await own.post(path, asked);
    assert.equal(refused.status, 422, `${name} ${values}`);
    assert.match(faultOf(refused, name), fault);
  }
  assert.deepEqual(await rowsOf(databaseUrl, 'SELECT id FROM tokens'), []);
});

test('a cookie shows no token of another member', async (t) => {
  const { databaseUrl, url, bob } = await planted(t);
  const own = await browserOf(url, 'ada');
  const { token } = await withStore(databaseUrl, (store) =>
    makeToken(store, { userId: bob, name: 'his', scopes: allScopes, lifetimeMs: undefined }),
  );
  own.cookies.set('once', token);
  assert.ok(!(await own.open(`${account}connections/`)).text.includes(token));
});

test('sessions are listed and ended: one, this one, all others', async (t) => {
  const { url } = await planted(t);
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
  const own = await signIn(url, 'ada', usualPassword, { headers: { 'User-Agent': firefox } });
  const headers = { 'User-Agent': `${markup} ${'x'.repeat(5000)}` };
  const odd = await signIn(url, 'ada', usualPassword, { headers });
  const curl = await signIn(url, 'ada', usualPassword, { headers: { 'User-Agent': 'curl/8.5.0' } });
  const page = await own.open(`${account}sessions/`);
  const sessions = page.document.querySelectorAll('[data-session]');
  assert.equal(sessions.length, 3);
  assert.match(sessions[0]?.textContent ?? '', /Firefox on Linux.*This browser.*from 127\.0\.0\.1.*Sign out/s);
  assert.ok(!page.text.includes('<script>alert'));
  const ofCurl = sessions.find((one) => one.textContent.includes('curl 8.5.0'))?.getAttribute('data-session') ?? '';
  const ended = await own.submit({ name: 'end', value: ofCurl });
  assert.match(textOf(ended, '[role=status]'), /session was ended/);
  assert.match((await curl.open(account)).path, /sign-in/);
  assert.equal((await odd.open(account)).path, account);
  await own.submit({ name: 'end_others' });
  assert.match((await odd.open(account)).path, /sign-in/);
  const [mine = '', ...rest] = attributesOf(own.page(), '[data-session]', 'data-session');
  assert.deepEqual(rest, []);
  const out = await own.submit({ name: 'end', value: mine });
  assert.match(out.path, /sign-in/);
  assert.equal(own.cookies.has('session'), false);
  assert.match((await own.open(account)).path, /sign-in/);
});

test('a new password takes the old one, ends every other session and renews this one', async (t) => {
  const { url } = await planted(t);
  const own = await browserOf(url, 'ada');
  const other = await browserOf(url, 'ada');
  const right = { password_old: usualPassword, password: anotherPassword, password_again: anotherPassword };
  const cases: [wrong: Record<string, string>, name: string, fault: RegExp][] = [
    [{ password_old: 'wrong' }, 'password_old', /not your current password/],
    [{ password_old: '' }, 'password_old', /not your current password/],
    [{ password_old: 'x'.repeat(50_000) }, 'password_old', /not your current password/],
    [{ password: 'the gardens of ada' }, 'password', /contains the username/],
    [{ password_again: `${anotherPassword} ` }, 'password_again', /don’t match/],
  ];
  for (const [wrong, name, fault] of cases) {
    const refused = await sendPassword(own, 'password/', { ...right, ...wrong });
    assert.equal(refused.status, 422);
    assert.match(faultOf(refused, name), fault);
    assert.ok(!refused.text.includes(anotherPassword), 'no password stands in a page');
  }
  assert.equal((await other.open(account)).path, account);
  const before = own.cookies.get('session');
  const changed = await sendPassword(own, 'password/', right);
  assert.match(textOf(changed, '[role=status]'), /Password changed/);
  assert.notEqual(own.cookies.get('session'), before);
  assert.match((await other.open(account)).path, /sign-in/);
  const thief = browser(url);
  thief.cookies.set('session', before ?? '');
  assert.match((await thief.open(account)).path, /sign-in/);
  await assert.rejects(signIn(url, 'ada'), /not signed in/);
  await signIn(url, 'ada', anotherPassword);
});

test('tokens end with a password where that is wanted: asked at a change, by default after a reset', async (t) => {
  const { databaseUrl, url, ada } = await planted(t);
  const passwords = { password: anotherPassword, password_again: anotherPassword };
  const make = async () => (await memberWithToken(databaseUrl, 'ada')).token;
  const works = async (token: string) => (await send(url, '/problem_list/api/problems/', { token })).status === 200;
  const token = await make();
  const own = await browserOf(url, 'ada');
  await sendPassword(own, 'password/', { password_old: usualPassword, ...passwords });
  assert.ok(await works(token), 'a change keeps tokens');
  const chosen = { password_old: anotherPassword, revoke_tokens: true, ...passwords };
  assert.match((await sendPassword(own, 'password/', chosen)).path, /password-changed/);
  assert.ok(!(await works(token)), 'unless its box is ticked');

  const reset = async (filling: Filling) => {
    const link = { kind: 'reset', userId: ada, role: 'member', uses: 1, lifetimeMs: 60_000 } as const;
    const key = await withStore(databaseUrl, (store) => store.write((tx) => makeEntryLink(tx, link)));
    const one = browser(url);
    await one.open(`/authentication/reset/${key}/`);
    assert.equal((await one.submit({ name: 'password' }, { ...passwords, ...filling })).status, 200);
  };
  const [second, third] = [await make(), await make()];
  await reset({ revoke_tokens: false });
  assert.ok(await works(second));
  await reset({});
  assert.deepEqual([await works(second), await works(third)], [false, false]);

  const fourth = await make();
  await gardenHere(['member', 'password', 'ada', '--keep-tokens'], { databaseUrl, input: anotherPassword });
  assert.ok(await works(fourth));
  await gardenHere(['member', 'password', 'ada'], { databaseUrl, input: anotherPassword });
  assert.ok(!(await works(fourth)));
});

test('guessing the password on a page of one’s own is slowed down as signing in is', async (t) => {
  const { url } = await planted(t);
  const own = await browserOf(url, 'ada');
  const statuses: number[] = [];
  for (let n = 0; n < 11; n++) {
    statuses.push((await sendPassword(own, 'delete/', { username: 'ada', password: `guess ${n}` })).status);
  }
  assert.deepEqual(statuses, [...Array(10).fill(422), 429]);
  const passwords = { password_old: usualPassword, password: anotherPassword, password_again: anotherPassword };
  assert.equal((await sendPassword(own, 'password/', passwords)).status, 429);
});

/** Another garden with the same problems. */
async function elsewhere(t: TestContext, databaseUrl: string, change: (rows: string[]) => string[]): Promise<string> {
  const there = await temporaryDatabase(t);
  const { stdout } = await gardenHere(['export', 'problems', '-', '--format', 'ndjson'], { databaseUrl });
  const input = change(stdout.trim().split('\n')).join('\n');
  await gardenHere(['import', 'problems', '-', '--format', 'ndjson'], { databaseUrl: there, input });
  return there;
}

test('own data comes out as one archive, of this member alone, and reads in again', async (t) => {
  const { databaseUrl, url, bob } = await planted(t);
  const own = await browserOf(url, 'ada');
  const page = await own.open(`${account}data/`);
  assert.deepEqual(attributesOf(page, '[data-part]', 'data-part'), [...memberKinds, 'solutions']);
  assert.match(textOf(page, '[data-part="changes"]'), /^History 5Every change/);
  const folder = await temporaryFolder(t);
  const [downloaded, written] = [join(folder, 'downloaded.zip'), join(folder, 'written.zip')];
  const reply = await own.ask(hrefOf(page, '[aria-labelledby="out"] > .actions a'));
  assert.equal(reply.status, 200);
  await writeFile(downloaded, reply.bytes);
  assert.equal(reply.headers['content-disposition'], 'attachment; filename="practice-garden.zip"');
  assert.equal(reply.headers['cache-control'], 'no-store');
  assert.equal(reply.headers['content-type'], 'application/zip');
  await gardenHere(['export', 'archive', written, '--member', 'ada'], { databaseUrl });
  const bytes = await readFile(downloaded);
  assert.deepEqual(bytes, await readFile(written), 'the bytes of the command line');
  assert.equal(reply.headers['content-length'], String(bytes.length));
  // The server is in this process, and closes the file long before it would be collected as garbage.
  const isOpen = () => openPaths().some((path) => path.includes('archive.zip'));
  await until('the archive is closed', () => !isOpen(), { timeoutMs: 2_000 });
  const all = [...readZip(bytes).values()].join('\n');
  assert.ok(!all.includes(`note of ${bob}`) && !all.includes('bob'));

  const there = await elsewhere(t, databaseUrl, (rows) => rows);
  const [, command = ''] = /garden (import archive)/.exec(textOf(page, 'pre')) ?? [];
  const read = await gardenHere([...command.split(' '), downloaded], { databaseUrl: there });
  assert.equal(read.code, 0, read.stderr);
  await gardenHere(['export', 'archive', written, '--member', 'ada'], { databaseUrl: there });
  assert.deepEqual(await readFile(written), bytes);
});

test('single files of own data are what garden import reads, in a garden with other ids too', async (t) => {
  const { databaseUrl, url, bob } = await planted(t);
  const own = await browserOf(url, 'ada');
  const page = await own.open(`${account}data/`);
  const links = hrefsOf(page, '.files a');
  assert.equal(links.length, 2 * memberKinds.length);
  const there = await elsewhere(t, databaseUrl, (rows) => rows.toReversed().map((row) => row.replace(/"id":\d+,/, '')));
  await gardenHere(['member', 'create', 'carl'], { databaseUrl: there });
  for (const link of links) {
    const reply = await own.ask(link);
    assert.equal(reply.status, 200, link);
    const [, what = '', format = ''] = /data\/(\w+)\/\?format=(\w+)$/.exec(link) ?? [];
    const name = `practice-garden-${what}.${format}`;
    assert.equal(reply.headers['content-disposition'], `attachment; filename="${name}"`);
    assert.equal(reply.headers['cache-control'], 'no-store');
    assert.ok(!reply.text.includes(`note of ${bob}`) && !reply.text.includes('bob'), link);
    const args = ['import', what, '-', '--format', format];
    const read = await gardenHere(args, { databaseUrl: there, input: reply.text });
    assert.equal(read.code, 0, `${link}: ${read.stderr}`);
  }
  const strangers = ['tokens/', 'problems/', 'sessions/', 'x/', 'history/', 'records/?format=xml', 'archive.zip/'];
  for (const target of strangers) assert.equal((await own.ask(`${account}data/${target}`)).status, 404, target);
});

test('an account is deleted by its name and password, completely, and no other row with it', async (t) => {
  const { databaseUrl, url, ada, bob } = await planted(t);
  const { token } = await memberWithToken(databaseUrl, 'ada');
  const own = await browserOf(url, 'ada');
  const other = await browserOf(url, 'ada');
  const his = await browserOf(url, 'bob');
  const owned = ['statuses', 'bookmarks', 'plants', 'tokens', 'sessions', 'changes', 'review_cards'];
  const tables = [...owned, 'entry_links', 'member_settings', 'members'];
  const countsOf = async (id: bigint) => {
    const counts: Record<string, number> = {};
    for (const table of tables) {
      const owner = table === 'members' ? 'id' : 'user_id';
      counts[table] = (await rowsOf(databaseUrl, `SELECT 1 FROM ${table} WHERE ${owner} = ${id}`)).length;
    }
    return counts;
  };
  const before = await countsOf(ada);
  assert.deepEqual([before['sessions'], before['changes'], before['members']], [2, 5, 1]);
  for (const [filling, name, fault] of [
    [{ username: 'bob', password: usualPassword }, 'username', /not your username/],
    [{ username: '', password: usualPassword }, 'username', /not your username/],
    [{ username: 'x'.repeat(10_000), password: usualPassword }, 'username', /not your username/],
    [{ username: 'ada', password: 'another one' }, 'password', /not your current password/],
    [{ username: 'ada', password: '' }, 'password', /not your current password/],
  ] as const) {
    const refused = await sendPassword(own, 'delete/', filling);
    assert.equal(refused.status, 422);
    assert.match(faultOf(refused, name), fault);
  }
  assert.deepEqual(await countsOf(ada), before);
  const ofBob = await countsOf(bob);
  const asked = await own.open(`${account}delete/`);
  assert.match(
    textOf(asked, 'main'),
    /profile, saved views, own code, reviews and timers.*all sessions.*public page.*reminders, and the rounds/,
  );
  const gone = await own.submit({ name: 'password' }, { username: 'ADA', password: usualPassword });
  assert.deepEqual([gone.hops[0]?.status, textOf(gone, '[role=status]')], [303, 'Your account was deleted.']);
  assert.equal(own.cookies.has('session'), false);
  assert.deepEqual(await countsOf(ada), Object.fromEntries(tables.map((name) => [name, 0])));
  assert.deepEqual(await countsOf(bob), ofBob);
  assert.equal((await send(url, '/problem_list/api/problems/', { token })).status, 401);
  assert.match((await other.open(account)).path, /sign-in/);
  assert.equal((await his.open(account)).path, account);
  await assert.rejects(signIn(url, 'ada'), /not signed in/);
});

test('the only staff cannot leave others alone, and a member without a password cannot confirm', async (t) => {
  const { databaseUrl, url } = await planted(t);
  for (const name of ['grace', 'alan']) await memberWithPassword(databaseUrl, name, { role: 'staff' });
  const own = await browserOf(url, 'grace');
  const change = (work: (tx: Db) => Promise<unknown>) => withStore(databaseUrl, (store) => store.write(work));
  await own.open(`${account}delete/`);
  await change((tx) => setRole(tx, 'alan', 'member'));
  const filling = { username: 'grace', password: usualPassword };
  const refused = await own.submit({ name: 'password' }, filling);
  assert.equal(refused.status, 422);
  assert.match(textOf(refused, '[role=alert]'), /Nothing was deleted.*only administrator/);
  assert.match(textOf(refused, 'main'), /First make another member an administrator: one who can sign in\./);
  assert.equal(refused.document.querySelector('[name=password]'), null);

  const bob = await browserOf(url, 'bob');
  await tamper(databaseUrl, "UPDATE members SET password_hash = NULL WHERE username = 'bob'");
  for (const end of ['password/', 'delete/'])
    assert.match(textOf(await bob.open(account + end), 'main'), /has no password/, end);
  await change((tx) => setRole(tx, 'bob', 'staff'));
  assert.match(textOf(await bob.open(`${account}delete/`), 'main'), /Create a reset link for yourself under Members\./);

  for (const name of ['ada', 'bob', 'alan']) await change((tx) => removeMember(tx, name));
  const ownPage = hrefOf(await own.open('/authentication/staff/members/'), 'main h2 a');
  for (const path of [ownPage, `${account}delete/`])
    assert.match(textOf(await own.open(path), '.notice'), /the only account/, path);
  const gone = await own.submit({ name: 'password' }, filling);
  assert.match(textOf(gone, '.hero'), /no accounts yet\..* A restart prints/);
  const nobody = textOf(await own.open('/authentication/sign-in/'), '.card .small');
  assert.match(nobody, /^There are no accounts yet\.[^?]+$/, 'nobody can be asked');
});
