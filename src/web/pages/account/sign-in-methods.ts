/** How a member signs in: the password, passkeys, and accounts at providers. */

import {
  addPasskey,
  optionsToAdd,
  passkeysAtMost,
  type RelyingParty,
  relyingPartyOf,
  renamePasskey,
} from '../../../auth/passkeys.ts';
import { parseInt64 } from '../../../contract/common.ts';
import { minuteMs } from '../../../durations.ts';
import { localizedError } from '../../../errors.ts';
import { removeAccount, removePasskey } from '../../../practice/sign-in-ways.ts';
import {
  listAccounts,
  listProviders,
  type OpenIdAccountsTable,
  type OpenIdProvidersTable,
} from '../../../store/openid.ts';
import { listPasskeys, type PasskeysTable } from '../../../store/passkeys.ts';
import { listSessions } from '../../../store/sessions.ts';
import { dateElement, timeAgo } from '../../kit/dates.ts';
import { button, type Faults, form, formActions, hasFaults, textField } from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { linkButton } from '../../kit/links.ts';
import { providerForm } from '../../kit/openid-buttons.ts';
import { listPanel, notice, panel } from '../../kit/panel.ts';
import { challengeIn, longestAnswer, passkeyStep } from '../../kit/passkeys.ts';
import { attr, bdi, type Html, html } from '../../markup.ts';
import { accountPath, signInMethodsPath } from '../../paths.ts';
import { fieldText, idIn, refusalText } from '../../request/fields.ts';
import type { MemberVisit, PageResult } from '../../request/visits.ts';
import { type MessageKey, richWords, words } from '../../words/words.ts';
import { accountPage, sectionAddress } from './frame.ts';
import { checkPassword, memberHasPassword } from './password.ts';
import { browserName } from './sessions.ts';

export async function submitSignInMethods(visit: MemberVisit): Promise<PageResult> {
  const { store, member } = visit;
  try {
    const answer = await changePasskeys(visit);
    if (answer) return answer;
    const key = fieldText(visit.form, 'remove', 50);
    // PostgreSQL refuses texts with NUL.
    if (key.includes('\0')) throw localizedError('unknownItem.account');
    await removeAccount(store, member.user_id, key, relyingPartyOfVisit(visit));
    return { to: sectionAddress('ways/', 'removed') };
  } catch (error) {
    return refuse(visit, { form: refusalText(error) });
  }
}

async function refuse(visit: MemberVisit, faults: Faults, status = 422): Promise<PageResult> {
  return { ...(await showSignInMethods(visit, faults)), status };
}

export async function showSignInMethods(visit: MemberVisit, faults: Faults = {}): Promise<{ html: Html }> {
  const { store, member } = visit;
  const accounts = await listAccounts(store.reader, member.user_id);
  const passkeys = await listPasskeys(store.reader, member.user_id);
  const accountOf = new Map(accounts.map((one) => [one.provider, one]));
  const providers = await listProviders(store.reader);
  const accountItems = providers
    .filter(({ key, admits }) => admits !== 'nobody' || accountOf.has(key))
    .map((provider) => accountItem(visit, provider, accountOf.get(provider.key)));
  return accountPage(
    visit,
    { section: 'ways/', subtitle: words('ways.sub'), styles: ['sign-in.css'], scripts: ['passkey.js'] },
    html`
      ${hasFaults(faults) && notice('bad', faults['form'] ?? words('passkeys.notAdded'))}
      ${listPanel({ className: 'tokens' }, [
        await passwordItem(visit),
        ...passkeys.map((passkey) => passkeyItem(visit, passkey)),
        ...accountItems,
      ])}
      ${await addPanel(visit, passkeys.length, faults)}`,
  );
}

function passkeyItem(visit: MemberVisit, passkey: PasskeysTable): Html {
  const { id, name, host } = passkey;
  const attribute = html` data-passkey-id="${id}"`;
  const tagText = worksHere(visit, host) && 'passkeys.mark';
  return methodItem(attribute, bdi(name), tagText, passkeyText(visit, passkey), passkeyForms(visit, passkey));
}

/** `attribute` identifies the method; `tagText` is beside the name of a method that can be used. */
function methodItem(
  attribute: Html,
  name: Html | string,
  tagText: MessageKey | false,
  text: Html | string,
  controls: Html | false,
): Html {
  const tag = tagText && html` <span class="tag good">${icon('check')}${words(tagText)}</span>`;
  return html`
    <li class="token way"${attribute}>
      <div>
        <h2>${name}${tag}</h2>
        <p class="faint small">${text}</p>
      </div>
      ${controls}
    </li>`;
}

async function passwordItem(visit: MemberVisit): Promise<Html> {
  const hasPassword = await memberHasPassword(visit);
  const text = hasPassword ? richWords('ways.password', { name: bdi(visit.member.username) }) : words('password.none');
  const change = html`
    <p>
      ${linkButton(`${visit.site.basePath}${accountPath}password/`, words('password.change'), { kind: 'small' })}
    </p>`;
  return methodItem(
    html` data-way="password"`,
    words('door.password'),
    hasPassword && 'ways.joined',
    text,
    hasPassword && change,
  );
}

function accountItem(
  visit: MemberVisit,
  { key, name: providerName, admits }: OpenIdProvidersTable,
  account: OpenIdAccountsTable | undefined,
): Html {
  const name = bdi(providerName);
  const attribute = html` data-way="${key}"${attr('data-joined', account !== undefined)}`;
  if (!account) {
    const join = providerForm(visit, key, 'join', button(richWords('ways.join', { name }), 'small'));
    return methodItem(attribute, name, false, richWords('ways.joinText', { name }), join);
  }
  const isOpen = admits !== 'nobody';
  const label = bdi(account.label ?? words('ways.unnamed'));
  const figures = { label, day: dateElement(account.joined_at), used: timeAgo(account.used_at) };
  const text = html`${richWords('ways.account', figures)}${!isOpen && html` ${words('ways.off')}`}`;
  const remove = button(richWords('ways.remove', { name }), 'small danger', ['remove', key]);
  return methodItem(attribute, name, isOpen && 'ways.joined', text, form(visit, { to: signInMethodsPath }, remove));
}

/* Passkeys */

const longestName = 100;
/** A member without a password must have signed in within this time to add a passkey. */
const recentSignInMinutes = 15;

const relyingPartyOfVisit = ({ site }: MemberVisit) => relyingPartyOf(site.baseUrl);

/** Undefined for a form that is not about passkeys. Throws invalidValue and unknownItem. */
async function changePasskeys(visit: MemberVisit): Promise<PageResult | undefined> {
  const { store, form: input, member } = visit;
  const id = (name: string) => idIn(fieldText(input, name, 30), parseInt64);
  if (input.has('remove_passkey')) {
    await removePasskey(store, member.user_id, id('remove_passkey'), relyingPartyOfVisit(visit));
    return { to: sectionAddress('ways/', 'passkeyRemoved') };
  }
  const name = (input.get('name') ?? '').trim();
  const fault = nameFault(name);
  if (input.has('rename')) {
    if (fault !== undefined) return refuse(visit, { form: fault });
    await renamePasskey(store, member.user_id, id('rename'), name);
    return { to: sectionAddress('ways/', 'passkeyRenamed') };
  }
  const relyingParty = relyingPartyOfVisit(visit);
  if (!relyingParty || !input.has('answer')) return undefined;
  const answer = (input.get('answer') ?? '').slice(0, longestAnswer);
  if (fault !== undefined) return refuse(visit, { name: fault });
  if (answer === '') return beginPasskey(visit, relyingParty, name);
  const attempt = { challenge: challengeIn(input), browsers: visit.browserHashes };
  await addPasskey(store, relyingParty, { userId: member.user_id, name, ...attempt }, answer);
  return { to: sectionAddress('ways/', 'passkeyAdded') };
}

function nameFault(name: string): string | undefined {
  if (name === '') return words('passkeys.nameIt');
  if (name.length > longestName) return words('form.atMost', { longest: longestName });
  return /\p{Cc}/u.test(name) ? words('form.unshowable') : undefined;
}

async function beginPasskey(visit: MemberVisit, relyingParty: RelyingParty, name: string): Promise<PageResult> {
  if (await memberHasPassword(visit)) {
    const { faults, status } = await checkPassword(visit, 'password');
    if (hasFaults(faults)) return refuse(visit, faults, status);
  } else if (!(await hasSignedInRecently(visit)))
    return refuse(visit, { form: words('passkeys.stale', { minutes: recentSignInMinutes }) });
  await visit.website.throttle.beginOpenId(visit.client.network);
  const options = await optionsToAdd(visit.store, relyingParty, visit.member, visit.browserHashes);
  const step = passkeyStep(visit, { to: signInMethodsPath, operation: 'make', options, hidden: { name } });
  const back = html`<p><a href="${visit.site.basePath}${signInMethodsPath}">${words('openid.back.join')}</a></p>`;
  return accountPage(
    visit,
    { section: 'ways/', title: words('passkeys.add'), subtitle: bdi(name), scripts: ['passkey.js'] },
    html`${panel({ id: 'make', heading: words('passkeys.make') }, step)}${back}`,
  );
}

async function hasSignedInRecently({ store, member }: MemberVisit): Promise<boolean> {
  const now = Date.now();
  const sessions = await listSessions(store.reader, member.user_id, new Date(now).toISOString());
  const session = sessions.find(({ id }) => id === member.id);
  return session !== undefined && Date.parse(session.created_at) + recentSignInMinutes * minuteMs > now;
}

function passkeyText(visit: MemberVisit, { host, made_at, used_at }: PasskeysTable): Html {
  const createdOn = dateElement(made_at);
  const use =
    used_at === null
      ? richWords('passkeys.unused', { day: createdOn })
      : richWords('passkeys.used', { day: createdOn, used: timeAgo(used_at) });
  return worksHere(visit, host) ? use : html`${use} ${words('passkeys.otherHost', { host })}`;
}

const worksHere = (visit: MemberVisit, host: string) => relyingPartyOfVisit(visit)?.host === host;

function passkeyForms(visit: MemberVisit, { id, name }: PasskeysTable): Html {
  const rename = html`
    ${textField(words('passkeys.newName'), 'name', {}, { value: name, longest: longestName })}
    ${formActions(words('profile.save'))}`;
  return html`
    <div class="passkey-acts">
      ${form(
        visit,
        { to: signInMethodsPath },
        button(richWords('passkeys.remove', { name }), 'small danger', ['remove_passkey', id]),
      )}
      <details class="skipped">
        <summary>${richWords('passkeys.rename', { name })}</summary>
        ${form(visit, { to: signInMethodsPath, className: 'form', hidden: { rename: id } }, rename)}
      </details>
    </div>`;
}

async function addPanel(visit: MemberVisit, count: number, faults: Faults): Promise<Html> {
  const { site, form: input, client } = visit;
  const content = async (): Promise<Html> => {
    if (!relyingPartyOfVisit(visit))
      return html`<p>${richWords('passkeys.noPlace', { address: bdi(site.baseUrl) })}</p>`;
    if (count >= passkeysAtMost) return html`<p>${words('invalidValue.passkeys', { most: passkeysAtMost })}</p>`;
    const hasPassword = await memberHasPassword(visit);
    if (!hasPassword && !(await hasSignedInRecently(visit)))
      return html`<p>${words('passkeys.stale', { minutes: recentSignInMinutes })}</p>`;
    const value = input.has('answer') ? (input.get('name') ?? '') : browserName(client.browser);
    const password = { type: 'password', autocomplete: 'current-password', longest: 1000 } as const;
    const fields = html`
      ${textField(words('planting.name'), 'name', faults, {
        value,
        longest: longestName,
        hint: words('passkeys.nameHint'),
      })}
      ${hasPassword && textField(words('password.old'), 'password', faults, password)}
      ${formActions(words('passkeys.continue'))}`;
    return html`
      <p data-without-passkeys>${words('passkeys.missing')}</p>
      <div data-with-passkeys hidden>
        ${form(visit, { to: signInMethodsPath, className: 'form', hidden: { answer: '' } }, fields)}
      </div>`;
  };
  return panel(
    { id: 'add', heading: words('passkeys.add') },
    html`<p class="soft">${words('passkeys.text')}</p>${await content()}`,
  );
}
