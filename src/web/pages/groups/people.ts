/** The tab People: handles and ratings of people who agreed to be shown, and when they last practised. */

import { dayMs } from '../../../durations.ts';
import { judgeName } from '../../../judges/judges.ts';
import type { Days } from '../../../practice/days.ts';
import type { GroupWithLists } from '../../../store/assignments.ts';
import { type CurrentRating, listCurrentRatings } from '../../../store/ratings.ts';
import {
  countWithoutConsent,
  listRosterHandles,
  listRosterPeople,
  listSeasonItems,
  type RosterHandle,
  type RosterPerson,
} from '../../../store/seasons.ts';
import { timeAgo } from '../../kit/dates.ts';
import { difficulty } from '../../kit/difficulty.ts';
import { icon } from '../../kit/icons.ts';
import { linkButton, printButton } from '../../kit/links.ts';
import { judgeBadge } from '../../kit/marks.ts';
import { fullName, personLink } from '../../kit/member-name.ts';
import { emptyPanel, notice } from '../../kit/panel.ts';
import { attr, type Html, html } from '../../markup.ts';
import { nextContestsPath, rosterPath, teamProposalsPath } from '../../paths.ts';
import { csvFile } from '../../request/responses.ts';
import type { MemberVisit, PageResult } from '../../request/visits.ts';
import { richWords, words } from '../../words/words.ts';
import { classPanel } from './class-list.ts';
import { coachedGroupOf, groupFrame, inviteButton, printedAsOf } from './frame.ts';
import { daysOfGroup, fullDayIn, getSeason, seasonStyles } from './season-parts.ts';

const inactiveAfterMs = 14 * dayMs;

interface RosterRow {
  person: RosterPerson;
  handles: readonly RosterHandle[];
  /** The judges of the season's contests at which the person has no handle. */
  missing: readonly string[];
  /** By the id of the handle. */
  ratings: ReadonlyMap<bigint, CurrentRating>;
}

async function readRoster(visit: MemberVisit, group: GroupWithLists): Promise<RosterRow[]> {
  const { reader } = visit.store;
  const season = await getSeason(visit, group);
  const items = await listSeasonItems(reader, [season.id]);
  const judges = [...new Set(items.flatMap((one) => (one.kind === 'contest' ? one.source : [])))].toSorted();
  const people = await listRosterPeople(reader, group.id);
  const ids = people.map(({ user_id }) => user_id);
  const handlesOf = Map.groupBy(await listRosterHandles(reader, ids), ({ user_id }) => user_id);
  const ratings = new Map((await listCurrentRatings(reader, ids)).map((rating) => [rating.handle_id, rating]));
  return people.map((person) => {
    const handles = handlesOf.get(person.user_id) ?? [];
    const missing = judges.filter((judge) => !handles.some(({ source }) => source === judge));
    return { person, handles, missing, ratings };
  });
}

export async function showPeople(visit: MemberVisit): Promise<PageResult> {
  const group = await coachedGroupOf(visit);
  const season = group.has_season === 1n ? await seasonRoster(visit, group) : undefined;
  const page = groupFrame(
    visit,
    group,
    {
      tab: 'people/',
      title: words('roster.title'),
      styles: [...seasonStyles, 'staff.css'],
      ...(season && { subtitle: html`<span>${words('groups.count', { count: season.count })}</span>` }),
      ...(season && season.count > 0 && { actions: season.actions }),
    },
    html`${season?.content}${await classPanel(visit, group)}`,
  );
  return { html: page };
}

async function seasonRoster(visit: MemberVisit, group: GroupWithLists) {
  const { basePath } = visit.site;
  const rows = await readRoster(visit, group);
  const notAgreed = await countWithoutConsent(visit.store.reader, group.id);
  const actions = html`
    ${group.archived_at === null && linkButton(basePath + nextContestsPath(group.id), words('nextContest.title'))}
    ${linkButton(basePath + teamProposalsPath(group.id), words('proposals.title'))}
    ${linkButton(`${basePath}${rosterPath(group.id)}csv/`, words('season.csv'), { symbol: 'download' })}
    ${printButton()}`;
  const content =
    rows.length === 0
      ? emptyPanel({
          heading: words('season.nobody'),
          text: words(notAgreed > 0 ? 'season.nobodyYet' : 'groups.noMembers'),
          actions: inviteButton(basePath, group),
          total: 0,
        })
      : html`
        <div class="table-wrap" role="region" aria-label="${words('roster.title')}" tabindex="0">
          <table class="rows roster" data-total="${rows.length}">
            <caption class="sr">${words('roster.title')}</caption>
            <thead>
              <tr>
                <th scope="col">${words('groups.member')}</th>
                <th scope="col">${words('roster.handles')}</th>
                <th scope="col">${words('roster.practised')}</th>
              </tr>
            </thead>
            <tbody>${rows.map((line) => tableRow(basePath, group, line))}</tbody>
          </table>
        </div>
        ${printedAsOf('season', group)}`;
  return {
    count: rows.length,
    actions,
    content: html`
      ${notAgreed > 0 && notice('warn', richWords('roster.notAgreed', { count: notAgreed }))}
      ${content}`,
  };
}

function tableRow(basePath: string, group: GroupWithLists, { person, handles, missing, ratings }: RosterRow): Html {
  const name = fullName(person);
  const { practised_at: at } = person;
  const isInactive = at === null || Date.now() - Date.parse(at) > inactiveAfterMs;
  const practised = at === null ? words('time.never') : practisedText(daysOfGroup(group), at);
  return html`
    <tr data-person="${person.user_id}">
      <th scope="row">
        ${personLink(basePath, group.id, person, name)}
        ${name !== person.username && html` <span class="faint"><bdi>${person.username}</bdi></span>`}
        ${person.role === 'coach' && html` <span class="tag">${words('groups.role.coach')}</span>`}
      </th>
      <td class="hd">
        <ul>
          ${handles.map((handle) => handleItem(handle, ratings.get(handle.id)))}
          ${missing.map(
            (judge) =>
              html`<li class="late">${icon('warn')}${words('roster.missing', { judge: judgeName(judge) })}</li>`,
          )}
        </ul>
      </td>
      <td class="when"${attr('data-quiet', isInactive && 'true')}>
        ${isInactive && icon('clock')}${practised}
      </td>
    </tr>
    \n`;
}

/** Older moments are days in the group's time zone, as in the CSV file. */
const practisedText = (days: Days, at: string) =>
  Date.now() - Date.parse(at) < 7 * dayMs ? timeAgo(at) : fullDayIn(days, at);

function handleItem({ source, name, proved_at }: RosterHandle, rating: CurrentRating | undefined): Html {
  const isProved = proved_at !== null;
  return html`
    <li>
      ${judgeBadge(source)} <bdi>${name}</bdi>
      ${
        rating &&
        html`
          <span>${difficulty(rating)}</span>${' '}
          <span class="soft">${words('roster.best', { rating: rating.best })}</span>`
      }
      <span class="${isProved ? 'ok' : 'soft'}">
        ${icon(isProved ? 'shield' : 'info')}${words(isProved ? 'roster.proved' : 'roster.notProved')}
      </span>
    </li>`;
}

export async function downloadPeople(visit: MemberVisit): Promise<PageResult> {
  const group = await coachedGroupOf(visit);
  const columnNames = 'member username role handles not_proven missing last_practised ratings best_ratings'.split(' ');
  const days = daysOfGroup(group);
  const dateIn = (at: string) => new Date(days.localAt(Date.parse(at))).toISOString().slice(0, 10);
  const rows = (await readRoster(visit, group)).map(({ person, handles, missing, ratings }) => {
    const byJudge = <One extends { source: string }>(items: readonly One[], textOf: (one: One) => string) =>
      items.map((one) => `${judgeName(one.source)} ${textOf(one)}`).join('; ') || null;
    const unproven = handles.filter(({ proved_at }) => proved_at === null);
    const rated = handles.filter(({ id }) => ratings.has(id));
    return [
      ...[fullName(person), person.username, person.role],
      byJudge(handles, ({ name }) => name),
      byJudge(unproven, ({ name }) => name),
      missing.map(judgeName).join('; ') || null,
      person.practised_at && dateIn(person.practised_at),
      byJudge(rated, ({ id, name }) => `${name} ${ratings.get(id)?.rating}`),
      byJudge(rated, ({ id, name }) => `${name} ${ratings.get(id)?.best}`),
    ];
  });
  return csvFile(`${group.name} - ${words('roster.title')}`, [columnNames, ...rows]);
}
