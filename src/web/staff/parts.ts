/** What the pages of staff share: their frame with the rooms at the left, what an act answers, and small parts of forms. */
import { html } from 'hono/html';
import { field } from '../fields.ts';
import { utcFormat } from '../formats.ts';
import { frame, pageHead } from '../frame.ts';
import { type IconName, icon } from '../icons.ts';
import type { Html } from '../layout.ts';
import type { MemberVisit } from '../visits.ts';
import { words } from '../words.ts';

export const staffPath = '/authentication/staff/';
export const importsPath = `${staffPath}imports/`;
export const invitationsPath = `${staffPath}invitations/`;

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
      html`<li><a href="${base}${path}"${path === room ? html` aria-current="${above === undefined ? 'page' : 'true'}"` : ''}>${icon(symbol)}<span>${name}</span></a></li>`,
  );
  const crumbs = above === undefined ? [] : ([[base + room, above]] as const);
  const head = pageHead(title, { ...(sub && { sub }), ...(actions && { actions }), crumbs });
  return frame(
    visit,
    { title, kind: 'p-account p-staff', current: staffPath, styles: ['staff.css'] },
    html`<div class="with-rooms"><nav class="rooms" aria-label="${words('frame.staff')}"><ul>${links}</ul></nav>
<div class="stack">${head}${doneNotice(visit)}${content}</div></div>`,
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

/** An address that is a secret, on the one page that ever shows it. */
export function shownOnce(head: string, text: string, address: string): Html {
  return html`<section class="new-token" aria-labelledby="made"><div class="notice" data-kind="good" role="status">${icon('check')}<div><h2 id="made">${head}</h2><p>${text}</p><p class="secret"><code data-secret>${address}</code></p></div></div></section>`;
}

export function selectField(
  label: string,
  name: string,
  choices: readonly (readonly [value: string, text: string])[],
  chosen: string,
): Html {
  const options = choices.map(
    ([value, text]) =>
      html`<option value="${value}"${value === chosen ? html` selected` : ''}>${text}</option>`,
  );
  return html`<label class="field">${label}<select name="${name}">${options}</select></label>`;
}

/** The value of a field that has only these; the first one where the form has another. */
export function chosenIn<T extends string>(
  form: URLSearchParams,
  name: string,
  choices: readonly (readonly [T, string])[],
): T {
  const given = field(form, name, 100);
  const [[first] = ['' as T]] = choices;
  return choices.find(([value]) => value === given)?.[0] ?? first;
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

/** A panel with its head, and a link at the end of the head. */
export function panel(id: string, head: string, content: Html, more: Html | '' = ''): Html {
  return html`<section class="panel" aria-labelledby="${id}"><div class="panel-head"><h2 id="${id}">${head}</h2>${more}</div>${content}</section>`;
}

export interface TableRow {
  /** An attribute that says what it is about. */
  about: Html;
  cells: readonly (Html | string)[];
}

/** A table; where it is narrow each row is a block, whose cells say what they are. The head of a column of buttons is empty. */
export function table(label: string, heads: readonly string[], rows: readonly TableRow[]): Html {
  const head = (text: string) =>
    html`<th role="columnheader" scope="col">${text === '' ? html`<span class="sr">${words('staff.action')}</span>` : text}</th>`;
  const cell = (content: Html | string, column: number) =>
    html`<td role="cell"${heads[column] ? html` data-head="${heads[column]}"` : ''}><div>${content}</div></td>`;
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table class="plain-table stacks" role="table"><thead role="rowgroup"><tr role="row">${heads.map(head)}</tr></thead><tbody role="rowgroup">${rows.map(({ about, cells }) => html`<tr role="row"${about}>${cells.map(cell)}</tr>`)}</tbody></table></div>`;
}
