/**
 * The words of the pages, in the language of the visit. Messages have the form of ICU. One that takes values is
 * compiled when it is first shown; any other is shown as it stands.
 */

import { type Formatters, IntlMessageFormat } from 'intl-messageformat';
import type { Said, Sentence } from '../../errors.ts';
import { type Html, html } from '../markup.ts';
import { numbers } from './formats.ts';
import { currentReader, perLanguage, type WordKey } from './reader.ts';

export type { WordKey };

type Value = string | number | bigint;
type Values = Readonly<Record<string, Value>>;
/** The element around the words of a tag, such as a link. */
type Tag = (children: (string | Html)[]) => Html;

const compiledHere = perLanguage(() => new Map<WordKey, IntlMessageFormat>());
const dividedHere = perLanguage(() => new Map<WordKey, readonly string[] | undefined>());
const messageOf = (key: WordKey) => currentReader().language.messages[key];

/**
 * A text, which is escaped where it is put into markup. Numbers of `{count, number}` and `#` have thousands separators.
 */
export function words(key: WordKey, values?: Values): string {
  if (values === undefined) return messageOf(key);
  const parts = partsOf(key);
  return parts === undefined ? String(compile(key).format(values)) : filled(parts, values);
}

/**
 * The sentence of an error, for the reader of the page; in English where it is of the command line, or was kept by a
 * release that had other keys.
 */
export function sentenceOf({ said, message }: Sentence): string {
  return said && messageOf(said.key) !== undefined ? inWords(said) : message;
}

/** Sentences among the facts are said in the same language. */
export function inWords({ key, facts }: Said): string {
  const values = Object.entries(facts).map(
    ([name, fact]) => [name, typeof fact === 'object' ? inWords(fact) : fact] as const,
  );
  return words(key, Object.fromEntries(values));
}

/**
 * A message of text and plain values alone, as most are: its texts, with the names of the values between them. To put
 * values into it takes a tenth of what the formatter takes, and a list has some hundreds of them.
 */
function partsOf(key: WordKey): readonly string[] | undefined {
  const divided = dividedHere();
  if (!divided.has(key)) {
    const message = messageOf(key);
    const isPlain = /^(?:[^{}<'#]|\{\w+\})*$/.test(message);
    divided.set(key, isPlain ? message.split(/\{(\w+)\}/) : undefined);
  }
  return divided.get(key);
}

function filled(parts: readonly string[], values: Values): string {
  let text = '';
  for (const [place, part] of parts.entries()) text += place % 2 === 0 ? part : values[part];
  return text;
}

/**
 * A sentence with markup in it. What the message has in tags is put into the element that the page gives for this name,
 * or into one of `tags`. Strings among the values are escaped like any other text.
 */
export function richWords(key: WordKey, values: Readonly<Record<string, Value | Html | Tag>> = {}): Html {
  return html`${compile(key).format<Html>({ ...tags, ...values })}`;
}

/** For a tag of a message: a link to this address. */
export function linkTo(address: string): Tag {
  return (children) => html`<a href="${address}">${children}</a>`;
}

/** The tags that mean the same in every message. */
const tags = {
  b: (children) => html`<b>${children}</b>`,
  code: (children) => html`<code>${children}</code>`,
  faint: (children) => html`<span class="faint">${children}</span>`,
  sr: (children) => html`<span class="sr">${children}</span>`,
} satisfies Record<string, Tag>;

const plurals = {
  cardinal: perLanguage(({ locale }) => new Intl.PluralRules(locale)),
  ordinal: perLanguage(({ locale }) => new Intl.PluralRules(locale, { type: 'ordinal' })),
};

/**
 * The library's own formatters write their options as JSON at each use, to find the format that they made before.
 * A language needs three formats.
 */
const formatters: Formatters = {
  getNumberFormat: (locale, options) => (options ? new Intl.NumberFormat(locale, options) : numbers()),
  getDateTimeFormat: (locale, options) => new Intl.DateTimeFormat(locale, options),
  getPluralRules: (_, options) => plurals[options?.type ?? 'cardinal'](),
};

function compile(key: WordKey): IntlMessageFormat {
  const compiled = compiledHere();
  const known = compiled.get(key);
  if (known) return known;
  const { messages, locale } = currentReader().language;
  const format = new IntlMessageFormat(messages[key], locale, undefined, { formatters });
  compiled.set(key, format);
  return format;
}
