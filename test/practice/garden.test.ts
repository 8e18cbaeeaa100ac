/**
 * The growth of plants: their figures are those of the statuses whatever way these were written, days are the member's own, and a
 * plant that was uprooted can be planted again for a day exactly as it was.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { daysOfMember, setDayRule } from '../../src/practice/activity.ts';
import { assignList } from '../../src/practice/assignments.ts';
import {
  countCompletedOf,
  findMilestones,
  growthOf,
  isFiltered,
  isInBloom,
  listProblemsOfPlant,
  listUnsolvedOfPlant,
  readGarden,
} from '../../src/practice/garden.ts';
import { leaveGroup, makeGroup } from '../../src/practice/groups.ts';
import { changeContent, makeList, setVisibility } from '../../src/practice/lists.ts';
import { setStatus, undo } from '../../src/practice/marks.ts';
import {
  changeGoal,
  editsOf,
  editsText,
  goalVersion,
  listListsToPlant,
  listTopicsToPlant,
  plant,
  restoreUprooted,
  suggestListToPlant,
  suggestTopicToPlant,
  uproot,
} from '../../src/practice/planting.ts';
import { speciesOf } from '../../src/practice/species.ts';
import { listCompleted } from '../../src/store/activity.ts';
import { insertGroupMember } from '../../src/store/groups.ts';
import { raiseIdCounter } from '../../src/store/ids.ts';
import { deleteList } from '../../src/store/lists.ts';
import { deleteMember } from '../../src/store/members.ts';
import { deletePlant, findPlantsByIds, listUprooted } from '../../src/store/plants.ts';
import { problemListing } from '../../src/store/problem-lists.ts';
import type { State } from '../../src/store/statuses.ts';
import type { Db } from '../../src/store/tables.ts';
import { gardenOf } from '../importing/support.ts';
import { memberWithToken } from '../support/garden.ts';
import { ponds } from '../support/ponds.ts';

const tags = ['dp', 'graphs', 'trees'];
const tagsOf = (n: number) => tags.filter((_, nth) => (n >> nth) % 2 === 1);
const dayMs = 86_400_000;

async function world(t: TestContext) {
  const [{ databaseUrl, store, import: bring }, ada, bob] = [await gardenOf(t, 'ada', 'bob'), 1n, 2n];
  await bring(
    'problems',
    ponds(40, (n) => ({ tags: tagsOf(n), rating: n % 5 === 0 ? null : 800 + 100 * (n % 4) })),
  );
  const read = async (now = new Date()) => readGarden(store.reader, ada, await daysOfMember(store.reader, ada), now);
  /** As solved at their judge. */
  const judged = (updated_at: string, ...problems: number[]) =>
    bring(
      'statuses',
      problems.map((problem) => ({ username: 'ada', problem, status: 'complete', origin: 'judge', updated_at })),
    );
  const sow = (tag: string | null, target = 5n, now = new Date()) =>
    store.write((tx) => plant(tx, ada, { name: `${tag} to ${target}`, tag, target }, now));
  const mark = (status: State, ...problemIds: bigint[]) =>
    store.write((tx) => setStatus(tx, { memberId: ada, problemIds, status }));
  return { databaseUrl, store, bring, ada, bob, read, judged, sow, mark };
}

async function completions(db: Db) {
  const members = await db.selectFrom('members').select('id').execute();
  const kept = (
    await Promise.all(
      members.map(async ({ id: user_id }) =>
        (
          await listCompleted(db, user_id)
        ).flatMap(({ facts, problem_id, completed_at }) =>
          ['', ...facts.tags].map((tag) => ({ user_id, tag, completed_at: completed_at ?? '', problem_id })),
        ),
      ),
    )
  ).flat();
  const statuses = await db.selectFrom('statuses').selectAll().execute();
  const problems = new Map(
    (await db.selectFrom('problems').select(['id', 'tags']).execute()).map(({ id, tags }) => [id, tags]),
  );
  const due = statuses.flatMap(({ user_id, problem_id, self_status, self_at, judge_status, judge_at }) => {
    if ((self_status ?? judge_status) !== 'complete') return [];
    const moments = [self_status === 'complete' ? self_at : null, judge_status === 'complete' ? judge_at : null].filter(
      (at) => at !== null,
    );
    const completed_at = moments.sort()[0] ?? '';
    const all = new Set(['', ...(JSON.parse(problems.get(problem_id) ?? '[]') as string[])]);
    return [...all].map((tag) => ({ user_id, tag, completed_at, problem_id }));
  });
  const text = (rows: typeof due) =>
    rows.map(({ user_id, tag, completed_at, problem_id }) => `${user_id} ${tag} ${completed_at} ${problem_id}`).sort();
  return { kept: text(kept), due: text(due) };
}

test('figures follow every way in which statuses and topics are written', async (t) => {
  const { store, bring, ada, bob, read, judged, mark, sow } = await world(t);
  const agree = async (what: string) => {
    const { kept, due } = await completions(store.reader);
    assert.deepEqual(kept, due, what);
    return kept.length;
  };
  for (const tag of [...tags, null]) await sow(tag);
  await mark('complete', ...Array.from({ length: 30 }, (_, n) => BigInt(n + 1)));
  assert.ok((await agree('marks')) > 60);
  const { batch = 0n } = await mark('skipped', 4n, 5n, 8n);
  await agree('taken back');
  await store.write((tx) => undo(tx, ada, batch));
  await agree('undone');
  const long = '2020-02-02T02:02:02.000Z';
  await judged(long, 8, 35);
  await bring('statuses', [{ username: 'bob', problem: 36, status: 'complete', origin: 'self', updated_at: long }]);
  await agree('imported');
  await bring('problems', [
    { id: 8, title: 'Pond 8', source: 'codeforces', source_key: '8A', tags: ['geometry', 'dp', 'geometry'] },
    { id: 36, title: 'Pond 36', source: 'codeforces', source_key: '36A', tags: [] },
  ]);
  await agree('topics changed');
  for (const { tag, done } of await read()) {
    const { due } = await completions(store.reader);
    assert.equal(done, due.filter((row) => row.startsWith(`${ada} ${tag ?? ''} `)).length, `${tag}`);
  }
  await store.write((tx) => deleteMember(tx, bob));
  await agree('a member deleted');
});

test('a plant with a judge or ratings grows with what fits all of them, and has them in the order in which they were solved', async (t) => {
  const { store, bring, ada, read } = await world(t);
  const { reader } = store;
  await bring('problems', [{ id: 41, title: 'Lake', source: 'dmoj', source_key: 'lake', rating: 900, tags: ['dp'] }]);
  const solved = [...Array.from({ length: 20 }, (_, n) => 20 - n), 41];
  const times = ['2026-03-01T10:00:00.000Z', '2026-03-01T10:00:00.000Z', '2026-03-02T10:00:00.000Z', null];
  const origin = { username: 'ada', status: 'complete', origin: 'judge' };
  await bring(
    'statuses',
    solved.map((problem, n) => ({ ...origin, problem, updated_at: times[n % 4] })),
  );
  const filters = [
    { source: 'dmoj' },
    { source: 'codeforces', rating_max: 900n },
    { rating_min: 900n },
    { rating_max: 900n },
    { rating_min: 900n, rating_max: 1000n },
    { source: 'kattis' },
    {},
  ];
  const planted = new Date('2026-03-02T12:00:00Z');
  for (const tag of [null, 'dp'])
    for (const [n, filter] of filters.entries()) {
      const at = new Date(planted.getTime() - (n % 3));
      await store.write((tx) => plant(tx, ada, { name: 'Pond', tag, target: 5n, ...filter }, at));
    }
  const problems = await reader.selectFrom('problems').selectAll().execute();
  const shown = await read(planted);
  assert.deepEqual(
    shown.map(({ source, tag }) => `${tag ?? '-'} ${source ?? '-'}`).join(', '),
    '- -, - kattis, dp -, dp kattis, - codeforces, - -, dp codeforces, dp -, - dmoj, - -, - -, dp dmoj, dp -, dp -',
  );
  for (const one of shown) {
    const { source, rating_min, rating_max, tag } = one;
    const fits = ({ rating, ...row }: (typeof problems)[number]) =>
      (!source || row.source === source) &&
      (rating_min === null || (rating !== null && rating >= rating_min)) &&
      (rating_max === null || (rating !== null && rating <= rating_max)) &&
      (!tag || row.tags.includes(tag));
    const fitting = problems.filter(fits).map(({ id }) => id);
    const inOrder = solved
      .map((id, n) => ({ id: BigInt(id), at: times[n % 4] ?? null }))
      .filter(({ id }) => fitting.includes(id))
      .sort((a, b) => ((a.at ?? '') === (b.at ?? '') ? Number(a.id - b.id) : (a.at ?? '') < (b.at ?? '') ? -1 : 1));
    const ids = inOrder.map(({ id }) => id);
    const ofToday = inOrder.filter(({ at }) => at === times[2]).length;
    assert.equal(isFiltered(one), (source ?? rating_min ?? rating_max) !== null);
    assert.deepEqual([one.done, one.today, one.lastAt], [ids.length, ofToday, inOrder.at(-1)?.at ?? null]);
    assert.equal(await countCompletedOf(reader, ada, one), ids.length);
    const grown = await listProblemsOfPlant(reader, ada, one, { since: times[0] ?? '', limit: 3 });
    const dated = inOrder.filter(({ at }) => at !== null).map(({ id }) => id);
    assert.deepEqual(
      grown.map(({ id }) => id),
      dated.toReversed().slice(0, 3),
    );
    const numbers = ids.map((_, n) => n + 1);
    assert.deepEqual(
      (await findMilestones(reader, ada, one, [...numbers, ids.length + 1])).map(({ nth, problem_id }) => [
        nth,
        problem_id,
      ]),
      numbers.filter((nth) => inOrder[nth - 1]?.at).map((nth) => [nth, ids[nth - 1]]),
    );
    const unsolved = await listUnsolvedOfPlant(reader, ada, one, { since: times[2] ?? '', most: 40 });
    const before = fitting.filter((id) => !ids.includes(id) || inOrder.find((row) => row.id === id)?.at === times[2]);
    assert.deepEqual(unsolved.map(({ id }) => id).sort(), before.sort());
  }
});

test('a plant goes through its stages, and has no more growth than twice its target', () => {
  const at = (done: number, today = 0, inactiveDays = 0) => {
    const { growth, stage, isResting, today: grown } = growthOf({ done, target: 100n, today, inactiveDays });
    return `${growth}+${grown} ${stage}${isResting ? ' resting' : ''}`;
  };
  assert.deepEqual(
    [0, 1, 14, 15, 39, 40, 69, 70, 99, 100, 101, 200, 250].map((done) => at(done, 1)),
    [
      ...['0+0 seed', '0.01+0.01 sprout', '0.14+0.01 sprout', '0.15+0.01 young', '0.39+0.01 young', '0.4+0.01 leafy'],
      ...['0.69+0.01 leafy', '0.7+0.01 budding', '0.99+0.01 budding', '1+0.01 bloom', '1.01+0.01 fruit'],
      ...['2+0.01 fruit', '2+0.01 fruit'],
    ],
  );
  assert.deepEqual(
    [at(1, 0, 13), at(1, 0, 14), at(1, 1, 14)],
    ['0.01+0 sprout', '0.01+0 sprout resting', '0.01+0.01 sprout'],
  );
  assert.deepEqual(
    [4, 5].map((done) => isInBloom({ done, target: 5n })),
    [false, true],
  );
});

test('a day is the member’s own, and a plant rests after 14 of them without a solve', async (t) => {
  const { store, ada, read, judged, sow } = await world(t);
  await store.write((tx) => setDayRule(tx, ada, { zone: 'Asia/Kolkata', startHour: 4 }));
  const planted = new Date('2026-03-01T12:00:00.000Z');
  await sow('dp', 4n, planted);
  const at = async (now: string) => {
    const [one] = await read(new Date(now));
    assert.ok(one);
    const { stage, isResting } = growthOf(one);
    return `${one.done} ${stage}, ${one.today} today, ${one.inactiveDays} quiet${isResting ? ', resting' : ''}`;
  };
  assert.equal(await at('2026-03-04T12:00:00Z'), '0 seed, 0 today, 3 quiet');
  assert.equal(await at('2026-03-14T22:29:59.999Z'), '0 seed, 0 today, 13 quiet', 'that day ends at 04:00 there');
  assert.equal(await at('2026-03-14T22:30:00Z'), '0 seed, 0 today, 14 quiet, resting');
  await judged('2026-03-16T22:29:00.000Z', 2);
  await judged('2025-01-01T00:00:00.000Z', 4);
  assert.equal(await at('2026-03-16T22:29:30Z'), '2 leafy, 1 today, 0 quiet');
  assert.equal(await at('2026-03-16T22:30:00Z'), '2 leafy, 0 today, 1 quiet');
  await judged('2026-03-18T10:00:00.000Z', 6, 8);
  assert.equal(await at('2026-03-18T12:00:00Z'), '4 bloom, 2 today, 0 quiet');
  await judged('2026-03-18T11:00:00.000Z', 10);
  assert.equal(await at('2026-03-18T12:00:00Z'), '5 fruit, 3 today, 0 quiet');
});

test('a plant that was uprooted comes back exactly as it was, for a day and once; the interface deletes for good', async (t) => {
  const { databaseUrl, store, ada, bob, sow } = await world(t);
  await memberWithToken(databaseUrl, 'ada');
  await store.write((tx) => raiseIdCounter(tx, 'plants', [2n ** 53n - 2n]));
  const state = async () => ({
    plants: await store.reader.selectFrom('plants').selectAll().orderBy('id').execute(),
    deleted: await store.reader.selectFrom('deleted_plants').selectAll().execute(),
    uprooted: await listUprooted(store.reader, { userId: ada, since: '' }),
  });
  const again = (id: bigint, member = ada, now = new Date()) =>
    store.write((tx) => restoreUprooted(tx, member, id, now));
  const ids = [await sow('dp'), 2n ** 53n];
  await store.write(async (tx) => {
    const [row] = await findPlantsByIds(tx, ids);
    assert(row);
    const other = { ...row, id: 2n ** 53n };
    await tx.insertInto('plants').values(other).execute();
  });
  for (const id of ids) {
    const before = await state();
    const remove = () => store.write((tx) => uproot(tx, ada, id));
    assert.equal(await store.write((tx) => uproot(tx, bob, id)), false, 'it is another’s');
    assert.deepEqual(await state(), before);
    // Again, because a plant that came back can go once more.
    for (const _ of [1, 2]) {
      assert.equal(await remove(), true);
      assert.equal(await remove(), false, 'it is gone');
      const { plants, deleted, uprooted } = await state();
      assert.deepEqual(
        plants,
        before.plants.filter((row) => row.id !== id),
      );
      assert.deepEqual(
        deleted.map((row) => row.id),
        id === 2n ** 53n ? [id] : [],
      );
      const [{ uprooted_at = '', ...row } = {}] = uprooted;
      assert.deepEqual(
        row,
        before.plants.find((one) => one.id === id),
      );
      assert.ok(Math.abs(Date.now() - Date.parse(uprooted_at)) < 60_000, uprooted_at);
      assert.equal(await again(id, bob), false, 'it is another’s');
      assert.equal(await again(id, ada, new Date(Date.now() + dayMs + 1000)), false, 'a day is over');
      assert.equal(await again(id), true);
      assert.equal(await again(id), false, 'once');
      assert.deepEqual(await state(), before);
    }
    const [credentials = 0n] = await store.revisions(['credentials']);
    assert.equal(await deletePlant(store, id, ada, credentials), true);
    assert.equal(await again(id), false, 'for good');
    assert.deepEqual((await state()).uprooted, []);
  }
});

test('a goal is changed as its page showed it, with what it was before; the last fifty are stored', async (t) => {
  const { store, ada, bob, sow } = await world(t);
  const id = await sow('dp');
  const goal = { name: 'Paths', target: 9n, by_date: '2027-01-01' };
  const row = async () => (await findPlantsByIds(store.reader, [id]))[0] ?? assert.fail();
  const before = await row();
  const at = new Date('2026-11-29T12:00:00.000Z');
  const change = (member: bigint, version: string, more: Partial<typeof goal> = {}) =>
    store.write((tx) => changeGoal(tx, member, id, { ...goal, ...more, version }, at));
  const version = goalVersion(before);
  assert.deepEqual([await change(bob, version), await change(ada, 'x')], [undefined, false]);
  assert.equal(await change(ada, version, before as never), true, 'nothing changes');
  assert.deepEqual(await row(), before);
  assert.equal(await change(ada, version), true);
  assert.equal(await change(ada, version), false, 'it was changed since');
  const first = { at: at.toISOString(), name: before.name, target: 5n, by_date: null };
  const { edits, ...after } = await row();
  assert.deepEqual({ ...after, edits: null }, { ...before, ...goal });
  assert.deepEqual(editsOf({ edits }), [first]);
  assert.equal(await change(ada, goalVersion(goal), { target: 10n }), true);
  assert.deepEqual(editsOf(await row()), [first, { ...goal, at: at.toISOString() }]);
  const many = Array.from({ length: 51 }, (_, n) => ({ ...first, target: BigInt(n) }));
  assert.deepEqual(editsOf({ edits: editsText(many) }), many.slice(1));
  assert.equal(editsText([]), null);
});

test('what is uprooted goes with its member, and after a day with the next plant', async (t) => {
  const { store, ada, sow } = await world(t);
  const [first, second] = [await sow('dp'), await sow('trees')];
  await store.write((tx) => uproot(tx, ada, first));
  await store.write(async (tx) => {
    await tx.updateTable('uprooted_plants').set({ uprooted_at: '2020-01-01T00:00:00.000Z' }).execute();
  });
  await store.write((tx) => uproot(tx, ada, second));
  assert.deepEqual(
    (await listUprooted(store.reader, { userId: ada, since: '' })).map(({ id }) => id),
    [second],
  );
  await store.write((tx) => deleteMember(tx, ada));
  assert.deepEqual(await store.reader.selectFrom('uprooted_plants').selectAll().execute(), []);
});

test('the hint is a topic of late without a plant', async (t) => {
  for (const [topic, species] of [
    ['Dynamic-Programming', 'fern'],
    ['2-sat', 'vine'],
    ['', 'meadow'],
    ['cooking', 'meadow'],
    [null, 'meadow'],
  ] as const)
    assert.equal(speciesOf(topic), species);
  const { store, ada, read, mark, sow } = await world(t);
  const hint = async () => suggestTopicToPlant(store.reader, ada, await read());
  assert.equal(await hint(), undefined);
  await mark('complete', 7n);
  assert.equal(await hint(), undefined, 'one problem is no habit');
  await mark('not_started', 7n);
  await mark('complete', 2n, 4n, 6n, 8n, 3n);
  assert.deepEqual(await hint(), { tag: 'dp', count: 4 });
  await sow('dp', 4n);
  assert.deepEqual(await hint(), { tag: 'graphs', count: 3 });
  assert.deepEqual(await listTopicsToPlant(store.reader, ada), [
    { tag: 'dp', done: 4, total: 20, isPlanted: true },
    { tag: 'graphs', done: 3, total: 20, isPlanted: false },
    { tag: 'trees', done: 2, total: 20, isPlanted: false },
  ]);
  const [one] = await read();
  assert.ok(one && isInBloom(one));
});

test('a plant of a list grows with what is in it while its member sees it, and falls back to a seed where it is seen no more', async (t) => {
  const { store, ada, bob, read, judged, mark } = await world(t);
  const now = new Date();
  const listed = (tx: Db, ownerId: bigint, name: string, ids: readonly bigint[], visibility: 'private' | 'garden') => {
    const content = [{ name: '', items: ids.map((problem) => ({ problem })) }];
    return makeList(tx, { ownerId, name, visibility, content });
  };
  const ids = Array.from({ length: 12 }, (_, n) => BigInt(n + 1));
  const [own, everybodys, given, later] = await store.write(async (tx) => [
    await listed(tx, ada, 'Mine', ids, 'private'),
    await listed(tx, bob, 'Everybody’s', ids.slice(3, 8), 'garden'),
    await listed(tx, bob, 'Homework', [1n, 30n], 'private'),
    await listed(tx, ada, 'Later', [6n, 20n], 'private'),
  ]);
  const sowList = (list: { id: bigint; name: string }, target: bigint, at = now) =>
    store.write((tx) => plant(tx, ada, { name: list.name, tag: null, list, target }, at));
  const long = new Date(now.getTime() - 20 * dayMs);
  await sowList({ id: own ?? 0n, name: 'Mine' }, 12n, long);
  await sowList({ id: own ?? 0n, name: 'Mine' }, 4n, long);
  await sowList({ id: everybodys ?? 0n, name: 'Everybody’s' }, 5n);
  await sowList({ id: given ?? 0n, name: 'Homework' }, 2n);
  const seen = async () =>
    (await read(now)).map((one) =>
      [one.list_name, one.list?.name, `${one.done}+${one.today}`, `${one.list?.problems}`].join(),
    );
  const rest = ['Homework,,0+0,undefined'];
  assert.deepEqual(await seen(), ['Mine,Mine,0+0,12', 'Mine,Mine,0+0,12', 'Everybody’s,Everybody’s,0+0,5', ...rest]);
  const [first] = await read(now);
  assert.ok(first && growthOf(first).isResting, 'fourteen days were quiet');
  await judged('2020-02-02T02:02:02.000Z', 5);
  await mark('complete', 6n);
  assert.equal(await suggestListToPlant(store.reader, ada), undefined, 'one problem is no habit');
  await mark('complete', 5n, 20n);
  assert.deepEqual(await suggestListToPlant(store.reader, ada), { id: later, name: 'Later', count: 2 });
  assert.deepEqual(await seen(), ['Mine,Mine,2+1,12', 'Mine,Mine,2+1,12', 'Everybody’s,Everybody’s,2+1,5', ...rest]);
  const [plantOfMine] = await read(now);
  assert.ok(plantOfMine && !growthOf(plantOfMine).isResting);
  const grewFrom = await listProblemsOfPlant(store.reader, ada, plantOfMine, { since: '', limit: 25 });
  assert.deepEqual(
    grewFrom.map(({ id }) => id),
    [6n, 5n],
  );
  const milestones = await findMilestones(store.reader, ada, plantOfMine, [1, 2, 3]);
  assert.deepEqual(
    milestones.map(({ nth, title }) => `${nth} ${title}`),
    ['1 Pond 5', '2 Pond 6'],
  );
  const change = (id: bigint, ownerId: bigint, left: readonly bigint[], name: string) =>
    store.write((tx) => {
      const items = left.map((problem_id) => ({ problem_id, memo: null, added_at: now.toISOString() }));
      return changeContent(tx, { id, owner_id: ownerId }, () => [{ name: '', items }], { name });
    });
  await change(own ?? 0n, ada, [6n, 20n, 21n], 'Mine too');
  assert.equal((await seen())[0], 'Mine too,Mine too,2+2,3');
  const group = await store.write(async (tx) => {
    const id = await makeGroup(tx, bob, { name: 'Club', zone: 'UTC' });
    const joined_at = now.toISOString();
    await insertGroupMember(tx, { group_id: id, user_id: ada, role: 'member', on_board: 0n, joined_at });
    await assignList(tx, { groupId: id, coachId: bob, listId: given ?? 0n }, null);
    return id;
  });
  assert.equal((await seen())[3], 'Homework,Homework,0+0,2');
  assert.ok((await listListsToPlant(store.reader, ada)).some(({ id }) => id === given));
  await mark('complete', 1n);
  assert.equal((await seen())[3], 'Homework,Homework,1+1,2');
  const counted = problemListing({ memberId: ada, listId: given, status: 'complete' });
  assert.equal(await counted.count(store.reader, undefined), 1n, 'the problem list has as many');
  await assert.rejects(
    store.write(async (tx) => {
      const id = await makeGroup(tx, ada, { name: 'Another', zone: 'UTC' });
      await assignList(tx, { groupId: id, coachId: ada, listId: given ?? 0n }, null);
    }),
    /Choose one of your lists/,
  );
  await store.write((tx) => leaveGroup(tx, group, ada));
  await change(given ?? 0n, bob, [1n], 'A secret name');
  assert.equal((await seen())[3], 'Homework,,0+0,undefined');
  assert.equal(await counted.count(store.reader, undefined), 0n);
  await change(everybodys ?? 0n, bob, [4n, 5n], 'For all');
  await store.write((tx) => setVisibility(tx, { id: everybodys ?? 0n, owner_id: bob }, 'private'));
  assert.equal((await seen())[2], 'For all,,0+0,undefined');
  const [, , lost] = await read(now);
  assert.deepEqual(await findMilestones(store.reader, ada, lost ?? plantOfMine, [1]), []);
  await store.write((tx) => setVisibility(tx, { id: everybodys ?? 0n, owner_id: bob }, 'garden'));
  assert.equal((await seen())[2], 'For all,For all,1+0,2', 'it is as it was');
  await store.write((tx) => deleteMember(tx, bob));
  assert.equal((await seen())[2], 'For all,,0+0,undefined');
  await store.write((tx) => deleteList(tx, own ?? 0n, ada));
  assert.equal((await seen())[0], 'Mine too,,0+0,undefined');
});
