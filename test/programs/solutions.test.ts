/** Own code by programs: bytes that stay as they are, its limits, its scope, and its undo. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { rowsOf } from '../support/databases.ts';
import { memberWithToken } from '../support/garden.ts';
import { assertRefusal, likeness } from '../support/http.ts';
import { browserOf } from '../support/in-process.ts';
import { program, programGarden } from './support.ts';

test('own code is stored byte for byte, listed, read and undone with every byte', async (t) => {
  const { databaseUrl, server, ada, coder } = await programGarden(t);
  const add = (body: object, headers = {}) => ada.post('/solutions/7', body, headers);
  const code = '\ufeffint main() {}  \r\n\t// é𝄞\r\n\n ';
  const added = await add({ file: 'main.cpp', code, about: 'Two pointers.', submission: '42' });
  assert.equal(added.status, 201, added.text);
  const { change, solution } = added.json;
  assert.ok(added.headers.location?.endsWith(`/practice/v1/solutions/7/${solution.id}`));
  const sha256 = createHash('sha256').update(code).digest('hex');
  const { id, added_at, ...told } = solution;
  const kept = { problem: '7', file: 'main.cpp', language: 'C++', about: 'Two pointers.', submission: '42' };
  assert.deepEqual(told, { ...kept, bytes: Buffer.byteLength(code), sha256 });
  assert.deepEqual((await coder(`/solutions/7/${solution.id}`)).json, { ...solution, code });
  const again = await add({ file: 'other.py', code });
  assert.deepEqual([again.status, again.json, again.headers.location], [200, { change: null, solution }, undefined]);
  const key = { 'Idempotency-Key': 'k' };
  const second = await add({ file: 'b', code: 'x' }, key);
  assert.equal((await add({ file: 'b', code: 'x' }, key)).text, second.text);
  assert.deepEqual([second.json.solution.language, second.json.solution.about], [null, null]);
  const first = (await coder('/solutions/7?limit=1')).json;
  assert.deepEqual(first.items, [solution]);
  const rest = (await coder(`/solutions/7?cursor=${first.next}`)).json;
  assert.deepEqual(rest, { items: [second.json.solution], next: null });
  assert.deepEqual((await coder('/solutions/8')).json, { items: [], next: null });

  const history = async () =>
    (await (await browserOf(server.url, 'ada')).open('/dashboard/history/')).text.replaceAll(/<[^>]*>|\s+/g, ' ');
  assert.match(await history(), /P7 +.*own code +by the program +test/);
  assert.equal((await ada.post(`/undo/${change}`)).json.changed, 1);
  const rows = await rowsOf(databaseUrl, 'SELECT id FROM solutions');
  assert.deepEqual(
    rows.map(({ id }) => String(id)),
    [second.json.solution.id],
  );
  assert.equal((await ada.post(`/undo/${change}`)).json.changed, 0);
  assert.match(await history(), /P7 +.*own code +by the program +test +undone/);
});

test('code has the limits of every door, and is refused whole', async (t) => {
  const { databaseUrl, ada } = await programGarden(t);
  const add = (body: object | string, problem = 7) => ada.post(`/solutions/${problem}`, body);
  const largest = `\r\n${'é'.repeat(32 * 1024 - 1)}`;
  assertRefusal(await add({ file: 'a', code: `${largest}x` }), 40052, /64 KiB/);
  assertRefusal(await add({ file: 'a', code: 'x'.repeat(65_537) }), 40052, /"code"/);
  assertRefusal(await add({ file: 'a', code: '' }), 40052, /"code"/);
  assertRefusal(await add({ file: 'a', code: 'a\0b' }), 40052, /U\+0000/);
  assertRefusal(await add(String.raw`{"file":"a","code":"\ud83d"}`), 40009);
  assertRefusal(await add({ code: 'x' }), 40052, /"file" is missing/);
  assertRefusal(await add({ file: 'a', code: 'x', language: 'C' }), 40052, /"language"/);
  for (const file of ['a/b', String.raw`a\b`, ' ', 'a\nb']) assertRefusal(await add({ file, code: 'x' }), 40052);
  assertRefusal(await add({ file: 'x'.repeat(101), code: 'x' }), 40052, /"file"/);
  assertRefusal(await add({ file: 'a', code: 'x', about: 'x'.repeat(201) }), 40052, /"about"/);
  assertRefusal(await add({ file: 'a', code: 'x', submission: 'a\nb' }), 40052);
  assertRefusal(await add({ file: 'a', code: 'x' }, 99), 40401);
  assert.deepEqual(await rowsOf(databaseUrl, 'SELECT id FROM solutions'), []);
  const { json } = await add({ file: '𝄞'.repeat(100), code: largest });
  const read = (await ada(`/solutions/7/${json.solution.id}`)).json;
  assert.deepEqual([read.bytes, read.code === largest], [65_536, true]);
  for (let n = 1; n < 10; n++) assert.equal((await add({ file: 'a', code: `${n}` })).status, 201);
  assertRefusal(await add({ file: 'a', code: '10' }), 40052, /10 files/);
  assert.equal((await add({ file: 'a', code: '9' })).json.change, null);
  assert.equal((await add({ file: 'a', code: '10' }, 8)).status, 201);
});

test('own code needs its scope, and is nothing for anybody else', async (t) => {
  const { databaseUrl, server, ada, ben, reader, coder } = await programGarden(t);
  const body = { file: 'a.py', code: 'print()' };
  const post = (as: typeof ada) => as.post('/solutions/7', body);
  const { json } = await post(ada);
  const path = `/solutions/7/${json.solution.id}`;
  for (const as of [reader, ben]) for (const one of ['/solutions/7', path]) assertRefusal(await as(one), 40300, /code/);
  assertRefusal(await post(reader), 40300, /mark/);
  assertRefusal(await post(ben), 40300, /code/);
  assertRefusal(await post(coder), 40300, /mark/);
  assertRefusal(await coder('/me'), 40300, /read/);
  assertRefusal(await ada(`/solutions/8/${json.solution.id}`), 40401);
  assertRefusal(await ada('/solutions/7/x'), 40001);
  for (const one of [`${path}/`, '/solutions/7/', `${path}/x`]) assertRefusal(await ada(one), 40400);
  assertRefusal(await ada.post(path, body), 40500);
  const scopes = ['practice:mark', 'practice:code'];
  const boss = await memberWithToken(databaseUrl, 'boss', { role: 'staff', scopes });
  const other = program(server.url, boss.token);
  assert.deepEqual((await other('/solutions/7')).json, { items: [], next: null });
  const none = `/solutions/7/${BigInt(json.solution.id) + 1n}`;
  const nothing = async (one: string) => JSON.stringify(likeness(await other(one))).replace(/solution \d+/, '');
  assert.equal(await nothing(path), await nothing(none));
  assertRefusal(await other.post(`/undo/${json.change}`), 40401);
  assert.equal((await post(other)).status, 201);
  assert.equal((await ada('/solutions/7')).json.items.length, 1);
});
