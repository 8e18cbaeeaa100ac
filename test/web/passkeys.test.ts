/**
 * Passkeys in a real Chromium with a virtual authenticator (CDP WebAuthn): added, used, renamed and removed; and by requests of our
 * own, with answers that a browser would not send.
 */
import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import type { Page as BrowserPage, CDPSession } from 'playwright-core';
import { enter as enterByPassword, openBrowser, openPage } from '../support/browser.ts';
import { rowsOf, tamper } from '../support/databases.ts';
import { attributeOf } from '../support/elements.ts';
import {
  type Browser,
  browser,
  memberWithPassword,
  type Page,
  signIn,
  textOf,
  usualPassword,
} from '../support/forms.ts';
import { temporaryDatabase } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';

const door = '/authentication/sign-in/';
const ways = '/authentication/account/ways/';
const passkey = '/authentication/passkey/';
const home = '/dashboard/';

async function world(t: TestContext, env: Record<string, string> = {}) {
  const databaseUrl = await temporaryDatabase(t);
  await memberWithPassword(databaseUrl, 'ada');
  const { url } = await serveHere(t, { databaseUrl, env });
  // Passkeys belong to a name, which is that of BASE_URL.
  return { databaseUrl, url, named: url.replace('127.0.0.1', 'localhost') };
}

const said = (page: Page) => textOf(page, '.notice');

/* A device of our own, which signs whatever a test wants. */

interface Wishes {
  origin?: string;
  host?: string;
  /** User present and verified, by default; with the key itself while it is made. */
  flags?: number;
  counter?: number;
  type?: string;
  crossOrigin?: boolean;
  /** The public key as COSE. */
  key?: Buffer;
}

function device(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  let counter = 0;
  const clientData = (challenge: string, type: string, from: string, crossOrigin = false) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin }));
  const authData = (host: string, flags: number, count: number, rest: Buffer = Buffer.alloc(0)) => {
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(count);
    return Buffer.concat([createHash('sha256').update(host).digest(), Buffer.from([flags]), counted, rest]);
  };
  const common = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' };
  return {
    id: common.id,
    make(challenge: string, wishes: Wishes = {}): string {
      const { origin: from = origin, host = 'localhost', flags = 0x45, crossOrigin } = wishes;
      const length = Buffer.from([0, id.length]);
      const made = Buffer.concat([Buffer.alloc(16), length, id, wishes.key ?? coseOf(publicKey)]);
      const data = authData(host, flags, counter, made);
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
        data.length > 255 ? Buffer.from([0x59, data.length >> 8, data.length & 255]) : Buffer.from([0x58, data.length]),
        data,
      ]);
      const response = {
        clientDataJSON: clientData(challenge, 'webauthn.create', from, crossOrigin).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      };
      return JSON.stringify({ ...common, clientExtensionResults: {}, response });
    },
    use(challenge: string, wishes: Wishes = {}): string {
      const { origin: from = origin, host = 'localhost', flags = 0x05, type = 'webauthn.get' } = wishes;
      counter = wishes.counter ?? counter + 1;
      const data = authData(host, flags, counter);
      const client = clientData(challenge, type, from, wishes.crossOrigin);
      const hashed = createHash('sha256').update(client).digest();
      const response = {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, hashed]), privateKey).toString('base64url'),
      };
      return JSON.stringify({ ...common, clientExtensionResults: {}, response });
    },
  };
}

/** A key of the curve P-256 as COSE (RFC 9053 §7.1.1). */
function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const [start, next] = [Buffer.from('a5010203262001215820', 'hex'), Buffer.from('225820', 'hex')];
  return Buffer.concat([start, Buffer.from(x, 'base64url'), next, Buffer.from(y, 'base64url')]);
}

/** An RSA key as COSE (RFC 8230 §4). */
const rsaKey = (bytes: number, exponent = '010001', first = 0xc5) =>
  Buffer.concat([
    Buffer.from('a4010303390100', 'hex'),
    Buffer.from(bytes > 255 ? [0x20, 0x59, bytes >> 8, bytes & 255] : [0x20, 0x58, bytes]),
    Buffer.alloc(bytes, 0xc5).fill(first, 0, 1),
    Buffer.from(`2143${exponent}`, 'hex'),
  ]);

type Device = ReturnType<typeof device>;

const phone = { name: 'Phone', password: usualPassword };

const challengeIn = (page: Page): string => {
  const options = attributeOf(page, '[data-passkey]', 'data-options');
  assert.ok(options, `${page.status} ${textOf(page, 'main')}`);
  return JSON.parse(options).challenge;
};

async function beginAdding(one: Browser, filling: Record<string, string>): Promise<Page> {
  await one.open(ways);
  return one.submit({ within: '[data-with-passkeys]' }, filling);
}

async function add(one: Browser, own: Device, name = 'Phone', wishes: Wishes = {}, password = true): Promise<Page> {
  const step = await beginAdding(one, { name, ...(password && { password: usualPassword }) });
  return one.submit({ within: '[data-passkey]' }, { answer: own.make(challengeIn(step), wishes) });
}

async function begin(one: Browser): Promise<string> {
  await one.open(`${door}?then=${home}`);
  return challengeIn(await one.submit({ within: '[data-with-passkeys]' }));
}

const answer = (one: Browser, text: string) => one.submit({ within: '[data-passkey]' }, { answer: text });

const enter = async (one: Browser, own: Device, wishes: Wishes = {}) => answer(one, own.use(await begin(one), wishes));

/* The real browser. */

async function authenticator(page: BrowserPage): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

test('a member adds a passkey in a browser, signs in with it, renames it and removes it', async (t) => {
  const chromium = await openBrowser(t);
  if (!chromium) return;
  const { named: url, databaseUrl } = await world(t);
  const { page, strays, complaints, look } = await openPage(chromium, url);
  const { cdp, authenticatorId } = await authenticator(page);
  await enterByPassword(page, url, 'ada');
  await page.goto(url + ways);
  await page.fill('[name=name]', 'a phone with a name that is rather long for the narrow screen on which it is read');
  await page.fill('[name=password]', 'not the password');
  await page.click('[data-with-passkeys] button');
  await page.waitForSelector('#password-fault');
  await look('a wrong password');
  await page.fill('[name=password]', usualPassword);
  await page.click('[data-with-passkeys] button');
  await page.waitForURL(`${url}${ways}?done=passkeyAdded`);
  await page.click('[data-passkey-id] summary');
  await look('a passkey');
  const rows = await rowsOf(databaseUrl, 'SELECT host, transports, used_at FROM passkeys');
  assert.deepEqual(rows, [{ host: 'localhost', transports: 'internal', used_at: null }]);

  // The same device makes no second one.
  await page.fill('[data-with-passkeys] [name=name]', 'Again');
  await page.fill('[name=password]', usualPassword);
  await page.click('[data-with-passkeys] button');
  await page.waitForSelector('[data-failed]:not([hidden])');
  await look('a device that makes none');

  await page.context().clearCookies();
  await page.goto(`${url}${door}?then=${ways}`);
  await look('signing in');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForURL(url + ways);
  assert.match(await page.innerText('[data-passkey-id]'), /last used/);

  await page.click('[data-passkey-id] summary');
  await page.fill('[data-passkey-id] [name=name]', 'Phone');
  await page.click('[data-passkey-id] details button');
  await page.waitForURL(`${url}${ways}?done=passkeyRenamed`);
  assert.match(await page.innerText('[data-passkey-id] h2'), /^Phone\s+Passkey$/);

  // Somebody closes the window of the device, and tries again.
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await page.goto(`${url}${door}?then=${ways}`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForSelector('[data-failed]:not([hidden])');
  await look('a device that is not used');
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
  await page.getByRole('button', { name: 'Use passkey' }).click();
  await page.waitForURL(url + ways);

  await page.click('[data-passkey-id] button.danger');
  await page.waitForURL(`${url}${ways}?done=passkeyRemoved`);
  await page.context().clearCookies();
  await page.goto(`${url}${door}?then=${ways}`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForSelector('.notice[data-kind="bad"]:has-text("doesn’t work here")');
  assert.deepEqual([strays, complaints], [[], []]);
});

const wrong = /^This passkey doesn’t work here\. Try another one, or sign in another way\.$/;
const over = /^This passkey request is older than 5 minutes, or was already used\. Try again\.$/;

test('only what the device signed for this place, this browser and this challenge signs anybody in', async (t) => {
  const { url, named, databaseUrl } = await world(t);
  await memberWithPassword(databaseUrl, 'bob');
  const [ada, bob] = [await browserOf(url, 'ada'), await browserOf(url, 'bob')];
  const [own, other, unknown] = [device(named), device(named), device(named)];
  assert.match(said(await add(ada, own)), /^Passkey added/);
  await add(bob, other);
  const one = browser(url, { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' });
  const refused: [string, (challenge: string) => string][] = [
    ['another origin', (challenge) => own.use(challenge, { origin: 'https://garden.example' })],
    ['the same host with another port', (challenge) => own.use(challenge, { origin: 'http://localhost:1' })],
    ['another host', (challenge) => own.use(challenge, { host: 'garden.example' })],
    ['no finger', (challenge) => own.use(challenge, { flags: 0x01 })],
    ['a frame in another site', (challenge) => own.use(challenge, { crossOrigin: true })],
    ['made and not used', (challenge) => own.use(challenge, { type: 'webauthn.create' })],
    ['another challenge', () => own.use(randomBytes(32).toString('base64url'))],
    ['an unknown passkey', (challenge) => unknown.use(challenge)],
    ['the name of another passkey', (challenge) => own.use(challenge).replaceAll(own.id, other.id)],
    ['a changed signature', (challenge) => changed(own.use(challenge), 'signature')],
    ['changed data', (challenge) => changed(own.use(challenge), 'authenticatorData')],
    ['no JSON', () => '{'],
    ['no object', () => 'null'],
    ['a long text', () => 'x'.repeat(60_000)],
    ['an id with a NUL', (challenge) => own.use(challenge).replaceAll(own.id, 'a\\u0000')],
  ];
  for (const [what, made] of refused) {
    const page = await answer(one, made(await begin(one)));
    assert.equal(page.status, 422, what);
    assert.match(textOf(page, '.notice'), wrong, what);
    assert.equal(one.cookies.has('session'), false, what);
  }
  assert.deepEqual(await rowsOf(databaseUrl, 'SELECT id FROM passkeys WHERE used_at IS NOT NULL'), []);

  const challenge = await begin(one);
  const good = own.use(challenge);
  const { path, fields } = one.filled({ within: '[data-passkey]' }, { answer: good });
  const entered = await one.post(path, fields);
  assert.equal(entered.path, home);
  assert.ok(one.cookies.has('device'), 'a browser that is known by its device cookie');
  assert.match(textOf(await one.open('/authentication/account/sessions/'), '.token h2'), /^Firefox on Linux/);
  assert.match(textOf(await one.open(ways), '[data-passkey-id]'), /last used/);

  // Sent again, by the same browser or by another one.
  await tamper(databaseUrl, 'DELETE FROM attempts');
  await one.open(`${door}?then=${home}`);
  const form = one.filled({ within: '[data-with-passkeys]' }).fields;
  form.set('answer', good);
  assert.match(said(await one.post(passkey, form)), over);
  const tabs = browser(url);
  const inFirst = await begin(tabs);
  const sent = tabs.filled({ within: '[data-passkey]' }, { answer: own.use(inFirst) });
  await begin(tabs);
  assert.equal((await tabs.post(sent.path, sent.fields)).path, home, 'the first of two tabs');
  const [first, second] = [browser(url), browser(url)];
  const given = await begin(first);
  await begin(second);
  assert.match(said(await answer(second, own.use(given))), wrong);
  const late = await begin(first);
  await tamper(databaseUrl, "UPDATE passkey_challenges SET begun_at = '2026-01-02T03:04:05.678Z'");
  assert.match(said(await answer(first, own.use(late))), over);
});

function changed(text: string, name: string): string {
  const whole = JSON.parse(text);
  const bytes = Buffer.from(whole.response[name], 'base64url');
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  return JSON.stringify({ ...whole, response: { ...whole.response, [name]: bytes.toString('base64url') } });
}

test('a counter that does not go up is refused; a device that does not count, or stops counting, is not', async (t) => {
  const { url, named, databaseUrl } = await world(t);
  const ada = await browserOf(url, 'ada');
  const [counting, silent, synced] = [device(named), device(named), device(named)];
  await add(ada, counting, 'Key');
  await add(ada, silent, 'Phone');
  await add(ada, synced, 'Synced');
  assert.equal((await enter(browser(url), counting, { counter: 7 })).path, home);
  for (const counter of [7, 6]) {
    const page = await enter(browser(url), counting, { counter });
    assert.match(said(page), /^Not signed in: this passkey may have been copied, because its counter did not go up\./);
    assert.equal(page.status, 422);
  }
  assert.equal((await enter(browser(url), counting, { counter: 8 })).path, home);
  for (const counter of [0, 0]) assert.equal((await enter(browser(url), silent, { counter })).path, home);
  for (const counter of [5, 0, 0]) assert.equal((await enter(browser(url), synced, { counter })).path, home);
  const rows = await rowsOf(databaseUrl, 'SELECT counter FROM passkeys ORDER BY id');
  assert.deepEqual(
    rows.map(({ counter }) => Number(counter)),
    [8, 0, 0],
  );
});

test('a disabled member looks like an unknown passkey, and a deleted one leaves none', async (t) => {
  const { url, named, databaseUrl } = await world(t);
  const own = device(named);
  const ada = await browserOf(url, 'ada');
  await add(ada, own);
  await tamper(databaseUrl, "UPDATE members SET is_disabled = 1 WHERE username = 'ada'");
  assert.match(said(await enter(browser(url), own)), wrong);
  await tamper(databaseUrl, "UPDATE members SET is_disabled = 0 WHERE username = 'ada'");
  assert.equal((await enter(browser(url), own)).path, home);
  await ada.open('/authentication/account/delete/');
  await ada.submit({ name: 'username' }, { username: 'ada', password: usualPassword });
  assert.match(said(await enter(browser(url), own)), wrong);
  assert.deepEqual(await rowsOf(databaseUrl, 'SELECT * FROM passkeys'), []);
});

test('failures count for a known and an unknown passkey alike, and tell nobody whose it is', async (t) => {
  const { url, named, databaseUrl } = await world(t);
  const own = device(named);
  await add(await browserOf(url, 'ada'), own);
  await tamper(databaseUrl, 'DELETE FROM sessions');
  const one = browser(url);
  for (let times = 0; times < 12; times++) {
    one.cookies.clear();
    assert.equal((await enter(one, own)).path, home);
  }
  one.cookies.clear();
  const none = randomBytes(32).toString('base64url');
  for (const key of [own, device(named)]) {
    for (let times = 0; times < 10; times++)
      assert.match(said(await answer(one, key.use((await begin(one)) && none))), wrong);
    const page = await enter(one, key);
    assert.equal(page.status, 429);
    assert.match(said(page), /^Too many failed attempts\. Try again in 15 minutes/);
  }
  // The password of the account is not slowed down with it, and the passkey not with the password.
  await one.open(door);
  assert.equal((await one.submit({ name: 'password' }, { username: 'ada', password: usualPassword })).path, home);
  await tamper(databaseUrl, 'DELETE FROM sessions');
  await tamper(databaseUrl, 'DELETE FROM attempts');
  one.cookies.clear();
  const mistype = () => one.submit({ name: 'password' }, { username: 'ada', password: 'not the password' });
  await one.open(door);
  await mistype();
  await tamper(databaseUrl, 'UPDATE attempts SET tries = 10');
  assert.equal((await mistype()).status, 429);
  assert.equal((await enter(one, own)).path, home);
});

test('a passkey is added by its member alone: with the password, once for each challenge, ten at most', async (t) => {
  const { url, named, databaseUrl } = await world(t);
  await memberWithPassword(databaseUrl, 'bob');
  const [ada, bob] = [await signIn(url, 'ada'), await browserOf(url, 'bob')];
  const own = device(named);
  const refusals: [Record<string, string>, string, RegExp][] = [
    [{ name: 'Phone', password: 'not the password' }, '#password-fault', /not your current password|wrong/i],
    [{ name: 'Phone', password: '' }, '#password-fault', /./],
    [{ name: ' ', password: usualPassword }, '#name-fault', /^Enter a name/],
    [{ name: 'x'.repeat(101), password: usualPassword }, '#name-fault', /at most 100/],
  ];
  for (const [filling, place, expected] of refusals) {
    const page = await beginAdding(ada, filling);
    assert.equal(page.status, 422);
    assert.match(textOf(page, place), expected);
    assert.match(said(page), /^No passkey was added/);
  }
  const unable = /^No passkey was added: the answer of your device could not be verified\. Try again\.$/;
  for (const wishes of [
    { origin: 'https://garden.example' },
    { host: 'garden.example' },
    { flags: 0x41 },
    { crossOrigin: true },
    { key: rsaKey(3) },
    { key: rsaKey(255) },
    { key: rsaKey(256, '000001') },
    { key: rsaKey(257, '010001', 0) },
  ])
    assert.match(said(await add(ada, own, 'Phone', wishes)), unable, JSON.stringify(wishes));
  const odd = await beginAdding(ada, phone);
  const hostile = own.make(challengeIn(odd)).replace('["internal"]', '"internal"');
  assert.match(said(await ada.submit({ within: '[data-passkey]' }, { answer: hostile })), unable);
  for (const name of ['', 'x'.repeat(101), 'a\0b']) {
    const challenge = challengeIn(await beginAdding(ada, phone));
    const { path, fields } = ada.filled({ within: '[data-passkey]' }, { answer: own.make(challenge) });
    fields.set('name', name);
    const page = await ada.post(path, fields);
    assert.equal(page.status, 422, 'the name counts when the device has answered, too');
    assert.match(textOf(page, '#name-fault'), /./);
  }
  // A challenge for signing in, or of another member, adds nothing; nor does one that was used.
  const step = await beginAdding(ada, phone);
  const challenge = challengeIn(step);
  const sent = ada.filled({ within: '[data-passkey]' }, { answer: own.make(challenge) });
  const toSignIn = await begin(ada);
  sent.fields.set('challenge', toSignIn);
  sent.fields.set('answer', own.make(toSignIn));
  assert.match(said(await ada.post(sent.path, sent.fields)), over);
  await bob.open(ways);
  const forged = bob.filled({ within: '[data-with-passkeys]' }, { name: 'Mine' }).fields;
  forged.set('answer', own.make(challengeIn(await beginAdding(ada, phone))));
  assert.match(said(await bob.post(ways, forged)), over);
  assert.match(said(await add(ada, own, '<b>Phone</b>')), /^Passkey added/);
  assert.match(textOf(await ada.open(ways), '[data-passkey-id] h2'), /^<b>Phone<\/b>/);
  assert.match(said(await add(bob, own)), unable);
  const long = { key: rsaKey(256) };
  assert.match(said(await add(ada, device(named), 'Key 1', long)), /^Passkey added/);
  await tamper(
    databaseUrl,
    `INSERT INTO passkeys (id, user_id, credential_id, host, public_key, counter, transports, name, made_at)
     SELECT 1000 + n, user_id, credential_id || n, host, public_key, counter, transports, name, made_at
     FROM passkeys, (${[2, 3, 4, 5, 6, 7, 8].map((n) => `SELECT ${n} AS n`).join(' UNION ALL ')}) AS numbers
     WHERE name = 'Key 1'`,
  );
  assert.match(said(await add(ada, device(named), 'Key 9')), /^Passkey added/);
  const full = await ada.open(ways);
  assert.match(textOf(full, '[aria-labelledby=add]'), /You can have up to 10 passkeys; remove one first\./);
  assert.equal(full.document.querySelectorAll('[data-passkey-id]').length, 10);

  // Nobody changes those of others.
  const [row] = await rowsOf(databaseUrl, 'SELECT id FROM passkeys ORDER BY id');
  const id = String(row?.['id']);
  await bob.open(ways);
  const token = bob.filled({ within: '[data-with-passkeys]' }).fields.get('_csrf') ?? '';
  for (const act of [{ remove_passkey: id }, { rename: id, name: 'Mine' }]) {
    const page = await bob.post(ways, { _csrf: token, ...act } as Record<string, string>);
    assert.deepEqual([page.status, /This passkey no longer exists/.test(page.text)], [404, true]);
  }
  assert.deepEqual(await rowsOf(databaseUrl, "SELECT * FROM passkeys WHERE name = 'Mine'"), []);
});

test('who has no password adds a passkey soon after signing in, and keeps the last way', async (t) => {
  const { url, named, databaseUrl } = await world(t);
  await memberWithPassword(databaseUrl, 'eve');
  await tamper(databaseUrl, "UPDATE members SET password_hash = NULL WHERE username = 'eve'");
  const eve = await browserOf(url, 'eve');
  await tamper(databaseUrl, "UPDATE sessions SET created_at = '2026-01-02T03:04:05.678Z'");
  assert.match(textOf(await eve.open(ways), '[aria-labelledby=add]'), /Sign out and sign in again first\./);
  const fresh = await browserOf(url, 'eve');
  const [one, other] = [device(named), device(named)];
  assert.match(said(await add(fresh, one, 'Phone', {}, false)), /^Passkey added/);
  const last = await fresh.submit({ name: 'remove_passkey' });
  assert.match(said(last), /^Nothing was removed: this is your only sign-in method\./);
  assert.equal(last.status, 422);
  await add(fresh, other, 'Key', {}, false);
  // One that was made for another host is no way in here.
  await tamper(databaseUrl, "UPDATE passkeys SET host = 'old.example' WHERE name = 'Key'");
  assert.match(textOf(await fresh.open(ways), '[data-passkey-id]:nth-child(3)'), /made for old\.example/);
  assert.match(said(await fresh.submit({ name: 'remove_passkey' })), /^Nothing was removed/);
  await tamper(databaseUrl, "UPDATE passkeys SET host = 'localhost'");
  await fresh.open(ways);
  const lost = /^Passkey removed\..* If you lost the device, sign it out under Sessions\.$/;
  assert.match(said(await fresh.submit({ name: 'remove_passkey' })), lost);
  assert.match(said(await enter(browser(url), one)), wrong);
  assert.equal((await enter(browser(url), other)).path, home);
});

test('a new password removes the passkeys where its form says so', async (t) => {
  const { url, named, databaseUrl } = await world(t);
  const ada = await signIn(url, 'ada');
  await add(ada, device(named));
  const passkeys = async () => (await rowsOf(databaseUrl, 'SELECT * FROM passkeys')).length;
  const change = async (revoke_tokens: boolean, before: string, after: string) => {
    await ada.open('/authentication/account/password/');
    const filling = { password_old: before, password: after, password_again: after, revoke_tokens };
    assert.match(said(await ada.submit({ name: 'password' }, filling)), /^Password changed/);
  };
  await change(false, usualPassword, 'a rather different one');
  assert.equal(await passkeys(), 1);
  await change(true, 'a rather different one', usualPassword);
  assert.equal(await passkeys(), 0);
});

test('where browsers allow no passkeys, the page says why and no button is shown', async (t) => {
  for (const [baseUrl, has] of [
    ['http://192.0.2.7:8080', false],
    ['https://192.0.2.7', false],
    ['https://[2001:db8::7]', false],
    ['http://garden.example', false],
    ['https://garden.example/club', true],
  ] as const) {
    const { url } = await world(t, { BASE_URL: baseUrl });
    const path = new URL(baseUrl).pathname.replace(/\/$/, '');
    const ada = await signIn(url, 'ada', usualPassword, { basePath: path }).catch(() => undefined);
    const one = ada ?? browser(url);
    const page = await one.open(`${path}${door}`);
    const button = page.document.querySelector('[data-with-passkeys]');
    assert.equal(button !== null, has, baseUrl);
    // Without script nobody sees it.
    if (has) assert.ok(button?.hasAttribute('hidden'));
    const posted = await one.post(path + passkey, one.filled({ name: 'password' }).fields);
    assert.equal(posted.status, has ? 200 : 404, baseUrl);
    if (!ada || has) continue;
    const text = textOf(await ada.open(`${path}${ways}`), '[aria-labelledby=add]');
    assert.ok(
      text.includes(`Passkeys need an address with https and a host name. This server’s address is ${baseUrl};`),
      text,
    );
  }
});
