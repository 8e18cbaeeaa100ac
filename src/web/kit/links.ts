/** Links that look like buttons, counts or chips. */

import { attr, type Html, html } from '../markup.ts';
import { problemsPath } from '../paths.ts';
import { thousands } from '../words/formats.ts';
import { words } from '../words/words.ts';
import { type IconName, icon } from './icons.ts';

interface ButtonOptions {
  symbol?: IconName;
  kind?: string;
}

export function linkButton(href: string, text: Html | string, { symbol, kind = '' }: ButtonOptions = {}): Html {
  const label = symbol ? html`${icon(symbol)}<span>${text}</span>` : text;
  return html`<a class="button${kind && ` ${kind}`}" href="${href}">${label}</a>`;
}

export const printButton = () =>
  html`
    <button class="button for-script" type="button" data-print>
      ${icon('print')}<span>${words('groups.print')}</span>
    </button>`;

export const findProblemLink = (basePath: string) => linkButton(basePath + problemsPath, words('today.find'));

/** A count that links to the page with as many rows. */
export function countLink(
  count: number | bigint,
  href: string | undefined,
  text: Html | string | (Html | string)[] = thousands.format(count),
): Html {
  if (href === undefined) return html`<span class="num">${text}</span>`;
  return html`<a data-count="${count}" href="${href}">${text}</a>`;
}

export function chip(href: string, text: Html | string): Html {
  return html`<a class="chip" href="${href}">${text}</a>`;
}

export function filterChips(chips: readonly (readonly [href: string, text: string])[], more?: Html): Html {
  const item = ([href, text]: readonly [href: string, text: string]) =>
    html`
      <li>
        <a class="chip on" href="${href}">${text}<span class="sr">${words('filters.remove')}</span>${icon('close')}</a>
      </li>`;
  return html`<ul class="chosen" aria-label="${words('filters.inForce')}">${chips.map(item)}${more}</ul>`;
}

export function segmentedLinks(
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
