/** A number of rows as a link to them; nothing leads to no rows. */

import { figureLink } from '../../kit/day-links.ts';
import { type Html, html } from '../../markup.ts';

export function counted(count: number, href: string): Html {
  return count === 0 ? html`<span class="faint">0</span>` : figureLink(count, href);
}
