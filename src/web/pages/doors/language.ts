/** The page where somebody chooses the language of pages: a member for good, a visitor for this browser. */

import { refused } from '../../../errors.ts';
import { setLanguage } from '../../../practice/preferences.ts';
import { isLanguage, type LanguageTag, languageNames, languageTags } from '../../../words/languages.ts';
import { form } from '../../kit/form.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { icon } from '../../kit/icons.ts';
import { panel } from '../../kit/panel.ts';
import { type Html, html } from '../../markup.ts';
import { languagePath, translatingPath } from '../../paths.ts';
import { field, ownPath } from '../../road/fields.ts';
import type { Answer, PageRoute, Visit } from '../../road/visits.ts';
import { linkTo, richWords, words } from '../../words/words.ts';

export const languagePage: PageRoute = {
  path: languagePath,
  show: async (visit) => ({ html: languagesPage(visit) }),
  change: takeLanguage,
};

function languagesPage(visit: Visit): Html {
  const then = ownPath(visit.site, visit.query.get('then'));
  const choice = (tag: LanguageTag) => {
    const isCurrent = tag === visit.language.tag;
    return html`
      <button name="language" value="${tag}" lang="${tag}"${isCurrent && html` aria-current="true"`}>
        <span>${languageNames[tag]}</span>${isCurrent && icon('check')}
      </button>`;
  };
  const title = words('language.title');
  return frame(
    visit,
    { title, kind: 'p-language', styles: ['sign-in.css'] },
    html`
      ${pageHead(title, { sub: words(visit.member ? 'language.subMember' : 'language.subVisitor') })}
      ${panel(
        { id: 'languages', heading: words('language.choose') },
        form(visit, { to: languagePath, className: 'choices', hidden: { then } }, html`${languageTags.map(choice)}`),
      )}
      <p class="faint small">${richWords('language.read', { help: linkTo(visit.site.basePath + translatingPath) })}</p>`,
  );
}

async function takeLanguage({ store, site, member, form: sent }: Visit): Promise<Answer> {
  const language = field(sent, 'language', 20);
  if (!isLanguage(language)) throw refused('badSetting.language');
  if (member) await setLanguage(store, member.user_id, language);
  return { to: ownPath(site, sent.get('then')), language };
}
