/** The search field for titles of contests. */
import { type Html, html } from '../markup.ts';
import { words } from '../words/words.ts';
import { icon } from './icons.ts';

export const contestSearch = (text: string): Html =>
  html`
    <label class="field-search">
      <span class="sr">${words('contests.find')}</span>
      ${icon('search')}
      <input
        type="search" name="q" value="${text}" placeholder="${words('contests.find')}" autocomplete="off"
        maxlength="200"
      >
    </label>`;
