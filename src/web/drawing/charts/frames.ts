/**
 * What all pictures share: a frame with its ticks and grid, drawn for a wide and for a narrow place, of which the style
 * shows one. Paint is in classes and geometry in attributes, because pages have no inline styles. Pictures are hidden
 * from readers, who have the table below each.
 */

import { scaleLinear, scaleUtc } from 'd3-scale';
import { dayMs } from '../../../practice/days.ts';
import { type Html, html } from '../../markup.ts';
import { utcFormat } from '../../words/formats.ts';

/** A place to draw in, with its margins. */
export interface Frame {
  name: 'plot-wide' | 'plot-narrow';
  isWide: boolean;
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

type Margins = Partial<Omit<Frame, 'name' | 'isWide' | 'width'>>;

/** Numbers as short as a picture needs them. */
export const px = (value: number) => String(Math.round(value * 10) / 10);

/** Both drawings of a picture. */
export function plot(draw: (frame: Frame) => Html, wide: Margins = {}, narrow: Margins = {}): Html {
  const usual = { left: 36, right: 12, top: 16, bottom: 26 };
  const frames: readonly Frame[] = [
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
  const counted = count === undefined ? '' : html` data-count="${count}"`;
  return html`<a href="${href}"${counted} tabindex="-1">${shape}</a>`;
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
  const named = scale.ticks(isWide ? 6 : 4).map((date) => {
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
