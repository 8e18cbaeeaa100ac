/**
 * What the pages of staff share: their frame with the rooms at the left, what an act answers, and small parts of forms.
 */

import { findMembersByIds } from '../../../store/members.ts';
import { insertStaffDeed, type StaffDeed } from '../../../store/staff-log.ts';
import type { Db } from '../../../store/tables.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { type IconName, icon } from '../../kit/icons.ts';
import { type Html, html } from '../../markup.ts';
import { staffPath } from '../../paths.ts';
import { type MemberVisit, nothingHere } from '../../road/visits.ts';
import { utcFormat } from '../../words/formats.ts';
import { words } from '../../words/words.ts';

/** The rooms of staff, below `staffPath`. */
const rooms: readonly (readonly [path: string, name: string, icon: IconName])[] = [
  ['', words('staff.overview'), 'today'],
  ['members/', words('staff.members'), 'people'],
  ['invitations/', words('staff.invitations'), 'share'],
  ['settings/', words('staff.settings'), 'filter'],
  ['providers/', words('providers.title'), 'key'],
  ['imports/', words('staff.imports'), 'upload'],
  ['judges/', words('staff.judges'), 'list'],
  ['webhooks/', words('staff.webhooks'), 'sync'],
  ['plants/', words('staff.plants'), 'garden'],
  ['backups/', words('backups.title'), 'download'],
  ['health/', words('staff.health'), 'shield'],
  ['log/', words('staff.log'), 'clock'],
];

interface StaffFrame {
  title: string;
  /** The room it stands in, below `staffPath`. */
  room: string;
  sub?: Html | string;
  actions?: Html;
  /** The name of the page that this one belongs to, which is the room. */
  above?: string;
}

/** A page of staff. What an act has just done stands above the content. */
export function staffFrame(visit: MemberVisit, page: StaffFrame, content: Html): Html {
  const { basePath } = visit.site;
  const base = basePath + staffPath;
  const { title, room, sub, actions, above } = page;
  const links = rooms.map(
    ([path, name, symbol]) =>
      html`
        <li>
          <a
            href="${base}${path}"${path === room ? html` aria-current="${above === undefined ? 'page' : 'true'}"` : ''}
          >
            ${icon(symbol)}
            <span>${name}</span>
          </a>
        </li>`,
  );
  const crumbs = above === undefined ? [] : ([[base + room, above]] as const);
  const head = pageHead(title, { ...(sub && { sub }), ...(actions && { actions }), crumbs });
  return frame(
    visit,
    { title, kind: 'p-account p-staff', current: staffPath, styles: ['staff.css'] },
    html`
      <div class="with-rooms">
        <nav class="rooms" aria-label="${words('frame.staff')}"><ul>${links}</ul></nav>
        <div class="stack">${head}${doneNotice(visit)}${content}</div>
      </div>`,
  );
}

/** What the page after an act says; the address has the word at the left. */
const doneTexts: Readonly<Record<string, string>> = {
  renamed: words('done.renamed'),
  disabled: words('done.disabled'),
  enabled: words('done.enabled'),
  role: words('done.role'),
  deleted: words('done.deleted'),
  'reset-ended': words('done.resetEnded'),
  'taken-back': words('done.takenBack'),
  saved: words('done.saved'),
  opened: words('done.opened'),
  closed: words('done.closed'),
  'sample-removed': words('done.sampleRemoved'),
  'sample-restored': words('done.sampleRestored'),
  'plant-removed': words('done.plantRemoved'),
  'backup-made': words('done.backupMade'),
  'provider-saved': words('done.providerSaved'),
  'provider-removed': words('done.providerRemoved'),
  'place-saved': words('done.placeSaved'),
  'place-own': words('done.placeOwn'),
  'webhook-off': words('done.webhookOff'),
  'webhook-on': words('done.webhookOn'),
};

/** The path of a page that says what was done. */
export function donePath(path: string, done: keyof typeof doneTexts): string {
  return `${path}?done=${done}`;
}

function doneNotice({ query }: MemberVisit): Html | '' {
  const done = query.get('done') ?? '';
  if (!Object.hasOwn(doneTexts, done)) return '';
  return html`<div class="notice" data-kind="good" role="status">${icon('check')}<p>${doneTexts[done]}</p></div>`;
}

/** Why nothing was changed. */
export function faultNotice(fault: string | undefined): Html | '' {
  if (fault === undefined) return '';
  return html`<div class="notice" data-kind="bad" role="alert">${icon('warn')}<p>${fault}</p></div>`;
}

export const roles = [
  ['member', words('staff.member')],
  ['staff', words('staff.admin')],
] as const;

const moment = utcFormat({ dateStyle: 'medium', timeStyle: 'short' });

/** A moment in UTC, because members of staff may be in several zones. */
export function time(at: string): Html {
  return html`<time datetime="${at}" title="${at}">${moment.format(new Date(at))}</time>`;
}

const day = utcFormat({ dateStyle: 'medium' });

/** The day of a moment, where a list has little room. */
export function date(at: string): Html {
  return html`<time datetime="${at}" title="${at}">${day.format(new Date(at))}</time>`;
}

export interface TableRow {
  /** An attribute that says what it is about. */
  about: Html;
  cells: readonly (Html | string)[];
}

/**
 * A table; where it is narrow each row is a block, whose cells say what they are. The head of a column of buttons is
 * empty.
 */
export function table(label: string, heads: readonly string[], rows: readonly TableRow[]): Html {
  const head = (text: string) =>
    html`
      <th role="columnheader" scope="col">
        ${text === '' ? html`<span class="sr">${words('staff.action')}</span>` : text}
      </th>`;
  const cell = (content: Html | string, column: number) =>
    html`<td role="cell"${heads[column] ? html` data-head="${heads[column]}"` : ''}><div>${content}</div></td>`;
  return html`
    <div class="scroll" role="region" aria-label="${label}" tabindex="0">
      <table class="plain-table stacks" role="table">
        <thead role="rowgroup"><tr role="row">${heads.map(head)}</tr></thead>
        <tbody role="rowgroup">
          ${rows.map(({ about, cells }) => html`<tr role="row"${about}>${cells.map(cell)}</tr>`)}
        </tbody>
      </table>
    </div>`;
}

/* How staff act: in one transaction with the row of the log, and only while they are staff. */

/** What was done, and to which members: a row of the log each, or one row where it was done to nobody. */
interface Deed {
  what: StaffDeed;
  memberIds?: readonly bigint[];
}

/** Does the work and logs it. A member who is no longer staff by then changes nothing. */
export async function act<T>(
  { store, member, path }: MemberVisit,
  work: (tx: Db) => Promise<Deed & { result: T }>,
): Promise<T> {
  return store.write(async (tx) => {
    const [actor] = await findMembersByIds(tx, [member.user_id]);
    if (actor?.role !== 'staff' || actor.is_disabled !== 0n) throw nothingHere(path);
    const { what, memberIds = [null], result } = await work(tx);
    for (const member_id of memberIds) await insertStaffDeed(tx, { what, actor_id: member.user_id, member_id });
    return result;
  });
}
