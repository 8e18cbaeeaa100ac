/**
 * The garden as one picture for other people. It names no goal, shows no plant resting, and stays the same while
 * the counts do.
 */
import { isInBloom, type PlantWithGrowth } from '../../../practice/garden.ts';
import { standaloneStyle } from '../../kit/palette.ts';
import { type Html, svg } from '../../markup.ts';
import { words } from '../../words/words.ts';
import { type DrawnPlant, definitionsFor, drawPlant, inlinePlant, seedOf } from './drawn-plant.ts';
import { moundMarkup, skyMarkup } from './land.ts';
import { randomSource, shortNumber } from './sketch.ts';
import { cleanForSvg, shorten } from './svg-text.ts';

export const shareSize = [1200, 630] as const;
const [width, height] = shareSize;
const shownAtMost = 80;

export interface SharedGarden {
  owner: string | undefined;
  year: number;
  plants: readonly PlantWithGrowth[];
  solved: number;
}

export const shareStyle = standaloneStyle();

export function sharePicture({ owner, year, plants, solved }: SharedGarden): string {
  const drawn = plants.map((plant) => drawPlant({ ...plant, today: 0, inactiveDays: 0 }));
  // The tallest stand at the back.
  drawn.sort((left, right) => left.top - right.top || (left.plant.id < right.plant.id ? -1 : 1));
  const shown = drawn.slice(0, shownAtMost);
  const title = owner === undefined ? words('share.plain') : words('share.title', { owner: shorten(owner, 28) });
  const counts = gardenCounts({ plants, solved });
  const label = words('contests.stateOf', { title: `${title} ${year}`, state: counts });
  const inset = Math.round(height * 0.075);
  const text = (className: string, size: number, y: number, content: Html | string) =>
    svg`<text class="${className}" font-size="${Math.round(size)}" x="${inset}" y="${Math.round(y)}">${content}</text>`;
  const heading = svg`${cleanForSvg(title)} <tspan class="tl" font-weight="400">${String(year)}</tspan>`;
  const sun = skyMarkup(width * 0.92, height * 0.13, height * 0.065, width, height * 0.36);
  return String(svg`
    <svg
      xmlns="http://www.w3.org/2000/svg" class="pg" viewBox="0 0 ${width} ${height}" width="${width}"
      height="${height}" role="img" aria-label="${cleanForSvg(label)}"
    >
      <style>${shareStyle}</style>
      <defs>${definitionsFor(shown)}</defs>
      <rect class="sky" width="${width}" height="${height}"/>
      ${sun}
      ${text('tn', inset, inset * 1.75, heading)}
      ${text('tc', inset / 2, inset * 2.6, cleanForSvg(counts))}
      ${borderMarkup(shown)}
    </svg>`);
}

export function gardenCounts({ plants, solved }: Pick<SharedGarden, 'plants' | 'solved'>): string {
  return words('share.counts', {
    solved,
    plants: plants.length,
    bloom: plants.filter(isInBloom).length,
  });
}

function borderMarkup(plants: readonly DrawnPlant[]): Html[] {
  const { rowCount, step, size } = layoutOf(plants.length);
  const markup: Html[] = [];
  let from = 0;
  for (let row = 0; row < rowCount; row++) {
    const isOdd = row % 2 === 1;
    const count = Math.round(((plants.length - from) / (rowCount - row)) * (1 + 0.07 * (rowCount - 1 - row)));
    // A random order mixes the species within a row.
    const ofRow = plants
      .slice(from, from + count)
      .map((drawn) => ({ drawn, place: randomSource(drawn.plant.id)('place') }))
      .sort((left, right) => left.place - right.place);
    from += count;
    const y = Math.round(height * 0.94 - (rowCount - 1 - row) * step);
    markup.push(hillMarkup(row + 3 - rowCount, isOdd, y));
    const scale = size * (1 + 0.12 * row);
    const slot = (width * 0.96) / (Math.max(5, count) + 0.7);
    const shift = rowCount > 1 ? (isOdd ? 0.25 : -0.25) : 0;
    for (const [index, { drawn }] of ofRow.entries()) {
      const x = Math.round(width / 2 + (index - (count - 1) / 2 + shift) * slot);
      const mound = moundMarkup(Math.round(scale * 120), Math.round(scale * 26) + 1);
      const seed = svg`<g transform="scale(${shortNumber(scale * 3, 3)})">${seedOf(drawn, 0, -3)}</g>`;
      markup.push(svg`
        <g transform="translate(${x} ${y})">
          ${inlinePlant(drawn, scale)}
          ${mound}
          ${drawn.state.growth < 0.1 && seed}
        </g>`);
    }
  }
  return markup;
}

function hillMarkup(depth: number, isOdd: boolean, y: number): Html {
  const [left, right] = (isOdd ? [0.09, 0.03] : [0.04, 0.1]).map((part) => Math.round(part * height)) as [
    number,
    number,
  ];
  const middle = y - Math.round((left + right) / 2);
  const crest = `${Math.round(width / 4)} ${y - left - right} ${Math.round(width / 2)} ${middle}`;
  const className = ['far', 'hill', 'near'][Math.max(0, depth)];
  return svg`<path class="${className}" d="M0 ${y - left}Q${crest}T${width} ${y - right}V${height}H0z"/>`;
}

interface BorderLayout {
  rowCount: number;
  /** In px. */
  step: number;
  size: number;
}

function layoutOf(count: number): BorderLayout {
  const options = [0, 0.27, 0.215, 0.165].map((part, index): BorderLayout => {
    const slot = (width * 0.96) / (Math.max(5, (count / (index + 1)) * (1 + 0.07 * index)) + 0.7);
    return {
      rowCount: index + 1,
      step: part * height,
      size: Math.min(slot * 0.0026, (height * (0.7 - part * index)) / 560),
    };
  });
  return options.reduce((best, layout) => (layout.size > best.size ? layout : best));
}
