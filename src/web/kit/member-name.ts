/** The name of a member, as a link to their public page. */

import { type Html, html } from '../markup.ts';
import { publicPath } from '../paths.ts';

/** A name, and where this visitor may see the member's page, a link to it. */
export function nameLink(
  basePath: string,
  { username, has_page }: { username: string; has_page: bigint },
  name = username,
): Html {
  const shown = html`<bdi>${name}</bdi>`;
  return has_page === 1n ? html`<a href="${basePath}${publicPath(username)}">${shown}</a>` : shown;
}
