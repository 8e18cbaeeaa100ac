/** A judge's catalogue into problems: what enters, what follows the judge, what stays. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadSample, removeSample } from '../../src/importing/sample.ts';
import { noLimits } from '../../src/practice/added-problems.ts';
import { createMember } from '../../src/practice/members.ts';
import { mergeProblem } from '../../src/practice/merging.ts';
import { makeRound } from '../../src/practice/rounds.ts';
import { startTimer } from '../../src/practice/timers.ts';
import { findProblemsByKeys } from '../../src/store/problems.ts';
import { codeforces, gardenOf, identity, openGarden, report, twins } from './support.ts';

const watermelon = { ...identity('4A'), name: 'Watermelon', rating: 800, tags: ['brute force', 'math'] };
const theatre = { ...identity('1A'), name: 'Theatre Square', rating: 1000 };

test('a catalogue enters whole, and a second import of it keeps everything', async (t) => {
  const garden = await openGarden(t);
  const first = await garden.import('codeforces-problems', codeforces(watermelon, theatre));
  assert.deepEqual(first.report, report({ read: 2, new: 2 }));
  const [row] = await garden.rows('problems');
  const { created_at, updated_at, ...rest } = row ?? {};
  assert.deepEqual(rest, {
    id: 1,
    title: 'Watermelon',
    source: 'codeforces',
    source_key: '4A',
    url: 'https://codeforces.com/problemset/problem/4/A',
    rating: 800,
    tags: ['brute force', 'math'],
    aliases: [],
    editorial_url: null,
    video_url: null,
  });
  assert.equal(created_at, updated_at);
  const before = await garden.everything();
  const second = await garden.import('codeforces-problems', codeforces(watermelon, theatre));
  assert.deepEqual(second.report, report({ read: 2, kept: 2 }));
  assert.equal(await garden.everything(), before);
});

test('the judge’s count of solvers follows each import, and no entity tag follows it', async (t) => {
  const garden = await openGarden(t);
  const counts = async () => {
    const rows = await garden.store.reader.selectFrom('solved_counts').selectAll().orderBy('problem_id').execute();
    return rows.map(({ problem_id, solved_by }) => [problem_id, solved_by]);
  };
  const withCounts = (...solved: number[]) => {
    const { result } = codeforces(watermelon, theatre) as { result: object };
    const keys = ['4A', '1A'];
    const problemStatistics = solved.map((solvedCount, at) => ({ ...identity(keys[at] ?? ''), solvedCount }));
    return { status: 'OK', result: { ...result, problemStatistics } };
  };
  await garden.import('codeforces-problems', withCounts(10, 20));
  assert.deepEqual(await counts(), [
    [1n, 10n],
    [2n, 20n],
  ]);
  const [before] = await garden.store.revisions(['problems']);
  const everything = await garden.everything();
  const same = await garden.import('codeforces-problems', withCounts(10, 20));
  assert.deepEqual([same.report, same.hasWritten], [report({ read: 2, kept: 2 }), false]);
  const more = await garden.import('codeforces-problems', withCounts(11));
  assert.deepEqual([more.report, more.hasWritten], [report({ read: 2, kept: 2 }), true]);
  assert.deepEqual(await counts(), [
    [1n, 11n],
    [2n, 20n],
  ]);
  assert.deepEqual(await garden.store.revisions(['problems']), [before]);
  assert.equal(await garden.everything(), everything.replace('"solved_by":10', '"solved_by":11'));
  await garden.import('codeforces-twins', twins(['4A', '1A']));
  assert.deepEqual(await counts(), [[1n, 11n]]);
  await garden.import('codeforces-problems', withCounts(12, 99));
  assert.deepEqual(await counts(), [[1n, 12n]]);
});

test('a dry run reports what the import will do, line by line, and changes nothing', async (t) => {
  const garden = await openGarden(t);
  await garden.import('codeforces-problems', codeforces(watermelon));
  const before = await garden.everything();
  const file = codeforces({ ...watermelon, rating: 900 }, theatre);
  const dry = await garden.import('codeforces-problems', file, { isDryRun: true });
  assert.equal(await garden.everything(), before);
  const wet = await garden.import('codeforces-problems', file);
  assert.deepEqual(dry, wet);
  assert.deepEqual(wet.report, report({ read: 2, new: 1, changed: 1 }));
  assert.deepEqual(wet.lines, ['changed codeforces 4A Watermelon', 'new codeforces 1A Theatre Square']);
});

test('a known problem follows what the judge now says, and keeps what only the garden knows', async (t) => {
  const garden = await openGarden(t);
  const own = {
    id: 7,
    title: 'Watermelon',
    source: 'codeforces',
    source_key: '4A',
    rating: 700,
    tags: ['math'],
    editorial_url: 'https://e.example/',
    video_url: 'https://v.example/',
    aliases: ['5Z'],
    created_at: '2020-01-01T00:00:00.000Z',
    updated_at: '2020-01-01T00:00:00.000Z',
  };
  await garden.import('problems', [own]);
  const { report: figures } = await garden.import('codeforces-problems', codeforces(watermelon));
  assert.deepEqual(figures, report({ read: 1, changed: 1 }));
  const [row] = await garden.rows('problems');
  const url = 'https://codeforces.com/problemset/problem/4/A';
  const now = row?.['updated_at'];
  assert.deepEqual(row, { ...own, url, rating: 800, tags: watermelon.tags, updated_at: now });
  assert.ok(String(now) > own.updated_at);
});

test('of a problem listed twice in one file the later entry counts, wherever the batches are cut', async (t) => {
  const garden = await openGarden(t);
  const many = Array.from({ length: 1500 }, (_, at) => ({ ...identity(`${at + 1}A`), name: `Problem ${at}` }));
  const [again, other] = [
    { ...identity('2A'), name: 'Renamed' },
    { ...identity('3A'), name: 'Too' },
  ];
  const file = codeforces(...many.slice(0, 3), again, again, ...many.slice(3), again, other);
  const { report: figures } = await garden.import('codeforces-problems', file);
  assert.deepEqual(figures, report({ read: 1504, new: 1500, changed: 2, kept: 2 }));
  const titles = (await garden.rows('problems')).map((row) => row['title']);
  assert.deepEqual([titles.length, titles[1], titles[2]], [1500, 'Renamed', 'Too']);
});

test('the row that a catalogue has for an alias changes nothing', async (t) => {
  const garden = await openGarden(t);
  await garden.import('codeforces-problems', codeforces(watermelon));
  await garden.import('codeforces-twins', twins(['4A', '5B']));
  const before = await garden.everything();
  const alias = { ...identity('5B'), name: 'Watermelon (Div. 2)', rating: 1200, tags: ['greedy'] };
  const { report: figures } = await garden.import('codeforces-problems', codeforces(watermelon, alias));
  assert.deepEqual(figures, report({ read: 2, kept: 2 }));
  assert.equal(await garden.everything(), before);
});

test('a catalogue makes no problem that staff merged into one of another site, also as the only one of its judge', async (t) => {
  const garden = await openGarden(t);
  await garden.import('codeforces-problems', codeforces(watermelon));
  await garden.import('problems', [{ source: 'club.example', source_key: 'melon', title: 'Melon' }]);
  await garden.store.write((tx) => mergeProblem(tx, 1n, 2n));
  const again = await garden.import('codeforces-problems', codeforces(watermelon));
  assert.deepEqual([again.report, again.hasWritten], [report({ read: 1, kept: 1 }), false]);
  await garden.import('codeforces-problems', codeforces(watermelon, theatre));
  const titles = (await garden.rows('problems')).map(({ title }) => title);
  assert.deepEqual(titles, ['Melon', 'Theatre Square']);
});

const listed = [{ id: 'abc001_a', contest_id: 'abc001', problem_index: 'A', name: 'Snow', title: 'A. Snow' }];

test('difficulties change nothing but the rating, and name the problems that no catalogue has', async (t) => {
  const garden = await openGarden(t);
  await garden.import('atcoder-problems', listed);
  const model = (difficulty: number) => ({ difficulty, is_experimental: false });
  const models = { abc001_a: model(1500.4), abc999_z: model(10) };
  const first = await garden.import('atcoder-models', models);
  assert.deepEqual(first.report, report({ read: 2, changed: 1, unmatched: 1 }));
  assert.deepEqual(first.lines, [
    'changed atcoder abc001_a',
    'unmatched atcoder abc999_z: no such problem; import the catalogue first',
  ]);
  const [row] = await garden.rows('problems');
  assert.deepEqual([row?.['rating'], row?.['title']], [1500, 'Snow']);
  const second = await garden.import('atcoder-models', models);
  assert.deepEqual(second.report, report({ read: 2, kept: 1, unmatched: 1 }));
  const third = await garden.import('atcoder-problems', listed);
  assert.deepEqual(third.report, report({ read: 1, kept: 1 }), 'the catalogue does not take the rating away');
});

test('how long a problem takes is kept, follows its file, and is no change of the problem', async (t) => {
  const garden = await openGarden(t);
  await garden.import('atcoder-problems', listed);
  const kept = async () => (await garden.store.reader.selectFrom('time_models').selectAll().execute()).at(0);
  const importing = async (model: object) => {
    const unknown = { slope: 0, intercept: 1 };
    const models = { abc001_a: { difficulty: 100, is_experimental: false, ...model }, abc9_z: unknown };
    const { report: figures, hasWritten } = await garden.import('atcoder-models', models);
    return [figures.changed, hasWritten];
  };
  assert.deepEqual(await importing({ slope: -0.001, intercept: 7.25 }), [1, true]);
  assert.deepEqual(await kept(), { problem_id: 1n, slope: -1_000_000n, intercept: 7_250_000_000n });
  assert.deepEqual(await importing({ slope: -0.001, intercept: 7.25 }), [0, false]);
  assert.deepEqual(await importing({ slope: -0.001, intercept: 7.5 }), [0, true]);
  assert.equal((await kept())?.intercept, 7_500_000_000n);
  assert.deepEqual(await importing({ slope: -0.001 }), [0, true]);
  assert.equal(await kept(), undefined);
});

test('a sample problem in a round, or with a timer, stays when the sample goes', async (t) => {
  const garden = await openGarden(t);
  await loadSample(garden.store);
  const { id } = await garden.store.write((tx) => createMember(tx, { username: 'ada' }));
  const ids = async (key: string) =>
    (await findProblemsByKeys(garden.store.reader, 'codeforces', [key])).map((row) => row.id);
  const [played, [timed = 0n]] = [await ids('4A'), await ids('339A')];
  const plan = { rule: 'icpc', startsAt: new Date().toISOString(), minutes: 60, freezeMinutes: 0, points: [] } as const;
  await garden.store.write(async (tx) => {
    const parts = { groupId: undefined, problems: played, limits: noLimits };
    await makeRound(tx, id, { ...plan, name: 'Own' }, parts);
    await startTimer(tx, id, timed, new Date());
    await removeSample(tx);
  });
  const left = (await garden.rows('problems')).map((row) => row['source_key']);
  assert.deepEqual(left.toSorted(), ['339A', '4A']);
});

test('a sample problem that a real catalogue lists stays when the sample goes', async (t) => {
  const garden = await openGarden(t);
  await loadSample(garden.store);
  const sampled = (await garden.rows('problems')).find((row) => row['source_key'] === '4A');
  const { title: name, rating, tags } = sampled ?? {};
  const fresh = { ...identity('4321Z'), name: 'In no sample' };
  const catalogue = codeforces({ ...identity('4A'), name, rating, tags }, fresh);
  const { report: figures } = await garden.import('codeforces-problems', catalogue);
  assert.deepEqual(figures, report({ read: 2, new: 1, kept: 1 }));
  await garden.store.write(removeSample);
  const left = (await garden.rows('problems')).map((row) => row['source_key']);
  assert.deepEqual(left.toSorted(), ['4321Z', '4A']);
});

test('a known problem that gets another key has the submissions that waited for it', async (t) => {
  const garden = await gardenOf(t, 'ada');
  await garden.import('problems', [{ source: 'uva', source_key: '100', title: 'The 3n + 1 problem' }]);
  const sent = { uname: 'ada', subs: [[1, 36, 90, 0, 1_700_000_000, 5, 1]] };
  await garden.import('uva-submissions', sent, { member: 'ada', handle: 'ada' });
  assert.deepEqual(await garden.rows('statuses'), []);
  const catalogue = [[36, 100, 'The 3n + 1 problem', 5]];
  const { report: figures, notes } = await garden.import('uva-problems', catalogue);
  assert.deepEqual([figures.new, notes], [0, ['One problem had submissions here already.']]);
  assert.equal((await garden.rows('statuses')).length, 1);
  const again = await garden.import('uva-problems', catalogue);
  assert.deepEqual([again.report, again.notes], [report({ read: 1, kept: 1 }), []]);
});
