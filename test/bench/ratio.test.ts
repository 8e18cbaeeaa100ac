/** A large loss of speed is noticed: item reads of ours against bare node:http, in one run, round by round. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { prepareData } from '../../bench/data.ts';
import { cleanUp } from '../../bench/lifecycle.ts';
import { advantage, rowOf } from '../../bench/results.ts';
import { newRun } from '../../bench/run.ts';
import { benchRead, reads } from '../../bench/works/reads.ts';

const leastRatio = 0.5;
const options = { rounds: 3, seconds: 1, isQuick: true, targets: ['garden', 'bare'] };

after(cleanUp);

test(`an item read is at least ${leastRatio} as fast as bare node:http`, async (t) => {
  const run = newRun(options, () => prepareData({ plants: 0, isItemsOnly: true }));
  const result = await benchRead(run, reads.item);
  assert.deepEqual(result.skipped, []);
  const ratio = advantage(result, rowOf(result, 'garden'), rowOf(result, 'bare'));
  t.diagnostic(`best of ${options.rounds} rounds: ${ratio?.most.toFixed(2)}`);
  // The best round: what else the machine does can only make it worse.
  assert.ok(ratio && ratio.most >= leastRatio, JSON.stringify(ratio));
});
