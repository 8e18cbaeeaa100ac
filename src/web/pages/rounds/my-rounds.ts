/** The rounds that a member may see. */
import { contestTabs, frame, pageHead } from '../../kit/frame.ts';
import { linkButton } from '../../kit/links.ts';
import { successNotice } from '../../kit/panel.ts';
import { roundPanels, roundStyles } from '../../kit/round-parts.ts';
import { html } from '../../markup.ts';
import { contestsPath, newDuelPath, roundsPath } from '../../paths.ts';
import type { MemberVisit, PageResult } from '../../request/visits.ts';
import { words } from '../../words/words.ts';

export async function showRounds(visit: MemberVisit): Promise<PageResult> {
  const { panels, actions } = await roundPanels(visit);
  const duel = linkButton(visit.site.basePath + newDuelPath, words('duels.new'));
  const head = { actions: html`${duel}${actions}` };
  const title = words('rounds.title');
  const doneWords = { left: 'rounds.done.left', deleted: 'rounds.done.deleted' } as const;
  const content = html`
    ${pageHead(title, { sub: words('rounds.sub'), ...head })}
    ${contestTabs(visit.site.basePath, roundsPath)}
    <div class="stack">
      ${successNotice(visit, doneWords)}
      ${panels}
    </div>`;
  return { html: frame(visit, { title, current: contestsPath, kind: 'p-rounds', styles: roundStyles }, content) };
}
