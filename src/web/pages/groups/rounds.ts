/** The rounds of a group. */
import { listOpenRounds } from '../../../store/rounds.ts';
import { linkButton } from '../../kit/links.ts';
import { roundPanels, roundStyles } from '../../kit/round-parts.ts';
import { newRoundPath } from '../../paths.ts';
import type { Answer, MemberVisit } from '../../road/visits.ts';
import { words } from '../../words/words.ts';
import { groupFrame, groupOf } from './frame.ts';

const roundsAtMost = 300;

export async function showGroupRounds(visit: MemberVisit): Promise<Answer> {
  const { store, member, site } = visit;
  const group = await groupOf(visit);
  const rounds = await listOpenRounds(store.reader, member.user_id, { groupId: group.id, limit: roundsAtMost });
  const to = `${site.basePath}${newRoundPath}?group=${group.id}`;
  const actions = linkButton(to, words('rounds.new'), { kind: 'primary', symbol: 'plus' });
  const page = { tab: 'rounds/', styles: roundStyles, ...(rounds.length > 0 && { actions }) };
  return {
    html: groupFrame(
      visit,
      group,
      page,
      roundPanels(site.basePath, rounds, { now: Date.now(), actions, isInGroup: true }),
    ),
  };
}
