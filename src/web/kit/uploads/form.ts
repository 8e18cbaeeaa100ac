/** The form of an upload. */

import { type AppError, type ErrorKey, localizedError, message } from '../../../errors.ts';
import { looksLikeDatabase } from '../../../files/text.ts';
import { looksLikePeople } from '../../../importing/member-list.ts';
import {
  faultOfStart,
  guessFormat,
  guessKinds,
  kindsForScope,
  likelyKinds,
  looksLikeZip,
  type UploadKind,
} from '../../../importing/resources.ts';
import { looksLikeSolvedList } from '../../../importing/solved-files.ts';
import { type UploadRequest, uploadMiB } from '../../../jobs/uploads.ts';
import { findMemberByName } from '../../../store/members.ts';
import { attr, type Html, html } from '../../markup.ts';
import type { MemberVisit } from '../../request/visits.ts';
import { localizeText, type MessageKey, words } from '../../words/words.ts';
import {
  actions,
  button,
  checkbox,
  type Faults,
  fileField,
  form,
  formActions,
  selectField,
  textField,
} from '../form.ts';
import { icon } from '../icons.ts';
import { titleOfKind, type UploadSection } from './section.ts';

const longestName = 100;

export interface UploadFields {
  /** Undefined where the file's content decides. */
  kind: UploadKind | undefined;
  memberId: bigint | undefined;
  handle: string | undefined;
  trustsIds: boolean;
}

export function uploadForm(room: UploadSection, visit: MemberVisit, faults: Faults): Html {
  const selected = visit.form.get('what') ?? visit.query.get('what') ?? '';
  const kinds = kindsForScope(room.scope).map((kind) => [kind.what, titleOfKind(kind)] as const);
  const choices = [['', words('uploads.findOut')], ...kinds] as const;
  // The file comes last, so that the other fields are checked before it is read.
  const fields = html`
    ${selectField(words('uploads.what'), 'what', choices, selected, { faults })}
    ${details(room, visit, faults)}
    ${file(faults)}
    ${formActions(words('uploads.send'))}`;
  return form(visit, { to: room.path, className: 'form', hasFile: true }, fields);
}

export function fileForm(visit: MemberVisit, path: string): Html {
  const send = actions(button(words('uploads.send'), 'primary', [], 'upload'));
  return form(visit, { to: path, className: 'form', hasFile: true }, html`${file()}${send}`);
}

const file = (faults: Faults = {}) =>
  fileField(words('uploads.file'), { faults, hint: words('uploads.fileHint', { most: uploadMiB }) });

function details({ scope }: UploadSection, { form: values }: MemberVisit, faults: Faults): Html {
  const isStaff = scope === 'staff';
  const isOpen = ['member', 'handle', 'trusts_ids'].some((name) => Boolean(faults[name] || values.get(name)));
  const optional = (name: string) => ({
    value: values.get(name) ?? '',
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
  const trust = checkbox(words('uploads.trust'), 'trusts_ids', values.has('trusts_ids'));
  return html`
    <details class="more-fields"${attr('open', isOpen)}>
      <summary>${icon('down')}<span>${words(isStaff ? 'uploads.moreStaff' : 'uploads.moreOwn')}</span></summary>
      <div class="form">${isStaff && whose}${handle}${isStaff && trust}</div>
    </details>`;
}

const fieldOf = {
  'invalidValue.uploadKind': 'what',
  'invalidValue.uploadAlike': 'what',
  'invalidValue.uploadUnknown': 'what',
  'badFile.otherKind': 'what',
  'invalidValue.uploadHandle': 'handle',
  'invalidValue.uploadNoHandle': 'handle',
  'invalidValue.uploadMember': 'member',
  'invalidValue.uploadWhose': 'member',
} as const satisfies Partial<Record<ErrorKey, string>>;

export function uploadFaults(error: AppError): Faults {
  const fields: Partial<Record<MessageKey, string>> = fieldOf;
  return { [(error.localized && fields[error.localized.key]) ?? 'file']: localizeText(error) };
}

/** Throws invalidValue. */
export async function readUploadFields(
  { scope }: UploadSection,
  { store, form, member }: MemberVisit,
): Promise<UploadFields> {
  const what = form.get('what') ?? '';
  const kind = kindsForScope(scope).find((one) => one.what === what);
  if (what !== '' && !kind) throw localizedError('invalidValue.uploadKind');
  const handle = (form.get('handle') ?? '').trim() || undefined;
  if (handle !== undefined && handle.length > longestName)
    throw localizedError('invalidValue.uploadHandle', { most: longestName });
  const name = (form.get('member') ?? '').trim();
  const isStaff = scope === 'staff';
  const owner = isStaff && name !== '' ? await findMemberByName(store.reader, name.slice(0, longestName)) : undefined;
  if (isStaff && name !== '' && !owner) throw localizedError('invalidValue.uploadMember');
  const memberId = isStaff ? owner?.id : member.user_id;
  return { kind, memberId, handle, trustsIds: isStaff && form.has('trusts_ids') };
}

/** `start` is the beginning of the file. Throws invalidValue. */
export function uploadRequest({ scope }: UploadSection, fields: UploadFields, start: string): UploadRequest {
  if (start.trim() === '') throw localizedError('invalidValue.uploadEmpty');
  const isArchive = looksLikeZip(start) && (fields.kind?.what ?? 'archive') === 'archive';
  // The first bytes of gzip, decoded as UTF-8.
  if (!isArchive && (looksLikeZip(start) || start.startsWith('\u001f\ufffd')))
    throw localizedError('invalidValue.uploadPacked');
  if (looksLikeDatabase(start)) throw localizedError('badFile.database');
  if (!isArchive && fields.kind?.what === 'archive') throw localizedError('invalidValue.uploadNoArchive');
  if (fields.kind && !isArchive) assertKind(scope, fields.kind, start);
  const { what, hasSubmissions } = fields.kind ?? detectKind(scope, start);
  if (hasSubmissions && fields.memberId === undefined) throw localizedError('invalidValue.uploadWhose');
  if (!hasSubmissions && fields.handle !== undefined) throw localizedError('invalidValue.uploadNoHandle');
  const { memberId, handle, trustsIds } = fields;
  const isForMember = hasSubmissions || (what === 'archive' && memberId !== undefined);
  const forMember = isForMember ? { member: String(memberId), handle } : {};
  return { what, format: guessFormat(start), trustsIds, ...forMember };
}

function assertKind(room: UploadSection['scope'], chosen: UploadKind, start: string): void {
  const likely = likelyKinds(start);
  if (likely.length === 0 || likely.includes(chosen)) return;
  const found = detectKind(room, start);
  const titles = { found: titleOfKind(found), expected: titleOfKind(chosen) };
  throw localizedError('badFile.otherKind', { ...titles, kind: found.what });
}

function detectKind(room: UploadSection['scope'], start: string): UploadKind {
  const matches = guessKinds(start);
  const [kind, ...more] = matches.filter(({ scopes }) => scopes.includes(room));
  if (kind && more.length === 0) return kind;
  if (kind) {
    const titles = [kind, ...more].map(titleOfKind).reduce((one, other) => words('uploads.or', { one, other }));
    throw localizedError('invalidValue.uploadAlike', { kinds: titles });
  }
  const [other] = matches;
  if (other) throw localizedError('invalidValue.uploadStaffOnly', { kind: titleOfKind(other) });
  const elsewhere = placeOf(start);
  if (elsewhere) {
    const [kind, menu, page] = elsewhere;
    throw localizedError('invalidValue.uploadElsewhere', { kind, menu: message(menu), page: message(page) });
  }
  throw faultOfStart(start) ?? localizedError('invalidValue.uploadUnknown');
}

/** Where to upload what is imported on another page. */
function placeOf(start: string): readonly [kind: string, menu: MessageKey, page: MessageKey] | undefined {
  if (looksLikeSolvedList(start)) return ['solved', 'frame.add', 'frame.addHistory'];
  if (!/^\s*[[{<]/.test(start) && /https?:\/\//.test(start)) return ['links', 'frame.add', 'frame.addList'];
  return looksLikePeople(start) ? ['people', 'staff.members', 'members.several'] : undefined;
}
