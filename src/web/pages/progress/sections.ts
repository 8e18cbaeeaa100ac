/** The pictures of progress in their panels, in the order of the page. */

import type { Days } from '../../../practice/days.ts';
import { isWithin, type Reached } from '../../../practice/progress.ts';
import type { View } from '../../drawing/charts/progress-view.ts';
import { type Scale, scaleOf } from '../../drawing/charts/scales.ts';
import { type Html, html } from '../../markup.ts';
import { words } from '../../words/words.ts';
import { byRating } from './by-rating.ts';
import { climbing } from './climbing.ts';
import { hours, tries } from './columns.ts';
import { level } from './level.ts';
import { type Level, topics } from './topics.ts';

/** What the pictures are made of. */
export interface Figures {
  /** Of the judge that is shown. */
  view: View;
  /** What was reached at each judge, the one with most of it first. */
  all: ReadonlyMap<string, readonly Reached[]>;
  viewAt(source: string): View;
  level: Level | undefined;
  days: Days;
}

export interface Section {
  id: string;
  title: string;
  sub: Html | string;
  content: Html;
  /** Half of the page, all of it, or all of it with the table beside the picture. */
  width: 'half' | 'wide' | 'wide beside';
}

export function sectionsOf(figures: Figures): Section[] {
  const { view, all, days } = figures;
  const scale = scaleOf(view.source);
  const reached = all.get(view.source) ?? [];
  const solvedEver = reached.filter(({ isSolved }) => isSolved);
  const solved = solvedEver.filter(({ day }) => isWithin(view.span, day));
  const scales = [...all.keys()].flatMap((source) => scaleOf(source) ?? []);
  const sections: Section[] = [
    {
      ...{ id: 'climbing', title: words('progress.climbing'), sub: words('progress.climbingSub') },
      ...{ content: climbing(view, scale, solved), width: 'half' },
    },
  ];
  if (scale)
    sections.push({
      ...{ id: 'level', title: words('progress.level'), sub: words('progress.levelSub') },
      ...{ content: level(view, scale, solvedEver), width: 'half' },
    });
  if (scales.length > 0)
    sections.push({
      ...{ id: 'by-rating', title: words('progress.byRating'), sub: ratingLegend() },
      ...{ content: ratings(scales, figures), width: scales.length > 1 ? 'wide' : 'half' },
    });
  sections.push({
    ...{ id: 'hours', title: words('progress.hours'), sub: words('progress.hoursSub') },
    ...{ content: hours(view, solved, days), width: 'half' },
  });
  const isEven = sections.filter(({ width }) => width === 'half').length % 2 === 0;
  const triesPanel: Section = {
    ...{ id: 'tries', title: words('progress.tries'), sub: words('progress.triesSub') },
    ...{ content: tries(view, solved, isEven), width: isEven ? 'wide beside' : 'half' },
  };
  const topicsPanel: Section = {
    ...{ id: 'topics', title: words('progress.topics'), sub: topicLegend() },
    ...{ content: topics(view, reached, figures.level), width: 'wide' },
  };
  // No half stands alone: the last picture goes beside the one before it, or beside its own table.
  return isEven
    ? [...sections, topicsPanel, triesPanel]
    : [...sections.slice(0, -1), topicsPanel, ...sections.slice(-1), triesPanel];
}

export function panelOf({ id, title, sub, content, width }: Section): Html {
  return html`
    <section class="panel ${width}" aria-labelledby="${id}">
      <div class="panel-head"><h2 id="${id}">${title}</h2>${typeof sub === 'string' ? html`<p>${sub}</p>` : sub}</div>
      ${content}
    </section>`;
}

function ratings(scales: readonly Scale[], { all, viewAt }: Figures): Html {
  const each = scales.map((scale) => {
    const view = viewAt(scale.source);
    const reached = (all.get(scale.source) ?? []).filter(({ day }) => isWithin(view.span, day));
    return html`<div>${byRating(view, scale, reached)}</div>`;
  });
  if (scales.length === 1) return html`${each}`;
  return html`<div class="side-by-side">${each}</div><p class="faint caption">${words('progress.ownScales')}</p>`;
}

const legend = (...marks: (readonly [kind: string, text: string])[]) =>
  html`
    <p class="legend">${marks.map(([kind, text]) => html`<span><span class="sw ${kind}"></span>${text}</span>`)}</p>`;

const ratingLegend = () => legend(['solved', words('progress.solved')], ['open', words('progress.triedOnly')]);

const topicLegend = () =>
  legend(['soon', words('progress.soon')], ['later', words('progress.later')], ['none', words('progress.notSolved')]);
