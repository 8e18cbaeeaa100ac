/** Pagination. */
import { attr, type Html, html } from '../markup.ts';
import type { Visit } from '../request/visits.ts';
import { words } from '../words/words.ts';
import { hiddenInputs } from './form.ts';
import { icon } from './icons.ts';
import { linkButton } from './links.ts';

interface Paging {
  label: string;
  page: number;
  pages: number;
  href(page: number): string;
  summary: Html | string;
  perPage: {
    label: string;
    size: number;
    sizes: readonly number[];
    action: string;
    query: string;
  };
}

export function pager({ label, page, pages, href, summary, perPage }: Paging): Html {
  const candidates = [1, page - 1, page, page + 1, pages].filter((to) => to >= 1 && to <= pages);
  const numbers = [...new Set(candidates)];
  const step = (to: number, text: Html) =>
    to >= 1 && to <= pages
      ? html`<li><a class="step" href="${href(to)}">${text}</a></li>`
      : html`<li><span class="step" aria-disabled="true">${text}</span></li>`;
  const gap = html`<li class="gap"><span aria-hidden="true">…</span></li>`;
  const number = (to: number, index: number) =>
    html`
      ${index > 0 && to - (numbers[index - 1] as number) > 1 && gap}
      <li${attr('class', to === page && 'at')}>
        <a href="${href(to)}"${attr('aria-current', to === page && 'page')}>
          <span class="sr">${words('pages.page')} </span>
          ${to}
        </a>
      </li>`;
  const { sizes, action, query } = perPage;
  return html`
    <nav class="pages" aria-label="${label}">
      <p class="num">${summary}</p>
      <ol>
        ${step(page - 1, html`${icon('left')}<span>${words('pages.previous')}</span>`)}
        ${numbers.map(number)}
        ${step(page + 1, html`<span>${words('pages.next')}</span>${icon('right')}`)}
      </ol>
      <form class="per" action="${action}">
        ${hiddenInputs(new URLSearchParams(query))}
        <label>
          ${perPage.label} <select name="per_page" autocomplete="off">
            ${sizes.map((size) => html`<option${attr('selected', size === perPage.size)}>${size}</option>`)}
          </select>
        </label>
        <button class="button small no-script">${words('pages.set')}</button>
      </form>
    </nav>`;
}

export const pageNumberIn = (query: URLSearchParams): number =>
  /^[1-9]\d{0,6}$/.test(query.get('page') ?? '') ? Number(query.get('page')) : 1;

export function pageOf(query: URLSearchParams, total: bigint, perPage: number): { page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(Number(total) / perPage));
  return { page: Math.min(pages, pageNumberIn(query)), pages };
}

interface Steps {
  path: string;
  page: number;
  /** `more` or `last` where the pages were not counted. */
  pages: number | 'more' | 'last';
  restOfQuery?: Readonly<Record<string, string>> | undefined;
}

export function pageSteps({ path, page, pages, restOfQuery = {} }: Steps): Html | '' {
  const hasNext = pages === 'more' || (pages !== 'last' && page < pages);
  if (page === 1 && !hasNext) return '';
  const step = (to: number, text: string) =>
    linkButton(`${path}?${new URLSearchParams({ ...restOfQuery, page: String(to) })}`, text);
  return html`
    <nav class="actions" aria-label="${words('pages.label')}">
      ${page > 1 && step(page - 1, words('pages.previous'))}
      ${typeof pages === 'number' && html`<span class="num">${words('pages.pageOf', { page, pages })}</span>`}
      ${hasNext && step(page + 1, words('pages.next'))}
    </nav>`;
}

interface KeysetPaging<Row> {
  limit: number;
  cursor: readonly [parameter: 'after' | 'before', idOf: (row: Row) => bigint];
  linkText: string;
}

/** `rows` has one row more than `limit` if there is a next page. */
export function keysetPage<Row>(
  { site, path }: Pick<Visit, 'site' | 'path'>,
  rows: readonly Row[],
  { limit, cursor: [parameter, idOf], linkText }: KeysetPaging<Row>,
): { shown: readonly Row[]; more: Html | false } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more =
    last !== undefined &&
    rows.length > limit &&
    html`<p>${linkButton(`${site.basePath}${path}?${parameter}=${idOf(last)}`, linkText)}</p>`;
  return { shown, more };
}

/** Forms allow no more rows of a member, but older data may have more. */
const rowsAtMost = 200;

export function offsetPage<T>(
  { site, query }: { site: { basePath: string }; query: URLSearchParams },
  path: string,
  rows: readonly T[],
  restOfQuery: Readonly<Record<string, string>> = {},
): { shown: readonly T[]; more: Html | false } {
  const offset = query.get('from');
  const requested = offset !== null && /^[1-9]\d{0,6}$/.test(offset) ? Number(offset) : 0;
  // Rows may have been deleted since the link was made.
  const from = requested < rows.length ? requested : 0;
  const next = from + rowsAtMost;
  const address = () => `${site.basePath}${path}?${new URLSearchParams({ ...restOfQuery, from: String(next) })}`;
  const more = rows.length > next && html`<p class="actions">${linkButton(address(), words('pages.next'))}</p>`;
  return { shown: rows.slice(from, next), more };
}
