/** AtCoder Problems' files: the catalogue, difficulties and submissions, good and bad, small and real. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atcoder } from '../../src/judges/atcoder.ts';
import { readJudgeFile } from '../../src/judges/judges.ts';
import { all, allFaults, allValues, assertBadFile, chunksOf, realFile } from '../support/files.ts';
import { needsData, readReal } from '../support/real-data.ts';

const readAtcoderProblems = (bytes: AsyncIterable<Uint8Array>) => readJudgeFile(atcoder.files.problems, bytes);
const readAtcoderModels = (bytes: AsyncIterable<Uint8Array>) => readJudgeFile(atcoder.files.models, bytes);
const readAtcoderSubmissions = (bytes: AsyncIterable<Uint8Array>) => readJudgeFile(atcoder.files.submissions, bytes);

const task = {
  id: 'APG4b_ae',
  contest_id: 'APG4b',
  problem_index: 'AE',
  name: ' 第4章について ',
  title: 'AE. 第4章',
};
const submission = {
  id: 1,
  epoch_second: 1550253178,
  problem_id: 'arc101_b',
  contest_id: 'abc107',
  user_id: 'ada',
  language: 'Rust (1.15.1)',
  result: 'AC',
};

function jsonOf(value: unknown) {
  return chunksOf(JSON.stringify(value));
}

test('a task is known by its id, with its page, and nothing on rating or tags', async () => {
  const url = 'https://atcoder.jp/contests/APG4b/tasks/APG4b_ae';
  assert.deepEqual(await allValues(readAtcoderProblems(jsonOf([task]))), [
    { columns: { source_key: 'APG4b_ae', title: '第4章について', url } },
  ]);
});

test('a task with a wrong field is a bad entry', async () => {
  const tasks = [{ ...task, id: 'a/b' }, { ...task, contest_id: undefined }, { ...task, name: 7 }, 'abc001_1'];
  assert.deepEqual(await allFaults(readAtcoderProblems(jsonOf(tasks))), [
    'id is "a/b"; expected an id of letters, digits, _ and -.',
    'contest_id is missing; expected an id of letters, digits, _ and -.',
    'name is 7; expected text of 1 to 500 characters.',
    'The entry is "abc001_1"; expected an object.',
  ]);
});

test('a difficulty becomes a rating on the curve that AtCoder Problems shows', async () => {
  const difficulties = { a: 2000.4, b: 400, c: 399, d: 0, e: -848, f: -10_000, g: null, h: undefined };
  const models = Object.entries(difficulties).map(([id, difficulty]) => [id, { difficulty, is_experimental: false }]);
  const values = await allValues(readAtcoderModels(jsonOf(Object.fromEntries(models))));
  assert.deepEqual(
    values.map(({ columns }) => columns.rating),
    [2000n, 400n, 399n, 147n, 18n, 0n, null, null],
  );
  assert.deepEqual(values[0], { columns: { source_key: 'a', rating: 2000n }, timeModel: null });
});

test('a model with both numbers says how long a problem takes at a rating, as AtCoder Problems computes it', async () => {
  const [slope, intercept] = [-0.0010491341272136543, 7.286098473400458];
  const models = { a: { slope, intercept, is_experimental: false }, b: { slope }, c: { slope: 0, intercept: 7 } };
  const values = await allValues(readAtcoderModels(jsonOf(models)));
  assert.deepEqual(
    values.map(({ timeModel }) => timeModel),
    [{ slope: -1_049_134n, intercept: 7_286_098_473n }, null, { slope: 0n, intercept: 7_000_000_000n }],
  );
  const model = values[0]?.timeModel;
  assert.ok(model);
  for (const rating of [400, 1200, 2800]) {
    const expected = Math.exp(slope * rating + intercept);
    assert.ok(Math.abs(atcoder.predictedSeconds(model, rating) - expected) < 0.01, String(rating));
  }
  // Below 400 the site shows 400 / e^(1 - r/400) of a rating r.
  assert.ok(Math.abs(atcoder.predictedSeconds(model, 400 / Math.E) - Math.exp(intercept)) < 0.01);
  assert.ok(Number.isFinite(atcoder.predictedSeconds(model, 0)));
  const wrong = { a: { slope: 2, intercept: 1, is_experimental: true }, b: { slope: 0, intercept: 'x' } };
  assert.deepEqual(await allFaults(readAtcoderModels(jsonOf(wrong))), [
    'slope is 2; expected a number from -1 to 1.',
    'intercept is "x"; expected a number from -100 to 100.',
  ]);
});

const published = (difficulty: number) =>
  Math.round(difficulty >= 400 ? difficulty : 400 / Math.exp(1 - difficulty / 400));

async function assertPublished(models: Record<string, { difficulty?: number }>): Promise<void> {
  const values = await allValues(readAtcoderModels(jsonOf(models)));
  assert.deepEqual(
    values.map(({ columns }) => columns.rating),
    Object.values(models).map(({ difficulty }) => (difficulty === undefined ? null : BigInt(published(difficulty)))),
  );
}

test('the rating of each of 4,584 models is the figure that AtCoder Problems publishes', async () => {
  const difficultyOf = (place: number) => (place % 7 === 0 ? place * 2 - 4000.5 : place * 2 - 4000);
  const models = Array.from({ length: 4_584 }, (_, place) => [
    `abc${String(place).padStart(4, '0')}_a`,
    place % 500 === 0 ? { is_experimental: true } : { difficulty: difficultyOf(place) },
  ]);
  await assertPublished(Object.fromEntries(models));
});

test('the rating of each real model is the published one', needsData, async () => {
  await assertPublished(JSON.parse(await readReal('reach/atcoder/problem-models.three.json')));
});

test('a wrong model is a bad entry', async () => {
  const models = { abc001_1: { difficulty: '17' }, 'a b': {}, abc001_2: 5, abc001_3: { difficulty: 10_001 } };
  assert.deepEqual(await allFaults(readAtcoderModels(jsonOf(models))), [
    'difficulty is "17"; expected a number from -100000 to 10000.',
    'The problem id is "a b"; expected an id of letters, digits, _ and -.',
    'abc001_2 is 5; expected an object.',
    'difficulty is 10001; expected a number from -100000 to 10000.',
  ]);
});

test('a submission tells its problem, its time, who sent it and the ruling', async () => {
  const told = {
    id: '1',
    key: 'arc101_b',
    handles: ['ada'],
    submittedAt: '2019-02-15T17:52:58.000Z',
    contest: 'abc107',
    verdictClass: 'solved',
    verdict: 'AC',
    participation: null,
    language: 'Rust (1.15.1)',
    isGym: false,
  };
  const others = ['IE', 'WJ', 'WR', 'Judging', '3/17 TLE'];
  const changes = [{}, { user_id: undefined, language: undefined }, { result: 'WA' }, { result: 'CE' }];
  const values = await allValues(
    readAtcoderSubmissions(
      jsonOf([...changes, ...others.map((result) => ({ result }))].map((change) => ({ ...submission, ...change }))),
    ),
  );
  assert.deepEqual(values, [
    told,
    { ...told, handles: [], language: null },
    { ...told, verdictClass: 'tried', verdict: 'WA' },
    { ...told, verdictClass: 'void', verdict: 'CE' },
    ...others.map((verdict) => ({ ...told, verdictClass: verdict === 'IE' ? 'void' : 'pending', verdict })),
  ]);
  const wrong = [
    { ...submission, epoch_second: -1 },
    { ...submission, result: undefined },
    { ...submission, id: 'x' },
  ];
  assert.deepEqual(await allFaults(readAtcoderSubmissions(jsonOf(wrong))), [
    'epoch_second is -1; expected a whole number from 0 to 253402300799.',
    'result is missing; expected text of 1 to 100 characters.',
    'id is "x"; expected a whole number from 0 to 9007199254740991.',
  ]);
});

test('another kind of file is named, with the import that takes it', async () => {
  const models = { abc001_1: { difficulty: 1, is_experimental: true } };
  await assertBadFile(
    all(readAtcoderProblems(jsonOf(models))),
    /problem-models\.json, not problems\.json: import it with atcoder-models\.$/,
  );
  await assertBadFile(all(readAtcoderModels(jsonOf([task]))), /problems\.json, not problem-models\.json/);
  await assertBadFile(
    all(readAtcoderProblems(jsonOf([submission]))),
    /submissions, not problems\.json: import it with atcoder-submissions --member NAME\.$/,
  );
  await assertBadFile(all(readAtcoderModels(jsonOf([]))), /^The document is not an object/);
});

test(
  'the real sample has 100 tasks, its contests are known as such, its submissions are three',
  needsData,
  async () => {
    const file = (name: string) => realFile(`atcoder/${name}.fixture.json`);
    assert.equal((await allValues(readAtcoderProblems(file('atcoder_problems.tasks')))).length, 100);
    await assertBadFile(
      all(readAtcoderProblems(file('atcoder_problems.contests'))),
      /contests\.json, not problems\.json: import it with atcoder-contests\.$/,
    );
    const told = await allValues(readAtcoderSubmissions(file('user.submissions')));
    assert.deepEqual(
      told.map(({ verdictClass }) => verdictClass),
      ['solved', 'tried', 'solved'],
    );
  },
);
