/** The form of one provider of OpenID Connect: its fields, and what may stand in them. */

import { openIdJudges } from '../../../judges/openid.ts';
import type { OpenIdProvidersTable } from '../../../store/openid-tables.ts';
import { leadsInside } from '../../../sync/public-hosts.ts';
import { type Faults, selectField, textField } from '../../kit/form.ts';
import { type Html, html } from '../../markup.ts';
import { returnPath } from '../../paths.ts';
import type { MemberVisit } from '../../road/visits.ts';
import { linkTo, richWords, words } from '../../words/words.ts';

/** Where the key of a provider stands in the address of its page, for one that has none yet. */
export const newKey = 'new';

type Admits = OpenIdProvidersTable['admits'];
interface Asked {
  key: string;
  found: OpenIdProvidersTable | undefined;
}

const admits: readonly (readonly [Admits, string])[] = [
  ['joined', words('providers.admits.joined')],
  ['everyone', words('providers.admits.everyone')],
  ['domain', words('providers.admits.domain')],
  ['claim', words('providers.admits.claim')],
  ['nobody', words('providers.admits.nobody')],
];

/** What stands in the fields at first. */
function valuesOf({ key, found }: Asked): Record<string, string> {
  const judge = openIdJudges.get(key);
  return {
    key: '',
    name: found?.name ?? judge?.name ?? '',
    issuer: '',
    client_id: found?.client_id ?? '',
    admits: found?.admits ?? (judge ? 'nobody' : 'joined'),
    domain: found?.admits === 'domain' ? found.wanted : '',
    claim: found?.admits === 'claim' ? found.claim : '',
    claim_value: found?.admits === 'claim' ? found.wanted : '',
    makes_members: found && found.makes_members !== 0n ? 'true' : '',
    name_claim: found?.name_claim ?? judge?.openId.claim ?? 'preferred_username',
  };
}

export function providerForm(
  visit: MemberVisit,
  { begin, faults, ...asked }: Asked & { begin: Html; faults: Faults },
): Html {
  const { site, form } = visit;
  const { key, found } = asked;
  const judge = openIdJudges.get(key);
  const first = valuesOf(asked);
  const isSent = Object.keys(faults).length > 0;
  const shownIn = (name: string) => (isSent ? (form.get(name) ?? '') : (first[name] ?? ''));
  const text = (name: 'name' | 'client_id' | 'domain' | 'claim' | 'claim_value' | 'name_claim', isOptional = false) =>
    textField(words(`providers.field.${name}`), name, faults, {
      value: shownIn(name),
      longest: 500,
      isOptional,
      hint: words(`providers.hint.${name}`),
    });
  const hint = (name: 'key' | 'issuer') => ({
    value: shownIn(name),
    longest: 300,
    hint: words(`providers.hint.${name}`),
  });
  const isNew = key === newKey;
  const address = html`<code>${site.baseUrl}${returnPath(isNew ? words('providers.yourKey') : key)}</code>`;
  const about = judge
    ? richWords('providers.judgeClient', {
        judge: judge.name,
        place: linkTo(judge.openId.registration),
        address: judge.openId.registration,
      })
    : words('providers.clientText');
  const fixed =
    found && !judge
      ? html`<p class="soft">${richWords('providers.at', { issuer: html`<code>${found.issuer}</code>` })}</p>`
      : '';
  return html`
    <p class="soft">${about}</p>
    <p class="soft" data-return>${address}</p>
    ${fixed}
    ${begin}
    <input type="hidden" name="seen" value="${found?.changed_at ?? ''}">
    ${
      isNew
        ? html`
          ${textField(words('providers.field.key'), 'key', faults, hint('key'))}
          ${textField(words('providers.field.issuer'), 'issuer', faults, hint('issuer'))}`
        : ''
    }
    ${text('name')}
    ${text('client_id')}
    ${textField(words('providers.secret'), 'client_secret', faults, {
      type: 'password',
      longest: 500,
      isOptional: found !== undefined,
      hint: words(found ? 'providers.secretKept' : 'providers.secretHint'),
    })}
    ${selectField(words('providers.admits'), 'admits', admits, shownIn('admits'))}
    ${text('domain', true)}
    ${text('claim', true)}
    ${text('claim_value', true)}
    <label class="tick">
      <input
        type="checkbox" name="makes_members" value="true"${shownIn('makes_members') === 'true' ? html` checked` : ''}
      >
      <span>${words('providers.makesMembers')}</span>
    </label>
    ${text('name_claim', true)}
    <div class="actions">
      <button class="button primary" name="act" value="save">${words('providers.save')}</button>
    </div>
    </form>`;
}

/** What was typed, as a row; or what is wrong with it. */
export async function readProvider(
  { form, website }: MemberVisit,
  { key: asked, found }: Asked,
): Promise<{ row?: OpenIdProvidersTable; faults: Faults }> {
  const text = (name: string) => (form.get(name) ?? '').trim();
  const judge = openIdJudges.get(asked);
  const isNew = asked === newKey;
  const faults: Record<string, string> = {};
  const need = (name: string, isGood: boolean, sentence: string) => {
    if (!isGood) faults[name] = sentence;
  };
  const key = isNew ? text('key') : asked;
  const issuer = isNew ? text('issuer') : (found?.issuer ?? judge?.openId.issuer ?? '');
  const chosen = admits.find(([value]) => value === text('admits'))?.[0];
  const secret = text('client_secret') || (found?.client_secret ?? '');
  const isKey = /^[a-z0-9](?:[a-z0-9-]{0,28}[a-z0-9])?$/.test(key) && key !== newKey;
  if (isNew) need('key', isKey && !openIdJudges.has(key), words('providers.badKey'));
  if (isNew) need('issuer', await isIssuer(issuer, website.privatePlaces), words('providers.badIssuer'));
  need('name', /^[^\p{C}]{1,40}$/u.test(text('name')), words('providers.badName'));
  need('client_id', isVisible(text('client_id')), words('providers.badClient'));
  need('client_secret', isVisible(secret), words('providers.badClient'));
  if (chosen === undefined) faults['form'] = words('form.chooseOne');
  if (chosen === 'domain')
    need('domain', /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(text('domain')), words('providers.badDomain'));
  if (chosen === 'claim') {
    need('claim', isClaim(text('claim')), words('providers.badClaim'));
    need('claim_value', /^[^\p{C}]{1,200}$/u.test(text('claim_value')), words('providers.badClaimValue'));
  }
  need('name_claim', isClaim(text('name_claim')), words('providers.badClaim'));
  if (Object.keys(faults).length > 0 || chosen === undefined) return { faults };
  const claim = { domain: 'email', claim: text('claim') }[chosen as string] ?? '';
  const wanted = { domain: text('domain').toLowerCase(), claim: text('claim_value') }[chosen as string] ?? '';
  const row = {
    ...{ key, issuer, claim, wanted, name: text('name'), admits: chosen },
    ...{ client_id: text('client_id'), client_secret: secret, name_claim: text('name_claim') },
    makes_members: form.get('makes_members') === 'true' ? 1n : 0n,
    changed_at: new Date().toISOString(),
  };
  return { row, faults };
}

const isVisible = (text: string) => /^[\x21-\x7e]{1,500}$/.test(text);
const isClaim = (text: string) => /^[\x21-\x7e]{1,100}$/.test(text);

/** An https address that leads to the outside, or one that the operator allows. */
async function isIssuer(text: string, inside: ReadonlySet<string>): Promise<boolean> {
  const url = text.length <= 300 ? URL.parse(text) : null;
  if (!url || [url.search, url.hash, url.username, url.password].some((part) => part !== '')) return false;
  return inside.has(url.origin) || (url.protocol === 'https:' && !(await leadsInside(url)));
}
