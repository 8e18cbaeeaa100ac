/**
 * The review queue as a member uses it: due problems with the day on every button, one grade a day whatever is sent, undo, putting
 * off, the number a day, and the queues that are views of the problem list.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openGarden, submissions } from '../importing/support.ts';
import { enter, openBrowser, openPage } from '../support/browser.ts';
import { attributeOf, attributesOf, totalIn } from '../support/elements.ts';
import { type Page, textOf } from '../support/forms.ts';
import { importRows, temporaryDatabase } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';
import { ponds } from '../support/ponds.ts';

const queue = '/dashboard/review/';
const problemsIn = (page: Page) => attributesOf(page, '.due', 'data-problem').map(Number);

async function world(t: TestContext) {
  const databaseUrl = await temporaryDatabase(t);
  await membersNamed(databaseUrl, 'ada', 'bob');
  const problems = ponds(8, (n) => ({
    ...(n === 0 && { title: '<b>Pond</b> & \u202etxt' }),
    rating: 1000 + n * 100,
    url: `https://codeforces.com/problemset/problem/${n + 1}/A`,
  }));
  await importRows(databaseUrl, 'problems', problems);
  const solved = problems.slice(0, 6).map(({ id: problem }, n) => ({
    username: 'ada',
    problem,
    status: 'complete',
    how: n === 3 ? 'editorial' : n === 4 ? 'hint' : 'alone',
    updated_at: `2025-0${n + 1}-01T12:00:00Z`,
  }));
  await importRows(databaseUrl, 'statuses', solved);
  const { url } = await serveHere(t, { databaseUrl });
  const garden = await openGarden(t, databaseUrl);
  return { url, garden, databaseUrl, browser: await browserOf(url, 'ada') };
}

test('due problems, one grade a day, undo, and how many come', async (t) => {
  const { url, garden, browser } = await world(t);
  // Solved again two weeks later, from which the card counts; the page says when it was solved first.
  const again = Date.parse('2025-04-15T12:00:00Z') / 1000;
  await garden.import('codeforces-submissions', submissions(['4A', 'OK', again]), { member: 'ada' });
  const page = await browser.open(queue);
  assert.deepEqual([problemsIn(page), totalIn(page)], [[4, 5, 1], 3]);
  assert.match(textOf(page, '.due:nth-child(1)'), /with the editorial\. 1 Apr 2025/);
  assert.match(textOf(page, '.due:nth-child(2)'), /with a hint/);
  assert.match(textOf(page, '.panel-head'), /3 more due, on other days/);
  assert.ok(!page.text.includes('<b>Pond'));
  const dates = attributesOf(page, '.due:first-child .grade time', 'datetime');
  assert.equal(dates.length, 4);
  assert.deepEqual(dates.toSorted(), dates);
  assert.ok(String(dates[0]) > new Date(Date.now() - 86_400_000).toISOString().slice(0, 10));
  const other = await browserOf(url, 'ada');
  await other.open(queue);
  const first = '.due:first-child';
  const graded = await browser.submit({ within: first, name: 'grade', value: 'hard' });
  assert.match(graded.path, /done=\d+/);
  assert.deepEqual([problemsIn(graded), totalIn(graded)], [[5, 1], 2]);
  assert.match(textOf(graded, '.undo p'), /Pond 4: hard · next review/);
  const cards = garden.store.reader.selectFrom('review_cards').select('due_day').where('problem_id', '=', 4n);
  const [card] = await cards.execute();
  assert.equal(new Date(Number(card?.due_day) * 86_400_000).toISOString().slice(0, 10), dates[1]);
  const late = await other.submit({ within: first, name: 'grade', value: 'easy' });
  assert.equal(late.status, 409);
  assert.match(textOf(late, '[role=alert]'), /no longer due/);
  assert.equal((await garden.store.reader.selectFrom('reviews').selectAll().execute()).length, 1);
  const undone = await browser.submitAt(graded.path, { within: '.undo', name: 'undo' });
  assert.deepEqual(problemsIn(undone), [4, 5, 1]);
  assert.match(textOf(undone, '.events'), /undone/);
  assert.equal(textOf(undone, '.undo[role=status] p'), 'Undone: Pond 4, hard');
  const away = await browser.submit({ within: first, name: 'grade', value: 'never' });
  assert.deepEqual(problemsIn(away), [5, 1, 2]);
  const off = await browser.submit({ within: '.a-day' }, { a_day: '0' });
  assert.match(textOf(off, '.empty'), /Reviews are off/);
  assert.equal(totalIn(off), 0);
  const more = await browser.submit({ within: '.a-day' }, { a_day: '20' });
  assert.equal(problemsIn(more).length, 5);
  for (const said of ['good', 'again', 'easy', 'good', 'good'])
    await browser.submit({ within: first, name: 'grade', value: said });
  const empty = await browser.open(queue);
  assert.match(textOf(empty, '.empty'), /Done for today.*5 reviews today/s);
  const bob = await browserOf(url, 'bob');
  const theirs = await bob.open(queue);
  assert.equal(totalIn(theirs), 0);
  assert.ok(!theirs.text.includes('Pond'));
});

test('starting opens the problem with the queue’s bar, and its grade leads back', async (t) => {
  const { browser } = await world(t);
  const page = await browser.open(queue);
  const start = attributeOf(page, '.due-start a', 'href') ?? '';
  const problem = await browser.open(start);
  assert.equal(problem.path, '/problem_list/problem/4/?review=1');
  assert.match(textOf(problem, '.review-bar'), /How did it go\?.*Open on Codeforces/s);
  assert.equal(problem.document.querySelector('form.how'), null, 'a review asks one question');
  const back = await browser.submit({ within: '.review-bar', name: 'grade', value: 'good' });
  assert.ok(back.path.startsWith(queue));
  assert.deepEqual(problemsIn(back), [5, 1]);
  const again = await browser.open(start);
  assert.equal(again.document.querySelector('.review-bar'), null, 'it is not due any more');
  assert.equal((await browser.open('/problem_list/problem/7/?review=1')).document.querySelector('.review-bar'), null);
});

test('the note on a problem that is due is hidden until it is asked for, on every way to its page', async (t) => {
  const { browser } = await world(t);
  for (const id of [4, 7]) {
    await browser.submitAt(
      `/problem_list/problem/${id}/`,
      { within: '#your-note', name: 'note' },
      { note: 'Sort by the end.' },
    );
  }
  const note = async (path: string) => (await browser.open(path)).document.querySelector('#your-note .prose');
  for (const path of ['/problem_list/problem/4/', '/problem_list/problem/4/?review=1'])
    assert.ok((await note(path))?.closest('details:not([open])'), path);
  const open = await note('/problem_list/problem/7/');
  assert.equal(open?.closest('details'), null, 'it is not due');
  await browser.submitAt(queue, { within: '.due[data-problem="4"]', name: 'grade', value: 'good' });
  assert.equal((await note('/problem_list/problem/4/'))?.closest('details'), null);
});

test('the other queues are views of the problem list', async (t) => {
  const { browser } = await world(t);
  assert.equal((await browser.open('/dashboard/upsolve/')).path, '/problem_list/?status=tried');
  assert.equal((await browser.open('/dashboard/bookmarks/')).path, '/problem_list/?bookmarked=true');
});

test('the queue as a browser shows it: axe, widths, keyboard', async (t) => {
  const shown = await openBrowser(t);
  if (!shown) return;
  const { url } = await world(t);
  const { page, look } = await openPage(shown, url);
  await enter(page, url, 'ada');
  await page.goto(url + queue);
  await look();
  await page.focus('.due:first-child .grade[value=good]');
  await page.keyboard.press('Enter');
  await page.waitForURL(/done=/);
  await look();
  await page.goto(`${url}/problem_list/problem/5/?review=1`);
  await look();
});
