/** The overview of a group: its people and assignments. A coach changes roles and removes people. */

import { parseInt64 } from '../../../contract/common.ts';
import { type DueProgress, readDueProgress } from '../../../practice/assignments.ts';
import {
  isActiveCoach,
  isLargeEnoughToPublish,
  leaveGroup,
  longestStudentNumber,
  removeFromGroup,
  setGroupRole,
  setStudentNumber,
} from '../../../practice/groups.ts';
import type { GroupWithLists } from '../../../store/assignments.ts';
import { type GroupPerson, listGroupPeople } from '../../../store/groups.ts';
import { dateElement } from '../../kit/dates.ts';
import { dueMoment, urgency } from '../../kit/due.ts';
import { form } from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { nameLink } from '../../kit/member-name.ts';
import { panel } from '../../kit/panel.ts';
import { bdi, type Html, html } from '../../markup.ts';
import { assignmentPath, groupPath, groupsPath } from '../../paths.ts';
import { fieldText, idIn, refusalText } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, pageNotFound } from '../../request/visits.ts';
import { richWords, words } from '../../words/words.ts';
import {
  addressWithNotice,
  coachOfGroup,
  confirmed,
  distinctNames,
  dueText,
  fullName,
  groupFrame,
  groupOf,
  inviteButton,
  noAssignments,
} from './frame.ts';

export async function showOverview(visit: MemberVisit): Promise<PageResult> {
  return { html: await overviewPage(visit, await groupOf(visit)) };
}

export async function submitOverview(visit: MemberVisit): Promise<PageResult> {
  const group = await groupOf(visit);
  try {
    return await handleForm(visit, group);
  } catch (error) {
    return { html: await overviewPage(visit, group, refusalText(error)), status: 422 };
  }
}

async function handleForm(visit: MemberVisit, group: GroupWithLists): Promise<PageResult> {
  const { store, member, form, path } = visit;
  const { id } = group;
  const coach = coachOfGroup(visit, group);
  if (form.has('leave')) {
    await leaveGroup(store, id, member.user_id);
    return { to: addressWithNotice(groupsPath, 'left') };
  }
  const personIn = (name: string) => idIn(fieldText(form, name, 30), parseInt64);
  if (form.has('remove')) {
    const person = personIn('remove');
    const isSelf = person === member.user_id;
    const wasMember = await (isSelf ? leaveGroup(store, id, person) : removeFromGroup(store, coach, person));
    if (!wasMember) throw pageNotFound(path);
    return { to: isSelf ? addressWithNotice(groupsPath, 'left') : addressWithNotice(groupPath(id), 'removed') };
  }
  if (form.has('numbered')) {
    const number = form.get('number') ?? '';
    if (!(await setStudentNumber(store, coach, personIn('numbered'), number))) throw pageNotFound(path);
    return { to: addressWithNotice(groupPath(id), 'saved') };
  }
  const role = form.has('coach') ? 'coach' : 'member';
  if (!(await setGroupRole(store, coach, personIn(role), role))) throw pageNotFound(path);
  return { to: addressWithNotice(groupPath(id), 'role') };
}

async function overviewPage(visit: MemberVisit, group: GroupWithLists, fault?: string): Promise<Html> {
  const { store, site } = visit;
  const people = await listGroupPeople(store.reader, group.id);
  const due = await readDueProgress(store.reader, group, Date.now());
  const action = site.basePath + groupPath(group.id);
  const isCoach = group.role === 'coach';
  const coaches = people.filter(({ role }) => role === 'coach').length;
  const isAlone = people.length === 1;
  const active = people.filter(({ is_disabled }) => is_disabled === 0n).length;
  return groupFrame(
    visit,
    group,
    {
      tab: '',
      subtitle: html`
        <span>${words('groups.count', { count: people.length })}</span>
        <span>${words('groups.coaches', { count: coaches })}</span>`,
      ...(isCoach && {
        actions: html`
          ${
            isLargeEnoughToPublish(active - 1) &&
            html`<a class="button" href="${action}pick/">${icon('random')}<span>${words('groups.pick')}</span></a>`
          }
          <a class="button${isAlone ? '' : ' primary'}" href="${action}give/">
            ${icon('plus')}
            <span>${words('groups.give')}</span>
          </a>
          ${isAlone && inviteButton(site.basePath, group)}`,
      }),
      fault,
    },
    html`
      ${due.length > 0 && panel({ id: 'due', heading: words('groups.dueSoon') }, dueLines(visit, group, people, due))}
      ${panel({ id: 'lists', heading: words('groups.assignments') }, assignmentLists(group, site.basePath))}
      ${panel(
        { id: 'group-people', heading: words('groups.people') },
        html`
          <ul class="people" data-total="${people.length}">
            ${people.map((person) => personLine(visit, group, person))}
          </ul>`,
      )}
      ${panel({ id: 'leave', heading: words('groups.leaveTitle') }, leaveForm(visit, group, people))}`,
  );
}

const behindAtMost = 12;

/** What is due, with one's own count, and for coaches who is behind. */
function dueLines(
  { member, site }: MemberVisit,
  { id, role, zone }: GroupWithLists,
  people: readonly ListedPerson[],
  due: readonly DueProgress[],
): Html {
  const nameOf = distinctNames(people);
  const learners = people.filter((one) => one.role === 'member' && one.is_disabled === 0n);
  return html`
    <ul class="due-list">
      ${due.map(({ assignment, problems, solved, expected }) => {
        const solvedBy = ({ user_id }: Pick<GroupPerson, 'user_id'>) => solved.get(user_id) ?? 0;
        const near = urgency(assignment.due_at, Date.now());
        const when = dueMoment(assignment.due_at ?? '', zone, Date.now());
        const href = `${site.basePath}${assignmentPath(id, assignment.list_id)}`;
        const behind = learners
          .filter((one) => solvedBy(one) < expected)
          .toSorted((one, other) => solvedBy(one) - solvedBy(other));
        const finished = learners.filter((one) => solvedBy(one) >= problems).length;
        const count =
          role === 'coach'
            ? words('groups.finishedBy', { done: finished, count: learners.length })
            : words('groups.solvedOf', { solved: solvedBy(member), all: problems });
        return html`
          <li data-due="${assignment.list_id}">
            <p class="due-head">
              <a href="${href}"><bdi>${assignment.name}</bdi></a>${' '}
              <span class="${near ?? 'soft'}">
                ${richWords(near === 'late' ? 'groups.wasDue' : 'groups.dueAt', { when })}
              </span>${' '}
              <span class="num">${count}</span>
            </p>
            ${role === 'coach' && behindLine(behind, nameOf, (one) => `${solvedBy(one)}/${problems}`, href)}
          </li>`;
      })}
    </ul>`;
}

function behindLine(
  behind: readonly GroupPerson[],
  nameOf: (one: GroupPerson) => string,
  countOf: (one: GroupPerson) => string,
  href: string,
): Html {
  if (behind.length === 0) return html`<p class="soft">${words('groups.nobodyBehind')}</p>`;
  const rest = behind.length - behindAtMost;
  return html`
    <p class="behind">
      <b>${words('groups.behind')}</b>
      ${behind
        .slice(0, behindAtMost)
        .map(
          (one) => html`<span class="tag"><bdi>${nameOf(one)}</bdi> <span class="num">${countOf(one)}</span></span>`,
        )}
      ${rest > 0 && html`<a href="${href}">${words('groups.moreBehind', { count: rest })}</a>`}
    </p>`;
}

type ListedPerson = Awaited<ReturnType<typeof listGroupPeople>>[number];

function personLine(visit: MemberVisit, group: GroupWithLists, person: ListedPerson): Html {
  const { user_id, username, role, joined_at } = person;
  const isCoach = group.role === 'coach';
  const name = isCoach ? fullName(person) : username;
  return html`
    <li data-person="${user_id}">
      <p>
        <b>${nameLink(visit.site.basePath, person, name)}</b>
        ${name !== username && html` <span class="faint"><bdi>${username}</bdi></span>`}
      </p>
      ${role === 'coach' && html`<span class="tag">${words('groups.role.coach')}</span>`}
      ${
        isCoach &&
        html`
          <span class="soft">${richWords('groups.since', { day: dateElement(joined_at) })}</span>
          ${group.archived_at === null && personButtons(visit, group.id, person)}`
      }
    </li>`;
}

function personButtons(visit: MemberVisit, groupId: bigint, person: ListedPerson): Html {
  const { role, user_id, student_number } = person;
  const name = fullName(person);
  const next = role === 'coach' ? 'member' : 'coach';
  const label = html`${words('groups.number')}<span class="sr">: ${name}</span> ${bdi(student_number ?? '')}`;
  const number = html`
    <details class="sure">
      <summary class="button small quiet">${label}</summary>
      <input
        name="number" value="${student_number ?? ''}" maxlength="${longestStudentNumber}" autocomplete="off"
        aria-label="${words('groups.number')}: ${name}"
      >
      <button class="button small" name="numbered" value="${user_id}">${words('groups.save')}</button>
    </details>`;
  return html`
    ${role === 'member' && form(visit, { to: groupPath(groupId), className: 'actions' }, number)}
    ${form(
      visit,
      { to: groupPath(groupId), className: 'actions' },
      html`
        ${confirmed(richWords(`groups.become.${next}`, { name }), words(`groups.sure.${next}`), [next, user_id])}
        ${confirmed(richWords('groups.remove', { name }), words('groups.sure.remove'), ['remove', user_id], 'danger')}`,
    )}`;
}

/** The last coach leaves a group of others only after somebody else has become one. */
function leaveForm(visit: MemberVisit, { id, role }: GroupWithLists, people: readonly ListedPerson[]): Html {
  const isAlone = people.length === 1;
  const isLastCoach = role === 'coach' && people.filter(isActiveCoach).length === 1;
  const text = !isLastCoach ? 'groups.leaveText' : isAlone ? 'groups.leaveLast' : 'groups.leaveFirst';
  if (isLastCoach && !isAlone) return html`<p class="soft">${words(text)}</p>`;
  const leaveButton = confirmed(html`${words('groups.leave')}`, words(text), ['leave', 'yes'], 'danger');
  return form(visit, { to: groupPath(id) }, leaveButton);
}

function assignmentLists(group: GroupWithLists, basePath: string): Html {
  const { id, zone, lists } = group;
  if (lists.length === 0) return noAssignments(group, basePath);
  return html`
    <ul class="given" data-total="${lists.length}">
      ${lists.map(
        (assignment) =>
          html`
            <li data-given="${assignment.list_id}">
              <p><a href="${basePath}${assignmentPath(id, assignment.list_id)}"><bdi>${assignment.name}</bdi></a></p>
              <p class="soft">${dueText(assignment, zone)}</p>
            </li>`,
      )}
    </ul>`;
}
