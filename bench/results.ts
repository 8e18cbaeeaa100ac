/** What a work found: for each target one figure a round, to be compared round by round. */
import type { Round } from './load.ts';
import { median, type Ratio, ratioOf } from './statistics.ts';

export type Unit = 'requests/s' | 'rows/s' | 'ms' | 'MB';

export interface Row {
  target: string;
  title: string;
  /** One a round, in the result's unit. */
  figures: number[];
  p50Ms?: number;
  p99Ms?: number;
  /** The most that was seen of the whole process tree. */
  memoryMB?: number;
  /** Processor time of one request, all threads of the server. */
  processorMs?: number;
  /** Of a body as it is sent. */
  kB?: number;
}

export interface Skipped {
  title: string;
  reason: string;
}

export interface Result {
  subject: string;
  title: string;
  /** What was done, in a sentence. */
  what: string;
  unit: Unit;
  rows: Row[];
  skipped: Skipped[];
  /** The others against the first one, instead of the first one against the others. */
  isAgainstFirst?: boolean;
  /** Its rows are different things, which have no ratio. */
  isWithoutRatio?: boolean;
}

export const isCost = (unit: Unit) => unit === 'ms' || unit === 'MB';

/** How many times better one target is than another; above 1 is faster, or smaller where figures are costs. */
export function advantage(result: Result, one: Row | undefined, other: Row | undefined): Ratio | undefined {
  if (!one || !other || one === other) return undefined;
  return isCost(result.unit) ? ratioOf(other.figures, one.figures) : ratioOf(one.figures, other.figures);
}

export const rowOf = (result: Result | undefined, target: string) =>
  result?.rows.find((row) => row.target === target);

/** A target's row of a load: rates by round, medians of the rest. */
export function loadRow(
  target: { name: string; title: string },
  rounds: readonly Round[],
  memoryMB: number,
): Row {
  return {
    target: target.name,
    title: target.title,
    figures: rounds.map((round) => round.perSecond),
    p50Ms: median(rounds.map((round) => round.p50Ms)),
    p99Ms: median(rounds.map((round) => round.p99Ms)),
    memoryMB,
  };
}
