/** The name of a member. */

import { type Html, html } from '../markup.ts';
import { profilePath } from '../paths.ts';

export function nameLink(
  basePath: string,
  { username, has_page }: { username: string; has_page: bigint },
  name = username,
): Html {
  const text = html`<bdi>${name}</bdi>`;
  return has_page === 1n ? html`<a href="${basePath}${profilePath(username)}">${text}</a>` : text;
}
