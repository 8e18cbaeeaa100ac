/** Offers to prove a handle by signing in at its judge; the way there is in `web/pages/doors/openid.ts`. */

import { openIdJudges } from '../../../judges/judges.ts';
import { findProvider } from '../../../store/openid.ts';
import { actions, button } from '../../kit/form.ts';
import { goForm } from '../../kit/openid-buttons.ts';
import { type Html, html } from '../../markup.ts';
import type { MemberVisit } from '../../road/visits.ts';
import { words } from '../../words/words.ts';

/** The button of a judge whose client staff entered. */
export async function openIdOffer(visit: MemberVisit, source: string): Promise<Html | undefined> {
  const judge = openIdJudges.get(source)?.name;
  if (judge === undefined || !(await findProvider(visit.store.reader, source))) return undefined;
  const prove = actions(button(words('openid.prove', { judge })));
  return html`<p class="soft">${words('openid.text', { judge })}</p>${goForm(visit, source, 'proof', prove)}`;
}

/** The buttons of all such judges. */
export async function openIdOffers(visit: MemberVisit): Promise<Html[]> {
  const offers = await Promise.all([...openIdJudges.keys()].map((source) => openIdOffer(visit, source)));
  return offers.filter((offer) => offer !== undefined);
}
