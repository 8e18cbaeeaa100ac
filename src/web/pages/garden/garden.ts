/** The garden of a member: the picture, the same as a list, and what was uprooted in the last day. */

import { parseInt64 } from '../../../contract/common.ts';
import { dateOf } from '../../../practice/days.ts';
import { type GrownPlant, growthOf, isInBloom, isNarrow, readGarden } from '../../../practice/garden.ts';
import { plantAgain, undoableSince } from '../../../practice/planting.ts';
import { listUprooted, type UprootedPlantsTable } from '../../../store/plants.ts';
import { gardenMarkup } from '../../drawing/plants/garden-picture.ts';
import { moment, past } from '../../kit/dates.ts';
import { frame, pageHead, progressTabs } from '../../kit/frame.ts';
import { icon, spot } from '../../kit/icons.ts';
import { pageOfRows, undoBar } from '../../kit/marks.ts';
import { countLink, type Ground, gardenStyles, groundAddress, solvedLink } from '../../kit/plant-links.ts';
import { type Html, html } from '../../markup.ts';
import {
  accountPath,
  gardenPath,
  pathOfList,
  plantingPath,
  plantPath,
  progressPath,
  uprootingPath,
} from '../../paths.ts';
import { field, idIn } from '../../road/fields.ts';
import { type Answer, type MemberVisit, nothingHere, type PageRoute } from '../../road/visits.ts';
import { thousands } from '../../words/formats.ts';
import { richWords, words } from '../../words/words.ts';
import { dateLine, groundName } from './goal.ts';

/** The pictures by the class that says at which widths they show. */
const widths = { 'garden-wide': 1216, 'garden-middle': 720, 'garden-narrow': 344 };

/** The newest ones that can be planted again from here. */
const uprootedAtMost = 50;

/** Which plants the list shows, by the word in the address. */
const shows = {
  grown: ({ today }: GrownPlant) => today > 0,
  bloom: isInBloom,
  resting: (plant: GrownPlant) => growthOf(plant).isResting,
} as const;

export const gardenPage: PageRoute<MemberVisit> = {
  path: gardenPath,
  show: showGarden,
  change: takePlantAgain,
};

async function showGarden(visit: MemberVisit): Promise<Answer> {
  const { store, member, site, query, antiForgery, days } = visit;
  const { basePath } = site;
  const now = new Date();
  const plants = await readGarden(store.reader, member.user_id, days, now);
  const uprooted = await listUprooted(store.reader, member.user_id, undoableSince(now));
  const owner = member.first_name ?? member.username;
  const title = words('garden.title', { owner });
  const last = uprooted.find(({ id }) => id === parseInt64(query.get('uprooted') ?? ''));
  const asked = query.get('show') ?? '';
  const shown = Object.hasOwn(shows, asked) ? (asked as keyof typeof shows) : undefined;
  const today = days.at(now.getTime());
  const actions = html`
    <a class="button" href="${basePath}${accountPath}sharing/">${icon('share')}<span>${words('garden.share')}</span></a>
    <a class="button primary" href="${basePath}${plantingPath}">
      ${icon('plus')}
      <span>${words('garden.plantGoal')}</span>
    </a>`;
  const href = ({ id }: GrownPlant) => basePath + plantPath(id);
  const content =
    plants.length === 0
      ? emptyGarden(basePath)
      : html`
        <div class="garden">${gardenMarkup(pageOfRows(visit, gardenPath, plants).shown, { owner, href, widths })}</div>
        ${plantList(visit, plants, shown, today)}`;
  return {
    html: frame(
      visit,
      {
        title,
        current: progressPath,
        kind: 'p-garden',
        styles: gardenStyles,
        bar: last && uprootedBar(last, basePath, antiForgery),
      },
      html`
        ${pageHead(title, { sub: factsOf(plants, basePath), ...(plants.length > 0 && { actions }) })}
        ${progressTabs(basePath, gardenPath)}
        <p class="printed">${words('garden.printed', { owner, day: dateOf(today) })}</p>
        ${content}
        ${uprooted.length > 0 ? uprootedPanel(uprooted, basePath, antiForgery) : ''}`,
    ),
  };
}

/** How many plants there are, grew, bloom and rest; each number leads to those in the list. */
function factsOf(plants: readonly GrownPlant[], basePath: string): Html {
  const count = (show: keyof typeof shows) => plants.filter(shows[show]).length;
  const fact = (name: 'grew' | 'bloom' | 'resting', show: keyof typeof shows) => {
    const num = countLink(basePath, count(show), `${gardenPath}?show=${show}`);
    return count(show) === 0
      ? ''
      : html`<span><span>${richWords(`garden.fact.${name}`, { count: count(show), num })}</span></span>`;
  };
  const all = countLink(basePath, plants.length, gardenPath);
  return html`
    <span><span>${richWords('garden.plants', { count: plants.length, num: all })}</span></span>
    ${fact('grew', 'grown')}
    ${fact('bloom', 'bloom')}
    ${fact('resting', 'resting')}`;
}

function emptyGarden(basePath: string): Html {
  return html`
    <section class="panel empty" data-total="0">
      ${spot('bed')}
      <h2>${words('garden.empty')}</h2>
      <p class="soft">${words('garden.emptyText')}</p>
      <div class="actions">
        <a class="button primary" href="${basePath}${plantingPath}">
          ${icon('plus')}
          <span>${words('garden.plantGoal')}</span>
        </a>
      </div>
    </section>`;
}

function plantList(
  visit: MemberVisit,
  plants: readonly GrownPlant[],
  show: keyof typeof shows | undefined,
  today: number,
): Html {
  const { basePath } = visit.site;
  const all = show ? plants.filter(shows[show]) : plants;
  const { shown, more } = pageOfRows(visit, gardenPath, all, show && { show });
  const heading = words(show ? `garden.list.${show}` : 'garden.list');
  const beside = show
    ? html`<a href="${basePath}${gardenPath}">${words('garden.showAll')}</a>`
    : html`<p>${words('garden.sameAsList')}</p>`;
  const table = html`
    <table class="plain-table plant-table" role="table">
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col">${words('garden.goal')}</th>
          <th role="columnheader" scope="col" class="c-tag">${words('garden.topic')}</th>
          <th role="columnheader" scope="col" class="c-bar">${words('garden.grown')}</th>
          <th role="columnheader" scope="col" class="num"><span class="sr">${words('garden.solved')}</span></th>
          <th role="columnheader" scope="col" class="c-last">${words('garden.lastGrew')}</th>
          <th role="columnheader" scope="col" class="c-do"><span class="sr">${words('garden.actions')}</span></th>
        </tr>
      </thead>
      <tbody role="rowgroup">${shown.map((plant) => plantRow(plant, basePath, today))}</tbody>
    </table>`;
  return html`
    <section class="panel" data-total="${all.length}" aria-labelledby="plants-title">
      <div class="panel-head"><h2 id="plants-title">${heading}</h2>${beside}</div>
      ${shown.length > 0 ? table : html`<p class="soft">${words('garden.noneLikeThat')}</p>`}
      ${more}
    </section>`;
}

/** Rows have no `richWords`, which would take half of the time of the page. */
function plantRow(plant: GrownPlant, basePath: string, today: number): Html {
  const { id, name, done, target } = plant;
  const by = dateLine(plant, today);
  return html`
    <tr role="row" data-plant="${id}">
      <th role="rowheader" scope="row">
        <a href="${basePath}${plantPath(id)}"><bdi>${name}</bdi></a>
        ${by === '' ? '' : html`<span class="faint by">${by}</span>`}
      </th>
      <td role="cell" class="c-tag">${groundChip(plant, basePath)}</td>
      <td role="cell" class="c-bar">${growthBar(plant)}</td>
      <td role="cell" class="num">
        ${solvedLink(basePath, plant)([thousands.format(done)])} ${words('garden.ofTarget', {
          target: thousands.format(target),
        })}
      </td>
      <td role="cell" class="c-last">${lastGrew(plant, basePath)}</td>
      <td role="cell" class="c-do">
        <a class="button small quiet" href="${basePath}${uprootingPath(id)}">
          ${words('garden.uproot')}
          <span class="sr"> ${name}</span>
        </a>
      </td>
    </tr>`;
}

/** With what it grows: a topic, a list, or any problem. */
function groundChip(plant: Ground, basePath: string): Html {
  const { list, list_name } = plant;
  if (list)
    return html`<a class="chip" href="${basePath}${pathOfList(list.id)}">${icon('list')}<bdi>${list.name}</bdi></a>`;
  if (list_name !== null) return html`<span class="faint">${words('garden.listGone')}</span>`;
  const all = groundAddress(plant);
  const name = groundName(plant);
  if (!all || (!plant.tag && !isNarrow(plant))) return html`<span class="faint">${name}</span>`;
  return html`<a class="chip" href="${basePath}${all}">${name}</a>`;
}

export function growthBar({ name, done, target }: Pick<GrownPlant, 'name' | 'done' | 'target'>): Html {
  const most = Number(target);
  return html`
    <progress class="bar" value="${Math.min(done, most)}" max="${most}" aria-label="${name}">
      ${words('plant.count', { done, target })}
    </progress>`;
}

function lastGrew(plant: GrownPlant, basePath: string): Html | string {
  const { id, today, lastAt } = plant;
  if (today > 0) {
    const num = countLink(basePath, today, `${plantPath(id)}?show=today`);
    return richWords('plantPage.today', { count: today, num });
  }
  const when = lastAt === null ? words('garden.neverGrew') : moment(lastAt);
  if (!growthOf(plant).isResting) return html`<span class="soft">${when}</span>`;
  return html`<span class="soft rests">${richWords('garden.restsSince', { when })}</span>`;
}

function againForm(
  { id, name }: UprootedPlantsTable,
  basePath: string,
  antiForgery: Html,
  className = 'button small',
): Html {
  return html`
    <form method="post" action="${basePath}${gardenPath}">
      ${antiForgery}
      <button class="${className}" name="restore" value="${id}">
        ${icon('undo')}
        <span>${richWords('garden.plantAgain', { name })}</span>
      </button>
    </form>`;
}

function uprootedBar(plant: UprootedPlantsTable, basePath: string, antiForgery: Html): Html {
  const forms = { basePath, antiForgery, from: gardenPath };
  const text = richWords('garden.uprootedBar', { name: plant.name });
  return undoBar(forms, text, plant.id, { path: gardenPath, name: 'restore' });
}

function uprootedPanel(plants: readonly UprootedPlantsTable[], basePath: string, antiForgery: Html): Html {
  const line = (plant: UprootedPlantsTable) =>
    html`
      <li data-uprooted="${plant.id}">
        <span><bdi>${plant.name}</bdi> <span class="faint">${past(plant.uprooted_at)}</span></span>
        ${againForm(plant, basePath, antiForgery)}
      </li>`;
  return html`
    <section class="panel" aria-labelledby="uprooted">
      <div class="panel-head">
        <h2 id="uprooted">${words('garden.uprooted')}</h2>
        <p>${words('garden.uprootedText')}</p>
      </div>
      <ul class="uprooted">${plants.slice(0, uprootedAtMost).map(line)}</ul>
    </section>`;
}

async function takePlantAgain({ store, member, form, path }: MemberVisit): Promise<Answer> {
  const id = idIn(field(form, 'restore', 30), parseInt64);
  if (!(await plantAgain(store, member.user_id, id, new Date()))) throw nothingHere(path);
  return { to: gardenPath };
}
