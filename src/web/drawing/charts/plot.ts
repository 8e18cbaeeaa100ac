/**
 * The common parts of charts. Each is drawn for a wide and a narrow place, of which the style sheet shows one, and
 * is hidden from screen readers, which have the table below it.
 */

import { scaleLinear, scaleUtc } from 'd3-scale';
import { dayMs } from '../../../durations.ts';
import { countLink } from '../../kit/links.ts';
import { plainTable, scrollable } from '../../kit/table.ts';
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

export const px = (value: number) => String(Math.round(value * 10) / 10);

/** `full` adds a drawing for a panel as wide as the page. */
export function plot(draw: (frame: Frame) => Html, wide: Margins = {}, narrow: Margins = {}, full?: Margins): Html {
  const margins = { left: 36, right: 12, top: 16, bottom: 26 };
  const frames: readonly Frame[] = [
    ...(full ? [{ name: 'plot-full', isWide: true, width: 1080, height: 380, ...margins, ...full } as const] : []),
    { name: 'plot-wide', isWide: true, width: 548, height: 280, ...margins, ...wide },
    { name: 'plot-narrow', isWide: false, width: 328, height: 240, ...margins, ...narrow },
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

/** The keyboard has the same link in the table. */
export function linkedShape(href: string, count: number | undefined, shape: Html): Html {
  return html`<a href="${href}"${attr('data-count', count)} tabindex="-1">${shape}</a>`;
}

export interface Axis {
  positionOf: (value: number) => number;
  markup: Html;
}

export function countAxis(frame: Frame, highest: number): Axis {
  const scale = scaleLinear([0, Math.max(highest, 4)], [frame.height - frame.bottom, frame.top]).nice(4);
  const lines = scale.ticks(4).filter(Number.isInteger);
  const marks = html`${lines.map((value) => gridLine(frame, scale(value), String(value)))}`;
  return { positionOf: scale, markup: marks };
}

export function gridLine({ left, right, width }: Frame, y: number, text: string, room = 8): Html {
  return html`
    <path class="grid" d="M${left} ${Math.round(y)}H${width - right}"/>
    <text class="end" x="${left - room}" y="${px(y + 4)}">${text}</text>`;
}

const monthFormat = utcFormat({ month: 'short' });
const dayFormat = utcFormat({ day: 'numeric', month: 'short' });

export function timeAxis(frame: Frame, from: number, to: number): Axis {
  const { left, right, width, height, bottom, isWide } = frame;
  const scale = scaleUtc([from * dayMs, Math.max(to, from + 1) * dayMs], [left, width - right]);
  const baseline = height - bottom;
  // Ticks at hours have no names.
  const midnights = scale.ticks(isWide ? 6 : 4).filter((date) => date.getTime() % dayMs === 0);
  const labels = midnights.map((date) => {
    const x = Math.round(scale(date));
    const isYear = date.getUTCMonth() === 0 && date.getUTCDate() === 1;
    const format = date.getUTCDate() === 1 ? monthFormat : dayFormat;
    const text = isYear ? String(date.getUTCFullYear()) : format.format(date);
    return html`
      <path class="${isYear ? 'tick year' : 'tick'}" d="M${x} ${baseline}v4"/>
      <text class="mid${isYear ? ' strong' : ''}" x="${x}" y="${height - 6}">${text}</text>`;
  });
  return { positionOf: (day) => scale(day * dayMs), markup: html`${labels}` };
}

interface Part {
  count: number;
  href: string;
  title: string;
}

export interface Column {
  label: string;
  colour: string;
  full: Part;
  open: Part;
}

const gap = 0.14;

/** The narrow drawing has half of the labels. */
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
  const columnWidth = (width - left - right) / columns.length;
  const highest = Math.max(...columns.map(({ full, open }) => full.count + open.count));
  const axis = countAxis(frame, highest);
  const baseline = axis.positionOf(0);
  const every = isWide ? labelEvery : labelEvery * 2;
  const inset = Math.max(1, (columnWidth * gap) / 2);
  const marks = columns.map(({ label, colour, full, open }, index) => {
    const x = left + index * columnWidth;
    const [top, upper] = [axis.positionOf(full.count), axis.positionOf(full.count + open.count)];
    const at = html`x="${px(x + inset)}" width="${px(columnWidth - 2 * inset)}"`;
    const solid = html`
      <rect class="col" data-band="${colour}" ${at} y="${px(top)}" height="${px(baseline - top)}">
        <title>${full.title}</title>
      </rect>`;
    const outline = html`
      <rect
        class="col open" data-band="${colour}" x="${px(x + inset + 0.5)}" width="${px(columnWidth - 2 * inset - 1)}"
        y="${px(upper + 0.5)}" height="${px(Math.max(1, top - upper - 1.5))}"
      >
        <title>${open.title}</title>
      </rect>`;
    const middle = px(x + columnWidth / 2);
    const hasFigure = full.count > 0 && String(full.count).length * 7 <= columnWidth + 1;
    return html`
      ${full.count > 0 && linkedShape(full.href, full.count, solid)}
      ${open.count > 0 && linkedShape(open.href, open.count, outline)}
      ${hasFigure && html`<text class="mid figure" x="${middle}" y="${px(upper - 5)}">${full.count}</text>`}
      ${index % every === 0 && html`<text class="mid" x="${middle}" y="${height - 8}">${label}</text>`}`;
  });
  return html`${axis.markup}${marks}${bandStrip(columns, { left, columnWidth, y: height - bottom + 4 })}`;
}

function bandStrip(
  columns: readonly Column[],
  { left, columnWidth, y }: { left: number; columnWidth: number; y: number },
): Html {
  const starts = columns.flatMap(({ colour }, index) => (colour === columns[index - 1]?.colour ? [] : [index]));
  return html`${starts.map((start, run) => {
    const end = starts[run + 1] ?? columns.length;
    return html`
      <rect
        class="foot" data-band="${columns[start]?.colour}" x="${px(left + start * columnWidth + 1)}" y="${y}"
        width="${px((end - start) * columnWidth - 2)}" height="3"
      />`;
  })}`;
}

export function countCell(count: number, href: string): Html {
  return count === 0 ? html`<span class="faint">0</span>` : countLink(count, href);
}

export function tableOfChart(
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
      ${scrollable(summary, plainTable({ heads: head, rows: rows.map(line) }))}
      ${note && html`<p>${note}</p>`}
    </details>`;
}
