/**
 * For whom a page is made: by whose clock, and in which language. It stands beside the page instead of in an argument,
 * because almost every part of a page has words or shows a time (docs/decisions/0021-words.md, 0025-days.md).
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import errors from '../../errors.json' with { type: 'json' };
import { chooseLanguage } from '../../http/negotiation.ts';
import { type Days, daysOf, usualDayRule } from '../../practice/days.ts';
import en from './en.json' with { type: 'json' };

export type WordKey = keyof typeof en | keyof typeof errors;
export type Messages = Readonly<Record<WordKey, string>>;

export interface Language {
  /** As `lang` of a page names it (BCP 47). */
  tag: string;
  /** Its way to write numbers and dates. */
  locale: string;
  messages: Messages;
}

export interface Reader {
  days: Days;
  language: Language;
}

const languages = new Map<string, Language>();

/** Adds a language in which pages can be read. */
export function addLanguage(tag: string, messages: Messages): Language {
  const language = { tag, locale: tag === 'en' ? 'en-GB' : tag, messages };
  languages.set(tag, language);
  return language;
}

const english = addLanguage('en', { ...errors, ...en });
for (const file of readdirSync(import.meta.dirname)) {
  const [, tag] = /^(.+)\.json$/.exec(file) ?? [];
  if (tag !== undefined && tag !== 'en')
    addLanguage(tag, JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8')));
}

/** The language that the header Accept-Language prefers; English where it names none of ours. */
export function languageFor(acceptLanguage: string | undefined): Language {
  if (languages.size === 1 || acceptLanguage === undefined) return english;
  return languages.get(chooseLanguage(acceptLanguage, [...languages.keys()]) ?? '') ?? english;
}

/** A visitor who is not signed in, whose language nobody knows. */
export const everybody: Reader = { days: daysOf(usualDayRule), language: english };

const readers = new AsyncLocalStorage<Reader>();

/** Makes something for this reader. */
export function madeFor<T>(reader: Partial<Reader>, work: () => T): T {
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
