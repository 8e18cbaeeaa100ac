/** Submissions to a judge without a catalogue bring their problems: one row for all members, which follows what the judge says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aojRow } from '../replay/aoj.ts';
import { type Garden, gardenOf } from './support.ts';

const at = Date.parse('2026-01-01T12:00:00Z');
const sent = (name: string, ...rows: [id: number, key: string, title?: string | null][]) =>
  rows.map(([id, key, problemTitle = null]) => ({
    ...aojRow(id, key, 4, at + id),
    userId: name,
    problemTitle,
  }));
const problemsIn = async (garden: Garden) =>
  (await garden.rows('problems')).map((row) => [row['source_key'], row['title'], row['url']]);
const page = (key: string) => `https://onlinejudge.u-aizu.ac.jp/problems/${key}`;

test('a problem is made once, and takes its title from the first row that has one', async (t) => {
  const garden = await gardenOf(t, 'ada', 'bob');
  const first = await garden.import('aoj-submissions', sent('ada', [1, 'GRL_6_A'], [2, '0598']), { member: 'ada' });
  assert.deepEqual([first.report.new, first.report.unmatched], [2, 0]);
  assert.match(first.notes.join(' '), /2 problems new here\./);
  assert.deepEqual(await problemsIn(garden), [
    ['GRL_6_A', 'GRL_6_A', page('GRL_6_A')],
    ['0598', '0598', page('0598')],
  ]);
  const rows = sent('bob', [3, 'GRL_6_A', ' Max\u202eFlow '], [4, '0598']);
  const second = await garden.import('aoj-submissions', rows, { member: 'bob' });
  assert.deepEqual([second.report.new, second.notes.join(' ').includes('new here')], [2, false]);
  assert.deepEqual(
    (await problemsIn(garden)).map(([, title]) => title),
    ['Max Flow', '0598'],
  );
  const again = await garden.import('aoj-submissions', rows, { member: 'bob' });
  assert.equal(again.hasWritten, false);
  const options = { member: 'ada', isDryRun: true };
  const dry = await garden.import('aoj-submissions', sent('ada', [9, '0600']), options);
  assert.equal(dry.report.new, 1);
  assert.equal((await problemsIn(garden)).length, 2);
});

test('a problem that a member added by its link is the one that submissions bring', async (t) => {
  const garden = await gardenOf(t, 'ada', 'bob');
  const mine = { source: 'aoj', source_key: 'GRL_6_A', title: 'Flow', tags: ['graphs'] };
  await garden.import('problems', [mine]);
  await garden.import('aoj-submissions', sent('ada', [1, 'GRL_6_A']), { member: 'ada' });
  assert.deepEqual(await problemsIn(garden), [['GRL_6_A', 'Flow', null]]);
  assert.deepEqual(
    (await garden.rows('statuses')).map(({ problem, status }) => [problem, status]),
    [[1, 'complete']],
  );
});

test('what a member brings alone makes no problem, and is matched when the judge says the same', async (t) => {
  const garden = await gardenOf(t, 'ada', 'bob');
  const options = { member: 'ada', owner: 1n, trustsIds: false };
  const { report } = await garden.import('aoj-submissions', sent('ada', [1, '0598', 'Buy now']), options);
  assert.equal(report.unmatched, 1);
  assert.deepEqual(await problemsIn(garden), []);
  await garden.import('aoj-submissions', sent('bob', [5, '0598']), { member: 'bob' });
  assert.deepEqual(
    (await garden.rows('statuses')).map(({ user, status }) => [user, status]),
    [
      [1, 'complete'],
      [2, 'complete'],
    ],
  );
});
