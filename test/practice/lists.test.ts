/** Lists: what the form changes of their sections, what comes in, their limits, versions and secret addresses. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { moduleOf } from '../../src/practice/courses.ts';
import {
  applyEdits,
  changeContent,
  findSharedList,
  hasTooManyModules,
  type ListEdits,
  limitsOf,
  makeList,
  memoOf,
  mergeIntoList,
  type NewSection,
  setVisibility,
  tidyLine,
  validContent,
  validName,
  withProblemIn,
  withProblems,
} from '../../src/practice/lists.ts';
import { findOwnList, readContent, type SectionContent } from '../../src/store/lists.ts';
import { gardenOf } from '../importing/support.ts';
import { ponds } from '../support/ponds.ts';

const added_at = '2026-03-01T00:00:00.000Z';
const section = (name: string, ...ids: number[]): SectionContent => ({
  name,
  extras: null,
  items: ids.map((id) => ({ problem_id: BigInt(id), memo: `memo ${id}`, added_at })),
});
const shown = (content: readonly SectionContent[]) =>
  content.map(({ name, items }) => `${name}:${items.map(({ problem_id }) => problem_id)}`).join(' ');
const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, n) => from + n);
const content = [section('A', 1, 2, 3), section('B', 4, 5), section('C')];

test('the form removes, moves and names, and the problems of a section that goes stay', () => {
  const edited = (edits: Partial<ListEdits>) =>
    applyEdits(content, { items: [], remove: new Set(), move: undefined, sections: [], newSection: '', ...edits });
  const item = (id: bigint, section?: number, place?: number) => ({ id, section, place, memo: null });
  const at = (place: number, name: string | null = null, isRemoved = false) => ({ name, place, isRemoved });
  const table: readonly [edits: Partial<ListEdits>, expected: string][] = [
    [{}, 'A:1,2,3 B:4,5 C:'],
    [{ remove: new Set([2n, 5n]) }, 'A:1,3 B:4 C:'],
    [{ items: [item(5n, 1, 1)] }, 'A:5,1,2,3 B:4 C:'],
    [{ items: [item(1n, 1, 3)] }, 'A:2,3,1 B:4,5 C:'],
    [{ items: [item(1n, 1, 2)] }, 'A:2,1,3 B:4,5 C:'],
    [{ items: [item(1n, 2, 2), item(5n, 2, 1)] }, 'A:2,3 B:5,1,4 C:'],
    [{ items: [item(1n, 9, 9), item(4n, 0, 0)] }, 'A:4,2,3 B:5 C:1'],
    [{ items: [item(5n, 1, 2), item(3n, 1, 1), item(2n, 2)] }, 'A:3,5,1,2 B:4 C:'],
    [{ items: [item(1n, 1, 1), item(2n, 1, 2), item(3n, undefined, 1)] }, 'A:1,2,3 B:4,5 C:'],
    [{ move: { id: 1n, offset: 1 } }, 'A:2,1,3 B:4,5 C:'],
    [{ move: { id: 2n, offset: -1 } }, 'A:2,1,3 B:4,5 C:'],
    [{ move: { id: 4n, offset: 1 } }, 'A:1,2,3 B:5,4 C:'],
    [{ move: { id: 1n, offset: -1 } }, 'A:1,2,3 B:4,5 C:'],
    [{ move: { id: 3n, offset: 1 } }, 'A:1,2 B:3,4,5 C:'],
    [{ move: { id: 4n, offset: -1 } }, 'A:1,2,3,4 B:5 C:'],
    [{ move: { id: 5n, offset: 1 } }, 'A:1,2,3 B:4 C:5'],
    [{ move: { id: 9n, offset: 1 } }, 'A:1,2,3 B:4,5 C:'],
    [{ sections: [at(2)] }, 'B:4,5 A:1,2,3 C:'],
    [{ sections: [at(1), at(2), at(1)] }, 'C: A:1,2,3 B:4,5'],
    [{ sections: [at(3), at(1, ' Two  words ')] }, 'Two words:4,5 C: A:1,2,3'],
    [{ sections: [at(1, null, true)] }, 'B:1,2,3,4,5 C:'],
    [{ sections: [at(1), at(2, null, true)] }, 'A:1,2,3,4,5 C:'],
    [{ sections: [1, 2, 3].map((place) => at(place, null, true)) }, ':1,2,3,4,5'],
    [{ newSection: ' Later  on ' }, 'A:1,2,3 B:4,5 C: Later on:'],
  ];
  for (const [edits, expected] of table) assert.equal(shown(edited(edits)), expected);
  const memos = edited({
    items: ['  x  y ', '', null].map((memo, n) => ({ id: BigInt(n + 1), section: undefined, place: undefined, memo })),
  });
  assert.deepEqual(
    memos[0]?.items.map(({ memo }) => memo),
    ['x y', null, 'memo 3'],
  );
});

test('a problem comes in at the end of the named section, of a new one or of the last', () => {
  const twice = [...content, section('A')];
  const into = (name: string | undefined, some = twice) =>
    shown(withProblemIn(some, 9n, { section: name, memo: ' x ' }));
  assert.equal(into('A'), 'A:1,2,3 B:4,5 C: A:9');
  assert.equal(into(' B '), 'A:1,2,3 B:4,5,9 C: A:');
  assert.equal(into('D'), 'A:1,2,3 B:4,5 C: A: D:9');
  assert.equal(into(undefined, content), 'A:1,2,3 B:4,5 C:9');
  assert.equal(into(undefined, []), ':9');
  assert.equal(withProblemIn([], 9n, { memo: ' x ' })[0]?.items[0]?.memo, 'x');
  assert.equal(shown(withProblems(content, [5n, 9n, 1n, 8n])), 'A:1,2,3 B:4,5 C:9,8');
  assert.equal(shown(withProblems([], [9n])), ':9');
});

test('a list has each problem once, and limits that are wider for a course', () => {
  assert.equal(shown(validContent([section('A', 1, 2, 1), section('B', 2, 3)])), 'A:1,2 B:3');
  const module = { ...section('M'), extras: '{"id":"m"}' };
  const sections = (count: number) => numbers(count).map((n) => section(`${n}`));
  const table: readonly [content: readonly SectionContent[], fault: RegExp | undefined][] = [
    [[section('A', ...numbers(1000), 1)], undefined],
    [[section('A', ...numbers(1001))], /1,?000/],
    [[module, section('A', ...numbers(4000))], undefined],
    [[module, section('A', ...numbers(4001))], /4,?000/],
    [sections(100), undefined],
    [sections(101), /100/],
    [[module, ...sections(999)], undefined],
    [[module, ...sections(1000)], /1,?000/],
    [[{ ...section('A'), extras: 'x'.repeat(8192) }], undefined],
    [[{ ...section('A'), extras: 'x'.repeat(8193) }], /8,?192/],
    [[{ name: '', items: [{ problem_id: 1n, memo: null, added_at, extras: 'x'.repeat(2048) }] }], undefined],
    [[{ name: '', items: [{ problem_id: 1n, memo: null, added_at, extras: 'x'.repeat(2049) }] }], /2,?048/],
  ];
  for (const [some, fault] of table)
    if (fault) assert.throws(() => validContent(some), fault);
    else validContent(some);
  assert.deepEqual(limitsOf(content), { lists: 200, problems: 1000, sections: 100, name: 200, memo: 200 });
  assert.deepEqual([sections(1001), [module, ...sections(999)], [module, ...sections(1000)]].map(hasTooManyModules), [
    false,
    false,
    true,
  ]);
  assert.equal(tidyLine(` a\0b\u2028\n c${'𝛼'.repeat(300)}`), `a b c${'𝛼'.repeat(195)}`);
  assert.equal(tidyLine('ab c', 3), 'ab');
  assert.deepEqual([memoOf(' '), memoOf(undefined), memoOf('x'.repeat(201))], [null, null, 'x'.repeat(200)]);
  assert.equal(validName(' Pond '), 'Pond');
  assert.throws(() => validName(' \n'), { code: 'invalidValue' });
});

async function ownList(t: TestContext, content: readonly NewSection[]) {
  const { store, import: bring } = await gardenOf(t, 'ada');
  await bring('problems', ponds(1002));
  const own = { id: await makeList(store, { ownerId: 1n, name: 'Mine', content }), owner_id: 1n };
  const read = async () => {
    const list = await findOwnList(store.reader, own.id, 1n);
    return `${list?.name} ${list?.version}: ${shown(await readContent(store.reader, own.id))}`;
  };
  return { store, own, read };
}
const coming = (name: string, ids: readonly number[], extras?: string) => ({
  name,
  extras,
  items: ids.map((id) => ({ problem: BigInt(id) })),
});

test('what comes into a list joins the sections of its names, as far as the list has room', async (t) => {
  const { store, own, read } = await ownList(t, [coming('A', [1, 2]), coming('B', [3])]);
  const merge = (sections: NewSection<bigint>[], accepts?: (id: bigint) => boolean) =>
    store.write((tx) => mergeIntoList(tx, own, sections, accepts));
  assert.equal(await read(), 'Mine 1: A:1,2 B:3');
  const { contained, fresh } = await merge([coming(' A ', [2, 4, 6]), coming('C', [5, 1])], (id) => id !== 6n);
  assert.equal(await read(), 'Mine 2: A:1,2,4 B:3 C:5');
  assert.deepEqual(
    [[...contained], [...fresh]],
    [
      [1n, 2n, 3n, 4n, 5n],
      [4n, 5n],
    ],
  );
  assert.deepEqual([...(await merge([coming('D', [1, 2])])).fresh], []);
  assert.equal(await read(), 'Mine 2: A:1,2,4 B:3 C:5', 'nothing is new');
  await merge([coming('B', [7])]);
  assert.equal(await read(), 'Mine 3: A:1,2,4 B:3,7 C:5');
  await merge(numbers(100, 10).map((id) => coming(`${id}`, [id])));
  assert.match(
    await read(),
    /^Mine 4: A:1,2,4 B:3,7 C:5 10:10 .* 106:106,107,108,109$/,
    'beyond 100 sections in the last',
  );
  assert.equal((await merge([coming('A', numbers(1000, 1))])).contained.size, 1000);
});

test('a module that comes in is the section of its title, and a problem that was there is also in the module', async (t) => {
  const { store, own } = await ownList(t, [coming('A', [1, 2]), coming('B', [3])]);
  const merge = async (...sections: NewSection<bigint>[]) => {
    await store.write((tx) => mergeIntoList(tx, own, sections));
    const content = await readContent(store.reader, own.id);
    const also = content.flatMap(({ items }) =>
      items.flatMap(({ problem_id, extras }) => (extras ? `${problem_id} ${extras}` : [])),
    );
    return [shown(content), content.map(({ extras }) => moduleOf(extras)?.id ?? '-').join(), ...also];
  };
  const m = (id: string, more = '') => `{"id":"${id}"${more}}`;
  assert.deepEqual(await merge(coming('A', [2, 4], m('m'))), ['A:1,2,4 B:3', 'm,-']);
  assert.deepEqual(
    await merge(coming('A', [1], m('n')), coming('C', [3, 5], m('o')), coming('M', [], m('m', ',"done":1'))),
    ['A:1,2,4 B:3 A: C:5', 'm,-,n,o', ...['1 {"also":["n"]}', '3 {"also":["o"]}']],
  );
  assert.deepEqual(
    await merge(coming('C', [1], m('p'))),
    ['A:1,2,4 B:3 A: C:5', 'm,-,n,p', ...['1 {"also":["n","p"]}', '3 {"also":["o"]}']],
    'the module of this title has another id now',
  );
  assert.equal((await merge(coming('C', [2], m('p'))))[3], '2 {"also":["p"]}');
});

test('a list changes where its version is that of the page, and is found by its secret address while it has one', async (t) => {
  const { store, own, read } = await ownList(t, [coming('A', [1])]);
  const change = (edit: Parameters<typeof changeContent>[3], id = own.id) =>
    changeContent(store, { ...own, id }, (some) => withProblems(some, [2n]), edit);
  await assert.rejects(change({ name: 'Other', version: 7n }), { code: 'preconditionFailed' });
  await assert.rejects(change({}, 99n), { code: 'unknownPath' });
  await assert.rejects(change({ name: ' ' }), { code: 'invalidValue' });
  assert.equal(await read(), 'Mine 1: A:1');
  await change({ name: ' Other ', extras: '{"x":1}', version: 1n });
  assert.equal(await read(), 'Other 2: A:1,2');
  await change({});
  const list = await findOwnList(store.reader, own.id, 1n);
  assert.deepEqual([list?.name, list?.extras], ['Other', '{"x":1}']);
  const secret = (await setVisibility(store, own, 'secret')) ?? '';
  const found = async (text = secret) => (await findSharedList(store.reader, text, undefined))?.name;
  assert.deepEqual([await found(), await found('x')], ['Other', undefined]);
  assert.equal(await setVisibility(store, own, 'private'), undefined);
  assert.equal(await found(), undefined);
  for (let n = 1; n < 200; n++) await makeList(store, { ownerId: 1n, name: `${n}` });
  await assert.rejects(makeList(store, { ownerId: 1n, name: 'One more' }), /200/);
});
