/** Parts of forms: fields with their hints and what is wrong with them. */
import { attr, type Html, html } from '../markup.ts';
import { type IconName, icon } from './icons.ts';

/** The faults of a form, by the name of the field. */
export type Faults = Readonly<Record<string, string>>;

export const hasFaults = (faults: Faults) => Object.keys(faults).length > 0;

/** The parts of a visit that every form needs. */
export interface Post {
  site: { basePath: string };
  antiForgery: Html;
}

interface FormOptions {
  /** Below the base path. */
  to: string;
  id?: string | undefined;
  className?: string | undefined;
  /** Says the purpose of the form where no heading does. */
  label?: string | undefined;
  /** Hidden fields, such as the version that the page showed. */
  hidden?: Readonly<Record<string, string | bigint>>;
  hasFile?: boolean;
}

export function form(
  { site, antiForgery }: Post,
  { to, id, className, label, hidden = {}, hasFile = false }: FormOptions,
  content: Html,
): Html {
  const named = html`${attr('id', id)}${attr('class', className)}${attr('aria-label', label)}`;
  const files = hasFile && html` enctype="multipart/form-data"`;
  return html`
    <form${named} method="post"${files} action="${site.basePath}${to}">
      ${antiForgery}
      ${hiddenInputs(Object.entries(hidden))}
      ${content}
    </form>`;
}

/** Fields that are sent along unseen, such as the rest of a query. */
export function hiddenInputs(pairs: Iterable<readonly [name: string, value: string | bigint]>): Html {
  return html`${[...pairs].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}

/** A button that sends its form, with a field and its value where the form has several. */
export function button(
  text: Html | string,
  kind = '',
  [name, value]: readonly [name?: string, value?: string | bigint] = [],
  symbol?: IconName,
): Html {
  const label = symbol ? html`${icon(symbol)}<span>${text}</span>` : text;
  const look = html`class="button${kind && ` ${kind}`}"`;
  return html`<button ${look}${attr('name', name)}${attr('value', value)}>${label}</button>`;
}

/** The buttons at the end of a form, or of a panel. */
export function actions(...content: (Html | false)[]): Html {
  return html`<div class="actions">${content}</div>`;
}

/** The button that does what a form is for, and further ones. */
export function formActions(label: string, more: Html | false = false): Html {
  return actions(button(label, 'primary'), more);
}

interface FieldOptions {
  hint?: Html | string | undefined;
  faults?: Faults;
}

/** The label, its control, a hint, and what is wrong, which is read out with the control. */
function field(label: string, name: string, { hint, faults = {} }: FieldOptions, control: (about: Html) => Html): Html {
  const fault = faults[name];
  const ids = [hint ? `${name}-hint` : '', fault ? `${name}-fault` : ''].filter(Boolean).join(' ');
  const about = html`
    ${attr('aria-describedby', ids || undefined)}
    ${attr('aria-invalid', fault && 'true')}${attr('autofocus', fault !== undefined)}`;
  return html`
    <label class="field">
      ${label}
      ${control(about)}
      ${hint && html`<span class="faint" id="${name}-hint">${hint}</span>`}
      ${faultLine(name, fault)}
    </label>`;
}

const faultLine = (name: string, fault: string | undefined) =>
  fault && html`<span class="fault" id="${name}-fault">${fault}</span>`;

/** Fields of one question; what is wrong with them together stands below the last. */
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
  /** The most characters that a browser lets people type. */
  longest?: number | undefined;
  isOptional?: boolean;
  hasFocus?: boolean;
  /** The id of a datalist. */
  list?: string;
  /** Further attributes by their names. */
  more?: Readonly<Record<string, string | number>>;
}

/** A labelled field; a fault stands below it and is read out with it. */
export function textField(label: string, name: string, faults: Faults, options: TextOptions = {}): Html {
  const { type = 'text', autocomplete = 'off', value = '', hint, longest, list, more = {} } = options;
  const isName = name === 'username';
  const own = html`
    ${attr('required', !options.isOptional)}${attr('maxlength', longest)}${attr('list', list)}
    ${attr('autocapitalize', isName && 'off')}${attr('spellcheck', (isName || list !== undefined) && 'false')}
    ${Object.entries(more).map(([key, text]) => attr(key, text))}`;
  const hasFocus = options.hasFocus && faults[name] === undefined;
  return field(
    label,
    name,
    { hint, faults },
    (about) => html`
      <input
        type="${type}" name="${name}" value="${type === 'password' ? '' : value}"
        autocomplete="${autocomplete}"${own}${about}${attr('autofocus', hasFocus)}
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
  // The browser leaves out the first end of line, and shows all others.
  const text = `\n${value}`;
  const own = html`${attr('placeholder', placeholder)}${attr('required', !isOptional)}`;
  return field(
    label,
    name,
    options,
    (about) => html`<textarea name="${name}" rows="${rows}" spellcheck="false"${own}${about}>${text}</textarea>`,
  );
}

export function fileField(label: string, options: FieldOptions & { accepts?: string } = {}): Html {
  const accepts = attr('accept', options.accepts);
  return field(label, 'file', options, (about) => html`<input type="file" name="file"${accepts} required${about}>`);
}

/** The values of a choice with their texts, or the label of a group with those in it. */
type Choices = readonly (readonly [value: string, text: string | Choices])[];

/** A labelled choice of one of some values. */
export function selectField(
  label: string,
  name: string,
  choices: Choices,
  chosen: string,
  options: FieldOptions & { isRequired?: boolean } = {},
): Html {
  const all = optionsOf(choices, chosen);
  const required = attr('required', options.isRequired);
  return field(label, name, options, (about) => html`<select name="${name}"${required}${about}>${all}</select>`);
}

export function optionsOf(choices: Choices, chosen: string): Html {
  return html`${choices.map(([value, text]) =>
    typeof text === 'string'
      ? html`<option value="${value}"${attr('selected', value === chosen)}>${text}</option>`
      : html`<optgroup label="${value}">${optionsOf(text, chosen)}</optgroup>`,
  )}`;
}

/** One of several choices that are explained, of which one must be made where `isRequired`. */
export function choice(name: string, value: string | bigint, text: Html, isChosen: boolean, isRequired = false): Html {
  return html`
    <label class="choice">
      <input
        type="radio" name="${name}" value="${value}"${attr('required', isRequired)}${attr('checked', isChosen)}
      >
      <span>${text}</span>
    </label>`;
}

/** A labelled box to tick; where it `isRequired`, a browser sends its form only with a tick. */
export function tick(label: Html | string, name: string, isOn: boolean, isRequired = false): Html {
  const own = html`${attr('checked', isOn)}${attr('required', isRequired)}`;
  return html`
    <label class="tick">
      <input type="checkbox" name="${name}" value="true" autocomplete="off"${own}>
      <span>${label}</span>
    </label>`;
}
