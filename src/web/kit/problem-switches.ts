/** The switches of what stays hidden in lists of problems, and the form that turns them. */

import { type Switch, setSwitch } from '../../practice/preferences.ts';
import { type Html, html } from '../markup.ts';
import { listPath } from '../paths.ts';
import { ownPath } from '../road/fields.ts';
import type { Answer, MemberVisit, PageRoute } from '../road/visits.ts';

const showPath = `${listPath}show/`;

export const switchPages: readonly PageRoute<MemberVisit>[] = [{ path: showPath, change: takeSwitch }];

export function switchForm(
  { site, antiForgery }: MemberVisit,
  from: string,
  switches: readonly (readonly [name: Switch, label: string, isOn: boolean])[],
): Html {
  return html`
    <form class="show" method="post" action="${site.basePath}${showPath}">
      ${antiForgery}
      <input type="hidden" name="from" value="${from}">
      ${switches.map(
        ([name, label, isOn]) =>
          html`
            <button class="switch" role="switch" aria-checked="${String(isOn)}" name="${name}" value="${String(!isOn)}">
              <span class="track" aria-hidden="true"></span>
              <span>${label}</span>
            </button>`,
      )}
    </form>`;
}

async function takeSwitch({ store, member, form, site }: MemberVisit): Promise<Answer> {
  for (const name of ['hidesTopics', 'hidesRatings'] as const) {
    const value = form.get(name);
    if (value !== 'true' && value !== 'false') continue;
    await store.write((tx) => setSwitch(tx, member.user_id, name, value === 'true'));
  }
  return { to: form.has('from') ? ownPath(site, form.get('from')) : listPath };
}
