/** The page where everybody chooses the colours, signed in or not; members have the same form in their menu. */
import { frame } from '../../kit/frame.ts';
import { sentTheme, themeForm } from '../../kit/theme.ts';
import { html } from '../../markup.ts';
import { appearancePath } from '../../paths.ts';
import { ownPath } from '../../road/fields.ts';
import type { PageRoute } from '../../road/visits.ts';
import { words } from '../../words/words.ts';

export const appearancePage: PageRoute = {
  path: appearancePath,
  isInDemo: true,
  show: async (visit) => {
    const title = words('appearance.title');
    const from = visit.cameFrom === appearancePath ? '/' : visit.cameFrom;
    const content = html`
      <div class="card">
        <h1>${title}</h1>
        ${themeForm(visit, { from })}
        <p class="faint small">${words('appearance.where')}</p>
      </div>`;
    return { html: frame(visit, { title, kind: 'p-entry', isUnlisted: true }, content) };
  },
  change: async ({ site, form, cameFrom }) => ({
    to: form.has('from') ? ownPath(site, form.get('from')) : cameFrom,
    theme: sentTheme(form),
  }),
};
