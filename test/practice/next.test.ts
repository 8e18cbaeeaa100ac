/** What next: the level follows from what was tried and solved, and what is offered was never touched. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chanceAt, levelOf, ratingFor } from '../../src/practice/level.ts';
import { listNext } from '../../src/practice/next.ts';
import { codeforces, identity, openGarden } from '../importing/support.ts';
import { catalogueDatabase } from '../support/catalogues.ts';
import { needsData, readReal } from '../support/real-data.ts';

const tried = (rating: number, isSolved: boolean) => ({
  source: 'codeforces',
  rating: BigInt(rating),
  isSolved,
});

test('half of what was tried is solved at the level, and nobody with few tries has one', () => {
  const even = [1300, 1400, 1500, 1600, 1700].flatMap((rating) => [
    tried(rating, true),
    tried(rating, false),
  ]);
  assert.ok(Math.abs((levelOf(even) ?? 0) - 1500) <= 2, String(levelOf(even)));
  assert.equal(levelOf(even.slice(0, 4)), undefined);
  assert.equal(chanceAt(1500, 1500), 0.5);
  assert.equal(Math.round(ratingFor(1500, 0.8)), 1259);
});

test('a solve never lowers the level, and a failure never raises it', () => {
  const some = fc.array(fc.record({ rating: fc.integer({ min: 800, max: 3500 }), isSolved: fc.boolean() }), {
    minLength: 5,
    maxLength: 60,
  });
  fc.assert(
    fc.property(some, fc.nat(), (tries, place) => {
      const all = tries.map(({ rating, isSolved }) => tried(rating, isSolved));
      const at = place % all.length;
      const with_ = (isSolved: boolean) =>
        levelOf(all.map((one, index) => (index === at ? { ...one, isSolved } : one))) ?? 0;
      assert.ok(with_(true) >= with_(false));
    }),
  );
});

test('three problems a day, never one with any word on it, and others tomorrow', async (t) => {
  const garden = await openGarden(t);
  await garden.import('records', [{ id: 1, username: 'ada' }]);
  const keys = Array.from({ length: 400 }, (_, at) => `${at + 1}A`);
  await garden.import(
    'codeforces-problems',
    codeforces(...keys.map((key, at) => ({ ...identity(key), name: key, rating: 800 + (at % 40) * 50 }))),
  );
  const statuses = ['complete', 'practicing', 'ignored', 'complete'];
  await garden.import(
    'statuses',
    Array.from({ length: 200 }, (_, at) => ({ user: 1, problem: at + 1, status: statuses[at % 4] })),
  );
  const now = new Date('2026-03-01T12:00:00Z');
  const [next] = await listNext(garden.store.reader, 1n, now);
  assert.deepEqual(
    next?.suggestions.map(({ kind }) => kind),
    ['likely', 'even', 'stretch'],
  );
  const ratings = next?.suggestions.map(({ problem }) => Number(problem.rating)) ?? [];
  assert.deepEqual(
    ratings,
    ratings.toSorted((a, b) => a - b),
  );
  for (const { problem, range, chance } of next?.suggestions ?? []) {
    assert.ok(problem.id > 200n, 'it has no word on it');
    assert.ok(Number(problem.rating) >= range[0] && Number(problem.rating) <= range[1]);
    assert.ok(chance > 0 && chance < 1);
  }
  assert.deepEqual(await listNext(garden.store.reader, 1n, now), [next], 'the same all day');
  const [tomorrow] = await listNext(garden.store.reader, 1n, new Date('2026-03-02T12:00:00Z'));
  assert.notDeepEqual(
    tomorrow?.suggestions.map(({ problem }) => problem.id),
    next?.suggestions.map(({ problem }) => problem.id),
  );
});

test(
  'the real member of 1,557 submissions has a level between what they solved and what they did not',
  needsData,
  async (t) => {
    const garden = await openGarden(t, await catalogueDatabase(t, 'listed'));
    await garden.import('records', [{ id: 1, username: 'ada' }]);
    await garden.import(
      'codeforces-submissions',
      await readReal('codeforces/user.status.gbuenoandrade-1557.json'),
      { member: 'ada' },
    );
    const [next] = await listNext(garden.store.reader, 1n, new Date('2016-06-08T20:37:00Z'));
    assert.ok(next && next.level > 1200 && next.level < 3000, String(next?.level));
    assert.equal(next.suggestions.length, 3);
  },
);
