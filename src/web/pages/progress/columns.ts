/** Hours and tries: at what time of the day problems were first solved, and after how many submissions. */

import type { Days } from '../../../practice/days.ts';
import { hoursOf, type Reached, type TriesBin, triesOf } from '../../../practice/progress.ts';
import { columnPlot } from '../../drawing/charts/columns.ts';
import { counted } from '../../drawing/charts/counted.ts';
import type { View } from '../../drawing/charts/progress-view.ts';
import { asTable } from '../../drawing/charts/table.ts';
import { hoursFrom } from '../../kit/day-words.ts';
import { type Html, html } from '../../markup.ts';
import { problemPath } from '../../paths.ts';
import { linkTo, richWords, words } from '../../words/words.ts';

const colour = 'plain';

export function hours(view: View, solved: readonly Reached[], days: Days): Html {
  if (solved.length === 0) return html`<p class="says">${words('progress.nothing')}</p>`;
  const all = hoursOf(solved, days).map((one) => ({ ...one, href: view.solved({ solvedHour: one.hour }) }));
  const columns = all.map(({ hour, count, href }) => ({
    label: String(hour).padStart(2, '0'),
    colour,
    full: { count, href, title: words('progress.hourSolved', { hours: hoursFrom(hour), count }) },
  }));
  const most = all.reduce((a, b) => (b.count > a.count ? b : a));
  const says = richWords('progress.hoursSay', {
    count: counted(most.count, most.href),
    hours: hoursFrom(most.hour),
    zone: days.rule.zone.replaceAll('_', ' '),
  });
  return html`
    <p class="says">${says}</p>
    ${columnPlot(columns, { labelEvery: 2, gap: 0.14 })}
    ${asTable(
      words('progress.asTable', { name: words('progress.hours') }),
      [words('progress.hour'), words('progress.firstSolves')],
      all.map(({ hour, count, href }) => [hoursFrom(hour), counted(count, href)]),
    )}`;
}

/** `isBeside` says whether the table stands open beside the picture. */
export function tries(view: View, solved: readonly Reached[], isBeside: boolean): Html {
  const bins = triesOf(solved);
  const hardest = solved.reduce<Reached | undefined>((a, b) => (a && a.tries >= b.tries ? a : b), undefined);
  if (!hardest || hardest.tries === 0) return html`<p class="says">${words('progress.noTries')}</p>`;
  const hrefOf = ({ least, most }: TriesBin) => view.solved({ triesMin: least, triesMax: most });
  const nameOf = ({ least, most }: TriesBin) =>
    most === undefined ? `${least}+` : least === most ? String(least) : `${least}–${most}`;
  const columns = bins.map((bin) => ({
    label: nameOf(bin),
    colour,
    full: {
      count: bin.count,
      href: hrefOf(bin),
      title: words('progress.triesSolved', { tries: nameOf(bin), count: bin.count }),
    },
  }));
  const [first] = bins;
  const says = richWords('progress.triesSay', {
    most: hardest.tries,
    title: hardest.title,
    link: linkTo(view.basePath + problemPath(hardest.id)),
    count: first ? counted(first.count, hrefOf(first)) : '',
  });
  const unkept = solved.filter((one) => one.tries === 0).length;
  const left =
    unkept === 0
      ? ''
      : richWords('progress.unkept', { count: counted(unkept, view.solved({ triesMax: 0 })), n: unkept });
  return html`
    <p class="says">${says}</p>
    ${columnPlot(columns, { labelEvery: 1, gap: 0.32 })}
    ${asTable(
      words('progress.asTable', { name: words('progress.tries') }),
      [words('progress.submissions'), words('progress.firstSolves')],
      bins.map((bin) => [nameOf(bin), counted(bin.count, hrefOf(bin))]),
      left,
      isBeside,
    )}`;
}
