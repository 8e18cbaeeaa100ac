/**
 * Lengths of time, and how people write them, such as 90m. The days of a member, which can be shorter or longer than 24 hours, are
 * in practice/days.
 */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
export const daySeconds = dayMs / 1000;

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: minuteMs, h: hourMs, d: dayMs };

/** The milliseconds of a number with s, m, h or d; undefined for any other text. */
export function durationMs(text: string): number | undefined {
  const [, amount, unit = ''] = /^([0-9]{1,9})([smhd])$/.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * (unitMs[unit] ?? 0);
}
