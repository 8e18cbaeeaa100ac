/** One plant as markup that works at any scale. */
import { LRUCache } from 'lru-cache';
import { type GrowthState, growthOf, type PlantWithGrowth } from '../../../practice/garden.ts';
import { type Html, svg } from '../../markup.ts';
import { commaList } from '../../words/formats.ts';
import { words } from '../../words/words.ts';
import { type PlantKind, plantKinds } from './kinds.ts';
import { Sketch, shortNumber } from './sketch.ts';
import { symbolMarkup } from './symbols.ts';

interface Drawing {
  className: string;
  markup: Html;
  symbols: ReadonlySet<string>;
  /** A factor of the natural size. */
  size: number;
  /** The highest point, in units at that size. */
  top: number;
  topX: number;
}

export interface DrawnPlant extends Drawing {
  plant: PlantWithGrowth;
  kind: PlantKind;
  state: GrowthState;
  /** "41 of 50". */
  count: string;
}

/** Below this growth the plant is scaled, so that it appears without a jump. */
const sproutGrowth = 0.05;

/** Each takes 2 kB. */
const drawings = new LRUCache<string, Drawing>({ max: 3_000 });

export function drawPlant(plant: PlantWithGrowth): DrawnPlant {
  const state = growthOf(plant);
  const { growth, today, isResting } = state;
  const name = [plant.species, plant.id, growth, today, isResting].join();
  const drawing = drawings.get(name) ?? draw(plant, state);
  drawings.set(name, drawing);
  const count = words('plant.count', { done: plant.done, target: plant.target });
  return { plant, kind: plantKinds[plant.species], state, count, ...drawing };
}

function draw({ id, species }: PlantWithGrowth, { growth, today, isResting }: GrowthState): Drawing {
  const kind = plantKinds[species];
  const sketch = new Sketch({ id, growth, today, isResting });
  if (growth > 0) kind.draw(sketch);
  const size = kind.fit * Math.sqrt(Math.min(1, growth / sproutGrowth));
  const petal = kind.petals[sketch.randomInteger('petals', 0, 0, 2)];
  return {
    className: isResting ? 'rest' : `${kind.greens} ${petal} ${kind.fruit}`,
    markup: sketch.markup(),
    symbols: sketch.symbols,
    size,
    top: sketch.top * size,
    topX: sketch.topX * size,
  };
}

/** Such as "41 of 50, budding, 1 more today". */
export function plantDescription({ plant, state, count }: Pick<DrawnPlant, 'plant' | 'state' | 'count'>): string {
  const parts = [count, words(`plant.stage.${state.stage}`)];
  if (plant.today > 0) parts.push(words('plant.moreToday', { count: plant.today }));
  if (state.isResting) parts.push(words('plant.restingFor', { count: plant.inactiveDays }));
  return commaList(parts);
}

const definitionId = ({ id }: PlantWithGrowth) => `g${id}`;

export function definitionOf({ plant, className, markup }: DrawnPlant): Html {
  return svg`<g id="${definitionId(plant)}" class="${className}">${markup}</g>`;
}

/** In px with its foot at 0,0; the page must have the definition. */
export function plantReference(drawn: DrawnPlant, scale: number): Html {
  const { plant, state, size } = drawn;
  const use = svg`<use href="#${definitionId(plant)}" transform="scale(${shortNumber(scale * size, 3)})"/>`;
  return svg`${state.growth > 0 && use}${raysOf(drawn, scale)}`;
}

/** In px with its foot at 0,0. */
export function inlinePlant(drawn: DrawnPlant, scale: number): Html | '' {
  const { className, markup, size, state } = drawn;
  if (state.growth === 0) return '';
  const transform = `scale(${shortNumber(scale * size, 3)})`;
  return svg`<g class="${className}" transform="${transform}">${markup}</g>${raysOf(drawn, scale)}`;
}

/** Rays mark what grew today, so that nobody has to tell two greens apart. */
const rays = svg`<path id="rays" class="lr" stroke-width="3" d="M0-8v-10M-10-5l-7-8M10-5l7-8"/>`;

export function definitionsFor(plants: readonly DrawnPlant[]): Html {
  const symbols = new Set(plants.flatMap((drawn) => [...drawn.symbols]));
  return svg`${symbolMarkup(symbols)}${plants.some(({ state }) => state.today > 0) && rays}`;
}

function raysOf({ state, top, topX }: DrawnPlant, scale: number): Html | '' {
  if (state.today <= 0) return '';
  const [x, y] = [Math.round(topX * scale), Math.round(top * scale)];
  return scale > 0.2
    ? svg`<use href="#rays" x="${x}" y="${y}"/>`
    : svg`<use href="#rays" transform="translate(${x} ${y})scale(.5)"/>`;
}

export function seedOf({ state }: DrawnPlant, x: number, y: number): Html | '' {
  const opacity = Math.round(10 - state.growth * 100) / 10;
  if (opacity <= 0) return '';
  return svg`<path class="gt" opacity="${opacity}" d="M${x - 5} ${y + 7}q0-4 5-4t5 4q0 4-5 4t-5-4z"/>`;
}
