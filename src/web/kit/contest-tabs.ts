/** The tabs of Contests. */
import { type Html, html } from '../markup.ts';
import { contestsPath, roundsPath } from '../paths.ts';
import type { Visit } from '../road/visits.ts';
import { words } from '../words/words.ts';
import { here } from './frame.ts';

const tabs = { past: contestsPath, rounds: roundsPath } as const;

export function contestTabs({ site: { basePath } }: Visit, current: 'upcoming' | 'past' | 'rounds'): Html {
  const tab = ([name, path]: [string, string]) =>
    html`<li><a href="${basePath}${path}"${here(name, current)}>${words(`contests.tab.${name as keyof typeof tabs}`)}</a></li>`;
  return html`
    <nav class="tabs" aria-label="${words('contests.title')}" tabindex="0">
      <ul>${Object.entries(tabs).map(tab)}</ul>
    </nav>`;
}
