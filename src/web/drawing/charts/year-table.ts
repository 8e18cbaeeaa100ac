/** The table below the picture of the year. */

import type { ActivityRow } from '../../../practice/activity.ts';
import { dayMs } from '../../../practice/days.ts';
import { periodsOf } from '../../../practice/periods.ts';
import { type DayRange, daysLink, figureLink, firstSolvesLink, submissionsLink } from '../../kit/day-links.ts';
import { type Html, html } from '../../markup.ts';
import { utcFormat } from '../../words/formats.ts';
import { words } from '../../words/words.ts';
import { asTable } from './table.ts';
import { practisedIn } from './year-facts.ts';

interface Tabled {
  range: DayRange;
  rows: readonly ActivityRow[];
  basePath: string;
  hardestIn(ratings: string | null): { height: number; text: string } | undefined;
}

const longMonth = utcFormat({ month: 'long', year: 'numeric' });

/** The year in figures, by month, with a list of every day behind it. */
export function monthTable({ range, rows, basePath, hardestIn }: Tabled): Html {
  const lines = periodsOf(...range).map(({ from: first, to: last }) => {
    const part: DayRange = [first, last];
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
  const head = (['month', 'all', 'first', 'days', 'hardest'] as const).map((name) => words(`year.head.${name}`));
  const note = html`<a href="${basePath}${daysLink(range, false)}">${words('year.eachDay')}</a>`;
  return asTable(words('year.asTable'), head, lines, note);
}
