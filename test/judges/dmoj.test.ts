/** DMOJ's problems and submissions, good and bad. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemAt } from '../../src/judges/addresses.ts';
import { dmoj } from '../../src/judges/dmoj.ts';
import { readJudgeFile } from '../../src/judges/judges.ts';
import { all, allFaults, allValues, assertBadFile, chunksOf } from '../support/files.ts';

const { problems, submissions } = dmoj.files;
const answer = (...objects: unknown[]) => chunksOf(JSON.stringify({ data: { has_more: false, objects } }));
const problem = { code: 'aplusb', name: 'A Plus B', types: ['Simple Math', 'Uncategorized'], group: 'x' };
const sent = {
  id: 7,
  problem: 'aplusb',
  user: 'ada',
  date: '2020-03-01T12:00:00.123456+01:00',
  language: 'PY3',
  time: 0.5,
  memory: 12.25,
  points: 5.0,
  result: 'AC',
  contest: null,
};

test('a problem has the address of the site that was asked', async () => {
  const expected = { source_key: 'aplusb', title: 'A Plus B', tags: '["simple math","uncategorized"]' };
  assert.deepEqual(await allValues(readJudgeFile(problems, answer(problem))), [
    { columns: { ...expected, url: 'https://dmoj.ca/problem/aplusb' } },
  ]);
  const ofClub = readJudgeFile(problems, answer(problem), 'https://judge.club.example/oj');
  assert.deepEqual(await allValues(ofClub), [
    { columns: { ...expected, url: 'https://judge.club.example/oj/problem/aplusb' } },
  ]);
});

test('results, participation and times are read', async () => {
  const rows = [
    sent,
    { ...sent, result: 'CE', contest: { key: 'c', virtual_participation_number: 0 } },
    { ...sent, result: 'TLE', contest: { key: 'c', virtual_participation_number: 2 } },
    { ...sent, result: null, contest: undefined },
  ];
  const found = await allValues(readJudgeFile(submissions, answer(...rows)));
  assert.deepEqual(found[0], {
    id: '7',
    key: 'aplusb',
    handles: ['ada'],
    submittedAt: '2020-03-01T11:00:00.123Z',
    verdictClass: 'solved',
    verdict: 'AC',
    participation: 'practice',
    language: 'PY3',
    isGym: false,
    contest: null,
  });
  assert.deepEqual(
    found.map(({ verdictClass, participation, contest }) => [verdictClass, participation, contest]),
    [
      ['solved', 'practice', null],
      ['void', 'contest', 'c'],
      ['tried', 'virtual', 'c'],
      ['pending', null, null],
    ],
  );
});

test('a wrong field makes a bad entry, and another kind of file is refused by name', async () => {
  const rows = [
    { ...sent, problem: '../x' },
    { ...sent, date: 'yesterday' },
    { ...sent, id: null },
  ];
  assert.deepEqual(await allFaults(readJudgeFile(submissions, answer(...rows))), [
    'problem is "../x"; expected a problem code of small letters and digits.',
    'date is "yesterday"; expected a time such as 2026-01-31T12:00:00Z.',
    'id is null; expected a whole number from 0 to 9007199254740991.',
  ]);
  await assertBadFile(all(readJudgeFile(problems, answer(sent))), /import it with dmoj-submissions/);
});

test('the address of a problem names it', () => {
  const none = new Map();
  const keyAt = (address: string, places: ReadonlyMap<string, { url: string }>) => {
    const found = problemAt(address, places);
    return found?.source === 'dmoj' ? found.key : undefined;
  };
  const key = (address: string) => keyAt(address, none);
  assert.equal(problemAt('https://dmoj.ca/problem/aplusb', none)?.source, 'dmoj');
  assert.equal(key('dmoj.ca/problem/aplusb/submissions/'), 'aplusb');
  for (const other of ['https://dmoj.ca/problems/', 'https://dmoj.ca/problem/A+B', 'https://x.example/problem/a']) {
    assert.equal(key(other), undefined, other);
  }
  const places = new Map([['dmoj', { url: 'https://club.example/judge' }]]);
  const there = (address: string) => keyAt(address, places);
  assert.equal(there('https://club.example/judge/problem/pond'), 'pond');
  assert.equal(there('club.example/judge/problem/pond/rank/'), 'pond');
  for (const other of ['https://dmoj.ca/problem/aplusb', 'https://club.example/problem/pond', 'x'])
    assert.equal(there(other), undefined, other);
});
