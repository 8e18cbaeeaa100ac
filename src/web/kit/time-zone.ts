/** The field for a time zone, whose script is assets/zone.js. */
import { canonicalZone, daysOf, defaultDayRule, renamedZones } from '../../practice/days.ts';
import { attr, type Html, html } from '../markup.ts';
import { formatter } from '../request/clock.ts';
import { withViewer } from '../words/viewer.ts';
import { richWords } from '../words/words.ts';
import { type Faults, textField } from './form.ts';

let zones: readonly Html[] | undefined;

/** Listing the zones takes 0.3 ms, and their names are the same in every language. */
function zoneOptions(): readonly Html[] {
  zones ??= [defaultDayRule.zone, ...Intl.supportedValuesOf('timeZone')].map(zoneOption);
  return zones;
}

/** A browser may still use the earlier name of a zone. */
function zoneOption(name: string): Html {
  const current = renamedZones[name];
  return html`<option value="${current ?? name}"${attr('data-earlier', current && name)}></option>`;
}

const weekdayText = formatter({ weekday: 'long' });
const clockText = formatter({ hour: '2-digit', minute: '2-digit' });

export function currentTimeIn(name: string): string {
  const zone = canonicalZone(name);
  return zone === undefined
    ? '–'
    : withViewer(
        { days: daysOf({ ...defaultDayRule, zone }) },
        () => `${weekdayText(Date.now())} ${clockText(Date.now())}`,
      );
}

/** The script fills in the browser's zone where `value` is undefined. */
export function zoneField(
  { name, label, hint: text, value }: { name: string; label: string; hint: string; value: string | undefined },
  faults: Faults,
): Html {
  const zone = value ?? defaultDayRule.zone;
  const time = html`<b data-zone-time>${currentTimeIn(zone)}</b>`;
  const hint = html`${richWords('days.timeThere', { time })} ${text}`;
  const input = textField(label, name, faults, { value: zone, hint, longest: 100, list: 'zones' });
  return html`
    <div${attr('data-zone-fill', value === undefined)}>${input}</div>
    <datalist id="zones">${zoneOptions()}</datalist>`;
}
