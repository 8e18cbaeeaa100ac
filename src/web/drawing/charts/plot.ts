/**
 * The parts that all pictures share: a frame with its ticks and grid, drawn for a wide and for a narrow place, of
 * which the style shows one. Paint is in classes and geometry in attributes, because pages have no inline styles.
 * Pictures are hidden from readers, who have the table below each.
 */

import { scaleLinear, scaleUtc } from 'd3-scale';
import { dayMs } from '../../../durations.ts';
import { countLink } from '../../kit/links.ts';
import { plainTable, scrolled } from '../../kit/table.ts';
import { attr, type Html, html } from '../../markup.ts';
import { utcFormat } from '../../words/formats.ts';

export interface Frame {
  name: 'plot-full' | 'plot-wide' | 'plot-narrow';
  isWide: boolean;
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

type Margins = Partial<Omit<Frame, 'name' | 'isWide'>>;

/** Numbers as short as a picture needs them. */
export const px = (value: number) => String(Math.round(value * 10) / 10);

/** Both drawings of a picture; a third one for a panel that is as wide as the page, where `full` is given. */
export function plot(draw: (frame: Frame) => Html, wide: Margins = {}, narrow: Margins = {}, full?: Margins): Html {
  const usual = { left: 36, right: 12, top: 16, bottom: 26 };
  const frames: readonly Frame[] = [
    ...(full ? [{ name: 'plot-full', isWide: true, width: 1080, height: 380, ...usual, ...full } as const] : []),
    { name: 'plot-wide', isWide: true, width: 548, height: 280, ...usual, ...wide },
    { name: 'plot-narrow', isWide: false, width: 328, height: 240, ...usual, ...narrow },
  ];
  return html`
    <div class="plot">
      ${frames.map(
        (frame) =>
          html`
            <svg
              class="${frame.name}" viewBox="0 0 ${frame.width} ${frame.height}" aria-hidden="true" focusable="false"
            >
              ${draw(frame)}
            </svg>`,
      )}
    </div>`;
}

/** A part of a picture that leads somewhere. Its link is for the pointer; keys reach the same in the table. */
export function mark(href: string, count: number | undefined, shape: Html): Html {
  return html`<a href="${href}"${attr('data-count', count)} tabindex="-1">${shape}</a>`;
}

export interface Scaled {
  at: (value: number) => number;
  drawn: Html;
}

/** Counts from nothing at the foot, with at most five lines; the top is a round number. */
export function countAxis(frame: Frame, highest: number): Scaled {
  const scale = scaleLinear([0, Math.max(highest, 4)], [frame.height - frame.bottom, frame.top]).nice(4);
  const lines = scale.ticks(4).filter(Number.isInteger);
  const drawn = html`${lines.map((value) => gridLine(frame, scale(value), String(value)))}`;
  return { at: scale, drawn };
}

/** A line across the frame with its figure at the left. */
export function gridLine({ left, right, width }: Frame, y: number, text: string, room = 8): Html {
  return html`
    <path class="grid" d="M${left} ${Math.round(y)}H${width - right}"/>
    <text class="end" x="${left - room}" y="${px(y + 4)}">${text}</text>`;
}

const monthFormat = utcFormat({ month: 'short' });
const dayFormat = utcFormat({ day: 'numeric', month: 'short' });

/** Days from left to right, with at most six of them named. */
export function timeAxis(frame: Frame, from: number, to: number): Scaled {
  const { left, right, width, height, bottom, isWide } = frame;
  const scale = scaleUtc([from * dayMs, Math.max(to, from + 1) * dayMs], [left, width - right]);
  const foot = height - bottom;
  // Few days have ticks at hours too, which have no names of their own.
  const midnights = scale.ticks(isWide ? 6 : 4).filter((date) => date.getTime() % dayMs === 0);
  const named = midnights.map((date) => {
    const x = Math.round(scale(date));
    const isYear = date.getUTCMonth() === 0 && date.getUTCDate() === 1;
    const format = date.getUTCDate() === 1 ? monthFormat : dayFormat;
    const text = isYear ? String(date.getUTCFullYear()) : format.format(date);
    return html`
      <path class="${isYear ? 'tick year' : 'tick'}" d="M${x} ${foot}v4"/>
      <text class="mid${isYear ? ' strong' : ''}" x="${x}" y="${height - 6}">${text}</text>`;
  });
  return { at: (day) => scale(day * dayMs), drawn: html`${named}` };
}

/* Columns side by side: counts by rating. */

/** Part of a column that leads to the list behind it. */
interface Part {
  count: number;
  href: string;
  title: string;
}

export interface Column {
  label: string;
  /** The colour of a band. */
  colour: string;
  full: Part;
  /** On top of the other, as an outline. */
  open: Part;
}

/** Room between columns, as a share of one. */
const gap = 0.14;

/** `labelEvery` says which columns have their label below; in the narrow drawing every second of them has. */
export function columnPlot(columns: readonly Column[], labelEvery: number): Html {
  const margins = { left: 32, bottom: 32, top: 20 };
  return plot(
    (frame) => draw(frame, columns, labelEvery),
    { ...margins, height: 220 },
    { ...margins, height: 200, right: 6 },
  );
}

function draw(frame: Frame, columns: readonly Column[], labelEvery: number): Html {
  const { left, right, width, height, bottom, isWide } = frame;
  const each = (width - left - right) / columns.length;
  const highest = Math.max(...columns.map(({ full, open }) => full.count + open.count));
  const up = countAxis(frame, highest);
  const foot = up.at(0);
  const every = isWide ? labelEvery : labelEvery * 2;
  const inset = Math.max(1, (each * gap) / 2);
  const drawn = columns.map(({ label, colour, full, open }, place) => {
    const x = left + place * each;
    const [top, upper] = [up.at(full.count), up.at(full.count + open.count)];
    const at = html`x="${px(x + inset)}" width="${px(each - 2 * inset)}"`;
    const solid = html`
      <rect class="col" data-band="${colour}" ${at} y="${px(top)}" height="${px(foot - top)}">
        <title>${full.title}</title>
      </rect>`;
    const outline = html`
      <rect
        class="col open" data-band="${colour}" x="${px(x + inset + 0.5)}" width="${px(each - 2 * inset - 1)}"
        y="${px(upper + 0.5)}" height="${px(Math.max(1, top - upper - 1.5))}"
      >
        <title>${open.title}</title>
      </rect>`;
    const middle = px(x + each / 2);
    // A figure that is wider than its column would run into the next one.
    const hasFigure = full.count > 0 && String(full.count).length * 7 <= each + 1;
    return html`
      ${full.count > 0 && mark(full.href, full.count, solid)}
      ${open.count > 0 && mark(open.href, open.count, outline)}
      ${hasFigure && html`<text class="mid figure" x="${middle}" y="${px(upper - 5)}">${full.count}</text>`}
      ${place % every === 0 && html`<text class="mid" x="${middle}" y="${height - 8}">${label}</text>`}`;
  });
  return html`${up.drawn}${drawn}${strip(columns, { left, each, y: height - bottom + 4 })}`;
}

/** The bands below the columns, each from its first column to its last. */
function strip(columns: readonly Column[], { left, each, y }: { left: number; each: number; y: number }): Html {
  const starts = columns.flatMap(({ colour }, place) => (colour === columns[place - 1]?.colour ? [] : [place]));
  return html`${starts.map((start, nth) => {
    const end = starts[nth + 1] ?? columns.length;
    return html`
      <rect
        class="foot" data-band="${columns[start]?.colour}" x="${px(left + start * each + 1)}" y="${y}"
        width="${px((end - start) * each - 2)}" height="3"
      />`;
  })}`;
}

/* A number of rows as a link to them; nothing leads to no rows. */

export function withCount(count: number, href: string): Html {
  return count === 0 ? html`<span class="faint">0</span>` : countLink(count, href);
}

/* The table behind a picture: its figures and links for keyboards and readers. */

/** The first cell of each row names it. */
export function asTable(
  summary: string,
  head: readonly string[],
  rows: readonly (readonly (Html | string)[])[],
  note?: Html | string,
  isOpen = false,
): Html {
  const line = ([name, ...cells]: readonly (Html | string)[]) =>
    html`<tr><th scope="row">${name}</th>${cells.map((one) => html`<td>${one}</td>`)}</tr>`;
  return html`
    <details class="as-table"${attr('open', isOpen)}>
      <summary>${summary}</summary>
      ${scrolled(summary, plainTable({ heads: head, rows: rows.map(line) }))}
      ${note && html`<p>${note}</p>`}
    </details>`;
}
