/** One plant: its picture, its story, its goal and its solved problems; and the page that confirms uprooting it. */

import { parseInt64 } from '../../../contract/common.ts';
import {
  findMilestones,
  growthOf,
  isFiltered,
  isListGone,
  listProblemsOfPlant,
  type Milestone,
  type PlantWithGrowth,
  readPlant,
  startOfDay,
} from '../../../practice/garden.ts';
import { longestPlantName } from '../../../practice/goals.ts';
import { readPace, readPlantPlans } from '../../../practice/plan.ts';
import { changeGoal, editsOf, goalVersion, uproot } from '../../../practice/planting.ts';
import { narrowSearch, problemCounter } from '../../../store/problem-lists.ts';
import { plantKinds } from '../../drawing/plants/kinds.ts';
import { plantPicture } from '../../drawing/plants/plant-picture.ts';
import { changeBar } from '../../kit/changes.ts';
import { moment } from '../../kit/dates.ts';
import { dayRangeText } from '../../kit/day-links.ts';
import { actions, button, type Faults, form, formActions, textField } from '../../kit/form.ts';
import { crumbsToGarden, frame, pageHead } from '../../kit/frame.ts';
import { countLink, linkButton } from '../../kit/links.ts';
import { problemLink } from '../../kit/marks.ts';
import { collapsiblePanel, notice, panel, unheadedPanel } from '../../kit/panel.ts';
import { planLines } from '../../kit/plan.ts';
import { gardenStyles, plantListAddress, plantQuery, solvedForPlantLink } from '../../kit/plant-links.ts';
import { filterOf, queryString } from '../../kit/problem-query.ts';
import { bulkBar, problemRowsOf, problemTable } from '../../kit/problem-table.ts';
import { type Html, html } from '../../markup.ts';
import {
  deletePlantPath,
  gardenPath,
  listPath,
  newPlantPath,
  plantPath,
  problemsPath,
  progressPath,
} from '../../paths.ts';
import { idIn } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, type PageRoute, pageNotFound } from '../../request/visits.ts';
import { linkTo, richWords, words } from '../../words/words.ts';
import { growthBar } from './garden.ts';
import {
  dateFaults,
  dateField,
  dateIn,
  dateLine,
  nameFaults,
  nameOfGoal,
  readPlantName,
  scopeName,
  targetFaults,
  targetIn,
} from './goal.ts';

const milestones = [
  ['first', 0],
  ['quarter', 0.25],
  ['half', 0.5],
  ['threeQuarters', 0.75],
  ['bloom', 1],
  ['fruit', 2],
] as const;

/** When the plant was planted and changed and reached parts of its target, and what comes next. */
async function storyPanel({ store, member, site }: MemberVisit, plant: PlantWithGrowth): Promise<Html> {
  const target = Number(plant.target);
  // A small target reaches several milestones with one problem, of which only the last is shown.
  const byNumber = new Map(milestones.map(([name, part]) => [Math.max(1, Math.ceil(target * part)), name] as const));
  const reached = [...byNumber.keys()].filter((nth) => nth <= plant.done);
  const milestonesReached = await findMilestones(store.reader, member.user_id, plant, reached);
  const milestoneText = ({ nth, problem_id: id, title }: Milestone) =>
    richWords(`story.${byNumber.get(nth) ?? 'first'}`, { problem: problemLink(site.basePath, { id, title }) });
  const events = [
    { at: plant.planted_at, order: 0, text: words('plantPage.planted') as Html | string },
    ...milestonesReached.map((one) => ({ at: one.completed_at, order: one.nth, text: milestoneText(one) })),
    ...editEvents(plant),
  ].sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : one.order - other.order));
  const remaining = target - plant.done;
  const statusText =
    !isListGone(plant) &&
    (growthOf(plant).isResting
      ? words('plantPage.resting', { count: plant.inactiveDays })
      : remaining > 0 && words('plantPage.toGo', { count: remaining }));
  return panel(
    { id: 'story', heading: words('plantPage.story') },
    html`
      <ol class="story">${events.map(({ at, text }) => html`<li>${moment(at)}<span>${text}</span></li>`)}</ol>
      ${statusText && html`<p class="soft">${statusText}</p>`}`,
  );
}

function editEvents(plant: PlantWithGrowth): { at: string; order: number; text: Html }[] {
  const edits = editsOf(plant);
  return edits.map(({ at, name, target, by_date }, nth) => {
    const after = edits[nth + 1] ?? plant;
    const [before, now] = [html`<bdi>${name}</bdi>`, html`<bdi>${after.name}</bdi>`];
    const day = (date: string | null) => (date === null ? words('edited.noDate') : dayRangeText(date, date));
    const isSame = name === after.name && target === after.target;
    const text = isSame
      ? richWords('edited.redated', { before: day(by_date), now: day(after.by_date) })
      : name === after.name
        ? richWords('edited.retargeted', { target, newTarget: after.target })
        : target === after.target
          ? richWords('edited.renamed', { before, now })
          : richWords('edited.changed', { before, now, target, newTarget: after.target });
    return { at, order: Number.MAX_SAFE_INTEGER, text };
  });
}

const problemsAtMost = 25;
/** More than any member solves in a day. */
const todayAtMost = 500;

export const plantPages: readonly PageRoute<MemberVisit>[] = [
  { path: `${gardenPath}at/:id/`, get: (visit) => showPlant(visit), post: submitGoal },
  { path: `${gardenPath}at/:id/uproot/`, get: showUprooting, post: submitUprooting },
];

async function plantOf({ store, member, params, path }: MemberVisit, now: Date): Promise<PlantWithGrowth> {
  const id = idIn(params['id'], parseInt64);
  const plant = await readPlant(store.reader, member.user_id, id, now);
  if (!plant) throw pageNotFound(path);
  return plant;
}

interface GoalInput {
  name: string;
  target: string;
  byDate: string;
  faults: Faults;
  isStale: boolean;
}

async function showPlant(visit: MemberVisit, input?: GoalInput): Promise<PageResult> {
  const { basePath } = visit.site;
  const now = new Date();
  const plant = await plantOf(visit, now);
  const { id, name } = plant;
  const unsolvedCount = await countUnsolved(visit, plant);
  const unsolved = plantQuery(plant, 'unsolved');
  const randomOptions = { symbol: 'random', kind: 'primary' } as const;
  const actions = html`
    ${linkButton(basePath + deletePlantPath(id), words('plantPage.uproot'))}
    ${
      unsolvedCount > 0 &&
      unsolved &&
      linkButton(`${basePath}${problemsPath}random/${queryString(unsolved)}`, words('plantPage.next'), randomOptions)
    }`;
  const today = visit.days.at(now.getTime());
  const plan = await planOfPlant(visit, plant, now.getTime());
  const sub = factsOf(plant, unsolvedCount, dateLine(plant, today), basePath);
  const content = html`
    ${pageHead(html`<bdi>${name}</bdi>`, { sub, actions, crumbs: crumbsToGarden(basePath) })}
    ${isListGone(plant) && listGoneNotice(plant, basePath)}
    <div class="plant-and-story">
      ${unheadedPanel({ className: 'plant-panel' }, html`${plantPicture(plant)}${growthBar(plant)}`)}
      ${await storyPanel(visit, plant)}
    </div>
    ${plan && unheadedPanel({}, planLines(plan, today, basePath, `${basePath}${plantPath(id)}#by_date-hint`))}
    ${goalForm(visit, plant, input)}
    ${await problemsPanel(visit, plant, now)}`;
  const bar = await changeBar(visit, plantPath(id));
  return {
    ...(input && { status: input.isStale ? 409 : 422 }),
    html: plantFrame(visit, name, 'p-plant', content, bar),
  };
}

async function planOfPlant({ store, member }: MemberVisit, plant: PlantWithGrowth, now: number) {
  const [db, memberId] = [store.reader, member.user_id];
  return (await readPlantPlans(db, memberId, [plant], await readPace(db, memberId, now), now)).get(plant.id);
}

const plantFrame = (visit: MemberVisit, title: string, kind: string, content: Html, bar?: Html) =>
  frame(visit, { title, current: progressPath, kind: `p-garden ${kind}`, styles: gardenStyles, bar }, content);

/** `dateText` is the text of the goal's date. */
function factsOf(plant: PlantWithGrowth, unsolvedCount: number, dateText: Html | undefined, basePath: string): Html {
  const { done: count, target, today, list } = plant;
  const toChoose = plantListAddress(plant, 'unsolved');
  const link = (n: number, to: string | undefined) => (text: (string | Html)[]) =>
    countLink(n, to && basePath + to, text);
  const facts = [
    html`<i lang="la">${plantKinds[plant.species].latin}</i>`,
    words(`plant.stage.${growthOf(plant).stage}`),
    richWords('plantPage.solved', { count, target, num: (text) => solvedForPlantLink(basePath, plant, text) }),
    today > 0 && richWords('plantPage.today', { count: today, num: link(today, `${plantPath(plant.id)}?show=today`) }),
    !isListGone(plant) && richWords('plantPage.left', { count: unsolvedCount, num: link(unsolvedCount, toChoose) }),
    list
      ? richWords('plantPage.list', {
          name: html`<a href="${basePath}${listPath(list.id)}"><bdi>${list.name}</bdi></a>`,
        })
      : isFiltered(plant) && words('plantPage.part', { what: scopeName(plant) }),
    dateText,
  ].filter(Boolean);
  return html`${facts.map((fact) => html`<span><span>${fact}</span></span>`)}`;
}

/** Counts the problems that the link of the page shows, so that both agree. */
async function countUnsolved(visit: MemberVisit, plant: PlantWithGrowth): Promise<number> {
  const { store, member } = visit;
  const query = plantQuery(plant, 'unsolved');
  if (!query) return 0;
  const filter = await narrowSearch(store, await filterOf(visit, query));
  return problemCounter(store, member.user_id).countFound(filter);
}

function listGoneNotice({ list_name }: PlantWithGrowth, basePath: string): Html {
  const name = html`<bdi>${list_name}</bdi>`;
  return notice('warn', richWords('plantPage.listGone', { name, way: linkTo(basePath + newPlantPath) }));
}

function goalForm(visit: MemberVisit, plant: PlantWithGrowth, input: GoalInput | undefined): Html {
  const { id, name, target, by_date } = plant;
  const { faults = {}, isStale, ...values } = input ?? { name, target: String(target), byDate: by_date ?? '' };
  const conflictText = words('goal.conflict', { name, target, date: by_date ?? words('edited.noDate') });
  const fields = html`
    ${textField(words('planting.name'), 'name', faults, { value: values.name, longest: longestPlantName })}
    ${textField(words('planting.ownNumber'), 'target', faults, { value: values.target, longest: 19 })}
    ${dateField(values.byDate, faults)}
    ${formActions(words('goal.save'))}`;
  const hidden = { seen: goalVersion(plant), date_before: by_date ?? '' };
  return collapsiblePanel(
    words('goal.change'),
    html`
      ${isStale && notice('warn', conflictText)}
      ${form(visit, { to: plantPath(id), className: 'form', hidden }, fields)}`,
    { isOpen: input !== undefined },
  );
}

async function submitGoal(visit: MemberVisit): Promise<PageResult> {
  const { store, member, form: posted, path } = visit;
  const now = new Date();
  const plant = await plantOf(visit, now);
  const { id } = plant;
  const [name, text, version] = [
    readPlantName(posted.get('name')),
    posted.get('target') ?? '',
    posted.get('seen') ?? '',
  ];
  const target = targetIn(text.trim());
  const byDate = (posted.get('by_date') ?? '').trim().slice(0, 20);
  const by_date = dateIn(byDate);
  const isDateUnchanged = byDate === (posted.get('date_before') ?? '') && by_date !== undefined;
  const faults = {
    ...nameFaults(name),
    ...targetFaults('target', target),
    ...(isDateUnchanged ? {} : dateFaults(by_date, visit)),
  };
  const input = { name, target: text, byDate, faults, isStale: false };
  if (Object.keys(faults).length > 0) return showPlant(visit, input);
  const isSuggested = plant.list_name === null && name === nameOfGoal(plant, plant.target);
  const newName = isSuggested ? nameOfGoal(plant, target) : name;
  const goal = { name: newName, target, by_date: by_date ?? null, version };
  const isChanged = await changeGoal(store, member.user_id, id, goal, now);
  if (isChanged === undefined) throw pageNotFound(path);
  return isChanged ? { to: plantPath(id) } : showPlant(visit, { ...input, isStale: true });
}

async function problemsPanel(visit: MemberVisit, plant: PlantWithGrowth, now: Date): Promise<Html> {
  const isTodayOnly = visit.query.get('show') === 'today';
  const since = isTodayOnly ? startOfDay(visit.days, now) : '';
  const limit = isTodayOnly ? todayAtMost : problemsAtMost;
  const rows = await listProblemsOfPlant(visit.store.reader, visit.member.user_id, plant, { since, limit });
  const query = plantQuery(plant, 'complete');
  const shown = await problemRowsOf(visit, rows, plantPath(plant.id));
  const heading = words(isTodayOnly ? 'plantPage.problemsToday' : 'plantPage.problems');
  const hasMore = !isTodayOnly && plant.done > rows.length;
  return html`
    <section aria-labelledby="grew-from" data-total="${rows.length}">
      <div class="panel-head">
        <h2 id="grew-from">${heading}</h2>
        ${hasMore && html`<p>${words('plantPage.newest', { count: rows.length })}</p>`}
      </div>
      ${
        rows.length > 0 && query
          ? html`${problemTable(shown, query, rows)}${bulkBar(shown.forms, query, plant.done)}`
          : html`<p class="soft">${words('plantPage.nothing')}</p>`
      }
    </section>`;
}

async function showUprooting(visit: MemberVisit): Promise<PageResult> {
  const { basePath } = visit.site;
  const plant = await plantOf(visit, new Date());
  const { id, name } = plant;
  const title = words('uprooting.title', { name });
  const href = basePath + plantPath(id);
  const buttons = actions(
    button(words('uprooting.button'), 'danger', ['uproot', id]),
    linkButton(href, words('uprooting.keep'), { kind: 'quiet' }),
  );
  const content = html`
    ${pageHead(title, { crumbs: [...crumbsToGarden(basePath), [href, name]] })}
    <div class="plant-and-story">
      ${unheadedPanel({ className: 'plant-panel' }, plantPicture(plant, 0.4))}
      ${unheadedPanel(
        {},
        html`
          <p>${words('uprooting.text')}</p>
          ${form(visit, { to: deletePlantPath(id), className: 'form' }, buttons)}`,
      )}
    </div>`;
  return { html: plantFrame(visit, title, 'p-uprooting', content) };
}

async function submitUprooting({ store, member, params, path }: MemberVisit): Promise<PageResult> {
  const id = idIn(params['id'], parseInt64);
  if (!(await uproot(store, member.user_id, id))) throw pageNotFound(path);
  return { to: `${gardenPath}?uprooted=${id}` };
}
