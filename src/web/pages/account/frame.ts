/** The frame of the pages of an account: their navigation, and the notice after a change. */

import { parseInt64 } from '../../../contract/common.ts';
import { judgeName } from '../../../judges/judges.ts';
import { findHandle, type HandlesTable } from '../../../store/handles.ts';
import type { AssetName } from '../../kit/assets.ts';
import { frame, pageHead, type SideNavigation, sideNavigation } from '../../kit/frame.ts';
import { successNotice } from '../../kit/panel.ts';
import { bdi, type Html, html } from '../../markup.ts';
import { accountPath } from '../../paths.ts';
import { idIn } from '../../request/fields.ts';
import { type MemberVisit, pageNotFound } from '../../request/visits.ts';
import { commas } from '../../words/formats.ts';
import { richWords, words } from '../../words/words.ts';

const sections = {
  '': ['profile.title', 'user'],
  'handles/': ['handles.title', 'sync'],
  'days/': ['days.title', 'today'],
  'appearance/': ['appearance.title', 'theme'],
  'connections/': ['connections.title', 'link'],
  'inbox/': ['inbox.title', 'inbox'],
  'sessions/': ['sessions.title', 'device'],
  'password/': ['door.password', 'lock'],
  'sharing/': ['sharing.title', 'share'],
  'reminders/': ['reminders.title', 'clock'],
  'ways/': ['ways.title', 'key'],
  'data/': ['data.title', 'download'],
} as const satisfies SideNavigation;
type Section = keyof typeof sections;

/** Messages after a change, by the value of `done` in the address. */
const doneMessages = {
  saved: 'profile.saved',
  linked: 'handles.linked',
  renamed: 'handles.renamed',
  unlinked: 'handles.unlinked',
  proved: 'handles.proved',
  joined: 'ways.joinedNow',
  removed: 'ways.removed',
  passkeyAdded: 'passkeys.added',
  passkeyRenamed: 'passkeys.renamed',
  passkeyRemoved: 'passkeys.removed',
  revoked: 'tokens.revoked',
  ended: 'sessions.ended',
  'others-ended': 'sessions.othersEnded',
  'password-changed': 'password.changed',
  shared: 'sharing.made',
  unshared: 'sharing.revoked',
  pageShown: 'publicPage.shown',
  pageHidden: 'publicPage.hidden',
  inboxEnded: 'inbox.ended',
  undone: 'inbox.undoneNow',
} as const;
export type AccountNotice = keyof typeof doneMessages;

export function sectionAddress(room: Section, done: AccountNotice): string {
  return `${accountPath}${room}?done=${done}`;
}

interface AccountPageOptions {
  section: Section;
  /** By default the name of the section. */
  title?: string;
  subtitle: Html | string;
  styles?: readonly AssetName[];
  scripts?: readonly AssetName[];
  actions?: Html | undefined;
  crumbs?: readonly (readonly [href: string, name: string])[];
  /** Offers to undo the last change. */
  bar?: Html | undefined;
}

export function accountPage(
  visit: MemberVisit,
  { section: room, title, subtitle, styles = [], scripts = [], actions, crumbs, bar }: AccountPageOptions,
  content: Html,
): { html: Html } {
  const { member, site } = visit;
  const name = member.first_name ?? member.username;
  const heading = title ?? words(sections[room][0]);
  const page = frame(
    visit,
    { title: heading, current: accountPath, kind: 'p-account', styles, scripts, bar },
    html`
      <div class="with-rooms">
        <nav class="rooms" aria-label="${words('frame.account')}">
          <p class="rooms-who">
            <span class="face" aria-hidden="true">${[...name][0]?.toUpperCase()}</span>
            <span>
              <b>${bdi(name)}</b>
              <span class="faint">${bdi(member.username)}${commas()}${words(`role.${member.role}`)}</span>
            </span>
          </p>
          ${sideNavigation(site.basePath + accountPath, sections, room)}
        </nav>
        <div class="stack">
          ${pageHead(heading, { sub: subtitle, actions, crumbs })}
          ${successNotice(visit, doneMessages)}
          ${content}
        </div>
      </div>`,
  );
  return { html: page };
}

/* Pages about one handle. */

/** Throws unknownPath for a handle of somebody else. */
export async function getOwnHandle({ store, member, params, path }: MemberVisit): Promise<HandlesTable> {
  const handle = await findHandle(store.reader, idIn(params['id'], parseInt64));
  if (handle?.user_id !== member.user_id) throw pageNotFound(path);
  return handle;
}

export function handlePage(
  visit: MemberVisit,
  title: string,
  { source, name }: Pick<HandlesTable, 'source' | 'name'>,
  content: Html,
  judge = judgeName(source),
): { html: Html } {
  const subtitle = richWords('unlinking.sub', { handle: bdi(name), judge });
  return accountPage(visit, { section: 'handles/', title, subtitle }, content);
}
