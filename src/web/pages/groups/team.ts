/** A team: what its people took together, what is left, who wrote what, and who is in it when. */
import { parseInt64 } from '../../../contract/common.ts';
import { shortTitle } from '../../../judges/judges.ts';
import { assertNotArchived } from '../../../practice/groups.ts';
import { readPreferences } from '../../../practice/preferences.ts';
import {
  leftToUpsolve,
  readTeamHistory,
  setAuthor,
  type TeamContest,
  type TeamHistory,
  type TeamProblem,
} from '../../../practice/team-contests.ts';
import {
  addToTeam,
  agreeToTeam,
  changeTeamName,
  dayIn,
  endTeamMembership,
  hasDeclined,
  isAsked,
  isInTeamOn,
  leaveTeam,
  removeTeam,
  teamLimits,
} from '../../../practice/teams.ts';
import type { GroupWithLists } from '../../../store/assignments.ts';
import { findTeam, listTeamMembers, type TeamMember, type TeamsTable } from '../../../store/teams.ts';
import { changeBar } from '../../kit/changes.ts';
import { dateElement } from '../../kit/dates.ts';
import { difficulty } from '../../kit/difficulty.ts';
import { actions, button, form, selectField, textField } from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { linkButton } from '../../kit/links.ts';
import { judgeBadge, judgeKey, problemLink, statusControl } from '../../kit/marks.ts';
import { panel } from '../../kit/panel.ts';
import { findMarks } from '../../kit/problem-table.ts';
import { hoursText } from '../../kit/round-parts.ts';
import { stackedTable, type TableRow } from '../../kit/table.ts';
import { attr, bdi, type Html, html } from '../../markup.ts';
import { nextContestsPath, teamPath, teamsPath } from '../../paths.ts';
import { fieldText, idIn, refusalText } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, pageNotFound } from '../../request/visits.ts';
import { afterColon } from '../../words/formats.ts';
import { richWords, words } from '../../words/words.ts';
import { addressWithNotice, coachOfGroup, groupFrame, groupOf, namesIn } from './frame.ts';
import { teamContestsPanel } from './next-contests.ts';
import { dayText, firstDayField, isShownIn, memberName, personChoices } from './teams.ts';

interface TeamView {
  group: GroupWithLists;
  team: TeamsTable;
  /** A row for each time that somebody is in the team and the visitor may see. */
  rows: readonly TeamMember[];
  own: readonly TeamMember[];
  /** Who is in it today, of those who agreed. */
  today: readonly TeamMember[];
  isCoach: boolean;
  /** Whether the visitor is in the team today and agreed. */
  isMember: boolean;
  nameOf(id: bigint): string;
}

async function teamOf(visit: MemberVisit): Promise<TeamView> {
  const group = await groupOf(visit);
  const { store, member, params, path } = visit;
  const team = await findTeam(store.reader, group.id, idIn(params['team'] ?? '', parseInt64));
  if (!team) throw pageNotFound(path);
  const all = await listTeamMembers(store.reader, { groupId: group.id });
  const rows = all.filter((one) => one.team_id === team.id && isShownIn(visit, group)(one));
  const own = rows.filter(({ user_id }) => user_id === member.user_id);
  const today = rows.filter((one) => one.has_agreed === 1n && isInTeamOn(one, dayIn(group)));
  const isMember = own.some((one) => today.includes(one));
  const nameIn = await namesIn(visit, group);
  const names = new Map(rows.map((one) => [one.user_id, nameIn(one)]));
  const nameOf = (id: bigint) => names.get(id) ?? '';
  return { group, team, rows, own, today, isCoach: group.role === 'coach', isMember, nameOf };
}

export async function showTeam(visit: MemberVisit): Promise<PageResult> {
  return { html: await teamPage(visit, await teamOf(visit)) };
}

export async function submitTeam(visit: MemberVisit): Promise<PageResult> {
  const view = await teamOf(visit);
  try {
    return await handleForm(visit, view);
  } catch (error) {
    return { html: await teamPage(visit, view, refusalText(error)), status: 422 };
  }
}

async function handleForm(visit: MemberVisit, { group, team, own: ownRows }: TeamView): Promise<PageResult> {
  const { store, member, form: values, path } = visit;
  const coach = coachOfGroup(visit, group);
  const own = { group_id: group.id, team_id: team.id, user_id: member.user_id };
  const isRefusal = values.get('leave') === 'yes' && ownRows.some(isAsked);
  const to = addressWithNotice(teamPath(group.id, team.id), isRefusal ? 'declined' : 'saved');
  const personIn = (name: string) => idIn(fieldText(values, name, 30), parseInt64);
  const done = (isDone: boolean) => {
    if (!isDone) throw pageNotFound(path);
    return { to };
  };
  if (values.has('agree')) return done(await agreeToTeam(store, own));
  if (values.has('leave')) {
    const isForgotten = values.get('leave') === 'all';
    return done(await leaveTeam(store, own, { isForgotten }));
  }
  if (values.has('delete')) {
    if (!(await removeTeam(store, coach, team.id))) throw pageNotFound(path);
    return { to: addressWithNotice(teamsPath(group.id), 'saved') };
  }
  if (values.has('end')) {
    const person = { team_id: team.id, user_id: personIn('end') };
    return done(await endTeamMembership(store, coach, person, fieldText(values, 'last', 30)));
  }
  if (values.has('person')) {
    await addToTeam(store, coach, team.id, { userIds: [personIn('person')], firstDay: fieldText(values, 'first', 30) });
    return { to };
  }
  if (values.has('wrote')) {
    assertNotArchived(group);
    const problem = { source: fieldText(values, 'source', 100), key: fieldText(values, 'key', 100) };
    return done(await setAuthor(store, group, { ...own, ...problem }, values.get('wrote') === 'yes'));
  }
  await changeTeamName(store, own, fieldText(values, 'name', 1000));
  return { to };
}

const shownAtMost = 8;

async function teamPage(visit: MemberVisit, view: TeamView, fault?: string): Promise<Html> {
  const { group, team, own, today, isCoach, isMember } = view;
  const hasNext = (isCoach || isMember) && group.archived_at === null && today.length >= teamLimits.least;
  const people = today.map(({ user_id }) => user_id);
  const history = await readTeamHistory(visit.store.reader, group, team);
  const hasContests = history.contests.length > 0;
  const content = html`
    ${own.some(isAsked) && askPanel(visit, view)}
    ${hasNext && (await teamContestsPanel(visit, group.id, people))}
    ${
      hasContests &&
      html`<div class="two even-two">${await leftPanel(visit, view, history)}${wrotePanel(view, history)}</div>`
    }
    ${panel(
      { id: 'contests', heading: words('team.contests'), total: history.contests.length },
      hasContests
        ? html`${history.contests.map((one) => contestTable(visit, view, one, one === history.contests[0]))}`
        : html`<p class="soft">${words('team.noContests')}</p>`,
    )}
    ${await peoplePanel(visit, view)}`;
  return teamFrame(visit, view, { fault, bar: await changeBar(visit, teamPath(group.id, team.id)) }, content);
}

function teamFrame(
  visit: MemberVisit,
  { group, team, rows, today, isCoach, nameOf }: TeamView,
  more: { fault: string | undefined; bar: Html | undefined },
  content: Html,
): Html {
  const { basePath } = visit.site;
  const [first] = rows.map(({ first_day }) => first_day).toSorted();
  const subtitle = html`
    ${today.map((one) => html`<span>${memberName(one, nameOf(one.user_id))}</span>`)}
    ${first && html`<span><span>${richWords('groups.since', { day: dayText(first) })}</span></span>`}`;
  const parent = [basePath + teamsPath(group.id), words('team.title')] as const;
  const people = today.map(({ user_id }) => `person=${user_id}`).join('&');
  const next = `${basePath}${nextContestsPath(group.id)}?${people}`;
  const page = {
    tab: '',
    title: team.name,
    parent,
    subtitle,
    actions:
      isCoach && today.length > 0 && group.archived_at === null ? linkButton(next, words('nextContest.title')) : '',
    styles: ['rounds.css', 'staff.css'] as const,
    kind: 'p-team',
    ...more,
  } as const;
  return groupFrame(visit, group, page, content);
}

function askPanel(visit: MemberVisit, { group, team }: TeamView): Html {
  const answers = actions(
    group.archived_at === null && button(words('team.yes'), 'primary', ['agree', 'yes']),
    button(words('rounds.decline'), '', ['leave', 'yes']),
  );
  return panel(
    { id: 'ask', heading: words('team.ask') },
    html`<p>${words('team.askText')}</p>${form(visit, { to: teamPath(group.id, team.id) }, answers)}`,
  );
}

const solvedOf = ({ problems }: TeamContest) => {
  const solved = problems.filter(({ solvedAt }) => solvedAt !== undefined).length;
  return words('groups.solvedOf', { solved, all: problems.length });
};

async function leftPanel(visit: MemberVisit, view: TeamView, history: TeamHistory): Promise<Html> {
  const { store, site, antiForgery, member } = visit;
  const left = leftToUpsolve(history);
  const { hidesRatings } = await readPreferences(store.reader, member.user_id);
  const marks = await findMarks(
    store.reader,
    member.user_id,
    left.flatMap(({ problem }) => problem?.id ?? []),
  );
  const forms = { site, antiForgery, from: teamPath(view.group.id, view.team.id) };
  const row = ({ problem, source, key, contest, tries, triesAlone }: (typeof left)[number]) => html`
    <li class="work"${problem && html` data-problem="${problem.id}"`}>
      ${problem ? statusControl(forms, problem.id, problem.title, marks(problem.id)) : html`<span></span>`}
      <div>
        <p>${problem ? problemLink(site.basePath, problem) : key}</p>
        <p class="facts small soft">
          ${judgeKey(problem ?? { source, source_key: key })}
          ${problem && !hidesRatings && difficulty(problem)}
          <bdi>${shortTitle(contest)}</bdi>
          ${tries > 0 && html`<span>${words('rounds.wrong', { count: tries })}</span>`}
          ${[...triesAlone].map(([id, count]) => {
            const state = words('rounds.wrong', { count });
            return html`<span>${words('contests.stateOf', { title: view.nameOf(id), state })}</span>`;
          })}
          ${tries + triesAlone.size === 0 && html`<span>${words('rounds.notTried')}</span>`}
        </p>
      </div>
    </li>`;
  const rest = left.slice(shownAtMost);
  const all = new Set(history.contests.flatMap(({ problems }) => problems.map(({ key }) => key))).size;
  const allSolved = words('groups.solvedOf', { solved: all, all });
  return panel(
    { id: 'left', heading: words('rounds.leftToSolve'), total: left.length },
    html`
      ${left.length === 0 && html`<p class="soft">${icon('check')} ${allSolved}</p>`}
      <ul class="work-list">${left.slice(0, shownAtMost).map(row)}</ul>
      ${
        rest.length > 0 &&
        html`
          <details class="rest">
            <summary>${words('contests.more', { count: rest.length })}</summary>
            <ul class="work-list">${rest.map(row)}</ul>
          </details>`
      }`,
  );
}

/** Each problem once, also if it was in two contests. */
function solvedTogether({ contests }: TeamHistory): TeamProblem[] {
  const solved = contests.flatMap(({ problems }) => problems.filter(({ solvedAt }) => solvedAt !== undefined));
  return [...new Map(solved.map((one) => [`${one.source} ${one.key}`, one])).values()];
}

function wrotePanel(view: TeamView, history: TeamHistory): Html {
  const solved = solvedTogether(history);
  const open = solved.filter(({ authors }) => authors.length === 0).length;
  const line = (id: bigint) => {
    const count = solved.filter(({ authors }) => authors.includes(id)).length;
    return html`<li data-wrote="${id}"><p>${bdi(view.nameOf(id))}</p> <b class="num">${count}</b></li>`;
  };
  return panel(
    { id: 'wrote', heading: words('team.wrote'), beside: html`<p class="soft">${words('team.wroteText')}</p>` },
    html`
      <ul class="people">${[...new Set(history.members.map(({ user_id }) => user_id))].map(line)}</ul>
      ${open > 0 && html`<p class="soft">${words('team.unclaimed', { count: open })}</p>`}`,
  );
}

async function peoplePanel(visit: MemberVisit, view: TeamView): Promise<Html | ''> {
  const { group, team, rows, isCoach } = view;
  if (rows.length === 0 && !isCoach) return '';
  const canEnd = isCoach && group.archived_at === null;
  const today = dayIn(group);
  const line = (one: TeamMember) => {
    const { user_id, first_day, last_day } = one;
    const to = { to: teamPath(group.id, team.id), className: 'actions' };
    const isRefusal = hasDeclined(one);
    const label = (text: string) => html`${text}<span class="sr">${afterColon(view.nameOf(user_id))}</span>`;
    const answers = html`
      ${button(label(words('team.askAgain')), 'small', ['person', user_id])}
      ${button(label(words('lists.remove')), 'small quiet', ['end', user_id])}`;
    const end = html`
      <details class="sure">
        <summary class="button small">${label(words('team.last'))}</summary>
        <input type="date" name="last" value="${today}" required aria-label="${words('team.last')}">
        <button class="button small" name="end" value="${user_id}">${words('groups.save')}</button>
      </details>`;
    return html`
      <li data-person="${user_id}">
        <p>${memberName(one, view.nameOf(user_id))}</p>
        <span class="soft">${dayText(first_day)} – ${last_day !== null && !isRefusal && dayText(last_day)}</span>
        ${canEnd && last_day === null && form(visit, to, end)}
        ${canEnd && isRefusal && form(visit, { ...to, hidden: { last: today, first: first_day } }, answers)}
      </li>`;
  };
  return panel(
    { id: 'members', heading: words('groups.people') },
    html`
      <ul class="people" data-total="${rows.length}">${rows.map(line)}</ul>
      ${await changeForms(visit, view)}`,
  );
}

async function changeForms(visit: MemberVisit, view: TeamView): Promise<Html> {
  const { group, team, own, isMember } = view;
  const canChange = group.archived_at === null;
  const isCoach = view.isCoach && canChange;
  const part = (title: string, content: Html) => html`
    <details class="sure">
      <summary class="button small">${title}</summary>
      ${form(visit, { to: teamPath(group.id, team.id), className: 'form' }, content)}
    </details>`;
  const save = actions(button(words('groups.save')));
  const rename = () => textField(words('team.name'), 'name', {}, { value: team.name, longest: teamLimits.name });
  const inTeam = view.rows.filter(({ last_day }) => last_day === null);
  const add = async () => {
    const choices = await personChoices(visit, group, inTeam);
    return html`
      ${selectField(words('groups.people'), 'person', choices, '', { isRequired: true })}
      ${firstDayField(visit, group)}`;
  };
  const leave = () => html`
    <p class="soft">${words('team.leaveText')}</p>
    ${actions(
      isMember &&
        own.some(({ last_day }) => last_day === null) &&
        button(words('team.leave'), 'danger', ['leave', 'yes']),
      button(words('team.forget'), 'danger', ['leave', 'all']),
    )}`;
  const remove = html`
    <p class="soft">${words('team.deleteText')}</p>
    ${actions(button(words('team.delete'), 'danger', ['delete', 'yes']))}`;
  return html`
    <div class="team-acts">
      ${isCoach && part(words('team.add'), html`${await add()}${save}`)}
      ${(isCoach || (isMember && canChange)) && part(words('team.name'), html`${rename()}${save}`)}
      ${own.some(({ has_agreed }) => has_agreed === 1n) && part(words('team.leave'), leave())}
      ${isCoach && part(words('team.delete'), remove)}
    </div>`;
}

/** A contest with its problems, where each says what they wrote. */
function contestTable(visit: MemberVisit, view: TeamView, one: TeamContest, isOpen: boolean): Html {
  const heads = [words('problems.problem'), words('rounds.solved'), words('team.wrote')];
  const rows = one.problems.map((problem) => problemRow(visit, view, one, problem));
  return html`
    <details class="team-contest"${attr('open', isOpen)}>
      <summary class="facts">
        ${icon('down')}
        <span>${judgeBadge(one.contest.source)} <b>${bdi(shortTitle(one.contest))}</b></span>
        <span class="soft">${dateElement(one.beganAt)}</span>
        <span class="num">${solvedOf(one)}</span>
      </summary>
      <p class="facts soft">${one.people.map((id) => html`<span>${bdi(view.nameOf(id))}</span>`)}</p>
      ${stackedTable(one.contest.title, heads, rows)}
    </details>`;
}

function problemRow(visit: MemberVisit, view: TeamView, { beganAt, people }: TeamContest, one: TeamProblem): TableRow {
  const { position, problem, source, key, solvedAt, tries, isUpsolved, authors } = one;
  const { site, member } = visit;
  const wrong = tries > 0 && html` <span class="soft">${words('rounds.wrong', { count: tries })}</span>`;
  const later = isUpsolved ? words('rounds.upsolved') : tries === 0 ? words('rounds.notTried') : '–';
  const result = solvedAt
    ? html`${icon('check', 'done')} ${hoursText(Date.parse(solvedAt) - Date.parse(beganAt))}${wrong}`
    : html`<span class="soft">${later}</span>${wrong}`;
  const isAuthor = authors.includes(member.user_id);
  const canSay = solvedAt !== undefined && people.includes(member.user_id) && view.group.archived_at === null;
  const title = problem?.title ?? key;
  const label = html`${words(isAuthor ? 'team.notMine' : 'team.iWrote')}<span class="sr">${afterColon(title)}</span>`;
  const to = teamPath(view.group.id, view.team.id);
  const say = form(
    visit,
    { to, hidden: { source, key } },
    button(label, 'small quiet', ['wrote', isAuthor ? 'no' : 'yes']),
  );
  return {
    about: html` data-key="${source} ${key}"`,
    cells: [
      html`<b>${position}</b> ${problem ? problemLink(site.basePath, problem) : key}`,
      result,
      html`${authors.map((id) => html`<span>${bdi(view.nameOf(id))}</span> `)}${canSay && say}`,
    ],
  };
}
