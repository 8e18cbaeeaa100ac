/**
 * A garden with beds by topic, in which every plant is a link. A server does not know the width of a window, so a
 * page has a picture for each of several widths.
 */

import { isInBloom, type PlantWithGrowth } from '../../../practice/garden.ts';
import { type Html, svg } from '../../markup.ts';
import { words } from '../../words/words.ts';
import {
  type DrawnPlant,
  definitionOf,
  definitionsFor,
  drawPlant,
  plantDescription,
  plantReference,
  seedOf,
} from './drawn-plant.ts';
import { earthMarkup, landMarkup, skyMarkup } from './land.ts';
import { cleanForSvg, shorten, widthOf, wrapLines } from './svg-text.ts';

export interface Bed {
  /** Null is any topic; undefined is the bed of plants that grow with lists. */
  topic: string | null | undefined;
  plants: readonly DrawnPlant[];
}

function bedsOf(plants: readonly DrawnPlant[]): Bed[] {
  const beds = Map.groupBy(plants, ({ plant }) => (plant.list_name === null ? plant.tag || null : undefined));
  return Array.from(beds, ([topic, ofTopic]) => ({ topic, plants: ofTopic }));
}

interface RowLayout {
  cost: number;
  rows: Bed[][];
}

/** Minimizes the sum of squared empty places by dynamic programming, with a penalty for each row. */
function rowsOf(beds: readonly Bed[], places: number): Bed[][] {
  const parts = beds.flatMap((bed) => partsOf(bed, places));
  const best: RowLayout[] = [{ cost: 0, rows: [] }];
  for (const at of parts.keys()) {
    let used = 0;
    let cheapest: RowLayout | undefined;
    for (let from = at; from >= 0; from--) {
      used += parts[from]?.plants.length ?? 0;
      if (used > places) break;
      const before = best[from];
      if (!before) break;
      const cost = before.cost + (places - used) ** 2 + places * places * 0.5;
      if (!cheapest || cost < cheapest.cost) cheapest = { cost, rows: [...before.rows, parts.slice(from, at + 1)] };
    }
    if (cheapest) best.push(cheapest);
  }
  return best.at(-1)?.rows ?? [];
}

function partsOf({ topic, plants }: Bed, places: number): Bed[] {
  const count = Math.ceil(plants.length / places);
  const size = Math.ceil(plants.length / count);
  return Array.from({ length: count }, (_, index) => ({
    topic,
    plants: plants.slice(index * size, (index + 1) * size),
  }));
}

interface Entry {
  drawn: DrawnPlant;
  description: Html;
  grew: string;
}

/** These definitions stand once in a page, before its pictures. */
export function gardenDefinitions(plants: readonly DrawnPlant[]): Html {
  const drawings = plants.filter(({ state }) => state.growth > 0).map(definitionOf);
  return svg`
    <svg class="sprite pg" aria-hidden="true" focusable="false">
      <defs>${definitionsFor(plants)}${drawings}</defs>
    </svg>`;
}

interface Options {
  owner: string;
  href(plant: PlantWithGrowth): string;
  /** The widths in px, by the classes of the pictures. */
  widths: Readonly<Record<string, number>>;
}

export function gardenMarkup(plants: readonly PlantWithGrowth[], { owner, href, widths }: Options): Html {
  const drawn = plants.map(drawPlant);
  const entries = new Map<DrawnPlant, Entry>(
    drawn.map((drawing) => [
      drawing,
      {
        drawn: drawing,
        description: svg`
          <title>${cleanForSvg(drawing.plant.name)}</title>
          <desc>${cleanForSvg(plantDescription(drawing))}</desc>`,
        grew: drawing.plant.today > 0 ? words('plant.grew', { count: drawing.plant.today }) : '',
      },
    ]),
  );
  const label = words('garden.picture', {
    owner,
    plants: plants.length,
    bloom: plants.filter(isInBloom).length,
  });
  const beds = bedsOf(drawn);
  const pictures = Object.entries(widths).map(
    ([className, width]) =>
      svg`<div class="${className}">${gardenPicture(beds, entries, { width, label, href })}</div>`,
  );
  return svg`${gardenDefinitions(drawn)}${pictures}`;
}

interface Picture {
  width: number;
  label: string;
  href(plant: PlantWithGrowth): string;
}

/** The sun does not move, because the page would change with it every hour. */
const sunPosition = 1 / 3;
const lineHeight = 16;

function gardenPicture(
  beds: readonly Bed[],
  entries: ReadonlyMap<DrawnPlant, Entry>,
  { width, label, href }: Picture,
): Html {
  // In px for a plant and its name.
  const leastWidth = width < 500 ? 108 : 132;
  const rows = rowsOf(beds, Math.max(1, Math.floor((width - 8) / leastWidth)));
  const used = rows.map((row) => row.reduce((sum, { plants }) => sum + plants.length, 0));
  const plantWidth = Math.min(176, (width - 8) / Math.max(1, ...used));
  const scale = Math.min(0.37, plantWidth * 0.00226);
  const parts: Html[] = [];
  let y = 0;
  for (const [index, row] of rows.entries()) {
    const plants = row.flatMap((bed) => bed.plants);
    const lines = new Map(plants.map((drawn) => [drawn, linesOf(entries.get(drawn) as Entry, plantWidth)]));
    const highest = Math.max(96, ...plants.map(({ top }) => -top * scale));
    y += Math.round(highest + (index > 0 ? 30 : 46));
    parts.push(landMarkup(width, y, index));
    let x = (width - plants.length * plantWidth) / 2;
    for (const bed of row) {
      const shown = bed.plants.map((drawn) => ({
        ...(entries.get(drawn) as Entry),
        lines: lines.get(drawn) ?? [],
      }));
      parts.push(bedMarkup(bed.topic, shown, { x, y, plantWidth, scale, hitAreaId: `hit${width}`, href }));
      x += bed.plants.length * plantWidth;
    }
    y += 44 + lineHeight * Math.max(...[...lines.values()].map(({ length }) => length));
  }
  const half = Math.round(plantWidth / 2) - 4;
  const sky = skyMarkup(
    width * (0.1 + 0.8 * sunPosition),
    100 - 56 * (1 - (2 * sunPosition - 1) * (2 * sunPosition - 1)),
    30,
    width,
    90,
  );
  return svg`
    <svg
      class="pg" viewBox="0 0 ${width} ${y}" width="${width}" height="${y}" font-size="13"
      text-anchor="middle" role="group" aria-label="${cleanForSvg(label)}"
    >
      <defs><path id="hit${width}" class="hit" d="M-${half}-120H${half}V104H-${half}z"/></defs>
      ${sky}
      ${parts}
    </svg>`;
}

type Line = readonly [className: string, text: Html | string];

function linesOf({ drawn, grew }: Entry, plantWidth: number): Line[] {
  const { plant, count, state } = drawn;
  const lines = wrapLines(plant.name, Math.floor(plantWidth / 8)).map((line): Line => ['tn', cleanForSvg(line)]);
  const isRoomy = plantWidth > 130 && count.length < 12;
  if (grew !== '' && isRoomy) lines.push(['tc', svg`${count}<tspan class="tg" dx="5">${grew}</tspan>`]);
  else {
    lines.push(['tc', count]);
    if (grew !== '') lines.push(['tg', grew]);
  }
  if (state.isResting) lines.push(['tl', words('plant.waiting')]);
  return lines;
}

interface BedLayout {
  x: number;
  y: number;
  plantWidth: number;
  scale: number;
  hitAreaId: string;
  href(plant: PlantWithGrowth): string;
}

function bedMarkup(
  topic: Bed['topic'],
  entries: readonly (Entry & { lines: readonly Line[] })[],
  { x, y, plantWidth, scale, hitAreaId, href }: BedLayout,
): Html {
  const [left, bedWidth] = [Math.round(x + 8), Math.round(entries.length * plantWidth - 16)];
  const plants: Html[] = [];
  const seeds: (Html | '')[] = [];
  for (const [index, { drawn, description, lines }] of entries.entries()) {
    const middle = Math.round(x + (index + 0.5) * plantWidth);
    const text = lines.map(
      ([className, line], at) => svg`<text class="${className}" y="${53 + at * lineHeight}">${line}</text>`,
    );
    plants.push(svg`
      <g role="listitem" transform="translate(${middle} ${y})">
        <a href="${href(drawn.plant)}">
          ${description}
          <use href="#${hitAreaId}"/>
          ${plantReference(drawn, scale)}
          <g aria-hidden="true">${text}</g>
        </a>
      </g>`);
    seeds.push(seedOf(drawn, middle, y));
  }
  const name = topic === undefined ? words('garden.lists') : (topic ?? words('garden.anyTopic'));
  const shown = shorten(name, Math.max(6, Math.floor((bedWidth - 12) / 7.3)));
  const latin = entries[0]?.drawn.kind.latin ?? '';
  const hasRoom = bedWidth > 90 + (widthOf(shown) + latin.length) * 6.5;
  return svg`
    <g role="list" aria-label="${cleanForSvg(name)}">
      ${plants}
      <g aria-hidden="true">
        ${earthMarkup(left, y, bedWidth)}
        ${seeds}
        <rect class="board" x="${left - 2}.5" y="${y + 11}.5" width="${bedWidth + 3}" height="23" rx="5"/>
        <text x="${left + 9}" y="${y + 27}" text-anchor="start" font-size="12">
          <tspan class="tn">${cleanForSvg(shown)}</tspan>
          ${hasRoom && svg`<tspan class="tl" dx="8">${latin}</tspan>`}
        </text>
      </g>
    </g>`;
}
