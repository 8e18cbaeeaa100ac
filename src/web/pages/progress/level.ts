/** Level: a dot for each first solve, a ring for the hardest so far, and the median of the last thirty. */

import { extent } from 'd3-array';
import { line } from 'd3-shape';
import { dateOf } from '../../../practice/days.ts';
import { byPeriod, periodsOf } from '../../../practice/periods.ts';
import {
  binOf,
  binSize,
  type Dot,
  dotsOf,
  isRated,
  isWithin,
  type Rated,
  type Reached,
} from '../../../practice/progress.ts';
import { counted } from '../../drawing/charts/counted.ts';
import { type Frame, gridLine, mark, plot, px, type Scaled, timeAxis } from '../../drawing/charts/frames.ts';
import { daysOfPeriod, periodName, shownDays, type View } from '../../drawing/charts/progress-view.ts';
import type { Scale } from '../../drawing/charts/scales.ts';
import { asTable } from '../../drawing/charts/table.ts';
import { namedDay } from '../../kit/day-links.ts';
import { type Html, html } from '../../markup.ts';
import { problemPath } from '../../paths.ts';
import { linkTo, richWords, words } from '../../words/words.ts';

/**
 * More first solves than this are drawn by the days and hundreds in which they lie, as the narrow picture always is.
 */
const dotsAtMost = 500;

/** `all` are the first solves of the judge since the first: what was hardest is not asked of the shown days alone. */
export function level(view: View, scale: Scale, all: readonly Reached[]): Html {
  const dots = dotsOf(all.filter(isRated));
  const shown = dots.filter(({ solve }) => isWithin(view.span, solve.day));
  const last = shown.at(-1);
  if (!last) return html`<p class="says">${words('progress.nothing')}</p>`;
  const days = shownDays(
    view,
    shown.map(({ solve }) => solve),
  );
  const picture = plot(
    (frame) => draw(frame, view, scale, shown, days),
    { left: 52, right: 8 },
    { left: 48, right: 6 },
  );
  const dated = shown.map((dot) => ({ ...dot, day: dot.solve.day }));
  const rows = byPeriod(periodsOf(days.from, days.to), dated).map(([period, some]) => {
    const hardest = some
      .map(({ solve }) => solve)
      .reduce<Rated | undefined>((a, b) => (a && a.rating >= b.rating ? a : b), undefined);
    return [
      periodName(period),
      counted(some.length, view.solved({ ...allRatings, ...daysOfPeriod(period) })),
      hardest === undefined
        ? '–'
        : html`${hardest.rating} <a href="${view.basePath}${problemPath(hardest.id)}">${hardest.title}</a>`,
      String(some.at(-1)?.median ?? '–'),
    ];
  });
  return html`
    <p class="says">${says(view, dots, last)}</p>
    ${picture}
    <p class="legend"><span class="ring"></span>${words('progress.hardestSoFar')}</p>
    ${asTable(
      words('progress.asTable', { name: words('progress.level') }),
      [words('progress.time'), words('progress.firstSolves'), words('progress.hardest'), words('progress.medianAtEnd')],
      rows,
    )}`;
}

/** A filter that finds whatever has a rating. */
const allRatings = { ratingMin: -10_000 };

function says(view: View, dots: readonly Dot[], last: Dot): Html {
  const hardest = (dots.findLast(({ isHardest, solve }) => isHardest && solve.day <= last.solve.day) ?? last).solve;
  const rating = String(hardest.rating);
  const { title } = hardest;
  const link = linkTo(view.basePath + problemPath(hardest.id));
  if (last.median === undefined) return richWords('progress.levelHardest', { rating, title, link });
  const before = dots.findLast(({ solve }) => solve.day <= last.solve.day - 365)?.median;
  const median = html`<b>${last.median}</b>`;
  if (before === undefined) return richWords('progress.levelNow', { rating, title, link, median });
  return richWords('progress.levelThen', { rating, title, link, median, before: String(before) });
}

function draw(frame: Frame, view: View, scale: Scale, dots: readonly Dot[], days: { from: number; to: number }): Html {
  const [lowest = 0, highest = 0] = extent(dots, ({ solve }) => solve.rating);
  const [least, most] = [binOf(lowest) - binSize / 2, binOf(highest) + 1.5 * binSize];
  const foot = frame.height - frame.bottom;
  const up = (rating: number) => foot - ((rating - least) / (most - least)) * (foot - frame.top);
  const across = timeAxis(frame, days.from - 1, days.to + 1);
  const isDotted = frame.isWide && dots.length <= dotsAtMost;
  const marks = isDotted
    ? dotMarks(view, dots, across.at, up)
    : cellMarks(frame, view, scale, dots, days, across.at, up);
  // Of the dots in one column of the picture the last one says where the line is.
  const columns = new Map(
    dots.filter(({ median }) => median !== undefined).map((dot) => [Math.round(across.at(dot.solve.day)), dot]),
  );
  const path = line<[number, Dot]>()
    .x(([x]) => x)
    .y(([, { median = 0 }]) => up(median))
    .digits(0)([...columns]);
  return html`
    ${bands(frame, scale, up, [least, most])}
    ${marks}
    <path class="halo" d="${path ?? ''}"/>
    <path class="median" d="${path ?? ''}"/>
    ${across.drawn}`;
}

/** The bands at the left, and a line where each begins. */
function bands(
  frame: Frame,
  scale: Scale,
  up: (rating: number) => number,
  [least, most]: readonly [number, number],
): Html {
  let lowest = Infinity;
  return html`${scale.bands.map(({ from, colour }, place) => {
    const [low, high] = [Math.max(from, least), Math.min(scale.bands[place + 1]?.from ?? most, most)];
    if (low >= high) return '';
    const side = html`
      <rect
        class="side" data-band="${colour}" x="${frame.left - 6}" y="${px(up(high) + 1)}" width="4"
        height="${px(Math.max(1, up(low) - up(high) - 2))}"
      />`;
    if (from <= least || lowest - up(from) < 14) return side;
    lowest = up(from);
    return html`${side}${gridLine(frame, up(from), String(from), 12)}`;
  })}`;
}

const titleOf = ({ solve: { day, title, rating }, isHardest }: Dot) => {
  const text = words('progress.dot', { day: namedDay(day), title, rating: String(rating) });
  return isHardest ? `${text}, ${words('progress.hardestSoFar')}` : text;
};

function dotMarks(
  { basePath }: View,
  dots: readonly Dot[],
  across: Scaled['at'],
  up: (rating: number) => number,
): Html {
  // Rings stand above the others.
  const ordered = [...dots.filter(({ isHardest }) => !isHardest), ...dots.filter(({ isHardest }) => isHardest)];
  return html`${ordered.map((dot) => {
    const shape = html`
      <circle
        class="${dot.isHardest ? 'dot best' : 'dot'}" cx="${Math.round(across(dot.solve.day))}"
        cy="${Math.round(up(dot.solve.rating))}" r="${dot.isHardest ? 4 : 3}"
      >
        <title>${titleOf(dot)}</title>
      </circle>`;
    return mark(basePath + problemPath(dot.solve.id), undefined, shape);
  })}`;
}

/** About how many cells there are, and in how many columns at most. */
const cellsAtMost = { wide: 420, narrow: 220 };
const columnsAtMost = { wide: 42, narrow: 22 };

/** A mark for the first solves of some days and a hundred of rating, the larger the more they are. */
function cellMarks(
  frame: Frame,
  view: View,
  scale: Scale,
  dots: readonly Dot[],
  { from, to }: { from: number; to: number },
  across: Scaled['at'],
  up: (rating: number) => number,
): Html {
  const kind = frame.isWide ? 'wide' : 'narrow';
  const [lowest = 0, highest = 0] = extent(dots, ({ solve }) => binOf(solve.rating));
  const bins = (highest - lowest) / binSize + 1;
  const columns = Math.min(columnsAtMost[kind], Math.max(8, Math.floor(cellsAtMost[kind] / bins)));
  const apart = Math.max(1, Math.ceil((to - from + 1) / columns));
  const cells = Map.groupBy(dots, ({ solve }) => `${Math.floor((solve.day - from) / apart)} ${binOf(solve.rating)}`);
  const widest = (frame.width - frame.left - frame.right) / columns;
  const largest = Math.max(...cells.values().map(({ length }) => length));
  return html`${[...cells].map(([name, some]) => {
    const [column = 0, bin = 0] = name.split(' ').map(Number);
    const first = from + column * apart;
    const last = Math.min(first + apart - 1, to);
    const solvedFrom = dateOf(first);
    const solvedTo = dateOf(last);
    const radius = Math.max(2, (Math.sqrt(some.length / largest) * Math.min(widest, 11)) / 2);
    const title = words('progress.cell', {
      from: namedDay(first),
      to: namedDay(last),
      count: some.length,
      least: String(bin),
      most: String(bin + binSize - 1),
    });
    const shape = html`
      <circle
        class="${some.some(({ isHardest }) => isHardest) ? 'dot best' : 'dot'}"
        cx="${Math.round(across((first + last) / 2))}" cy="${px(up(bin))}" r="${px(radius)}"
      >
        <title>${title}</title>
      </circle>`;
    const filter = {
      ...allRatings,
      ...scale.between(bin, bin + binSize),
      solvedFrom,
      solvedTo,
      isFirstSolve: true,
    };
    return mark(view.solved(filter), some.length, shape);
  })}`;
}
