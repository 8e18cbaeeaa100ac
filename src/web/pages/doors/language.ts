/** The page where somebody chooses the language of pages: a member for good, a visitor for this browser. */
import { refused } from '../../../errors.ts';
import { setLanguage } from '../../../practice/preferences.ts';
import { isLanguage } from '../../../words/languages.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { languageForm } from '../../kit/language.ts';
import { panel } from '../../kit/panel.ts';
import { html } from '../../markup.ts';
import { languagePath, translatingPath } from '../../paths.ts';
import { field, ownPath } from '../../road/fields.ts';
import type { Answer, PageRoute, Visit } from '../../road/visits.ts';
import { linkTo, richWords, words } from '../../words/words.ts';

export const languagePage: PageRoute = { path: languagePath, isInDemo: true, show, change };

async function show(visit: Visit): Promise<Answer> {
  const from = visit.cameFrom === languagePath ? '/' : visit.cameFrom;
  const title = words('language.title');
  const help = linkTo(visit.site.basePath + translatingPath);
  const content = html`
    ${pageHead(title, { sub: words(visit.member ? 'language.subMember' : 'language.subVisitor') })}
    ${panel({ id: 'languages', heading: words('language.choose') }, languageForm(visit, from))}
    <p class="faint small">${richWords('language.read', { help })}</p>`;
  return { html: frame(visit, { title, styles: ['sign-in.css'], isUnlisted: true }, content) };
}

async function change({ website, store, site, member, form }: Visit): Promise<Answer> {
  const language = field(form, 'language', 20);
  if (!isLanguage(language)) throw refused('badSetting.language');
  // In a demo many people are one member.
  if (member && !website.isDemo) await setLanguage(store, member.user_id, language);
  return { to: ownPath(site, form.get('from')), language };
}
