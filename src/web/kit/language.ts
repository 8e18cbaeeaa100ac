/** The form that chooses a language. */
import { type LanguageTag, languageNames, languageTags } from '../../words/languages.ts';
import { type Html, html } from '../markup.ts';
import { languagePath } from '../paths.ts';
import { currentViewer } from '../words/viewer.ts';
import { type FormContext, form } from './form.ts';
import { icon } from './icons.ts';

/** Each language is named in itself. */
export function languageForm(visit: FormContext, from: string): Html {
  const { tag: current } = currentViewer().language;
  const choice = (tag: LanguageTag) => html`
    <button class="button" name="language" value="${tag}" lang="${tag}"${tag === current && html` aria-current="true"`}>
      <span>${languageNames[tag]}</span>${tag === current && icon('check')}
    </button>`;
  return form(visit, { to: languagePath, className: 'languages', hidden: { from } }, html`${languageTags.map(choice)}`);
}
