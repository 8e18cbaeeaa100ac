/** What a coach sees of the people in a group, said exactly: it is shown before one joins, and to everybody in the group. */
import { html } from 'hono/html';
import { panel } from '../account/rooms.ts';
import type { Html } from '../layout.ts';
import type { Answer, MemberVisit } from '../visits.ts';
import { linkTo, richWords, words } from '../words.ts';
import { groupFrame, groupOf } from './parts.ts';

const coachSees = [
  words('groups.sees.name'),
  words('groups.sees.since'),
  words('groups.sees.marks'),
  words('groups.sees.how'),
  words('groups.sees.late'),
  words('groups.sees.active'),
  words('groups.sees.pick'),
  words('groups.sees.week'),
];
const othersSee = [words('groups.others.name'), words('groups.others.board'), words('groups.others.page')];
const nobodySees = [words('groups.never.notes'), words('groups.never.outside'), words('groups.never.rest')];

/** The three lists. */
export function whatIsSeen(basePath: string): Html {
  const list = (items: readonly string[]) =>
    html`<ul class="seen">${items.map((item) => html`<li>${item}</li>`)}</ul>`;
  return html`<h3>${words('groups.sees')}</h3>${list(coachSees)}<h3>${words('groups.others')}</h3>${list(othersSee)}<h3>${words('groups.never')}</h3>${list(nobodySees)}<p class="soft">${richWords('groups.staffSee', { way: linkTo(`${basePath}/docs/privacy/`) })}</p>`;
}

export async function showSeen(visit: MemberVisit): Promise<Answer> {
  const group = await groupOf(visit);
  const content = html`${whatIsSeen(visit.site.basePath)}<p class="soft">${words('groups.seenEnds')}</p>`;
  return {
    html: groupFrame(visit, group, { tab: 'seen/' }, panel('seen', words('groups.seen'), content)),
  };
}
