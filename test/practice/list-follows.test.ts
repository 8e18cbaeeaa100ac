/** Lists that follow an address: which addresses, how many, and what stays of what was fetched. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ArchivedFollow,
  addMissing,
  applyFetchedList,
  claimFollow,
  importFollow,
  parseFollowAddress,
  readMissing,
  saveAttempt,
  startFollowing,
  stopFollowing,
} from '../../src/practice/list-follows.ts';
import { changeContent, makeList, type NewSection } from '../../src/practice/lists.ts';
import { findFollow, listFollowedItems } from '../../src/store/list-follows.ts';
import { findListExtras, readContent } from '../../src/store/lists.ts';
import { gardenOf } from '../importing/support.ts';
import { ponds } from '../support/ponds.ts';

const url = 'https://a.example/list';

test('an address to follow is a plain one of the web, without its fragment', () => {
  for (const [text, address] of [
    [` ${url}#part `, url],
    ['http://localhost', 'http://localhost/'],
    ['http://[::1]:80/?a', 'http://[::1]/?a'],
    [`${url}?${'x'.repeat(1977)}`, `${url}?${'x'.repeat(1977)}`],
  ] as const)
    assert.equal(parseFollowAddress(text), address);
  for (const text of [
    '',
    'a.example',
    'ftp://a.example',
    'http://club',
    'https://u@a.example',
    'https://:p@a.example',
    `${url}?${'x'.repeat(1978)}`,
  ])
    assert.throws(() => parseFollowAddress(text), { code: 'invalidValue' }, text);
});

async function world(t: Parameters<typeof gardenOf>[0]) {
  const garden = await gardenOf(t, 'ada');
  await garden.import('problems', ponds(9));
  const { store } = garden;
  const list = async () => ({ id: await makeList(store, { ownerId: 1n, name: 'Mine' }), owner_id: 1n });
  const own = await list();
  const follow = async (id = own.id) => {
    const row = await findFollow(store.reader, id);
    return row && { ...row, owner_id: 1n };
  };
  return { store, list, own, follow };
}

test('a member follows twenty addresses, and a new address of a list begins anew', async (t) => {
  const { store, list, own, follow } = await world(t);
  const now = Date.parse('2026-03-01T00:00:00Z');
  const started = async () => (await follow()) ?? assert.fail();
  await startFollowing(store, own, url);
  const first = await started();
  assert.equal(await claimFollow(store, first, now), true);
  assert.equal((await started()).due_at, BigInt(now + 600_000), 'tried again after ten minutes');
  await saveAttempt(store, first, now, 'gone');
  const failed = await started();
  assert.deepEqual(
    [failed.due_at, failed.fault, failed.tried_at, failed.good_at],
    [BigInt(now + 86_400_000), 'gone', '2026-03-01T00:00:00.000Z', null],
  );
  await saveAttempt(store, first, now, null);
  await startFollowing(store, own, `${url}#same`);
  assert.equal((await started()).good_at, '2026-03-01T00:00:00.000Z');
  await startFollowing(store, own, `${url}/2`);
  assert.deepEqual([(await started()).good_at, await claimFollow(store, first, now)], [null, false]);
  const lists = [];
  for (let n = 1; n < 20; n++) lists.push(await list());
  for (const one of lists) await startFollowing(store, one, url);
  const more = await list();
  await assert.rejects(startFollowing(store, more, url), /20/);
  await startFollowing(store, own, url);
  for (const wrong of [
    { id: own.id, owner_id: 2n },
    { id: 99n, owner_id: 1n },
  ]) {
    await assert.rejects(startFollowing(store, wrong, url), { code: 'unknownPath' });
    await assert.rejects(stopFollowing(store, wrong), { code: 'unknownPath' });
  }
  await stopFollowing(store, own);
  assert.equal(await follow(), undefined);
  const archived = {
    url,
    good_at: '2026-02-01T00:00:00.000Z',
    items: [{ problem_id: 1n, came_at: null, is_gone: 0n }],
  };
  const bring = (what: ArchivedFollow | null) => store.write((tx) => importFollow(tx, own, what));
  assert.deepEqual(
    [await bring(null), await bring(archived), await bring({ ...archived, good_at: null })],
    [false, true, false],
  );
  assert.equal((await started()).good_at, archived.good_at);
  assert.equal((await listFollowedItems(store.reader, own.id)).length, 1);
  assert.deepEqual([await bring(null), await follow()], [true, undefined]);
});

test('what comes joins the list once, what goes is marked, and what is not here waits to be added', async (t) => {
  const { store, own, follow } = await world(t);
  await startFollowing(store, own, url);
  const fetched = async (day: number, extras: string | undefined, ...sections: NewSection[]) =>
    applyFetchedList(
      store,
      (await follow()) ?? assert.fail(),
      { sections, extras, entityTag: null },
      Date.UTC(2026, 2, day),
    );
  const section = (name: string, ...problems: (bigint | number)[]): NewSection => ({
    name,
    items: problems.map((one) => ({
      memo: `memo ${one}`,
      problem:
        typeof one === 'bigint'
          ? one
          : { source: 'x.example', key: `${one}`, url: `https://x.example/${one}`, title: `Pond ${one}`, isGym: false },
    })),
  });
  const shown = async () =>
    (await readContent(store.reader, own.id))
      .map(({ name, items }) => `${name}:${items.map((one) => one.problem_id)}`)
      .join(' ');
  const followed = async () =>
    (await listFollowedItems(store.reader, own.id))
      .map(
        ({ problem_id, came_at, is_gone }) => `${problem_id} ${came_at?.slice(8, 10) ?? '-'}${is_gone ? ' gone' : ''}`,
      )
      .toSorted();
  const missing = async () => {
    const { count, some } = readMissing((await follow()) ?? assert.fail());
    return [count, ...some.map((one) => `${one.section} ${one.title} ${one.url} ${one.memo}`)];
  };
  await fetched(1, '{"x":1}', section('A', 1n, 2n, 1), section('B', 3n, 2));
  assert.deepEqual([await shown(), await followed()], ['A:1,2 B:3', ['1 -', '2 -', '3 -']]);
  assert.deepEqual(await missing(), [2, 'A Pond 1 https://x.example/1 memo 1', 'B Pond 2 https://x.example/2 memo 2']);
  assert.equal(await findListExtras(store.reader, own.id), '{"x":1}');
  await changeContent(store, own, (content) =>
    content.map((one) => ({ ...one, items: one.items.filter(({ problem_id }) => problem_id !== 2n) })),
  );
  await fetched(2, '{"x":2}', section('A', 1n, 2n, 4n), section('B', 1, 2));
  assert.deepEqual([await shown(), await followed()], ['A:1,4 B:3', ['1 -', '2 -', '3 - gone', '4 02']]);
  assert.equal(await findListExtras(store.reader, own.id), '{"x":1}', 'the first stays');
  const [item] = readMissing((await follow()) ?? assert.fail()).some;
  assert.ok(item);
  const problem = { source: 'x.example', key: '1', url: item.url, isGym: false };
  await addMissing(store, own, [{ ...item, title: 'Lake', problem }], { perDay: 9, total: 9 });
  const [{ id } = { id: 0n }] = await store.reader
    .selectFrom('problems')
    .select('id')
    .where('title', '=', 'Lake')
    .execute();
  assert.deepEqual([await shown(), await missing()], [`A:1,4 B:3,${id}`, [1, 'B Pond 2 https://x.example/2 memo 2']]);
  assert.ok((await followed()).includes(`${id} -`));
  const before = (await follow()) ?? assert.fail();
  await stopFollowing(store, own);
  await assert.rejects(addMissing(store, own, [], { perDay: 9, total: 9 }), { code: 'unknownPath' });
  await applyFetchedList(store, before, { sections: [section('A', 9n)], entityTag: null }, 0);
  assert.equal(await shown(), `A:1,4 B:3,${id}`, 'it follows nothing any more');
});
