/** The overview of a group: its people and assignments. A coach changes roles and removes people. */

import { parseInt64 } from '../../../contract/common.ts';
import { readLooks } from '../../../practice/group-work.ts';
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
import { type ListedPerson, listGroupPeople } from '../../../store/groups.ts';
import { dateElement } from '../../kit/dates.ts';
import { form } from '../../kit/form.ts';
import { lookLines } from '../../kit/group-look.ts';
import { icon } from '../../kit/icons.ts';
import { fullName, nameLink, personLink } from '../../kit/member-name.ts';
import { panel } from '../../kit/panel.ts';
import { currentRounds } from '../../kit/round-parts.ts';
import { bdi, type Html, html } from '../../markup.ts';
import { assignmentPath, groupPath, groupsPath, newDuelPath } from '../../paths.ts';
import { fieldText, idIn, refusalText } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, pageNotFound } from '../../request/visits.ts';
import { afterColon } from '../../words/formats.ts';
import { richWords, words } from '../../words/words.ts';
import {
  addressWithNotice,
  coachOfGroup,
  confirmed,
  dueText,
  groupFrame,
  groupOf,
  inviteButton,
  noAssignments,
} from './frame.ts';
import { teamsPanel } from './teams.ts';

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

const behindAtMost = 12;

async function overviewPage(visit: MemberVisit, group: GroupWithLists, fault?: string): Promise<Html> {
  const { store, site, member } = visit;
  const people = await listGroupPeople(store.reader, group.id);
  const own = group.role === 'coach' ? people : people.filter(({ user_id }) => user_id === member.user_id);
  const isArchived = group.archived_at !== null;
  const [look] = await readLooks(store.longReader, isArchived ? [] : [group], own, Date.now());
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
      ...(isCoach &&
        !isArchived && {
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
      ${
        look &&
        (isCoach ? group.lists.length > 0 && look.learners.length > 0 : look.dues.length > 0) &&
        panel(
          { id: 'due', heading: words(isCoach ? 'look.title' : 'groups.dueSoon') },
          lookLines(look, {
            basePath: site.basePath,
            namesAtMost: behindAtMost,
            isOfGroup: true,
            ownId: isCoach ? undefined : member.user_id,
          }),
        )
      }
      ${(await currentRounds(visit, group)).joined}
      ${panel({ id: 'lists', heading: words('groups.assignments') }, assignmentLists(group, site.basePath))}
      ${await teamsPanel(visit, group)}
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

function personLine(visit: MemberVisit, group: GroupWithLists, person: ListedPerson): Html {
  const { user_id, username, role, joined_at, student_number } = person;
  const isCoach = group.role === 'coach';
  const name = isCoach ? fullName(person) : username;
  const canDuel = group.archived_at === null && person.is_disabled === 0n && user_id !== visit.member.user_id;
  const duel = `${visit.site.basePath}${newDuelPath}?group=${group.id}&person=${user_id}`;
  return html`
    <li data-person="${user_id}">
      <p>
        <b>
          ${
            isCoach || user_id === visit.member.user_id
              ? personLink(visit.site.basePath, group.id, person, name)
              : nameLink(visit.site.basePath, person, name)
          }
        </b>
        ${name !== username && html` <span class="faint">${nameLink(visit.site.basePath, person)}</span>`}
        ${
          isCoach &&
          student_number &&
          html` <span class="faint"><span class="sr">${words('groups.number')} </span>${bdi(student_number)}</span>`
        }
      </p>
      ${role === 'coach' && html`<span class="tag">${words('groups.role.coach')}</span>`}
      ${
        canDuel &&
        html`
          <a class="button small quiet" href="${duel}">
            ${words('duels.new')}<span class="sr">${afterColon(name)}</span>
          </a>`
      }
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
  const label = html`${words('groups.number')}<span class="sr">${afterColon(name)}</span>`;
  const number = html`
    <details class="sure">
      <summary class="button small quiet">${label}</summary>
      <input
        name="number" value="${student_number ?? ''}" maxlength="${longestStudentNumber}" autocomplete="off"
        aria-label="${words('groups.number')}${afterColon(name)}"
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
