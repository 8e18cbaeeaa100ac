/** The address of a member's calendar with its settings. */
import { contestAlarms, readPreferences, setCalendar } from '../../practice/preferences.ts';
import { makeSharedAddress } from '../../practice/public-pages.ts';
import { listSharedAddresses, type SharedAddressesTable } from '../../store/plants.ts';
import { type Html, html } from '../markup.ts';
import { calendarPath } from '../paths.ts';
import type { MemberVisit } from '../request/visits.ts';
import { words } from '../words/words.ts';
import { actions, button, checkbox, fieldGroup, form, selectField } from './form.ts';
import { saveShownLanguage } from './language.ts';
import { copyable } from './panel.ts';

export async function findCalendar({ store, member }: MemberVisit): Promise<SharedAddressesTable | undefined> {
  const shared = await listSharedAddresses(store.reader, member.user_id);
  return shared.find(({ kind }) => kind === 'calendar');
}

export async function calendarForms(visit: MemberVisit, to: string): Promise<Html> {
  const { store, site, member } = visit;
  const calendar = await findCalendar(visit);
  if (!calendar)
    return form(visit, { to }, actions(button(words('sharing.make'), 'primary', ['share', 'calendar'], 'today')));
  const { showsReviews, showsContests, contestAlarm } = await readPreferences(store.reader, member.user_id);
  const address = `${site.baseUrl}${calendarPath}${calendar.secret}.ics`;
  const alarms = contestAlarms.map((minutes) => [String(minutes), words('calendar.alarmBefore', { minutes })] as const);
  const fields = html`
    ${fieldGroup(
      words('calendar.contains'),
      'contains',
      {},
      html`
        <p class="faint">${words('calendar.always')}</p>
        ${checkbox(words('calendar.contests'), 'contests', showsContests)}
        ${checkbox(words('calendar.reviewDays'), 'reviews', showsReviews)}`,
    )}
    ${selectField(words('calendar.alarm'), 'alarm', alarms, String(contestAlarm))}
    ${actions(button(words('webhooks.save'), '', ['calendar', 'save']))}`;
  return html`
    <p>${words('sharing.address')}${copyable(address, html` data-calendar`)}</p>
    <p class="faint">${words('calendar.howTo')}</p>
    ${form(visit, { to, className: 'form' }, fields)}`;
}

/** Returns undefined for a form that is not about the calendar. */
export async function handleCalendarForm({
  store,
  member,
  form: values,
}: MemberVisit): Promise<'shared' | 'saved' | undefined> {
  const { user_id } = member;
  if (values.get('share') === 'calendar') {
    await saveShownLanguage(store, user_id);
    await makeSharedAddress(store, user_id, 'calendar');
    return 'shared';
  }
  if (values.get('calendar') !== 'save') return undefined;
  await setCalendar(store, user_id, {
    showsReviews: values.get('reviews') === 'true',
    showsContests: values.get('contests') === 'true',
    contestAlarm: contestAlarms.find((minutes) => String(minutes) === values.get('alarm')) ?? 0,
  });
  return 'saved';
}
