/** What the staff pages share: their frame with the menu of sections, the messages after a change, and dates. */

import release from '../../../../package.json' with { type: 'json' };
import { frame, pageHead, type SideNavigation, sideNavigation } from '../../kit/frame.ts';
import { keysetPage } from '../../kit/pager.ts';
import { successNotice } from '../../kit/panel.ts';
import { type Html, html } from '../../markup.ts';
import { staffPath } from '../../paths.ts';
import type { MemberVisit } from '../../request/visits.ts';
import { utcFormat } from '../../words/formats.ts';
import { type MessageKey, words } from '../../words/words.ts';

/** The menu: by the end of its path, the title and the icon of each page. */
const sections = {
  '': ['staff.overview', 'today'],
  'members/': ['staff.members', 'people'],
  'invitations/': ['staff.invitations', 'share'],
  'settings/': ['staff.settings', 'filter'],
  'providers/': ['providers.title', 'key'],
  'imports/': ['staff.imports', 'upload'],
  'judges/': ['staff.judges', 'list'],
  'contests/': ['staff.contests', 'grid'],
  'webhooks/': ['staff.webhooks', 'sync'],
  'problems/': ['staff.problems', 'plus'],
  'backups/': ['backups.title', 'download'],
  'health/': ['staff.health', 'shield'],
  'log/': ['staff.log', 'clock'],
} as const satisfies SideNavigation;
type Section = keyof typeof sections;

interface StaffPage {
  section: Section;
  /** Set for a page below that of its section. */
  title?: string | undefined;
  sub?: Html | string;
  actions?: Html;
}

/** The `done` parameter of the address adds a message above the content. */
export function staffPage(
  visit: MemberVisit,
  { section, title, sub, actions }: StaffPage,
  content: Html,
): { html: Html } {
  const staffAddress = visit.site.basePath + staffPath;
  const links = sideNavigation(staffAddress, sections, section, title === undefined ? 'page' : 'true');
  const sectionTitle = words(section === '' ? 'frame.staff' : sections[section][0]);
  const crumbs = title === undefined ? [] : ([[staffAddress + section, sectionTitle]] as const);
  const page = frame(
    visit,
    {
      title: title ?? sectionTitle,
      kind: 'p-account p-staff',
      current: staffPath,
      styles: ['staff.css'],
      foot: words('staff.version', { version: release.version }),
    },
    html`
      <div class="with-rooms">
        <nav class="rooms" aria-label="${words('frame.staff')}">${links}</nav>
        <div class="stack">
          ${pageHead(title ?? sectionTitle, { ...(sub && { sub }), ...(actions && { actions }), crumbs })}
          ${successNotice(visit, doneMessages)}
          ${content}
        </div>
      </div>`,
  );
  return { html: page };
}

/** The messages of the `done` parameter. */
const doneMessages: Readonly<Record<string, MessageKey>> = {
  renamed: 'done.renamed',
  disabled: 'done.disabled',
  enabled: 'done.enabled',
  role: 'done.role',
  deleted: 'done.deleted',
  'reset-ended': 'done.resetEnded',
  'taken-back': 'done.takenBack',
  saved: 'done.saved',
  opened: 'done.opened',
  closed: 'done.closed',
  'sample-removed': 'done.sampleRemoved',
  'sample-restored': 'done.sampleRestored',
  'backup-made': 'done.backupMade',
  'provider-saved': 'done.providerSaved',
  'provider-removed': 'done.providerRemoved',
  'place-saved': 'done.placeSaved',
  'place-own': 'done.placeOwn',
  'feed-on': 'done.feedOn',
  'feed-off': 'done.feedOff',
  'feeds-asked': 'done.feedsAsked',
  'webhook-off': 'done.webhookOff',
  'webhook-on': 'done.webhookOn',
  'problem-removed': 'done.problemRemoved',
  'problem-merged': 'done.problemMerged',
  'problem-restored': 'done.problemRestored',
};

export function donePath(path: string, result: keyof typeof doneMessages): string {
  return `${path}?done=${result}`;
}

export const rowsPerPage = 50;

/** `rows` has one row more than the page if there is a next page. */
export function pageOfIds<Row extends { id: bigint }>(
  visit: MemberVisit,
  rows: readonly Row[],
  [parameter, name]: readonly [parameter: 'after' | 'before', name: MessageKey],
) {
  return keysetPage(visit, rows, { limit: rowsPerPage, cursor: [parameter, ({ id }) => id], linkText: words(name) });
}

export const roleOptions = () =>
  [
    ['member', words('staff.member')],
    ['staff', words('staff.admin')],
  ] as const;

const moment = utcFormat({ dateStyle: 'medium', timeStyle: 'short' });

/** A time in UTC, because members of staff may be in several time zones. */
export function staffTime(at: string): Html {
  const text = words('time.whole', { time: moment.format(new Date(at)), zone: 'UTC' });
  return html`<time datetime="${at}" title="${at}">${text}</time>`;
}

const day = utcFormat({ dateStyle: 'medium' });

/** Without the time of day, where a list has little room. */
export function staffDate(at: string): Html {
  return html`<time datetime="${at}" title="${at}">${day.format(new Date(at))}</time>`;
}
