/** The garden on Today: small plants, those that wait first, and a hint what to plant. */

import { type GrownPlant, growthOf, readGarden } from '../../../practice/garden.ts';
import { listToPlantNext, topicToPlantNext } from '../../../practice/planting.ts';
import type { CompletedProblem } from '../../../store/completions.ts';
import { drawPlant, toldOf } from '../../drawing/plants/drawn-plant.ts';
import { gardenDefinitions } from '../../drawing/plants/garden-picture.ts';
import { plantThumb } from '../../drawing/plants/plant-picture.ts';
import { icon } from '../../kit/icons.ts';
import { plantingFor, plantingForList } from '../../kit/plant-links.ts';
import { type Html, html } from '../../markup.ts';
import { gardenPath, plantingPath, plantPath } from '../../paths.ts';
import type { MemberVisit } from '../../road/visits.ts';
import { richWords, words } from '../../words/words.ts';

const shownAtMost = 14;

/** The panel for Today. */
export async function gardenPanel(
  { store, member, days, site: { basePath } }: Pick<MemberVisit, 'store' | 'member' | 'days' | 'site'>,
  now: Date,
  completed?: Promise<readonly CompletedProblem[]>,
): Promise<Html> {
  const plants = await readGarden(store.reader, member.user_id, days, now, completed);
  const hint = await topicToPlantNext(store.reader, member.user_id, plants);
  const list = await listToPlantNext(store.reader, member.user_id);
  const all =
    plants.length > 0
      ? html`
        <a data-count="${plants.length}" href="${basePath}${gardenPath}">
          ${words('strip.all', { count: plants.length })}
        </a>`
      : '';
  // A member who practises a list has a goal already.
  const isForList = list && list.count >= (hint?.count ?? 0) / 2;
  const offer = isForList
    ? html`
      <p class="plant-hint">
        <span>${richWords('strip.listHint', { count: list.count, list: list.name })}</span> <a
          class="button small" href="${basePath}${plantingForList(list.id)}"
        >
          ${icon('plus')}
          <span>${words('strip.hintButton', { topic: list.name })}</span>
        </a>
      </p>`
    : hint
      ? html`
        <p class="plant-hint">
          <span>${richWords('strip.hint', { count: hint.count, topic: hint.tag })}</span> <a
            class="button small" href="${basePath}${plantingFor(hint.tag)}"
          >
            ${icon('plus')}
            <span>${words('strip.hintButton', { topic: hint.tag })}</span>
          </a>
        </p>`
      : plants.length === 0
        ? html`
          <p class="plant-hint">
            <span>${words('strip.empty')}</span> <a class="button small" href="${basePath}${plantingPath}">
              ${icon('plus')}
              <span>${words('garden.plantGoal')}</span>
            </a>
          </p>`
        : '';
  return html`
    <section class="panel" aria-labelledby="garden-strip">
      <div class="panel-head"><h2 id="garden-strip">${words('strip.title')}</h2>${all}</div>
      ${plants.length > 0 ? strip(plants, basePath) : ''}
      ${offer}
    </section>`;
}

/** Those that rest come first, then those that are nearest to their bloom. */
function strip(plants: readonly GrownPlant[], basePath: string): Html {
  const rank = (plant: GrownPlant) => {
    const { isResting, growth } = growthOf(plant);
    return isResting ? 0 : plant.today > 0 ? 1 : growth < 1 ? 2 : 3;
  };
  const shown = plants
    .toSorted((one, other) => rank(one) - rank(other) || growthOf(other).growth - growthOf(one).growth)
    .slice(0, shownAtMost)
    .map(drawPlant);
  const thumb = (drawn: (typeof shown)[number]) => {
    const { plant, state } = drawn;
    const told = words('strip.thumb', { name: plant.name, told: toldOf(drawn) });
    const most = Number(plant.target);
    return html`
      <li${state.isResting ? html` class="rests"` : ''}>
        <a href="${basePath}${plantPath(plant.id)}" title="${told}">
          ${plantThumb(drawn)}
          <progress class="bar" value="${Math.min(plant.done, most)}" max="${most}" aria-hidden="true"></progress>
          <span class="sr">${told}</span>
        </a>
      </li>`;
  };
  return html`${gardenDefinitions(shown)}<ul class="plant-strip">${shown.map(thumb)}</ul>`;
}
