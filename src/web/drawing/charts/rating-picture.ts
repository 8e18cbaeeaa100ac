/** The chart of ratings at one judge, with the new problems of each week below. */
import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import type { Rank } from '../../../judges/judge.ts';
import type { DaySpan, RatingChange } from '../../../practice/rating-history.ts';
import { type Html, html } from '../../markup.ts';
import { words } from '../../words/words.ts';
import { type Frame, linkedShape, plot, px, timeAxis } from './plot.ts';

/** A contest that gave a rating, a performance, or both. */
export interface RatingEntry {
  at: string;
  day: number;
  title: string;
  href: string;
  kind?: 'live' | 'virtual' | 'gym' | 'round';
  rated?: RatingChange;
  performance?: { strength: number; text: string } | undefined;
}

export interface RatingPicture {
  ranks: readonly Rank[];
  /** A line for each handle, oldest contest first; the handle rated last comes first. */
  lines: readonly (readonly RatingChange[])[];
  range: DaySpan;
  selected: RatingChange | undefined;
  /** The six weeks before the selected contest. */
  weeksBefore: DaySpan | undefined;
  weekCounts: readonly { from: number; to: number; count: number; isIn: boolean }[];
  entries: readonly RatingEntry[];
  solvedHref(days: DaySpan): string;
}

export const rankName = ({ name, colour }: Rank): string => name ?? words(`ratings.colour.${colour}`);

export const rankOf = (ranks: readonly Rank[], rating: number): Rank | undefined =>
  ranks.findLast(({ from }) => rating >= from) ?? ranks[0];

/** Such as +118 and −18. */
export const signed = (change: number): string => `${change < 0 ? '−' : '+'}${Math.abs(change)}`;

const weeksHeight = 52;
const weeksGap = 18;

export function ratingPicture(picture: RatingPicture): Html {
  const margins = { top: 14, bottom: 26, right: 14 };
  const draw = (frame: Frame) => drawFrame(frame, picture);
  const full = { ...margins, width: 1080, height: 390, left: 150 };
  const wide = { ...margins, width: 640, height: 340, left: 46 };
  return html`<div class="rating">${plot(draw, wide, { ...margins, height: 300, left: 40, right: 8 }, full)}</div>`;
}

function drawFrame(frame: Frame, picture: RatingPicture): Html {
  const { left, right, width, height, bottom, top } = frame;
  const { range, lines, ranks, selected, weeksBefore, entries } = picture;
  const baseline = height - bottom - weeksHeight - weeksGap;
  const ratings = entries.flatMap(({ rated, performance }) => [
    ...(rated ? [rated.rating] : []),
    ...(performance ? [performance.strength] : []),
  ]);
  const [lowest, highest] = [Math.min(...ratings), Math.max(...ratings)];
  const padding = Math.max(60, (highest - lowest) * 0.15);
  const ratingScale = scaleLinear([lowest - padding, highest + padding], [baseline, top]);
  const time = timeAxis(frame, range.from, range.to);
  const end = width - right;
  const x = (day: number) => Math.min(end, Math.max(left, time.positionOf(day)));
  const path = line<RatingChange>()
    .x(({ day }) => time.positionOf(day))
    .y(({ rating }) => ratingScale(rating))
    .digits(1);
  const diamonds = entries.map((one) => diamond(one, time.positionOf(one.day), ratingScale));
  const dots = entries.map(
    ({ rated, href }) =>
      rated && rated !== selected && dot(href, rated, time.positionOf(rated.day), ratingScale(rated.rating)),
  );
  const chosen = entries.find(({ rated }) => rated && rated === selected);
  return html`
    ${bands(frame, ranks, ratingScale, baseline)}
    ${time.markup}
    ${
      weeksBefore &&
      weeksBefore.to >= range.from &&
      html`
        <rect
          class="six" x="${px(x(weeksBefore.from))}" y="${top}"
          width="${px(x(weeksBefore.to + 1) - x(weeksBefore.from))}"
          height="${height - bottom - top}"
        />`
    }
    ${weekBars(frame, picture, x)}
    ${lines.map((changes, index) => html`<path class="line${index > 0 && ' other'}" d="${path(changes)}"/>`)}
    ${diamonds}
    ${dots}
    ${
      selected &&
      chosen &&
      selectedDot(frame, chosen.href, selected, time.positionOf(selected.day), ratingScale(selected.rating))
    }`;
}

function bands(
  { left, right, width, top, name }: Frame,
  ranks: readonly Rank[],
  ratingScale: (value: number) => number,
  baseline: number,
): Html {
  return html`${ranks.map((rank, index) => {
    const next = ranks[index + 1]?.from;
    const upper = next === undefined ? top : Math.max(top, ratingScale(next));
    const lower = index === 0 ? baseline : Math.min(baseline, ratingScale(rank.from));
    if (lower <= upper || lower <= top || upper >= baseline) return '';
    const middle = (upper + lower) / 2;
    const hasLimit = index > 0 && lower < baseline;
    return html`
      <g data-band="${rank.colour}">
        <rect class="band" x="${left}" y="${px(upper)}" width="${width - left - right}" height="${px(lower - upper)}"/>
        <rect class="strip" x="${left - 6}" y="${px(upper + 0.5)}" width="4"
          height="${px(Math.max(1, lower - upper - 1))}"/>
      </g>
      ${hasLimit && html`<text class="end" x="${left - 12}" y="${px(lower + 4)}">${rank.from}</text>`}
      ${
        name === 'plot-full' &&
        lower - upper > 14 &&
        html`<text class="end" x="${left - 46}" y="${px(middle + 4)}">${rankName(rank)}</text>`
      }`;
  })}`;
}

const titleOf = ({ title, rating, change }: RatingChange) =>
  words('contests.stateOf', { title, state: `${rating}${change === undefined ? '' : ` (${signed(change)})`}` });

/** No line joins performances: they are not ratings. The table has their links. */
const diamond = ({ title, performance }: RatingEntry, x: number, y: (rating: number) => number): Html | '' =>
  !performance
    ? ''
    : html`
      <path class="diamond" d="M${px(x)} ${px(y(performance.strength) - 5)}l5 5-5 5-5-5z">
        <title>${words('contests.stateOf', { title, state: performance.text })}</title>
      </path>`;

function dot(href: string, rated: RatingChange, x: number, y: number, isSelected = false): Html {
  const shape = html`
    <circle class="rated${isSelected && ' chosen'}" cx="${px(x)}" cy="${px(y)}" r="${isSelected ? 6 : 4}">
      <title>${titleOf(rated)}</title>
    </circle>`;
  return linkedShape(href, undefined, shape);
}

function selectedDot({ width, left }: Frame, href: string, rated: RatingChange, x: number, y: number): Html {
  const { rating, change } = rated;
  const isRight = x > (width + left) / 2;
  const label = `${rating}${change === undefined ? '' : ` ${signed(change)}`}`;
  return html`
    ${dot(href, rated, x, y, true)}
    <text class="label strong${isRight && ' end'}" x="${px(x + (isRight ? -10 : 10))}" y="${px(y - 9)}">
      ${label}
    </text>`;
}

function weekBars(frame: Frame, { weekCounts, solvedHref }: RatingPicture, x: (day: number) => number): Html {
  const { height, bottom, left, right, width, name } = frame;
  const baseline = height - bottom;
  const most = Math.max(4, ...weekCounts.map(({ count }) => count));
  const marks = weekCounts.map(({ from, to, count, isIn }) => {
    const [start, end] = [x(from), x(to + 1)];
    if (count === 0 || end - start < 0.5) return '';
    const barHeight = Math.max(2, (count / most) * weeksHeight);
    const text = words('ratings.week', { count });
    const bar = html`
      <rect
        class="week${isIn && ' in'}" x="${px(start + 0.5)}" y="${px(baseline - barHeight)}"
        width="${px(Math.max(0.5, end - start - 1))}" height="${px(barHeight)}"
      >
        <title>${text}</title>
      </rect>`;
    return linkedShape(solvedHref({ from, to }), count, bar);
  });
  const label = words('ratings.newAWeek');
  return html`
    <path class="tick" d="M${left} ${baseline}H${width - right}"/>
    ${marks}
    ${
      name === 'plot-full' &&
      linesOf(label).map(
        (line, n) => html`<text class="end" x="${left - 12}" y="${baseline - 18 + n * 14}">${line}</text>`,
      )
    }`;
}

function linesOf(label: string): string[] {
  const middle = label.length / 2;
  const spaces = [...label.matchAll(/ /g)].map(({ index }) => index);
  const [best] = spaces.sort((one, other) => Math.abs(one - middle) - Math.abs(other - middle));
  return label.length > 22 && best !== undefined ? [label.slice(0, best), label.slice(best + 1)] : [label];
}
