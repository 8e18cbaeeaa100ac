/** The teams of a group. A coach makes them. */
import { parseInt64 } from '../../../contract/common.ts';
import { dayIn, hasDeclined, isAsked, isInTeamOn, makeTeam, teamLimits } from '../../../practice/teams.ts';
import type { GroupWithLists } from '../../../store/assignments.ts';
import { listGroupPeople } from '../../../store/groups.ts';
import { listTeamMembers, listTeams, type TeamMember, type TeamsTable } from '../../../store/teams.ts';
import { form, formActions, selectField, textField } from '../../kit/form.ts';
import { distinctNames } from '../../kit/member-name.ts';
import { panel } from '../../kit/panel.ts';
import { bdi, type Html, html } from '../../markup.ts';
import { teamPath, teamsPath } from '../../paths.ts';
import { fieldText, refusalText } from '../../request/fields.ts';
import type { MemberVisit, PageResult } from '../../request/visits.ts';
import { compareNames, utcFormat } from '../../words/formats.ts';
import { richWords, words } from '../../words/words.ts';
import { addressWithNotice, coachedGroupOf, coachOfGroup, groupFrame, groupOf, namesIn } from './frame.ts';

const dayFormat = utcFormat({ day: 'numeric', month: 'short', year: 'numeric' });
export const dayText = (day: string) => html`<time datetime="${day}">${dayFormat.format(Date.parse(day))}</time>`;

/** Who has not agreed is shown to coaches and, until they decline, to that person. */
export const isShownIn =
  ({ member }: MemberVisit, { role }: GroupWithLists) =>
  (one: TeamMember) =>
    one.has_agreed === 1n || role === 'coach' || (one.user_id === member.user_id && isAsked(one));

export async function showTeams(visit: MemberVisit): Promise<PageResult> {
  return { html: await teamsPage(visit, await groupOf(visit)) };
}

export async function submitTeams(visit: MemberVisit): Promise<PageResult> {
  const group = await coachedGroupOf(visit);
  const { form: values, store } = visit;
  try {
    const id = await makeTeam(store, coachOfGroup(visit, group), {
      name: fieldText(values, 'name', 1000),
      firstDay: fieldText(values, 'first', 30),
      userIds: values.getAll('person').flatMap((text) => parseInt64(text) ?? []),
    });
    return { to: addressWithNotice(teamPath(group.id, id), 'saved') };
  } catch (error) {
    return { html: await teamsPage(visit, group, refusalText(error)), status: 422 };
  }
}

const canMakeTeam = ({ role, archived_at }: GroupWithLists) => role === 'coach' && archived_at === null;

async function teamsPage(visit: MemberVisit, group: GroupWithLists, fault?: string): Promise<Html> {
  const canMake = canMakeTeam(group);
  const { lines } = await teamLines(visit, group);
  const content = html`
    ${lines.length > 0 && panel({ id: 'teams', heading: words('team.title') }, html`<ul class="people">${lines}</ul>`)}
    ${canMake && panel({ id: 'make', heading: words('team.make') }, await makeForm(visit, group))}`;
  return groupFrame(visit, group, { tab: '', title: words('team.title'), fault }, content);
}

/** On the first page of the group; nothing for members of a group without teams. */
export async function teamsPanel(visit: MemberVisit, group: GroupWithLists): Promise<Html | ''> {
  const { lines, current } = await teamLines(visit, group);
  if (lines.length === 0 && !canMakeTeam(group)) return '';
  const href = visit.site.basePath + teamsPath(group.id);
  const text = lines.length > 0 ? words('strip.all', { count: lines.length }) : words('team.make');
  return panel(
    { id: 'teams', heading: words('team.title'), beside: html`<a href="${href}">${text}</a>` },
    current.length > 0
      ? html`<ul class="people">${current}</ul>`
      : html`${canMakeTeam(group) && html`<p class="soft">${words('team.makeText')}</p>`}`,
  );
}

/** Teams with somebody in them today, or to come, are first. */
async function teamLines(visit: MemberVisit, group: GroupWithLists) {
  const { reader } = visit.store;
  const nameOf = await namesIn(visit, group);
  const shown = (await listTeamMembers(reader, { groupId: group.id })).filter(isShownIn(visit, group));
  const members = Map.groupBy(shown, ({ team_id }) => team_id);
  const today = dayIn(group);
  const teams = (await listTeams(reader, group.id)).toSorted((a, b) => compareNames(a.name, b.name));
  const isPast = ({ id }: TeamsTable) => members.get(id)?.every(({ last_day }) => (last_day ?? '9') < today) ?? false;
  const line = (team: TeamsTable) => teamLine(visit, group, team, members.get(team.id) ?? [], nameOf);
  const current = teams.filter((team) => !isPast(team)).map(line);
  return { current, lines: [...current, ...teams.filter(isPast).map(line)] };
}

function teamLine(
  { site }: MemberVisit,
  group: GroupWithLists,
  { id, name }: TeamsTable,
  all: readonly TeamMember[],
  nameOf: (one: TeamMember) => string,
) {
  const today = all.filter((one) => isInTeamOn(one, dayIn(group)));
  const shown = today.length > 0 ? today : all;
  const names = new Map(shown.map((one) => [one.user_id, one]));
  const [first] = shown.map(({ first_day }) => first_day).toSorted();
  return html`
    <li data-team="${id}">
      <p><a href="${site.basePath}${teamPath(group.id, id)}"><bdi>${name}</bdi></a></p>
      ${[...names.values()].map((one) => html`<span>${memberName(one, nameOf(one))}</span>`)}
      ${first !== undefined && html`<span class="soft">${richWords('groups.since', { day: dayText(first) })}</span>`}
    </li>`;
}

export const memberName = (one: TeamMember, name: string) =>
  html`
    ${bdi(name)}
    ${
      one.has_agreed === 0n &&
      html` <span class="tag">${words(hasDeclined(one) ? 'team.declined' : 'team.pending')}</span>`
    }`;

export async function personChoices(
  { store }: MemberVisit,
  group: GroupWithLists,
  inTeam: readonly Pick<TeamMember, 'user_id'>[] = [],
) {
  const people = (await listGroupPeople(store.reader, group.id)).filter(
    (one) => one.is_disabled === 0n && !inTeam.some(({ user_id }) => user_id === one.user_id),
  );
  const nameOf = distinctNames(people);
  const choices = people.map((one) => [String(one.user_id), nameOf(one)] as const);
  return [['', '–'] as const, ...choices.toSorted((a, b) => compareNames(a[1], b[1]))];
}

export const firstDayField = ({ form: values }: MemberVisit, group: GroupWithLists) =>
  textField(words('team.first'), 'first', {}, { type: 'date', value: values.get('first') ?? dayIn(group) });

async function makeForm(visit: MemberVisit, group: GroupWithLists): Promise<Html> {
  const { form: values } = visit;
  const choices = await personChoices(visit, group);
  const chosen = values.getAll('person');
  const places = Array.from({ length: teamLimits.people }, (_, at) => at);
  const fields = html`
    <p class="soft">${words('team.makeText')}</p>
    ${textField(words('team.name'), 'name', {}, { value: values.get('name') ?? '', longest: teamLimits.name })}
    ${places.map((at) =>
      selectField(words('team.person', { number: at + 1 }), 'person', choices, chosen[at] ?? '', {
        isRequired: at < teamLimits.least,
      }),
    )}
    ${firstDayField(visit, group)}
    ${formActions(words('team.make'))}`;
  return form(visit, { to: teamsPath(group.id), className: 'form' }, fields);
}
