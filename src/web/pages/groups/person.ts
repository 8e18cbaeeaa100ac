/** A person's page in a group, for its coaches and the person: assignments, courses, rounds, season on one sheet. */

import { parseInt64 } from '../../../contract/common.ts';
import type { AssignmentCell } from '../../../practice/assignments.ts';
import { doneIn, isStuck } from '../../../practice/courses.ts';
import { lastActivity, readWork, type Work } from '../../../practice/group-work.ts';
import { readRoundResults } from '../../../practice/rounds.ts';
import type { GroupWithLists } from '../../../store/assignments.ts';
import { type ListedPerson, listGroupPeople } from '../../../store/groups.ts';
import { listRosterPeople } from '../../../store/seasons.ts';
import { dateElement, lastActive } from '../../kit/dates.ts';
import { printButton } from '../../kit/links.ts';
import { stateIcon } from '../../kit/marks.ts';
import { fullName, nameLink, ownName } from '../../kit/member-name.ts';
import { panel } from '../../kit/panel.ts';
import { attr, bdi, type Html, html } from '../../markup.ts';
import { assignmentPath, roundPath, seasonPersonPath } from '../../paths.ts';
import { type MemberVisit, type PageResult, pageNotFound } from '../../request/visits.ts';
import { commas } from '../../words/formats.ts';
import { richWords, words } from '../../words/words.ts';
import { groupFrame, groupOf, noAssignments, printedAsOf } from './frame.ts';
import { dayIn, daysOfGroup, pointsText, readSeasonView } from './season-parts.ts';

/** Only coaches and the person may open the page. */
async function readPerson(visit: MemberVisit, group: GroupWithLists): Promise<ListedPerson> {
  const id = parseInt64(visit.params['person'] ?? '');
  const isAllowed = id !== undefined && (group.role === 'coach' || id === visit.member.user_id);
  const people = isAllowed ? await listGroupPeople(visit.store.reader, group.id) : [];
  const person = people.find(({ user_id, is_disabled }) => user_id === id && is_disabled === 0n);
  if (!person) throw pageNotFound(visit.path);
  return person;
}

export async function showPerson(visit: MemberVisit): Promise<PageResult> {
  const group = await groupOf(visit);
  const person = await readPerson(visit, group);
  const { store, site } = visit;
  const now = Date.now();
  const workOf = await readWork(store.reader, group.lists, [person], now);
  const works = group.lists.map((one) => workOf(person, one));
  const agreed =
    group.has_season === 1n &&
    (await listRosterPeople(store.reader, group.id)).find(({ user_id }) => user_id === person.user_id);
  const lastAt = (agreed ? agreed.practised_at : lastActivity(works)) ?? undefined;
  const last = lastAt === undefined ? words('time.never') : lastActive(lastAt);
  const view = { basePath: site.basePath, group, person, now };
  const name = group.role === 'coach' ? fullName(person) : ownName(person);
  const content = html`
    ${sentence(works)}
    <div class="two">
      ${assignmentsPanel(view, works)}
      <div class="stack">
        ${works.map((work) => coursePanel(view, work))}
        ${roundsPanel(view, await readRoundResults(store.reader, group.id, person.user_id, now))}
        ${agreed && (await seasonPanel(visit, view))}
      </div>
    </div>
    <p class="faint">${words('pupil.sees', { name })}</p>
    ${printedAsOf('groups', group)}`;
  const subtitle = html`
    ${(name !== person.username || person.has_page === 1n) && html`<span>${nameLink(site.basePath, person)}</span>`}
    <span><span>${richWords('groups.since', { day: dateElement(person.joined_at) })}</span></span>
    ${person.student_number && html`<span><span>${words('groups.number')} ${bdi(person.student_number)}</span></span>`}
    <span><span>${words(agreed ? 'roster.practised' : 'groups.active')} ${last}</span></span>`;
  return {
    html: groupFrame(
      visit,
      group,
      { tab: 'people/', title: name, subtitle, actions: printButton(), kind: 'p-pupil' },
      content,
    ),
  };
}

interface PersonView {
  basePath: string;
  group: GroupWithLists;
  person: ListedPerson;
  now: number;
}

function sentence(works: readonly Work[]): Html | false | undefined {
  const lists = works.filter(({ course }) => !course);
  const sum = (of: (work: Work) => number) => lists.reduce((all, work) => all + of(work), 0);
  const [solved, count, late] = [sum((one) => one.solved), sum(({ problems }) => problems), sum((one) => one.late)];
  const stops = works.flatMap(({ course }) => {
    const at = course?.states.findIndex(({ state }) => state === 'now') ?? -1;
    const module = html`${at + 1}. <bdi>${course?.modules[at]?.name ?? ''}</bdi>`;
    return at < 0 ? [] : richWords('pupil.module', { module, days: course?.states[at]?.days ?? 0 });
  });
  const solves = count > 0 && richWords('pupil.solved', { solved, count, late });
  return (solves || stops[0]) && html`<p class="one-sentence">${solves} ${stops[0]}</p>`;
}

interface Line {
  /** What the line is of, for tests. */
  of: Html | '';
  name: Html | string;
  /** Leads to what is counted. */
  to?: string;
  day?: Html;
  picture?: Html;
  count: Html | string;
}

function lineOf({ of, name, to, day, picture, count }: Line): Html {
  const title = html`<bdi>${name}</bdi>`;
  return html`
    <li${of}>
      <p>
        ${to === undefined ? title : html`<a href="${to}">${title}</a>`}
        ${day && html` <span class="faint">${day}</span>`}
      </p>
      ${picture}
      <p class="num">${count}</p>
    </li>`;
}

const bar = (value: number, most: number) =>
  html`<progress class="bar" value="${value}" max="${most}" aria-hidden="true"></progress>`;

/** A row of marks is as wide as this many. */
const marksAtMost = 12;

function marksOf(cells: readonly AssignmentCell[], solved: number): Html {
  if (cells.length > marksAtMost) return bar(solved, cells.length);
  const mark = ({ state, isSelfReported }: AssignmentCell) =>
    state === 'not_started' ? html`<i></i>` : stateIcon(state, isSelfReported);
  return html`<span class="marks" aria-hidden="true">${cells.map(mark)}</span>`;
}

/** A sheet has room for so many; a screen shows all. */
const printedAtMost = 12;

function assignmentsPanel({ basePath, group, now }: PersonView, works: readonly Work[]): Html {
  const lists = works.filter(({ course }) => !course);
  const line = ({ assignment, cells, solved, late }: Work) => {
    const { due_at, given_at, list_id, name } = assignment;
    const isOverdue = due_at !== null && Date.parse(due_at) <= now && solved < cells.length;
    return lineOf({
      of: attr('data-given', list_id),
      name,
      to: basePath + assignmentPath(group.id, list_id),
      day: dayIn(daysOfGroup(group), due_at ?? given_at),
      picture: marksOf(cells, solved),
      count: html`
        ${words('groups.solvedOf', { solved, all: cells.length })}${' '}
        ${
          (isOverdue || late > 0) &&
          html`
            <span class="late">
              ${isOverdue && words('pupil.overdue')}${isOverdue && late > 0 && commas()}
              ${late > 0 && words('pupil.late', { count: late })}
            </span>`
        }`,
    });
  };
  const rest = lists.length - printedAtMost;
  return panel(
    { id: 'assignments', heading: words('groups.assignments'), total: lists.length },
    html`
      ${lists.length === 0 ? noAssignments(group, basePath) : html`<ul class="his">${lists.map(line)}</ul>`}
      ${rest > 0 && html`<p class="print-only soft">${words('bulk.more', { count: rest })}</p>`}`,
  );
}

/** Of the modules those that the person is in. */
function coursePanel({ basePath, group }: PersonView, { assignment, course }: Work): Html | '' {
  if (!course) return '';
  const { modules, states } = course;
  const { done, all } = doneIn(states);
  const line = (one: (typeof states)[number], at: number) => {
    const { state, begunAt, solved, target, days } = one;
    if (state === 'done' || (begunAt === undefined && state !== 'now')) return '';
    return lineOf({
      of: attr('data-module', at + 1),
      name: html`${at + 1}. <bdi>${modules[at]?.name}</bdi>`,
      picture: bar(solved, target),
      count: html`
        ${words('course.count', { solved, target })}
        ${
          days !== undefined &&
          html` <span class="${isStuck(one) ? 'late' : 'soft'}">${words('course.days', { count: days })}</span>`
        }`,
    });
  };
  const { list_id, name } = assignment;
  return panel(
    {
      id: `course-${list_id}`,
      className: 'course-part',
      heading: html`<a href="${basePath}${assignmentPath(group.id, list_id)}"><bdi>${name}</bdi></a>`,
      beside: html`<p class="soft">${words('course.ofModules', { done, all })}</p>`,
    },
    html`<ul class="his">${states.map(line)}</ul>`,
  );
}

function roundsPanel(
  { basePath, group }: PersonView,
  results: Awaited<ReturnType<typeof readRoundResults>>,
): Html | '' {
  if (results.length === 0) return '';
  const line = ({ round, solved, later, problems }: (typeof results)[number]) =>
    lineOf({
      of: attr('data-round', round.id),
      name: round.name,
      to: basePath + roundPath(round.id),
      day: dayIn(daysOfGroup(group), round.starts_at),
      count: html`
        ${words('groups.solvedOf', { solved, all: problems })}
        ${later > 0 && html`${commas()}${words('progress.laterCount', { count: later })}`}`,
    });
  return panel({ id: 'rounds', heading: words('rounds.title') }, html`<ul class="his">${results.map(line)}</ul>`);
}

async function seasonPanel(visit: MemberVisit, { basePath, group, person }: PersonView): Promise<Html> {
  const { season, rows } = (await readSeasonView(visit, group, person.user_id)).table;
  const total = rows[0]?.total ?? 0;
  const line = lineOf({
    of: attr('data-season', season.id),
    name: season.name,
    to: basePath + seasonPersonPath(group.id, season.id, person.user_id),
    count: words('season.pointsOf', { points: pointsText(total), halves: total }),
  });
  return panel({ id: 'season', heading: words('season.title') }, html`<ul class="his">${line}</ul>`);
}
