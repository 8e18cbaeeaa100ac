/** The settings of the member's language and of the colours in this browser. */
import { readPreferences } from '../../../practice/preferences.ts';
import { languageForm } from '../../kit/language.ts';
import { panel, unheadedPanel } from '../../kit/panel.ts';
import { switchForm } from '../../kit/problem-tabs.ts';
import { themeForm } from '../../kit/theme.ts';
import { html } from '../../markup.ts';
import type { MemberVisit, PageResult } from '../../request/visits.ts';
import { words } from '../../words/words.ts';
import { accountPage } from './frame.ts';

export async function showAppearance(visit: MemberVisit): Promise<PageResult> {
  const { hidesChances } = await readPreferences(visit.store.reader, visit.member.user_id);
  const content = html`
    <div class="stack">
      ${panel({ id: 'languages', heading: words('language.title') }, languageForm(visit, visit.path))}
      ${unheadedPanel(
        {},
        html`
          ${themeForm(visit)}
          <p class="faint small">${words('appearance.where')}</p>`,
      )}
      ${unheadedPanel(
        {},
        html`
          ${switchForm(visit, visit.path, [['hidesChances', words('chance.hide'), hidesChances]])}
          <p class="faint small">${words('chance.hideHint')}</p>`,
      )}
    </div>`;
  const subtitle = words('language.subMember');
  return accountPage(visit, { section: 'appearance/', subtitle, styles: ['sign-in.css'] }, content);
}
