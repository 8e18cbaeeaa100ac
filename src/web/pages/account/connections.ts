/** Connections: every token and secret address of a member, what each can do, when it was used, and its end. */

import { kindOfToken, revokeToken, secretDigest } from '../../../auth/tokens.ts';
import { parseInt64 } from '../../../contract/common.ts';
import { dayMs, minuteMs } from '../../../durations.ts';
import { localizedError } from '../../../errors.ts';
import { endInbox } from '../../../practice/inbox.ts';
import { setVisibility } from '../../../practice/lists.ts';
import { revokeSharedAddress } from '../../../practice/public-pages.ts';
import { findInboxOfMember } from '../../../store/inbox.ts';
import { listSecretLists } from '../../../store/lists.ts';
import { listSharedAddresses, type SharedAddressesTable } from '../../../store/plants.ts';
import { findCredentials, listTokens } from '../../../store/tokens.ts';
import { dateElement, futureDate, timeAgo } from '../../kit/dates.ts';
import { button, checkbox, fieldGroup, form, radioButton } from '../../kit/form.ts';
import { type IconName, icon } from '../../kit/icons.ts';
import { linkButton } from '../../kit/links.ts';
import { offsetPage } from '../../kit/pager.ts';
import { collapsiblePanel, copyableLines, emptyPanel, panel, secretNotice } from '../../kit/panel.ts';
import { attr, bdi, type Html, html } from '../../markup.ts';
import {
  calendarPath,
  connectionsPath,
  editListPath,
  historyPath,
  inboxAddressPath,
  inboxSettingsPath,
  listsPath,
  picturePath,
  remindersPath,
  sharedListsPath,
  sharingPath,
  tokensPath,
} from '../../paths.ts';
import { fieldText, idIn } from '../../request/fields.ts';
import type { MemberVisit, PageResult } from '../../request/visits.ts';
import { commaList } from '../../words/formats.ts';
import { linkTo, type MessageKey, richWords, words } from '../../words/words.ts';
import { accountPage, sectionAddress } from './frame.ts';
import { emptyForm, submitToken, type TokenForm, tokenForm } from './tokens.ts';

const expiresSoonMs = 7 * dayMs;
const shownSecretLength = 5;
const sharedKinds = ['calendar', 'garden', 'year'] as const satisfies SharedAddressesTable['kind'][];

const accesses = ['practice:read', 'practice:mark'] as const;
const accessTexts = { 'practice:read': 'connections.read', 'practice:mark': 'connections.mark' } as const;

/* Changes. */

export async function submitConnections(visit: MemberVisit): Promise<PageResult> {
  const { store, form: input, member, website } = visit;
  const { user_id } = member;
  const idOf = (name: string) => idIn(fieldText(input, name, 30), parseInt64);
  if (input.has('revoke')) {
    if (await revokeToken(store, idOf('revoke'), user_id)) return { to: sectionAddress('connections/', 'revoked') };
    throw localizedError('unknownItem.token');
  }
  if (input.has('list')) {
    await setVisibility(store, { id: idOf('list'), owner_id: user_id }, 'private');
    return { to: sectionAddress('connections/', 'unshared') };
  }
  if (input.get('end') === 'inbox') {
    await endInbox(store, user_id);
    return { to: sectionAddress('connections/', 'inboxEnded') };
  }
  const kind = sharedKinds.find((one) => one === input.get('end'));
  if (kind) {
    await revokeSharedAddress(store, user_id, kind);
    return { to: sectionAddress('connections/', 'unshared') };
  }
  if (!website.hasPrograms || !input.has('name')) return { to: connectionsPath };
  const access = accesses.find((one) => `practice:${input.get('access')}` === one);
  const code = input.get('code') === 'true' ? ['practice:code'] : [];
  return submitToken(visit, access ? [access, ...code] : [], showConnections);
}

/* The page. */

export async function showConnections(
  visit: MemberVisit,
  values: TokenForm = emptyForm(['practice:mark']),
): Promise<{ html: Html }> {
  const { store, member, website, site } = visit;
  const tokens = (await listTokens(store.reader, member.user_id)).toReversed();
  const active = tokens.filter(isActive);
  const rows = active.map((token) => tokenRow(visit, token));
  const addresses = await addressRows(visit);
  const { hasPrograms } = website;
  const secret = visit.readFlash();
  const newToken = secret === undefined ? undefined : await findNewToken(visit, secret, active);
  const newSecret = newToken && secret;
  const mcp = hasPrograms && mcpPanel(visit, kindOfToken(newSecret ?? '') === 'pgw' ? newSecret : undefined);
  const canMark = active.some(({ scopes }) => scopes.split(' ').includes('practice:mark'));
  const changesHint = canMark && richWords('connections.changesHint', { history: linkTo(site.basePath + historyPath) });
  const connect = linkButton('#connect', words('connections.connect'), { kind: 'primary', symbol: 'plus' });
  return accountPage(
    visit,
    {
      section: 'connections/',
      subtitle: words('connections.sub'),
      styles: ['connections.css'],
      actions: hasPrograms ? connect : undefined,
    },
    html`
      ${newToken && newSecret && secretNotice(bdi(newToken.name), words('tokens.copyNow'), newSecret)}
      ${newSecret && mcp}
      ${
        rows.length + addresses.length === 0 &&
        emptyPanel({ heading: words('connections.none'), text: words('connections.noneText') })
      }
      ${rows.length > 0 && rowsPanel('programs', words('connections.programs'), changesHint, rows)}
      ${
        addresses.length > 0 &&
        rowsPanel('addresses', words('connections.addresses'), words('connections.anyone'), addresses)
      }
      <p class="soft">${richWords('connections.setUp', {
        token: linkTo(site.basePath + tokensPath),
        inbox: linkTo(site.basePath + inboxSettingsPath),
        calendar: linkTo(site.basePath + remindersPath),
        pictures: linkTo(site.basePath + sharingPath),
        lists: linkTo(site.basePath + listsPath),
      })}</p>
      ${hasPrograms && connectPanel(visit, values)}
      ${!newSecret && mcp}
      ${formerPanel(visit, tokens)}`,
  );
}

const rowsPanel = (id: string, heading: string, hint: Html | string | false, rows: readonly Html[]) =>
  panel({ id, heading, beside: hint && html`<p>${hint}</p>`, className: 'connections' }, html`<ul>${rows}</ul>`);

interface Row {
  about: Html | '';
  symbol: IconName;
  name: string;
  /** The page with what else can be done. */
  page?: string;
  details: Html;
  can: Html | string;
  /** Undefined where no use is recorded. */
  usedAt: string | null | undefined;
  more?: Html | false;
  end: readonly [name: string, value: string | bigint];
}

function row(visit: MemberVisit, { about, symbol, name, page, details, can, usedAt, more, end }: Row): Html {
  const heading = page === undefined ? bdi(name) : html`<a href="${visit.site.basePath}${page}">${bdi(name)}</a>`;
  const used = usedAt ? richWords('connections.used', { when: timeAgo(usedAt) }) : words('connections.unused');
  const revoke = button(richWords('tokens.revoke', { name }), 'small danger', end);
  return html`
    <li${about}>
      <span class="face">${icon(symbol)}</span>
      <div><h3>${heading}</h3><p class="soft">${details}</p></div>
      <div><p class="can">${can}</p>${usedAt !== undefined && html`<p class="soft">${used}${more}</p>`}</div>
      ${form(visit, { to: connectionsPath }, revoke)}
    </li>`;
}

/* Tokens. */

type TokenRow = Awaited<ReturnType<typeof listTokens>>[number];

const isActive = ({ revoked_at, expires_at }: TokenRow) =>
  revoked_at === null && (expires_at === null || Date.parse(expires_at) > Date.now());

/** The token with the secret of the flash cookie, if it is active and belongs to this member. */
async function findNewToken({ store, member }: MemberVisit, secret: string, active: readonly TokenRow[]) {
  if (kindOfToken(secret) === undefined) return undefined;
  const digest = secretDigest(secret);
  const matches = await findCredentials(store.reader, digest.slice(0, digest.length / 2));
  const own = matches.find((one) => one.digest === digest && one.user_id === member.user_id);
  return active.find(({ id }) => id === own?.id);
}

function tokenRow(visit: MemberVisit, { id, name, scopes, last_used_at, expires_at }: TokenRow): Html {
  const list = scopes.split(' ');
  const access = accesses.findLast((one) => list.includes(one));
  const isProgram = scopes.includes('practice:');
  const texts = [access && words(accessTexts[access]), list.includes('practice:code') && words('connections.ownCode')];
  const isLate = expires_at !== null && Date.parse(expires_at) - Date.now() < expiresSoonMs;
  const expires = expires_at ? futureDate(expires_at) : words('time.never');
  const changes = html` · <a href="${visit.site.basePath}${historyPath}?token=${id}">${richWords(
    'connections.itsChanges',
    { name: bdi(name) },
  )}</a>`;
  return row(visit, {
    about: attr('data-token', id),
    symbol: isProgram ? 'device' : 'key',
    name,
    details: html`
      <span${attr('class', isLate && 'late')}>
        ${isLate && icon('clock')}${richWords('contests.stateOf', { title: words('tokens.expires'), state: expires })}
      </span>`,
    can: isProgram ? commaList(texts) : html`<code>${scopes}</code>`,
    usedAt: last_used_at,
    more: access === 'practice:mark' && last_used_at !== null && changes,
    end: ['revoke', id],
  });
}

function formerPanel(visit: MemberVisit, tokens: readonly TokenRow[]): Html | false {
  const former = tokens.filter((token) => !isActive(token));
  if (former.length === 0) return false;
  const { shown, more } = offsetPage(visit, connectionsPath, former);
  const items = shown.map(({ name, revoked_at, expires_at }) => {
    const reason = revoked_at
      ? richWords('tokens.revokedAt', { when: timeAgo(revoked_at) })
      : richWords('tokens.expiredAt', { when: dateElement(expires_at ?? '') });
    return html`<li>${bdi(name)} <span class="faint">${reason}</span></li>`;
  });
  return collapsiblePanel(
    html`${icon('down')}<span>${words('tokens.over', { count: former.length })}</span>`,
    html`<ul class="plain">${items}</ul>${more}`,
    { className: 'former' },
  );
}

/* Secret addresses. */

const shortAddress = (path: string, secret = '') =>
  html`<code>…${/\/[\w-]+\/$/.exec(path)?.[0]}${secret.slice(0, shownSecretLength)}…</code>`;

async function addressRows(visit: MemberVisit): Promise<Html[]> {
  const { store, member } = visit;
  const { reader } = store;
  const inbox = await findInboxOfMember(reader, member.user_id);
  const shared = await listSharedAddresses(reader, member.user_id);
  const lists = await listSecretLists(reader, member.user_id);
  const ofInbox = inbox && {
    about: html` data-address="inbox"`,
    symbol: 'inbox' as const,
    name: words('inbox.title'),
    page: inboxSettingsPath,
    details: shortAddress(inboxAddressPath, inbox.beginning),
    can: words('connections.inboxCan'),
    usedAt: inbox.minute === 0n ? null : new Date(Number(inbox.minute) * minuteMs).toISOString(),
    end: ['end', 'inbox'] as const,
  };
  const ofShared = shared.map(({ kind, secret, used_at }) => {
    const { path, page, symbol, texts } = sharedTexts[kind];
    return {
      about: html` data-address="${kind}"`,
      symbol,
      name: words(texts[0]),
      page,
      details: shortAddress(path, secret),
      can: words(texts[1]),
      usedAt: used_at,
      end: ['end', kind] as const,
    };
  });
  const ofLists = lists.map(({ id, name }) => ({
    about: html` data-address="list"`,
    symbol: 'list' as const,
    name,
    page: editListPath(id),
    details: shortAddress(sharedListsPath),
    can: words('connections.listCan'),
    usedAt: undefined,
    end: ['list', id] as const,
  }));
  return [...(ofInbox ? [ofInbox] : []), ...ofShared, ...ofLists].map((one) => row(visit, one));
}

interface SharedTexts {
  path: string;
  page: string;
  symbol: IconName;
  texts: readonly [name: MessageKey, can: MessageKey];
}

const sharedTexts: Readonly<Record<SharedAddressesTable['kind'], SharedTexts>> = {
  calendar: {
    path: calendarPath,
    page: remindersPath,
    symbol: 'today',
    texts: ['calendar.title', 'connections.calendarCan'],
  },
  garden: {
    path: picturePath,
    page: sharingPath,
    symbol: 'garden',
    texts: ['sharing.garden', 'connections.pictureCan'],
  },
  year: { path: picturePath, page: sharingPath, symbol: 'chart', texts: ['sharing.year', 'connections.pictureCan'] },
};

/* Programs. */

function connectPanel(visit: MemberVisit, values: TokenForm): Html {
  const { scopes } = values.values;
  const choice = (scope: (typeof accesses)[number], text: MessageKey) =>
    radioButton(
      'access',
      scope.slice('practice:'.length),
      html`<b>${words(accessTexts[scope])}</b><span class="faint">${words(text)}</span>`,
      scopes.includes(scope),
      'required',
    );
  const mayDo = fieldGroup(
    words('connections.may'),
    'scope',
    values.faults,
    html`
      ${choice('practice:read', 'connections.readText')}
      ${choice('practice:mark', 'connections.markText')}
      ${checkbox(words('connections.codeText'), 'code', scopes.includes('practice:code'))}`,
  );
  return panel(
    { id: 'connect', heading: words('connections.connect') },
    tokenForm(visit, connectionsPath, values, mayDo),
  );
}

/** What MCP programs want in their configuration, with the token where it was just made. */
function mcpPanel({ site }: MemberVisit, token = words('connections.yourToken')): Html {
  const configuration = (heading: string, server: object) => {
    const json = JSON.stringify({ mcpServers: { 'practice-garden': server } }, null, 2);
    const [first, ...rest] = json.replaceAll(/([[{])\n +([^\n[{]+)\n +([\]}])/g, '$1 $2 $3').split(token);
    return html`
      <h3>${heading}</h3>
      ${copyableLines(html`${first}${rest.map((part) => html`<mark>${token}</mark>${part}`)}`)}`;
  };
  const byAddress = {
    type: 'http',
    url: `${site.baseUrl}/practice/mcp`,
    headers: { Authorization: `Bearer ${token}` },
  };
  const byCommand = { command: 'garden-client', args: ['mcp'], env: { GARDEN_URL: site.baseUrl, GARDEN_TOKEN: token } };
  const guides = `${site.basePath}/docs`;
  const links = { guide: linkTo(`${guides}/programs/#mcp`), command: linkTo(`${guides}/command/`) };
  return panel(
    { id: 'mcp', heading: words('connections.mcp'), className: 'mcp' },
    html`
      <p class="soft">${words('connections.mcpText')}</p>
      ${configuration(words('connections.byAddress'), byAddress)}
      ${configuration(words('connections.byCommand'), byCommand)}
      <p class="faint">${richWords('connections.guide', links)}</p>`,
  );
}
