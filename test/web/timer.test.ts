/** The timer on pages without script: it is started, asked about and stopped by forms, and each says what became of it. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setBookmarks } from '../../src/practice/marks.ts';
import { setSwitch } from '../../src/practice/preferences.ts';
import { insertTimer } from '../../src/store/timers.ts';
import { codeforces, openGarden, submissions } from '../importing/support.ts';
import { attributeOf, attributesOf, csrfOf, totalIn, valueIn } from '../support/elements.ts';
import { type Page, textOf } from '../support/forms.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';

/** Problems P1, P2 and so on, and Ada and Bob. */
async function world(t: TestContext, count: number) {
  const garden = await openGarden(t);
  await membersNamed(garden.databaseUrl, 'ada', 'bob');
  const problems = Array.from({ length: count }, (_, n) => {
    return { name: `P${n + 1}`, index: 'A', contestId: n + 1, rating: 1600 };
  });
  await garden.import('codeforces-problems', codeforces(...problems));
  const { url } = await serveHere(t, garden);
  return { garden, url, ada: await browserOf(url, 'ada') };
}

const start = { within: '.page-head', name: 'do', value: 'start' };
const press = (value: string) => ({ within: '.panel.timer', name: 'do', value });
const pill = (page: Page) => page.document.querySelector('.timer-pill');
const minute = 60_000;

test('a timer goes from its start to the grade of the problem, and its pages say how it went', async (t) => {
  const { garden, url, ada } = await world(t, 9);
  const other = await browserOf(url, 'ada');
  /** Moves the start of the timers that are open to so many minutes ago; answers the start. */
  const back = async (minutes: number) => {
    const started = new Date(Date.now() - minutes * minute - 5000);
    await garden.store.write((tx) =>
      tx.updateTable('timers').set({ started_at: started.toISOString() }).where('stopped_at', 'is', null).execute(),
    );
    return started;
  };
  const idle = await ada.open('/problem_list/problem/1/');
  assert.equal(pill(idle), null);
  const begun = await ada.submit(start);
  assert.equal(begun.path, '/problem_list/problem/1/');
  await back(23);
  const running = await ada.open('/problem_list/problem/1/');
  assert.equal(textOf(running, '.timer-clock p'), '23 min');
  assert.equal(attributeOf(running, '[data-timer]', 'data-timer'), 'runs');
  assert.match(textOf(await other.open('/plants/'), '.timer-pill'), /Timer: 23 min P1/);
  assert.ok((await other.open('/dashboard/')).document.querySelector('.panel.timer'), 'Today has it first');

  // Another tab has paused it since this one was loaded.
  await other.submitAt('/problem_list/problem/1/', press('pause'));
  const stale = await ada.submit(press('unsolved'));
  assert.equal(stale.status, 409);
  assert.match(textOf(stale, '.notice'), /The timer was changed in another tab/);
  assert.match(textOf(stale, '.timer-clock h2'), /Timer paused/);

  const asked = await ada.submitAt('/problem_list/problem/2/', start);
  assert.equal(asked.status, 409);
  assert.match(textOf(asked, '.notice'), /A timer is running for P1 \(2\d min\)/);
  const replaced = await ada.submit({ name: 'instead' });
  assert.equal(replaced.path, '/problem_list/problem/2/');
  assert.match(String(pill(replaced)?.textContent), /P2/);
  const first = await ada.open('/problem_list/problem/1/');
  assert.match(textOf(first, '[data-timer] p'), /min, not solved/);
  assert.match(textOf(first, '.times'), /1600–1799Shown after 5 timed problems\. So far: 0\.This problem before/);

  // The sync brings the submission later; it was sent 28 minutes after the start.
  await ada.open('/problem_list/problem/2/');
  const sentAt = Math.ceil((await back(60)).getTime() / 1000) + 28 * 60;
  await garden.import('codeforces-submissions', submissions(['2A', 'OK', sentAt]), { member: 'ada' });
  const solved = await ada.open('/problem_list/problem/2/');
  assert.equal(textOf(solved, '.verdict .big'), 'Solved in 28 min');
  assert.match(textOf(solved, '.verdict .soft'), /Stopped by your accepted submission/);
  assert.equal(pill(solved), null);
  assert.equal(solved.document.querySelector('.grade.suggested'), null, 'too few are timed');

  // Five others of 31 minutes say what is usual.
  for (const id of [3, 4, 5, 6, 7]) {
    await ada.submitAt(`/problem_list/problem/${id}/`, start);
    await back(31);
    const done = await ada.submitAt(`/problem_list/problem/${id}/`, press('solved'));
    assert.match(textOf(done, '.undo p'), new RegExp(`P${id}: 31 min, solved`));
  }
  const again = await ada.open('/problem_list/problem/2/');
  assert.deepEqual(attributesOf(again, '.grade.suggested', 'value'), ['good']);
  assert.match(textOf(again, '.timed-grades .hint'), /28 min; your median at 1600–1799 is 31: Good\. You decide\./);
  assert.equal(again.document.querySelector('.grade[aria-pressed="true"]'), null, 'nothing is chosen for them');
  assert.equal(textOf(again, '.times'), 'Your median at 1600–179931 min 5 timed', 'both leave this solve out');
  const graded = await ada.submit({ within: '.timed-grades', name: 'grade', value: 'hard' });
  assert.equal(attributeOf(graded, '.grade[aria-pressed="true"]', 'value'), 'hard');

  const times = await ada.open('/dashboard/progress/time/');
  assert.match(textOf(times, '.medians tbody'), /1600–1799\s*31 min\s*6/);
  const listed = await ada.open('/dashboard/progress/time/?source=codeforces&rating=1600');
  assert.equal(totalIn(listed), 6);
  for (const query of ['rating=1650', 'source=codeforces&rating=1650']) {
    const inside = await ada.open(`/dashboard/progress/time/?${query}`);
    assert.equal(totalIn(inside), 6, query);
    assert.match(textOf(inside, '.chosen'), /1600–1799/, query);
  }

  // Hidden ratings stay hidden, also in what is usual around them.
  await ada.submitAt('/problem_list/problem/9/', start);
  await ada.submit(press('unsolved'));
  await garden.store.write((tx) => setSwitch(tx, 1n, 'hidesRatings', true));
  const hidden = await ada.open('/problem_list/problem/9/');
  assert.match(textOf(hidden, '.times'), /^Your median for problems of this level31 min 6 timed/);
  const rowOf = async (title: string) => {
    const { document } = await ada.open('/dashboard/progress/time/');
    return document.querySelectorAll('.timed tbody tr').find((one) => one.textContent.includes(title));
  };
  assert.equal((await rowOf('P9'))?.querySelectorAll('details .diff').length, 1, 'not solved');
  assert.equal((await rowOf('P3'))?.querySelectorAll('details').length, 0, 'solved');
  assert.match(textOf(await ada.open('/problem_list/problem/3/'), '.times'), /Your median at 1600–1799/);
  await garden.store.write((tx) => setSwitch(tx, 1n, 'hidesRatings', false));

  // One undo takes the end and the mark back.
  await ada.submitAt('/problem_list/problem/8/', start);
  await ada.submit(press('editorial'));
  const undone = await ada.submit({ within: '.undo', name: 'undo' });
  assert.equal(attributeOf(undone, '[data-problem]', 'data-status'), 'not_started');
  assert.equal(textOf(undone, '.verdict .big'), 'Timer running');
  assert.equal(textOf(undone, '.undo p'), 'Undone: P8, Under a minute, with the editorial');
  assert.equal(textOf(undone, '.undo-main'), 'Redo u');
  const redone = await ada.submit({ within: '.undo', name: 'redo' });
  assert.equal(textOf(redone, '.undo p'), 'P8: Under a minute, with the editorial');
  const { searchParams } = new URL(undone.path, url);
  const timers = garden.store.reader.selectFrom('timers').select('stopped_at').where('problem_id', '=', 8n);
  assert.deepEqual(await timers.execute(), [{ stopped_at: searchParams.get('end') }], 'the end that was undone');
  await ada.submit({ within: '.undo', name: 'undo' });
  for (const name of ['undone', 'end']) {
    const other = new URLSearchParams(searchParams);
    other.set(name, 'x');
    assert.equal((await ada.open(`/problem_list/problem/8/?${other}`)).document.querySelector('.undo'), null);
  }
  const started = await back(13 * 60);
  const forgotten = await ada.open('/dashboard/');
  assert.match(textOf(forgotten, '.panel.timer'), /This timer has run for more than 12 hours/);
  const wrong = await ada.submit(press('solved'));
  assert.equal(wrong.status, 422);
  assert.match(textOf(wrong, '.notice'), /enter a whole number of minutes from 1 to 720/);
  const loaded = await ada.open(wrong.path);
  assert.deepEqual([loaded.status, `${loaded.path}timer/`], [200, wrong.path], 'also after a choice of colours');
  const told = await ada.submit(press('solved'), { minutes: '45' });
  assert.equal(textOf(told, '.verdict .big'), 'Solved in 45 min');
  const ended = new RegExp(`You ended the timer that you started on ${started.getUTCDate()} `);
  assert.match(textOf(told, '.verdict .soft'), ended);
});

test('the history has each timer, and brings back one that was deleted', async (t) => {
  const { ada } = await world(t, 2);
  const history = '/dashboard/history/';
  await ada.submitAt('/problem_list/problem/1/', start);
  await ada.submit(press('unsolved'));
  await ada.submitAt('/problem_list/problem/2/', start);
  await ada.submit(press('discard'));
  const rows = ({ document }: Page) => document.querySelectorAll('.event').map((one) => textOf({ document: one }, 'p'));
  assert.deepEqual(rows(await ada.open(history)), [
    'P2 CF2A Timer time deleted',
    'P1 CF1A not started → trying',
    'P1 CF1A Under a minute, not solved on the timer',
  ]);

  // A time that counted can be deleted here, and each one brought back.
  const deleted = await ada.submit({ within: '[data-timer="1"]', name: 'do', value: 'discard' });
  assert.match(deleted.path, new RegExp(`^${history}\\?timed=1$`));
  assert.match(textOf(deleted, '.undo p'), /P1: time deleted/);
  assert.match(rows(await ada.open(history))[2] ?? '', /^P1 .* not solved on the timer time deleted$/);
  const restored = await ada.submit({ within: '[data-timer="1"]', name: 'undo' });
  assert.equal(textOf(restored, '.undo p'), 'Undone: P1, time deleted');
  assert.match(rows(await ada.open(history))[2] ?? '', /^P1 .* not solved on the timer$/);
  await ada.submit({ within: '[data-timer="2"]', name: 'undo' });
  const running = await ada.open('/problem_list/problem/2/');
  assert.ok(running.document.querySelector('.panel.timer'), 'it runs on');
});

test('the history goes on over pages of changes and timers, each of them once', async (t) => {
  const { garden, ada } = await world(t, 70);
  const ids = Array.from({ length: 70 }, (_, n) => BigInt(n + 1));
  for (const id of ids) await setBookmarks(garden.store, 1n, [id], true);
  const at = new Date().toISOString();
  const unsolved = { outcome: 'unsolved', solved_at: null, grade: null, change_id: null, undone_at: null } as const;
  for (const id of ids) {
    const row = { ...unsolved, pauses: '[]', user_id: 1n, problem_id: id, started_at: at, stopped_at: at };
    await garden.store.write((tx) => insertTimer(tx, row));
  }
  const seen: string[] = [];
  for (let path: string | undefined = '/dashboard/history/'; path; ) {
    const { document } = await ada.open(path);
    const events = document.querySelectorAll('.event');
    assert.ok(events.length > 0 && events.length <= 50);
    seen.push(...events.map((one) => String(one.getAttribute('data-change') ?? `t${one.getAttribute('data-timer')}`)));
    const links = document.querySelectorAll('main p > a').map((one) => one.getAttribute('href') ?? '');
    path = links.find((href) => /\?(?:before|timer)=/.test(href));
  }
  assert.equal(seen.length, 140);
  assert.equal(new Set(seen).size, 140);
});

test('a form that no page has made changes no timer, and nobody reaches another’s', async (t) => {
  const { garden, url, ada } = await world(t, 1);
  const bob = await browserOf(url, 'bob');
  await ada.submitAt('/problem_list/problem/1/', start);
  const page = await ada.open('/problem_list/problem/1/');
  const version = valueIn(page, 'timer') ?? '';
  const _csrf = csrfOf(await bob.open('/problem_list/problem/1/'));
  const path = '/problem_list/problem/1/timer/';
  for (const fields of [
    { timer: version, do: 'discard' },
    { timer: version, do: 'solved' },
    { undo: version },
    { timer: '', do: 'pause' },
    { timer: 'x'.repeat(400), do: 'pause' },
    { timer: version, grade: 'good' },
    { do: 'start', instead: 'x' },
    {},
  ]) {
    const answer = await bob.post(path, { _csrf, ...fields } as never);
    assert.ok(answer.status < 500, JSON.stringify(fields));
  }
  const timers = garden.store.reader.selectFrom('timers').where('user_id', '=', 1n);
  const own = await timers.select(['stopped_at', 'undone_at']).execute();
  assert.deepEqual(own, [{ stopped_at: null, undone_at: null }]);
  assert.equal((await bob.post('/problem_list/problem/99/timer/', { _csrf, do: 'start' })).status, 404);
});
