/** The OpenID Connect providers with which people may sign in: their list, and a page for each. */

import { relyingPartyOf } from '../../../auth/passkeys.ts';
import { AppError, localizedError } from '../../../errors.ts';
import { resolvesToPrivateHost } from '../../../jobs/public-hosts.ts';
import { openIdJudges } from '../../../judges/judges.ts';
import { changeProvider, removeProvider } from '../../../practice/openid.ts';
import { asStaff } from '../../../practice/staff.ts';
import { countAccounts, findProvider, listProviders, type OpenIdProvidersTable } from '../../../store/openid.ts';
import { actions, button, checkbox, type Faults, form, hasFaults, selectField, textField } from '../../kit/form.ts';
import { linkButton } from '../../kit/links.ts';
import { faultNotice, panel } from '../../kit/panel.ts';
import { bdi, type Html, html } from '../../markup.ts';
import { openIdProviderPath, staffPath } from '../../paths.ts';
import { fieldText, refusalText } from '../../request/fields.ts';
import { openIdClientOf } from '../../request/openid-client.ts';
import { type MemberVisit, type PageResult, type PageRoute, pageNotFound } from '../../request/visits.ts';
import { linkTo, localizeText, richWords, words } from '../../words/words.ts';
import { donePath, staffPage } from './frame.ts';
import { providerColumns } from './log.ts';

/** Stands for the key of a provider in the address of the page that adds one. */
const newKey = 'new';

type Admits = OpenIdProvidersTable['admits'];

type TextName = 'key' | 'issuer' | 'name' | 'client_id' | 'domain' | 'claim' | 'claim_value' | 'name_claim';

/** What a page shows: a provider, a judge that is not set up yet, or a new provider. */
interface ProviderPage {
  key: string;
  provider: OpenIdProvidersTable | undefined;
}

const admits = (): readonly (readonly [Admits, string])[] => [
  ['joined', words('providers.admits.joined')],
  ['everyone', words('providers.admits.everyone')],
  ['domain', words('providers.admits.domain')],
  ['claim', words('providers.admits.claim')],
  ['nobody', words('providers.admits.nobody')],
];

function valuesOf({ key, provider }: ProviderPage): Record<string, string> {
  const judge = openIdJudges.get(key);
  return {
    key: '',
    name: provider?.name ?? judge?.name ?? '',
    issuer: '',
    client_id: provider?.client_id ?? '',
    admits: provider?.admits ?? (judge ? 'nobody' : 'joined'),
    domain: provider?.admits === 'domain' ? provider.wanted : '',
    claim: provider?.admits === 'claim' ? provider.claim : '',
    claim_value: provider?.admits === 'claim' ? provider.wanted : '',
    makes_members: provider && provider.makes_members !== 0n ? 'true' : '',
    name_claim: provider?.name_claim ?? judge?.openId.claim ?? 'preferred_username',
  };
}

function providerForm(visit: MemberVisit, target: ProviderPage, faults: Faults): Html {
  const { site } = visit;
  const { key, provider } = target;
  const judge = openIdJudges.get(key);
  const stored = valuesOf(target);
  const valueIn = (name: string) => (hasFaults(faults) ? visit.form.get(name) : stored[name]) ?? '';
  const text = (name: TextName, { isOptional = false, longest = 500 } = {}) =>
    textField(words(`providers.field.${name}`), name, faults, {
      value: valueIn(name),
      longest,
      isOptional,
      hint: words(`providers.hint.${name}`),
    });
  const isOptional = true;
  const isNew = key === newKey;
  const address = html`<code>${site.baseUrl}${openIdProviderPath(isNew ? words('providers.yourKey') : key)}</code>`;
  const clientText = judge
    ? richWords('providers.judgeClient', {
        judge: judge.name,
        place: linkTo(judge.openId.registrationUrl),
        address: judge.openId.registrationUrl,
      })
    : words('providers.clientText');
  const issuerLine =
    provider && !judge
      ? html`<p class="soft">${richWords('providers.at', { issuer: html`<code>${provider.issuer}</code>` })}</p>`
      : '';
  const fields = html`
    ${isNew && html`${text('key', { longest: 300 })}${text('issuer', { longest: 300 })}`}
    ${text('name')}
    ${text('client_id')}
    ${textField(words('providers.secret'), 'client_secret', faults, {
      type: 'password',
      longest: 500,
      isOptional: provider !== undefined,
      hint: words(provider ? 'providers.secretKept' : 'providers.secretHint'),
    })}
    ${selectField(words('providers.admits'), 'admits', admits(), valueIn('admits'))}
    ${text('domain', { isOptional })}
    ${text('claim', { isOptional })}
    ${text('claim_value', { isOptional })}
    ${checkbox(
      words('providers.makesMembers', { joined: words('providers.admits.joined') }),
      'makes_members',
      valueIn('makes_members') === 'true',
    )}
    ${text('name_claim', { isOptional })}
    ${actions(button(words('providers.save'), 'primary', ['act', 'save']))}`;
  return html`
    <p class="soft">${clientText}</p>
    <p class="soft" data-return>${address}</p>
    ${issuerLine}
    ${form(visit, { to: visit.path, className: 'form', hidden: { seen: provider?.changed_at ?? '' } }, fields)}`;
}

async function readProvider(
  { form, website }: MemberVisit,
  { key: pageKey, provider }: ProviderPage,
): Promise<{ row?: OpenIdProvidersTable; faults: Faults }> {
  const text = (name: string) => (form.get(name) ?? '').trim();
  const judge = openIdJudges.get(pageKey);
  const isNew = pageKey === newKey;
  const faults: Record<string, string> = {};
  const check = (name: string, isValid: boolean, sentence: string) => {
    if (!isValid) faults[name] = sentence;
  };
  const key = isNew ? text('key') : pageKey;
  const issuer = isNew ? text('issuer') : (provider?.issuer ?? judge?.openId.issuer ?? '');
  const selected = admits().find(([value]) => value === text('admits'))?.[0];
  const secret = text('client_secret') || (provider?.client_secret ?? '');
  const isKey = /^[a-z0-9](?:[a-z0-9-]{0,28}[a-z0-9])?$/.test(key) && key !== newKey;
  if (isNew) check('key', isKey && !openIdJudges.has(key), words('providers.badKey'));
  if (isNew) check('issuer', await isAllowedIssuer(issuer, website.privateOrigins), words('providers.badIssuer'));
  check('name', /^[^\p{C}]{1,40}$/u.test(text('name')), words('providers.badName'));
  check('client_id', isVisible(text('client_id')), words('providers.badClient'));
  check('client_secret', isVisible(secret), words('providers.badClient'));
  if (selected === undefined) faults['form'] = words('form.chooseOne');
  if (selected === 'domain')
    check('domain', /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(text('domain')), words('providers.badDomain'));
  if (selected === 'claim') {
    check('claim', isClaim(text('claim')), words('providers.badClaim'));
    check('claim_value', /^[^\p{C}]{1,200}$/u.test(text('claim_value')), words('providers.badClaimValue'));
  }
  check('name_claim', isClaim(text('name_claim')), words('providers.badClaim'));
  if (hasFaults(faults) || selected === undefined) return { faults };
  const claim = { domain: 'email', claim: text('claim') }[selected as string] ?? '';
  const expected = { domain: text('domain').toLowerCase(), claim: text('claim_value') }[selected as string] ?? '';
  const row = {
    key,
    issuer,
    claim,
    wanted: expected,
    name: text('name'),
    admits: selected,
    client_id: text('client_id'),
    client_secret: secret,
    name_claim: text('name_claim'),
    makes_members: form.get('makes_members') === 'true' ? 1n : 0n,
    changed_at: new Date().toISOString(),
  };
  return { row, faults };
}

const isVisible = (text: string) => /^[\x21-\x7e]{1,500}$/.test(text);
const isClaim = (text: string) => /^[\x21-\x7e]{1,100}$/.test(text);

/** Public https addresses, and origins that the operator allows. */
async function isAllowedIssuer(text: string, allowedOrigins: ReadonlySet<string>): Promise<boolean> {
  const url = text.length <= 300 ? URL.parse(text) : null;
  if (!url || [url.search, url.hash, url.username, url.password].some((part) => part !== '')) return false;
  return allowedOrigins.has(url.origin) || (url.protocol === 'https:' && !(await resolvesToPrivateHost(url)));
}

const path = `${staffPath}providers/`;

export const providersPage: PageRoute<MemberVisit> = { path, isUncached: true, get: showAll };
export const providerPage: PageRoute<MemberVisit> = {
  path: `${path}:key/`,
  isUncached: true,
  get: async (visit) => showProvider(visit, await findProviderPage(visit)),
  post: submit,
};

async function showAll(visit: MemberVisit): Promise<PageResult> {
  const { reader } = visit.store;
  const { basePath } = visit.site;
  const providers = await listProviders(reader);
  const providerItem = (key: string, name: Html, state: string, text: Html | string, label: Html) =>
    html`
      <li class="file" data-provider="${key}">
        <div><h3>${name}</h3><p class="soft small">${state}</p><p class="faint small">${text}</p></div>
        <div class="actions">${linkButton(`${basePath}${path}${key}/`, label, { kind: 'small' })}</div>
      </li>`;
  const lines = await Promise.all(
    providers.map(async (one) => {
      const { all } = await countAccounts(reader, one.key, undefined);
      const name = bdi(one.name);
      const text = richWords('providers.line', { issuer: html`<code>${one.issuer}</code>`, all });
      return providerItem(one.key, name, stateOf(one), text, richWords('providers.change', { name }));
    }),
  );
  const missingJudges = [...openIdJudges].flatMap(([source, judge]) => {
    if (providers.some(({ key }) => key === source)) return [];
    const name = bdi(judge.name);
    const setUp = richWords('providers.setUp', { name });
    return [providerItem(source, name, words('providers.judge'), words('providers.judgeText'), setUp)];
  });
  const add = linkButton(`${basePath}${path}${newKey}/`, words('providers.add'), { kind: 'primary' });
  const docs = linkTo(`${basePath}/docs/operations/#signing-in-with-a-school-or-a-club`);
  return staffPage(
    visit,
    { section: 'providers/', sub: words('providers.sub'), actions: add },
    html`
      ${panel(
        { id: 'places', heading: words('providers.places') },
        html`<ul class="files">${lines}${missingJudges}</ul>`,
      )}
      <p class="faint">${richWords('providers.password', { how: docs })}</p>`,
  );
}

function stateOf(provider: OpenIdProvidersTable): string {
  const { admits, makes_members } = provider;
  const isNew = makes_members !== 0n && admits !== 'nobody' && admits !== 'joined';
  return isNew ? `${admittedText(provider)} ${words('providers.makes')}` : admittedText(provider);
}

function admittedText({ admits, claim, wanted }: OpenIdProvidersTable): string {
  if (admits === 'domain') return words('providers.whoseDomain', { wanted });
  if (admits === 'claim') return words('providers.whoseClaim', { claim, wanted });
  return words(`providers.who.${admits}`);
}

async function findProviderPage({ store, params, path: address }: MemberVisit): Promise<ProviderPage> {
  const { key = '' } = params;
  const provider = /^[a-z0-9-]{1,40}$/.test(key) ? await findProvider(store.reader, key) : undefined;
  if (!provider && key !== newKey && !openIdJudges.has(key)) throw pageNotFound(address);
  return { key, provider };
}

async function showProvider(
  visit: MemberVisit,
  { key, provider }: ProviderPage,
  faults: Faults = {},
): Promise<{ html: Html }> {
  const title = provider?.name ?? openIdJudges.get(key)?.name ?? words('providers.add');
  const counts = provider && (await countAccounts(visit.store.reader, key, relyingPartyOf(visit.site.baseUrl)?.host));
  const removal =
    counts &&
    html`
      <p class="soft">
        ${words('providers.removeText', { all: counts.all })} ${
          counts.all === 0n ? '' : words('providers.onlyWay', { only: counts.only })
        }
      </p>
      ${actions(button(words('providers.removeIt'), 'danger', ['act', 'remove']))}`;
  const heading = words('providers.remove');
  return staffPage(
    visit,
    { title, section: 'providers/' },
    html`
      ${faultNotice(faults['form'])}
      ${panel({ id: 'client', heading: words('providers.client') }, providerForm(visit, { key, provider }, faults))}
      ${removal && panel({ id: 'remove', heading }, form(visit, { to: visit.path, className: 'form' }, removal))}`,
  );
}

function changedColumns(before: OpenIdProvidersTable, after: OpenIdProvidersTable): string[] {
  const columns = Object.keys(providerColumns) as (keyof typeof providerColumns)[];
  return columns.filter((column) => before[column] !== after[column]);
}

async function submit(visit: MemberVisit): Promise<PageResult> {
  const { store, form } = visit;
  const target = await findProviderPage(visit);
  const { key, provider } = target;
  const refuse = async (faults: Faults) => ({ ...(await showProvider(visit, target, faults)), status: 422 });
  if (fieldText(form, 'act', 20) === 'remove') {
    if (!provider) return refuse({});
    await asStaff(visit, (tx) => removeProvider(tx, key), `provider-removed ${key}`);
    return { to: donePath(path, 'provider-removed') };
  }
  const { row, faults } = await readProvider(visit, target);
  if (!row) return refuse(faults);
  if (!provider) {
    if (await findProvider(store.reader, row.key)) return refuse({ key: words('providers.keyTaken') });
    // A wrong address fails here, before members meet it.
    try {
      const { checkProvider } = await import('../../../jobs/openid.ts');
      await checkProvider(openIdClientOf(visit, row, 'set-up'));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return refuse({ form: localizeText(error) });
    }
  }
  try {
    await asStaff(
      visit,
      async (tx) => {
        const isSaved = await changeProvider(tx, row, provider ? fieldText(form, 'seen', 40) : '');
        if (!isSaved) throw localizedError('invalidValue.providerOvertaken');
      },
      provider
        ? `provider-changed ${[row.key, ...changedColumns(provider, row)].join(' ')}`
        : `provider-saved ${row.key}`,
    );
    return { to: donePath(path, 'provider-saved') };
  } catch (error) {
    return refuse({ form: refusalText(error) });
  }
}
