/** The rounds that a member may see. */
import { listOpenRounds } from '../../../store/rounds.ts';
import { contestTabs, frame, pageHead } from '../../kit/frame.ts';
import { linkButton } from '../../kit/links.ts';
import { doneNotice } from '../../kit/panel.ts';
import { roundPanels, roundStyles } from '../../kit/round-parts.ts';
import { html } from '../../markup.ts';
import { contestsPath, newRoundPath, roundsPath } from '../../paths.ts';
import type { Answer, MemberVisit } from '../../road/visits.ts';
import { words } from '../../words/words.ts';

const roundsAtMost = 300;

export async function showRounds(visit: MemberVisit): Promise<Answer> {
  const { store, member, site } = visit;
  const rounds = await listOpenRounds(store.reader, member.user_id, { limit: roundsAtMost });
  const title = words('rounds.title');
  const make = linkButton(site.basePath + newRoundPath, words('rounds.new'), { kind: 'primary', symbol: 'plus' });
  const done = { left: 'rounds.done.left', deleted: 'rounds.done.deleted' } as const;
  const content = html`
    ${pageHead(title, { sub: words('rounds.sub'), ...(rounds.length > 0 && { actions: make }) })}
    ${contestTabs(visit.site.basePath, roundsPath)}
    <div class="stack">
      ${doneNotice(visit, done)}
      ${roundPanels(site.basePath, rounds, { now: Date.now(), actions: make })}
    </div>`;
  return { html: frame(visit, { title, current: contestsPath, kind: 'p-rounds', styles: roundStyles }, content) };
}
