/** The garden of a member: its picture, a list of the plants, and those that were uprooted in the last day. */

import { parseInt64 } from '../../../contract/common.ts';
import { dateOf } from '../../../practice/days.ts';
import { growthOf, isFiltered, isInBloom, type PlantWithGrowth, readGarden } from '../../../practice/garden.ts';
import { restoreUprooted, undoableSince } from '../../../practice/planting.ts';
import { listUprooted, type UprootedPlantsTable } from '../../../store/plants.ts';
import { gardenMarkup } from '../../drawing/plants/garden-picture.ts';
import { moment, timeAgo } from '../../kit/dates.ts';
import { form } from '../../kit/form.ts';
import { frame, pageHead, progressTabs } from '../../kit/frame.ts';
import { icon, illustration } from '../../kit/icons.ts';
import { chip, countLink, linkButton } from '../../kit/links.ts';
import { undoBar } from '../../kit/marks.ts';
import { offsetPage } from '../../kit/pager.ts';
import { emptyPanel, panel } from '../../kit/panel.ts';
import { gardenStyles, type PlantScope, plantListAddress, solvedForPlantLink } from '../../kit/plant-links.ts';
import { attr, type Html, html } from '../../markup.ts';
import {
  deletePlantPath,
  gardenPath,
  listPath,
  newPlantPath,
  plantPath,
  progressPath,
  sharingPath,
} from '../../paths.ts';
import { fieldText, idIn } from '../../request/fields.ts';
import { type MemberVisit, type PageResult, type PageRoute, pageNotFound } from '../../request/visits.ts';
import { thousands } from '../../words/formats.ts';
import { richWords, words } from '../../words/words.ts';
import { dateLine, scopeName } from './goal.ts';

/** Widths of the pictures, by the class that shows one of them. */
const widths = { 'garden-wide': 1216, 'garden-middle': 720, 'garden-narrow': 344 };

const uprootedAtMost = 50;

/** Filters of the list, by the value of `show` in the address. */
const showFilters = {
  grown: ({ today }: PlantWithGrowth) => today > 0,
  bloom: isInBloom,
  resting: (plant: PlantWithGrowth) => growthOf(plant).isResting,
} as const;

export const gardenPage: PageRoute<MemberVisit> = {
  path: gardenPath,
  get: showGarden,
  post: submitRestore,
};

async function showGarden(visit: MemberVisit): Promise<PageResult> {
  const { store, member, site, query, days } = visit;
  const { basePath } = site;
  const now = new Date();
  const plants = await readGarden(store.reader, member.user_id, days, now);
  const uprooted = await listUprooted(store.reader, { userId: member.user_id, since: undoableSince(now) });
  const owner = member.first_name ?? member.username;
  const title = words('garden.title', { owner });
  const lastUprooted = uprooted.find(({ id }) => id === parseInt64(query.get('uprooted') ?? ''));
  const requested = query.get('show') ?? '';
  const filter = Object.hasOwn(showFilters, requested) ? (requested as keyof typeof showFilters) : undefined;
  const today = days.at(now.getTime());
  const plantGoal = linkButton(basePath + newPlantPath, words('garden.plantGoal'), { symbol: 'plus', kind: 'primary' });
  const href = ({ id }: PlantWithGrowth) => basePath + plantPath(id);
  const hasPlants = plants.length > 0;
  const actions = html`
    ${linkButton(basePath + sharingPath, words('garden.share'), { symbol: 'share' })}
    ${plantGoal}`;
  const content = html`
    ${pageHead(title, { sub: factsOf(plants, basePath), ...(hasPlants && { actions }) })}
    ${progressTabs(basePath, gardenPath)}
    <p class="printed">${words('garden.printed', { owner, day: dateOf(today) })}</p>
    ${
      hasPlants
        ? html`
          <div class="garden">
            ${gardenMarkup(offsetPage(visit, gardenPath, plants).shown, { owner, href, widths })}
          </div>
          ${plantList(visit, plants, filter, today)}`
        : emptyPanel({
            picture: illustration('bed'),
            total: 0,
            heading: words('garden.empty'),
            text: words('garden.emptyText'),
            actions: plantGoal,
          })
    }
    ${uprooted.length > 0 && uprootedPanel(visit, uprooted)}`;
  const options = { title, current: progressPath, kind: 'p-garden', styles: gardenStyles };
  return { html: frame(visit, { ...options, bar: lastUprooted && uprootedBar(visit, lastUprooted) }, content) };
}

function factsOf(plants: readonly PlantWithGrowth[], basePath: string): Html {
  const factItem = (text: Html) => html`<span><span>${text}</span></span>`;
  const link = (count: number, to: string) => (text: (string | Html)[]) => countLink(count, basePath + to, text);
  const factOf = (name: 'grew' | 'bloom' | 'resting', show: keyof typeof showFilters) => {
    const count = plants.filter(showFilters[show]).length;
    return (
      count > 0 && factItem(richWords(`garden.fact.${name}`, { count, num: link(count, `${gardenPath}?show=${show}`) }))
    );
  };
  const count = plants.length;
  return html`
    ${factItem(richWords('garden.plants', { count, num: link(count, gardenPath) }))}
    ${factOf('grew', 'grown')}
    ${factOf('bloom', 'bloom')}
    ${factOf('resting', 'resting')}`;
}

function plantList(
  visit: MemberVisit,
  plants: readonly PlantWithGrowth[],
  show: keyof typeof showFilters | undefined,
  today: number,
): Html {
  const { basePath } = visit.site;
  const all = show ? plants.filter(showFilters[show]) : plants;
  const { shown, more } = offsetPage(visit, gardenPath, all, show && { show });
  const heading = words(show ? `garden.list.${show}` : 'garden.list');
  const beside = show && html`<a href="${basePath}${gardenPath}">${words('garden.showAll')}</a>`;
  const head = (text: Html | string, className?: string) =>
    html`<th role="columnheader" scope="col"${attr('class', className)}>${text}</th>`;
  const srOnly = (text: string) => html`<span class="sr">${text}</span>`;
  const table = html`
    <table class="plain-table plant-table" role="table">
      <thead role="rowgroup">
        <tr role="row">
          ${head(words('garden.goal'))}
          ${head(words('garden.topic'), 'c-tag')}
          ${head(words('garden.grown'), 'c-bar')}
          ${head(srOnly(words('garden.solved')), 'num')}
          ${head(words('garden.lastGrew'), 'c-last')}
          ${head(srOnly(words('garden.actions')), 'c-do')}
        </tr>
      </thead>
      <tbody role="rowgroup">${shown.map((plant) => plantRow(plant, basePath, today))}</tbody>
    </table>`;
  return panel(
    { id: 'plants-title', heading, beside, total: all.length },
    html`${shown.length > 0 ? table : html`<p class="soft">${words('garden.noneLikeThat')}</p>`}${more}`,
  );
}

/** Rows avoid `richWords`, which would take half of the time of the page. */
function plantRow(plant: PlantWithGrowth, basePath: string, today: number): Html {
  const { id, name, done, target } = plant;
  const dateText = dateLine(plant, today);
  const uproot = html`${words('garden.uproot')}<span class="sr"> ${name}</span>`;
  return html`
    <tr role="row" data-plant="${id}">
      <th role="rowheader" scope="row">
        <a href="${basePath}${plantPath(id)}"><bdi>${name}</bdi></a>
        ${dateText && html`<span class="faint by">${dateText}</span>`}
      </th>
      <td role="cell" class="c-tag">${scopeChip(plant, basePath)}</td>
      <td role="cell" class="c-bar">${growthBar(plant)}</td>
      <td role="cell" class="num">
        ${solvedForPlantLink(basePath, plant, [thousands.format(done)])} ${words('garden.ofTarget', {
          target: thousands.format(target),
        })}
      </td>
      <td role="cell" class="c-last">${lastGrowth(plant, basePath)}</td>
      <td role="cell" class="c-do">
        ${linkButton(basePath + deletePlantPath(id), uproot, { kind: 'small quiet' })}
      </td>
    </tr>`;
}

function scopeChip(plant: PlantScope, basePath: string): Html {
  const { list, list_name, tag } = plant;
  if (list) return chip(basePath + listPath(list.id), html`${icon('list')}<bdi>${list.name}</bdi>`);
  const all = plantListAddress(plant);
  if (all && (tag || isFiltered(plant))) return chip(basePath + all, scopeName(plant));
  return html`<span class="faint">${list_name === null ? scopeName(plant) : words('garden.listGone')}</span>`;
}

export function growthBar({ name, done, target }: Pick<PlantWithGrowth, 'name' | 'done' | 'target'>): Html {
  const most = Number(target);
  return html`
    <progress class="bar" value="${Math.min(done, most)}" max="${most}" aria-label="${name}">
      ${words('plant.count', { done, target })}
    </progress>`;
}

function lastGrowth(plant: PlantWithGrowth, basePath: string): Html {
  const { id, today: count, lastAt } = plant;
  if (count > 0) {
    const href = `${basePath}${plantPath(id)}?show=today`;
    return richWords('plantPage.today', { count, num: (text) => countLink(count, href, text) });
  }
  if (lastAt === null) return html`<span class="soft">${words('garden.neverGrew')}</span>`;
  if (!growthOf(plant).isResting) return html`<span class="soft">${moment(lastAt)}</span>`;
  return html`<span class="soft rests">${richWords('garden.restsSince', { when: moment(lastAt, 'sentence') })}</span>`;
}

function uprootedBar(visit: MemberVisit, { id, name }: UprootedPlantsTable): Html {
  const text = richWords('garden.uprootedBar', { name });
  return undoBar({ ...visit, from: gardenPath }, text, id, { to: gardenPath, name: 'restore' });
}

function uprootedPanel(visit: MemberVisit, plants: readonly UprootedPlantsTable[]): Html {
  const line = ({ id, name, uprooted_at }: UprootedPlantsTable) => {
    const button = html`
      <button class="button small" name="restore" value="${id}">
        ${icon('undo')}
        <span>${richWords('garden.plantAgain', { name })}</span>
      </button>`;
    return html`
      <li data-uprooted="${id}">
        <span><bdi>${name}</bdi> <span class="faint">${timeAgo(uprooted_at)}</span></span>
        ${form(visit, { to: gardenPath }, button)}
      </li>`;
  };
  return panel(
    { id: 'uprooted', heading: words('garden.uprooted'), beside: html`<p>${words('garden.uprootedText')}</p>` },
    html`<ul class="uprooted">${plants.slice(0, uprootedAtMost).map(line)}</ul>`,
  );
}

async function submitRestore({ store, member, form: input, path }: MemberVisit): Promise<PageResult> {
  const id = idIn(fieldText(input, 'restore', 30), parseInt64);
  if (!(await restoreUprooted(store, member.user_id, id, new Date()))) throw pageNotFound(path);
  return { to: gardenPath };
}
