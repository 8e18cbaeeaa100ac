/** For coaches: contests that people who agreed to the season could take next. */

import { parseInt64 } from '../../../contract/common.ts';
import { hourMs, minuteMs } from '../../../durations.ts';
import { contestPageOf } from '../../../judges/judges.ts';
import { localTimeOfMoment } from '../../../practice/days.ts';
import { listJudgeAddresses } from '../../../practice/judge-addresses.ts';
import { listNextContests, type NextContest } from '../../../practice/next-contests.ts';
import { roundLimits } from '../../../practice/rounds.ts';
import { listSeasonPeople } from '../../../store/seasons.ts';
import { actions, button, fieldGroup, form, textField } from '../../kit/form.ts';
import { judgeBadge, webLink } from '../../kit/marks.ts';
import { distinctNames } from '../../kit/member-name.ts';
import { emptyPanel, panel, unheadedPanel } from '../../kit/panel.ts';
import { roundDuration, roundStyles } from '../../kit/round-parts.ts';
import { attr, type Html, html } from '../../markup.ts';
import { newRoundPath, nextContestsPath } from '../../paths.ts';
import type { MemberVisit, PageResult } from '../../request/visits.ts';
import { words } from '../../words/words.ts';
import { coachedGroupOf, groupFrame } from './frame.ts';

export async function showNextContests(visit: MemberVisit): Promise<PageResult> {
  const { store, site, query, days } = visit;
  const group = await coachedGroupOf(visit);
  const people = await listSeasonPeople(store.reader, { groupId: group.id });
  const asked = new Set(query.getAll('person').map(parseInt64));
  const userIds = people.map(({ user_id }) => user_id).filter((id) => asked.has(id));
  const usual = localTimeOfMoment(
    days.rule.zone,
    new Date((Math.floor(Date.now() / hourMs) + 2) * hourMs).toISOString(),
  );
  const start = { date: query.get('date') || usual.date, time: query.get('time') || usual.time };
  const nameOf = distinctNames(people);
  const ticks = people.map(
    (person) => html`
      <label class="tick">
        <input
          type="checkbox" name="person" value="${person.user_id}" autocomplete="off"
          ${attr('checked', asked.has(person.user_id))}
        >
        <span><bdi>${nameOf(person)}</bdi></span>
      </label>`,
  );
  const zone = words('rounds.zone', { zone: days.rule.zone });
  const choice = html`
    <form class="form wide" method="get" action="${site.basePath}${nextContestsPath(group.id)}">
      ${fieldGroup(words('nextContest.people'), 'person', {}, html`<div class="choices">${ticks}</div>`)}
      <div class="field-pair even">
        ${textField(words('rounds.date'), 'date', {}, { type: 'date', value: start.date })}
        ${textField(words('rounds.time'), 'time', {}, { type: 'time', value: start.time, hint: zone })}
      </div>
      ${actions(button(words('groups.pick.find'), 'primary'))}
    </form>`;
  const title = words('nextContest.title');
  const content = html`
    ${unheadedPanel({ label: title }, html`<p class="soft">${words('nextContest.text')}</p>${choice}`)}
    ${userIds.length > 0 && (await nextContestPanels(visit, userIds, { groupId: group.id, start }))}`;
  const page = { tab: 'people/next/', title, kind: 'p-round-new', styles: roundStyles };
  const empty = emptyPanel({ heading: words('season.nobody'), text: words('season.nobodyYet') });
  return { html: groupFrame(visit, group, page, people.length === 0 ? empty : content) };
}

interface RoundPlace {
  groupId: bigint;
  /** By the clock of the visitor. */
  start: { date: string; time: string };
}

/** The caller checks that the visitor may know of these people whether they sent anything, and their ratings. */
async function nextContestPanels(
  visit: MemberVisit,
  userIds: readonly bigint[],
  { groupId, start }: RoundPlace,
): Promise<Html> {
  const { store, website } = visit;
  const { contests, gyms } = await listNextContests(store.longReader, userIds, new Date().toISOString());
  const addresses = await listJudgeAddresses(store.reader, website.judgeUrls);
  const row = (one: NextContest) => {
    const { source, title, duration_s, difficulty, problems, near, from, to } = one;
    const address = contestPageOf(one, addresses);
    const name = title.slice(0, roundLimits.name);
    const minutes = Math.floor(Number(duration_s) / 60) || roundLimits.gymMinutes;
    const round = { name, minutes: String(minutes), contest: address ?? '', rule: 'icpc', group: groupId };
    const hidden = { ...start, ...round };
    const make = actions(button(html`${words('rounds.new')}<span class="sr">: ${title}</span>`));
    return html`
      <li data-contest="${one.id}">
        <p>${judgeBadge(source)} ${webLink(address, html`<bdi>${title}</bdi>`) ?? html`<bdi>${title}</bdi>`}</p>
        <span class="soft">${roundDuration(minutes * minuteMs)}</span>
        ${
          one.difficulty === null &&
          html`<span class="soft num">${words('nextContest.near', { near, all: problems, from, to })}</span>`
        }
        ${difficulty !== null && html`<span class="soft">${words('nextContest.difficulty', { difficulty })}</span>`}
        ${address !== null && form(visit, { to: newRoundPath, hidden }, make)}
      </li>`;
  };
  const listed = (id: string, heading: string, text: string, rows: readonly NextContest[]) =>
    rows.length > 0 &&
    panel(
      { id, heading, total: rows.length },
      html`<p class="soft">${text}</p><ul class="people">${rows.map(row)}</ul>`,
    );
  if (contests.length + gyms.length === 0) return emptyPanel({ text: words('nextContest.none') });
  return html`
    ${listed('next', words('contests.title'), words('nextContest.rule'), contests)}
    ${listed('gyms', words('nextContest.gyms'), words('nextContest.gymRule'), gyms)}`;
}
