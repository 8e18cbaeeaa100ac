/** When a member's days and weeks begin, in which zone, and how many first solves they want a week. */

import { dayMs } from '../../../durations.ts';
import { readDaySettings, setDaySettings, versionOfDaySettings } from '../../../practice/activity.ts';
import { isZone, weekStarts } from '../../../practice/days.ts';
import { defaultWeekGoal, isWeekStart, largestWeekGoal } from '../../../practice/preferences.ts';
import {
  checkbox,
  type Faults,
  fieldGroup,
  form,
  formActions,
  hasFaults,
  selectField,
  textField,
} from '../../kit/form.ts';
import { notice, panel } from '../../kit/panel.ts';
import { currentTimeIn, zoneField } from '../../kit/time-zone.ts';
import { html } from '../../markup.ts';
import { accountDaysPath } from '../../paths.ts';
import { zoneCity } from '../../request/clock.ts';
import { fieldText } from '../../request/fields.ts';
import type { MemberVisit, PageResult } from '../../request/visits.ts';
import { utcFormat } from '../../words/formats.ts';
import { words } from '../../words/words.ts';
import { accountPage, sectionAddress } from './frame.ts';

/** Digits from 1 for Monday to 7 for Sunday. */
const weekdays = ['1', '2', '3', '4', '5', '6', '7'];
const weekdayFormat = utcFormat({ weekday: 'long' });
// Day 4 was a Monday.
const weekdayName = (day: string) => weekdayFormat.format((Number(day) + 3) * dayMs);

type DaysInput = Awaited<ReturnType<typeof readDaysInput>>;

export async function showDays(visit: MemberVisit): Promise<PageResult> {
  const stored = await readDaysInput(visit);
  return daysPage(visit, stored, stored);
}

export async function submitDays(visit: MemberVisit): Promise<PageResult> {
  const { store, member, form } = visit;
  const stored = await readDaysInput(visit);
  const input: DaysInput = {
    zone: fieldText(form, 'time_zone', 1000).trim(),
    startHour: fieldText(form, 'day_start', 1000),
    weekStart: form.get('week_start') ?? stored.weekStart,
    weekGoal: fieldText(form, 'week_goal', 1000).trim(),
    practiceDays: weekdays.filter((day) => form.has(`practice_${day}`)).join(''),
  };
  const faults = faultsOf(input);
  const { zone, startHour, weekStart, practiceDays } = input;
  if (hasFaults(faults) || !isWeekStart(weekStart))
    return { ...daysPage(visit, stored, input, faults, 'refused'), status: 422 };
  const settings = {
    zone,
    weekStart,
    practiceDays,
    startHour: Number(startHour),
    weekGoal: goalNumber(input.weekGoal),
  };
  const isStale = await setDaySettings(store, member.user_id, settings, form.get('version') ?? '');
  if (!isStale) return { to: sectionAddress('days/', 'saved') };
  return { ...daysPage(visit, await readDaysInput(visit), input, {}, 'conflict'), status: 409 };
}

async function readDaysInput({ store, member }: MemberVisit) {
  const { startHour, weekGoal, ...settings } = await readDaySettings(store.reader, member.user_id);
  return {
    ...settings,
    startHour: String(startHour),
    weekStart: String(settings.weekStart),
    weekGoal: String(weekGoal || ''),
  };
}

/** An empty field means no goal, which is stored as 0. */
const goalNumber = (text: string) => (text === '' ? 0 : Number(text));

function faultsOf({ zone, startHour, weekStart, weekGoal }: DaysInput): Faults {
  const isHour = /^([0-9]|1[0-9]|2[0-3])$/.test(startHour);
  const isGoal = /^\d{0,3}$/.test(weekGoal) && goalNumber(weekGoal) <= largestWeekGoal;
  return {
    ...(isZone(zone) ? {} : { time_zone: words('days.noZone') }),
    ...(isHour ? {} : { day_start: words('form.chooseOne') }),
    ...(isWeekStart(weekStart) ? {} : { week_start: words('form.chooseOne') }),
    ...(isGoal ? {} : { week_goal: words('days.noGoal', { most: largestWeekGoal }) }),
  };
}

function daysPage(
  visit: MemberVisit,
  stored: DaysInput,
  input: DaysInput,
  faults: Faults = {},
  outcome?: 'refused' | 'conflict',
) {
  const zoneName = zoneCity(stored.zone);
  const version = versionOfDaySettings({ ...stored, weekGoal: goalNumber(stored.weekGoal) });
  const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);
  const hour = hours[Number(stored.startHour)] ?? '';
  const zone = { name: 'time_zone', label: words('days.zone'), hint: words('days.zoneHint'), value: input.zone };
  const starts = hours.map((text, hour) => [String(hour), text] as const);
  const weekStartChoices = weekStarts.map((one) => [one, words(`days.week.${one}`)] as const);
  const weekHint = words('days.weekHint');
  const weekField = selectField(words('days.week'), 'week_start', weekStartChoices, input.weekStart, {
    faults,
    hint: weekHint,
  });
  const fields = html`
    ${zoneField(zone, faults)}
    <p hidden>
      <button
        type="button" class="button small" data-zone-here="${words('days.useHere', { zone: '{zone}' })}"
      ></button>
    </p>
    ${selectField(words('days.start'), 'day_start', starts, input.startHour, { faults, hint: words('days.startHint') })}
    ${weekField}
    ${textField(words('days.goal'), 'week_goal', faults, {
      value: input.weekGoal,
      isOptional: true,
      longest: 10,
      more: { inputmode: 'numeric' },
      hint: words('days.goalHint', { usual: defaultWeekGoal }),
    })}
    ${fieldGroup(
      words('plan.days'),
      'practice',
      faults,
      html`
        ${weekdays.map((day) => checkbox(weekdayName(day), `practice_${day}`, input.practiceDays.includes(day)))}
        <p class="faint hint">${words('plan.daysHint')}</p>`,
    )}
    ${formActions(words('profile.save'))}`;
  return accountPage(
    visit,
    {
      section: 'days/',
      scripts: ['zone.js'],
      subtitle: words('days.sub', { now: currentTimeIn(stored.zone), place: zoneName }),
    },
    html`
      ${outcome === 'refused' && notice('bad', words('profile.notSaved'))}
      ${outcome === 'conflict' && notice('warn', words('days.conflict', { place: zoneName, hour }))}
      ${panel(
        { id: 'days', heading: words('days.heading') },
        form(visit, { to: accountDaysPath, className: 'form', hidden: { version } }, fields),
      )}`,
  );
}
