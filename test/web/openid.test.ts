/**
 * Signing in with accounts elsewhere, driven without script against OpenID servers on loopback: a school that signs with keys
 * it publishes, and a judge that signs with the client's secret. Who may enter, who becomes a member, what is refused and why.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { generateKeyPair } from 'jose';
import { makeEntryLink } from '../../src/auth/entry.ts';
import { makeGroup, makeGroupLink } from '../../src/practice/groups.ts';
import { findMemberByName } from '../../src/store/members.ts';
import { openGarden } from '../importing/support.ts';
import { type OpenIdServer, startOpenId } from '../replay/openid.ts';
import { backFrom } from '../support/away.ts';
import { rowsOf, tamper } from '../support/databases.ts';
import { attributeOf, attributesOf, textsOf } from '../support/elements.ts';
import {
  type Browser,
  browser,
  type Filling,
  memberWithPassword,
  type Page,
  signIn,
  textOf,
} from '../support/forms.ts';
import { temporaryDatabase } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';
import { readZip } from '../support/zips.ts';

const door = '/authentication/sign-in/';
const home = '/dashboard/';
const ways = '/authentication/account/ways/';
const places = '/authentication/staff/providers/';

async function world(t: TestContext) {
  const databaseUrl = await temporaryDatabase(t);
  await membersNamed(databaseUrl, 'ada', 'bob');
  await memberWithPassword(databaseUrl, 'root', { role: 'staff' });
  const [school, club, judge] = [await startOpenId(t, 'RS256'), await startOpenId(t, 'RS256'), await startOpenId(t)];
  school.person = {
    sub: 'pupil-1',
    preferred_username: 'ada',
    email: 'ada@school.test',
    email_verified: true,
  };
  club.person = { sub: 'pupil-1', preferred_username: 'eve', groups: ['chess', 'code'] };
  const env = {
    JUDGE_URLS: `codeforces-openid=${judge.url}`,
    PRIVATE_PLACES: `${school.url},${club.url}`,
  };
  const { url, stderr } = await serveHere(t, { databaseUrl, env });
  const root = await browserOf(url, 'root');
  const setUp = async (key: string, filling: Filling): Promise<Page> => {
    await root.open(`${places}${key}/`);
    return root.submit({ name: 'act', value: 'save' }, filling);
  };
  const clientOf = ({ client, url: issuer }: OpenIdServer) => ({
    issuer,
    client_id: client.id,
    client_secret: client.secret,
  });
  const rows = (query: string) => rowsOf(databaseUrl, query);
  const members = async () => (await rows('SELECT username FROM members ORDER BY id')).map(({ username }) => username);
  const joined = 'FROM openid_accounts JOIN members ON id = user_id ORDER BY joined_at, provider';
  const accounts = async () =>
    (await rows(`SELECT provider, username ${joined}`)).map(({ provider, username }) => `${provider} ${username}`);
  return { databaseUrl, rows, url, stderr, root, school, club, judge, setUp, clientOf, members, accounts };
}

async function wayBack(one: Browser, key: string, page = door, form = key): Promise<string> {
  await one.open(page);
  const { path, fields } = one.filled({ within: `form[action$="/openid/${form}/"]` });
  const shown = await one.post(path.replace(`/${form}/`, `/${key}/`), fields);
  assert.equal(shown.headers['refresh'], `0; url=${attributeOf(shown, '[data-away]', 'href')}`);
  return backFrom(shown);
}

const enter = async (one: Browser, key: string, page = door) => one.open(await wayBack(one, key, page));
const said = (page: Page) => textOf(page, '.notice');
const nameOf = async (one: Browser) =>
  attributeOf(await one.open('/authentication/account/'), '[name=username]', 'value');

test('staff set places up, and who may enter there', async (t) => {
  const { url, root, school, club, setUp, clientOf, members, accounts, rows } = await world(t);
  const secret = 'a secret to type in';
  const wrong: [Filling, string, RegExp][] = [
    [{ key: 'School!' }, '#key-fault', /lower-case letters/],
    [{ key: 'codeforces' }, '#key-fault', /not the name of a judge/],
    [{ issuer: 'https://127.0.0.1/' }, '#issuer-fault', /outside your own network/],
    [{ issuer: 'http://school.example' }, '#issuer-fault', /https address/],
    [{ client_secret: secret }, '#client_secret-fault', /without spaces/],
    [{ admits: 'domain' }, '#domain-fault', /Enter a domain/],
    [{ admits: 'claim' }, '#claim-fault', /name of a claim/],
    [
      { issuer: `${school.url}/nothing/` },
      '.notice',
      /^My school sent an unexpected answer.*Nothing was saved: check the i/,
    ],
    [{ issuer: 'https://nowhere.invalid' }, '.notice', /could not be reached .*Nothing was saved: check the issuer/],
  ];
  const good = { key: 'school', name: 'My school', ...clientOf(school) };
  for (const [filling, place, expected] of wrong) {
    const refused = await setUp('new', { ...good, ...filling });
    assert.equal(refused.status, 422);
    assert.match(textOf(refused, place), expected);
    assert.equal(refused.text.includes(secret), false);
    assert.doesNotMatch(textOf(refused, 'main'), /not signed in/i);
  }
  const slash = await setUp('new', { ...good, issuer: `${school.url}/realms/x/` });
  assert.match(
    said(slash),
    new RegExp(`^My school calls itself ${school.url}/realms/x\\. Enter exactly this issuer\\.`),
  );
  const saved = await setUp('new', good);
  assert.match(said(saved), /^Saved and active\./);
  assert.match(textOf(saved, '[data-provider=school]'), /linked their account/);
  assert.match(textOf(await setUp('new', good), '#key-fault'), /has this short name/);
  // A second tab is told, and changes nothing.
  await root.open(`${places}school/`);
  const { path, fields } = root.filled({ name: 'act', value: 'save' }, { name: 'Another' });
  assert.match(said(await setUp('school', { name: 'The school' })), /^Saved/);
  const late = await root.post(path, fields);
  assert.deepEqual([late.status, /somebody else changed this provider/.test(said(late))], [422, true]);
  const form = await root.open(`${places}school/`);
  assert.equal(form.text.includes(school.client.secret), false, 'the secret is not shown, and stays');
  await setUp('new', { key: 'club', name: 'Chess club', ...clientOf(club), admits: 'everyone' });
  assert.equal((await root.open(`${places}nothing/`)).status, 404);
  const stranger = browser(url);
  const buttons = textsOf(await stranger.open(door), 'form[action*="/openid/"]');
  assert.deepEqual(buttons, ['Sign in with Chess club', 'Sign in with The school']);

  assert.match(said(await enter(stranger, 'school')), /^This account of The school is not linked/);
  assert.match(said(await enter(stranger, 'club')), /^This account of /);
  await setUp('school', { admits: 'domain', domain: 'other.test', makes_members: true });
  assert.match(said(await enter(stranger, 'school')), /^Only people with an email address at other\.test can sign in/);
  await setUp('school', { domain: 'School.test' });
  assert.equal((await members()).length, 3);
  const made = await enter(stranger, 'school');
  assert.equal(made.path, home);
  assert.deepEqual(await members(), ['ada', 'bob', 'root', 'ada-2']);
  assert.equal(await nameOf(stranger), 'ada-2');
  assert.equal(await nameOf(await signIn(url, 'ada')), 'ada');

  await setUp('club', { admits: 'claim', claim: 'groups', claim_value: 'cod', makes_members: true });
  assert.match(said(await enter(browser(url), 'club')), /^Your account of Chess club does not meet/);
  const changed = await setUp('club', { claim_value: 'code', name_claim: 'nick' });
  assert.match(textOf(changed, '[data-provider=club]'), /groups is code can sign in\. New people get an account\./);
  const { groups, ...person } = club.person;
  club.person = person;
  club.userInfo = { groups, nick: ' \u202eE v/e@x ' };
  const eve = browser(url);
  assert.equal((await enter(eve, 'club')).path, home);
  assert.equal(club.asked.at(-1)?.get('scope'), 'openid email profile groups');
  assert.equal(await nameOf(eve), 'E-v-e');
  assert.deepEqual(await accounts(), ['school ada-2', 'club E-v-e']);
  const pairs = await Promise.all([1, 2].map(() => generateKeyPair('Ed25519')));
  for (const alg of ['EdDSA', 'Ed25519'] as const) {
    club.twins = { pairs, alg };
    const entered = await enter(browser(url), 'club');
    assert.equal(entered.path, home, `${alg}: ${said(entered)}`);
  }
  delete club.twins;
  await setUp('club', { admits: 'nobody' });
  const { fields: old } = eve.filled({ within: 'form[action$="sign-out/"]' });
  assert.equal((await eve.post('/authentication/openid/club/', old)).status, 404);
  assert.equal((await browser(url).open(door)).text.includes('Chess club'), false);
  const deeds = await rows('SELECT what FROM staff_log ORDER BY id');
  const changes = 'admits claim wanted makes_members';
  assert.deepEqual(
    deeds.map(({ what }) => `${what}`.replace('provider-', '')),
    [
      'saved school',
      'changed school name',
      'saved club',
      `changed school ${changes}`,
      'changed school wanted',
      `changed club ${changes}`,
      'changed club wanted name_claim',
      'changed club admits claim wanted',
    ],
  );
});

test('members join and remove accounts while they are signed in, and one way always stays', async (t) => {
  const { url, root, school, judge, setUp, clientOf, accounts, rows, databaseUrl } = await world(t);
  await setUp('new', { key: 'school', name: 'School', ...clientOf(school) });
  await setUp('codeforces', {
    client_id: judge.client.id,
    client_secret: judge.client.secret,
    admits: 'everyone',
    makes_members: true,
  });
  const ada = await browserOf(url, 'ada');
  const joined = await enter(ada, 'school', ways);
  assert.deepEqual([joined.path, /^Account linked\./.test(said(joined))], [`${ways}?done=joined`, true]);
  assert.match(textOf(joined, '[data-way=school]'), /ada@school\.test, linked .* Linked|Linked.*ada@school\.test/);
  const before = new Map(ada.cookies);
  const again = await ada.open(await wayBack(ada, 'school', `${door}?then=/dashboard/history/`));
  assert.equal(again.path, '/dashboard/history/');
  assert.notEqual(ada.cookies.get('session'), before.get('session'));
  const adaIs = "(SELECT id FROM members WHERE username = 'ada')";
  const sessions = await rows(`SELECT id FROM sessions WHERE user_id = ${adaIs}`);
  assert.equal(sessions.length, 1, 'the session before has ended');
  // No other member can join it, nor this one a second account there.
  const bob = await browserOf(url, 'bob');
  const foreign = await enter(bob, 'school', ways);
  assert.deepEqual([foreign.status, /is linked to another member/.test(said(foreign))], [422, true]);
  const { sub } = school.person;
  school.person.sub = 'pupil-2';
  assert.match(
    said(await ada.open(await wayBack(ada, 'school', ways, 'codeforces'))),
    /^You have already linked another account of School/,
  );
  school.person.sub = sub;
  assert.deepEqual(await accounts(), ['school ada']);

  judge.person = { sub: '17', handle: 'ada_cf' };
  assert.equal((await enter(ada, 'codeforces', ways)).path, `${ways}?done=joined`);
  judge.person = { sub: '18', handle: 'newcomer' };
  const newcomer = browser(url);
  assert.equal((await enter(newcomer, 'codeforces')).path, home);
  assert.equal(await nameOf(newcomer), 'newcomer');
  assert.equal(judge.asked.at(-1)?.get('scope'), 'openid');
  const proved = await rows('SELECT name, method FROM handles JOIN handle_proofs ON id = handle_id ORDER BY id');
  assert.deepEqual(proved, [
    { name: 'ada_cf', method: 'openid' },
    { name: 'newcomer', method: 'openid' },
  ]);

  await newcomer.open(ways);
  const refused = await newcomer.submit({ name: 'remove', value: 'codeforces' });
  assert.deepEqual([refused.status, /^Nothing was removed: this is your only/.test(said(refused))], [422, true]);
  school.person.sub = 'pupil-3';
  await enter(newcomer, 'school', ways);
  await setUp('school', { admits: 'nobody' });
  await newcomer.open(ways);
  assert.equal((await newcomer.submit({ name: 'remove', value: 'codeforces' })).status, 422);
  await setUp('school', { admits: 'joined' });
  await newcomer.open(ways);
  const removed = await newcomer.submit({ name: 'remove', value: 'codeforces' });
  assert.match(said(removed), /^Account removed\./);
  await newcomer.open(ways);
  const form = newcomer.filled({ name: 'remove', value: 'school' });
  form.fields.set('remove', 'codeforces');
  assert.equal((await newcomer.post(form.path, form.fields)).status, 404);
  for (const value of ['school', 'codeforces']) {
    await ada.open(ways);
    assert.match(said(await ada.submit({ name: 'remove', value })), /^Account removed/);
  }
  assert.deepEqual(await accounts(), ['school newcomer']);

  school.person.sub = 'pupil-3';
  const label = 'ada@school.test';
  await enter(newcomer, 'school');
  const archive = readZip((await newcomer.ask('/authentication/account/data/archive/')).bytes);
  assert.ok(archive.size > 3);
  assert.equal((await rows(`SELECT subject FROM openid_accounts WHERE label = '${label}'`)).length, 1);
  for (const text of [label, 'pupil-3', 'openid']) assert.equal(JSON.stringify([...archive]).includes(text), false);
  await tamper(databaseUrl, "UPDATE members SET is_disabled = 1 WHERE username = 'newcomer'");
  assert.match(said(await enter(browser(url), 'school')), /^Your account is disabled/);
  await tamper(databaseUrl, "UPDATE members SET is_disabled = 0 WHERE username = 'newcomer'");
  const found = await root.open('/authentication/staff/members/?q=newcomer');
  const paths = attributesOf(found, 'a[href^="/authentication/staff/members/"]', 'href');
  await root.open(paths.find((path) => /\d+\/$/.test(path)) ?? '');
  await root.submit({ name: 'act', value: 'delete' }, { confirm: 'newcomer' });
  assert.deepEqual(await accounts(), []);
  await enter(ada, 'school', ways);
  const removal = async () => textOf(await root.open(`${places}school/`), '[aria-labelledby=remove]');
  const nobodyStays = /One member signs in with it\..* Everyone has another sign-in method\./;
  assert.match(await removal(), nobodyStays);
  // A passkey of another host, and an account at a place that lets nobody in, are no way in.
  await tamper(
    databaseUrl,
    `UPDATE members SET password_hash = NULL WHERE id = ${adaIs}`,
    `INSERT INTO passkeys (id, user_id, credential_id, host, public_key, counter, transports, name, made_at)
     VALUES (1, ${adaIs}, 'a', 'old.example', 'b', 0, '', 'Phone', '2026-01-02T03:04:05.678Z')`,
    `INSERT INTO openid_accounts (provider, subject, user_id, joined_at, used_at)
     VALUES ('codeforces', 'x', ${adaIs}, '2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678Z')`,
    "UPDATE openid_providers SET admits = 'nobody' WHERE key = 'codeforces'",
  );
  assert.match(await removal(), /One has no other sign-in method/);
  await tamper(
    databaseUrl,
    "UPDATE passkeys SET host = 'localhost'",
    "DELETE FROM openid_accounts WHERE provider = 'codeforces'",
  );
  assert.match(await removal(), nobodyStays);
  assert.match(said(await root.submit({ name: 'act', value: 'remove' })), /^Removed\./);
  assert.deepEqual(await accounts(), []);
  assert.deepEqual(await rows('SELECT * FROM openid_visits'), []);
});

test('what is not the good answer to a visit of this browser signs nobody in, and says why', async (t) => {
  const { url, school, club, judge, setUp, clientOf, members, accounts, databaseUrl, stderr } = await world(t);
  const rules = { admits: 'everyone', makes_members: true };
  await setUp('new', { key: 'school', name: 'School', ...clientOf(school), ...rules });
  await setUp('new', { key: 'club', name: 'Club', ...clientOf(club), ...rules });
  const { client } = judge;
  await setUp('codeforces', { client_id: client.id, client_secret: client.secret, ...rules });
  const one = browser(url);
  const now = Math.floor(Date.now() / 1000);
  const both: [OpenIdServer['next'], RegExp][] = [
    [{ claims: { nonce: 'another' } }, /belongs to another sign-in\. You are not signed in\. Try again\./],
    [{ claims: { aud: 'another' } }, /is meant for another site/],
    [{ claims: { aud: [client.id, 'another'], azp: 'another' } }, /is meant for another site/],
    [{ claims: { iss: 'http://evil.test' } }, /was sent by somebody else/],
    [{ claims: { exp: now - 600, iat: now - 700 } }, /is too old/],
    [{ claims: { exp: undefined } }, /has a wrong exp|is too old|unexpected answer/],
    [{ claims: { sub: undefined } }, /has a wrong sub|did not say who you are|unexpected answer/],
    [{ claims: { sub: 'a\u0000b' } }, /did not say who you are/],
    [{ isDeclined: true }, /^You did not allow it at /],
    [{ iss: 'http://evil.test' }, /was sent by somebody else/],
    [{ error: 'invalid_scope' }, /sent an unexpected answer: it says "invalid_scope"/],
    [{ error: '<b>"x' }, /it says "<b>\\"x"/],
    [{ error: 'temporarily_unavailable' }, /can’t answer right now\. You are not signed in\./],
  ];
  const schools: typeof both = [
    [{ claims: { nonce: undefined } }, /belongs to another sign-in/],
    [{ isForged: true }, /is not signed with a published key or/],
    // RFC 9207 §2.4: a provider that says that it names itself always does.
    [{ iss: null }, /was sent by somebody else/],
    [{ error: 'access_denied', iss: 'http://evil.test' }, /was sent by somebody else/],
  ];
  const judges: typeof both = [
    [{ secret: 'another-secret-of-at-least-32-bytes!!' }, /is not signed with a published key/],
  ];
  for (const [key, server, cases] of [
    ['school', school, [...both, ...schools]],
    ['codeforces', judge, [...both, ...judges]],
  ] as const) {
    for (const [next, expected] of cases) {
      server.next = structuredClone(next);
      const why = `${key} ${JSON.stringify(next)}`;
      const refused = await enter(one, key);
      assert.ok([422, 502].includes(refused.status), `${why}: ${refused.status}`);
      assert.match(said(refused), expected, why);
      assert.equal(refused.document.querySelector('b'), null);
      server.next = {};
    }
  }
  for (const [fault, expected] of [
    ['down', /^School could not be reached/],
    ['page', /^School sent an unexpected answer/],
    ['redirect', /^School redirected to another address, which we don’t follow/],
  ] as const) {
    const way = await wayBack(one, 'school');
    school.next = { fault };
    const back = await one.open(way);
    assert.deepEqual([back.status, expected.test(said(back))], [502, true], said(back));
    await one.open(door);
    const gone = await one.submit({ within: 'form[action$="/openid/school/"]' });
    assert.deepEqual([gone.status, expected.test(said(gone))], [502, true], said(gone));
    school.next = {};
  }

  const notHere = /did not start in this browser, or was used before/;
  const refusedHere = async (by: Browser, way: string) => {
    const refused = await by.open(way);
    assert.deepEqual([refused.status, notHere.test(said(refused))], [422, true], way);
  };
  await refusedHere(browser(url), await wayBack(one, 'school'));
  await refusedHere(one, (await wayBack(one, 'school')).replace(/state=[^&]+/, 'state=x'));
  // A visit to one place, answered at the address of another; and one that took too long.
  await refusedHere(one, (await wayBack(one, 'school')).replace('/openid/school/', '/openid/club/'));
  const slow = await wayBack(one, 'school');
  await tamper(databaseUrl, "UPDATE openid_visits SET begun_at = '2000-01-01T00:00:00.000Z'");
  await refusedHere(one, slow);
  const ada = await browserOf(url, 'ada');
  const join = await wayBack(ada, 'school', ways);
  await ada.submit({ within: 'form[action$="sign-out/"]' }).catch(() => ada.cookies.delete('session'));
  await refusedHere(ada, join);
  assert.deepEqual([await accounts(), (await members()).length], [[], 3]);

  const good = await wayBack(one, 'school');
  await refusedHere(browser(url), good);
  assert.equal((await one.open(good)).path, home);
  assert.equal((await one.open(good)).path, home, 'Back repeats the answer');
  await refusedHere(browser(url), good);
  const code = /code=[^&]+/.exec(good)?.[0] ?? '';
  const replayed = await one.open((await wayBack(one, 'school')).replace(/code=[^&]+/, code));
  assert.match(said(replayed), /^This sign-in with School is too old or was used before/);
  await school.rotate();
  assert.equal((await enter(one, 'school')).path, home);
  school.client.secret = 'the school has another secret by now';
  assert.match(said(await enter(one, 'school')), /^School does not recognise this server: an administrator can enter/);
  assert.deepEqual(await accounts(), ['school ada-2']);

  for (const then of ['https://evil.example/', '//evil.example/', '/\\evil.example/', 'javascript:x']) {
    const way = await wayBack(one, 'club', `${door}?then=${encodeURIComponent(then)}`);
    assert.equal((await one.open(way)).path, home);
  }
  assert.equal((await one.post('/authentication/openid/school/', { purpose: 'sign-in' })).status, 403);
  assert.equal((await one.open('/authentication/openid/school/')).status, 404);
  assert.equal((await one.ask('/authentication/openid/%00/?state=x')).status, 404);

  await tamper(databaseUrl, 'UPDATE attempts SET tries = 1000');
  await one.open(door);
  const tooMany = await one.submit({ within: 'form[action$="/openid/club/"]' });
  assert.deepEqual([tooMany.status, /try again in 15 minutes/.test(said(tooMany))], [429, true]);
  assert.doesNotMatch(stderr(), /"level":(?:50|60)/, 'no fault is logged');
});

test('a place inside the own network is asked only where the operator allows it', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await memberWithPassword(databaseUrl, 'root', { role: 'staff' });
  const school = await startOpenId(t, 'RS256');
  const { url } = await serveHere(t, { databaseUrl });
  const { client } = school;
  const at = '2026-01-01T00:00:00.000Z';
  const issuers = [school.url, school.url.replace('http:', 'https:'), 'https://localhost'];
  for (const [place, issuer] of issuers.entries())
    await tamper(
      databaseUrl,
      `INSERT INTO openid_providers VALUES ('p${place}', 'P${place}', '${issuer}', '${client.id}', '${client.secret}', 'everyone', '', '', 1, 'sub', '${at}')`,
    );
  const one = browser(url);
  for (const [place, expected] of [
    /not https/,
    /is an address inside the server’s own network/,
    /own network/,
  ].entries()) {
    await one.open(door);
    const refused = await one.submit({ within: `form[action$="/openid/p${place}/"]` });
    assert.equal(refused.status, 502);
    assert.match(said(refused), expected);
  }
  assert.equal(school.requests, 0);
});

test('an invitation is accepted with an account elsewhere, once, and a group is joined in the same step', async (t) => {
  const { url, school, club, setUp, clientOf, members, accounts, rows, databaseUrl, stderr } = await world(t);
  const { store } = await openGarden(t, databaseUrl);
  const ofDomain = { admits: 'domain', domain: 'school.test' };
  await setUp('new', { key: 'school', name: 'School', ...clientOf(school), ...ofDomain });
  await setUp('new', { key: 'club', name: 'Club', ...clientOf(club), admits: 'joined' });
  const invite = async (uses = 1, role: 'member' | 'staff' = 'member') => {
    const link = { kind: 'invitation', role, uses, lifetimeMs: 3_600_000 } as const;
    const secret = await store.write((tx) => makeEntryLink(tx, link));
    return `/authentication/invitation/${secret}/`;
  };
  const left = async () =>
    (await rows("SELECT uses_left FROM entry_links WHERE kind = 'invitation' ORDER BY id")).map(({ uses_left }) =>
      Number(uses_left),
    );
  const roleOf = async (name: string) =>
    (await rows(`SELECT role FROM members WHERE username = '${name}'`))[0]?.['role'];
  assert.doesNotMatch((await browser(url).open('/authentication/setup/?key=x')).text, /Sign in with/);

  const first = await invite(1, 'staff');
  const one = browser(url);
  school.next.claims = { email: 'ada@other.test' };
  assert.match(said(await enter(one, 'school', first)), /^Only people with an email address at school\.test/);
  school.next.isDeclined = true;
  assert.equal((await enter(one, 'school', first)).status, 422);
  delete school.next.isDeclined;
  assert.deepEqual([await left(), (await members()).length], [[1], 3]);
  assert.match(said(await enter(one, 'school')), /^This account of School is not linked/);
  const landed = await enter(one, 'school', first);
  assert.equal(landed.status, 200, textOf(landed, 'main'));
  assert.deepEqual([await nameOf(one), await roleOf('ada-2'), await left()], ['ada-2', 'staff', [0]]);
  assert.equal((await browser(url).open(first)).status, 404);
  const second = await invite(3);
  const again = browser(url);
  await enter(again, 'school', second);
  assert.deepEqual([await nameOf(again), await left()], ['ada-2', [0, 3]]);

  for (const change of [
    'DELETE FROM entry_links WHERE uses_left = 1',
    "UPDATE entry_links SET expires_at = '2020-01-01T00:00:00.000Z' WHERE uses_left = 1",
    'UPDATE entry_links SET uses_left = 0 WHERE uses_left = 1',
  ]) {
    const late = browser(url);
    const way = await wayBack(late, 'club', await invite());
    await tamper(databaseUrl, change);
    const refused = await late.open(way);
    assert.equal(refused.status, 404, change);
    assert.match(said(refused), /^This link has been used, has expired or was revoked/, change);
    assert.equal((await members()).length, 4);
  }
  const made = await one.open(second);
  assert.equal(made.status, 200);
  const stranger = browser(url);
  await stranger.open(second);
  const { path: begin, fields } = stranger.filled({ within: 'form[action$="/openid/club/"]' });
  const requestsBefore = club.requests;
  for (const invitation of ['', 'x', 'A'.repeat(43), `${'y'.repeat(2000)}`]) {
    fields.set('invitation', invitation);
    assert.equal((await stranger.post(begin, fields)).status, 404);
  }
  assert.equal(club.requests, requestsBefore, 'the provider is not asked');
  // A reset address is no invitation.
  const link = { kind: 'reset', userId: 1n, role: 'member', uses: 1, lifetimeMs: 3_600_000 } as const;
  const reset = await store.write((tx) => makeEntryLink(tx, link));
  fields.set('invitation', reset);
  assert.equal((await stranger.post(begin, fields)).status, 404);

  let person = 0;
  club.person = {
    get sub() {
      person += 1;
      return `new-${person}`;
    },
    preferred_username: 'eve',
  };
  const many = Array.from({ length: 6 }, () => browser(url));
  const waysBack: string[] = [];
  for (const each of many) waysBack.push(await wayBack(each, 'club', second));
  const ends = await Promise.all(many.map((each, nth) => each.open(waysBack[nth] ?? '')));
  assert.deepEqual(ends.map(({ status }) => status).sort(), [200, 200, 200, 404, 404, 404]);
  assert.deepEqual([(await members()).length, new Set(await members()).size, (await accounts()).length], [7, 7, 4]);
  assert.ok((await left()).every((uses) => uses === 0));

  const group = await store.write(async (tx) => {
    const { id: madeBy = 0n } = (await findMemberByName(tx, 'bob')) ?? {};
    const id = await makeGroup(tx, madeBy, { name: 'Wednesday', zone: 'UTC' });
    const link = { uses: 10, lifetimeMs: 3_600_000, madeBy };
    return { id, secret: await makeGroupLink(tx, { groupId: id, coachId: madeBy }, link) };
  });
  const joinPath = `/authentication/join/${group.secret}/`;
  const people = async () => (await rows(`SELECT user_id FROM group_members WHERE group_id = ${group.id}`)).length;
  const known = await enter(browser(url), 'school', joinPath);
  assert.deepEqual([known.path, await people()], [`/dashboard/groups/${group.id}/?done=joined`, 2]);
  const third = await invite();
  const newcomer = browser(url);
  const page = await newcomer.open(`${joinPath}?how=new`);
  const button = page.document.querySelector('main form [formaction$="/openid/club/"]');
  assert.ok(button);
  assert.equal(button.getAttribute('formnovalidate'), '');
  const { fields: typed } = newcomer.filled({ within: 'main form' }, { invitation: `${url}${third}` });
  const shown = await newcomer.post(button.getAttribute('formaction') ?? '', typed);
  const joined = await newcomer.open(await backFrom(shown));
  assert.deepEqual([joined.path, await people()], [`/dashboard/groups/${group.id}/?done=joined`, 3]);
  const passing = browser(url);
  school.person.sub = 'pupil-9';
  await enter(passing, 'school', await invite());
  passing.cookies.delete('session');
  const before = await people();
  const arrived = await enter(passing, 'school', `${door}?then=${encodeURIComponent(joinPath)}`);
  assert.deepEqual([arrived.path, await people()], [joinPath, before]);
  assert.doesNotMatch(stderr(), /"level":50/);
});
