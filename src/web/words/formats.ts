/** How moments and numbers are written. */

/**
 * Makes something when it is first asked for: the first format of a process loads 9 MB of languages, and takes 17 ms.
 */
export function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Writes a moment as clocks at UTC show it. */
export function utcFormat(options: Intl.DateTimeFormatOptions) {
  const made = lazily(() => new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }));
  return {
    format: (at: Date | number) => made().format(at),
    formatRange: (from: Date | number, to: Date | number) => made().formatRange(from, to),
  };
}

export const numbers = lazily(() => new Intl.NumberFormat('en'));

/** 11,363 */
export const thousands = { format: (figure: number | bigint) => numbers().format(figure) };
