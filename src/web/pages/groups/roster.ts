/** The roster of a group: handles and ratings of people who agreed to be shown, and when they last practised. */

import { judgeName } from '../../../judges/judges.ts';
import { dayMs } from '../../../practice/days.ts';
import type { GroupWithLists } from '../../../store/group-lists.ts';
import { listRatingsNow, type RatingNow } from '../../../store/ratings.ts';
import {
  countNotAgreed,
  findSeason,
  listLastPractised,
  listRosterHandles,
  listSeasonContests,
  listSeasonPeople,
  type RosterHandle,
  type SeasonPerson,
} from '../../../store/seasons.ts';
import { past } from '../../kit/dates.ts';
import { difficulty } from '../../kit/difficulty.ts';
import { icon } from '../../kit/icons.ts';
import { linkButton, printButton } from '../../kit/links.ts';
import { judgeMark } from '../../kit/marks.ts';
import { nameLink } from '../../kit/member-name.ts';
import { emptyPanel, notice } from '../../kit/panel.ts';
import { attr, type Html, html } from '../../markup.ts';
import { rosterPath } from '../../paths.ts';
import { csvFile } from '../../road/sending.ts';
import { type Answer, type MemberVisit, nothingHere } from '../../road/visits.ts';
import { richWords, words } from '../../words/words.ts';
import { coachedGroupOf, fullName, groupFrame, inviteButton, printedAsOf } from './frame.ts';
import { daysOfGroup, seasonStyles } from './season-parts.ts';

/** Somebody who did nothing for so long stands out. */
const quietMs = 14 * dayMs;

interface Line {
  person: SeasonPerson;
  handles: readonly RosterHandle[];
  /** The judges of the season's contests at which the person has no handle. */
  missing: readonly string[];
  practisedAt: string | undefined;
  /** One for each judge that rated the person. */
  ratings: readonly RatingNow[];
}

interface Roster {
  group: GroupWithLists;
  lines: readonly Line[];
  notAgreed: number;
}

/** The roster of the address, for coaches of a group with a season. */
async function rosterAt(visit: MemberVisit): Promise<Roster> {
  const { reader } = visit.store;
  const group = await coachedGroupOf(visit);
  const season = await findSeason(reader, group.id);
  if (!season) throw nothingHere(visit.path);
  const judges = [...new Set((await listSeasonContests(reader, season.id)).map(({ source }) => source))].toSorted();
  const handles = Map.groupBy(await listRosterHandles(reader, group.id), ({ user_id }) => user_id);
  const practised = await listLastPractised(reader, group.id);
  const people = await listSeasonPeople(reader, group.id);
  const ids = people.map(({ user_id }) => user_id);
  const ratings = Map.groupBy(await listRatingsNow(reader, ids), ({ user_id }) => user_id);
  const lines = people.map((person) => {
    const own = handles.get(person.user_id) ?? [];
    return {
      ratings: ratings.get(person.user_id) ?? [],
      ...{ person, handles: own, practisedAt: practised.get(person.user_id) },
      missing: judges.filter((judge) => !own.some(({ source }) => source === judge)),
    };
  });
  return { group, lines, notAgreed: await countNotAgreed(reader, group.id) };
}

export async function showRoster(visit: MemberVisit): Promise<Answer> {
  return { html: rosterPage(visit, await rosterAt(visit)) };
}

function rosterPage(visit: MemberVisit, { group, lines, notAgreed }: Roster): Html {
  const { basePath } = visit.site;
  const actions = html`
    ${linkButton(`${basePath}${rosterPath(group.id)}csv/`, words('season.csv'), { symbol: 'download' })}
    ${printButton()}`;
  const content =
    lines.length === 0
      ? emptyPanel({
          heading: words('season.nobody'),
          text: words(notAgreed > 0 ? 'season.nobodyYet' : 'groups.noMembers'),
          actions: inviteButton(basePath, group.id),
          total: 0,
        })
      : html`
        <div class="table-wrap" role="region" aria-label="${words('roster.title')}" tabindex="0">
          <table class="rows roster" data-total="${lines.length}">
            <caption class="sr">${words('roster.title')}</caption>
            <thead>
              <tr>
                <th scope="col">${words('groups.member')}</th>
                <th scope="col">${words('roster.handles')}</th>
                <th scope="col">${words('roster.practised')}</th>
              </tr>
            </thead>
            <tbody>${lines.map((line) => lineOf(basePath, line))}</tbody>
          </table>
        </div>
        ${printedAsOf('season', group)}`;
  return groupFrame(
    visit,
    group,
    {
      ...{ tab: 'people/', title: words('roster.title'), styles: seasonStyles },
      sub: html`<span>${words('groups.count', { count: lines.length })}</span>`,
      ...(lines.length > 0 && { actions }),
    },
    html`
      ${notAgreed > 0 && notice('warn', richWords('roster.notAgreed', { count: notAgreed }))}
      ${content}`,
  );
}

function lineOf(basePath: string, { person, handles, missing, practisedAt, ratings }: Line): Html {
  const name = fullName(person);
  const isQuiet = practisedAt === undefined || Date.now() - Date.parse(practisedAt) > quietMs;
  const when = practisedAt === undefined ? words('time.never') : past(practisedAt);
  return html`
    <tr data-person="${person.user_id}">
      <th scope="row">
        ${nameLink(basePath, person, name)}
        ${name !== person.username && html` <span class="faint"><bdi>${person.username}</bdi></span>`}
        ${person.role === 'coach' && html` <span class="tag">${words('groups.role.coach')}</span>`}
      </th>
      <td class="hd">
        <ul>
          ${handles.map((handle, at) => handleItem(handle, ratingBeside(handles, at, ratings)))}
          ${missing.map(
            (judge) =>
              html`<li class="late">${icon('warn')}${words('roster.missing', { judge: judgeName(judge) })}</li>`,
          )}
        </ul>
      </td>
      <td class="when"${attr('data-quiet', isQuiet && 'true')}>${isQuiet && icon('clock')}${when}</td>
    </tr>
    \n`;
}

/** The rating at a judge, beside the first of the person's handles there. */
function ratingBeside(handles: readonly RosterHandle[], at: number, ratings: readonly RatingNow[]) {
  const source = handles[at]?.source;
  const isFirst = handles.findIndex((one) => one.source === source) === at;
  return isFirst ? ratings.find((one) => one.source === source) : undefined;
}

function handleItem({ source, name, is_proved }: RosterHandle, rating: RatingNow | undefined): Html {
  const isProved = is_proved === 1n;
  return html`
    <li>
      ${judgeMark(source)} <bdi>${name}</bdi>
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

/* The roster as CSV, with the people that its page shows. */

export async function sendRoster(visit: MemberVisit): Promise<Answer> {
  const { group, lines } = await rosterAt(visit);
  const heads = 'member username role handles not_proven missing last_practised ratings best_ratings'.split(' ');
  const named = (some: readonly RosterHandle[]) =>
    some.map(({ source, name }) => `${judgeName(source)} ${name}`).join('; ') || null;
  const figures = (some: readonly RatingNow[], which: 'rating' | 'best') =>
    some.map((one) => `${judgeName(one.source)} ${one[which]}`).join('; ') || null;
  const days = daysOfGroup(group);
  const dateIn = (at: string) => new Date(days.localAt(Date.parse(at))).toISOString().slice(0, 10);
  const rows = lines.map(({ person, handles, missing, practisedAt, ratings }) => [
    ...[fullName(person), person.username, person.role, named(handles)],
    named(handles.filter(({ is_proved }) => is_proved === 0n)),
    missing.map(judgeName).join('; ') || null,
    practisedAt === undefined ? null : dateIn(practisedAt),
    ...[figures(ratings, 'rating'), figures(ratings, 'best')],
  ]);
  return csvFile(`${group.name} - ${words('roster.title')}`, [heads, ...rows]);
}
