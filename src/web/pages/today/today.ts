/** Today, the first page after signing in: assignments, suggestions, reviews, streak, week, year and garden. */

import { dayMs } from '../../../durations.ts';
import { type HandleHealth, handleHealth } from '../../../jobs/sync-health.ts';
import {
  type ActivityRow,
  findFirstActiveDay,
  readActivity,
  readStreak,
  type Streak,
} from '../../../practice/activity.ts';
import { listSuggestions } from '../../../practice/chance-suggestions.ts';
import { dateOf, startOfWeek, type WeekStart, weekdayOf } from '../../../practice/days.ts';
import { growthOf, type PlantWithGrowth, readGarden } from '../../../practice/garden.ts';
import { needsCoach, readLooks } from '../../../practice/group-work.ts';
import { type Plan, readAssignmentPlans, readPace, readPlantPlans } from '../../../practice/plan.ts';
import { suggestListToPlant, suggestTopicToPlant } from '../../../practice/planting.ts';
import { type Preferences, readPreferences } from '../../../practice/preferences.ts';
import { cardsForToday } from '../../../practice/reviews.ts';
import { type CompletedProblem, listCompleted, readRevisions } from '../../../store/activity.ts';
import { listMemberAssignments, type MemberAssignment } from '../../../store/assignments.ts';
import { listBatches } from '../../../store/changes.ts';
import { listGroupPeople, listJoinedGroups } from '../../../store/groups.ts';
import { listProblemsOfList } from '../../../store/lists.ts';
import { countSample } from '../../../store/overview.ts';
import { findSolvedCounts } from '../../../store/problems.ts';
import { listTeamInvitations } from '../../../store/teams.ts';
import { findOpenTimer } from '../../../store/timers.ts';
import { linkedShape } from '../../drawing/charts/plot.ts';
import { readProgressQuery, yearLinks } from '../../drawing/charts/progress-view.ts';
import { readYearMode, type Year, yearFacts, yearPicture, yearUntil } from '../../drawing/charts/year.ts';
import { drawPlant, plantDescription } from '../../drawing/plants/drawn-plant.ts';
import { gardenDefinitions } from '../../drawing/plants/garden-picture.ts';
import { plantThumb } from '../../drawing/plants/plant-picture.ts';
import { modelsFor } from '../../kit/chance.ts';
import { batchEvent, changeBar, dayList } from '../../kit/changes.ts';
import { timeAgo } from '../../kit/dates.ts';
import { type DayRange, daysLink, dayWithWeekday, firstSolvesLink, shortDay } from '../../kit/day-links.ts';
import { dueMoment, urgency } from '../../kit/due.ts';
import { followAttributes, ownTag } from '../../kit/follow.ts';
import { demoLine, frame, pageHead } from '../../kit/frame.ts';
import { lookLines } from '../../kit/group-look.ts';
import { icon, illustration } from '../../kit/icons.ts';
import { countLink, findProblemLink, linkButton } from '../../kit/links.ts';
import { type Forms, judgeBadge } from '../../kit/marks.ts';
import { nextContest } from '../../kit/next-contest.ts';
import { emptyPanel, panel, unheadedPanel } from '../../kit/panel.ts';
import { planLines, planText } from '../../kit/plan.ts';
import { gardenStyles, newPlantAddress, newPlantAddressForList } from '../../kit/plant-links.ts';
import { problemTables } from '../../kit/problem-table.ts';
import { listProgramEvents } from '../../kit/program-events.ts';
import { currentRounds } from '../../kit/round-parts.ts';
import { type HealthText, healthLine, healthText, isSyncing } from '../../kit/sync-health.ts';
import { timerBar, timerPanel } from '../../kit/timer.ts';
import { attr, type Html, html } from '../../markup.ts';
import {
  assignmentPath,
  accountDaysPath as daysSettingsPath,
  gardenPath,
  groupPath,
  groupsPath,
  handlesPath,
  historyImportPath,
  historyPath,
  importsPath,
  invitationsPath,
  newPlantPath,
  plantPath,
  problemPath,
  reviewPath,
  staffPath,
  teamPath,
} from '../../paths.ts';
import { zoneLabel } from '../../request/clock.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { commaList, utcFormat } from '../../words/formats.ts';
import { linkTo, richWords, words } from '../../words/words.ts';
import { missingSolvesPanel, suggestionPanels } from './suggestions.ts';

/* Reviews */

const dueTitlesAtMost = 3;

/** Undefined if nothing is due today, or reviews are off. */
async function reviewsPart({ store, member, site, days }: MemberVisit, reviewsADay: number): Promise<Html | undefined> {
  const { cards, done } = await cardsForToday(store.reader, member.user_id, {
    reviewsADay,
    days,
    now: new Date(),
  });
  if (reviewsADay === 0 || (cards.length === 0 && done === 0)) return undefined;
  const { basePath } = site;
  const item = ({ problem_id, title, source }: (typeof cards)[number]) =>
    html`
      <li>
        <a href="${basePath}${problemPath(problem_id)}?review=1" title="${title}">
          ${judgeBadge(source)}
          <span>${title}</span>
        </a>
      </li>`;
  const count = countLink(cards.length, basePath + reviewPath, html`<b>${cards.length}</b>`);
  return html`
    <section aria-labelledby="due-today">
      <h2 id="due-today">${words('review.dueToday')}</h2>
      <p class="figure">${count} <span class="soft">${words('review.doneToday', { done })}</span></p>
      ${cards.length > 0 && html`<ul class="due-titles">${cards.slice(0, dueTitlesAtMost).map(item)}</ul>`}
    </section>`;
}

/* The garden */

const plantsAtMost = 14;

export async function gardenPanel(
  { store, member, site: { basePath } }: Pick<MemberVisit, 'store' | 'member' | 'site'>,
  plants: readonly PlantWithGrowth[],
): Promise<Html> {
  const topic = await suggestTopicToPlant(store.reader, member.user_id, plants);
  const listGoal = await suggestListToPlant(store.reader, member.user_id);
  const count = plants.length;
  const plantOffer = (text: Html | string, to: string, label: string) =>
    html`
      <p class="plant-hint">
        <span>${text}</span> ${linkButton(basePath + to, label, { symbol: 'plus', kind: 'small' })}
      </p>`;
  const offerOf = (text: Html, to: string, topic: string) => plantOffer(text, to, words('strip.hintButton', { topic }));
  // A member who practises a list has a goal already, so a topic needs twice its solves to come first.
  const prefersList = listGoal && listGoal.count >= (topic?.count ?? 0) / 2;
  const offerLine = prefersList
    ? offerOf(
        richWords('strip.listHint', { count: listGoal.count, list: listGoal.name }),
        newPlantAddressForList(listGoal.id),
        listGoal.name,
      )
    : topic
      ? offerOf(
          richWords('strip.hint', { count: topic.count, topic: topic.tag }),
          newPlantAddress(topic.tag),
          topic.tag,
        )
      : count === 0 && plantOffer(words('strip.empty'), newPlantPath, words('garden.plantGoal'));
  const beside = count > 0 && countLink(count, basePath + gardenPath, words('strip.all', { count }));
  return panel(
    { id: 'garden-strip', heading: words('strip.title'), beside },
    html`${count > 0 && plantsStrip(plants, basePath)}${offerLine}`,
  );
}

/** Resting plants come first, then those that are nearest to their bloom. */
function plantsStrip(plants: readonly PlantWithGrowth[], basePath: string): Html {
  const sortRank = (plant: PlantWithGrowth) => {
    const { isResting, growth } = growthOf(plant);
    return isResting ? 0 : plant.today > 0 ? 1 : growth < 1 ? 2 : 3;
  };
  const shown = plants
    .toSorted((one, other) => sortRank(one) - sortRank(other) || growthOf(other).growth - growthOf(one).growth)
    .slice(0, plantsAtMost)
    .map(drawPlant);
  const plantItem = (drawn: (typeof shown)[number]) => {
    const { plant, state } = drawn;
    const text = words('strip.thumb', { name: plant.name, told: plantDescription(drawn) });
    const target = Number(plant.target);
    return html`
      <li${attr('class', state.isResting && 'rests')}>
        <a href="${basePath}${plantPath(plant.id)}" title="${text}">
          ${plantThumb(drawn)}
          <progress class="bar" value="${Math.min(plant.done, target)}" max="${target}" aria-hidden="true"></progress>
          <span class="sr">${text}</span>
        </a>
      </li>`;
  };
  return html`${gardenDefinitions(shown)}<ul class="plant-strip">${shown.map(plantItem)}</ul>`;
}

const plansAtMost = 3;

/** Undefined if no goal has a date. */
async function plansPanel(
  { store, member, site: { basePath } }: MemberVisit,
  plants: readonly PlantWithGrowth[],
): Promise<Html | undefined> {
  if (plants.every(({ by_date }) => by_date === null)) return undefined;
  const now = Date.now();
  const pace = await readPace(store.reader, member.user_id, now);
  // A date that has passed comes last.
  const rankOf = ({ plan, plant }: { plan: Plan; plant: PlantWithGrowth }) => `${plan.dayCount === 0} ${plant.by_date}`;
  const planById = await readPlantPlans(store.reader, member.user_id, plants, pace, now);
  const plans = plants
    .flatMap((plant) => {
      const plan = planById.get(plant.id);
      return plan && plan.left > 0 ? { plan, plant } : [];
    })
    .toSorted((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1));
  if (plans.length === 0) return undefined;
  const item = ({ plan, plant: { id, name } }: (typeof plans)[number]) => {
    const href = basePath + plantPath(id);
    const lines = planLines(plan, pace.days.at(now), basePath, `${href}#by_date-hint`);
    return html`<li><div><p><a href="${href}"><bdi>${name}</bdi></a></p>${lines}</div></li>`;
  };
  return unheadedPanel({}, html`<ul class="given">${plans.slice(0, plansAtMost).map(item)}</ul>`);
}

/* Assignments: the lists that the member's groups have to solve */

const listsAtMost = 6;
const problemsAtMost = 8;
/** An unsolved list is shown for this long after its due date. */
const shownAfterDueMs = 30 * dayMs;

const groupsAtMost = 3;
const namesAtMost = 3;

/** Undefined for somebody who coaches no group with assignments. Those that need the coach come first. */
async function coachPanel(
  { store, site: { basePath } }: MemberVisit,
  assignments: readonly MemberAssignment[],
): Promise<Html | undefined> {
  const coached = Map.groupBy(
    assignments.filter(({ role }) => role === 'coach'),
    ({ group_id }) => group_id,
  );
  if (coached.size === 0) return undefined;
  const groups = [...coached].map(([id, lists]) => {
    const [{ group: name = '', zone = '' } = {}] = lists;
    return { id, name, zone, lists };
  });
  const now = Date.now();
  const people = await listGroupPeople(store.reader, ...coached.keys());
  const looks = (await readLooks(store.longReader, groups, people, now))
    .filter(({ learners }) => learners.length > 0)
    .map((look) => {
      const next = look.dues.find(({ assignment }) => !isOverdue(assignment, now));
      const behind = look.dues.filter((one) => one !== next && one.behind.length > 0).slice(-namesAtMost + 1);
      return Object.assign(look, { dues: look.dues.filter((one) => one === next || behind.includes(one)) });
    })
    .toSorted((one, other) => Number(needsCoach(other)) - Number(needsCoach(one)));
  if (looks.length === 0) return undefined;
  const item = (look: (typeof looks)[number]) => html`
    <li data-group="${look.group.id}">
      <h3><a href="${basePath}${groupPath(look.group.id)}"><bdi>${look.group.name}</bdi></a></h3>
      ${lookLines(look, { basePath, namesAtMost })}
    </li>`;
  const rest = looks.slice(groupsAtMost);
  return panel(
    { id: 'look', heading: words('look.title'), className: 'looks' },
    html`
      <ul>${looks.slice(0, groupsAtMost).map(item)}</ul>
      ${
        rest.length > 0 &&
        html`
          <details class="seen-line">
            <summary>${icon('down')}<span>${words('groups.moreBehind', { count: rest.length })}</span></summary>
            <ul>${rest.map(item)}</ul>
          </details>`
      }`,
  );
}

const isOverdue = ({ due_at }: Pick<MemberAssignment, 'due_at'>, now: number) =>
  due_at !== null && Date.parse(due_at) <= now;

/** What needs them as a coach, and the own assignments: undefined if nothing is assigned, or all of it is solved. */
async function groupPanels(visit: MemberVisit) {
  const assigned = await listMemberAssignments(visit.store.reader, visit.member.user_id);
  return [await coachPanel(visit, assigned), await assignmentsPanel(visit, assigned)] as const;
}

/** Teams and rounds that wait for an answer, and rounds of now. */
async function invitations(visit: MemberVisit): Promise<Html> {
  const { store, member, site } = visit;
  const teams = member.own_group === null ? [] : await listTeamInvitations(store.reader, { userId: member.user_id });
  const item = ({ id, name, group_id, group }: (typeof teams)[number]) => html`
    <li data-asked="${id}">
      <p><a href="${site.basePath}${teamPath(group_id, id)}"><bdi>${name}</bdi></a></p>
      <p class="soft"><bdi>${group}</bdi></p>
    </li>`;
  const list = html`<ul class="plain">${teams.map(item)}</ul>`;
  const { invited, joined } = await currentRounds(visit);
  return html`
    ${teams.length > 0 && panel({ id: 'teams', heading: words('team.ask') }, list)}
    ${invited}${joined}`;
}

async function assignmentsPanel(visit: MemberVisit, assigned: readonly MemberAssignment[]): Promise<Html | undefined> {
  const { store, site, member } = visit;
  const now = Date.now();
  const unfinished = assigned.filter(
    ({ due_at, problems, solved, role }) =>
      solved < problems &&
      // A coach does not have to solve an assigned list, but may.
      (role === 'member' || solved > 0n) &&
      (due_at === null || Date.parse(due_at) > now - shownAfterDueMs),
  );
  // The next due date matters more than one that has passed.
  const nextDue =
    unfinished.find((one) => hasDueDate(one) && !isOverdue(one, now)) ?? unfinished.find((one) => hasDueDate(one));
  const others = unfinished.filter((one) => one !== nextDue).slice(0, listsAtMost);
  if (unfinished.length === 0) return undefined;
  const pace = await readPace(store.reader, member.user_id, now);
  const planOfAssignment = await readAssignmentPlans(
    store.reader,
    member.user_id,
    [nextDue ?? [], others].flat().filter(hasDueDate),
    pace,
    now,
  );
  const facts = (one: MemberAssignment) =>
    html`
      <p class="soft"><bdi>${one.group}</bdi>${hasDueDate(one) && due(one)}</p>
      <p class="num">${words('groups.solvedOf', { solved: one.solved, all: one.problems })}</p>`;
  const link = ({ group_id, list_id, name }: MemberAssignment) =>
    html`<a href="${site.basePath}${assignmentPath(group_id, list_id)}"><bdi>${name}</bdi></a>`;
  const due = ({ due_at, zone }: MemberAssignment) => {
    if (due_at === null) return undefined;
    const near = urgency(due_at, now);
    const when = dueMoment(due_at, zone, now);
    const text = richWords(near === 'late' ? 'groups.wasDue' : 'groups.dueAt', { when });
    return html` · <span${attr('class', near)}>${text}</span>`;
  };
  const today = pace.days.at(now);
  const nextPlan = nextDue && planOfAssignment(nextDue);
  const assignmentItem = (one: MemberAssignment) => {
    const plan = planOfAssignment(one);
    const planLine = plan && html`<p class="soft">${planText(plan, today)}</p>`;
    return html`<li data-given="${one.list_id}"><p>${link(one)}</p>${facts(one)}${planLine}</li>`;
  };
  const panelOptions = { className: 'assigned', more: { 'data-given': nextDue?.list_id } };
  const heading = nextDue ? link(nextDue) : words('groups.assignments');
  return panel(
    { id: 'given', heading, beside: nextDue && facts(nextDue), ...panelOptions },
    html`
      ${nextDue && (await unsolvedTable(visit, nextDue))}
      ${nextPlan && planLines(nextPlan, today, site.basePath)}
      ${
        others.length > 0 &&
        html`
          ${nextDue && html`<h3>${words('groups.alsoAssigned')}</h3>`}
          <ul class="given" data-total="${others.length}">${others.map(assignmentItem)}</ul>`
      }`,
  );
}

const hasDueDate = ({ role, due_at }: MemberAssignment) => role === 'member' && due_at !== null;

async function unsolvedTable(
  visit: MemberVisit,
  { group_id, list_id, name, problems }: MemberAssignment,
): Promise<Html> {
  const listProblems = await listProblemsOfList(visit.store.reader, list_id);
  const { table, isSolved } = await problemTables(visit, listProblems, '/dashboard/');
  const unsolved = listProblems.filter((one) => !isSolved(one)).slice(0, problemsAtMost);
  const placeOf = new Map(listProblems.map(({ id }, at) => [id, at + 1]));
  return html`
    ${table(unsolved, name, ({ id }) => ({ number: placeOf.get(id) as number }))}
    <p>
      <a href="${visit.site.basePath}${assignmentPath(group_id, list_id)}">
        ${words('groups.showAll', { count: problems })}
      </a>
    </p>`;
}

/* The strip with the streak, the week and the reviews */

interface StripFacts {
  streak: Streak;
  today: number;
  weekStart: WeekStart | undefined;
  /** The active days of the last year. */
  rows: readonly ActivityRow[];
  /** First solves a week; 0 for no goal. */
  goal: number;
  due: Html | undefined;
  basePath: string;
}

function factStrip(facts: StripFacts): Html {
  return html`<div class="strip panel">${streakPart(facts)}${weekPart(facts)}${facts.due}</div>`;
}

function stripPart(id: string, title: string, figure: Html, text: Html | string, picture: Html): Html {
  return html`
    <section aria-labelledby="${id}">
      <h2 id="${id}">${title}</h2>
      <p class="figure">${figure}</p>
      <p class="soft">${text}</p>
      ${picture}
    </section>`;
}

const boldNumber = (text: (string | Html)[]) => html`<b>${text}</b>`;

function streakPart({ streak: { current, longest }, today, rows, basePath }: StripFacts): Html {
  const range = current ? ([current.first, current.last] as const) : ([today, today] as const);
  const days = current?.length ?? 0;
  const link = (count: number, range: DayRange, text: Html | (string | Html)[]) =>
    countLink(count, basePath + daysLink(range, true), text);
  const record = longest
    ? richWords('streak.longest', {
        count: longest.length,
        day: shortDay(longest.last, today),
        link: (text) => link(longest.length, [longest.first, longest.last], text),
      })
    : words('streak.none');
  const figure = link(days, range, richWords('streak.days', { count: days, num: boldNumber }));
  return stripPart('streak', words('streak.title'), figure, record, twoWeekChart(rows, today, basePath));
}

function firstSolvesOn(rows: readonly ActivityRow[], days: readonly number[]): number[] {
  const byDay = new Map(rows.map((row) => [Number(row.day), Number(row.first_solves)]));
  return days.map((day) => byDay.get(day) ?? 0);
}

const barWidth = 16;
const barPitch = 22;
const barHeight = 40;

function twoWeekChart(rows: readonly ActivityRow[], today: number, basePath: string): Html {
  const days = Array.from({ length: 14 }, (_, n) => today - 13 + n);
  const counts = firstSolvesOn(rows, days);
  const most = Math.max(1, ...counts);
  const bars = days.map((day, n) => {
    const count = counts[n] ?? 0;
    const height = count === 0 ? 2 : Math.round(6 + (count / most) * (barHeight - 6));
    const state = words('year.mark.first', { count });
    const text = words('contests.stateOf', { title: dayWithWeekday(day), state });
    const kind = count === 0 ? 'none' : day === today ? 'now' : 'some';
    const x = n * barPitch;
    const bar = html`
      <rect class="bar-${kind}" x="${x}" y="${barHeight + 2 - height}" width="${barWidth}" height="${height}" rx="2">
        <title>${text}</title>
      </rect>`;
    return html`
      ${count === 0 ? bar : linkedShape(basePath + firstSolvesLink([day, day]), count, bar)}
      <text${attr('class', day === today && 'now')} x="${x + barWidth / 2}" y="57">${weekdayLetter(day)}</text>`;
  });
  return html`
    <svg class="fortnight" viewBox="0 0 302 60" width="302" height="60" aria-hidden="true" focusable="false">
      ${bars}
    </svg>
    <p class="sr">${words('streak.fortnight', { counts: commaList(counts) })}</p>`;
}

const weekdayLetter = (day: number) => words('week.letters').charAt(weekdayOf(day));

function weekPart({ rows, today, weekStart, goal, basePath }: StripFacts): Html {
  const first = startOfWeek(today, weekStart);
  const days = Array.from({ length: 7 }, (_, n) => first + n);
  const counts = firstSolvesOn(rows, days);
  const sum = counts.reduce((all, count) => all + count, 0);
  const figure = goal === 0 ? html`<b>${sum}</b>` : richWords('week.of', { sum, goal, num: boldNumber });
  const text = goal === 0 ? words('week.noGoal') : words('week.left', { left: Math.max(0, goal - sum) });
  const box = (day: number, n: number) => {
    const shown =
      day > today
        ? html`<span aria-hidden="true">·</span><span class="sr">${words('week.toCome')}</span>`
        : countLink(counts[n] ?? 0, basePath + firstSolvesLink([day, day]));
    const spoken = words('contests.stateOf', { title: dayWithWeekday(day), state: '' });
    return html`
      <li${attr('aria-current', day === today && 'date')}>
        <span class="faint">
          <span aria-hidden="true">${weekdayLetter(day)}</span><span class="sr">${spoken}</span>
        </span>
        ${shown}
      </li>`;
  };
  const all = countLink(sum, basePath + firstSolvesLink([first, first + 6]), figure);
  return stripPart('week', words('week.title'), all, text, html`<ol class="week">${days.map(box)}</ol>`);
}

/* The menu with the sync state of each handle */

const levelsByBadness: readonly HealthText['level'][] = ['ok', 'off', 'late', 'bad'];

function syncMenu(healths: readonly HandleHealth[], isOn: boolean, basePath: string): Html {
  const texts = healths.map((health) => ({ health, ...healthText(health, isOn) }));
  const badness = ({ level }: HealthText) => levelsByBadness.indexOf(level);
  const [worst] = texts.toSorted((a, b) => badness(b) - badness(a));
  const items = texts.map(
    (one) =>
      html`
        <li data-judge="${one.health.source}">
          <h2><span class="key">${judgeBadge(one.health.source)}</span> <bdi>${one.health.handle}</bdi></h2>
          ${healthLine(one)}
        </li>`,
  );
  const isFine = worst === undefined || worst.level === 'ok';
  return html`
    <details class="sync menu end" name="menu" data-sync="${worst?.level ?? 'off'}">
      <summary>
        ${icon(isFine ? 'sync' : worst.level === 'off' ? 'clock' : 'warn', isFine ? '' : worst.level)}
        <span><b>${isFine ? freshnessText(healths) : worst.summary}</b></span>
        ${icon('down')}
      </summary>
      <div class="menu-panel wide">
        <ul class="sync-list">${items}</ul>
        <p><a href="${basePath}${handlesPath}">${words('sync.more')}</a></p>
      </div>
    </details>`;
}

/** The time of the oldest of the handles' last successful syncs. */
function freshnessText(healths: readonly HandleHealth[]): Html | string {
  const [oldest] = healths.flatMap(({ goodAt }) => goodAt ?? []).toSorted();
  return oldest === undefined ? words('sync.fine') : richWords('sync.allFine', { when: timeAgo(oldest) });
}

const dashboardPath = '/dashboard/';
const changesShown = 6;

export const dashboardPages: readonly PageRoute<MemberVisit>[] = [{ path: dashboardPath, get: show }];

const dayFormat = utcFormat({ weekday: 'long', day: 'numeric', month: 'long' });

async function readSyncMenu(visit: MemberVisit, healths: readonly HandleHealth[]): Promise<Html | undefined> {
  if (healths.length === 0) return undefined;
  return syncMenu(healths, await isSyncing(visit), visit.site.basePath);
}

async function suggestionsPart(
  visit: MemberVisit,
  preferences: Preferences,
  completed: Promise<readonly CompletedProblem[]>,
): Promise<{ isEmpty: boolean; panels: Html | undefined }> {
  const { store, member, site, days } = visit;
  const request = { days, today: days.at(Date.now()), models: modelsFor(preferences) };
  const { judges, missing } = await listSuggestions(store.reader, member.user_id, request, completed);
  if (judges.length === 0) return { isEmpty: true, panels: missingSolvesPanel(missing, site.basePath) };
  const problemIds = judges.flatMap(({ suggestions }) => suggestions.map(({ problem }) => problem.id));
  const solvedCounts = await findSolvedCounts(store.reader, problemIds);
  const timedId = member.timer?.problem_id;
  const context = { forms: formsOf(visit), timedId, preferences, solvedCounts };
  return { isEmpty: false, panels: suggestionPanels(judges, context) };
}

async function show(visit: MemberVisit): Promise<PageResult> {
  const { store, member, site, query, days } = visit;
  const { reader } = store;
  const memberId = member.user_id;
  const today = days.at(Date.now());
  const { weekStart } = days.rule;
  const range = yearUntil(today, weekStart);
  const preferences = await readPreferences(reader, memberId);
  const revisions = await readRevisions(reader, memberId);
  // One read serves both suggestions and plants.
  const completed = listCompleted(reader, memberId, revisions);
  const healths = await handleHealth(reader, new Date(), memberId);
  const contestJudges = healths.map(({ source }) => source).filter((one) => !preferences.hiddenContests.includes(one));
  const [sync, contest, suggestions, rows, firstDay, streak, due] = await Promise.all([
    readSyncMenu(visit, healths),
    nextContest(visit, new Set(contestJudges)),
    suggestionsPart(visit, preferences, completed),
    readActivity(reader, memberId, days, range),
    findFirstActiveDay(reader, memberId, days, today),
    readStreak(reader, memberId, days, today),
    reviewsPart(visit, preferences.reviewsADay),
  ]);
  const plants = await readGarden(reader, memberId, days, new Date(), completed);
  const [look, assignments] = await groupPanels(visit);
  const timer = member.timer && (await findOpenTimer(reader, memberId));
  const gardenAndChanges = html`
    <div class="two">
      <div class="stack">${await gardenPanel(visit, plants)}</div>
      <div class="stack">${await latestPanel(visit)}</div>
    </div>`;
  const hasActivity = streak.longest !== undefined || rows.length > 0;
  const isNew =
    sync === undefined &&
    suggestions.isEmpty &&
    !hasActivity &&
    (look ?? assignments) === undefined &&
    !timer &&
    (await isWithoutChanges(visit));
  const { basePath } = site;
  const year: Year = {
    range,
    weekStart,
    today,
    rows,
    mode: readYearMode(query),
    basePath,
    path: dashboardPath,
    years: yearLinks(basePath, readProgressQuery(new URLSearchParams()), firstDay, today),
  };
  const content = isNew
    ? html`${newcomerPanel(basePath)}${member.role === 'staff' && (await staffPanel(visit))}`
    : html`
      ${timer && timerPanel(visit, timer, undefined, dashboardPath)}
      ${assignments}${await plansPanel(visit, plants)}
      ${sync === undefined && linkPanel(basePath)}
      ${suggestions.panels}
      ${contest}
      ${
        hasActivity &&
        html`
          ${factStrip({ streak, today, weekStart, rows, goal: preferences.weekGoal, due, basePath })}
          ${unheadedPanel({ labelledBy: 'year', className: 'year' }, html`${yearPicture(year)}${yearFacts(year)}`)}`
      }
      ${gardenAndChanges}`;
  const page = {
    title: words('today.title'),
    current: dashboardPath,
    kind: 'p-today',
    styles: ['today.css', 'pictures.css', 'groups.css', ...gardenStyles] as const,
    follow: await followAttributes(visit, 'own', ownTag(revisions)),
    bar: (await timerBar(visit, dashboardPath)) ?? (await changeBar(visit, dashboardPath)),
  };
  const head = pageHead(dayFormat.format(Date.parse(dateOf(today))), {
    sub: dayEndText(visit),
    ...(sync && { actions: sync }),
  });
  return { html: frame(visit, page, html`${demoLine(visit)}${head}${look}${await invitations(visit)}${content}`) };
}

function dayEndText({ days, site }: MemberVisit): Html {
  return richWords('today.dayEnds', {
    hour: `${String(days.rule.startHour).padStart(2, '0')}:00`,
    zone: zoneLabel(),
    link: linkTo(site.basePath + daysSettingsPath),
  });
}

const formsOf = (visit: MemberVisit): Forms => ({ ...visit, from: dashboardPath });

async function isWithoutChanges({ store, member }: MemberVisit): Promise<boolean> {
  return (await listBatches(store.reader, member.user_id, 1)).length === 0;
}

const linkHandle = (basePath: string) =>
  linkButton(basePath + handlesPath, words('today.link'), { symbol: 'sync', kind: 'primary' });

const importHistory = (basePath: string) =>
  linkButton(basePath + historyImportPath, words('frame.addHistory'), { symbol: 'upload' });

function newcomerPanel(basePath: string): Html {
  return emptyPanel({
    picture: illustration('seedlings'),
    heading: words('today.nothing'),
    text: words('today.nothingText'),
    actions: html`${linkHandle(basePath)}${importHistory(basePath)}${findProblemLink(basePath)}`,
  });
}

/** First steps for staff who set up a new garden. Who has a group with others did them, also if it is archived. */
async function staffPanel({ store, member, site: { basePath } }: MemberVisit): Promise<Html | ''> {
  const groups = await listJoinedGroups(store.reader, member.user_id);
  if (groups.some(({ people }) => people > 1n)) return '';
  const { members } = await countSample(store.reader);
  const link = linkTo(`${basePath}${staffPath}settings/#sample`);
  const steps = [
    [importsPath, words('problems.toImports'), 'upload'],
    [groupsPath, words('groups.make'), 'plus'],
    [invitationsPath, words('today.invite'), 'people'],
  ] as const;
  return panel(
    { id: 'for-others', heading: words('today.forOthers') },
    html`
      <p class="soft">${words('today.forOthersText')}</p>
      ${members > 0n && html`<p class="soft">${richWords('today.demoData', { link })}</p>`}
      <p class="actions">${steps.map(([to, text, symbol]) => linkButton(basePath + to, text, { symbol }))}</p>`,
  );
}

function linkPanel(basePath: string): Html {
  return panel(
    { id: 'link', heading: words('today.noHandle') },
    html`<p class="soft">${words('today.noHandleText')}</p><p class="actions">${linkHandle(basePath)}</p>`,
  );
}

async function latestPanel(visit: MemberVisit): Promise<Html> {
  const forms = formsOf(visit);
  const byHand = await listBatches(visit.store.reader, visit.member.user_id, changesShown, undefined, true);
  const latest = [
    ...byHand.map((one) => ({ id: one.batch_id, at: one.made_at, content: batchEvent(one, forms) })),
    ...(await listProgramEvents(visit, forms, changesShown)),
  ]
    .sort((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, changesShown);
  const beside = html`<a href="${visit.site.basePath}${historyPath}">${words('history.title')}</a>`;
  return panel(
    { id: 'latest', heading: words('today.latest'), beside },
    latest.length === 0
      ? html`<p class="soft">${words('today.latestNothing')}</p>`
      : dayList(
          latest,
          ({ at }) => at,
          ({ content }) => content,
        ),
  );
}
