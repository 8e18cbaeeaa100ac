/** The leaderboard of a group shows the people who joined it. Everybody sees their own row (docs/decisions/0032). */

import { joinLeaderboard } from '../../../practice/groups.ts';
import {
  type BoardFigure,
  boardFigures,
  type LeaderboardRow,
  type RankedRow,
  rankRows,
  readBoard,
} from '../../../practice/leaderboard.ts';
import type { GroupWithLists } from '../../../store/assignments.ts';
import type { GroupPerson } from '../../../store/groups.ts';
import { daysLink, firstSolvesLink } from '../../kit/day-links.ts';
import { actions, button, form } from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { countLink, segmentedLinks } from '../../kit/links.ts';
import { nameLink } from '../../kit/member-name.ts';
import { panel, unheadedPanel } from '../../kit/panel.ts';
import { attr, type Html, html } from '../../markup.ts';
import { boardPath } from '../../paths.ts';
import { type MemberVisit, type PageResult, pageNotFound } from '../../request/visits.ts';
import { compareNames, thousands } from '../../words/formats.ts';
import { words } from '../../words/words.ts';
import { addressWithNotice, groupFrame, groupOf, namesIn } from './frame.ts';

async function boardOf(visit: MemberVisit): Promise<GroupWithLists> {
  const group = await groupOf(visit);
  if (group.has_board !== 1n) throw pageNotFound(visit.path);
  return group;
}

export async function submitBoard(visit: MemberVisit): Promise<PageResult> {
  const { store, member, form, path } = visit;
  const { id } = await boardOf(visit);
  const isOnBoard = form.get('stand') === 'true';
  if (!(await joinLeaderboard(store, id, member.user_id, isOnBoard))) throw pageNotFound(path);
  return { to: addressWithNotice(boardPath(id), isOnBoard ? 'stands' : 'offBoard') };
}

export async function showBoard(visit: MemberVisit): Promise<PageResult> {
  const { store, member, site, query, days } = visit;
  const group = await boardOf(visit);
  const { weekStart } = days.rule;
  const { ownRow, rows } = await readBoard(store.reader, group.id, member.user_id, Date.now(), weekStart);
  const orderBy = boardFigures.find((one) => one === query.get('by')) ?? 'week';
  const nameOf = await namesIn(visit, group);
  const path = site.basePath + boardPath(group.id);
  const orders = segmentedLinks(
    words('groups.orderBy'),
    boardFigures.map((one) => [
      path + (one === 'week' ? '' : `?by=${one}`),
      words(`board.figure.${one}`),
      one === orderBy,
    ]),
  );
  const table = (rows: readonly RankedRow[], caption: string) =>
    boardTable(rows, { caption, orderBy, nameOf, ownId: member.user_id, basePath: site.basePath });
  const isOnBoard = ownRow?.person.on_board === 1n;
  const ownPanel =
    ownRow && !isOnBoard
      ? panel(
          { id: 'own', heading: words('board.own') },
          html`
            <p class="only-you">${icon('eye')}<span>${words('board.onlyYou')}</span></p>
            ${table([{ row: ownRow, place: undefined }], words('board.own'))}`,
        )
      : '';
  const board =
    rows.length === 0
      ? html`<p class="soft">${words('board.nobody')}</p>`
      : html`
        <div class="actions">
          <span class="soft" aria-hidden="true">${words('groups.orderBy')}</span>
          ${orders}
        </div>
        ${table(
          rankRows(rows, orderBy, (one, other) => compareNames(nameOf(one), nameOf(other))),
          words('board.title'),
        )}
        <p class="faint caption">${words('board.places')}</p>`;
  return {
    html: groupFrame(
      visit,
      group,
      { tab: 'board/', title: words('board.title'), subtitle: words('board.count', { count: rows.length }) },
      html`
        ${ownPanel}
        ${unheadedPanel({ label: words('board.title') }, html`${board}`)}
        ${panel(
          { id: 'stand', heading: words(isOnBoard ? 'board.leaveTitle' : 'board.standTitle') },
          joinForm(visit, group, isOnBoard),
        )}`,
    ),
  };
}

function joinForm(visit: MemberVisit, { id }: GroupWithLists, isOnBoard: boolean): Html {
  const answer = isOnBoard
    ? button(words('board.leave'), 'danger', ['stand', 'false'])
    : button(words('board.stand'), 'primary', ['stand', 'true']);
  return html`
    <p class="soft">${words(isOnBoard ? 'board.leaveText' : 'board.standText')}</p>
    ${form(visit, { to: boardPath(id) }, actions(answer))}`;
}

interface TableOptions {
  caption: string;
  orderBy: BoardFigure;
  nameOf(person: GroupPerson): string;
  ownId: bigint;
  basePath: string;
}

function boardTable(rows: readonly RankedRow[], options: TableOptions): Html {
  const { caption, orderBy, nameOf, ownId, basePath } = options;
  const head = (one: BoardFigure) =>
    html`
      <th scope="col" class="num"${attr('aria-sort', one === orderBy && 'descending')}>
        ${words(`board.figure.${one}`)}
      </th>`;
  const row = ({ row: line, place }: RankedRow) => {
    const { person } = line;
    const isOwn = person.user_id === ownId;
    const figure = (one: BoardFigure) =>
      html`<td class="num">${isOwn ? ownFigure(line, one, basePath) : thousands.format(line[one])}</td>`;
    return html`
      <tr data-person="${person.user_id}"${attr('data-place', place)}${attr('class', isOwn && 'own')}>
        <th scope="row">
          <span class="place">${place === undefined ? '' : words('board.place', { place })}</span> ${nameLink(
            basePath,
            person,
            nameOf(person),
          )}
          ${isOwn && html` <span class="tag">${words('board.you')}</span>`}
        </th>
        ${boardFigures.map(figure)}
      </tr>
      \n`;
  };
  return html`
    <table class="plain-table board" data-total="${rows.length}">
      <caption class="sr">${caption}</caption>
      <thead><tr><th scope="col">${words('groups.member')}</th>${boardFigures.map(head)}</tr></thead>
      <tbody>${rows.map(row)}</tbody>
    </table>`;
}

/** Only one's own figures are links, because nobody can open the rows of others. */
function ownFigure(line: LeaderboardRow, figure: BoardFigure, basePath: string): Html {
  const { today, first, last, week, month } = line.days;
  const to =
    figure === 'streak' ? daysLink([first, last], true) : firstSolvesLink([figure === 'week' ? week : month, today]);
  return countLink(line[figure], basePath + to);
}
