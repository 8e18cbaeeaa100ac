/** The table behind a picture: its figures and links for keyboards and readers. */
import { type Html, html } from '../../markup.ts';

/** The first cell of each row names it. */
export function asTable(
  summary: string,
  head: readonly string[],
  rows: readonly (readonly (Html | string)[])[],
  note?: Html | string,
  /** Whether it stands open at first. */
  isOpen = false,
): Html {
  const line = ([name, ...cells]: readonly (Html | string)[]) =>
    html`<tr><th scope="row">${name}</th>${cells.map((one) => html`<td>${one}</td>`)}</tr>`;
  return html`
    <details class="as-table"${isOpen ? html` open` : ''}>
      <summary>${summary}</summary>
      <div class="scroll" role="region" aria-label="${summary}" tabindex="0">
        <table>
          <thead><tr>${head.map((one) => html`<th scope="col">${one}</th>`)}</tr></thead>
          <tbody>${rows.map(line)}</tbody>
        </table>
      </div>
      ${note ? html`<p>${note}</p>` : ''}
    </details>`;
}
