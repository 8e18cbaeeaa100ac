/**
 * The way from the demo garden to one's own: the demo member makes the first account, on the computer where the garden
 * runs.
 */

import { readEntryLink, spent } from '../../../auth/entry.ts';
import { acceptEntry } from '../../../practice/joining.ts';
import { makeSetupKey } from '../../../practice/members.ts';
import { hasMembers } from '../../../store/members.ts';
import { readSignUp } from '../../kit/form.ts';
import { frame } from '../../kit/frame.ts';
import { html } from '../../markup.ts';
import { ownGardenPath } from '../../paths.ts';
import { type Answer, type MemberVisit, nothingHere, type PageRoute } from '../../road/visits.ts';
import { words } from '../../words/words.ts';
import { linkPage, takeNew } from './entry.ts';

export const ownGardenPages: readonly PageRoute<MemberVisit>[] = [
  { path: ownGardenPath, isSecret: true, show: showOwnGarden, change: takeOwnGarden },
];

/** The form of the first account, or the way out of the demo account where somebody has made that. */
async function showOwnGarden(visit: MemberVisit): Promise<Answer> {
  const { store, site, antiForgery } = visit;
  assertDemo(visit);
  if (!(await hasMembers(store.reader))) return { html: linkPage(visit, 'setup', '') };
  return {
    html: frame(
      visit,
      { title: words('door.setup.title'), kind: 'p-entry', isPlain: true },
      html`
        <div class="card">
          <h1>${words('door.setup.heading')}</h1>
          <p class="soft">${words('ownGarden.hasMembers')}</p>
          <form method="post" action="${site.basePath}/authentication/sign-out/">
            ${antiForgery}
            <button class="button primary wide">${words('frame.signOut')}</button>
          </form>
        </div>`,
    ),
  };
}

async function takeOwnGarden(visit: MemberVisit): Promise<Answer> {
  const { store, form, opening } = visit;
  assertDemo(visit);
  if (await hasMembers(store.reader)) return { to: ownGardenPath };
  const { person, faults } = readSignUp(form);
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
