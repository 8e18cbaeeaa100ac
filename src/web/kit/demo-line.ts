/** The demo member sees in the head of every page where they are; Today also names the way to a garden of their own. */

import { type Html, html } from '../markup.ts';
import { ownGardenPath } from '../paths.ts';
import type { Visit } from '../road/visits.ts';
import { words } from '../words/words.ts';

export function demoPill({ site, member, isLocal }: Visit): Html | '' {
  if (member?.is_sample !== 1n) return '';
  const text = words('demo.short');
  return isLocal
    ? html`<a class="tag demo" href="${site.basePath}${ownGardenPath}">${text}</a>`
    : html`<span class="tag demo">${text}</span>`;
}

export function demoLine({ site, member, isLocal }: Visit): Html {
  if (member?.is_sample !== 1n) return html``;
  const way = html` <a href="${site.basePath}${ownGardenPath}">${words('demo.makeItYours')}</a>`;
  return html`<p class="demo-line">${words('demo.youAre')}${isLocal ? way : ''}</p>`;
}
