/** The overlay that names the keys of the problem list; assets/site.js listens to them. */
import { html } from 'hono/html';
import type { Html } from './layout.ts';

const keys = [
  ['j k', 'Down, up'],
  ['o', 'Open the problem'],
  ['x', 'Select the row'],
  ['0 … 5', 'Not started … Ignored'],
  ['s', 'Star'],
  ['n', 'Note'],
  ['t', 'Show topics of the row'],
  ['u', 'Undo'],
  ['/', 'Find'],
  ['?', 'These keys'],
] as const;

export function keysButton(): Html {
  return html`<button type="button" class="button" popovertarget="keys" aria-label="Keys"><kbd aria-hidden="true">?</kbd><span>Keys</span></button>`;
}

export function keysOverlay(): Html {
  return html`<div id="keys" popover class="keys" role="dialog" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2><dl>${keys.map(([key, what]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${what}</dd></div>`)}</dl><p class="faint">Keys work when no field has the focus.</p></div>`;
}
