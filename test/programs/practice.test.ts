/** Reviews, suggestions and the timer, by programs. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { rowsOf, tamper } from '../support/databases.ts';
import { importProblems, importRows } from '../support/garden.ts';
import { assertRefusal } from '../support/http.ts';
import { type Json, problemUrl, programGarden } from './support.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

test('what is due, how it went, and its undo', async (t) => {
  const { databaseUrl, ada, ben, reader } = await programGarden(t);
  const solved = { username: 'ada', problem: 7, status: 'complete', origin: 'self' };
  await importRows(databaseUrl, 'statuses', [{ ...solved, updated_at: daysAgo(30) }]);
  const grade = (id: number, body: object, headers = {}, as = ada) => as.post(`/reviews/${id}`, body, headers);

  const due = (await reader('/due')).json;
  assert.deepEqual([due.items.length, due.done, due.waiting], [1, 0, 0]);
  const [item] = due.items;
  assert.deepEqual([item.problem.id, item.problem.mark.has_note, item.suggested, item.last], ['7', false, null, null]);
  for (const day of Object.values<string>(item.next)) assert.match(day, /^\d{4}-\d\d-\d\d$/);
  assertRefusal(await grade(8, { grade: 'good' }), 40904);
  assertRefusal(await grade(99, { grade: 'good' }), 40401);
  assertRefusal(await grade(7, { grade: 'good' }, {}, ben), 40904);
  assertRefusal(await grade(7, { grade: 'complete' }), 40052);
  assertRefusal(await grade(7, { grade: 'good' }, { 'If-Match': '"x"' }), 41200);
  const graded = await grade(7, { grade: 'good' }, { 'If-Match': `"${item.version}"` });
  assert.equal(graded.status, 200, graded.text);
  const { change, review } = graded.json;
  assert.deepEqual([review.problem, review.grade, review.next_day], ['7', 'good', item.next.good]);
  assertRefusal(await grade(7, { grade: 'good' }), 40904);
  assert.deepEqual([(await reader('/due')).json.done, (await reader('/due')).json.items], [1, []]);
  assert.equal((await ada.post(`/undo/${change}`)).json.changed, 1);
  assert.deepEqual((await reader('/due')).json, due);
  const never = await grade(7, { grade: 'never' });
  assert.equal(never.json.review.next_day, null);
});

test('suggestions say a level and never a chance', async (t) => {
  const { databaseUrl, ada } = await programGarden(t);
  assert.deepEqual((await ada('/next')).json.items, []);
  const ids = Array.from({ length: 60 }, (_, n) => 100 + n);
  const row = (n: number) => ({ source: 'codeforces', source_key: `${100 + n}B`, rating: 1000 + 20 * n });
  await importProblems(databaseUrl, ids, row);
  // Of each range only its first problem has no mark.
  const marked = (first: number, status: string) =>
    [1, 2, 3, 4, 5].map((n) => ({ username: 'ada', problem: first + n, status, updated_at: daysAgo(3) }));
  const marks = [...marked(100, 'complete'), ...marked(110, 'reading'), ...marked(120, 'reading')];
  await importRows(databaseUrl, 'statuses', marks);
  const { json } = await ada('/next');
  assert.equal(json.missing, 0);
  assert.deepEqual(
    json.items.map(({ kind, range, problem }: Json) => [kind, ...range, problem.id]),
    [
      ['like', 1000, 1100, '100'],
      ['up', 1200, 1300, '110'],
      ['stretch', 1400, 1500, '120'],
    ],
  );
  assert.ok(!JSON.stringify(json).includes('chance'));
  assert.deepEqual((await ada('/next')).json, json);
});

test('the timer is started, paused, stopped and undone', async (t) => {
  const { databaseUrl, ada, ben } = await programGarden(t);
  const act = (body: object, headers = {}, as = ada) => as.post('/timer', body, headers);
  const undo = (change: string) => ada.post(`/undo/${change}`);
  const timer = async () => (await ada('/timer')).json.timer;

  assert.deepEqual((await ada('/timer')).json, { timer: null });
  assertRefusal(await act({ action: 'pause' }), 40905);
  assertRefusal(await act({ action: 'start' }), 40052, /"problem"/);
  assertRefusal(await act({ action: 'start', problem: 7 }), 40052, /as a string/);
  assertRefusal(await act({ action: 'start', problem: '99' }), 40401);
  assertRefusal(await act({ action: 'pause', problem: '7' }), 40052, /"problem"/);
  const started = (await act({ action: 'start', problem: '7' })).json;
  assert.deepEqual([started.timer.state, started.timer.problem, started.timer.minutes], ['running', '7', 0]);
  assert.equal((await act({ action: 'start', problem: '7' })).json.change, null);
  assertRefusal(await act({ action: 'start', problem: '8' }), 40905, new RegExp(started.timer.id));
  assertRefusal(await act({ action: 'stop' }), 40052, /"outcome"/);
  assertRefusal(await act({ action: 'stop', outcome: 'solved', minutes: 5 }), 40052, /forgotten/);
  assertRefusal(await ada.patch('/marks/7', { status: 'trying', minutes: 5 }), 40905);
  const paused = (await act({ action: 'pause' }, { 'If-Match': `"${started.timer.version}"` })).json;
  assert.equal(paused.timer.state, 'paused');
  assert.equal((await act({ action: 'pause' })).json.change, null);
  assertRefusal(await act({ action: 'resume' }, { 'If-Match': `"${started.timer.version}"` }), 41200);
  assert.equal((await undo(paused.change)).json.changed, 1);
  assert.deepEqual(await timer(), started.timer);

  const other = (await act({ action: 'start', problem: '8', instead: started.timer.id })).json;
  assert.equal((await ada('/marks/7')).json.status, 'trying');
  assert.equal((await undo(other.change)).json.changed, 3);
  assert.deepEqual(await timer(), started.timer);
  assert.equal((await ada('/marks/7')).json.status, 'not_started');

  const stopped = (await act({ action: 'stop', outcome: 'editorial' })).json;
  assert.equal(stopped.timer.state, 'ended');
  const { status, how } = (await ada('/marks/7')).json;
  assert.deepEqual([status, how], ['solved', 'editorial']);
  assertRefusal(await undo(started.change), 40902);
  assert.equal((await undo(stopped.change)).json.changed, 2);
  assert.equal((await act({ action: 'discard' })).json.timer.state, 'ended');
  assert.equal(await timer(), null);

  const long = (await act({ action: 'start', problem: '9' })).json;
  await tamper(databaseUrl, `UPDATE timers SET started_at = '${daysAgo(1)}' WHERE id = ${long.timer.id}`);
  assert.equal((await timer()).state, 'forgotten');
  assertRefusal(await act({ action: 'stop', outcome: 'solved' }), 40052);
  assert.equal((await act({ action: 'stop', outcome: 'solved', minutes: 45 })).json.timer.minutes, 45);
  assert.deepEqual((await ben('/timer')).json, { timer: null });
});

test('lists are listed, get a problem at the end, and give it back', async (t) => {
  const { databaseUrl, ada, ben } = await programGarden(t);
  const made = (await ada.post('/problems', { url: problemUrl(7), list: 'To do' })).json;
  const lists = async () => (await ada('/lists')).json;
  const [list] = (await lists()).items;
  assert.deepEqual([list.name, list.visibility, list.problems, list.solved], ['To do', 'private', 1, 0]);
  const add = (body: object, headers = {}, as = ada) => as.post(`/lists/${list.id}/problems`, body, headers);
  assertRefusal(await add({ problem: '8' }, {}, ben), 40401);
  assertRefusal(await add({}), 40052, /"url"/);
  assertRefusal(await add({ problem: '99' }), 40401);
  assertRefusal(await add({ problem: '8' }, { 'If-Match': '"99"' }), 41200);
  assert.equal((await add({ problem: '7' })).json.change, null);
  const added = await add(
    { problem: '8', memo: 'Two pointers.', section: 'Later' },
    { 'If-Match': `"${list.version}"` },
  );
  const items = () => rowsOf(databaseUrl, 'SELECT problem_id, section, memo FROM list_items ORDER BY position');
  const texts = (await items()).map(({ problem_id, section, memo }) => `${problem_id} ${section} ${memo}`);
  assert.deepEqual(texts, ['7 1 null', '8 2 Two pointers.']);
  assert.equal((await ada.post(`/undo/${added.json.change}`)).json.changed, 1);
  assert.equal((await items()).length, 1);
  const url = 'https://codeforces.com/contest/1700/problem/F';
  const brought = (await add({ url })).json;
  assert.equal(brought.added, true);
  await ada.post(`/undo/${brought.change}`);
  assertRefusal(await ada(`/problems/${brought.problem}`), 40401);
  await ada.post(`/undo/${made.change}`);
  assert.deepEqual(await lists(), { items: [], next: null });
});
