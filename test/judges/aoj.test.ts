/** AOJ's submissions and lists of problems, good and bad. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemAt } from '../../src/judges/addresses.ts';
import { aoj } from '../../src/judges/aoj.ts';
import { readJudgeFile } from '../../src/judges/judges.ts';
import { aojRow } from '../replay/aoj.ts';
import { all, allFaults, allValues, assertBadFile, chunksOf } from '../support/files.ts';
import { needsData, readReal } from '../support/real-data.ts';

const { problems, submissions } = aoj.files;
const read = (...rows: unknown[]) => readJudgeFile(submissions, chunksOf(JSON.stringify(rows)));
const at = Date.parse('2020-03-01T12:00:00.123Z');

test('statuses and times in milliseconds are read; 5 and 9 are not final', async () => {
  const found = await allValues(read(...Array.from({ length: 11 }, (_, status) => aojRow(7, 'grl_6_A', status, at))));
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

test('a wrong field makes a bad entry, and another kind of file is refused by name', async () => {
  const row = aojRow(7, 'GRL_6_A', 4, at);
  const wrong = [
    { ...row, problemId: '../x' },
    { ...row, submissionDate: -1 },
    { ...row, userId: undefined },
  ];
  assert.deepEqual(await allFaults(read(...wrong)), [
    'problemId is "../x"; expected a problem id of letters, digits and _.',
    'submissionDate is -1; expected a whole number from 0 to 253402300799999.',
    'userId is missing; expected text of 1 to 100 characters.',
  ]);
  await assertBadFile(all(readJudgeFile(problems, chunksOf(JSON.stringify([row])))), /import it with aoj-submissions/);
});

test('real answers of AOJ are read', needsData, async () => {
  const sent = await readReal('reach/aoj/submission_records.users.json');
  assert.deepEqual(
    (await allValues(readJudgeFile(submissions, chunksOf(sent)))).map(({ key, verdictClass }) => [key, verdictClass]),
    [
      ['GRL_6_A', 'solved'],
      ['0598', 'solved'],
      ['0598', 'tried'],
    ],
  );
  const tasks = await readReal('reach/aoj/courses.tasks.novisteps.json');
  const listed = await allValues(readJudgeFile(problems, chunksOf(tasks)));
  assert.deepEqual(listed[0], {
    columns: {
      source_key: '1019',
      title: 'Vampirish Night',
      url: 'https://onlinejudge.u-aizu.ac.jp/problems/1019',
    },
    solverCount: 738n,
  });
  const nested = await readReal('reach/aoj/challenges.icpc_prelim.contests.novisteps.json');
  await assertBadFile(all(readJudgeFile(problems, chunksOf(nested))), /is not a list/);
});
