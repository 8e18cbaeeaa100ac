/** Tables. */

import { attr, type Html, html } from '../markup.ts';
import { words } from '../words/words.ts';

interface TableOptions {
  heads: readonly (Html | string)[];
  rows: readonly Html[];
  className?: string;
}

export function plainTable({ heads, rows, className }: TableOptions): Html {
  const head = (content: Html | string) => (content === '' ? html`<td></td>` : html`<th scope="col">${content}</th>`);
  return html`
    <table class="plain-table${className && ` ${className}`}">
      <thead><tr>${heads.map(head)}</tr></thead>
      <tbody>${rows}</tbody>
    </table>`;
}

export function scrollable(label: Html | string, table: Html): Html {
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">${table}</div>`;
}

export interface TableRow {
  about: Html;
  cells: readonly (Html | string)[];
}

/** On a narrow screen each cell repeats its column's heading, which is empty for buttons. */
export function stackedTable(label: string, heads: readonly string[], rows: readonly TableRow[]): Html {
  const head = (text: string) =>
    html`
      <th role="columnheader" scope="col">
        ${text === '' ? html`<span class="sr">${words('staff.action')}</span>` : text}
      </th>`;
  const cell = (content: Html | string, column: number) =>
    html`<td role="cell"${attr('data-head', heads[column] || undefined)}><div>${content}</div></td>`;
  const table = html`
    <table class="plain-table stacks" role="table">
      <thead role="rowgroup"><tr role="row">${heads.map(head)}</tr></thead>
      <tbody role="rowgroup">
        ${rows.map(({ about, cells }) => html`<tr role="row"${about}>${cells.map(cell)}</tr>`)}
      </tbody>
    </table>`;
  return scrollable(label, table);
}
