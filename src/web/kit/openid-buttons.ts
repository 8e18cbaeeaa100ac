/** Buttons that sign in at an OpenID Connect provider. */

import { listProviders, type OpenIdVisitsTable } from '../../store/openid.ts';
import { bdi, type Html, html } from '../markup.ts';
import { openIdProviderPath } from '../paths.ts';
import type { Visit } from '../request/visits.ts';
import { richWords, words } from '../words/words.ts';
import { form, hiddenInputs } from './form.ts';
import { icon } from './icons.ts';

export type Purpose = OpenIdVisitsTable['purpose'];

interface SignInOptions {
  invitation?: string;
  joinsGroup?: boolean;
}

const buttonText = (name: string, joinsGroup = false) => {
  const text = richWords(joinsGroup ? 'openid.joinWith' : 'openid.signInWith', { name: bdi(name) });
  return html`${icon('people')}<span>${text}</span>`;
};

async function providerPanel(
  { store }: Visit,
  button: (provider: { key: string; name: string }) => Html,
  hidden: Html | '' = '',
): Promise<Html | string> {
  const providers = (await listProviders(store.reader)).filter(({ admits }) => admits !== 'nobody');
  if (providers.length === 0) return '';
  return html`<p class="or">${words('openid.or')}</p>${hidden}<div class="places">${providers.map(button)}</div>`;
}

/** Each button is a form of its own, below the form with the password. */
export function providerButtons(visit: Visit, then: string, { invitation, joinsGroup = false }: SignInOptions = {}) {
  const more = {
    then,
    ...(invitation !== undefined && { invitation }),
    ...(joinsGroup && { joins_group: 'true' }),
  };
  return providerPanel(visit, ({ key, name }) => {
    const submitButton = html`<button class="button wide place">${buttonText(name, joinsGroup)}</button>`;
    return providerForm(visit, key, 'sign-in', submitButton, more);
  });
}

/** The buttons belong to the form around them, which has the field `invitation`. */
export function invitedButtons(visit: Visit, then: string) {
  const button = ({ key, name }: { key: string; name: string }) => html`
    <button class="button wide place" formaction="${visit.site.basePath}${openIdProviderPath(key)}" formnovalidate>
      ${buttonText(name, true)}
    </button>`;
  return providerPanel(visit, button, hiddenInputs(Object.entries({ then, joins_group: 'true' })));
}

export function providerForm(
  visit: Visit,
  key: string,
  purpose: Purpose,
  content: Html,
  more: Readonly<Record<string, string>> = {},
): Html {
  return form(visit, { to: openIdProviderPath(key), hidden: { purpose, ...more } }, content);
}
