/** The results of a past contest without names: a systematic sample by place, from rows in the order of their places. */

/** Of a problem that is not solved the refused tries; of a solved one also the second of the solve and its points. */
export type FieldCell = number | readonly [second: number, tries: number, points?: number];

export type FieldRow = readonly FieldCell[];

export interface RealField {
  /** How many took part. */
  total: number;
  /** Row i is at place (i + 1) × step. */
  step: number;
  seconds: number;
  /** The places of the problems in the contest, such as A, in the order of the cells. */
  positions: readonly string[];
  /** The full points of the problems; empty where the number of solved problems and the penalty decide. */
  worth: readonly number[];
  /** What a refused try to a solved problem adds. */
  wrongMinutes: number;
  rows: readonly FieldRow[];
}

export const fieldRowsAtMost = 1000;
export const usualWrongMinutes = 20;

/** Steps are 1, 2, 10, 20, 100 …, so that large fields have rows at round places. */
export function fieldSampler() {
  let [rows, total, step]: [FieldRow[], number, number] = [[], 0, 1];
  return {
    add(row: FieldRow): void {
      total++;
      if (total % step !== 0) return;
      rows.push(row);
      if (rows.length <= fieldRowsAtMost) return;
      const factor = String(step).startsWith('1') ? 2 : 5;
      step *= factor;
      rows = rows.filter((_, index) => (index + 1) % factor === 0);
    },
    sample: (): Pick<RealField, 'total' | 'step' | 'rows'> => ({ total, step, rows }),
  };
}
