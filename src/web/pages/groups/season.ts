/** The table of a season: who took part in which contest, what they solved then and afterwards, and their points. */

import { judgeName, shortTitle } from '../../../judges/judges.ts';
import { type SeasonCell, type SeasonColumn, type SeasonRow, spanOf } from '../../../practice/season-table.ts';
import type { SeasonItem, SeasonsTable } from '../../../store/seasons.ts';
import { timeUntil } from '../../kit/dates.ts';
import { followAttributes } from '../../kit/follow.ts';
import { icon } from '../../kit/icons.ts';
import { linkButton, printButton } from '../../kit/links.ts';
import { fullName } from '../../kit/member-name.ts';
import { emptyPanel, notice, panel } from '../../kit/panel.ts';
import { privateResults } from '../../kit/private-results.ts';
import { attr, bdi, type Html, html, inTurns } from '../../markup.ts';
import {
  groupPath,
  problemsPath,
  roundPath,
  seasonPath,
  seasonPathOf,
  seasonPersonPath,
  upcomingPath,
} from '../../paths.ts';
import { csvFile } from '../../request/responses.ts';
import { type MemberVisit, type PageResult, pageNotFound } from '../../request/visits.ts';
import { commaList } from '../../words/formats.ts';
import { perLanguage } from '../../words/viewer.ts';
import { linkTo, richWords, words } from '../../words/words.ts';
import { groupFrame, groupOf, inviteButton, namesIn, printedAsOf, studentNumbers } from './frame.ts';
import { contestChoice } from './season-changes.ts';
import {
  dayIn,
  daysOfGroup,
  itemAnchor,
  itemMark,
  itemName,
  pointsText,
  readSeasonView,
  ruleText,
  type SeasonView,
  seasonDaysText,
  seasonPerformance,
  seasonStyles,
  signedPointsText,
} from './season-parts.ts';

export async function showSeason(visit: MemberVisit): Promise<PageResult> {
  const group = await groupOf(visit);
  const { basePath } = visit.site;
  if (group.has_season === 1n) return { html: await seasonPage(visit, await readSeasonView(visit, group)) };
  if (group.role !== 'coach' || visit.params['season'] !== undefined) throw pageNotFound(visit.path);
  const make = { symbol: 'plus', kind: 'primary' } as const;
  const empty = emptyPanel({
    heading: words('season.none'),
    text: words('season.noneText'),
    total: 0,
    actions: linkButton(`${basePath}${seasonPath(group.id)}new/`, words('season.new'), make),
  });
  return { html: groupFrame(visit, group, { tab: 'season/', title: words('season.title') }, empty) };
}

async function seasonPage(visit: MemberVisit, view: SeasonView): Promise<Html> {
  const { basePath, group, seasons, isCoach, canEdit, table } = view;
  const { season, columns, rows, pastCount, contestCount, notAgreedCount } = table;
  const path = basePath + seasonPath(group.id);
  const subtitle = html`
    <span>${seasonDaysText(season)}</span>
    ${columns.length > 0 && html`<span>${words('season.held', { held: pastCount, all: contestCount })}</span>`}
    ${
      isCoach &&
      html`
        <span>${words('groups.count', { count: rows.length })}</span>
        ${notAgreedCount > 0 && html`<span>${words('season.notAgreed', { count: notAgreedCount })}</span>`}`
    }`;
  const ownPath = `${basePath}${seasonPathOf(group.id, season.id)}`;
  const actions = html`
    ${canEdit && linkButton(`${path}add/`, words('season.add'), { symbol: 'plus' })}
    ${
      columns.length > 0 &&
      rows.length > 0 &&
      html`
        ${isCoach && linkButton(`${ownPath}sheet/`, words('sheet.title'))}
        ${linkButton(`${ownPath}csv/`, words('season.csv'), { symbol: 'download' })}
        ${printButton()}`
    }`;
  const isEmpty = columns.length > 0 && rows.length === 0;
  const body =
    columns.length === 0
      ? await noContests(visit, view)
      : isEmpty
        ? nobodyShown(view)
        : html`
          ${await seasonTable(visit, view)}
          ${legend(season)}
          ${printedAsOf('season', group, ruleText(table))}`;
  const problems = columns.flatMap(({ contest, places }) =>
    contest.kind === 'round' ? [] : places.map(({ key }) => ({ source: contest.source, source_key: key })),
  );
  const from = seasonPathOf(group.id, season.id);
  const results = await privateResults(visit, problems, { coachedGroup: isCoach ? group.id : undefined, from });
  const others = seasons.slice(1).filter((one) => one !== season);
  return groupFrame(
    visit,
    group,
    {
      tab: 'season/',
      title: season.name,
      subtitle,
      actions,
      styles: seasonStyles,
      kind: 'p-season',
      follow: await followAttributes(visit, { groupId: group.id }),
    },
    html`
      ${season !== seasons[0] && notice('warn', richWords('season.earlierOne', { here: linkTo(path) }))}
      ${ruleLine(view, path)}
      ${results}
      ${body}
      ${!isCoach && !isEmpty && html`<p class="faint caption">${words(visibilityMessage(view))}</p>`}
      ${others.length > 0 && earlierSeasons(view, others)}`,
  );
}

function visibilityMessage({ group: { in_season, has_board } }: SeasonView) {
  if (in_season !== 1n) return 'season.notIn' as const;
  return has_board === 1n ? ('season.memberBoard' as const) : ('season.memberAlone' as const);
}

function ruleLine({ table, group, canEdit }: SeasonView, path: string): Html {
  const { season } = table;
  const { rule_since } = season;
  const day = dayIn(daysOfGroup(group), rule_since ?? spanOf(season, group.zone).from);
  const since = rule_since === null ? richWords('season.since', { day }) : richWords('season.changed', { day });
  return html`
    <div class="rule-line">
      <p>
        ${icon('info')}
        <span>
          ${richWords('season.points', { rule: ruleText(table) })} <span class="soft">${since}</span>
        </span>
      </p>
      ${canEdit && linkButton(`${path}settings/`, words('season.edit'), { kind: 'small' })}
    </div>`;
}

async function noContests(visit: MemberVisit, { basePath, group, canEdit, table }: SeasonView): Promise<Html> {
  if (canEdit)
    return panel({ id: 'first', heading: words('season.first') }, await contestChoice(visit, group, table.season));
  const next = linkButton(basePath + upcomingPath, words('feeds.see'), { symbol: 'today' });
  return emptyPanel({ heading: words('season.noContests'), text: words('season.waits'), actions: next });
}

function nobodyShown({ isCoach, basePath, group, table: { notAgreedCount } }: SeasonView): Html {
  const text = words(!isCoach ? 'season.notIn' : notAgreedCount > 0 ? 'season.nobodyYet' : 'groups.noMembers');
  const actions = isCoach
    ? inviteButton(basePath, group)
    : linkButton(`${basePath}${groupPath(group.id)}seen/`, words('groups.seen'));
  return emptyPanel({ heading: words('season.nobody'), text, actions, total: 0 });
}

function earlierSeasons({ basePath, group }: SeasonView, others: readonly SeasonsTable[]): Html {
  const line = (one: SeasonsTable) => html`
    <li>
      <p><a href="${basePath}${seasonPathOf(group.id, one.id)}"><bdi>${one.name}</bdi></a></p>
      <p class="soft">${seasonDaysText(one)}</p>
    </li>`;
  return panel(
    { id: 'earlier', heading: words('season.earlier') },
    html`<ul class="given" data-total="${others.length}">${others.map(line)}</ul>`,
  );
}

/* The table has hundreds of cells of few kinds, so the content of each kind is rendered once. */

async function seasonTable(visit: MemberVisit, view: SeasonView): Promise<Html> {
  const { table, group, isCoach, basePath } = view;
  const nameOf = await namesIn(visit, group);
  const worth = await seasonPerformance(visit, view);
  const { columns, rows } = table;
  const days = daysOfGroup(group);
  const hasManualPoints = rows.some(({ handHalves }) => handHalves !== 0);
  const footCells = await inTurns(columns.entries(), ([at, column]) => footCell(column, rows, at));
  const foot = html`
    <tfoot>
      <tr>
        <th scope="row" class="who"><span class="place"></span>${words('season.tookPart')}</th>
        <td class="tot"></td>
        ${hasManualPoints && html`<td class="hand"></td>`}
        <td class="att"></td>
        ${footCells}
      </tr>
    </tfoot>`;
  return html`
    <div class="table-wrap" role="region" aria-label="${words('season.table')}" tabindex="0">
      <table class="season${columns.length > 14 ? ' many' : ''}" data-total="${rows.length}">
        <caption class="sr">${words('season.table')}</caption>
        <thead>
          <tr>
            <th scope="col" class="who"><span class="place"></span>${words('groups.member')}</th>
            <th scope="col" class="tot">${words('season.total')}</th>
            ${hasManualPoints && html`<th scope="col" class="hand">${words('season.byHand')}</th>`}
            <th scope="col" class="att">${words('season.live')}</th>
            ${columns.map((column) => headCell(column, dayIn(days, column.startsAt), basePath))}
          </tr>
        </thead>
        <tbody>
          ${await inTurns(rows, (line) => tableRow(line, nameOf(line.person), view, hasManualPoints, worth))}
        </tbody>
        ${(isCoach || rows.length > 1) && foot}
      </table>
    </div>`;
}

function headCell({ contest, places, phase, isIncomplete }: SeasonColumn, date: Html, basePath: string): Html {
  const to =
    contest.kind === 'round'
      ? roundPath(contest.id)
      : `${problemsPath}?${new URLSearchParams({ source: contest.source, contest: contest.key })}`;
  const count = places.length;
  const countText = isIncomplete ? words('season.problemsSoFar', { count }) : words('season.problems', { count });
  return html`
    <th scope="col"${attr('data-phase', phase !== 'held' && phase)}>
      <a href="${basePath}${to}" title="${itemName(contest)}">
        <span class="d">${date}</span>
        <b><bdi>${narrowTitle(contest)}</bdi></b>
        <span class="x">
          ${itemMark(contest)}
          ${
            phase === 'cancelled'
              ? html`<span>${words('upcoming.cancelled')}</span>`
              : (isIncomplete || count > 0) && html`<span>${countText}</span>`
          }
        </span>
      </a>
    </th>`;
}

/** Shortens a title for a narrow column: without the judge, the text in brackets and "Educational Round". */
function narrowTitle(contest: SeasonItem): string {
  if (contest.kind === 'round') return contest.title;
  const title = shortTitle(contest);
  return (
    title
      .replaceAll(`${judgeName(contest.source)} `, '')
      .replace(/\s*\([^()]*\)$/, '')
      .replace(/Educational (Round )?/, 'Edu ') || title
  );
}

function footCell({ startsAt, phase }: SeasonColumn, rows: readonly SeasonRow[], at: number): Html {
  if (phase === 'ahead') return html`<td class="soon">${timeUntil(new Date(startsAt))}</td>`;
  if (phase === 'outside') return html`<td class="soon">${words('season.outside')}</td>`;
  if (phase === 'cancelled') return html`<td class="soon"></td>`;
  return html`<td>${rows.filter(({ cells }) => cells[at]?.participation === 'live').length}</td>`;
}

function tableRow(
  { person, cells, total, handHalves, live, place }: SeasonRow,
  name: string,
  { basePath, group, table, ownId, isCoach }: SeasonView,
  hasManualPoints: boolean,
  worth: Html | '',
): Html {
  const { user_id, username } = person;
  const { season, pastCount, columns } = table;
  const isOwn = user_id === ownId;
  const href = isCoach || isOwn ? basePath + seasonPersonPath(group.id, season.id, user_id) : undefined;
  const shown = href === undefined ? bdi(name) : html`<a href="${href}">${bdi(name)}</a>`;
  return html`
    <tr data-person="${user_id}"${attr('data-place', place)}${attr('class', isOwn && !isCoach && 'own')}>
      <th scope="row" class="who" title="${username}">
        <span class="place">${place ?? ''}</span>${shown}
        ${isOwn && worth}
      </th>
      <td class="tot"><b>${pointsText(total)}</b></td>
      ${hasManualPoints && html`<td class="hand">${handHalves === 0 ? '' : signedPointsText(handHalves)}</td>`}
      <td class="att">${richWords('season.liveOf', { live, held: pastCount })}</td>
      ${cells.map((cell, at) => cellOf(cell, columns[at] as SeasonColumn, href))}
    </tr>
    \n`;
}

const cellCache = perLanguage(() => new Map<string, Html>());

function cellOf(cell: SeasonCell, column: SeasonColumn, href: string | undefined): Html {
  if (column.phase !== 'held') return html`<td class="soon"></td>`;
  const { participation, solved, upsolved, halves, isTeam, counts } = cell;
  const cache = cellCache();
  const key = [participation, solved, upsolved, halves, isTeam, counts].join();
  let cellContent = cache.get(key);
  if (cellContent === undefined) {
    cellContent = renderContent(cell);
    cache.set(key, cellContent);
  }
  const content =
    href === undefined
      ? html`<span class="cell">${cellContent}</span>`
      : html`<a href="${href}#${itemAnchor(column.contest)}">${cellContent}</a>`;
  return html`<td data-part="${participation}"${attr('data-out', !counts)}>${content}</td>`;
}

function renderContent(cell: SeasonCell): Html {
  const { participation, solved, upsolved, halves, isTeam } = cell;
  if (participation === 'absent') return html`<span class="sr">${cellWords(cell)}</span>`;
  return html`
    <span class="se-top" aria-hidden="true">
      <i class="mk"></i>
      ${participation !== 'upsolved' && html`<b>${solved}</b>`}
      ${upsolved > 0 && html`<span class="up">+${upsolved}</span>`}
      ${isTeam && icon('people')}
    </span>
    <span class="pts" aria-hidden="true">${pointsText(halves)}</span>
    <span class="sr">${cellWords(cell)}</span>`;
}

function cellWords({ participation, solved, upsolved, halves, isTeam, counts }: SeasonCell): string {
  const parts = [words(`season.part.${participation}`)];
  if (isTeam) parts.push(words('season.team'));
  if (participation === 'live' || participation === 'virtual')
    parts.push(words('season.solvedThen', { count: solved }));
  if (upsolved > 0) parts.push(words('season.upsolvedThen', { count: upsolved }));
  if (participation !== 'absent') parts.push(words('season.pointsOf', { points: pointsText(halves), halves }));
  if (!counts) parts.push(words('season.notBest'));
  return commaList(parts);
}

function legend({ upsolve_days, best }: SeasonsTable): Html {
  const entry = (part: 'live' | 'virtual' | 'upsolved', text: string, figure: Html | string) =>
    html`<span data-part="${part}"><i class="mk"></i> ${figure} ${text}</span>`;
  return html`
    <p class="legend season-legend">
      ${entry('live', words('season.legend.live'), html`<b>4</b>`)}
      ${entry('virtual', words('season.legend.virtual'), html`<b>3</b>`)}
      ${
        upsolve_days > 0n &&
        entry('upsolved', words('season.legend.upsolved', { days: upsolve_days }), html`<b class="up">+2</b>`)
      }
      <span><span class="pts">4½</span> ${words('season.legend.points')}</span>
      ${best !== null && html`<span><s>2</s> ${words('season.legend.out', { best })}</span>`}
      <span>${icon('people')} ${words('season.team')}</span>
    </p>`;
}

export async function downloadSeason(visit: MemberVisit): Promise<PageResult> {
  const group = await groupOf(visit);
  const { table, isCoach } = await readSeasonView(visit, group);
  const numbers = isCoach ? await studentNumbers(visit, group) : undefined;
  const heads = ['member', 'username', ...(numbers ? ['student_number'] : []), 'place', 'points', 'by_hand', 'live'];
  const contests = table.columns.flatMap(({ contest, phase }) => {
    const name = itemName(contest);
    const head = phase === 'cancelled' ? words('season.csvCancelled', { name }) : name;
    return [head, words('season.csvPoints', { name })];
  });
  const rows = await inTurns(table.rows, ({ person, cells, place, total, handHalves, live }) => [
    ...[isCoach ? fullName(person) : person.username, person.username],
    ...(numbers ? [numbers.get(person.user_id) ?? null] : []),
    ...[place ?? null, total / 2, handHalves / 2, live],
    ...cells.flatMap((cell) => (cell.participation === 'absent' ? [null, null] : [cellWords(cell), cell.halves / 2])),
  ]);
  return csvFile(`${group.name} - ${table.season.name}`, [[...heads, ...contests], ...rows]);
}
