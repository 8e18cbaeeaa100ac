/** The sessions of a member, where each one or all others can be ended. */

import { endOtherSessions, endSession, isByProxy, sessionDays } from '../../../auth/sessions.ts';
import { parseInt64 } from '../../../contract/common.ts';
import { hourMs } from '../../../durations.ts';
import { localizedError } from '../../../errors.ts';
import { listSessions, type SessionsTable } from '../../../store/sessions.ts';
import { dateElement, timeAgo, timeElement } from '../../kit/dates.ts';
import { button, form } from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { offsetPage } from '../../kit/pager.ts';
import { listPanel } from '../../kit/panel.ts';
import { bdi, type Html, html } from '../../markup.ts';
import { accountPath } from '../../paths.ts';
import { fieldText, idIn } from '../../request/fields.ts';
import type { MemberVisit, PageResult } from '../../request/visits.ts';
import { richWords, words } from '../../words/words.ts';
import { accountPage, sectionAddress } from './frame.ts';

type NamePatterns = readonly (readonly [pattern: RegExp, name: string])[];

/** Most browsers also name those from which they descend, so the order matters. */
const browsers: NamePatterns = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: NamePatterns = [
  [/\biP(?:hone|ad|od)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** A name such as "Firefox on Linux" for a User-Agent header. */
export function browserName(userAgent: string): string {
  const nameIn = (names: NamePatterns) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = nameIn(browsers);
  const system = nameIn(systems);
  if (browser) return system ? words('sessions.browserOn', { browser, system }) : browser;
  const [, program, version] = /^([\w.-]{1,30})\/([\d.]{1,20})/.exec(userAgent) ?? [];
  if (program !== undefined && program !== 'Mozilla') return `${program} ${version}`;
  return system ? words('sessions.someBrowserOn', { system }) : words('sessions.unknownBrowser');
}

const sessionsPath = `${accountPath}sessions/`;

export async function showSessions(visit: MemberVisit): Promise<PageResult> {
  const { website, store, member } = visit;
  const sessions = await listSessions(store.reader, member.user_id, new Date().toISOString());
  const current = sessions.filter(({ id }) => id === member.id);
  // In a demo, other sessions belong to other people.
  const others = website.isDemo ? [] : sessions.filter(({ id }) => id !== member.id);
  const { shown, more } = offsetPage(visit, sessionsPath, [...current, ...others]);
  const endOthers = button(words('sessions.endOthers'), 'danger', ['end_others', 'true']);
  const content = html`
    ${listPanel(
      { className: 'tokens' },
      shown.map((session) => sessionItem(session, visit)),
    )}
    ${more}
    ${
      others.length > 0
        ? form(visit, { to: sessionsPath }, endOthers)
        : html`<p class="faint">${words('sessions.noOthers')}</p>`
    }`;
  return accountPage(visit, { section: 'sessions/', subtitle: words('sessions.sub', { days: sessionDays }) }, content);
}

export async function submitSessions({ store, form: input, member }: MemberVisit): Promise<PageResult> {
  if (input.get('end_others') === 'true') {
    await endOtherSessions(store, member.user_id, member.id);
    return { to: sectionAddress('sessions/', 'others-ended') };
  }
  const id = idIn(fieldText(input, 'end', 30), parseInt64);
  if (!(await endSession(store, member.user_id, id))) throw localizedError('unknownItem.session');
  if (id === member.id) return { to: '/authentication/sign-in/', session: null };
  return { to: sectionAddress('sessions/', 'ended') };
}

function sessionItem(session: SessionsTable, visit: MemberVisit): Html {
  const { id, browser, network, created_at, seen_at } = session;
  const name = browserName(browser);
  const isThis = id === visit.member.id;
  const isRecent = Date.now() - Date.parse(seen_at) < hourMs;
  const lastUse = isRecent ? timeElement(seen_at, words('time.lastHour')) : timeAgo(seen_at);
  const facts = { network: bdi(network), day: dateElement(created_at) };
  const origin = isByProxy(session) ? richWords('sessions.byProxy', facts) : richWords('sessions.from', facts);
  const endLabel = isThis ? words('frame.signOut') : richWords('sessions.end', { browser: name, network });
  return html`
    <li class="token" data-session="${id}">
      <div>
        <h2>${name}${isThis && html` <span class="tag good">${icon('check')}${words('sessions.thisOne')}</span>`}</h2>
        <p class="faint small">${origin}</p>
      </div>
      <dl class="one">
        <div><dt>${words('sessions.lastSeen')}</dt><dd>${isThis ? words('time.now') : lastUse}</dd></div>
      </dl>
      ${form(visit, { to: sessionsPath }, button(endLabel, 'small danger', ['end', id]))}
    </li>`;
}
