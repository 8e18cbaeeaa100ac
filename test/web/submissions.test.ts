/**
 * Facts from judges on the pages of problems: submissions by day, both words, twins, contests, and the filter by contest;
 * and addresses of problems that are pasted into the search.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { codeforcesNamed, openGarden, type Sent, submissionsOf, twins } from '../importing/support.ts';
import { attributeOf, textsOf, totalIn, valueIn } from '../support/elements.ts';
import { type Browser, type Page, textOf } from '../support/forms.ts';
import { temporaryDatabase } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';

const list = '/problem_list/';
const usual = { type: 'CF', phase: 'FINISHED', frozen: false, durationSeconds: 7200 };
const round = (id: number, name: string) => ({ ...usual, id, name, startTimeSeconds: id });
const tasks = ['10A', '10B', '20A', '20B', '30A'];

async function world(t: TestContext) {
  const databaseUrl = await temporaryDatabase(t);
  const ids = await membersNamed(databaseUrl, 'ada', 'bob');
  const garden = await openGarden(t, databaseUrl);
  await garden.import('codeforces-contests', {
    status: 'OK',
    result: [round(10, 'Pond Round 1 (Div. 2)'), round(20, 'Pond Round 1 (Div. 1)'), round(21, 'Pond Round 10')],
  });
  await garden.import('codeforces-problems', codeforcesNamed('Task', ...tasks, '21A'));
  await garden.import('codeforces-twins', twins(['10B', '20A']));
  const task = { id: 'abc107_a', contest_id: 'abc107', problem_index: 'A', name: 'Train', title: 'A. Train' };
  await garden.import('atcoder-problems', [task, { ...task, id: 'arc101_b', name: 'Median', problem_index: 'D' }]);
  const times = { start_epoch_second: 5, duration_second: 60, rate_change: '-' };
  await garden.import('atcoder-contests', [
    { ...times, id: 'abc107', title: 'AtCoder Beginner Contest 107' },
    { ...times, id: 'arc101', title: 'AtCoder Regular Contest 101' },
  ]);
  const place = { problem_id: 'arc101_b', problem_index: 'D' };
  await garden.import('atcoder-contest-problems', [
    { ...place, contest_id: 'arc101' },
    { ...place, contest_id: 'abc107' },
    { problem_id: 'abc107_a', problem_index: 'A', contest_id: 'abc107' },
  ]);
  const keys = await garden.store.reader.selectFrom('problem_keys').selectAll().execute();
  const idOf = new Map(keys.map(({ key, problem_id }) => [key, problem_id]));
  const { url } = await serveHere(t, { databaseUrl });
  const open = (browser: Browser, key: string) => browser.open(`${list}problem/${idOf.get(key)}/`);
  return { url, garden, ids, idOf, open, enter: (name: string) => browserOf(url, name) };
}

const addressOf = (element: Pick<Page['document'], 'getAttribute'> | null | undefined) => element?.getAttribute('href');
const titlesIn = ({ document }: Page) =>
  document.querySelectorAll('tr[data-problem] .c-title a[title]').map((one) => one.textContent);
const total = ({ document }: Page) => Number(document.querySelector('.found')?.getAttribute('data-total'));

test('submissions stand in the history by day, with the judge’s page of each, beside the member’s changes', async (t) => {
  const { enter, garden, open } = await world(t);
  const day = 86_400;
  const sent = submissionsOf(
    'ada_cf',
    ['10B', 'WRONG_ANSWER', day],
    ['10B', 'COMPILATION_ERROR', day + 60],
    ['20A', 'OK', 2 * day],
    ['20A', undefined, 3 * day],
  ) as {
    result: { author: { participantType: string; members: unknown[] }; programmingLanguage?: string }[];
  };
  const [first, , third, last] = sent.result;
  if (first) first.author.participantType = 'VIRTUAL';
  third?.author.members.push({ handle: 'bob_cf' });
  if (third) third.author.participantType = 'CONTESTANT';
  if (last) delete last.programmingLanguage;
  await garden.import('codeforces-submissions', sent, { member: 'ada' });
  const ada = await enter('ada');
  const page = await open(ada, '20A');
  const lines = page.document.querySelectorAll('[data-submission]');
  const judge = 'https://codeforces.com/contest';
  assert.deepEqual(
    lines.map((one) => [textOf({ document: one }, 'p'), addressOf(one.querySelector('p a'))]),
    [
      ['In the queue 20A · practice · as ada_cf · from a file', `${judge}/20/submission/20259200`],
      ['Accepted 20A · with a team · GNU C++17 · as ada_cf · from a file', `${judge}/20/submission/20172800`],
      ['Compile error 10B · practice · GNU C++17 · as ada_cf · from a file', `${judge}/10/submission/10086460`],
      ['Wrong answer 10B · virtual contest · GNU C++17 · as ada_cf · from a file', `${judge}/10/submission/10086400`],
    ],
  );
  assert.deepEqual(
    textsOf(page, '.days h3'),
    ['Saturday, 3 January 1970', 'Friday, 2 January 1970', 'Thursday, 1 January 1970'],
    'what was sent at midnight counts for the evening',
  );
  for (const time of page.document.querySelectorAll('main .event time')) {
    assert.match(time.getAttribute('datetime') ?? '', /^\d{4}-.*Z$/);
    assert.match(time.getAttribute('title') ?? '', / UTC$/);
  }
  assert.equal(lines[1]?.querySelector('.change')?.textContent, 'Solved from Codeforces');
  assert.equal(page.document.querySelectorAll('.event').length, 4);
  assert.equal(textOf(page, '.panel-head:has(#history-title) p'), '4 submissions from Codeforces; times are in UTC');
  assert.match(
    textOf(page, '.verdict-now p.soft'),
    /^Imported from Codeforces: solved \(2 Jan 1970\)\. Accepted on the 3rd of 4 submissions\.$/,
  );

  await ada.submit({ within: '.verdict', name: 'status', value: 'skipped' });
  const both = await open(ada, '20A');
  assert.equal(attributeOf(both, '[data-problem]', 'data-status'), 'skipped');
  assert.match(
    textOf(both, '.verdict-now p.soft'),
    /^You marked this as skipped \(.*\)\. Imported from Codeforces: solved \(2 Jan 1970\)\. Accepted on the 3rd of 4 submissions\.$/,
  );
  assert.match(textOf(both, '.panel-head:has(#history-title) p'), /^4 submissions from Codeforces; 1 change;/);
  assert.equal(both.document.querySelectorAll('.event').length, 5);

  const bob = await enter('bob');
  const theirs = await open(bob, '20A');
  assert.equal(theirs.text.includes('ada_cf'), false);
  assert.equal(theirs.document.querySelectorAll('.event, [data-sent]').length, 0);
});

test('what was tried, or solved under two handles, is told in figures on the page and in the list', async (t) => {
  const { enter, garden, open, idOf } = await world(t);
  const ada = await enter('ada');
  for (const sent of [
    submissionsOf('ada_cf', ['10A', 'WRONG_ANSWER', 10], ['30A', 'OK', 20]),
    submissionsOf('ada_two', ['30A', 'OK', 30]),
  ])
    await garden.import('codeforces-submissions', sent, { member: 'ada' });
  assert.match(textOf(await open(ada, '10A'), '[data-sent]'), /^1 submission so far\.$/);
  assert.match(textOf(await open(ada, '30A'), '[data-sent]'), /^Accepted on the 1st of 2 submissions\.$/);
  const page = await ada.open(`${list}?order=source_key`);
  const last = (key: string) => textOf(page, `[data-problem="${idOf.get(key)}"] .c-last`);
  assert.deepEqual(['10A', '30A', '20B'].map(last), ['Dec 1969 1 try', 'Dec 1969 2 tries', '']);
  await ada.submit({ within: `[data-problem="${idOf.get('30A')}"]`, name: 'how', value: 'hint' });
  assert.match(textOf(ada.page(), `[data-problem="${idOf.get('30A')}"] .c-last`), / hint$/);
  const said = /Task 30A:? .*solved, with a hint, now your own mark/;
  assert.match(textOf(ada.page(), '.undo p'), said);
  assert.match(textOf(await ada.open('/dashboard/history/'), '[data-change] p'), said);
  const beyond = await ada.open('/dashboard/history/?before=0');
  assert.match(textOf(beyond, '[data-change] p'), said, 'what is before the first is no empty history');
});

test('a page shows the newest hundred of many submissions, and says how many are older', async (t) => {
  const { enter, garden, open } = await world(t);
  const many = Array.from({ length: 130 }, (_, place): Sent => ['10A', 'WRONG_ANSWER', place + 1]);
  await garden.import('codeforces-submissions', submissionsOf('ada_cf', ...many), { member: 'ada' });
  const page = await open(await enter('ada'), '10A');
  assert.equal(page.document.querySelectorAll('[data-submission]').length, 100);
  assert.match(textOf(page, 'main'), /30 older submissions not shown\./);
  assert.equal(textOf(page, '[data-sent]'), '130 submissions so far.');
});

test('a problem names its contest with the letter, and each twin with its own', async (t) => {
  const { enter, open } = await world(t);
  const ada = await enter('ada');
  const page = await open(ada, '20A');
  const crumbs = page.document.querySelectorAll('.crumbs a');
  assert.deepEqual(
    crumbs.map((one) => [one.textContent, addressOf(one)]),
    [
      ['Problems', list],
      ['Pond Round 1 (Div. 2), B', `${list}?source=codeforces&contest=10`],
    ],
  );
  const twin = page.document
    .querySelectorAll('aside section')
    .find((one) => one.querySelector('h2')?.textContent === 'The same problem');
  assert.deepEqual(
    twin?.querySelectorAll('a').map((one) => [one.textContent, addressOf(one)]),
    [
      ['CF20A', 'https://codeforces.com/problemset/problem/20/A'],
      ['Pond Round 1 (Div. 1), A', `${list}?source=codeforces&contest=20`],
    ],
  );
  assert.equal((await open(ada, '30A')).document.querySelectorAll('.crumbs a').length, 1);
  const median = await open(ada, 'arc101_b');
  const named = textsOf(median, '.crumbs a, aside a');
  assert.ok(
    named.includes('AtCoder Beginner Contest 107, D') && named.includes('AtCoder Regular Contest 101, D'),
    String(named),
  );
});

test('an AtCoder submission leads to the contest to which it was sent', async (t) => {
  const { enter, garden, open } = await world(t);
  const where = { problem_id: 'arc101_b', contest_id: 'abc107', user_id: 'ada', language: 'Rust' };
  const sent = { ...where, id: 7, epoch_second: 100, point: 0.0, length: 1, result: 'TLE', execution_time: 1 };
  await garden.import('atcoder-submissions', [sent], { member: 'ada' });
  const page = await open(await enter('ada'), 'arc101_b');
  const link = page.document.querySelector('[data-submission] a');
  assert.equal(link?.textContent, 'Time limit exceeded');
  assert.equal(addressOf(link), 'https://atcoder.jp/contests/abc107/submissions/7');
});

test('the list is filtered by a contest’s own id, or by words of titles, beside every other filter', async (t) => {
  const { enter, open } = await world(t);
  const ada = await enter('ada');
  const sorted = async (query: string) => titlesIn(await ada.open(`${list}?order=title&${query}`));
  assert.deepEqual(await sorted('contest=10&source=codeforces'), ['Task 10A', 'Task 10B']);
  assert.deepEqual(await sorted('contest=10'), ['Task 10A', 'Task 10B'], 'an id, and no word of "Pond Round 10"');
  assert.deepEqual(await sorted('contest=pond+round+1+'), ['Task 10A', 'Task 10B', 'Task 20B', 'Task 21A']);
  assert.deepEqual(await sorted('contest=round+1+(div'), ['Task 10A', 'Task 10B', 'Task 20B']);
  assert.deepEqual(await sorted('contest=abc107'), ['Median', 'Train']);
  assert.deepEqual(await sorted('contest=10&source=atcoder'), ['Median', 'Train'], '10 is a part of 107 and 101');
  assert.deepEqual(await sorted('contest=%25'), []);
  for (const nothing of ['nothing', '%00', `${'x'.repeat(300)}`, '%F0%9F', "'%20or%201=1"])
    assert.equal((await ada.open(`${list}?contest=${nothing}`)).status, 200, nothing);
  assert.deepEqual(await sorted(`contest=${encodeURIComponent("' or 1=1")}`), []);

  const found = await ada.submitAt(`${list}?status=unsolved`, { within: '.filters' }, { contest: 'Round 1 (' });
  assert.equal(total(found), 3);
  assert.match(textOf(found, '.chosen'), /Contest “Round 1 \(”/);
  const contests = found.document.querySelectorAll('.contests a');
  assert.deepEqual(
    contests.map((one) => one.textContent.replace(/\s+/g, ' ')),
    ['Pond Round 1 (Div. 1)2 problems', 'Pond Round 1 (Div. 2)2 problems'],
  );
  const one = await ada.open(addressOf(contests[0]) ?? '');
  assert.equal(one.path, `${list}?source=codeforces&contest=20&status=unsolved`);
  assert.equal(total(one), 2);
  assert.match(textOf(one, '.chosen'), /Pond Round 1 \(Div\. 1\), remove/);
  const chip = one.document.querySelectorAll('.chosen a').find((link) => link.textContent.startsWith('Pond'));
  assert.equal(addressOf(chip), `${list}?source=codeforces&status=unsolved`);
  const bulk = await ada.open(`${list}bulk/?source=codeforces&contest=20&status=unsolved`);
  assert.equal(totalIn(bulk), 2);
  const random = await ada.open(`${list}random/?contest=30A`);
  assert.equal(random.path, `${list}?contest=30A&status=unsolved`, 'nothing to pick from');
  const all = await open(ada, '10A');
  const crumb = await ada.open(addressOf(all.document.querySelectorAll('.crumbs a')[1]) ?? '');
  assert.equal(total(crumb), 2);
});

test('contests that are imported later are found at once', async (t) => {
  const { enter, garden } = await world(t);
  const ada = await enter('ada');
  assert.equal(total(await ada.open(`${list}?contest=late`)), 0);
  await garden.import('codeforces-contests', { status: 'OK', result: [round(30, 'Late Round')] });
  assert.equal(total(await ada.open(`${list}?contest=late`)), 1);
});

test('the link to a contest that is here becomes a list of its problems, and any other is refused', async (t) => {
  const { enter } = await world(t);
  const ada = await enter('ada');
  const paste = async (contest: string) => {
    return ada.submitAt(`${list}lists/new/?text=https://atcoder.jp/contests/${contest}`, { name: 'text' });
  };
  const look = await paste('abc107');
  assert.equal(valueIn(look, 'name'), 'AtCoder Beginner Contest 107');
  assert.deepEqual(titlesIn(await ada.submit({ name: 'do', value: 'save' })), ['Train', 'Median']);
  assert.match(textOf(await paste('abc999'), '#text-fault'), /^We cannot ask AtCoder for this contest/);
});

test('a pasted address finds its problem, or the page says what is not known of it', async (t) => {
  const { enter } = await world(t);
  const ada = await enter('ada');
  const look = (address: string, more = '') => ada.open(`${list}?q=${encodeURIComponent(address)}${more}`);
  for (const [address, title] of [
    ['https://codeforces.com/contest/10/problem/A', 'Task 10A'],
    ['https://codeforces.com/problemset/problem/20/A?locale=en', 'Task 10B'],
    ['codeforces.com/contest/30/problem/A#top', 'Task 30A'],
    ['https://atcoder.jp/contests/abc107/tasks/arc101_b?lang=en', 'Median'],
  ] as const)
    assert.equal(textOf(await look(address), 'h1'), title, address);
  for (const [address, sentence] of [
    [
      'https://codeforces.com/gym/100001/problem/A',
      'Codeforces problem 100001A is not on this server yet. You can add it.',
    ],
    ['https://cses.fi/problemset/task/1068', 'CSES problem 1068 is not on this server yet.'],
    ['https://codeforces.com/blog/entry/1', 'This is a post or an editorial, not a problem. Open the problem'],
    [
      'https://pond.example/p/1',
      'No problem here has this link, and pond.example isn’t a judge we know. If the link is a problem',
    ],
    ['javascript:alert(1)', 'Remove a filter or change the search.'],
    ['https://', 'Enter a link, such as https://codeforces.com/contest/4/problem/A.'],
  ] as const) {
    const page = await look(address);
    assert.equal(total(page), 0, address);
    assert.ok(textOf(page, '.empty p').startsWith(sentence), `${address}: ${textOf(page, '.empty p')}`);
  }
  const hidden = await look('https://codeforces.com/contest/10/problem/A', '&status=complete');
  assert.equal(textOf(hidden, '.empty p'), 'Task 10A is hidden by another filter.');
  assert.equal((await ada.open(addressOf(hidden.document.querySelector('.empty p a')) ?? '')).status, 200);
  const ofAnother = await look('https://codeforces.com/contest/10/problem/A', '&source=atcoder');
  assert.equal(total(ofAnother), 0, 'a judge among the filters counts as any other filter');
  assert.equal(textOf(ofAnother, '.empty p'), 'Task 10A is hidden by another filter.');
});

test('the pasted address of a problem of no judge finds it, with a slash at its end or without', async (t) => {
  const { enter, garden } = await world(t);
  const own = (key: string, url: string) => ({ source: 'club', source_key: key, title: `Own ${key}`, url });
  await garden.import('problems', [
    own('a', 'https://club.example/tasks/a'),
    own('b', 'https://club.example/tasks/b/'),
  ]);
  const ada = await enter('ada');
  for (const [address, title] of [
    ['https://club.example/tasks/a', 'Own a'],
    [' https://club.example/tasks/a/ ', 'Own a'],
    ['https://club.example/tasks/b', 'Own b'],
    ['https://club.example/tasks/b/', 'Own b'],
  ] as const)
    assert.equal(textOf(await ada.open(`${list}?${new URLSearchParams({ q: address })}`), 'h1'), title, address);
  const hidden = await ada.open(`${list}?q=${encodeURIComponent('https://club.example/tasks/a')}&status=complete`);
  assert.equal(textOf(hidden, '.empty p'), 'Own a is hidden by another filter.');
  const none = await ada.open(`${list}?q=${encodeURIComponent('https://club.example/tasks')}`);
  assert.match(textOf(none, '.empty p'), /^No problem here has this link/);
});

test('a whole title comes before those that begin with it, unless another order is chosen', async (t) => {
  const { enter, garden } = await world(t);
  const named = (key: string, title: string) => ({ source: 'club', source_key: key, title });
  await garden.import('problems', [named('a', 'Long Pond Walk'), named('b', 'Pond Walk')]);
  const ada = await enter('ada');
  assert.deepEqual(titlesIn(await ada.open(`${list}?q=pond+walk`)), ['Pond Walk', 'Long Pond Walk']);
  assert.deepEqual(titlesIn(await ada.open(`${list}?q=pond+walk&order=title`)), ['Long Pond Walk', 'Pond Walk']);
});
