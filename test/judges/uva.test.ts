/** UVa's problems and submissions as uHunt lists them, good and bad. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemAt } from '../../src/judges/addresses.ts';
import { uva } from '../../src/judges/uva.ts';
import { openGarden } from '../importing/support.ts';
import { replayUva, type UvaRow } from '../replay/uva.ts';
import { assertBadFile } from '../support/files.ts';
import { needsData, readReal } from '../support/real-data.ts';
import { asking, faultsIn, stateAt, valuesIn } from './support.ts';

const { problems, submissions } = uva.files;
const page = (pid: number) =>
  `https://onlinejudge.org/index.php?option=com_onlinejudge&Itemid=8&page=show_problem&problem=${pid}`;
const listed = (pid: number, number: number, title: string) => [pid, number, title, 61026, 0, 1_000_000_000, 1];

test('a problem has the number that people know, and uHunt’s as another key', async () => {
  assert.deepEqual(await valuesIn(problems, [listed(36, 100, 'The 3n + 1 problem')]), [
    {
      columns: { source_key: '100', title: 'The 3n + 1 problem', url: page(36) },
      otherKeys: ['pid:36'],
      solverCount: 61026n,
    },
  ]);
});

test('titles are decoded, and a problem without one is a bad entry', async () => {
  const [found] = await valuesIn(problems, [listed(36, 100, 'Bits &amp; &quot;Ponds&quot;')]);
  assert.equal(found?.columns.title, 'Bits & "Ponds"');
  const wrong = [listed(36, 100, ' '), listed(0, 100, 'x'), listed(36, 0, 'x')];
  assert.deepEqual(await faultsIn(problems, wrong), [
    'The title is " "; expected text of 1 to 500 characters.',
    'The problem id is 0; expected a whole number from 1 to 2147483647.',
    'The problem number is 0; expected a whole number from 1 to 2147483647.',
  ]);
});

test('verdicts, times and languages are read; 0 and 20 are in the queue', async () => {
  const verdicts = [90, 80, 70, 60, 50, 45, 40, 35, 30, 15, 10, 20, 0];
  const subs = verdicts.map((verdict, at) => [at + 1, 36, verdict, 0, 1_700_000_000, 5, -1]);
  const found = await valuesIn(submissions, { name: 'A', uname: 'ada', subs });
  assert.deepEqual(found[0], {
    id: '1',
    key: 'pid:36',
    handles: ['ada'],
    submittedAt: '2023-11-14T22:13:20.000Z',
    contest: null,
    verdictClass: 'solved',
    verdict: '90',
    participation: null,
    language: 'C++11',
    isGym: false,
  });
  assert.equal(
    found.map(({ verdictClass }) => verdictClass[0]).join(''),
    'stttttttvvvpp',
    'solved, tried, void, pending',
  );
});

test('a wrong row makes a bad entry, and another kind of file is refused by name', async () => {
  const rows = [
    [1, 36, 90, 0, 'x', 5, -1],
    [1, 'x', 90, 0, 5, 5, -1],
    [0, 36, 90, 0, 5, 5, -1],
    [1, 36, 1001, 0, 5, 5, -1],
    { id: 1 },
  ];
  assert.deepEqual(await faultsIn(submissions, { uname: 'ada', subs: rows }), [
    'The time is "x"; expected a whole number from 0 to 253402300799.',
    'The problem id is "x"; expected a whole number from 1 to 2147483647.',
    'The submission id is 0; expected a whole number from 1 to 9007199254740991.',
    'The verdict is 1001; expected a whole number from 0 to 1000.',
    'The entry is an object; expected a list.',
  ]);
  await assertBadFile(valuesIn(problems, { uname: 'ada', subs: [] }), /import it with uva-submissions/);
});

const at = 1_700_000_000;
const sent = (id: number, pid: number, second: number, verdict = 90): UvaRow => [id, pid, verdict, 10, second, 1, -1];

test('a run asks for what can change: seven days, an open verdict, and after thirty days all', async () => {
  const week = 7 * 86_400;
  const submissions = { bob: [], ada: [sent(3, 36, at - week - 1), sent(5, 36, at - week), sent(9, 36, at)] };
  const { ask, run } = asking(replayUva({ submissions }));
  const runAt = async (seconds: number, cursor?: unknown) => {
    const { paths, ...left } = await run(uva.api.submissions?.(ask, 'ada', stateAt(seconds, cursor)));
    return [paths.join(' '), left.cursor];
  };
  const cursor = { uid: 2, settled: 4, wholeAt: at };
  assert.deepEqual(await runAt(at), ['/uname2uid/ada /subs-user/2/0', cursor]);
  const month = 30 * 86_400;
  assert.deepEqual(await runAt(at + month - 1, cursor), ['/subs-user/2/4', { ...cursor, settled: 9 }]);
  assert.deepEqual(await runAt(at + month, cursor), ['/subs-user/2/0', { uid: 2, settled: 9, wholeAt: at + month }]);
  assert.deepEqual(await runAt(at + 1, { ...cursor, settled: 9 }), ['/subs-user/2/9', { ...cursor, settled: 9 }]);
  submissions.ada.splice(0, 1, sent(1, 36, 5, 20));
  assert.deepEqual((await runAt(at))[1], { ...cursor, settled: 0 });
  const answers: [uid: unknown, body: unknown, says: RegExp][] = [
    [1.5, {}, /it gives no user number/],
    ['1', {}, /it gives no user number/],
    [0, {}, /uHunt has no user ada/],
    [1, { uname: 'bob', subs: [sent(1, 36, at)] }, /its answer is for the user "bob"/],
    [1, { subs: [sent(1, 36, at)] }, /its answer is for the user null/],
    [1, { uname: 'ada', subs: [['x', 1, 1, 1, 1]] }, /is not a list of submissions/],
    [1, { uname: 'ada', subs: [{ 0: 1, 4: 1 }] }, /is not a list of submissions/],
  ];
  for (const [uid, body, says] of answers) {
    const other = asking((path) => ({ body: JSON.stringify(path.startsWith('/uname2uid/') ? uid : body) }));
    await assert.rejects(other.run(uva.api.submissions?.(other.ask, 'ada', stateAt(at, undefined))), says);
  }
});

test('a round is of those whose numbers are known, by a hundred problems', async () => {
  const submissions = {
    ada: [sent(1, 36, at - 1), sent(2, 36, at), sent(3, 37, at + 60), sent(4, 36, at + 61)],
    bob: [],
  };
  const { ask, paths } = asking(replayUva({ submissions }));
  const numbers = Array.from({ length: 101 }, (_, n) => String(n + 100));
  const round = {
    handles: ['ada', 'bob', 'eve'],
    cursors: [{ uid: 1 }, { uid: 2 }, undefined],
    keys: ['pid:36', ...numbers],
  };
  const times = { from: new Date(1000 * at + 999), until: new Date(1000 * (at + 60)) };
  const found = await uva.api.ofRound?.(ask, { ...round, ...times });
  assert.deepEqual(
    found?.map(({ id, key, handles }) => `${id} ${key} ${handles}`),
    ['2 pid:36 ada', '3 pid:37 ada'],
  );
  assert.deepEqual(paths, [`/subs-nums/1,2/${numbers.slice(0, 100)}/0`, '/subs-nums/1,2/200/0']);
  assert.deepEqual(await uva.api.ofRound?.(ask, { ...round, ...times, cursors: [undefined] }), []);
  assert.equal(paths.length, 2);
  assert.equal((await uva.api.ofRound?.(ask, { ...round, ...times, cursors: [{ uid: 1 }] }))?.length, 2);
});

test('both numbers of a problem and its copies are one problem, whichever came first', async (t) => {
  const none = new Map();
  const names = [page(36), 'https://onlinejudge.org/external/1/100.pdf', 'https://vjudge.net/problem/UVA-100'];
  assert.deepEqual(
    names.map((address) => problemAt(address, none)?.key),
    ['pid:36', '100', '100'],
  );
  assert.equal(uva.problemPage('pid:36'), page(36));
  assert.equal(uva.problemPage('100'), names[1]);

  const garden = await openGarden(t);
  await garden.import('records', [{ username: 'ada' }]);
  const own = (key: string) => ({ source: 'uva', source_key: key, title: `Mine ${key}`, tags: ['graphs'] });
  // One was added by uHunt's number, one by both, one by the number that people know, and one is new.
  await garden.import('problems', ['pid:36', 'pid:37', '101', '102'].map(own));
  await garden.import('statuses', [{ username: 'ada', problem: 2, status: 'complete' }]);
  const content = { sections: [{ name: '', problems: [{ source: 'uva', source_key: 'pid:37' }] }] };
  await garden.import('lists', [{ username: 'ada', name: 'Mine', visibility: 'private', content }]);
  const catalogue = [36, 37, 38, 39].map((pid) => listed(pid, pid + 64, `Task ${pid}`));
  const first = await garden.import('uva-problems', catalogue);
  assert.deepEqual([first.report.new, first.report.changed], [1, 3]);
  const rows = async () =>
    (await garden.rows('problems')).map((row) => [row['source_key'], row['aliases'], row['title']]);
  const expected = [
    ['100', ['pid:36'], 'Task 36'],
    ['101', ['pid:37'], 'Task 37'],
    ['102', ['pid:38'], 'Task 38'],
    ['103', ['pid:39'], 'Task 39'],
  ];
  assert.deepEqual(await rows(), expected);
  const [status] = await garden.rows('statuses');
  assert.deepEqual([status?.['problem'], status?.['status']], [3, 'complete'], 'marks follow');
  const items = await garden.store.reader.selectFrom('list_items').select('problem_id').execute();
  assert.deepEqual(items, [{ problem_id: 3n }], 'and so do places in lists');
  const again = await garden.import('uva-problems', catalogue);
  assert.deepEqual([again.report.new, again.report.changed, again.report.kept], [0, 0, 4]);
  assert.deepEqual(await rows(), expected);
});

test('real answers of uHunt are read', needsData, async () => {
  const listed = await valuesIn(problems, await readReal('reach/uhunt/p.one-row.json'));
  assert.deepEqual(listed[0]?.otherKeys, ['pid:36']);
  const sent = await valuesIn(submissions, await readReal('reach/uhunt/subs-user.composed.json'));
  assert.deepEqual(
    sent.map(({ key, verdictClass }) => [key, verdictClass]),
    [
      ['pid:36', 'solved'],
      ['pid:36', 'tried'],
      ['pid:37', 'void'],
    ],
  );
});
