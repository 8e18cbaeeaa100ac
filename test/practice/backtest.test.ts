/**
 * How much the level says about the next try, on each history of Codeforces that REAL_DATA has. Every first try is told with what was
 * known before it: how many of the earlier tries so many steps from the level were solved. Suggestions may show a percentage only
 * where that is better than one share for all tries, which nobody can know beforehand.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { readLevels } from '../../src/practice/level.ts';
import { type Kind, kinds, rangeOf } from '../../src/practice/next.ts';
import { words } from '../../src/web/words.ts';
import { openGarden } from '../importing/support.ts';
import { catalogueDatabase } from '../support/catalogues.ts';
import { needsData, readReal, realPath } from '../support/real-data.ts';

const steps = ['below', ...kinds, 'beyond'] as const;

interface Try {
  rating: bigint;
  at: string;
  is_solved: bigint;
}

/** The first try of each rated problem, in the order of time, and whether it was solved in the end. */
async function triesOf(t: TestContext, file: string) {
  const garden = await openGarden(t, await catalogueDatabase(t, 'listed'));
  await garden.import('records', [{ id: 1, username: 'ada' }]);
  await garden.import('codeforces-submissions', await readReal(file), { member: 'ada' });
  const { reader } = garden.store;
  const { rows } = await sql<Try>`
    SELECT rating, min(submitted_at) AS at, max(CASE verdict_class WHEN 'solved' THEN 1 ELSE 0 END) AS is_solved
    FROM solves JOIN problems ON problems.id = solves.problem_id
    WHERE verdict_class IN ('tried', 'solved') AND rating IS NOT NULL
    GROUP BY problems.id, rating ORDER BY min(submitted_at), problems.id`.execute(reader);
  const tries: { step: (typeof steps)[number]; isSolved: boolean }[] = [];
  for (const { rating, at, is_solved } of rows) {
    const [known] = await readLevels(reader, 1n, at);
    if (known) tries.push({ step: stepOf(known.level, Number(rating)), isSolved: Number(is_solved) === 1 });
  }
  return tries;
}

function stepOf(level: number, rating: number): 'below' | Kind | 'beyond' {
  if (rating < rangeOf(level, 'like')[0]) return 'below';
  // What is between two ranges belongs to the lower one.
  return kinds.find((kind) => rating < rangeOf(level, kind)[0] + 200) ?? 'beyond';
}

const loss = (chance: number, isSolved: boolean) => -Math.log(isSolved ? chance : 1 - chance);
const share = (tries: readonly { isSolved: boolean }[]) =>
  tries.filter(({ isSolved }) => isSolved).length / tries.length;

test('what the level says about the next try, on real histories', needsData, async (t) => {
  const files = readdirSync(realPath('codeforces')).filter((name) => name.startsWith('user.status.'));
  assert.ok(files.length > 0);
  for (const name of files.toSorted()) {
    const tries = await triesOf(t, `codeforces/${name}`);
    const constant = share(tries);
    const counts = new Map(steps.map((step) => [step, { tried: 0, solved: 0 }]));
    let [byStep, byConstant] = [0, 0];
    for (const { step, isSolved } of tries) {
      const known = counts.get(step) ?? { tried: 0, solved: 0 };
      byStep += loss((known.solved + 1) / (known.tried + 2), isSolved);
      byConstant += loss(constant, isSolved);
      known.tried += 1;
      if (isSolved) known.solved += 1;
    }
    const figures = [...counts].map(
      ([step, { tried, solved }]) =>
        `${step} ${solved} of ${tried}${tried > 0 ? ` (${Math.round((solved / tried) * 100)} %)` : ''}`,
    );
    t.diagnostic(
      `${name}: ${tries.length} first tries with a level; ${figures.join(', ')}; log loss ${(byStep / tries.length).toFixed(3)}, of one share ${(byConstant / tries.length).toFixed(3)}`,
    );
    assert.equal(
      [...counts.values()].reduce((sum, { tried }) => sum + tried, 0),
      tries.length,
    );
    if (byStep >= byConstant)
      for (const figure of ['next.reason', 'next.reasonHidden'] as const)
        assert.doesNotMatch(words(figure, { solved: '1', tried: '2', from: '3', to: '4' }), /%/, name);
  }
});
