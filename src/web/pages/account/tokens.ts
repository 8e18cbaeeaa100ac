/** Making tokens: the page for those of the API, and what it shares with the form for programs. */

import { makeToken, tokenDays } from '../../../auth/tokens.ts';
import { allScopes, type Scope } from '../../../contract/operations.ts';
import { dayMs } from '../../../durations.ts';
import { type Faults, fieldGroup, form, formActions, hasFaults, selectField, textField } from '../../kit/form.ts';
import { notice, unheadedPanel } from '../../kit/panel.ts';
import { attr, type Html, html } from '../../markup.ts';
import { connectionsPath, referencePath, tokensPath } from '../../paths.ts';
import { refusalText } from '../../request/fields.ts';
import type { MemberVisit, PageResult } from '../../request/visits.ts';
import { linkTo, type MessageKey, richWords, words } from '../../words/words.ts';
import { accountPage } from './frame.ts';

const longestName = 100;

/** Describes each scope, for members and for staff. */
const scopeTexts: Readonly<Record<Scope, readonly [member: MessageKey, staff: MessageKey]>> = {
  'problems:read': ['scope.problems', 'scope.problems'],
  'status:read': ['scope.statuses', 'scope.allStatuses'],
  'bookmarks:read': ['scope.bookmarks', 'scope.allBookmarks'],
  'records:read': ['scope.record', 'scope.allRecords'],
  'plants:delete': ['scope.plants', 'scope.allPlants'],
};
const shownScopes = Object.keys(scopeTexts) as Scope[];

/** Days by the value of the form's field. */
const lifetimes: Readonly<Record<string, number>> = Object.fromEntries(
  [7, 30, tokenDays.usual, tokenDays.longest].map((days) => [`${days}d`, days]),
);

export interface TokenForm {
  faults: Faults;
  values: { name: string; expires: string; scopes: readonly string[] };
}

export const emptyForm = (scopes: readonly string[]): TokenForm => ({
  faults: {},
  values: { name: '', expires: `${tokenDays.usual}d`, scopes },
});

/** Makes a token, which the page of connections shows once, or shows the form again. */
export async function submitToken(
  visit: MemberVisit,
  scopes: readonly string[],
  show: (visit: MemberVisit, form: TokenForm) => Promise<{ html: Html }>,
): Promise<PageResult> {
  const { store, form: input, member } = visit;
  const name = (input.get('name') ?? '').trim();
  const expires = input.get('expires') ?? '';
  const refuse = async (faults: Faults): Promise<PageResult> => ({
    ...(await show(visit, { faults, values: { name, expires, scopes } })),
    status: 422,
  });
  const days = Object.hasOwn(lifetimes, expires) ? lifetimes[expires] : undefined;
  const faults: Record<string, string> = {};
  if (name === '') faults['name'] = words('tokens.nameIt');
  else if (name.length > longestName) faults['name'] = words('form.atMost', { longest: longestName });
  else if (/\p{Cc}/u.test(name)) faults['name'] = words('form.unshowable');
  if (days === undefined) faults['expires'] = words('form.chooseOne');
  if (scopes.length === 0) faults['scope'] = words('tokens.chooseScope');
  if (hasFaults(faults) || days === undefined) return refuse(faults);
  try {
    const { token } = await makeToken(store, { userId: member.user_id, name, scopes, lifetimeMs: days * dayMs });
    return { to: connectionsPath, flash: token };
  } catch (error) {
    return refuse({ name: refusalText(error) });
  }
}

/** The fields of every token, around those that say what it may do. */
export function tokenForm(visit: MemberVisit, to: string, { faults, values }: TokenForm, mayDo: Html): Html {
  const choices = Object.entries(lifetimes).map(
    ([value, days]) => [value, words('tokens.lifetime', { days })] as const,
  );
  const fields = html`
    ${textField(words('planting.name'), 'name', faults, {
      value: values.name,
      longest: longestName,
      hint: words('tokens.nameHint'),
    })}
    ${mayDo}
    ${selectField(words('tokens.expires'), 'expires', choices, values.expires, { faults })}
    ${formActions(words('tokens.make'))}`;
  return html`
    ${hasFaults(faults) && notice('bad', words('tokens.notMade'))}
    ${form(visit, { to, className: 'form' }, fields)}`;
}

export const submitTokens = (visit: MemberVisit): Promise<PageResult> =>
  submitToken(
    visit,
    allScopes.filter((scope) => visit.form.getAll('scope').includes(scope)),
    showTokens,
  );

export async function showTokens(
  visit: MemberVisit,
  { faults, values }: TokenForm = emptyForm(['problems:read', 'status:read']),
): Promise<{ html: Html }> {
  const { member, site } = visit;
  const scopes = shownScopes.map(
    (scope) =>
      html`
        <li>
          <label class="tick">
            <input type="checkbox" name="scope" value="${scope}"${attr('checked', values.scopes.includes(scope))}>
            <code>${scope}</code>
            <span class="soft">${words(scopeTexts[scope][member.role === 'staff' ? 1 : 0])}</span>
          </label>
        </li>`,
  );
  const mayDo = fieldGroup(words('tokens.scopes'), 'scope', faults, html`<ul class="scope-list">${scopes}</ul>`);
  const crumbs = [[site.basePath + connectionsPath, words('connections.title')]] as const;
  return accountPage(
    visit,
    { section: 'connections/', title: words('tokens.new'), subtitle: words('tokens.sub'), crumbs },
    html`
      ${unheadedPanel({ label: words('tokens.new') }, tokenForm(visit, tokensPath, { faults, values }, mayDo))}
      <p class="faint">${richWords('tokens.howTo', { reference: linkTo(site.basePath + referencePath) })}</p>`,
  );
}
