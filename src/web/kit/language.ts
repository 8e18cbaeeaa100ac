/** The form that chooses a language. */
import { readLanguage, setLanguage } from '../../practice/preferences.ts';
import type { Store } from '../../store/store.ts';
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

/** What is read without a browser, such as a calendar, has the language that the member's browser preferred. */
export async function saveShownLanguage(store: Store, memberId: bigint): Promise<void> {
  if ((await readLanguage(store.reader, memberId)) === undefined)
    await setLanguage(store, memberId, currentViewer().language.tag);
}
