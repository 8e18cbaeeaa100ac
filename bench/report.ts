/** How results are shown: the tables of the terminal, and the same tables for the document. */
import { type Goal, judge } from './goals.ts';
import { advantage, isCost, type Result, type Row } from './results.ts';
import { median, type Ratio, shortly } from './statistics.ts';

export type Table = string[][];

/** One row a target; the last column compares it within this run, with the least and most of all rounds. */
export function resultTable(result: Result): Table {
  const { rows, unit, isAgainstFirst, isWithoutRatio = false } = result;
  const hasTimes = rows.some(({ p50Ms }) => p50Ms !== undefined);
  const hasRatio = rows.length > 1 && !isWithoutRatio;
  const hasMemory = rows.some(({ memoryMB }) => memoryMB !== undefined);
  const [first] = rows;
  const head = ['target', unit];
  if (hasTimes) head.push('p50 ms', 'p99 ms');
  if (hasMemory) head.push('memory MB');
  if (isWithoutRatio) head.push('p99 ms', 'processor ms', 'kB');
  if (hasRatio) head.push(isAgainstFirst ? 'against the first' : 'ours against it');
  const cells = (row: Row) => {
    const line = [row.title, shortly(median(row.figures))];
    if (hasTimes) line.push(shortly(row.p50Ms ?? Number.NaN), shortly(row.p99Ms ?? Number.NaN));
    if (hasMemory) line.push(shortly(row.memoryMB ?? Number.NaN));
    if (isWithoutRatio) {
      const { p99Ms, processorMs, kB } = row;
      line.push(...[p99Ms, processorMs, kB].map((figure) => shortly(figure ?? Number.NaN)));
    }
    const ratio = isAgainstFirst ? advantage(result, row, first) : advantage(result, first, row);
    if (hasRatio) line.push(ratioText(ratio));
    return line;
  };
  return [head, ...rows.map(cells)];
}

export function goalsTable(results: readonly Result[], isComplete: boolean): Table {
  const shown = judge(results).filter(({ ratio }) => isComplete || ratio !== undefined);
  return [
    ['floors and aims', 'measured', 'floor', 'aim', 'met'],
    ...shown.map(({ goal, ratio, standing }) => [
      goal.name,
      ratio ? `${ratioText(ratio)}${goal.unit ? ` ${goal.unit}` : ''}` : '–',
      bound(goal, goal.floor),
      goal.aim === undefined ? '–' : bound(goal, goal.aim),
      standing,
    ]),
  ];
}

const bound = ({ isCeiling, unit }: Goal, value: number) =>
  `${isCeiling ? '≤' : '≥'} ${value}${unit ? ` ${unit}` : ''}`;

function ratioText(ratio: Ratio | undefined): string {
  if (!ratio) return '';
  const { median: middle, least, most } = ratio;
  return least === most ? shortly(middle) : `${shortly(middle)} (${shortly(least)}–${shortly(most)})`;
}

/** What the figures of a result are, under its heading. */
export function captionOf({ what, unit }: Result): string {
  const better = isCost(unit) ? 'less is better' : 'more is better';
  return `${what[0]?.toUpperCase()}${what.slice(1)}. Medians of the rounds, ${unit}: ${better}.`;
}

export const skippedLines = ({ skipped }: Result) =>
  skipped.map(({ title, reason }) => `not measured: ${title}, because ${reason}`);
