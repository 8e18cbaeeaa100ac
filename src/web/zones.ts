/** The field for a time zone. Pages with one load `zone.js`, which fills it in from the browser. */
import { html } from 'hono/html';
import { renamedZones, usualDayRule } from '../practice/days.ts';
import { lazily } from './formats.ts';
import { type Faults, textField } from './forms.ts';
import type { Html } from './layout.ts';

/** An option carries the earlier name of its zone, which a browser may still use. */
const options = lazily(() => {
  const zones = [usualDayRule.zone, ...Intl.supportedValuesOf('timeZone')];
  return zones.map((name) => {
    const now = renamedZones[name];
    return now === undefined
      ? html`<option value="${name}"></option>`
      : html`<option value="${now}" data-earlier="${name}"></option>`;
  });
});

/** The zones that a field with `list="zones"` offers. */
export function zoneList(): Html {
  return html`<datalist id="zones">${options()}</datalist>`;
}

/** A field for a zone. The browser fills in its own where `value` is undefined; without script that is UTC. */
export function zoneField(
  { name, label, hint, value }: { name: string; label: string; hint: string; value: string | undefined },
  faults: Faults,
): Html {
  const isFilled = value === undefined;
  const shown = textField(label, name, faults, {
    ...{ value: value ?? usualDayRule.zone, hint, longest: 100, list: 'zones' },
  });
  return html`<div${isFilled ? html` data-zone-fill` : ''}>${shown}</div>${zoneList()}`;
}
