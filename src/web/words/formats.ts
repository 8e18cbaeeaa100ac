/** Numbers, dates and orders in the visitor's language. The first Intl object takes 17 ms. */
import { listSeparator } from '../../words/languages.ts';
import { perLanguage } from './viewer.ts';
import { words } from './words.ts';

export function utcFormat(options: Intl.DateTimeFormatOptions) {
  const formatter = perLanguage(({ locale }) => new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }));
  return {
    format: (at: Date | number) => formatter().format(at),
    formatToParts: (at: Date | number) => formatter().formatToParts(at),
    formatRange: (from: Date | number, to: Date | number) => formatter().formatRange(from, to),
  };
}

const numbers = perLanguage(({ locale }) => new Intl.NumberFormat(locale));

/** Writes 11363 as 11,363 in English. */
export const thousands = { format: (figure: number | bigint) => numbers().format(figure) };

const collators = perLanguage(({ locale }) => new Intl.Collator(locale, { numeric: true }));

export const compareNames = (left: string, right: string): number => collators().compare(left, right);

export const commas = perLanguage(({ locale }) => listSeparator(locale));

export function commaList(parts: readonly (string | number | false | null | undefined)[]): string {
  const isPresent = (part: (typeof parts)[number]) =>
    part !== '' && part !== false && part !== null && part !== undefined;
  return parts.filter(isPresent).join(commas());
}

export const sentence = (text: string): string => words('message.sentence', { text });

/** For what follows a label, such as the name behind a button’s word. */
export const afterColon = (text: string): string => words('contests.stateOf', { title: '', state: text });
