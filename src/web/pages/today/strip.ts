/** The strip at the head of Today: the streak, the week, and what is due for review. */
import type { ActivityRow } from '../../../practice/activity.ts';
import { type WeekStart, weekdayOf, weekOf } from '../../../practice/days.ts';
import type { Streak } from '../../../practice/streak.ts';
import { daysLink, figureLink, firstSolvesLink, namedDay, shortDay } from '../../kit/day-links.ts';
import { type Html, html } from '../../markup.ts';
import { richWords, words } from '../../words/words.ts';

export interface StripFacts {
  streak: Streak;
  today: number;
  weekStart: WeekStart | undefined;
  /** The days of the last year on which anything was done. */
  rows: readonly ActivityRow[];
  /** First solves a week; 0 for no goal. */
  goal: number;
  due: Html | undefined;
  basePath: string;
}

export function strip(facts: StripFacts): Html {
  return html`<div class="strip panel">${streakPart(facts)}${weekPart(facts)}${facts.due ?? ''}</div>`;
}

function streakPart({ streak: { current, longest }, today, rows, basePath }: StripFacts): Html {
  const range = current ? ([current.first, current.last] as const) : ([today, today] as const);
  const days = current?.length ?? 0;
  const figure = figureLink(
    days,
    basePath + daysLink(range, true),
    richWords('streak.days', { count: days, num: (text) => html`<b>${text}</b>` }),
  );
  const record = longest
    ? richWords('streak.longest', {
        count: longest.length,
        day: shortDay(longest.last, today),
        link: (text) =>
          figureLink(longest.length, basePath + daysLink([longest.first, longest.last], true), html`${text}`),
      })
    : words('streak.none');
  return html`
    <section aria-labelledby="streak">
      <h2 id="streak">${words('streak.title')}</h2>
      <p class="figure">${figure}</p>
      <p class="soft">${record}</p>
      ${fortnight(rows, today, basePath)}
    </section>`;
}

/** First solves of each of some days. */
function firstSolvesOn(rows: readonly ActivityRow[], days: readonly number[]): number[] {
  const byDay = new Map(rows.map((row) => [Number(row.day), Number(row.first_solves)]));
  return days.map((day) => byDay.get(day) ?? 0);
}

const barWidth = 16;
const barPitch = 22;
const barHeight = 40;

/** Two weeks as small columns. */
function fortnight(rows: readonly ActivityRow[], today: number, basePath: string): Html {
  const days = Array.from({ length: 14 }, (_, n) => today - 13 + n);
  const counts = firstSolvesOn(rows, days);
  const most = Math.max(1, ...counts);
  const bars = days.map((day, n) => {
    const count = counts[n] ?? 0;
    const height = count === 0 ? 2 : Math.round(6 + (count / most) * (barHeight - 6));
    const text = `${namedDay(day)}: ${words('year.mark.first', { count })}`;
    const kind = count === 0 ? 'none' : day === today ? 'now' : 'some';
    const bar = html`
      <rect
        class="bar-${kind}" x="${n * barPitch}" y="${barHeight + 2 - height}" width="${barWidth}" height="${height}"
        rx="2"
      >
        <title>${text}</title>
      </rect>`;
    const link = basePath + firstSolvesLink([day, day]);
    return html`
      ${count === 0 ? bar : html`<a href="${link}" data-count="${count}" tabindex="-1">${bar}</a>`}
      <text${day === today ? html` class="now"` : ''} x="${n * barPitch + barWidth / 2}" y="57">
        ${letterOf(day)}
      </text>`;
  });
  return html`
    <svg class="fortnight" viewBox="0 0 302 60" width="302" height="60" aria-hidden="true" focusable="false">
      ${bars}
    </svg>
    <p class="sr">${words('streak.fortnight', { counts: counts.join(', ') })}</p>`;
}

const letterOf = (day: number) => words('week.letters').charAt(weekdayOf(day));

function weekPart({ rows, today, weekStart, goal, basePath }: StripFacts): Html {
  const first = weekOf(today, weekStart);
  const days = Array.from({ length: 7 }, (_, n) => first + n);
  const counts = firstSolvesOn(rows, days);
  const sum = counts.reduce((all, count) => all + count, 0);
  const figure = figureLink(
    sum,
    basePath + firstSolvesLink([first, first + 6]),
    goal === 0 ? html`<b>${sum}</b>` : richWords('week.of', { sum, goal, num: (text) => html`<b>${text}</b>` }),
  );
  const left = Math.max(0, goal - sum);
  const text = goal === 0 ? words('week.noGoal') : words('week.left', { left });
  const box = (day: number, n: number) => {
    const name = namedDay(day);
    const count = counts[n] ?? 0;
    const shown =
      day > today
        ? html`<span aria-hidden="true">·</span><span class="sr">${words('week.toCome')}</span>`
        : figureLink(count, basePath + firstSolvesLink([day, day]));
    return html`
      <li${day === today ? html` aria-current="date"` : ''}>
        <span class="faint"><span aria-hidden="true">${letterOf(day)}</span><span class="sr">${name}: </span></span>
        ${shown}
      </li>`;
  };
  return html`
    <section aria-labelledby="week">
      <h2 id="week">${words('week.title')}</h2>
      <p class="figure">${figure}</p>
      <p class="soft">${text}</p>
      <ol class="week">${days.map(box)}</ol>
    </section>`;
}
