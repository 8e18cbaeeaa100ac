/** Reminders: the member's calendar at a secret address, and their webhook. */

import { readPreferences, setSwitch } from '../../../practice/preferences.ts';
import { endSharedAddress, makeSharedAddress } from '../../../practice/public-pages.ts';
import { listSharedAddresses } from '../../../store/plants.ts';
import { past } from '../../kit/dates.ts';
import { button, form } from '../../kit/form.ts';
import { panel } from '../../kit/panel.ts';
import { type Refused, refreshOf, takeWebhook, webhookPanel } from '../../kit/webhooks.ts';
import { type Html, html } from '../../markup.ts';
import { accountPath, calendarPath } from '../../paths.ts';
import type { Answer, MemberVisit } from '../../road/visits.ts';
import { richWords, words } from '../../words/words.ts';
import { accountPage, roomAfter } from './frame.ts';

const remindersPath = `${accountPath}reminders/`;

export async function showReminders(visit: MemberVisit): Promise<Answer> {
  const owner = { user_id: visit.member.user_id };
  return { html: await remindersPage(visit), ...(await refreshOf(visit, owner)) };
}

export async function takeReminders(visit: MemberVisit): Promise<Answer> {
  const { store, member, form: sent } = visit;
  const { user_id } = member;
  if (sent.has('webhook')) {
    const taken = await takeWebhook(visit, { user_id }, remindersPath);
    if ('to' in taken) return taken;
    return { html: await remindersPage(visit, taken), status: 422 };
  }
  if (sent.get('share') === 'calendar') {
    await makeSharedAddress(store, user_id, 'calendar');
    return { to: roomAfter('reminders/', 'shared') };
  }
  if (sent.get('revoke') === 'calendar') {
    await endSharedAddress(store, user_id, 'calendar');
    return { to: roomAfter('reminders/', 'unshared') };
  }
  const reviews = sent.get('reviews');
  if (reviews !== null) await setSwitch(store, user_id, 'showsReviews', reviews === 'true');
  return { to: remindersPath };
}

async function remindersPage(visit: MemberVisit, refused?: Refused): Promise<Html> {
  const owner = { user_id: visit.member.user_id };
  const page = {
    room: 'reminders/',
    sub: words('reminders.sub'),
    styles: ['garden.css', 'reminders.css'],
  } as const;
  return accountPage(
    visit,
    page,
    html`${await calendarPanel(visit)}${await webhookPanel(visit, owner, remindersPath, refused)}`,
  );
}

async function calendarPanel(visit: MemberVisit): Promise<Html> {
  const { store, site, member } = visit;
  const shared = await listSharedAddresses(store.reader, member.user_id);
  const calendar = shared.find(({ kind }) => kind === 'calendar');
  const head = { id: 'calendar', heading: words('calendar.title') };
  const text = html`<p class="soft">${words('calendar.text')}</p>`;
  const way = { to: remindersPath };
  if (!calendar) {
    const make = button(words('sharing.make'), 'primary', ['share', 'calendar'], 'today');
    return panel(head, html`${text}${form(visit, way, make)}`);
  }
  const { showsReviews } = await readPreferences(store.reader, member.user_id);
  const change = words(showsReviews ? 'calendar.dropReviews' : 'calendar.addReviews');
  const reviews = html`
    <p>${words(showsReviews ? 'calendar.withReviews' : 'calendar.withoutReviews')}</p>
    ${button(change, '', ['reviews', String(!showsReviews)])}`;
  const revoke = html`
    <p class="faint">
      ${richWords('sharing.since', { when: past(calendar.made_at) })} ${words('calendar.revokeText')}
    </p>
    ${button(words('sharing.revoke'), 'danger', ['revoke', 'calendar'])}`;
  const address = `${site.baseUrl}${calendarPath}${calendar.secret}.ics`;
  return panel(
    head,
    html`
      ${text}
      <p>${words('sharing.address')}<code class="copyable" tabindex="0" data-calendar>${address}</code></p>
      <p class="faint">${words('calendar.howTo')}</p>
      ${form(visit, { ...way, className: 'beside' }, reviews)}
      ${form(visit, way, revoke)}`,
  );
}
