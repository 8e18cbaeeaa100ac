/** The parts that pages of a group share: who may open them, their frame with its tabs, and names of people. */

import { parseInt64 } from '../../../contract/common.ts';
import { type AssignedList, findGroupWithLists, type GroupWithLists } from '../../../store/assignments.ts';
import { listGroupPeople } from '../../../store/groups.ts';
import type { AssetName } from '../../kit/assets.ts';
import { dateElement } from '../../kit/dates.ts';
import { dueMoment } from '../../kit/due.ts';
import { actions, button, form } from '../../kit/form.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { icon } from '../../kit/icons.ts';
import { findProblemLink, linkButton, segmentedLinks } from '../../kit/links.ts';
import { distinctNames, type NamedPerson } from '../../kit/member-name.ts';
import { notice, panel, successNotice } from '../../kit/panel.ts';
import { attr, bdi, type Html, html } from '../../markup.ts';
import { groupPath, groupsPath } from '../../paths.ts';
import { type MemberVisit, pageNotFound } from '../../request/visits.ts';
import { richWords, words } from '../../words/words.ts';

/** Throws unknownPath also for somebody who is not in the group, so that nobody learns which groups exist. */
export async function groupOf({ store, member, params, path }: MemberVisit): Promise<GroupWithLists> {
  const id = parseInt64(params['id'] ?? '');
  const group = id === undefined ? undefined : await findGroupWithLists(store.reader, id, member.user_id);
  if (!group) throw pageNotFound(path);
  return group;
}

export async function coachedGroupOf(visit: MemberVisit): Promise<GroupWithLists> {
  const group = await groupOf(visit);
  if (group.role !== 'coach') throw pageNotFound(visit.path);
  return group;
}

export const coachOfGroup = ({ member }: MemberVisit, { id }: GroupWithLists) => ({
  groupId: id,
  coachId: member.user_id,
});

/** Coaches read names, with the username where two in the group have the same; others read usernames. */
export async function namesIn({ store }: MemberVisit, { id, role }: GroupWithLists) {
  if (role !== 'coach') return ({ username }: NamedPerson) => username;
  return distinctNames(await listGroupPeople(store.reader, id));
}

/** Only for a coach, or of the visitor alone. */
export async function studentNumbers({ store }: MemberVisit, { id }: GroupWithLists) {
  const people = await listGroupPeople(store.reader, id);
  return new Map(people.map(({ user_id, student_number }) => [user_id, student_number]));
}

export const sessionOf = ({ member, sealing }: MemberVisit) => ({ id: member.id, sealing });

/** Messages after a change, by the value of `done` in the address. */
const doneMessages = {
  made: 'groups.done.made',
  joined: 'groups.done.joined',
  left: 'groups.done.left',
  deleted: 'groups.done.deleted',
  saved: 'groups.done.saved',
  declined: 'groups.done.declined',
  archived: 'groups.done.archived',
  unarchived: 'groups.done.unarchived',
  role: 'groups.done.role',
  removed: 'groups.done.removed',
  revoked: 'groups.done.revoked',
  given: 'groups.done.given',
  past: 'groups.done.past',
  results: 'results.done',
  taken: 'groups.done.taken',
  board: 'groups.done.board',
  noBoard: 'groups.done.noBoard',
  key: 'groups.done.key',
  noKey: 'groups.done.noKey',
  stands: 'groups.done.stands',
  offBoard: 'groups.done.offBoard',
  inSeason: 'season.done.shown',
  notInSeason: 'season.done.hidden',
  season: 'season.done.saved',
  noSeason: 'season.done.deleted',
  contests: 'season.done.added',
  contestOut: 'season.done.removed',
  points: 'season.done.points',
} as const;
export type GroupDone = keyof typeof doneMessages;

export const addressWithNotice = (path: string, done: GroupDone) => `${path}?done=${done}`;

export const groupNotice = (visit: MemberVisit) => successNotice(visit, doneMessages);

/** The newest course has a tab; earlier ones are among the assignments. */
const courseOf = ({ lists }: GroupWithLists) => lists.find(({ is_course }) => is_course === 1n);
export const courseTab = (group: GroupWithLists, { list_id }: AssignedList) =>
  courseOf(group)?.list_id === list_id ? `assignments/${list_id}/` : 'assignments/';

interface GroupPage {
  /** The path of the page below that of the group. */
  tab: string;
  /** The heading, by default the name of the group. */
  title?: string;
  /** The page above it, between the group and this one. */
  parent?: readonly [href: string, title: string];
  subtitle?: Html | string;
  /** An archived group has only those that read. */
  actions?: Html | '';
  fault?: string | undefined;
  styles?: readonly AssetName[];
  scripts?: readonly AssetName[];
  kind?: string;
  /** Offers to undo the last change. */
  bar?: Html | undefined;
  follow?: Html;
}

export function groupFrame(visit: MemberVisit, group: GroupWithLists, page: GroupPage, content: Html): Html {
  const { basePath } = visit.site;
  const { tab, title, parent, subtitle, actions, fault, styles = [], scripts = [], kind = '', bar, follow } = page;
  const isArchived = group.archived_at !== null;
  const tabs: [end: string, name: string][] = [
    ['', words('groups.overview')],
    ['assignments/', words('groups.assignments')],
    ['rounds/', words('rounds.title')],
  ];
  const isCoach = group.role === 'coach';
  const hasSeason = group.has_season === 1n;
  const hasSeasonTab = hasSeason || isCoach;
  const course = courseOf(group);
  if (course) tabs.splice(2, 0, [courseTab(group, course), words('groups.course')]);
  // Beside the season the board is a view of it, so that there are at most seven tabs.
  if (group.has_board === 1n && !hasSeasonTab) tabs.push(['board/', words('board.title')]);
  if (hasSeasonTab) tabs.push(['season/', words('season.title')]);
  if (isCoach) tabs.push(['people/', words('roster.title')]);
  if (isCoach) tabs.push(['settings/', words('groups.settings')]);
  const seasonQuestionPanel =
    !isArchived && hasSeason && !isCoach && group.in_season === null && seasonQuestion(visit, group.id);
  const base = basePath + groupPath(group.id);
  const help = isCoach && html`<span><a href="${basePath}/docs/coaches/">${words('docs.coaches')}</a></span>`;
  const seen = title === undefined && html`<span><a href="${base}seen/">${words('groups.seen')}</a></span>${help}`;
  const isOfSeason = ['season/', 'board/'].includes(tab) && hasSeasonTab;
  const currentTab = isOfSeason ? 'season/' : tab;
  const pageTitle = title ?? (tab === '' ? undefined : tabs.find(([end]) => end === tab)?.[1]);
  const crumbs: (readonly [string, string])[] = [[basePath + groupsPath, words('frame.groups')]];
  if (title !== undefined) crumbs.push([base, group.name]);
  if (parent) crumbs.push(parent);
  return frame(
    visit,
    {
      title: pageTitle === undefined ? group.name : words('groups.titleOf', { title: pageTitle, group: group.name }),
      current: groupsPath,
      kind: `p-group ${kind}`,
      styles: ['groups.css', ...styles],
      scripts,
      bar,
      follow,
    },
    html`
      ${pageHead(bdi(title ?? group.name), {
        crumbs,
        ...((subtitle || seen) && { sub: html`${subtitle}${seen}` }),
        ...(actions && { actions }),
      })}
      <nav class="tabs" aria-label="${words('groups.tabs')}">
        <ul>
          ${tabs.map(
            ([end, name]) =>
              html`
                <li>
                  <a href="${base}${end}" title="${name}"${attr('aria-current', end === currentTab && 'page')}>
                    <bdi class="cut">${name}</bdi>
                  </a>
                </li>`,
          )}
        </ul>
      </nav>
      <div class="stack">
        ${groupNotice(visit)}${isArchived && archivedNotice(visit, group)}
        ${fault && notice('bad', fault)}${seasonQuestionPanel}
        ${isOfSeason && group.has_board === 1n && boardLinks(base, tab)}${content}
      </div>`,
  );
}

const boardLinks = (base: string, tab: string) =>
  html`
    <div class="actions">
      ${segmentedLinks(words('season.title'), [
        [`${base}season/`, words('season.title'), tab === 'season/'],
        [`${base}board/`, words('board.title'), tab === 'board/'],
      ])}
    </div>`;

function archivedNotice(visit: MemberVisit, { id, role }: GroupWithLists): Html {
  const undo = actions(button(words('groups.unarchive'), '', ['archived', 'false']));
  return html`
    ${notice('warn', words('groups.archivedText'))}
    ${role === 'coach' && form(visit, { to: `${groupPath(id)}settings/` }, undo)}`;
}

/** Asks a member who joined before the group had a season. Until they answer, nobody sees them in it. */
function seasonQuestion(visit: MemberVisit, groupId: bigint): Html {
  const answers = actions(
    button(words('season.yes'), 'primary', ['season', 'true']),
    button(words('season.no'), '', ['season', 'false']),
  );
  return panel(
    { id: 'season-question', heading: words('season.ask') },
    html`
      <p class="soft">${words('season.askText')}</p>
      <ul class="seen">${seasonDisclosures.map((key) => html`<li>${words(key)}</li>`)}</ul>
      ${form(visit, { to: `${groupPath(groupId)}seen/` }, answers)}`,
  );
}

/** What a coach sees of people who agreed to be shown in seasons. */
export const seasonDisclosures = ['groups.sees.season', 'groups.sees.roster', 'groups.sees.next'] as const;

export function inviteButton(basePath: string, { id, archived_at }: GroupWithLists): Html {
  if (archived_at !== null) return html``;
  return html`
    <a class="button primary" href="${basePath}${groupPath(id)}settings/#links">
      ${icon('people')}
      <span>${words('groups.invite')}</span>
    </a>`;
}

/** A button that opens a sentence with the button that acts. */
export function confirmed(
  label: Html,
  sentence: string,
  [name, value]: [string, bigint | string],
  kind = 'quiet',
): Html {
  return html`
    <details class="sure">
      <summary class="button small ${kind}">${label}</summary>
      <small class="soft">${sentence}</small>
      <button class="button small ${kind}" name="${name}" value="${value}">${label}</button>
    </details>`;
}

export const dueText = ({ due_at, given_at }: AssignedList, zone: string) =>
  due_at === null
    ? richWords('groups.givenOn', { day: dateElement(given_at) })
    : richWords('groups.dueAt', { when: dueMoment(due_at, zone) });

export function noAssignments({ id, role, archived_at }: GroupWithLists, basePath: string): Html {
  const next =
    role === 'coach' && archived_at === null
      ? linkButton(`${basePath}${groupPath(id)}give/`, words('groups.give'), { symbol: 'plus' })
      : findProblemLink(basePath);
  return html`<p class="soft">${words('groups.noneGiven')}</p>${actions(next)}`;
}

export function printedAsOf(kind: 'groups' | 'season', { name, zone }: GroupWithLists, rule = ''): Html {
  // The time is rounded to the minute, so that the page's entity tag stays the same within a minute.
  const asOf = new Date(new Date().setUTCSeconds(0, 0)).toISOString();
  const when = dueMoment(asOf, zone);
  const text =
    kind === 'season'
      ? richWords('season.asOf', { group: name, when })
      : richWords('groups.asOf', { group: name, when });
  return html`<p class="print-only caption">${text}${rule && ` ${rule}`}</p>`;
}
