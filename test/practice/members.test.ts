/** Members: which names there are, who changed a record, and that somebody is left who administers the garden. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  asksForAddress,
  changeRecord,
  createMember,
  disableMember,
  isEmail,
  isUsername,
  lookalikeNames,
  makeDemoKey,
  makeFirstStaff,
  makeSetupKey,
  type RecordFields,
  recordFields,
  removeMember,
  renameMember,
  setAddressFields,
  setRole,
} from '../../src/practice/members.ts';
import { asStaff } from '../../src/practice/staff.ts';
import { type MemberRow, setPasswordHash } from '../../src/store/members.ts';
import { insertPasskey } from '../../src/store/passkeys.ts';
import type { Db } from '../../src/store/tables.ts';
import { openGarden } from '../importing/support.ts';

test('a username is visible, plain, of one alphabet, and known by the names that look like it', () => {
  const long = 'a'.repeat(64);
  const names = ['ada', long, '...', '名前', 'а'];
  const none = [
    '',
    `${long}a`,
    '.',
    '..',
    'a b',
    'a/b',
    'a?b',
    'a#b',
    '\u0301a',
    'ａ',
    'аda',
    'a\0b',
    '\u3164',
    '\u2800',
    'a\u202eb',
  ];
  assert.deepEqual([...names, ...none].filter(isUsername), names);
  const emails = [null, 'a@b', '', 'a', '@b', 'a@', 'a b@c', 'a@b@c'];
  assert.deepEqual(emails.filter(isEmail), [null, 'a@b']);
  assert.deepEqual(
    ['AB1', 'S', 'ОХ', 'ab', '12'].map((name) => lookalikeNames(name).join()),
    ['AB1,АВ1,ΑΒ1', 'S,Ѕ', 'ОХ,OX,ΟΧ', 'ab', '12'],
  );
});

test('names differ, a record changes by its version, and an administrator is left', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-03-01T12:00:00.000Z') });
  const { store } = await openGarden(t);
  const create = (username: string, more: Partial<MemberRow> = {}) =>
    store.write((tx) => createMember(tx, { username, ...more }));
  const keys = async () => [await makeSetupKey(store), await makeDemoKey(store, 'OX')].map(Boolean);
  assert.deepEqual(await keys(), [true, false]);
  const ox = await create('OX', { role: 'staff', is_sample: 1n });
  assert.deepEqual(await keys(), [true, true], 'the sample alone is here');
  for (const [username, code, more] of [
    ['ox', 'alreadyExists'],
    ['ОХ', 'alreadyExists'],
    ['a b', 'invalidValue'],
    ['bob', 'invalidValue', { email: 'bob' }],
  ] as const)
    await assert.rejects(create(username, more), { code });
  const bob = await create('bob');
  assert.deepEqual(await keys(), [false, false]);
  const rename = (from: string, to: string) => store.write((tx) => renameMember(tx, from, to));
  assert.deepEqual(await rename('OX', 'OX'), ox);
  t.mock.timers.tick(1);
  const renamed = await rename('OX', 'ox');
  assert.deepEqual(renamed, { ...ox, username: 'ox', is_sample: 0n, updated_at: '2026-03-01T12:00:00.001Z' });
  await assert.rejects(rename('bob', 'OX'), { code: 'alreadyExists' });

  const fields = Object.fromEntries(recordFields.map((name) => [name, bob[name]])) as RecordFields;
  const change = (more: object, version: string) => changeRecord(store, bob.id, { ...fields, ...more }, version);
  assert.deepEqual(await change({}, 'x'), { row: bob, isStale: false });
  assert.deepEqual(await change({ city: 'Porto' }, 'x'), { row: bob, isStale: true });
  const row = { ...bob, city: 'Porto', updated_at: renamed.updated_at };
  assert.deepEqual(await change({ city: 'Porto' }, bob.updated_at), { row, isStale: false });
  await assert.rejects(change({ username: 'OX' }, row.updated_at), { code: 'alreadyExists' });

  const act = (work: typeof removeMember) => store.write((tx) => work(tx, 'ox'));
  const last = /administrator/;
  await assert.rejects(
    act((tx) => disableMember(tx, 'ox', true) as never),
    last,
  );
  await assert.rejects(
    act((tx) => setRole(tx, 'ox', 'member') as never),
    last,
  );
  await assert.rejects(act(removeMember), last);
  await store.write((tx) => disableMember(tx, 'bob', true));
  await store.write((tx) => setRole(tx, 'bob', 'staff'));
  await assert.rejects(act(removeMember), last, 'the other one is shut out');
  const asked = (user_id: bigint, ...memberIds: bigint[]) =>
    asStaff(
      { store, member: { user_id } },
      async () => 7,
      memberIds.length > 0 ? () => ['staff-made', ...memberIds] : 'staff-made',
    );
  assert.deepEqual([await asked(ox.id), await asked(ox.id, ox.id, bob.id)], [7, 7]);
  await assert.rejects(asked(bob.id), { code: 'unknownPath' });
  const log = await store.reader.selectFrom('staff_log').selectAll().orderBy('id').execute();
  assert.deepEqual(
    log.map(({ actor_id, member_id }) => [actor_id, member_id]),
    [null, ox.id, bob.id].map((id) => [ox.id, id]),
  );
  await store.write((tx) => disableMember(tx, 'bob', false));
  assert.equal((await act(removeMember)).member.username, 'ox');
  await store.write((tx) => removeMember(tx, 'bob'));
  assert.deepEqual(await keys(), [true, false], 'nobody is left');
  const first = (username?: string) => makeFirstStaff(store, { username, readPassword: async () => 'a long sentence' });
  await assert.rejects(first(), /needs ADMIN_USERNAME/);
  assert.deepEqual([await first('root'), await first('root')], [true, false]);
  assert.equal(await asksForAddress(store.reader), false);
  await store.write((tx) => setAddressFields(tx, true));
  assert.equal(await asksForAddress(store.reader), true);
});

test('an administrator who has set no way to sign in stands in only for others who have none', async (t) => {
  const { store } = await openGarden(t);
  const add = (username: string) => store.write((tx) => createMember(tx, { username, role: 'staff' }));
  const [ada, eve] = [await add('ada'), await add('eve')];
  await store.write((tx) => setPasswordHash(tx, ada.id, 'a hash'));
  const acts = [
    (tx: Db) => disableMember(tx, 'ada', true),
    (tx: Db) => setRole(tx, 'ada', 'member'),
    (tx: Db) => removeMember(tx, 'ada'),
  ];
  for (const act of acts) await assert.rejects(store.write<unknown>(act), /only administrator who can sign in/);
  await store.write((tx) => disableMember(tx, 'eve', true));
  await store.write((tx) => disableMember(tx, 'eve', false));
  await store.write((tx) =>
    insertPasskey(tx, {
      user_id: eve.id,
      credential_id: 'one',
      public_key: '',
      counter: 0n,
      transports: '[]',
      host: 'localhost',
      name: 'key',
      made_at: '2026-01-01T00:00:00.000Z',
      used_at: null,
    }),
  );
  await store.write((tx) => setRole(tx, 'ada', 'member'));
  await assert.rejects(store.write((tx) => setRole(tx, 'eve', 'member')));
  await store.write((tx) => setRole(tx, 'ada', 'staff'));
  await store.write((tx) => removeMember(tx, 'eve'));

  const { store: behindProxy } = await openGarden(t);
  for (const username of ['bob', 'carl'])
    await behindProxy.write((tx) => createMember(tx, { username, role: 'staff' }));
  await behindProxy.write((tx) => removeMember(tx, 'bob'));
});
