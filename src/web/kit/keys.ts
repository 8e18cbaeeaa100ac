/** The overlay that names the keys of all pages; assets/site.js listens to them. */
import { type Html, html } from '../markup.ts';
import { words } from '../words/words.ts';

const keys = [
  ['j k', words('keys.move')],
  ['o', words('keys.open')],
  ['x', words('keys.select')],
  ['0 … 5', words('keys.statuses')],
  ['s', words('keys.star')],
  ['n', words('keys.note')],
  ['t', words('keys.topics')],
  ['u', words('keys.undo')],
  ['/', words('keys.find')],
  ['a', words('frame.add')],
  ['?', words('keys.these')],
] as const;

export function keysButton(): Html {
  return html`
    <button type="button" class="button" popovertarget="keys" aria-label="${words('keys.title')}">
      <kbd aria-hidden="true">?</kbd>
      <span>${words('keys.title')}</span>
    </button>`;
}

export function keysOverlay(): Html {
  return html`
    <div id="keys" popover class="keys" role="dialog" aria-labelledby="keys-title">
      <h2 id="keys-title">${words('keys.title')}</h2>
      <dl>${keys.map(([key, what]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${what}</dd></div>`)}</dl>
      <p class="faint">${words('keys.when')}</p>
    </div>`;
}
