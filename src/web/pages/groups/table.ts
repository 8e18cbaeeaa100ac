/** The table of an assignment: people and problems. Each cell has the same meaning by shape, colour and text. */

import { parseInt64 } from '../../../contract/common.ts';
import { familyFirstOf } from '../../../importing/member-list.ts';
import { judgeOf } from '../../../judges/judges.ts';
import {
  type AssignmentCell,
  type AssignmentRow,
  type AssignmentTable,
  currentAssignment,
  type RowOrder,
  readAssignmentTable,
  rowOrders,
  sortRows,
} from '../../../practice/assignments.ts';
import { readGroupCourse } from '../../../practice/courses.ts';
import { countOnCourse, type Plan, readAssignmentPlans, readPace } from '../../../practice/plan.ts';
import type { AssignedList, GroupWithLists } from '../../../store/assignments.ts';
import type { GroupPerson } from '../../../store/groups.ts';
import type { ProblemInList } from '../../../store/lists.ts';
import { changeBar } from '../../kit/changes.ts';
import { dateElement, lastActive } from '../../kit/dates.ts';
import { difficulty } from '../../kit/difficulty.ts';
import { dueMoment, urgency } from '../../kit/due.ts';
import { followAttributes } from '../../kit/follow.ts';
import { shortcutsButton } from '../../kit/frame.ts';
import { icon } from '../../kit/icons.ts';
import { judgeKey, stateIcon, stateLabel } from '../../kit/marks.ts';
import { distinctNames, fullName, ownName, personLink } from '../../kit/member-name.ts';
import { notice, panel, unheadedPanel } from '../../kit/panel.ts';
import { planLines } from '../../kit/plan.ts';
import { privateResults } from '../../kit/private-results.ts';
import { readProblemQuery } from '../../kit/problem-query.ts';
import { bulkBar, problemTables } from '../../kit/problem-table.ts';
import { attr, type Html, html } from '../../markup.ts';
import { assignmentPath, listPath, problemPath } from '../../paths.ts';
import { csvFile } from '../../request/responses.ts';
import { type MemberVisit, type PageResult, pageNotFound } from '../../request/visits.ts';
import { commaList, commas, compareNames } from '../../words/formats.ts';
import { perLanguage } from '../../words/viewer.ts';
import { richWords, words } from '../../words/words.ts';
import { courseTablePage } from './course-table.ts';
import { dueText, groupFrame, groupOf, inviteButton, noAssignments, printedAsOf, studentNumbers } from './frame.ts';
import { daysOfGroup } from './season-parts.ts';

/** The table has thousands of cells of few kinds, so each kind is rendered once. */
const cellCache = perLanguage(() => new Map<string, Html>());

function cellOf(cell: AssignmentCell): Html {
  const key = Object.values(cell).join();
  let content = cellCache().get(key);
  if (content === undefined) {
    content = renderCell(cell);
    cellCache().set(key, content);
  }
  return content;
}

function renderCell(cell: AssignmentCell): Html {
  const { state, isSelfReported, how, isLate } = cell;
  if (state === 'not_started') return html`<td></td>`;
  const text = cellWords(cell);
  const mark =
    how === 'hint' || how === 'editorial'
      ? html`<b class="how-mark" aria-hidden="true">${words(`groups.mark.${how}`)}</b>`
      : '';
  const late = isLate ? html`<b class="late-mark" aria-hidden="true">${words('groups.mark.late')}</b>` : '';
  return html`
    <td data-state="${state}" title="${text}">
      ${stateIcon(state, isSelfReported)}
      ${mark}
      ${late}
      <span class="sr">${text}</span>
    </td>`;
}

function cellWords({ state, isSelfReported, how, isLate, isUndated }: AssignmentCell): string {
  if (state !== 'complete') return stateLabel(state);
  const parts = [stateLabel('complete')];
  if (isSelfReported) parts.push(words('groups.cell.own'));
  if (how === 'hint' || how === 'editorial') parts.push(words(`groups.cell.${how}`));
  if (isLate) parts.push(words('groups.mark.late'));
  if (isUndated) parts.push(words('marks.dayUnknown'));
  return commaList(parts);
}

interface TableContent {
  groupId: bigint;
  problems: readonly ProblemInList[];
  lines: readonly AssignmentRow[];
  isCoach: boolean;
  basePath: string;
}

function peopleTable({ groupId, problems, lines, isCoach, basePath }: TableContent): Html {
  const head = (problem: ProblemInList, at: number) =>
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
  const nameOf = isCoach ? distinctNames(lines.map(({ person }) => person)) : ownName;
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
        <tbody>
          ${lines.map((line) => tableRow(line, nameOf(line.person), problems.length, { basePath, groupId, isCoach }))}
        </tbody>
        ${isCoach ? foot : ''}
      </table>
    </div>`;
}

type GroupPlace = Pick<TableContent, 'basePath' | 'groupId' | 'isCoach'>;

function tableRow(line: AssignmentRow, name: string, problemCount: number, place: GroupPlace): Html {
  const { basePath, groupId, isCoach } = place;
  const { person, cells, solved, activeAt, isInactive, isBehind } = line;
  const when = activeAt === undefined ? words('time.never') : lastActive(activeAt);
  const quiet = html`<span class="sr">${commas()}${words('groups.quiet')}</span>`;
  return html`
    <tr data-person="${person.user_id}">
      <th scope="row" class="who" title="${person.username}">
        ${personLink(basePath, groupId, person, name)}
        ${isBehind && isCoach ? html` <b class="late-mark">${words('groups.mark.behind')}</b>` : ''}
      </th>
      <td class="sum">
        <span>
          <b>${solved}</b>
          <progress
            class="bar" value="${solved}" max="${problemCount}" aria-label="${words('groups.progressOf', { name })}"
          ></progress>
        </span>
      </td>
      ${cells.map(cellOf)}
      <td class="when">
        ${isInactive ? html`<span class="quiet">${icon('clock')}${when}${quiet}</span>` : when}
      </td>
    </tr>
    \n`;
}

function legend(): Html {
  const one = (mark: Html, text: string) => html`<span>${mark} ${text}</span>`;
  return html`
    <p class="legend">
      ${one(stateIcon('complete'), words('groups.legend.judge'))}
      ${one(stateIcon('complete', true), words('groups.cell.own'))}
      ${one(stateIcon('practicing'), stateLabel('practicing'))}
      ${one(stateIcon('reading'), stateLabel('reading'))}
      ${one(stateIcon('skipped'), stateLabel('skipped'))}
      ${one(html`<b class="how-mark">${words('groups.mark.hint')}</b>`, words('groups.cell.hint'))}
      ${one(html`<b class="how-mark">${words('groups.mark.editorial')}</b>`, words('groups.cell.editorial'))}
      <span><b class="late-mark">${words('groups.mark.late')}</b></span>
    </p>`;
}

function problemItem(problem: ProblemInList, at: number, assignment: AssignedList, basePath: string): Html {
  const { id, title, added_at, memo } = problem;
  const isNew = added_at > assignment.given_at;
  return html`
    <li data-problem="${id}">
      <span class="n">${at + 1}</span>
      <span class="t" title="${memo ? `${title} · ${memo}` : title}">
        <a href="${basePath}${problemPath(id)}">${title}</a>
        ${memo ? html` <span class="faint"><bdi>${memo}</bdi></span>` : ''}
        ${isNew ? html` <span class="tag">${richWords('groups.addedOn', { day: dateElement(added_at) })}</span>` : ''}
      </span>
      ${judgeKey(problem)}
      ${problem.rating !== null && difficulty(problem)}
    </li>`;
}

/*
 * The assignment of a member who is no coach: unsolved problems in the coach's order, then solved ones, in the rows of
 * the problem list.
 */

async function assignmentPage(
  visit: MemberVisit,
  group: GroupWithLists,
  assignment: AssignedList,
  { problems, rows: lines, isListChanged, addedCount }: AssignmentTable,
): Promise<Html> {
  const { basePath } = visit.site;
  const path = assignmentPath(group.id, assignment.list_id);
  const { forms, table: rows, isSolved } = await problemTables(visit, problems, path);
  const unsolved = problems.filter((one) => !isSolved(one));
  const plan = await planOfAssignment(visit, assignment);
  const solved = problems.filter(isSolved);
  const placeOf = new Map(problems.map(({ id }, at) => [id, at]));
  const tagsOf = (at: number, added_at: string) => [
    ...(lines[0]?.cells[at]?.isLate ? [words('groups.mark.late')] : []),
    ...(added_at > assignment.given_at ? [richWords('groups.addedOn', { day: dateElement(added_at) })] : []),
  ];
  const section = (title: string, part: typeof problems) =>
    part.length === 0
      ? ''
      : html`
        <section class="list-section" aria-label="${title}">
          <div class="list-section-head"><h2>${title}</h2><p class="num soft">${part.length}</p></div>
          ${rows(part, title, ({ id, added_at }) => {
            const at = placeOf.get(id) as number;
            return { number: at + 1, tags: tagsOf(at, added_at) };
          })}
        </section>`;
  const listQuery = readProblemQuery(new URLSearchParams({ list: String(assignment.list_id) }));
  const changed = richWords('groups.changedSince', { day: dateElement(assignment.given_at), added: addedCount });
  const details = html`
    <details class="seen-line">
      <summary>${icon('down')}<span>${words('groups.seen')}</span></summary>
      ${legend()}
      ${peopleTable({ groupId: group.id, problems, lines, isCoach: false, basePath })}
      <p class="faint caption">
        ${words('groups.whyMember')} <a href="${basePath}${path}csv/">${words('groups.csv')}</a>
      </p>
    </details>`;
  return groupFrame(
    visit,
    group,
    {
      tab: 'assignments/',
      title: assignment.name,
      subtitle: html`
        ${dueSpan(assignment, group)}
        <span>${words('groups.solvedOf', { solved: solved.length, all: problems.length })}</span>`,
      actions: html`${shortcutsButton()}${otherAssignments(visit.site.basePath, group, assignment)}`,
      kind: 'p-problems',
      styles: ['lists.css'],
      bar: await changeBar(visit, path),
      follow: await followAttributes(visit, 'own'),
    },
    html`
      ${dueNotice(assignment, group.zone, unsolved.length, problems.length)}
      ${plan && plan.left > 0 && unheadedPanel({}, planLines(plan, visit.days.at(Date.now()), basePath))}
      ${isListChanged ? notice('warn', changed) : ''}
      ${await privateResults(visit, problems, pageOf(group, assignment))}
      ${
        problems.length === 0
          ? html`<p class="soft">${words('groups.noProblems')}</p>`
          : html`${section(words('groups.left'), unsolved)}${section(words('state.complete'), solved)}${details}`
      }
      ${problems.length === 0 ? '' : bulkBar(forms, listQuery, problems.length)}`,
  );
}

async function planOfAssignment({ store, member }: MemberVisit, assignment: AssignedList): Promise<Plan | undefined> {
  const [db, id, now] = [store.reader, member.user_id, Date.now()];
  return (await readAssignmentPlans(db, id, [assignment], await readPace(db, id, now), now))(assignment);
}

function otherAssignments(basePath: string, { id, zone, lists }: GroupWithLists, assignment: AssignedList): Html | '' {
  if (lists.length < 2) return '';
  const others = lists.filter((one) => one !== assignment);
  return html`
    <details class="menu end others" name="menu">
      <summary class="button">${words('groups.otherAssignments')}${icon('down')}</summary>
      <div class="menu-panel">
        <ul>
          ${others.map(
            (one) => html`
              <li>
                <a href="${basePath}${assignmentPath(id, one.list_id)}">
                  <span><bdi>${one.name}</bdi><small>${dueText(one, zone)}</small></span>
                </a>
              </li>`,
          )}
        </ul>
      </div>
    </details>`;
}

const dueSpan = ({ due_at }: AssignedList, { zone }: GroupWithLists) =>
  due_at !== null && html`<span><span>${richWords('groups.dueAt', { when: dueMoment(due_at, zone) })}</span></span>`;

function dueNotice({ due_at }: AssignedList, zone: string, unsolved: number, problemCount: number): Html | '' {
  const now = Date.now();
  if (unsolved === 0)
    return problemCount === 0 ? '' : notice('good', words('groups.allSolved', { count: problemCount }));
  const dueUrgency = urgency(due_at, now);
  if (due_at === null || dueUrgency === undefined) return '';
  const when = dueMoment(due_at, zone, now);
  return notice('warn', richWords(`groups.due.${dueUrgency}`, { when, left: unsolved, count: problemCount }));
}

/* Who solved what: a coach sees everybody in the group, a member their own row. Nobody sees notes of others. */

export interface GroupAssignment {
  group: GroupWithLists;
  assignment: GroupWithLists['lists'][number];
}

type TableView = GroupAssignment & {
  groupTable: AssignmentTable;
  lines: AssignmentRow[];
  order: RowOrder;
  hasCoaches: boolean;
};

export async function assignmentOf(visit: MemberVisit): Promise<GroupAssignment> {
  const group = await groupOf(visit);
  const id = parseInt64(visit.params['list'] ?? '');
  const assignment = group.lists.find(({ list_id }) => list_id === id);
  if (!assignment) throw pageNotFound(visit.path);
  return { group, assignment };
}

async function readTableView(
  { store, member, query }: MemberVisit,
  { group, assignment }: GroupAssignment,
  usualOrder: RowOrder = 'name',
): Promise<TableView> {
  const groupTable = await readAssignmentTable(store.reader, group, assignment, member.user_id, Date.now());
  const order = rowOrders.find((one) => one === query.get('order')) ?? usualOrder;
  const hasCoaches = query.get('coaches') === 'true';
  const isShown = ({ person }: AssignmentRow) => hasCoaches || group.role !== 'coach' || person.role === 'member';
  const nameOf = order === 'family' ? familyFirst : fullName;
  const byName = (one: GroupPerson, other: GroupPerson) => compareNames(nameOf(one), nameOf(other));
  const lines = sortRows(groupTable.rows.filter(isShown), order, byName);
  return { group, assignment, groupTable, order, lines, hasCoaches };
}

/** Shows the assignment that is due next or, if none is, the latest one. */
export async function showAssignments(visit: MemberVisit): Promise<PageResult> {
  const group = await groupOf(visit);
  const assignment = currentAssignment(group.lists, Date.now());
  if (assignment) return showAssignmentTable(visit, { group, assignment });
  const content = panel(
    { id: 'lists', heading: words('groups.assignments') },
    noAssignments(group, visit.site.basePath),
  );
  return { html: groupFrame(visit, group, { tab: 'assignments/' }, content) };
}

export async function showTable(visit: MemberVisit): Promise<PageResult> {
  return showAssignmentTable(visit, await assignmentOf(visit));
}

async function showAssignmentTable(visit: MemberVisit, { group, assignment }: GroupAssignment): Promise<PageResult> {
  const course =
    assignment.is_course === 1n && (await readGroupCourse(visit.store.longReader, group.id, assignment, Date.now()));
  // The page of the course says what a member does next.
  if (course && group.role !== 'coach') return { to: listPath(assignment.list_id) };
  if (course) return { html: courseTablePage(visit, group, assignment, course) };
  const lines = await readTableView(visit, { group, assignment });
  const { groupTable } = lines;
  if (group.role !== 'coach') return { html: await assignmentPage(visit, group, assignment, groupTable) };
  const results = await privateResults(visit, groupTable.problems, pageOf(group, assignment));
  const { rows, problems } = groupTable;
  const onCourse = await countOnCourse(visit.store.reader, assignment.due_at, rows, problems.length, Date.now());
  const onCourseText =
    onCourse &&
    html`<span data-on-course>${words('plan.onCourse', { count: onCourse.count, people: onCourse.people })}</span>`;
  return { html: await tablePage(visit, lines, results, onCourseText) };
}

const pageOf = (group: GroupWithLists, { list_id }: AssignedList) => ({
  coachedGroup: group.role === 'coach' ? group.id : undefined,
  from: assignmentPath(group.id, list_id),
});

async function tablePage(
  visit: MemberVisit,
  view: TableView,
  results: Html | '',
  onCourse: Html | undefined,
): Promise<Html> {
  const { group, assignment, groupTable, lines, hasCoaches } = view;
  const { basePath } = visit.site;
  const { problems, omittedCount, addedCount, isListChanged } = groupTable;
  const solved = lines.reduce((sum, line) => sum + line.solved, 0);
  const subtitle = html`
    ${dueSpan(assignment, group)}
    <span>${words(hasCoaches ? 'groups.count' : 'groups.memberCount', { count: lines.length })}</span>
    <span>${words('groups.solvedOf', { solved, all: lines.length * problems.length })}</span>
    ${onCourse}`;
  const noMembers = html`
    <p class="soft">${words('groups.noMembers')}</p>
    <p class="actions">${inviteButton(basePath, group)}</p>`;
  return groupFrame(
    visit,
    group,
    {
      tab: 'assignments/',
      title: assignment.name,
      subtitle,
      actions: otherAssignments(basePath, group, assignment),
      follow: await followAttributes(visit, { groupId: group.id }),
    },
    html`
      ${
        isListChanged &&
        notice('warn', richWords('groups.changedSince', { day: dateElement(assignment.given_at), added: addedCount }))
      }
      ${results}
      ${
        problems.length === 0
          ? html`${tableMenu(basePath, view)}<p class="soft">${words('groups.noProblems')}</p>`
          : html`
            ${tableTools(basePath, view)}
            ${
              lines.length === 0
                ? noMembers
                : peopleTable({ groupId: group.id, problems, lines, isCoach: true, basePath })
            }`
      }
      <section class="key-list" aria-labelledby="problems">
        <h2 id="problems">${words('frame.problems')}</h2>
        <ol>${problems.map((problem, at) => problemItem(problem, at, assignment, basePath))}</ol>
        ${
          omittedCount > 0 &&
          html`
            <p>
              <a href="${basePath}${listPath(assignment.list_id)}">${words('bulk.more', { count: omittedCount })}</a>
            </p>`
        }
      </section>
      <p class="faint caption">${onCourse && words('plan.behindOnCourse')} ${words('groups.whyCoach')}</p>
      ${printedAsOf('groups', group)}`,
  );
}

function tableTools(basePath: string, view: TableView): Html {
  const { group, assignment, lines, order, hasCoaches } = view;
  const texts: Readonly<Record<RowOrder, string>> = {
    name: words('groups.order.name'),
    family: words('profile.field.last_name'),
    solved: words('groups.order.solved'),
    quiet: words('groups.quietFirst', { count: lines.filter(({ isInactive }) => isInactive).length }),
    behind: words('groups.behindFirst', { count: lines.filter(({ isBehind }) => isBehind).length }),
  };
  const option = (one: RowOrder) =>
    html`
      <option value="${one === 'name' ? '' : one}"${attr('selected', one === order)}>
        ${texts[one]}
      </option>`;
  const coachesOption = (isOn: boolean) =>
    html`
      <option value="${isOn ? 'true' : ''}"${attr('selected', isOn === hasCoaches)}>
        ${words(isOn ? 'groups.withCoaches' : 'groups.withoutCoaches')}
      </option>`;
  return html`
    <div class="table-tools">
      <form class="per" action="${basePath}${assignmentPath(group.id, assignment.list_id)}">
        <label>
          <span>${words('groups.orderBy')}</span> <select name="order" autocomplete="off">
            ${rowOrders.filter((one) => one !== 'behind' || assignment.due_at !== null).map(option)}
          </select>
        </label>
        <label>
          <span>${words('groups.show')}</span> <select name="coaches" autocomplete="off">
            ${[false, true].map(coachesOption)}
          </select>
        </label>
        <button class="button small no-script">${words('pages.set')}</button>
      </form>
      <details class="legend-fold"><summary>${words('groups.legend')}</summary>${legend()}</details>
      ${tableMenu(basePath, view)}
    </div>`;
}

function tableMenu(basePath: string, { group, assignment, order, hasCoaches }: TableView): Html {
  const path = basePath + assignmentPath(group.id, assignment.list_id);
  const params = new URLSearchParams();
  if (order !== 'name') params.set('order', order);
  if (hasCoaches) params.set('coaches', 'true');
  const item = (href: string, text: string) => html`<li><a href="${href}">${text}</a></li>`;
  return html`
    <details class="menu end" name="menu">
      <summary class="button">${icon('more')}<span class="sr">${words('frame.more')}</span></summary>
      <div class="menu-panel">
        <ul>
          ${group.archived_at === null && item(`${path}settings/`, words('groups.assignmentSettings'))}
          ${item(`${path}sheet/`, words('sheet.title'))}
          ${item(`${path}csv/${params.size > 0 ? `?${params}` : ''}`, words('groups.csv'))}
          ${item(basePath + listPath(assignment.list_id), words('groups.asList'))}
          <li class="for-script"><button type="button" data-print>${words('groups.print')}</button></li>
        </ul>
      </div>
    </details>`;
}

const familyFirst = (person: GroupPerson) => familyFirstOf(person) || person.username;

/** A member has their own row alone, so that nobody reads student numbers of others. */
export async function downloadTable(visit: MemberVisit): Promise<PageResult> {
  const { group, assignment, groupTable, lines } = await readTableView(visit, await assignmentOf(visit), 'family');
  const heads = ['member', 'username', 'student_number', 'solved', 'late', 'active'];
  const numbers = await studentNumbers(visit, group);
  const momentIn = (at: string) =>
    new Date(daysOfGroup(group).localAt(Date.parse(at))).toISOString().slice(0, 16).replace('T', ' ');
  const titles = groupTable.problems.map(
    ({ source, source_key, title }) => `${judgeOf(source)?.short ?? source} ${source_key} ${title}`,
  );
  const nameOf = group.role === 'coach' ? fullName : ownName;
  const rows = lines.map(({ person, cells, solved, late, activeAt }) => [
    ...[nameOf(person), person.username, numbers.get(person.user_id) ?? null],
    ...[solved, late, activeAt === undefined ? null : momentIn(activeAt)],
    ...cells.map((cell) => (cell.state === 'not_started' ? null : cellWords(cell))),
  ]);
  return csvFile(`${group.name} - ${assignment.name}`, [[...heads, ...titles], ...rows]);
}
