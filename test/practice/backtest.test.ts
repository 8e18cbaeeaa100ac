/** The figures of `npm run backtest` stay as docs/members.md has them, and within the bounds that make chances worth saying. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { historyScores, roundScores, type Scores } from '../../bench/backtest.ts';
import { needsData } from '../support/real-data.ts';

const figures = ({ n, logLoss, base, brier, ece, auc }: Scores) => [
  n,
  ...[logLoss, base, brier, ece, auc].map((one) => Number(one.toFixed(4))),
];

test('chances are right on whole rounds, and performances near those from whole standings', needsData, async () => {
  const rounds = await roundScores();
  assert.deepEqual(
    rounds.map(({ scores }) => figures(scores)),
    [
      [84192, 0.222, 0.6257, 0.0708, 0.0169, 0.9644],
      [78834, 0.3783, 0.6444, 0.1197, 0.0436, 0.9037],
    ],
  );
  for (const { scores } of rounds) {
    assert.ok(scores.ece <= 0.05);
    assert.ok(scores.logLoss <= 0.65 * scores.base);
  }
  const start = rounds.map(({ newcomers }) => figures(newcomers));
  assert.deepEqual(
    start.map(([n, logLoss, base, , ece]) => [n, logLoss, base, ece]),
    [
      [5442, 0.6274, 0.4063, 0.2233],
      [18921, 0.86, 0.5772, 0.3815],
    ],
    'start values say nothing, so that six contests are needed',
  );
  assert.deepEqual(
    rounds.map(({ performance }) => Object.values(performance).map(Math.round)),
    [
      [93, 207, 55],
      [56, 163, -5],
    ],
  );
});

test('chances from what was known before each contest of a real history are right', needsData, async (t) => {
  const [history] = await historyScores(t);
  assert.ok(history);
  const { contests, live, solved, scores, performances } = history;
  assert.deepEqual([contests, live, solved], [58, 29, 140]);
  assert.deepEqual(figures(scores), [296, 0.2929, 0.6917, 0.0905, 0.0565, 0.9488]);
  assert.equal(Math.round((performances.get('676')?.strength ?? 0) / 10), 226);
});
