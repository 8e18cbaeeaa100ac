/** A panel of a page with its heading. */

import { type Html, html } from '../markup.ts';

/** A panel with its head, and a link at the end of the head. */
export function panel(id: string, head: string, content: Html, more: Html | '' = ''): Html {
  return html`
    <section class="panel" aria-labelledby="${id}">
      <div class="panel-head"><h2 id="${id}">${head}</h2>${more}</div>
      ${content}
    </section>`;
}
