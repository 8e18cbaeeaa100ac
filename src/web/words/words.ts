/** The words of the pages, in the language of the visit. */

import type { IntlMessageFormat } from 'intl-messageformat';
import { formatMessage, type LocalizedText, type Message } from '../../errors.ts';
import { adaptValues, compile, type MessageKey, translate, type Values } from '../../words/catalogue.ts';
import { type Html, html } from '../markup.ts';
import { currentReader } from './reader.ts';

export type { MessageKey };

/** The element around the words of a tag, such as a link. */
type Tag = (children: (string | Html)[]) => Html;

/** A text, which is escaped where it is put into markup. */
export function words(key: MessageKey, values?: Values): string {
  return translate(currentReader().language, key, values);
}

/**
 * A text, such as that of an error, for the reader of the page; in English where it is of the command line, or was
 * saved by a release that had other keys.
 */
export function localizeText({ localized, message }: LocalizedText): string {
  return localized && currentReader().language.messages[localized.key] !== undefined ? localize(localized) : message;
}

export function localize(message: Message): string {
  return formatMessage(currentReader().language, message);
}

/**
 * A sentence with markup in it. What the message has in tags is put into the element that the page gives for this name,
 * or into one of `tags`. Strings among the values are escaped like any other text.
 */
export function richWords(key: MessageKey, values: Readonly<Record<string, Values[string] | Html | Tag>> = {}): Html {
  const { language } = currentReader();
  const format: IntlMessageFormat = compile(language, key);
  const content = format.format<Html>({ ...tags, ...adaptValues(language, key, values) });
  return html`${Array.isArray(content) ? inOneDot(content) : content}`;
}

/** The parts of a sentence. A dot at the end of an element, as of a date, ends the sentence too. */
function inOneDot(parts: readonly (string | Html)[]): (string | Html)[] {
  return parts.map((part, place) => {
    const isSecond =
      typeof part === 'string' && /^\.(?!\.)/.test(part) && /[^.]\.(?:<\/\w+>)+$/.test(String(parts[place - 1]));
    return isSecond ? part.slice(1) : part;
  });
}

/** For a tag of a message: a link to this address. */
export function linkTo(address: string): Tag {
  return (children) => html`<a href="${address}">${inOneDot(children)}</a>`;
}

/** The tags that mean the same in every message. */
const tags = {
  b: (children) => html`<b>${inOneDot(children)}</b>`,
  code: (children) => html`<code>${inOneDot(children)}</code>`,
  faint: (children) => html`<span class="faint">${inOneDot(children)}</span>`,
  sr: (children) => html`<span class="sr">${inOneDot(children)}</span>`,
} satisfies Record<string, Tag>;
