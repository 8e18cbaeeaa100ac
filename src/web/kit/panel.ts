/** A panel of a page with its heading. */

import { raw } from 'hono/html';
import { type Html, html } from '../markup.ts';
import { icon } from './icons.ts';

/** A panel with its head, and a link at the end of the head. */
export function panel(id: string, head: string, content: Html, more: Html | '' = ''): Html {
  return html`
    <section class="panel" aria-labelledby="${id}">
      <div class="panel-head"><h2 id="${id}">${head}</h2>${more}</div>
      ${content}
    </section>`;
}

/* The text of a document. */

/** `markup` comes from the renderer of Markdown, which escapes all texts and shows HTML as text. */
export function prose(markup: string): Html {
  return html`<article class="prose">${raw(markup)}</article>`;
}

/* A sentence about the whole page, and an address that is shown once. */

/** A sentence about the whole page; a bad one is read out at once. */
export function notice(kind: 'good' | 'bad' | 'warn', text: Html | string): Html {
  return html`
    <div class="notice" data-kind="${kind}" role="${kind === 'good' ? 'status' : 'alert'}">
      ${icon(kind === 'good' ? 'check' : 'warn')}
      <div><p>${text}</p></div>
    </div>`;
}

/** An address that is a secret, on the one page that ever shows it. */
export function shownOnce(head: string, text: string, address: string): Html {
  return html`
    <section class="new-token" aria-labelledby="made">
      <div class="notice" data-kind="good" role="status">
        ${icon('check')}
        <div><h2 id="made">${head}</h2><p>${text}</p><p class="secret"><code data-secret>${address}</code></p></div>
      </div>
    </section>`;
}
