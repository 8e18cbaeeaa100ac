/**
 * The year with a cell for each day, in four modes. The radio buttons show the marks of their mode by `:has()`;
 * without it, the address names the mode.
 */

import { dayMs } from '../../../durations.ts';
import { judgeName, judgeOf } from '../../../judges/judges.ts';
import type { ActivityRow } from '../../../practice/activity.ts';
import { dateOf, periodsOf, startOfWeek, type WeekStart, weekdayOf } from '../../../practice/days.ts';
import type { Span } from '../../../practice/progress.ts';
import {
  type DayRange,
  dayRangeText,
  daysLink,
  dayWithWeekday,
  firstSolvesLink,
  shortDay,
  solvedLink,
  submissionsLink,
} from '../../kit/day-links.ts';
import { type BandPosition, bandPosition } from '../../kit/difficulty.ts';
import { hiddenInputs } from '../../kit/form.ts';
import { countLink } from '../../kit/links.ts';
import { attr, type Html, html, svg } from '../../markup.ts';
import { afterColon, commaList, utcFormat } from '../../words/formats.ts';
import { words } from '../../words/words.ts';
import { tableOfChart } from './plot.ts';

/** As for streaks, a first solve or a review counts. */
const countPractisedDays = (rows: readonly ActivityRow[]) =>
  rows.filter(({ first_solves, reviews }) => first_solves > 0n || reviews > 0n).length;

export function yearFacts({ range, rows, basePath, today }: Pick<Year, 'range' | 'rows' | 'basePath' | 'today'>): Html {
  const sum = (name: 'submissions' | 'first_solves') => rows.reduce((all, row) => all + row[name], 0n);
  const best = rows.reduce<ActivityRow | undefined>(
    (most, row) => (row.first_solves > 0n && row.first_solves >= (most?.first_solves ?? 0n) ? row : most),
    undefined,
  );
  const fact = (name: 'first' | 'all' | 'days' | 'best', shown: Html | string) =>
    html`<div><dt>${words(`year.fact.${name}`)}</dt><dd>${shown}</dd></div>`;
  const day = Number(best?.day ?? 0n);
  return html`
    <dl class="year-facts">
      ${fact('first', countLink(sum('first_solves'), basePath + firstSolvesLink(range)))}
      ${fact('all', countLink(sum('submissions'), basePath + submissionsLink(range)))}
      ${fact('days', countLink(countPractisedDays(rows), basePath + daysLink(range, true)))}
      ${fact(
        'best',
        best
          ? html`
            ${countLink(best.first_solves, basePath + firstSolvesLink([day, day]))} <span class="faint">
              ${shortDay(day, today)}
            </span>`
          : '–',
      )}
    </dl>`;
}

const longMonth = utcFormat({ month: 'long', year: 'numeric' });

function monthTable({ range, rows, basePath, hardestIn }: YearWithTexts): Html {
  const lines = periodsOf(...range).map(({ from: first, to: last }) => {
    const part: DayRange = [first, last];
    const ofMonth = rows.filter(({ day }) => day >= first && day <= last);
    const sum = (name: 'submissions' | 'first_solves') => ofMonth.reduce((all, row) => all + row[name], 0n);
    const [hardest] = ofMonth
      .flatMap((row) => hardestIn(row.hardest) ?? [])
      .toSorted((left, right) => right.shareOfScale - left.shareOfScale);
    return [
      longMonth.format(last * dayMs),
      countLink(sum('submissions'), basePath + submissionsLink(part)),
      countLink(sum('first_solves'), basePath + firstSolvesLink(part)),
      countLink(countPractisedDays(ofMonth), basePath + daysLink(part, true)),
      hardest?.text ?? '–',
    ];
  });
  const head = (['month', 'all', 'first', 'days', 'hardest'] as const).map((name) => words(`year.head.${name}`));
  const note = html`<a href="${basePath}${daysLink(range, false)}">${words('year.eachDay')}</a>`;
  return tableOfChart(words('year.asTable'), head, lines, note);
}

export const yearModes = ['first', 'solved', 'all', 'hardest'] as const;
export type YearMode = (typeof yearModes)[number];

export interface Year {
  range: DayRange;
  weekStart?: WeekStart | undefined;
  years: readonly YearLink[];
  today: number;
  rows: readonly ActivityRow[];
  mode: YearMode;
  basePath: string;
  path: string;
}

const pitch = 16;
const cell = 13;
const top = 18;
const weekDays = 7;

export interface YearLink {
  year: number;
  href: string;
  isShown: boolean;
}

/** 53 weeks that end today. */
export function yearUntil(today: number, weekStart?: WeekStart): DayRange {
  return [startOfWeek(today, weekStart) - 52 * weekDays, today];
}

/** The last 53 weeks of the chosen days, without the future. */
export function yearWithin({ from, to }: Span, today: number, weekStart?: WeekStart): DayRange {
  const until = Math.max(from ?? -Infinity, Math.min(to ?? today, today));
  return [from === undefined ? yearUntil(until, weekStart)[0] : Math.max(from, until - 53 * weekDays + 1), until];
}

export function readYearMode(query: URLSearchParams): YearMode {
  return yearModes.find((mode) => mode === query.get('year')) ?? 'first';
}

interface YearWithTexts extends Year {
  nameOf(day: number): string;
  hardestIn(ratings: string | null): Hardest | undefined;
}

export function yearPicture(input: Year): Html {
  const { mode, basePath, path, range, years } = input;
  const [page, query] = path.split('?');
  const year: YearWithTexts = { ...input, nameOf: memoize(dayWithWeekday), hardestIn: memoize(hardestIn) };
  const choice = (option: YearMode) =>
    html`
      <label>
        <input type="radio" name="year" value="${option}"${attr('checked', option === mode)} autocomplete="off">
        <span>${words(`year.mode.${option}`)}</span>
      </label>`;
  return html`
    <figure class="year-figure">
      <div class="panel-head">
        <h2 id="year">
          ${words('year.title')}
          <span class="faint"> ${dayRangeText(dateOf(range[0]), dateOf(range[1]))}</span>
        </h2>
        <form class="year-modes" action="${basePath}${page}">
          ${hiddenInputs(new URLSearchParams(query))}
          <fieldset class="segments">
            <legend class="sr">${words('year.modes')}</legend>
            ${yearModes.map(choice)}
          </fieldset>
        </form>
      </div>
      <p class="sr">${words('year.says')}</p>
      <div class="year-wrap">
        ${weekdays(input.weekStart)}
        <div class="year-scroll" role="region" aria-label="${words('year.region')}" tabindex="0">
          <div>${drawing(year)}</div>
        </div>
      </div>
      <div class="year-foot">${legends(year)}${yearLinks(years)}${monthTable(year)}</div>
    </figure>`;
}

function yearLinks(years: Year['years']): Html | '' {
  if (years.length < 2) return '';
  const links = years.map(
    ({ year, href, isShown }) => html`<a href="${href}"${attr('aria-current', isShown && 'true')}>${year}</a>`,
  );
  return html`<nav class="segments years" aria-label="${words('year.years')}">${links}</nav>`;
}

/** A Monday. */
const anyMonday = -3;

const shownWeekdays = [0, 2, 4, 6] as const;

function weekdays(weekStart: WeekStart | undefined): Html {
  const longest = Math.max(...shownWeekdays.map((n) => words(`year.weekday.${n}`).length));
  const width = Math.max(26, longest * 7);
  const name = (n: 0 | 2 | 4 | 6) => html`
    <text x="0" y="${top + 10 + weekdayOf(anyMonday + n, weekStart) * pitch}">${words(`year.weekday.${n}`)}</text>`;
  return html`
    <svg
      class="year-weekdays" viewBox="0 0 ${width} 130" width="${width}" height="130"
      aria-hidden="true" focusable="false"
    >
      ${shownWeekdays.map(name)}
    </svg>`;
}

type Weeks = Pick<Year, 'range' | 'weekStart'>;
const columnX = (day: number, { range: [from], weekStart }: Weeks) =>
  Math.floor((day - startOfWeek(from, weekStart)) / 7) * pitch;
const rowY = (day: number, { weekStart }: Weeks) => top + weekdayOf(day, weekStart) * pitch;

function drawing(year: YearWithTexts): Html {
  const { range, today, weekStart } = year;
  const [from, until] = range;
  const width = columnX(until, year) + cell;
  const [start, end] = [weekdayOf(from, weekStart), weekdayOf(until, weekStart) + 1];
  const week = (day: number, first: number, last: number) =>
    `M${columnX(day, year)} ${top + first * pitch}h${pitch}v${(last - first) * pitch}h${-pitch}z`;
  const between = Math.max(0, columnX(until, year) - pitch);
  const isOneWeek = startOfWeek(from, weekStart) === startOfWeek(until, weekStart);
  const edgeWeeks = isOneWeek ? week(from, start, end) : week(from, start, 7) + week(until, 0, end);
  const cells = `${edgeWeeks}${between > 0 ? `M${pitch} ${top}h${between}v${7 * pitch}h${-between}z` : ''}`;
  const todayMark = html`
    <rect
      class="year-today" x="${columnX(today, year)}" y="${rowY(today, year)}" width="${cell}" height="${cell}" rx="3"
    />`;
  const marks = yearModes.map((mode) => html`<g data-mode="${mode}">${dayLinks(year, mode)}</g>`);
  return html`
    <svg class="year-map" viewBox="0 0 ${width} 131" width="${width}" height="131" aria-hidden="true" focusable="false">
      <defs>
        <pattern id="year-day" width="${pitch}" height="${pitch}" y="${top}" patternUnits="userSpaceOnUse">
          <rect class="year-rest" width="${cell}" height="${cell}" rx="3"/>
        </pattern>
      </defs>
      <path fill="url(#year-day)" d="${cells}"/>
      ${monthNames(year)}
      ${marks}
      ${today >= from && today <= until && todayMark}
    </svg>`;
}

const monthName = utcFormat({ month: 'short' });

/** A month's name stands above its first whole week. */
export function monthStarts({ range: [from, until], weekStart }: Weeks): [week: number, name: string][] {
  const starts: [number, string][] = [];
  for (let week = startOfWeek(from, weekStart); week + 20 <= until; week += 7) {
    const date = new Date(week * dayMs);
    if (date.getUTCDate() <= 7 || (week === from && date.getUTCDate() < 15))
      starts.push([week, monthName.format(date)]);
  }
  return starts;
}

function monthNames(weeks: Weeks): Html[] {
  return monthStarts(weeks).map(([week, name]) => html`<text x="${columnX(week, weeks)}" y="10">${name}</text>`);
}

const steps: Readonly<Record<'first' | 'solved' | 'all', readonly number[]>> = {
  first: [1, 3, 5],
  solved: [1, 3, 5],
  all: [4, 10, 20],
};

const countOf = {
  first: (row: ActivityRow) => row.first_solves,
  solved: (row: ActivityRow) => row.solved,
  all: (row: ActivityRow) => row.submissions,
  hardest: (row: ActivityRow) => row.first_solves,
};
const linkOf = { first: firstSolvesLink, solved: solvedLink, all: submissionsLink, hardest: firstSolvesLink };

function dayLinks(year: YearWithTexts, mode: YearMode): Html[] {
  const { rows, basePath, nameOf, hardestIn } = year;
  // Formatting a text costs more than the rest of a mark, and few counts occur.
  const textOf = memoize((count: bigint) => words(`year.mark.${mode === 'hardest' ? 'first' : mode}`, { count }));
  const marks: Html[] = [];
  for (const row of rows) {
    const count = countOf[mode](row);
    if (count === 0n) continue;
    const day = Number(row.day);
    const hardest = mode === 'hardest' ? hardestIn(row.hardest) : undefined;
    if (mode === 'hardest' && !hardest) continue;
    const href = basePath + linkOf[mode]([day, day]);
    const state = commaList([textOf(count), hardest?.text]);
    const text = words('contests.stateOf', { title: nameOf(day), state });
    const [x, y] = [columnX(day, year), rowY(day, year)];
    const paint = hardest
      ? attr('data-band', hardest.colour ?? 'grey')
      : attr('class', `year-${heatStep(count, mode)}`);
    marks.push(svg`
      <a href="${href}" data-count="${count}" tabindex="-1">
        <rect${paint} x="${x}" y="${y}"><title>${text}</title></rect>
      </a>`);
  }
  return marks;
}

export function heatStep(count: bigint, mode: YearMode): number {
  const limits = mode === 'hardest' ? [] : steps[mode];
  const index = limits.findIndex((limit) => count <= limit);
  return index < 0 ? limits.length + 1 : index + 1;
}

type Hardest = BandPosition & { source: string; rating: number; text: string };

/** Ratings of different judges compare by their position on the judge's scale. */
export function hardestIn(hardest: string | null): Hardest | undefined {
  const ratings = Object.entries(JSON.parse(hardest ?? '{}') as Record<string, number>);
  const [best] = ratings
    .map(([source, rating]) => ({ source, rating, ...bandPosition(source, rating) }))
    .toSorted((left, right) => right.shareOfScale - left.shareOfScale);
  if (!best) return undefined;
  const judge = judgeName(best.source);
  return { ...best, text: words('year.hardest', { judge, figure: String(best.rating) }) };
}

function memoize<V, R>(work: (value: V) => R): (value: V) => R {
  const results = new Map<V, R>();
  return (value) => {
    if (!results.has(value)) results.set(value, work(value));
    return results.get(value) as R;
  };
}

function legends({ rows, hardestIn }: YearWithTexts): Html {
  const scale = (mode: 'first' | 'solved' | 'all') =>
    html`
      <p class="year-legend" data-mode="${mode}">
        <span>${words('year.less')}</span>
        ${[0, 1, 2, 3, 4].map((step) => html`<i class="sw year-${step}"></i>`)}
        <span>${words('year.more')}</span>
        <span class="sr">${afterColon(words(`year.steps.${mode}`))}</span>
      </p>`;
  const sources = new Set(rows.flatMap(({ hardest }) => hardestIn(hardest)?.source ?? []));
  const bands = [...sources].toSorted().flatMap((source) => {
    const judge = judgeOf(source);
    if (!judge?.bands) return [];
    return [
      html`
        <span class="year-judge">
          <b>${judge.name}</b>
          ${judge.bands.map(
            ({ from, colour }) =>
              html`
                <span><i class="sw" data-band="${colour}"></i>${from === 0 ? words('year.lowest') : `${from}+`}</span>`,
          )}
        </span>`,
    ];
  });
  return html`
    ${scale('first')}
    ${scale('solved')}
    ${scale('all')}
    <p class="year-legend" data-mode="hardest">${bands}</p>`;
}
