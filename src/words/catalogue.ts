/**
 * The messages of all languages, in the form of ICU. One that takes values is compiled when it is first shown; any other
 * is shown as it stands. A message that a language lacks is English.
 */
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

/** Messages as they were compiled: of a message of plain text and values, its texts with the names of the values between. */
interface CompiledMessages {
  compiled: Map<MessageKey, IntlMessageFormat>;
  parts: Map<MessageKey, readonly string[] | undefined>;
  formatters: Formatters;
}

export interface Language {
  /** As `lang` of a page names it (BCP 47). */
  tag: string;
  /** Its way to write numbers and dates. */
  locale: string;
  direction: 'ltr' | 'rtl';
  /** They are read when the first of them is shown, because most commands show none. */
  readonly messages: Messages;
  made: CompiledMessages;
}

function once<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

/** A language whose messages this function reads. */
export function makeLanguage(tag: string, read: () => Messages): Language {
  // Everywhere the clock has 24 hours, as contests are announced.
  const locale = tag === 'en' ? 'en-GB' : `${tag}-u-hc-h23`;
  const messages = once(read);
  return {
    tag,
    locale,
    direction: directionOf(tag),
    get messages() {
      return messages();
    },
    made: { compiled: new Map(), parts: new Map(), formatters: formattersOf(locale) },
  };
}

/**
 * The library's own formatters write their options as JSON at each use, to find the format that they made before.
 * A language needs three formats.
 */
function formattersOf(locale: string): Formatters {
  const numbers = once(() => new Intl.NumberFormat(locale));
  const cardinal = once(() => new Intl.PluralRules(locale));
  const ordinal = once(() => new Intl.PluralRules(locale, { type: 'ordinal' }));
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

/** Adds a language in which pages can be read. */
export function addLanguage(tag: string, read: () => Partial<Messages>): Language {
  const language = makeLanguage(tag, () => ({ ...english.messages, ...read() }));
  languages.set(tag, language);
  return language;
}

/** The language of a tag. A command reads its file when it needs it first; a server has read all of them. */
function languageNamed(tag: string): Language {
  return languages.get(tag) ?? addLanguage(tag, () => readMessages(tag));
}

/**
 * Reads the files of all languages and prepares the line at the foot of their pages, so that the first page in one costs
 * what a page in English costs.
 */
export async function readLanguages(): Promise<void> {
  for (const tag of languageTags) {
    // One at a time: what is asked meanwhile waits for one file at most.
    await setImmediate();
    compile(languageNamed(tag), 'language.draft').format({ help: (parts) => parts.join('') });
  }
}

/** The language of the first of these ranges (RFC 4647) that there is one for. */
export function languageOf(ranges: readonly string[]): Language | undefined {
  const tag = lookUp(ranges, [...new Set([...languageTags, ...languages.keys()])]);
  return tag === undefined ? undefined : languageNamed(tag);
}

/** A text in this language. Numbers of `{count, number}` and `#` have separators as there. */
export function translate(language: Language, key: MessageKey, values?: Values): string {
  if (values === undefined) return language.messages[key];
  const parts = partsOf(language, key);
  const adapted = adaptValues(language, key, values);
  return parts === undefined ? String(compile(language, key).format(adapted)) : interpolate(parts, adapted);
}

/**
 * The values as the message takes them. A date such as `10 янв.` or a name that ends in a dot loses it before a dot of the
 * message. A name in Latin letters would take the punctuation beside it along to its other side in a line that runs from right to
 * left, so there each text is isolated (UAX 9, FSI and PDI). A value that the message selects by stays as it is.
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

/** Whether the message has a dot behind each place of this value. */
const isBeforeDot = (message: string, name: string) =>
  message
    .split(`{${name}}`)
    .slice(1)
    .every((rest) => /^(?:\}|<\/\w+>)*\.(?!\.)/.test(rest));

/**
 * A message of text and plain values alone, as most are: its texts, with the names of the values between them. To put
 * values into it takes a tenth of what the formatter takes, and a list has some hundreds of them.
 */
function partsOf({ messages, made: { parts } }: Language, key: MessageKey): readonly string[] | undefined {
  if (!parts.has(key)) {
    const message = messages[key];
    const isPlain = /^(?:[^{}<'#]|\{\w+\})*$/.test(message);
    parts.set(key, isPlain ? message.split(/\{(\w+)\}/) : undefined);
  }
  return parts.get(key);
}

function interpolate(parts: readonly string[], values: Values): string {
  let text = '';
  for (const [place, part] of parts.entries()) text += place % 2 === 0 ? part : values[part];
  return text;
}

/** It takes 5 ms to load, which a command does not wait for unless it shows a plural. */
const library = once(
  () => createRequire(import.meta.url)('intl-messageformat') as typeof import('intl-messageformat'),
);

export function compile({ messages, locale, made }: Language, key: MessageKey): IntlMessageFormat {
  const cached = made.compiled.get(key);
  if (cached) return cached;
  const { IntlMessageFormat: Format } = library();
  const format = new Format(messages[key], locale, undefined, { formatters: made.formatters });
  made.compiled.set(key, format);
  return format;
}
