/** The tokens of a member: a new one is shown once, and each can be revoked. */

import { kindOfToken, makeToken, revokeToken, secretDigest, tokenDays } from '../../../auth/tokens.ts';
import { parseInt64 } from '../../../contract/common.ts';
import { allScopes, type Scope } from '../../../contract/operations.ts';
import type { ProgramScope } from '../../../contract/programs/operations.ts';
import { dayMs } from '../../../durations.ts';
import { localizedError } from '../../../errors.ts';
import { findCredentials, listTokens } from '../../../store/tokens.ts';
import { dateElement, futureDate, timeAgo } from '../../kit/dates.ts';
import {
  button,
  type Faults,
  fieldGroup,
  form,
  formActions,
  hasFaults,
  selectField,
  textField,
} from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { offsetPage } from '../../kit/pager.ts';
import { collapsiblePanel, emptyPanel, listPanel, notice, panel, secretNotice } from '../../kit/panel.ts';
import { attr, bdi, type Html, html } from '../../markup.ts';
import { accountPath, referencePath } from '../../paths.ts';
import { fieldText, idIn, refusalText } from '../../request/fields.ts';
import type { MemberVisit, PageResult } from '../../request/visits.ts';
import { linkTo, type MessageKey, richWords, words } from '../../words/words.ts';
import { accountPage, sectionAddress } from './frame.ts';

const tokensPath = `${accountPath}tokens/`;
const longestName = 100;
const expiresSoonMs = 7 * dayMs;

/** Describes each scope, for members and for staff. */
type ShownScope = Scope | Exclude<ProgramScope, 'practice:code'>;

const scopeTexts: Readonly<Record<ShownScope, readonly [member: MessageKey, staff: MessageKey]>> = {
  'problems:read': ['scope.problems', 'scope.problems'],
  'status:read': ['scope.statuses', 'scope.allStatuses'],
  'bookmarks:read': ['scope.bookmarks', 'scope.allBookmarks'],
  'records:read': ['scope.record', 'scope.allRecords'],
  'plants:delete': ['scope.plants', 'scope.allPlants'],
  'practice:read': ['scope.practiceRead', 'scope.practiceRead'],
  'practice:mark': ['scope.practiceMark', 'scope.practiceMark'],
};
const shownScopes = Object.keys(scopeTexts) as ShownScope[];
const storedScopes: readonly ShownScope[] = [...allScopes, 'practice:read', 'practice:mark'];
const defaultScopes: readonly ShownScope[] = ['problems:read', 'status:read'];

/** Days by the value of the form's field. */
const lifetimes: Readonly<Record<string, number>> = Object.fromEntries(
  [7, 30, tokenDays.usual, tokenDays.longest].map((days) => [`${days}d`, days]),
);

type TokenRow = Awaited<ReturnType<typeof listTokens>>[number];

interface TokenValues {
  name: string;
  expires: string;
  scopes: readonly ShownScope[];
}

export async function submitTokens(visit: MemberVisit): Promise<PageResult> {
  const { store, form: input, member } = visit;
  if (input.has('revoke')) {
    const id = idIn(fieldText(input, 'revoke', 30), parseInt64);
    if (await revokeToken(store, id, member.user_id)) return { to: sectionAddress('tokens/', 'revoked') };
    throw localizedError('unknownItem.token');
  }
  const values = {
    name: (input.get('name') ?? '').trim(),
    expires: input.get('expires') ?? '',
    scopes: storedScopes.filter((scope) => input.getAll('scope').includes(scope)),
  };
  const faults = faultsOf(values);
  const days = lifetimes[values.expires];
  if (hasFaults(faults) || days === undefined) return refuse(visit, faults, values);
  const { name, scopes } = values;
  const options = { userId: member.user_id, name, scopes, lifetimeMs: days * dayMs };
  try {
    const { token } = await makeToken(store, options);
    return { to: tokensPath, flash: token };
  } catch (error) {
    return refuse(visit, { name: refusalText(error) }, values);
  }
}

async function refuse(visit: MemberVisit, faults: Faults, values: TokenValues): Promise<PageResult> {
  return { ...(await showTokens(visit, faults, values)), status: 422 };
}

function faultsOf({ name, expires, scopes }: TokenValues): Record<string, string> {
  const faults: Record<string, string> = {};
  if (name === '') faults['name'] = words('tokens.nameIt');
  else if (name.length > longestName) faults['name'] = words('form.atMost', { longest: longestName });
  else if (/\p{Cc}/u.test(name)) faults['name'] = words('form.unshowable');
  if (!Object.hasOwn(lifetimes, expires)) faults['expires'] = words('form.chooseOne');
  if (scopes.length === 0) faults['scope'] = words('tokens.chooseScope');
  return faults;
}

const isActive = ({ revoked_at, expires_at }: TokenRow) =>
  revoked_at === null && (expires_at === null || Date.parse(expires_at) > Date.now());

export async function showTokens(
  visit: MemberVisit,
  faults: Faults = {},
  values: TokenValues = { name: '', expires: `${tokenDays.usual}d`, scopes: defaultScopes },
): Promise<{ html: Html }> {
  const { store, member, site } = visit;
  const tokens = (await listTokens(store.reader, member.user_id)).toReversed();
  const active = tokens.filter(isActive);
  const inactive = tokens.filter((token) => !isActive(token));
  const inactivePage = offsetPage(visit, tokensPath, inactive);
  const secret = visit.readFlash();
  const newToken = secret === undefined ? undefined : await findNewToken(visit, secret, active);
  const activeList =
    active.length > 0
      ? listPanel(
          { className: 'tokens' },
          active.map((token) => tokenItem(visit, token)),
        )
      : emptyPanel({ heading: words('tokens.none'), text: words('tokens.noneText') });
  return accountPage(
    visit,
    { section: 'tokens/', subtitle: words('tokens.sub') },
    html`
      ${newToken && secret && secretNotice(bdi(newToken.name), words('tokens.copyNow'), secret)}
      ${hasFaults(faults) && notice('bad', words('tokens.notMade'))}
      ${activeList}
      ${panel({ id: 'new', heading: words('tokens.new') }, newTokenForm(visit, faults, values))}
      ${
        inactive.length > 0 &&
        collapsiblePanel(
          html`${icon('down')}<span>${words('tokens.over', { count: inactive.length })}</span>`,
          html`
            <ul class="plain">${inactivePage.shown.map(inactiveItem)}</ul>
            ${inactivePage.more}`,
          { className: 'former' },
        )
      }
      <p class="faint">${richWords('tokens.howTo', { reference: linkTo(site.basePath + referencePath) })}</p>`,
  );
}

/** The token with the secret of the flash cookie, if it is active and belongs to this member. */
async function findNewToken({ store, member }: MemberVisit, secret: string, active: readonly TokenRow[]) {
  if (kindOfToken(secret) === undefined) return undefined;
  const digest = secretDigest(secret);
  const matches = await findCredentials(store.reader, digest.slice(0, digest.length / 2));
  const own = matches.find((one) => one.digest === digest && one.user_id === member.user_id);
  return active.find(({ id }) => id === own?.id);
}

function tokenItem(visit: MemberVisit, { id, name, scopes, last_used_at, expires_at }: TokenRow): Html {
  const expiresSoon = expires_at !== null && Date.parse(expires_at) - Date.now() < expiresSoonMs;
  const used = last_used_at ? timeAgo(last_used_at) : html`<span class="faint">${words('time.never')}</span>`;
  const expires = expires_at ? futureDate(expires_at) : words('time.never');
  return html`
    <li class="token" data-token="${id}">
      <div>
        <h2>${bdi(name)}</h2>
        <p class="scopes">${scopes.split(' ').map((scope) => html`<code>${scope}</code>`)}</p>
      </div>
      <dl>
        <div><dt>${words('tokens.lastUsed')}</dt><dd>${used}</dd></div>
        <div>
          <dt>${words('tokens.expires')}</dt>
          <dd${attr('class', expiresSoon && 'late')}>${expiresSoon && icon('clock')}${expires}</dd>
        </div>
      </dl>
      ${form(visit, { to: tokensPath }, button(richWords('tokens.revoke', { name }), 'small danger', ['revoke', id]))}
    </li>`;
}

function inactiveItem({ name, revoked_at, expires_at }: TokenRow): Html {
  const reason = revoked_at
    ? richWords('tokens.revokedAt', { when: timeAgo(revoked_at) })
    : richWords('tokens.expiredAt', { when: dateElement(expires_at ?? '') });
  return html`<li>${bdi(name)} <span class="faint">${reason}</span></li>`;
}

function newTokenForm(visit: MemberVisit, faults: Faults, values: TokenValues): Html {
  const isStaff = visit.member.role === 'staff';
  const lifetimeOptions = Object.entries(lifetimes).map(
    ([value, days]) => [value, words('tokens.lifetime', { days })] as const,
  );
  const scopes = shownScopes.map(
    (scope) =>
      html`
        <li>
          <label class="tick">
            <input type="checkbox" name="scope" value="${scope}"${attr('checked', values.scopes.includes(scope))}>
            <code>${scope}</code>
            <span class="soft">${words(scopeTexts[scope][isStaff ? 1 : 0])}</span>
          </label>
        </li>`,
  );
  const fields = html`
    ${textField(words('planting.name'), 'name', faults, {
      value: values.name,
      longest: longestName,
      hint: words('tokens.nameHint'),
    })}
    ${selectField(words('tokens.expires'), 'expires', lifetimeOptions, values.expires, { faults })}
    ${fieldGroup(words('tokens.scopes'), 'scope', faults, html`<ul class="scope-list">${scopes}</ul>`)}
    ${formActions(words('tokens.make'))}`;
  return form(visit, { to: tokensPath, className: 'form' }, fields);
}
