/** The ways in which a member signs in: the password, passkeys, and accounts elsewhere that they join and remove. */

import { refused } from '../../../errors.ts';
import { removeAccount } from '../../../practice/sign-in-ways.ts';
import {
  listAccounts,
  listProviders,
  type OpenIdAccountsTable,
  type OpenIdProvidersTable,
} from '../../../store/openid.ts';
import { listPasskeys, type PasskeysTable } from '../../../store/passkeys.ts';
import { day, past } from '../../kit/dates.ts';
import { button, type Faults, form, hasFaults } from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { linkButton } from '../../kit/links.ts';
import { goForm } from '../../kit/openid-buttons.ts';
import { notice } from '../../kit/panel.ts';
import { attr, bdi, type Html, html } from '../../markup.ts';
import { accountPath, waysPath } from '../../paths.ts';
import { faultOf, field } from '../../road/fields.ts';
import type { Answer, MemberVisit } from '../../road/visits.ts';
import { richWords, type WordKey, words } from '../../words/words.ts';
import { accountPage, roomAfter } from './frame.ts';
import { aboutPasskey, addPanel, passkeyForms, placeOfVisit, takePasskeys, worksHere } from './passkeys.ts';
import { canConfirm } from './password.ts';

export async function showWays(visit: MemberVisit): Promise<Answer> {
  return { html: await waysPage(visit) };
}

export async function takeWays(visit: MemberVisit): Promise<Answer> {
  const { store, member } = visit;
  try {
    const done = await takePasskeys(visit);
    if (done) return 'faults' in done ? { html: await waysPage(visit, done.faults), status: done.status } : done;
    const key = field(visit.form, 'remove', 50);
    // PostgreSQL takes no text with a NUL.
    if (key.includes('\0')) throw refused('unknownItem.account');
    await removeAccount(store, member.user_id, key, placeOfVisit(visit));
    return { to: roomAfter('ways/', 'removed') };
  } catch (error) {
    return { html: await waysPage(visit, { form: faultOf(error) }), status: 422 };
  }
}

async function waysPage(visit: MemberVisit, faults: Faults = {}): Promise<Html> {
  const { store, member } = visit;
  const accounts = await listAccounts(store.reader, member.user_id);
  const passkeys = await listPasskeys(store.reader, member.user_id);
  const known = new Map(accounts.map((one) => [one.provider, one]));
  const providers = await listProviders(store.reader);
  const lines = providers
    .filter(({ key, admits }) => admits !== 'nobody' || known.has(key))
    .map((provider) => accountLine(visit, provider, known.get(provider.key)));
  return accountPage(
    visit,
    { room: 'ways/', sub: words('ways.sub'), styles: ['sign-in.css'], scripts: ['passkey.js'] },
    html`
      ${hasFaults(faults) && notice('bad', faults['form'] ?? words('passkeys.notAdded'))}
      <ul class="panel tokens">
        ${await passwordLine(visit)}${passkeys.map((passkey) => passkeyLine(visit, passkey))}${lines}
      </ul>
      ${await addPanel(visit, passkeys.length, faults)}`,
  );
}

function passkeyLine(visit: MemberVisit, passkey: PasskeysTable): Html {
  const { id, name, host } = passkey;
  const about = html` data-passkey-id="${id}"`;
  const isUsable = worksHere(visit, host);
  return line(about, bdi(name), isUsable, aboutPasskey(visit, passkey), passkeyForms(visit, passkey), 'passkeys.mark');
}

/** `about` is the attribute that names the way. */
function line(
  about: Html,
  name: Html | string,
  isUsable: boolean,
  text: Html | string,
  way: Html | false,
  marked: WordKey = 'ways.joined',
): Html {
  const mark = isUsable && html` <span class="tag good">${icon('check')}${words(marked)}</span>`;
  return html`
    <li class="token way"${about}>
      <div>
        <h2>${name}${mark}</h2>
        <p class="faint small">${text}</p>
      </div>
      ${way}
    </li>`;
}

async function passwordLine(visit: MemberVisit): Promise<Html> {
  const has = await canConfirm(visit);
  const text = has ? richWords('ways.password', { name: bdi(visit.member.username) }) : words('password.none');
  const change = html`
    <p>
      ${linkButton(`${visit.site.basePath}${accountPath}password/`, words('password.change'), { kind: 'small' })}
    </p>`;
  return line(html` data-way="password"`, words('door.password'), has, text, has && change);
}

function accountLine(
  visit: MemberVisit,
  { key, name: given, admits }: OpenIdProvidersTable,
  account: OpenIdAccountsTable | undefined,
): Html {
  const name = bdi(given);
  const about = html` data-way="${key}"${attr('data-joined', account !== undefined)}`;
  if (!account) {
    const join = goForm(visit, key, 'join', button(richWords('ways.join', { name }), 'small'));
    return line(about, name, false, richWords('ways.joinText', { name }), join);
  }
  const isOpen = admits !== 'nobody';
  const label = bdi(account.label ?? words('ways.unnamed'));
  const used = { label, day: day(account.joined_at), used: past(account.used_at) };
  const text = html`${richWords('ways.account', used)}${!isOpen && html` ${words('ways.off')}`}`;
  const remove = button(richWords('ways.remove', { name }), 'small danger', ['remove', key]);
  return line(about, name, isOpen, text, form(visit, { to: waysPath }, remove));
}
