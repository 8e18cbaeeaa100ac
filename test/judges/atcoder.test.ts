/** AtCoder Problems' files: the catalogue, difficulties and submissions, good and bad, small and real. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atcoder, atcoderApi } from '../../src/judges/atcoder.ts';
import { acceptedRow, replayAtCoder } from '../replay/atcoder.ts';
import { assertBadFile, realFile } from '../support/files.ts';
import { needsData, readReal } from '../support/real-data.ts';
import { asking, faultsIn, stateAt, valuesIn } from './support.ts';

const { files } = atcoder;

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

test('a task is known by its id, with its page, and nothing on rating or tags', async () => {
  const url = 'https://atcoder.jp/contests/APG4b/tasks/APG4b_ae';
  const training = ['abc308_a', 'adt_x'].map((id) => ({ id, contest_id: 'adt_all_20260613_1', name: 'x'.repeat(501) }));
  const [first, ...others] = await valuesIn(files.problems, [task, ...training]);
  assert.deepEqual(first, { columns: { source_key: 'APG4b_ae', title: '第4章について', url } });
  assert.deepEqual(
    others.map(({ columns }) => [columns.url?.slice(28), columns.title?.length]),
    [
      ['abc308/tasks/abc308_a', 500],
      ['adt_all_20260613_1/tasks/adt_x', 500],
    ],
    'a training sets problems of earlier contests again',
  );
});

test('a task with a wrong field is a bad entry', async () => {
  const tasks = [{ ...task, id: 'a/b' }, { ...task, contest_id: undefined }, { ...task, name: 7 }, 'abc001_1'];
  assert.deepEqual(await faultsIn(files.problems, tasks), [
    'id is "a/b"; expected an id of letters, digits, _ and -.',
    'contest_id is missing; expected an id of letters, digits, _ and -.',
    'name is 7; expected text of 1 to 500 characters.',
    'The entry is "abc001_1"; expected an object.',
  ]);
});

test('a difficulty becomes a rating on the curve that AtCoder Problems shows', async () => {
  const difficulties = { a: 2000.4, b: 400, c: 399, d: 0, e: -848, f: -10_000, g: null, h: undefined };
  const models = Object.entries(difficulties).map(([id, difficulty]) => [id, { difficulty, is_experimental: false }]);
  const values = await valuesIn(files.models, Object.fromEntries(models));
  assert.deepEqual(
    values.map(({ columns }) => columns.rating),
    [2000n, 400n, 399n, 147n, 18n, 0n, null, null],
  );
  assert.deepEqual(values[0], { columns: { source_key: 'a', rating: 2000n }, timeModel: null });
});

test('a model with both numbers says how long a problem takes at a rating, as AtCoder Problems computes it', async () => {
  const [slope, intercept] = [-0.0010491341272136543, 7.286098473400458];
  const models = { a: { slope, intercept, is_experimental: false }, b: { slope }, c: { slope: 0, intercept: 7 } };
  const values = await valuesIn(files.models, models);
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
  assert.deepEqual(await faultsIn(files.models, wrong), [
    'slope is 2; expected a number from -1 to 1.',
    'intercept is "x"; expected a number from -100 to 100.',
  ]);
});

test('strength, spread and shift are those of AtCoder’s own formulas', () => {
  const { spread, shift, usualStrength, scaledRating, strengthOf } = atcoder.chanceModel;
  assert.deepEqual(
    [0, 1, 400].map((rating) => Math.round(scaledRating(rating))),
    [-1997, -1997, 400],
  );
  assert.deepEqual([spread.toFixed(2), shift, usualStrength], ['514.04', 0, 1200]);
  // A first rating is 1200 too low, and one of many contests right (atcoder.jp/posts/119).
  assert.deepEqual(
    [1, 2, 10, 1000].map((contests) => Math.round(strengthOf(1500, contests))),
    [2700, 2245, 1657, 1500],
  );
});

test('a contest has its times, and the places of its problems', async () => {
  const contest = { id: 'abc1', title: 'x'.repeat(501), start_epoch_second: 0, duration_second: 100_000_000_000 };
  const { contests, 'contest-problems': places } = files;
  assert.deepEqual(await valuesIn(contests, [contest]), [
    {
      key: 'abc1',
      title: 'x'.repeat(500),
      starts_at: '1970-01-01T00:00:00.000Z',
      duration_s: 100_000_000_000n,
      phase: null,
    },
  ]);
  const longer = { ...contest, duration_second: contest.duration_second + 1 };
  assert.deepEqual(await faultsIn(contests, [longer]), [
    'duration_second is 100000000001; expected a whole number from 0 to 100000000000.',
  ]);
  const place = { problem_id: 'abc1_a', contest_id: 'abc1', problem_index: 'A' };
  const { problem_id: id, ...others } = place;
  const found = await valuesIn(places, [place, { id, ...others }]);
  assert.deepEqual(found, Array(2).fill({ key: id, contest: 'abc1', position: 'A' }));
  assert.deepEqual(await faultsIn(places, [{ ...place, problem_index: 'A'.repeat(21) }]), [
    'problem_index is "AAAAAAAAAAAAAAAAAAAAA"; expected text of 1 to 20 characters.',
  ]);
});

const at = 1_700_000_000;
const day = 86_400;

test('a run reads two days again, and once a day compares the count of what is older', async () => {
  const { ask, run } = asking(replayAtCoder({ submissions: [acceptedRow(1, 'ada', 5), acceptedRow(2, 'ADA', at)] }));
  const runAt = (seconds: number, cursor?: unknown, stored = 0) => {
    const countStored = (second: number) => (second === at - 2 * day ? stored : Number.NaN);
    return run(atcoder.api.submissions?.(ask, 'ada', stateAt(seconds, cursor, countStored)));
  };
  const from = (second: number) => `/atcoder-api/v3/user/submissions?user=ada&from_second=${second}`;
  const count = `/atcoder-api/v3/user/submission_count?user=ada&from_second=0&to_second=${at - 2 * day}`;
  const first = await runAt(at + 9);
  assert.deepEqual([first.paths, first.cursor], [[from(0), from(at)], { through: at, countedAt: at + 9, missing: 0 }]);
  const again = await runAt(at + 8 + day, first.cursor);
  assert.deepEqual([again.paths, again.cursor], [[from(at - 2 * day)], first.cursor]);
  const daily = await runAt(at + 9 + day, { ...Object(first.cursor), missing: 1 }, 0);
  assert.deepEqual(
    [daily.paths, daily.cursor],
    [[count, from(at - 2 * day)], { through: at, countedAt: at + 9 + day, missing: 1 }],
  );
  const differs = await runAt(at + 9 + day, { ...Object(first.cursor), missing: 1 }, 1);
  assert.deepEqual(
    [differs.paths, differs.cursor],
    [[count, from(0), from(at)], { ...Object(daily.cursor), missing: 0 }],
  );
});

test('what a second has beyond the thousand that the judge shows is counted as missing', async () => {
  const submissions = Array.from({ length: 2000 }, (_, n) => acceptedRow(n + 1, n % 10 === 0 ? 'eve' : 'Ada', at));
  submissions.push(acceptedRow(2001, 'ada', at + 1));
  const { ask, run } = asking(replayAtCoder({ submissions }));
  const { paths, cursor, texts } = await run(atcoder.api.submissions?.(ask, 'ada', stateAt(at, undefined)));
  assert.deepEqual(cursor, { through: at + 1, countedAt: at, missing: 400 });
  assert.equal(JSON.parse(texts[1] ?? '').length, 1400);
  assert.equal(paths[3], `/atcoder-api/v3/from/${at}`);
  assert.equal(paths.at(-1), `/atcoder-api/v3/user/submissions?user=ada&from_second=${at + 1}`);
});

test('the newest of all, those of a round and those for a proof are asked for in one request each', async () => {
  const rows = [acceptedRow(7, 'ada', at), acceptedRow(8, 'Bob', at + 60), acceptedRow(9, 'eve', at - day)];
  const { ask, paths } = asking(replayAtCoder({ submissions: rows }));
  assert.deepEqual((await atcoderApi.feed?.newest(ask, 1000, undefined))?.rows.slice(1), [
    { id: 8, at: 1000 * (at + 60), handles: ['Bob'], value: rows[1] },
    { id: 7, at: 1000 * at, handles: ['ada'], value: rows[0] },
  ]);
  assert.deepEqual(await atcoderApi.age?.(ask, new Date()), new Date(1000 * (at + 60)));
  assert.equal(await atcoderApi.age?.(asking(() => ({ body: [] })).ask, new Date()), undefined);
  const [from, until] = [new Date(1000 * at + 999), new Date(1000 * (at + 60) + 999)];
  const round = { handles: ['ada', 'bob'], cursors: [], keys: ['abc001_a', 'abc001_b'], from, until };
  assert.deepEqual(
    (await atcoderApi.ofRound?.(ask, round))?.map(({ id, contest }) => [id, contest]),
    [
      ['7', 'abc001'],
      ['8', 'abc001'],
    ],
  );
  const query = `users=ada%2Cbob&problems=abc001_a%2Cabc001_b&from=${at}&to=${at + 60}`;
  assert.equal(paths.at(-1), `/atcoder-api/v3/users_and_time?${query}`);
  assert.equal(atcoder.proof.isDelayed, true);
  const sent = [acceptedRow(1, 'ada', at - day), acceptedRow(2, 'ada', at - day - 1), acceptedRow(3, 'ada', at)];
  const proof = await atcoder.proof.newest(
    asking(replayAtCoder({ submissions: sent })).ask,
    'ada',
    new Date(1000 * at),
  );
  assert.deepEqual(
    proof.map(({ id }) => id),
    ['3', '1'],
    'the newest first, of a day before',
  );
  assert.deepEqual(
    [proof[0], { ...proof[0], verdict: 'CE' }].map((one) => atcoder.proof.matches(one as never)),
    [false, true],
  );
});

test('rated contests have the English title, and only those that were rated count', async () => {
  const rated = { IsRated: true, Place: 59, NewRating: 900, EndTime: '2016-09-04T22:50:00+09:00', ContestName: 'J' };
  const named = (name: string, more: object = {}) => ({ ...rated, ContestScreenName: name, ...more });
  const history = {
    ada: [
      named('agc004.contest.atcoder.jp', { ContestNameEn: 'E' }),
      named('arc1', { ContestName: '', Place: -1 }),
      named('ahc1', { IsRated: false }),
      named('a b'),
      7,
    ],
  };
  const { ask } = asking(replayAtCoder({ submissions: [], history }));
  const { values, skipped } = (await atcoderApi.ratings?.history(ask, 'ada', new Map())) ?? {};
  const row = { place: 59n, rating: 900n, rated_at: '2016-09-04T13:50:00.000Z' };
  assert.deepEqual(values, [
    { contest: 'agc004', title: 'E', ...row },
    { contest: 'arc1', title: 'arc1', ...row, place: null },
  ]);
  assert.equal(skipped?.length, 2);
  const unknown = asking(() => ({ status: 404, body: '' })).ask;
  await assert.rejects(async () => atcoderApi.ratings?.history(unknown, 'ada', new Map()), /AtCoder has no user ada/);
});

test('a catalogue comes in two files, and another status than 200 is none', async () => {
  const { ask, run } = asking(replayAtCoder({ submissions: [] }));
  const names = ['problems', 'problem-models', 'contests', 'contest-problem'].map((name) => `/resources/${name}.json`);
  assert.deepEqual((await run(atcoder.api.problems?.(ask))).paths, names.slice(0, 2));
  assert.deepEqual((await run(atcoder.api.contests?.(ask))).paths, names.slice(2));
  const moved = asking(() => ({ status: 204, body: '[]' }));
  await assert.rejects(moved.run(atcoder.api.problems?.(moved.ask)), /204/);
});

test('the rating of each real model is the published one', needsData, async () => {
  const models = JSON.parse(await readReal('reach/atcoder/problem-models.three.json')) as Record<
    string,
    { difficulty?: number }
  >;
  const published = (difficulty: number) =>
    Math.round(difficulty >= 400 ? difficulty : 400 / Math.exp(1 - difficulty / 400));
  assert.deepEqual(
    (await valuesIn(files.models, models)).map(({ columns }) => columns.rating),
    Object.values(models).map(({ difficulty }) => (difficulty === undefined ? null : BigInt(published(difficulty)))),
  );
});

test('a wrong model is a bad entry', async () => {
  const models = { abc001_1: { difficulty: '17' }, 'a b': {}, abc001_2: 5, abc001_3: { difficulty: 10_001 } };
  assert.deepEqual(await faultsIn(files.models, models), [
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
  const unnamed = ['a b', 7].map((contest_id) => ({ contest_id }));
  const changes = [{}, { user_id: undefined, language: undefined }, { result: 'WA' }, { result: 'CE' }, ...unnamed];
  const values = await valuesIn(
    files.submissions,
    [...changes, ...others.map((result) => ({ result }))].map((change) => ({ ...submission, ...change })),
  );
  assert.deepEqual(values, [
    told,
    { ...told, handles: [], language: null },
    { ...told, verdictClass: 'tried', verdict: 'WA' },
    { ...told, verdictClass: 'void', verdict: 'CE' },
    ...unnamed.map(() => ({ ...told, contest: null })),
    ...others.map((verdict) => ({ ...told, verdictClass: verdict === 'IE' ? 'void' : 'pending', verdict })),
  ]);
  const wrong = [
    { ...submission, epoch_second: -1 },
    { ...submission, result: undefined },
    { ...submission, id: 'x' },
  ];
  assert.deepEqual(await faultsIn(files.submissions, wrong), [
    'epoch_second is -1; expected a whole number from 0 to 253402300799.',
    'result is missing; expected text of 1 to 100 characters.',
    'id is "x"; expected a whole number from 0 to 9007199254740991.',
  ]);
});

test('another kind of file is named, with the import that takes it', async () => {
  const models = { abc001_1: { difficulty: 1, is_experimental: true } };
  await assertBadFile(
    valuesIn(files.problems, models),
    /AtCoder problem-models\.json, not AtCoder problems\.json: import it with atcoder-models\.$/,
  );
  await assertBadFile(valuesIn(files.models, [task]), /AtCoder problems\.json, not AtCoder problem-models\.json/);
  await assertBadFile(
    valuesIn(files.problems, [submission]),
    /submissions, not AtCoder problems\.json: import it with atcoder-submissions --member NAME\.$/,
  );
  await assertBadFile(valuesIn(files.models, []), /^The document is not an object/);
});

test(
  'the real sample has 100 tasks, its contests are known as such, its submissions are three',
  needsData,
  async () => {
    const file = (name: string) => realFile(`atcoder/${name}.fixture.json`);
    assert.equal((await valuesIn(files.problems, file('atcoder_problems.tasks'))).length, 100);
    await assertBadFile(
      valuesIn(files.problems, file('atcoder_problems.contests')),
      /contests\.json, not AtCoder problems\.json: import it with atcoder-contests\.$/,
    );
    const told = await valuesIn(files.submissions, file('user.submissions'));
    assert.deepEqual(
      told.map(({ verdictClass }) => verdictClass),
      ['solved', 'tried', 'solved'],
    );
  },
);
