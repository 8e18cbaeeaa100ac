/** Whether all is well: what /readyz answers and what `garden doctor` says about a garden that runs. */

import type { Finding } from '../../../store/examination.ts';
import { icon } from '../../kit/icons.ts';
import { html } from '../../markup.ts';
import { staffPath } from '../../paths.ts';
import type { Answer, MemberVisit, PageRoute } from '../../road/visits.ts';
import { richWords, words } from '../../words/words.ts';
import { staffFrame } from './frame.ts';

export const healthPage: PageRoute<MemberVisit> = { path: `${staffPath}health/`, isSecret: true, show };

/** How each result shows: the state of its line, its icon and its word. */
const shownAs = {
  good: ['ok', 'check', 'health.good'],
  warning: ['late', 'warn', 'health.warning'],
  bad: ['bad', 'warn', 'health.bad'],
} as const;

async function show(visit: MemberVisit): Promise<Answer> {
  const findings = await visit.website.examine();
  const row = ({ check, result, detail }: Finding) => {
    const [state, symbol, word] = shownAs[result];
    return html`
      <li class="handle" data-check="${check}" data-result="${result}">
        <div class="handle-head">
          <h2>${check}</h2>
          <span class="tag${result === 'good' ? ' good' : ''}">${words(word)}</span>
        </div>
        <p class="health" data-health="${state}">${icon(symbol)}<span>${detail}</span></p>
      </li>`;
  };
  return {
    html: staffFrame(
      visit,
      {
        title: words('staff.health'),
        room: 'health/',
        sub: richWords('health.sub'),
      },
      html`<ul class="panel handles">${findings.map(row)}</ul>`,
    ),
  };
}
