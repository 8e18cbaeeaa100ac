/** Solved by rating: a picture for each judge with ratings, because their scales do not compare. */

import { type Bin, binSize, binsOf, isRated, type Reached } from '../../../practice/progress.ts';
import { columnPlot } from '../../drawing/charts/columns.ts';
import { counted } from '../../drawing/charts/counted.ts';
import type { View } from '../../drawing/charts/progress-view.ts';
import type { Scale } from '../../drawing/charts/scales.ts';
import { asTable } from '../../drawing/charts/table.ts';
import { type Html, html } from '../../markup.ts';
import { richWords, words } from '../../words/words.ts';

/** `reached` is what was solved and tried at the judge of the view. */
export function byRating(view: View, scale: Scale, reached: readonly Reached[]): Html {
  const bins = binsOf(reached.filter(isRated));
  const tried = reached.filter(({ isSolved }) => !isSolved).length;
  const totals = richWords('progress.solvedAndTried', {
    solved: counted(reached.length - tried, view.solved()),
    tried: counted(tried, view.reached('tried')),
  });
  const head = html`<h3 class="judge-head"><span>${scale.judge}</span> <span class="soft">${totals}</span></h3>`;
  if (bins.length === 0) return html`${head}<p class="says">${words('progress.nothing')}</p>`;
  const filterOf = ({ from }: Bin) => scale.between(from, from + binSize);
  const nameOf = ({ from }: Bin) =>
    words('progress.bandBetween', { from: String(from), to: String(from + binSize - 1) });
  const columns = bins.map((bin) => ({
    label: String(bin.from),
    colour: scale.colourOf(bin.from),
    full: {
      count: bin.solved,
      href: view.solved(filterOf(bin)),
      title: words('progress.bandSolved', { band: nameOf(bin), count: bin.solved }),
    },
    open: {
      count: bin.tried,
      href: view.reached('tried', filterOf(bin)),
      title: words('progress.bandTried', { band: nameOf(bin), count: bin.tried }),
    },
  }));
  const rows = bins
    .filter(({ solved, tried }) => solved + tried > 0)
    .map((bin) => [
      nameOf(bin),
      counted(bin.solved, view.solved(filterOf(bin))),
      counted(bin.tried, view.reached('tried', filterOf(bin))),
    ]);
  const unrated = reached.filter((one) => !isRated(one)).length;
  const left =
    unrated === 0
      ? ''
      : richWords('progress.unrated', {
          count: counted(unrated, view.reached('attempted', { isUnrated: true })),
          n: unrated,
        });
  const labelEvery = Math.max(1, Math.ceil(bins.length / 10));
  return html`
    ${head}
    <p class="says">${says(view, bins, filterOf, nameOf)}</p>
    ${columnPlot(columns, { labelEvery, hasStrip: true, gap: 0.14 })}
    ${asTable(
      words('progress.asTable', { name: words('progress.ratingOf', { judge: scale.judge }) }),
      [words('filters.rating'), words('state.complete'), words('state.tried')],
      rows,
      left,
    )}`;
}

function says(
  view: View,
  bins: readonly Bin[],
  filterOf: (bin: Bin) => ReturnType<Scale['between']>,
  nameOf: (bin: Bin) => string,
): Html | string {
  const most = bins.reduce((a, b) => (b.solved > a.solved ? b : a));
  if (most.solved === 0) return words('progress.noneSolved');
  const highest = bins.findLast(({ solved }) => solved > 0) ?? most;
  return richWords('progress.ratingSays', {
    count: counted(most.solved, view.solved(filterOf(most))),
    band: nameOf(most),
    highest: nameOf(highest),
    hardest: counted(highest.solved, view.solved(filterOf(highest))),
  });
}
