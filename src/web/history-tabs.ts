/** The three ways to look at what happened: the member's changes, what they sent to judges, and their days. */
import { html } from 'hono/html';
import { daysPath, submissionsPath } from './day-links.ts';
import type { Html } from './layout.ts';
import { words } from './words.ts';

export const historyPath = '/dashboard/history/';

export function historyTabs(basePath: string, current: string): Html {
  const tabs = [
    [historyPath, words('history.changes')],
    [submissionsPath, words('submissions.title')],
    [daysPath, words('dayList.title')],
  ] as const;
  return html`<nav class="tabs" aria-label="${words('frame.history')}" tabindex="0"><ul>${tabs.map(([path, text]) => html`<li><a href="${basePath}${path}"${path === current ? html` aria-current="page"` : ''}>${text}</a></li>`)}</ul></nav>`;
}
