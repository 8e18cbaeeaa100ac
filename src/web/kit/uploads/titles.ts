/** The names of the kinds of files on pages. */

import type { ResourceName } from '../../../importing/own-kinds.ts';
import { askedOf, type UploadKind, uploadKinds } from '../../../jobs/upload-kinds.ts';
import type { UploadsTable } from '../../../store/uploads.ts';
import { inWords, words } from '../../words/words.ts';

export function titleOfKind({ what, file }: UploadKind): string {
  if (!file) return words(`uploads.kind.${what as ResourceName | 'archive'}`);
  const { judge, holds, title } = file;
  return words(`uploads.judgeKind.${holds}`, { judge, file: typeof title === 'string' ? title : inWords(title) });
}

export function titleOfUpload(upload: Pick<UploadsTable, 'asked'>): string {
  const { what } = askedOf(upload);
  const kind = uploadKinds.find((one) => one.what === what);
  return kind ? titleOfKind(kind) : words('uploads.file');
}
