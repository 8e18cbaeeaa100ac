/** Links in a line: one that looks like a button, a figure that leads to its rows, a chip. */

import { attr, type Html, html } from '../markup.ts';
import { listPath } from '../paths.ts';
import { thousands } from '../words/formats.ts';
import { words } from '../words/words.ts';
import { type IconName, icon } from './icons.ts';

interface ButtonOptions {
  symbol?: IconName;
  /** Further classes, such as `primary`. */
  kind?: string;
}

export function linkButton(href: string, text: Html | string, { symbol, kind = '' }: ButtonOptions = {}): Html {
  const label = symbol ? html`${icon(symbol)}<span>${text}</span>` : text;
  return html`<a class="button${kind && ` ${kind}`}" href="${href}">${label}</a>`;
}

/** The button that prints the page, which takes a script. */
export const printButton = () =>
  html`
    <button class="button for-script" type="button" data-print>
      ${icon('print')}<span>${words('groups.print')}</span>
    </button>`;

/** The way to all problems, for pages that fill up once one is solved. */
export const findProblemLink = (basePath: string) => linkButton(basePath + listPath, words('today.find'));

/** A figure that leads to the page with as many rows; plain where no page has them. */
export function countLink(
  count: number | bigint,
  href: string | undefined,
  text: Html | string | (Html | string)[] = thousands.format(count),
): Html {
  if (href === undefined) return html`<span class="num">${text}</span>`;
  return html`<a data-count="${count}" href="${href}">${text}</a>`;
}

/** A short name that leads to its list. */
export function chip(href: string, text: Html | string): Html {
  return html`<a class="chip" href="${href}">${text}</a>`;
}

/** The filters that are in force, each with the address without it; `more` stands at the end. */
export function chosenChips(chips: readonly (readonly [href: string, text: string])[], more?: Html): Html {
  const item = ([href, text]: readonly [href: string, text: string]) =>
    html`
      <li>
        <a class="chip on" href="${href}">${text}<span class="sr">${words('filters.remove')}</span>${icon('close')}</a>
      </li>`;
  return html`<ul class="chosen" aria-label="${words('filters.inForce')}">${chips.map(item)}${more}</ul>`;
}

/** Choices in a line, each an address of its own; the one that is shown is marked. */
export function choicesLine(
  label: string,
  choices: readonly (readonly [href: string, text: string, isHere: boolean])[],
) {
  return html`
    <nav class="segments" aria-label="${label}">
      ${choices.map(
        ([href, text, isHere]) => html`<a href="${href}"${attr('aria-current', isHere && 'true')}>${text}</a>`,
      )}
    </nav>`;
}
