/** How the sync with a judge goes, for staff: its state, whose handles fail, and asking for its catalogue at once. */

import type { Judge } from '../../../judges/judge.ts';
import type { JudgeHealth } from '../../../sync/health.ts';
import { past } from '../../kit/dates.ts';
import { icon } from '../../kit/icons.ts';
import { healthLine, skippedLines, tellHealth } from '../../kit/sync-health.ts';
import { type Html, html } from '../../markup.ts';
import type { MemberVisit } from '../../road/visits.ts';
import { richWords, words } from '../../words/words.ts';

/** Nothing is known of a judge at which nobody has a handle: it is never asked. */
export function judgeSync(
  { site, antiForgery, path }: MemberVisit,
  [source, { name, site: asked, api }]: readonly [string, Judge],
  health: JudgeHealth | undefined,
  isOn: boolean,
): Html {
  if (!api) return line(words('sync.byHandRest', { judge: name }));
  if (!health || health.handles === 0) return line(words('judges.nobody', { judge: asked }));
  const { handles, failing, faultText, judgeAt } = health;
  const counted = words('judges.handles', { count: handles, failing });
  const age = judgeAt === null ? '' : html` ${richWords('judges.newest', { when: past(judgeAt) })}`;
  const said = faultText === null ? '' : html`<p class="soft small" data-fault>${faultText}</p>`;
  const button = isOn
    ? html`
      <form method="post" action="${site.basePath}${path}">
        ${antiForgery}
        <button class="button small" name="source" value="${source}">
          ${icon('sync')}
          <span>${richWords('judges.askNow', { name })}</span>
        </button>
      </form>`
    : '';
  return html`
    <div class="judge-sync" data-sync="${source}" data-failing="${failing}">
      ${healthLine(tellHealth(health, isOn))}
      ${said}
      ${skippedLines(health)}
      <p class="faint small">${counted}${age}</p>
      ${button}
    </div>`;
}

function line(text: string): Html {
  return html`
    <div class="judge-sync"><p class="health" data-health="off">${icon('info')}<span>${text}</span></p></div>`;
}
