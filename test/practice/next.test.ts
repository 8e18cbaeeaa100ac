/** Suggestions: they are steps from the level, and never have any mark. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeforces as codeforcesJudge } from '../../src/judges/codeforces.ts';
import { listSuggestions as listWith } from '../../src/practice/chance-suggestions.ts';
import { daysOf, defaultDayRule } from '../../src/practice/days.ts';
import { readLevels } from '../../src/practice/level.ts';
import { setBookmarks, setStatus } from '../../src/practice/marks.ts';
import { dotsOf, isRated, listOutcomes } from '../../src/practice/progress.ts';
import { saveRatingHistory } from '../../src/practice/ratings.ts';
import { rangeOf, readLevelsAtStart } from '../../src/practice/suggestions.ts';
import type { CompletedProblem } from '../../src/store/activity.ts';
import { insertHandle } from '../../src/store/handles.ts';
import type { Db } from '../../src/store/tables.ts';
import { codeforces, gardenOf, identity, openGarden } from '../importing/support.ts';
import { catalogueDatabase } from '../support/catalogues.ts';
import { needsData, readReal } from '../support/real-data.ts';

const days = daysOf(defaultDayRule);
const listSuggestions = (db: Db, userId: bigint, today: number) =>
  listWith(db, userId, { days, today, models: new Map() });

test('levels are those at the start of the day, or else of all solves, or it says how many are missing', async () => {
  const solve = (nth: number): CompletedProblem => ({
    problem_id: BigInt(nth),
    completed_at: new Date(Date.UTC(2026, 0, 1, nth)).toISOString(),
    judged: null,
    facts: { source: 'codeforces', title: '', rating: 990 + 10 * nth, isGym: false, tags: new Set() },
  });
  const completed = Array.from({ length: 40 }, (_, n) => solve(n + 1));
  const levelsOn = async (n: number, loaded = completed) => {
    const day = { days, today: days.at(Date.UTC(2026, 0, n, 12)) };
    const { levels, missing } = await readLevelsAtStart(undefined as never, 1n, day, Promise.resolve(loaded));
    return [levels, missing];
  };
  assert.deepEqual(await levelsOn(2), [[{ source: 'codeforces', level: 1130, hardest: 1260 }], 0]);
  assert.deepEqual(await levelsOn(1), [[{ source: 'codeforces', level: 1245, hardest: 1390 }], 0], 'three came before');
  assert.deepEqual(await levelsOn(1, completed.slice(0, 3)), [[], 2]);
  assert.deepEqual(await levelsOn(1, []), [[], 5]);
});

test('suggestions are in whole hundreds, at the level and one and two steps above it', () => {
  assert.deepEqual(
    (['like', 'up', 'stretch'] as const).map((kind) => rangeOf(1450, kind)),
    [
      [1400, 1500],
      [1600, 1700],
      [1800, 1900],
    ],
  );
  assert.deepEqual(rangeOf(800, 'like'), [800, 900]);
});

test('three problems a day without any mark, the same all day, and others tomorrow', async (t) => {
  const garden = await gardenOf(t, 'ada');
  const keys = Array.from({ length: 400 }, (_, at) => `${at + 1}A`);
  await garden.import(
    'codeforces-problems',
    codeforces(...keys.map((key, at) => ({ ...identity(key), name: key, rating: 800 + (at % 40) * 50 }))),
  );
  const statuses = ['complete', 'practicing', 'ignored', 'complete'];
  const [now, tomorrow] = ['2026-03-01T12:00:00Z', '2026-03-02T12:00:00Z'].map((at) => days.at(Date.parse(at)));
  assert.ok(now && tomorrow);
  await garden.import(
    'statuses',
    Array.from({ length: 200 }, (_, at) => ({
      user: 1,
      problem: at + 1,
      status: statuses[at % 4],
      updated_at: new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString(),
    })),
  );
  const { reader } = garden.store;
  const idsOf = async (day: number) =>
    (await listSuggestions(reader, 1n, day)).judges.flatMap(({ suggestions }) =>
      suggestions.map(({ problem }) => problem.id),
    );
  const [next] = (await listSuggestions(reader, 1n, now)).judges;
  assert.deepEqual(
    next?.suggestions.map(({ kind }) => kind),
    ['like', 'up', 'stretch'],
  );
  const [level] = await readLevels(reader, 1n);
  for (const { kind, problem, range } of next?.suggestions ?? []) {
    assert.ok(problem.id > 200n, 'it has no status');
    assert.deepEqual(range, rangeOf(level?.level ?? 0, kind as 'like'));
    assert.ok(Number(problem.rating) >= range[0] && Number(problem.rating) <= range[1]);
    assert.ok(Number(problem.rating) <= (level?.hardest ?? 0) + 400, 'at most two steps above what was solved');
  }
  const ids = await idsOf(now);
  assert.notDeepEqual(await idsOf(tomorrow), ids);
  const problemIds = Array.from({ length: 200 }, (_, at) => BigInt(at + 201)).filter(
    (id) => id % 40n > 30n && !ids.includes(id),
  );
  await garden.import(
    'statuses',
    problemIds.map((id) => ({
      user: 1,
      problem: Number(id),
      status: 'complete',
      updated_at: '2026-03-01T11:00:00Z',
    })),
  );
  assert.ok((await readLevels(reader, 1n))[0]?.level !== level?.level);
  assert.deepEqual(await idsOf(now), ids, 'the same all day');
  await garden.store.write(async (tx) => {
    await setBookmarks(tx, 1n, ids.slice(0, 1), true);
    await setStatus(tx, { memberId: 1n, problemIds: ids.slice(1, 2), status: 'reading' });
  });
  const left = await idsOf(now);
  assert.equal(left.length, 3);
  assert.deepEqual(
    left.filter((id) => ids.includes(id)),
    ids.slice(2),
  );
});

test('bands of chances include their ends, are drawn for each member, judge, day and band, and skip what runs', async (t) => {
  const garden = await gardenOf(t, 'ada', 'bob', 'cy', 'dan');
  const { reader } = garden.store;
  const strengths = [1700n, 1700n, 978n, 979n];
  const sources = ['codeforces', 'dmoj'];
  const outside = [1386, 1522, 1588, 1712, 1778, 1914];
  const [likely, even] = [
    [1387, 1400, 1450, 1500, 1521],
    [1589, 1600, 1650, 1700, 1711],
  ];
  const all = [800, ...outside, ...likely, ...even, 1779, 1913];
  const keyed = all.map((rating, n) => ({ name: 'Pond', rating, ...identity(`${n + 1}A`) }));
  await garden.import('codeforces-problems', codeforces(...keyed, { name: 'Now', rating: 1480, ...identity('99A') }));
  const startTimeSeconds = Math.floor(Date.now() / 1000) - 60;
  const running = { id: 99, name: 'Round', phase: 'CODING', durationSeconds: 7200, startTimeSeconds };
  await garden.import('codeforces-contests', { status: 'OK', result: [running] });
  await garden.import(
    'problems',
    all.map((rating, n) => ({ source: 'dmoj', source_key: `p${n}`, title: 'Pond', rating })),
  );
  const first = days.at(Date.parse('2026-03-01T12:00:00Z'));
  for (const source of sources)
    for (const [n, strength] of strengths.entries()) {
      const created_at = '2026-01-01T00:00:00Z';
      const handle = { user_id: BigInt(n + 1), source, name: `ada${n + 1}`, created_at };
      const rated = (contest: number) => ({
        contest: String(contest),
        title: 'Round',
        place: null,
        rating: contest === 6 ? strength : 3000n,
        rated_at: new Date(days.start(first) + (contest < 7 ? contest - 7 : 1)).toISOString(),
      });
      await garden.store.write(async (tx) => {
        const { id } = await insertHandle(tx, handle);
        await saveRatingHistory(tx, id, [1, 2, 3, 4, 5, 6, 7].map(rated));
      });
    }
  const models = new Map(sources.map((source) => [source, codeforcesJudge.chanceModel]));
  const draw = async (member: bigint, today: number) => {
    const { judges } = await listWith(reader, member, { days, today, models });
    return new Map(
      judges.flatMap(({ source, suggestions }) =>
        suggestions.map(({ kind, problem }) => [`${source} ${kind}`, Number(problem.rating)] as const),
      ),
    );
  };
  assert.deepEqual([...(await draw(3n, first)).keys()], []);
  assert.deepEqual([...(await draw(4n, first)).keys()], ['codeforces likely', 'dmoj likely']);
  // The rating of 3000 would count from the next day on.
  await garden.store.write((tx) =>
    tx.updateTable('ratings').set({ rated_at: '2999-01-01T00:00:00.000Z' }).where('contest', '=', '7').execute(),
  );
  const drawn = new Map<string, number[]>();
  for (let day = first; day < first + 40; day++)
    for (const member of [1n, 2n])
      for (const [band, rating] of await draw(member, day)) {
        const key = `${member} ${band}`;
        drawn.set(key, [...(drawn.get(key) ?? []), rating]);
      }
  const ratingsOf = (key: string) => [...new Set(drawn.get(key))].toSorted((a, b) => a - b);
  const places = new Set<string>();
  for (const member of [1, 2])
    for (const source of sources) {
      assert.deepEqual(ratingsOf(`${member} ${source} likely`), likely);
      assert.deepEqual(ratingsOf(`${member} ${source} even`), even);
      assert.deepEqual(ratingsOf(`${member} ${source} stretch`), [1779, 1913]);
      for (const [kind, band] of [
        ['likely', likely],
        ['even', even],
      ] as const)
        places.add(`${drawn.get(`${member} ${source} ${kind}`)?.map((rating) => band.indexOf(rating))}`);
    }
  assert.equal(places.size, 8, 'no two sequences of draws are the same');
});

test('a suggestion by level is at most two steps above what was solved', async (t) => {
  const garden = await gardenOf(t, 'ada');
  const ratings = [800, 800, 800, 800, 800, 1200, 1200, ...Array.from({ length: 20 }, (_, n) => 1201 + n)];
  await garden.import(
    'problems',
    ratings.map((rating, n) => ({ source: 'dmoj', source_key: `p${n}`, title: 'Pond', rating })),
  );
  const solved = [1, 2, 3, 4, 5].map((problem) => ({
    user: 1,
    problem,
    status: 'complete',
    updated_at: '2026-01-01T00:00:00Z',
  }));
  await garden.import('statuses', solved);
  for (let day = 20_600; day < 20_610; day++) {
    const models = new Map([['dmoj', codeforcesJudge.chanceModel]]);
    const [judge] = (await listWith(garden.store.reader, 1n, { days, today: day, models })).judges;
    assert.deepEqual(
      judge?.suggestions.map(({ problem, chance }) => [problem.rating, chance]),
      [[1200n, undefined]],
    );
  }
});

test(
  'after each solve of the real member of 1,557 submissions, the level is the one that Progress draws',
  needsData,
  async (t) => {
    const garden = await openGarden(t, await catalogueDatabase(t, 'listed'));
    await garden.import('records', [{ id: 1, username: 'ada' }]);
    await garden.import('codeforces-submissions', await readReal('codeforces/user.status.gbuenoandrade-1557.json'), {
      member: 'ada',
    });
    const { reader } = garden.store;
    const solved = (await listOutcomes(reader, 1n, days)).filter(({ isSolved }) => isSolved);
    const dots = dotsOf(solved.filter(isRated));
    assert.ok(dots.length > 400);
    for (const [place, { solve, median }] of dots.entries()) {
      if (place % 20 !== 4 && place !== dots.length - 1) continue;
      const [level] = await readLevels(reader, 1n, new Date(solve.at + 1).toISOString());
      assert.equal(level?.level, median, solve.title);
    }
    const {
      judges: [next],
    } = await listSuggestions(reader, 1n, days.at(Date.parse('2016-06-08T20:37:00Z')));
    assert.equal(next?.suggestions.length, 3);
  },
);
