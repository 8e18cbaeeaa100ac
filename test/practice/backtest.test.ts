/**
 * How much the level and the suggestions say about what comes next, on each history of Codeforces that REAL_DATA has. `npm test
 * backtest` prints the figures. Suggestions may show a percentage only where it is calibrated: better than one share for all tries,
 * which nobody can know beforehand, and within ten points in each tenth.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { levelOf, readLevels, solvesAtMost } from '../../src/practice/level.ts';
import { rangeOf, type SuggestionKind, suggestionKinds } from '../../src/practice/suggestions.ts';
import { words } from '../../src/web/words/words.ts';
import { openGarden } from '../importing/support.ts';
import { catalogueDatabase } from '../support/catalogues.ts';
import { needsData, readReal, realPath } from '../support/real-data.ts';

const steps = ['below', ...suggestionKinds, 'beyond'] as const;
type Step = (typeof steps)[number];

interface Try {
  rating: number;
  at: string;
  solvedAt: string | null;
}
interface Count {
  tried: number;
  solved: number;
}

async function historyOf(t: TestContext, file: string) {
  const garden = await openGarden(t, await catalogueDatabase(t, 'folded'));
  await garden.import('records', [{ id: 1, username: 'ada' }]);
  await garden.import('codeforces-submissions', await readReal(file), { member: 'ada' });
  const { reader } = garden.store;
  const { rows } = await sql<{ rating: bigint; at: string; solved_at: string | null }>`
    SELECT rating, min(submitted_at) AS at, min(CASE verdict_class WHEN 'solved' THEN submitted_at END) AS solved_at
    FROM solves JOIN problems ON problems.id = solves.problem_id
    WHERE verdict_class IN ('tried', 'solved') AND rating IS NOT NULL
    GROUP BY problems.id, rating ORDER BY min(submitted_at), problems.id`.execute(reader);
  const tries = rows.map(({ rating, at, solved_at }) => ({
    rating: Number(rating),
    at,
    solvedAt: solved_at,
  }));
  const levelAt = async (at: string) => (await readLevels(reader, 1n, at))[0]?.level;
  return { tries, levelAt };
}

function stepOf(level: number, rating: number): Step {
  if (rating < rangeOf(level, 'like')[0]) return 'below';
  return suggestionKinds.find((kind) => rating < rangeOf(level, kind)[0] + 200) ?? 'beyond';
}

const loss = (chance: number, isSolved: boolean) => -Math.log(isSolved ? chance : 1 - chance);
const shareOf = ({ tried, solved }: Count) => (tried === 0 ? undefined : solved / tried);
function told({ tried, solved }: Count): string {
  const share = tried === 0 ? '' : ` (${Math.round((solved / tried) * 100)} %)`;
  return `${solved} of ${tried}${share}`;
}
function countOf(tries: readonly { isSolved: boolean }[]): Count {
  return { tried: tries.length, solved: tries.filter(({ isSolved }) => isSolved).length };
}

/** Compares the suggestions after the first half of a history with what was solved in the rest. */
async function heldOut({ tries, levelAt }: Awaited<ReturnType<typeof historyOf>>) {
  const moment = tries[Math.floor(tries.length / 2)]?.at ?? '';
  const level = await levelAt(moment);
  assert.ok(level !== undefined);
  const isWithin = (kind: SuggestionKind, { rating }: Try) => {
    const [from, to] = rangeOf(level, kind);
    return rating >= from && rating <= to;
  };
  const known = tries.filter(({ at }) => at < moment);
  const later = tries.filter(({ at }) => at >= moment);
  const byKind = suggestionKinds.map((kind) => ({
    kind,
    range: rangeOf(level, kind),
    before: countOf(
      known
        .filter((one) => isWithin(kind, one))
        .map(({ solvedAt }) => ({ isSolved: solvedAt !== null && solvedAt < moment })),
    ),
    after: countOf(later.filter((one) => isWithin(kind, one)).map(({ solvedAt }) => ({ isSolved: solvedAt !== null }))),
  }));
  const next = tries
    .flatMap(({ rating, solvedAt }) => (solvedAt !== null && solvedAt >= moment ? { rating, solvedAt } : []))
    .toSorted((a, b) => (a.solvedAt < b.solvedAt ? -1 : 1))
    .slice(0, solvesAtMost)
    .map(({ rating }) => rating)
    .toSorted((a, b) => a - b);
  return { moment, level, byKind, next: levelOf(next), later };
}

async function stepByStep({ tries, levelAt }: Awaited<ReturnType<typeof historyOf>>) {
  const counts = new Map<Step, Count>(steps.map((step) => [step, { tried: 0, solved: 0 }]));
  const said: { chance: number; isSolved: boolean }[] = [];
  for (const { rating, at, solvedAt } of tries) {
    const level = await levelAt(at);
    if (level === undefined) continue;
    const count = counts.get(stepOf(level, rating));
    assert.ok(count);
    const isSolved = solvedAt !== null;
    said.push({ chance: (count.solved + 1) / (count.tried + 2), isSolved });
    count.tried += 1;
    if (isSolved) count.solved += 1;
  }
  const constant = shareOf(countOf(said)) ?? 0;
  const mean = (losses: readonly number[]) => losses.reduce((sum, one) => sum + one, 0) / losses.length;
  const tenths = [...Map.groupBy(said, ({ chance }) => Math.min(9, Math.floor(chance * 10)))].toSorted(
    ([a], [b]) => a - b,
  );
  const off = tenths.map(([tenth, some]) => ({
    tenth,
    count: countOf(some),
    points: Math.abs(mean(some.map(({ chance }) => chance)) - (shareOf(countOf(some)) ?? 0)) * 100,
  }));
  const byStep = mean(said.map(({ chance, isSolved }) => loss(chance, isSolved)));
  const byConstant = mean(said.map(({ isSolved }) => loss(constant, isSolved)));
  return { counts, tries: said.length, byStep, byConstant, off };
}

test('what the level and the suggestions say about what comes next, on real histories', needsData, async (t) => {
  const files = readdirSync(realPath('codeforces')).filter((name) => name.startsWith('user.status.'));
  assert.ok(files.length > 0);
  for (const name of files.toSorted()) {
    const history = await historyOf(t, `codeforces/${name}`);
    const { moment, level, byKind, next, later } = await heldOut(history);
    t.diagnostic(
      `${name}, held out from ${moment} on (${later.length} of ${history.tries.length} first tries): level ${level}; median of the next ${solvesAtMost} first solves ${next}`,
    );
    for (const { kind, range, before, after } of byKind)
      t.diagnostic(
        `  ${kind}, ${range.join('–')}: told "You solved ${before.solved} of ${before.tried}"; of those first tried later ${told(after)} solved`,
      );
    const { counts, tries, byStep, byConstant, off } = await stepByStep(history);
    const byName = [...counts].map(([step, count]) => `${step} ${told(count)}`).join(', ');
    t.diagnostic(
      `  each try after the first five solves, by its distance from the level then (${tries}): ${byName}; log loss ${byStep.toFixed(3)}, of one share ${byConstant.toFixed(3)}; by tenths of the chance ${off.map(({ tenth, count, points }) => `${tenth * 10}–${tenth * 10 + 10} %: ${told(count)}, ${points.toFixed(0)} points off`).join('; ')}`,
    );
    assert.equal(
      [...counts.values()].reduce((sum, { tried }) => sum + tried, 0),
      tries,
    );
    const isCalibrated = byStep < byConstant && off.every(({ points }) => points <= 10);
    if (!isCalibrated)
      for (const figure of ['next.reason', 'next.reasonHidden'] as const)
        assert.doesNotMatch(words(figure, { solved: '1', tried: '2', from: '3', to: '4' }), /%/, name);
  }
});
