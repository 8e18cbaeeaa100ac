/**
 * For whom a page is made: by whose clock, in which language, and in which colours. It stands beside the page instead
 * of in an argument, because almost every part of a page has words or shows a time (docs/decisions/0021-words.md,
 * 0025-days.md).
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Days, daysOf, usualDayRule } from '../../practice/days.ts';
import { english, type Language } from '../../words/catalogue.ts';

export type Theme = 'light' | 'dark';

export interface ReaderSettings {
  days: Days;
  language: Language;
  /** The colours that they chose; undefined for those of their system. */
  theme: Theme | undefined;
}

/** A visitor who is not signed in, whose language nobody knows. */
export const everybody: ReaderSettings = { days: daysOf(usualDayRule), language: english, theme: undefined };

const readers = new AsyncLocalStorage<ReaderSettings>();

export function madeFor<T>(reader: Partial<ReaderSettings>, work: () => T): T {
  return readers.run({ ...currentReader(), ...reader }, work);
}

export const currentReader = () => readers.getStore() ?? everybody;

/** Makes something once for each language, when it is first asked for. */
export function perLanguage<T>(make: (language: Language) => T): () => T {
  const made = new Map<Language, T>();
  return () => {
    const { language } = currentReader();
    let one = made.get(language);
    if (one === undefined) {
      one = make(language);
      made.set(language, one);
    }
    return one;
  };
}
