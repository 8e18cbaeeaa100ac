/**
 * What a coach sees of the people in a group, said exactly: it is shown before one joins, and to everybody in the
 * group.
 */

import { icon } from '../../kit/icons.ts';
import { panel } from '../../kit/panel.ts';
import { type Html, html } from '../../markup.ts';
import type { Answer, MemberVisit } from '../../road/visits.ts';
import { linkTo, richWords, words } from '../../words/words.ts';
import { groupFrame, groupOf } from './frame.ts';

const coachSees = [
  words('groups.sees.name'),
  words('groups.sees.marks'),
  words('groups.sees.how'),
  words('groups.sees.active'),
];
const groupTells = [words('groups.sees.pick'), words('groups.sees.week')];
const othersSee = [words('groups.others.name'), words('groups.others.board'), words('groups.others.page')];
const nobodySees = [words('groups.never.notes'), words('groups.never.outside'), words('groups.never.rest')];

/** Who sees what. What is told without names, and to others, is folded away where `isFolded`. */
export function whatIsSeen(basePath: string, isFolded = false): Html {
  const list = (head: string, items: readonly string[]) =>
    html`<h3>${head}</h3><ul class="seen">${items.map((item) => html`<li>${item}</li>`)}</ul>`;
  const more = html`
    ${list(words('groups.told'), groupTells)}
    ${list(words('groups.others'), othersSee)}
    <p class="soft">${richWords('groups.staffSee', { way: linkTo(`${basePath}/docs/privacy/`) })}</p>`;
  return html`
    ${list(words('groups.sees'), coachSees)}
    ${list(words('groups.never'), nobodySees)}
    ${
      isFolded
        ? html`
          <details class="seen-line"><summary>${icon('down')}${words('groups.seenMore')}</summary>${more}</details>`
        : more
    }`;
}

export async function showSeen(visit: MemberVisit): Promise<Answer> {
  const group = await groupOf(visit);
  const content = html`${whatIsSeen(visit.site.basePath)}<p class="soft">${words('groups.seenEnds')}</p>`;
  return {
    html: groupFrame(visit, group, { tab: 'seen/' }, panel('seen', words('groups.seen'), content)),
  };
}
