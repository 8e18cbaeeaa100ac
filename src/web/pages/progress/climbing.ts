/** Climbing: first solves so far, stacked by band. */
import { area } from 'd3-shape';
import { byPeriod, periodsOf } from '../../../practice/periods.ts';
import { climb, isRated, type Rated, type Reached, type Step } from '../../../practice/progress.ts';
import { counted } from '../../drawing/charts/counted.ts';
import { countAxis, type Frame, mark, plot, px, timeAxis } from '../../drawing/charts/frames.ts';
import { daysOfPeriod, periodName, shownDays, type View } from '../../drawing/charts/progress-view.ts';
import { bandName, type Scale } from '../../drawing/charts/scales.ts';
import { asTable } from '../../drawing/charts/table.ts';
import type { ProblemQuery } from '../../kit/problem-query.ts';
import { type Html, html } from '../../markup.ts';
import { thousands } from '../../words/formats.ts';
import { richWords, words } from '../../words/words.ts';

/** A layer of the picture: a band of the judge, or all of a judge without ratings. */
interface Layer {
  name: string;
  label: string;
  colour: string;
  filter: Partial<ProblemQuery>;
}

function layersOf(scale: Scale | undefined): Layer[] {
  if (!scale) return [{ name: words('progress.all'), label: '', colour: 'plain', filter: {} }];
  return scale.bands.map(({ from, colour }, place) => {
    const next = scale.bands[place + 1]?.from;
    const label = from === 0 ? `< ${next ?? ''}` : `${from}+`;
    return { name: bandName(scale, place), label, colour, filter: scale.between(from, next) };
  });
}

export function climbing(view: View, scale: Scale | undefined, solved: readonly Reached[]): Html {
  const rated: readonly Rated[] = scale ? solved.filter(isRated) : solved.map((one) => ({ ...one, rating: 0 }));
  if (rated.length === 0) return html`<p class="says">${words('progress.nothing')}</p>`;
  const layers = layersOf(scale);
  const placeOf = (rating: number) => scale?.placeOf(rating) ?? 0;
  const days = shownDays(view, solved);
  const countsOf = (some: readonly Rated[]) => {
    const counts = layers.map(() => 0);
    for (const { rating } of some) counts[placeOf(rating)] = (counts[placeOf(rating)] ?? 0) + 1;
    return counts;
  };
  const draw = (frame: Frame) => {
    const steps = climb(rated, days, placeOf, { bands: layers.length, most: frame.isWide ? 72 : 40 });
    return drawLayers(frame, days, layers, steps, (layer) => view.solved(layer.filter));
  };
  const picture = plot(draw, { right: 104 }, { right: 78, left: 30 });
  const unrated = solved.length - rated.length;
  const counts = countsOf(rated);
  const shown = layers.map((layer, place) => ({ layer, place })).filter(({ place }) => (counts[place] ?? 0) > 0);
  const rows = byPeriod(periodsOf(days.from, days.to), rated).map(([period, some]) => {
    const own = countsOf(some);
    const cells = shown.map(({ layer, place }) =>
      counted(own[place] ?? 0, view.solved({ ...layer.filter, ...daysOfPeriod(period) })),
    );
    return [periodName(period), ...cells];
  });
  const totals = shown.map(({ layer, place }) => counted(counts[place] ?? 0, view.solved(layer.filter)));
  const left =
    unrated === 0
      ? ''
      : richWords('progress.unrated', {
          count: counted(unrated, view.solved({ isUnrated: true })),
          n: unrated,
        });
  return html`
    <p class="says">${says(view, rated.length, layers, counts)}</p>
    ${picture}
    ${asTable(
      words('progress.asTable', { name: words('progress.climbing') }),
      [words('progress.time'), ...shown.map(({ layer }) => layer.name)],
      [...rows, [words('progress.all'), ...totals]],
      left,
    )}`;
}

function says(view: View, n: number, layers: readonly Layer[], counts: readonly number[]): Html {
  const most = counts.indexOf(Math.max(...counts));
  const layer = layers[most];
  const total = html`<b>${thousands.format(n)}</b>`;
  if (!layer || layers.length === 1) return richWords('progress.climbingAll', { total, n });
  const count = counted(counts[most] ?? 0, view.solved(layer.filter));
  return richWords('progress.climbingMost', { total, count, band: layer.name, n });
}

const labelHeight = 14;

function drawLayers(
  frame: Frame,
  { from, to }: { from: number; to: number },
  layers: readonly Layer[],
  steps: readonly Step[],
  hrefOf: (layer: Layer) => string,
): Html {
  const last = steps.at(-1)?.counts ?? [];
  const total = last.reduce((sum, count) => sum + count, 0);
  const across = timeAxis(frame, from - 1, to);
  const up = countAxis(frame, total);
  const below = steps.map(() => 0);
  let floor = frame.height - frame.bottom + labelHeight / 2;
  const drawn = layers.map((layer, place) => {
    const count = last[place] ?? 0;
    if (count === 0) return '';
    const bases = [...below];
    for (const [nth, step] of steps.entries()) below[nth] = (below[nth] ?? 0) + (step.counts[place] ?? 0);
    const path = area<Step>()
      .x(({ day }) => across.at(day))
      .y0((_, nth) => up.at(bases[nth] ?? 0))
      .y1((_, nth) => up.at(below[nth] ?? 0))
      .digits(0)(steps);
    const title = words('progress.bandSolved', { band: layer.name, count });
    const shape = html`<path class="area" data-band="${layer.colour}" d="${path}"><title>${title}</title></path>`;
    // Labels stand at the middle of their layers, moved up where they would cover each other.
    const middle = up.at(((bases.at(-1) ?? 0) + (below.at(-1) ?? 0)) / 2);
    floor = Math.min(middle, floor - labelHeight);
    const x = frame.width - frame.right + 8;
    const label = html`
      <text class="label" x="${x}" y="${px(floor + 4)}">${layer.label}</text>
      <text class="label strong end" x="${frame.width - 2}" y="${px(floor + 4)}">${count}</text>`;
    return html`${mark(hrefOf(layer), count, shape)}${label}`;
  });
  return html`${up.drawn}${drawn}${across.drawn}`;
}
