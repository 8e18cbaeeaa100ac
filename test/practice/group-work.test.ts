/** What needs a coach: who is behind with what is due, stuck in a module or inactive, at the bounds of each. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type GroupLook, lastActivity, needsCoach, readLooks, type Work } from '../../src/practice/group-work.ts';
import { makeList } from '../../src/practice/lists.ts';
import type { AssignedList } from '../../src/store/assignments.ts';
import type { ListedPerson } from '../../src/store/groups.ts';
import { gardenOf } from '../importing/support.ts';
import { ponds } from '../support/ponds.ts';

const at = (day: number, ms = 0) => new Date(Date.UTC(2026, 2, day) + ms).toISOString();
const now = Date.parse(at(20));

test('a coach learns who is behind, stuck and inactive', async (t) => {
  const { store, import: bring } = await gardenOf(t, 'ada', 'bob', 'cy', 'dee', 'eve', 'fox', 'gil');
  await bring('problems', ponds(10));
  const marked = (username: string, day: number, ids: readonly number[], status = 'complete') =>
    ids.map((problem) => ({ username, problem, status, updated_at: at(day) }));
  await bring('statuses', [
    ...marked('bob', 18, [1, 2, 3, 4, 5, 6, 7]),
    ...marked('bob', 6, [8], 'practicing'),
    ...marked('cy', 10, [1, 2, 3, 4, 5, 6]),
    ...marked('cy', 5, [9], 'practicing'),
    ...marked('eve', 7, [8], 'practicing'),
  ]);
  const items = (...ids: number[]) => ids.map((id) => ({ problem: BigInt(id) }));
  const list = (name: string, content: Parameters<typeof makeList>[1]['content'] = []) =>
    makeList(store, { ownerId: 1n, name, content });
  const ten = await list('Ten', [{ name: '', items: items(1, 2, 3, 4, 5, 6, 7, 8, 9, 10) }]);
  const one = await list('One', [{ name: '', items: items(1) }]);
  const course = await list('Course', [
    { name: 'Loops', extras: '{"id":1}', items: items(8) },
    { name: 'Trees', extras: '{"id":2}', items: items(9) },
  ]);
  const assigned = (list_id: bigint, given: number, due_at: string | null) =>
    ({ list_id, given_at: at(given), due_at }) as AssignedList;
  const person = (n: number, joined: number, other: Partial<ListedPerson> = {}) =>
    ({
      group_id: 1n,
      user_id: BigInt(n),
      role: 'member',
      is_disabled: 0n,
      joined_at: at(joined),
      ...other,
    }) as ListedPerson;
  const people = [
    person(1, 1, { role: 'coach' }),
    person(2, 1),
    person(3, 1),
    person(4, 14),
    person(5, 1),
    person(6, 1, { group_id: 2n }),
    person(7, 1, { is_disabled: 1n }),
  ];
  const look = async (...lists: AssignedList[]) => {
    const [found] = await readLooks(store.reader, [{ id: 1n, lists }], people, now);
    assert.ok(found);
    return {
      learners: found.learners.map(({ user_id }) => Number(user_id)),
      dues: found.dues.map(({ assignment, problems, solved, finished, behind }) =>
        [
          assignment.due_at?.slice(5, 10),
          problems,
          [...solved.values()],
          finished,
          behind.map((one) => Number(one.user_id)),
        ].join(' '),
      ),
      stuck: found.stuck.map(
        (one) => `${one.person.user_id} ${one.number} ${one.name} ${one.days} ${one.listId === course}`,
      ),
      inactive: found.inactive.map(({ person, activeAt }) => `${person.user_id} ${activeAt?.slice(5, 10)}`),
    };
  };
  assert.deepEqual(
    await look(
      assigned(ten, 13, at(23)),
      assigned(ten, 1, at(6)),
      assigned(ten, 1, at(6, -1)),
      assigned(one, 14, at(34)),
      assigned(one, 14, at(34, 1)),
      assigned(course, 2, null),
    ),
    {
      learners: [2, 3, 4, 5],
      dues: ['03-06 10 7,6,0,0 0 4,5,3,2', '03-23 10 7,6,0,0 0 4,5,3', '04-03 1 1,1,0,0 2 '],
      stuck: ['2 1 Loops 14 true', '3 2 Trees 15 true'],
      inactive: ['3 03-10', '5 03-07'],
    },
  );
  const { inactive } = await look(assigned(one, 13, null));
  assert.deepEqual(inactive, ['5 undefined'], 'who has solved all of it is not');
  const five = [19, 24, 23, 22, 21, 20].map((day) => assigned(one, 1, at(day)));
  assert.deepEqual(
    (await look(...five)).dues.map((due) => due.slice(0, 5)),
    ['03-20', '03-21', '03-22', '03-23', '03-24'],
  );
  const newest = Array.from({ length: 19 }, () => assigned(one, 19, null));
  const old = assigned(ten, 18, at(23));
  assert.equal((await look(old, ...newest)).dues.length, 1);
  assert.equal((await look(old, ...newest, assigned(one, 19, null))).dues.length, 0, 'the twenty newest alone');
});

test('a coach is needed where anybody is named', () => {
  const none = { dues: [], stuck: [], inactive: [] };
  const some = [{}] as never;
  const looks = [
    none,
    { ...none, dues: [{ behind: [] }] as never },
    { ...none, dues: [{ behind: some }] as never },
    { ...none, stuck: some },
    { ...none, inactive: some },
  ];
  assert.deepEqual(
    looks.map((look) => needsCoach(look as unknown as GroupLook<unknown>)),
    [false, false, true, true, true],
  );
  const works = [at(3), undefined, at(5), at(4)].map((activeAt) => ({ activeAt }) as Work);
  assert.deepEqual([lastActivity(works), lastActivity([])], [at(5), undefined]);
});
