/** Assignments: which list is current, what counts as solved, late and active, and the order of a coach's table. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noLimits } from '../../src/practice/added-problems.ts';
import {
  type AssignmentRow,
  assignContest,
  assignList,
  currentAssignment,
  isInactiveSince,
  readAssignmentTable,
  rowOrders,
  sortRows,
  workOn,
} from '../../src/practice/assignments.ts';
import { makeGroup } from '../../src/practice/groups.ts';
import { addToList, makeList } from '../../src/practice/lists.ts';
import { setStatus } from '../../src/practice/marks.ts';
import { type AssignedList, findGroupWithLists, type MarkRow } from '../../src/store/assignments.ts';
import { insertGroupMember } from '../../src/store/groups.ts';
import { gardenOf } from '../importing/support.ts';
import { ponds } from '../support/ponds.ts';

const at = (day: number) => new Date(Date.UTC(2026, 2, day)).toISOString();

test('the current list is the one that is due next, or else the first', () => {
  const current = (...dues: (number | null)[]) => {
    const lists = dues.map((day, index) => ({ list_id: BigInt(index), due_at: day === null ? null : at(day) }));
    return Number(currentAssignment(lists as unknown as AssignedList[], Date.parse(at(10)))?.list_id);
  };
  assert.equal(current(null, 12, 11, 9), 2);
  assert.equal(current(null, 12, 10, 11), 2, 'until its moment');
  assert.equal(current(9, null), 0);
  assert.equal(currentAssignment([], 0), undefined);
});

test('somebody is inactive a week after the last of some moments', () => {
  const now = Date.parse(at(10));
  assert.deepEqual(
    [
      ['', at(3)],
      [at(1), '2026-03-03T00:00:00.001Z'],
      [at(4), at(1)],
      [at(2), ''],
    ].map((moments) => isInactiveSince(moments, now)),
    [true, false, false, true],
  );
});

test('a solve counts from its first moment, and is late after the list was due, unless the problem came later', () => {
  const blank: MarkRow = {
    self_status: null,
    self_at: null,
    judge_status: null,
    judge_at: null,
    how: null,
    sent_at: null,
    begun_at: null,
  };
  const cell = { isSelfReported: false, how: null, isLate: false, isUndated: false };
  const table: readonly [mark: Partial<MarkRow> | undefined, added: number, expected: object, active?: string][] = [
    [undefined, 1, { ...cell, state: 'not_started' }],
    [{ self_status: 'reading', self_at: at(2) }, 1, { ...cell, state: 'reading' }, at(2)],
    [{ judge_status: 'practicing', judge_at: at(2), sent_at: at(4) }, 1, { ...cell, state: 'practicing' }, at(4)],
    [{ judge_status: 'complete', judge_at: at(5), how: 'hint' }, 1, { ...cell, state: 'complete', how: 'hint' }, at(5)],
    [{ judge_status: 'complete', judge_at: at(6) }, 1, { ...cell, state: 'complete', isLate: true }, at(6)],
    [{ judge_status: 'complete', judge_at: at(6) }, 5, { ...cell, state: 'complete', isLate: true }, at(6)],
    [{ judge_status: 'complete', judge_at: at(7) }, 6, { ...cell, state: 'complete' }, at(7)],
    [
      { self_status: 'complete', self_at: at(4), judge_status: 'complete', judge_at: at(6) },
      ...([1, { ...cell, state: 'complete' }, at(6)] as const),
    ],
    [
      { self_status: 'complete', self_at: at(6), judge_status: 'practicing', judge_at: at(4) },
      ...([1, { ...cell, state: 'complete', isSelfReported: true, isLate: true }, at(6)] as const),
    ],
    [
      { self_status: 'complete' },
      ...([1, { ...cell, state: 'complete', isSelfReported: true, isUndated: true }] as const),
    ],
  ];
  const problems = table.map(([, added], index) => ({ id: BigInt(index), added_at: at(added) }));
  const marks = new Map(table.flatMap(([mark], index) => (mark ? [[BigInt(index), { ...blank, ...mark }]] : [])));
  const all = workOn(problems, marks, at(5));
  assert.deepEqual(
    all.cells,
    table.map(([, , expected]) => expected),
  );
  assert.deepEqual([all.solved, all.late, all.activeAt], [7, 3, at(7)]);
  assert.equal(workOn(problems, marks, null).late, 0, 'a list that is never due');
  for (const [index, [, , , activeAt]] of table.entries())
    assert.equal(workOn(problems.slice(index, index + 1), marks, at(5)).activeAt, activeAt, `${index}`);
});

test('rows are in the order of names, of solved problems, or with who has been quiet longest or is behind first', () => {
  const row = (username: string, solved: number, activeAt: string | undefined, isInactive: boolean) =>
    ({ person: { username }, solved, activeAt, isInactive, isBehind: solved < 2 }) as unknown as AssignmentRow;
  const rows = [
    row('fox', 0, at(2), false),
    row('eve', 3, at(2), false),
    row('dan', 1, at(4), true),
    row('cy', 3, undefined, true),
    row('bob', 1, at(3), false),
    row('ada', 2, at(5), true),
  ];
  const byName = (one: { username: string }, other: { username: string }) => (one.username < other.username ? -1 : 1);
  assert.deepEqual(
    rowOrders.map((order) => sortRows(rows, order, byName).map(({ person }) => person.username)),
    [
      ['ada', 'bob', 'cy', 'dan', 'eve', 'fox'],
      ['ada', 'bob', 'cy', 'dan', 'eve', 'fox'],
      ['cy', 'eve', 'ada', 'bob', 'dan', 'fox'],
      ['cy', 'dan', 'ada', 'eve', 'fox', 'bob'],
      ['fox', 'bob', 'dan', 'ada', 'cy', 'eve'],
    ],
  );
});

test('a coach assigns a list of their own or for everybody, up to 100 of up to 100 problems', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse(at(10)) });
  const { store, import: bring } = await gardenOf(t, 'ada', 'bob', 'cy');
  await bring('problems', ponds(102));
  const groupId = await makeGroup(store, 1n, { name: 'Club', zone: 'UTC' });
  const joined_at = at(9);
  await store.write((tx) =>
    insertGroupMember(tx, { group_id: groupId, user_id: 2n, role: 'member', joined_at, on_board: 0n }),
  );
  const make = (count: number, more: object = {}, extras?: string) => {
    const items = Array.from({ length: count }, (_, n) => ({ problem: BigInt(n + 1) }));
    const content = [{ name: '', items, ...(extras && { extras }) }];
    return makeList(store, { ownerId: 1n, name: 'Ponds', content, ...more });
  };
  const coach = { groupId, coachId: 1n };
  const give = (listId: bigint) => assignList(store, { ...coach, listId }, null);
  const giveContest = (count: number) => {
    const all = ponds(count).map(({ source, source_key: key }) => ({ source, key, url: '', isGym: false }));
    return assignContest(store, coach, { title: 'Round', problems: all }, null, noLimits);
  };
  const own = await make(1);
  await give(own);
  await give(await make(100));
  await give(await make(1, { ownerId: 3n, visibility: 'garden' }));
  const course = await make(101, {}, '{"id":1}');
  await give(course);
  await giveContest(100);
  for (const [attempt, reason] of [
    [async () => give(await make(101)), /up to 100 problems/],
    [async () => give(await make(1, { ownerId: 3n })), /Choose one of your lists/],
    [() => give(99n), /Choose one of your lists/],
    [() => assignList(store, { ...coach, coachId: 2n, listId: own }, null), /no longer coach/],
    [() => giveContest(0), /no problems yet/],
    [() => giveContest(101), /up to 100 problems/],
  ] as const)
    await assert.rejects(attempt(), reason);
  for (let n = 5; n < 100; n++) await give(await make(1));
  await assert.rejects(give(await make(1)), /up to 100 assignments/);
  await give(own);

  const read = async (viewer: bigint, listId: bigint, ms: number) => {
    const group = await findGroupWithLists(store.reader, groupId, viewer);
    const given = group?.lists.find(({ list_id }) => list_id === listId);
    assert.ok(group && given);
    const { rows, problems, ...more } = await readAssignmentTable(
      store.reader,
      group,
      given,
      viewer,
      Date.parse(at(17)) + ms,
    );
    const lines = rows.map(({ person, solved, isInactive }) => `${person.username} ${solved} ${isInactive}`);
    return [...lines, problems.length, ...Object.values(more)];
  };
  await setStatus(store, { memberId: 2n, problemIds: [1n], status: 'complete' });
  assert.deepEqual(await read(1n, own, 0), ['ada 0 true', 'bob 1 false', 1, 0, 0, false]);
  assert.deepEqual(await read(1n, course, -1), ['ada 0 false', 'bob 1 false', 100, 1, 0, false]);
  t.mock.timers.tick(1);
  await addToList(store, 1n, { id: course }, { ids: [102n] });
  assert.deepEqual(await read(2n, course, 0), ['bob 1 true', 102, 0, 1, true], 'a member sees all of their own line');
});
