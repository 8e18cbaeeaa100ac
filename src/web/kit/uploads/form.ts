/** The form of an upload, and what its fields ask for. */

import { badSetting } from '../../../errors.ts';
import type { Asked } from '../../../jobs/upload-kinds.ts';
import { formatLike, isZip, kindsFor, kindsLike, type UploadKind } from '../../../jobs/upload-kinds.ts';
import { uploadMiB } from '../../../jobs/uploads.ts';
import { findMemberByName } from '../../../store/members.ts';
import { type Html, html } from '../../markup.ts';
import type { MemberVisit } from '../../road/visits.ts';
import { words } from '../../words/words.ts';
import { type Faults, textField } from '../form.ts';
import { icon } from '../icons.ts';
import type { UploadRoom } from './room.ts';
import { titleOfKind } from './titles.ts';

const longestName = 100;

/** The values of the fields before the file. */
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
  const described = (name: string) => (faults[name] ? html` aria-invalid="true" aria-describedby="${name}-fault"` : '');
  const chosen = form.get('what') ?? query.get('what') ?? '';
  const option = (kind: UploadKind) =>
    html`<option value="${kind.what}"${kind.what === chosen ? html` selected` : ''}>${titleOfKind(kind)}</option>`;
  // The file comes last: what stands before it is read first, and decides whether it is read at all.
  return html`
    <form class="form" method="post" enctype="multipart/form-data" action="${site.basePath}${room.path}">
      ${antiForgery}
      <label class="field">
        ${words('uploads.what')}
        <select name="what"${described('what')}>
          <option value="">${words('uploads.findOut')}</option>
          ${kindsFor(room.room).map(option)}
        </select>
        ${fault('what')}
      </label>
      ${details(room, visit, faults)}
      ${fileField(html`${described('file')}`, fault('file'))}
      <div class="actions"><button class="button primary">${words('uploads.send')}</button></div>
    </form>`;
}

/** The shortest form: a file of one's own, of which the garden finds out what it is. */
export function fileForm({ site, antiForgery }: MemberVisit, path: string): Html {
  return html`
    <form class="form" method="post" enctype="multipart/form-data" action="${site.basePath}${path}">
      ${antiForgery}
      ${fileField()}
      <div class="actions">
        <button class="button primary">${icon('upload')}<span>${words('uploads.send')}</span></button>
      </div>
    </form>`;
}

function fileField(attributes: Html | '' = '', fault: Html | '' = ''): Html {
  return html`
    <label class="field">
      ${words('uploads.file')}
      <input type="file" name="file" required${attributes}>
      ${fault}
      <span class="faint">${words('uploads.fileHint', { most: uploadMiB })}</span>
    </label>`;
}

/** Fields that few files need, folded away until something is wrong with one. */
function details({ room }: UploadRoom, { form }: MemberVisit, faults: Faults): Html {
  const isStaff = room === 'staff';
  const isOpen = ['member', 'handle', 'trusts_ids'].some((name) => faults[name] || form.get(name));
  const optional = (name: string) => ({
    value: form.get(name) ?? '',
    isOptional: true,
    longest: longestName,
  });
  const whose = textField(words('uploads.whose'), 'member', faults, {
    ...optional('member'),
    hint: words('uploads.whoseHint'),
  });
  const handle = textField(words('uploads.handle'), 'handle', faults, {
    ...optional('handle'),
    hint: words('uploads.handleHint'),
  });
  const trust = html`
    <label class="tick">
      <input type="checkbox" name="trusts_ids" value="yes"${form.has('trusts_ids') ? html` checked` : ''}>
      <span>${words('uploads.trust')}</span>
    </label>`;
  return html`
    <details class="more-fields"${isOpen ? html` open` : ''}>
      <summary>${icon('down')}<span>${isStaff ? words('uploads.moreStaff') : words('uploads.moreOwn')}</span></summary>
      <div class="form">${isStaff ? whose : ''}${handle}${isStaff ? trust : ''}</div>
    </details>`;
}

/** Reads the fields. Throws badSetting, whose cause is the name of the field. */
export async function wantedOf({ room }: UploadRoom, { store, form, member }: MemberVisit): Promise<Wanted> {
  const what = form.get('what') ?? '';
  const kind = kindsFor(room).find((one) => one.what === what);
  if (what !== '' && !kind) throw badSetting(words('uploads.chooseKind'), 'what');
  const handle = (form.get('handle') ?? '').trim() || undefined;
  if (handle !== undefined && handle.length > longestName)
    throw badSetting(words('uploads.shorter', { most: longestName }), 'handle');
  const name = (form.get('member') ?? '').trim();
  const isStaff = room === 'staff';
  const named = isStaff && name !== '' ? await findMemberByName(store.reader, name.slice(0, longestName)) : undefined;
  if (isStaff && name !== '' && !named) throw badSetting(words('uploads.noMember'), 'member');
  const memberId = isStaff ? named?.id : member.user_id;
  return { kind, memberId, handle, trustsIds: isStaff && form.has('trusts_ids') };
}

/** The import of a file that starts like this. Throws badSetting, whose cause is the name of the field. */
export function askedOf({ room }: UploadRoom, wanted: Wanted, start: string): Asked {
  if (start.trim() === '') throw badSetting(words('uploads.empty'), 'file');
  const isArchive = isZip(start) && (wanted.kind?.what ?? 'archive') === 'archive';
  // The first bytes of gzip, as they stand in a text.
  if (!isArchive && (isZip(start) || start.startsWith('\u001f\ufffd')))
    throw badSetting(words('uploads.packed'), 'file');
  if (!isArchive && wanted.kind?.what === 'archive') throw badSetting(words('uploads.noArchive'), 'file');
  const { what, hasSubmissions } = wanted.kind ?? recognised(room, start);
  if (hasSubmissions && wanted.memberId === undefined) throw badSetting(words('uploads.sayWhose'), 'member');
  if (!hasSubmissions && wanted.handle !== undefined) throw badSetting(words('uploads.noHandle'), 'handle');
  const { memberId, handle, trustsIds } = wanted;
  const forMember = hasSubmissions ? { member: String(memberId), handle } : {};
  return { what, format: formatLike(start), trustsIds, ...forMember };
}

function recognised(room: UploadRoom['room'], start: string): UploadKind {
  const found = kindsLike(start);
  const [kind, ...more] = found.filter(({ rooms }) => rooms.includes(room));
  if (kind && more.length === 0) return kind;
  if (kind) {
    const titles = [kind, ...more].map(titleOfKind).reduce((one, other) => words('uploads.or', { one, other }));
    throw badSetting(words('uploads.alike', { kinds: titles }), 'what');
  }
  const [other] = found;
  if (other) throw badSetting(words('uploads.staffOnly', { kind: titleOfKind(other) }), 'file');
  throw badSetting(words('uploads.unknown'), 'what');
}
