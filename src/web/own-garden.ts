/** The way from the demo garden to one's own: the demo member makes the first account, on the computer where the garden runs. */
import { html } from 'hono/html';
import { makeSetupKey } from '../practice/first-member.ts';
import { hasMembers } from '../store/members.ts';
import { ownGardenPath } from './demo-line.ts';
import { frame } from './frame.ts';
import { type Answer, type MemberVisit, nothingHere, type PageRoute } from './visits.ts';
import { words } from './words.ts';

export const ownGardenPages: readonly PageRoute<MemberVisit>[] = [
  { path: ownGardenPath, isSecret: true, show: showOwnGarden, change: takeOwnGarden },
];

async function showOwnGarden(visit: MemberVisit): Promise<Answer> {
  const { store, site, antiForgery } = visit;
  assertDemo(visit);
  const content = (await hasMembers(store.reader))
    ? html`<p class="soft">${words('ownGarden.hasMembers')}</p>
<form method="post" action="${site.basePath}/authentication/sign-out/">${antiForgery}<button class="button primary wide">${words('frame.signOut')}</button></form>`
    : html`<p class="soft">${words('ownGarden.text')}</p>
<form method="post" action="${site.basePath}${ownGardenPath}">${antiForgery}<button class="button primary wide">${words('door.setup.button')}</button></form>
<p class="faint small">${words('ownGarden.sample')}</p>`;
  return {
    html: frame(
      visit,
      { title: words('ownGarden.title'), kind: 'p-entry', isPlain: true },
      html`<div class="card"><h1>${words('ownGarden.title')}</h1>${content}</div>`,
    ),
  };
}

async function takeOwnGarden(visit: MemberVisit): Promise<Answer> {
  assertDemo(visit);
  const key = await makeSetupKey(visit.store);
  return { to: key === undefined ? ownGardenPath : `/authentication/setup/?key=${key}` };
}

function assertDemo({ member, isLocal, path: asked }: MemberVisit): void {
  if (member.is_sample !== 1n || !isLocal) throw nothingHere(asked);
}
