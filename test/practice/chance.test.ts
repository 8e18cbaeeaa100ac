/** Chance, strength, performance and calibration: the worked examples to four digits, and what bad input gets. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { dayMs } from '../../src/durations.ts';
import { atcoder } from '../../src/judges/atcoder.ts';
import { codeforces as codeforcesJudge } from '../../src/judges/codeforces.ts';
import { chanceModels, judgeOf } from '../../src/judges/judges.ts';
import {
  type CalibrationLine,
  calibrationLines,
  isOff,
  predictionsOf,
  topicLines,
  wilsonInterval,
} from '../../src/practice/calibration.ts';
import { bandRange, chanceBandNames, chanceOf, chancePhrases, phraseOf } from '../../src/practice/chance.ts';
import { listSuggestions } from '../../src/practice/chance-suggestions.ts';
import { daysOf, defaultDayRule } from '../../src/practice/days.ts';
import { performanceOf, rootOf } from '../../src/practice/performance.ts';
import { readContestsTaken } from '../../src/practice/performances.ts';
import { saveRatingHistory } from '../../src/practice/ratings.ts';
import {
  fitStrength,
  readChances,
  readStrengths,
  readTakings,
  strengthOfContests,
  strengthOfRatings,
} from '../../src/practice/strength.ts';
import { codeforces, identity, twins } from '../importing/support.ts';
import { contestGarden, duringContest, ratings, type Sent } from '../support/contests-taken.ts';
import { root } from '../support/garden.ts';

const digits = (values: readonly (number | undefined)[]) => values.map((value) => Number(value?.toFixed(4)));
const models = { codeforces: codeforcesJudge.chanceModel, atcoder: atcoder.chanceModel };

test('the chance to solve a problem in a contest falls with its rating, on the scale of its judge', () => {
  assert.deepEqual(
    digits([1500, 1700, 1900].map((rating) => chanceOf(models.codeforces, rating, 1700))),
    [0.7285, 0.4185, 0.1618],
  );
  assert.deepEqual(digits([chanceOf(models.atcoder, 1000, 1200)]), [0.7101]);
  const { scaledRating, storedRating, strengthOf } = models.atcoder;
  const shown = [scaledRating(250), storedRating(scaledRating(250)), strengthOf(1000, 6), strengthOf(250, 10)];
  assert.deepEqual(digits(shown), [211.9985, 250, 1288.6208, 368.8306]);
  for (const rating of [0, -50]) assert.ok(chanceOf(models.atcoder, rating, 1000) > 0.99, 'a clipped rating');
  for (const source of ['leetcode', 'dmoj', 'cses', 'kattis', 'constructor'])
    assert.equal(judgeOf(source)?.chanceModel, undefined, source);
});

test('each of the nine phrases begins at its bound', () => {
  const bounds = [0, 0.05, 0.15, 0.27, 0.42, 0.58, 0.73, 0.85, 0.95];
  assert.deepEqual(bounds.map(phraseOf), chancePhrases);
  assert.deepEqual(
    chancePhrases.map(({ kind, some, all }) => `${kind} ${some} in ${all}`),
    [
      'under 1 in 20',
      ...['1 in 10', '1 in 5', '1 in 3', '1 in 2', '2 in 3', '4 in 5', '9 in 10'].map((one) => `about ${one}`),
      'over 19 in 20',
    ],
  );
  assert.deepEqual(
    bounds.slice(1).map((bound) => phraseOf(bound - 1e-9)),
    chancePhrases.slice(0, -1),
  );
});

test('the bands of suggestions are ranges of ratings around a strength', () => {
  assert.deepEqual(
    chanceBandNames.map((band) => digits(bandRange(models.codeforces, band, 1700) ?? [])),
    [
      [1386.3353, 1521.2081],
      [1588.3681, 1711.6319],
      [1778.7919, 1913.6647],
    ],
  );
  const text = readFileSync(join(root, 'docs', 'members.md'), 'utf8');
  for (const band of chanceBandNames) {
    const [from, to] = bandRange(models.codeforces, band, 1700);
    const said = [to - 1, from + 1].map((rating) => phraseOf(chanceOf(models.codeforces, rating, 1700)));
    const [least = '', most = ''] = said.map(({ some, all }) => `\\*about ${some} in ${all}\\*`);
    assert.match(text, new RegExp(`%, ${least} (?:or|to) ${most}\\)`), band);
  }
});

test('a performance counts how many were solved, and is a bound where that is none or all', () => {
  const all = ratings.map((_, solved) => performanceOf(models.codeforces, ratings, solved));
  all.push(performanceOf(models.codeforces, ratings, 6));
  assert.deepEqual(
    digits(all.map((one) => one?.strength)),
    [814.2345, 1040.5518, 1441.1348, 1790.9549, 2101.2272, 2419.3719, 2611.3622],
  );
  assert.deepEqual([all[0]?.bound, all[1]?.bound, all[6]?.bound], ['under', 'about', 'over']);
  assert.equal(performanceOf(models.codeforces, [800, 1200], 1), undefined);
  assert.equal(performanceOf(models.codeforces, [800, 1200, 1600], 1)?.bound, 'about');
  const stepsTo = (solved: number) => {
    let steps = 0;
    rootOf((strength) => {
      steps += 1;
      return ratings.reduce((sum, rating) => sum + chanceOf(models.codeforces, rating, strength), -solved);
    });
    return steps;
  };
  assert.ok(Math.max(...[1, 2, 3, 4, 5].map(stepsTo)) <= 18, 'where halving takes 38');
  assert.equal(performanceOf(undefined, ratings, 3), undefined);
  assert.ok((performanceOf(models.codeforces, [-100, -50, 0], 1)?.strength ?? 0) < 0, 'negative ratings');
});

test('the strength of contests is the most likely one under the prior', () => {
  const rows = (solved: number) => ratings.map((rating, at) => ({ rating, isSolved: at < solved }));
  const fits = [rows(3), [...rows(3), ...rows(3)], [...rows(0), ...rows(0)]].map((all) => {
    const { strength, deviation } = fitStrength(models.codeforces, all);
    return digits([strength, deviation]);
  });
  assert.deepEqual(fits, [
    [1726.7231, 203.7247],
    [1756.1379, 149.6349],
    [647.3341, 223.5549],
  ]);
  const taking = (solved: number) => ({
    id: 1n,
    key: '1',
    title: 'Round',
    first_at: '2026-01-01T00:00:00Z',
    over_at: '2026-01-01T02:00:00Z',
    isVirtual: false,
    isGym: false,
    rows: rows(solved).map((row) => ({ ...row, contestId: 1n, problemId: 1n, source: 'codeforces', tags: '[]' })),
  });
  const at = Date.parse('2026-01-02T00:00:00Z');
  const shown = (solved: number, count: number) =>
    strengthOfContests(models.codeforces, Array(count).fill(taking(solved)), at);
  assert.equal(shown(0, 2).strength, undefined, 'too uncertain');
  assert.deepEqual(digits([shown(3, 2).strength]), [1816.1379]);
  assert.equal(shown(3, 30).contests, 20);
  const one = { ...taking(3), rows: Array(4).fill(taking(3).rows).flat() };
  assert.deepEqual(strengthOfContests(models.codeforces, [one], at), { strength: undefined, contests: 1 });
  const [first, over] = [Date.parse(one.first_at), Date.parse(one.over_at)];
  const isKnown = (at: number) => strengthOfContests(models.codeforces, [one, one], at).strength !== undefined;
  assert.deepEqual([over - 1, over, first + 365 * dayMs, first + 365 * dayMs + 1].map(isKnown), [
    ...[false, true, true, false],
  ]);
  const old = { strength: undefined, contests: 2, isTooOld: true };
  assert.deepEqual(strengthOfContests(models.codeforces, [one, one], first + 365 * dayMs + 1), old);
  const rated = [1, 2, 3, 4, 5, 6].map((day) => ({
    handle_id: 1n,
    name: 'ada_cf',
    source: 'codeforces',
    contest: String(day),
    title: 'Round',
    place: null,
    rating: 1900n,
    rated_at: `2026-01-0${day}T00:00:00Z`,
  }));
  const last = Date.parse('2026-01-06T00:00:00Z');
  const isRated = (at: number) => strengthOfRatings(models.codeforces, rated, at) !== undefined;
  assert.deepEqual([last, last + 1, last + 180 * dayMs, last + 180 * dayMs + 1].map(isRated), [
    ...[false, true, true, false],
  ]);
});

test('the interval is Wilson’s, and a phrase or a topic needs ten predictions for a line', () => {
  assert.deepEqual(
    [...wilsonInterval(7, 9), ...wilsonInterval(0, 12), ...wilsonInterval(12, 12)].map((one) => Number(one.toFixed(4))),
    [0.4526, 0.9368, 0, 0.2425, 0.7575, 1],
  );
  const said = (count: number, chance: number, tags = '[]') =>
    Array.from({ length: count }, (_, at) => {
      const isSolved = at % 2 === 0;
      return {
        chance,
        isSolved,
        at,
        row: { contestId: 1n, problemId: 1n, source: 'codeforces', rating: 1500, tags, isSolved },
      };
    });
  const lines = calibrationLines([...said(10, 0.5), ...said(9, 0.3), ...said(16, 0.25), ...said(10, 0.75)]);
  assert.deepEqual(
    lines.map((line) => [line.phrase, line.count, line.solved, line.expected, isOff(line)]),
    [
      [phraseOf(0.25), 16, 8, 4, true],
      [phraseOf(0.5), 10, 5, 5, false],
      [phraseOf(0.75), 10, 5, 7.5, false],
    ],
  );
  assert.deepEqual(
    [3, 4, 5, 8, 12, 13].map((expected) => isOff({ ...lines[0], expected, interval: [0.25, 0.75] } as CalibrationLine)),
    [true, false, false, false, false, true],
  );
  const topics = topicLines([
    ...said(9, 0.25, '["math"]'),
    ...said(10, 0.5, '["dp","graphs"]'),
    ...said(9, 0.9, '["trees"]'),
    ...said(1, 0.75, '["math","dp"]'),
  ]);
  assert.deepEqual(
    topics.map(({ tag, count, solved, expected }) => [tag, count, solved, expected]),
    [
      ['dp', 11, 6, 5.75],
      ['graphs', 10, 5, 5],
      ['math', 10, 6, 3],
    ],
    'by their counts, not by what went better or worse than expected',
  );
});

const dayS = dayMs / 1000;
const start = Date.parse('2026-01-10T12:00:00Z') / 1000;
const during = duringContest(start);
const contestSolves = (id: number) => [...'ABC'].map((letter, n): Sent => [`${id}${letter}`, 'OK', during(id, n)]);

test('a contest counts with all its rated problems if the member alone sent something to it', async (t) => {
  const { garden, send } = await contestGarden(t, start);
  const taken = async (source = 'codeforces') =>
    (await readTakings(garden.store.reader, 1n, source)).map(({ key, isVirtual, rows }) => [
      key,
      isVirtual,
      rows.length,
      rows.filter(({ isSolved }) => isSolved).length,
    ]);
  await send(
    'ada_cf',
    ['1A', 'OK', during(1)],
    ['1B', 'WRONG_ANSWER', during(1, 900)],
    ['1B', 'OK', during(1, 90_000), 'PRACTICE'],
    ['1C', 'OK', during(1, 95_000), 'VIRTUAL'],
    ['2A', 'COMPILATION_ERROR', during(2)],
    ['3A', 'OK', during(3), 'CONTESTANT', { teamName: 'Frogs', members: [{ handle: 'ada_cf' }, { handle: 'ben' }] }],
    ['3B', 'OK', during(3), 'CONTESTANT', { teamName: 'Frogs' }],
    ['4A', 'OK', during(4), 'PRACTICE'],
    ['5A', 'OK', during(4, 5000), 'PRACTICE'],
    ['5B', 'OK', during(5)],
    ['7A', 'OK', during(7)],
  );
  await send('ada_second', ['5C', 'OK', during(5, 700), 'OUT_OF_COMPETITION'], ['6A', 'PARTIAL', during(6), 'VIRTUAL']);
  const expected = [
    ['6', true, 6, 0],
    ['5', false, 5, 2],
    ['1', false, 6, 1],
  ];
  assert.deepEqual(await taken(), expected, 'two handles count together; 7 has only two rated problems');
  await garden.store.write((tx) => tx.updateTable('contests').set({ is_gym: 1n }).where('key', '=', '5').execute());
  const kinds = await readContestsTaken(garden.store.reader, 1n, ['codeforces'], Number.POSITIVE_INFINITY);
  assert.deepEqual(
    kinds.map(({ kind }) => kind),
    ['virtual', 'gym', 'live'],
  );
  const tasks = ['abc1', 'abc2'].flatMap((contest_id) =>
    [...'ABC'].map((problem_index) => ({ contest_id, problem_index, id: `${contest_id}_${problem_index}`, name: '1' })),
  );
  await garden.import('atcoder-problems', tasks);
  await garden.import('atcoder-models', Object.fromEntries(tasks.map(({ id }) => [id, { difficulty: 900 }])));
  const times = { start_epoch_second: start, duration_second: 6000, rate_change: '-' };
  const contestsOfJudge = ['abc1', 'abc2'].map((id) => ({ ...times, id, title: id }));
  await garden.import('atcoder-contests', contestsOfJudge);
  const places = tasks.map(({ id, contest_id, problem_index }) => ({ problem_id: id, contest_id, problem_index }));
  await garden.import('atcoder-contest-problems', places);
  const result = { user_id: 'ada', language: 'C', point: 1, length: 1, result: 'AC', execution_time: 1 };
  const accepted = places
    .slice(2, 4)
    .map((place, n) => ({ ...result, ...place, id: n, epoch_second: start + 5999 + n }));
  await garden.import('atcoder-submissions', accepted, { member: 'ada' });
  assert.deepEqual(await taken('atcoder'), [['abc1', false, 3, 1]], 'where the judge does not say, within its time');
  await garden.import('codeforces-twins', twins(['1A', '8C']));
  await send('ada_cf', ['8C', 'WRONG_ANSWER', during(8)], ['8D', 'OK', during(8, 800)]);
  assert.deepEqual(await taken(), [['8', false, 5, 1], ...expected], 'the twin was solved before');
});

test('odd ratings, keys and scores of problems change what a contest says as the rules say', async (t) => {
  const { garden, send } = await contestGarden(t, start);
  const rate = (rating: number | undefined, ...keys: string[]) =>
    garden.import('codeforces-problems', codeforces(...keys.map((key) => ({ ...identity(key), name: key, rating }))));
  const taken = async (key: string) => {
    const found = (await readTakings(garden.store.reader, 1n, 'codeforces')).find((one) => one.key === key);
    return found?.rows
      .map(({ rating, isSolved }) => `${rating}${isSolved ? '+' : ''}`)
      .toSorted()
      .join(' ');
  };
  const others = '1200 1600 1900 2200 2500';
  const table: readonly [name: string, key: string, work: () => Promise<unknown>, rows: string | undefined][] = [
    ['two rated problems are too few', '7', () => send('ada_cf', ['7A', 'OK', during(7)]), undefined],
    ['a rating that comes later', '7', () => rate(1500, '7F'), '1200 1500 800+'],
    ['a rating that goes', '7', () => rate(undefined, '7F'), undefined],
    [
      'a rating that changes',
      '1',
      () => send('ada_cf', ['1A', 'OK', during(1)]).then(() => rate(3000, '1A')),
      `${others} 3000+`,
    ],
    [
      'a negative rating',
      '1',
      () =>
        garden.store.write((tx) =>
          tx.updateTable('problems').set({ rating: -50n }).where('source_key', '=', '1A').execute(),
        ),
      `-50+ ${others}`,
    ],
    ['points are no solve', '2', () => send('ada_cf', ['2A', 'PARTIAL', during(2)]), `${others} 800`],
    [
      'the twin of another division',
      '4',
      () => garden.import('codeforces-twins', twins(['3C', '4A'])).then(() => send('ada_cf', ['4A', 'OK', during(4)])),
      '1200 1600 1600+ 1900 2200 2500',
    ],
    ['and its own contest, where nothing was sent', '3', async () => {}, undefined],
  ];
  for (const [name, key, work, rows] of table) {
    await work();
    assert.equal(await taken(key), rows, name);
  }
  const problem = { contest_id: 'abc1', problem_index: 'A', name: 'Frogs' };
  const tasks = [...'abc'].map((id) => ({ ...problem, id }));
  await garden.import('atcoder-problems', tasks);
  const experimental = { difficulty: 1000, is_experimental: true };
  await garden.import('atcoder-models', { a: { difficulty: 1000 }, b: experimental, c: { difficulty: -500 } });
  const chances = (await garden.rows('problems'))
    .filter(({ source }) => source === 'atcoder')
    .map(({ rating }) => chanceOf(atcoder.chanceModel, Number(rating), 0).toFixed(2));
  assert.deepEqual(chances, ['0.01', '0.01', '0.90'], 'experimental as any other; clipped at its own difficulty');
});

test('the strength needs two contests that are over, or else a fresh rating of the handle that was rated last', async (t) => {
  const { garden, send } = await contestGarden(t, start);
  const { reader } = garden.store;
  const at = async (seconds: number) => {
    const strengths = await readStrengths(reader, 1n, new Map([['codeforces', models.codeforces]]), seconds * 1000);
    return strengths.get('codeforces') ?? assert.fail();
  };
  await send('ada_cf', ...contestSolves(1));
  assert.deepEqual(await at(during(2)), { strength: undefined, contests: 1 });
  await send('ada_cf', ...contestSolves(2));
  assert.deepEqual(await at(during(2, 7199)), { strength: undefined, contests: 1 }, 'the second contest runs');
  const known = await at(during(2, 7200));
  assert.deepEqual([Number(known.strength?.toFixed(4)), known.contests], [1816.1379, 2]);
  assert.equal((await at(during(2) + 366 * dayS)).strength, undefined, 'the last was too long ago');
  const predictions = predictionsOf(models.codeforces, [], await readTakings(reader, 1n, 'codeforces'));
  assert.equal(predictions.length, 0, 'before its first submission nothing was known');
  await send('ada_cf', ...contestSolves(3));
  const [first] = predictionsOf(models.codeforces, [], await readTakings(reader, 1n, 'codeforces'));
  assert.equal(Number(first?.chance.toFixed(4)), Number(chanceOf(models.codeforces, 800, 1816.1379).toFixed(4)));

  await send('ada_second', ['9A', 'WRONG_ANSWER', during(9)]);
  const handles = await reader.selectFrom('handles').select('id').orderBy('id').execute();
  const [one, second] = handles.map(({ id }) => id);
  const rated = (count: number, from: number, rating: bigint) =>
    Array.from({ length: count }, (_, n) => ({
      contest: `${from + n}`,
      title: 'Round',
      place: null,
      rating: rating + BigInt(n),
      rated_at: new Date((start + (20 + from + n) * dayS) * 1000).toISOString(),
    }));
  const save = (handle: bigint | undefined, rows: ReturnType<typeof rated>) =>
    garden.store.write((tx) => saveRatingHistory(tx, handle ?? 0n, rows));
  const later = start + 60 * dayS;
  await save(one, rated(5, 1, 1900n));
  assert.equal((await at(later)).contests, 4, 'a newcomer has too few rated contests');
  await save(one, rated(6, 1, 1900n));
  assert.deepEqual(await at(later), { strength: 1905, basis: 'rating', contests: 6 });
  assert.equal((await at(start + 25.5 * dayS)).contests, 4, 'before the sixth');
  assert.equal((await at(later + 170 * dayS)).contests, 4, 'the rating is old');
  await save(second, rated(6, 10, -20n));
  assert.deepEqual(await at(later), { strength: -15, basis: 'rating', contests: 6 });
  const problems = [
    { id: 2n, source: 'codeforces', rating: 1200n },
    { id: 50n, source: 'codeforces', rating: 1200n },
    { id: 39n, source: 'codeforces', rating: null },
    { id: 50n, source: 'dmoj', rating: 1200n },
  ];
  const chances = async (seconds: number) => [
    ...(await readChances(reader, 1n, chanceModels, problems, seconds * 1000)),
  ];
  const told = { strength: -15, basis: 'rating', contests: 6, chance: chanceOf(models.codeforces, 1200, -15) };
  assert.deepEqual(await chances(later), [
    [2n, told],
    [50n, told],
  ]);
  assert.deepEqual(
    await chances(during(2)),
    [[2n, { strength: undefined, contests: 1 }]],
    'the ninth contest is to come',
  );
});

test('suggestions are drawn from bands of chances, each problem as likely as others, the same all day', async (t) => {
  const { garden, send } = await contestGarden(t, start);
  const { reader } = garden.store;
  await send('ada_cf', ...contestSolves(1), ...contestSolves(2));
  const days = daysOf(defaultDayRule);
  const today = days.at((start + 10 * dayS) * 1000);
  const draw = async (day: number) => {
    const request = { days, today: day, models: chanceModels };
    const [judge] = (await listSuggestions(reader, 1n, request)).judges;
    return (judge?.suggestions ?? []).map(({ kind, problem, chance }) => ({ kind, id: problem.id, chance }));
  };
  const first = await draw(today);
  assert.deepEqual(
    first.map(({ kind, chance = 0 }) => [kind, phraseOf(chance).some, phraseOf(chance).all]),
    [
      ['likely', 4, 5],
      ['stretch', 1, 3],
    ],
    'a band without problems shows nothing',
  );
  assert.deepEqual(await draw(today), first);
  const counts = new Map<bigint, number>();
  for (let day = today; day < today + 280; day++)
    for (const { kind, id } of await draw(day)) if (kind === 'likely') counts.set(id, (counts.get(id) ?? 0) + 1);
  assert.equal(counts.size, 6, 'the problems rated 1600 that ada did not solve');
  for (const count of counts.values()) assert.ok(count > 25 && count < 75, `${[...counts.values()]}`);
});
