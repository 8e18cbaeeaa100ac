/** The form by which members link their name at a judge. */
import { judges } from '../../judges/judges.ts';
import { type Html, html } from '../markup.ts';
import { handlesPath } from '../paths.ts';
import { words } from '../words/words.ts';
import { button, type Faults, form, optionsOf, type Post } from './form.ts';

export interface HandleFields {
  judge: string;
  handle: string;
}

/** The form posts to the page of handles, which shows it again where something is wrong. */
export function handleForm(visit: Post, faults: Faults = {}, asked: HandleFields = { judge: '', handle: '' }): Html {
  const choices = Object.entries(judges).map(([source, { name }]) => [source, name] as const);
  const wrong = (name: string) => faults[name] && html` aria-invalid="true" aria-describedby="${name}-fault" autofocus`;
  const why = (name: string) =>
    faults[name] && html`<p class="fault" id="${name}-fault" role="alert">${faults[name]}</p>`;
  const fields = html`
    <label>
      ${words('filters.judge')}
      <select name="judge"${wrong('judge')}>${optionsOf(choices, asked.judge)}</select>
    </label>
    ${' '}
    <label class="grow">
      ${words('handles.nameThere')}
      <input
        type="text" name="handle" value="${asked.handle}" autocomplete="off" spellcheck="false" autocapitalize="off"
        maxlength="200" required${wrong('handle')}
      >
    </label>
    ${' '}
    ${button(words('handles.add'), 'primary')}`;
  return html`
    ${form(visit, { to: handlesPath, className: 'inline-form' }, fields)}
    ${why('judge')}
    ${why('handle')}
    <p class="faint hint">${words('handles.branch')}</p>`;
}
