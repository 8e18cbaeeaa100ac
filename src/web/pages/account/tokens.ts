/** Tokens of a member: a new one is shown once, and each can be revoked. */

import { isWellFormedToken, makeToken, revokeToken, secretDigest, tokenDays } from '../../../auth/tokens.ts';
import { parseInt64 } from '../../../contract/common.ts';
import { allScopes, type Scope } from '../../../contract/operations.ts';
import { dayMs } from '../../../durations.ts';
import { localizedError } from '../../../errors.ts';
import { findCredentials, listTokens } from '../../../store/tokens.ts';
import { day, future, past } from '../../kit/dates.ts';
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
import { pageOfRows } from '../../kit/pager.ts';
import { emptyPanel, foldedPanel, listPanel, notice, panel, shownOnce } from '../../kit/panel.ts';
import { attr, bdi, type Html, html } from '../../markup.ts';
import { accountPath, referencePath } from '../../paths.ts';
import { faultOf, field, idIn } from '../../road/fields.ts';
import type { Answer, MemberVisit } from '../../road/visits.ts';
import { linkTo, type MessageKey, richWords, words } from '../../words/words.ts';
import { accountPage, roomAfter } from './frame.ts';

const tokensPath = `${accountPath}tokens/`;
const longestName = 100;
const soonMs = 7 * dayMs;

/** The things that each scope allows a member, and staff. */
const scopeWords: Readonly<Record<Scope, readonly [member: MessageKey, staff: MessageKey]>> = {
  'problems:read': ['scope.problems', 'scope.problems'],
  'status:read': ['scope.statuses', 'scope.allStatuses'],
  'bookmarks:read': ['scope.bookmarks', 'scope.allBookmarks'],
  'records:read': ['scope.record', 'scope.allRecords'],
  'plants:delete': ['scope.plants', 'scope.allPlants'],
};
const shownScopes = Object.keys(scopeWords) as Scope[];
const usualScopes: readonly Scope[] = ['problems:read', 'status:read'];

/** In days, by their names in the form. */
const lifetimes: Readonly<Record<string, number>> = Object.fromEntries(
  [7, 30, tokenDays.usual, tokenDays.longest].map((days) => [`${days}d`, days]),
);

type TokenRow = Awaited<ReturnType<typeof listTokens>>[number];

interface Asked {
  name: string;
  expires: string;
  scopes: readonly Scope[];
}

export async function takeTokens(visit: MemberVisit): Promise<Answer> {
  const { store, form: sent, member } = visit;
  if (sent.has('revoke')) {
    const id = idIn(field(sent, 'revoke', 30), parseInt64);
    if (await revokeToken(store, id, member.user_id)) return { to: roomAfter('tokens/', 'revoked') };
    throw localizedError('unknownItem.token');
  }
  const asked = {
    name: (sent.get('name') ?? '').trim(),
    expires: sent.get('expires') ?? '',
    scopes: allScopes.filter((scope) => sent.getAll('scope').includes(scope)),
  };
  const faults = faultsOf(asked);
  const days = lifetimes[asked.expires];
  if (hasFaults(faults) || days === undefined) return refuse(visit, faults, asked);
  const { name, scopes } = asked;
  const wanted = { userId: member.user_id, name, scopes, lifetimeMs: days * dayMs };
  try {
    const { token } = await makeToken(store, wanted);
    return { to: tokensPath, once: token };
  } catch (error) {
    return refuse(visit, { name: faultOf(error) }, asked);
  }
}

async function refuse(visit: MemberVisit, faults: Faults, asked: Asked): Promise<Answer> {
  return { ...(await showTokens(visit, faults, asked)), status: 422 };
}

function faultsOf({ name, expires, scopes }: Asked): Record<string, string> {
  const faults: Record<string, string> = {};
  if (name === '') faults['name'] = words('tokens.nameIt');
  else if (name.length > longestName) faults['name'] = words('form.atMost', { longest: longestName });
  else if (/\p{Cc}/u.test(name)) faults['name'] = words('form.unshowable');
  if (!Object.hasOwn(lifetimes, expires)) faults['expires'] = words('form.chooseOne');
  if (scopes.length === 0) faults['scope'] = words('tokens.chooseScope');
  return faults;
}

const isLive = ({ revoked_at, expires_at }: TokenRow) =>
  revoked_at === null && (expires_at === null || Date.parse(expires_at) > Date.now());

export async function showTokens(
  visit: MemberVisit,
  faults: Faults = {},
  asked: Asked = { name: '', expires: `${tokenDays.usual}d`, scopes: usualScopes },
): Promise<{ html: Html }> {
  const { store, member, site } = visit;
  const tokens = (await listTokens(store.reader, member.user_id)).toReversed();
  const live = tokens.filter(isLive);
  const over = tokens.filter((token) => !isLive(token));
  const former = pageOfRows(visit, tokensPath, over);
  const secret = visit.shownOnce();
  const made = secret === undefined ? undefined : await findOwn(visit, secret, live);
  const list =
    live.length > 0
      ? listPanel(
          { className: 'tokens' },
          live.map((token) => tokenLine(visit, token)),
        )
      : emptyPanel({ heading: words('tokens.none'), text: words('tokens.noneText') });
  return accountPage(
    visit,
    { room: 'tokens/', sub: words('tokens.sub') },
    html`
      ${made && secret && shownOnce(bdi(made.name), words('tokens.copyNow'), secret)}
      ${hasFaults(faults) && notice('bad', words('tokens.notMade'))}
      ${list}
      ${panel({ id: 'new', heading: words('tokens.new') }, newForm(visit, faults, asked))}
      ${
        over.length > 0 &&
        foldedPanel(
          html`${icon('down')}<span>${words('tokens.over', { count: over.length })}</span>`,
          html`
            <ul class="plain">${former.shown.map(overLine)}</ul>
            ${former.more}`,
          { className: 'former' },
        )
      }
      <p class="faint">${richWords('tokens.howTo', { reference: linkTo(site.basePath + referencePath) })}</p>`,
  );
}

/** The token that a cookie holds, if it is a live one of this member: anything else is not shown. */
async function findOwn({ store, member }: MemberVisit, secret: string, live: readonly TokenRow[]) {
  if (!isWellFormedToken(secret)) return undefined;
  const digest = secretDigest(secret);
  const found = await findCredentials(store.reader, digest.slice(0, digest.length / 2));
  const own = found.find((one) => one.digest === digest && one.user_id === member.user_id);
  return live.find(({ id }) => id === own?.id);
}

function tokenLine(visit: MemberVisit, { id, name, scopes, last_used_at, expires_at }: TokenRow): Html {
  const isSoon = expires_at !== null && Date.parse(expires_at) - Date.now() < soonMs;
  const used = last_used_at ? past(last_used_at) : html`<span class="faint">${words('time.never')}</span>`;
  const expires = expires_at ? future(expires_at) : words('time.never');
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
          <dd${attr('class', isSoon && 'late')}>${isSoon && icon('clock')}${expires}</dd>
        </div>
      </dl>
      ${form(visit, { to: tokensPath }, button(richWords('tokens.revoke', { name }), 'small danger', ['revoke', id]))}
    </li>`;
}

function overLine({ name, revoked_at, expires_at }: TokenRow): Html {
  const how = revoked_at
    ? richWords('tokens.revokedAt', { when: past(revoked_at) })
    : richWords('tokens.expiredAt', { when: day(expires_at ?? '') });
  return html`<li>${bdi(name)} <span class="faint">${how}</span></li>`;
}

function newForm(visit: MemberVisit, faults: Faults, asked: Asked): Html {
  const isStaff = visit.member.role === 'staff';
  const expiries = Object.entries(lifetimes).map(
    ([value, days]) => [value, words('tokens.lifetime', { days })] as const,
  );
  const scopes = shownScopes.map(
    (scope) =>
      html`
        <li>
          <label class="tick">
            <input type="checkbox" name="scope" value="${scope}"${attr('checked', asked.scopes.includes(scope))}>
            <code>${scope}</code>
            <span class="soft">${words(scopeWords[scope][isStaff ? 1 : 0])}</span>
          </label>
        </li>`,
  );
  const fields = html`
    ${textField(words('planting.name'), 'name', faults, {
      value: asked.name,
      longest: longestName,
      hint: words('tokens.nameHint'),
    })}
    ${selectField(words('tokens.expires'), 'expires', expiries, asked.expires, { faults })}
    ${fieldGroup(words('tokens.scopes'), 'scope', faults, html`<ul class="scope-list">${scopes}</ul>`)}
    ${formActions(words('tokens.make'))}`;
  return form(visit, { to: tokensPath, className: 'form' }, fields);
}
