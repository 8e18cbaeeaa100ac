/** How the sync of a handle goes, on the page of handles: its state, what came, and the ways to bring more now. */

import { parseInt64 } from '../../../contract/common.ts';
import { judgeOf } from '../../../judges/addresses.ts';
import { browserWayOf } from '../../../judges/browser-requests.ts';
import { askNow } from '../../../practice/ask-now.ts';
import type { HandleHealth } from '../../../sync/health.ts';
import { past } from '../../kit/dates.ts';
import { icon } from '../../kit/icons.ts';
import { webLink } from '../../kit/marks.ts';
import { healthLine, isWaiting, skippedLines, tellHealth } from '../../kit/sync-health.ts';
import { type Html, html } from '../../markup.ts';
import { field, idIn } from '../../road/fields.ts';
import { type Answer, type MemberVisit, nothingHere } from '../../road/visits.ts';
import { richWords, words } from '../../words/words.ts';

const longestId = 30;
const keysShown = 50;

/** A handle that is to be asked for now: the answer to the form with its id. */
export async function takeAskNow({ store, member, form, path }: MemberVisit, to: string): Promise<Answer> {
  const id = idIn(field(form, 'sync', longestId), parseInt64);
  if (!(await store.write((tx) => askNow(tx, member.user_id, id)))) throw nothingHere(path);
  return { to: `${to}?waits=${id}#handle-${id}` };
}

/** The buttons that bring more: asked by this server, by the member's own browser, and after a confirmation. */
export function syncButton(
  { site: { basePath }, antiForgery }: MemberVisit,
  health: HandleHealth,
  isOn: boolean,
  path: string,
): Html | string {
  const { state, handle: name, handleId: id } = health;
  return state === 'demo' || state === 'by hand' || !isOn
    ? ''
    : html`
      <form method="post" action="${basePath}${path}">
        ${antiForgery}
        <button class="button small" name="sync" value="${id}">
          ${icon('sync')}
          <span>${richWords('handles.syncNow', { name })}</span>
        </button>
      </form>`;
}

/** Other ways to sync it, as lines of a menu. */
export function syncWays(
  basePath: string,
  { state, source, handle: name, handleId: id }: HandleHealth,
  path: string,
): Html {
  if (state === 'demo') return html``;
  const browser = browserWayOf(source)
    ? html`
      <li>
        <a href="${basePath}${path}${id}/browser/">
          ${icon('device')}
          <span>${richWords('handles.fromBrowser', { name })}</span>
        </a>
      </li>`
    : '';
  const confirm = judgeOf(source)?.api?.confirmed
    ? html`
      <li>
        <a href="${basePath}${path}${id}/confirm/">
          ${icon('sync')}
          <span>${richWords('handles.confirm', { name })}</span>
        </a>
      </li>`
    : '';
  return html`${browser}${confirm}`;
}

/** The state, with when something new came and what the last run left out. */
export function syncState({ query }: MemberVisit, health: HandleHealth, isOn: boolean, broughtAt: string | null): Html {
  const brought = broughtAt === null ? '' : html` ${richWords('handles.brought', { when: past(broughtAt) })}`;
  const told = tellHealth(health, isOn);
  const again = isOn && query.has('waits') && isWaiting(health) ? ` ${words('sync.looksAgain')}` : '';
  return html`${healthLine({ ...told, rest: html`${told.rest}${again}${brought}` })}${skippedLines(health)}`;
}

/** The keys that no catalogue here has, each with its page at the judge. */
export function unmatchedKeys(source: string, keys: readonly string[]): Html | string {
  if (keys.length === 0) return '';
  const judge = judgeOf(source);
  const shown = keys.toSorted().slice(0, keysShown);
  const why = (key: string) => words(judge?.isGym?.(key) ? 'handles.isGym' : 'handles.notListed');
  const line = (key: string) =>
    html`
      <li>
        ${webLink(judge?.problemPage?.(key, undefined) ?? null, key) ?? key} <span class="faint">${why(key)}</span>
      </li>`;
  const more = keys.length - shown.length;
  return html`
    <details class="skipped">
      <summary>${words('handles.whichUnmatched')}</summary>
      <ul class="plain">
        ${shown.map(line)}
        ${more > 0 ? html`<li class="faint">${words('uploads.more', { count: more })}</li>` : ''}
      </ul>
    </details>`;
}
