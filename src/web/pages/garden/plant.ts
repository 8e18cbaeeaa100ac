/**
 * One plant: its picture, its story by date, and the problems from which it grew; and the page that asks before it is
 * uprooted.
 */

import { parseInt64 } from '../../../contract/common.ts';
import { daysOf } from '../../../practice/days.ts';
import {
  findMilestones,
  type GrownList,
  type GrownPlant,
  growthOf,
  isListGone,
  isNarrow,
  listGrownFrom,
  longestPlantName,
  type NthCompletion,
  readPlant,
  startOfDay,
} from '../../../practice/garden.ts';
import { changeGoal, editsOf, goalVersion, uproot } from '../../../practice/planting.ts';
import { readDayRule, readPreferences } from '../../../practice/preferences.ts';
import { readCatalogue } from '../../../store/catalogue.ts';
import { findSolvedCounts } from '../../../store/problems.ts';
import { listTries } from '../../../store/solves.ts';
import { kinds } from '../../drawing/plants/kinds.ts';
import { plantPicture } from '../../drawing/plants/plant-picture.ts';
import { changeBar } from '../../kit/changes.ts';
import { moment } from '../../kit/dates.ts';
import { daysText } from '../../kit/day-links.ts';
import { type Faults, textField } from '../../kit/form.ts';
import { crumbsToGarden, frame, pageHead } from '../../kit/frame.ts';
import { icon } from '../../kit/icons.ts';
import type { Forms } from '../../kit/marks.ts';
import { countLink, gardenStyles, groundAddress, groundQuery, solvedLink } from '../../kit/plant-links.ts';
import { addressOf } from '../../kit/problem-query.ts';
import { bulkBar, marksOf, problemTable } from '../../kit/problem-table.ts';
import { type Html, html } from '../../markup.ts';
import {
  gardenPath,
  listPath,
  pathOfList,
  plantingPath,
  plantPath,
  problemPath,
  progressPath,
  uprootingPath,
} from '../../paths.ts';
import { idIn } from '../../road/fields.ts';
import { type Answer, type MemberVisit, nothingHere, type PageRoute } from '../../road/visits.ts';
import { linkTo, richWords, words } from '../../words/words.ts';
import { growthBar } from './garden.ts';
import {
  countPart,
  dateFaults,
  dateIn,
  dateLine,
  groundName,
  nameFaults,
  nameIn,
  targetFaults,
  targetIn,
} from './goal.ts';

/* The story of a plant by date: when it was planted and changed, and when it reached parts of its target. */

const milestones = [
  ['first', 0],
  ['quarter', 0.25],
  ['half', 0.5],
  ['threeQuarters', 0.75],
  ['bloom', 1],
  ['fruit', 2],
] as const;

/**
 * When the plant was planted and changed, and when what is solved reached parts of the target; what comes next stands
 * last.
 */
async function storyPanel({ store, member, site }: MemberVisit, plant: GrownPlant): Promise<Html> {
  const target = Number(plant.target);
  // A small target has fewer milestones; the later of two at one number says more.
  const byNumber = new Map(milestones.map(([name, part]) => [Math.max(1, Math.ceil(target * part)), name] as const));
  const reached = [...byNumber.keys()].filter((nth) => nth <= plant.done);
  const found = await findMilestones(store.reader, member.user_id, plant, reached);
  const told = ({ nth, problem_id, title }: NthCompletion) => {
    const problem = html`<a href="${site.basePath}${problemPath(problem_id)}">${title}</a>`;
    return richWords(`story.${byNumber.get(nth) ?? 'first'}`, { problem });
  };
  const events = [
    { at: plant.planted_at, order: 0, text: words('plantPage.planted') as Html | string },
    ...found.map((one) => ({ at: one.completed_at, order: one.nth, text: told(one) })),
    ...editsTold(plant),
  ].sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : one.order - other.order));
  const toGo = target - plant.done;
  const now = isListGone(plant)
    ? ''
    : growthOf(plant).isResting
      ? words('plantPage.resting', { count: plant.quietDays })
      : toGo > 0
        ? words('plantPage.toGo', { count: toGo })
        : '';
  return html`
    <section class="panel" aria-labelledby="story">
      <div class="panel-head"><h2 id="story">${words('plantPage.story')}</h2></div>
      <ol class="story">${events.map(({ at, text }) => html`<li>${moment(at)}<span>${text}</span></li>`)}</ol>
      ${now ? html`<p class="soft">${now}</p>` : ''}
    </section>`;
}

/** Each change of the name or the target, from what it was to what it became. */
function editsTold(plant: GrownPlant): { at: string; order: number; text: Html }[] {
  const edits = editsOf(plant);
  return edits.map(({ at, name, target, by_date }, nth) => {
    const after = edits[nth + 1] ?? plant;
    const [before, now] = [html`<bdi>${name}</bdi>`, html`<bdi>${after.name}</bdi>`];
    const day = (date: string | null) => (date === null ? words('edited.noDate') : daysText(date, date));
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
/** No day of a member has more. */
const todayAtMost = 500;

export const plantPages: readonly PageRoute<MemberVisit>[] = [
  {
    path: `${gardenPath}at/:id/`,
    show: (visit) => showPlant(visit),
    change: takeGoal,
  },
  { path: `${gardenPath}at/:id/uproot/`, show: showUprooting, change: takeUprooting },
];

async function plantOf({ store, member, params, path }: MemberVisit, now: Date): Promise<GrownPlant> {
  const id = idIn(params['id'], parseInt64);
  const plant = await readPlant(store.reader, member.user_id, id, now);
  if (!plant) throw nothingHere(path);
  return plant;
}

interface Asked {
  name: string;
  target: string;
  byDate: string;
  faults: Faults;
  overtaken: boolean;
}

async function showPlant(visit: MemberVisit, asked?: Asked): Promise<Answer> {
  const { site, query } = visit;
  const { basePath } = site;
  const now = new Date();
  const plant = await plantOf(visit, now);
  const { id, name, done } = plant;
  const left = Number(await totalOf(visit, plant)) - done;
  const by = dateLine(plant, visit.days.at(now.getTime()));
  const unsolved = groundQuery(plant, 'unsolved');
  const isToday = query.get('show') === 'today';
  const state = growthOf(plant);
  const fact = (text: Html | string) => html`<span><span>${text}</span></span>`;
  const stage = words(`plant.stage.${state.stage}`);
  const solved = solvedLink(basePath, plant);
  const today = countLink(basePath, plant.today, `${plantPath(id)}?show=today`);
  const toChoose = countLink(basePath, left, groundAddress(plant, 'unsolved'));
  const facts = html`
    ${fact(html`<i lang="la">${kinds[plant.species].latin}</i>`)}
    ${fact(stage)}
    ${fact(richWords('plantPage.solved', { count: done, target: plant.target, num: solved }))}
    ${plant.today > 0 ? fact(richWords('plantPage.today', { count: plant.today, num: today })) : ''}
    ${isListGone(plant) ? '' : fact(richWords('plantPage.left', { count: left, num: toChoose }))}
    ${
      plant.list
        ? fact(withList(plant.list, basePath))
        : isNarrow(plant)
          ? fact(words('plantPage.part', { what: groundName(plant) }))
          : ''
    }
    ${by === '' ? '' : fact(by)}`;
  const next =
    left > 0 && unsolved
      ? html`
        <a class="button primary" href="${basePath}${listPath}random/${addressOf(unsolved)}">
          ${icon('random')}
          <span>${words('plantPage.next')}</span>
        </a>`
      : '';
  const actions = html`
    <a class="button" href="${basePath}${uprootingPath(id)}">${words('plantPage.uproot')}</a>
    ${next}`;
  return {
    ...(asked && { status: asked.overtaken ? 409 : 422 }),
    html: frame(
      visit,
      {
        title: name,
        current: progressPath,
        kind: 'p-garden p-plant',
        styles: gardenStyles,
        bar: await changeBar(visit, plantPath(id)),
      },
      html`
        ${pageHead(html`<bdi>${name}</bdi>`, { sub: facts, actions, crumbs: crumbsToGarden(basePath) })}
        ${goneNotice(plant, basePath)}
        <div class="plant-and-story">
          <section class="panel plant-panel">${plantPicture(plant)}${growthBar(plant)}</section>
          ${await storyPanel(visit, plant)}
        </div>
        ${goalForm(visit, plant, asked)}
        ${await problemsPanel(visit, plant, isToday, now)}`,
    ),
  };
}

/** How many problems it could grow with. */
async function totalOf({ store, member }: MemberVisit, plant: GrownPlant): Promise<bigint> {
  const { tag, list, list_name } = plant;
  if (list_name !== null) return list?.problems ?? 0n;
  if (isNarrow(plant)) return countPart(store, member.user_id, plant);
  const { total, byTag } = await readCatalogue(store.reader);
  return tag ? (byTag.get(tag) ?? 0n) : total;
}

const withList = ({ id, name }: GrownList, basePath: string) =>
  richWords('plantPage.list', { name: html`<a href="${basePath}${pathOfList(id)}"><bdi>${name}</bdi></a>` });

/** That there is no list any more with which the plant could grow. */
function goneNotice(plant: GrownPlant, basePath: string): Html | '' {
  if (!isListGone(plant)) return '';
  const name = html`<bdi>${plant.list_name}</bdi>`;
  return html`
    <div class="notice" data-kind="warn" role="status">
      ${icon('warn')}
      <p>${richWords('plantPage.listGone', { name, way: linkTo(basePath + plantingPath) })}</p>
    </div>`;
}

/** The name and the target, to be changed; what was wrong stands open. */
function goalForm({ site, antiForgery }: MemberVisit, plant: GrownPlant, asked: Asked | undefined): Html {
  const { id, name, target, by_date } = plant;
  const faults = asked?.faults ?? {};
  return html`
    <details class="panel"${asked ? html` open` : ''}>
      <summary>${words('goal.change')}</summary>
      ${
        asked?.overtaken
          ? html`
            <div class="notice" data-kind="warn" role="alert">
              <p>${words('goal.overtaken', { name, target, date: by_date ?? words('edited.noDate') })}</p>
            </div>`
          : ''
      }
      <form class="form" method="post" action="${site.basePath}${plantPath(id)}">
        ${antiForgery}
        <input type="hidden" name="seen" value="${goalVersion(plant)}">
        <input type="hidden" name="date_before" value="${by_date ?? ''}">
        ${textField(words('planting.name'), 'name', faults, { value: asked?.name ?? name, longest: longestPlantName })}
        ${textField(words('planting.ownNumber'), 'target', faults, {
          value: asked?.target ?? String(target),
          longest: 19,
        })}
        ${textField(words('goal.date'), 'by_date', faults, {
          type: 'date',
          value: asked?.byDate ?? by_date ?? '',
          isOptional: true,
          hint: words('goal.dateHint'),
        })}
        <div class="actions"><button class="button primary">${words('goal.save')}</button></div>
      </form>
    </details>`;
}

async function takeGoal(visit: MemberVisit): Promise<Answer> {
  const { store, member, params, form, path } = visit;
  const id = idIn(params['id'], parseInt64);
  const [name, text, seen] = [nameIn(form.get('name')), form.get('target') ?? '', form.get('seen') ?? ''];
  const target = targetIn(text.trim());
  const byDate = (form.get('by_date') ?? '').trim().slice(0, 20);
  const by_date = dateIn(byDate);
  const isDate = byDate === (form.get('date_before') ?? '') && by_date !== undefined;
  const faults = {
    ...{ ...nameFaults(name), ...targetFaults('target', target) },
    ...(isDate ? {} : dateFaults(by_date, visit)),
  };
  const asked = { name, target: text, byDate, faults, overtaken: false };
  if (Object.keys(faults).length > 0) return showPlant(visit, asked);
  const isChanged = await changeGoal(
    store,
    member.user_id,
    id,
    { name, target, by_date: by_date ?? null, seen },
    new Date(),
  );
  if (isChanged === undefined) throw nothingHere(path);
  return isChanged ? { to: plantPath(id) } : showPlant(visit, { ...asked, overtaken: true });
}

async function problemsPanel(
  { store, member, site, antiForgery }: MemberVisit,
  plant: GrownPlant,
  isToday: boolean,
  now: Date,
): Promise<Html> {
  const { reader } = store;
  const { user_id } = member;
  const since = isToday ? startOfDay(daysOf(await readDayRule(reader, user_id)), now) : '';
  const limit = isToday ? todayAtMost : problemsAtMost;
  const rows = await listGrownFrom(reader, user_id, plant, { since, limit });
  const ids = rows.map(({ id }) => id);
  const marks = await marksOf(reader, user_id, ids);
  const tries = new Map((await listTries(reader, user_id, ids)).map((one) => [one.problem_id, one]));
  const solvedBy = await findSolvedCounts(reader, ids);
  const preferences = await readPreferences(reader, user_id);
  const forms: Forms = { basePath: site.basePath, antiForgery, from: plantPath(plant.id) };
  const query = groundQuery(plant, 'complete');
  const heading = words(isToday ? 'plantPage.problemsToday' : 'plantPage.problems');
  const beside =
    !isToday && plant.done > rows.length ? html`<p>${words('plantPage.newest', { count: rows.length })}</p>` : '';
  const table =
    rows.length > 0 && query
      ? html`
        ${problemTable(
          forms,
          query,
          rows,
          (id) => ({ ...marks(id), tries: tries.get(id), solvedBy: solvedBy.get(id) }),
          preferences,
        )}
        ${bulkBar(forms, query, plant.done)}`
      : html`<p class="soft">${words('plantPage.nothing')}</p>`;
  return html`
    <section aria-labelledby="grew-from" data-total="${rows.length}">
      <div class="panel-head"><h2 id="grew-from">${heading}</h2>${beside}</div>
      ${table}
    </section>`;
}

async function showUprooting(visit: MemberVisit): Promise<Answer> {
  const { basePath } = visit.site;
  const plant = await plantOf(visit, new Date());
  const { id, name } = plant;
  const title = words('uprooting.title', { name });
  return {
    html: frame(
      visit,
      { title, current: progressPath, kind: 'p-garden p-uprooting', styles: gardenStyles },
      html`
        ${pageHead(title, { crumbs: [...crumbsToGarden(basePath), [basePath + plantPath(id), name]] })}
        <div class="plant-and-story">
          <section class="panel plant-panel">${plantPicture(plant, 0.4)}</section>
          <section class="panel">
            <p>${words('uprooting.text')}</p>
            <form class="form" method="post" action="${basePath}${uprootingPath(id)}">
              ${visit.antiForgery}
              <div class="actions">
                <button class="button danger" name="uproot" value="${id}">${words('uprooting.button')}</button>
                <a class="button quiet" href="${basePath}${plantPath(id)}">${words('uprooting.keep')}</a>
              </div>
            </form>
          </section>
        </div>`,
    ),
  };
}

async function takeUprooting({ store, member, params, path }: MemberVisit): Promise<Answer> {
  const id = idIn(params['id'], parseInt64);
  if (!(await uproot(store, member.user_id, id))) throw nothingHere(path);
  return { to: `${gardenPath}?uprooted=${id}` };
}
