/** Own code: every byte is kept within the limits, and moves, leaves and comes back with the problem. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addFoundCode, withoutStored } from '../../src/importing/solutions.ts';
import { removeMember } from '../../src/practice/members.ts';
import { mergeProblem, removeProblem, restoreProblem } from '../../src/practice/merging.ts';
import {
  addSolution,
  codeOf,
  deleteSolution,
  languageOf,
  removeSolution,
  restoreSolution,
  solutionLimits,
} from '../../src/practice/solutions.ts';
import { findSolution, listDigests, listSolutionsOf } from '../../src/store/solutions.ts';
import { gardenOf } from '../importing/support.ts';

async function world(t: TestContext) {
  const garden = await gardenOf(t, 'ada', 'bob');
  const [{ store }, ada, bob] = [garden, 1n, 2n];
  await garden.import(
    'problems',
    [1, 2].map((id) => ({ id, source: 'cses', source_key: String(id), title: `Pond ${id}` })),
  );
  const add = (code: string | Uint8Array, more: object = {}, member = ada) =>
    addSolution(store, member, { problem: 1n, file: 'a.cpp', code: Buffer.from(code as string), ...more });
  const files = async (problemId: bigint, userId = ada) =>
    (await listSolutionsOf(store.reader, { userId, problemId })).map(({ file }) => file);
  return { store, ada, bob, add, files };
}

test('code of any encoding is kept byte for byte, once, with what is said of it', async (t) => {
  const { store, ada, bob, add } = await world(t);
  const bytes = Uint8Array.from({ length: 255 }, (_, at) => at + 1);
  const about = 'x'.repeat(200);
  const { solution, isNew } = await add(bytes, { file: `${'é'.repeat(96)}.cpp`, about, submission: '77' });
  assert.ok(isNew);
  const row = await findSolution(store.reader, ada, solution.id);
  assert.ok(row);
  assert.deepEqual(new Uint8Array(codeOf(row)), bytes);
  assert.deepEqual([row.about, row.submission, row.bytes], [about, '77', 255n]);
  const again = await add(bytes, { file: 'b.py', about: null });
  assert.deepEqual([again.isNew, again.solution.id, again.solution.about], [false, solution.id, about]);
  assert.ok((await add(bytes, { problem: 2n })).isNew);
  assert.ok((await add(bytes, {}, bob)).isNew);
  assert.deepEqual(
    ['a.CPP', 'b.py', 'c', 'd.kts', 'e.xyz'].map((file) => languageOf({ file })),
    [...['C++', 'Python', undefined, 'Kotlin', undefined]],
  );
});

test('what is beyond a limit is refused with a sentence, at the limit it is kept', async (t) => {
  const { store, ada, add, files } = await world(t);
  for (const [code, more, reason] of [
    ['', {}, /no code in it/],
    [Buffer.alloc(64 * 1024 + 1, 1), {}, /up to 64 KiB/],
    ['a\0b', {}, /NUL/],
    ...['', ' ', 'a/b', 'a\\b', 'a\0', 'x'.repeat(101)].map((file) => ['x', { file }, /file name/] as const),
    ['x', { about: 'x'.repeat(201) }, /one line each/],
    ['x', { submission: 'a\nb' }, /one line each/],
  ] as const)
    await assert.rejects(add(code, more), reason);
  await add(Buffer.alloc(64 * 1024, 1), { file: 'x'.repeat(100) });
  const added = await Promise.allSettled([...'abcdefghijklmnopqrst'].map((code) => add(code)));
  assert.equal(added.filter(({ status }) => status === 'fulfilled').length, solutionLimits.ofProblem - 1);
  await assert.rejects(add('more'), /up to 10 files/);
  assert.equal((await add(Buffer.alloc(64 * 1024, 1))).isNew, false);
  const [first] = await listSolutionsOf(store.reader, { userId: ada, problemId: 1n });
  await store.write((tx) =>
    tx
      .updateTable('solutions')
      .set({ bytes: BigInt(solutionLimits.bytesOfMember) - 9n - 3n })
      .where('id', '=', first?.id ?? 0n)
      .execute(),
  );
  await assert.rejects(add('four', { problem: 2n }), /up to 20 MiB/);
  await Promise.allSettled(['xxx', 'yyy', 'zzz'].map((code) => add(code, { problem: 2n })));
  assert.equal((await files(2n)).length, 1);
});

test('a removal can be undone until the next one, within the limits, and by its member alone', async (t) => {
  const { store, ada, bob, add, files } = await world(t);
  const first = (await add('1', { file: '1.c' })).solution.id;
  const second = (await add('2', { file: '2.c' })).solution.id;
  await assert.rejects(removeSolution(store, bob, first), /no longer exists/);
  assert.equal(await findSolution(store.reader, bob, first), undefined);
  assert.equal(await deleteSolution(store, bob, first), false);
  await removeSolution(store, ada, first);
  assert.deepEqual(await files(1n), ['2.c']);
  assert.equal((await listDigests(store.reader, ada)).length, 1, 'an archive can bring it again');
  await assert.rejects(restoreSolution(store, bob, first), /no longer exists/);
  await restoreSolution(store, ada, first);
  assert.deepEqual(await files(1n), ['1.c', '2.c']);
  await removeSolution(store, ada, first);
  await removeSolution(store, ada, second);
  await assert.rejects(restoreSolution(store, ada, first), /no longer exists/);
  const old = new Date(Date.now() - 86_400_001).toISOString();
  await store.write((tx) => tx.updateTable('solutions').set({ removed_at: old }).execute());
  await assert.rejects(restoreSolution(store, ada, second), /no longer exists/);
  const other = (await add('3', {}, bob)).solution.id;
  await removeSolution(store, bob, other);
  const rows = await store.reader.selectFrom('solutions').select('id').execute();
  assert.deepEqual(rows, [{ id: other }], 'the code of an old removal is erased');
  assert.equal(await deleteSolution(store, bob, other), true);
});

test('code of other programs goes to the problems that the garden has, and is new once', async (t) => {
  const { store, ada, add, files } = await world(t);
  await add('mine', { file: 'mine.c' });
  const found = (key: string, text: string) => {
    return { address: `https://cses.fi/problemset/task/${key}`, file: `${text}.c`, bytes: Buffer.from(text) };
  };
  const all = [found('1', 'mine'), found('1', 'one'), found('2', 'mine'), found('2', ''), found('3', 'three')];
  const fresh = async () => (await withoutStored(store.reader, ada, all, new Map())).map(({ file }) => file);
  assert.deepEqual(await fresh(), ['one.c', 'mine.c', '.c', 'three.c']);
  const { added, left } = await addFoundCode(store, ada, all, new Map());
  assert.deepEqual([added, left.files], [2, ['.c']]);
  assert.deepEqual(
    [await files(1n), await files(2n), await fresh()],
    [['mine.c', 'one.c'], ['mine.c'], ['.c', 'three.c']],
  );
});

test('code goes with a merged or removed problem and comes back, but not what was removed since', async (t) => {
  const { store, ada, bob, add, files } = await world(t);
  await add('1', { file: '1.c' });
  const gone = (await add('2', { file: '2.c' })).solution.id;
  await add('3', { file: '3.c', problem: 2n });
  await add('4', { file: '4.c' }, bob);
  await mergeProblem(store, 1n, 2n);
  assert.deepEqual(await files(2n), ['1.c', '2.c', '3.c']);
  await removeSolution(store, ada, gone);
  await add('5', { file: '5.c', problem: 2n });
  await restoreProblem(store, 1n);
  assert.deepEqual([await files(1n), await files(2n)], [['1.c'], ['3.c', '5.c']]);
  await removeProblem(store, 1n);
  assert.deepEqual(await files(1n), []);
  await restoreProblem(store, 1n);
  assert.deepEqual([await files(1n), await files(1n, bob)], [['1.c'], ['4.c']]);
  await removeProblem(store, 1n);
  await store.write((tx) => removeMember(tx, 'ada'));
  await restoreProblem(store, 1n);
  const rows = await store.reader.selectFrom('solutions').select('file').execute();
  assert.deepEqual(rows, [{ file: '4.c' }], 'nothing is left of a member who was deleted');
});
