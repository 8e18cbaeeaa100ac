/** The messages of all languages in ICU format; English replaces missing ones. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Formatters, IntlMessageFormat } from 'intl-messageformat';
import type en from './en.json';
import { directionOf, languageTags, lookUp } from './languages.ts';

export type MessageKey = keyof typeof en;
export type Messages = Readonly<Record<MessageKey, string>>;
type Value = string | number | bigint;
export type Values = Readonly<Record<string, Value>>;

/** `parts` has alternating texts and names of values, for messages without plurals, choices or tags. */
interface CompiledMessages {
  formats: Map<MessageKey, IntlMessageFormat>;
  parts: Map<MessageKey, readonly string[] | undefined>;
  formatters: Formatters;
}

export interface Language {
  tag: string;
  locale: string;
  direction: 'ltr' | 'rtl';
  /** Read at first use, because most commands show no message. */
  readonly messages: Messages;
  cache: CompiledMessages;
}

function lazy<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

export function makeLanguage(tag: string, read: () => Messages): Language {
  // Contests are announced with a 24-hour clock everywhere.
  const locale = tag === 'en' ? 'en-GB' : `${tag}-u-hc-h23`;
  const messages = lazy(read);
  return {
    tag,
    locale,
    direction: directionOf(tag),
    get messages() {
      return messages();
    },
    cache: { formats: new Map(), parts: new Map(), formatters: formattersOf(locale) },
  };
}

/** The library's own cache serialises the options at each use. */
function formattersOf(locale: string): Formatters {
  const numbers = lazy(() => new Intl.NumberFormat(locale));
  // Brazilians write “0 pessoas”, for which CLDR has the singular in Brazil and the plural in Portugal.
  const cardinal = lazy(() => new Intl.PluralRules(locale.replace(/^pt-BR/, 'pt-PT')));
  const ordinal = lazy(() => new Intl.PluralRules(locale, { type: 'ordinal' }));
  return {
    getNumberFormat: (_, options) => (options ? new Intl.NumberFormat(locale, options) : numbers()),
    getDateTimeFormat: (_, options) => new Intl.DateTimeFormat(locale, options),
    getPluralRules: (_, options) => (options?.type === 'ordinal' ? ordinal() : cardinal()),
  };
}

const readMessages = (tag: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, `${tag}.json`), 'utf8'));

export const english = makeLanguage('en', () => readMessages('en'));

const languages = new Map<string, Language>([['en', english]]);

export function addLanguage(tag: string, read: () => Partial<Messages>): Language {
  const language = makeLanguage(tag, () => ({ ...english.messages, ...read() }));
  languages.set(tag, language);
  return language;
}

function languageNamed(tag: string): Language {
  return languages.get(tag) ?? addLanguage(tag, () => readMessages(tag));
}

/** The first page in a language then costs no more than one in English. */
export async function readLanguages(): Promise<void> {
  for (const tag of languageTags) {
    // Requests that arrive meanwhile wait for one file at most.
    await setImmediate();
    compile(languageNamed(tag), 'language.draft').format({ help: (parts) => parts.join('') });
  }
}

export function languageOf(ranges: readonly string[]): Language | undefined {
  const tag = lookUp(ranges, [...new Set([...languageTags, ...languages.keys()])]);
  return tag === undefined ? undefined : languageNamed(tag);
}

export function translate(language: Language, key: MessageKey, values?: Values): string {
  if (values === undefined) return language.messages[key];
  const parts = partsOf(language, key);
  const adapted = adaptValues(language, key, values);
  return parts === undefined ? String(compile(language, key).format(adapted)) : interpolate(parts, adapted);
}

/**
 * A value that ends in a dot, such as `10 янв.`, loses it before a dot of the message. In right-to-left text, Latin names
 * would pull punctuation to the wrong side, so texts are isolated (UAX 9, FSI and PDI), except values of a select.
 */
export function adaptValues<T>(
  { direction, messages }: Language,
  key: MessageKey,
  values: Readonly<Record<string, T>>,
): Readonly<Record<string, T | string>> {
  const hasDot = (value: T) => typeof value === 'string' && value.endsWith('.');
  if (direction === 'ltr' && !Object.values(values).some(hasDot)) return values;
  const isChoice = (name: string) => new RegExp(`\\{\\s*${name}\\s*,\\s*select\\b`).test(messages[key]);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (typeof value !== 'string') return [name, value];
      const text = hasDot(value) && isBeforeDot(messages[key], name) ? value.slice(0, -1) : value;
      return [name, direction === 'ltr' || isChoice(name) ? text : `\u2068${text}\u2069`];
    }),
  );
}

const isBeforeDot = (message: string, name: string) =>
  message
    .split(`{${name}}`)
    .slice(1)
    .every((rest) => /^(?:\}|<\/\w+>)*\.(?!\.)/.test(rest));

/** Interpolating plain values takes a tenth of the time of the formatter, and a list has hundreds of them. */
function partsOf({ messages, cache: { parts } }: Language, key: MessageKey): readonly string[] | undefined {
  if (!parts.has(key)) {
    const message = messages[key];
    const isPlain = /^(?:[^{}<'#]|\{\w+\})*$/.test(message);
    parts.set(key, isPlain ? message.split(/\{(\w+)\}/) : undefined);
  }
  return parts.get(key);
}

function interpolate(parts: readonly string[], values: Values): string {
  let text = '';
  for (const [index, part] of parts.entries()) text += index % 2 === 0 ? part : values[part];
  return text;
}

/** Loading takes 5 ms, which most commands save. */
const messageFormatLibrary = lazy(
  () => createRequire(import.meta.url)('intl-messageformat') as typeof import('intl-messageformat'),
);

export function compile({ messages, locale, cache }: Language, key: MessageKey): IntlMessageFormat {
  const cached = cache.formats.get(key);
  if (cached) return cached;
  const { IntlMessageFormat: Format } = messageFormatLibrary();
  const format = new Format(messages[key], locale, undefined, { formatters: cache.formatters });
  cache.formats.set(key, format);
  return format;
}
