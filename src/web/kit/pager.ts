/** Numbered pages: which rows these are, the way to the others, and the form for the number of rows on a page. */
import { attr, type Html, html } from '../markup.ts';
import { words } from '../words/words.ts';
import { hiddenInputs } from './form.ts';
import { icon } from './icons.ts';

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
