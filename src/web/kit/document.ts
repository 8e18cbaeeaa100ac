/** A whole page: head, skip link, icons, header, content, footer. Every page is made here, whoever may open it. */

import { type Html, html } from '../markup.ts';
import type { Site } from '../road/site.ts';
import { words } from '../words/words.ts';
import { type AssetName, assetPaths } from './assets.ts';
import { spriteFor } from './icons.ts';

export interface PageOptions {
  title: string;
  /** The class of the page's own styles. */
  kind?: string;
  /** Style sheets after that of all pages, and scripts. */
  styles?: readonly AssetName[];
  scripts?: readonly AssetName[];
  /** Whether engines that search the web are asked to leave it out. */
  isUnlisted?: boolean;
  header: Html;
  footer: readonly (readonly [path: string, name: string])[];
  /** Parts that float above the page: the thumb bar, the bar that offers to undo. */
  floating?: Html | string;
  /** Whether the content has the main landmark in it. */
  hasOwnMain?: boolean;
}

export function page({ basePath }: Site, options: PageOptions, content: Html): Html {
  const {
    title,
    kind = '',
    styles = [],
    scripts = [],
    header,
    footer,
    floating = '',
    hasOwnMain,
    isUnlisted,
  } = options;
  const asset = (name: AssetName) => basePath + assetPaths[name];
  const main = hasOwnMain
    ? html`<div class="page" id="content" tabindex="-1">\n${content}\n</div>`
    : html`<main class="page" id="content" tabindex="-1">\n${content}\n</main>`;
  const body = html`
    ${header}
    ${main}
    <footer class="foot">
      <div class="foot-in">
        <p>${words('page.foot')}</p>
        <ul>${footer.map(([path, name]) => html`<li><a href="${basePath}${path}">${name}</a></li>`)}</ul>
      </div>
    </footer>
    ${floating}`;
  return html`
    <!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
        <meta name="color-scheme" content="light dark">
        ${isUnlisted ? html`\n<meta name="robots" content="noindex">` : ''}
        <title>${words('page.titleOf', { title })}</title>
        <link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml">
        ${(['site.css', ...styles] as const).map((name) => html`<link rel="stylesheet" href="${asset(name)}">\n`)}
        <link rel="service-desc" href="${basePath}/openapi.json" type="application/json">
        ${scripts.map((name) => html`<script src="${asset(name)}" defer></script>\n`)}
      </head>
      <body${kind ? html` class="${kind}"` : ''}>
        <a class="skip" href="#content">${words('page.skip')}</a>
        ${spriteFor(body)}
        ${body}
      </body>
    </html>`;
}

export function brand(basePath: string): Html {
  return html`
    <a class="brand" href="${basePath}/">
      <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <path class="brand-stem" d="M16 29V15"/>
        <path class="brand-leaf" d="M16 17C16 9 11 5 3 5c0 8 5 12 13 12z"/>
        <path class="brand-bud" d="M16 21c0-6 4-9 12-9 0 6-4 9-12 9z"/>
      </svg>
      <span>${words('page.name')}</span>
    </a>`;
}

/** The attribute of the link that leads where the page is already. */
export function here(path: string, current: string): Html | string {
  return path === current ? html` aria-current="page"` : '';
}
