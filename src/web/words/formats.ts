/** How moments and numbers are written in the language of the visit. The first format of a process takes 17 ms. */
import { commaOf } from '../../words/languages.ts';
import { perLanguage } from './reader.ts';

/** Writes a moment as clocks of 24 hours at UTC show it. */
export function utcFormat(options: Intl.DateTimeFormatOptions) {
  const made = perLanguage(({ locale }) => new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }));
  return {
    format: (at: Date | number) => made().format(at),
    formatToParts: (at: Date | number) => made().formatToParts(at),
    formatRange: (from: Date | number, to: Date | number) => made().formatRange(from, to),
  };
}

const numbers = perLanguage(({ locale }) => new Intl.NumberFormat(locale));

/** 11,363 */
export const thousands = { format: (figure: number | bigint) => numbers().format(figure) };

const collators = perLanguage(({ locale }) => new Intl.Collator(locale, { numeric: true }));

/** Compares two names by the alphabet of the language, and numbers in them by their size. */
export const inOrder = (one: string, other: string): number => collators().compare(one, other);

const commas = perLanguage(({ locale }) => commaOf(locale));

/** Several names or parts in a row, with the commas of the language. Parts that are missing are left out. */
export function commaList(parts: readonly (string | number | false | null | undefined)[]): string {
  const isThere = (part: (typeof parts)[number]) =>
    part !== '' && part !== false && part !== null && part !== undefined;
  return parts.filter(isThere).join(commas());
}
