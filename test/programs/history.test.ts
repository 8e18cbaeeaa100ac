/** History and undo: each write of a program is one entry with the name of its token, and its undo. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { rowsOf } from '../support/databases.ts';
import { assertRefusal } from '../support/http.ts';
import { browserOf } from '../support/in-process.ts';
import { programGarden } from './support.ts';

const path = '/dashboard/history/';

test('a write of a program is one entry of History and undo, and is undone there', async (t) => {
  const { server, ada } = await programGarden(t);
  const browser = await browserOf(server.url, 'ada');
  const marked = await ada('/marks/7', {
    method: 'PATCH',
    body: { status: 'solved', how: 'hint', starred: true, note: 'Parity.', minutes: 30 },
  });
  const page = await browser.open(path);
  const events = page.document.querySelectorAll('.event');
  assert.equal(events.length, 1);
  const text = events[0]?.textContent.replaceAll(/\s+/g, ' ') ?? '';
  assert.match(text, /P7 .*not started → solved, with a hint, Timer, starred, note saved by the program test/);
  await browser.submit({ name: 'program', value: marked.json.change });
  assert.equal((await ada('/marks/7')).json.status, 'not_started');
  const after = await browser.open(path);
  assert.equal(after.document.querySelectorAll('.event[data-undone]').length, 1);
  assert.deepEqual((await ada(`/undo/${marked.json.change}`, { method: 'POST' })).json.changed, 0);
});

test('a change by hand is an entry of its own, which no program undoes', async (t) => {
  const { databaseUrl, server, ada } = await programGarden(t);
  const browser = await browserOf(server.url, 'ada');
  await browser.open('/problem_list/problem/7/');
  await browser.submit({ name: 'bookmark', value: 'true' });
  const [row] = await rowsOf(databaseUrl, 'SELECT id FROM changes');
  assertRefusal(await ada(`/undo/${row?.['id']}`, { method: 'POST' }), 40303);
  assert.equal((await browser.open(path)).document.querySelectorAll('.event[data-change]').length, 1);
});
