/**
 * The ways through more rows than a page shows: numbered pages with a form for the number of rows on one, steps to the
 * pages before and after, and a link to the rows behind the last one shown.
 */
import { attr, type Html, html } from '../markup.ts';
import type { Visit } from '../road/visits.ts';
import { words } from '../words/words.ts';
import { hiddenInputs } from './form.ts';
import { icon } from './icons.ts';
import { linkButton } from './links.ts';

interface Paging {
  label: string;
  page: number;
  pages: number;
  href(page: number): string;
  /** Which rows of how many, and what can be done with all of them. */
  facts: Html | string;
  perPage: {
    label: string;
    chosen: number;
    sizes: readonly number[];
    action: string;
    /** The query of the page without the number of rows, which the form sends along. */
    query: string;
  };
}

export function pager({ label, page, pages, href, facts, perPage }: Paging): Html {
  const near = [1, page - 1, page, page + 1, pages].filter((one) => one >= 1 && one <= pages);
  const numbers = [...new Set(near)];
  const step = (to: number, text: Html) =>
    to >= 1 && to <= pages
      ? html`<li><a class="step" href="${href(to)}">${text}</a></li>`
      : html`<li><span class="step" aria-disabled="true">${text}</span></li>`;
  const gap = html`<li class="gap"><span aria-hidden="true">…</span></li>`;
  const number = (one: number, place: number) =>
    html`
      ${place > 0 && one - (numbers[place - 1] as number) > 1 && gap}
      <li${attr('class', one === page && 'at')}>
        <a href="${href(one)}"${attr('aria-current', one === page && 'page')}>
          <span class="sr">${words('pages.page')} </span>
          ${one}
        </a>
      </li>`;
  const { chosen, sizes, action, query } = perPage;
  return html`
    <nav class="pages" aria-label="${label}">
      <p class="num">${facts}</p>
      <ol>
        ${step(page - 1, html`${icon('left')}<span>${words('pages.previous')}</span>`)}
        ${numbers.map(number)}
        ${step(page + 1, html`<span>${words('pages.next')}</span>${icon('right')}`)}
      </ol>
      <form class="per" action="${action}">
        ${hiddenInputs(new URLSearchParams(query))}
        <label>
          ${perPage.label} <select name="per_page" autocomplete="off">
            ${sizes.map((size) => html`<option${attr('selected', size === chosen)}>${size}</option>`)}
          </select>
        </label>
        <button class="button small no-script">${words('pages.set')}</button>
      </form>
    </nav>`;
}

/** The page that an address asks for. */
export const pageIn = (query: URLSearchParams): number =>
  /^[1-9]\d{0,6}$/.test(query.get('page') ?? '') ? Number(query.get('page')) : 1;

/** The same where there are as many rows, and how many pages these have. */
export function pageOf(query: URLSearchParams, total: bigint, perPage: number): { page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(Number(total) / perPage));
  return { page: Math.min(pages, pageIn(query)), pages };
}

interface Steps {
  path: string;
  page: number;
  /** The number of pages, or whether there is another one where nobody counted them. */
  pages: number | 'more' | 'last';
  /** The rest of the query. */
  keep?: Readonly<Record<string, string>> | undefined;
}

export function pageSteps({ path, page, pages, keep = {} }: Steps): Html | '' {
  const hasNext = pages === 'more' || (pages !== 'last' && page < pages);
  if (page === 1 && !hasNext) return '';
  const step = (to: number, text: string) =>
    linkButton(`${path}?${new URLSearchParams({ ...keep, page: String(to) })}`, text);
  return html`
    <nav class="actions" aria-label="${words('pages.label')}">
      ${page > 1 && step(page - 1, words('pages.previous'))}
      ${typeof pages === 'number' && html`<span class="num">${words('pages.pageOf', { page, pages })}</span>`}
      ${hasNext && step(page + 1, words('pages.next'))}
    </nav>`;
}

interface Behind<Row> {
  atMost: number;
  /** The place in the query, and the id of the row after which the next page begins. */
  by: readonly [place: 'after' | 'before', idOf: (row: Row) => bigint];
  text: string;
}

/** The rows of a page, of which one more than `atMost` was read, and the link to those behind them. */
export function pageOfKeys<Row>(
  { site, path }: Pick<Visit, 'site' | 'path'>,
  found: readonly Row[],
  { atMost, by: [place, idOf], text }: Behind<Row>,
): { shown: readonly Row[]; more: Html | false } {
  const shown = found.slice(0, atMost);
  const last = shown.at(-1);
  const more =
    last !== undefined &&
    found.length > atMost &&
    html`<p>${linkButton(`${site.basePath}${path}?${place}=${idOf(last)}`, text)}</p>`;
  return { shown, more };
}

/** As many rows of a member as forms let them have; before there were such limits some had more. */
const rowsAtMost = 200;

/** Those of a member's rows that a page shows, and the link to the next. `keep` is the rest of the query. */
export function pageOfRows<T>(
  { site, query }: { site: { basePath: string }; query: URLSearchParams },
  path: string,
  rows: readonly T[],
  keep: Readonly<Record<string, string>> = {},
): { shown: readonly T[]; more: Html | false } {
  const asked = query.get('from');
  const wanted = asked !== null && /^[1-9]\d{0,6}$/.test(asked) ? Number(asked) : 0;
  // There are fewer than when the link was made.
  const from = wanted < rows.length ? wanted : 0;
  const next = from + rowsAtMost;
  const address = () => `${site.basePath}${path}?${new URLSearchParams({ ...keep, from: String(next) })}`;
  const more = rows.length > next && html`<p class="actions">${linkButton(address(), words('pages.next'))}</p>`;
  return { shown: rows.slice(from, next), more };
}
