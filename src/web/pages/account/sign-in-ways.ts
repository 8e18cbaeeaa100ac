/** The ways in which a member signs in: the password, and accounts elsewhere that they join and remove. */

import { removeAccount } from '../../../practice/openid.ts';
import {
  listAccounts,
  listProviders,
  type OpenIdAccountsTable,
  type OpenIdProvidersTable,
} from '../../../store/openid.ts';
import { day, past } from '../../kit/dates.ts';
import { button, form } from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { linkButton } from '../../kit/links.ts';
import { goForm } from '../../kit/openid-buttons.ts';
import { notice } from '../../kit/panel.ts';
import { attr, bdi, type Html, html } from '../../markup.ts';
import { accountPath } from '../../paths.ts';
import { faultOf, field } from '../../road/fields.ts';
import type { Answer, MemberVisit } from '../../road/visits.ts';
import { richWords, words } from '../../words/words.ts';
import { accountPage, roomAfter } from './frame.ts';
import { canConfirm } from './password.ts';

const waysPath = `${accountPath}ways/`;

export async function showWays(visit: MemberVisit): Promise<Answer> {
  return { html: await waysPage(visit) };
}

export async function takeWays(visit: MemberVisit): Promise<Answer> {
  const { store, member } = visit;
  const key = field(visit.form, 'remove', 50);
  // PostgreSQL takes no text with a NUL.
  if (key.includes('\0')) return { html: await waysPage(visit, words('ways.unknown')), status: 422 };
  try {
    await removeAccount(store, member.user_id, key);
    return { to: roomAfter('ways/', 'removed') };
  } catch (error) {
    return { html: await waysPage(visit, faultOf(error)), status: 422 };
  }
}

async function waysPage(visit: MemberVisit, fault?: string): Promise<Html> {
  const { store, member } = visit;
  const accounts = await listAccounts(store.reader, member.user_id);
  const known = new Map(accounts.map((one) => [one.provider, one]));
  const providers = await listProviders(store.reader);
  const lines = providers
    .filter(({ key, admits }) => admits !== 'nobody' || known.has(key))
    .map((provider) => accountLine(visit, provider, known.get(provider.key)));
  return accountPage(
    visit,
    { room: 'ways/', sub: words('ways.sub'), styles: ['sign-in.css'] },
    html`
      ${fault !== undefined && notice('bad', fault)}
      <ul class="panel tokens">${await passwordLine(visit)}${lines}</ul>
      ${lines.length === 0 && html`<p class="faint">${words('ways.none')}</p>`}`,
  );
}

/** `about` is the attribute that names the way. */
function line(about: Html, name: Html | string, isUsable: boolean, text: Html | string, way: Html | false): Html {
  const mark = isUsable && html` <span class="tag good">${icon('check')}${words('ways.joined')}</span>`;
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
