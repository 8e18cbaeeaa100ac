/** Groups: their limits, who joins by which link and as whom, and who may still be a coach. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  archiveGroup,
  canBeTicked,
  changeGroup,
  expectPeople,
  findOwnSlipGroup,
  joinGroup,
  leaveGroup,
  makeGroup,
  makeGroupLink,
  readGroupLink,
  removeFromGroup,
  renewSlips,
  setGroupRole,
  setStudentNumber,
  versionOfGroup,
} from '../../src/practice/groups.ts';
import { makeSeason } from '../../src/practice/seasons.ts';
import { findGroup, findJoinedGroup, insertGroupMember, type JoinedGroup } from '../../src/store/groups.ts';
import { gardenOf } from '../importing/support.ts';
import { usualSeason } from '../support/seasons.ts';

const dayMs = 86_400_000;
const now = Date.parse('2026-03-01T12:00:00.000Z');
const at = (ms: number) => new Date(now + ms).toISOString();

test('a group has a coach, up to 200 people and 20 links, and each person one line of its class list', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now });
  const { store } = await gardenOf(t, ...Array.from({ length: 202 }, (_, n) => `m${n + 1}`));
  const make = () => makeGroup(store, 1n, { name: 'Club', zone: 'Asia/Calcutta' });
  const groupId = await make();
  const coach = { groupId, coachId: 1n };
  const settings = { name: 'Club', zone: 'Asia/Kolkata', language: null };
  const stored = { id: groupId, ...settings, has_board: 0n, created_at: at(0), archived_at: null };
  assert.deepEqual(await findGroup(store.reader, groupId), stored);
  const next = { name: 'Pond club', zone: 'UTC', language: 'ja' };
  assert.deepEqual(await changeGroup(store, coach, next, versionOfGroup(next)), stored, 'somebody changed it');
  for (const version of [versionOfGroup({ name: 'Club', zone: 'Asia/Kolkata' }), 'the same again'])
    assert.equal(await changeGroup(store, coach, next, version), undefined);
  assert.deepEqual(await findGroup(store.reader, groupId), { ...stored, ...next });
  for (let n = 1; n < 50; n++) await make();
  await assert.rejects(make(), /up to 50 groups/);

  const link = () => makeGroupLink(store, coach, { uses: 300, lifetimeMs: 1000, madeBy: 1n });
  const secrets: string[] = [];
  for (let n = 0; n < 20; n++) secrets.push(await link());
  await assert.rejects(link(), /up to 20 join links/);
  const [first = ''] = secrets;
  const join = (id: bigint, secret = first) => joinGroup(store, id, secret);
  const joined = (id: bigint) => findJoinedGroup(store.reader, groupId, id);
  assert.deepEqual([await join(2n), await join(2n), await join(3n, 'x')], [groupId, groupId, undefined]);
  assert.equal((await readGroupLink(store.reader, first))?.uses_left, 299n);
  assert.equal((await joined(2n))?.in_season, null);
  assert.deepEqual([await removeFromGroup(store, coach, 2n), await removeFromGroup(store, coach, 2n)], [true, false]);
  await assert.rejects(join(2n), /removed you/);
  t.mock.timers.tick(1000);
  assert.equal(await join(3n), undefined, 'it has expired');
  const second = await link();
  await makeSeason(store, coach, usualSeason);
  assert.deepEqual([await join(2n, second), (await joined(2n))?.in_season], [groupId, 1n], 'by a new link');

  const expect = (count: number) =>
    expectPeople(store, coach, Array(count).fill({ name: 'Mila', student_number: '22-01' }), 1n);
  const [slip, ...slips] = await expect(3);
  await assert.rejects(expect(198), /at most 200 people/);
  assert.equal((await expect(197)).length, 197);
  const secret = slip?.secret ?? '';
  const read = await readGroupLink(store.reader, secret);
  assert.deepEqual([read?.uses_left, read?.expires_at], [1n, at(1000 + 180 * dayMs)]);
  assert.equal(await findOwnSlipGroup(store.reader, 2n, secret), undefined);
  assert.deepEqual(
    [await join(1n, secret), (await joined(1n))?.expected_id],
    [groupId, null],
    'a coach is nobody of it',
  );
  await setStudentNumber(store, coach, 2n, ' 7 ');
  assert.equal(await join(2n, secret), groupId);
  const { expected_id, student_number } = (await joined(2n)) as JoinedGroup;
  assert.deepEqual([expected_id, student_number], [slip?.id, '7'], 'who has a number keeps it');
  assert.equal(await findOwnSlipGroup(store.reader, 2n, secret), groupId);
  const renew = async (id?: bigint) => (await renewSlips(store, coach, 1n, id)).length;
  assert.deepEqual([await renew(), await renew(slip?.id), await renew(slips[0]?.id)], [199, 0, 1]);
  assert.equal(await readGroupLink(store.reader, slips[0]?.secret ?? ''), undefined);

  await store.write(async (tx) => {
    for (let id = 3n; id < 200n; id++)
      await insertGroupMember(tx, { group_id: groupId, user_id: id, role: 'member', joined_at: at(0), on_board: 0n });
  });
  assert.equal(await join(200n, second), groupId);
  await assert.rejects(join(201n, second), /it has 200 people/);
  await assert.rejects(leaveGroup(store, groupId, 1n), /needs a coach/);
  await assert.rejects(setGroupRole(store, coach, 1n, 'member'), /needs a coach/);
  assert.deepEqual(
    [await setGroupRole(store, coach, 202n, 'coach'), await leaveGroup(store, groupId, 202n)],
    [false, false],
  );
  assert.equal(await setGroupRole(store, coach, 2n, 'coach'), true);
  await archiveGroup(store, coach, true);
  await assert.rejects(join(201n, second), /archived/);
  assert.equal(await leaveGroup(store, groupId, 1n), true);
});

test('whoever is no coach and nobody of the class list yet may say whom of it they are', () => {
  const one = { role: 'member', expected_id: null, archived_at: null };
  assert.deepEqual(
    [one, { ...one, role: 'coach' }, { ...one, expected_id: 1n }, { ...one, archived_at: at(0) }].map((membership) =>
      canBeTicked(membership as unknown as JoinedGroup),
    ),
    [true, false, false, false],
  );
});
