/** Names of members, and the pages that they lead to. */

import { fullNameOf, knownNameOf } from '../../importing/member-list.ts';
import type { GroupPerson } from '../../store/groups.ts';
import { type Html, html } from '../markup.ts';
import { personPath, profilePath } from '../paths.ts';

export function nameLink(
  basePath: string,
  { username, has_page }: { username: string; has_page: bigint },
  name = username,
): Html {
  const text = html`<bdi>${name}</bdi>`;
  return has_page === 1n ? html`<a href="${basePath}${profilePath(username)}">${text}</a>` : text;
}

/** Leads to the person's page in the group, which only coaches of the group and the person can open. */
export const personLink = (
  basePath: string,
  groupId: bigint,
  { user_id }: Pick<GroupPerson, 'user_id'>,
  name: string,
) => html`<a href="${basePath}${personPath(groupId, user_id)}"><bdi>${name}</bdi></a>`;

export type NamedPerson = Pick<GroupPerson, 'username' | 'first_name' | 'last_name' | 'expected_name'>;

/** The name that coaches see. Everybody else sees the username. */
export const fullName = (person: NamedPerson): string => knownNameOf(person) || person.username;

/** The own name of somebody who is no coach, and so may not see the class list. */
export const ownName = (person: NamedPerson): string => fullNameOf(person) || person.username;

/** The full names of people who are shown together, with the username where two have the same. */
export function distinctNames(people: readonly NamedPerson[]): (person: NamedPerson) => string {
  const counts = new Map<string, number>();
  for (const one of people) counts.set(fullName(one), (counts.get(fullName(one)) ?? 0) + 1);
  return (person) => {
    const name = fullName(person);
    return (counts.get(name) ?? 0) < 2 ? name : `${name} (${person.username})`;
  };
}
