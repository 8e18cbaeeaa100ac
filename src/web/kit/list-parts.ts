/** Pieces that the pages of lists share. */

import type { ShownList } from '../../store/lists.ts';
import { type Html, html } from '../markup.ts';
import { listPath, listsPath } from '../paths.ts';
import { richWords, words } from '../words/words.ts';
import { icon } from './icons.ts';
import { nameLink } from './member-name.ts';
import { moment } from './moments.ts';

export const listStyles = ['lists.css'] as const;

/** The way from the list of problems to a page of lists. */
export const crumbsOf = (basePath: string, ...more: [href: string, name: string][]) =>
  [[`${basePath}${listPath}`, words('frame.problems')], [`${basePath}${listsPath}`, words('lists.title')], ...more] as [
    string,
    string,
  ][];

const signs = { private: 'lock', garden: 'people', secret: 'share' } as const;

/** The audience of a list. Somebody else's private list is one that was given to a group of the visitor. */
export function visibilityTag({ visibility }: Pick<ShownList, 'visibility'>, isOwn = true): Html {
  if (visibility === 'private' && !isOwn)
    return html`<span class="who">${icon('people')}${words('lists.tag.given')}</span>`;
  return html`<span class="who">${icon(signs[visibility])}${words(`lists.tag.${visibility}`)}</span>`;
}

/** Each within an element of its own, because what is around it may be a flex box, which would drop the spaces. */
export function byOwner({ owner, has_page }: Pick<ShownList, 'owner' | 'has_page'>, basePath: string): Html {
  return html`<span>${richWords('lists.by', { owner: nameLink(basePath, { username: owner, has_page }) })}</span>`;
}

export function changedOn(at: string): Html {
  return html`<span>${richWords('lists.changed', { day: moment(at) })}</span>`;
}

/** How far the member is, as a bar with its text. */
export function progressBar({ problems, solved }: Pick<ShownList, 'problems' | 'solved'>, label: string): Html {
  return html`
    <progress class="bar" value="${solved}" max="${problems === 0n ? 1n : problems}" aria-label="${label}">
      ${words('lists.ofProblems', { solved, problems })}
    </progress>`;
}

export function warning(text: Html | string): Html {
  return html`<div class="notice" data-kind="warn" role="alert">${icon('warn')}<div><p>${text}</p></div></div>`;
}

export const perPage = 100;

/** Which page of a list an address asks for, of those that there are. */
export function pageOf(query: URLSearchParams, problems: bigint): { page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(Number(problems) / perPage));
  const text = query.get('page') ?? '';
  return { page: Math.min(pages, /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 1), pages };
}

/** Links to the pages before and behind this one. */
export function pageSteps(path: string, page: number, pages: number): Html | '' {
  if (pages === 1) return '';
  const step = (to: number, text: string) =>
    to < 1 || to > pages ? '' : html`<a class="button" href="${path}?page=${to}">${text}</a>`;
  return html`
    <nav class="actions" aria-label="${words('pages.label')}">
      ${step(page - 1, words('pages.previous'))}
      <span class="num">${words('pages.pageOf', { page, pages })}</span>
      ${step(page + 1, words('pages.next'))}
    </nav>`;
}
