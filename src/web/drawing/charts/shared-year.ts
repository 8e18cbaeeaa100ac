/**
 * The year as one picture for other people. It reveals no time zone, because a day shows only once it is over
 * everywhere.
 */

import { dayMs, hourMs } from '../../../durations.ts';
import type { ActivityRow } from '../../../practice/activity.ts';
import { dateOf, weekdayOf } from '../../../practice/days.ts';
import type { DayRange } from '../../kit/day-links.ts';
import { type Html, svg } from '../../markup.ts';
import { commaList, utcFormat } from '../../words/formats.ts';
import { words } from '../../words/words.ts';
import { cleanForSvg, shorten } from '../plants/svg-text.ts';
import { heatStep, monthStarts, yearUntil } from './year.ts';

export const sharedYearSize = [1200, 300] as const;
const [width, height] = sharedYearSize;
const [left, top, pitch, cell] = [44, 128, 21, 17];

const paint = (ink: string, soft: string, paper: string, heat: string) =>
  `.ink{fill:${ink}}.soft{fill:${soft}}.paper{fill:${paper}}${heat
    .split(' ')
    .map((colour, step) => `.h${step}{fill:${colour}}`)
    .join('')}`;
const light = paint('#1b241c', '#4d5a4c', '#fbfdf8', '#edf1ea #b4dfb7 #6cbd7a #2f8c47 #14562a');
const dark = paint('#e7eee6', '#aab8ac', '#12171a', '#1f2824 #1d4d2d #2a7a43 #46b065 #96eaa9');
export const sharedYearStyle = `text{font-family:system-ui,sans-serif;unicode-bidi:plaintext}.name{font-weight:600}
${light}
@media(prefers-color-scheme:dark){${dark}}`;

/** After the end of a UTC day: the last zone is 12 hours behind, and a member's day may start at 23:00. */
const endEverywhereMs = (12 + 23) * hourMs;

export function lastFinishedDay(now: number): number {
  return Math.floor((now - endEverywhereMs) / dayMs) - 1;
}

export interface SharedYear {
  owner: string | undefined;
  range: DayRange;
  rows: readonly ActivityRow[];
}

export function sharedYearRange(now: number): DayRange {
  return yearUntil(lastFinishedDay(now));
}

const longDay = utcFormat({
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
const dayWords = (day: number) => longDay.format(Date.parse(dateOf(day)));

export function yearCounts({ rows }: Pick<SharedYear, 'rows'>): string {
  const solvedDays = rows.filter(({ first_solves }) => first_solves > 0n);
  const solved = solvedDays.reduce((all, row) => all + row.first_solves, 0n);
  return words('sharedYear.counts', { solved, days: solvedDays.length });
}

export function sharedYear({ owner, range, rows }: SharedYear): string {
  const [from, until] = range;
  const solvedDays = rows.filter(({ first_solves }) => first_solves > 0n);
  const title =
    owner === undefined ? words('sharedYear.plain') : words('sharedYear.title', { owner: shorten(owner, 28) });
  const counts = yearCounts({ rows });
  const span = words('sharedYear.span', { from: dayWords(from), until: dayWords(until) });
  const x = (day: number) => left + Math.floor((day - from) / 7) * pitch;
  const y = (day: number) => top + weekdayOf(day) * pitch;
  const days = new Map(solvedDays.map((row) => [Number(row.day), row.first_solves]));
  const cells: Html[] = [];
  for (let day = from; day <= until; day++) {
    const count = days.get(day) ?? 0n;
    const step = count === 0n ? 0 : heatStep(count, 'first');
    cells.push(svg`<use href="#d" class="h${step}" x="${x(day)}" y="${y(day)}"/>`);
  }
  const text = (className: string, size: number, at: readonly [number, number], content: string) =>
    svg`<text class="${className}" font-size="${size}" x="${at[0]}" y="${at[1]}">${cleanForSvg(content)}</text>`;
  const months = monthStarts({ range }).map(([week, name]) => text('soft', 14, [x(week), top - 10], name));
  const end = left + 53 * pitch - (pitch - cell);
  return String(svg`
    <svg
      xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"
      role="img" aria-label="${cleanForSvg(words('contests.stateOf', { title, state: commaList([counts, span]) }))}"
    >
      <style>${sharedYearStyle}</style>
      <defs><rect id="d" width="${cell}" height="${cell}" rx="4"/></defs>
      <rect class="paper" width="${width}" height="${height}"/>
      ${text('name ink', 34, [left, 56], title)}
      ${text('soft', 20, [left, 86], counts)}
      ${months}
      ${cells}
      <text class="soft" font-size="14" text-anchor="end" x="${end}" y="86">${cleanForSvg(span)}</text>
    </svg>`);
}
