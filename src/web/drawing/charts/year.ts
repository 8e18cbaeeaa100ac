/**
 * The year: a cell a day, one drawing with four readings. Each reading has marks of its own, because each leads to
 * other rows; the radio button that is on shows its marks by `:has()`, and where that is missing the address says which
 * (DESIGN §5).
 */

import { dayMs } from '../../../durations.ts';
import { judgeName, judgeOf } from '../../../judges/judges.ts';
import type { ActivityRow } from '../../../practice/activity.ts';
import { dateOf, periodsOf, type WeekStart, weekdayOf, weekOf } from '../../../practice/days.ts';
import type { Span } from '../../../practice/progress.ts';
import {
  type DayRange,
  dayRangeText,
  daysLink,
  firstSolvesLink,
  namedDay,
  shortDay,
  solvedLink,
  submissionsLink,
} from '../../kit/day-links.ts';
import { type InBand, placeInBand } from '../../kit/difficulty.ts';
import { hiddenInputs } from '../../kit/form.ts';
import { countLink } from '../../kit/links.ts';
import { attr, type Html, html, svg } from '../../markup.ts';
import { utcFormat } from '../../words/formats.ts';
import { words } from '../../words/words.ts';
import { asTable } from './plot.ts';

/* The figures beside the year. */

/** Days with a first solve or a review, as streaks count them. */
const practisedIn = (rows: readonly ActivityRow[]) =>
  rows.filter(({ first_solves, reviews }) => first_solves > 0n || reviews > 0n).length;

/** Four figures of the year, each with the rows behind it. */
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
      ${fact('days', countLink(practisedIn(rows), basePath + daysLink(range, true)))}
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

/* The table below the picture of the year. */

const longMonth = utcFormat({ month: 'long', year: 'numeric' });

/** The year in figures, by month, with a list of every day behind it. */
function monthTable({ range, rows, basePath, hardestIn }: Drawn): Html {
  const lines = periodsOf(...range).map(({ from: first, to: last }) => {
    const part: DayRange = [first, last];
    const some = rows.filter(({ day }) => day >= first && day <= last);
    const sum = (name: 'submissions' | 'first_solves') => some.reduce((all, row) => all + row[name], 0n);
    const [hardest] = some
      .flatMap((row) => hardestIn(row.hardest) ?? [])
      .toSorted((one, other) => other.height - one.height);
    return [
      longMonth.format(last * dayMs),
      countLink(sum('submissions'), basePath + submissionsLink(part)),
      countLink(sum('first_solves'), basePath + firstSolvesLink(part)),
      countLink(practisedIn(some), basePath + daysLink(part, true)),
      hardest?.text ?? '–',
    ];
  });
  const head = (['month', 'all', 'first', 'days', 'hardest'] as const).map((name) => words(`year.head.${name}`));
  const note = html`<a href="${basePath}${daysLink(range, false)}">${words('year.eachDay')}</a>`;
  return asTable(words('year.asTable'), head, lines, note);
}

export const yearModes = ['first', 'solved', 'all', 'hardest'] as const;
export type YearMode = (typeof yearModes)[number];

export interface Year {
  range: DayRange;
  weekStart?: WeekStart | undefined;
  /** The years in which anything was done, each with the page that shows it. */
  years: readonly YearLink[];
  today: number;
  /** The days of the range on which anything was done, in their order. */
  rows: readonly ActivityRow[];
  /** The reading that a day shows at first. */
  mode: YearMode;
  basePath: string;
  /** The page on which it stands with what is chosen there, where the other readings are asked for. */
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

/** The year that ends today: 53 weeks. */
export function yearUntil(today: number, weekStart?: WeekStart): DayRange {
  return [weekOf(today, weekStart) - 52 * weekDays, today];
}

/** The part of chosen days that the picture shows: the last 53 weeks of them, and none that has still to come. */
export function yearWithin({ from, to }: Span, today: number, weekStart?: WeekStart): DayRange {
  const until = Math.max(from ?? -Infinity, Math.min(to ?? today, today));
  return [from === undefined ? yearUntil(until, weekStart)[0] : Math.max(from, until - 53 * weekDays + 1), until];
}

export function readYearMode(query: URLSearchParams): YearMode {
  return yearModes.find((mode) => mode === query.get('year')) ?? 'first';
}

/** A year with what is worked out once for all of its marks. */
interface Drawn extends Year {
  nameOf(day: number): string;
  hardestIn(ratings: string | null): Hardest | undefined;
}

export function yearPicture(given: Year): Html {
  const { mode, basePath, path, range, years } = given;
  const [page, chosen] = path.split('?');
  const year: Drawn = { ...given, nameOf: remembered(namedDay), hardestIn: remembered(hardestIn) };
  const choice = (one: YearMode) =>
    html`
      <label>
        <input type="radio" name="year" value="${one}"${attr('checked', one === mode)} autocomplete="off">
        <span>${words(`year.mode.${one}`)}</span>
      </label>`;
  return html`
    <figure class="year-figure">
      <div class="panel-head">
        <h2 id="year">
          ${words('year.title')}
          <span class="faint"> ${dayRangeText(dateOf(range[0]), dateOf(range[1]))}</span>
        </h2>
        <form class="year-modes" action="${basePath}${page}">
          ${hiddenInputs(new URLSearchParams(chosen))}
          <fieldset class="segments">
            <legend class="sr">${words('year.modes')}</legend>
            ${yearModes.map(choice)}
          </fieldset>
        </form>
      </div>
      <p class="sr">${words('year.says')}</p>
      <div class="year-wrap">
        ${weekdays(given.weekStart)}
        <div class="year-scroll" role="region" aria-label="${words('year.region')}" tabindex="0">
          <div>${drawing(year)}</div>
        </div>
      </div>
      <div class="year-foot">${legends(year)}${yearLinks(years)}${monthTable(year)}</div>
    </figure>`;
}

/** If there is only this year, there is nothing to go back to. */
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
const column = (day: number, { range: [from], weekStart }: Weeks) =>
  Math.floor((day - weekOf(from, weekStart)) / 7) * pitch;
const line = (day: number, { weekStart }: Weeks) => top + weekdayOf(day, weekStart) * pitch;

function drawing(year: Drawn): Html {
  const { range, today, weekStart } = year;
  const [from, until] = range;
  const width = column(until, year) + cell;
  // All cells by one pattern; the first and the last week may be shorter.
  const [start, end] = [weekdayOf(from, weekStart), weekdayOf(until, weekStart) + 1];
  const week = (day: number, first: number, last: number) =>
    `M${column(day, year)} ${top + first * pitch}h${pitch}v${(last - first) * pitch}h${-pitch}z`;
  const between = Math.max(0, column(until, year) - pitch);
  const isOneWeek = weekOf(from, weekStart) === weekOf(until, weekStart);
  const ends = isOneWeek ? week(from, start, end) : week(from, start, 7) + week(until, 0, end);
  const cells = `${ends}${between > 0 ? `M${pitch} ${top}h${between}v${7 * pitch}h${-between}z` : ''}`;
  const ring = html`
    <rect
      class="year-today" x="${column(today, year)}" y="${line(today, year)}" width="${cell}" height="${cell}" rx="3"
    />`;
  const marks = yearModes.map((mode) => html`<g data-mode="${mode}">${marksOf(year, mode)}</g>`);
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
      ${today >= from && today <= until && ring}
    </svg>`;
}

const monthName = utcFormat({ month: 'short' });

/** The first days of the weeks above which a month stands: the first whole week of it. */
export function monthStarts({ range: [from, until], weekStart }: Weeks): [week: number, name: string][] {
  const starts: [number, string][] = [];
  for (let week = weekOf(from, weekStart); week + 20 <= until; week += 7) {
    const date = new Date(week * dayMs);
    if (date.getUTCDate() <= 7 || (week === from && date.getUTCDate() < 15))
      starts.push([week, monthName.format(date)]);
  }
  return starts;
}

function monthNames(weeks: Weeks): Html[] {
  return monthStarts(weeks).map(([week, name]) => html`<text x="${column(week, weeks)}" y="10">${name}</text>`);
}

/** The figures of a step each, and above. */
const steps: Readonly<Record<'first' | 'solved' | 'all', readonly number[]>> = {
  first: [1, 3, 5],
  solved: [1, 3, 5],
  all: [4, 10, 20],
};

const figureOf = {
  first: (row: ActivityRow) => row.first_solves,
  solved: (row: ActivityRow) => row.solved,
  all: (row: ActivityRow) => row.submissions,
  hardest: (row: ActivityRow) => row.first_solves,
};
const linkOf = { first: firstSolvesLink, solved: solvedLink, all: submissionsLink, hardest: firstSolvesLink };

function marksOf(year: Drawn, mode: YearMode): Html[] {
  const { rows, basePath, nameOf, hardestIn } = year;
  // Words cost more than the rest of a mark, and few different figures come often.
  const textOf = remembered((count: bigint) => words(`year.mark.${mode === 'hardest' ? 'first' : mode}`, { count }));
  const marks: Html[] = [];
  for (const row of rows) {
    const count = figureOf[mode](row);
    if (count === 0n) continue;
    const day = Number(row.day);
    const hardest = mode === 'hardest' ? hardestIn(row.hardest) : undefined;
    if (mode === 'hardest' && !hardest) continue;
    const href = basePath + linkOf[mode]([day, day]);
    const text = `${nameOf(day)}: ${textOf(count)}${hardest ? `, ${hardest.text}` : ''}`;
    const [x, y] = [column(day, year), line(day, year)];
    const paint = hardest ? attr('data-band', hardest.colour ?? 'grey') : attr('class', `year-${stepOf(count, mode)}`);
    marks.push(svg`
      <a href="${href}" data-count="${count}" tabindex="-1">
        <rect${paint} x="${x}" y="${y}"><title>${text}</title></rect>
      </a>`);
  }
  return marks;
}

export function stepOf(count: bigint, mode: YearMode): number {
  const limits = mode === 'hardest' ? [] : steps[mode];
  const place = limits.findIndex((limit) => count <= limit);
  return place < 0 ? limits.length + 1 : place + 1;
}

type Hardest = InBand & { source: string; rating: number; text: string };

/** The hardest first solve of a day: that which stands highest on the scale of its own judge. */
export function hardestIn(hardest: string | null): Hardest | undefined {
  const ratings = Object.entries(JSON.parse(hardest ?? '{}') as Record<string, number>);
  const [best] = ratings
    .map(([source, rating]) => ({ source, rating, ...placeInBand(source, rating) }))
    .toSorted((one, other) => other.height - one.height);
  if (!best) return undefined;
  const judge = judgeName(best.source);
  return { ...best, text: words('year.hardest', { judge, figure: String(best.rating) }) };
}

/** A function that works each value out once. */
function remembered<V, R>(work: (value: V) => R): (value: V) => R {
  const known = new Map<V, R>();
  return (value) => {
    if (!known.has(value)) known.set(value, work(value));
    return known.get(value) as R;
  };
}

function legends({ rows, hardestIn }: Drawn): Html {
  const scale = (mode: 'first' | 'solved' | 'all') =>
    html`
      <p class="year-legend" data-mode="${mode}">
        <span>${words('year.less')}</span>
        ${[0, 1, 2, 3, 4].map((step) => html`<i class="sw year-${step}"></i>`)}
        <span>${words('year.more')}</span>
        <span class="sr">: ${words(`year.steps.${mode}`)}</span>
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
