/** The field of a contest from run.json of XCPCIO: which runs count, in which order its teams stand, and what is no such file. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRunFile } from '../../src/importing/xcpcio.ts';
import { chunksOf } from '../support/files.ts';

const run = (team_id: unknown, problem_id: unknown, timestamp: unknown, status: unknown = 'CORRECT') => ({
  team_id,
  problem_id,
  timestamp,
  status,
  extra: '}]"{',
});

const month = 2_592_000;
const read = (runs: object, roundSeconds = month) => readRunFile(chunksOf(JSON.stringify(runs), 7), roundSeconds);

test('teams stand by what they solved, then by their minutes, of which a refused try before a solve costs twenty', async () => {
  const runs = [
    run('T2', 'A', 5200),
    run('T1', 1, 3000, 'ACCEPTED'),
    run('T1', 0, 300, 'AC'),
    run('T1', 0, 200, 'WRONG_ANSWER'),
    run('T1', 0, 400, 'Time Limit Exceeded'),
    run('T1', 0, 100, 'COMPILE_ERROR'),
    run('T1', '2', 5500, 'Correct'),
    run('水', 'f', 9, 'pending'),
    run(1, 'A', 2_592_000, 'TLE'),
    run('1', 'A', 0, 'runtime_error'),
    // A minute and a try are less than 21 minutes and a second, and more than 20 minutes.
    run('slow', 0, 1319),
    run('late', 0, 1320),
    run('tried', 0, 119),
    run('tried', 0, 118, 'WA'),
    run('first', 0, 1259),
  ];
  const field = {
    total: 8,
    step: 1,
    rows: [
      [[300, 1], [3000, 0], [5500, 0], 0, 0, 0],
      [[1259, 0], 0, 0, 0, 0, 0],
      [[1319, 0], 0, 0, 0, 0, 0],
      [[119, 1], 0, 0, 0, 0, 0],
      [[1320, 0], 0, 0, 0, 0, 0],
      [[5200, 0], 0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0, 0],
      [2, 0, 0, 0, 0, 0],
    ],
    positions: [...'ABCDEF'],
    worth: [],
    wrongMinutes: 20,
    seconds: 2_592_001,
  };
  for (const form of [runs, Object.fromEntries(runs.entries())]) assert.deepEqual(await read(form), field);
  assert.equal((await read([run(1, 25, 0)])).positions.at(-1), 'Z');
  const inMs = runs.map((one) => ({ ...one, timestamp: Number(one.timestamp) * 1000 + 999 }));
  assert.deepEqual(await read([...inMs, run(1, 'A', 1000 * month, 'TLE')].toSpliced(8, 1)), field, 'in milliseconds');
  const units = [3162, 3163].map(async (last) => (await read([run(1, 0, last)], 100)).seconds);
  assert.deepEqual(await Promise.all(units), [3163, 4], 'of a round of 100 seconds, whose 31.6 times are the middle');
});

const deep = '['.repeat(70_000);
const many = (count: number) => JSON.stringify(Array.from({ length: count }, (_, team) => run(team, 0, 0)));
const hostile: Readonly<Record<string, string | Buffer>> = {
  'a page': '<!doctype html>',
  'no run': '[]',
  'an open list': JSON.stringify([run(1, 0, 5)]).slice(0, -1),
  'two lists': `${JSON.stringify([run(1, 0, 5)])}[]`,
  'a deep list': deep,
  'a deep member': `[{"team_id":${deep}${']'.repeat(70_000)}}]`,
  'no UTF-8': Buffer.from([0x5b, 0x7b, 0xff, 0xfe, 0x7d, 0x5d]),
  'too many teams': many(20_001),
};
const wrong: Readonly<Record<string, unknown>> = {
  'a time before the start': run(1, 0, -1),
  'a time after thirty days': run(1, 0, month + 1),
  'a time as text': run(1, 0, '5'),
  'a part of a second': run(1, 0, 0.5),
  'an unknown problem': run(1, 26, 5),
  'a problem of two letters': run(1, 'AA', 5),
  'a team that is none': run({ id: 1 }, 0, 5),
  'a team without a name': run('', 0, 5),
  'a result that is no word': run(1, 0, 5, 1),
  'a row that is a list': [1, 0, 5],
};
for (const [name, bytes] of [
  ...Object.entries(hostile),
  ...Object.entries(wrong).map(([name, row]) => [name, JSON.stringify([run(1, 0, 5), row])] as const),
])
  test(`a file of runs is refused for ${name}`, () =>
    assert.rejects(readRunFile(chunksOf(bytes), month), {
      code: 'badFile',
      message: /run\.json/,
    }));

test('a board has up to 20,000 teams, and what fails while it is sent is no fault of the file', async () => {
  assert.equal((await readRunFile(chunksOf(many(20_000)), month)).total, 20_000);
  const broken = new Error('the connection broke off');
  const bytes = (async function* () {
    yield Buffer.from('[');
    throw broken;
  })();
  await assert.rejects(readRunFile(bytes, month), broken);
});
