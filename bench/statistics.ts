/** Medians, paired ratios and how figures are written. */

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

/** The value that this share of all values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export interface Ratio {
  median: number;
  least: number;
  most: number;
}

/** Round by round one against the other: what slows the whole machine for a while slows both. */
export function ratioOf(ones: readonly number[], others: readonly number[]): Ratio {
  const ratios = ones.slice(0, others.length).map((one, round) => one / (others[round] ?? Number.NaN));
  return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) };
}

export const grouped = (value: number) => Math.round(value).toLocaleString('en');

/** Three significant digits at most, no exponent. */
export function shortly(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (value >= 100) return grouped(value);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
