/** Parts of forms: fields with their hints and what is wrong with them. */
import { type Html, html } from '../markup.ts';

/** The faults of a form, by the name of the field. */
export type Faults = Readonly<Record<string, string>>;

interface FieldOptions {
  type?: 'text' | 'password' | 'email' | 'tel' | 'date';
  autocomplete?: string;
  value?: string;
  hint?: Html | string;
  /** The most characters that a browser lets people type. */
  longest?: number;
  isOptional?: boolean;
  /** The id of a datalist. */
  list?: string;
  hasFocus?: boolean;
}

/** A labelled field; a fault stands below it and is read out with it. */
export function textField(label: string, name: string, faults: Faults, options: FieldOptions = {}): Html {
  const {
    type = 'text',
    autocomplete = 'off',
    value = '',
    hint,
    longest,
    list,
    isOptional = false,
    hasFocus = false,
  } = options;
  const fault = faults[name];
  const described = [hint ? `${name}-hint` : '', fault ? `${name}-fault` : ''].filter(Boolean).join(' ');
  const isName = name === 'username';
  return html`
    <label class="field">
      ${label}
      <input
        type="${type}" name="${name}" value="${type === 'password' ? '' : value}"
        autocomplete="${autocomplete}"${isOptional ? '' : html` required`}${
          longest === undefined ? '' : html` maxlength="${longest}"`
        }${list ? html` list="${list}" spellcheck="false"` : ''}${
          isName ? html` autocapitalize="off" spellcheck="false"` : ''
        }${described ? html` aria-describedby="${described}"` : ''}${fault ? html` aria-invalid="true"` : ''}${
          hasFocus || fault ? html` autofocus` : ''
        }
      >
      ${hint ? html`<span class="faint" id="${name}-hint">${hint}</span>` : ''}
      ${fault ? html`<span class="fault" id="${name}-fault">${fault}</span>` : ''}
    </label>`;
}

export function selectField(
  label: string,
  name: string,
  choices: readonly (readonly [value: string, text: string])[],
  chosen: string,
): Html {
  const options = choices.map(
    ([value, text]) => html`<option value="${value}"${value === chosen ? html` selected` : ''}>${text}</option>`,
  );
  return html`<label class="field">${label}<select name="${name}">${options}</select></label>`;
}
