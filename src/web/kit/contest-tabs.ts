/** The tabs of Contests. */
import { attr, type Html, html } from '../markup.ts';
import { contestsPath, roundsPath, upcomingPath } from '../paths.ts';
import type { Visit } from '../road/visits.ts';
import { words } from '../words/words.ts';

const tabs = {
  upcoming: [upcomingPath, 'contests.tab.upcoming'],
  past: [contestsPath, 'contests.tab.past'],
  rounds: [roundsPath, 'contests.tab.rounds'],
} as const;

export function contestTabs({ site: { basePath } }: Visit, current: keyof typeof tabs): Html {
  const items = Object.entries(tabs).map(
    ([name, [path, text]]) =>
      html`<li><a href="${basePath}${path}"${attr('aria-current', name === current && 'page')}>${words(text)}</a></li>`,
  );
  return html`<nav class="tabs" aria-label="${words('contests.title')}" tabindex="0"><ul>${items}</ul></nav>`;
}
