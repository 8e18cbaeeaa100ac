/** The problems that are due for review, as the strip of Today shows them. */

import { cardsForToday } from '../../../practice/reviews.ts';
import { judgeMark } from '../../kit/marks.ts';
import { type Html, html } from '../../markup.ts';
import { problemPath, reviewPath } from '../../paths.ts';
import type { MemberVisit } from '../../road/visits.ts';
import { words } from '../../words/words.ts';

const shown = 3;

/** At most `aDay` problems. Undefined where nothing is due, or the member wants no reviews. */
export async function dueForReview(
  { store, member, site, days }: MemberVisit,
  aDay: number,
): Promise<Html | undefined> {
  const { cards, done } = await cardsForToday(store.reader, member.user_id, { aDay, days, now: new Date() });
  if (aDay === 0 || (cards.length === 0 && done === 0)) return undefined;
  const { basePath } = site;
  const item = ({ problem_id, title, source }: (typeof cards)[number]) =>
    html`
      <li>
        <a href="${basePath}${problemPath(problem_id)}?review=1" title="${title}">
          ${judgeMark(source)}
          <span>${title}</span>
        </a>
      </li>`;
  return html`
    <section aria-labelledby="due-today">
      <h2 id="due-today">${words('review.dueToday')}</h2>
      <p class="figure">
        <a class="num" data-count="${cards.length}" href="${basePath}${reviewPath}"><b>${cards.length}</b></a> <span
          class="soft"
        >
          ${words('review.doneToday', { done })}
        </span>
      </p>
      ${cards.length === 0 ? '' : html`<ul class="due-titles">${cards.slice(0, shown).map(item)}</ul>`}
    </section>`;
}
