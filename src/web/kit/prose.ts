/** The text of a document. */
import { raw } from 'hono/html';
import { type Html, html } from '../markup.ts';

/** `markup` comes from the renderer of Markdown, which escapes all texts and shows HTML as text. */
export function prose(markup: string): Html {
  return html`<article class="prose">${raw(markup)}</article>`;
}
