/** History and undo: each write of a program is one entry with the name of its token, and its undo. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { rowsOf } from '../support/databases.ts';
import { importRows } from '../support/garden.ts';
import { assertRefusal } from '../support/http.ts';
import { browserOf } from '../support/in-process.ts';
import { programGarden } from './support.ts';

const path = '/dashboard/history/';

test('a write of a program is one entry of History and undo, and is undone there', async (t) => {
  const { server, ada } = await programGarden(t);
  const browser = await browserOf(server.url, 'ada');
  const parts = { status: 'solved', how: 'hint', starred: true, note: 'Parity.', minutes: 30 };
  const marked = await ada.patch('/marks/7', parts);
  const page = await browser.open(path);
  const events = page.document.querySelectorAll('.event');
  assert.equal(events.length, 1);
  const text = events[0]?.textContent.replaceAll(/\s+/g, ' ') ?? '';
  assert.match(text, /P7 .*not started → solved, with a hint, timer, starred, note saved by the program test/);
  const problem = (await browser.open('/problem_list/problem/7/')).document.querySelector(
    'section:has(#history-title)',
  );
  assert.match(problem?.textContent.replaceAll(/\s+/g, ' ') ?? '', /3 changes; .*note saved by the program test/);
  const today = (await browser.open('/dashboard/')).document.querySelectorAll('.event');
  assert.deepEqual(
    today.map((one) => one.textContent.replaceAll(/\s+/g, ' ')),
    [text],
  );
  const undone = await browser.submit({ name: 'program', value: marked.json.change });
  assert.equal(undone.path, '/dashboard/');
  assert.equal((await ada('/marks/7')).json.status, 'not_started');
  const after = await browser.open(path);
  assert.equal(after.document.querySelectorAll('.event[data-undone]').length, 1);
  assert.deepEqual((await ada.post(`/undo/${marked.json.change}`)).json.changed, 0);
});

test('a change by hand is an entry of its own, which no program undoes', async (t) => {
  const { databaseUrl, server, ada } = await programGarden(t);
  const browser = await browserOf(server.url, 'ada');
  await browser.open('/problem_list/problem/7/');
  await browser.submit({ name: 'bookmark', value: 'true' });
  const [row] = await rowsOf(databaseUrl, 'SELECT id FROM changes');
  assertRefusal(await ada.post(`/undo/${row?.['id']}`), 40303);
  assert.equal((await browser.open(path)).document.querySelectorAll('.event[data-change]').length, 1);
});

test('a cached read shows each change at once', async (t) => {
  const { databaseUrl, server, ada, ben } = await programGarden(t);
  const browser = await browserOf(server.url, 'ada');
  const changes: (() => Promise<unknown>)[] = [
    () => ada.patch('/marks/7', { note: 'Parity.' }),
    () => ada.patch('/marks/7', { status: 'solved', how: 'hint' }),
    () => ada.patch('/marks/7', { how: 'alone' }),
    () => browser.open('/problem_list/problem/7/').then(() => browser.submit({ name: 'bookmark', value: 'true' })),
    () => importRows(databaseUrl, 'problems', [{ id: 7, title: 'Renamed', source: 'codeforces', source_key: '7A' }]),
  ];
  const paths = ['/problems/7', '/problems?judge=codeforces', '/marks/7'];
  const read = (as = ada) => Promise.all(paths.map(async (path) => (await as(path)).text));
  const seen: string[][] = [];
  for (const change of changes) {
    seen.push(await read());
    // Short answers are cached at the second request.
    for (let times = 0; times < 2; times++) assert.deepEqual(await read(), seen.at(-1));
    await change();
  }
  seen.push(await read());
  for (const nth of [0, 1, 2])
    assert.equal(new Set(seen.map((texts) => texts[nth])).size, 1 + changes.length, paths[nth]);
  assert.match((await read(ben))[0] ?? '', /"status":"not_started"/);
});
