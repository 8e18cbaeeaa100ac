/** A public demo: visitors are signed in as the demo member, and forms change nothing. */

import { signInToDemo } from '../../../auth/sign-in.ts';
import { sampleUsername } from '../../../importing/sample.ts';
import { findMemberByName } from '../../../store/members.ts';
import { button, form } from '../../kit/form.ts';
import { frame } from '../../kit/frame.ts';
import { linkButton } from '../../kit/links.ts';
import { type Html, html } from '../../markup.ts';
import { demoPath } from '../../paths.ts';
import { localPath } from '../../request/fields.ts';
import { type PageResult, type PageRoute, pageNotFound, type Visit } from '../../request/visits.ts';
import { words } from '../../words/words.ts';

/** Anybody can sign in as the demo member, at a limited rate for each network. */
export const demoSignInPage: PageRoute = {
  path: demoPath,
  isInDemo: true,
  post: async ({ website, store, site, path, form: input, client }) => {
    const demo = await findMemberByName(store.reader, sampleUsername);
    if (!website.isDemo || demo?.is_sample !== 1n) throw pageNotFound(path);
    await website.throttle.beginDemo(client.network);
    return { to: localPath(site, input.get('then')), session: await signInToDemo(store, demo.id) };
  },
};

export function demoSignInForm(visit: Visit, then = '/'): Html {
  return html`
    ${form(visit, { to: demoPath, className: 'form', hidden: { then } }, button(words('welcome.look'), 'primary'))}
    <p class="faint small">${words('welcome.demo')}</p>`;
}

/** Refuses all forms, except those that change only what the visitor's own browser stores. */
export function refuseForms<V extends Visit>(routes: readonly PageRoute<V>[]): PageRoute<V>[] {
  return routes.map((route) => (route.post && !route.isInDemo ? { ...route, post: refuseForm } : route));
}

async function refuseForm(visit: Visit): Promise<PageResult> {
  const title = words('demo.title');
  const back = linkButton(visit.site.basePath + visit.previousPath, words('demo.back'), { kind: 'primary' });
  const content = html`
    <div class="card">
      <h1>${title}</h1>
      <p class="soft">${words('demo.text')}</p>
      <div class="actions">${back}</div>
    </div>`;
  return { html: frame(visit, { title, kind: 'p-entry', isUnlisted: true }, content), status: 403 };
}
