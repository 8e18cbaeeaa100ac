/** The ways in which a member signs in: the password, and accounts elsewhere that they join and remove. */

import { removeAccount } from '../../../practice/openid.ts';
import {
  listAccounts,
  listProviders,
  type OpenIdAccountsTable,
  type OpenIdProvidersTable,
} from '../../../store/openid.ts';
import { day, past } from '../../kit/dates.ts';
import { icon } from '../../kit/icons.ts';
import { goForm } from '../../kit/openid-buttons.ts';
import { notice } from '../../kit/panel.ts';
import { type Html, html } from '../../markup.ts';
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
  const { store, form, member } = visit;
  const key = field(form, 'remove', 50);
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
      ${fault === undefined ? '' : notice('bad', fault)}
      <ul class="panel tokens">${await passwordLine(visit)}${lines}</ul>
      ${lines.length === 0 ? html`<p class="faint">${words('ways.none')}</p>` : ''}`,
  );
}

async function passwordLine(visit: MemberVisit): Promise<Html> {
  const has = await canConfirm(visit);
  const change = html`
    <p>
      <a class="button small" href="${visit.site.basePath}${accountPath}password/">${words('password.change')}</a>
    </p>`;
  return html`
    <li class="token way" data-way="password">
      <div>
        <h2>${words('door.password')}${has ? usable() : ''}</h2>
        <p class="faint small">
          ${
            has
              ? richWords('ways.password', { name: html`<bdi>${visit.member.username}</bdi>` })
              : words('password.none')
          }
        </p>
      </div>
      ${has ? change : ''}
    </li>`;
}

const usable = () => html` <span class="tag good">${icon('check')}${words('ways.joined')}</span>`;

function accountLine(
  visit: MemberVisit,
  { key, name, admits }: OpenIdProvidersTable,
  account: OpenIdAccountsTable | undefined,
): Html {
  const { site, antiForgery } = visit;
  const shown = html`<bdi>${name}</bdi>`;
  const isOpen = admits !== 'nobody';
  const head = html`<h2>${shown}${account && isOpen ? usable() : ''}</h2>`;
  if (!account) {
    const button = html`<button class="button small">${richWords('ways.join', { name: shown })}</button>`;
    return html`
      <li class="token way" data-way="${key}">
        <div>${head}<p class="faint small">${richWords('ways.joinText', { name: shown })}</p></div>
        ${goForm(visit, key, 'join', button)}
      </li>`;
  }
  const label = html`<bdi>${account.label ?? words('ways.unnamed')}</bdi>`;
  return html`
    <li class="token way" data-way="${key}" data-joined>
      <div>
        ${head}
        <p class="faint small">
          ${richWords('ways.account', { label, day: day(account.joined_at), used: past(account.used_at) })}
          ${isOpen ? '' : html` ${words('ways.off')}`}
        </p>
      </div>
      <form method="post" action="${site.basePath}${waysPath}">
        ${antiForgery}
        <button class="button small danger" name="remove" value="${key}">
          ${richWords('ways.remove', { name: shown })}
        </button>
      </form>
    </li>`;
}
