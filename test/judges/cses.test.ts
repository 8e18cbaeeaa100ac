/** The CSES problem set, good and bad, small and real. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cses } from '../../src/judges/cses.ts';
import { readJudgeFile } from '../../src/judges/judges.ts';
import { all, allFaults, allValues, assertBadFile, chunksOf, realEntries } from '../support/files.ts';
import { needsData } from '../support/real-data.ts';

const readCsesProblems = (bytes: AsyncIterable<Uint8Array>) => readJudgeFile(cses.files.problems, bytes);

const task = {
  category: 'Graph Algorithms',
  name: 'Counting Rooms',
  link: 'https://cses.fi/problemset/task/1192',
  solves: 1,
  submits: 2,
};

test('a task is known by the number in its link, tagged with its category', async () => {
  const tasks = [task, { ...task, link: `${task.link}/` }];
  const columns = {
    source_key: '1192',
    title: 'Counting Rooms',
    url: task.link,
    tags: '["graph algorithms"]',
  };
  assert.deepEqual(await allValues(readCsesProblems(chunksOf(JSON.stringify(tasks)))), [
    { columns, solverCount: 1n },
    { columns: { ...columns, url: `${task.link}/` }, solverCount: 1n },
  ]);
});

test('a task with a wrong field is a bad entry', async () => {
  const tasks = [
    { ...task, link: 'https://evil.example/task/1' },
    { ...task, name: undefined },
    { ...task, solves: -1 },
  ];
  assert.deepEqual(await allFaults(readCsesProblems(chunksOf(JSON.stringify(tasks)))), [
    'link is "https://evil.example/task/1"; expected https://cses.fi/problemset/task/ and a task number.',
    'name is missing; expected text of 1 to 500 characters.',
    'solves is -1; expected a whole number from 0 to 9007199254740991.',
  ]);
});

test("another judge's file is refused by name", async () => {
  const other = '[{"id":"a","contest_id":"b","problem_index":"A"}]';
  await assertBadFile(all(readCsesProblems(chunksOf(other))), /AtCoder Problems problems\.json, not problem list/);
});

test('the real problem set has 300 tasks and no key twice', needsData, async () => {
  await realEntries('cses/problemset.json', readCsesProblems, 300);
});
