/** Which site is asked of those that run a judge's program: its own, or one that staff name, such as the club's. */

import { badSetting } from '../../../errors.ts';
import { judgeOf } from '../../../judges/addresses.ts';
import type { Judge } from '../../../judges/judge.ts';
import { forgetPlace, type JudgePlace, readPlace, savePlace } from '../../../practice/judge-places.ts';
import { leadsInside } from '../../../sync/public-hosts.ts';
import { type Faults, textField } from '../../kit/form.ts';
import { type Html, html } from '../../markup.ts';
import { faultOf, field } from '../../road/fields.ts';
import type { MemberVisit } from '../../road/visits.ts';
import { richWords, words } from '../../words/words.ts';
import { act } from './acts.ts';

const longest = 300;

/** The form of a judge whose program other sites run as well; the operator's setting leaves nothing to choose. */
export function placeForm(
  { site, antiForgery, path, form }: MemberVisit,
  [source, { api, isRunElsewhere }]: readonly [string, Judge],
  place: JudgePlace | undefined,
  faults: Faults,
): Html | string {
  if (!api || !isRunElsewhere) return '';
  const own = html`<code>${api.baseUrl}</code>`;
  const url = html`<code>${place?.url}</code>`;
  if (place?.mayBePrivate)
    return html`<p class="soft small" data-place="${source}">${richWords('places.byOperator', { url })}</p>`;
  const state = place ? richWords('places.other', { url, own }) : richWords('places.own', { own });
  const typed = faults['address'] === undefined ? (place?.url ?? '') : (form.get('address') ?? '');
  const begin = html`<form class="form" method="post" action="${site.basePath}${path}">${antiForgery}`;
  const back = place
    ? html`
      ${begin}
      <div class="actions">
        <button class="button" name="own_place" value="${source}">${words('places.back')}</button>
      </div>
      </form>`
    : '';
  const isWrong = faults['address'] !== undefined;
  return html`
    <div class="judge-sync" data-place="${source}">
      <p class="soft small">${state}</p>
      <details class="skipped"${isWrong ? html` open` : ''}>
        <summary>${words('places.change')}</summary>
        <div class="stack">
          <p class="soft">${words('places.text')}</p>
          ${begin}
          ${textField(words('places.address'), 'address', faults, {
            value: typed,
            longest,
            hint: words('places.hint'),
          })}
          <div class="actions">
            <button class="button" name="place" value="${source}">${words('places.save')}</button>
          </div>
          </form>
          ${back}
        </div>
      </details>
    </div>`;
}

/** Does what such a form was sent with; undefined for any other form. */
export async function takePlace(
  visit: MemberVisit,
): Promise<{ faults: Faults; source: string } | { done: 'place-saved' | 'place-own' } | undefined> {
  const { form } = visit;
  const named = (name: string) => {
    const source = field(form, name, 50);
    return judgeOf(source)?.isRunElsewhere ? { source } : undefined;
  };
  const [saved, own] = [named('place'), named('own_place')];
  if (own) {
    await act(visit, async (tx) => ({
      what: 'judge-place-own',
      result: await forgetPlace(tx, own.source),
    }));
    return { done: 'place-own' };
  }
  if (!saved) return undefined;
  try {
    const url = readPlace((form.get('address') ?? '').trim());
    // A name that cannot be looked up now may be found later; one that leads inside is refused whenever it is asked.
    if (await leadsInside(new URL(url))) throw badSetting(words('places.private'));
    await act(visit, async (tx) => ({
      what: 'judge-place-set',
      result: await savePlace(tx, saved.source, url),
    }));
    return { done: 'place-saved' };
  } catch (error) {
    return { faults: { address: faultOf(error) }, source: saved.source };
  }
}
