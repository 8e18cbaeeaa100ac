/** Contests to come: which are near enough, what it means that a list has one no more, and which are ahead of a moment. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listContestsAhead, sampleFeed, saveListing } from '../../src/practice/upcoming.ts';
import { openGarden } from '../importing/support.ts';

const now = Date.parse('2026-11-29T12:00:00Z');
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const at = (ms: number) => new Date(now + ms).toISOString();
/** Of two hours. */
const contest = (key: string, starts: number, source = 'codeforces') => ({
  source,
  key,
  title: `Round ${key}`,
  url: `https://example.org/${key}`,
  starts_at: at(starts),
  duration_s: 7200n,
});
type Listed = ReturnType<typeof contest>;

test('a list brings what is not over and begins within 90 days, and moves and cancels only what is to come', async (t) => {
  const { store } = await openGarden(t);
  const save = (feed: string, contests: readonly Listed[], isComplete = true) =>
    saveListing(store, feed, { contests, isComplete }, now);
  const rows = async () =>
    (await store.reader.selectFrom('upcoming_contests').selectAll().orderBy('key').execute()).map(
      ({ key, sequence, told_by, cancelled_at }) => `${key} ${sequence} ${told_by}${cancelled_at ? ' cancelled' : ''}`,
    );
  const edges = [-2 * hourMs, 1 - 2 * hourMs, 90 * dayMs - 1, 90 * dayMs].map((ms, n) => contest(`${n}`, ms));
  assert.equal(await save('a', edges), 2);
  assert.deepEqual(await rows(), ['1 0 a', '2 0 a']);
  const all = [...edges.slice(1, 3), contest('4', 0), contest('5', 1), contest('6', dayMs, 'dmoj')];
  assert.equal(await save('a', all), 3);
  assert.equal(await save('a', all), 0, 'nothing is new');
  assert.equal(await save('b', [contest('5', hourMs)]), 0, 'the first list counts');
  assert.equal(await save('dmoj', [contest('6', 2 * dayMs, 'dmoj')]), 1, 'or that of the judge');
  assert.equal(await save('a', [], false), 0, 'a list of some contests says nothing of the others');
  assert.deepEqual(await rows(), ['1 0 a', '2 0 a', '4 0 a', '5 0 a', '6 1 dmoj']);
  assert.equal(await save('a', []), 1);
  assert.deepEqual(await rows(), ['1 0 a', '2 1 a cancelled', '4 0 a', '5 0 b', '6 1 dmoj']);
  assert.equal(await save('b', [contest('2', 80 * dayMs), contest('5', 1)]), 1, 'it takes place after all');
  assert.deepEqual((await rows()).slice(1, 2), ['2 2 b']);
});

test('a contest is ahead until it is over, and one of the sample for people of the sample alone', async (t) => {
  const { store } = await openGarden(t);
  await saveListing(store, 'a', { contests: [contest('1', hourMs), contest('2', dayMs)], isComplete: true }, now);
  await saveListing(store, sampleFeed, { contests: [contest('3', dayMs)], isComplete: true }, now);
  const ahead = async (from: number, until: number, isSample = false) =>
    (await listContestsAhead(store.reader, { from: now + from, until: now + until, isSample })).map(({ key }) => key);
  assert.deepEqual(await ahead(3 * hourMs - 1, 2 * dayMs), ['1', '2']);
  assert.deepEqual(await ahead(3 * hourMs, 2 * dayMs), ['2']);
  assert.deepEqual(await ahead(3 * hourMs, 2 * dayMs, true), ['2', '3']);
  assert.deepEqual(await ahead(0, dayMs), ['1'], 'what begins then is left out');
});
