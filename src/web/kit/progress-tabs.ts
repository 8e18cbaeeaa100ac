/** The tabs of Progress: its pictures, the garden, and what the member did day by day. */

import { type Html, html } from '../markup.ts';
import { gardenPath, progressPath, submissionsPath } from '../paths.ts';
import { words } from '../words/words.ts';
import { here } from './document.ts';

const tabs = [
  [progressPath, words('progress.overview')],
  [gardenPath, words('frame.garden')],
  [submissionsPath, words('progress.activity')],
] as const;

/** The way to a plant. */
export const crumbsToGarden = (basePath: string) =>
  [
    [basePath + progressPath, words('frame.progress')],
    [basePath + gardenPath, words('frame.garden')],
  ] as const;

export function progressTabs(basePath: string, current: string): Html {
  const tab = ([path, name]: (typeof tabs)[number]) =>
    html`<li><a href="${basePath}${path}"${here(path, current)}>${name}</a></li>`;
  return html`<nav class="tabs" aria-label="${words('frame.progress')}" tabindex="0"><ul>${tabs.map(tab)}</ul></nav>`;
}
