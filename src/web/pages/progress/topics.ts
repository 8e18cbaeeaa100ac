/** Topics: a table with a bar for each, of what was solved within three tries, solved later, and not solved. */

import type { Reached } from '../../../practice/progress.ts';
import { soonTries, surestAndSlowest, type TopicFigures, topicsOf, triedOf } from '../../../practice/topics.ts';
import { counted } from '../../drawing/charts/counted.ts';
import { mark, px } from '../../drawing/charts/frames.ts';
import { progressAddress, type View } from '../../drawing/charts/progress-view.ts';
import type { ProblemQuery } from '../../kit/problem-query.ts';
import { type Html, html } from '../../markup.ts';
import { problemPath, progressPath } from '../../paths.ts';
import { richWords, words } from '../../words/words.ts';

const usuallyShown = 14;

/** The member's level at the judge: the ratings around it, in figures, and the filter that finds them. */
export interface Level {
  from: number;
  to: number;
  filter: Partial<ProblemQuery>;
}

export function topics(view: View, reached: readonly Reached[], level: Level | undefined): Html {
  const all = topicsOf(reached, view.span, level && [level.from, level.to], view.today);
  if (all.length === 0) return html`<p class="says">${words('progress.noTopics')}</p>`;
  const { query, basePath } = view;
  const shown = query.hasAllTopics ? all : all.slice(0, usuallyShown);
  const most = Math.max(...shown.map(triedOf));
  const other = progressAddress(query, { hasAllTopics: !query.hasAllTopics });
  const more = html`
    <p class="more">
      <a href="${basePath}${progressPath}${other}#topics">
        ${
          query.hasAllTopics
            ? words('progress.fewerTopics', { count: usuallyShown })
            : words('progress.allTopics', { count: all.length })
        }
      </a>
    </p>`;
  const headOf = (text: string, name = 'num') => html`<th scope="col" class="${name}">${text}</th>`;
  return html`
    <p class="says">${says(all, level, view)}</p>
    <table class="topics">
      <caption class="sr">${words('progress.solvedOfTried')}</caption>
      <thead>
        <tr>
          <th scope="col">${words('progress.topic')}</th>
          ${headOf(words('progress.solvedOfTried'), 'c-bar')}
          ${headOf(words('state.complete'))}
          ${headOf(words('progress.tried'), 'num c-tried')}
          ${level ? headOf(words('progress.atLevel')) : ''}
          ${headOf(words('progress.last'), 'num c-ago')}
        </tr>
      </thead>
      <tbody>${shown.map((topic) => row(topic, view, level, most))}</tbody>
    </table>
    ${all.length > usuallyShown ? more : ''}`;
}

function says(all: readonly TopicFigures[], level: Level | undefined, view: View): Html {
  const found = surestAndSlowest(all);
  const link = ({ tag }: TopicFigures) => html`<a href="${view.reached('attempted', { tags: [tag] })}">${tag}</a>`;
  const [first] = all;
  if (level && found)
    return richWords('progress.topicsSay', {
      from: String(level.from),
      to: String(level.to),
      surest: link(found.surest),
      slowest: link(found.slowest),
    });
  return richWords('progress.topicsMost', { topic: first ? link(first) : '', count: all.length });
}

function row(topic: TopicFigures, view: View, level: Level | undefined, most: number): Html {
  const { tag, soon, later, last, rests, levelTried, levelSoon } = topic;
  const tags = [tag];
  const atLevel = { tags, ...level?.filter };
  const soonOf = { triesMax: soonTries };
  const share =
    levelTried === 0
      ? html`<span class="faint">–</span>`
      : html`
        <a href="${view.solved({ ...atLevel, ...soonOf })}" data-count="${levelSoon}">
          ${Math.round((levelSoon / levelTried) * 100)} %
        </a> <span class="of">
          ${richWords('progress.of', { count: counted(levelTried, view.reached('attempted', atLevel)) })}
        </span>`;
  const ago = agoWords(view.today - last.day);
  return html`
    <tr>
      <th scope="row"><a href="${view.reached('attempted', { tags })}" data-count="${triedOf(topic)}">${tag}</a></th>
      <td class="c-bar">${bar(topic, view, most)}</td>
      <td class="num">${counted(soon + later, view.solved({ tags }))}</td>
      <td class="num soft c-tried">${counted(triedOf(topic), view.reached('attempted', { tags }))}</td>
      ${level ? html`<td class="num">${share}</td>` : ''}
      <td class="num c-ago">
        <a class="${rests ? 'late' : 'soft'}" href="${view.basePath}${problemPath(last.id)}" title="${last.title}">
          ${rests ? words('progress.rests', { ago }) : ago}
        </a>
      </td>
    </tr>`;
}

const barWidth = 320;

function bar({ tag, soon, later, open }: TopicFigures, view: View, most: number): Html {
  const scaled = (count: number) => (count / most) * barWidth;
  const part = (name: string, before: number, count: number, href: string, title: string) => {
    if (count === 0) return '';
    const shape = html`
      <rect
        class="${name}" x="${px(scaled(before) + (before > 0 ? 1 : 0))}" y="1"
        width="${px(Math.max(2, scaled(count) - (before > 0 ? 1 : 0)))}" height="10"
      >
        <title>${title}</title>
      </rect>`;
    return mark(href, count, shape);
  };
  const tags = [tag];
  return html`
    <svg class="topic-bar" viewBox="0 0 ${barWidth} 12" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      ${part('soon', 0, soon, view.solved({ tags, triesMax: soonTries }), words('progress.soonCount', { count: soon }))}
      ${part(
        'later',
        soon,
        later,
        view.solved({ tags, triesMin: soonTries + 1 }),
        words('progress.laterCount', { count: later }),
      )}
      ${part('open', soon + later, open, view.reached('tried', { tags }), words('progress.openCount', { count: open }))}
    </svg>`;
}

/** Days as short as they are exact enough. */
function agoWords(days: number): string {
  if (days <= 0) return words('progress.today');
  if (days === 1) return words('progress.yesterday');
  if (days < 14) return words('progress.daysAgo', { count: days });
  if (days < 70) return words('progress.weeksAgo', { count: Math.round(days / 7) });
  if (days < 730) return words('progress.monthsAgo', { count: Math.round(days / 30.44) });
  return words('progress.yearsAgo', { count: Math.floor(days / 365.25) });
}
