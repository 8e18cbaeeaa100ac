/** One plant as a picture: large on its own page, small in a strip. */
import type { PlantWithGrowth } from '../../../practice/garden.ts';
import { type Html, svg } from '../../markup.ts';
import {
  type DrawnPlant,
  definitionsFor,
  drawPlant,
  inlinePlant,
  plantDescription,
  plantReference,
  seedOf,
} from './drawn-plant.ts';
import { moundMarkup } from './land.ts';
import { cleanForSvg } from './svg-text.ts';

/** All plants have the height of the tallest, so that growth shows. */
export function plantPicture(plant: PlantWithGrowth, scale = 0.5): Html {
  const drawn = drawPlant(plant);
  const [width, height] = [Math.round(225 * scale) * 2, Math.round(540 * scale)];
  const half = Math.round(0.42 * width);
  return svg`
    <svg class="pg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
      <title>${cleanForSvg(plant.name)}</title>
      <desc>${cleanForSvg(plantDescription(drawn))}</desc>
      <defs>${definitionsFor([drawn])}</defs>
      <g transform="translate(${width / 2} ${height - Math.round(26 * scale)})">
        ${inlinePlant(drawn, scale)}
        ${moundMarkup(half, Math.round(46 * scale))}
        <g transform="scale(${scale * 3})">${seedOf(drawn, 0, -4)}</g>
      </g>
    </svg>`;
}

const thumbSize = 56;

/** The page must have the plant's definition. */
export function plantThumb(drawn: DrawnPlant): Html {
  const size = thumbSize;
  const room = size * (drawn.state.today > 0 ? 0.7 : 0.84);
  const scale = Math.min(room / Math.max(220, -drawn.top), size * 0.0027);
  return svg`
    <svg class="pg" viewBox="0 0 ${size} ${size}" width="${size}" height="${size}" aria-hidden="true" focusable="false">
      <g transform="translate(${size / 2} ${size - 3})">
        ${plantReference(drawn, scale)}
        <g transform="scale(.8)">${seedOf(drawn, 0, -9)}</g>
      </g>
    </svg>`;
}
