/** The table behind a picture: the same figures, with links for keys and readers. */
import { html } from 'hono/html';
import type { Html } from '../layout.ts';
import { thousands } from '../parts.ts';

export type Cell = Html | string;

/** A number that leads to the list of as many rows. */
export function counted(count: number, href: string): Html {
  if (count === 0) return html`<span class="faint">0</span>`;
  return html`<a href="${href}" data-count="${count}">${thousands.format(count)}</a>`;
}

/** The first cell of a row is its head. */
export function asTable(
  summary: string,
  head: readonly Cell[],
  rows: readonly (readonly Cell[])[],
  note: Cell = '',
  isOpen = false,
): Html {
  return html`<details class="as-table"${isOpen ? html` open` : ''}><summary>${summary}</summary><div class="scroll" role="region" aria-label="${summary}" tabindex="0"><table><thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead><tbody>${rows.map(([first = '', ...rest]) => html`<tr><th scope="row">${first}</th>${rest.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>${note === '' ? '' : html`<p class="faint">${note}</p>`}</details>`;
}
