/** The pages where anybody chooses language and colours: cookies of this browser, except for a member's language. */
import { localizedError } from '../../../errors.ts';
import { setLanguage } from '../../../practice/preferences.ts';
import { isLanguage } from '../../../words/languages.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { languageForm } from '../../kit/language.ts';
import { panel } from '../../kit/panel.ts';
import { themeForm, themeIn } from '../../kit/theme.ts';
import { html } from '../../markup.ts';
import { appearancePath, languagePath, translatingPath } from '../../paths.ts';
import { fieldText, localPath } from '../../request/fields.ts';
import type { PageResult, PageRoute, Visit } from '../../request/visits.ts';
import { linkTo, richWords, words } from '../../words/words.ts';

export const languagePage: PageRoute = { path: languagePath, isInDemo: true, get: show, post: submitLanguage };

async function show(visit: Visit): Promise<PageResult> {
  const from = visit.previousPath === languagePath ? '/' : visit.previousPath;
  const title = words('language.title');
  const help = linkTo(visit.site.basePath + translatingPath);
  const content = html`
    ${pageHead(title, { sub: words(visit.member ? 'language.subMember' : 'language.subVisitor') })}
    ${panel({ id: 'languages', heading: words('language.choose') }, languageForm(visit, from))}
    <p class="faint small">${richWords('language.read', { help })}</p>`;
  return { html: frame(visit, { title, styles: ['sign-in.css'], isUnlisted: true }, content) };
}

async function submitLanguage({ website, store, site, member, form }: Visit): Promise<PageResult> {
  const language = fieldText(form, 'language', 20);
  if (!isLanguage(language)) throw localizedError('invalidValue.language');
  // In a demo, one member stands for all visitors.
  if (member && !website.isDemo) await setLanguage(store, member.user_id, language);
  return { to: localPath(site, form.get('from')), language };
}

export const appearancePage: PageRoute = {
  path: appearancePath,
  isInDemo: true,
  get: async (visit) => {
    const title = words('appearance.title');
    const from = visit.previousPath === appearancePath ? '/' : visit.previousPath;
    const content = html`
      <div class="card">
        <h1>${title}</h1>
        ${themeForm(visit, { from })}
        <p class="faint small">${words('appearance.where')}</p>
      </div>`;
    return { html: frame(visit, { title, kind: 'p-entry', isUnlisted: true }, content) };
  },
  post: async ({ site, form, previousPath }) => ({
    to: form.has('from') ? localPath(site, form.get('from')) : previousPath,
    theme: themeIn(form),
  }),
};
