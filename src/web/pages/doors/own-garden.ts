/**
 * The way from the demo garden to one's own: the demo member makes the first account, on the computer where the garden
 * runs.
 */

import { readEntryLink, spent } from '../../../auth/entry.ts';
import { acceptEntry } from '../../../practice/joining.ts';
import { makeSetupKey } from '../../../practice/members.ts';
import { hasMembers } from '../../../store/members.ts';
import { button, form, readSignUp } from '../../kit/form.ts';
import { html } from '../../markup.ts';
import { ownGardenPath } from '../../paths.ts';
import { type Answer, type MemberVisit, nothingHere, type PageRoute } from '../../road/visits.ts';
import { words } from '../../words/words.ts';
import { doorPage, linkPage, takeNew } from './entry.ts';

export const ownGardenPages: readonly PageRoute<MemberVisit>[] = [
  { path: ownGardenPath, isSecret: true, show: showOwnGarden, change: takeOwnGarden },
];

/** The form of the first account, or the way out of the demo account where somebody has made that. */
async function showOwnGarden(visit: MemberVisit): Promise<Answer> {
  assertDemo(visit);
  if (!(await hasMembers(visit.store.reader))) return { html: linkPage(visit, 'setup', '') };
  const signOut = button(words('frame.signOut'), 'primary wide');
  const content = html`
    <p class="soft">${words('ownGarden.hasMembers')}</p>
    ${form(visit, { to: '/authentication/sign-out/' }, signOut)}`;
  return { html: doorPage(visit, words('door.setup.title'), words('door.setup.heading'), content) };
}

async function takeOwnGarden(visit: MemberVisit): Promise<Answer> {
  const { store, opening } = visit;
  assertDemo(visit);
  if (await hasMembers(store.reader)) return { to: ownGardenPath };
  const { person, faults } = readSignUp(visit.form);
  return takeNew(visit, 'setup', '', faults, async () => {
    const key = await makeSetupKey(store);
    const link = key === undefined ? undefined : await readEntryLink(store.reader, 'setup', key);
    if (!link) throw spent('setup');
    return acceptEntry(store, link, person, opening);
  });
}

function assertDemo({ member, isLocal, path: asked }: MemberVisit): void {
  if (member.is_sample !== 1n || !isLocal) throw nothingHere(asked);
}
