/** The form by which members link a handle at a judge. */
import { judges } from '../../judges/judges.ts';
import { type Html, html } from '../markup.ts';
import { handlesPath } from '../paths.ts';
import { words } from '../words/words.ts';
import { button, type Faults, type FormContext, form, optionsOf } from './form.ts';

export interface HandleFields {
  judge: string;
  handle: string;
}

export function handleForm(
  visit: FormContext,
  faults: Faults = {},
  values: HandleFields = { judge: '', handle: '' },
): Html {
  const choices = Object.entries(judges).map(([source, { name }]) => [source, name] as const);
  const invalid = (name: string) =>
    faults[name] && html` aria-invalid="true" aria-describedby="${name}-fault" autofocus`;
  const error = (name: string) =>
    faults[name] && html`<p class="fault" id="${name}-fault" role="alert">${faults[name]}</p>`;
  const fields = html`
    <label>
      ${words('filters.judge')}
      <select name="judge"${invalid('judge')}>${optionsOf(choices, values.judge)}</select>
    </label>
    ${' '}
    <label class="grow">
      ${words('handles.nameThere')}
      <input
        type="text" name="handle" value="${values.handle}" autocomplete="off" spellcheck="false" autocapitalize="off"
        maxlength="200" required${invalid('handle')}
      >
    </label>
    ${' '}
    ${button(words('handles.add'), 'primary')}`;
  return html`
    ${form(visit, { to: handlesPath, className: 'inline-form' }, fields)}
    ${error('judge')}
    ${error('handle')}
    <p class="faint hint">${words('handles.branch')}</p>`;
}
