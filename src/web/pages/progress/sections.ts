/** The charts of progress in their panels, in the order of the page. */

import { extent } from 'd3-array';
import { area, line } from 'd3-shape';
import { predictionsOfLine, type TopicLine } from '../../../practice/calibration.ts';
import { dateOf, groupByPeriod, periodsOf } from '../../../practice/days.ts';
import {
  type Bin,
  binOf,
  binSize,
  binsOf,
  type CumulativeCounts,
  countedAtLeast,
  cumulativeCounts,
  type Dot,
  dotsOf,
  fewTriesAtMost,
  firstTriesOf,
  isDated,
  isRated,
  isWithin,
  type ProblemOutcome,
  type RatedOutcome,
  type TopicFigures,
  topicsOf,
  triedOf,
} from '../../../practice/progress.ts';
import {
  type Axis,
  columnPlot,
  countAxis,
  countCell,
  type Frame,
  gridLine,
  linkedShape,
  plot,
  px,
  tableOfChart,
  timeAxis,
} from '../../drawing/charts/plot.ts';
import {
  daysOfPeriod,
  type ProgressView,
  periodName,
  progressAddress,
  shownDays,
} from '../../drawing/charts/progress-view.ts';
import { bandName, type Scale, scaleOf } from '../../drawing/charts/scales.ts';
import { dayWithWeekday } from '../../kit/day-links.ts';
import { countLink } from '../../kit/links.ts';
import { panel } from '../../kit/panel.ts';
import { distanceText, type ProblemQuery } from '../../kit/problem-query.ts';
import { scrollable } from '../../kit/table.ts';
import { type Html, html } from '../../markup.ts';
import { problemPath, progressPath } from '../../paths.ts';
import { commaList, thousands } from '../../words/formats.ts';
import { linkTo, richWords, words } from '../../words/words.ts';

const remark = (text: Html | string) => html`<p class="says">${text}</p>`;

/** A sentence about the `n` problems that a chart leaves out, with a link to them. */
const notShownLine = (n: number, href: string, sentence: (count: Html) => Html) =>
  n === 0 ? undefined : sentence(countCell(n, href));

const tableOf = (name: string, ...table: Tail<Parameters<typeof tableOfChart>>) =>
  tableOfChart(words('progress.asTable', { name }), ...table);
type Tail<T extends unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never;

const noRatings = (count: number) => remark(words(count > 0 ? 'progress.noneRated' : 'progress.nothing'));

/* Solved by rating: a chart for each judge with ratings, because their scales do not compare. */

function ratingChart(view: ProgressView, scale: Scale, outcomes: readonly ProblemOutcome[]): Html {
  const bins = binsOf(outcomes.filter(isRated));
  const tried = outcomes.filter(({ isSolved }) => !isSolved).length;
  const totals = richWords('progress.solvedAndTried', {
    solved: countCell(outcomes.length - tried, view.solved()),
    tried: countCell(tried, view.tried('tried')),
  });
  const head = html`<h3 class="judge-head"><span>${scale.judge}</span> <span class="soft">${totals}</span></h3>`;
  if (bins.length === 0) return html`${head}${noRatings(outcomes.length)}`;
  const filterOf = ({ from }: Bin) => scale.ratingFilter(from, from + binSize);
  const nameOf = ({ from }: Bin) =>
    words('progress.bandBetween', { from: String(from), to: String(from + binSize - 1) });
  const columns = bins.map((bin) => ({
    label: String(bin.from),
    colour: scale.colourOf(bin.from),
    full: {
      count: bin.solved,
      href: view.solved(filterOf(bin)),
      title: words('progress.bandSolved', { band: nameOf(bin), count: bin.solved }),
    },
    open: {
      count: bin.tried,
      href: view.tried('tried', filterOf(bin)),
      title: words('progress.bandTried', { band: nameOf(bin), count: bin.tried }),
    },
  }));
  const rows = bins
    .filter(({ solved, tried }) => solved + tried > 0)
    .map((bin) => [
      nameOf(bin),
      countCell(bin.solved, view.solved(filterOf(bin))),
      countCell(bin.tried, view.tried('tried', filterOf(bin))),
    ]);
  const unrated = outcomes.filter((one) => !isRated(one)).length;
  const notShown = notShownLine(unrated, view.tried('attempted', { isUnrated: true }), (count) =>
    richWords('progress.unrated', { count, n: unrated }),
  );
  const labelEvery = Math.max(1, Math.ceil(bins.length / 10));
  return html`
    ${head}
    ${remark(ratingsInWords(view, bins, filterOf, nameOf))}
    ${columnPlot(columns, labelEvery)}
    ${tableOf(
      words('progress.ratingOf', { judge: scale.judge }),
      [words('filters.rating'), words('state.complete'), words('state.tried')],
      rows,
      notShown,
    )}`;
}

function ratingsInWords(
  view: ProgressView,
  bins: readonly Bin[],
  filterOf: (bin: Bin) => ReturnType<Scale['ratingFilter']>,
  nameOf: (bin: Bin) => string,
): Html | string {
  const most = bins.reduce((a, b) => (b.solved > a.solved ? b : a));
  if (most.solved === 0) return words('progress.noneSolved');
  const highest = bins.findLast(({ solved }) => solved > 0) ?? most;
  return richWords('progress.ratingSays', {
    count: countCell(most.solved, view.solved(filterOf(most))),
    band: nameOf(most),
    highest: nameOf(highest),
    hardest: countCell(highest.solved, view.solved(filterOf(highest))),
  });
}

/* The number of problems solved so far over time, stacked by rating band. */

/** A rating band of the judge; a judge without ratings has one layer. */
interface Layer {
  name: string;
  label: string;
  colour: string;
  filter: Partial<ProblemQuery>;
}

function layersOf(scale: Scale | undefined): Layer[] {
  if (!scale) return [{ name: words('progress.all'), label: '', colour: 'plain', filter: {} }];
  return scale.bands.map(({ from, colour }, index) => {
    const next = scale.bands[index + 1]?.from;
    const label = from === 0 ? `< ${next ?? ''}` : `${from}+`;
    return { name: bandName(scale, index), label, colour, filter: scale.ratingFilter(from, next) };
  });
}

function cumulativeChart(
  view: ProgressView,
  scale: Scale | undefined,
  solved: readonly ProblemOutcome[],
  isTableOpen: boolean,
): Html {
  const rated: readonly RatedOutcome[] = scale ? solved.filter(isRated) : solved.map((one) => ({ ...one, rating: 0 }));
  if (rated.length === 0) return remark(words('progress.nothing'));
  const layers = layersOf(scale);
  const bandOf = (rating: number) => scale?.bandIndexOf(rating) ?? 0;
  const days = shownDays(view, solved);
  const countsOf = (some: readonly RatedOutcome[]) => {
    const counts = layers.map(() => 0);
    for (const { rating } of some) counts[bandOf(rating)] = (counts[bandOf(rating)] ?? 0) + 1;
    return counts;
  };
  const draw = (frame: Frame) => {
    const steps = cumulativeCounts(rated, days, bandOf, { bands: layers.length, most: frame.isWide ? 72 : 40 });
    return drawLayers(frame, days, layers, steps, (layer) => view.solved(layer.filter));
  };
  const picture = plot(draw, { right: 104 }, { right: 78, left: 30 });
  const unrated = solved.length - rated.length;
  const counts = countsOf(rated);
  const shown = layers.map((layer, index) => ({ layer, index })).filter(({ index }) => (counts[index] ?? 0) > 0);
  const rows = groupByPeriod(periodsOf(days.from, days.to), rated).map(([period, some]) => {
    const own = countsOf(some);
    const cells = shown.map(({ layer, index }) =>
      countCell(own[index] ?? 0, view.solved({ ...layer.filter, ...daysOfPeriod(period) })),
    );
    return [periodName(period), ...cells];
  });
  const totals = shown.map(({ layer, index }) => countCell(counts[index] ?? 0, view.solved(layer.filter)));
  const notShown = notShownLine(unrated, view.solved({ isUnrated: true }), (count) =>
    richWords('progress.unrated', { count, n: unrated }),
  );
  return html`
    ${remark(cumulativeInWords(view, rated.length, layers, counts))}
    ${picture}
    ${tableOf(
      words('progress.climbing'),
      [words('progress.time'), ...shown.map(({ layer }) => layer.name)],
      [...rows, [words('progress.all'), ...totals]],
      notShown,
      isTableOpen,
    )}`;
}

function cumulativeInWords(view: ProgressView, n: number, layers: readonly Layer[], counts: readonly number[]): Html {
  const most = counts.indexOf(Math.max(...counts));
  const layer = layers[most];
  const total = html`<b>${thousands.format(n)}</b>`;
  if (!layer || layers.length === 1) return richWords('progress.climbingAll', { total, n });
  const count = countCell(counts[most] ?? 0, view.solved(layer.filter));
  return richWords('progress.climbingMost', { total, count, band: layer.name, n });
}

const labelHeight = 14;

function drawLayers(
  frame: Frame,
  { from, to }: { from: number; to: number },
  layers: readonly Layer[],
  steps: readonly CumulativeCounts[],
  hrefOf: (layer: Layer) => string,
): Html {
  const last = steps.at(-1)?.counts ?? [];
  const total = last.reduce((sum, count) => sum + count, 0);
  const xAxis = timeAxis(frame, from - 1, to);
  const yAxis = countAxis(frame, total);
  const stackTops = steps.map(() => 0);
  let labelY = frame.height - frame.bottom + labelHeight / 2;
  const drawn = layers.map((layer, place) => {
    const count = last[place] ?? 0;
    if (count === 0) return '';
    const stackBases = [...stackTops];
    for (const [index, step] of steps.entries()) stackTops[index] = (stackTops[index] ?? 0) + (step.counts[place] ?? 0);
    const path = area<CumulativeCounts>()
      .x(({ day }) => xAxis.positionOf(day))
      .y0((_, index) => yAxis.positionOf(stackBases[index] ?? 0))
      .y1((_, index) => yAxis.positionOf(stackTops[index] ?? 0))
      .digits(0)(steps);
    const title = words('progress.bandSolved', { band: layer.name, count });
    const shape = html`<path class="area" data-band="${layer.colour}" d="${path}"><title>${title}</title></path>`;
    // A label stands at the middle of its layer, or higher if it would cover the one below.
    const middle = yAxis.positionOf(((stackBases.at(-1) ?? 0) + (stackTops.at(-1) ?? 0)) / 2);
    labelY = Math.min(middle, labelY - labelHeight);
    const x = frame.width - frame.right + 8;
    const label = html`
      <text class="label" x="${x}" y="${px(labelY + 4)}">${layer.label}</text>
      <text class="label strong end" x="${frame.width - 2}" y="${px(labelY + 4)}">${count}</text>`;
    return html`${linkedShape(hrefOf(layer), count, shape)}${label}`;
  });
  return html`${yAxis.markup}${drawn}${xAxis.markup}`;
}

/* First tries: what was solved at the first submission, by the distance from the member's level at the time. */

function firstTryTable(view: ProgressView, outcomes: readonly ProblemOutcome[]): Html {
  const { steps, withoutStep } = firstTriesOf(outcomes, view.span);
  const most = Math.max(...steps.map(({ tried }) => tried));
  const rows = steps.map(({ distance, tried, solvedAtFirstTry }) => {
    const filter = { distance: `${distance}` } as const;
    const name = distanceText(distance);
    const title = words('progress.firstTryMark', { points: name, first: solvedAtFirstTry, count: tried });
    const firstLink = view.tried('attempted', { ...filter, isFirstTry: true });
    const triedLink = view.tried('attempted', filter);
    const bar = countBar(most, [
      { name: 'lane', before: 0, count: tried, href: triedLink, title },
      { name: 'soon', before: 0, count: solvedAtFirstTry, href: firstLink, title },
    ]);
    return html`
      <tr>
        <th scope="row">${name}</th>
        <td class="c-bar">${bar}</td>
        <td class="num">${countCell(solvedAtFirstTry, firstLink)}</td>
        <td class="num">${countCell(tried, triedLink)}</td>
      </tr>`;
  });
  const heads = [
    words('progress.distance'),
    words('progress.solvedOfTried'),
    words('progress.firstTry'),
    words('progress.tried'),
  ];
  const notShown = notShownLine(withoutStep, view.tried('attempted', { distance: 'none' }), (count) =>
    richWords('progress.noDistance', { count, n: withoutStep }),
  );
  return html`
    ${remark(words('progress.firstTrySays', { least: countedAtLeast }))}
    ${rows.length > 0 && topicsTable(words('progress.firstTry'), heads, rows)}
    ${notShown && html`<p class="faint caption">${notShown}</p>`}`;
}

/* Level: a dot for each first solve, a ring for the hardest so far, and the median of the last thirty. */

/** More first solves are drawn in groups by days and hundreds of rating, as they always are in the narrow chart. */
const dotsAtMost = 500;

/** `all` has the first solves of all days, because the hardest so far may be older than the shown days. */
function levelChart(view: ProgressView, scale: Scale, all: readonly ProblemOutcome[]): Html {
  const dots = dotsOf(all.filter(isRated));
  const shown = dots.filter(({ solve }) => isWithin(view.span, solve.day));
  const last = shown.at(-1);
  if (!last) return noRatings(all.filter(({ day }) => isWithin(view.span, day)).length);
  const days = shownDays(view, shown);
  const picture = plot(
    (frame) => drawLevel(frame, view, scale, shown, days),
    { left: 52, right: 8 },
    { left: 48, right: 6 },
  );
  const rows = groupByPeriod(periodsOf(days.from, days.to), shown).map(([period, some]) => {
    const hardest = some
      .map(({ solve }) => solve)
      .reduce<RatedOutcome | undefined>((a, b) => (a && a.rating >= b.rating ? a : b), undefined);
    return [
      periodName(period),
      countCell(some.length, view.solved({ ...allRatings, ...daysOfPeriod(period) })),
      hardest === undefined
        ? '–'
        : html`${hardest.rating} <a href="${view.basePath}${problemPath(hardest.id)}">${hardest.title}</a>`,
      String(some.at(-1)?.median ?? '–'),
    ];
  });
  return html`
    ${remark(levelInWords(view, dots, shown, last))}
    ${picture}
    ${legend(['ring', words('progress.hardestSoFar')])}
    ${tableOf(
      words('progress.level'),
      [words('progress.time'), words('progress.firstSolves'), words('progress.hardest'), words('progress.medianAtEnd')],
      rows,
    )}`;
}

/** A filter that matches every problem with a rating. */
const allRatings = { ratingMin: -10_000 };

function levelInWords(view: ProgressView, dots: readonly Dot[], shown: readonly Dot[], last: Dot): Html {
  const hardest = shown.map(({ solve }) => solve).reduce((a, b) => (b.rating > a.rating ? b : a));
  const rating = String(hardest.rating);
  const { title } = hardest;
  const link = linkTo(view.basePath + problemPath(hardest.id));
  if (last.median === undefined) return richWords('progress.levelHardest', { rating, title, link });
  const before = dots.findLast(({ solve }) => solve.day <= last.solve.day - 365)?.median;
  const median = html`<b>${last.median}</b>`;
  if (before === undefined) return richWords('progress.levelNow', { rating, title, link, median });
  return richWords('progress.levelThen', { rating, title, link, median, before: String(before) });
}

function drawLevel(
  frame: Frame,
  view: ProgressView,
  scale: Scale,
  dots: readonly Dot[],
  days: { from: number; to: number },
): Html {
  const [lowest = 0, highest = 0] = extent(dots, ({ solve }) => solve.rating);
  const [least, most] = [binOf(lowest) - binSize / 2, binOf(highest) + 1.5 * binSize];
  const foot = frame.height - frame.bottom;
  const yAt = (rating: number) => foot - ((rating - least) / (most - least)) * (foot - frame.top);
  const xAxis = timeAxis(frame, days.from - 1, days.to + 1);
  const isDotted = frame.isWide && dots.length <= dotsAtMost;
  const marks = isDotted
    ? dotMarks(view, dots, xAxis.positionOf, yAt)
    : cellMarks(frame, view, scale, dots, { days, xAt: xAxis.positionOf, yAt });
  // The line has one point for each column of pixels: the last median there.
  const columns = new Map<number, Dot>();
  for (const dot of dots) if (dot.median !== undefined) columns.set(Math.round(xAxis.positionOf(dot.solve.day)), dot);
  const path = line<[number, Dot]>()
    .x(([x]) => x)
    .y(([, { median = 0 }]) => yAt(median))
    .digits(0)([...columns]);
  return html`
    ${drawBands(frame, scale, yAt, [least, most])}
    ${marks}
    <path class="halo" d="${path ?? ''}"/>
    <path class="median" d="${path ?? ''}"/>
    ${xAxis.markup}`;
}

function drawBands(
  frame: Frame,
  scale: Scale,
  yAt: (rating: number) => number,
  [least, most]: readonly [number, number],
): Html {
  let lowest = Infinity;
  return html`${scale.bands.map(({ from, colour }, index) => {
    const [low, high] = [Math.max(from, least), Math.min(scale.bands[index + 1]?.from ?? most, most)];
    if (low >= high) return '';
    const sideBar = html`
      <rect
        class="side" data-band="${colour}" x="${frame.left - 6}" y="${px(yAt(high) + 1)}" width="4"
        height="${px(Math.max(1, yAt(low) - yAt(high) - 2))}"
      />`;
    if (from <= least || lowest - yAt(from) < 14) return sideBar;
    lowest = yAt(from);
    return html`${sideBar}${gridLine(frame, yAt(from), String(from), 12)}`;
  })}`;
}

const titleOf = ({ solve: { day, title, rating }, isHardest }: Dot) => {
  const text = words('progress.dot', { day: dayWithWeekday(day), title, rating: String(rating) });
  return commaList([text, isHardest && words('progress.hardestSoFar')]);
};

function dotMarks(
  { basePath }: ProgressView,
  dots: readonly Dot[],
  xAt: Axis['positionOf'],
  yAt: (rating: number) => number,
): Html {
  // Later elements are drawn above earlier ones, so the rings come last.
  const ordered = [...dots.filter(({ isHardest }) => !isHardest), ...dots.filter(({ isHardest }) => isHardest)];
  return html`${ordered.map((dot) => {
    const shape = html`
      <circle
        class="${dot.isHardest ? 'dot best' : 'dot'}" cx="${Math.round(xAt(dot.solve.day))}"
        cy="${Math.round(yAt(dot.solve.rating))}" r="${dot.isHardest ? 4 : 3}"
      >
        <title>${titleOf(dot)}</title>
      </circle>`;
    return linkedShape(basePath + problemPath(dot.solve.id), undefined, shape);
  })}`;
}

/** The number of cells is approximate, that of columns a limit. */
const cellsAtMost = { wide: 240, narrow: 120 };
const columnsAtMost = { wide: 32, narrow: 16 };

interface CellAxes {
  days: { from: number; to: number };
  xAt: Axis['positionOf'];
  yAt: (rating: number) => number;
}

/** A circle for the first solves of some days and a hundred of rating; its area grows with their number. */
function cellMarks(
  frame: Frame,
  view: ProgressView,
  scale: Scale,
  dots: readonly Dot[],
  { days: { from, to }, xAt, yAt }: CellAxes,
): Html {
  const kind = frame.isWide ? 'wide' : 'narrow';
  const [lowest = 0, highest = 0] = extent(dots, ({ solve }) => binOf(solve.rating));
  const bins = (highest - lowest) / binSize + 1;
  const columns = Math.min(columnsAtMost[kind], Math.max(8, Math.floor(cellsAtMost[kind] / bins)));
  const daysPerColumn = Math.max(1, Math.ceil((to - from + 1) / columns));
  const cells = [...Map.groupBy(dots, ({ solve }) => Math.floor((solve.day - from) / daysPerColumn))].flatMap(
    ([column, some]) =>
      Array.from(
        Map.groupBy(some, ({ solve }) => binOf(solve.rating)),
        ([bin, some]) => ({ column, bin, some }),
      ),
  );
  const widest = (frame.width - frame.left - frame.right) / columns;
  const largest = Math.max(...cells.map(({ some }) => some.length));
  return html`${cells.map(({ column, bin, some }) => {
    const first = from + column * daysPerColumn;
    const last = Math.min(first + daysPerColumn - 1, to);
    const solvedFrom = dateOf(first);
    const solvedTo = dateOf(last);
    const radius = Math.max(2, (Math.sqrt(some.length / largest) * Math.min(widest, 11)) / 2);
    const title = words('progress.cell', {
      from: dayWithWeekday(first),
      to: dayWithWeekday(last),
      count: some.length,
      least: String(bin),
      most: String(bin + binSize - 1),
    });
    const shape = html`
      <circle
        class="${some.some(({ isHardest }) => isHardest) ? 'dot best' : 'dot'}"
        cx="${Math.round(xAt((first + last) / 2))}" cy="${px(yAt(bin))}" r="${px(radius)}"
      >
        <title>${title}</title>
      </circle>`;
    const filter = {
      ...allRatings,
      ...scale.ratingFilter(bin, bin + binSize),
      solvedFrom,
      solvedTo,
      isFirstSolve: true,
    };
    return linkedShape(view.solved(filter), some.length, shape);
  })}`;
}

/* Topics: a table with a bar for each, of what was solved within three tries, solved later, and not solved. */

const topicsShown = 14;

function topicTable(view: ProgressView, outcomes: readonly ProblemOutcome[]): Html {
  const all = topicsOf(outcomes, view.span, view.today);
  const [first] = all;
  if (!first) return remark(words('progress.noTopics'));
  const topic = html`<a href="${view.tried('attempted', { tags: [first.tag] })}">${first.tag}</a>`;
  const heads = [
    words('progress.topic'),
    words('progress.solvedOfTried'),
    words('state.complete'),
    words('progress.tried'),
    words('progress.last'),
  ];
  return html`
    ${remark(richWords('progress.topicsMost', { topic, count: all.length }))}
    ${topicsTable(
      words('progress.topics'),
      heads,
      shownTopics(view, all).map((topic) => topicRow(topic, view, triedOf(first))),
    )}
    ${otherTopics(view, all.length, 'topics')}`;
}

/** A link to the same table with all its topics, or with the first ones alone. */
function otherTopics({ query, basePath }: ProgressView, count: number, id: string): Html | undefined {
  if (count <= topicsShown) return undefined;
  const other = progressAddress(query, { hasAllTopics: !query.hasAllTopics });
  const text = query.hasAllTopics
    ? words('progress.fewerTopics', { count: topicsShown })
    : words('progress.allTopics', { count });
  return html`<p class="more"><a href="${basePath}${progressPath}${other}#${id}">${text}</a></p>`;
}

const shownTopics = <Topic>({ query }: ProgressView, all: readonly Topic[]) =>
  query.hasAllTopics ? all : all.slice(0, topicsShown);

function contestTopicTable(view: ProgressView, all: readonly TopicLine[]): Html {
  const least = predictionsOfLine;
  if (all.length === 0) return remark(words('progress.contestTopicsFew', { least }));
  const heads = [words('progress.topic'), words('frame.problems'), words('chance.expected'), words('state.complete')];
  const row = ({ tag, count, expected, solved }: TopicLine) => html`
    <tr>
      <th scope="row">${tag}<span class="narrow">${words('problem.count', { count })}</span></th>
      <td class="num c-count">${count}</td>
      <td class="num">${Math.round(expected)}</td>
      <td class="num"><b>${solved}</b></td>
    </tr>`;
  return html`
    ${topicsTable(words('progress.contestTopics'), heads, shownTopics(view, all).map(row), ['', 'num c-count'])}
    ${otherTopics(view, all.length, 'contest-topics')}
    <p class="faint caption">${words('progress.contestTopicsHow', { least })} ${words('chance.rightHow')}</p>`;
}

function topicRow(topic: TopicFigures, view: ProgressView, mostTried: number): Html {
  const { tag, fewTries, manyTries, unsolved, last, isResting } = topic;
  const tags = [tag];
  const triedLink = view.tried('attempted', { tags });
  const ago = isDated(last) ? agoWords(view.today - last.day) : '–';
  const bar = countBar(mostTried, [
    {
      name: 'soon',
      before: 0,
      count: fewTries,
      href: view.solved({ tags, triesMax: fewTriesAtMost }),
      title: words('progress.soonCount', { count: fewTries }),
    },
    {
      name: 'later',
      before: fewTries,
      count: manyTries,
      href: view.solved({ tags, triesMin: fewTriesAtMost + 1 }),
      title: words('progress.laterCount', { count: manyTries }),
    },
    {
      name: 'open',
      before: fewTries + manyTries,
      count: unsolved,
      href: view.tried('tried', { tags }),
      title: words('progress.openCount', { count: unsolved }),
    },
  ]);
  return html`
    <tr>
      <th scope="row">${countLink(triedOf(topic), triedLink, tag)}</th>
      <td class="c-bar">${bar}</td>
      <td class="num">${countCell(fewTries + manyTries, view.solved({ tags }))}</td>
      <td class="num soft">${countCell(triedOf(topic), triedLink)}</td>
      <td class="num c-ago">
        <a class="${isResting ? 'late' : 'soft'}" href="${view.basePath}${problemPath(last.id)}" title="${last.title}">
          ${ago}
        </a>
      </td>
    </tr>`;
}

/** `kinds` are the classes of the first columns; the others have figures. */
function topicsTable(
  name: string,
  heads: readonly string[],
  rows: readonly Html[],
  kinds: readonly string[] = ['', 'c-bar'],
): Html {
  const table = html`
    <table class="plain-table topics">
      <thead>
        <tr>${heads.map((text, column) => html`<th scope="col" class="${kinds[column] ?? 'num'}">${text}</th>`)}</tr>
      </thead>
      <tbody>${rows}</tbody>
    </table>`;
  return scrollable(words('progress.asTable', { name }), table);
}

interface Segment {
  name: string;
  before: number;
  count: number;
  href: string;
  title: string;
}

const barWidth = 320;

function countBar(most: number, segments: readonly Segment[]): Html {
  const scaled = (count: number) => (count / most) * barWidth;
  const marks = segments.map(({ name, before, count, href, title }) => {
    if (count === 0) return '';
    const gap = before > 0 ? 1 : 0;
    const width = px(Math.max(2, scaled(count) - gap));
    const shape = html`
      <rect class="${name}" x="${px(scaled(before) + gap)}" y="1" width="${width}" height="10">
        <title>${title}</title>
      </rect>`;
    return linkedShape(href, count, shape);
  });
  return html`
    <svg class="topic-bar" viewBox="0 0 ${barWidth} 12" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      ${marks}
    </svg>`;
}

/** Rounds to days, weeks, months or years. */
function agoWords(days: number): string {
  if (days <= 0) return words('progress.today');
  if (days === 1) return words('progress.yesterday');
  if (days < 14) return words('progress.daysAgo', { count: days });
  if (days < 70) return words('progress.weeksAgo', { count: Math.round(days / 7) });
  if (days < 730) return words('progress.monthsAgo', { count: Math.round(days / 30.44) });
  return words('progress.yearsAgo', { count: Math.floor(days / 365.25) });
}

interface ProgressData {
  view: ProgressView;
  /** By judge, the judge with most problems first. */
  bySource: ReadonlyMap<string, readonly ProblemOutcome[]>;
  viewOfJudge(source: string): ProgressView;
  contestTopics: readonly TopicLine[] | undefined;
}

interface Section {
  id: string;
  title: string;
  sub: Html | string;
  content: Html;
  /** `wide beside` has the table beside the chart. */
  width: 'half' | 'wide' | 'wide beside';
}

export function sectionsOf(figures: ProgressData): Section[] {
  const { view, bySource, contestTopics } = figures;
  const scale = scaleOf(view.source);
  const outcomes = bySource.get(view.source) ?? [];
  const solvedEver = outcomes.filter(({ isSolved }) => isSolved);
  const solved = solvedEver.filter(({ day }) => isWithin(view.span, day));
  const dated = solved.filter(isDated);
  const scales = [...bySource.keys()].flatMap((source) => scaleOf(source) ?? []);
  // Half-width panels come in pairs. A panel without a partner takes the whole width, with its table beside the chart.
  const isPaired = scales.length === 1;
  const cumulativePanel: Section = {
    id: 'climbing',
    title: words('progress.climbing'),
    sub: words('progress.climbingSub'),
    content: cumulativeChart(view, scale, dated, !scale && !isPaired),
    width: scale || isPaired ? 'half' : 'wide beside',
  };
  const levelPanel = (scale: Scale): Section => ({
    id: 'level',
    title: words('progress.level'),
    sub: words('progress.levelSub'),
    content: levelChart(view, scale, solvedEver.filter(isDated)),
    width: 'half',
  });
  const ratingPanel: Section = {
    id: 'by-rating',
    title: words('progress.byRating'),
    sub: ratingLegend(),
    content: ratingCharts(scales, figures),
    width: isPaired ? 'half' : 'wide',
  };
  const triesPanel: Section = {
    id: 'first-try',
    title: words('progress.firstTry'),
    sub: words('progress.firstTrySub'),
    content: firstTryTable(view, outcomes),
    width: isPaired || contestTopics ? 'half' : 'wide',
  };
  const contestTopicsPanel = (lines: readonly TopicLine[]): Section => ({
    id: 'contest-topics',
    title: words('progress.contestTopics'),
    sub: words('progress.contestTopicsSub'),
    content: contestTopicTable(view, lines),
    width: isPaired ? 'wide' : 'half',
  });
  const topicsPanel: Section = {
    id: 'topics',
    title: words('progress.topics'),
    sub: topicLegend(),
    content: topicTable(view, outcomes),
    width: 'wide',
  };
  return [
    cumulativePanel,
    ...(scale ? [levelPanel(scale)] : []),
    ...(scales.length > 0 ? [ratingPanel] : []),
    ...(scale ? [triesPanel] : []),
    ...(contestTopics ? [contestTopicsPanel(contestTopics)] : []),
    topicsPanel,
  ];
}

export function panelOf({ id, title, sub, content, width }: Section): Html {
  const beside = typeof sub === 'string' ? html`<p>${sub}</p>` : sub;
  return panel({ id, heading: title, beside, className: width }, content);
}

function ratingCharts(scales: readonly Scale[], { bySource, viewOfJudge }: ProgressData): Html {
  const each = scales.map((scale) => {
    const view = viewOfJudge(scale.source);
    const outcomes = (bySource.get(scale.source) ?? []).filter(({ day }) => isWithin(view.span, day));
    return html`<div>${ratingChart(view, scale, outcomes)}</div>`;
  });
  if (scales.length === 1) return html`${each}`;
  return html`<div class="two even-two">${each}</div><p class="faint caption">${words('progress.ownScales')}</p>`;
}

const legend = (...marks: (readonly [kind: string, text: string])[]) =>
  html`
    <p class="legend">
      ${marks.map(([kind, text]) => html`<span><span class="sw ${kind}" data-band="blue"></span>${text}</span>`)}
    </p>`;

const ratingLegend = () => legend(['solved', words('progress.solved')], ['open', words('progress.triedOnly')]);

const topicLegend = () =>
  legend(['soon', words('progress.soon')], ['later', words('progress.later')], ['none', words('progress.notSolved')]);
