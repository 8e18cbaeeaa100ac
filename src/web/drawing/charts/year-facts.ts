/** The figures beside the year. */

import type { ActivityRow } from '../../../practice/activity.ts';
import {
  type DayRange,
  daysLink,
  figureLink,
  firstSolvesLink,
  shortDay,
  submissionsLink,
} from '../../kit/day-links.ts';
import { type Html, html } from '../../markup.ts';
import { words } from '../../words/words.ts';

interface Practised {
  range: DayRange;
  rows: readonly ActivityRow[];
  basePath: string;
  today: number;
}

/** Days with a first solve or a review, as streaks count them. */
export const practisedIn = (rows: readonly ActivityRow[]) =>
  rows.filter(({ first_solves, reviews }) => first_solves > 0n || reviews > 0n).length;

/** Four figures of the year, each with the rows behind it. */
export function yearFacts({ range, rows, basePath, today }: Practised): Html {
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
      ${fact('first', figureLink(sum('first_solves'), basePath + firstSolvesLink(range)))}
      ${fact('all', figureLink(sum('submissions'), basePath + submissionsLink(range)))}
      ${fact('days', figureLink(practisedIn(rows), basePath + daysLink(range, true)))}
      ${fact(
        'best',
        best
          ? html`
            ${figureLink(best.first_solves, basePath + firstSolvesLink([day, day]))} <span class="faint">
              ${shortDay(day, today)}
            </span>`
          : '–',
      )}
    </dl>`;
}
