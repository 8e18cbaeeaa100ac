/** Who may enter with an account of a provider, under which name they become a member, and which sessions stay. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntryThrottle } from '../../src/auth/entry-throttle.ts';
import type { RelyingParty } from '../../src/auth/passkeys.ts';
import { createMember, disableMember } from '../../src/practice/members.ts';
import {
  changeProvider,
  claimAt,
  claimsOf,
  enterByOpenId,
  isAuthorizationExpired,
  linkAccount,
  textClaim,
} from '../../src/practice/openid.ts';
import { removeAccount, removePasskey } from '../../src/practice/sign-in-ways.ts';
import { findMemberByName, setPasswordHash } from '../../src/store/members.ts';
import {
  findProvider,
  insertAccount,
  listAccounts,
  type OpenIdProvidersTable,
  saveProvider,
} from '../../src/store/openid.ts';
import { insertPasskey } from '../../src/store/passkeys.ts';
import { gardenOf, openGarden } from '../importing/support.ts';

const school: OpenIdProvidersTable = {
  key: 'school',
  name: 'School',
  issuer: 'https://school.test',
  client_id: 'garden',
  client_secret: 'secret',
  admits: 'everyone',
  claim: '',
  wanted: '',
  makes_members: 1n,
  name_claim: 'nick',
  changed_at: '1',
};

test('only the claims that decide are asked for, and a name with dots is also a path', () => {
  const asked = (admits: OpenIdProvidersTable['admits'], name_claim = '') =>
    claimsOf({ admits, claim: 'groups', name_claim });
  assert.deepEqual(asked('domain'), ['email', 'email_verified']);
  assert.deepEqual(asked('claim', 'nick'), ['groups', 'nick']);
  for (const admits of ['nobody', 'everyone', 'joined'] as const) assert.deepEqual(asked(admits), []);
  const claims = { 'a.b': 'own', a: { b: 'path', c: { d: ' x\u200b ' } }, empty: '\u200b ', n: 1, none: null };
  for (const [name, value, text] of [
    ['a.b', 'own', 'own'],
    ['a.c.d', ' x\u200b ', 'x'],
    ['a.x.y', undefined, undefined],
    ['none.x', undefined, undefined],
    ['toString', undefined, undefined],
    ['empty', '\u200b ', undefined],
    ['n', 1, undefined],
  ] as const)
    assert.deepEqual([claimAt(claims, name), textClaim(claims, name)], [value, text], name);
});

test('who is admitted, and becomes a member under a free name', async (t) => {
  const { store } = await openGarden(t);
  await store.write((tx) => saveProvider(tx, school));
  let signUps = 0;
  const throttle = { beginSignUp: async () => void signUps++ } as unknown as EntryThrottle;
  const client = { browser: '', network: '', device: undefined };
  const context = { client, before: undefined, isInOtherTab: false, invitationId: null };
  let subjects = 0;
  const enter = (claims: Record<string, unknown>, rules: object = {}, more: object = {}, subject = `${++subjects}`) =>
    enterByOpenId(
      store,
      throttle,
      { ...school, ...rules },
      { subject, claims, handle: undefined },
      { ...context, ...more },
    );
  const ofDomain = { admits: 'domain', wanted: 'School.test' };
  const ofClaim = { admits: 'claim', claim: 'groups', wanted: '7' };
  const mail = (email: unknown, email_verified: unknown = true) => ({ email, email_verified });
  for (const [claims, rules, reason] of [
    [{}, { admits: 'nobody' }, /School/],
    [mail('a@other.test'), ofDomain, /School\.test/],
    [mail('a@notschool.test'), ofDomain, /School\.test/],
    [mail(undefined), ofDomain, /School\.test/],
    [mail('a@school.test', false), ofDomain, /verif|confirm/],
    [mail('a@school.test', null), ofDomain, /verif|confirm/],
    [{}, ofClaim, /^Your account of School does not meet/],
    [{ groups: ['6', '77'] }, ofClaim, /does not meet/],
    [{}, { admits: 'joined' }, /not linked/],
    [{}, { makes_members: 0n }, /not linked/],
  ] as const)
    await assert.rejects(enter(claims, rules), { code: 'invalidValue', message: reason });
  assert.equal(signUps, 0, 'whom nobody makes a member counts as no sign-up');

  subjects = 0;
  const named = async () => {
    const accounts = await store.reader
      .selectFrom('openid_accounts')
      .innerJoin('members', 'members.id', 'user_id')
      .select(['username', 'label'])
      .where('subject', '=', `${subjects}`)
      .execute();
    return accounts.map(({ username, label }) => [username, label]);
  };
  for (const [claims, rules, username, label] of [
    [mail('A@SCHOOL.test'), ofDomain, 'member', 'A@SCHOOL.test'],
    [mail('a@school.test', 'true'), ofDomain, 'member-2', 'a@school.test'],
    [{ groups: ['6', 7] }, ofClaim, 'member-3', null],
    [{ groups: '7', name: 'Ada', nickname: 'ad' }, ofClaim, 'member-4', 'ad'],
    [{ nick: ' -Ada  Love/lace?#- @home' }, {}, 'Ada-Love-lace', null],
    [{ nick: 'ada-love-lace', handle: 'h', name: 'n' }, {}, 'ada-love-lace-2', 'h'],
    [{ nick: 'x'.repeat(61), name: 'n'.repeat(201) }, {}, 'x'.repeat(60), 'n'.repeat(200)],
    [{ nick: 'вор', preferred_username: 'p', nickname: 'q' }, {}, 'вор', 'p'],
    [{ nick: 'aа' }, {}, 'member-5', null],
    [{ nick: 'ab@c' }, { name_claim: '' }, 'member-6', null],
  ] as const) {
    assert.ok((await enter(claims, rules))?.session);
    assert.deepEqual(await named(), [[username, label]]);
  }
  assert.equal(signUps, 10);
  assert.ok(await enter({ name: 'new label' }, { makes_members: 0n }, {}, '1'), 'a linked account enters all the same');
  const { id: member = 0n } = (await findMemberByName(store.reader, 'member')) ?? {};
  assert.deepEqual(
    (await listAccounts(store.reader, member)).map((one) => one.label),
    ['new label'],
  );
  const sessions = () =>
    store.reader.selectFrom('sessions').select('id').where('user_id', '=', member).orderBy('id').execute();
  const [first, second] = await sessions();
  const before = { id: first?.id, user_id: member };
  assert.equal(
    await enter({}, {}, { before, isInOtherTab: true }, '1'),
    undefined,
    'the session of the other tab stays',
  );
  assert.equal((await sessions()).length, 2);
  assert.ok(await enter({}, {}, { before }, '1'));
  assert.equal(
    (await sessions()).some(({ id }) => id === first?.id),
    false,
    'a new session ends the former one',
  );
  assert.ok(await enter({}, {}, { before: { id: second?.id, user_id: member }, isInOtherTab: true }, '2'));
  assert.equal(
    (await sessions()).some(({ id }) => id === second?.id),
    false,
    'somebody else ends it too',
  );
  assert.equal(signUps, 10, 'who is linked counts as none');
  await store.write((tx) => disableMember(tx, 'member', true));
  await assert.rejects(enter({}, {}, {}, '1'), /disabled/);
  await assert.rejects(enter({}, {}, { invitationId: 99n }), { code: 'unknownItem' });
});

test('an account belongs to one member, and a member has one at a provider', async (t) => {
  const [{ store }, ada, bob] = [await gardenOf(t, 'ada', 'bob'), 1n, 2n];
  for (const key of ['school', 'club']) await store.write((tx) => saveProvider(tx, { ...school, key }));
  const link = (userId: bigint, subject = '1', rules: object = {}) =>
    linkAccount(store, { ...school, ...rules }, { subject, claims: {}, handle: undefined }, userId);
  await assert.rejects(link(ada, '1', { admits: 'nobody' }), /School/);
  await link(ada);
  await link(ada);
  await assert.rejects(link(bob), { code: 'alreadyExists' });
  await assert.rejects(link(ada, '2'), { code: 'alreadyExists' });
  await link(ada, '2', { key: 'club' });
  await link(bob, '2');
  const linked = async (id: bigint) => (await listAccounts(store.reader, id)).map(({ provider }) => provider).sort();
  assert.deepEqual([await linked(ada), await linked(bob)], [['club', 'school'], ['school']]);
});

test('a provider is changed by who saw it as it is, and a visit lasts fifteen minutes', async (t) => {
  const { store } = await openGarden(t);
  const change = (row: object, version: string) =>
    store.write((tx) => changeProvider(tx, { ...school, ...row }, version));
  assert.equal(await change({}, '1'), false);
  assert.equal(await change({}, ''), true);
  assert.equal(await change({ changed_at: '2' }, ''), false);
  assert.equal(await change({ changed_at: '2' }, '1'), true);
  assert.equal((await findProvider(store.reader, 'school'))?.changed_at, '2');
  t.mock.timers.enable({ apis: ['Date'], now: 15 * 60_000 });
  const begun = (ms: number) =>
    isAuthorizationExpired({ begun_at: new Date(ms).toISOString() } as Parameters<typeof isAuthorizationExpired>[0]);
  assert.deepEqual([begun(0), begun(-1)], [false, true]);
});

test('the last way to sign in that works stays', async (t) => {
  const { store } = await openGarden(t);
  const host = 'garden.test';
  const site = { host } as RelyingParty;
  const { id: user_id } = await store.write(async (tx) => {
    const member = await createMember(tx, { username: 'ada' });
    for (const [key, admits] of [
      ['school', 'everyone'],
      ['club', 'everyone'],
      ['closed', 'nobody'],
    ] as const) {
      await saveProvider(tx, { ...school, key, admits });
      const account = { provider: key, subject: key, user_id: member.id, label: null, joined_at: '1', used_at: '1' };
      await insertAccount(tx, account);
    }
    for (const where of [host, 'other.test']) {
      const keys = { credential_id: where, public_key: '', counter: 0n, transports: '', name: where };
      await insertPasskey(tx, { ...keys, user_id: member.id, host: where, made_at: '1', used_at: null });
    }
    return member;
  });
  const lastWay = /your only sign-in method/;
  await removeAccount(store, user_id, 'school', undefined);
  await assert.rejects(removeAccount(store, user_id, 'club', undefined), lastWay, 'no passkey works');
  await assert.rejects(removeAccount(store, user_id, 'school', site), { code: 'unknownItem' });
  await removeAccount(store, user_id, 'club', site);
  await assert.rejects(removePasskey(store, user_id, 1n, site), lastWay, 'the other ways open nothing here');
  await removePasskey(store, user_id, 2n, site);
  await assert.rejects(removeAccount(store, user_id, 'none', site), { code: 'unknownItem' });
  await store.write((tx) => setPasswordHash(tx, user_id, 'x'));
  await assert.rejects(removePasskey(store, user_id, 2n, site), { code: 'unknownItem' });
  await removePasskey(store, user_id, 1n, site);
});
