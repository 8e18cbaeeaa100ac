/** When a list is due: in words, as the fields of a form, and as a form sends it. All by the clocks of the group. */
import { html } from 'hono/html';
import { daysOf } from '../../practice/days.ts';
import { clockIn, momentIn } from '../../practice/due.ts';
import { dayRuleOf } from '../../practice/preferences.ts';
import { field } from '../fields.ts';
import { utcFormat } from '../formats.ts';
import type { Faults } from '../forms.ts';
import type { Html } from '../layout.ts';
import { words } from '../words.ts';

/** A moment as the clocks of a zone show it, with the zone where it matters. */
export function dueMoment(at: string, zone: string): Html {
  const local = daysOf(dayRuleOf(zone, undefined)).localAt(Date.parse(at));
  return html`<time datetime="${at}" title="${words('groups.inZone', { zone })}">${format.format(local)}</time>`;
}
const format = utcFormat({
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
});

/** A date and a time; both may stay empty. */
export function dueFields(given: { date: string; time: string }, zone: string, faults: Faults): Html {
  const fault = faults['due_date'];
  return html`<div class="field-pair even"><label class="field">${words('groups.dueDate')}<input type="date" name="due_date" value="${given.date}" autocomplete="off" aria-describedby="due-hint${fault ? ' due_date-fault' : ''}"${fault ? html` aria-invalid="true" autofocus` : ''}>${fault ? html`<span class="fault" id="due_date-fault">${fault}</span>` : ''}</label><label class="field">${words('groups.dueTime')}<input type="time" name="due_time" value="${given.time}" autocomplete="off"></label></div><p class="faint" id="due-hint">${words('groups.dueHint', { zone })}</p>`;
}

/** What the fields show of a moment. */
export function dueGiven(at: string | null, zone: string): { date: string; time: string } {
  return at === null ? { date: '', time: '' } : clockIn(zone, at);
}

/** What a form says: null for no moment, undefined for one that there is not. */
export function readDue(form: URLSearchParams, zone: string) {
  const given = { date: field(form, 'due_date', 1000), time: field(form, 'due_time', 1000) };
  const at = given.date === '' && given.time === '' ? null : momentIn(zone, given.date, given.time);
  return { given, at };
}
