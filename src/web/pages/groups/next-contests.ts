/** Contests that people could take next: for coaches of those who agreed to the season, and on a team's page. */

import { parseInt64 } from '../../../contract/common.ts';
import { hourMs, minuteMs } from '../../../durations.ts';
import { contestPageOf } from '../../../judges/judges.ts';
import { localTimeOfMoment } from '../../../practice/days.ts';
import { listJudgeAddresses } from '../../../practice/judge-addresses.ts';
import { listNextContests, type NextContest, nearMargin } from '../../../practice/next-contests.ts';
import { roundLimits } from '../../../practice/rounds.ts';
import { listSeasonPeople } from '../../../store/seasons.ts';
import { actions, button, fieldGroup, form, formActions, textField } from '../../kit/form.ts';
import { judgeBadge, webLink } from '../../kit/marks.ts';
import { emptyPanel, panel, unheadedPanel } from '../../kit/panel.ts';
import { roundDuration, roundStyles } from '../../kit/round-parts.ts';
import { attr, type Html, html } from '../../markup.ts';
import { newRoundPath, nextContestsPath } from '../../paths.ts';
import type { MemberVisit, PageResult } from '../../request/visits.ts';
import { afterColon } from '../../words/formats.ts';
import { words } from '../../words/words.ts';
import { coachedGroupOf, groupFrame, namesIn } from './frame.ts';

export async function showNextContests(visit: MemberVisit): Promise<PageResult> {
  const { store, site, query } = visit;
  const group = await coachedGroupOf(visit);
  const people = await listSeasonPeople(store.reader, { groupId: group.id });
  const asked = new Set(query.getAll('person').map(parseInt64));
  const userIds = people.map(({ user_id }) => user_id).filter((id) => asked.has(id));
  const usual = usualStart(visit);
  const start = { date: query.get('date') || usual.date, time: query.get('time') || usual.time };
  const nameOf = await namesIn(visit, group);
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
  const choice = html`
    <form class="form wide" method="get" action="${site.basePath}${nextContestsPath(group.id)}">
      ${fieldGroup(words('nextContest.people'), 'person', {}, html`<div class="choices">${ticks}</div>`)}
      ${startFields(visit, start)}
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

interface Start {
  /** By the clock of the visitor. */
  date: string;
  time: string;
}

const usualStart = ({ days }: MemberVisit): Start =>
  localTimeOfMoment(days.rule.zone, new Date((Math.floor(Date.now() / hourMs) + 2) * hourMs).toISOString());

const startFields = ({ days }: MemberVisit, { date, time }: Start) => html`
  <div class="field-pair even">
    ${textField(words('rounds.date'), 'date', {}, { type: 'date', value: date })}
    ${textField(words('rounds.time'), 'time', {}, { type: 'time', value: time })}
  </div>
  <p class="faint">${words('rounds.zone', { zone: days.rule.zone })}</p>`;

/** The caller checks that the visitor may know of these people whether they sent anything, and their ratings. */
const readNextContests = ({ store }: MemberVisit, userIds: readonly bigint[]) =>
  listNextContests(store.longReader, userIds, new Date().toISOString());

type RoundFields = Readonly<Record<string, string>>;

/** `make` answers a form for a round, from the fields that the contest fills. */
async function contestRows(
  { store, website }: MemberVisit,
  contests: readonly NextContest[],
  make: (round: RoundFields, title: string, nth: number) => Html,
): Promise<Html[]> {
  const addresses = await listJudgeAddresses(store.reader, website.judgeUrls);
  return contests.map((one, nth) => {
    const { source, title, duration_s, difficulty, problems, near, from, to } = one;
    const contest = contestPageOf(one, addresses);
    const minutes = Math.floor(Number(duration_s) / 60) || roundLimits.gymMinutes;
    const name = title.slice(0, roundLimits.name);
    return html`
      <li data-contest="${one.id}">
        <p>${judgeBadge(source)} ${webLink(contest, html`<bdi>${title}</bdi>`) ?? html`<bdi>${title}</bdi>`}</p>
        <span class="soft">${roundDuration(minutes * minuteMs)}</span>
        ${
          one.difficulty === null &&
          html`<span class="soft num">${words('nextContest.near', { near, all: problems, from, to })}</span>`
        }
        ${difficulty !== null && html`<span class="soft">${words('nextContest.difficulty', { difficulty })}</span>`}
        ${contest !== null && make({ name, minutes: String(minutes), contest, rule: 'icpc' }, title, nth)}
      </li>`;
  });
}

async function nextContestPanels(
  visit: MemberVisit,
  userIds: readonly bigint[],
  { groupId: group, start }: { groupId: bigint; start: Start },
): Promise<Html> {
  const { contests, gyms } = await readNextContests(visit, userIds);
  const make = (round: RoundFields, title: string) => {
    const label = html`${words('rounds.new')}<span class="sr">${afterColon(title)}</span>`;
    return form(visit, { to: newRoundPath, hidden: { ...round, ...start, group } }, actions(button(label)));
  };
  const listed = async (id: string, heading: string, text: string, rows: readonly NextContest[]) =>
    rows.length > 0 &&
    panel(
      { id, heading, total: rows.length },
      html`<p class="soft">${text}</p><ul class="people">${await contestRows(visit, rows, make)}</ul>`,
    );
  if (contests.length + gyms.length === 0) return emptyPanel({ text: words('nextContest.none') });
  const rule = words('nextContest.rule', { margin: nearMargin });
  return html`
    ${await listed('next', words('contests.title'), rule, contests)}
    ${await listed('gyms', words('nextContest.gyms'), words('nextContest.gymRule'), gyms)}`;
}

const teamContestsAtMost = 3;

/** What a team could take next, with a gym among it. What the visitor may know is checked by the caller, as above. */
export async function teamContestsPanel(visit: MemberVisit, group: bigint, userIds: readonly bigint[]): Promise<Html> {
  const { contests, gyms } = await readNextContests(visit, userIds);
  const rated = contests.slice(0, teamContestsAtMost - Math.min(gyms.length, 1));
  const start = usualStart(visit);
  const make = (round: RoundFields, title: string, nth: number) => html`
    <details class="sure">
      <summary class="button small${nth === 0 && ' primary'}">
        ${words('rounds.new')}<span class="sr">${afterColon(title)}</span>
      </summary>
      ${form(
        visit,
        { to: newRoundPath, className: 'form', hidden: { ...round, group, teams: '1' } },
        html`${startFields(visit, start)}${formActions(words('rounds.make'))}`,
      )}
    </details>`;
  const rows = await contestRows(visit, [...rated, ...gyms].slice(0, teamContestsAtMost), make);
  return panel(
    {
      id: 'next',
      heading: words('nextContest.title'),
      total: rows.length,
      beside: html`<p class="soft">${words('nextContest.nobody')}</p>`,
    },
    rows.length > 0 ? html`<ul class="people">${rows}</ul>` : html`<p class="soft">${words('nextContest.none')}</p>`,
  );
}
