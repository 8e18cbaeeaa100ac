/** The table of people and problems. A cell says the same by shape, tint and word. */

import { dayMs } from '../../../practice/days.ts';
import type { Cell, Line } from '../../../practice/group-lists.ts';
import type { GivenList } from '../../../store/group-lists.ts';
import type { ListedProblem } from '../../../store/list-content.ts';
import { day, past } from '../../kit/dates.ts';
import { difficulty } from '../../kit/difficulty.ts';
import { icon } from '../../kit/icons.ts';
import { judgeKey, stateIcon, stateWords } from '../../kit/marks.ts';
import { nameLink } from '../../kit/member-name.ts';
import { type Html, html } from '../../markup.ts';
import { problemPath } from '../../paths.ts';
import { wholeMoment } from '../../road/clock.ts';
import { richWords, words } from '../../words/words.ts';
import { fullName } from './frame.ts';

/** There are few kinds of cells, and thousands of cells. */
const cells = new Map<string, Html>();

function cellOf(cell: Cell): Html {
  const key = Object.values(cell).join();
  let made = cells.get(key);
  if (made === undefined) {
    made = makeCell(cell);
    cells.set(key, made);
  }
  return made;
}

function makeCell(cell: Cell): Html {
  const { state, isOwnWord, how, isLate } = cell;
  if (state === 'not_started') return html`<td></td>`;
  const text = cellWords(cell);
  const mark =
    how === 'hint' || how === 'editorial'
      ? html`<b class="how-mark" aria-hidden="true">${words(`groups.mark.${how}`)}</b>`
      : '';
  const late = isLate ? html`<b class="late-mark" aria-hidden="true">${words('groups.mark.late')}</b>` : '';
  return html`
    <td data-state="${state}" title="${text}">
      ${stateIcon(state, isOwnWord)}
      ${mark}
      ${late}
      <span class="sr">${text}</span>
    </td>`;
}

/** What a cell says, in words. */
export function cellWords({ state, isOwnWord, how, isLate }: Cell): string {
  if (state !== 'complete') return stateWords[state];
  const said = [stateWords.complete];
  if (isOwnWord) said.push(words('groups.cell.own'));
  if (how === 'hint' || how === 'editorial') said.push(words(`groups.cell.${how}`));
  if (isLate) said.push(words('groups.mark.late'));
  return said.join(', ');
}

interface Shown {
  problems: readonly ListedProblem[];
  lines: readonly Line[];
  isCoach: boolean;
  basePath: string;
}

export function table({ problems, lines, isCoach, basePath }: Shown): Html {
  const head = (problem: ListedProblem, at: number) =>
    html`
      <th scope="col">
        <a href="${basePath}${problemPath(problem.id)}" title="${problem.title}">
          <b>${at + 1}</b>
          ${isCoach ? difficulty(problem) : ''}
          <span class="sr">${problem.title}</span>
        </a>
      </th>`;
  const solvedBy = (at: number) => lines.filter((line) => line.cells[at]?.state === 'complete').length;
  const foot = html`
    <tfoot>
      <tr>
        <th scope="row" class="who">${words('problems.solvedBy')}</th>
        <td class="sum"></td>
        ${problems.map((_, at) => html`<td>${solvedBy(at)}</td>`)}
        <td></td>
      </tr>
    </tfoot>`;
  return html`
    <div class="table-wrap" role="region" aria-label="${words('groups.table')}" tabindex="0">
      <table class="members${problems.length > 20 ? ' many' : ''}" data-total="${lines.length}">
        <caption class="sr">${words('groups.table')}</caption>
        <thead>
          <tr>
            <th scope="col" class="who">${words('groups.member')}</th>
            <th scope="col" class="sum">${words('state.complete')}</th>
            ${problems.map(head)}
            <th scope="col" class="when">${words('groups.active')}</th>
          </tr>
        </thead>
        <tbody>${lines.map((line) => lineOf(line, problems.length, basePath))}</tbody>
        ${isCoach ? foot : ''}
      </table>
    </div>`;
}

function lineOf(line: Line, all: number, basePath: string): Html {
  const { person, cells, solved, activeAt, isQuiet } = line;
  const name = fullName(person);
  const when = activeAt === undefined ? words('time.never') : lastSeen(activeAt);
  return html`
    <tr data-person="${person.user_id}">
      <th scope="row" class="who" title="${person.username}">${nameLink(basePath, person, name)}</th>
      <td class="sum">
        <span>
          <b>${solved}</b>
          <progress
            class="bar" value="${solved}" max="${all}" aria-label="${words('groups.progressOf', { name })}"
          ></progress>
        </span>
      </td>
      ${cells.map(cellOf)}
      <td class="when">
        ${
          isQuiet
            ? html`<span class="quiet">${icon('clock')}${when}<span class="sr">, ${words('groups.quiet')}</span></span>`
            : when
        }
      </td>
    </tr>
    \n`;
}

/** In days also where that is weeks ago: they are what one compares. */
function lastSeen(at: string): Html {
  const days = Math.floor((Date.now() - Date.parse(at)) / dayMs);
  if (days < 7 || days > 99) return past(at);
  return html`<time datetime="${at}" title="${wholeMoment(at)}">${words('time.daysAgo', { count: days })}</time>`;
}

/** What the marks mean. */
export function legend(): Html {
  const one = (mark: Html, text: string) => html`<span>${mark} ${text}</span>`;
  return html`
    <p class="legend marks">
      ${one(stateIcon('complete'), words('groups.legend.judge'))}
      ${one(stateIcon('complete', true), words('groups.cell.own'))}
      ${one(stateIcon('practicing'), stateWords.practicing)}
      ${one(stateIcon('reading'), stateWords.reading)}
      ${one(stateIcon('skipped'), stateWords.skipped)}
      ${one(html`<b class="how-mark">${words('groups.mark.hint')}</b>`, words('groups.cell.hint'))}
      ${one(html`<b class="how-mark">${words('groups.mark.editorial')}</b>`, words('groups.cell.editorial'))}
      <span><b class="late-mark">${words('groups.mark.late')}</b></span>
    </p>`;
}

/** A problem of the list, by the number that it has in the table. */
export function problemKey(problem: ListedProblem, at: number, given: GivenList, basePath: string): Html {
  const { id, title, added_at, memo } = problem;
  const isNew = added_at > given.given_at;
  return html`
    <li data-problem="${id}">
      <span class="n">${at + 1}</span>
      <span class="t">
        <a href="${basePath}${problemPath(id)}">${title}</a>
        ${memo ? html` <span class="faint"><bdi>${memo}</bdi></span>` : ''}
        ${isNew ? html` <span class="tag">${richWords('groups.addedOn', { day: day(added_at) })}</span>` : ''}
      </span>
      ${judgeKey(problem)}
      ${difficulty(problem)}
    </li>`;
}
