/**
 * The year: a cell a day, one drawing with four readings. Each reading has marks of its own, because each leads to other rows; the
 * radio button that is on shows its marks by `:has()`, and where that is missing the address says which (DESIGN §5).
 */
import { html, raw } from 'hono/html';
import { judgeName, judgeOf } from '../../judges/addresses.ts';
import { weekdayOf } from '../../practice/days.ts';
import type { ActivityRow } from '../../store/activity-tables.ts';
import {
  type DayRange,
  daysLink,
  figureLink,
  firstSolvesLink,
  namedDay,
  solvedLink,
  submissionsLink,
} from '../day-links.ts';
import { type InBand, placeInBand } from '../difficulty.ts';
import { utcFormat } from '../formats.ts';
import type { Html } from '../layout.ts';
import { words } from '../words.ts';
import { asTable } from './table.ts';
import { practisedIn } from './year-facts.ts';

export const yearModes = ['first', 'solved', 'all', 'hardest'] as const;
export type YearMode = (typeof yearModes)[number];

export interface Year {
  /** Its first day, a Monday, and its last. */
  range: DayRange;
  today: number;
  /** The days of the range on which anything was done, in their order. */
  rows: readonly ActivityRow[];
  /** What a day shows at first. */
  mode: YearMode;
  basePath: string;
  /** The page on which it stands, where the other readings are asked for. */
  path: string;
}

const dayMs = 86_400_000;
const pitch = 16;
const cell = 13;
const top = 18;
const weekDays = 7;

/** The year that ends today: 53 weeks. */
export function yearUntil(today: number): DayRange {
  return [today - weekdayOf(today) - 52 * weekDays, today];
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
  const { mode, basePath, path } = given;
  const year: Drawn = { ...given, nameOf: remembered(namedDay), hardestIn: remembered(hardestIn) };
  const choice = (one: YearMode) =>
    html`<label><input type="radio" name="year" value="${one}"${one === mode ? html` checked` : ''} autocomplete="off"><span>${words(`year.mode.${one}`)}</span></label>`;
  return html`<figure class="year-figure" data-mode="${mode}">
<div class="panel-head"><h2 id="year">${words('year.title')}</h2><form class="year-modes" action="${basePath}${path}"><fieldset class="segments"><legend class="sr">${words('year.modes')}</legend>${yearModes.map(choice)}</fieldset><button class="button small">${words('problem.show')}</button></form></div>
<p class="sr">${words('year.says')}</p>
<div class="year-wrap">${weekdays}<div class="year-scroll" role="region" aria-label="${words('year.region')}" tabindex="0"><div>${drawing(year)}</div></div></div>
<div class="year-foot">${legends(year)}${monthTable(year)}</div></figure>`;
}

const weekdays = raw(
  `<svg class="year-weekdays" viewBox="0 0 26 130" width="26" height="130" aria-hidden="true" focusable="false">${[
    0, 2, 4, 6,
  ]
    .map(
      (row) =>
        `<text x="0" y="${top + 10 + row * pitch}">${words(`year.weekday.${row as 0 | 2 | 4 | 6}`)}</text>`,
    )
    .join('')}</svg>`,
);

const column = (day: number, [from]: DayRange) => Math.floor((day - from) / 7) * pitch;
const line = (day: number) => top + weekdayOf(day) * pitch;

function drawing(year: Drawn): Html {
  const { range, today } = year;
  const [from, until] = range;
  const weeks = Math.ceil((until - from + 1) / 7);
  const width = weeks * pitch - (pitch - cell);
  // All cells by one pattern; the last week may be shorter.
  const whole = Math.floor((until - from + 1) / 7);
  const rest = (until - from + 1) % 7;
  const ground = `<defs><pattern id="year-day" width="${pitch}" height="${pitch}" y="${top}" patternUnits="userSpaceOnUse"><rect class="year-rest" width="${cell}" height="${cell}" rx="3"/></pattern></defs><path fill="url(#year-day)" d="M0 ${top}h${whole * pitch}v${7 * pitch}h${-whole * pitch}z${rest > 0 ? `M${whole * pitch} ${top}h${pitch}v${rest * pitch}h${-pitch}z` : ''}"/>`;
  const ring =
    today >= from && today <= until
      ? `<rect class="year-today" x="${column(today, range)}" y="${line(today)}" width="${cell}" height="${cell}" rx="3"/>`
      : '';
  const marks = yearModes.map((mode) => `<g data-mode="${mode}">${marksOf(year, mode)}</g>`).join('');
  return raw(
    `<svg class="year-map" viewBox="0 0 ${width} 131" width="${width}" height="131" aria-hidden="true" focusable="false">${ground}${monthNames(range)}${marks}${ring}</svg>`,
  );
}

const monthName = utcFormat({ month: 'short' });

/** The Mondays above which a month stands: the first whole week of it. */
export function monthStarts([from, until]: DayRange): [monday: number, name: string][] {
  const starts: [number, string][] = [];
  for (let monday = from; monday + 20 <= until; monday += 7) {
    const date = new Date(monday * dayMs);
    if (date.getUTCDate() <= 7 || (monday === from && date.getUTCDate() < 15))
      starts.push([monday, monthName.format(date)]);
  }
  return starts;
}

function monthNames(range: DayRange): string {
  return monthStarts(range)
    .map(([monday, name]) => `<text x="${column(monday, range)}" y="10">${name}</text>`)
    .join('');
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

function marksOf({ rows, range, basePath, nameOf, hardestIn }: Drawn, mode: YearMode): string {
  // To say a figure in words and to escape a text cost more than all else, and few of them come often.
  const textOf = remembered((count: bigint) =>
    escaped(words(`year.mark.${mode === 'hardest' ? 'first' : mode}`, { count })),
  );
  const hardestText = remembered(escaped);
  const root = escaped(basePath);
  let marks = '';
  for (const row of rows) {
    const count = figureOf[mode](row);
    if (count === 0n) continue;
    const day = Number(row.day);
    const hardest = mode === 'hardest' ? hardestIn(row.hardest) : undefined;
    if (mode === 'hardest' && !hardest) continue;
    const paint = hardest ? `data-band="${hardest.colour ?? 'grey'}"` : `class="year-${stepOf(count, mode)}"`;
    const text = hardest ? `${textOf(count)}, ${hardestText(hardest.text)}` : textOf(count);
    const href = root + linkOf[mode]([day, day]).replaceAll('&', '&amp;');
    marks += `<a href="${href}" data-count="${count}" tabindex="-1"><rect ${paint} x="${column(day, range)}" y="${line(day)}"><title>${nameOf(day)}: ${text}</title></rect></a>`;
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

/** A text or an attribute in markup that is put together as text: a thousand marks as templates would take 5 ms. */
const escaped = (text: string) => String(html`${text}`);

function legends({ rows, hardestIn }: Drawn): Html {
  const scale = (mode: 'first' | 'solved' | 'all') =>
    html`<p class="year-legend" data-mode="${mode}"><span>${words('year.less')}</span>${[0, 1, 2, 3, 4].map((step) => html`<i class="year-${step}"></i>`)}<span>${words('year.more')}</span><span class="sr">: ${words(`year.steps.${mode}`)}</span></p>`;
  const sources = new Set(rows.flatMap(({ hardest }) => hardestIn(hardest)?.source ?? []));
  const bands = [...sources].toSorted().flatMap((source) => {
    const judge = judgeOf(source);
    if (!judge?.bands) return [];
    return [
      html`<span class="year-judge"><b>${judge.name}</b>${judge.bands.map(({ from, colour }) => html`<span><i data-band="${colour}"></i>${from === 0 ? words('year.lowest') : `${from}+`}</span>`)}</span>`,
    ];
  });
  return html`${scale('first')}${scale('solved')}${scale('all')}<p class="year-legend" data-mode="hardest">${bands}</p>`;
}

const longMonth = utcFormat({ month: 'long', year: 'numeric' });

/** The parts of the range in each of its months. */
function monthsOf([from, until]: DayRange): DayRange[] {
  const months: DayRange[] = [];
  for (let first = from; first <= until; ) {
    const date = new Date(first * dayMs);
    const next = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / dayMs;
    months.push([first, Math.min(next - 1, until)]);
    first = next;
  }
  return months;
}

/** The same in figures, by month, with a list of every day behind it. */
function monthTable({ range, rows, basePath, hardestIn }: Drawn): Html {
  const lines = monthsOf(range).map((part) => {
    const [first, last] = part;
    const some = rows.filter(({ day }) => day >= first && day <= last);
    const sum = (name: 'submissions' | 'first_solves') => some.reduce((all, row) => all + row[name], 0n);
    const [hardest] = some
      .flatMap((row) => hardestIn(row.hardest) ?? [])
      .toSorted((one, other) => other.height - one.height);
    return [
      longMonth.format(last * dayMs),
      figureLink(sum('submissions'), basePath + submissionsLink(part)),
      figureLink(sum('first_solves'), basePath + firstSolvesLink(part)),
      figureLink(practisedIn(some), basePath + daysLink(part, true)),
      hardest?.text ?? '–',
    ];
  });
  const head = (['month', 'all', 'first', 'days', 'hardest'] as const).map((name) =>
    words(`year.head.${name}`),
  );
  const note = html`<a href="${basePath}${daysLink(range, false)}">${words('year.eachDay')}</a>`;
  return asTable(words('year.asTable'), head, lines, note);
}
