/**
 * A round beside the results of the contest that its problems are of: the place that a row would have had there, and rows
 * of the field as they stood at the same minute. Both sides count by the rules of the contest.
 */
import { minuteMs } from '../durations.ts';
import type { FieldRow, RealField } from '../judges/real-field.ts';
import {
  isSolvedThen,
  type RoundCell,
  type RoundResult,
  type RoundRow,
  roundRules,
  rowOf,
} from './round-table.ts';

type Cells = readonly RoundCell[];

/** Of a row at that moment; more is better. */
interface Score {
  /** Points, or solved problems. */
  points: number;
  /** In minutes; 0 where points decide. */
  penalty: number;
}

const isBetter = (one: Score, other: Score) => one.points - other.points || other.penalty - one.penalty;

/**
 * What Codeforces gives for a problem: it loses 120/250 of its points in the time of the contest and 50 for each
 * refused try, and keeps at least three tenths (codeforces.com/blog/entry/456).
 */
export function pointsOfSolve(
  { seconds }: Pick<RealField, 'seconds'>,
  worth: number,
  { afterMs, tries }: Pick<RoundCell, 'afterMs' | 'tries'>,
): number {
  const lost = Math.floor((120 * worth * Math.floor(afterMs / minuteMs)) / (250 * (seconds / 60)));
  return Math.max(0.3 * worth, worth - lost - 50 * tries);
}

function scoreOf(
  field: RealField,
  cells: Cells,
  pointsOf: (cell: RoundCell, index: number) => number,
): Score {
  const isPoints = field.worth.length > 0;
  const score = { points: 0, penalty: 0 };
  for (const [index, cell] of cells.entries()) {
    if (!isSolvedThen(cell)) continue;
    score.points += isPoints ? pointsOf(cell, index) : 1;
    if (!isPoints) score.penalty += Math.floor(cell.afterMs / minuteMs) + field.wrongMinutes * cell.tries;
  }
  return score;
}

/** When the refused tries were is not known, so those to a problem that is not solved show at the end. */
function cellsAt(field: RealField, row: FieldRow, seconds: number): RoundCell[] {
  return field.positions.map((_, index) => {
    const cell = row[index] ?? 0;
    const [second, tries, points = 1] = typeof cell === 'number' ? [Number.POSITIVE_INFINITY, cell] : cell;
    const isSolved = second < seconds;
    const kind = isSolved ? 'solved' : tries > 0 && seconds >= field.seconds ? 'tried' : 'none';
    const shown = kind === 'none' ? 0 : tries;
    return {
      kind,
      tries: shown,
      afterMs: isSolved ? second * 1000 : 0,
      points: isSolved ? points : 0,
      isSolved,
    };
  });
}

/** The scores of the field `seconds` after the start. */
export const scoresAt = (field: RealField, seconds: number): Score[] =>
  field.rows.map((row) => scoreOf(field, cellsAt(field, row, seconds), ({ points }) => points));

/** Off by at most half of the field's step, where the field is in the order of its scores. */
export function placeIn(
  field: RealField,
  scores: readonly Score[],
  { cells }: Pick<RoundRow, 'cells'>,
): number {
  const own = scoreOf(field, cells, (cell, index) => pointsOfSolve(field, field.worth[index] ?? 0, cell));
  const better = scores.filter((one) => isBetter(one, own) > 0).length;
  return Math.min(field.total, better * field.step + 1 + Math.floor((field.step - 1) / 2));
}

/** A row of the field, which is named by its place alone. */
export interface Ghost extends RoundResult {
  place: number;
}

const shares = { large: [0.01, 0.05, 0.1, 0.25, 0.5], small: [0, 0.125, 0.25, 0.375, 0.5] };

/** Five, from the best to the middle of the field; fewer of a small one. */
export function ghostsAt(
  field: RealField,
  { rule, points }: { rule: keyof typeof roundRules; points: readonly number[] },
  seconds: number,
): Ghost[] {
  const { total, step, rows } = field;
  const indices = (total >= 100 ? shares.large : shares.small).map((share) => {
    const place = share === 0.5 ? Math.ceil(total / 2) : Number((share * total).toPrecision(1));
    return Math.min(rows.length, Math.max(1, Math.round(place / step))) - 1;
  });
  return [...new Set(indices)].flatMap((index) => {
    const row = rows[index];
    if (!row) return [];
    const cells = cellsAt(field, row, seconds).map((cell, nth) => ({ ...cell, points: points[nth] ?? 1 }));
    return [{ ...rowOf(cells, rule), place: (index + 1) * step }];
  });
}

/** The results of an earlier round as a field. */
export function fieldOfRound(rows: readonly RoundRow[], seconds: number): RealField | undefined {
  const ranked = rows.filter(({ place }) => place !== undefined);
  if (ranked.length === 0) return undefined;
  return {
    total: ranked.length,
    step: 1,
    seconds,
    positions: ranked[0]?.cells.map((_, index) => String(index)) ?? [],
    worth: [],
    wrongMinutes: roundRules.icpc.penaltyMinutes,
    rows: ranked.map(({ cells }) =>
      cells.map((cell) => {
        if (isSolvedThen(cell)) return [Math.floor(cell.afterMs / 1000), cell.tries] as const;
        // Of what was solved later, the tries after the end are counted too.
        return cell.kind === 'tried' ? cell.tries : 0;
      }),
    ),
  };
}
