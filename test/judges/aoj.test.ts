/** AOJ's submissions and lists of problems, good and bad. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemAt } from '../../src/judges/addresses.ts';
import { aoj } from '../../src/judges/aoj.ts';
import { aojRow, replayAoj } from '../replay/aoj.ts';
import { assertBadFile } from '../support/files.ts';
import { needsData, readReal } from '../support/real-data.ts';
import { asking, faultsIn, stateAt, valuesIn } from './support.ts';

const { problems, submissions } = aoj.files;
const at = Date.parse('2020-03-01T12:00:00.123Z');

test('statuses and times in milliseconds are read; 5 and 9 are not final', async () => {
  const found = await valuesIn(
    submissions,
    Array.from({ length: 11 }, (_, status) => aojRow(7, 'grl_6_A', status, at)),
  );
  assert.deepEqual(found[4], {
    id: '7',
    key: 'GRL_6_A',
    handles: ['ada'],
    submittedAt: '2020-03-01T12:00:00.123Z',
    contest: null,
    verdictClass: 'solved',
    verdict: '4',
    participation: null,
    language: 'C++17',
    isGym: false,
    problem: {},
  });
  assert.equal(found.map(({ verdictClass }) => verdictClass[0]).join(''), 'vtttspttt' + 'pp');
  assert.equal(problemAt(aoj.problemPage('GRL_6_A'), new Map())?.key, 'GRL_6_A', 'as the address book names it');
});

test('a run reads back seven days, goes on where it stopped, and reads all after thirty days', async () => {
  const day = 86_400_000;
  const submissions = [20, 7, 6, 0].map((days, n) => aojRow(n + 1, 'P', 4, at - days * day));
  const { ask, run } = asking(replayAoj({ submissions, users: ['nobody'] }, 1));
  const runAt = async (ms: number, cursor?: unknown, name = 'ada') => {
    const { paths, ...left } = await run(aoj.api.submissions?.(ask, name, stateAt(ms / 1000, cursor)));
    return [paths.map((path) => /page=(\d+)&size=1000$/.exec(path)?.[1] ?? path).join(' '), left.cursor];
  };
  const cursor = { wholeAt: at, through: at };
  assert.deepEqual(await runAt(at), ['0 1 2 3 4', cursor]);
  assert.deepEqual(await runAt(at, cursor), ['0 1 2 3', cursor], 'a submission of seven days ago may change');
  assert.deepEqual(await runAt(at + 30 * day - 1, { ...cursor, through: at + 1 }), [
    '0 1 2',
    { ...cursor, through: at + 1 },
  ]);
  assert.deepEqual(await runAt(at + 30 * day, { ...cursor, through: at + 1 }), [
    '0 1 2 3 4',
    { wholeAt: at + 30 * day, through: at },
  ]);
  const stopped = { wholeAt: at, stopped: { page: 3, newest: 3 } };
  assert.deepEqual(await runAt(at + 30 * day, stopped), ['0 1 3 4', cursor]);
  assert.deepEqual(await runAt(at, undefined, 'nobody'), ['0 /users/nobody', { wholeAt: at, through: 0 }]);
  await assert.rejects(runAt(at, undefined, 'bob'), /Aizu Online Judge has no user bob/);
  const begun = aoj.api.submissions?.(ask, 'ada', stateAt(at / 1000, undefined));
  assert.deepEqual((await begun?.next())?.value.cursor, { wholeAt: at, stopped: { page: 1, newest: 4 } });
  const again = aoj.api.submissions?.(ask, 'ada', stateAt(at / 1000, cursor));
  assert.deepEqual((await again?.next())?.value.cursor, { ...cursor, stopped: { page: 1, newest: 4 } });
});

test('a wrong field makes a bad entry, and another kind of file is refused by name', async () => {
  const row = aojRow(7, 'GRL_6_A', 4, at);
  const wrong = [
    { ...row, problemId: '../x' },
    { ...row, submissionDate: -1 },
    { ...row, status: null },
  ];
  assert.deepEqual(await faultsIn(submissions, wrong), [
    'problemId is "../x"; expected a problem id of letters, digits and _.',
    'submissionDate is -1; expected a whole number from 0 to 253402300799999.',
    'status is null; expected a whole number from 0 to 1000.',
  ]);
  await assertBadFile(valuesIn(problems, [row]), /import it with aoj-submissions/);
});

test('real answers of AOJ are read', needsData, async () => {
  const sent = await readReal('reach/aoj/submission_records.users.json');
  assert.deepEqual(
    (await valuesIn(submissions, sent)).map(({ key, verdictClass }) => [key, verdictClass]),
    [
      ['GRL_6_A', 'solved'],
      ['0598', 'solved'],
      ['0598', 'tried'],
    ],
  );
  const tasks = await readReal('reach/aoj/courses.tasks.novisteps.json');
  const listed = await valuesIn(problems, tasks);
  assert.deepEqual(listed[0], {
    columns: {
      source_key: '1019',
      title: 'Vampirish Night',
      url: 'https://onlinejudge.u-aizu.ac.jp/problems/1019',
    },
    solverCount: 738n,
  });
  const nested = await readReal('reach/aoj/challenges.icpc_prelim.contests.novisteps.json');
  await assertBadFile(valuesIn(problems, nested), /is not a list/);
});
