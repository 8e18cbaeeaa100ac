/** yukicoder's solved problems, good and bad. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemAt } from '../../src/judges/addresses.ts';
import { yukicoder } from '../../src/judges/yukicoder.ts';
import { solvedRow } from '../replay/yukicoder.ts';
import { needsData, readReal } from '../support/real-data.ts';
import { faultsIn, valuesIn } from './support.ts';

const { submissions } = yukicoder.files;
const second = Date.parse('2020-03-01T12:00:00Z') / 1000;

test('a solved problem brings its title, level and topics', async () => {
  const rows = [solvedRow(1, second), solvedRow(2, second, { Level: 0, Tags: '' })];
  const [first, other] = await valuesIn(submissions, rows);
  assert.deepEqual(first, {
    id: '1',
    key: '1',
    handles: [],
    submittedAt: '2020-03-01T12:00:00.000Z',
    contest: null,
    verdictClass: 'solved',
    verdict: 'AC',
    participation: null,
    language: null,
    isGym: false,
    problem: { title: 'Task 1', rating: 250n, tags: '["dp","graph"]' },
  });
  assert.deepEqual(other?.problem, { title: 'Task 2', rating: null, tags: '[]' });
  assert.equal(problemAt(yukicoder.problemPage('1'), new Map())?.key, '1', 'as the address book names it');
});

test('only problems of the type 0 count, as at the site, and titles are decoded once', async () => {
  const types = [0, undefined, null, 1, 2, '0'].map((ProblemType) => solvedRow(1, second, { ProblemType }));
  const found = await valuesIn(submissions, [...types, solvedRow(1, second, { Title: 'A &lt; B &amp;amp; C' })]);
  assert.equal(found.map(({ verdictClass }) => verdictClass[0]).join(''), 'sssvvvs', 'others are kept and say nothing');
  assert.equal(found.at(-1)?.problem?.title, 'A < B &amp; C');
  const levels = [0, 0.5, 100, 100.5, -1, 'high', null].map((Level) => solvedRow(1, second, { Level }));
  assert.deepEqual(
    (await valuesIn(submissions, levels)).map(({ problem }) => problem?.rating),
    [null, 50n, 10_000n, null, null, null, null],
  );
});

test('a wrong field makes a bad entry', async () => {
  const rows = [{ No: null }, { Date: 'yesterday' }, { Date: null }];
  assert.deepEqual(
    await faultsIn(
      submissions,
      rows.map((wrong) => solvedRow(1, second, wrong)),
    ),
    [
      'No is null; expected a whole number from 1 to 10000000.',
      'Date is "yesterday"; expected a time such as 2026-01-31T12:00:00Z.',
      'Date is null; expected a time such as 2026-01-31T12:00:00Z.',
    ],
  );
});

test('a real answer of yukicoder is read', needsData, async () => {
  const found = await valuesIn(submissions, await readReal('reach/yukicoder/solved.name.json'));
  assert.deepEqual(
    found.map(({ key, submittedAt, problem }) => [key, submittedAt, problem?.rating, problem?.tags]),
    [
      ['1', '2018-09-20T04:51:28.000Z', 300n, '["動的計画法"]'],
      ['3', '2018-08-12T00:44:19.000Z', 200n, '["幅優先探索"]'],
      ['4', '2018-09-01T15:56:10.000Z', 250n, '["動的計画法"]'],
    ],
  );
});
