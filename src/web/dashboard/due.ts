/** The problems that are due for review, as the strip of Today shows them. */
import { html } from 'hono/html';
import { dueForReview as due } from '../../practice/reviews.ts';
import type { Html } from '../layout.ts';
import { judgeKey, problemPath } from '../parts.ts';
import type { MemberVisit } from '../visits.ts';
import { words } from '../words.ts';
import { reviewPath } from './queues.ts';

const shown = 3;

/** Undefined where nothing is due, or the member wants no reviews. */
export async function dueForReview({ store, member, site }: MemberVisit): Promise<Html | undefined> {
  const { problems, aDay, done } = await due(store.reader, member.user_id, new Date());
  if (aDay === 0 || (problems.length === 0 && done === 0)) return undefined;
  const { basePath } = site;
  const item = ({ problem_id, title, source, source_key }: (typeof problems)[number]) =>
    html`<li><a href="${basePath}${problemPath(problem_id)}?review=1" title="${title}">${judgeKey({ source, source_key })}<span class="sr"> ${title}</span></a></li>`;
  return html`<section aria-labelledby="due-today"><h2 id="due-today">${words('review.dueToday')}</h2><p class="figure"><a class="num" data-count="${problems.length}" href="${basePath}${reviewPath}"><b>${problems.length}</b></a> <span class="soft">${words('review.doneToday', { done })}</span></p>${problems.length === 0 ? '' : html`<ul class="due-keys">${problems.slice(0, shown).map(item)}</ul>`}</section>`;
}
