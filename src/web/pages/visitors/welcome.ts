/** The first page for people who are not signed in: what this website is. */

import { judgeNames } from '../../../judges/judges.ts';
import { hasMembers } from '../../../store/members.ts';
import { frame } from '../../kit/frame.ts';
import { type IconName, icon, illustration } from '../../kit/icons.ts';
import { linkButton } from '../../kit/links.ts';
import { notice } from '../../kit/panel.ts';
import { type Html, html } from '../../markup.ts';
import { referencePath } from '../../paths.ts';
import type { PageRoute, Visit } from '../../request/visits.ts';
import { commaList } from '../../words/formats.ts';
import { linkTo, richWords, words } from '../../words/words.ts';
import { demoSignInForm } from './demo.ts';

export const welcomePage: PageRoute = {
  path: '/',
  get: async (visit) =>
    visit.member ? { to: '/dashboard/' } : { html: welcome(visit, await hasMembers(visit.store.reader)) },
};

const reasons = (): readonly (readonly [IconName, string, string])[] => [
  ['list', words('welcome.oneList'), words('welcome.oneListText', { judges: commaList(judgeNames) })],
  ['undo', words('welcome.wayBack'), words('welcome.wayBackText')],
  ['lock', words('welcome.yours'), words('welcome.yoursText')],
];

function welcome(visit: Visit, hasAccounts: boolean): Html {
  const { basePath } = visit.site;
  const card = (path: string, name: string, text: string) =>
    html`<li><a class="panel" href="${basePath}${path}"><b>${name}</b><span>${text}</span></a></li>`;
  return frame(
    visit,
    { title: words('welcome.title'), kind: 'p-welcome', isPlain: true, styles: ['welcome.css'] },
    html`
      <div class="hero">
        ${illustration('seedlings')}
        <h1>${words('page.name')}</h1>
        ${visit.query.get('done') === 'deleted' && notice('good', words('deletion.done'))}
        <p class="lead">${words('welcome.lead')}</p>
        ${
          visit.website.isDemo
            ? demoSignInForm(visit)
            : html`
              <div class="actions">
                ${linkButton(`${basePath}/authentication/sign-in/`, words('welcome.signIn'), { kind: 'primary' })}
              </div>
              <p class="faint small">${words(hasAccounts ? 'welcome.noAccount' : 'welcome.nobody')}</p>`
        }
      </div>
      <ul class="reasons">
        ${reasons().map(
          ([name, heading, text]) =>
            html`<li>${icon(name)}<div><h2>${heading}</h2><p class="soft">${text}</p></div></li>`,
        )}
      </ul>
      <section class="for-programs">
        <h2>${words('welcome.programs')}</h2>
        <p class="soft">
          ${richWords('welcome.programsText', {
            json: linkTo(`${basePath}/openapi.json`),
            yaml: linkTo(`${basePath}/openapi.yaml`),
            llms: linkTo(`${basePath}/llms.txt`),
          })}
        </p>
        <ul class="cards">
          ${card(referencePath, words('docs.reference'), words('welcome.referenceText'))}
          ${card('/docs/api/', words('docs.guide'), words('welcome.guideText'))}
          ${card('/docs/cli/', words('docs.commands'), words('welcome.commandsText'))}
        </ul>
      </section>`,
  );
}
