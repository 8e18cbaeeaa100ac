/** Reminders: the member's calendar at a secret address, and their webhook. */

import { revokeSharedAddress } from '../../../practice/public-pages.ts';
import { calendarForms, findCalendar, handleCalendarForm } from '../../kit/calendar.ts';
import { timeAgo } from '../../kit/dates.ts';
import { button, form } from '../../kit/form.ts';
import { panel } from '../../kit/panel.ts';
import { handleWebhookForm, refreshAfterTest, type WebhookRefusal, webhookPanel } from '../../kit/webhooks.ts';
import { type Html, html } from '../../markup.ts';
import { remindersPath } from '../../paths.ts';
import type { MemberVisit, PageResult } from '../../request/visits.ts';
import { richWords, words } from '../../words/words.ts';
import { accountPage, sectionAddress } from './frame.ts';

export async function showReminders(visit: MemberVisit): Promise<PageResult> {
  const owner = { user_id: visit.member.user_id };
  return { ...(await remindersPage(visit)), ...(await refreshAfterTest(visit, owner)) };
}

export async function submitReminders(visit: MemberVisit): Promise<PageResult> {
  const { store, member, form: input } = visit;
  const { user_id } = member;
  if (input.has('webhook')) {
    const outcome = await handleWebhookForm(visit, { user_id }, remindersPath);
    if ('to' in outcome) return outcome;
    return { ...(await remindersPage(visit, outcome)), status: 422 };
  }
  const outcome = await handleCalendarForm(visit);
  if (outcome) return { to: sectionAddress('reminders/', outcome) };
  if (input.get('revoke') === 'calendar') {
    await revokeSharedAddress(store, user_id, 'calendar');
    return { to: sectionAddress('reminders/', 'unshared') };
  }
  return { to: remindersPath };
}

async function remindersPage(visit: MemberVisit, refusal?: WebhookRefusal): Promise<{ html: Html }> {
  const owner = { user_id: visit.member.user_id };
  return accountPage(
    visit,
    { section: 'reminders/', subtitle: words('reminders.sub'), styles: ['garden.css', 'reminders.css'] },
    html`${await calendarPanel(visit)}${await webhookPanel(visit, owner, remindersPath, refusal)}`,
  );
}

async function calendarPanel(visit: MemberVisit): Promise<Html> {
  const calendar = await findCalendar(visit);
  const revoke =
    calendar &&
    form(
      visit,
      { to: remindersPath, className: 'beside' },
      html`
        <p class="faint">
          ${richWords('sharing.since', { when: timeAgo(calendar.made_at) })} ${words('calendar.revokeText')}
        </p>
        ${button(words('sharing.revoke'), 'danger', ['revoke', 'calendar'])}`,
    );
  return panel(
    { id: 'calendar', heading: words('calendar.title') },
    html`
      <p class="soft">${words('calendar.text')}</p>
      ${await calendarForms(visit, remindersPath)}
      ${revoke}`,
  );
}
