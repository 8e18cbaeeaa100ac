/** npm run backtest: how right the chances are, for the rounds and histories in REAL_DATA (docs/members.md). */
import { readdirSync } from 'node:fs';
import { codeforces } from '../src/judges/codeforces.ts';
import { type CalibrationLine, calibrationLines, type Prediction, predictionsOf } from '../src/practice/calibration.ts';
import { chanceOf } from '../src/practice/chance.ts';
import { type Performance, performanceOf } from '../src/practice/performance.ts';
import { readTakings } from '../src/practice/strength.ts';
import { openGarden } from '../test/importing/support.ts';
import { catalogueDatabase } from '../test/support/catalogues.ts';
import { readReal, realPath } from '../test/support/real-data.ts';

const source = 'codeforces';
const model = codeforces.chanceModel;

type Said = Pick<Prediction, 'chance' | 'isSolved'>;

export interface Scores {
  n: number;
  logLoss: number;
  /** The log loss of the share that was solved, which nobody knows beforehand. */
  base: number;
  brier: number;
  /** The expected calibration error in ten bins of equal size. */
  ece: number;
  auc: number;
}

const sum = (values: readonly number[]) => values.reduce((total, one) => total + one, 0);

export function scoresOf(said: readonly Said[]): Scores {
  const n = said.length;
  const mean = (value: (one: Said) => number) => sum(said.map(value)) / n;
  const lossOf = (chance: number, isSolved: boolean) => -Math.log(isSolved ? chance : 1 - chance);
  const share = mean(({ isSolved }) => Number(isSolved));
  const sorted = said.toSorted((a, b) => a.chance - b.chance || Number(a.isSolved) - Number(b.isSolved));
  const bins = Array.from({ length: 10 }, (_, at) =>
    sorted.slice(Math.floor((at * n) / 10), Math.floor(((at + 1) * n) / 10)),
  );
  const gapOf = (bin: readonly Said[]) => Math.abs(sum(bin.map(({ chance, isSolved }) => chance - Number(isSolved))));
  return {
    n,
    logLoss: mean(({ chance, isSolved }) => lossOf(chance, isSolved)),
    base: mean(({ isSolved }) => lossOf(share, isSolved)),
    brier: mean(({ chance, isSolved }) => (chance - Number(isSolved)) ** 2),
    ece: sum(bins.map(gapOf)) / n,
    auc: aucOf(sorted),
  };
}

/** How often a solved problem had a higher chance than one that was not; the same chance counts half. */
function aucOf(sorted: readonly Said[]): number {
  let [unsolvedBelow, wins, solved] = [0, 0, 0];
  for (const [, same] of Map.groupBy(sorted, ({ chance }) => chance)) {
    const won = same.filter(({ isSolved }) => isSolved).length;
    wins += won * (unsolvedBelow + (same.length - won) / 2);
    solved += won;
    unsolvedBelow += same.length - won;
  }
  return wins / (solved * unsolvedBelow);
}

interface Round {
  kind: 'counted' | 'scored';
  problems: { rating: number }[];
  rows: [ratingBefore: number, solved: number, performance: number | null][];
}

export interface RoundScores {
  name: string;
  scores: Scores;
  /** Of new accounts, whose rating was the start value. */
  newcomers: Scores;
  performance: { median: number; nineTenths: number; bias: number };
}

const startRating = 1500;

export async function roundScores(): Promise<RoundScores[]> {
  const names = readdirSync(realPath('calibration')).filter((name) => name.endsWith('.json'));
  const all = await Promise.all(
    names.toSorted().map(async (file) => ({ file, round: JSON.parse(await readReal(`calibration/${file}`)) as Round })),
  );
  return all.flatMap(({ file, round: { kind, problems, rows } }) => {
    if (kind !== 'counted') return [];
    const ratings = problems.map(({ rating }) => rating).toSorted((a, b) => a - b);
    const saidOf = (some: Round['rows']) =>
      some.flatMap(([strength, solved]) =>
        ratings.map((rating, at) => ({ chance: chanceOf(model, rating, strength), isSolved: at < solved })),
      );
    const byCount = ratings.map((_, solved) => performanceOf(model, ratings, solved)?.strength ?? 0);
    const errors = rows.flatMap(([, solved, theirs]) =>
      theirs === null || solved === 0 || solved >= ratings.length ? [] : (byCount[solved] ?? 0) - theirs,
    );
    const sizes = errors.map(Math.abs).toSorted((a, b) => a - b);
    const at = (share: number) => sizes[Math.floor(share * sizes.length)] ?? 0;
    return {
      name: file.replace('.json', ''),
      scores: scoresOf(saidOf(rows.filter(([rating]) => rating !== startRating))),
      newcomers: scoresOf(saidOf(rows.filter(([rating]) => rating === startRating))),
      performance: {
        median: at(0.5),
        nineTenths: at(0.9),
        bias: errors.toSorted((a, b) => a - b)[errors.length >> 1] ?? 0,
      },
    };
  });
}

export interface HistoryScores {
  name: string;
  contests: number;
  live: number;
  solved: number;
  scores: Scores;
  lines: CalibrationLine[];
  performances: Map<string, Performance | undefined>;
}

type Ends = { after(end: () => unknown): void };

/** Of each history, with nothing but what was known before each contest. */
export async function historyScores(t: Ends): Promise<HistoryScores[]> {
  const names = readdirSync(realPath('codeforces')).filter((name) => name.startsWith('user.status.'));
  const all: HistoryScores[] = [];
  for (const name of names.toSorted()) {
    const garden = await openGarden(t as never, await catalogueDatabase(t as never, 'folded'));
    await garden.import('codeforces-contests', await readReal('codeforces/contest.list.2026-08.json'));
    await garden.import('records', [{ id: 1, username: 'ada' }]);
    await garden.import('codeforces-submissions', await readReal(`codeforces/${name}`), { member: 'ada' });
    const takings = await readTakings(garden.store.reader, 1n, source);
    const said = predictionsOf(model, [], takings);
    const performances = takings.map(({ key, rows }) => {
      const solved = rows.filter(({ isSolved }) => isSolved).length;
      const ratings = rows.map(({ rating }) => rating);
      return [key, performanceOf(model, ratings, solved)] as const;
    });
    all.push({
      name,
      contests: takings.length,
      live: takings.filter(({ isVirtual }) => !isVirtual).length,
      solved: said.filter(({ isSolved }) => isSolved).length,
      scores: scoresOf(said),
      lines: calibrationLines(said),
      performances: new Map(performances),
    });
  }
  return all;
}

if (import.meta.main) {
  const ends: (() => unknown)[] = [];
  const print = (line: string) => process.stdout.write(`${line}\n`);
  const cells = ({ n, ...shares }: Scores) => [n, ...Object.values(shares).map((one) => one.toFixed(4))];
  print('| | n | log loss | base | Brier | ECE | AUC |\n|---|---|---|---|---|---|---|');
  const row = (name: string, scores: Scores) => print(`| ${[name, ...cells(scores)].join(' | ')} |`);
  const rounds = await roundScores();
  for (const { name, scores } of rounds) row(name, scores);
  for (const { name, newcomers } of rounds) row(`${name}, rated ${startRating}`, newcomers);
  const histories = await historyScores({ after: (end) => ends.unshift(end) });
  for (const { name, scores } of histories) row(name, scores);
  for (const { name, performance } of rounds) {
    const { median, nineTenths, bias } = performance;
    print(
      `${name}: performance ${median.toFixed(0)} off in the middle, nine in ten within ${nineTenths.toFixed(0)}, bias ${bias.toFixed(0)}`,
    );
  }
  for (const { name, contests, live, lines } of histories) {
    print(`${name}: ${contests} contests, ${live} live`);
    for (const { phrase, count, solved, expected } of lines)
      print(`  ${phrase.kind} ${phrase.some} in ${phrase.all}: ${solved} of ${count}, ${expected.toFixed(1)} expected`);
  }
  for (const end of ends) await end();
}
