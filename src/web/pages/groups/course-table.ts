/** The table of an assigned course for its coaches: people by module, and where they stop. */
import {
  type CoursePerson,
  doneIn,
  findStop,
  isStuck,
  type readGroupCourse,
  stuckDays,
} from '../../../practice/courses.ts';
import type { AssignedList, GroupWithLists } from '../../../store/assignments.ts';
import { linkButton } from '../../kit/links.ts';
import { stateIcon } from '../../kit/marks.ts';
import { distinctNames, fullName, personLink } from '../../kit/member-name.ts';
import { attr, type Html, html } from '../../markup.ts';
import { assignmentPath, listPath } from '../../paths.ts';
import type { MemberVisit } from '../../request/visits.ts';
import { compareNames } from '../../words/formats.ts';
import { richWords, words } from '../../words/words.ts';
import { courseTab, groupFrame, inviteButton, printedAsOf } from './frame.ts';

type GroupCourse = NonNullable<Awaited<ReturnType<typeof readGroupCourse>>>;
type Cell = CoursePerson['modules'][number];

/** Columns for more modules would be too narrow; those without any mark are left out first. */
const columnsAtMost = 60;

const isDone = ({ state }: Cell) => state === 'done';
const isTouched = (cell: Cell | undefined) => cell?.begunAt !== undefined;

export function courseTablePage(
  visit: MemberVisit,
  group: GroupWithLists,
  assignment: AssignedList,
  { course, people: everybody }: GroupCourse,
): Html {
  const { site, query } = visit;
  const { basePath } = site;
  const path = basePath + assignmentPath(group.id, assignment.list_id);
  const people = everybody
    .filter(({ person }) => person.role === 'member')
    .toSorted((one, other) => compareNames(fullName(one.person), fullName(other.person)));
  const isStuckFirst = query.get('order') === 'stuck';
  const rank = ({ modules }: CoursePerson) => (modules.some(isStuck) ? 0 : 1);
  const lines = isStuckFirst ? people.toSorted((one, other) => rank(one) - rank(other)) : people;
  const { modules } = course;
  const touched = modules.filter((_, index) => people.some((one) => isTouched(one.modules[index])));
  const shown = new Set([...new Set([...touched, ...modules])].slice(0, columnsAtMost));
  const columns = modules.filter((module) => shown.has(module));
  const rest = modules.length - columns.length;
  const stop = findStop(people);
  const stopModule = modules[(stop?.number ?? 0) - 1];
  const days = stuckDays;
  const sentence =
    stop && stopModule
      ? richWords('course.stop', {
          module: html`<b>${stop.number}. <bdi>${stopModule.name}</bdi></b>`,
          count: stop.count,
          days,
        })
      : words('course.noStop', { days });
  const noMembers = html`
    <p class="soft">${words('groups.noMembers')}</p>
    <p class="actions">${inviteButton(basePath, group)}</p>`;
  return groupFrame(
    visit,
    group,
    {
      tab: courseTab(group, assignment),
      title: assignment.name,
      subtitle: html`
        <span>${words('course.modules', { count: modules.length })}</span>
        <span>${words('groups.memberCount', { count: people.length })}</span>`,
      actions: html`
        ${linkButton(`${path}sheet/`, words('sheet.title'))}
        ${group.archived_at === null && linkButton(`${path}settings/`, words('groups.assignmentSettings'))}
        ${linkButton(basePath + listPath(assignment.list_id), words('groups.asList'))}`,
    },
    people.length === 0
      ? noMembers
      : html`
        <p class="one-sentence">${sentence}</p>
        ${orderForm(path, isStuckFirst)}
        ${table(lines, columns, { basePath, groupId: group.id })}
        ${rest > 0 && html`<p>${words('bulk.more', { count: rest })}</p>`}
        <p class="faint caption">${words('course.whyCoach')}</p>
        ${printedAsOf('groups', group)}`,
  );
}

function orderForm(action: string, isStuckFirst: boolean): Html {
  return html`
    <div class="table-tools">
      <form class="per" action="${action}">
        <label>
          <span>${words('groups.orderBy')}</span> <select name="order" autocomplete="off">
            <option value="">${words('groups.order.name')}</option>
            <option value="stuck"${attr('selected', isStuckFirst)}>${words('course.stuckFirst')}</option>
          </select>
        </label>
        <button class="button small no-script">${words('pages.set')}</button>
      </form>
    </div>`;
}

function table(
  lines: readonly CoursePerson[],
  columns: GroupCourse['course']['modules'],
  { basePath, groupId }: { basePath: string; groupId: bigint },
): Html {
  const nameOf = distinctNames(lines.map(({ person }) => person));
  const head = ({ number, name }: (typeof columns)[number]) => html`
    <th scope="col" title="${name}"><b>${number}</b> <span class="mt"><bdi>${name}</bdi></span></th>`;
  const doneBy = ({ number }: (typeof columns)[number]) =>
    lines.filter(({ modules }) => isDone(modules[number - 1] as Cell)).length;
  const row = ({ person, modules }: CoursePerson) => {
    const { done, all } = doneIn(modules);
    return html`
      <tr data-person="${person.user_id}">
        <th scope="row" class="who" title="${person.username}">
          ${personLink(basePath, groupId, person, nameOf(person))}
        </th>
        <td class="sum">
          <span>
            <b>${done}</b>
            <progress
              class="bar" value="${done}" max="${all}" aria-label="${words('course.ofModules', { done, all })}"
            ></progress>
          </span>
        </td>
        ${columns.map(({ number }) => cellOf(modules[number - 1] as Cell))}
      </tr>
      \n`;
  };
  return html`
    <div class="table-wrap" role="region" aria-label="${words('course.table')}" tabindex="0">
      <table class="members course-table" data-total="${lines.length}">
        <caption class="sr">${words('course.table')}</caption>
        <thead>
          <tr>
            <th scope="col" class="who">${words('groups.member')}</th>
            <th scope="col" class="sum">${words('course.modulesHead')}</th>
            ${columns.map(head)}
          </tr>
        </thead>
        <tbody>${lines.map(row)}</tbody>
        <tfoot>
          <tr>
            <th scope="row" class="who">${words('course.doneBy')}</th>
            <td class="sum"></td>
            ${columns.map((module) => html`<td>${doneBy(module)}</td>`)}
          </tr>
        </tfoot>
      </table>
    </div>`;
}

function cellOf(cell: Cell): Html {
  const { solved, target, days } = cell;
  if (isDone(cell))
    return html`
      <td data-state="complete">
        ${stateIcon('complete')}<span class="sr">${words('course.state.done')}</span>
      </td>`;
  if (!isTouched(cell)) return html`<td></td>`;
  const count = words('course.count', { solved, target });
  if (days === undefined || !isStuck(cell)) return html`<td>${count}</td>`;
  return html`
    <td data-state="practicing">
      <b>${count}</b> <span class="late-mark">${words('course.days', { count: days })}</span>
    </td>`;
}
