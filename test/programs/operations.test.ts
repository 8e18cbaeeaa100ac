/** The operations for programs, row by row of docs/programs.md. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { assertRefusal } from '../support/http.ts';
import { problemUrl, programGarden } from './support.ts';

test('a program reads, marks and undoes', async (t) => {
  const { ada, reader, ben } = await programGarden(t);
  const patch = (id: number, body: object, headers = {}) => ada.patch(`/marks/${id}`, body, headers);
  const markOf = async (id: number) => (await ada(`/marks/${id}`)).json;
  const undo = (change: string, as = ada) => as.post(`/undo/${change}`);

  await t.test('GET /me says for whom the token acts', async () => {
    const { status, json, headers } = await reader('/me');
    assert.equal(status, 200);
    assert.equal(headers['api-version'], '1.0.0');
    assert.equal(headers['cache-control'], 'private, no-cache');
    assert.match(json.day, /^\d{4}-\d\d-\d\d$/);
    const { username, time_zone, token } = json;
    assert.deepEqual([username, time_zone, token.scopes, token.expires_at], ['ada', 'UTC', ['practice:read'], null]);
    assert.equal(typeof json.id, 'string');
  });

  await t.test('GET /problems finds by address and by filters, page by page', async () => {
    const found = await reader(`/problems?url=${encodeURIComponent(`${problemUrl(7)}?locale=ru`)}`);
    const [item, ...more] = found.json.items;
    assert.deepEqual([item.id, item.title, more], ['7', 'P7', []]);
    const unset = { how: null, origin: null, starred: false, has_note: false, updated_at: null };
    assert.deepEqual(item.mark, { problem: '7', status: 'not_started', ...unset, version: item.mark.version });
    const none = await reader(`/problems?url=${encodeURIComponent(problemUrl(5))}`);
    assert.deepEqual(none.json, { items: [], next: null });
    assertRefusal(await reader('/problems?url=https://codeforces.com/blog/entry/1'), 40052);
    assertRefusal(await reader(`/problems?q=P&url=${encodeURIComponent(problemUrl(7))}`), 40003);
    const first = (await reader('/problems?topic=math&judge=codeforces&rating_min=750&limit=1')).json;
    assert.deepEqual([first.items.length, first.items[0].id], [1, '8']);
    const second = (await reader(`/problems?topic=math&rating_min=750&limit=1&cursor=${first.next}`)).json;
    assert.deepEqual([second.items[0].id, second.next], ['9', null]);
    assertRefusal(await reader('/problems?cursor=abc'), 40005);
    assertRefusal(await reader('/problems?limit=101'), 40003);
    assertRefusal(await reader('/problems?status=complete'), 40003, /solved/);
    assertRefusal(await reader('/problems/99'), 40401);
    assertRefusal(await reader('/problems/07'), 40001);
  });

  await t.test('PATCH /marks changes what is sent, and its undo makes everything as it was', async () => {
    const before = await markOf(7);
    const marked = await patch(7, { status: 'solved', how: 'hint', starred: true, note: 'Parity.', minutes: 30 });
    assert.equal(marked.status, 200, marked.text);
    const { mark, change } = marked.json;
    assert.deepEqual(
      [mark.status, mark.how, mark.origin, mark.starred, mark.note],
      ['solved', 'hint', 'self', true, 'Parity.'],
    );
    assert.match(change, /^[1-9]\d*$/);
    assert.deepEqual(await markOf(7), mark);
    const again = await patch(7, { status: 'solved', how: 'hint', starred: true, note: 'Parity.' });
    assert.equal(again.json.change, null);
    assertRefusal(await undo(change, ben), 40401);
    assert.deepEqual((await undo(change)).json, { change, undone: true, changed: 4 });
    assert.deepEqual(await markOf(7), before);
    assert.deepEqual((await undo(change)).json, { change, undone: true, changed: 0 });
  });

  await t.test('how belongs to solved, minutes to solved or trying, a note is added once', async () => {
    assertRefusal(await patch(8, { how: 'alone' }), 40052, /"how"/);
    assertRefusal(await patch(8, { minutes: 5 }), 40052, /"minutes"/);
    assertRefusal(await patch(8, { note: 'a', add_note: 'b' }), 40052, /"add_note"/);
    assertRefusal(await patch(8, { add_note: '𝄞'.repeat(40_000) }), 40052, /note/i);
    assert.equal((await patch(8, { status: 'trying', add_note: 'one\r\ntwo' })).json.mark.note, 'one\ntwo');
    assert.equal((await patch(8, { add_note: 'three' })).json.mark.note, 'one\ntwo\n\nthree');
    assert.equal((await patch(8, { add_note: 'two' })).json.change, null);
    assert.equal((await patch(8, { note: null })).json.mark.note, null);
    const solved = await patch(8, { status: 'solved', how: 'editorial' });
    assert.equal(solved.json.mark.how, 'editorial');
    assert.equal((await patch(8, { how: null })).json.mark.how, null);
  });

  await t.test('a status goes back only with the version of the mark', async () => {
    const { version } = await markOf(8);
    assertRefusal(await patch(8, { status: 'trying' }), 40903);
    assertRefusal(await patch(8, { status: 'trying' }, { 'If-Match': '*' }), 40903);
    const stale = await patch(8, { status: 'trying' }, { 'If-Match': `W/"${version}"` });
    assertRefusal(stale, 41200);
    assert.equal(stale.headers.etag, `"${version}"`);
    const back = await patch(8, { status: 'trying' }, { 'If-Match': `"x", "${version}-br"` });
    assert.equal(back.json.mark.status, 'trying');
    assert.equal(back.headers.etag, `"${back.json.mark.version}"`);
    assertRefusal(await patch(8, { starred: true }, { 'If-None-Match': '*' }), 41200);
    assert.equal((await patch(9, { starred: true }, { 'If-None-Match': '*' })).status, 200);
    assertRefusal(await patch(9, { status: 'solved' }, { 'If-None-Match': '*' }), 41200);
  });

  await t.test('an undo gives way to a later change, and leaves changes by hand alone', async () => {
    const first = (await patch(9, { status: 'reading' })).json.change;
    const second = (await patch(9, { status: 'solved' })).json.change;
    assertRefusal(await undo(first), 40902);
    assert.equal((await undo(second)).json.changed, 1);
    assert.equal((await undo(first)).json.changed, 1);
    assert.equal((await markOf(9)).status, 'not_started');
    assertRefusal(await undo('123456'), 40401);
    assertRefusal(await undo('abc'), 40001);
    assertRefusal(await ada.post(`/undo/${first}`, {}), 40006);
  });

  await t.test('POST /problems adds or finds, marks forward, and its undo takes everything back', async () => {
    const add = (body: object) => ada.post('/problems', body);
    const url = 'https://codeforces.com/contest/1700/problem/C';
    const fields = { title: 'C. New', topics: ['Greedy'], list: 'To do', status: 'trying', add_note: 'x' };
    const added = await add({ url, ...fields });
    assert.equal(added.status, 201, added.text);
    const { change, problem } = added.json;
    assert.match(added.headers.location ?? '', new RegExp(`/practice/v1/problems/${problem.id}$`));
    assert.deepEqual(
      [added.json.added, problem.key, problem.topics, problem.mark.status, problem.mark.note],
      [true, '1700C', ['greedy'], 'trying', 'x'],
    );
    const found = await add({ url, status: 'reading', add_note: 'x' });
    assert.deepEqual([found.status, found.json.change, found.json.added], [200, null, false]);
    assertRefusal(await add({ url: 'https://codeforces.com/blog/entry/1' }), 40052);
    assertRefusal(await add({ url, how: 'alone' }), 40052, /"how"/);
    assert.equal((await undo(change)).status, 200);
    assertRefusal(await ada(`/problems/${problem.id}`), 40401);
  });
});
