/** The texts of pages in the visitor's language. */

import type { IntlMessageFormat } from 'intl-messageformat';
import { formatMessage, type LocalizedText, type Message } from '../../errors.ts';
import { adaptValues, compile, type MessageKey, translate, type Values } from '../../words/catalogue.ts';
import { type Html, html } from '../markup.ts';
import { currentViewer } from './viewer.ts';

export type { MessageKey };

type Tag = (children: (string | Html)[]) => Html;

export function words(key: MessageKey, values?: Values): string {
  return translate(currentViewer().language, key, values);
}

/** Keys that an older release stored have an English message only, also as values of another message. */
export function localizeText({ localized, message }: LocalizedText): string {
  return localized && isKnown(localized) ? localize(localized) : message;
}

const isKnown = ({ key, values }: Message): boolean =>
  currentViewer().language.messages[key] !== undefined &&
  Object.values(values).every((value) => typeof value !== 'object' || isKnown(value));

export function localize(message: Message): string {
  return formatMessage(currentViewer().language, message);
}

/** Tags in a message become the elements that the caller passes under their names. */
export function richWords(key: MessageKey, values: Readonly<Record<string, Values[string] | Html | Tag>> = {}): Html {
  const { language } = currentViewer();
  const format: IntlMessageFormat = compile(language, key);
  const content = format.format<Html>({ ...tags, ...adaptValues(language, key, values) });
  return html`${Array.isArray(content) ? mergeDots(content) : content}`;
}

/** A part that ends with a dot, such as a date, also ends the sentence. */
function mergeDots(parts: readonly (string | Html)[]): (string | Html)[] {
  return parts.map((part, index) => {
    const isRepeatedDot =
      typeof part === 'string' && /^\.(?!\.)/.test(part) && /[^.]\.(?:<\/\w+>)+$/.test(String(parts[index - 1]));
    return isRepeatedDot ? part.slice(1) : part;
  });
}

export function linkTo(address: string): Tag {
  return (children) => html`<a href="${address}">${mergeDots(children)}</a>`;
}

const tags = {
  b: (children) => html`<b>${mergeDots(children)}</b>`,
  code: (children) => html`<code>${mergeDots(children)}</code>`,
  faint: (children) => html`<span class="faint">${mergeDots(children)}</span>`,
  sr: (children) => html`<span class="sr">${mergeDots(children)}</span>`,
} satisfies Record<string, Tag>;
