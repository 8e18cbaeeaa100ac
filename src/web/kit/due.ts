/** When an assignment is due, in the time zone of the group. */

import { dayMs } from '../../durations.ts';
import { daysOf, localTimeOfMoment, momentOfLocalTime } from '../../practice/days.ts';
import { dayRuleOf } from '../../practice/preferences.ts';
import { type Html, html } from '../markup.ts';
import { fieldText } from '../request/fields.ts';
import { utcFormat } from '../words/formats.ts';
import { words } from '../words/words.ts';
import type { Faults } from './form.ts';

const warningMs = 2 * dayMs;

export function urgency(dueAt: string | null, now: number): 'soon' | 'late' | undefined {
  if (dueAt === null || Date.parse(dueAt) > now + warningMs) return undefined;
  return Date.parse(dueAt) > now ? 'soon' : 'late';
}

/** With `now`, the text says today or tomorrow in place of their dates. */
export function dueMoment(at: string, zone: string, now?: number): Html {
  const days = daysOf(dayRuleOf(zone, undefined));
  const local = days.localAt(Date.parse(at));
  const dayOf = (ms: number) => Math.floor(ms / dayMs);
  const daysAhead = now === undefined ? undefined : dayOf(local) - dayOf(days.localAt(now));
  const yearOf = (ms: number) => new Date(ms).getUTCFullYear();
  const isThisYear = yearOf(local) === yearOf(days.localAt(now ?? Date.now()));
  const time = new Date(local).toISOString().slice(11, 16);
  const text =
    daysAhead === 0
      ? words('groups.todayAt', { time })
      : daysAhead === 1
        ? words('groups.tomorrowAt', { time })
        : (isThisYear ? sameYearFormat : fullFormat).format(local);
  return html`<time datetime="${at}" title="${words('groups.inZone', { zone })}">${text}</time>`;
}
const formatOptions = { weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' } as const;
const sameYearFormat = utcFormat(formatOptions);
const fullFormat = utcFormat({ ...formatOptions, year: 'numeric' });

export interface DueFields {
  date: string;
  time: string;
}

export function dueFields(values: DueFields, zone: string, faults: Faults): Html {
  const fault = faults['due_date'];
  return html`
    <div class="field-pair even">
      <label class="field">
        ${words('groups.dueDate')}
        <input
          type="date" name="due_date" value="${values.date}" autocomplete="off"
          aria-describedby="due-hint${fault && ' due_date-fault'}"${fault && html` aria-invalid="true" autofocus`}
        >
        ${fault && html`<span class="fault" id="due_date-fault">${fault}</span>`}
      </label>
      <label class="field">
        ${words('groups.dueTime')}
        <input type="time" name="due_time" value="${values.time}" autocomplete="off">
      </label>
    </div>
    <p class="faint" id="due-hint">${words('groups.dueHint', { zone })}</p>`;
}

export function dueValues(at: string | null, zone: string): DueFields {
  return at === null ? { date: '', time: '' } : localTimeOfMoment(zone, at);
}

/** `at` is null if both fields are empty, and undefined if there is no such time. */
export function readDue(form: URLSearchParams, zone: string) {
  const input = { date: fieldText(form, 'due_date', 1000), time: fieldText(form, 'due_time', 1000) };
  const at = input.date === '' && input.time === '' ? null : momentOfLocalTime(zone, input.date, input.time);
  return { given: input, at };
}
