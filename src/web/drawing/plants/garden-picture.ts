/**
 * The garden as a picture: beds by topic, every plant a link. A server does not know how wide a window is, so a page
 * has a picture for each of several widths, and its drawings once, in definitions that all of them use.
 */

import { type GrownPlant, isInBloom } from '../../../practice/garden.ts';
import { type Html, svg } from '../../markup.ts';
import { words } from '../../words/words.ts';
import { type DrawnPlant, definitionOf, definitionsFor, drawPlant, seedOf, toldOf, usedPlant } from './drawn-plant.ts';
import { earthMarkup, landMarkup, skyMarkup } from './land.ts';
import { drawable, shortened, widthOf, wrapped } from './svg-text.ts';

/* Plants beside each other: beds by topic, and whole beds in rows that are as even as can be. */

export interface Bed {
  /** Null is any topic; undefined is the bed of plants that grow with lists. */
  topic: string | null | undefined;
  plants: readonly DrawnPlant[];
}

/** Beds in the order of their first plant. */
function bedsOf(plants: readonly DrawnPlant[]): Bed[] {
  const beds = Map.groupBy(plants, ({ plant }) => (plant.list_name === null ? plant.tag || null : undefined));
  return Array.from(beds, ([topic, some]) => ({ topic, plants: some }));
}

interface Broken {
  cost: number;
  rows: Bed[][];
}

/** The least sum of squared empty places, by dynamic programming; and no more rows than needed. */
function rowsOf(beds: readonly Bed[], places: number): Bed[][] {
  const parts = beds.flatMap((bed) => partsOf(bed, places));
  const best: Broken[] = [{ cost: 0, rows: [] }];
  for (const at of parts.keys()) {
    let used = 0;
    let least: Broken | undefined;
    for (let from = at; from >= 0; from--) {
      used += parts[from]?.plants.length ?? 0;
      if (used > places) break;
      const before = best[from];
      if (!before) break;
      const cost = before.cost + (places - used) ** 2 + places * places * 0.5;
      if (!least || cost < least.cost) least = { cost, rows: [...before.rows, parts.slice(from, at + 1)] };
    }
    if (least) best.push(least);
  }
  return best.at(-1)?.rows ?? [];
}

/** A bed that is longer than a row is halved, or more. */
function partsOf({ topic, plants }: Bed, places: number): Bed[] {
  const count = Math.ceil(plants.length / places);
  const size = Math.ceil(plants.length / count);
  return Array.from({ length: count }, (_, nth) => ({
    topic,
    plants: plants.slice(nth * size, (nth + 1) * size),
  }));
}

/** A plant with all that does not depend on the width. */
interface Entry {
  drawn: DrawnPlant;
  /** Title and description. */
  told: Html;
  grew: string;
}

/** The definitions of these plants, which stand once in a page, before its pictures. */
export function gardenDefinitions(plants: readonly DrawnPlant[]): Html {
  const drawings = plants.filter(({ state }) => state.growth > 0).map(definitionOf);
  return svg`
    <svg class="sprite pg" aria-hidden="true" focusable="false">
      <defs>${definitionsFor(plants)}${drawings}</defs>
    </svg>`;
}

interface Options {
  owner: string;
  href(plant: GrownPlant): string;
  /** The classes and widths of the pictures, in px. */
  widths: Readonly<Record<string, number>>;
}

/** The definitions and a picture for each width, each in an element of its class. */
export function gardenMarkup(plants: readonly GrownPlant[], { owner, href, widths }: Options): Html {
  const drawn = plants.map(drawPlant);
  const entries = new Map<DrawnPlant, Entry>(
    drawn.map((one) => [
      one,
      {
        drawn: one,
        told: svg`<title>${drawable(one.plant.name)}</title><desc>${drawable(toldOf(one))}</desc>`,
        grew: one.plant.today > 0 ? words('plant.grew', { count: one.plant.today }) : '',
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
  href(plant: GrownPlant): string;
}

/** A morning sun: one that moved would make a new page of each hour. */
const sunAt = 1 / 3;
const lineHeight = 16;

function gardenPicture(
  beds: readonly Bed[],
  entries: ReadonlyMap<DrawnPlant, Entry>,
  { width, label, href }: Picture,
): Html {
  // A plant and its name need so much.
  const least = width < 500 ? 108 : 132;
  const rows = rowsOf(beds, Math.max(1, Math.floor((width - 8) / least)));
  const used = rows.map((row) => row.reduce((sum, { plants }) => sum + plants.length, 0));
  const place = Math.min(176, (width - 8) / Math.max(1, ...used));
  const scale = Math.min(0.37, place * 0.00226);
  const parts: Html[] = [];
  let y = 0;
  for (const [nth, row] of rows.entries()) {
    const plants = row.flatMap((bed) => bed.plants);
    const lines = new Map(plants.map((drawn) => [drawn, linesOf(entries.get(drawn) as Entry, place)]));
    // A row is only as high as its plants and their names.
    const highest = Math.max(96, ...plants.map(({ top }) => -top * scale));
    y += Math.round(highest + (nth > 0 ? 30 : 46));
    parts.push(landMarkup(width, y, nth));
    let x = (width - plants.length * place) / 2;
    for (const bed of row) {
      const shown = bed.plants.map((drawn) => ({
        ...(entries.get(drawn) as Entry),
        lines: lines.get(drawn) ?? [],
      }));
      parts.push(bedMarkup(bed.topic, shown, { x, y, place, scale, hit: `hit${width}`, href }));
      x += bed.plants.length * place;
    }
    y += 44 + lineHeight * Math.max(...[...lines.values()].map(({ length }) => length));
  }
  const half = Math.round(place / 2) - 4;
  const sky = skyMarkup(width * (0.1 + 0.8 * sunAt), 100 - 56 * (1 - (2 * sunAt - 1) * (2 * sunAt - 1)), 30, width, 90);
  return svg`
    <svg
      class="pg" viewBox="0 0 ${width} ${y}" width="${width}" height="${y}" font-size="13"
      text-anchor="middle" role="group" aria-label="${drawable(label)}"
    >
      <defs><path id="hit${width}" class="hit" d="M-${half}-120H${half}V104H-${half}z"/></defs>
      ${sky}
      ${parts}
    </svg>`;
}

type Line = readonly [className: string, text: Html | string];

function linesOf({ drawn, grew }: Entry, place: number): Line[] {
  const { plant, count, state } = drawn;
  const lines = wrapped(plant.name, Math.floor(place / 8)).map((line): Line => ['tn', drawable(line)]);
  const isRoomy = place > 130 && count.length < 12;
  if (grew !== '' && isRoomy) lines.push(['tc', svg`${count}<tspan class="tg" dx="5">${grew}</tspan>`]);
  else {
    lines.push(['tc', count]);
    if (grew !== '') lines.push(['tg', grew]);
  }
  if (state.isResting) lines.push(['tl', words('plant.waiting')]);
  return lines;
}

interface Place {
  x: number;
  y: number;
  /** The width that each plant has. */
  place: number;
  scale: number;
  hit: string;
  href(plant: GrownPlant): string;
}

/** A bed: plants, then earth over their feet, then the board with its name. */
function bedMarkup(
  topic: Bed['topic'],
  entries: readonly (Entry & { lines: readonly Line[] })[],
  { x, y, place, scale, hit, href }: Place,
): Html {
  const [left, wide] = [Math.round(x + 8), Math.round(entries.length * place - 16)];
  const plants: Html[] = [];
  const seeds: (Html | '')[] = [];
  for (const [nth, { drawn, told, lines }] of entries.entries()) {
    const middle = Math.round(x + (nth + 0.5) * place);
    const text = lines.map(
      ([className, line], at) => svg`<text class="${className}" y="${53 + at * lineHeight}">${line}</text>`,
    );
    plants.push(svg`
      <g role="listitem" transform="translate(${middle} ${y})">
        <a href="${href(drawn.plant)}">
          ${told}
          <use href="#${hit}"/>
          ${usedPlant(drawn, scale)}
          <g aria-hidden="true">${text}</g>
        </a>
      </g>`);
    seeds.push(seedOf(drawn, middle, y));
  }
  const name = topic === undefined ? words('garden.lists') : (topic ?? words('garden.anyTopic'));
  const shown = shortened(name, Math.max(6, Math.floor((wide - 12) / 7.3)));
  const latin = entries[0]?.drawn.kind.latin ?? '';
  const hasRoom = wide > 90 + (widthOf(shown) + latin.length) * 6.5;
  return svg`
    <g role="list" aria-label="${drawable(name)}">
      ${plants}
      <g aria-hidden="true">
        ${earthMarkup(left, y, wide)}
        ${seeds}
        <rect class="board" x="${left - 2}.5" y="${y + 11}.5" width="${wide + 3}" height="23" rx="5"/>
        <text x="${left + 9}" y="${y + 27}" text-anchor="start" font-size="12">
          <tspan class="tn">${drawable(shown)}</tspan>
          ${hasRoom && svg`<tspan class="tl" dx="8">${latin}</tspan>`}
        </text>
      </g>
    </g>`;
}
