/** One person's season: every contest with its problems, and the points that a coach gave or took by hand. */

import { parseInt64 } from '../../../contract/common.ts';
import { contestPageOf, shortTitle } from '../../../judges/judges.ts';
import type { Days } from '../../../practice/days.ts';
import { type JudgeAddresses, listJudgeAddresses } from '../../../practice/judge-addresses.ts';
import type { SeasonCell, SeasonColumn, SeasonRow, SeasonSolveCell } from '../../../practice/season-table.ts';
import { givePoints, handPointsAtMost, longestReason, takePointsBack } from '../../../practice/seasons.ts';
import type { GridProblem } from '../../../store/contests.ts';
import type { SeasonPointsTable } from '../../../store/seasons.ts';
import { difficulty } from '../../kit/difficulty.ts';
import { type Faults, form, formActions, hasFaults, textField } from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { linkButton } from '../../kit/links.ts';
import { stateIcon, webLink } from '../../kit/marks.ts';
import { emptyPanel, panel } from '../../kit/panel.ts';
import { attr, type Html, html } from '../../markup.ts';
import { problemPath, roundPath, seasonPathOf, seasonPersonPath, upcomingPath } from '../../paths.ts';
import { fieldText, idIn, lineTextFault, refusalText } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, pageNotFound } from '../../request/visits.ts';
import { commas } from '../../words/formats.ts';
import { linkTo, richWords, words } from '../../words/words.ts';
import { addressWithNotice, coachOfGroup, groupFrame, groupOf, namesIn } from './frame.ts';
import {
  dayIn,
  daysOfGroup,
  fullDayIn,
  itemAnchor,
  itemMark,
  pointsText,
  readSeasonView,
  type SeasonView,
  seasonPerformance,
  seasonStyles,
  signedPointsText,
} from './season-parts.ts';

interface PersonSeason extends SeasonView {
  line: SeasonRow;
  /** What the group calls the person. */
  name: string;
  judgeAddresses: JudgeAddresses;
  /** The path of this page. */
  to: string;
}

/** Only the person, and coaches if the person agreed to be shown, may open the page. */
async function readPersonSeason(visit: MemberVisit): Promise<PersonSeason> {
  const group = await groupOf(visit);
  const id = parseInt64(visit.params['person'] ?? '');
  if (id === undefined || (group.role !== 'coach' && id !== visit.member.user_id)) throw pageNotFound(visit.path);
  const view = await readSeasonView(visit, group, id);
  const [line] = view.table.rows;
  if (!line) throw pageNotFound(visit.path);
  const judgeAddresses = await listJudgeAddresses(visit.store.reader, visit.website.judgeUrls);
  const name = (await namesIn(visit, group))(line.person);
  return { ...view, line, name, judgeAddresses, to: seasonPersonPath(group.id, view.table.season.id, id) };
}

export async function showSeasonPerson(visit: MemberVisit): Promise<PageResult> {
  const view = await readPersonSeason(visit);
  return { html: personPage(visit, view, {}, await seasonPerformance(visit, view)) };
}

/** The number of half points in a text such as 2, -1.5 or 1½. Undefined for invalid texts and for 0. */
function parseHalfPoints(text: string): number | undefined {
  const [, sign = '', whole = '', half = ''] = /^([+\-−]?)(\d{0,3})([.,][05]|½)?$/.exec(text) ?? [];
  if (whole + half === '' || (whole === '' && half !== '½')) return undefined;
  const halves = 2 * Number(whole) + (/[5½]/.test(half) ? 1 : 0);
  if (halves === 0 || halves > 2 * handPointsAtMost) return undefined;
  return sign === '' || sign === '+' ? halves : -halves;
}

export async function submitSeasonPerson(visit: MemberVisit): Promise<PageResult> {
  const view = await readPersonSeason(visit);
  const { store, form: input } = visit;
  const { group, line, canEdit, to } = view;
  if (!canEdit && group.archived_at === null) throw pageNotFound(visit.path);
  const coach = coachOfGroup(visit, group);
  if (input.has('remove')) {
    const id = idIn(fieldText(input, 'remove', 30), parseInt64);
    if (!(await takePointsBack(store, coach, id))) throw pageNotFound(visit.path);
    return { to: addressWithNotice(to, 'points') };
  }
  const halves = parseHalfPoints(fieldText(input, 'points', 1000).trim());
  const reason = fieldText(input, 'reason', 2000).trim();
  const faults = { ...lineTextFault(reason, 'reason', longestReason, 'season.giveReason') };
  if (halves === undefined) faults['points'] = words('season.badPoints', { most: handPointsAtMost });
  else if (!hasFaults(faults)) {
    try {
      await givePoints(store, coach, { userId: line.person.user_id, halves: BigInt(halves), reason });
      return { to: addressWithNotice(to, 'points') };
    } catch (error) {
      faults['points'] = refusalText(error);
    }
  }
  return { html: personPage(visit, view, faults), status: 422 };
}

function personPage(visit: MemberVisit, view: PersonSeason, faults: Faults = {}, worth: Html | '' = ''): Html {
  const { basePath, group, table, line, isCoach, canEdit, ownId } = view;
  const { season, columns, pastCount } = table;
  const { person, cells, total, live, handPoints } = line;
  const name = html`<bdi>${season.name}</bdi>`;
  const subtitle = html`
    <span>${richWords('season.ofSeason', { season: linkTo(basePath + seasonPathOf(group.id, season.id)), name })}</span>
    <span>${pointsOf(total)}</span>
    <span>${richWords('season.liveTimes', { live, held: pastCount })}</span>
    ${worth}`;
  const contests = columns.map((column, at) =>
    column.phase === 'held' ? contestPanel(view, column, cells[at] as SeasonCell) : '',
  );
  const empty = emptyPanel({
    heading: words('season.noneHeld'),
    text: words('season.noneHeldText'),
    total: 0,
    actions: linkButton(basePath + upcomingPath, words('feeds.see'), { symbol: 'today' }),
  });
  return groupFrame(
    visit,
    group,
    { tab: 'season/', title: view.name, subtitle, styles: seasonStyles },
    html`
      ${
        person.user_id === ownId &&
        !isCoach &&
        html`<p class="only-you">${icon('eye')}<span>${words('season.coachesSee')}</span></p>`
      }
      ${(canEdit || handPoints.length > 0) && manualPointsPanel(visit, view, faults)}
      ${pastCount === 0 ? empty : contests}`,
  );
}

const pointsOf = (halves: number) => words('season.pointsOf', { points: pointsText(halves), halves });

function manualPointsPanel(
  visit: MemberVisit,
  { group, line: { handPoints }, canEdit, to }: PersonSeason,
  faults: Faults,
): Html {
  const { form: input } = visit;
  const row = ({ id, halves, reason, made_at }: SeasonPointsTable) =>
    html`
      <li>
        <b class="num">${signedPointsText(Number(halves))}</b>
        <span><bdi>${reason}</bdi></span>
        <span class="soft">${dayIn(daysOfGroup(group), made_at)}</span>
        ${
          canEdit &&
          html`
            <button class="button small quiet" name="remove" value="${id}">
              ${richWords('groups.remove', { name: html`<bdi>${reason}</bdi>` })}
            </button>`
        }
      </li>`;
  const pointsForm = () =>
    form(
      visit,
      { to, className: 'form' },
      html`
        ${textField(words('season.handPoints'), 'points', faults, {
          value: fieldText(input, 'points', 1000),
          longest: 6,
          hint: words('season.handHint'),
        })}
        ${textField(words('season.reason'), 'reason', faults, {
          value: fieldText(input, 'reason', 2000).slice(0, longestReason),
          longest: longestReason,
          hint: words('season.reasonHint'),
        })}
        ${formActions(words('season.give'))}`,
    );
  return panel(
    { id: 'hand', heading: words('season.handTitle') },
    html`
      ${
        handPoints.length > 0 &&
        form(visit, { to }, html`<ul class="ticks" data-total="${handPoints.length}">${handPoints.map(row)}</ul>`)
      }
      ${
        canEdit &&
        html`
          <details class="more-fields"${attr('open', hasFaults(faults))}>
            <summary>${words('season.giveTitle')}</summary>
            ${pointsForm()}
          </details>`
      }`,
  );
}

function contestPanel(
  { basePath, group, isCoach, judgeAddresses }: PersonSeason,
  column: SeasonColumn,
  cell: SeasonCell,
): Html {
  const { contest, startsAt, places } = column;
  const { participation, isTeam, halves, counts, deadline, solves } = cell;
  const days = daysOfGroup(group);
  const name = html`<bdi>${contest.kind === 'round' ? contest.title : shortTitle(contest)}</bdi>`;
  const title =
    contest.kind === 'round'
      ? html`<a href="${basePath}${roundPath(contest.id)}">${name}</a>`
      : (webLink(contestPageOf(contest, judgeAddresses), name) ?? name);
  // The deadline is the midnight at which the last day ends.
  const lastDay = dayIn(days, new Date(Date.parse(deadline) - 1).toISOString());
  const row = (place: GridProblem, at: number) => {
    const solve = solves[at] as SeasonSolveCell;
    return html`
      <li${attr('data-problem', place.id)} data-took="${solve.setting ?? (solve.isTried ? 'tried' : 'none')}">
        <span class="letter">${place.position}</span>
        ${stateIcon(solve.setting ? 'complete' : solve.isTried ? 'practicing' : 'not_started')}
        ${
          place.id === null
            ? html`<span class="t faint">${words('contests.notHere', { key: place.key })}</span>`
            : html`<a class="t" href="${basePath}${problemPath(place.id)}"><bdi>${place.title}</bdi></a>`
        }
        ${isCoach && place.id !== null && difficulty(place)}
        <span class="soft">${solveText(solve, days)}</span>
      </li>`;
  };
  return panel(
    {
      id: itemAnchor(contest),
      heading: html`${itemMark(contest)} ${title}`,
      className: 'season-contest',
      total: places.length,
    },
    html`
      <p class="facts">
        <span>${fullDayIn(days, startsAt)}</span>
        <span class="part" data-part="${participation}">
          <i class="mk"></i>${' '}
          ${words(`season.part.${participation}`)}
        </span>
        ${isTeam && html`<span>${words('season.team')}</span>`}
        <span>${pointsOf(halves)}</span>
        ${!counts && html`<span>${words('season.notBest')}</span>`}
        <span class="soft">${richWords('season.upsolvedBy', { day: lastDay })}</span>
      </p>
      ${
        places.length === 0
          ? html`<p class="soft">${words('contests.notYet')}</p>`
          : html`<ol class="season-problems">${places.map(row)}</ol>`
      }`,
  );
}

function solveText({ setting, isCounted, at, isTried }: SeasonSolveCell, days: Days): Html | string {
  if (!setting) return words(isTried ? 'season.tried' : 'season.untouched');
  const text = words(`season.took.${setting}`);
  if (setting === 'live') return text;
  return html`${text}${commas()}${dayIn(days, at)}${!isCounted && html`${commas()}${words('season.noPoints')}`}`;
}
