/**
 * The loss of the kept answers is noticed: a page that is kept takes far less of the server's processor time than a page that is
 * asked for once. One server gets both loads in turn, so a busy machine slows both.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, test } from 'node:test';
import { processorMs } from '../../test/support/processes.ts';
import { bearer, prepareData } from '../data.ts';
import { cleanUp } from '../lifecycle.ts';
import { onceRound } from '../load.ts';
import { problemsPath } from '../requests.ts';
import { type Contender, interleave, newRun } from '../run.ts';
import { ratioOf } from '../statistics.ts';
import { targets } from '../targets.ts';

/** Measured on a busy machine: 4 to 8; 1 where no kept answer is found. */
const leastRatio = 2;
const readsPerRound = 1000;
const options = { rounds: 3, seconds: 1, isQuick: true, targets: ['garden'] };
const skip = existsSync('/proc/self/schedstat') ? false : 'reads processor times under /proc';

after(cleanUp);

test(`a kept page is sent ${leastRatio} times as fast as a new one`, {
  skip,
}, async (t) => {
  const run = newRun(options, () => prepareData({ plants: 0, isGardenOnly: true }));
  const data = await run.data();
  const [garden] = targets.filter(({ name }) => name === 'garden');
  assert(garden);
  const { port, pid } = await run.running(garden, 'identity');
  const load = { port, headers: bearer(data.token), connections: 32, seconds: 1, folder: data.folder };
  /** Loads the server with pages of these ratings; its rate is by second of the server's processor time. */
  const contender = (name: string, ratingOf: (nth: number) => number): Contender => {
    let sent = 0;
    return {
      name,
      title: name,
      pid,
      round: async () => {
        const asks = Array.from({ length: readsPerRound }, () => ({
          path: `${problemsPath}?limit=20&rating_min=${ratingOf(sent++)}`,
        }));
        const begin = processorMs(pid);
        const figures = await onceRound({ ...load, asked: { asks } });
        return { ...figures, perSecond: (1000 * asks.length) / (processorMs(pid) - begin) };
      },
    };
  };
  const { rows, failed } = await interleave(run, 'kept answers', [
    contender('kept', (nth) => nth % 100),
    // All bounds are below every rating, so that all pages have the same rows.
    contender('made', (nth) => -1 - nth),
  ]);
  assert.deepEqual(failed, []);
  const [kept, made] = rows;
  assert(kept && made);
  const ratio = ratioOf(kept.figures, made.figures);
  t.diagnostic(
    `kept ${kept.figures.map(Math.round)}, made ${made.figures.map(Math.round)} reads per second of processor time`,
  );
  t.diagnostic(
    `ratio ${ratio.least.toFixed(2)} to ${ratio.most.toFixed(2)}, median ${ratio.median.toFixed(2)}`,
  );
  assert.ok(ratio.median >= leastRatio, JSON.stringify(ratio));
});
