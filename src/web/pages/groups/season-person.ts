/** One person's season: every contest with its problems, and the points that a coach gave or took by hand. */

import { parseInt64 } from '../../../contract/common.ts';
import { bandPoints, judgeOf, shortTitle } from '../../../judges/judges.ts';
import {
  type PersonContest,
  type Reached,
  readSeasonOf,
  readSeasonTable,
  type SeasonLine,
  type SeasonTable,
} from '../../../practice/season-table.ts';
import { givePoints, handPointsAtMost, longestReason, takePointsBack } from '../../../practice/seasons.ts';
import type { GridPlace } from '../../../store/contests.ts';
import type { GroupWithLists } from '../../../store/group-lists.ts';
import { findSeason, listSeasonPoints, type SeasonPointsTable } from '../../../store/seasons.ts';
import { moment } from '../../kit/dates.ts';
import { difficulty } from '../../kit/difficulty.ts';
import { type Faults, form, formActions, hasFaults, textField } from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { linkButton } from '../../kit/links.ts';
import { stateIcon, webLink } from '../../kit/marks.ts';
import { emptyPanel, panel } from '../../kit/panel.ts';
import { attr, type Html, html } from '../../markup.ts';
import { problemPath, roundPath, seasonPathOf, seasonPersonPath, upcomingPath } from '../../paths.ts';
import { faultOf, field, idIn, lineFault } from '../../road/fields.ts';
import { type Answer, type MemberVisit, nothingHere } from '../../road/visits.ts';
import { linkTo, richWords, words } from '../../words/words.ts';
import { coachedBy, fullName, groupDone, groupFrame, groupOf } from './frame.ts';
import {
  columnAnchor,
  columnMark,
  dayIn,
  daysOfGroup,
  handText,
  knownSeasonAt,
  pointsText,
  seasonStyles,
} from './season-parts.ts';

interface Shown {
  group: GroupWithLists;
  table: SeasonTable;
  line: SeasonLine;
  /** Whether the visitor coaches the group, and the season is the present one, which alone changes. */
  isEdited: boolean;
}

/** The person of the address, for themselves and for coaches of those who agreed to be shown. */
async function personAt(visit: MemberVisit): Promise<Shown> {
  const { store, member, params, path } = visit;
  const group = await groupOf(visit);
  const season = await knownSeasonAt(visit, group);
  const id = parseInt64(params['person'] ?? '');
  if (id === undefined || (group.role !== 'coach' && id !== member.user_id)) throw nothingHere(path);
  const isShown = ({ user_id }: { user_id: bigint }) => user_id === id;
  const table = await readSeasonTable(store.reader, group, season, { now: Date.now(), isShown, pointsOf: bandPoints });
  const [line] = table.lines;
  if (!line) throw nothingHere(path);
  const isPresent = (await findSeason(store.reader, group.id))?.id === season.id;
  return { group, table, line, isEdited: isPresent && group.role === 'coach' };
}

export async function showSeasonPerson(visit: MemberVisit): Promise<Answer> {
  return { html: await personPage(visit, await personAt(visit)) };
}

/** Points as a coach types them, in halves: 2, -1.5 or 1½. Undefined for what is none, and for 0. */
function readHalves(text: string): number | undefined {
  const [, sign = '', whole = '', half = ''] = /^([+\-−]?)(\d{0,3})([.,][05]|½)?$/.exec(text) ?? [];
  if (whole + half === '' || (whole === '' && half !== '½')) return undefined;
  const halves = 2 * Number(whole) + (/[5½]/.test(half) ? 1 : 0);
  if (halves === 0 || halves > 2 * handPointsAtMost) return undefined;
  return sign === '' || sign === '+' ? halves : -halves;
}

export async function takeSeasonPerson(visit: MemberVisit): Promise<Answer> {
  const shown = await personAt(visit);
  const { group, table, line, isEdited } = shown;
  if (!isEdited) throw nothingHere(visit.path);
  const { store, form } = visit;
  const coached = coachedBy(visit, group);
  const path = seasonPersonPath(group.id, table.season.id, line.person.user_id);
  if (form.has('remove')) {
    const id = idIn(field(form, 'remove', 30), parseInt64);
    if (!(await takePointsBack(store, coached, id))) throw nothingHere(visit.path);
    return { to: groupDone(path, 'points') };
  }
  const halves = readHalves(field(form, 'points', 1000).trim());
  const reason = field(form, 'reason', 2000).trim();
  const faults = { ...lineFault(reason, 'reason', longestReason, 'season.giveReason') };
  if (halves === undefined) faults['points'] = words('season.badPoints', { most: handPointsAtMost });
  if (halves !== undefined && !hasFaults(faults)) {
    try {
      await givePoints(store, coached, { userId: line.person.user_id, halves: BigInt(halves), reason });
      return { to: groupDone(path, 'points') };
    } catch (error) {
      faults['points'] = faultOf(error);
    }
  }
  return { html: await personPage(visit, shown, faults), status: 422 };
}

async function personPage(visit: MemberVisit, shown: Shown, faults: Faults = {}): Promise<Html> {
  const { store, site, member } = visit;
  const { group, table, line, isEdited } = shown;
  const { season, held } = table;
  const isCoach = group.role === 'coach';
  const hand = (await listSeasonPoints(store.reader, season.id)).filter(
    ({ user_id }) => user_id === line.person.user_id,
  );
  const contests = await readSeasonOf(store.reader, table, group, line, bandPoints);
  const shownOnes = contests.filter(({ column }) => column.phase === 'held');
  const season_ = linkTo(site.basePath + seasonPathOf(group.id, season.id));
  const isOwn = line.person.user_id === member.user_id;
  const sub = html`
    <span>${richWords('season.ofSeason', { season: season_, name: html`<bdi>${season.name}</bdi>` })}</span>
    <span>${words('season.pointsOf', { points: pointsText(line.total), halves: line.total })}</span>
    <span>${richWords('season.liveTimes', { live: line.live, held })}</span>`;
  return groupFrame(
    visit,
    group,
    {
      tab: 'season/',
      title: isCoach ? fullName(line.person) : line.person.username,
      ...{ sub, styles: seasonStyles },
    },
    html`
      ${isOwn && !isCoach && html`<p class="only-you">${icon('eye')}<span>${words('season.coachesSee')}</span></p>`}
      ${(isEdited || hand.length > 0) && handPanel(visit, shown, hand, faults)}
      ${
        shownOnes.length === 0
          ? emptyPanel({
              heading: words('season.noneHeld'),
              text: words('season.noneHeldText'),
              actions: linkButton(site.basePath + upcomingPath, words('feeds.see'), { symbol: 'today' }),
              total: 0,
            })
          : shownOnes.map((one) => contestPanel(site.basePath, group, one, isCoach))
      }`,
  );
}

function handPanel(
  visit: MemberVisit,
  { group, table, line, isEdited }: Shown,
  hand: readonly SeasonPointsTable[],
  faults: Faults,
): Html {
  const { form: sent } = visit;
  const to = seasonPersonPath(group.id, table.season.id, line.person.user_id);
  const row = ({ id, halves, reason, made_at }: SeasonPointsTable) =>
    html`
      <li>
        <b class="num">${handText(Number(halves))}</b>
        <span><bdi>${reason}</bdi></span>
        <span class="soft">${dayIn(daysOfGroup(group), made_at)}</span>
        ${
          isEdited &&
          html`
            <button class="button small quiet" name="remove" value="${id}">
              ${richWords('groups.remove', { name: html`<bdi>${reason}</bdi>` })}
            </button>`
        }
      </li>`;
  const rows =
    hand.length > 0 && form(visit, { to }, html`<ul class="ticks" data-total="${hand.length}">${hand.map(row)}</ul>`);
  const give = form(
    visit,
    { to, className: 'form' },
    html`
      ${textField(words('season.handPoints'), 'points', faults, {
        ...{ value: field(sent, 'points', 1000), longest: 6, hint: words('season.handHint') },
      })}
      ${textField(words('season.reason'), 'reason', faults, {
        ...{ value: field(sent, 'reason', 2000).slice(0, longestReason), longest: longestReason },
        hint: words('season.reasonHint'),
      })}
      ${formActions(words('season.give'))}`,
  );
  return panel(
    { id: 'hand', heading: words('season.handTitle') },
    html`
      ${rows}
      ${
        isEdited &&
        html`
          <details class="more-fields"${attr('open', hasFaults(faults))}>
            <summary>${words('season.giveTitle')}</summary>
            ${give}
          </details>`
      }`,
  );
}

function contestPanel(
  basePath: string,
  group: GroupWithLists,
  { column, cell, deadline, problems }: PersonContest,
  isCoach: boolean,
): Html {
  const { kind, contest, startsAt } = column;
  const days = daysOfGroup(group);
  const name = html`<bdi>${kind === 'round' ? contest.title : shortTitle(contest)}</bdi>`;
  const page = judgeOf(contest.source)?.contestPage?.(contest.key) ?? null;
  const title =
    kind === 'round' ? html`<a href="${basePath}${roundPath(contest.id)}">${name}</a>` : (webLink(page, name) ?? name);
  const facts = html`
    <p class="facts">
      <span>${dayIn(days, startsAt, true)}</span>
      <span class="part" data-part="${cell.part}"><i class="mk"></i> ${words(`season.part.${cell.part}`)}</span>
      ${cell.isTeam && html`<span>${words('season.team')}</span>`}
      <span>${words('season.pointsOf', { points: pointsText(cell.halves), halves: cell.halves })}</span>
      ${!cell.counts && html`<span>${words('season.notBest')}</span>`}
      <span class="soft">${richWords('season.upsolvedBy', { day: lastDayOf(group, deadline) })}</span>
    </p>`;
  const row = ({ place, reached }: PersonContest['problems'][number]) =>
    html`
      <li${attr('data-problem', place.id)} data-took="${reached.took ?? (reached.isTried ? 'tried' : 'none')}">
        <span class="letter">${place.position}</span>
        ${stateIcon(reached.took ? 'complete' : reached.isTried ? 'practicing' : 'not_started')}
        ${problemName(basePath, place)}
        ${isCoach && place.id !== null && difficulty(place)}
        <span class="soft">${reachedWords(reached)}</span>
      </li>`;
  return panel(
    {
      id: columnAnchor(column),
      heading: html`${columnMark(column)} ${title}`,
      className: 'season-contest',
      total: problems.length,
    },
    html`
      ${facts}
      ${
        problems.length === 0
          ? html`<p class="soft">${words('contests.notYet')}</p>`
          : html`<ol class="season-problems">${problems.map(row)}</ol>`
      }`,
  );
}

/** The day that ends at this moment. */
const lastDayOf = (group: GroupWithLists, until: string) =>
  dayIn(daysOfGroup(group), new Date(Date.parse(until) - 1).toISOString());

function problemName(basePath: string, place: GridPlace): Html {
  if (place.id === null) return html`<span class="t faint">${words('contests.notHere', { key: place.key })}</span>`;
  return html`<a class="t" href="${basePath}${problemPath(place.id)}"><bdi>${place.title}</bdi></a>`;
}

function reachedWords({ took, isCounted, at, isTried }: Reached): Html | string {
  if (!took) return words(isTried ? 'season.tried' : 'season.untouched');
  const said = words(`season.took.${took}`);
  if (took === 'live') return said;
  return html`${said}, ${moment(at, 'date')}${!isCounted && html`, ${words('season.noPoints')}`}`;
}
