/**
 * A list in a group: who solved what. A coach sees everybody in the group, a member their own line; nobody sees a note.
 */

import { parseInt64 } from '../../../contract/common.ts';
import {
  type GroupTable,
  type Line,
  type Order,
  orders,
  readGroupTable,
  sortLines,
} from '../../../practice/group-lists.ts';
import type { GivenList, GroupWithLists } from '../../../store/group-lists.ts';
import { day } from '../../kit/dates.ts';
import { dueMoment } from '../../kit/due.ts';
import { icon } from '../../kit/icons.ts';
import { notice } from '../../kit/notice.ts';
import { type Html, html } from '../../markup.ts';
import { pathOfList, tablePath } from '../../paths.ts';
import { type Answer, type MemberVisit, nothingHere } from '../../road/visits.ts';
import { richWords, words } from '../../words/words.ts';
import { assignmentPage } from './assignment.ts';
import { fullName, groupFrame, groupOf, inviteButton } from './frame.ts';
import { legend, problemKey, table } from './table.ts';

export interface Given {
  group: GroupWithLists;
  given: GivenList;
}

type Lines = Given & { found: GroupTable; lines: Line[]; order: Order; hasCoaches: boolean };

/** The list of the address as it is given to the group. */
export async function givenOf(visit: MemberVisit): Promise<Given> {
  const group = await groupOf(visit);
  const id = parseInt64(visit.params['list'] ?? '');
  const given = group.lists.find(({ list_id }) => list_id === id);
  if (!given) throw nothingHere(visit.path);
  return { group, given };
}

/**
 * The lines as this visitor sees them, in the order of the address; a coach sees those of coaches where it asks for
 * them.
 */
export async function readLines(visit: MemberVisit): Promise<Lines> {
  const { store, member, query } = visit;
  const { group, given } = await givenOf(visit);
  const found = await readGroupTable(store.reader, group, given, member.user_id, Date.now());
  const order = orders.find((one) => one === query.get('order')) ?? 'name';
  const hasCoaches = query.get('coaches') === 'true';
  const wanted = ({ person }: Line) => hasCoaches || group.role !== 'coach' || person.role === 'member';
  const lines = sortLines(found.lines.filter(wanted), order, fullName);
  return { group, given, found, order, lines, hasCoaches };
}

export async function showTable(visit: MemberVisit): Promise<Answer> {
  const lines = await readLines(visit);
  const { group, given, found } = lines;
  if (group.role !== 'coach') return { html: await assignmentPage(visit, group, given, found) };
  return { html: tablePage(visit, lines) };
}

function tablePage(visit: MemberVisit, { group, given, found, lines, order, hasCoaches }: Lines): Html {
  const { basePath } = visit.site;
  const { problems, added, isChanged } = found;
  const path = basePath + tablePath(group.id, given.list_id);
  // To the minute, as it is shown: the page stays the same until then.
  const asOf = new Date(new Date().setUTCSeconds(0, 0)).toISOString();
  const solved = lines.reduce((sum, line) => sum + line.solved, 0);
  const quiet = lines.filter(({ isQuiet }) => isQuiet).length;
  const sub = html`
    ${
      given.due_at === null
        ? ''
        : html`<span><span>${richWords('groups.dueAt', { when: dueMoment(given.due_at, group.zone) })}</span></span>`
    }
    <span>${words(hasCoaches ? 'groups.count' : 'groups.memberCount', { count: lines.length })}</span>
    <span>${words('groups.solvedOf', { solved, all: lines.length * problems.length })}</span>`;
  const option = (one: Order) =>
    html`
      <option value="${one === 'name' ? '' : one}"${one === order ? html` selected` : ''}>
        ${one === 'quiet' ? words('groups.quietFirst', { count: quiet }) : words(`groups.order.${one}`)}
      </option>`;
  const who = (isOn: boolean) =>
    html`
      <option value="${isOn ? 'true' : ''}"${isOn === hasCoaches ? html` selected` : ''}>
        ${words(isOn ? 'groups.withCoaches' : 'groups.withoutCoaches')}
      </option>`;
  const asked = new URLSearchParams();
  if (order !== 'name') asked.set('order', order);
  if (hasCoaches) asked.set('coaches', 'true');
  const item = (href: string, text: string) => html`<li><a href="${href}">${text}</a></li>`;
  const more = html`
    <details class="menu end" name="menu">
      <summary class="button">${icon('more')}<span class="sr">${words('frame.more')}</span></summary>
      <div class="menu-panel">
        <ul>
          ${item(`${path}settings/`, words('groups.assignmentSettings'))}
          ${item(`${path}csv/${asked.size > 0 ? `?${asked}` : ''}`, words('groups.csv'))}
          ${item(basePath + pathOfList(given.list_id), words('groups.asList'))}
          <li class="for-script"><button type="button" data-print>${words('groups.print')}</button></li>
        </ul>
      </div>
    </details>`;
  const tools = html`
    <div class="table-tools">
      <form class="per" action="${path}">
        <label>
          <span>${words('groups.orderBy')}</span> <select name="order" autocomplete="off">${orders.map(option)}</select>
        </label>
        <label>
          <span>${words('groups.show')}</span> <select name="coaches" autocomplete="off">
            ${[false, true].map(who)}
          </select>
        </label>
        <button class="button small no-script">${words('pages.set')}</button>
      </form>
      <details class="legend-fold"><summary>${words('groups.legend')}</summary>${legend()}</details>
      ${more}
    </div>`;
  return groupFrame(
    visit,
    group,
    { tab: `lists/${given.list_id}/`, title: given.name, sub },
    html`
      ${isChanged ? notice('warn', richWords('groups.changedSince', { day: day(given.given_at), added })) : ''}
      ${
        problems.length === 0
          ? html`${more}<p class="soft">${words('groups.noProblems')}</p>`
          : html`
            ${tools}
            ${
              lines.length === 0
                ? html`
                  <p class="soft">${words('groups.noMembers')}</p>
                  <p class="actions">${inviteButton(basePath, group.id)}</p>`
                : table({ problems, lines, isCoach: true, basePath })
            }`
      }
      <section class="key-list" aria-labelledby="problems">
        <h2 id="problems">${words('frame.problems')}</h2>
        <ol>${problems.map((problem, at) => problemKey(problem, at, given, basePath))}</ol>
      </section>
      <p class="faint caption">${words('groups.whyCoach')}</p>
      <p class="print-only caption">
        ${richWords('groups.asOf', { group: group.name, when: dueMoment(asOf, group.zone) })}
      </p>`,
  );
}
