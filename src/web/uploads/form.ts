/** The form of an upload, and what its fields ask for. */
import { html } from 'hono/html';
import { badSetting } from '../../errors.ts';
import { uploadMiB } from '../../importing/uploads/desk.ts';
import { formatLike, kindsFor, kindsLike, type UploadKind } from '../../importing/uploads/kinds.ts';
import type { Asked } from '../../importing/uploads/report.ts';
import { findMemberByName } from '../../store/members.ts';
import { type Faults, textField } from '../forms.ts';
import { icon } from '../icons.ts';
import type { Html } from '../layout.ts';
import type { MemberVisit } from '../visits.ts';
import type { UploadRoom } from './room.ts';

const longestName = 100;

/** What the fields say before the file is there. */
export interface Wanted {
  /** Undefined where the garden is to find out. */
  kind: UploadKind | undefined;
  memberId: bigint | undefined;
  handle: string | undefined;
  trustsIds: boolean;
}

export function uploadForm(room: UploadRoom, visit: MemberVisit, faults: Faults): Html {
  const { site, antiForgery, form, query } = visit;
  const fault = (name: string) =>
    faults[name] ? html`<span class="fault" id="${name}-fault">${faults[name]}</span>` : '';
  const described = (name: string) =>
    faults[name] ? html` aria-invalid="true" aria-describedby="${name}-fault"` : '';
  const chosen = form.get('what') ?? query.get('what') ?? '';
  const option = ({ what, title }: UploadKind) =>
    html`<option value="${what}"${what === chosen ? html` selected` : ''}>${title}</option>`;
  // The file comes last: what stands before it is read first, and decides whether it is read at all.
  return html`<form class="form" method="post" enctype="multipart/form-data" action="${site.basePath}${room.path}">${antiForgery}
<label class="field">What is it?<select name="what"${described('what')}><option value="">The garden finds out</option>${kindsFor(room.room).map(option)}</select>${fault('what')}</label>
${details(room, visit, faults)}
<label class="field">File<input type="file" name="file" required${described('file')}>${fault('file')}<span class="faint">One file of at most ${uploadMiB} MiB: JSON, NDJSON or CSV, unpacked.</span></label>
<div class="actions"><button class="button primary">Upload and look</button></div></form>`;
}

/** What few files need, folded away until something is wrong with it. */
function details({ room }: UploadRoom, { form }: MemberVisit, faults: Faults): Html {
  const isStaff = room === 'staff';
  const isOpen = ['member', 'handle', 'trusts_ids'].some((name) => faults[name] || form.get(name));
  const optional = (name: string) => ({
    value: form.get(name) ?? '',
    isOptional: true,
    longest: longestName,
  });
  const whose = textField('Whose submissions?', 'member', faults, {
    ...optional('member'),
    hint: 'A username. Only for a file of submissions.',
  });
  const handle = textField('Handle', 'handle', faults, {
    ...optional('handle'),
    hint: 'The name at the judge. Only for submissions, where the file has several names or none.',
  });
  const trust = html`<label class="tick"><input type="checkbox" name="trusts_ids" value="yes"${form.has('trusts_ids') ? html` checked` : ''}><span>This very garden wrote the file: its numbers count without names beside them</span></label>`;
  return html`<details class="more-fields"${isOpen ? html` open` : ''}><summary>${icon('down')}<span>${isStaff ? 'For submissions, and files of this garden' : 'For submissions'}</span></summary><div class="form">${isStaff ? whose : ''}${handle}${isStaff ? trust : ''}</div></details>`;
}

/** Reads the fields. Throws badSetting, whose cause is the name of the field. */
export async function wantedOf({ room }: UploadRoom, { store, form, member }: MemberVisit): Promise<Wanted> {
  const what = form.get('what') ?? '';
  const kind = kindsFor(room).find((one) => one.what === what);
  if (what !== '' && !kind) throw badSetting('Choose one of these.', 'what');
  const handle = (form.get('handle') ?? '').trim() || undefined;
  if (handle !== undefined && handle.length > longestName)
    throw badSetting(`Use at most ${longestName} characters.`, 'handle');
  const name = (form.get('member') ?? '').trim();
  const isStaff = room === 'staff';
  const named =
    isStaff && name !== '' ? await findMemberByName(store.reader, name.slice(0, longestName)) : undefined;
  if (isStaff && name !== '' && !named) throw badSetting('There is no member of this name.', 'member');
  const memberId = isStaff ? named?.id : member.user_id;
  return { kind, memberId, handle, trustsIds: isStaff && form.has('trusts_ids') };
}

/** What is asked of a file that starts like this. Throws badSetting, whose cause is the name of the field. */
export function askedOf({ room }: UploadRoom, wanted: Wanted, start: string): Asked {
  if (start.trim() === '') throw badSetting('This file is empty; choose another one.', 'file');
  // By their first bytes, as they stand in a text.
  if (['PK\u0003\u0004', '\u001f\ufffd'].some((first) => start.startsWith(first)))
    throw badSetting('This file is compressed: unpack it first.', 'file');
  const { what, hasSubmissions } = wanted.kind ?? recognised(room, start);
  if (hasSubmissions && wanted.memberId === undefined)
    throw badSetting('These are submissions: say whose they are.', 'member');
  if (!hasSubmissions && wanted.handle !== undefined)
    throw badSetting('Only submissions have a handle; leave it out.', 'handle');
  const { memberId, handle, trustsIds } = wanted;
  const forMember = hasSubmissions ? { member: String(memberId), handle } : {};
  return { what, format: formatLike(start), trustsIds, ...forMember };
}

function recognised(room: UploadRoom['room'], start: string): UploadKind {
  const found = kindsLike(start);
  const [kind, ...more] = found.filter(({ rooms }) => rooms.includes(room));
  if (kind && more.length === 0) return kind;
  if (kind) {
    const titles = [kind, ...more].map(({ title }) => title).join(' or ');
    throw badSetting(`This looks like ${titles}. Choose which it is, and the file once more.`, 'what');
  }
  const [other] = found;
  if (other)
    throw badSetting(`This looks like ${other.title}, which only staff import. Nothing was kept.`, 'file');
  throw badSetting(
    'The garden cannot tell what this file is. Choose it here, and the file once more.',
    'what',
  );
}
