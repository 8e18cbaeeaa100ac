/** The line at the head of Today that says how fresh everything is, and the menu behind it with each handle. */

import type { HandleHealth } from '../../../sync/health.ts';
import { past } from '../../kit/dates.ts';
import { icon } from '../../kit/icons.ts';
import { judgeMark } from '../../kit/marks.ts';
import { healthLine, type ToldHealth, tellHealth } from '../../kit/sync-health.ts';
import { type Html, html } from '../../markup.ts';
import { handlesPath } from '../../paths.ts';
import { richWords, words } from '../../words/words.ts';

const marks: readonly ToldHealth['mark'][] = ['ok', 'off', 'late', 'bad'];

export function syncLine(healths: readonly HandleHealth[], isOn: boolean, basePath: string): Html {
  const told = healths.map((health) => ({ health, ...tellHealth(health, isOn) }));
  const badness = ({ mark }: ToldHealth) => marks.indexOf(mark);
  const [worst] = told.toSorted((a, b) => badness(b) - badness(a));
  const items = told.map(
    (one) =>
      html`
        <li data-judge="${one.health.source}">
          <h2><span class="key">${judgeMark(one.health.source)}</span> <bdi>${one.health.handle}</bdi></h2>
          ${healthLine(one)}
        </li>`,
  );
  const isFine = worst === undefined || worst.mark === 'ok';
  return html`
    <details class="sync menu end" name="menu" data-sync="${worst?.mark ?? 'off'}">
      <summary>
        ${icon(isFine ? 'sync' : worst.mark === 'off' ? 'clock' : 'warn', isFine ? '' : worst.mark)}
        <span><b>${isFine ? allFine(healths) : worst.head}</b></span>
        ${icon('down')}
      </summary>
      <div class="menu-panel wide">
        <ul class="sync-list">${items}</ul>
        <p><a href="${basePath}${handlesPath}">${words('sync.more')}</a></p>
      </div>
    </details>`;
}

/** The oldest of the last good runs says how fresh everything is. */
function allFine(healths: readonly HandleHealth[]): Html | string {
  const [oldest] = healths.flatMap(({ goodAt }) => goodAt ?? []).toSorted();
  return oldest === undefined ? words('sync.fine') : richWords('sync.allFine', { when: past(oldest) });
}
