/** What differs between the upload pages of members and those of staff. */

import { type UploadKind, uploadKinds } from '../../../importing/resources.ts';
import type { ResourceName } from '../../../importing/row-kinds.ts';
import { parseUploadRequest, type UploadOwner } from '../../../jobs/uploads.ts';
import type { UploadScope, UploadsTable } from '../../../store/uploads.ts';
import type { Html } from '../../markup.ts';
import type { MemberVisit } from '../../request/visits.ts';
import { localize, words } from '../../words/words.ts';

export interface UploadSection {
  scope: UploadScope;
  path: string;
  frame(visit: MemberVisit, content: Html, title?: string): Html;
}

const shownAtMost = 80;

export function ownerIn({ scope }: UploadSection, { member }: MemberVisit): UploadOwner {
  return { userId: member.user_id, room: scope };
}

/** Invisible characters could change the text around the name. */
export function shownName(name: string): string {
  const visible = [...name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim()];
  if (visible.length === 0) return words('uploads.noName');
  return visible.length > shownAtMost ? `${visible.slice(0, shownAtMost).join('')}…` : visible.join('');
}

export function titleOfKind({ what, file }: UploadKind): string {
  if (!file) return words(`uploads.kind.${what as ResourceName | 'archive'}`);
  const { judge, kind, title } = file;
  return words(`uploads.judgeKind.${kind}`, { judge, file: typeof title === 'string' ? title : localize(title) });
}

export const uploadTitle = (upload: Pick<UploadsTable, 'asked'>) => importTitle(parseUploadRequest(upload).what);

export function importTitle(what: string | undefined): string {
  const kind = uploadKinds.find((one) => one.what === what);
  return kind ? titleOfKind(kind) : words('uploads.file');
}
