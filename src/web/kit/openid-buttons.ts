/**
 * The addresses of signing in elsewhere, and the buttons that lead there from the pages where people sign in or join.
 */

import { listProviders, type OpenIdVisitsTable } from '../../store/openid.ts';
import { bdi, type Html, html } from '../markup.ts';
import { returnPath } from '../paths.ts';
import type { Visit } from '../road/visits.ts';
import { richWords, words } from '../words/words.ts';
import { form, hiddenInputs } from './form.ts';
import { icon } from './icons.ts';

export type Purpose = OpenIdVisitsTable['purpose'];

/** Signing in elsewhere may have a purpose: to become a member by an invitation, or to join the group at `then`. */
interface Besides {
  invitation?: string;
  joinsGroup?: boolean;
}

const buttonText = (name: string, joinsGroup = false) => {
  const text = richWords(joinsGroup ? 'openid.joinWith' : 'openid.signInWith', { name: bdi(name) });
  return html`${icon('people')}<span>${text}</span>`;
};

/** A button for each provider that lets anybody in; nothing where there is none. */
async function places(
  { store }: Visit,
  button: (provider: { key: string; name: string }) => Html,
  hidden: Html | '' = '',
): Promise<Html | string> {
  const open = (await listProviders(store.reader)).filter(({ admits }) => admits !== 'nobody');
  if (open.length === 0) return '';
  return html`<p class="or">${words('openid.or')}</p>${hidden}<div class="places">${open.map(button)}</div>`;
}

/** A button for each place where people can sign in, below the form with the password. */
export function providerButtons(visit: Visit, then: string, { invitation, joinsGroup = false }: Besides = {}) {
  const more = {
    then,
    ...(invitation !== undefined && { invitation }),
    ...(joinsGroup && { joins_group: 'true' }),
  };
  return places(visit, ({ key, name }) => {
    const go = html`<button class="button wide place">${buttonText(name, joinsGroup)}</button>`;
    return goForm(visit, key, 'sign-in', go, more);
  });
}

/** The same as buttons of a form that has the field `invitation`, for a page that joins a group. */
export function invitedButtons(visit: Visit, then: string) {
  const button = ({ key, name }: { key: string; name: string }) => html`
    <button class="button wide place" formaction="${visit.site.basePath}${returnPath(key)}" formnovalidate>
      ${buttonText(name, true)}
    </button>`;
  return places(visit, button, hiddenInputs(Object.entries({ then, joins_group: 'true' })));
}

export function goForm(
  visit: Visit,
  key: string,
  purpose: Purpose,
  content: Html,
  more: Readonly<Record<string, string>> = {},
): Html {
  return form(visit, { to: returnPath(key), hidden: { purpose, ...more } }, content);
}
