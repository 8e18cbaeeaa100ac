/** Form fields. */
import { attr, type Html, html } from '../markup.ts';
import { type IconName, icon } from './icons.ts';

/** Error messages by the name of the field. */
export type Faults = Readonly<Record<string, string>>;

export const hasFaults = (faults: Faults) => Object.keys(faults).length > 0;

export interface FormContext {
  site: { basePath: string };
  antiForgery: Html;
}

interface FormOptions {
  /** The form's action, below the base path. */
  to: string;
  id?: string | undefined;
  className?: string | undefined;
  /** Says the purpose of the form where no heading does. */
  label?: string | undefined;
  hidden?: Readonly<Record<string, string | bigint>>;
  hasFile?: boolean;
}

export function form(
  { site, antiForgery }: FormContext,
  { to, id, className, label, hidden = {}, hasFile = false }: FormOptions,
  content: Html,
): Html {
  const attributes = html`${attr('id', id)}${attr('class', className)}${attr('aria-label', label)}`;
  const files = hasFile && html` enctype="multipart/form-data"`;
  return html`
    <form${attributes} method="post"${files} action="${site.basePath}${to}">
      ${antiForgery}
      ${hiddenInputs(Object.entries(hidden))}
      ${content}
    </form>`;
}

export function hiddenInputs(pairs: Iterable<readonly [name: string, value: string | bigint]>): Html {
  return html`${[...pairs].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}

/** `name` and `value` say which button of a form was pressed; `kind` has CSS classes. */
export function button(
  text: Html | string,
  kind = '',
  [name, value]: readonly [name?: string, value?: string | bigint] = [],
  symbol?: IconName,
): Html {
  const label = symbol ? html`${icon(symbol)}<span>${text}</span>` : text;
  const classes = html`class="button${kind && ` ${kind}`}"`;
  return html`<button ${classes}${attr('name', name)}${attr('value', value)}>${label}</button>`;
}

export function actions(...content: (Html | false)[]): Html {
  return html`<div class="actions">${content}</div>`;
}

export function formActions(label: string, more: Html | false = false): Html {
  return actions(button(label, 'primary'), more);
}

interface FieldOptions {
  hint?: Html | string | undefined;
  faults?: Faults;
}

function field(label: string, name: string, { hint, faults = {} }: FieldOptions, control: (aria: Html) => Html): Html {
  const fault = faults[name];
  const ids = [hint ? `${name}-hint` : '', fault ? `${name}-fault` : ''].filter(Boolean).join(' ');
  const aria = html`
    ${attr('aria-describedby', ids || undefined)}
    ${attr('aria-invalid', fault && 'true')}${attr('autofocus', fault !== undefined)}`;
  return html`
    <label class="field">
      ${label}
      ${control(aria)}
      ${hint && html`<span class="faint" id="${name}-hint">${hint}</span>`}
      ${faultLine(name, fault)}
    </label>`;
}

const faultLine = (name: string, fault: string | undefined) =>
  fault && html`<span class="fault" id="${name}-fault">${fault}</span>`;

export function fieldGroup(question: string, name: string, faults: Faults, content: Html): Html {
  const fault = faults[name];
  return html`
    <fieldset class="field"${attr('aria-describedby', fault && `${name}-fault`)}>
      <legend>${question}</legend>
      ${content}
      ${faultLine(name, fault)}
    </fieldset>`;
}

interface TextOptions {
  type?: 'text' | 'password' | 'email' | 'tel' | 'date' | 'time' | 'number' | 'url';
  autocomplete?: string;
  value?: string;
  hint?: Html | string | undefined;
  longest?: number | undefined;
  isOptional?: boolean;
  hasFocus?: boolean;
  list?: string;
  more?: Readonly<Record<string, string | number>>;
}

export function textField(label: string, name: string, faults: Faults, options: TextOptions = {}): Html {
  const { type = 'text', autocomplete = 'off', value = '', hint, longest, list, more = {} } = options;
  const isUsername = name === 'username';
  const attributes = html`
    ${attr('required', !options.isOptional)}${attr('maxlength', longest)}${attr('list', list)}
    ${attr('autocapitalize', isUsername && 'off')}${attr('spellcheck', (isUsername || list !== undefined) && 'false')}
    ${Object.entries(more).map(([key, text]) => attr(key, text))}`;
  const hasFocus = options.hasFocus && faults[name] === undefined;
  return field(
    label,
    name,
    { hint, faults },
    (aria) => html`
      <input
        type="${type}" name="${name}" value="${type === 'password' ? '' : value}"
        autocomplete="${autocomplete}"${attributes}${aria}${attr('autofocus', hasFocus)}
      >`,
  );
}

interface AreaOptions extends FieldOptions {
  value: string;
  rows: number;
  placeholder?: string;
  isOptional?: boolean;
}

export function textArea(label: string, name: string, options: AreaOptions): Html {
  const { value, rows, placeholder, isOptional = false } = options;
  // Browsers drop the first line break of a textarea.
  const text = `\n${value}`;
  const attributes = html`${attr('placeholder', placeholder)}${attr('required', !isOptional)}`;
  return field(
    label,
    name,
    options,
    (aria) => html`<textarea name="${name}" rows="${rows}" spellcheck="false"${attributes}${aria}>${text}</textarea>`,
  );
}

export function fileField(label: string, options: FieldOptions & { accepts?: string } = {}): Html {
  const accepts = attr('accept', options.accepts);
  return field(label, 'file', options, (aria) => html`<input type="file" name="file"${accepts} required${aria}>`);
}

type Choices = readonly (readonly [value: string, text: string | Choices])[];

export function selectField(
  label: string,
  name: string,
  choices: Choices,
  selected: string,
  options: FieldOptions & { isRequired?: boolean } = {},
): Html {
  const all = optionsOf(choices, selected);
  const required = attr('required', options.isRequired);
  return field(label, name, options, (aria) => html`<select name="${name}"${required}${aria}>${all}</select>`);
}

export function optionsOf(choices: Choices, selected: string): Html {
  return html`${choices.map(([value, text]) =>
    typeof text === 'string'
      ? html`<option value="${value}"${attr('selected', value === selected)}>${text}</option>`
      : html`<optgroup label="${value}">${optionsOf(text, selected)}</optgroup>`,
  )}`;
}

export function radioButton(
  name: string,
  value: string | bigint,
  text: Html,
  isChosen: boolean,
  state?: 'required' | 'disabled' | false,
): Html {
  return html`
    <label class="choice">
      <input type="radio" name="${name}" value="${value}"${state && attr(state, true)}${attr('checked', isChosen)}>
      <span>${text}</span>
    </label>`;
}

export function checkbox(label: Html | string, name: string, isOn: boolean, isRequired = false): Html {
  const attributes = html`${attr('checked', isOn)}${attr('required', isRequired)}`;
  return html`
    <label class="tick">
      <input type="checkbox" name="${name}" value="true" autocomplete="off"${attributes}>
      <span>${label}</span>
    </label>`;
}
