/**
 * The field for a time zone. Pages with one load `zone.js`, which fills it in from the browser and keeps its time
 * right.
 */
import { daysOf, renamedZones, usualDayRule, zoneNamed } from '../../practice/days.ts';
import { attr, type Html, html } from '../markup.ts';
import { formatter } from '../road/clock.ts';
import { madeFor } from '../words/reader.ts';
import { richWords } from '../words/words.ts';
import { type Faults, textField } from './form.ts';

let zones: readonly Html[] | undefined;

/** Listing the zones takes 0.3 ms, and their names are the same in every language. */
function zoneOptions(): readonly Html[] {
  zones ??= [usualDayRule.zone, ...Intl.supportedValuesOf('timeZone')].map(zoneOption);
  return zones;
}

/** An option carries the earlier name of its zone, which a browser may still use. */
function zoneOption(name: string): Html {
  const now = renamedZones[name];
  return html`<option value="${now ?? name}"${attr('data-earlier', now && name)}></option>`;
}

const clockText = formatter({ weekday: 'long', hour: '2-digit', minute: '2-digit' });

/** The time of day in the zone of this name; a dash if there is no such zone. */
export function timeIn(name: string): string {
  const zone = zoneNamed(name);
  return zone === undefined ? '–' : madeFor({ days: daysOf({ ...usualDayRule, zone }) }, () => clockText(Date.now()));
}

/** A field for a zone. The browser fills in its own where `value` is undefined; without script that is UTC. */
export function zoneField(
  { name, label, hint, value }: { name: string; label: string; hint: string; value: string | undefined },
  faults: Faults,
): Html {
  const zone = value ?? usualDayRule.zone;
  const time = html`<b data-zone-time>${timeIn(zone)}</b>`;
  const about = html`${richWords('days.timeThere', { time })} ${hint}`;
  const shown = textField(label, name, faults, { value: zone, hint: about, longest: 100, list: 'zones' });
  return html`
    <div${attr('data-zone-fill', value === undefined)}>${shown}</div>
    <datalist id="zones">${zoneOptions()}</datalist>`;
}
