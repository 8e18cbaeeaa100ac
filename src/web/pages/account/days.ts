/** When a member's days and weeks begin, in which zone, and how many first solves they want a week. */

import { readDaySettings, setDays, versionOfDays } from '../../../practice/activity.ts';
import { isZone, weekStarts } from '../../../practice/days.ts';
import { isWeekStart, largestWeekGoal, usualWeekGoal } from '../../../practice/preferences.ts';
import { type Faults, timeIn, zoneField } from '../../kit/form.ts';
import { notice } from '../../kit/panel.ts';
import { type Html, html } from '../../markup.ts';
import { accountDaysPath } from '../../paths.ts';
import { placeOf } from '../../road/clock.ts';
import { field } from '../../road/fields.ts';
import type { Answer, MemberVisit } from '../../road/visits.ts';
import { words } from '../../words/words.ts';
import { accountPage, roomAfter } from './frame.ts';

/** What the fields hold. */
interface Given {
  zone: string;
  startHour: string;
  weekStart: string;
  weekGoal: string;
}

export async function showDays(visit: MemberVisit): Promise<Answer> {
  const stored = await readStored(visit);
  return { html: daysPage(visit, stored, stored) };
}

export async function takeDays(visit: MemberVisit): Promise<Answer> {
  const { store, member, form } = visit;
  const stored = await readStored(visit);
  const given: Given = {
    zone: field(form, 'time_zone', 1000).trim(),
    startHour: field(form, 'day_start', 1000),
    weekStart: form.get('week_start') ?? stored.weekStart,
    weekGoal: field(form, 'week_goal', 1000).trim(),
  };
  const faults = faultsOf(given);
  const { zone, startHour, weekStart } = given;
  if (Object.keys(faults).length > 0 || !isWeekStart(weekStart))
    return { html: daysPage(visit, stored, given, faults, 'refused'), status: 422 };
  const wanted = { zone, weekStart, startHour: Number(startHour), weekGoal: numberOf(given.weekGoal) };
  const isOvertaken = await setDays(store, member.user_id, wanted, form.get('version') ?? '');
  if (!isOvertaken) return { to: roomAfter('days/', 'saved') };
  return { html: daysPage(visit, await readStored(visit), given, {}, 'overtaken'), status: 409 };
}

async function readStored({ store, member }: MemberVisit): Promise<Given> {
  const { zone, startHour, weekStart, weekGoal } = await readDaySettings(store.reader, member.user_id);
  return { zone, startHour: String(startHour), weekStart, weekGoal: weekGoal === 0 ? '' : String(weekGoal) };
}

/** An empty field is no goal. */
const numberOf = (text: string) => (text === '' ? 0 : Number(text));

function faultsOf({ zone, startHour, weekStart, weekGoal }: Given): Faults {
  const isHour = /^([0-9]|1[0-9]|2[0-3])$/.test(startHour);
  const isGoal = /^\d{0,3}$/.test(weekGoal) && numberOf(weekGoal) <= largestWeekGoal;
  return {
    ...(isZone(zone) ? {} : { time_zone: words('days.noZone') }),
    ...(isHour ? {} : { day_start: words('form.chooseOne') }),
    ...(isWeekStart(weekStart) ? {} : { week_start: words('form.chooseOne') }),
    ...(isGoal ? {} : { week_goal: words('days.noGoal', { most: largestWeekGoal }) }),
  };
}

function daysPage(
  visit: MemberVisit,
  stored: Given,
  given: Given,
  faults: Faults = {},
  outcome?: 'refused' | 'overtaken',
): Html {
  const { site, antiForgery } = visit;
  const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);
  const told =
    outcome === 'refused'
      ? notice('bad', words('profile.notSaved'))
      : outcome === 'overtaken'
        ? notice(
            'warn',
            words('days.overtaken', {
              place: placeOf(stored.zone),
              hour: hours[Number(stored.startHour)] ?? '',
            }),
          )
        : '';
  const fault = (name: string) =>
    faults[name] ? html`<span class="fault" id="${name}-fault">${faults[name]}</span>` : '';
  const about = (name: string) =>
    html` aria-describedby="${name}-hint${faults[name] ? ` ${name}-fault` : ''}"${
      faults[name] ? html` aria-invalid="true" autofocus` : ''
    }`;
  return accountPage(
    visit,
    {
      room: 'days/',
      scripts: ['zone.js'],
      sub: words('days.sub', { now: timeIn(stored.zone), place: placeOf(stored.zone) }),
    },
    html`
      ${told}
      <section class="panel" aria-labelledby="days">
        <div class="panel-head"><h2 id="days">${words('days.heading')}</h2></div>
        <form class="form" method="post" action="${site.basePath}${accountDaysPath}">
          ${antiForgery}
          <input type="hidden" name="version" value="${versionOfDays({ ...stored, weekGoal: numberOf(stored.weekGoal) })}">
          ${zoneField(
            { name: 'time_zone', label: words('days.zone'), hint: words('days.zoneHint'), value: given.zone },
            faults,
          )}
          <p hidden>
            <button
              type="button" class="button small" data-zone-here="${words('days.useHere', { zone: '{zone}' })}"
            ></button>
          </p>
          <label class="field">
            ${words('days.start')}
            <select name="day_start"${about('day_start')}>
              ${hours.map(
                (text, hour) =>
                  html`
                    <option value="${hour}"${String(hour) === given.startHour ? html` selected` : ''}>${text}</option>`,
              )}
            </select>
            <span class="faint" id="day_start-hint">${words('days.startHint')}</span>
            ${fault('day_start')}
          </label>
          ${' '}
          <label class="field">
            ${words('days.week')}
            <select name="week_start"${about('week_start')}>
              ${weekStarts.map(
                (one) =>
                  html`
                    <option value="${one}"${one === given.weekStart ? html` selected` : ''}>
                      ${words(`days.week.${one}`)}
                    </option>`,
              )}
            </select>
            <span class="faint" id="week_start-hint">${words('days.weekHint')}</span>
            ${fault('week_start')}
          </label>
          ${' '}
          <label class="field">
            ${words('days.goal')}
            <input
              type="text" name="week_goal" value="${given.weekGoal}" inputmode="numeric" autocomplete="off"
              maxlength="10"${about('week_goal')}
            >
            <span class="faint" id="week_goal-hint">${words('days.goalHint', { usual: usualWeekGoal })}</span>
            ${fault('week_goal')}
          </label>
          <div class="actions"><button class="button primary">${words('profile.save')}</button></div>
        </form>
      </section>`,
  );
}
