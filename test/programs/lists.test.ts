/** Lists by programs: practice-list/1 in and out, versions, limits, and an undo that makes rows what they were. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { makeList } from '../../src/practice/lists.ts';
import { rowsOf, tamper } from '../support/databases.ts';
import { memberWithToken, withStore } from '../support/garden.ts';
import { assertRefusal } from '../support/http.ts';
import { browserOf } from '../support/in-process.ts';
import { type Json, problemUrl, programGarden } from './support.ts';

type Garden = Awaited<ReturnType<typeof programGarden>>;

const newUrl = (n: number) => `https://codeforces.com/problemset/problem/${1700 + n}/B`;
const listWith = (...urls: string[]) => ({
  format: 'practice-list/1',
  title: 'Trees',
  sections: [{ name: 'All', problems: urls.map((url) => ({ url })) }],
});
const methods = ({ ada }: Pick<Garden, 'ada'>) => ({
  post: (body: object, headers = {}, as = ada) => as.post('/lists', body, headers),
  put: (id: string, version: string, body: object) => ada.put(`/lists/${id}`, body, { 'If-Match': `"${version}"` }),
  undo: (change: string) => ada.post(`/undo/${change}`),
});
const stateOf = async (databaseUrl: string) => [
  await rowsOf(databaseUrl, 'SELECT id, owner_id, name, visibility, extras, created_at FROM lists ORDER BY id'),
  await rowsOf(databaseUrl, 'SELECT * FROM list_sections ORDER BY list_id, position'),
  await rowsOf(databaseUrl, 'SELECT * FROM list_items ORDER BY list_id, position'),
  await rowsOf(databaseUrl, 'SELECT * FROM problems ORDER BY id'),
];

test('a list is made, read, replaced and undone to the row', async (t) => {
  const garden = await programGarden(t);
  const { databaseUrl, server, reader } = garden;
  const { post, put, undo } = methods(garden);
  const empty = await stateOf(databaseUrl);
  const file = {
    format: 'practice-list/1',
    licence: 'CC0',
    title: 'Trees II',
    sections: [
      { name: 'Warm up', note: { a: [1] }, problems: [{ url: problemUrl(8), memo: 'Parity.', stars: 3 }] },
      {
        problems: [
          { source: 'codeforces', key: '7A' },
          { url: newUrl(0), title: 'B. New one', memo: null },
        ],
      },
    ],
  };
  const key = { 'Idempotency-Key': 'k' };
  const made = await post(file, key);
  assert.equal(made.status, 201, made.text);
  const { id, change, version, added } = made.json;
  assert.deepEqual([added, made.headers.etag], [1, `"${version}"`]);
  assert.ok(made.headers.location?.endsWith(`/practice/v1/lists/${id}`));
  assert.deepEqual([(await post(file, key)).text, (await post({ ...file, title: 'x' }, key)).status], [made.text, 422]);
  const read = await reader(`/lists/${id}`);
  assert.equal(read.headers.etag, `"${version}"`);
  const problem = (n: number) => ({ url: problemUrl(n), title: `P${n}`, rating: 100 * n, tags: ['math'] });
  assert.deepEqual(read.json, {
    ...file,
    by: 'ada',
    updated: read.json.updated,
    sections: [
      { ...file.sections[0], problems: [{ ...problem(8), memo: 'Parity.', stars: 3 }] },
      { name: '', problems: [problem(7), { url: newUrl(0), title: 'New one' }] },
    ],
  });
  assert.equal((await reader('/lists')).json.items[0].visibility, 'private');
  const same = (await put(id, version, read.json)).json;
  assert.deepEqual(same, { change: null, id, version, added: 0 });

  const before = await stateOf(databaseUrl);
  const replaced = await put(id, version, { ...listWith(newUrl(1), problemUrl(8), problemUrl(9)), title: 'Other' });
  assert.deepEqual([replaced.status, replaced.json.added], [200, 1]);
  assert.equal(replaced.headers.etag, `"${replaced.json.version}"`);
  const after = (await reader(`/lists/${id}`)).json;
  assert.deepEqual([after.title, after.licence, after.sections.length], ['Other', undefined, 1]);
  const page = async () =>
    (await (await browserOf(server.url, 'ada')).open('/dashboard/history/')).document
      .querySelector('.events')
      ?.textContent.replaceAll(/\s+/g, ' ') ?? '';
  assert.match(
    await page(),
    /Other added, list changed by the program test.*Other added, new list by the program test/,
  );
  assertRefusal(await undo(change), 40902);
  assert.equal((await undo(replaced.json.change)).json.changed, 2);
  assert.deepEqual(await stateOf(databaseUrl), before);
  assert.equal((await undo(replaced.json.change)).json.changed, 0);
  assert.equal((await undo(change)).json.changed, 2);
  assert.deepEqual(await stateOf(databaseUrl), empty);
  assert.match(await page(), /new list by the program test undone/);
});

test('a list is replaced only with its version, and that of another member is nothing', async (t) => {
  const garden = await programGarden(t);
  const { databaseUrl, ada, ben, reader } = garden;
  const { post, put } = methods(garden);
  const body = listWith(problemUrl(7));
  const { id, version } = (await post(body)).json;
  const send = (headers: Record<string, string>, as = ada, path = id) =>
    as.put(`/lists/${path}`, { ...body, title: JSON.stringify(headers) }, headers);
  assertRefusal(await post(body, {}, reader), 40300);
  assertRefusal(await send({ 'If-Match': '*' }, reader), 40300);
  await tamper(databaseUrl, `UPDATE lists SET visibility = 'garden' WHERE id = ${id}`);
  assertRefusal(await ben(`/lists/${id}`), 40401);
  for (const path of [id, '99']) assertRefusal(await send({ 'If-Match': '"x"' }, ben, path), 40401);
  assertRefusal(await ben.post(`/undo/${(await post(body)).json.change}`), 40401);
  assertRefusal(await send({}), 42800);
  const stale = await send({ 'If-Match': `"x", W/"${version}"` });
  assertRefusal(stale, 41200);
  assert.equal(stale.headers.etag, `"${version}"`);
  assert.equal((await send({ 'If-Match': `"x", "${version}-br"` })).status, 200);
  assert.equal((await send({ 'If-Match': '*' })).status, 200);
  const current = (await ada(`/lists/${id}`)).headers.etag?.replaceAll('"', '') ?? '';
  const writes = Array.from({ length: 20 }, (_, n) => put(id, current, { ...body, title: `Writer ${n}` }));
  const statuses = (await Promise.all(writes)).map(({ status }) => status);
  assert.deepEqual(
    [statuses.filter((one) => one === 200).length, statuses.filter((one) => one === 412).length],
    [1, 19],
  );
});

test('what is no list, no problem or beyond a limit changes nothing', async (t) => {
  const garden = await programGarden(t, { ADDED_PER_DAY: '2' });
  const { databaseUrl, ada, ben } = garden;
  const { post, put } = methods(garden);
  const { id, version } = (await post(listWith(newUrl(0)))).json;
  const before = await stateOf(databaseUrl);
  const sections = (...problems: object[]) => ({ ...listWith(), sections: [{ problems }] });
  const many = (count: number) => Array.from({ length: count }, () => ({ url: problemUrl(7) }));
  const wrong: [object, RegExp][] = [
    [{ ...listWith(), format: 'x' }, /"format"/],
    [{ format: 'practice-list/1', sections: [] }, /"title" is missing/],
    [{ ...listWith(), title: '' }, /"title"/],
    [{ ...listWith(), title: '\u2028' }, /name/],
    [{ ...listWith(), title: 'x'.repeat(201) }, /"title"/],
    [{ ...listWith(), sections: null }, /"sections"/],
    [{ ...listWith(), sections: [{ name: 'x' }] }, /"sections\[0\].problems" is missing/],
    [sections({ url: 7 }), /"sections\[0\].problems\[0\].url"/],
    [sections({ url: problemUrl(7), memo: 'x'.repeat(201) }), /memo"/],
    [sections({ url: problemUrl(7) }, {}), /Problem 2 /],
    [sections({ url: 'codeforces.com/contest/7/problem/A' }), /Problem 1 /],
    [sections({ source: 'cses', key: '1' }), /cses 1/],
    [listWith(problemUrl(7), 'https://codeforces.com/blog/entry/1'), /blog\/entry\/1/],
    [listWith('https://example.com/blog/one'), /example.com/],
    [listWith(newUrl(1), newUrl(2)), /limit is 2/],
    [{ ...listWith(), x: 'x'.repeat(8193) }, /8,?192/],
    [sections(...many(1001)), /1,?001/],
    [{ ...listWith(), sections: Array.from({ length: 101 }, () => ({ problems: [] })) }, /101/],
  ];
  for (const [body, message] of wrong)
    for (const reply of [await post(body), await put(id, version, body)]) assertRefusal(reply, 40052, message);
  assert.deepEqual(await stateOf(databaseUrl), before);
  assert.equal((await post(listWith(newUrl(1), newUrl(0), newUrl(1)))).json.added, 1);
  assertRefusal(await post(listWith(newUrl(2))), 40052);
  assert.equal((await post(sections(...many(1000)))).status, 201);
  const { memberId } = await memberWithToken(databaseUrl, 'ada');
  await withStore(databaseUrl, (store) =>
    store.write(async (tx) => {
      for (let n = 3; n < 199; n++) await makeList(tx, { ownerId: BigInt(memberId), name: `List ${n}` });
    }),
  );
  assert.equal((await post(listWith())).status, 201);
  assertRefusal(await post(listWith()), 40052, /200/);

  const ids: string[] = [];
  let next: string | null = '';
  while (next !== null) {
    const page: Json = (await ada(`/lists?limit=99${next && `&cursor=${next}`}`)).json;
    ids.push(...page.items.map((one: Json) => one.id));
    ({ next } = page);
  }
  const all = await rowsOf(databaseUrl, 'SELECT id FROM lists ORDER BY id');
  assert.deepEqual(
    ids,
    all.map((row) => String(row['id'])),
  );
  assert.equal((await ada('/lists')).json.items.length, 20);
  assertRefusal(await ada('/lists?limit=0'), 40003);
  assertRefusal(await ada('/lists?cursor=x'), 40005, /"next"/);
  assertRefusal(await ben(`/lists?cursor=${(await ada('/lists')).json.next}`), 40005, /member/);
});

test('what a list was is stored for seven days and its last 20 versions', async (t) => {
  const garden = await programGarden(t);
  const { databaseUrl, ada } = garden;
  const { post, put, undo } = methods(garden);
  const made = (await post(listWith(problemUrl(7)))).json;
  const { id } = made;
  const stored = async () =>
    (await rowsOf(databaseUrl, `SELECT change_id FROM program_parts WHERE kind = 'content' AND before IS NOT NULL`))
      .length;
  const changes: string[] = [];
  let { version } = made;
  for (let n = 0; n <= 20; n++) {
    const { json } = await put(id, version, { ...listWith(problemUrl(7)), title: `List ${n}` });
    changes.push(json.change);
    ({ version } = json);
  }
  assert.equal(await stored(), 20);
  const added = (await ada.post(`/lists/${id}/problems`, { problem: '8' })).json.change;
  assertRefusal(await undo(changes[20] ?? ''), 40902);
  await undo(added);
  for (const change of changes.slice(2).toReversed()) assert.equal((await undo(change)).json.changed, 1, change);
  assert.equal((await ada(`/lists/${id}`)).json.title, 'List 1');
  const old = new Date(Date.now() - 7 * 86_400_000 - 1000).toISOString();
  await tamper(
    databaseUrl,
    `UPDATE program_changes SET made_at = '${old}' WHERE id IN (${changes[1]}, ${made.change})`,
  );
  for (const change of [changes[0], changes[1], made.change]) assertRefusal(await undo(change), 41000);
  const other = (await post(listWith())).json;
  await put(other.id, other.version, listWith(problemUrl(8)));
  assert.equal(await stored(), 20);
  await tamper(databaseUrl, `DELETE FROM lists WHERE id = ${other.id}`);
  assert.equal((await undo(other.change)).json.changed, 1);
});

test('undo leaves what somebody uses, and a list without its empty sections is the same', async (t) => {
  const garden = await programGarden(t);
  const { databaseUrl, ada, ben } = garden;
  const { post, put, undo } = methods(garden);
  const { id, version, change } = (await post(listWith(newUrl(0), newUrl(1), newUrl(2)))).json;
  await tamper(databaseUrl, `INSERT INTO list_sections (list_id, position, name) VALUES (${id}, 9, 'Empty')`);
  assert.equal((await put(id, version, (await ada(`/lists/${id}`)).json)).json.change, null);
  await tamper(databaseUrl, `DELETE FROM list_sections WHERE position = 9`);
  const find = async (n: number) =>
    (await ada(`/problems?url=${encodeURIComponent(newUrl(n))}`)).json.items.map((one: Json) => one.id);
  const mark = async (n: number, as: typeof ada) => as.patch(`/marks/${await find(n)}`, { starred: true });
  await mark(0, ben);
  await mark(1, ada);
  await tamper(databaseUrl, `UPDATE lists SET visibility = 'garden'`);
  assertRefusal(await undo(change), 40902);
  await tamper(databaseUrl, `UPDATE lists SET visibility = 'private'`);
  assert.equal((await undo(change)).json.changed, 4);
  const found = [await find(0), await find(1), await find(2)].map((ids) => ids.length);
  assert.deepEqual([found, (await ada('/lists')).json.items], [[1, 1, 0], []]);
});
